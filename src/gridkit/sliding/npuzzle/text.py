"""Reading, checking and writing the arrangements of n-puzzles."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterable
from itertools import chain

from gridkit.errors import InputError, ParseError
from gridkit.grid.cell import Cell

__all__ = [
    "WALL",
    "Tiles",
    "arrangement",
    "check_same_tiles",
    "checked_size",
    "checked_walls",
    "draw",
    "parse_row",
]

WALL = -1
Tiles = Iterable[int] | Iterable[Iterable[int]]


def draw(tiles: tuple[int, ...], cols: int) -> str:
    """Draw tiles, one line a row, aligned."""
    marks = ["#" if tile == WALL else str(tile) for tile in tiles]
    width = max(map(len, marks))
    rows = (marks[i : i + cols] for i in range(0, len(marks), cols))
    return "\n".join(" ".join(mark.rjust(width) for mark in row) for row in rows)


def parse_row(line: str, number: int) -> list[int]:
    """Read one line of tiles."""
    row, column = [], 0
    for word in line.split():
        column = line.index(word, column)
        if word in (".", "_"):
            row.append(0)
        elif word == "#":
            row.append(WALL)
        elif word.isascii() and word.isdigit() and len(word) <= 9:
            row.append(int(word))
        else:
            raise ParseError(
                f"expected a tile number, '.', '_' or '#', found {word[:40]!r}", number, column + 1
            )
        column += len(word)
    return row


def checked_size(name: str, value: int) -> int:
    """Return a size that is an int >= 1."""
    number = _integer(value)
    if number is None or number < 1:
        raise InputError(f"NPuzzle: {name} must be an int >= 1, got {value!r}")
    return number


def _integer(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]  # TypeError says what is no integer
    except TypeError:
        return None


def checked_walls(walls: Iterable[tuple[int, int]], rows: int, cols: int) -> tuple[Cell, ...]:
    """Return the walls in row-major order, each once."""
    cells = set()
    try:
        pairs = [tuple(wall) for wall in walls]
    except TypeError:
        raise InputError(f"NPuzzle: walls must be (row, col) pairs, got {walls!r}") from None
    for pair in pairs:
        numbers = [_integer(part) for part in pair]
        if len(pair) != 2 or None in numbers:
            raise InputError(f"NPuzzle: a wall must be a (row, col) pair, got {pair!r}")
        cell = Cell(operator.index(pair[0]), operator.index(pair[1]))
        if not (0 <= cell.row < rows and 0 <= cell.col < cols):
            raise InputError(f"NPuzzle: wall {tuple(cell)} is outside the {rows} x {cols} board")
        cells.add(cell)
    return tuple(sorted(cells))


def arrangement(
    name: str, tiles: Tiles, rows: int, cols: int, walls: tuple[Cell, ...]
) -> tuple[int, ...]:
    """Return one tile a cell, in row-major order, -1 at walls."""
    try:
        listed = list(tiles)
        if listed and all(hasattr(row, "__len__") and not isinstance(row, str) for row in listed):
            if any(len(row) != cols for row in listed):  # type: ignore[arg-type]  # rows, as tested
                raise InputError(f"NPuzzle: every row of {name} must have {cols} entries")
            listed = list(chain.from_iterable(listed))  # type: ignore[arg-type]  # rows, as tested
    except TypeError:
        raise InputError(f"NPuzzle: {name} must be a sequence of ints, got {tiles!r}") from None
    blocked = {wall.row * cols + wall.col for wall in walls}
    if blocked and len(listed) == rows * cols - len(blocked):
        given = iter(listed)
        listed = [WALL if cell in blocked else next(given) for cell in range(rows * cols)]
    if len(listed) != rows * cols:
        raise InputError(
            f"NPuzzle: {name} must have {rows} x {cols} = {rows * cols} entries, got {len(listed)}"
        )
    placed = []
    for cell, value in enumerate(listed):
        tile = _integer(value)
        wall = cell in blocked
        if wall and (value is None or tile in (0, WALL)):
            placed.append(WALL)
        elif tile is None or not 0 <= tile < 1 << 31 or wall:
            expected = "-1, a wall" if wall else "an int from 0 to 2**31 - 1"
            raise InputError(
                f"NPuzzle: {name} at {divmod(cell, cols)} must be {expected}, got {value!r}"
            )
        else:
            placed.append(tile)
    return tuple(placed)


def check_same_tiles(tiles: tuple[int, ...], goal: tuple[int, ...]) -> None:
    """Check that a goal is made of the same tiles as the start."""
    found, wanted = Counter(tiles), Counter(goal)
    if found != wanted:
        extra, missing = sorted(wanted - found)[:5], sorted(found - wanted)[:5]
        raise InputError(
            f"NPuzzle: goal must hold the same tiles as the start; too many of {extra}, "
            f"too few of {missing}"
        )
