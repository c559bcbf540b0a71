"""Breadth-first search from both ends, in plain Python, over any states that can be hashed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from gridkit.run import Work

__all__ = ["MeetInTheMiddle"]

State = TypeVar("State")


class MeetInTheMiddle(Work, Generic[State]):
    """Search for a shortest way between two states whose moves can be taken back.

    The smaller front grows by whole levels, so the first state that both sides know lies on a
    shortest way (I. Pohl, 1971).  A node is a state expanded.

    Parameters
    ----------
    start, goal : hashable
        The ends.
    successors : callable
        Yields the states one move away from a state.
    state_bytes : int
        Bytes that a state and its places in dicts and lists take, about.

    Attributes
    ----------
    levels : list of int
        Complete levels of each side; with the last, partial one once the sides have met.

    Examples
    --------
    >>> search = MeetInTheMiddle(0, 5, lambda number: (number - 1, number + 1))
    >>> search.advance(100), search.way(), search.length
    (True, [0, 1, 2, 3, 4, 5], 5)
    """

    nodes = 0

    def __init__(
        self,
        start: State,
        goal: State,
        successors: Callable[[State], Iterable[State]],
        *,
        state_bytes: int = 300,
    ) -> None:
        self._successors = successors
        self._state_bytes = state_bytes
        self._before: list[dict[State, State]] = [{start: start}, {goal: goal}]
        self._fronts = [[start], [goal]]
        self._grown: list[State] = []
        self._side = self._at = 0
        self.levels = [0, 0]
        self._meeting: list[State] = [start] if start == goal else []
        self._done = start == goal

    def memory(self) -> int:
        """Return the bytes held, about."""
        return self._state_bytes * sum(map(len, self._before))

    def advance(self, budget: int) -> bool:
        """Expand about `budget` states; return whether a way, or its absence, is proved."""
        end = self.nodes + budget
        while not self._done and self.nodes < end:
            front = self._fronts[self._side]
            if self._at == len(front):
                self._next_level()
                continue
            state = front[self._at]
            self._at += 1
            self.nodes += 1
            known, across = self._before[self._side], self._before[1 - self._side]
            for reached in self._successors(state):
                if reached not in known:
                    known[reached] = state
                    self._grown.append(reached)
                    if reached in across:
                        self._meeting, self._done = [reached], True
                        self.levels[self._side] += 1
                        break
        return self._done

    def _next_level(self) -> None:
        """Close the level of one side and choose the side that goes on."""
        self._fronts[self._side] = self._grown
        self.levels[self._side] += 1
        self._grown, self._at = [], 0
        self._side = 0 if len(self._fronts[0]) <= len(self._fronts[1]) else 1
        self._done = not self._fronts[self._side]  # one side is exhausted: there is no way

    @property
    def length(self) -> int | None:
        """Length of a shortest way once it is found, else None."""
        return sum(self.levels) if self._meeting else None

    def way(self) -> list[State] | None:
        """Return the states of a shortest way, both ends included, once it is found."""
        if not self._meeting:
            return None
        states = list(self._meeting)
        while (before := self._before[0][states[-1]]) != states[-1]:
            states.append(before)
        states.reverse()
        while (after := self._before[1][states[-1]]) != states[-1]:
            states.append(after)
        return states
