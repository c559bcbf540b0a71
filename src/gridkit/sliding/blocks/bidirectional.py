"""Breadth-first search from both ends, for goals that fix every block."""

from __future__ import annotations

import numpy as np

from gridkit.sliding.blocks.breadth import EXHAUSTED, NEVER, NO_LABELS, PAUSED, Space, key_of
from gridkit.sliding.blocks.packing import Packing
from gridkit.sliding.blocks.tables import tables_of

__all__ = ["BidirectionalSearch"]


class BidirectionalSearch:
    """Search for a shortest way; takes and gives what `gridkit.sliding.blocks.breadth` does.

    Layers grow in turn on the side whose last one is smaller.  The first state that both sides
    know lies on a shortest way, because all nearer ones were compared before.
    """

    def __init__(self, packing: Packing, metric: str, *, wide: bool = False) -> None:
        goal = packing.goal_state
        assert goal is not None
        self.moves: list[tuple[int, int]] | None = None
        self._metric = metric
        self._tables = tables_of(packing, wide=wide)
        ends = (packing.start, goal)
        self._sides = [
            Space(self._tables, metric, [self._tables.canonical(pids)], NEVER, pause=True)
            for pids in ends
        ]
        self._side, self._other = self._sides

    @property
    def nodes(self) -> int:
        """States expanded so far, on both sides."""
        return sum(side.expanded for side in self._sides)

    @property
    def found(self) -> int:
        """States reached so far, on both sides."""
        return sum(side.size for side in self._sides)

    def fraction(self) -> float:
        """Return the part of the known states that is expanded."""
        return self.nodes / (self.found + 1)

    def memory(self) -> int:
        """Return the bytes held by the states' arrays."""
        return sum(side.nbytes for side in self._sides)

    def value(self) -> None:
        """Return what is known of the plan: nothing before the end."""

    def token(self) -> None:
        """The call that drives the search says how it continues."""

    def advance(self, budget: int) -> bool:
        """Expand at most about `budget` states; return whether the answer is known."""
        end = self.nodes + budget
        while self.nodes < end:
            side = self._side
            status = side.advance(end - self.nodes)
            if status == EXHAUSTED:
                return True
            if status == PAUSED and self._met():
                return True
        return False

    def _met(self) -> bool:
        """Compare the new layer with the other side, then choose the side that goes on."""
        side, other = self._side, self._other
        with np.errstate(over="ignore"):
            number = side.kernels.meet(side.keys, side.expanded, side.size, other.keys, other.table)
        if number >= 0:
            self.moves = self._join(number)
            return True
        side.pause_after(side.depth + 1)
        if other.size - other.expanded < side.size - side.expanded:
            self._side, self._other = other, side
        return False

    def _join(self, number: int) -> list[tuple[int, int]]:
        """Return the moves from the start over the meeting state to the goal."""
        packing, mirror = self._tables.packing, self._tables.mirror
        middle = np.atleast_1d(self._side.keys[number])
        parts = []
        for side in self._sides:
            key = middle.copy()
            moves = side.trace(key, side.depth + 1, self._metric, [self._metric], 0, NO_LABELS)
            parts.append((moves, key_of(key)))
        (there, first), (back, _) = parts
        moves = there + [(after, before) for before, after in reversed(back)]
        if first != packing.key(packing.start):
            assert mirror is not None
            moves = [(mirror[before], mirror[after]) for before, after in moves]
        return moves
