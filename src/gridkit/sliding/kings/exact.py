"""Shortest plans of kings by the compiled search from both ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gridkit.run import Work
from gridkit.sliding.kings.board import Tables

if TYPE_CHECKING:
    from gridkit.sliding.kings.kernels.exact import Store

__all__ = ["ExactSearch"]

Ints = NDArray[np.int32]
# Entries of the tables of distances and of random words that are filled at a time.
_FILLED = 1 << 20


class ExactSearch(Work):
    """Looks for the shortest plan with fewer moves than one that is known.

    Parameters
    ----------
    start, target : int32[k]
        Cells of the kings.
    tables : Tables
        Of the board.
    known : int
        Only shorter plans are looked for.
    others : int32[m]
        Cells of kings that do not move.

    Notes
    -----
    States that cannot lie on such a plan, by the sum of the kings' distances, are left out.  Time
    and memory grow with the number of the others within half the length of a shortest plan, about
    30 bytes each.  A crowded large board has large tables; they are filled bit by bit.
    """

    def __init__(
        self, start: Ints, target: Ints, tables: Tables, known: int, others: Ints | None = None
    ) -> None:
        from gridkit.sliding.kings.kernels import exact as kernel

        self._kernel = kernel
        self._tables = tables
        self._bits = tables.bits
        self._a_word = 64 // tables.bits
        kings = len(start)
        self._around = tables.around
        self._ways = tables.ways if others is None else tables.without(others)
        self._ends = np.stack([start, target]).astype(np.int32)
        self._kings = kings
        self._bounds = np.empty((2, kings, tables.cells), np.int32)
        self._marks: NDArray[np.uint64] | None = None
        self._prepared = 0  # kings whose bounds and random words are there
        words = max(1, -(-kings // self._a_word))
        self._shift = 64 - 12
        self._table = np.zeros(1 << 12, np.int32)
        capacity = (1 << 11) + 32 * kings
        self._keys = np.zeros((capacity, words), np.uint64)
        self._links = np.zeros((capacity, 2), np.int32)
        self._state = np.zeros(kernel.STATE_SIZE, np.int64)
        self._state[kernel.MOST] = known - 1
        distance = int(tables.distances_between(start, target).sum())
        self.done = known <= distance
        self._found = False

    @property
    def nodes(self) -> int:
        """States reached and states expanded."""
        return int(self._state[self._kernel.NODES])

    def memory(self) -> int:
        """Return the bytes held by states, with what growing takes for a moment, and by tables."""
        states = 2 * (self._keys.nbytes + self._links.nbytes) + self._table.nbytes
        return states + self._bounds.nbytes + self._tables.memory()

    def advance(self, budget: int) -> bool:
        """Reach and expand about `budget` states; return whether the search is over."""
        kernel = self._kernel
        if self.done:
            return True
        if self._marks is None:
            self._prepare()
            return False
        status = kernel.advance(
            self._state,
            self._store(self._marks),
            kernel.Board(self._bounds, self._ways, self._around),
            budget,
        )
        if status == kernel.ROOM:
            self._grow()
        elif status != kernel.BUDGET:
            self._found = status == kernel.FOUND
            self.done = True
        return self.done

    def _prepare(self) -> None:
        """Fill a part of the tables; when all is there, store both ends."""
        first = self._prepared
        last = self._prepared = min(self._kings, first + max(1, _FILLED // self._tables.cells))
        self._bounds[:, first:last] = self._tables.distances(self._ends[::-1, first:last])
        marks = self._tables.hash_words(last, self._kings)
        if last == self._kings:
            self._marks = marks
            self._kernel.begin(self._state, self._ends, self._store(marks))

    def _store(self, marks: NDArray[np.uint64]) -> Store:
        return self._kernel.Store(
            self._keys, self._links, self._table, marks, self._shift, self._bits, self._a_word
        )

    def _grow(self) -> None:
        tail = int(self._state[self._kernel.TAIL])
        room = tail + 8 * self._kings + 1
        marks = self._tables.hash_words(self._kings, self._kings)
        if room > len(self._keys):
            self._keys = np.concatenate([self._keys, np.zeros_like(self._keys)])
            self._links = np.concatenate([self._links, np.zeros_like(self._links)])
        while 4 * room > 3 * len(self._table):
            self._shift -= 1
            self._table = np.zeros(2 * len(self._table), np.int32)
            self._kernel.rehash(tail, self._store(marks))

    @property
    def steps(self) -> Ints | None:
        """The steps (king number, from, to) of the shortest plan, if one was found."""
        if not self._found:
            return None
        kernel, state, links = self._kernel, self._state, self._links
        halves = []
        for number in (int(state[kernel.MET]), int(state[kernel.MEET])):
            chain = [number]
            while links[chain[-1], 0] >= 0:
                chain.append(int(links[chain[-1], 0]))
            halves.append(chain)
        if links[halves[0][0], 1] & 1:
            halves.reverse()
        states = self._cells(np.array(halves[0][::-1] + halves[1]))
        moved, king = np.nonzero(states[1:] != states[:-1])
        steps = np.stack([king, states[moved, king], states[moved + 1, king]], axis=1)
        return steps.astype(np.int32)

    def _cells(self, numbers: NDArray[np.int64]) -> Ints:
        kings = np.arange(self._kings)
        words = self._keys[numbers][:, kings // self._a_word]
        places = (kings % self._a_word * self._bits).astype(np.uint64)
        return (words >> places & np.uint64((1 << self._bits) - 1)).astype(np.int32)
