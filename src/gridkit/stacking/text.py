"""The text of a stacking game: a word for each cell, a line for each row.

A word is the cell's mark (``.`` code 0, ``~`` code 1, ``#`` code 2, then ``a`` to ``z``) followed
by the pieces on it from the bottom up, each its number and its direction: ``.0>12^``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from gridkit.errors import InputError, ParseError
from gridkit.grid.cell import Cell

__all__ = ["ARROWS", "MARKS", "format_board", "parse_board"]

MARKS = ".~#abcdefghijklmnopqrstuvwxyz"
ARROWS = "><^v"
_PIECE = re.compile(r"([0-9]+)(.?)")


def format_board(
    cells: Sequence[Sequence[int]],
    stacks: Mapping[Cell, Sequence[int]],
    directions: Sequence[int],
) -> str:
    """Write a board and what stands on it."""
    words = [
        [
            MARKS[code] + "".join(f"{i}{ARROWS[directions[i]]}" for i in stacks.get(Cell(r, c), ()))
            for c, code in enumerate(row)
        ]
        for r, row in enumerate(cells)
    ]
    width = max(len(word) for row in words for word in row)
    return "\n".join(" ".join(word.ljust(width) for word in row).rstrip() for row in words)


def parse_board(
    text: str, known: int
) -> tuple[list[list[int]], list[tuple[int, int, int]], list[int]]:
    """Read cells of `known` codes, pieces (row, col, direction), and their order in the stacks."""
    if not isinstance(text, str):
        raise InputError(f"expected a text, got {type(text).__name__}")
    lines = text.removeprefix("\ufeff").rstrip().split("\n")
    marks = MARKS[:known]
    cells: list[list[int]] = []
    found: dict[int, tuple[int, int, int]] = {}
    places: dict[int, tuple[int, int]] = {}
    for number, line in enumerate(lines, 1):
        if not cells and not line.strip():
            continue
        row: list[int] = []
        for match in re.finditer(r"[^ \t\r]+", line):
            word, column = match.group(), match.start() + 1
            if word[0] not in marks:
                raise ParseError(
                    f"invalid cell mark {word[0]!r} (expected one of {marks})", number, column
                )
            at = 1
            while at < len(word):
                piece, direction, length = _parse_piece(word[at:], number, column + at)
                if piece in found:
                    line_before, column_before = places[piece]
                    raise ParseError(
                        f"piece {piece} is already at line {line_before}, column {column_before}",
                        number,
                        column + at,
                    )
                found[piece] = (len(cells), len(row), direction)
                places[piece] = (number, column + at)
                at += length
            row.append(MARKS.index(word[0]))
        if not row:
            raise ParseError("expected a row of cells, found an empty line", number)
        if cells and len(row) != len(cells[0]):
            raise ParseError(
                f"expected a row of {len(cells[0])} cells, found {len(row)}", number, len(line) + 1
            )
        cells.append(row)
    if not cells:
        raise ParseError("expected a board, found an empty text", 1)
    for piece, (number, column) in places.items():
        if piece >= len(found):
            raise ParseError(
                f"piece {piece} is one of {len(found)}, which are numbered from 0 without gaps",
                number,
                column,
            )
    return cells, [found[piece] for piece in range(len(found))], list(found)


def _parse_piece(text: str, line: int, column: int) -> tuple[int, int, int]:
    """Read one piece; return its number, its direction and the length of its text."""
    match = _PIECE.match(text)
    if match is None or len(match.group(1)) > 18:
        raise ParseError(f"expected a piece's number, found {text[:20]!r}", line, column)
    number, arrow = match.groups()
    if not arrow or arrow not in ARROWS:
        raise ParseError(
            f"expected a direction ({' '.join(ARROWS)}) after piece {number}, found "
            f"{arrow or 'nothing'!r}",
            line,
            column + len(number),
        )
    return int(number), ARROWS.index(arrow), len(number) + 1
