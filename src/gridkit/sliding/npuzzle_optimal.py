"""Shortest plans for one blank and distinct tiles: iterative deepening with pattern tables."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from gridkit.errors import InputError, UnsupportedError
from gridkit.grid.cell import Cell, Symmetry
from gridkit.run.control import Limit, ProgressCallback
from gridkit.sliding import patterndb
from gridkit.sliding.npuzzle_small import Route
from gridkit.sliding.patterndb import Recipe

if TYPE_CHECKING:
    from gridkit.sliding.npuzzle import NPuzzle

__all__ = ["DeepeningSearch", "Guide", "guide", "partition"]

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
_LARGEST = 1024
_NEVER = 1 << 40


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


_EVEN = Fraction(1)


class DeepeningSearch:
    """IDA* (a `Resumable`); a node is a tile moved.

    Parameters
    ----------
    puzzle : NPuzzle
        One blank, distinct tiles, solvable.
    chosen : Guide
        What estimates the distance.
    count_all : bool
        Whether to go on through all solutions of the least length.
    weight : Fraction
        What the estimate is multiplied with, at least 1; the plan found is at most so many times
        as long as a shortest one.
    """

    def __init__(
        self,
        puzzle: NPuzzle,
        chosen: Guide,
        *,
        count_all: bool = False,
        weight: Fraction = _EVEN,
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
    ) -> None:
        from gridkit.sliding.kernels import npuzzle as kernels

        if len(puzzle.open_cells) > _LARGEST:
            raise UnsupportedError(
                f"the optimal search takes at most {_LARGEST} cells, got {len(puzzle.open_cells)}"
            )
        self._kernels = kernels
        cells = puzzle.open_cells
        goal_place = {puzzle.goal[cell]: index for index, cell in enumerate(cells)}
        self._neighbours = patterndb.padded(puzzle.graph)
        self._board = np.array([goal_place[puzzle.tiles[cell]] for cell in cells], np.int64)
        self._home = goal_place[0]
        self._walk = patterndb.walking(puzzle.graph)
        self._blank = int(np.flatnonzero(self._board == self._home)[0])
        self._prepare_tables(chosen, limit, progress)
        steps = sum(
            int(self._walk[tile, cell])
            for cell, tile in enumerate(self._board.tolist())
            if tile != self._home
        )
        self._weight = weight
        bound = weight.numerator * (steps + 2 * int(self._excess[:, -1].max(initial=0)))
        self._control = np.array(
            [0, bound, 0, _NEVER, 0, count_all, self._blank, steps, weight.denominator,
             weight.numerator],
            np.int64,
        )  # fmt: skip
        self._solved = steps == 0
        self._new_stack()

    def _prepare_tables(
        self, chosen: Guide, limit: Limit | None, progress: ProgressCallback | None
    ) -> None:
        n, views = len(self._board), len(chosen.views)
        self._image = np.array(chosen.views, np.int64).reshape(views, n)
        if chosen.recipe is None:
            self._groups: tuple[tuple[int, ...], ...] = ()
            self._table = np.zeros(1, np.uint8)
            offsets = [0]
        else:
            tables = patterndb.load(chosen.recipe, limit=limit, progress=progress)
            self._groups = chosen.recipe.groups
            self._table = tables.table
            offsets = chosen.recipe.offsets()
        order = [tile for group in self._groups for tile in group]
        slot_of = {tile: slot for slot, tile in enumerate(order)}
        group_of = {tile: g for g, group in enumerate(self._groups) for tile in group}
        self._slot = np.zeros((views, n), np.int64)
        self._group = np.zeros((views, n), np.int64)
        self._place = np.zeros((views, max(1, len(order))), np.int64)
        self._mask = np.zeros((views, max(1, len(self._groups))), np.uint64)
        self._excess = np.zeros((views, len(self._groups) + 1), np.int64)
        self._first = np.array([slot_of[group[0]] for group in self._groups], np.int64)
        self._size = np.array([len(group) for group in self._groups], np.int64)
        self._offset = np.array(offsets[: len(self._groups)], np.int64)
        places = range(patterndb.LARGEST_PATTERN)
        self._factorial = np.array([math.factorial(i) for i in (*places, len(places))], np.int64)
        self._binomial = np.array(
            [[math.comb(cell, i + 1) for i in places] for cell in range(patterndb.LARGEST_BOARD)],
            np.int64,
        )
        for r, view in enumerate(chosen.views):
            for cell, tile in enumerate(self._board.tolist()):
                if tile == self._home:
                    continue
                seen = view[tile]
                self._slot[r, tile], self._group[r, tile] = slot_of[seen], group_of[seen]
                self._place[r, slot_of[seen]] = view[cell]
                self._mask[r, group_of[seen]] |= np.uint64(1 << view[cell])
            for g in range(len(self._groups)):
                self._excess[r, g] = self._kernels.look_up(
                    int(self._first[g]), int(self._size[g]), self._mask[r, g], self._place[r],
                    int(self._offset[g]), self._binomial, self._factorial, self._table,
                )  # fmt: skip
            self._excess[r, -1] = self._excess[r, :-1].sum()

    def _new_stack(self) -> None:
        depths = int(self._control[1]) // self._weight.denominator + 3
        self._stack = np.zeros((depths, 5 * (2 + len(self._image))), np.int64)
        self._stack[0, 0] = -1

    @property
    def nodes(self) -> int:
        """Tiles moved so far."""
        return int(self._control[2])

    @property
    def found(self) -> int:
        """Shortest solutions found so far."""
        return int(self._control[4])

    def fraction(self) -> float:
        """Return 0: the size of the search is not known."""
        return 0.0

    def memory(self) -> int:
        """Return the bytes of the tables."""
        return int(self._table.nbytes + self._walk.nbytes)

    def value(self) -> int:
        """Return the length proved so far: no plan is shorter."""
        return -(-int(self._control[1]) // self._weight.numerator)

    def token(self) -> object:
        """Return None: a search that was cut short starts anew."""
        return None

    def advance(self, budget: int) -> bool:
        """Search on for about `budget` nodes."""
        if self._solved:
            self._control[4] = 1
            return True
        kernels, control = self._kernels, self._control
        last = self.nodes + budget
        while self.nodes < last:
            status = kernels.advance(
                last - self.nodes, control, self._neighbours, self._board, self._walk, self._image,
                self._slot, self._group, self._place, self._mask, self._excess, self._first,
                self._size, self._offset, self._binomial, self._factorial, self._table, self._stack,
            )  # fmt: skip
            if status == kernels.FOUND or (status == kernels.EXHAUSTED and self.found):
                return True
            if status == kernels.EXHAUSTED:
                control[1], control[3] = control[3], _NEVER
                self._new_stack()
        return False

    def length(self) -> int:
        """Return the length of the plan found, or counted (after the end)."""
        if self._control[5]:
            return self.value()
        return int(self._control[0])

    def route(self) -> Route:
        """Return the moves of the plan found (after the end, not when counting)."""
        depth = int(self._control[0])
        blanks = [*self._stack[1 : depth + 1, 1].tolist(), int(self._control[6])]
        return [(after, before) for before, after in pairwise(blanks)]
