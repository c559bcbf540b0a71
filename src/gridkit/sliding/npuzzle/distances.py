"""The distances of all arrangements of a small board to one goal."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import combinations
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from gridkit import render
from gridkit.errors import InputError, UnsupportedError
from gridkit.grid.components import permutation_is_even
from gridkit.reading import read_int
from gridkit.render.drawable import Drawable
from gridkit.run import Run, Work
from gridkit.sliding.npuzzle.building import order_number, order_of, shifted_numbers
from gridkit.sliding.npuzzle.graph import Instance, padded
from gridkit.value import Value

__all__ = ["DistanceTable", "TableFilling", "tabulate"]

_LARGEST = 12


def tabulate(instance: Instance, run: Run) -> TableFilling:
    """Return the filled table of all arrangements; the call's value is the histogram so far.

    Raises
    ------
    UnsupportedError
        For more than 12 cells, several blanks or equal tiles.
    """
    n = len(instance.cells)
    if not 3 <= n <= _LARGEST or not instance.is_distinct:
        raise UnsupportedError(
            f"distance tables take one blank, distinct tiles and 3 to {_LARGEST} open cells"
        )
    numbering = Numbering(instance)
    run.check(memory=numbering.size)
    filling = TableFilling(instance, numbering)
    run.drive(filling)
    return filling


class Numbering:
    """Numbers the arrangements that one blank may reach, as the kernel describes.

    Attributes
    ----------
    size : int
        Number of all numbers.
    orders : int
        Numbers that share a pattern.
    patterns : list of tuple
        For each pattern the cells of upper tiles, those of lower tiles, and the blank's.
    pattern_number : dict
        The place in `patterns`, by the cells of upper tiles and the blank's.
    """

    def __init__(self, instance: Instance) -> None:
        self.goal = instance.goal
        self.cells = n = len(instance.goal)
        self.tiles = [tile for tile in instance.goal if tile]
        self.uppers = (n - 1) // 2
        self.lowers = n - 1 - self.uppers
        self.lower_half = max(1, math.factorial(self.lowers) // 2)
        self.orders = math.factorial(self.uppers) * self.lower_half
        self.patterns = [
            (upper, tuple(c for c in range(n) if c != blank and c not in upper), blank)
            for blank in range(n)
            for upper in combinations([c for c in range(n) if c != blank], self.uppers)
        ]
        self.pattern_number = {
            (upper, blank): index for index, (upper, _, blank) in enumerate(self.patterns)
        }
        self.size = len(self.patterns) * self.orders
        self._tile_number = {tile: index for index, tile in enumerate(self.tiles)}
        self._colour = _colours(instance.graph)

    def number(self, tiles: Sequence[int]) -> int:
        """Return the number of an arrangement."""
        cells = {self._tile_number[tile]: cell for cell, tile in enumerate(tiles) if tile}
        upper_at = [cells[tile] for tile in range(self.uppers)]
        lower_at = [cells[tile] for tile in range(self.uppers, self.cells - 1)]
        pattern = self.pattern_number[tuple(sorted(upper_at)), tiles.index(0)]
        lower = order_number(lower_at) >> 1 if self.lowers > 1 else 0
        return pattern * self.orders + order_number(upper_at) * self.lower_half + lower

    def arrangement(self, number: int) -> list[int]:
        """Return the arrangement that has a number."""
        pattern, order = divmod(number, self.orders)
        upper_order, lower_half = divmod(order, self.lower_half)
        upper, lower, blank = self.patterns[pattern]
        tiles = [0] * self.cells
        for tile, place in enumerate(order_of(upper_order, self.uppers)):
            tiles[upper[place]] = self.tiles[tile]
        for tile, place in enumerate(order_of(2 * lower_half, self.lowers)):
            tiles[lower[place]] = self.tiles[self.uppers + tile]
        near = self._colour[blank] == self._colour[self.goal.index(0)]
        if self.lowers > 1 and permutation_is_even(tiles, self.goal) != near:
            one, two = (tiles.index(tile) for tile in self.tiles[-2:])
            tiles[one], tiles[two] = tiles[two], tiles[one]
        return tiles


class TableFilling(Work):
    """Fills the table, breadth first; a node is an arrangement expanded.

    Attributes
    ----------
    nearness : array of uint8
        255 - distance of each arrangement, by its number; 0 where it is not reached, so that the
        system hands out memory only when it is needed.
    """

    nodes = 0

    def __init__(self, instance: Instance, numbering: Numbering) -> None:
        from gridkit.sliding.npuzzle.kernels import distances as kernels  # numba: only here

        self._kernels = kernels
        self._numbering = numbering
        patterns = len(numbering.patterns)
        uppers, lowers = numbering.uppers, numbering.lowers
        lower_turns = shifted_numbers(lowers, lowers)
        self._moves = kernels.Moves(
            np.full((patterns, 4), -1, np.int64),
            np.zeros((patterns, 4), np.int64),
            shifted_numbers(uppers, uppers),
            # Exchanging the last two tiles changes an order's number by one, before a turn and
            # after.
            np.ascontiguousarray(lower_turns[:, ::2] >> 1),
        )
        self._list_moves(padded(instance.graph).tolist())
        self.nearness = np.zeros(numbering.size, np.uint8)
        self._pending = np.zeros((2, patterns), np.bool_)
        self._counts = np.zeros(256, np.int64)
        self._level, self._at = 0, 0
        number = numbering.number(instance.goal)
        self.nearness[number] = 255
        self._pending[0, number // numbering.orders] = True

    def _list_moves(self, neighbours: list[list[int]]) -> None:
        numbering = self._numbering
        for index, (upper, lower, blank) in enumerate(numbering.patterns):
            for side, cell in enumerate(neighbours[blank]):
                if cell < 0:
                    break
                group = upper if cell in upper else lower
                moved = tuple(sorted({*group, blank} - {cell}))
                row = len(group) * group.index(cell) + moved.index(blank)
                upper_after = moved if group is upper else upper
                self._moves.target[index, side] = numbering.pattern_number[upper_after, cell]
                self._moves.turn[index, side] = row if group is upper else -1 - row

    @property
    def found(self) -> int:
        """Return the arrangements reached so far."""
        return self.nodes

    def advance(self, budget: int) -> bool:
        """Expand about `budget` arrangements."""
        last = self.nodes + budget
        patterns = len(self._numbering.patterns)
        stride = max(1, 1_000_000 // self._numbering.orders)
        while self.nodes < last:
            end = min(self._at + stride, patterns)
            self.nodes += self._kernels.grow(
                self._level, self._at, end, self.nearness, self._pending, self._moves, self._counts
            )
            self._at = end
            if end == patterns:
                self._level, self._at = self._level + 1, 0
                if not self._pending[self._level % 2].any():
                    return True
        return False

    def fraction(self) -> float:
        """Return the arrangements expanded over the most there can be."""
        return self.nodes / len(self.nearness)

    def memory(self) -> int:
        """Return the bytes of the table."""
        return int(self.nearness.nbytes)

    def value(self) -> object:
        """Return the histogram so far."""
        return self.histogram()

    def histogram(self) -> tuple[int, ...]:
        """Return the number of arrangements at each distance."""
        counts = self._counts.tolist()
        while counts and not counts[-1]:
            counts.pop()
        return tuple(counts)


class _Rearrangeable(Protocol):
    """What a table needs of its puzzle."""

    @property
    def _instance(self) -> Instance: ...

    def _rearranged(self: P, tiles: Sequence[int]) -> P: ...


P = TypeVar("P", bound=_Rearrangeable)


class DistanceTable(Value, Drawable, Generic[P]):
    """How many steps every reachable arrangement is from the goal.

    Made by `NPuzzle.distance_table`.  Equal tables have equal puzzles.

    Attributes
    ----------
    puzzle : NPuzzle
        The puzzle whose goal counts.
    histogram : tuple of int
        Number of arrangements at each distance.
    longest : int
        The largest distance ("God's number" of this board and goal).

    Examples
    --------
    >>> from gridkit import NPuzzle
    >>> table = NPuzzle(2, 2, [1, 2, 3, 0]).distance_table()
    >>> table.histogram, table.distance([0, 3, 2, 1])
    ((1, 2, 2, 2, 2, 2, 1), 6)
    >>> [str(puzzle) for puzzle in table.hardest()]
    ['0 3\\n2 1']
    """

    _fields = ("puzzle",)
    puzzle: P
    histogram: tuple[int, ...]
    _nearness: NDArray[np.uint8]

    def __init__(self, puzzle: P, filling: TableFilling) -> None:
        filling.nearness.setflags(write=False)
        self._put(puzzle=puzzle, histogram=filling.histogram(), _nearness=filling.nearness)

    @cached_property
    def _numbering(self) -> Numbering:
        return Numbering(self.puzzle._instance)

    def __repr__(self) -> str:
        return f"{self.puzzle!r}.distance_table()"

    def _scene(self) -> render.Scene:
        """Return a bar for each distance."""
        title = "arrangements by their distance to the goal in steps"
        return render.bars_scene(self.histogram, unit="arrangements", title=title)

    @property
    def longest(self) -> int:
        """The largest distance."""
        return len(self.histogram) - 1

    def distance(self, tiles: Iterable[int]) -> int | None:
        """Return the distance of an arrangement of the open cells, None if it is unreachable.

        Raises
        ------
        InputError
            For tiles that are not those of the puzzle.
        """
        numbering = self._numbering
        arrangement = [read_int(tile, "DistanceTable: a tile") for tile in tiles]
        if sorted(arrangement) != sorted(numbering.goal):
            raise InputError(f"expected the tiles {sorted(numbering.goal)}, got {arrangement!r}")
        number = numbering.number(arrangement)
        if self._nearness[number] == 0 or numbering.arrangement(number) != arrangement:
            return None
        return 255 - int(self._nearness[number])

    def hardest(self, most: int = 1000) -> list[P]:
        """Return the puzzles at the largest distance, at most `most` of them."""
        most = read_int(most, "DistanceTable: most", least=0)
        places: list[int] = []
        chunk = 1 << 24  # bytes looked through at once
        for begin in range(0, len(self._nearness), chunk):
            there = np.flatnonzero(self._nearness[begin : begin + chunk] == 255 - self.longest)
            places += (there[: most - len(places)] + begin).tolist()
        return [self.puzzle._rearranged(self._numbering.arrangement(place)) for place in places]


def _colours(graph: tuple[tuple[int, ...], ...]) -> list[int]:
    """Colour a connected part of a grid like a chessboard (other parts are never entered)."""
    colour = [-1] * len(graph)
    for root in range(len(graph)):
        if colour[root] < 0:
            colour[root] = 0
            order = [root]
            for v in order:
                for w in graph[v]:
                    if colour[w] < 0:
                        colour[w] = 1 - colour[v]
                        order.append(w)
    return colour
