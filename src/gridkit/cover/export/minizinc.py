"""Tilings as data of the MiniZinc challenge's model for placing irregular shapes.

The model (M. Lagerkvist and G. Pesant, 2008; in the challenges as pentominoes-int) writes a square
board row by row with a marker after each row, and says of every tile by a regular expression which
of its orientations lies where.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from gridkit.cover.tiling import Tiling
from gridkit.errors import InputError, ParseError, UnsupportedError
from gridkit.grid.board import Board
from gridkit.polyomino.polyomino import Polyomino

__all__ = ["dumps_dzn", "loads_dzn"]

_TERM = re.compile(r"\s*(?:(\d+)|\[([\d\s]+)\])\s*(?:\{(\d+)\}|(\*))?")
_ENTRY = re.compile(r"\b(size|tiles)\s*=\s*(\d+)\s*;")
_MOST_SIZE, _MOST_TILES = 1000, 10_000


def dumps_dzn(tiling: Tiling) -> str:
    """Write a tiling of a full square by pieces used a given number of times, as ``.dzn`` data.

    Raises
    ------
    UnsupportedError
        For what the model cannot say: another region, cells that may stay empty, ranges of copies.

    Examples
    --------
    >>> from gridkit import Board, Polyomino
    >>> tiling = Tiling(Board.rectangle(2, 2), [Polyomino.parse("##")], copies=2)
    >>> print(dumps_dzn(tiling).splitlines()[3])
        "( ([2 3]* 1{2} [2 3]*) | ([2 3]* 1{1} [2 3]{2} 1{1} [2 3]*) )",
    """
    if not isinstance(tiling, Tiling):
        raise InputError(f"dumps_dzn: expected a Tiling, got {type(tiling).__name__}")
    board = tiling.region
    size = board.rows if isinstance(board, Board) else 0
    if not isinstance(board, Board) or board.cols != size or len(board) != size * size:
        raise UnsupportedError("dumps_dzn: expected a square board without blocked cells")
    if tiling.optional or any(least != greatest for least, greatest in tiling.copies):
        raise UnsupportedError("dumps_dzn: expected pieces used an exact number of times each")
    pieces = [
        piece
        for piece, (least, _) in zip(tiling.pieces, tiling.copies, strict=True)
        for _ in range(least)
    ]
    tiles = len(pieces)
    expressions = []
    for number, piece in enumerate(pieces, 1):
        others = [other for other in range(1, tiles + 2) if other != number]
        gap = f"[{' '.join(map(str, others))}]"
        ways = [
            _expression(shape.cells, number, gap, size)
            for shape in piece.orientations(reflect=tiling.reflect)
            if isinstance(shape, Polyomino) and max(shape.rows, shape.cols) <= size
        ]
        if not ways:
            raise UnsupportedError(f"dumps_dzn: piece {number} does not fit the board at all")
        expressions.append(f'    "( {" | ".join(ways)} )",')
    return "\n".join(
        [f"size = {size};", f"tiles = {tiles};", "expressions = [", *expressions, "];", ""]
    )


def _expression(cells: Iterable[Sequence[int]], number: int, gap: str, size: int) -> str:
    """Return the expression of one orientation: its cells in lines apart by the marker."""
    places = sorted(row * (size + 1) + col for row, col in cells)
    terms = [f"{gap}*"]
    run, last = 1, places[0]
    for place in places[1:]:
        if place == last + 1:
            run += 1
        else:
            terms += [f"{number}{{{run}}}", f"{gap}{{{place - last - 1}}}"]
            run = 1
        last = place
    terms += [f"{number}{{{run}}}", f"{gap}*"]
    return f"({' '.join(terms)})"


def loads_dzn(text: str) -> Tiling:
    """Read ``.dzn`` data of the model: a square board, and an expression a tile.

    Pieces may be turned over where the expressions say so.

    Raises
    ------
    ParseError
        For a missing entry, or an expression that is none of the model.
    UnsupportedError
        For tiles whose orientations are neither all rotations nor all of them turned over too.

    Examples
    --------
    >>> text = 'size = 2; tiles = 2; expressions = ["(1{2} [2 3]*)", "([1 3]* 2{2})"];'
    >>> loads_dzn(text).count()
    Traceback (most recent call last):
        ...
    gridkit.errors.UnsupportedError: tile 1: its 1 orientations are not all its rotations
    """
    if not isinstance(text, str):
        raise InputError(f"expected a text, got {type(text).__name__}")
    plain = re.sub(r"%[^\n]*", "", text.removeprefix("\ufeff"))
    entries = dict(_ENTRY.findall(plain))
    if entries.keys() < {"size", "tiles"}:
        raise ParseError("expected 'size = ...;' and 'tiles = ...;'")
    size, tiles = (_number(entries[name], name) for name in ("size", "tiles"))
    if not 1 <= size <= _MOST_SIZE or not 1 <= tiles <= _MOST_TILES:
        raise ParseError(f"expected a size from 1 to {_MOST_SIZE} and 1 to {_MOST_TILES} tiles")
    listed = re.search(r"\bexpressions\s*=\s*\[(.*?)\]\s*;", plain, re.DOTALL)
    expressions = re.findall(r'"([^"]*)"', plain[listed.start() :]) if listed else []
    if len(expressions) != tiles:
        raise ParseError(f"expected {tiles} expressions, found {len(expressions)}")
    pieces, kinds = [], set()
    for number, expression in enumerate(expressions, 1):
        shapes = {
            _read_shape(way, number, size) for way in expression.strip().strip("()").split("|")
        }
        piece = min(shapes)
        turned, reflected = (
            {shape for shape in piece.orientations(reflect=reflect)
             if shape.rows <= size and shape.cols <= size}
            for reflect in (False, True)
        )  # fmt: skip
        if shapes not in (turned, reflected):
            raise UnsupportedError(
                f"tile {number}: its {len(shapes)} orientations are not all its rotations"
            )
        if turned != reflected:
            kinds.add(shapes == reflected)
        pieces.append(piece)
    if len(kinds) > 1:
        raise UnsupportedError("some tiles may be turned over and others not")
    return Tiling(Board.rectangle(size, size), pieces, reflect=kinds == {True})


def _number(digits: str, name: str) -> int:
    if len(digits) > 9:
        raise ParseError(f"{name}: the number has {len(digits)} digits")
    return int(digits)


def _read_shape(way: str, number: int, size: int) -> Polyomino:
    """Return the shape that one alternative of an expression describes."""
    places: list[int] = []
    at, end = 0, 0
    inner = way.strip().strip("()").strip()
    while end < len(inner):
        term = _TERM.match(inner, end)
        if term is None:
            raise ParseError(f"tile {number}: expected a number or a list, got {inner[end:]!r:.40}")
        own, _, times, star = term.groups()
        end = term.end()
        length = 1 if times is None else _number(times, f"tile {number}")
        if length > (size + 1) * size:
            raise ParseError(f"tile {number}: {length} cells are more than the board has")
        if own is None:
            at += 0 if star else length
        elif int(own) != number or star:
            raise ParseError(f"tile {number}: expected its own number, got {term[0].strip()!r}")
        else:
            places += range(at, at + length)
            at += length
    first = places[0] if places else 0
    for col in range(size):
        cells = [divmod(place - first + col, size + 1) for place in places]
        if cells and all(col < size for _, col in cells):
            return Polyomino(cells)
    raise ParseError(f"tile {number}: its cells do not fit a row of {size}")
