"""What is asked of one board of many, as work that advances in chunks."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from gridkit.run import Run, Work
from gridkit.run.limits import Tier
from gridkit.sliding.blocks.packing import packing_of
from gridkit.sliding.blocks.puzzle import SlidingPuzzle
from gridkit.sliding.blocks.rails import rails_of
from gridkit.sliding.blocks.rules import BlockMetric
from gridkit.sliding.blocks.search import Question, Relay
from gridkit.sliding.blocks.space import Exploration
from gridkit.sliding.npuzzle.puzzle import NPuzzle
from gridkit.sliding.npuzzle.search import counting, searching
from gridkit.sliding.npuzzle.solvable import solvability

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
    instance = puzzle._instance
    if not solvability(instance).solvable:
        return _known(IMPOSSIBLE)
    search = searching(instance, tables, metric, Run(), True)

    def answer() -> Answer:
        route = search.route()
        assert route is not None, "the puzzle was proved solvable"
        steps = np.array(instance.steps(route), dtype=np.int64).reshape(-1, 3)
        assert search.length is not None
        return Answer(search.length, steps)

    return Asked(search, answer)


def _plan_of_blocks(puzzle: SlidingPuzzle, metric: BlockMetric, tier: Tier) -> Asked:
    instance = puzzle._instance
    rails = rails_of(instance)
    if instance.is_solved(instance.places) if rails is None else rails.is_solved():
        return _known(0)
    if packing_of(instance).is_hopeless if rails is None else rails.goal is None:
        return _known(IMPOSSIBLE)
    relay = Relay(Question(instance, (metric,), True, tier), rails, lambda: None)

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
    if not solvability(puzzle._instance).solvable:
        return None, lambda: 0
    search = counting(puzzle._instance, tables, Run())
    return search, lambda: search.found
