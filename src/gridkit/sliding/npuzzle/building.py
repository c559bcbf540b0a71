"""Builds additive pattern tables, breadth first, and numbers the orders of a pattern's tiles.

An *order* of m tiles says for each tile the place where it stands, places being numbered along the
cells that the tiles occupy.  The number of an order, from 0 to m! - 1, is its place in the
lexicographic list of all (D. H. Lehmer 1960).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from gridkit.run import Work
from gridkit.sliding.npuzzle.graph import Graph, padded, walking_distances

__all__ = [
    "LARGEST_PATTERN", "TableBuilding", "all_orders", "order_number", "order_of", "passing_terms",
    "shifted_numbers",
]  # fmt: skip

LARGEST_PATTERN = 8
_PACKED_AT_ONCE = 1 << 17  # entries: the arrays of a step stay in the processor's cache


class TableBuilding(Work):
    """Builds the tables pattern after pattern, level after level; a node is an entry expanded.

    Parameters
    ----------
    graph : sequence of sequences of int
        Neighbours of each cell.
    home : int
        The blank's cell in the goal.
    groups : sequence of sequences of int
        The goal cells of each pattern's tiles.
    nothing : object
        The value of the call that the tables are built for, when it is cut short.

    Attributes
    ----------
    packed : array of uint8
        The tables, one after the other, two entries a byte; complete at the end.
    """

    nodes = 0

    def __init__(
        self, graph: Graph, home: int, groups: Sequence[tuple[int, ...]], nothing: object = None
    ) -> None:
        n = len(graph)
        self._graph, self._home, self._groups = graph, home, groups
        self._nothing = nothing
        self._entries = [math.perm(n, len(group)) for group in groups]
        self._done = self._offset = 0
        self.packed = np.zeros(sum((count + 1) // 2 for count in self._entries), np.uint8)
        self._neighbours = padded(graph)
        self._walk = walking_distances(graph)
        self._binomial = np.array(
            [[math.comb(p, i) for i in range(LARGEST_PATTERN + 1)] for p in range(n)], np.int64
        )
        self._search: _PatternSearch | None = None

    def fraction(self) -> float:
        """Return the entries expanded over the (estimated) number of all."""
        return min(0.99, self.nodes / (2 * sum(self._entries)))

    def memory(self) -> int:
        """Return the bytes of the tables and of the search at work."""
        return self.packed.nbytes + (self._search.distance.nbytes if self._search else 0)

    def advance(self, budget: int) -> bool:
        """Expand about `budget` entries."""
        if self._done == len(self._groups):
            return True
        if self._search is None:
            group = self._groups[self._done]
            self._search = _PatternSearch(
                self._graph, self._home, group, self._neighbours, self._walk, self._binomial
            )
        expanded, done = self._search.advance(budget)
        self.nodes += expanded
        if done:
            self._search.pack(self.packed, self._offset)
            self._offset += (self._entries[self._done] + 1) // 2
            self._search = None
            self._done += 1
        return self._done == len(self._groups)

    def value(self) -> object:
        """Return the value of the call that the tables are built for."""
        return self._nothing


class _PatternSearch:
    """Breadth-first search over the placements of one pattern and the regions of the blank."""

    def __init__(
        self,
        graph: Graph,
        home: int,
        group: tuple[int, ...],
        neighbours: NDArray[np.int64],
        walk: NDArray[np.uint8],
        binomial: NDArray[np.int64],
    ) -> None:
        from gridkit.sliding.npuzzle.kernels import patterns as kernels

        n, m = len(graph), len(group)
        self._kernels = kernels
        self._m = m
        self._walk = np.ascontiguousarray(walk[list(group)])
        sets, orders = math.comb(n, m), math.factorial(m)
        combination, start = np.empty(sets, np.uint64), np.empty(sets + 1, np.int64)
        nothing = np.empty(0, np.uint64), np.empty(0, np.int64)
        count = kernels.list_regions(n, m, neighbours, combination, start, *nothing, False)
        cells, owner = np.empty(count, np.uint64), np.empty(count, np.int64)
        kernels.list_regions(n, m, neighbours, combination, start, cells, owner, True)
        self._regions = kernels.Regions(combination, start, cells, owner, neighbours)
        # Whole words behind the last block, so that it can be read eight bytes at a time.
        words = np.full((count * orders + 7) // 8, -1, np.int64).view(np.uint64)
        self.distance = words.view(np.uint8)
        self._pending = np.zeros((2, count), np.bool_)
        self._entries = kernels.Entries(self.distance, words, self._pending)
        reach = max(
            (
                sum(min(a, b) < cell < max(a, b) for cell in range(n))
                for a in range(n)
                for b in graph[a]
            ),
            default=0,
        )
        self._numbers = kernels.Orders(
            shifted_numbers(m, reach), binomial, np.empty(orders + 1, np.uint16)
        )
        self._orders = orders
        self._level, self._at = 0, 0
        self._start(group, home)

    def _start(self, group: tuple[int, ...], home: int) -> None:
        cells = sorted(group)
        at = int(
            np.searchsorted(self._regions.combination, np.uint64(sum(1 << cell for cell in cells)))
        )
        node = int(self._regions.start[at])
        while not int(self._regions.cells[node]) >> home & 1:
            node += 1
        self.distance[node * self._orders + order_number(group)] = 0
        self._pending[0, node] = True

    def advance(self, budget: int) -> tuple[int, bool]:
        """Expand about `budget` entries; return how many, and whether all are reached."""
        expanded = 0
        regions = len(self._regions.cells)
        stride = max(1, min(regions, 400_000 // self._orders + 1))
        while expanded < budget:
            last = min(self._at + stride, regions)
            expanded += self._kernels.grow(
                self._level, self._at, last, self._m, self._entries, self._regions, self._numbers
            )
            self._at = last
            if last == regions:
                self._at = 0
                self._level += 1
                if not self._pending[self._level % 2].any():
                    return expanded, True
        return expanded, False

    def pack(self, packed: NDArray[np.uint8], offset: int) -> None:
        """Write the nibbles of this pattern, from byte `offset` on.

        A nibble is (distance - walking distance of the tiles) / 2, at most 15; of the blank's
        regions the least distance counts.  Orders come in runs that differ in the places of the
        last tiles only, so that the walking distance is a sum of one term a run, for the first
        tiles, and of one that depends on the set of places left to the last ones.
        """
        m, orders = self._m, all_orders(self._m)
        last = min(m, 4)
        run = math.factorial(last)
        heads = orders[::run, : m - last]
        sets, first_of, set_of = np.unique(
            (1 << orders[::run, m - last :].astype(np.int64)).sum(axis=1),
            return_index=True, return_inverse=True,
        )  # fmt: skip
        tails = orders.reshape(-1, run, m)[first_of, :, m - last :]
        step = max(1, _PACKED_AT_ONCE // len(orders))
        step += step % 2  # whole bytes also where a pattern has a single tile
        blocks = self.distance[: len(self._regions.cells) * len(orders)].reshape(-1, len(orders))
        place = offset
        for begin in range(0, len(self._regions.combination), step):
            chosen = self._regions.combination[begin : begin + step, None]
            cells = np.nonzero(
                chosen >> np.arange(len(self._regions.neighbours), dtype=np.uint64) & 1
            )[1]
            length = self._walk[:, cells.reshape(-1, m)]  # of a tile to a place, in each set
            head = np.zeros((len(chosen), len(heads)), np.uint8)
            for tile in range(m - last):
                head += length[tile][:, heads[:, tile]]
            tail = np.zeros((len(chosen), len(sets), run), np.uint8)
            for tile in range(last):
                tail += length[m - last + tile][:, tails[:, :, tile]]
            starts = self._regions.start[begin : begin + len(chosen) + 1]
            excess = blocks[starts[:-1]]
            for extra in range(1, int(np.diff(starts).max())):
                more = np.flatnonzero(np.diff(starts) > extra)
                excess[more] = np.minimum(excess[more], blocks[starts[more] + extra])
            excess -= (tail[:, set_of] + head[:, :, None]).reshape(excess.shape)
            excess >>= 1
            np.minimum(excess, 15, out=excess)
            pairs = np.pad(excess.ravel(), (0, excess.size % 2)).view("<u2")
            packed[place : place + len(pairs)] = pairs | pairs >> 4  # the low byte of each
            place += len(pairs)


def order_number(places: Sequence[int]) -> int:
    """Return the number of an order; any increasing numbering of the places gives the same.

    Examples
    --------
    >>> order_number([0, 1, 2]), order_number([2, 1, 0]), order_number([30, 20, 10])
    (0, 5, 5)
    """
    number = 0
    for tile, place in enumerate(places):
        number = number * (len(places) - tile) + sum(later < place for later in places[tile + 1 :])
    return number


def order_of(number: int, size: int) -> list[int]:
    """Return the order of `size` tiles that has a number.

    Examples
    --------
    >>> order_of(5, 3)
    [2, 1, 0]
    """
    digits = []
    for base in range(1, size + 1):
        number, digit = divmod(number, base)
        digits.append(digit)
    free_places = list(range(size))
    return [free_places.pop(digit) for digit in reversed(digits)]


def all_orders(size: int) -> NDArray[np.uint8]:
    """Return all orders, row k being the one of number k; shape (size!, size)."""
    orders = np.array(list(permutations(range(size))), np.uint8)
    return orders.reshape(math.factorial(size), size)


def shifted_numbers(size: int, reach: int) -> NDArray[np.uint16]:
    """Return the number of each order after the tile at one place has gone to another.

    Parameters
    ----------
    size : int
        Tiles, at most eight.
    reach : int
        The most tiles that one passes.

    Returns
    -------
    (size * size, size!) array of uint16
        Row ``size * source + target``; the rows of longer ways are left 0.
    """
    orders = all_orders(size)
    shifted = np.zeros((size * size, len(orders)), np.uint16)
    for source in range(size):
        for target in range(max(0, source - reach), min(size, source + reach + 1)):
            place = np.arange(size)  # where what stands on each place goes
            place[source + 1 : target + 1] -= 1
            place[target:source] += 1
            place[source] = target
            moved = place.astype(np.uint8)[orders]
            number = np.zeros(len(orders), np.uint16)
            for tile in range(size):
                smaller = (moved[:, tile + 1 :] < moved[:, tile : tile + 1]).sum(axis=1)
                number = number * np.uint16(size - tile) + smaller.astype(np.uint16)
            shifted[size * source + target] = number
    return shifted


def passing_terms(size: int) -> NDArray[np.int16]:
    """Return how the number of an order grows when tile i goes up past tile j, at [i, j]."""
    weights = np.array([math.factorial(size - 1 - tile) for tile in range(size)], np.int16)
    one, passed = np.indices((size, size))
    return np.where(one < passed, weights[one], -weights[passed]).astype(np.int16)
