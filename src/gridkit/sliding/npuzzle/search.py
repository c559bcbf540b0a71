"""Chooses how an n-puzzle is solved; loads numpy and numba only where they are needed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, TypeVar

from gridkit.errors import InputError, Interrupted, LimitReached, UnsupportedError, missing_package
from gridkit.run import Run
from gridkit.sliding.npuzzle.breadth import (
    PathCount,
    PlanSearch,
    ShortestSearch,
    push_rays,
    step_rays,
)
from gridkit.sliding.npuzzle.graph import Instance

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from gridkit.sliding.npuzzle.ida import DeepeningSearch
    from gridkit.sliding.npuzzle.tableless import LineSearch
    from gridkit.sliding.plan import Plan
else:
    from gridkit.hints import Plan

__all__ = [
    "Bounded", "PushMetric", "check_options", "count_shortest", "counting", "distance",
    "improvements", "searching", "solve",
]  # fmt: skip

PushMetric = Literal["step", "push"]
AnyPlan = TypeVar("AnyPlan")

# Up to this many cells the plain search from both ends answers within a fraction of a second.
_PLAIN_CELLS = 9
_UNTABLED = ("auto", "manhattan", "walking-distance")
# Anytime plans: stretches of these lengths are replaced by shortest ones, with so many nodes for
# each; then the estimate of the search is weighted less and less.
_STRETCHES = ((36, 30_000), (42, 200_000), (50, 1_000_000))
_WEIGHTS = ("3", "2", "3/2", "5/4", "9/8", "1")
_LARGE_WEIGHTS = ("6", "4", "3", "2", "3/2", "5/4", "1")  # on boards without pattern tables,
_LARGEST_SEARCHED = 256  # of at most so many cells,
_BYTES = 400_000_000  # in so much memory, unless a limit says otherwise


def check_options(tables: str, metric: str, tiles: int) -> None:
    """Check the options of a call, whatever engine answers it.

    Raises
    ------
    InputError
        For a metric or tables that do not exist, or pattern sizes that do not add up to `tiles`.
    """
    if metric not in ("step", "push"):
        raise InputError(f"metric must be 'step' or 'push', got {metric!r}")
    if tables not in _UNTABLED:
        from gridkit.sliding.npuzzle.patterns import pattern_sizes  # loads numpy

        pattern_sizes(tables, tiles)


def solve(
    instance: Instance,
    optimal: bool,
    tables: str,
    metric: PushMetric,
    run: Run,
    result: Callable[[ArrayLike], AnyPlan],
) -> AnyPlan:
    """Return a plan for a solvable puzzle.

    Parameters
    ----------
    instance, run
        The puzzle and the call.
    optimal, tables, metric
        As for `NPuzzle.solve`; checked.
    result : callable
        Makes a plan of the rows of its steps.
    """
    if optimal or len(instance.cells) <= _PLAIN_CELLS:
        run.nothing = instance.walking_bound() if optimal and metric == "step" else None
        route = _search(instance, tables, metric, run, optimal).route()
        assert route is not None, "the puzzle was proved solvable"
        return result(instance.steps(route))
    from gridkit.sliding.npuzzle.construct import construct  # loads numpy

    return construct(instance, run, result)


def distance(instance: Instance, tables: str, metric: PushMetric, run: Run) -> int:
    """Return the length of a shortest plan for a solvable puzzle."""
    run.nothing = instance.walking_bound() if metric == "step" else 0
    length = _search(instance, tables, metric, run, True).length
    assert length is not None, "the puzzle was proved solvable"
    return length


def count_shortest(instance: Instance, tables: str, run: Run) -> int:
    """Return the number of shortest plans for a solvable puzzle."""
    search = counting(instance, tables, run)
    run.drive(search)
    return search.found


def counting(instance: Instance, tables: str, run: Run) -> PathCount | DeepeningSearch | LineSearch:
    """Return a search, not begun, that finds as many shortest plans as a solvable puzzle has."""
    if _is_plain(instance, tables, "step"):
        return PathCount(step_rays(instance.graph), instance.start, instance.goal)
    return _deepening(instance, tables, True, run)


def _is_plain(instance: Instance, tables: str, metric: str) -> bool:
    """Return whether the plain search from both ends is the engine for this puzzle."""
    if tables != "auto":
        if metric == "push" or not instance.is_distinct:
            raise UnsupportedError(
                f"tables {tables!r} need one blank, distinct tiles and the metric 'step'"
            )
        return False
    return metric == "push" or not instance.is_distinct or len(instance.cells) <= _PLAIN_CELLS


def _search(
    instance: Instance, tables: str, metric: str, run: Run, optimal: bool
) -> ShortestSearch | DeepeningSearch | LineSearch:
    """Run the search for a shortest plan to its end."""
    search = searching(instance, tables, metric, run, optimal)
    run.drive(search)
    return search


def searching(
    instance: Instance, tables: str, metric: str, run: Run, optimal: bool
) -> ShortestSearch | DeepeningSearch | LineSearch:
    """Return a search, not begun, for a shortest plan of a solvable puzzle."""
    if _is_plain(instance, tables, metric):
        rays = push_rays(instance) if metric == "push" else step_rays(instance.graph)
        kind = ShortestSearch if optimal else PlanSearch
        return kind(rays, instance.start, instance.goal)
    return _deepening(instance, tables, False, run)


def _deepening(
    instance: Instance, tables: str, count_all: bool, run: Run
) -> DeepeningSearch | LineSearch:
    """Prepare the iterative deepening, building tables where they are wanted."""
    # These load numpy.
    from gridkit.sliding.npuzzle.ida import DeepeningSearch
    from gridkit.sliding.npuzzle.patterns import LARGEST_BOARD, guide
    from gridkit.sliding.npuzzle.tableless import LineSearch

    if tables == "auto" and len(instance.cells) > LARGEST_BOARD:
        tables = "manhattan"
    if tables == "walking-distance" or (tables == "manhattan" and not instance.has_walls):
        return LineSearch(instance, tables, run, count_all=count_all)
    return DeepeningSearch(instance, guide(instance, tables), run, count_all=count_all)


@dataclass(frozen=True, slots=True)
class Bounded:
    """A plan and what is proved about it.

    Attributes
    ----------
    plan : Plan
        In steps.
    lower_bound : int
        No plan is shorter than this.

    Examples
    --------
    >>> import gridkit as gk
    >>> last = list(gk.NPuzzle(2, 3, [1, 2, 3, 4, 0, 5]).improvements())[-1]
    >>> len(last.plan), last.lower_bound
    (1, 1)
    """

    plan: Plan
    lower_bound: int

    @property
    def ratio(self) -> float:
        """Length over lower bound: the plan is at most this much longer than a shortest one."""
        return len(self.plan) / self.lower_bound if self.lower_bound else 1.0


def improvements(
    instance: Instance, run: Run, result: Callable[[ArrayLike], Plan]
) -> Iterator[Bounded]:
    """Yield ever shorter plans of a solvable puzzle; a limit ends them once there is a plan.

    Raises
    ------
    LimitReached
        When there is no plan yet.
    Interrupted
        With the last plan, and its bound, as value.
    """
    bound = instance.walking_bound()
    best: Bounded | None = None
    try:
        plan = solve(instance, False, "auto", "step", run, result)
        if len(instance.cells) <= _PLAIN_CELLS:
            bound = len(plan)  # solved by the search for shortest plans
        best = Bounded(plan, bound)
        yield best
        for better in _improved(instance, run, result, best):
            best = better
            yield best
    except LimitReached as cut:
        shorter = _plan_so_far(cut)
        if best is not None:
            bound = best.lower_bound
        elif shorter is None:
            raise
        if shorter is not None and (best is None or len(shorter) < len(best.plan)):
            yield Bounded(shorter, bound)
    except Interrupted as cut:
        raise Interrupted(replace(cut.partial, value=best), None) from None
    except ImportError as error:
        raise missing_package(error) or error from None


def _plan_so_far(cut: LimitReached) -> Plan | None:
    """Return the plan that was being shortened when a limit was reached."""
    from gridkit.sliding.plan import Plan  # late: most questions need no plan

    return cut.partial.value if isinstance(cut.partial.value, Plan) else None


def _improved(
    instance: Instance, run: Run, result: Callable[[ArrayLike], Plan], best: Bounded
) -> Iterator[Bounded]:
    """Yield shorter plans than the best so far, or better bounds."""
    plan, bound = best.plan, best.lower_bound
    if len(plan) == bound:
        return
    from gridkit.sliding.npuzzle.construct import shortened  # loads numpy
    from gridkit.sliding.npuzzle.patterns import LARGEST_BOARD  # loads numpy

    plain = _is_plain(instance, "auto", "step")
    narrow = instance.has_walls or min(instance.rows, instance.cols) == 1
    if not plain and not narrow and len(instance.cells) > 16:
        for span, patience in _STRETCHES:
            shorter = shortened(instance, plan.steps, span, patience, run, result)
            if len(shorter) < len(plan):
                plan = shorter
                yield Bounded(plan, bound)
    if not plain:
        searches = _deepened if len(instance.cells) <= LARGEST_BOARD else _best_first
        yield from searches(instance, run, result, Bounded(plan, bound))
    elif len(plan) > bound:
        shortest = solve(instance, True, "auto", "step", run, result)
        yield Bounded(shortest, len(shortest))


def _deepened(
    instance: Instance, run: Run, result: Callable[[ArrayLike], Plan], best: Bounded
) -> Iterator[Bounded]:
    """Search with pattern tables and falling weights, the last of which is 1."""
    from gridkit.sliding.npuzzle.ida import DeepeningSearch  # loads numpy
    from gridkit.sliding.npuzzle.patterns import guide  # loads numpy

    plan, bound = best.plan, best.lower_bound
    estimate = guide(instance, "auto")
    for weight in map(Fraction, _WEIGHTS):
        if len(plan) > bound:
            search = DeepeningSearch(instance, estimate, run, weight=weight)
            run.drive(search)
            bound = max(bound, search.bound())
            if search.length < len(plan):
                plan = result(instance.steps(search.route()))
            yield Bounded(plan, bound)


def _best_first(
    instance: Instance, run: Run, result: Callable[[ArrayLike], Plan], best: Bounded
) -> Iterator[Bounded]:
    """Search without pattern tables, with falling weights, while memory suffices."""
    from gridkit.sliding.npuzzle.tableless import WeightedSearch  # loads numpy

    plan, bound = best.plan, best.lower_bound
    in_vain = 0
    for weight in map(Fraction, _LARGE_WEIGHTS) if len(instance.cells) <= _LARGEST_SEARCHED else ():
        if len(plan) > bound and in_vain < 2:
            search = WeightedSearch(instance, weight, len(plan), run.limit.memory or _BYTES)
            run.drive(search)
            if search.full:
                in_vain += 1
                continue
            route = search.route()
            if route is not None:
                plan = result(instance.steps(route))
            # Nothing is shorter than the plan before, or the new one is within the weight.
            bound = max(bound, len(plan) if route is None else math.ceil(len(plan) / weight))
            yield Bounded(plan, bound)
