"""The distances of all arrangements of a small board to one goal."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from gridkit.errors import InputError, LimitReached, UnsupportedError
from gridkit.run.control import Limit, Partial, ProgressCallback, drive
from gridkit.sliding.npuzzle.orders import order_number, order_of, shifted_numbers
from gridkit.sliding.npuzzle.patterns import padded
from gridkit.sliding.npuzzle.search import compact
from gridkit.sliding.npuzzle.solvable import permutation_is_even

if TYPE_CHECKING:
    from gridkit.sliding.npuzzle.puzzle import NPuzzle

__all__ = ["DistanceTable", "distance_table"]

_LARGEST = 12
_UNSEEN = 255


def distance_table(
    puzzle: NPuzzle, limit: Limit | None = None, progress: ProgressCallback | None = None
) -> DistanceTable:
    """Answer `NPuzzle.distance_table`."""
    n = len(puzzle.open_cells)
    start, _ = compact(puzzle)
    if not 3 <= n <= _LARGEST or start.count(0) != 1 or len(set(start)) < n:
        raise UnsupportedError(
            f"distance tables take one blank, distinct tiles and 3 to {_LARGEST} open cells"
        )
    table = DistanceTable(puzzle)
    if limit is not None and limit.memory is not None and table.memory() > limit.memory:
        raise LimitReached(
            f"memory limit reached: the table needs {table.memory()} bytes, {limit.memory} allowed",
            Partial(None, 0, 0, 0.0, 0.0),
        )
    drive(table, limit=limit, progress=progress)
    return table


class DistanceTable:
    """How many steps every reachable arrangement is from the goal.

    Attributes
    ----------
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

    def __init__(self, puzzle: NPuzzle) -> None:
        from gridkit.sliding.npuzzle.kernels import distances as kernels

        self._kernels = kernels
        self.puzzle = puzzle
        _, goal = compact(puzzle)
        n = len(goal)
        self._n, self._goal = n, goal
        tiles = [tile for tile in goal if tile]
        self._tile_number = {tile: index for index, tile in enumerate(tiles)}
        self._uppers = (n - 1) // 2
        self._lowers = n - 1 - self._uppers
        self._lower_half = max(1, math.factorial(self._lowers) // 2)
        self._orders = math.factorial(self._uppers) * self._lower_half
        self._make_patterns()
        self._make_moves(puzzle)
        self._distance = np.full(len(self._patterns) * self._orders, _UNSEEN, np.uint8)
        self._pending = np.zeros((2, len(self._patterns)), np.bool_)
        self._counts = np.zeros(256, np.int64)
        self._level, self._at = 0, 0
        self.nodes = 0
        number = self._number(goal)
        self._distance[number] = 0
        self._pending[0, number // self._orders] = True

    def _make_patterns(self) -> None:
        """List the patterns as (cells of upper tiles, cells of lower tiles, blank)."""
        cells = range(self._n)
        self._patterns = [
            (upper, tuple(c for c in cells if c != blank and c not in upper), blank)
            for blank in cells
            for upper in combinations([c for c in cells if c != blank], self._uppers)
        ]
        self._pattern_number = {
            (upper, blank): index for index, (upper, _, blank) in enumerate(self._patterns)
        }

    def _make_moves(self, puzzle: NPuzzle) -> None:
        neighbours = padded(puzzle.graph)
        uppers, lowers = self._uppers, self._lowers
        self._upper_turns = shifted_numbers(uppers, uppers)
        lower_turns = shifted_numbers(lowers, lowers)
        # Exchanging the last two tiles changes an order's number by one, before a turn and after.
        self._lower_turns = np.ascontiguousarray(lower_turns[:, ::2] >> 1)
        self._target = np.full((len(self._patterns), 4), -1, np.int64)
        self._turn = np.zeros((len(self._patterns), 4), np.int64)
        self._colour = _colours(puzzle.graph)
        for index, (upper, lower, blank) in enumerate(self._patterns):
            for side, cell in enumerate(neighbours[blank].tolist()):
                if cell < 0:
                    break
                group = upper if cell in upper else lower
                moved = tuple(sorted({*group, blank} - {cell}))
                place, arrival = group.index(cell), moved.index(blank)
                upper_after = moved if group is upper else upper
                self._target[index, side] = self._pattern_number[upper_after, cell]
                if group is upper:
                    self._turn[index, side] = uppers * place + arrival
                else:
                    self._turn[index, side] = -1 - (lowers * place + arrival)

    def _number(self, tiles: list[int]) -> int:
        """Return the place of an arrangement in the table."""
        cells = {self._tile_number[tile]: cell for cell, tile in enumerate(tiles) if tile}
        upper_at = [cells[tile] for tile in range(self._uppers)]
        lower_at = [cells[tile] for tile in range(self._uppers, self._n - 1)]
        pattern = self._pattern_number[tuple(sorted(upper_at)), tiles.index(0)]
        lower = order_number(lower_at) >> 1 if self._lowers > 1 else 0
        return pattern * self._orders + order_number(upper_at) * self._lower_half + lower

    def _tiles(self, number: int) -> list[int]:
        """Return the arrangement at a place of the table."""
        pattern, order = divmod(number, self._orders)
        upper_rank, lower_half = divmod(order, self._lower_half)
        upper, lower, blank = self._patterns[pattern]
        tiles = [0] * self._n
        names = [tile for tile in self._goal if tile]
        for tile, place in enumerate(order_of(upper_rank, self._uppers)):
            tiles[upper[place]] = names[tile]
        for tile, place in enumerate(order_of(2 * lower_half, self._lowers)):
            tiles[lower[place]] = names[self._uppers + tile]
        near = self._colour[blank] == self._colour[self._goal.index(0)]
        if self._lowers > 1 and permutation_is_even(tiles, self._goal) != near:
            last = [tiles.index(name) for name in names[-2:]]
            tiles[last[0]], tiles[last[1]] = tiles[last[1]], tiles[last[0]]
        return tiles

    # a Resumable

    @property
    def found(self) -> int:
        """Return the arrangements reached so far."""
        return self.nodes

    def advance(self, budget: int) -> bool:
        """Expand about `budget` arrangements."""
        last = self.nodes + budget
        stride = max(1, 1_000_000 // self._orders)
        while self.nodes < last:
            end = min(self._at + stride, len(self._patterns))
            self.nodes += self._kernels.grow(
                self._level, self._at, end, self._distance, self._pending,
                self._target, self._turn, self._upper_turns, self._lower_turns, self._counts,
            )  # fmt: skip
            self._at = end
            if end == len(self._patterns):
                self._level, self._at = self._level + 1, 0
                if not self._pending[self._level % 2].any():
                    return True
        return False

    def fraction(self) -> float:
        """Return the arrangements expanded over the most there can be."""
        return self.nodes / len(self._distance)

    def memory(self) -> int:
        """Return the bytes of the table."""
        return int(self._distance.nbytes)

    def value(self) -> object:
        """Return the histogram so far."""
        return self.histogram

    def token(self) -> object:
        """Return None: a table that was cut short starts anew."""
        return None

    # the result

    @property
    def histogram(self) -> tuple[int, ...]:
        """Number of arrangements at each distance."""
        counts = self._counts.tolist()
        while counts and not counts[-1]:
            counts.pop()
        return tuple(counts)

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
        arrangement = list(tiles)
        if sorted(arrangement) != sorted(self._goal):
            raise InputError(f"expected the tiles {sorted(self._goal)}, got {arrangement!r}")
        number = self._number(arrangement)
        if self._distance[number] == _UNSEEN or self._tiles(number) != arrangement:
            return None
        return int(self._distance[number])

    def hardest(self, most: int = 1000) -> list[NPuzzle]:
        """Return the puzzles at the largest distance, at most `most` of them."""
        from gridkit.sliding.npuzzle.puzzle import NPuzzle

        places = np.empty(min(most, self.histogram[-1]), np.int64)
        self._kernels.list_level(self.longest, self._distance, places)
        puzzle = self.puzzle
        return [
            NPuzzle(
                puzzle.rows,
                puzzle.cols,
                self._tiles(place),
                [tile for tile in puzzle.goal if tile >= 0],
                puzzle.walls,
            )
            for place in places.tolist()
        ]


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
