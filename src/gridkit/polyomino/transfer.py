"""Counts of fixed polyominoes by the transfer matrix of strips (Jensen, 2001)."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from gridkit.polyomino.kernels.groups import Frontiers, Step
from gridkit.run.work import Work

__all__ = ["LARGEST", "Sweep", "Table", "combined", "sweeps"]

LARGEST = 40  # a strip of 20 columns fills the 64-bit key
_WORD_SAFE = 34  # 4.8e18 polyominoes of 34 cells fit in a word, those of 35 do not
_Rows = tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.int64]]
_State = tuple[tuple[int, int, int, int, int], NDArray[np.uint64], _Rows, _Rows]
_PRIMES = ((1 << 62) - 57, (1 << 62) - 87)


def sweeps(n: int) -> list[Sweep]:
    """Return the sweeps that count the fixed polyominoes of up to n cells.

    A polyomino of n cells whose bounding box is w wide and l >= w long has w + l - 1 <= n; those
    wider than long are counted as their mirror images.

    Parameters
    ----------
    n : int
        Largest number of cells, from 1 to `LARGEST`.

    Returns
    -------
    list of Sweep
        One in plain words while the counts fit, else one for each of two primes.  A node is one
        frontier extended by one cell.  Give the finished sweeps to `combined`.

    Notes
    -----
    The work grows about 1.7-fold per cell added to n, against 4.06-fold for the polyominoes.
    """
    moduli = (0,) if n <= _WORD_SAFE else _PRIMES
    return [Sweep(n, modulus) for modulus in moduli]


def combined(finished: list[Sweep]) -> list[int]:
    """Return the numbers of fixed polyominoes of 0, 1, ..., n cells from finished sweeps."""
    if len(finished) == 1:
        return [1, *map(int, finished[0].totals[1:])]
    first, second = (list(map(int, sweep.totals)) for sweep in finished)
    return [1, *map(_combine, first[1:], second[1:])]


def _combine(residue_p: int, residue_q: int) -> int:
    """Chinese remainders of the two primes; their product exceeds 4.07 ** 60."""
    p, q = _PRIMES
    return residue_p + p * ((residue_q - residue_p) * pow(p, -1, q) % q)


class Sweep(Work):
    """The resumable sweep over all strips, counts modulo `modulus` (0: plain words)."""

    nodes = 0

    def __init__(self, size: int, modulus: int = 0) -> None:
        self.size, self.modulus = size, np.uint64(modulus)
        self.totals: NDArray[np.uint64] = np.zeros(size + 1, dtype=np.uint64)
        self.widest = self._widest(size)
        self._begin_strip(1)

    def _widest(self, size: int) -> int:
        return (size + 1) // 2

    def _begin_strip(self, width: int) -> None:
        self.width, self.row, self.col, self.at = width, 0, 0, 0
        self.old = Table(1 << 10, self.size)
        self.old.keys[0] = 0
        self.old.counts[0, :] = 0
        self.old.counts[0, 0] = 1
        self.old.ranges[0] = 0
        self.old.held[0] = 1
        self.new = Table(1 << 10, self.size)

    @property
    def found(self) -> int:
        """Frontiers held now."""
        return int(self.old.held[0])

    def fraction(self) -> float:
        """Estimate the part done: strips cost alike for each row."""
        # Strips cost about 2.9 times as much for each further column, until the pruning bites.
        weights = [min(2.9**w, 2.9 ** (0.8 * self.widest)) for w in range(1, self.widest + 1)]
        within = min(1.0, self.row / max(1, self.size - self.width + 1))
        done = sum(weights[: self.width - 1]) + within * weights[self.width - 1]
        return float(done / sum(weights))

    def memory(self) -> int:
        """Bytes of the two tables."""
        return self.old.memory() + self.new.memory()

    def value(self) -> int:
        """Return 0: nothing is known of a sweep cut short."""
        return 0

    def token(self) -> object:
        """Return where the sweep stands, with copies of its tables."""
        place = (self.nodes, self.width, self.row, self.col, self.at)
        return place, self.totals.copy(), self.old.token(), self.new.token()

    def restore(self, token: object) -> None:
        """Continue from a token of the same sweep."""
        place, self.totals, old, new = cast("_State", token)
        self.nodes, self.width, self.row, self.col, self.at = place
        self.old, self.new = Table.restored(*old), Table.restored(*new)

    def advance(self, budget: int) -> bool:
        """Extend about `budget` frontiers; return whether the sweep is done."""
        from gridkit.polyomino.kernels.transfer import advance_cell

        while budget > 0:
            end = min(int(self.old.held[0]), self.at + budget)
            reached = advance_cell(self._step(), self.old.group(), self.new.group(), self.at, end)
            budget -= reached - self.at
            self.nodes += reached - self.at
            self.at = reached
            if reached < end:
                self.new.grow()
            elif reached == self.old.held[0] and self._finish_cell():
                return True
        return False

    def _step(self, weight: int = 1, needed: int = 1) -> Step:
        """Return the cell to decide."""
        rows_needed = max(0, self.width - 1 - self.row)
        sides = np.uint64((self.col == 0) + 2 * (self.col == self.width - 1))
        return Step(
            self.width, self.col, rows_needed, self.size, self.modulus, weight, sides, needed
        )

    def _finish_cell(self) -> bool:
        """Step to the next cell, row or strip; return whether all strips are done."""
        self.old, self.new = self.new, self.old
        self.new.clear()
        self.at = 0
        self.col += 1
        if self.col == self.width:
            self._finish_row()
        if self.old.held[0] == 0:
            if self.width == self.widest:
                return True
            self._begin_strip(self.width + 1)
        return False

    def _finish_row(self) -> None:
        self.col = 0
        self.old.drop_empty()
        self.row += 1
        self._count_finished()

    def _count_finished(self, times: int | None = None) -> None:
        """Count what may end with the row, each so many times."""
        from gridkit.polyomino.kernels.transfer import finish_row

        if times is None:  # longer than wide: the mirror image too
            times = 0 if self.row < self.width else 1 if self.row == self.width else 2
        for _ in range(times):
            finish_row(self._step(), self.old.group(), self.totals)


class Table:
    """Frontiers and their counts, with an open-addressing index."""

    def __init__(self, capacity: int, size: int) -> None:
        self.keys = np.empty(capacity, dtype=np.uint64)
        self.counts = np.empty((capacity, size + 1), dtype=np.uint64)
        self.ranges = np.empty((capacity, 2), dtype=np.int64)
        self.index = np.full(2 * capacity, -1, dtype=np.int32)
        self.held = np.zeros(1, dtype=np.int64)

    def group(self) -> Frontiers:
        """Return the arrays as the kernels take them."""
        return Frontiers(self.keys, self.counts, self.ranges, self.index, self.held)

    def memory(self) -> int:
        """Return the bytes held."""
        return sum(array.nbytes for array in self.group())

    def clear(self) -> None:
        """Forget all frontiers."""
        self.held[0] = 0
        self.index.fill(-1)

    def token(self) -> _Rows:
        """Return copies of the rows held."""
        held = int(self.held[0])
        return self.keys[:held].copy(), self.counts[:held].copy(), self.ranges[:held].copy()

    @classmethod
    def restored(
        cls, keys: NDArray[np.uint64], counts: NDArray[np.uint64], ranges: NDArray[np.int64]
    ) -> Table:
        """Return the table that holds these rows."""
        table = cls(1 << max(10, len(keys).bit_length()), counts.shape[1] - 1)
        for array, rows in ((table.keys, keys), (table.counts, counts), (table.ranges, ranges)):
            array[: len(keys)] = rows
        table.held[0] = len(keys)
        table._renew_index()
        return table

    def grow(self) -> None:
        """Double the capacity."""
        self.keys = np.concatenate([self.keys, np.empty_like(self.keys)])
        self.counts = np.concatenate([self.counts, np.empty_like(self.counts)])
        self.ranges = np.concatenate([self.ranges, np.empty_like(self.ranges)])
        self._renew_index()

    def _renew_index(self) -> None:
        from gridkit.polyomino.kernels.transfer import rebuild_index

        self.index = np.full(2 * len(self.keys), -1, dtype=np.int32)
        rebuild_index(self.keys, int(self.held[0]), self.index)

    def drop_empty(self) -> None:
        """Remove the frontier without cells: a row without cells ends nothing and joins nothing."""
        held = int(self.held[0])
        for row in np.flatnonzero(self.keys[:held] == 0).tolist():
            last = held - 1
            self.keys[row] = self.keys[last]
            self.counts[row] = self.counts[last]
            self.ranges[row] = self.ranges[last]
            self.held[0] = held = last
