"""Shorten a plan of kings window by window: the best moves for the few kings that move in it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridkit.run import Work
from gridkit.sliding.kings.board import Problem, Tables
from gridkit.sliding.kings.exact import ExactSearch

__all__ = ["Polisher", "Polishing"]

Ints = NDArray[np.int32]
# First a plan of at most so many moves is replaced by a shortest one, if so many states do.
_EXACT_MOVES = 160
_EXACT_STATES = 1_000_000
# Then rounds of (kings, moves, states a window), so many states in all (about a second).
ROUNDS = ((5, 40, 6_000), (7, 60, 20_000), (9, 80, 60_000), (12, 80, 200_000))
_WORK = 3_000_000
# What may be spent without any gain before the rounds are given up, where kings are few: they are
# hardly in each other's way, and their plans gain next to nothing.
_PATIENCE = 200_000
_FEW = 12  # cells a king


class Polishing(Work):
    """Makes a short plan shorter by exact search: the whole of it, else window by window.

    Parameters
    ----------
    steps : int32[n, 3]
        A right plan: rows (king number, from cell, to cell).
    problem : Problem
        What it solves.
    tables : Tables
        Of the board.
    """

    def __init__(self, steps: Ints, problem: Problem, tables: Tables) -> None:
        self._start, self._tables = problem.start, tables
        self._steps = steps
        self._rounds = list(ROUNDS)
        self._polisher: Polisher | None = None
        self._spent = 0
        self._few = problem.rows * problem.cols >= _FEW * len(problem.start)
        self._looked, self._length = 0, len(steps)  # nodes and moves at the last look at the gain
        self._whole: ExactSearch | None = None
        if len(steps) <= _EXACT_MOVES:
            self._whole = ExactSearch(problem.start, problem.target, tables, len(steps))

    @property
    def nodes(self) -> int:
        """States reached and expanded so far."""
        now = self._polisher or self._whole
        return self._spent + (now.nodes if now else 0)

    @property
    def steps(self) -> Ints:
        """The plan, right at any time."""
        return self._polisher.steps if self._polisher else self._steps

    def fraction(self) -> float:
        """Return about the part of the work that is done."""
        done = len(ROUNDS) - len(self._rounds) - 1
        within = self._polisher.fraction() if self._polisher else 1.0
        return max(0.0, done + within) / len(ROUNDS)

    def memory(self) -> int:
        """Return the bytes held by the search under way, and by tables."""
        now = self._polisher or self._whole
        return now.memory() if now else self._tables.memory()

    def advance(self, budget: int) -> bool:
        """Search for about `budget` states; return whether all rounds are over."""
        if self._whole is not None:
            return self._search_whole(self._whole, budget)
        stop = self.nodes + budget
        while self.nodes < stop:
            if self._polisher is None or self._polisher.between_windows:
                # Only here, so that the plan does not depend on the size of the chunks.
                if self.nodes >= _WORK or self._gains_nothing():
                    return True
                if self._polisher is None:
                    if not self._rounds:
                        return True
                    self._polisher = Polisher(
                        self._steps, self._start, self._tables, *self._rounds.pop(0)
                    )
            if self._polisher.advance(stop - self.nodes):
                self._steps = self._polisher.steps
                self._spent += self._polisher.nodes
                self._polisher = None
        return False

    def _gains_nothing(self) -> bool:
        """Return whether the last `_PATIENCE` nodes left the plan as long as it was."""
        if not self._few or self.nodes - self._looked < _PATIENCE:
            return False
        before, self._looked, self._length = self._length, self.nodes, len(self.steps)
        return self._length == before

    def _search_whole(self, whole: ExactSearch, budget: int) -> bool:
        finished = whole.advance(max(1, min(budget, _EXACT_STATES - whole.nodes)))
        if not finished and whole.nodes < _EXACT_STATES:
            return False
        if whole.steps is not None:
            self._steps = whole.steps
        self._spent += whole.nodes
        self._whole = None
        return finished


class Polisher(Work):
    """Replaces stretches of a plan by shortest plans of the kings that move in them.

    Parameters
    ----------
    steps : int32[n, 3]
        A right plan: rows (king number, from cell, to cell).
    start : int32[k]
        Cells of the kings.
    tables : Tables
        Of the board.
    kings, length : int
        A window ends before more kings than this move in it, or after so many moves.
    patience : int
        States after which a window is left as it is.
    """

    def __init__(
        self, steps: Ints, start: Ints, tables: Tables, kings: int, length: int, patience: int
    ) -> None:
        self._tables, self._most, self._length = tables, kings, length
        self._patience = patience
        self._cells = start.copy()
        self._steps = steps.copy()
        self._final: list[Ints] = []
        self._at = 0  # where the rest begins in `steps`; what comes before has been replaced
        self._window = self._steps[:0]
        self._kings = self._window[:, 0]
        self._search: ExactSearch | None = None
        self._spent = 0

    @property
    def nodes(self) -> int:
        """States reached and expanded, and windows."""
        return self._spent + (self._search.nodes if self._search else 0)

    @property
    def between_windows(self) -> bool:
        """Whether no window is being searched."""
        return self._search is None

    @property
    def steps(self) -> Ints:
        """The plan, right at any time."""
        return np.concatenate([*self._final, self._steps[self._at :]])

    def fraction(self) -> float:
        """Return the part of the plan that is done."""
        return self._at / len(self._steps) if len(self._steps) else 1.0

    def memory(self) -> int:
        """Return the bytes held by the search of a window, and by tables."""
        return self._search.memory() if self._search else self._tables.memory()

    def advance(self, budget: int) -> bool:
        """Search the next window for about `budget` states; return whether it was the last."""
        if self._search is None:
            if self._at == len(self._steps):
                return True
            self._search = self._next_search()
        search = self._search
        if search.nodes < self._patience and not search.done:
            search.advance(min(budget, self._patience - search.nodes))
            if search.nodes < self._patience and not search.done:
                return False
        self._spent += search.nodes + 1
        self._search = None
        better, length = search.steps, len(self._window)
        if better is not None:  # and the next window begins with these moves
            better[:, 0] = self._kings[better[:, 0]]
            self._at += length - len(better)
            self._steps[self._at : self._at + len(better)] = better
        elif self._at + length == len(self._steps):
            self._keep(length)
        else:
            self._keep(max(1, length // 3))
        return self._at == len(self._steps)

    def _next_search(self) -> ExactSearch:
        """Begin the search of the next window: the kings that move in it, the others fixed."""
        ahead = self._steps[self._at : self._at + self._length]
        _, first = np.unique(ahead[:, 0], return_index=True)
        begins = np.sort(first)
        window = ahead[: begins[self._most]] if len(begins) > self._most else ahead
        kings = np.unique(window[:, 0])
        target = self._cells.copy()
        target[window[:, 0]] = window[:, 2]
        self._window, self._kings = window, kings
        return ExactSearch(
            self._cells[kings], target[kings], self._tables, len(window),
            np.delete(self._cells, kings),
        )  # fmt: skip

    def _keep(self, count: int) -> None:
        kept = self._steps[self._at : self._at + count].copy()
        self._final.append(kept)
        self._cells[kept[:, 0]] = kept[:, 2]
        self._at += count
