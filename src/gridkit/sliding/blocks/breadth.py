"""Breadth-first search of sliding blocks over any space of states, plain or compiled."""

from __future__ import annotations

from typing import Protocol, Self

from gridkit.run import Work
from gridkit.sliding.blocks.kernels.codes import EXHAUSTED, FOUND, PAUSED
from gridkit.sliding.blocks.packing import Packing
from gridkit.sliding.blocks.rules import BlockMetric, Snapshot

__all__ = [
    "BothEndsSearch",
    "BreadthSearch",
    "LayeredSpace",
    "MoveSearch",
    "Slides",
]

Metrics = tuple[BlockMetric, ...]
# A block goes from a placement to a placement.
Slides = list[tuple[int, int]]


class LayeredSpace(Protocol):
    """States reached from some first ones, layer by layer."""

    @property
    def size(self) -> int:
        """Number of states reached."""

    @property
    def expanded(self) -> int:
        """Number of states expanded."""

    @property
    def relaxed(self) -> int:
        """Number of states that `relax` has passed."""

    @property
    def depth(self) -> int:
        """Number of the layer that is being expanded."""

    @property
    def goal(self) -> int:
        """Number of the goal state that was reached first, or -1."""

    @property
    def nbytes(self) -> int:
        """Bytes held by the states."""

    def advance(self, budget: int) -> int:
        """Expand at most `budget` states; return why it stopped, see `kernels.codes`."""

    def pause_after(self, depth: int) -> None:
        """Let `advance` stop when all layers up to `depth` are expanded."""

    def relax(self, budget: int) -> bool:
        """Find the least second length of more states; return whether all are done."""

    def best_goal(self) -> int:
        """Return the number of the goal state with the least second length."""

    def key_at(self, number: int) -> int:
        """Return the key of a state."""

    def way(self, key: int) -> tuple[Slides, int]:
        """Return the moves from a first state to one of the last layer, and the first one's key.

        The moves are those of the state itself or of its mirror image, as is the key.
        """

    def meeting(self, across: Self) -> int | None:
        """Return the key of the first state of the last layer that another space knows, if any."""

    def snapshot(self) -> Snapshot:
        """Return the states as plain data."""

    def restore(self, data: Snapshot) -> None:
        """Go on from a snapshot."""


def _from_start(packing: Packing, moves: Slides, first: int) -> Slides:
    """Return moves, or their mirror images where it is those that begin at the start."""
    mirror = packing.mirror
    if mirror is None or first == packing.key(packing.start):
        return moves
    return [(mirror[before], mirror[after]) for before, after in moves]


class MoveSearch(Work):
    """A search whose plan is a list of moves between placements."""

    moves: Slides | None = None

    def token(self) -> Snapshot:
        """Return the states as plain data."""
        raise NotImplementedError

    def restore(self, data: Snapshot) -> None:
        """Go on from what `token` returned."""
        raise NotImplementedError


class BreadthSearch(MoveSearch):
    """Search for a shortest way from the start to the goal, in one metric or in two.

    Parameters
    ----------
    space : LayeredSpace
        From the start; stops at the first goal state, or after its layer for two metrics.
    packing : Packing
    metrics : tuple of str
    """

    def __init__(self, space: LayeredSpace, packing: Packing, metrics: Metrics) -> None:
        self._space, self._packing, self._metrics = space, packing, metrics
        self._weighs = False

    @property
    def nodes(self) -> int:
        """States expanded so far, and gone through again for the second metric."""
        return self._space.expanded + self._space.relaxed

    @property
    def found(self) -> int:
        """States reached so far."""
        return self._space.size

    def fraction(self) -> float:
        """Return the part of the known states that is expanded."""
        return self._space.expanded / (self._space.size + 1)

    def memory(self) -> int:
        """Return the bytes held by the states."""
        return self._space.nbytes

    def token(self) -> Snapshot:
        """Return the states."""
        return self._space.snapshot()

    def restore(self, data: Snapshot) -> None:
        """Go on from what `token` returned."""
        self._space.restore(data)
        self._weighs = self._space.relaxed > 0

    def advance(self, budget: int) -> bool:
        """Expand at most `budget` states; return whether the answer is known."""
        space = self._space
        if self._weighs:
            if not space.relax(budget):
                return False
            goal = space.best_goal()
        else:
            status = space.advance(budget)
            if status != FOUND:
                return status == EXHAUSTED
            if len(self._metrics) == 2:
                self._weighs = True
                return False
            goal = space.goal
        self.moves = _from_start(self._packing, *space.way(space.key_at(goal)))
        return True


class BothEndsSearch(MoveSearch):
    """Search for a shortest way from both ends, for goals that fix every block.

    Layers grow in turn on the side whose last one is smaller.  The first state that both sides
    know lies on a shortest way, because all nearer ones were compared before (I. Pohl, 1971).

    Parameters
    ----------
    sides : pair of LayeredSpace
        From the start and from the goal, never stopping, pausing after each layer.
    packing : Packing
    turn : int
        The side that goes on.
    """

    def __init__(
        self, sides: tuple[LayeredSpace, LayeredSpace], packing: Packing, turn: int = 0
    ) -> None:
        self._sides, self._packing, self._turn = sides, packing, turn

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
        """Return the bytes held by the states."""
        return sum(side.nbytes for side in self._sides)

    def token(self) -> Snapshot:
        """Return the states of both sides, and whose turn it is."""
        return *[side.snapshot() for side in self._sides], self._turn

    def restore(self, data: Snapshot) -> None:
        """Go on from what `token` returned."""
        start, goal, self._turn = data
        self._sides[0].restore(start)
        self._sides[1].restore(goal)

    def advance(self, budget: int) -> bool:
        """Expand at most `budget` states; return whether the answer is known."""
        end = self.nodes + budget
        while self.nodes < end:
            side, across = self._sides[self._turn], self._sides[1 - self._turn]
            status = side.advance(end - self.nodes)
            if status == EXHAUSTED:
                return True
            if status != PAUSED:
                return False
            key = side.meeting(across)
            if key is not None:
                self.moves = self._join(key)
                return True
            side.pause_after(side.depth + 1)
            if across.size - across.expanded < side.size - side.expanded:
                self._turn = 1 - self._turn
        return False

    def _join(self, key: int) -> Slides:
        """Return the moves from the start over the meeting state to the goal."""
        (there, first), (back, _) = [side.way(key) for side in self._sides]
        moves = there + [(after, before) for before, after in reversed(back)]
        return _from_start(self._packing, moves, first)
