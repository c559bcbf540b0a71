"""Fast plans for boards of any size: fill line after line, then shorten stretch after stretch.

The blank is led by a shortest-path search in which displacing a tile costs little when it comes
nearer its goal and much when it does not, the more so the sooner its goal is filled.  The plans
are about half as long as those of the greedy line filling of I. Parberry (1995).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gridkit.run.control import Limit, ProgressCallback, drive
from gridkit.sliding.npuzzle.patterns import padded
from gridkit.sliding.npuzzle.plain import Bidirectional, Route, step_rays
from gridkit.sliding.npuzzle.search import compact, plan_of
from gridkit.sliding.npuzzle.solvable import permutation_is_even

if TYPE_CHECKING:
    from gridkit.sliding.npuzzle.puzzle import NPuzzle
    from gridkit.sliding.plan import Metric, Plan

__all__ = ["construct", "shortened"]

# What displacing a tile that is wanted at once saves or costs, in moves of the blank.
_NEARER = 0.95
_FARTHER = ((4_000, 30.0), (10**9, 5.0))  # by the number of cells: dear is slow, but short
# Stretches of the shortening: their length and the nodes spent on each, by the number of cells.
_SPANS = ((150, 36, 20_000), (1_000, 28, 2_000), (4_000, 22, 300), (10**9, 18, 60))


def construct(
    puzzle: NPuzzle,
    metric: Metric,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
) -> Plan:
    """Return a plan for a solvable puzzle of at least ten open cells.

    Raises
    ------
    LimitReached
        When the limit is met before the plan is complete; while it is being shortened, what stands
        is returned instead.
    """
    if puzzle.walls or min(puzzle.rows, puzzle.cols) == 1:
        from gridkit.sliding.npuzzle.walled import walled_route

        return plan_of(puzzle, walled_route(puzzle, limit, progress), metric)
    tiles, goal = compact(puzzle)
    first: list[tuple[int, int]] = []
    chosen = assign(tiles, goal, puzzle.cols)
    if chosen is None:  # two blanks on cells of different colours: let the second one move first
        other = tiles.index(0, tiles.index(0) + 1)
        cell = next(w for w in puzzle.graph[other] if tiles[w])
        tiles[other], tiles[cell] = tiles[cell], 0
        first = [(cell, other)]
        chosen = assign(tiles, goal, puzzle.cols)
    assert chosen is not None, "two blanks of one colour mend any parity"
    start, home = chosen
    filling = LineFilling(puzzle.rows, puzzle.cols, start, home)
    drive(filling, limit=limit, progress=progress)
    effort = next(spent[1:] for spent in _SPANS if len(tiles) <= spent[0])
    shortening = Shortening(puzzle.rows, puzzle.cols, start, home, filling.finish(), *effort)
    drive(shortening, progress=progress)
    return _plan(puzzle, tiles, start, home, shortening.path(), first, metric)


def shortened(
    puzzle: NPuzzle,
    plan: Plan,
    span: int,
    patience: int,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
) -> Plan:
    """Return a plan, of one blank on a rectangle, with its stretches replaced by shortest ones.

    Parameters
    ----------
    span, patience : int
        Moves in a stretch, and nodes to spend on each.
    """
    tiles, goal = compact(puzzle)
    place = {tile: cell for cell, tile in enumerate(goal)}
    aims, home = [place[tile] for tile in tiles], place[0]
    blanks = plan.steps[:, 1].astype(np.int64)
    work = Shortening(puzzle.rows, puzzle.cols, aims, home, blanks, span, patience)
    drive(work, limit=limit, progress=progress)
    return _plan(puzzle, tiles, aims, home, work.path(), [], plan.metric)


def assign(tiles: list[int], goal: list[int], cols: int) -> tuple[list[int], int] | None:
    """Give every tile its own goal cell: return the goal cell of what stands on each cell.

    One blank is chosen to move, and its goal returned with the list; the others are tiles like any
    other.  Equal tiles are matched in row-major order, and two of them are exchanged where the
    parity asks for it; None if there are none to exchange.
    """
    homes: dict[int, list[int]] = {}
    for cell, tile in enumerate(goal):
        homes.setdefault(tile, []).append(cell)
    queues = {tile: iter(cells) for tile, cells in homes.items()}
    aims = [next(queues[tile]) for tile in tiles]
    blanks = [cell for cell, tile in enumerate(tiles) if tile == 0]
    blank = blanks[0]
    if not _parity_agrees(aims, blank, cols):
        first: dict[int, int] = {}
        for cell, tile in enumerate(tiles):
            other = first.setdefault(tile, cell) if cell != blank else cell
            if other != cell:
                aims[cell], aims[other] = aims[other], aims[cell]
                return aims, aims[blank]
        for other in blanks[1:]:
            if _parity_agrees(aims, other, cols):
                return aims, aims[other]
            aims[blank], aims[other] = aims[other], aims[blank]
            for moving in (blank, other):
                if _parity_agrees(aims, moving, cols):
                    return aims, aims[moving]
        return None
    return aims, aims[blank]


def _parity_agrees(aims: list[int], blank: int, cols: int) -> bool:
    home = aims[blank]
    steps = abs(blank // cols - home // cols) + abs(blank % cols - home % cols)
    return permutation_is_even(aims, range(len(aims))) == (steps % 2 == 0)


def _plan(
    puzzle: NPuzzle,
    tiles: list[int],
    aims: list[int],
    home: int,
    path: NDArray[np.int64],
    first: Route,
    metric: Metric,
) -> Plan:
    """Turn the blank's way into a plan, leaving out the moves of other blanks.

    `tiles` and `aims` describe the position after the moves `first`.
    """
    from gridkit.sliding.npuzzle.kernels import shorten as kernels
    from gridkit.sliding.plan import Plan

    steps = np.empty((len(path), 3), np.int64)
    kernels.trace(aims.index(home), path, np.array(aims, np.int64), steps)
    begun = list(range(len(tiles)))  # the cell where what stands on each cell now stood at first
    for source, target in first:
        begun[source], begun[target] = begun[target], begun[source]
    by_tile = sorted(
        (cell for cell, tile in enumerate(puzzle.tiles) if tile), key=puzzle.tiles.__getitem__
    )
    number = np.full(len(tiles), -1, np.int64)
    number[by_tile] = np.arange(len(by_tile))
    block = np.empty(len(tiles), np.int64)
    block[aims] = number[begun]
    steps[:, 0] = block[steps[:, 0]]
    before = [[number[source], source, target] for source, target in first]
    real = steps[steps[:, 0] >= 0]
    return Plan(puzzle, np.concatenate([np.array(before, np.int64).reshape(-1, 3), real]), metric)


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


class LineFilling:
    """Fills the lines (a `Resumable`; a node is a move)."""

    def __init__(self, rows: int, cols: int, start: list[int], home: int) -> None:
        from gridkit.sliding.npuzzle.kernels import construct as kernels

        self._kernels = kernels
        n = rows * cols
        self._cols, self._home = cols, home
        self._spot = grid_spots(rows, cols)
        self._peeling = peel(rows, cols, home)
        self._board = np.array(start, np.int64)
        self._place = np.empty(n, np.int64)
        self._place[self._board] = np.arange(n)
        self._neighbours = grid_neighbours(rows, cols)
        self._locked = np.zeros(n, np.bool_)
        self._wanted = np.zeros(n, np.bool_)
        lines = self._peeling.lines
        depth = np.ones(n)
        for index, (first, step, length, _) in enumerate(lines.tolist()):
            depth[first : first + step * length : step] = index / max(1, len(lines))
        farther = next(price for cells, price in _FARTHER if n <= cells)
        urgency = 0.1 + 0.9 * (1.0 - depth) ** 2
        self._price = np.stack((1.0 - _NEARER * urgency, 1.0 + farther * urgency), axis=1)
        self._cost = np.empty(n)
        self._came = np.empty(n, np.int64)
        self._seen = np.zeros(n, np.int64)
        self._heap = np.empty(4 * n + 8), np.empty(4 * n + 8, np.int64)
        self._pairs = np.empty(1 << 18, np.int64), np.empty(1 << 18, np.int64)
        self._room = 1 << 16
        self._made = np.empty(self._room + 16 * n + 64, np.int64)
        self._control = np.zeros(5, np.int64)
        self._control[0] = self._place[home]
        self._moves: list[NDArray[np.int64]] = []
        self.nodes = 0
        self.found = 0

    def advance(self, budget: int) -> bool:
        """Make about `budget` moves."""
        kernels, control = self._kernels, self._control
        status = kernels.construct(
            min(budget, self._room), self._spot, self._peeling.lines, self._peeling.bounds, control,
            self._board, self._place, self._made, self._neighbours, self._locked, self._wanted,
            self._price, self._cost, self._came, self._seen, *self._heap, *self._pairs,
        )  # fmt: skip
        made = int(control[kernels.MADE])
        self._moves.append(self._made[:made].copy())
        self.nodes += made
        control[kernels.MADE] = 0
        return bool(status == kernels.DONE)

    def fraction(self) -> float:
        """Return the part of the lines that is filled."""
        return float(self._control[2]) / max(1, len(self._peeling.lines))

    def memory(self) -> int:
        """Return the bytes of the arrays and the moves."""
        return 8 * (self.nodes + len(self._made)) + 80 * len(self._board)

    def value(self) -> object:
        """Return None: there is no plan before the end."""
        return None

    def token(self) -> object:
        """Return None: a plan that was cut short starts anew."""
        return None

    def finish(self) -> NDArray[np.int64]:
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
        start = [names[int(self._board[cell])] for cell in cells]
        search = Bidirectional(step_rays(graph), start, [names[cell] for cell in cells])
        drive(search)
        route: Route = search.route() or []
        ending = np.array([cells[source] for source, _ in route], np.int64)
        return np.concatenate([*self._moves, ending])


def grid_neighbours(rows: int, cols: int) -> NDArray[np.int64]:
    """Return the neighbours of each cell of a rectangle, -1 behind the last."""
    graph = []
    for cell in range(rows * cols):
        row, col = divmod(cell, cols)
        near = [cell - cols] if row else []
        near += [cell - 1] if col else []
        near += [cell + 1] if col + 1 < cols else []
        near += [cell + cols] if row + 1 < rows else []
        graph.append(near)
    return padded(graph)


def grid_spots(rows: int, cols: int) -> NDArray[np.int64]:
    """Return row and column of each cell of a rectangle."""
    return np.stack(np.divmod(np.arange(rows * cols), cols), axis=1)


class Shortening:
    """Replaces stretches of a plan by shortest ones (a `Resumable`; a node is a move tried)."""

    def __init__(
        self,
        rows: int,
        cols: int,
        start: list[int],
        home: int,
        blanks: NDArray[np.int64],
        span: int,
        patience: int,
    ) -> None:
        from gridkit.sliding.npuzzle.kernels import shorten as kernels

        self._kernels = kernels
        n = len(start)
        self._spot = grid_spots(rows, cols)
        self._span, self._patience = span, patience
        self._path = blanks
        self._length = len(blanks)
        self._board = np.array(start, np.int64)
        first = start.index(home)
        self._control = np.array([first, 0, 0, len(blanks), 0, 0, first], np.int64)
        self._neighbours = grid_neighbours(rows, cols)
        self._target = np.zeros(n, np.int64)
        self._seen = np.zeros(n, np.int64)
        self._stack = np.zeros((self._span + 2, 3), np.int64)
        self.found = 0

    @property
    def nodes(self) -> int:
        """Moves tried so far."""
        return int(self._control[4])

    def advance(self, budget: int) -> bool:
        """Try about `budget` moves."""
        status = self._kernels.shorten(
            budget, self._spot, self._span, max(2, self._span // 4), self._patience, self._control,
            self._path, self._board, self._neighbours, self._target, self._seen, self._stack,
        )  # fmt: skip
        return bool(status == self._kernels.DONE)

    def fraction(self) -> float:
        """Return the part of the plan that is worked through."""
        return float(self._control[1]) / max(1, self._length)

    def memory(self) -> int:
        """Return the bytes of the plan."""
        return int(self._path.nbytes)

    def value(self) -> object:
        """Return None: the moves read so far make no plan."""
        return None

    def token(self) -> object:
        """Return None."""
        return None

    def path(self) -> NDArray[np.int64]:
        """Return the cells that the blank enters (after the end)."""
        return self._path[: int(self._control[2])].copy()
