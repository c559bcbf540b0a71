"""Shorten a plan of kings window by window: the best moves for the few kings that move in it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridkit.sliding.kings.exact import ExactSearch, Tables

__all__ = ["Polisher", "Polishing"]

Ints = NDArray[np.int32]
# First a plan of at most so many moves is replaced by a shortest one, if so many states do.
_EXACT_MOVES = 160
_EXACT_STATES = 1_000_000
# Then rounds of (kings, moves, states a window), so many states in all (about a second).
ROUNDS = ((5, 40, 6_000), (7, 60, 20_000), (9, 80, 60_000), (12, 80, 200_000))
_WORK = 3_000_000


class Polishing:
    """Makes a short plan shorter by exact search: the whole of it, else window by window.

    Parameters
    ----------
    steps : int32[n, 3]
        A right plan: rows (king number, from cell, to cell).
    start, target : int32[k]
        Cells of the kings.
    tables : Tables
        Of the board.
    """

    def __init__(self, steps: Ints, start: Ints, target: Ints, tables: Tables) -> None:
        self._start, self._tables = start, tables
        self._steps = steps
        self._rounds = list(ROUNDS)
        self._polisher: Polisher | None = None
        self._spent = 0
        self._whole: ExactSearch | None = None
        if len(steps) <= _EXACT_MOVES:
            self._whole = ExactSearch(start, target, tables, len(steps))

    @property
    def spent(self) -> int:
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
        """Return the bytes held by the search of the whole plan."""
        return self._whole.memory() if self._whole else 0

    def advance(self, budget: int) -> bool:
        """Search for about `budget` states; return whether all rounds are over."""
        if self._whole is not None:
            return self._search_whole(budget)
        stop = self.spent + budget
        while self.spent < min(stop, _WORK):
            if self._polisher is None:
                if not self._rounds:
                    return True
                self._polisher = Polisher(
                    self._steps, self._start, self._tables, *self._rounds.pop(0)
                )
            if self._polisher.advance():
                self._steps = self._polisher.steps
                self._spent += self._polisher.nodes
                self._polisher = None
        return self.spent >= _WORK

    def _search_whole(self, budget: int) -> bool:
        whole = self._whole
        if whole is None:
            return False
        finished = whole.advance(max(1, min(budget, _EXACT_STATES - whole.nodes)))
        if not finished and whole.nodes < _EXACT_STATES:
            return False
        found = whole.steps()
        if found is not None:
            self._steps = found
        self._spent += whole.nodes
        self._whole = None
        return finished


class Polisher:
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
        self.nodes = 0

    @property
    def steps(self) -> Ints:
        """The plan, right at any time."""
        return np.concatenate([*self._final, self._steps[self._at :]])

    def fraction(self) -> float:
        """Return the part of the plan that is done."""
        return self._at / len(self._steps) if len(self._steps) else 1.0

    def advance(self) -> bool:
        """Search one window; return whether it was the last."""
        window = self._window()
        kings = np.unique(window[:, 0])
        target = self._cells.copy()
        target[window[:, 0]] = window[:, 2]
        search = ExactSearch(
            self._cells[kings], target[kings], self._tables, len(window),
            np.delete(self._cells, kings),
        )  # fmt: skip
        while search.nodes < self._patience and not search.done:
            search.advance(self._patience - search.nodes)
        self.nodes += search.nodes + 1
        better = search.steps()
        if better is not None:  # and the next window begins with these moves
            better[:, 0] = kings[better[:, 0]]
            self._at += len(window) - len(better)
            self._steps[self._at : self._at + len(better)] = better
        elif self._at + len(window) == len(self._steps):
            self._keep(len(window))
        else:
            self._keep(max(1, len(window) // 3))
        return self._at == len(self._steps)

    def _window(self) -> Ints:
        ahead = self._steps[self._at : self._at + self._length]
        _, first = np.unique(ahead[:, 0], return_index=True)
        begins = np.sort(first)
        return ahead[: begins[self._most]] if len(begins) > self._most else ahead

    def _keep(self, count: int) -> None:
        kept = self._steps[self._at : self._at + count].copy()
        self._final.append(kept)
        self._cells[kept[:, 0]] = kept[:, 2]
        self._at += count
