"""Optimal search of sliding-block puzzles: chooses the tier, drives it, unrolls the plan."""

from __future__ import annotations

import heapq
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, get_args

from gridkit.errors import InputError
from gridkit.run.control import Limit, ProgressCallback, drive
from gridkit.sliding.plain import PlainSearch

if TYPE_CHECKING:
    from gridkit.sliding.compiled import CompiledSearch
    from gridkit.sliding.packing import Packing
    from gridkit.sliding.plan import Plan
    from gridkit.sliding.puzzle import SlidingPuzzle

__all__ = ["BlockMetric", "Method", "MetricChoice", "checked_metrics", "make_plan", "solve"]

BlockMetric = Literal["step", "slide", "move"]
MetricChoice = BlockMetric | tuple[BlockMetric, ...]
Method = Literal["auto", "plain", "kernel"]
METRICS: tuple[BlockMetric, ...] = get_args(BlockMetric)
_METHODS: tuple[Method, ...] = get_args(Method)

# Loading numba and the cached kernels takes as long as Python takes for about so many states.
_PLAIN_STATES = 20_000


def checked_metrics(metric: object) -> tuple[BlockMetric, ...]:
    """Return a metric, or a pair of two different ones, as a tuple."""
    chosen = metric if isinstance(metric, tuple | list) else (metric,)
    known = tuple(own for name in chosen for own in METRICS if own == name)
    if len(known) != len(chosen) or not 1 <= len(known) <= 2 or len(set(known)) < len(known):
        raise InputError(
            f"metric must be one of {METRICS} or a pair of two of them, got {metric!r}"
        )
    return known


def solve(
    puzzle: SlidingPuzzle,
    metric: object = "step",
    optimal: bool = True,
    *,
    method: object = "auto",
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
) -> Plan | None:
    """Solve a puzzle; see `SlidingPuzzle.solve`."""
    metrics = checked_metrics(metric)
    if method not in _METHODS:
        raise InputError(f"method must be one of {_METHODS}, got {method!r}")
    if not isinstance(optimal, bool):
        raise InputError(f"optimal must be True or False, got {optimal!r}")
    if puzzle.is_solved(puzzle.places):
        return make_plan(puzzle, [], metrics)
    packing = puzzle.packing
    if not all(packing.goal):
        return None  # a block cannot get there even on an empty board
    work = _engine(packing, metrics, method)
    drive(work, limit=limit, progress=progress)
    return None if work.moves is None else make_plan(puzzle, work.moves, metrics)


def _engine(
    packing: Packing, metrics: tuple[BlockMetric, ...], method: object
) -> PlainSearch | CompiledSearch | _PlainThenCompiled:
    if method == "plain":
        return PlainSearch(packing, metrics)
    if method == "kernel" or "gridkit.sliding.tables" in sys.modules:
        from gridkit.sliding.compiled import CompiledSearch

        return CompiledSearch(packing, metrics)
    return _PlainThenCompiled(packing, metrics)


class _PlainThenCompiled:
    """Plain Python for the first states of a process; compiled code, from the start, for more.

    So many small puzzles in one process, too, waste at most the time that loading takes.
    """

    states_before = 0  # reached by earlier searches of this process

    def __init__(self, packing: Packing, metrics: tuple[BlockMetric, ...]) -> None:
        self._packing, self._metrics = packing, metrics
        self._work: PlainSearch | CompiledSearch = PlainSearch(packing, metrics)
        self._plain = True
        self._spent = self._counted = 0

    @property
    def moves(self) -> list[tuple[int, int]] | None:
        """The plan, once it is found."""
        return self._work.moves

    @property
    def nodes(self) -> int:
        """States expanded so far."""
        return self._spent + self._work.nodes

    @property
    def found(self) -> int:
        """States reached so far."""
        return self._work.found

    def fraction(self) -> float:
        """Return the part of the known states that is expanded."""
        return 0.0 if self._plain else self._work.fraction()

    def memory(self) -> int:
        """Return the bytes held."""
        return self._work.memory()

    def value(self) -> None:
        """Return what is known of the plan: nothing before the end."""

    def token(self) -> None:
        """A search that was cut short begins anew."""

    def advance(self, budget: int) -> bool:
        """Expand at most about `budget` states; return whether the answer is known."""
        if not self._plain:
            return self._work.advance(budget)
        done = self._work.advance(min(budget, 2000))
        counter = type(self)
        counter.states_before += self._work.found - self._counted
        self._counted = self._work.found
        if not done and counter.states_before > _PLAIN_STATES:
            from gridkit.sliding.compiled import CompiledSearch

            self._spent, self._plain = self._work.nodes, False
            self._work = CompiledSearch(self._packing, self._metrics)
        return done


def make_plan(
    puzzle: SlidingPuzzle, moves: Sequence[tuple[int, int]], metrics: tuple[BlockMetric, ...]
) -> Plan:
    """Return the plan of moves between placements, with the fewest slides or steps in each."""
    from gridkit.sliding.plan import Plan

    steps = _unroll(puzzle, moves, "slide" if "slide" in metrics else "step") if moves else []
    return Plan(puzzle, steps, metrics[0])


def _unroll(
    puzzle: SlidingPuzzle, moves: Sequence[tuple[int, int]], shortest: BlockMetric
) -> list[tuple[int, int, int]]:
    """Turn moves between placements into single steps of numbered blocks."""
    packing = puzzle.packing
    ref, mask, near = packing.ref, packing.mask, packing.near
    block_at = {pid: number for number, pid in enumerate(packing.start)}
    cells = 0
    for pid in packing.start:
        cells |= mask[pid]
    steps = []
    for origin, target in moves:
        block = block_at.pop(origin)
        block_at[target] = block
        others = cells ^ mask[origin]
        at = origin
        for reached in _way(near, mask, origin, target, others, shortest):
            steps.append((block, ref[at], ref[reached]))
            at = reached
        cells = others | mask[target]
    return steps


def _way(
    near: Sequence[Sequence[int]],
    mask: Sequence[int],
    origin: int,
    target: int,
    others: int,
    shortest: BlockMetric,
) -> list[int]:
    """Return the placements a block passes, `target` last, with the fewest steps or slides.

    Of those ways the one with the fewest of the other is taken.
    """
    for direction in range(4):
        run: list[int] = []
        at = near[origin][direction]
        while at >= 0 and not mask[at] & others:
            run.append(at)
            if at == target:
                return run
            at = near[at][direction]
    return _bent_way(near, mask, origin, target, others, shortest)


def _bent_way(
    near: Sequence[Sequence[int]],
    mask: Sequence[int],
    origin: int,
    target: int,
    others: int,
    shortest: BlockMetric,
) -> list[int]:
    """Search by (steps, slides), or (slides, steps), over placements and last directions."""
    heap: list[tuple[int, int, list[int], int]] = [(0, 0, [origin], -1)]
    done = set()
    while heap:
        first, second, way, last = heapq.heappop(heap)
        at = way[-1]
        if at == target:
            return way[1:]
        if (at, last) in done:
            continue
        done.add((at, last))
        for direction, reached in enumerate(near[at]):
            if reached >= 0 and not mask[reached] & others:
                turn = int(direction != last)
                step, slide = (1, turn) if shortest == "step" else (turn, 1)
                entry = (first + step, second + slide, [*way, reached], direction)
                heapq.heappush(heap, entry)
    raise AssertionError("a block cannot get where the search put it")
