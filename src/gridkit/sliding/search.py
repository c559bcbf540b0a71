"""Optimal search of sliding-block puzzles: chooses the tier, drives it, unrolls the plan."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, get_args

from gridkit.errors import InputError, UnsupportedError
from gridkit.run.control import Limit, ProgressCallback, Resumable, drive
from gridkit.sliding.plain import PlainSearch

if TYPE_CHECKING:
    from gridkit.sliding.compiled import CompiledSearch
    from gridkit.sliding.packing import Packing
    from gridkit.sliding.plan import Plan
    from gridkit.sliding.puzzle import SlidingPuzzle

__all__ = ["Method", "MetricChoice", "checked_metrics", "solve"]

BlockMetric = Literal["step", "slide", "move"]
MetricChoice = BlockMetric | tuple[BlockMetric, BlockMetric]
Method = Literal["auto", "plain", "kernel"]
METRICS: tuple[BlockMetric, ...] = get_args(BlockMetric)
_METHODS: tuple[Method, ...] = get_args(Method)

# Loading numba and the cached kernels takes as long as Python takes for about so many states.
_PLAIN_STATES = 60_000


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
        return _plan(puzzle, [], metrics)
    packing = puzzle.packing
    if not all(packing.goal):
        return None  # a block cannot get there even on an empty board
    work = _engine(packing, metrics, method)
    drive(work, limit=limit, progress=progress)
    return None if work.moves is None else _plan(puzzle, work.moves, metrics)


class Search(Resumable):
    """A search whose `moves` are (placement left, placement taken) pairs once it has found them."""

    moves: list[tuple[int, int]] | None


def _engine(
    packing: Packing, metrics: tuple[BlockMetric, ...], method: object
) -> PlainSearch | CompiledSearch | _PlainThenCompiled:
    if method == "plain":
        return PlainSearch(packing, metrics)
    if method == "kernel" or "gridkit.sliding.kernels.search" in sys.modules:
        from gridkit.sliding.compiled import CompiledSearch

        return CompiledSearch(packing, metrics)
    return _PlainThenCompiled(packing, metrics)


class _PlainThenCompiled:
    """Plain Python for the first states; compiled code from the start again if they are many."""

    def __init__(self, packing: Packing, metrics: tuple[BlockMetric, ...]) -> None:
        self._packing, self._metrics = packing, metrics
        self._work: PlainSearch | CompiledSearch = PlainSearch(packing, metrics)
        self._spent = 0
        self._plain = True

    @property
    def moves(self) -> list[tuple[int, int]] | None:
        return self._work.moves

    @property
    def nodes(self) -> int:
        return self._spent + self._work.nodes

    @property
    def found(self) -> int:
        return self._work.found

    def fraction(self) -> float:
        return 0.0 if self._plain else self._work.fraction()

    def memory(self) -> int:
        return self._work.memory()

    def value(self) -> None:
        return None

    def token(self) -> None:
        return None

    def advance(self, budget: int) -> bool:
        if self._plain and self._work.found > _PLAIN_STATES:
            from gridkit.sliding.compiled import CompiledSearch

            self._spent, self._plain = self._work.nodes, False
            self._work = CompiledSearch(self._packing, self._metrics)
        if self._plain:
            budget = min(budget, 10_000)
        return self._work.advance(budget)


def _plan(
    puzzle: SlidingPuzzle, moves: Sequence[tuple[int, int]], metrics: tuple[BlockMetric, ...]
) -> Plan:
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
    """Return the placements a block passes, `target` last, with the fewest steps or slides."""
    if target in near[origin]:
        return [target]
    came: dict[int, list[int]] = {origin: []}
    queue = [origin]
    for at in queue:
        for direction in range(4):
            run: list[int] = []
            reached = near[at][direction]
            while reached >= 0 and not mask[reached] & others:
                run.append(reached)
                if reached not in came:
                    came[reached] = came[at] + run
                    queue.append(reached)
                if shortest == "step":
                    break
                reached = near[reached][direction]
        if target in came:
            break
    return came[target]
