"""Diameter and radius of a graph of numbered states, by bounds on eccentricities."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridkit.sliding.blocks.kernels import graph
from gridkit.sliding.blocks.rules import Snapshot

__all__ = ["Breadth", "Extremes"]

# Searches from single states go on while so many of them decide a part of the open states.
_TRIAL = 16
_PART = 4
# States that are searched from at once: bits of the words of a state.
_WORDS = 8
_SOURCES = 64 * _WORDS
# How much an eccentricity exceeds its lower bound, about, once there are many searches.
_SLACK = 3

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]


class Breadth:
    """A search in breadth, in chunks; the neighbours of n: ``targets[offsets[n]:offsets[n + 1]]``.

    Attributes
    ----------
    distance : int32 array
        From the nearest first state; -1: not reached.
    searched : int
        States passed by all searches so far.
    """

    def __init__(self, offsets: I64, targets: I32) -> None:
        self.offsets, self.targets = offsets, targets
        self.searched = 0
        self._queue = np.empty(len(offsets) - 1, dtype=np.int32)

    def snapshot(self) -> Snapshot:
        """Return the search as plain data."""
        return self.searched, self._queue, self.distance, self._front

    def restore(self, data: Snapshot) -> None:
        """Go on from a snapshot."""
        self.searched, self._queue, self.distance, self._front = data

    def begin(self, sources: NDArray[np.integer]) -> None:
        """Begin a search from some states; the distances become an array of their own."""
        self.distance = np.full(len(self._queue), -1, dtype=np.int32)
        self.distance[sources] = 0
        self._queue[: len(sources)] = sources
        self._front = np.array([0, len(sources), 0], dtype=np.int64)

    def advance(self, budget: int) -> bool:
        """Pass at most `budget` states; return whether the search is complete."""
        before = int(self._front[graph.QUEUE_HEAD])
        done = graph.distances(
            self._front, self.offsets, self.targets, self._queue, self.distance, budget
        )
        self.searched += int(self._front[graph.QUEUE_HEAD]) - before
        return bool(done)

    @property
    def farthest(self) -> int:
        """The largest distance reached."""
        return int(self._front[graph.FARTHEST])


class Extremes:
    """Measures diameter and radius of a connected graph.

    Each search from one state bounds the eccentricities of all others (F. Takes and W. Kosters,
    2011), and few such searches decide many graphs.  After them, searches from many states run at
    once.  Some start inwards of states that may be at the rim: where such a search goes no
    farther than e, all states within diameter - e of its first state are no longer in question.
    The others start from states that may be in the middle, and from what is farthest from those
    (M. Borassi et al., 2015).

    Attributes
    ----------
    diameter, radius : int
        The largest and the smallest eccentricity found so far.
    """

    def __init__(self, offsets: I64, targets: I32) -> None:
        size = len(offsets) - 1
        self._breadth = Breadth(offsets, targets)
        self._lower = np.zeros(size, dtype=np.int32)
        self._upper = np.full(size, np.iinfo(np.int32).max, dtype=np.int32)
        self._passed = 0
        self._singles = 0
        self._open_before = size
        self._chance = np.random.default_rng(0)
        self._rims = np.empty(0, dtype=np.int32)
        self._stage = "single"
        self.diameter = self.radius = 0
        self._from = 0
        self._breadth.begin(np.array([0]))

    @property
    def searched(self) -> int:
        """States passed by all searches so far."""
        return self._breadth.searched + self._passed

    def memory(self) -> int:
        """Return the bytes held."""
        words = 0 if self._stage == "single" else 2 * 8 * _WORDS + 9
        return (4 * 4 + words) * len(self._lower)

    def advance(self, budget: int) -> bool:
        """Pass at most about `budget` states; return whether diameter and radius are known."""
        stages = {
            "single": self._single,
            "choose": self._choose,
            "wave": self._wave,
            "balls": self._balls,
        }
        return stages[self._stage](budget)

    def snapshot(self) -> dict[str, Any]:
        """Return the state as plain data."""
        return vars(self) | {
            "_breadth": self._breadth.snapshot(),
            "_chance": self._chance.bit_generator.state,
        }

    def restore(self, data: dict[str, Any]) -> None:
        """Go on from a snapshot."""
        self._breadth.restore(data.pop("_breadth"))
        self._chance.bit_generator.state = data.pop("_chance")
        vars(self).update(data)

    # -- searches from single states ----------------------------------------------------------

    def _single(self, budget: int) -> bool:
        """Search from one state after the other."""
        breadth = self._breadth
        end = breadth.searched + budget
        while breadth.advance(max(1, end - breadth.searched)):
            far, distance = breadth.farthest, breadth.distance
            np.maximum(self._lower, np.maximum(distance, far - distance), out=self._lower)
            np.minimum(self._upper, far + distance, out=self._upper)
            self._settle(np.array([self._from]), np.array([far]))
            rim, middle = self._open_states()
            if len(rim) + len(middle) == 0:
                return True
            self._singles += 1
            if self._singles % _TRIAL == 0:
                if len(rim) + len(middle) > self._open_before - self._open_before // _PART:
                    self._stage = "choose"
                    break
                self._open_before = len(rim) + len(middle)
            # In turn a state that may be at the rim and one that may be in the middle.
            if len(middle) == 0 or (self._singles % 2 == 0 and len(rim)):
                self._from = int(rim[np.argmax(self._upper[rim])])
            else:
                self._from = int(middle[np.argmin(self._lower[middle])])
            breadth.begin(np.array([self._from]))
            if breadth.searched >= end:
                break
        return False

    def _settle(self, states: NDArray[np.integer], spans: NDArray[np.integer]) -> None:
        """Take down the eccentricities of some states."""
        self._lower[states] = self._upper[states] = spans
        self.diameter, self.radius = int(self._lower.max()), int(self._upper.min())

    def _open_states(self) -> tuple[I64, I64]:
        """Return the states that may be farther out, and farther in, than any that is known."""
        undecided = self._lower < self._upper
        return (
            np.flatnonzero(undecided & (self._upper > self.diameter)),
            np.flatnonzero(undecided & (self._lower < self.radius)),
        )

    # -- searches from many states ------------------------------------------------------------

    def _choose(self, budget: int) -> bool:
        """Measure the distances from a state in the middle, then choose where to search from."""
        breadth = self._breadth
        if self._from >= 0:
            breadth.begin(np.array([int(np.argmin(self._upper))]))
            self._from = -1
        if not breadth.advance(budget):
            return False
        rim, middle = self._open_states()
        chosen: dict[int, None] = {}
        if len(middle):
            room = _SOURCES // 2 if len(rim) else _SOURCES
            order = middle[np.argsort(self._lower[middle], kind="stable")].tolist()
            undecided = self._lower[self._rims] < self._upper[self._rims]
            chosen.update(dict.fromkeys(order[: room // 2]))
            chosen.update(dict.fromkeys(self._rims[undecided].tolist()[: room // 2]))
            chosen.update(dict.fromkeys(order[room // 2 : room]))
        for state in self._chance.permutation(rim)[: _SOURCES - len(chosen)].tolist():
            chosen[self._inwards(state)] = None
        self._sources = np.array(list(chosen)[:_SOURCES], dtype=np.int32)
        self._with_balls = len(rim) > 0
        self._begin_wave(np.full(len(self._sources), np.iinfo(np.int32).max, dtype=np.int32))
        self._stage = "wave"
        return False

    def _inwards(self, state: int) -> int:
        """Walk towards the middle as long as a search from there may decide `state`."""
        breadth, lower = self._breadth, self._lower
        at = state
        for steps in range(1, int(breadth.distance[state]) + 1):
            near = breadth.targets[breadth.offsets[at] : breadth.offsets[at + 1]]
            near = near[breadth.distance[near] < breadth.distance[at]]
            following = int(near[np.argmin(lower[near])])
            if lower[following] + _SLACK + steps > self.diameter:
                break
            at = following
        return at if lower[at] < self._upper[at] else state

    def _begin_wave(self, reach: I32) -> None:
        size, sources = len(self._lower), self._sources
        numbers = np.arange(len(sources))
        self._reach = reach
        self._spans = np.zeros(_SOURCES, dtype=np.int32)
        self._new_rims = np.zeros(_SOURCES, dtype=np.int32)
        self._arrived = np.zeros(_WORDS, dtype=np.uint64)
        self._seen = np.zeros((size, _WORDS), dtype=np.uint64)
        self._seen[sources, numbers >> 6] = np.uint64(1) << (numbers & 63).astype(np.uint64)
        self._fresh = np.zeros_like(self._seen)
        self._stamps = np.full(size, 255, dtype=np.uint8)
        self._stamps[sources] = 0
        self._waiting = np.arange(size, dtype=np.int32)
        self._cursor = np.array([1, 0, size, 0], dtype=np.int64)

    def _spread(self, budget: int) -> bool:
        self._passed += min(budget, int(self._cursor[graph.LEFT] - self._cursor[graph.PLACE]))
        breadth = self._breadth
        done = graph.spread(
            self._cursor,
            graph.Graph(breadth.offsets, breadth.targets),
            graph.Wave(self._seen, self._fresh, self._arrived, self._stamps, self._waiting),
            graph.Spans(self._reach, self._spans, self._new_rims, self._lower),
            budget,
        )
        return bool(done)

    def _wave(self, budget: int) -> bool:
        """Search from all chosen states at once."""
        if self._spread(budget):
            spans = self._spans[: len(self._sources)].copy()
            self._rims = np.unique(self._new_rims[: len(self._sources)])
            self._settle(self._sources, spans)
            if self._with_balls:
                self._begin_wave((self.diameter - spans).astype(np.int32))
                self._stage = "balls"
            else:
                return self._is_decided()
        return False

    def _balls(self, budget: int) -> bool:
        """Close what is so near to the chosen states that it cannot be beyond the diameter."""
        if self._spread(budget):
            covered = self._seen.any(axis=1)
            np.minimum(self._upper, self.diameter, out=self._upper, where=covered)
            return self._is_decided()
        return False

    def _is_decided(self) -> bool:
        """Return whether no state is open; otherwise choose again."""
        self._from, self._stage = 0, "choose"
        rim, middle = self._open_states()
        return len(rim) + len(middle) == 0
