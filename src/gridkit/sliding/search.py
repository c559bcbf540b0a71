"""Optimal search of sliding-block puzzles: chooses the tier, drives it, unrolls the plan."""

from __future__ import annotations

import heapq
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, Protocol, get_args

from gridkit.errors import InputError
from gridkit.run.control import Limit, ProgressCallback, Resumable, drive
from gridkit.sliding.lane import lane_of
from gridkit.sliding.plain import PlainSearch

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

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
# Beyond so many states a search with a bound is quicker than one in breadth.
_BREADTH_STATES = 3000


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
    work = _engine(packing, metrics, method, optimal)
    drive(work, limit=limit, progress=progress)
    return None if work.moves is None else make_plan(puzzle, work.moves, metrics)


class Search(Resumable, Protocol):
    """A search whose `moves`, once found, are (placement left, placement taken) pairs."""

    moves: list[tuple[int, int]] | None


class _Plain:
    """How many states plain Python has reached in this process."""

    states = 0


def _engine(
    packing: Packing, metrics: tuple[BlockMetric, ...], method: object, optimal: bool
) -> Search:
    """Choose a search, or several of which each takes over when the one before grows too large."""
    if method == "plain":
        return PlainSearch(packing, metrics)
    stages: list[tuple[Callable[[], Search], int]] = []
    if method == "auto" and "gridkit.sliding.tables" not in sys.modules:
        # So many small puzzles in one process, too, waste at most the time that loading takes.
        stages.append((lambda: PlainSearch(packing, metrics), _PLAIN_STATES - _Plain.states))
    greedy = not optimal and packing.fits_one_word
    if greedy or (len(metrics) == 1 and lane_of(packing) is not None):
        stages.append((lambda: _compiled(packing, metrics), _BREADTH_STATES))
        stages.append((lambda: _bounded(packing, metrics[0], greedy), 0))
    else:
        stages.append((lambda: _compiled(packing, metrics), 0))
    if len(stages) == 1:
        return stages[0][0]()
    return _Relay(stages)


def _compiled(packing: Packing, metrics: tuple[BlockMetric, ...]) -> Search:
    from gridkit.sliding.bidirectional import BidirectionalSearch
    from gridkit.sliding.compiled import CompiledSearch

    if len(metrics) == 1 and packing.goal_state is not None:
        return BidirectionalSearch(packing, metrics[0])
    return CompiledSearch(packing, metrics)


def _bounded(packing: Packing, metric: BlockMetric, greedy: bool) -> Search:
    from gridkit.sliding.bounded import BoundedSearch

    return BoundedSearch(packing, metric, greedy=greedy)


class _Relay:
    """Searches that begin anew, each when the one before has reached too many states."""

    def __init__(self, stages: list[tuple[Callable[[], Search], int]]) -> None:
        self._stages = stages
        self._spent = 0
        self._work = stages[0][0]()
        self.moves: list[tuple[int, int]] | None = None

    @property
    def nodes(self) -> int:
        """States expanded so far."""
        return self._spent + self._work.nodes

    @property
    def found(self) -> int:
        """States reached so far."""
        return self._work.found

    def fraction(self) -> float:
        """Return the part of the known states that is expanded, 0 before the last search."""
        return 0.0 if len(self._stages) > 1 else self._work.fraction()

    def memory(self) -> int:
        """Return the bytes held."""
        return self._work.memory()

    def value(self) -> None:
        """Return what is known of the plan: nothing before the end."""

    def token(self) -> None:
        """A search that was cut short begins anew."""

    def advance(self, budget: int) -> bool:
        """Expand at most `budget` states; return whether the answer is known."""
        before = self._work.found
        done = self._work.advance(budget if len(self._stages) == 1 else min(budget, 1000))
        self.moves = self._work.moves
        if isinstance(self._work, PlainSearch):
            _Plain.states += self._work.found - before
        if not done and len(self._stages) > 1 and self._work.found > self._stages[0][1]:
            self._spent += self._work.nodes
            del self._stages[0]
            self._work = self._stages[0][0]()
        return done


def make_plan(
    puzzle: SlidingPuzzle, moves: Sequence[tuple[int, int]], metrics: tuple[BlockMetric, ...]
) -> Plan:
    """Return the plan of moves between placements, with the fewest slides or steps in each."""
    from gridkit.sliding.plan import Plan

    steps: ArrayLike = []
    if moves and "move" not in metrics:
        steps = _straight_steps(puzzle.packing, moves)
    elif moves:
        steps = _unroll(puzzle, moves, "slide" if "slide" in metrics else "step")
    return Plan(puzzle, steps, metrics[0])


def _straight_steps(packing: Packing, moves: Sequence[tuple[int, int]]) -> NDArray[np.int32]:
    """Turn slides between placements into single steps of numbered blocks."""
    import numpy as np

    ref, cols = packing.ref, packing.cols
    block_at = {pid: number for number, pid in enumerate(packing.start)}
    blocks, begins, strides, lengths = [], [], [], []
    for origin, target in moves:
        block_at[target] = block = block_at.pop(origin)
        begin = ref[origin]
        delta = ref[target] - begin
        # A block that goes along a row ends in that row.
        stride = 1 if begin // cols == ref[target] // cols else cols
        blocks.append(block)
        begins.append(begin)
        strides.append(stride if delta > 0 else -stride)
        lengths.append(abs(delta) // stride)
    counts = np.array(lengths)
    ends = np.cumsum(counts)
    steps = np.empty((int(ends[-1]), 3), dtype=np.int32)
    done = np.arange(len(steps)) - np.repeat(ends - counts, counts)
    each = np.repeat(strides, counts)
    steps[:, 0] = np.repeat(blocks, counts)
    steps[:, 1] = np.repeat(begins, counts) + done * each
    steps[:, 2] = steps[:, 1] + each
    return steps


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
