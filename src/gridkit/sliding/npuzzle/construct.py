"""Fast plans for boards of any size: fill line after line, then shorten stretch after stretch.

The blank is led by a shortest-path search in which displacing a tile costs little when it comes
nearer its goal and much when it does not, the more so the sooner its goal is filled.  The plans
are about half as long as those of the greedy line filling of I. Parberry (1995).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gridkit.grid.components import permutation_is_even
from gridkit.run import Run, Work
from gridkit.sliding.npuzzle.breadth import PlanSearch, step_rays
from gridkit.sliding.npuzzle.graph import Instance, Route
from gridkit.sliding.npuzzle.walled import walled_route

__all__ = ["Steps", "construct", "shortened"]

Steps = NDArray[np.int32]  # rows of block, cell left, cell entered, of the whole board
T = TypeVar("T")

# What displacing a tile that is wanted at once saves or costs, in moves of the blank.
_NEARER = 0.95
_FARTHER = ((4_000, 30.0), (10**9, 5.0))  # by the number of cells: dear is slow, but short
# Stretches of the shortening: their length and the nodes spent on each, by the number of cells.
_SPANS = ((150, 36, 20_000), (1_000, 28, 2_000), (4_000, 22, 300), (10**9, 18, 60))


def construct(instance: Instance, run: Run, result: Callable[[Steps], T]) -> T:
    """Return a plan for a solvable puzzle of at least ten open cells.

    Parameters
    ----------
    instance : Instance
        The puzzle.
    run : Run
        The call; a node is a move of the blank, made or tried.
    result : callable
        Makes of the steps of a plan what the call returns.

    Raises
    ------
    LimitReached, Interrupted
        With the plan so far as value while it is being shortened, with None before.
    """
    if instance.has_walls or min(instance.rows, instance.cols) == 1:
        route = walled_route(instance, run)
        return result(np.array(instance.steps(route), np.int32).reshape(-1, 3))
    rows, cols = instance.rows, instance.cols
    tiles, goal = list(instance.start), list(instance.goal)
    first: Route = []
    assigned = assign(tiles, goal, cols)
    if assigned is None:  # two blanks on cells of different colours: let the second one move first
        second = tiles.index(0, tiles.index(0) + 1)
        cell = next(w for w in instance.graph[second] if tiles[w])
        tiles[second], tiles[cell] = tiles[cell], 0
        first = [(cell, second)]
        assigned = assign(tiles, goal, cols)
    assert assigned is not None, "two blanks of one colour mend any parity"
    aims, home = assigned
    run.check()
    filling = LineFilling(rows, cols, aims, home)
    run.drive(filling)
    path = filling.finish(run)
    span, patience = next(spent[1:] for spent in _SPANS if len(tiles) <= spent[0])
    shortening = Shortening(
        rows, cols, aims, home, path, span, patience,
        lambda path: result(_steps(instance, aims, home, path, first)),
    )  # fmt: skip
    run.drive(shortening)
    path = shortening.path()
    del shortening, filling  # plans of large boards take most of the memory
    return result(_steps(instance, aims, home, path, first))


def shortened(
    instance: Instance,
    steps: NDArray[np.integer],
    span: int,
    patience: int,
    run: Run,
    result: Callable[[Steps], T],
) -> T:
    """Return a plan, of one blank on a rectangle, with its stretches replaced by shortest ones.

    Parameters
    ----------
    instance, run, result
        As for `construct`.
    steps : array of int
        The plan.
    span, patience : int
        Moves in a stretch, and nodes to spend on each.
    """
    aims, home = instance.aims(), instance.goal.index(0)
    work = Shortening(
        instance.rows, instance.cols, aims, home, steps[:, 1].astype(np.int32), span, patience,
        lambda path: result(_steps(instance, aims, home, path, [])),
    )  # fmt: skip
    run.drive(work)
    return result(_steps(instance, aims, home, work.path(), []))


def assign(tiles: list[int], goal: list[int], cols: int) -> tuple[list[int], int] | None:
    """Give every tile its own goal cell: return the goal cell of what stands on each cell.

    One blank is chosen to move, and its goal returned with the list; the others are tiles like any
    other.  Equal tiles are matched in row-major order, and two of them are exchanged where the
    parity asks for it; None if there are none to exchange.
    """
    places = np.empty(len(tiles), np.int64)
    places[np.argsort(tiles, kind="stable")] = np.argsort(goal, kind="stable")
    aims: list[int] = places.tolist()
    blanks = [cell for cell, tile in enumerate(tiles) if tile == 0]
    blank = blanks[0]
    if not _parity_agrees(aims, blank, cols):
        first: dict[int, int] = {}
        for cell, tile in enumerate(tiles):
            partner = first.setdefault(tile, cell) if cell != blank else cell
            if partner != cell:
                aims[cell], aims[partner] = aims[partner], aims[cell]
                return aims, aims[blank]
        for partner in blanks[1:]:
            if _parity_agrees(aims, partner, cols):
                return aims, aims[partner]
            aims[blank], aims[partner] = aims[partner], aims[blank]
            for moving in (blank, partner):
                if _parity_agrees(aims, moving, cols):
                    return aims, aims[moving]
        return None
    return aims, aims[blank]


def _parity_agrees(aims: list[int], blank: int, cols: int) -> bool:
    home = aims[blank]
    steps = abs(blank // cols - home // cols) + abs(blank % cols - home % cols)
    return permutation_is_even(aims, range(len(aims))) == (steps % 2 == 0)


def _steps(
    instance: Instance, aims: list[int], home: int, path: NDArray[np.int32], first: Route
) -> Steps:
    """Turn the blank's path into steps, leaving out the moves of other blanks.

    `aims` describes the position after the moves `first`.
    """
    from gridkit.sliding.npuzzle.kernels import shorten as kernels  # numba: only where it is used

    begun = list(range(len(aims)))  # the cell where what stands on each cell now stood at first
    for source, target in first:
        begun[source], begun[target] = begun[target], begun[source]
    places = [place for place, tile in enumerate(instance.start) if tile]
    places.sort(key=instance.start.__getitem__)
    number = np.full(len(aims), -1, np.int64)
    number[places] = np.arange(len(places))
    block = np.empty(len(aims), np.int64)
    block[aims] = number[begun]
    steps = np.empty((len(first) + len(path), 3), np.int32)
    for row, (source, target) in enumerate(first):
        steps[row] = number[source], source, target
    board = np.array(aims, np.int64)
    kernels.trace(aims.index(home), path, board, block, steps[len(first) :])
    return steps[steps[:, 0] >= 0] if instance.start.count(0) > 1 else steps


@dataclass(frozen=True, slots=True)
class Peeling:
    """The order in which a rectangle is filled: lines, and the small rectangle that is left."""

    lines: NDArray[np.int64]
    bounds: NDArray[np.int64]
    top: int
    bottom: int
    left: int
    right: int


def peel(rows: int, cols: int, home: int) -> Peeling:
    """Take outermost lines off, keeping the rest near square and the blank's home in it."""
    top, bottom, left, right = 0, rows, 0, cols
    row, col = divmod(home, cols)
    lines, bounds = [], []
    while max(bottom - top, right - left) > 3:
        height, width = bottom - top, right - left
        bounds.append((top, bottom, left, right))
        if height >= width:
            if row != top:
                lines.append((top * cols + left, 1, width, cols))
                top += 1
            else:
                bottom -= 1
                lines.append((bottom * cols + left, 1, width, -cols))
        elif col != left:
            lines.append((top * cols + left, cols, height, 1))
            left += 1
        else:
            right -= 1
            lines.append((top * cols + right, cols, height, -1))
    shape = (len(lines), 4)
    return Peeling(
        np.array(lines, np.int64).reshape(shape), np.array(bounds, np.int64).reshape(shape),
        top, bottom, left, right,
    )  # fmt: skip


