"""Shortest plans for one blank and distinct tiles: iterative deepening with pattern tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gridkit.errors import UnsupportedError
from gridkit.run.control import Limit, ProgressCallback
from gridkit.sliding.npuzzle.duplicates import BACKWARD, automaton
from gridkit.sliding.npuzzle.guide import Guide
from gridkit.sliding.npuzzle.plain import Route
from gridkit.sliding.npuzzle.views import Views

if TYPE_CHECKING:
    from gridkit.sliding.npuzzle.puzzle import NPuzzle

__all__ = ["DeepeningSearch"]

_LARGEST = 1024  # cells
_LANES = 4
_NEVER = 1 << 40
# Nodes after which the next iteration avoids needless strings of so many moves, and is done in so
# many parts: both cost time once.
_STAGES = ((20_000_000, 12, 2000), (200_000, 10, 100), (0, 6, 1))
# Nodes after which the tables are copied to memory.
_SETTLED = 20_000_000
_EVEN = Fraction(1)


@dataclass(frozen=True, slots=True)
class _Part:
    """A position some moves after the start: ways, board, states in each view, walking distance."""

    path: tuple[int, ...]
    start: int
    board: list[int]
    states: list[list[int]]
    steps: int

    @property
    def way(self) -> int:
        """The last way, or the number that stands for the blank's start."""
        return self.path[-1] if self.path else self.start


