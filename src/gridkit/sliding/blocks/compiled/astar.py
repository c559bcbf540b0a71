"""A* for puzzles like Rush Hour, in which one block has to run along a lane that others block.

Far fewer states are expanded than in breadth where the space is wide and the plan is short.  A
greedy search for any puzzle comes with it.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gridkit.sliding.blocks.breadth import MoveSearch
from gridkit.sliding.blocks.compiled.tables import NarrowTables
from gridkit.sliding.blocks.kernels import astar, keys
from gridkit.sliding.blocks.kernels.astar import (
    BOUNDED_SIZE,
    ENTRIES,
    EXPANDED,
    GREEDY,
    MOST,
    SOLVED,
    STATES,
    UNIT,
)
from gridkit.sliding.blocks.kernels.codes import EXHAUSTED, FOUND, ROOM
from gridkit.sliding.blocks.kernels.groups import REACH_ROWS, Children, Reach
from gridkit.sliding.blocks.packing import Packing
from gridkit.sliding.blocks.rules import METRICS, BlockMetric, Snapshot

__all__ = ["BoundedSearch"]

_FIRST_SLOTS = 1 << 13
_FIRST_SUMS = 1 << 8
# States that are expanded before their children are searched for.
_BATCH = 8


class BoundedSearch(MoveSearch):
    """Search with a lower bound on the moves that are needed.

    Parameters
    ----------
    packing : Packing
        Of states of one word.
    metric : str
    ray : mapping of int to int
        By placement, cells as bits: what covers one of them has to move.
    need : mapping of int to int
        By placement, the moves that the block needs itself.
    greedy : bool
        Look only at what is needed, not at what is spent: quick, and not optimal.
    """

    def __init__(
        self,
        packing: Packing,
        metric: BlockMetric,
        ray: Mapping[int, int],
        need: Mapping[int, int],
        *,
        greedy: bool = False,
    ) -> None:
        self._metric = METRICS.index(metric)
        self._tables = tables = NarrowTables(packing, mirror=False)
        count = tables.placements
        self._bounds = bounds = astar.Bounds(
            np.zeros(count + 1, dtype=np.uint64), np.zeros(count + 1, dtype=np.int64)
        )
        for pid, cells in ray.items():
            bounds.ray[pid] = tables.squeeze(cells)
        for pid, moves in need.items():
            bounds.need[pid] = moves
        self._state = state = np.zeros(BOUNDED_SIZE, dtype=np.int64)
        most = tables.widest(metric)
        state[UNIT], state[MOST], state[SOLVED] = self._metric, most, -1
        state[GREEDY] = int(greedy)
        # All states of a batch may have the most children.
        self._children = Children(
            np.empty(_BATCH * most, dtype=np.uint64), np.zeros(_BATCH, dtype=np.int64)
        )
        self._turn = np.empty(2 * _BATCH, dtype=np.uint64)
        slots = _FIRST_SLOTS
        while slots < 4 * len(self._children.out):
            slots *= 2
        self._keys = np.empty(slots, dtype=np.uint64)
        self._spent = np.zeros(slots, dtype=np.int32)
        self._table = np.zeros(slots, dtype=np.int32)
        self._entries = np.empty((slots, 3), dtype=np.int32)
        farthest = int(bounds.need.max()) + 1
        sums = _FIRST_SUMS + len(packing.start) * farthest + packing.rows * packing.cols
        self._heads = np.zeros(sums, dtype=np.int32)
        self._keys[0] = packing.key(packing.start)
        self._entries[0] = 0
        cells, ahead = 0, 0
        for pid in packing.start:
            cells |= packing.mask[pid]
            ahead |= ray.get(pid, 0)
        bound = int(bounds.need[packing.start].sum()) + (cells & ahead).bit_count()
        self._heads[bound] = 1
        state[ENTRIES] = state[STATES] = 1
        self._rehash()
        self._room = Reach(tables.empty_keys(1), np.zeros((REACH_ROWS, count + 1), dtype=np.int64))

    def _open(self) -> astar.Open:
        return astar.Open(self._keys, self._table, self._spent, self._entries, self._heads)

    @property
    def nodes(self) -> int:
        """States expanded so far."""
        return int(self._state[EXPANDED])

    @property
    def found(self) -> int:
        """States reached so far."""
        return int(self._state[STATES])

    def fraction(self) -> float:
        """Return the part of the known states that is expanded."""
        return min(1.0, self.nodes / (self.found + 1))

    def memory(self) -> int:
        """Return the bytes held by the states' arrays."""
        arrays = (self._keys, self._spent, self._table, self._entries, self._heads)
        return sum(array.nbytes for array in arrays)

    def token(self) -> Snapshot:
        """Return the states."""
        arrays = (self._keys, self._spent, self._table, self._entries, self._heads)
        return self._state, *arrays

    def restore(self, data: Snapshot) -> None:
        """Go on from a token."""
        self._state, self._keys, self._spent, self._table, self._entries, self._heads = data

    def advance(self, budget: int) -> bool:
        """Expand at most `budget` states; return whether the answer is known."""
        end = self.nodes + budget
        with np.errstate(over="ignore"):
            while True:
                status = astar.advance_bounded(
                    self._state, self._open(), self._bounds, self._tables.packed, self._turn,
                    self._children, end - self.nodes,
                )  # fmt: skip
                if status != ROOM:
                    break
                self._grow()
            if status != FOUND:
                return bool(status == EXHAUSTED)
            goal = self._state[SOLVED]
            path = np.zeros((self._spent[goal], 2), dtype=np.int32)
            key = self._keys[goal : goal + 1].copy()
            length = astar.trace_bounded(
                key,
                self._spent[goal],
                self._metric,
                self._open(),
                self._tables.packed,
                self._room,
                path,
            )
        assert length >= 0
        self.moves = [(before, after) for before, after in path[:length].tolist()][::-1]
        return True

    def _grow(self) -> None:
        most = len(self._children.out)
        if self.found + most > len(self._table) // 4 * 3:
            self._table = np.zeros(2 * len(self._table), dtype=np.int32)
            self._rehash()
        if self.found + most > len(self._keys):
            self._keys.resize(len(self._keys) * 2, refcheck=False)
            self._spent.resize(len(self._keys), refcheck=False)
        if int(self._state[ENTRIES]) + most > len(self._entries):
            self._entries.resize((len(self._entries) * 2, 3), refcheck=False)
        self._heads.resize(len(self._heads) + len(self._heads) // 2, refcheck=False)

    def _rehash(self) -> None:
        with np.errstate(over="ignore"):
            bits = len(self._table).bit_length() - 1
            keys.rehash_word(self._keys, self.found, self._table, bits)
