"""Shortest plans without pattern tables: walking distance, or taxicab distance with conflicts."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gridkit.errors import UnsupportedError
from gridkit.sliding.npuzzle.patterns import padded
from gridkit.sliding.npuzzle.plain import Route
from gridkit.sliding.npuzzle.search import compact

if TYPE_CHECKING:
    from gridkit.sliding.npuzzle.puzzle import NPuzzle

__all__ = ["ClassicSearch"]

_NEVER = 1 << 40
_LARGEST = 1 << 16  # cells
_WALKING = 16  # cells: the tables of 4 x 4 have 24,964 states, those of 5 x 5 some 65 million


class ClassicSearch:
    """IDA* on a rectangle without walls (a `Resumable`; a node is a tile moved).

    Parameters
    ----------
    puzzle : NPuzzle
        One blank, distinct tiles, no walls, solvable.
    tables : {"manhattan", "walking-distance"}
        Taxicab distance with linear conflicts, or walking distance.
    count_all : bool
        Whether to go on through all solutions of the least length.
    """

    def __init__(self, puzzle: NPuzzle, tables: str, *, count_all: bool = False) -> None:
        from gridkit.sliding.npuzzle.kernels import classic as kernels

        if puzzle.walls or len(puzzle.tiles) > _LARGEST:
            raise UnsupportedError(
                f"tables {tables!r} take rectangles without walls of at most {_LARGEST} cells"
            )
        self._kernels = kernels
        start, goal = compact(puzzle)
        rows, cols = puzzle.rows, puzzle.cols
        place = {tile: cell for cell, tile in enumerate(goal)}
        board = [place[tile] for tile in start]
        self._home, blank = place[0], start.index(0)
        self._board = np.array(board, np.int64)
        self._neighbours = padded(puzzle.graph)
        self._spot = np.stack(np.divmod(np.arange(rows * cols), cols), axis=1)
        self._shape = np.array([rows, cols], np.int64)
        self._ends = np.zeros(max(rows, cols) + 1, np.int64)
        self._conflict = np.zeros((2, max(rows, cols)), np.int64)
        self._where = np.zeros(2, np.int64)
        steps = sum(
            abs(cell // cols - tile // cols) + abs(cell % cols - tile % cols)
            for cell, tile in enumerate(board)
            if tile != self._home
        )
        if tables == "walking-distance":
            bound = self._prepare_walking(board)
            extra = bound
        else:
            self._tables = _nothing() * 2
            for axis, lines in enumerate((rows, cols)):
                for line in range(lines):
                    self._conflict[axis, line] = kernels.line_conflict(
                        axis, line, self._board, self._spot, self._home, self._ends, self._shape
                    )
            extra = int(self._conflict.sum())
            bound = steps + extra
        self._control = np.array([0, bound, 0, _NEVER, 0, count_all, blank, steps, extra], np.int64)
        self._solved = steps == 0
        self._new_stack()

    def _prepare_walking(self, board: list[int]) -> int:
        rows, cols = self._shape.tolist()
        tables: list[NDArray[np.int64]] = []
        total = 0
        for axis, (lines, width) in enumerate(((rows, cols), (cols, rows))):
            numbers, far, following = walking_table(lines, width, int(self._spot[self._home, axis]))
            counts = [[0] * lines for _ in range(lines)]
            blank_line = 0
            for cell, tile in enumerate(board):
                line = int(self._spot[cell, axis])
                if tile == self._home:
                    blank_line = line
                else:
                    counts[line][int(self._spot[tile, axis])] += 1
            state = numbers[tuple(map(tuple, counts)), blank_line]
            self._where[axis] = state
            total += int(far[state])
            tables += [far, following]
        self._tables = tuple(tables)
        return total

    def _new_stack(self) -> None:
        self._stack = np.zeros((int(self._control[1]) + 3, 6), np.int64)

    @property
    def nodes(self) -> int:
        """Tiles moved so far."""
        return int(self._control[2])

    @property
    def found(self) -> int:
        """Shortest solutions found so far."""
        return int(self._control[4])

    def fraction(self) -> float:
        """Return 0: the size of the search is not known."""
        return 0.0

    def memory(self) -> int:
        """Return the bytes of the tables."""
        return sum(int(table.nbytes) for table in self._tables)

    def value(self) -> int:
        """Return the length proved so far: no plan is shorter."""
        return int(self._control[1])

    def token(self) -> object:
        """Return None: a search that was cut short starts anew."""
        return None

    def advance(self, budget: int) -> bool:
        """Search on for about `budget` nodes."""
        if self._solved:
            self._control[4] = 1
            return True
        kernels, control = self._kernels, self._control
        last = self.nodes + budget
        while self.nodes < last:
            status = kernels.advance(
                last - self.nodes, control, self._neighbours, self._board, self._spot, self._shape,
                self._home, self._conflict, *self._tables, self._where, self._ends, self._stack,
            )  # fmt: skip
            if status == kernels.FOUND or (status == kernels.EXHAUSTED and self.found):
                return True
            if status == kernels.EXHAUSTED:
                control[1], control[3] = control[3], _NEVER
                self._new_stack()
        return False

    def length(self) -> int:
        """Return the length of a shortest plan (after the end)."""
        return 0 if self._solved else int(self._control[1])

    def route(self) -> Route:
        """Return the moves of the plan found (after the end, not when counting)."""
        depth = int(self._control[0])
        blanks = [*self._stack[1 : depth + 1, 1].tolist(), int(self._control[6])]
        return [(after, before) for before, after in pairwise(blanks)]


def _nothing() -> tuple[NDArray[np.int64], ...]:
    return np.zeros(0, np.int64), np.zeros((0, 2, 1), np.int64)


Counts = tuple[tuple[int, ...], ...]


@lru_cache(maxsize=16)
def walking_table(
    lines: int, width: int, home: int
) -> tuple[dict[tuple[Counts, int], int], NDArray[np.int64], NDArray[np.int64]]:
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
    goal = tuple(
        tuple((width - (line == home)) * (line == other) for other in range(lines))
        for line in range(lines)
    )
    numbers = {(goal, home): 0}
    order = [(goal, home)]
    far = [0]
    following: list[list[list[int]]] = []
    for counts, blank in order:
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
    return numbers, np.array(far, np.int64), np.array(following, np.int64)
