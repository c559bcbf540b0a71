"""Shorten a plan of kings: its timeline as arrays, and rounds of replanning single kings."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridkit.sliding.kings.reach import Rule

__all__ = ["Shortener", "lower_bounds"]

Ints = NDArray[np.int32]
_END = 1 << 30
# Rounds of (slack, patience): parts of a way are searched that have at most so many moves more than
# their lower bound, and a search gives up after so many labels.
ROUNDS = ((2, 100), (2, 300), (4, 300), (4, 1000), (6, 1000), (8, 3000), (12, 5000))


def lower_bounds(start: Ints, target: Ints, cols: int, rule: Rule) -> Ints:
    """Return the least number of moves of each king on an empty board."""
    down = abs(start // cols - target // cols)
    across = abs(start % cols - target % cols)
    bounds: Ints = np.maximum(down, across) if rule == "king" else down + across
    return bounds


class Shortener:
    """Makes a plan shorter round by round; the plan is right at any time.

    Parameters
    ----------
    steps : int32[n, 3]
        A right plan: rows (king number, from cell, to cell).
    start, target : int32[k]
        Cells of the kings.
    rows, cols : int
        Sides of the board.
    rule : {"king", "orthogonal"}
        How a king may step.
    rounds : sequence of (slack, patience)
        How hard each round searches.
    """

    def __init__(
        self,
        steps: Ints,
        start: Ints,
        target: Ints,
        rows: int,
        cols: int,
        rule: Rule,
        rounds: tuple[tuple[int, int], ...] = ROUNDS,
    ) -> None:
        from gridkit.sliding.kings.kernels import replan as kings_replan

        self._kernel = kings_replan
        self._start, self._rows, self._cols = start, rows, cols
        self._diagonal = int(rule == "king")
        self._bounds = lower_bounds(start, target, cols, rule)
        self._rounds = rounds
        self._round = 0
        self._random = np.random.default_rng(len(steps))
        self._state = np.zeros(6, np.int64)
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
        within = self._state[1] / max(len(self._order), 1)
        return min(1.0, float(self._round + within) / len(self._rounds))

    def advance(self, budget: int) -> bool:
        """Search about `budget` labels; return whether all rounds are over."""
        if self.done:
            return True
        slack, patience = self._rounds[self._round]
        before = int(self._state[2])
        finished = self._kernel.improve(
            self._heads, self._nodes, self._state, self._offsets, self._counts, self._visits,
            self._order, self._seen, self._buckets, self._labels,
            self._rows, self._cols, self._diagonal, slack, patience, budget,
        )  # fmt: skip
        self.spent += int(self._state[2]) - before + 1
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
        gap = max(2, (_END - 1) // (count + 2))
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
        self._state[5] = 31 - chunks.bit_length()
        nodes = 9 * (count + kings * (chunks + 1)) + 9
        if nodes > len(self._nodes):  # later rounds need less
            self._nodes = np.empty((nodes, 4), np.int32)
            self._seen = np.empty((nodes + cells, 3), np.int32)
        self._seen[:, 0] = 0
        self._heads = np.empty((cells, chunks), np.int32)
        self._buckets = np.empty(int(self._counts.max(initial=1)) + 2, np.int32)
        self._state[:2] = 0
        self._kernel.build(
            self._heads, self._nodes, self._state, self._offsets, self._counts, visits, latest,
            owner[latest], self._rows, self._cols,
        )  # fmt: skip
        late = np.flatnonzero(self._counts - 1 > self._bounds)
        self._order = self._random.permutation(late).astype(np.int32)
