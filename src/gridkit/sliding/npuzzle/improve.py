"""Ever shorter plans, each with a proven bound: weighted searches with falling weights."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from gridkit.errors import LimitReached
from gridkit.run.control import Limit, ProgressCallback, drive
from gridkit.sliding.npuzzle.construct import shortened
from gridkit.sliding.npuzzle.patterns import LARGEST_BOARD
from gridkit.sliding.npuzzle.plain import Route
from gridkit.sliding.npuzzle.search import compact, is_plain, plan_of
from gridkit.sliding.plan import Plan

if TYPE_CHECKING:
    from gridkit.sliding.npuzzle.puzzle import NPuzzle

__all__ = ["Bounded", "improvements"]

_BEST_FIRST_WEIGHTS = tuple(map(Fraction, ("6", "4", "3", "2", "3/2", "5/4", "1")))
_DEEPENING_WEIGHTS = tuple(map(Fraction, ("3", "2", "3/2", "5/4", "9/8", "1")))
# Then stretches of these lengths are replaced by shortest ones, with so many nodes for each.
_STRETCHES = ((36, 30_000), (42, 200_000), (50, 1_000_000))
_BYTES = 400_000_000  # of the weighted search, unless a limit says otherwise
_LARGEST = 256


Left = Callable[[], Limit]


@dataclass(frozen=True, slots=True)
class Bounded:
    """A plan and what is proved about it.

    Attributes
    ----------
    plan : Plan
        In steps.
    lower_bound : int
        No plan is shorter than this.
    """

    plan: Plan
    lower_bound: int

    @property
    def ratio(self) -> float:
        """Length over lower bound: the plan is at most this much longer than a shortest one."""
        return len(self.plan) / self.lower_bound if self.lower_bound else 1.0


def improvements(
    puzzle: NPuzzle, limit: Limit | None = None, progress: ProgressCallback | None = None
) -> Iterator[Bounded]:
    """Answer `NPuzzle.improvements`."""
    limit = limit or Limit()
    begun = time.perf_counter()

    def left() -> Limit:
        seconds = limit.seconds
        if seconds is not None:
            seconds = max(0.0, seconds - (time.perf_counter() - begun))
        return Limit(limit.nodes, seconds, limit.memory)

    plan = puzzle.solve(limit=limit, progress=progress)
    if plan is None:
        return
    bound = _walking_bound(puzzle)
    if len(puzzle.open_cells) <= 9:
        bound = len(plan)  # solved by the search for shortest plans
    yield Bounded(plan, bound)
    try:
        for span, patience in _STRETCHES if _is_open(puzzle) and bound < len(plan) else ():
            shorter = shortened(puzzle, plan, span, patience, left(), progress)
            if len(shorter) < len(plan):
                plan = shorter
                yield Bounded(plan, bound)
        if is_plain(puzzle, "auto", "step"):
            searches: Iterator[Bounded] = iter(())
        elif len(puzzle.open_cells) <= LARGEST_BOARD:
            searches = _deepening(puzzle, plan, bound, left, progress)
        else:
            searches = _best_first(puzzle, plan, bound, left, progress)
        for found in searches:
            plan, bound = found.plan, found.lower_bound
            yield found
        if bound < len(plan) and is_plain(puzzle, "auto", "step"):
            shortest = puzzle.solve(optimal=True, limit=left(), progress=progress)
            assert shortest is not None, "a plan is known already"
            yield Bounded(shortest, len(shortest))
    except LimitReached:
        return


def _is_open(puzzle: NPuzzle) -> bool:
    """Return whether stretches can be shortened: a rectangle, one blank, more than 4 x 4."""
    return (
        not puzzle.walls
        and min(puzzle.rows, puzzle.cols) > 1
        and len(puzzle.tiles) > 16
        and not is_plain(puzzle, "auto", "step")
    )


def _deepening(
    puzzle: NPuzzle, plan: Plan, bound: int, left: Left, progress: ProgressCallback | None
) -> Iterator[Bounded]:
    """Search with pattern tables and falling weights, the last of which is 1."""
    from gridkit.sliding.npuzzle.guide import guide
    from gridkit.sliding.npuzzle.ida import DeepeningSearch

    chosen = guide(puzzle, "auto")
    for weight in _DEEPENING_WEIGHTS:
        if len(plan) > bound:
            search = DeepeningSearch(puzzle, chosen, weight=weight, limit=left(), progress=progress)
            drive(search, limit=left(), progress=progress)
            bound = max(bound, search.value())
            if search.length() < len(plan):
                plan = plan_of(puzzle, search.route(), "step")
            yield Bounded(plan, bound)


def _best_first(
    puzzle: NPuzzle, plan: Plan, bound: int, left: Left, progress: ProgressCallback | None
) -> Iterator[Bounded]:
    """Search with walking distances and falling weights while memory suffices."""
    in_vain = 0
    for weight in _BEST_FIRST_WEIGHTS if len(puzzle.open_cells) <= _LARGEST else ():
        if len(plan) > bound and in_vain < 2:
            search = WeightedSearch(puzzle, weight, len(plan), left().memory or _BYTES)
            drive(search, limit=left(), progress=progress)
            if search.full:
                in_vain += 1
                continue
            route = search.route()
            plan = plan if route is None else plan_of(puzzle, route, "step")
            # Nothing is shorter than the plan before, or the new one is within the weight.
            bound = max(bound, len(plan) if route is None else math.ceil(len(plan) / weight))
            yield Bounded(plan, bound)


def _walking_bound(puzzle: NPuzzle) -> int:
    """Return the sum of the tiles' distances from home, each from its nearest one."""
    homes: dict[int, list[int]] = {}
    start, goal = compact(puzzle)
    for cell, tile in zip(puzzle.open_cells, goal, strict=True):
        homes.setdefault(tile, []).append(cell)
    cols = puzzle.cols
    return sum(
        min(
            abs(cell // cols - home // cols) + abs(cell % cols - home % cols)
            for home in homes[tile]
        )
        for cell, tile in zip(puzzle.open_cells, start, strict=True)
        if tile
    )


class WeightedSearch:
    """Weighted A* on walking distances (a `Resumable`; a node is a position expanded).

    Its plan is at most `weight` times as long as a shortest one.

    Parameters
    ----------
    puzzle : NPuzzle
        One blank, distinct tiles, at most 256 open cells.
    weight : Fraction
        At least 1.
    below : int
        Only plans shorter than this are looked for.
    room : int
        Bytes that the positions may take.
    """

    def __init__(self, puzzle: NPuzzle, weight: Fraction, below: int, room: int) -> None:
        import numpy as np

        from gridkit.sliding.npuzzle.kernels import weighted as kernels
        from gridkit.sliding.npuzzle.patterns import padded, walking

        self._kernels = kernels
        start, goal = compact(puzzle)
        n = len(start)
        place = {tile: index for index, tile in enumerate(goal)}
        board = np.array([place[tile] for tile in start], np.uint8)
        self._neighbours, self._walk = padded(puzzle.graph), walking(puzzle.graph)
        capacity = max(1_000, min(room // (n + 40), 1 << 24))
        self._random = np.random.default_rng(2024).integers(0, 1 << 64, (n, n), np.uint64)
        self._random[place[0]] = 0  # the blank is where no tile is
        self._boards = np.empty((capacity, n), np.uint8)
        self._facts = np.empty((capacity, 5), np.int32)
        self._hashes = np.empty(capacity, np.uint64)
        self._slots = np.full(1 << (2 * capacity - 1).bit_length(), -1, np.int32)
        self._weights = weight.denominator, weight.numerator
        self._below = below
        self._heads = np.full(sum(self._weights) * (below + 1) + 1, -1, np.int32)
        blank = start.index(0)
        rest = sum(
            int(self._walk[tile, cell])
            for cell, tile in enumerate(board.tolist())
            if tile != place[0]
        )
        self._boards[0] = board
        self._hashes[0] = np.bitwise_xor.reduce(self._random[board, np.arange(n)])
        self._facts[0] = -1, blank, 0, rest, -1
        self._slots[int(self._hashes[0]) & (len(self._slots) - 1)] = 0
        first = rest * self._weights[1]
        if rest < below:
            self._heads[first] = 0
        self._control = np.array([1, first, 0, -1], np.int64)
        self._first = rest
        self.full = False

    @property
    def nodes(self) -> int:
        """Positions expanded so far."""
        return int(self._control[2])

    @property
    def found(self) -> int:
        """1 once a plan is found."""
        return int(self._control[3] >= 0)

    def advance(self, budget: int) -> bool:
        """Expand about `budget` positions."""
        status = self._kernels.advance(
            budget, *self._weights, self._below, self._control, self._neighbours, self._walk,
            self._random, self._boards, self._facts, self._hashes, self._heads, self._slots,
        )  # fmt: skip
        self.full = status == self._kernels.FULL
        return bool(status != self._kernels.RUNNING)

    def fraction(self) -> float:
        """Return 0: the size of the search is not known."""
        return 0.0

    def memory(self) -> int:
        """Return the bytes of the positions held."""
        return int(self._control[0]) * (self._boards.shape[1] + 40)

    def value(self) -> object:
        """Return None: there is no plan before the end."""
        return None

    def token(self) -> object:
        """Return None: a search that was cut short starts anew."""
        return None

    def route(self) -> Route | None:
        """Return the moves found, None if there are none shorter than was asked for."""
        node = int(self._control[3])
        if node < 0:
            return None
        blanks = []
        while node >= 0:
            blanks.append(int(self._facts[node, 1]))
            node = int(self._facts[node, 0])
        blanks.reverse()
        return [(after, before) for before, after in pairwise(blanks)]
