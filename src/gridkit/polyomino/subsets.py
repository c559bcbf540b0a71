"""Resumable counts of connected subsets (Redelmeier, 1981)."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gridkit.polyomino.kernels.groups import DEPTH, FOUND, NODES
from gridkit.run.work import Work

__all__ = ["FixedSearch", "SubsetSearch"]


class SubsetSearch(Work):
    """What counts of connected subsets of `n` elements have in common: the kernels' arrays.

    Parameters
    ----------
    n : int
        How many elements a subset has at most.
    elements : int
        Elements of the graph, the border included.
    root : int
        The element that every subset contains.
    index : numpy integer type
        Type of the queue and its positions, as the kernel wants it.
    """

    def __init__(self, n: int, elements: int, root: int, index: type[np.integer]) -> None:
        self.n = n
        self.mark: NDArray[np.uint8] = np.zeros(elements, dtype=np.uint8)
        self.queue: NDArray[Any] = np.zeros(elements, dtype=index)
        self.queue[0] = root
        self.first: NDArray[Any] = np.zeros(n + 2, dtype=index)
        self.last: NDArray[Any] = np.zeros(n + 2, dtype=index)
        self.last[0] = 1
        self.counters: NDArray[np.int64] = np.zeros(4, dtype=np.int64)

    @property
    def nodes(self) -> int:
        """Elements tried."""
        return int(self.counters[NODES])

    @property
    def found(self) -> int:
        """Subsets counted."""
        return int(self.counters[FOUND])

    def fraction(self) -> float:
        """Estimate the part done."""
        return _fraction_done(self.first, self.last, int(self.counters[DEPTH]))

    def memory(self) -> int:
        """Bytes held."""
        return self.queue.nbytes + self.mark.nbytes

    def value(self) -> int:
        """Return the subsets counted, a lower bound until the end."""
        return self.found

    def token(self) -> object:
        """Return copies of the arrays that change."""
        return tuple(array.copy() for array in self._state())

    def restore(self, token: object) -> None:
        """Continue from a token of the same search."""
        for array, saved in zip(
            self._state(), cast("tuple[NDArray[Any], ...]", token), strict=True
        ):
            array[:] = saved

    def _state(self) -> tuple[NDArray[Any], ...]:
        return self.mark, self.queue, self.first, self.last, self.counters


class FixedSearch(SubsetSearch):
    """The resumable count of fixed polyominoes of `n` >= 2 cells by enumeration."""

    def __init__(self, n: int) -> None:
        self.stride = 2 * n + 1  # columns -n to n, and a border on every side
        root = self.stride + n
        super().__init__(n, (n + 2) * self.stride, root, np.uint32)
        self.mark[: root + 1] = 1  # the row above, and the cells of the first row up to the root
        self.mark[:: self.stride] = 1
        self.mark[-self.stride :] = 1

    def advance(self, budget: int) -> bool:
        """Try about `budget` cells; return whether all polyominoes are counted."""
        from gridkit.polyomino.kernels.subsets import advance_subsets

        return bool(
            advance_subsets(
                np.uint64(self.stride), self.n, self.queue, self.mark, self.first, self.last,
                self.counters, budget,
            )
        )  # fmt: skip


def _fraction_done(first: NDArray[np.integer], last: NDArray[np.integer], depth: int) -> float:
    """Estimate how much of a search is done: each untried cell at a depth weighs the same."""
    fraction, share = 0.0, 1.0
    for level in range(depth + 1):
        begin = int(first[level - 1]) if level else 0
        choices = int(last[level]) - begin
        if choices <= 0:
            break
        tried = int(first[level]) - begin - (1 if level < depth else 0)
        fraction += share * tried / choices
        share /= choices
    return min(fraction, 1.0)
