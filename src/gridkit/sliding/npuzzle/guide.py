"""What estimates distances for one blank and distinct tiles: the choice of pattern tables."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from gridkit.errors import InputError
from gridkit.grid.cell import Cell, Symmetry
from gridkit.sliding.npuzzle import patterns as patterndb
from gridkit.sliding.npuzzle.patterns import Recipe

if TYPE_CHECKING:
    from gridkit.sliding.npuzzle.puzzle import NPuzzle

__all__ = ["Guide", "guide", "partition"]

# Patterns of R. Korf and A. Felner (2002) for the blank in the top left corner; our own 5-5-5-5-4.
_KNOWN = {
    (4, "5-5-5"): ((1, 4, 5, 8, 9), (2, 3, 6, 7, 10), (11, 12, 13, 14, 15)),
    (4, "6-6-3"): ((3, 6, 7, 10, 11, 15), (1, 2, 4, 5, 8, 9), (12, 13, 14)),
    (4, "7-8"): ((1, 2, 3, 4, 5, 6, 7), (8, 9, 10, 11, 12, 13, 14, 15)),
    (5, "6-6-6-6"): (
        (1, 2, 5, 6, 7, 12), (3, 4, 8, 9, 13, 14), (10, 11, 15, 16, 20, 21),
        (17, 18, 19, 22, 23, 24),
    ),
    (5, "5-5-5-5-4"): (
        (1, 2, 5, 6, 7), (3, 4, 8, 9, 14), (10, 11, 15, 16, 20), (12, 13, 17, 21, 22),
        (18, 19, 23, 24),
    ),
}  # fmt: skip


class Guide:
    """What estimates distances for a board and goal: walking distances and pattern tables.

    Attributes
    ----------
    views : list of list of int
        For each symmetry that brings the goal into the tables' standard position, the image of
        every cell.
    recipe : Recipe or None
        The tables; None for walking distances alone.
    """

    def __init__(self, views: list[list[int]], recipe: Recipe | None) -> None:
        self.views = views if recipe else []
        self.recipe = recipe


def guide(puzzle: NPuzzle, tables: str) -> Guide:
    """Choose the tables for a puzzle.

    Raises
    ------
    InputError
        For a name that is none, or sizes that do not add up to the number of tiles.
    UnsupportedError
        For a board or pattern that is too large for tables.
    """
    n = len(puzzle.open_cells)
    if tables == "manhattan":
        return Guide([], None)
    side, views, graph, home = _standard(puzzle)
    if tables != "auto":
        return Guide(views, Recipe(graph, home, partition(tables, n, side, home)))
    if side == 4 or side == 5:
        large = "7-8" if side == 4 else "6-6-6-6"
        recipe = Recipe(graph, home, partition(large, n, side, home))
        if patterndb.is_stored(recipe):
            return Guide(views, recipe)
    largest = 6 if n <= 16 else 5
    count = -(-(n - 1) // largest)
    sizes = sorted((len(range(i, n - 1, count)) for i in range(count)), reverse=True)
    name = "6-6-3" if side == 4 else "-".join(map(str, sizes))
    return Guide(views, Recipe(graph, home, partition(name, n, side, home)))


def partition(tables: str, n: int, side: int, home: int) -> tuple[tuple[int, ...], ...]:
    """Return the goal cells of the patterns that a name such as "6-6-3" means.

    `side` is that of a square board without walls, else 0.
    """
    if not isinstance(tables, str) or not re.fullmatch(r"[1-9]\d*(-[1-9]\d*)*", tables):
        raise InputError(
            "tables must be 'auto', 'manhattan', 'walking-distance' or pattern sizes such as "
            f"'6-6-3', got {tables!r}"
        )
    sizes = [int(size) for size in tables.split("-")]
    if sum(sizes) != n - 1:
        raise InputError(f"tables {tables!r} cover {sum(sizes)} tiles, but the puzzle has {n - 1}")
    if home == 0 and (side, tables) in _KNOWN:
        return _KNOWN[side, tables]
    rest = iter(_along_rows(n, side, home))
    return tuple(tuple(sorted(next(rest) for _ in range(size))) for size in sizes)


def _along_rows(n: int, side: int, home: int) -> Iterable[int]:
    """Return the cells but `home`, to and fro on a square board."""
    width = side or n
    for row in range(0, n, width):
        cells = range(row, min(row + width, n))
        yield from (
            cell for cell in (cells if row // width % 2 == 0 else cells[::-1]) if cell != home
        )


def _standard(
    puzzle: NPuzzle,
) -> tuple[int, list[list[int]], tuple[tuple[int, ...], ...], int]:
    """Return (side, views, graph, home) of the board turned so that its goal's blank is first."""
    rows, cols = puzzle.rows, puzzle.cols
    cells = [Cell(*divmod(cell, cols)) for cell in puzzle.open_cells]
    home = puzzle.goal.index(0)
    best: tuple[object, ...] | None = None
    views: list[list[int]] = []
    for symmetry in Symmetry:
        height, width = (cols, rows) if symmetry.swaps_axes else (rows, cols)
        images = [symmetry.image(cell, rows, cols) for cell in cells]
        where = symmetry.image(Cell(*divmod(home, cols)), rows, cols)
        key = (where, height, width, tuple(sorted(images)))
        if best is None or key < best:
            best, views = key, []
        if key == best:
            place = {cell: index for index, cell in enumerate(sorted(images))}
            views.append([place[image] for image in images])
    first = views[0]
    graph: list[tuple[int, ...]] = [()] * len(cells)
    for cell, near in enumerate(puzzle.graph):
        graph[first[cell]] = tuple(sorted(first[other] for other in near))
    side = rows if rows == cols and not puzzle.walls else 0
    return side, views[:2], tuple(graph), first[puzzle.open_cells.index(home)]
