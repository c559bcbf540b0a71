"""A* for puzzles like Rush Hour, in which one block has to run along a lane that others block.

Far fewer states are expanded than in breadth where the space is wide and the plan is short.  A
greedy search for any puzzle comes with it.
"""

from __future__ import annotations

import numpy as np

from gridkit.sliding.blocks.lane import distances_to_goal, lane_of
from gridkit.sliding.blocks.packing import Packing
from gridkit.sliding.blocks.tables import NarrowTables

__all__ = ["BoundedSearch"]

_METRIC = {"step": 0, "slide": 1, "move": 2}
_FOUND, _EXHAUSTED, _ROOM = 2, 1, 3
_ENTRIES, _STATES, _EXPANDED, _SOLVED, _UNIT, _MOST, _GREEDY = 0, 2, 3, 4, 5, 6, 7
_STATE_SIZE = 8
_REACH_ROWS = 7
_FIRST_SLOTS = 1 << 13
_FIRST_SUMS = 1 << 8
# States that are expanded before their children are searched for.
_BATCH = 8


class BoundedSearch:
    """Search with a bound; takes and gives what `gridkit.sliding.blocks.breadth` does.

    Parameters
    ----------
    packing : Packing
        Of states of one word; with a lane, unless the search is greedy.
    metric : str
    greedy : bool
        Look only at the distances of the blocks from their goals: quick, and not optimal.
    """

    def __init__(self, packing: Packing, metric: str, *, greedy: bool = False) -> None:
        self.moves: list[tuple[int, int]] | None = None
        self._metric = _METRIC[metric]
        self._tables = tables = NarrowTables(packing, mirror=False)
        count = tables.placements
        self._ray = np.zeros(count + 1, dtype=np.uint64)
        self._need = np.zeros(count + 1, dtype=np.int64)
        lane = lane_of(packing)
        if lane is not None:
            for pid, cells in lane.ray.items():
                self._ray[pid] = tables.squeeze(cells)
                steps = lane.steps[pid]
                self._need[pid] = steps if metric == "step" else min(steps, 1)
        else:
            assert greedy
            for pid, steps in distances_to_goal(packing).items():
                self._need[pid] = steps
        self._state = state = np.zeros(_STATE_SIZE, dtype=np.int64)
        most = tables.widest_step if metric == "step" else tables.widest_move
        state[_UNIT], state[_MOST], state[_SOLVED] = self._metric, most, -1
        state[_GREEDY] = int(greedy)
        # All states of a batch may have the most children.
        self._out = np.empty(_BATCH * most, dtype=np.uint64)
        self._turn = np.empty(2 * _BATCH, dtype=np.uint64)
        self._ends = np.zeros(_BATCH, dtype=np.int64)
        slots = _FIRST_SLOTS
        while slots < 4 * len(self._out):
            slots *= 2
        self._keys = np.empty(slots, dtype=np.uint64)
        self._spent = np.zeros(slots, dtype=np.int32)
        self._table = np.zeros(slots, dtype=np.int32)
        self._entries = np.empty((slots, 3), dtype=np.int32)
        farthest = int(self._need.max()) + 1
        sums = _FIRST_SUMS + len(packing.start) * farthest + packing.rows * packing.cols
        self._heads = np.zeros(sums, dtype=np.int32)
        self._keys[0] = packing.key(packing.start)
        self._entries[0] = 0
        cells, ray = 0, 0
        for pid in packing.start:
            cells |= packing.mask[pid]
            ray |= lane.ray.get(pid, 0) if lane is not None else 0
        bound = int(self._need[packing.start].sum()) + (cells & ray).bit_count()
        self._heads[bound] = 1
        state[_ENTRIES] = state[_STATES] = 1
        self._rehash()
        self._work = np.zeros((_REACH_ROWS, count + 1), dtype=np.int64)

    @property
    def nodes(self) -> int:
        """States expanded so far."""
        return int(self._state[_EXPANDED])

    @property
    def found(self) -> int:
        """States reached so far."""
        return int(self._state[_STATES])

    def fraction(self) -> float:
        """Return the part of the known states that is expanded."""
        return min(1.0, self.nodes / (self.found + 1))

    def memory(self) -> int:
        """Return the bytes held by the states' arrays."""
        arrays = (self._keys, self._spent, self._table, self._entries, self._heads)
        return sum(array.nbytes for array in arrays)

    def value(self) -> None:
        """Return what is known of the plan: nothing before the end."""

    def token(self) -> None:
        """The call that drives the search says how it continues."""

    def advance(self, budget: int) -> bool:
        """Expand at most `budget` states; return whether the answer is known."""
        end = self.nodes + budget
        with np.errstate(over="ignore"):
            while True:
                status = self._tables.kernels.advance_bounded(
                    self._state, self._keys, self._table, self._spent, self._entries, self._heads,
                    self._turn, self._ray, self._need, self._tables.arrays, self._out,
                    self._ends, end - self.nodes,
                )  # fmt: skip
                if status != _ROOM:
                    break
                self._grow()
            if status != _FOUND:
                return bool(status == _EXHAUSTED)
            goal = self._state[_SOLVED]
            path = np.zeros((self._spent[goal] + 1, 3), dtype=np.int32)
            key = self._keys[goal : goal + 1].copy()
            self._tables.kernels.trace_bounded(
                key, self._spent[goal], self._metric, self._keys, self._table, self._spent,
                self._tables.arrays, self._tables.empty_keys(1), self._work, path,
            )  # fmt: skip
        self.moves = [(before, after) for before, after, used in path.tolist() if used][::-1]
        return True

    def _grow(self) -> None:
        most = len(self._out)
        if self.found + most > len(self._table) // 4 * 3:
            self._table = np.zeros(2 * len(self._table), dtype=np.int32)
            self._rehash()
        if self.found + most > len(self._keys):
            self._keys.resize(len(self._keys) * 2, refcheck=False)
            self._spent.resize(len(self._keys), refcheck=False)
        if int(self._state[_ENTRIES]) + most > len(self._entries):
            self._entries.resize((len(self._entries) * 2, 3), refcheck=False)
        self._heads.resize(len(self._heads) + len(self._heads) // 2, refcheck=False)

    def _rehash(self) -> None:
        with np.errstate(over="ignore"):
            bits = len(self._table).bit_length() - 1
            self._tables.kernels.rehash(self._keys, self.found, self._table, bits)
