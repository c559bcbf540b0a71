"""Shortest plans of kings by the compiled search from both ends."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridkit.sliding.kings.reach import Rule

__all__ = ["ExactSearch", "Tables"]

Ints = NDArray[np.int32]
_NEAR = ((-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0))


class Tables:
    """What the search needs of a board: neighbours and distances of its cells.

    Parameters
    ----------
    rows, cols : int
        Sides of the board.
    rule : {"king", "orthogonal"}
        How a king may step.
    """

    def __init__(self, rows: int, cols: int, rule: Rule) -> None:
        self.cols, self.rule = cols, rule
        self.around = _table(rows, cols, _NEAR)
        self.ways = _table(rows, cols, _NEAR[: 8 if rule == "king" else 4])
        self.bits = max(1, (rows * cols - 1).bit_length())
        self._rows, self._cols = np.divmod(np.arange(rows * cols, dtype=np.int32), cols)
        self._random = np.random.default_rng(0)
        self._marks = np.empty((0, rows * cols), np.uint64)

    def distances(self, ends: Ints) -> Ints:
        """Return the least moves to each of these cells from every cell."""
        down = abs(self._rows - ends[..., None] // self.cols)
        across = abs(self._cols - ends[..., None] % self.cols)
        return np.maximum(down, across) if self.rule == "king" else down + across

    def hash_words(self, kings: int) -> NDArray[np.uint64]:
        """Return a random word for each king and cell."""
        if kings > len(self._marks):
            shape = (kings, self._marks.shape[1])
            self._marks = self._random.integers(1 << 64, size=shape, dtype=np.uint64)
        return self._marks[:kings]

    def without(self, kings: Ints) -> Ints:
        """Return the ways with the cells left out that these kings forbid."""
        forbidden = np.zeros(len(self.ways) + 1, np.bool_)
        forbidden[self.around[kings]] = True
        forbidden[-1] = True
        order = np.argsort(forbidden[self.ways], axis=1, kind="stable")  # -1 comes last
        ways = np.where(forbidden[self.ways], -1, self.ways)
        return np.ascontiguousarray(np.take_along_axis(ways, order, axis=1))


class ExactSearch:
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
    30 bytes each.
    """

    def __init__(
        self, start: Ints, target: Ints, tables: Tables, known: int, others: Ints | None = None
    ) -> None:
        from gridkit.sliding.kings.kernels import exact as kings_exact

        self._kernel = kings_exact
        self._bits = tables.bits
        self._a_word = 64 // self._bits
        kings = len(start)
        self._around = tables.around
        self._ways = tables.ways if others is None else tables.without(others)
        self._ends = np.stack([start, target]).astype(np.int32)
        self._bounds = tables.distances(self._ends[::-1])
        self._marks = tables.hash_words(kings)
        words = max(1, -(-kings // self._a_word))
        self._shift = 64 - 12
        self._table = np.zeros(1 << 12, np.int32)
        capacity = (1 << 11) + 32 * kings
        self._keys = np.zeros((capacity, words), np.uint64)
        self._links = np.zeros((capacity, 2), np.int32)
        self._state = np.zeros(kings_exact.STATE_SIZE, np.int64)
        self._state[kings_exact.MOST] = known - 1
        self.found = 0
        self.done = known <= self._bound()
        if not self.done:
            kings_exact.begin(
                self._keys, self._links, self._table, self._state, self._ends, self._marks,
                self._shift, self._bits, self._a_word,
            )  # fmt: skip

    def _bound(self) -> int:
        return int(self._bounds[0, np.arange(len(self._marks)), self._ends[0]].sum())

    @property
    def nodes(self) -> int:
        """States reached and states expanded."""
        return int(self._state[self._kernel.NODES])

    def memory(self) -> int:
        """Return the bytes held by states, with what growing takes for a moment."""
        return 2 * (self._keys.nbytes + self._links.nbytes) + self._table.nbytes

    def advance(self, budget: int) -> bool:
        """Reach and expand about `budget` states; return whether the search is over."""
        if self.done:
            return True
        kernel = self._kernel
        status = kernel.advance(
            self._keys, self._links, self._table, self._state, self._bounds, self._ways,
            self._around, self._marks, self._shift, self._bits, self._a_word, budget,
        )  # fmt: skip
        if status == kernel.ROOM:
            self._grow()
        elif status != kernel.BUDGET:
            self.found = int(status == kernel.FOUND)
            self.done = True
        return self.done

    def _grow(self) -> None:
        tail = int(self._state[self._kernel.TAIL])
        room = tail + 8 * len(self._marks) + 1
        if room > len(self._keys):
            self._keys = np.concatenate([self._keys, np.zeros_like(self._keys)])
            self._links = np.concatenate([self._links, np.zeros_like(self._links)])
        while 4 * room > 3 * len(self._table):
            self._shift -= 1
            self._table = np.zeros(2 * len(self._table), np.int32)
            self._kernel.rehash(
                self._keys, tail, self._table, self._shift, self._marks, self._bits, self._a_word
            )

    def steps(self) -> Ints | None:
        """Return the steps (king number, from, to) of the shortest plan, if one was found."""
        if not self.found:
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
        kings = np.arange(len(self._marks))
        words = self._keys[numbers][:, kings // self._a_word]
        places = (kings % self._a_word * self._bits).astype(np.uint64)
        return (words >> places & np.uint64((1 << self._bits) - 1)).astype(np.int32)


def _table(rows: int, cols: int, offsets: tuple[tuple[int, int], ...]) -> Ints:
    """Return the cells at these offsets from each cell, then -1."""
    table = np.full((rows * cols, 9), -1, np.int32)
    for cell in range(rows * cols):
        r, c = divmod(cell, cols)
        near = [(r + dr) * cols + c + dc for dr, dc in offsets
                if 0 <= r + dr < rows and 0 <= c + dc < cols]  # fmt: skip
        table[cell, : len(near)] = near
    return table