class LineFilling(Work):
    """Fills the lines; a node is a move.

    Parameters
    ----------
    rows, cols : int
        Size of the board.
    aims : list of int
        The goal cell of what stands on each cell.
    home : int
        The goal cell of the blank that moves.
    """

    nodes = 0

    def __init__(self, rows: int, cols: int, aims: list[int], home: int) -> None:
        from gridkit.sliding.npuzzle.kernels import blank, construct  # numba: only here

        self._construct, self._words = construct, blank
        n = rows * cols
        self._cols, self._home = cols, home
        self._peeling = peel(rows, cols, home)
        lines = self._peeling.lines
        depth = np.ones(n)
        for index, (first, step, length, _) in enumerate(lines.tolist()):
            depth[first : first + step * length : step] = index / max(1, len(lines))
        farther = next(price for cells, price in _FARTHER if n <= cells)
        urgency = 0.1 + 0.9 * (1.0 - depth) ** 2
        price = np.stack((1.0 - _NEARER * urgency, 1.0 + farther * urgency), axis=1)
        board = np.array(aims, np.int64)
        self._grid = blank.Grid(
            grid_spots(rows, cols), grid_neighbours(rows, cols), lines, self._peeling.bounds
        )
        self._marks = blank.Marks(np.zeros(n, np.bool_), np.zeros(n, np.bool_), price)
        self._queue = blank.Queue(
            np.empty(n), np.empty(n, np.int64), np.zeros(n, np.int64), np.empty(4 * n + 8),
            np.empty(4 * n + 8, np.int64),
        )  # fmt: skip
        self._pairs = construct.Pairs(*np.empty((2, 1 << 18), np.int64))
        self._room = 1 << 16
        made = np.empty(self._room + 16 * n + 64, np.int64)
        self._position = blank.Position(board, np.argsort(board), made)
        self._control = np.zeros(blank.CONTROL_WORDS, np.int64)
        self._control[blank.BLANK] = aims.index(home)
        self._moves: list[NDArray[np.int32]] = []

    def advance(self, budget: int) -> bool:
        """Make about `budget` moves."""
        kernels, words, control = self._construct, self._words, self._control
        status = kernels.construct(
            min(budget, self._room), control, self._grid, self._position, self._marks, self._queue,
            self._pairs,
        )  # fmt: skip
        made = int(control[words.MADE])
        self._moves.append(self._position.made[:made].astype(np.int32))
        self.nodes += made
        control[words.MADE] = 0
        return bool(status == kernels.DONE)

    def fraction(self) -> float:
        """Return the part of the lines that is filled."""
        return float(self._control[self._words.LINE]) / max(1, len(self._peeling.lines))

    def memory(self) -> int:
        """Return the bytes of the arrays and the moves."""
        return 4 * self.nodes + 8 * len(self._position.made) + 80 * len(self._position.board)

    def finish(self, run: Run) -> NDArray[np.int32]:
        """Solve the rectangle that is left; return all cells that the blank enters."""
        rest, cols = self._peeling, self._cols
        height, width = rest.bottom - rest.top, rest.right - rest.left
        cells = [
            row * cols + col
            for row in range(rest.top, rest.bottom)
            for col in range(rest.left, rest.right)
        ]
        neighbours = grid_neighbours(height, width).tolist()
        graph = [[w for w in near if w >= 0] for near in neighbours]
        names = {cell: index + 1 for index, cell in enumerate(cells)}
        names[self._home] = 0
        start = [names[int(self._position.board[cell])] for cell in cells]
        search = PlanSearch(step_rays(graph), start, [names[cell] for cell in cells])
        run.drive(search)
        route = search.route() or []
        ending = np.array([cells[source] for source, _ in route], np.int32)
        path = np.concatenate([*self._moves, ending])
        self._moves.clear()
        return path


