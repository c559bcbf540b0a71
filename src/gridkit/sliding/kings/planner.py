"""Which planner answers: plain search on small boards, then blocks, then replanning."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gridkit.run.control import Limit, ProgressCallback, drive
from gridkit.sliding.kings.blocks import FAST, BlockPlanner, Prices
from gridkit.sliding.kings.exact import ExactSearch, Tables
from gridkit.sliding.kings.plain import ShortestSearch, greedy_steps
from gridkit.sliding.kings.reach import Placement, Rule
from gridkit.sliding.kings.shorten import Shortener
from gridkit.sliding.kings.window import Polishing

__all__ = ["Effort", "plan_steps", "shortest_steps"]

Effort = Literal["fast", "short"]
Ints = NDArray[np.int32]
# The plain tier: cells of a board, states it may look at (about 0.1 s), and how much longer than
# the sum of distances its quick plan may be.
_SMALL_CELLS = 144
_EXACT_NODES = 4000
_GREEDY_NODES = 2500
_GREEDY_FACTOR = 1.2
# What "short" spends on replanning (about two seconds), and what may pass with little gain.
_WORK = 70_000_000
_PATIENCE = 8_000_000
_LEAST_GAIN = 0.001
# A long plan is shortened in sections of so many moves: a timeline takes about 300 bytes a move.
_SECTION = 25_000
# What "fast" spends on replanning plans that are not longer than those polished.
_QUICK_WORK = 500_000
# Plans of at most so many moves are polished by exact search.
_POLISHED = 4000


def shortest_steps(
    start: Placement,
    target: Placement,
    rule: Rule,
    limit: Limit | None,
    progress: ProgressCallback | None,
) -> Ints:
    """Return a shortest plan; raise `LimitReached` when the limit does not do."""
    work = Shortest(start, target, rule)
    drive(work, limit=limit, progress=progress)
    return work.best


def plan_steps(
    start: Placement,
    target: Placement,
    rule: Rule,
    effort: Effort,
    limit: Limit | None,
    progress: ProgressCallback | None,
) -> Ints:
    """Return a good plan for a reachable pair."""
    if start.rows * start.cols <= _SMALL_CELLS and limit is None and progress is None:
        steps = _plain_steps(start, target, rule)
        if steps is not None:
            return _rows(steps)
    work = Planning(start, target, rule, effort)
    drive(work, limit=limit, progress=progress)
    return work.best


def _rows(steps: list[tuple[int, int, int]] | None) -> Ints:
    return np.array(steps or [], np.int32).reshape(-1, 3)


def _plain_steps(
    start: Placement, target: Placement, rule: Rule
) -> list[tuple[int, int, int]] | None:
    search = ShortestSearch(start, target, rule)
    if search.advance(_EXACT_NODES):
        return search.value()
    steps = greedy_steps(start, target, rule, _GREEDY_NODES)
    if steps is not None and len(steps) <= _GREEDY_FACTOR * _distance(start, target, rule):
        return steps
    return None


def _distance(start: Placement, target: Placement, rule: Rule) -> int:
    total = 0
    for king, cell in start.cells.items():
        (r0, c0), (r1, c1) = divmod(cell, start.cols), divmod(target.cells[king], start.cols)
        down, across = abs(r0 - r1), abs(c0 - c1)
        total += max(down, across) if rule == "king" else down + across
    return total


def cells_of(placement: Placement) -> Ints:
    """Return the cells of the kings in the order of their ids."""
    return np.array([placement.cells[king] for king in sorted(placement.cells)], np.int32)


class Planning:
    """The compiled planner as work that advances in chunks.

    Nodes are slides of blocks and steps of replanning; `found` is 1 once there is a plan.
    """

    def __init__(self, start: Placement, target: Placement, rule: Rule, effort: Effort) -> None:
        self._start, self._target, self._rule, self._effort = start, target, rule, effort
        blocks = (start.rows + 1) // 2 * ((start.cols + 1) // 2)
        runs = max(3, min(40, 6000 // blocks))
        self._prices = [FAST] if effort == "fast" else Prices.varied(runs)
        self._runs = len(self._prices)
        self._least = _distance(start, target, rule)
        self._block: BlockPlanner | None = None
        self._shortener: Shortener | None = None
        self._polishing: Polishing | None = None
        self._best: Ints | None = None
        self.nodes = 0

    @property
    def found(self) -> int:
        """Return 1 once a plan is known."""
        return int(self._best is not None)

    @property
    def best(self) -> Ints:
        """The shortest plan so far."""
        if self._best is None:
            raise AssertionError("no plan yet")
        return self._best

    def value(self) -> Ints | None:
        """Return the steps of the shortest plan so far, or None."""
        if self._polishing is not None:
            return self._polishing.steps
        if self._shortener is None:
            return self._best
        before, after = self._sections[: self._at], self._sections[self._at + 1 :]
        return np.concatenate([*before, self._shortener.steps, *after])

    def token(self) -> None:
        """Return None: planning cannot be continued in another call."""

    def memory(self) -> int:
        """Return about the bytes held by plans and timelines."""
        if self._best is None:
            return 0
        if self._polishing is not None:
            return self._polishing.memory()
        return 3 * self._best.nbytes + (_SECTION * 300 if self._shortener else 0)

    def fraction(self) -> float:
        """Return the part of the work that is done, by rough shares."""
        if self._polishing is not None:
            return 0.7 + 0.3 * self._polishing.fraction()
        if self._shortener is not None:
            done = self._at + self._shortener.fraction()
            return 0.4 + 0.3 * done / len(self._sections)
        block = self._block.fraction() if self._block else 0.0
        return 0.4 * (self._runs - len(self._prices) - 1 + block) / self._runs if block else 0.0

    def advance(self, budget: int) -> bool:
        """Spend about `budget` nodes; return whether the plan is final."""
        if self._polishing is not None:
            return self._polish(budget)
        if self._shortener is not None:
            return self._shorten(budget)
        if self._block is None:
            prices = self._prices.pop(0)
            self._block = BlockPlanner(self._start, self._target, self._rule, prices)
        before = self._block.slides
        finished = self._block.advance(budget)
        self.nodes += max(self._block.slides - before, 1)
        if not finished:
            return False
        steps = self._block.steps
        self._block = None
        if self._best is None or len(steps) < len(self._best):
            self._best = steps
        if self._prices:
            return False
        if self._effort == "fast" and len(self._best) > _POLISHED:
            return True
        self._sections = np.array_split(self._best, -(-len(self._best) // _SECTION) or 1)
        self._at = -1
        self._next_section()
        return False

    def _next_section(self) -> None:
        """Turn to the next section, whose kings start where the one before leaves them."""
        if self._at < 0:
            self._cells = cells_of(self._start)
        else:
            self._cells[self._sections[self._at][:, 0]] = self._sections[self._at][:, 2]
        self._at += 1
        steps, end = self._sections[self._at], self._cells.copy()
        end[steps[:, 0]] = steps[:, 2]
        self._shortener = Shortener(
            steps, self._cells, end, self._start.rows, self._start.cols, self._rule
        )
        self._looked, self._length = 0, len(steps)

    def _shorten(self, budget: int) -> bool:
        shortener = self._shortener
        if shortener is None:
            raise AssertionError("nothing to shorten yet")
        before = shortener.spent
        parts = len(self._sections)
        work = _QUICK_WORK if self._effort == "fast" else _WORK // parts
        finished = shortener.advance(max(budget, 1 << 18)) or shortener.spent >= work
        self.nodes += shortener.spent - before
        if shortener.spent - self._looked >= _PATIENCE // parts:
            finished |= len(shortener) > (1 - _LEAST_GAIN) * self._length
            self._looked, self._length = shortener.spent, len(shortener)
        if not finished:
            return False
        self._sections[self._at] = shortener.steps
        if self._at + 1 < parts:
            self._shortener = shortener = None  # its memory goes before the next one's comes
            self._next_section()
            return False
        self._best = np.concatenate(self._sections)
        self._shortener = None
        length = len(self._best)
        if self._effort == "fast" or length > _POLISHED or length <= self._least:
            return True
        self._polishing = Polishing(
            self._best, cells_of(self._start), cells_of(self._target),
            Tables(self._start.rows, self._start.cols, self._rule),
        )  # fmt: skip
        return False

    def _polish(self, budget: int) -> bool:
        polishing = self._polishing
        if polishing is None:
            raise AssertionError("nothing to polish yet")
        before = polishing.spent
        finished = polishing.advance(budget)
        self.nodes += max(polishing.spent - before, 1)
        self._best = polishing.steps
        return finished


class Shortest:
    """The search for a shortest plan: plain search first, then whether a good plan can be beaten.

    Nodes are states expanded, and those of `Planning`; `found` is 1 once there is a plan.
    """

    def __init__(self, start: Placement, target: Placement, rule: Rule) -> None:
        self._start, self._target, self._rule = start, target, rule
        self._plain = ShortestSearch(start, target, rule)
        self._planning: Planning | None = None
        self._exact: ExactSearch | None = None
        self._best: Ints | None = None
        self._before = 0

    @property
    def nodes(self) -> int:
        """States expanded and nodes of planning."""
        now = self._exact or self._planning or self._plain
        return self._before + now.nodes

    @property
    def found(self) -> int:
        """Return 1 once a plan is known."""
        return int(self.value() is not None)

    @property
    def best(self) -> Ints:
        """The shortest plan so far."""
        value = self.value()
        if value is None:
            raise AssertionError("no plan yet")
        return value

    def value(self) -> Ints | None:
        """Return the steps of the shortest plan so far, or None."""
        if self._best is None and self._planning is not None:
            return self._planning.value()
        return self._best

    def token(self) -> None:
        """Return None: the search cannot be continued in another call."""

    def memory(self) -> int:
        """Return the bytes held by the states, or by planning."""
        return (self._exact or self._planning or self._plain).memory()

    def fraction(self) -> float:
        """Return 1 at the end; the depth of a search is not known beforehand."""
        return 0.0

    def advance(self, budget: int) -> bool:
        """Spend about `budget` nodes; return whether the plan is a shortest one."""
        if self._exact is not None:
            finished = self._exact.advance(budget)
            better = self._exact.steps()
            self._best = self._best if better is None else better
            return finished
        if self._planning is not None:
            if self._planning.advance(budget):
                self._begin_exact(self._planning)
            return False
        if self._plain.advance(min(budget, _EXACT_NODES)):
            self._best = _rows(self._plain.value())
            return True
        if self._plain.nodes >= _EXACT_NODES:
            self._before = self._plain.nodes
            self._planning = Planning(self._start, self._target, self._rule, "short")
        return False

    def _begin_exact(self, planning: Planning) -> None:
        self._before += planning.nodes
        self._best = planning.best
        start, target = cells_of(self._start), cells_of(self._target)
        tables = Tables(self._start.rows, self._start.cols, self._rule)
        self._exact = ExactSearch(start, target, tables, len(self._best))
