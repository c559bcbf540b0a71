"""Grids drawn as text: one line a row, one character a cell."""

from __future__ import annotations

from typing import NamedTuple

from gridkit.errors import InputError, ParseError
from gridkit.grid.cell import Cell

__all__ = ["Rows", "parse_rows", "read_drawing"]


class Rows(NamedTuple):
    """The rows of a grid and the 1-based number of the first one's line."""

    first_line: int
    rows: list[str]


def parse_rows(text: str, *, blanks: bool = False) -> Rows:
    """Split a grid text into its rows, checked to be of one length.

    A byte-order mark, Windows line ends, blank lines around the grid and blanks at line ends are
    accepted.

    Parameters
    ----------
    text : str
        The grid.
    blanks : bool
        Whether a blank is a mark of the grid: rows then end where the longest one does (editors
        take blanks away at line ends), and only empty lines are left out around the grid.

    Raises
    ------
    ParseError
        On an empty text or ragged rows, naming line and column.

    Examples
    --------
    >>> parse_rows("\\n..#\\n...\\n")
    Rows(first_line=2, rows=['..#', '...'])
    """
    if not isinstance(text, str):
        raise InputError(f"expected a text, got {type(text).__name__}")
    lines = text.removeprefix("\ufeff").splitlines()
    if not blanks:
        lines = [line.rstrip() for line in lines]
    filled = [number for number, line in enumerate(lines) if line]
    if not filled:
        raise ParseError("expected at least one row, found an empty text")
    first, last = filled[0], filled[-1]
    rows = lines[first : last + 1]
    width = max(map(len, rows)) if blanks else len(rows[0])
    for number, row in enumerate(rows):
        if blanks:
            rows[number] = row.ljust(width)
        elif len(row) != width:
            characters = f"{width} character{'s' * (width > 1)}"
            raise ParseError(
                f"expected {characters} as in the first row, found {len(row)}",
                first + number + 1,
                min(len(row), width) + 1,
            )
    return Rows(first + 1, rows)


def read_drawing(text: str, chosen: str, others: str) -> tuple[int, int, list[Cell]]:
    """Return the size of a drawing and the cells that bear one of the chosen marks.

    Raises
    ------
    ParseError
        As `parse_rows`, and for a mark that is none of both, naming line and column.

    Examples
    --------
    >>> read_drawing("#.", "#", ".")
    (1, 2, [Cell(row=0, col=0)])
    """
    first_line, rows = parse_rows(text, blanks=" " in chosen + others)
    cells = []
    for number, row in enumerate(rows):
        for col, mark in enumerate(row):
            if mark in chosen:
                cells.append(Cell(number, col))
            elif mark not in others:
                raise ParseError(
                    f"invalid character {mark!r} (expected {chosen!r} or {others!r})",
                    first_line + number,
                    col + 1,
                )
    return len(rows), len(rows[0]), cells
