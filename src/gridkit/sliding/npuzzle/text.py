"""Reading, checking, writing and drawing the arrangements of n-puzzles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import chain, islice

from gridkit import render
from gridkit.errors import InputError, ParseError
from gridkit.grid.cell import Cell
from gridkit.reading import read_cells, read_int

__all__ = [
    "WALL",
    "Tiles",
    "arrangement",
    "check_same_tiles",
    "checked_walls",
    "draw",
    "parse_rows",
    "tiles_scene",
    "tiles_stage",
]

WALL = -1
Tiles = Iterable[int] | Iterable[Iterable[int]]


def draw(tiles: tuple[int, ...], cols: int) -> str:
    """Draw tiles, one line a row, aligned."""
    marks = ["#" if tile == WALL else str(tile) for tile in tiles]
    width = max(map(len, marks))
    rows = (marks[i : i + cols] for i in range(0, len(marks), cols))
    return "\n".join(" ".join(mark.rjust(width) for mark in row) for row in rows)


def tiles_scene(
    tiles: tuple[int, ...], goal: tuple[int, ...], cols: int, *, inset: float = 0.09
) -> render.Scene:
    """Return tiles in their tray, each apart, in the hues of their goal rows."""
    home = {tile: cell // cols for cell, tile in enumerate(goal)}
    tray, placed, labels = [], [], []
    for cell, tile in enumerate(tiles):
        row, col = divmod(cell, cols)
        wall = tile == WALL
        tray.append(
            render.square(row, col, "wall" if wall else None, "blocked" if wall else "soft")
        )
        if tile > 0:
            placed.append(render.square(row, col, cell, home[tile], inset=inset))
            labels.append(render.Label(str(tile), col + 0.5, row + 0.5, 0.75, home[tile]))
    title = f"{len(tiles) // cols} x {cols} puzzle"
    return render.Scene((*tray, *placed), tuple(labels), title=title)


def tiles_stage(tiles: tuple[int, ...], goal: tuple[int, ...], cols: int) -> render.Stage:
    """Return the tiles for a film, in increasing order, in the hues of their goal rows."""
    home = {tile: cell // cols for cell, tile in enumerate(goal)}
    floor = [
        ["blocked" if tile == WALL else "soft" for tile in tiles[first : first + cols]]
        for first in range(0, len(tiles), cols)
    ]
    placed = sorted((tile, cell) for cell, tile in enumerate(tiles) if tile > 0)
    sprites = [
        render.block([(0, 0)], str(tile), home[tile], divmod(cell, cols)) for tile, cell in placed
    ]
    return render.Stage(len(floor), cols, floor, sprites, (), f"{len(floor)} x {cols} puzzle")


def parse_rows(text: str) -> list[list[list[int]]]:
    """Read the rows of the start, and those of the goal where there is one.

    Raises
    ------
    ParseError
        Naming line and column.
    """
    if not isinstance(text, str):
        raise InputError(f"expected a text, got {type(text).__name__}")
    parts: list[list[list[int]]] = [[]]
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() == "->":
            parts.append([])
        elif line.strip():
            row = _parse_row(line, number)
            if parts[0] and len(row) != len(parts[0][0]):
                raise ParseError(f"expected {len(parts[0][0])} tiles, found {len(row)}", number, 1)
            parts[-1].append(row)
    if not parts[0] or len(parts) > 2 or (len(parts) == 2 and len(parts[0]) != len(parts[1])):
        raise ParseError("expected rows of tiles, then optionally '->' and as many goal rows")
    return parts


def _parse_row(line: str, number: int) -> list[int]:
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


def checked_walls(walls: Iterable[tuple[int, int]], rows: int, cols: int) -> tuple[Cell, ...]:
    """Return the walls in row-major order, each once."""
    cells = {Cell(*pair) for pair in read_cells(walls, "NPuzzle: walls")}
    for cell in cells:
        if not (0 <= cell.row < rows and 0 <= cell.col < cols):
            raise InputError(f"NPuzzle: wall {tuple(cell)} is outside the {rows} x {cols} board")
    return tuple(sorted(cells))


def arrangement(
    name: str, tiles: Tiles, rows: int, cols: int, walls: tuple[Cell, ...]
) -> tuple[int, ...]:
    """Return one tile a cell, in row-major order, -1 at walls."""
    try:
        listed = list(islice(tiles, rows * cols + 1))  # one too many is enough to refuse
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
            f"NPuzzle: {name} must have {rows} x {cols} = {rows * cols} entries, got "
            f"{len(listed) if len(listed) <= rows * cols else 'more'}"
        )
    placed = []
    for cell, value in enumerate(listed):
        if cell in blocked and (value is None or value in (0, WALL)):
            placed.append(WALL)
        elif cell in blocked:
            raise InputError(
                f"NPuzzle: {name} at {divmod(cell, cols)} must be -1, a wall, got {value!r}"
            )
        elif type(value) is int and 0 <= value < 1 << 31:
            placed.append(value)
        else:
            what = f"NPuzzle: {name} at {divmod(cell, cols)}"
            placed.append(read_int(value, what, 0, (1 << 31) - 1))
    return tuple(placed)


def check_same_tiles(tiles: tuple[int, ...], goal: tuple[int, ...]) -> None:
    """Check that a goal is made of the same tiles as the start."""
    at_start, at_goal = Counter(tiles), Counter(goal)
    if at_start != at_goal:
        extra, missing = sorted(at_goal - at_start)[:5], sorted(at_start - at_goal)[:5]
        raise InputError(
            f"NPuzzle: goal must hold the same tiles as the start; too many of {extra}, "
            f"too few of {missing}"
        )
