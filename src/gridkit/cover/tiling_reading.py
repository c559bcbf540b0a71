"""Reading what a user hands in as a tiling."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from gridkit.cover.reading import Bounds, read_bounds
from gridkit.errors import InputError
from gridkit.grid.board import Board
from gridkit.grid.box import Box
from gridkit.polyomino.polycube import Polycube
from gridkit.polyomino.polyomino import Polyomino
from gridkit.reading import read_cells

__all__ = [
    "Copies",
    "Piece",
    "Region",
    "checked_copies",
    "checked_names",
    "checked_optional",
    "checked_pieces",
    "merged_pieces",
]

Piece = Polyomino | Polycube
Region = Board | Box
Copies = tuple[int, int | None]


def checked_pieces(region: Region, pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """Read pieces of the dimension of the region."""
    kind: type = Polyomino
    if not isinstance(region, Board):
        kind = Polycube
    if isinstance(pieces, kind):  # a piece is itself iterable: over its cells
        raise InputError(f"Tiling: expected pieces in a list, got the single piece {pieces!r}")
    try:
        given = tuple(pieces)
    except TypeError:
        raise InputError(f"Tiling: pieces must be iterable, got {pieces!r}") from None
    for number, piece in enumerate(given):
        if not isinstance(piece, kind):
            raise InputError(
                f"Tiling: a {type(region).__name__} takes {kind.__name__} pieces, "
                f"but piece {number} is {piece!r}"
            )
    return given


def checked_names(pieces: Iterable[object]) -> tuple[str, ...] | None:
    """Read the names of pieces given as a mapping; None where they have none.

    Names become texts, so 1 and "1" are the same name and refused.
    """
    if not isinstance(pieces, Mapping):
        return None
    texts: dict[str, object] = {}
    for name in pieces:
        text = str(name)
        if text in texts:
            raise InputError(f"Tiling: the names {texts[text]!r} and {name!r} have the same text")
        texts[text] = name
    return tuple(texts)


def checked_copies(copies: Bounds | Sequence[Bounds], pieces: int) -> list[Copies]:
    """Read how often each of so many pieces is used.

    A list has an entry for each piece, anything else holds for every piece alike.  A tuple that
    would mean one thing as a range and another as an entry for each piece is refused.
    """
    if isinstance(copies, list):
        if len(copies) != pieces:
            raise InputError(f"copies: expected one for each of {pieces} pieces, got {len(copies)}")
        return [read_bounds(each, f"copies of piece {n}") for n, each in enumerate(copies)]
    if isinstance(copies, tuple) and len(copies) == pieces > 1:
        hint = f"for one entry a piece pass the list {list(copies)!r}"
        if pieces == 2 and copies[0] == copies[1]:
            pass  # the range and the list say the same
        elif pieces == 2:
            raise InputError(
                f"copies: {copies!r} may be a range or an entry for each of 2 pieces: {hint}, "
                f"for the range {[copies, copies]!r}"
            )
        else:
            raise InputError(f"copies: expected an int, (least, greatest) or None: {hint}")
    return [read_bounds(cast("Bounds", copies), "copies")] * pieces


def merged_pieces(
    pieces: Sequence[Piece], copies: Sequence[Copies], reflect: bool
) -> list[tuple[int, Copies]]:
    """Merge pieces that are the same when moved: (first of its kind, copies of all)."""
    merged: dict[Piece, tuple[int, Copies]] = {}
    for number, (piece, (least, greatest)) in enumerate(zip(pieces, copies, strict=True)):
        shape = piece.canonical(reflect=reflect)
        first, (less, more) = merged.get(shape, (number, (0, 0)))
        most = None if more is None or greatest is None else more + greatest
        merged[shape] = first, (less + least, most)
    return list(merged.values())


def checked_optional(
    region: Region, optional: Iterable[tuple[int, ...]]
) -> frozenset[tuple[int, ...]]:
    """Read the cells of the region that may stay empty."""
    index = cast("Mapping[tuple[int, ...], int]", region.index)
    axes = ("row", "col") if isinstance(region, Board) else ("layer", "row", "col")
    cells = read_cells(optional, "optional", axes)
    for cell in cells:
        if cell not in index:
            raise InputError(f"optional: {cell!r} is no open cell of the region")
    return frozenset(region.cells[index[cell]] for cell in cells)
