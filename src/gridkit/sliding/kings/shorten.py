"""Shorten a plan of kings: its timeline as arrays, and rounds of replanning single kings."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridkit.run import Work
from gridkit.sliding.kings.board import Problem

__all__ = ["Shortener", "Shortening"]

Ints = NDArray[np.int32]
# Rounds of (slack, patience): parts of a way are searched that have at most so many moves more than
# their lower bound, and a search gives up after so many labels.
ROUNDS = ((2, 100), (2, 300), (4, 300), (4, 1000), (6, 1000), (8, 3000), (12, 5000))
# A long plan is shortened in sections of so many moves: a timeline takes about 300 bytes a move.
_SECTION = 25_000
_BYTES_A_MOVE = 300
# What may be spent on a plan with little gain before its rounds are given up.
_PATIENCE = 8_000_000
_LEAST_GAIN = 0.001
# Labels searched between two looks at the work: always as many, so that the plan does not depend
# on how the call is cut into chunks.
_LOOK = 1 << 18


class Shortening(Work):
    """Makes a plan shorter section by section; the plan is right at any time.

    Parameters
    ----------
    steps : int32[n, 3]
        A right plan: rows (king number, from cell, to cell).
    problem : Problem
        What it solves.
    work : int
        Labels to be searched in all, about.
    """

    nodes = 0

    def __init__(self, steps: Ints, problem: Problem, work: int) -> None:
        self._problem = problem
        self._sections = np.array_split(steps, -(-len(steps) // _SECTION) or 1)
        self._work = work // len(self._sections)
        self._patience = _PATIENCE // len(self._sections)
        self._at = 0
        self._cells = problem.start.copy()
        self._begin()

    def _begin(self) -> None:
        """Turn to a section, whose kings start where the one before leaves them."""
        steps, end = self._sections[self._at], self._cells.copy()
        end[steps[:, 0]] = steps[:, 2]
        self._shortener: Shortener | None = Shortener(
            steps, self._problem.between(self._cells, end)
        )
        self._looked, self._length = 0, len(steps)

    @property
    def steps(self) -> Ints:
        """The plan, right at any time."""
        if self._shortener is None:
            return np.concatenate(self._sections)
        before, after = self._sections[: self._at], self._sections[self._at + 1 :]
        return np.concatenate([*before, self._shortener.steps, *after])

    def fraction(self) -> float:
        """Return about the part of the work that is done."""
        within = self._shortener.fraction() if self._shortener else 0.0
        return (self._at + within) / len(self._sections)

    def memory(self) -> int:
        """Return the bytes held by the plan and by the timeline of a section."""
        return 2 * sum(part.nbytes for part in self._sections) + _SECTION * _BYTES_A_MOVE

    def advance(self, budget: int) -> bool:
        """Search for about `budget` labels; return whether all sections are done."""
        stop = self.nodes + budget
        while self._shortener is not None and self.nodes < stop:
            self._look(self._shortener)
        return self._shortener is None

    def _look(self, shortener: Shortener) -> None:
        """Search for `_LOOK` labels, and turn to the next section where that was enough."""
        before = shortener.spent
        finished = shortener.advance(_LOOK) or shortener.spent >= self._work
        self.nodes += shortener.spent - before
        if shortener.spent - self._looked >= self._patience:
            finished |= len(shortener) > (1 - _LEAST_GAIN) * self._length
            self._looked, self._length = shortener.spent, len(shortener)
        if finished:
            steps = self._sections[self._at] = shortener.steps
            self._cells[steps[:, 0]] = steps[:, 2]
            self._at += 1
            self._shortener = None  # its memory goes before the next one's comes
            if self._at < len(self._sections):
                self._begin()


class Shortener:
    """Makes a plan shorter round by round; the plan is right at any time.

    Parameters
    ----------
    steps : int32[n, 3]
        A right plan: rows (king number, from cell, to cell).
    problem : Problem
        What it solves.
    rounds : sequence of (slack, patience)
        How hard each round searches.
    """

    def __init__(
        self, steps: Ints, problem: Problem, rounds: tuple[tuple[int, int], ...] = ROUNDS
    ) -> None:
        from gridkit.sliding.kings.kernels import replan, timeline

        self._kernel, self._replan = timeline, replan
        self._start, self._rows, self._cols = problem.start, problem.rows, problem.cols
        self._diagonal = int(problem.rule == "king")
        self._bounds = problem.lower_bounds()
        self._rounds = rounds
        self._round = 0
        self._random = np.random.default_rng(len(steps))
        self._state = np.zeros(timeline.STATE_SIZE, np.int64)
        self._labels = np.empty((1 << 16, 7), np.int32)
        self._nodes = np.empty((0, 4), np.int32)
        self._seen = np.empty((0, 3), np.int32)
        self.spent = 0
        self._load(steps)

    @property
    def done(self) -> bool:
        """Whether all rounds are over."""
        return self._round >= len(self._rounds)

    def __len__(self) -> int:
        return int(self._counts.sum()) - len(self._counts)

    def fraction(self) -> float:
        """Return the part of the rounds that is done."""
        within = self._state[self._kernel.AT] / max(len(self._order), 1)
        return min(1.0, float(self._round + within) / len(self._rounds))

    def advance(self, budget: int) -> bool:
        """Search about `budget` labels; return whether all rounds are over."""
        if self.done:
            return True
        slack, patience = self._rounds[self._round]
        before = int(self._state[self._kernel.SPENT])
        finished = self._replan.improve(
            self._lists,
            self._state,
            self._timeline,
            self._order,
            self._replan.Scratch(self._seen, self._buckets, self._labels),
            slack,
            patience,
            budget,
        )
        self.spent += int(self._state[self._kernel.SPENT]) - before + 1
        if finished:
            self._round += 1
            self._load(self.steps)
            if len(self._order) == 0:
                self._round = len(self._rounds)
        return self.done

    @property
    def steps(self) -> Ints:
        """The plan as rows (king number, from cell, to cell)."""
        owner = np.repeat(np.arange(len(self._counts), dtype=np.int32), self._counts)
        place = np.arange(len(owner)) - np.repeat(
            np.cumsum(self._counts) - self._counts, self._counts
        )
        at = (self._offsets[owner] + place)[place > 0]
        order = np.argsort(self._visits[at, 1], kind="stable")
        at = at[order]
        cells = self._visits[:, 0]
        return np.stack([owner[place > 0][order], cells[at - 1], cells[at]], axis=1)

    def _load(self, steps: Ints) -> None:
        """Lay the steps out as visits, evenly spread over time, and as lists of the cells."""
        kings, count = len(self._start), len(steps)
        gap = max(2, (self._kernel.END - 1) // (count + 2))
        self._counts = (np.bincount(steps[:, 0], minlength=kings) + 1).astype(np.int32)
        self._offsets = np.cumsum(self._counts, dtype=np.int64) - self._counts
        visits = np.zeros((count + kings, 2), np.int32)
        visits[self._offsets, 0] = self._start
        by_king = np.argsort(steps[:, 0], kind="stable")
        at = np.delete(np.arange(count + kings), self._offsets)
        visits[at, 0] = steps[by_king, 2]
        visits[at, 1] = (by_king + 1) * gap
        self._visits = visits
        owner = np.repeat(np.arange(kings, dtype=np.int32), self._counts)
        latest = np.argsort(-visits[:, 1], kind="stable").astype(np.int32)
        cells = self._rows * self._cols
        # Lists are cut into chunks of time, so that each has about eight visits.
        chunks = 1 << max(0, (9 * count // cells // 8).bit_length() - 1)
        self._state[self._kernel.SHIFT] = 31 - chunks.bit_length()
        nodes = 9 * (count + kings * (chunks + 1)) + 9
        if nodes > len(self._nodes):  # later rounds need less
            self._nodes = np.empty((nodes, 4), np.int32)
            self._seen = np.empty((nodes + cells, 3), np.int32)
        self._seen[:, 0] = 0
        heads = np.empty((cells, chunks), np.int32)
        self._lists = self._kernel.Lists(heads, self._nodes, self._rows, self._cols, self._diagonal)
        self._timeline = self._kernel.Timeline(self._offsets, self._counts, visits)
        self._buckets = np.empty(int(self._counts.max(initial=1)) + 2, np.int32)
        self._state[[self._kernel.STAMP, self._kernel.AT]] = 0
        self._kernel.build(self._lists, self._state, self._timeline, latest, owner[latest])
        late = np.flatnonzero(self._counts - 1 > self._bounds)
        self._order = self._random.permutation(late).astype(np.int32)
