"""The compiled search of puzzles in which every block keeps to one line."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridkit.sliding.blocks.compiled.breadth import Space
from gridkit.sliding.blocks.compiled.tables import tables_of
from gridkit.sliding.blocks.kernels import rails as kernels
from gridkit.sliding.blocks.kernels.codes import EXHAUSTED, NEVER, ROOM, SLIDE, STEP
from gridkit.sliding.blocks.kernels.rails import (
    CAR_SIZE,
    DEPTH,
    GOAL,
    HEAD,
    STATE_SIZE,
    STOP,
    TAIL,
    UNIT,
    WIDTH,
)
from gridkit.sliding.blocks.kernels.slots import rehash
from gridkit.sliding.blocks.packing import packing_of
from gridkit.sliding.blocks.rails import Rails
from gridkit.sliding.blocks.rules import BlockMetric, Instance, Snapshot

__all__ = ["RailSpace", "space_of"]

_FIRST_SLOTS = 1 << 12
# States that are expanded before their children are searched for.
_BATCH = 32
_START_DISTANCE = 1 << 62

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]


class RailSpace:
    """States reached from the start, layer by layer."""

    def __init__(self, rails: Rails, metric: str, stop: int) -> None:
        self.rails = rails
        self.state = state = np.zeros(STATE_SIZE, dtype=np.int64)
        state[TAIL] = 1
        state[DEPTH] = state[GOAL] = -1
        state[UNIT] = STEP if metric == "step" else SLIDE
        state[STOP] = stop
        state[WIDTH] = rails.bits
        rows, offset, children = [], 0, 1
        for block, shift in zip(rails.moving, rails.shifts, strict=True):
            rail = rails.rails[block]
            rows.append((rail.masks[0], rail.stride, shift, rail.field, rail.last, offset))
            offset += rail.last + 1
            children += 2 if metric == "step" else rail.last
        cars = np.array(rows, dtype=np.uint64).reshape(-1, CAR_SIZE)
        meets = np.empty(offset + 1, dtype=np.uint64)
        meets[offset] = rails.fixed
        kernels.cross(cars, meets)
        self._blocks = kernels.Cars(cars, meets)
        self._goal = np.array(rails.goal or [], dtype=np.uint64).reshape(-1, 3)
        turn = np.empty(_BATCH, dtype=np.uint64)
        out = np.empty(2 * _BATCH * children, dtype=np.uint64)
        self._children = kernels.Children(turn, out, np.empty(_BATCH, dtype=np.int64))
        slots = _FIRST_SLOTS
        while slots < len(out):
            slots *= 2
        self._queue = np.zeros(slots, dtype=np.int32)
        self._table = np.array([rails.start | _START_DISTANCE], dtype=np.uint64)
        self._numbers = np.empty(0, dtype=np.int32)  # of the state in each slot, for `link`
        self._rehash(slots)

    @property
    def size(self) -> int:
        """Number of states reached."""
        return int(self.state[TAIL])

    @property
    def expanded(self) -> int:
        """Number of states expanded."""
        return int(self.state[HEAD])

    @property
    def nbytes(self) -> int:
        """Bytes held by the states' arrays."""
        return self._table.nbytes + self._queue.nbytes

    def _states(self) -> kernels.States:
        return kernels.States(self._table, self._queue)

    def advance(self, budget: int) -> int:
        """Expand states until the budget is spent or something else than room is needed."""
        begun = self.expanded
        while True:
            status = kernels.advance(
                self.state, self._states(), self._blocks, self._goal, self._children,
                budget - (self.expanded - begun),
            )  # fmt: skip
            if status != ROOM:
                return int(status)
            self._grow()

    def _grow(self) -> None:
        slots, needed = len(self._table), self.size + len(self._children.out) // 2
        if needed > slots - slots // 6:
            # A small table grows faster: filling it anew is what costs time.
            self._rehash(slots * (4 if slots <= _FIRST_SLOTS else 2))
        if needed > len(self._queue):
            self._queue.resize(max(needed, len(self._queue) * 5 // 4), refcheck=False)

    def _rehash(self, slots: int) -> None:
        table = np.zeros(slots, dtype=np.uint64)
        rehash(self._table, self._queue, self.size, self.rails.bits, table)
        self._table = table

    def snapshot(self) -> Snapshot:
        """Return the states as plain data."""
        return self.state, self._table, self._queue

    def restore(self, data: Snapshot) -> None:
        """Go on from a snapshot."""
        self.state, self._table, self._queue = data

    def states(self) -> U64:
        """Return the positions in each state, in the order the states were reached."""
        below = np.uint64((1 << self.rails.bits) - 1)
        return self._table[self._queue[: self.size]] & below

    def link(self, cursor: I64, offsets: I64, targets: I32, budget: int) -> tuple[bool, I32]:
        """List the neighbours of more states; return whether all are done, and the list."""
        if len(self._numbers) == 0:
            self._numbers = np.zeros(len(self._table), dtype=np.int32)
            self._numbers[self._queue[: self.size]] = np.arange(self.size, dtype=np.int32)
        while True:
            links = kernels.Links(self._numbers, offsets, targets)
            status = kernels.link(
                cursor, self.state, self._states(), links, self._blocks, self._children, budget
            )
            if status != ROOM:
                return bool(status == EXHAUSTED), targets
            more = len(targets) // 2 + 4 * len(self._children.out)
            targets = np.concatenate([targets, np.empty(more, dtype=np.int32)])

    def goal_flags(self) -> NDArray[np.bool_]:
        """Return which states meet the goal."""
        keys = self.states()
        flags = np.full(len(keys), self.rails.goal is not None)
        conditions: dict[int, NDArray[np.bool_]] = {}
        for mask, value, number in self.rails.goal or ():
            met = (keys & np.uint64(mask)) == np.uint64(value)
            conditions[number] = met | conditions.get(number, np.False_)
        for met in conditions.values():
            flags &= met
        return flags

    def steps(self) -> I32:
        """Return the steps to the goal as (block, reference cell before, and after)."""
        rails = self.rails
        depth = int(self.state[DEPTH]) + 1
        longest = max(rails.rails[block].last for block in rails.moving)
        steps = np.empty((depth * longest, 3), dtype=np.int32)
        first = kernels.trace(self.state, self._states(), self._blocks, self._children, steps)
        steps = steps[first:]
        # By car: block, reference cell at position 0, and the way from one to the next.
        facts = np.array(
            [(b, rails.rails[b].first, rails.rails[b].stride) for b in rails.moving], dtype=np.int32
        )
        own = facts[steps[:, 0]]
        steps[:, 1:] *= own[:, 2:]
        steps[:, 1:] += own[:, 1:2]
        steps[:, 0] = own[:, 0]
        return steps


def space_of(instance: Instance, rails: Rails | None, metric: BlockMetric) -> Space | RailSpace:
    """Return the space of all states that can be reached, none of them expanded yet."""
    if rails is not None:
        return RailSpace(rails, metric, NEVER)
    packing = packing_of(instance)
    return Space(tables_of(packing, mirror=False), (metric,), packing.start, NEVER)
