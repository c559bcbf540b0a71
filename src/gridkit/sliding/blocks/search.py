"""Optimal search of sliding-block puzzles: chooses the tier, drives it, unrolls the plan."""

from __future__ import annotations

import heapq
import sys
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar, get_args

from gridkit.errors import InputError
from gridkit.run.control import Limit, ProgressCallback, Resumable, drive
from gridkit.sliding.blocks.lane import lane_of
from gridkit.sliding.blocks.plain import PlainSearch
from gridkit.sliding.blocks.rails import Rails, rails_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from gridkit.sliding.blocks.packing import Packing
    from gridkit.sliding.blocks.puzzle import SlidingPuzzle
    from gridkit.sliding.plan import Plan

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
    resume: object = None,
) -> Plan | None:
    """Solve a puzzle; see `SlidingPuzzle.solve`."""
    metrics = checked_metrics(metric)
    if method not in _METHODS:
        raise InputError(f"method must be one of {_METHODS}, got {method!r}")
    if not isinstance(optimal, bool):
        raise InputError(f"optimal must be True or False, got {optimal!r}")
    rails = rails_of(puzzle) if len(metrics) == 1 else None
    if puzzle.is_solved(puzzle.places) if rails is None else rails.is_solved():
        return make_plan(puzzle, [], metrics)
    if not all(puzzle.packing.goal) if rails is None else rails.goal is None:
        return None  # a block cannot get there even on an empty board
    call = (puzzle, metrics, method, optimal)
    if resume is None:
        work = _Relay(call, _stages(rails, *call))
    else:
        work = continued(resume, call, _Relay)
    drive(work, limit=limit, progress=progress)
    if work.moves is None:
        return None
    if isinstance(work.moves, list):
        return make_plan(puzzle, work.moves, metrics)
    from gridkit.sliding.plan import Plan

    return Plan(puzzle, work.moves, metrics[0])


class Search(Resumable, Protocol):
    """A search of a plan.

    Its `moves`, once found, are (placement left, placement taken) pairs, or the plan's steps.
    """

    @property
    def moves(self) -> list[tuple[int, int]] | NDArray[np.int32] | None:
        """The moves, or None before they are found."""


# What begins a search, or finds that there is none for the puzzle; how many states it may reach.
Stage = tuple[Callable[[], Search | None], int]


Work = TypeVar("Work")


@dataclass(frozen=True)
class Token:
    """A call that was cut short, and its work as it stood; each ``resume=`` goes on from there."""

    call: tuple[object, ...]
    work: object


def continued(resume: object, call: tuple[object, ...], kind: type[Work]) -> Work:
    """Return a copy of the work of a token, which has to be of the same call.

    Raises
    ------
    InputError
        For anything else.
    """
    if not isinstance(resume, Token):
        raise InputError("resume: expected the token of a LimitReached raised by the same call")
    if resume.call != call or not isinstance(resume.work, kind):
        raise InputError("resume: the token belongs to another call")
    return deepcopy(resume.work)


class _Plain:
    """How many states plain Python has reached in this process."""

    states = 0


def _stages(
    rails: Rails | None,
    puzzle: SlidingPuzzle,
    metrics: tuple[BlockMetric, ...],
    method: object,
    optimal: bool,
) -> list[Stage]:
    """Choose a search, or several of which each takes over when the one before grows too large."""
    plain = partial(_plain, puzzle, metrics)
    if method == "plain":
        return [(plain, 0)]
    stages: list[Stage] = []
    home = "gridkit.sliding." + ("tables" if rails is None else "rail_search")
    if method == "auto" and home not in sys.modules:
        # So many small puzzles in one process, too, waste at most the time that loading takes.
        stages.append((plain, _PLAIN_STATES - _Plain.states))
    stages.append((partial(_breadth, puzzle, rails, metrics), _BREADTH_STATES))
    if not optimal or len(metrics) == 1:
        stages.append((partial(_bounded, puzzle, metrics, optimal), 0))
    return stages


def _plain(puzzle: SlidingPuzzle, metrics: tuple[BlockMetric, ...]) -> Search:
    return PlainSearch(puzzle.packing, metrics)


def _breadth(
    puzzle: SlidingPuzzle, rails: Rails | None, metrics: tuple[BlockMetric, ...]
) -> Search:
    if rails is not None:
        from gridkit.sliding.blocks.rail_search import RailSearch

        return RailSearch(rails, metrics[0])
    return _compiled(puzzle.packing, metrics)


def _compiled(packing: Packing, metrics: tuple[BlockMetric, ...]) -> Search:
    from gridkit.sliding.blocks.bidirectional import BidirectionalSearch
    from gridkit.sliding.blocks.breadth import CompiledSearch

    if len(metrics) == 1 and packing.goal_state is not None:
        return BidirectionalSearch(packing, metrics[0])
    return CompiledSearch(packing, metrics)


def _bounded(
    puzzle: SlidingPuzzle, metrics: tuple[BlockMetric, ...], optimal: bool
) -> Search | None:
    """Return a search with a bound, or None where there is none."""
    packing = puzzle.packing
    greedy = not optimal and packing.fits_one_word
    if not greedy and (len(metrics) > 1 or lane_of(packing) is None):
        return None
    from gridkit.sliding.blocks.astar import BoundedSearch

    return BoundedSearch(packing, metrics[0], greedy=greedy)


class _Relay:
    """Searches that begin anew, each when the one before has reached too many states."""

    def __init__(self, call: tuple[object, ...], stages: list[Stage]) -> None:
        self._call = call
        self._later = stages[1:]
        self._done = False
        self._spent = 0
        first, self._room = stages[0]
        work = first()
        assert work is not None
        self._work = work

    @property
    def moves(self) -> list[tuple[int, int]] | NDArray[np.int32] | None:
        """The moves, or None before they are found."""
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
        """Return the part of the known states that is expanded, 0 before the last search."""
        return 0.0 if self._later else self._work.fraction()

    def memory(self) -> int:
        """Return the bytes held."""
        return self._work.memory()

    def value(self) -> None:
        """Return what is known of the plan: nothing before the end."""

    def token(self) -> Token:
        """Return what ``resume=`` needs."""
        return Token(self._call, self)

    def advance(self, budget: int) -> bool:
        """Expand at most `budget` states; return whether the answer is known."""
        if self._done:
            return True
        before = self._work.found
        self._done = done = self._work.advance(min(budget, 1000) if self._later else budget)
        if isinstance(self._work, PlainSearch):
            _Plain.states += self._work.found - before
        if not done and self._later and self._work.found > self._room:
            self._go_on()
        return done

    def _go_on(self) -> None:
        """Begin the next search, unless there is none for this puzzle."""
        begin, self._room = self._later.pop(0)
        work = begin()
        if work is not None:
            self._spent += self._work.nodes
            self._work = work


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
