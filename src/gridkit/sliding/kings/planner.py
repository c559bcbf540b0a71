"""Which planner answers: plain search on small boards, then blocks, then replanning."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from gridkit.run import Run, Tier, Work
from gridkit.sliding.kings.blocks import FAST, BlockPlanner, Prices
from gridkit.sliding.kings.board import Problem, Tables
from gridkit.sliding.kings.exact import ExactSearch
from gridkit.sliding.kings.plain import GreedySearch, ShortestSearch
from gridkit.sliding.kings.reach import Effort
from gridkit.sliding.kings.shorten import Shortening
from gridkit.sliding.kings.window import Polishing

__all__ = ["Planning", "plan_steps"]

Ints = NDArray[np.int32]
Stage = ShortestSearch | GreedySearch | BlockPlanner | Shortening | Polishing | ExactSearch
# The plain tier: cells of a board, states it may look at (about 0.1 s), and how much longer than
# the sum of distances its quick plan may be.
_SMALL_CELLS = 144
_SMALL_PRODUCT = 5000  # of cells and kings, where a shortest plan is asked for
_EXACT_NODES = 4000
_GREEDY_NODES = 2500
_GREEDY_FACTOR = 1.2
# What "short" spends on replanning (about two seconds), and "fast" on plans of so few moves that
# they are polished.
_WORK = 70_000_000
_QUICK_WORK = 500_000
# Plans of at most so many moves are polished by exact search.
_POLISHED = 4000
# The first chunk of a stage: how long its nodes take is not known yet.
_FIRST_CHUNK = 1 << 10


def plan_steps(
    problem: Problem, effort: Effort, optimal: bool, run: Run, result: Callable[[Ints], object]
) -> Ints:
    """Return the steps of a plan for a reachable pair.

    Parameters
    ----------
    problem : Problem
        A reachable pair.
    effort : {"fast", "short"}
        How long to look for short plans.
    optimal : bool
        Whether to go on until the plan is a shortest one.
    run : Run
        The call.
    result : callable
        What the call returns for some steps, for the partial result of a call cut short.

    Raises
    ------
    LimitReached, Interrupted
        With the result of the shortest plan so far, or None.
    """
    work = Planning(problem, effort, optimal, run.tier, result)
    run.drive(work)
    return work.steps


class Planning(Work):
    """Stages of planning, one after the other; each has a shorter plan or none at its end.

    Nodes are states expanded by searches, slides of blocks and labels of replanning; `found` is 1
    once there is a plan.

    Parameters
    ----------
    problem, effort, optimal, result
        As for `plan_steps`.
    tier : {"auto", "plain", "compiled"}
        Whether small boards are left to plain Python, all boards, or none.
    """

    def __init__(
        self,
        problem: Problem,
        effort: Effort = "short",
        optimal: bool = False,
        tier: Tier = "auto",
        result: Callable[[Ints], object] = lambda steps: steps,
    ) -> None:
        self._problem, self._effort, self._optimal, self._tier = problem, effort, optimal, tier
        self._result = result
        self._least = int(problem.lower_bounds().sum())
        self._best: Ints | None = None
        self._ended = 0  # nodes of the stages that are over
        self._shares = (0.0, 0.0)  # of all work that is done before this stage and with it, about
        self._chunk = _FIRST_CHUNK
        self._stages = self._all_stages()
        self._stage: Stage | None = next(self._stages, None)

    # The stages.  Each is advanced to its end before the next one is asked for.

    def _all_stages(self) -> Iterator[Stage]:
        yield from self._plain_stages()
        if self._best is not None:
            return
        yield from self._compiled_stages()
        if self._optimal and len(self.steps) > self._least:
            problem = self._problem
            tables = Tables(problem.rows, problem.cols, problem.rule)
            exact = ExactSearch(problem.start, problem.target, tables, len(self.steps))
            yield exact
            self._keep(exact.steps)

    def _plain_stages(self) -> Iterator[Stage]:
        """Leave a plan, a shortest one if that is asked for, or none."""
        problem = self._problem
        cells = problem.rows * problem.cols
        small = cells <= _SMALL_CELLS or (
            self._optimal and cells * len(problem.start) <= _SMALL_PRODUCT
        )
        if self._tier == "compiled" or (self._tier == "auto" and not small):
            return
        ends = problem.start.tolist(), problem.target.tolist()
        most = _EXACT_NODES if self._tier == "auto" else None
        shortest = ShortestSearch(problem.rows, problem.cols, problem.rule, *ends, most)
        yield shortest
        self._keep(shortest.steps)
        if self._best is not None or self._optimal:
            return
        greedy = GreedySearch(problem.rows, problem.cols, problem.rule, *ends, _GREEDY_NODES)
        yield greedy
        if greedy.steps is not None and len(greedy.steps) <= _GREEDY_FACTOR * self._least:
            self._keep(greedy.steps)

    def _compiled_stages(self) -> Iterator[Stage]:
        """Leave a good plan."""
        problem, fast = self._problem, self._effort == "fast" and not self._optimal
        blocks = (problem.rows + 1) // 2 * ((problem.cols + 1) // 2)
        prices = [FAST] if fast else Prices.varied(max(3, min(40, 6000 // blocks)))
        for run, weights in enumerate(prices):
            planner = BlockPlanner(problem, weights)
            self._shares = 0.4 * run / len(prices), 0.4 * (run + 1) / len(prices)
            yield planner
            self._keep(planner.steps)
            del planner  # its memory goes before the next one's comes
        if fast and len(self.steps) > _POLISHED:
            return
        self._shares = 0.4, 0.7
        shortening = Shortening(self.steps, problem, _QUICK_WORK if fast else _WORK)
        yield shortening
        self._keep(shortening.steps)
        if fast or not self._least < len(self.steps) <= _POLISHED:
            return
        self._shares = 0.7, 1.0
        tables = Tables(problem.rows, problem.cols, problem.rule)
        polishing = Polishing(self.steps, problem, tables)
        yield polishing
        self._keep(polishing.steps)

    def _keep(self, steps: Ints | list[tuple[int, int, int]] | None) -> None:
        """Keep the steps of a plan that is shorter than the one so far."""
        if steps is not None and (self._best is None or len(steps) < len(self._best)):
            self._best = np.array(steps, np.int32).reshape(-1, 3)

    # The work

    @property
    def steps(self) -> Ints:
        """The shortest plan so far, once there is one."""
        if self._best is None:
            raise AssertionError("no plan yet")
        return self._best

    @property
    def nodes(self) -> int:
        """States expanded, slides of blocks and labels of replanning."""
        return self._ended + (self._stage.nodes if self._stage else 0)

    @property
    def found(self) -> int:
        """Return 1 once a plan is known."""
        return int(self._best is not None)

    def value(self) -> object:
        """Return the result of the shortest plan so far, or None."""
        steps = self._best
        if isinstance(self._stage, Shortening | Polishing):
            steps = self._stage.steps
        return None if steps is None else self._result(steps)

    def memory(self) -> int:
        """Return about the bytes held by plans and searches."""
        plan = 0 if self._best is None else 2 * self._best.nbytes
        return plan + (self._stage.memory() if self._stage else 0)

    def fraction(self) -> float:
        """Return the part of the work that is done, by rough shares."""
        before, after = self._shares
        within = self._stage.fraction() if self._stage else 1.0
        done = before + (after - before) * within
        return 0.1 * done if self._optimal else done  # how deep a search goes nobody knows

    def advance(self, budget: int) -> bool:
        """Spend about `budget` nodes; return whether the plan is final."""
        if self._stage is None:
            return True
        # A node of one stage may take much longer than one of the stage before.
        finished = self._stage.advance(min(budget, self._chunk))
        self._chunk *= 4
        if finished:
            self._ended += self._stage.nodes
            self._stage = None  # its memory goes before the next one's comes
            self._stage = next(self._stages, None)
            self._chunk = _FIRST_CHUNK
        return self._stage is None
