"""Searches that need no pattern tables, for large boards: shortest plans, and short ones.

`LineSearch` is a second IDA* beside that with pattern tables: on boards too large for those, the
conflicts in lines cut the nodes to a sixth.  `WeightedSearch` remembers the positions that it has
seen, so that it finds short plans where a depth-first search with the same weight does not end.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gridkit.errors import UnsupportedError
from gridkit.run import Run, Work
from gridkit.sliding.npuzzle.graph import Check, Instance, Route, padded, walking_distances

__all__ = ["LineSearch", "WeightedSearch"]

_NEVER = 1 << 40
_LARGEST = 1 << 16  # cells
_WALKING = 16  # cells: the tables of 4 x 4 have 24,964 states, those of 5 x 5 some 65 million


class LineSearch(Work):
    """IDA* on a rectangle without walls; a node is a tile moved.

    Parameters
    ----------
    instance : Instance
        One blank, distinct tiles, no walls, solvable.
    tables : {"manhattan", "walking-distance"}
        Taxicab distance with linear conflicts, or walking distance.
    run : Run
        The call, under whose limits the tables of walking distances are made.
    count_all : bool
        Whether to go on through all solutions of the least length.
    """

    def __init__(
        self, instance: Instance, tables: str, run: Run, *, count_all: bool = False
    ) -> None:
        if instance.has_walls or len(instance.cells) > _LARGEST:
            raise UnsupportedError(
                f"tables {tables!r} take rectangles without walls of at most {_LARGEST} cells"
            )
        from gridkit.sliding.npuzzle.kernels import lines as kernels  # numba: only where it is used

        self._kernels = kernels
        rows, cols = instance.rows, instance.cols
        board = instance.aims()
        self._home, blank = instance.goal.index(0), instance.start.index(0)
        spot = np.stack(np.divmod(np.arange(rows * cols), cols), axis=1)
        self._grid = kernels.Grid(padded(instance.graph), spot, np.array([rows, cols], np.int64))
        longest = max(rows, cols)
        self._position = kernels.Position(
            np.array(board, np.int64), np.zeros(2, np.int64), np.zeros((2, longest), np.int64),
            np.zeros(longest + 1, np.int64), np.zeros((0, kernels.ROW), np.int64),
        )  # fmt: skip
        steps = sum(
            abs(cell // cols - tile // cols) + abs(cell % cols - tile % cols)
            for cell, tile in enumerate(board)
            if tile != self._home
        )
        if tables == "walking-distance":
            bound = self._prepare_walking(board, run)
            extra = bound
        else:
            self._walking = kernels.Walking(*_nothing(), *_nothing())
            at = self._position
            for axis, lines in enumerate((rows, cols)):
                for line in range(lines):
                    at.conflict[axis, line] = kernels.line_conflict(
                        axis, line, at.board, spot, self._home, at.ends, self._grid.shape
                    )
            extra = int(at.conflict.sum())
            bound = steps + extra
        self._control = control = np.zeros(kernels.CONTROL_WORDS, np.int64)
        control[kernels.BOUND], control[kernels.NEXT_BOUND] = bound, _NEVER
        control[kernels.COUNT_ALL], control[kernels.BLANK] = count_all, blank
        control[kernels.WALK], control[kernels.EXTRA] = steps, extra
        control[kernels.HOME] = self._home
        self._solved = steps == 0
        self._new_stack()

    def _prepare_walking(self, board: list[int], run: Run) -> int:
        rows, cols = self._grid.shape.tolist()
        spot = self._grid.spot
        tables: list[NDArray[np.int64]] = []
        total = 0
        for axis, (lines, width) in enumerate(((rows, cols), (cols, rows))):
            numbers, far, following = _walking_table(
                lines, width, int(spot[self._home, axis]), run.check
            )
            counts = [[0] * lines for _ in range(lines)]
            blank_line = 0
            for cell, tile in enumerate(board):
                line = int(spot[cell, axis])
                if tile == self._home:
                    blank_line = line
                else:
                    counts[line][int(spot[tile, axis])] += 1
            state = numbers[tuple(map(tuple, counts)), blank_line]
            self._position.where[axis] = state
            total += int(far[state])
            tables += [far, following]
        self._walking = self._kernels.Walking(*tables)
        return total

    def _new_stack(self) -> None:
        stack = np.zeros((self.bound() + 3, self._kernels.ROW), np.int64)
        self._position = self._position._replace(stack=stack)

    @property
    def nodes(self) -> int:
        """Tiles moved so far."""
        return int(self._control[self._kernels.NODES])

    @property
    def found(self) -> int:
        """Shortest solutions found so far."""
        return int(self._control[self._kernels.SOLUTIONS])

    def memory(self) -> int:
        """Return the bytes of the tables."""
        return sum(int(table.nbytes) for table in self._walking)

    def bound(self) -> int:
        """Return the length proved so far: no plan is shorter."""
        return int(self._control[self._kernels.BOUND])

    def value(self) -> object:
        """Return the length proved so far, or the solutions counted so far."""
        return self.found if self._control[self._kernels.COUNT_ALL] else self.bound()

    def advance(self, budget: int) -> bool:
        """Search on for about `budget` nodes."""
        if self._solved:
            self._control[self._kernels.SOLUTIONS] = 1
            return True
        kernels, control = self._kernels, self._control
        last = self.nodes + budget
        while self.nodes < last:
            status = kernels.advance(
                last - self.nodes, control, self._grid, self._walking, self._position
            )
            if status == kernels.FOUND or (status == kernels.EXHAUSTED and self.found):
                return True
            if status == kernels.EXHAUSTED:
                control[kernels.BOUND] = control[kernels.NEXT_BOUND]
                control[kernels.NEXT_BOUND] = _NEVER
                self._new_stack()
        return False

    @property
    def length(self) -> int:
        """Return the length of a shortest plan (after the end)."""
        return 0 if self._solved else self.bound()

    def route(self) -> Route:
        """Return the moves of the plan found (after the end, not when counting)."""
        depth = int(self._control[self._kernels.DEPTH])
        blanks = [
            *self._position.stack[1 : depth + 1, self._kernels.BEFORE].tolist(),
            int(self._control[self._kernels.BLANK]),
        ]
        return [(after, before) for before, after in pairwise(blanks)]


def _nothing() -> tuple[NDArray[np.int64], ...]:
    return np.zeros(0, np.int64), np.zeros((0, 2, 1), np.int64)


Counts = tuple[tuple[int, ...], ...]


WalkingTable = tuple[dict[tuple[Counts, int], int], NDArray[np.int64], NDArray[np.int64]]
_TABLES: dict[tuple[int, int, int], WalkingTable] = {}  # at most a few of each size up to 16 cells


def _walking_table(lines: int, width: int, home: int, check: Check) -> WalkingTable:
    """Return (number of each state, its distance, the states after each move) of one axis.

    A state says how many tiles of each goal line stand in each line, and where the blank is; a
    move takes a tile from a line beside the blank's into it.

    Raises
    ------
    UnsupportedError
        For more than 16 cells.
    """
    if lines * width > _WALKING:
        raise UnsupportedError(f"walking distance takes boards of at most {_WALKING} cells")
    if (lines, width, home) in _TABLES:
        return _TABLES[lines, width, home]
    goal = tuple(
        tuple((width - (line == home)) * (line == kind) for kind in range(lines))
        for line in range(lines)
    )
    numbers = {(goal, home): 0}
    order = [(goal, home)]
    far = [0]
    following: list[list[list[int]]] = []
    for counts, blank in order:
        check()
        rows = [[-1] * lines, [-1] * lines]
        for upwards, line in ((0, blank + 1), (1, blank - 1)):  # the line that the tile leaves
            if not 0 <= line < lines:
                continue
            for kind in range(lines):
                if counts[line][kind]:
                    changed = [list(row) for row in counts]
                    changed[line][kind] -= 1
                    changed[blank][kind] += 1
                    state = tuple(map(tuple, changed)), line
                    if state not in numbers:
                        numbers[state] = len(numbers)
                        order.append(state)
                        far.append(far[numbers[counts, blank]] + 1)
                    rows[upwards][kind] = numbers[state]
        following.append(rows)
    table = numbers, np.array(far, np.int64), np.array(following, np.int64)
    return _TABLES.setdefault((lines, width, home), table)


class WeightedSearch(Work):
    """Weighted A* (I. Pohl 1970) on taxicab distances; a node is a position expanded.

    Its plan is at most `weight` times as long as a shortest one.

    Parameters
    ----------
    instance : Instance
        One blank, distinct tiles, at most 256 open cells.
    weight : Fraction
        At least 1.
    below : int
        Only plans shorter than this are looked for.
    room : int
        Bytes that the positions may take.

    Attributes
    ----------
    full : bool
        Whether the room was used up before the search was over.
    """

    def __init__(self, instance: Instance, weight: Fraction, below: int, room: int) -> None:
        from gridkit.sliding.npuzzle.kernels import weighted as kernels  # numba: only here

        self._kernels = kernels
        home, blank = instance.goal.index(0), instance.start.index(0)
        board = np.array(instance.aims(), np.uint8)
        n = len(board)
        capacity = max(1_000, min(room // (n + 40), 1 << 24))
        random = np.random.default_rng(2024).integers(0, 1 << 64, (n, n), np.uint64)
        random[home] = 0  # the blank is where no tile is
        walk = walking_distances(instance.graph)
        self._moves = kernels.Moves(padded(instance.graph), walk, random)
        self._positions = kernels.Positions(
            np.empty((capacity, n), np.uint8), np.empty((capacity, 5), np.int32),
            np.empty(capacity, np.uint64),
        )  # fmt: skip
        self._queue = kernels.Queue(
            np.full((weight.denominator + weight.numerator) * (below + 1) + 1, -1, np.int32),
            np.full(1 << (2 * capacity - 1).bit_length(), -1, np.int32),
        )
        rest = sum(
            int(walk[tile, cell]) for cell, tile in enumerate(board.tolist()) if tile != home
        )
        boards, facts, hashes = self._positions
        boards[0], facts[0] = board, (-1, blank, 0, rest, -1)
        hashes[0] = np.bitwise_xor.reduce(random[board, np.arange(n)])
        self._queue.slots[int(hashes[0]) & (len(self._queue.slots) - 1)] = 0
        first = rest * weight.numerator
        if rest < below:
            self._queue.heads[first] = 0
        self._control = control = np.zeros(kernels.CONTROL_WORDS, np.int64)
        control[kernels.COUNT], control[kernels.LOWEST], control[kernels.GOAL] = 1, first, -1
        control[kernels.COST_WEIGHT] = weight.denominator
        control[kernels.REST_WEIGHT], control[kernels.BELOW] = weight.numerator, below
        self.full = False

    @property
    def nodes(self) -> int:
        """Positions expanded so far."""
        return int(self._control[self._kernels.NODES])

    @property
    def found(self) -> int:
        """1 once a plan is found."""
        return int(self._control[self._kernels.GOAL] >= 0)

    def advance(self, budget: int) -> bool:
        """Expand about `budget` positions."""
        status = self._kernels.advance(
            budget, self._control, self._moves, self._positions, self._queue
        )
        self.full = status == self._kernels.FULL
        return bool(status != self._kernels.RUNNING)

    def memory(self) -> int:
        """Return the bytes of the positions held."""
        return int(self._control[self._kernels.COUNT] * (self._positions.boards.shape[1] + 40))

    def route(self) -> Route | None:
        """Return the moves found, None if there are none shorter than was asked for."""
        node = int(self._control[self._kernels.GOAL])
        if node < 0:
            return None
        blanks = []
        while node >= 0:
            blanks.append(int(self._positions.facts[node, self._kernels.BLANK]))
            node = int(self._positions.facts[node, self._kernels.PARENT])
        blanks.reverse()
        return [(after, before) for before, after in pairwise(blanks)]
