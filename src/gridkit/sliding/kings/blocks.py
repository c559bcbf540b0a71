"""Plan kings block by block: push every king into its block's corner, slide blocks, spread out.

Sliding the blocks is pebble motion on a p x q grid.  It is solved by peeling the grid line by line
towards a final window of 2 x 2 blocks which holds one or two blanks.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from gridkit.run import Work
from gridkit.sliding.kings.board import Problem
from gridkit.sliding.kings.order import choose_window, peeling_order, with_blanks_in
from gridkit.sliding.kings.reach import blocks_parity_is_odd
from gridkit.sliding.kings.rings import turn_rings

__all__ = ["FAST", "BlockPlanner", "Prices"]

Ints = NDArray[np.int32]
Step = tuple[int, int, int]  # (king number, from, to): blocks or cells, as each function says
_BLANK = -1


@dataclass(frozen=True, slots=True)
class Prices:
    """What displacing a tile along a line costs: little towards its goal, much away from it.

    Both depend on how urgent the tile is and on how far it is off along that line.  Its urgency
    falls from 1 to `least` as its goal lies in a later line, as (1 - depth) ** power.  It is
    weighed by first + more * off ** bend, off being 1 across the board, and cut at 1.  Towards the
    goal a tile that weighs nothing costs `near`, the most urgent one nothing; away from it they
    cost far[0] and far[0] + far[1].

    `nearing` and `leaving` are (first, more, bend, power) for either way.
    """

    near: float = 1.22
    far: tuple[float, float] = (2.43, 37.6)
    nearing: tuple[float, float, float, float] = (0.125, 3.54, 0.69, 0.588)
    leaving: tuple[float, float, float, float] = (0.227, 3.08, 0.86, 2.36)
    least: float = 0.041
    pull: int = 0

    def table(self, ranks: int, longest: int) -> Ints:
        """Return the prices of tiles by rank of the goal and way off, as the kernel wants them."""
        depth = np.arange(ranks)[:, None] / max(ranks - 1, 1)
        off = np.arange(longest) / max(longest - 1, 1)
        weights = []
        for first, more, bend, power in (self.nearing, self.leaving):
            urgency = self.least + (1 - self.least) * (1 - depth) ** power
            weights.append(np.minimum(urgency * (first + more * off**bend), 1))
        both = [self.near * (1 - weights[0]), self.far[0] + self.far[1] * weights[1]]
        return np.clip(np.rint(100 * np.stack(both, axis=2)), 0, 4095).astype(np.int32)

    @classmethod
    def varied(cls, count: int) -> list[Prices]:
        """Return so many sets of prices: the measured best, and others more and more unlike it."""
        generator = np.random.default_rng(0)
        best = cls()
        spread = np.minimum(0.1 + 0.02 * np.arange(count - 1), 0.5)[:, None]
        sets = [best]
        for a, b, c, d, e in np.exp(generator.normal(0, spread, (count - 1, 5))).tolist():
            sets.append(
                replace(
                    best,
                    near=best.near * a,
                    far=(best.far[0] * b, best.far[1] * c),
                    nearing=(best.nearing[0], best.nearing[1] * d, *best.nearing[2:]),
                    leaving=(best.leaving[0], best.leaving[1] * e, *best.leaving[2:]),
                )
            )
        return sets


FAST = Prices(near=0.05, far=(0.1, 1.5), pull=40)
_FEW_BLANKS = 12


class BlockPlanner(Work):
    """One run of the block planner.

    Parameters
    ----------
    problem : Problem
        A reachable pair.
    prices : Prices
        Weights of the run.

    Notes
    -----
    Nodes are slides of blocks.
    """

    def __init__(self, problem: Problem, prices: Prices) -> None:
        self._problem, self._prices = problem, prices
        self._cols = problem.cols
        self._p, self._q = (problem.rows + 1) // 2, (problem.cols + 1) // 2
        self._pieces: list[Ints] = [self._snap_steps(problem.start)]
        self._grid, self._want = self._blocks_of(problem.start), self._blocks_of(problem.target)
        self._empty_blocks = self._p * self._q - len(problem.start)
        self._control = np.zeros(0, np.int64)
        if self._needs_gadget():
            self._play_gadget()
        self._done = self._empty_blocks == 0 or bool(np.array_equal(self._grid, self._want))
        if min(self._p, self._q) == 1:
            self._add_slides(_solve_line(self._grid, self._want))
            self._done = True
        if self._done:
            self._finish([])
        else:
            self._prepare()

    # The pieces of a plan: snapping, sliding, unsnapping

    def _block(self, cells: Ints) -> Ints:
        return cells // self._cols // 2 * self._q + cells % self._cols // 2

    def _corner(self, blocks: Ints) -> Ints:
        return blocks // self._q * (2 * self._cols) + blocks % self._q * 2

    def _blocks_of(self, cells: Ints) -> Ints:
        """Return the number of the king in each block."""
        blocks = np.full(self._p * self._q, _BLANK, np.int32)
        blocks[self._block(cells)] = np.arange(len(cells))
        return blocks

    def _snap_steps(self, cells: Ints) -> Ints:
        """Return the steps that push every king to its block's top left cell."""
        numbers = np.argsort(self._block(cells)).astype(np.int32)
        cells = cells[numbers]
        corners = self._corner(self._block(cells))
        down, across = np.divmod(cells - corners, self._cols)
        bent = (down > 0) & (across > 0) & (self._problem.rule == "orthogonal")
        middle = np.where(bent, cells - self._cols, cells)
        ways = np.stack([numbers, cells, middle, numbers, middle, corners], axis=1)
        steps: Ints = ways.reshape(-1, 3)[np.stack([bent, middle != corners], axis=1).ravel()]
        return steps

    def _add_slides(self, slides: NDArray[np.int32] | Sequence[Step]) -> None:
        """Append slides (king number, from block, to block), each as two king moves."""
        rows = np.asarray(slides, np.int32).reshape(-1, 3)
        steps = np.empty((len(rows), 2, 3), np.int32)
        steps[:, :, 0] = rows[:, :1]
        steps[:, 0, 1], steps[:, 1, 2] = self._corner(rows[:, 1]), self._corner(rows[:, 2])
        steps[:, 0, 2] = steps[:, 1, 1] = (steps[:, 0, 1] + steps[:, 1, 2]) // 2
        self._pieces.append(steps.reshape(-1, 3))

    def _finish(self, slides: Sequence[Step]) -> None:
        self._add_slides(slides)
        self._pieces.append(self._snap_steps(self._problem.target)[::-1][:, [0, 2, 1]])

    @property
    def steps(self) -> Ints | None:
        """The plan as rows (king number, from cell, to cell), once it is complete."""
        return np.concatenate(self._pieces) if self._done else None

    # One blank and the wrong parity: a diagonal step across a block corner

    def _needs_gadget(self) -> bool:
        odd_sides = self._problem.rows % 2 or self._problem.cols % 2
        in_line = min(self._p, self._q) == 1
        if self._problem.rule == "orthogonal" or odd_sides or in_line or self._empty_blocks != 1:
            return False
        grids = (self._grid + 1).tolist(), (self._want + 1).tolist()  # 0 is a blank there
        return blocks_parity_is_odd(*grids, self._q)

    def _play_gadget(self) -> None:
        """Bring the blank to the last 2 x 2 blocks and swap the parity there."""
        blocks = self._grid.tolist()
        slides: list[Step] = []
        blank = blocks.index(_BLANK)
        while blank // self._q < self._p - 2 or blank % self._q < self._q - 2:
            ahead = blank + (self._q if blank // self._q < self._p - 2 else 1)
            slides.append((blocks[ahead], ahead, blank))
            blocks[blank], blocks[ahead] = blocks[ahead], _BLANK
            blank = ahead
        self._add_slides(slides)
        first = (self._p - 2) * self._q + self._q - 2
        window = [first, first + 1, first + self._q, first + self._q + 1]
        places = [place for place, block in zip((0, 2, 8, 10), window, strict=True)
                  if blocks[block] != _BLANK]  # fmt: skip
        kings = [blocks[block] for block in window if blocks[block] != _BLANK]
        steps = np.array(_swap_parity(tuple(places)), np.int32)
        offset = (self._problem.rows - 4) * self._cols + self._cols - 4
        steps[:, 1:] = offset + steps[:, 1:] // 4 * self._cols + steps[:, 1:] % 4
        steps[:, 0] = np.array(kings)[steps[:, 0]]
        self._pieces.append(steps)
        for king, origin, to in zip(steps[:, 0], *self._block(steps[:, 1:]).T, strict=True):
            blocks[origin], blocks[to] = _BLANK, king
        self._grid = np.array(blocks, np.int32)

    # Peeling

    def _prepare(self) -> None:
        from gridkit.sliding.kings.kernels import blank  # both load numba
        from gridkit.sliding.kings.kernels import peel as kernel

        self._kernel, self._blank = kernel, blank
        p, q, want = self._p, self._q, self._want.tolist()
        blanks = self._empty_blocks
        self._window = choose_window(want, p, q, min(blanks, 2))
        want, self._shift = with_blanks_in(self._window, want, p, q, min(blanks, 2))
        self._virtual = np.array(want, np.int32)
        entries, lines = peeling_order(p, q, self._window, want)
        self._entries = len(entries)
        if blanks <= _FEW_BLANKS:
            for slides in turn_rings(self._grid, self._virtual, p, q):
                self._add_slides(slides)
        prices = self._prices
        # Where blanks are many, the search is short and better than the ways around the tile.
        around = -int(prices.pull > 0 and 8 * blanks < p * q)
        pull = prices.pull if blanks <= _FEW_BLANKS else around
        cells = np.zeros((p * q, blank.CELL_SIZE), np.int32)
        cells[:, blank.TILE], cells[:, blank.TARGET] = self._grid, self._virtual
        cells[:, blank.ROW], cells[:, blank.COL] = np.divmod(np.arange(p * q), q)
        cells[:, blank.RANK] = lines
        tiles = np.zeros((len(self._problem.start), 2), np.int32)
        for column, grid in ((blank.WHERE, self._grid), (blank.GOAL, self._virtual)):
            occupied = np.flatnonzero(grid != _BLANK)
            tiles[grid[occupied], column] = occupied
        listed = np.flatnonzero(self._grid == _BLANK)[: _FEW_BLANKS if pull > 0 else 0]
        control = self._control = np.zeros(blank.LISTED + len(listed), np.int64)
        control[blank.BLANKS], control[blank.LISTED :] = len(listed), listed
        control[blank.ROWS], control[blank.COLS], control[blank.PULL] = p, q, pull
        control[blank.DIAGONAL] = self._problem.rule == "king"
        self._moves = np.empty((4 * p * q + 1024, 3), np.int32)
        items = np.full((blank.SPAN + 4 * p * q + 2, 2), -1, np.int32)
        queue = blank.Queue(items, np.zeros(65, np.uint64))
        order = kernel.Order(entries, np.empty((kernel.BOX_STATES, 2), np.int32))
        table = prices.table(int(lines.max()) + 1, max(p, q))
        self._cells = cells
        self._peel = partial(kernel.peel, cells, tiles, self._moves, control, table, queue, order)

    @property
    def nodes(self) -> int:
        """Slides found by peeling."""
        return int(self._control[self._blank.MOVES]) if len(self._control) else 0

    def fraction(self) -> float:
        """Return the part of the lines that is fixed."""
        if self._done:
            return 1.0
        return float(self._control[self._blank.AT]) / max(self._entries, 1)

    def memory(self) -> int:
        """Return the bytes held by the slides, and by the steps made of them in the end."""
        return 3 * self._moves.nbytes if len(self._control) else 0

    def advance(self, budget: int) -> bool:
        """Peel for about `budget` slides; return whether the plan is complete."""
        if self._done:
            return True
        kernel = self._kernel
        status = self._peel(budget)
        if status == kernel.FULL:
            self._moves.resize((3 * len(self._moves) // 2, 3), refcheck=False)
        elif status == kernel.STUCK:
            raise AssertionError("the block planner is stuck")
        elif status == kernel.DONE:
            self._add_slides(self._moves[: self.nodes])
            self._grid = self._cells[:, self._blank.TILE]
            row, col = self._window
            ring = [row * self._q + col, row * self._q + col + 1,
                    (row + 1) * self._q + col + 1, (row + 1) * self._q + col]  # fmt: skip
            self._finish([*_solve_ring(self._grid, self._virtual, ring), *self._shift])
            self._done = True
        return self._done


def _as_array(steps: Sequence[Step]) -> Ints:
    return np.array(steps, np.int32).reshape(-1, 3)


def _solve_line(grid: Ints, want: Ints) -> list[Step]:
    """Slide tiles along a line to their goals; their order is the same."""
    goal = {int(tile): block for block, tile in enumerate(want) if tile != _BLANK}
    tiles = [(block, int(tile)) for block, tile in enumerate(grid) if tile != _BLANK]
    steps: list[Step] = []
    for block, tile in tiles:  # those that go down, the first one first
        steps += [(tile, b, b - 1) for b in range(block, goal[tile], -1)]
    for block, tile in reversed(tiles):
        steps += [(tile, b, b + 1) for b in range(block, goal[tile])]
    return steps


@cache
def _swap_parity(places: tuple[int, ...]) -> list[Step]:
    """Find the fewest king moves on 4 x 4 cells that bring three snapped kings back, two swapped.

    The first number of a step is the king's place in `places`.
    """
    a, b, c = places
    swapped = {(b, a, c), (c, b, a), (a, c, b)}
    near = [{to for to in range(16) if _touch(to, cell)} for cell in range(16)]
    before: dict[tuple[int, ...], tuple[tuple[int, ...], Step] | None] = {places: None}
    queue = deque([places])
    while queue:
        state = queue.popleft()
        if state in swapped:
            return _steps_to(before, state)
        for number, cell in enumerate(state):
            others = near[state[number - 1]] | near[state[number - 2]]
            for to in near[cell] - others:
                following = (*state[:number], to, *state[number + 1 :])
                if following not in before:
                    before[following] = (state, (number, cell, to))
                    queue.append(following)
    raise AssertionError("a 4 x 4 corner always has the parity gadget")


def _steps_to(
    before: dict[tuple[int, ...], tuple[tuple[int, ...], Step] | None], state: tuple[int, ...]
) -> list[Step]:
    steps: list[Step] = []
    link = before[state]
    while link is not None:
        steps.append(link[1])
        link = before[link[0]]
    return steps[::-1]


def _touch(a: int, b: int) -> bool:
    return abs(a // 4 - b // 4) <= 1 and abs(a % 4 - b % 4) <= 1


def _solve_ring(grid: Ints, want: Ints, ring: list[int]) -> list[Step]:
    """Solve four blocks in a ring by breadth-first search."""
    start = tuple(int(grid[block]) for block in ring)
    goal = tuple(int(want[block]) for block in ring)
    before: dict[tuple[int, ...], tuple[tuple[int, ...], Step] | None] = {start: None}
    queue = deque([start])
    while goal not in before:
        state = queue.popleft()
        for i in range(4):
            for j in ((i + 1) % 4, (i + 3) % 4):
                if state[i] == _BLANK or state[j] != _BLANK:
                    continue
                moved = list(state)
                moved[i], moved[j] = _BLANK, state[i]
                following = tuple(moved)
                if following not in before:
                    before[following] = (state, (state[i], ring[i], ring[j]))
                    queue.append(following)
    return _steps_to(before, goal)