class DeepeningSearch:
    """IDA* (a `Resumable`); a node is a tile moved.

    Parameters
    ----------
    puzzle : NPuzzle
        One blank, distinct tiles, solvable.
    chosen : Guide
        What estimates the distance.
    count_all : bool
        Whether to go on through all solutions of the least length.
    weight : Fraction
        What the estimate is multiplied with, at least 1; the plan found is at most so many times
        as long as a shortest one.
    """

    def __init__(
        self,
        puzzle: NPuzzle,
        chosen: Guide,
        *,
        count_all: bool = False,
        weight: Fraction = _EVEN,
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
    ) -> None:
        from gridkit.sliding.npuzzle.kernels import ida as kernels

        cells = puzzle.open_cells
        if len(cells) > _LARGEST:
            raise UnsupportedError(
                f"the optimal search takes at most {_LARGEST} cells, got {len(cells)}"
            )
        self._kernels = kernels
        self._views = Views(puzzle, chosen, limit=limit, progress=progress)
        goal_place = {puzzle.goal[cell]: index for index, cell in enumerate(cells)}
        board = [goal_place[puzzle.tiles[cell]] for cell in cells]
        blank = 4 * len(board) + board.index(self._views.home)
        states = [
            [self._views.state(r, g, board) for g in range(len(self._views.orders))]
            for r in range(len(chosen.views))
        ]
        start = _Part((), blank, board, states, self._views.walking(board))
        self._parts = [start]
        self._nearest = np.array([self._distance(start)])
        self._weight = weight
        self._counts = count_all
        self._control = control = np.zeros(kernels.TAKEN + 1, np.int64)
        control[kernels.COUNT_ALL] = count_all
        control[kernels.COST_WEIGHT] = weight.denominator
        control[kernels.REST_WEIGHT] = weight.numerator
        control[kernels.BOUND] = weight.numerator * self._distance(start)
        self._may_grow = limit is None or limit.memory is None
        self._prunes = not (count_all or puzzle.walls)
        self._solved = start.steps == 0
        self._begin()

    def _excess(self, part: _Part) -> list[int]:
        """Return what each view proves of a part beyond walking distances, halved."""
        seen = [sum(state >> self._kernels.NIBBLE for state in states) for states in part.states]
        return [*seen, 0, 0][:2]

    def _distance(self, part: _Part) -> int:
        return part.steps + 2 * max(self._excess(part))

    def _onward(self, part: _Part, follow: NDArray[np.int32]) -> Iterator[_Part]:
        """Yield the parts one move further."""
        views = self._views
        blank = int(views.source[part.way])
        left = int(views.sides[blank]) & int(follow[_end(follow, part.path), 4])
        for side in range(4):
            if left >> side & 1:
                way = 4 * blank + side
                cell = int(views.source[way])
                board, tile = part.board.copy(), part.board[cell]
                board[blank], board[cell] = tile, part.board[blank]
                states = [row.copy() for row in part.states]
                for r, row in enumerate(states):
                    g = int(views.group[(r << views.span) + tile])
                    row[g] = views.state(r, g, board)
                steps = part.steps + int(views.gain[(way << views.span) + tile])
                yield _Part((*part.path, way), part.start, board, states, steps)

    def _divide(self, follow: NDArray[np.int32], wanted: int) -> None:
        """Go on from the start, layer by layer, until there are parts enough.

        The paths stay shorter than any solution, so that none leads over the goal.
        """
        while len(self._parts) < wanted and len(self._parts[0].path) + 1 < self.value():
            self._parts = [after for part in self._parts for after in self._onward(part, follow)]
        self._nearest = np.array([self._distance(part) for part in self._parts])

    def _begin(self) -> None:
        """Begin an iteration.

        The parts that came closest to the goal in the last one go first (C. Powley and R. Korf,
        Single-agent parallel window search, 1991).
        """
        longest, wanted = next(stage[1:] for stage in _STAGES if self.nodes >= stage[0])
        follow = automaton(longest if self._prunes else BACKWARD)
        if len(self._parts) < wanted:
            self._divide(follow, wanted)
        if self.nodes >= _SETTLED and self._may_grow:
            self._views.settle()
        self._follow = follow.reshape(-1)
        self._lay_out(follow)
        self._new_lanes()

    def _lay_out(self, follow: NDArray[np.int32]) -> None:
        """Put the parts into arrays, and into order."""
        kernels, views = self._kernels, self._views
        ends = [_end(follow, part.path) for part in self._parts]
        self._turns = np.array([k for k in self._nearest.argsort(kind="stable") if ends[k] >= 0])
        self._nearest = np.array([self._distance(part) for part in self._parts])
        line = 1 << views.span
        self._heads = np.zeros((len(self._parts), kernels.WIDTH), np.int64)
        self._starts = np.array([part.board for part in self._parts], np.int64)
        self._states = np.zeros((len(self._parts), 2 * line), np.int64)
        for k, part in enumerate(self._parts):
            self._heads[k, :5] = kernels.UNLISTED, part.way, part.steps, *self._excess(part)
            self._heads[k, 7] = ends[k]
            for r, row in enumerate(part.states):
                self._states[k, r * line : r * line + len(row)] = row

    def _new_lanes(self) -> None:
        """Give every lane a board, states, a part, a depth and a stack."""
        control, kernels = self._control, self._kernels
        lanes = min(_LANES, len(self._parts))
        rows = int(control[kernels.BOUND]) // self._weight.denominator + 3
        self._lanes = (
            np.zeros((lanes, self._starts.shape[1]), np.int64),
            np.zeros((lanes, self._states.shape[1]), np.int64),
            np.zeros(lanes, np.int64),
            np.zeros(lanes, np.int64),
            np.zeros((lanes, rows, 5 * kernels.WIDTH), np.int64),
        )
        control[kernels.NEXT_BOUND], control[kernels.TAKEN] = _NEVER, 0
        control[kernels.DEPTH] = len(self._parts[0].path)

    @property
    def nodes(self) -> int:
        """Tiles moved so far."""
        return int(self._control[self._kernels.NODES])

    @property
    def found(self) -> int:
        """Shortest solutions found so far."""
        return int(self._control[self._kernels.SOLUTIONS])

    def fraction(self) -> float:
        """Return 0: the size of the search is not known."""
        return 0.0

    def memory(self) -> int:
        """Return the bytes of the tables."""
        return int(self._views.table.nbytes + self._views.gain.nbytes)

    def value(self) -> int:
        """Return the length proved so far: no plan is shorter."""
        return -(-int(self._control[self._kernels.BOUND]) // self._weight.numerator)

    def token(self) -> object:
        """Return None: a search that was cut short starts anew."""
        return None

    def advance(self, budget: int) -> bool:
        """Search on for about `budget` nodes."""
        kernels, views, control = self._kernels, self._views, self._control
        if self._solved:
            control[kernels.SOLUTIONS] = 1
            return True
        last = self.nodes + budget
        while self.nodes < last:
            status = kernels.advance(
                last - self.nodes, control, self._follow, views.sides, views.source,
                views.gain, views.bits, views.group, views.passed, views.turn, views.combination,
                views.orders, views.offset, views.span, len(views.images), views.table,
                self._starts, self._states, self._heads, self._turns, self._nearest, *self._lanes,
            )  # fmt: skip
            if status == kernels.FOUND or (status == kernels.EXHAUSTED and self.found):
                return True
            if status == kernels.EXHAUSTED:
                control[kernels.BOUND] = control[kernels.NEXT_BOUND]
                self._begin()
        return False

    def length(self) -> int:
        """Return the length of the plan found, or counted (after the end)."""
        return self.value() if self._counts else len(self.route())

    def route(self) -> Route:
        """Return the moves of the plan found (after the end, not when counting)."""
        _, _, parts, depths, stacks = self._lanes
        lane = int(self._control[self._kernels.FINDER])
        ways = [
            *self._parts[parts[lane]].path,
            *stacks[lane, 1 : int(depths[lane]) + 1, 1].tolist(),
        ]
        return [(int(self._views.source[way]), way // 4) for way in ways]


def _end(follow: NDArray[np.int32], path: tuple[int, ...]) -> int:
    """Return the state of an automaton after a path, -1 if it has a needless part."""
    state = 0
    for way in path:
        state = int(follow[state, way % 4])
        if state < 0:
            break
    return state