def grid_neighbours(rows: int, cols: int) -> NDArray[np.int64]:
    """Return the neighbours of each cell of a rectangle, -1 behind the last."""
    row, col = np.divmod(np.arange(rows * cols), cols)
    cells = row * cols + col
    sides = np.stack(
        [
            np.where(row > 0, cells - cols, -1),
            np.where(col > 0, cells - 1, -1),
            np.where(col + 1 < cols, cells + 1, -1),
            np.where(row + 1 < rows, cells + cols, -1),
        ],
        axis=1,
    )
    return np.take_along_axis(sides, np.argsort(sides < 0, axis=1, kind="stable"), axis=1)


def grid_spots(rows: int, cols: int) -> NDArray[np.int64]:
    """Return row and column of each cell of a rectangle."""
    return np.stack(np.divmod(np.arange(rows * cols), cols), axis=1)


class Shortening(Work):
    """Replaces stretches of a plan by shortest ones; a node is a move tried.

    Parameters
    ----------
    rows, cols, aims, home
        As for `LineFilling`.
    path : array of int32
        The cells that the blank enters; changed in place.
    span, patience : int
        Moves in a stretch, and nodes to spend on each.
    result : callable
        Makes of a path the value of the call.
    """

    def __init__(
        self,
        rows: int,
        cols: int,
        aims: list[int],
        home: int,
        path: NDArray[np.int32],
        span: int,
        patience: int,
        result: Callable[[NDArray[np.int32]], object],
    ) -> None:
        from gridkit.sliding.npuzzle.kernels import shorten as kernels  # numba: only here

        self._kernels = kernels
        self._grid = kernels.Grid(grid_spots(rows, cols), grid_neighbours(rows, cols))
        self._path, self._length = path, len(path)
        self._result = result
        self._control = control = np.zeros(kernels.CONTROL_WORDS, np.int64)
        control[kernels.SPAN], control[kernels.STRIDE] = span, max(2, span // 4)
        control[kernels.PATIENCE] = patience
        control[kernels.BLANK] = control[kernels.FIRST_BLANK] = aims.index(home)
        control[kernels.END] = len(path)
        target, seen = np.zeros((2, len(aims)), np.int64)
        stack = np.zeros((span + 2, 3), np.int64)
        self._stretch = kernels.Stretch(np.array(aims, np.int64), target, seen, stack)

    @property
    def nodes(self) -> int:
        """Moves tried so far."""
        return int(self._control[self._kernels.NODES])

    def advance(self, budget: int) -> bool:
        """Try about `budget` moves."""
        status = self._kernels.shorten(budget, self._control, self._grid, self._path, self._stretch)
        return bool(status == self._kernels.DONE)

    def fraction(self) -> float:
        """Return the part of the plan that is worked through."""
        return float(self._control[self._kernels.READ]) / max(1, self._length)

    def memory(self) -> int:
        """Return the bytes of the plan."""
        return int(self._path.nbytes)

    def value(self) -> object:
        """Return the plan so far, its rest not yet shortened."""
        return self._result(self.path())

    def path(self) -> NDArray[np.int32]:
        """Return the cells that the blank enters in the plan so far."""
        read, write, end = self._control[self._kernels.READ : self._kernels.END + 1]
        return np.concatenate((self._path[:write], self._path[read:end]))
