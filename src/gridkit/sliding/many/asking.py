"""What is asked of one board of many, as work that advances in chunks."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from gridkit.run import Run, Work
from gridkit.run.limits import Tier
from gridkit.sliding.blocks.puzzle import SlidingPuzzle
from gridkit.sliding.blocks.rules import BlockMetric
from gridkit.sliding.blocks.search import Question, Relay, search_for
from gridkit.sliding.blocks.space import Exploration
from gridkit.sliding.npuzzle.puzzle import NPuzzle
from gridkit.sliding.npuzzle.search import counting, searching

__all__ = ["IMPOSSIBLE", "Answer", "Asked", "asked_count", "asked_plan"]

IMPOSSIBLE = -1

Puzzle = SlidingPuzzle | NPuzzle
Rows = NDArray[np.int64]


class Answer(NamedTuple):
    """The length of a shortest plan or `IMPOSSIBLE`, and its steps (block, from, to) if asked."""

    length: int
    steps: Rows


class Asked(NamedTuple):
    """A question under way: its work, None where the answer is known, and what reads it."""

    work: Work | None
    answer: Callable[[], Answer]


_NOTHING: Rows = np.empty((0, 3), dtype=np.int64)


def _known(length: int) -> Asked:
    return Asked(None, lambda: Answer(length, _NOTHING))


def asked_plan(puzzle: Puzzle, metric: str, tables: str, tier: Tier) -> Asked:
    """Begin to look for a shortest plan."""
    if isinstance(puzzle, SlidingPuzzle):
        return _plan_of_blocks(puzzle, cast("BlockMetric", metric), tier)
    if not puzzle.is_solvable():
        return _known(IMPOSSIBLE)
    instance = puzzle._instance
    search = searching(instance, tables, metric, Run(), True)

    def answer() -> Answer:
        route = search.route()
        assert route is not None, "the puzzle was proved solvable"
        steps = np.array(instance.steps(route), dtype=np.int64).reshape(-1, 3)
        assert search.length is not None
        return Answer(search.length, steps)

    return Asked(search, answer)


def _plan_of_blocks(puzzle: SlidingPuzzle, metric: BlockMetric, tier: Tier) -> Asked:
    relay = search_for(Question(puzzle._instance, (metric,), True, tier))
    if not isinstance(relay, Relay):
        return _known(0 if relay else IMPOSSIBLE)

    def answer() -> Answer:
        steps = relay.steps()
        if steps is None:
            return Answer(IMPOSSIBLE, _NOTHING)
        from gridkit.sliding.plan import Plan  # late: it draws

        plan = Plan(puzzle, steps, metric)
        return Answer(len(plan), plan.steps.astype(np.int64))

    return Asked(relay, answer)


def asked_count(puzzle: Puzzle, metric: str, tables: str) -> tuple[Work | None, Callable[[], int]]:
    """Begin to count the shortest plans."""
    if isinstance(puzzle, SlidingPuzzle):
        space = Exploration(puzzle._instance, cast("BlockMetric", metric), False, lambda: None)
        return space, lambda: space.solutions
    if not puzzle.is_solvable():
        return None, lambda: 0
    search = counting(puzzle._instance, tables, Run())
    return search, lambda: search.found
