"""Positions as GNOME Klotski draws them: a block that has to get through gates to its place."""

from __future__ import annotations

import string

from gridkit.errors import InputError, ParseError, UnsupportedError
from gridkit.grid.board import Board
from gridkit.grid.cell import Cell
from gridkit.sliding.blocks.puzzle import SlidingPuzzle
from gridkit.sliding.blocks.rules import is_connected
from gridkit.sliding.blocks.text import shape_of

__all__ = ["gnome_text", "read_gnome"]

_HERO, _WALL, _GATE, _PLACE, _EMPTY = "*", "#", "-", ".", " "
_NAMES = string.ascii_lowercase + string.ascii_uppercase + string.digits


def read_gnome(text: str) -> SlidingPuzzle:
    """Read a position drawn with ``#`` walls, ``*`` the block to free, letters for the others.

    ``-`` is a gate, which only ``*`` may pass, ``.`` the place where it has to be, a space an empty
    cell.  Short lines are filled up with spaces.

    Raises
    ------
    ParseError
        For a text without ``*`` or ``.``, a place of another shape, or a block in pieces.

    Examples
    --------
    >>> puzzle = read_gnome("######\\n#ab**#\\n#  **#\\n##--##\\n  ..\\n  ..")
    >>> len(puzzle.solve(metric="move"))
    2
    """
    if not isinstance(text, str):
        raise InputError(f"expected a text, got {type(text).__name__}")
    lines = text.removeprefix("\ufeff").rstrip("\n").splitlines()
    if not any(line.strip() for line in lines):
        raise ParseError("expected at least one row, found an empty text")
    cols = max(map(len, lines))
    cells: dict[str, list[Cell]] = {}
    for row, line in enumerate(lines):
        for col, mark in enumerate(line.ljust(cols)):
            if mark not in _NAMES and mark not in (_HERO, _WALL, _GATE, _PLACE, _EMPTY):
                raise ParseError(
                    f"invalid character {mark!r} (expected '#', '*', '-', '.', a space, a letter"
                    " or a digit)", row + 1, col + 1,
                )  # fmt: skip
            cells.setdefault(mark, []).append(Cell(row, col))
    walls, gates = cells.pop(_WALL, []), cells.pop(_GATE, [])
    cells.pop(_EMPTY, None)
    places = cells.pop(_PLACE, [])
    for mark, meaning in ((_HERO, cells.get(_HERO)), (_PLACE, places)):
        if not meaning:
            raise ParseError(f"expected {mark!r}, found none")
    for name, own in cells.items():
        if not is_connected(own):
            raise ParseError(
                f"block {name!r} is not connected: its cells are {list(map(tuple, own))}"
            )
    (corner, shape), (_, hero) = shape_of(places), shape_of(cells[_HERO])
    if shape != hero:
        raise ParseError("the cells '.' have another shape than the block '*'")
    board = Board.rectangle(len(lines), cols)
    return SlidingPuzzle(
        board.without(walls) if walls else board,
        cells,
        {_HERO: corner},
        gates={gate: [_HERO] for gate in gates},
    )


def gnome_text(puzzle: SlidingPuzzle) -> str:
    """Return a position as GNOME Klotski draws it; blocks are named a, b, ... in reading order.

    Raises
    ------
    UnsupportedError
        For what cannot be drawn so: other goals than a place of one block, axes, gates for other
        blocks, a block that begins on a gate or on the place, more than 62 other blocks.

    Examples
    --------
    >>> print(gnome_text(read_gnome("####\\n#*x#\\n#-##\\n .")))
    ####
    #*a#
    #-##
     .
    """
    if not isinstance(puzzle, SlidingPuzzle):
        raise InputError(f"expected a SlidingPuzzle, got {type(puzzle).__name__}")
    targets = list(puzzle.goal.items())
    if len(targets) != 1 or isinstance(targets[0][1], str):
        raise UnsupportedError("gnome_text: expected a goal of one block and its place")
    [(hero, corner)] = targets
    assert not isinstance(corner, str)
    if puzzle.axes or any(guests != {hero} for guests in puzzle.gates.values()):
        raise UnsupportedError(f"gnome_text: expected no axes, and gates for {hero!r} alone")
    others = sorted((cells, name) for name, cells in puzzle.blocks.items() if name != hero)
    if len(others) > len(_NAMES):
        raise UnsupportedError(f"gnome_text: expected at most {len(_NAMES)} other blocks")
    marks = dict.fromkeys(puzzle.board.cells, _EMPTY) | dict.fromkeys(puzzle.gates, _GATE)
    _, shape = shape_of(puzzle.blocks[hero])
    drawn = [(_PLACE, [Cell(corner[0] + row, corner[1] + col) for row, col in shape])]
    drawn.append((_HERO, list(puzzle.blocks[hero])))
    drawn += [(mark, list(cells)) for mark, (cells, _) in zip(_NAMES, others, strict=False)]
    for mark, own in drawn:
        for cell in own:
            if marks[cell] != _EMPTY:
                raise UnsupportedError(
                    f"gnome_text: cell {tuple(cell)} would be {marks[cell]!r} and {mark!r}"
                )
            marks[cell] = mark
    rows = [
        "".join(marks.get(Cell(row, col), _WALL) for col in range(puzzle.cols))
        for row in range(puzzle.rows)
    ]
    return "\n".join(row.rstrip() for row in rows)
