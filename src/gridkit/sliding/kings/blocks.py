"""Plan kings block by block: push every king into its block's corner, slide blocks, spread out.

Sliding the blocks is pebble motion on a p x q grid.  It is solved by peeling the grid line by line
towards a final window of 2 x 2 blocks which holds one or two blanks.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from gridkit.sliding.kings.reach import Placement, Rule, empty_blocks, judge
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


@dataclass
class BlockPlanner:
    """One run of the block planner; `advance` until it returns True, then read `steps`.

    Parameters
    ----------
    start, target : Placement
        A reachable pair on the same board with the same ids.
    rule : {"king", "orthogonal"}
        How a king may step.
    prices : Prices
        Weights of the run.
    """

    start: Placement
    target: Placement
    rule: Rule
    prices: Prices = field(default_factory=Prices)

    def __post_init__(self) -> None:
        start, target = self.start, self.target
        self.cols = start.cols
        self.p, self.q = (start.rows + 1) // 2, (start.cols + 1) // 2
        self.ids = sorted(start.cells)
        cells, self._aims = self._cells_of(start), self._cells_of(target)
        self._pieces: list[NDArray[np.int32]] = [self._snap_steps(cells)]
        self._grid, self._want = self._blocks_of(cells), self._blocks_of(self._aims)
        if min(self.p, self.q) > 1 and self._needs_gadget():
            self._play_gadget()
        self._done = empty_blocks(start) == 0 or bool(np.array_equal(self._grid, self._want))
        if min(self.p, self.q) == 1:
            self._add_slides(_solve_line(self._grid, self._want))
            self._done = True
        if self._done:
            self._finish([])
        else:
            self._prepare()

    # The pieces of a plan: snapping, sliding, unsnapping

    def _block(self, cells: Ints) -> Ints:
        return cells // self.cols // 2 * self.q + cells % self.cols // 2

    def _corner(self, blocks: Ints) -> Ints:
        return blocks // self.q * (2 * self.cols) + blocks % self.q * 2

    def _cells_of(self, placement: Placement) -> Ints:
        return np.fromiter(map(placement.cells.__getitem__, self.ids), np.int32, len(self.ids))

    def _blocks_of(self, cells: Ints) -> Ints:
        """Return the number of the king in each block."""
        blocks = np.full(self.p * self.q, _BLANK, np.int32)
        blocks[self._block(cells)] = np.arange(len(cells))
        return blocks

    def _snap_steps(self, cells: Ints) -> Ints:
        """Return the steps that push every king to its block's top left cell."""
        numbers = np.argsort(self._block(cells)).astype(np.int32)
        cells = cells[numbers]
        corners = self._corner(self._block(cells))
        down, across = np.divmod(cells - corners, self.cols)
        bent = (down > 0) & (across > 0) & (self.rule == "orthogonal")
        middle = np.where(bent, cells - self.cols, cells)
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
        self._pieces.append(self._snap_steps(self._aims)[::-1][:, [0, 2, 1]])

    @property
    def steps(self) -> Ints:
        """The plan so far: rows (king number, from cell, to cell)."""
        return np.concatenate(self._pieces)

    # One blank and the wrong parity: a diagonal step across a block corner

    def _needs_gadget(self) -> bool:
        odd_sides = self.start.rows % 2 or self.start.cols % 2
        if self.rule == "orthogonal" or odd_sides or empty_blocks(self.start) != 1:
            return False
        return not judge(self.start, self.target, "orthogonal")

    def _play_gadget(self) -> None:
        """Bring the blank to the last 2 x 2 blocks and swap the parity there."""
        blocks = self._grid.tolist()
        slides: list[Step] = []
        blank = blocks.index(_BLANK)
        while blank // self.q < self.p - 2 or blank % self.q < self.q - 2:
            ahead = blank + (self.q if blank // self.q < self.p - 2 else 1)
            slides.append((blocks[ahead], ahead, blank))
            blocks[blank], blocks[ahead] = blocks[ahead], _BLANK
            blank = ahead
        self._add_slides(slides)
        first = (self.p - 2) * self.q + self.q - 2
        window = [first, first + 1, first + self.q, first + self.q + 1]
        places = [place for place, block in zip((0, 2, 8, 10), window, strict=True)
                  if blocks[block] != _BLANK]  # fmt: skip
        kings = [blocks[block] for block in window if blocks[block] != _BLANK]
        steps = np.array(_swap_parity(tuple(places)), np.int32)
        offset = (self.start.rows - 4) * self.cols + self.cols - 4
        steps[:, 1:] = offset + steps[:, 1:] // 4 * self.cols + steps[:, 1:] % 4
        steps[:, 0] = np.array(kings)[steps[:, 0]]
        self._pieces.append(steps)
        for king, origin, to in zip(steps[:, 0], *self._block(steps[:, 1:]).T, strict=True):
            blocks[origin], blocks[to] = _BLANK, king
        self._grid = np.array(blocks, np.int32)

    # Peeling

    def _prepare(self) -> None:
        from gridkit.sliding.kings.kernels import peel as kings_peel

        self._kernel = kings_peel
        p, q = self.p, self.q
        blanks = int(np.count_nonzero(self._want == _BLANK))
        self._window = _choose_window(self._want.tolist(), p, q, min(blanks, 2))
        want, self._shift = _virtual_target(self._want.tolist(), q, p, self._window, min(blanks, 2))
        self._virtual = np.array(want, np.int32)
        self._order, lines = _peel_order(p, q, self._window, want)
        if blanks <= _FEW_BLANKS:
            for slides in turn_rings(self._grid, self._virtual, p, q):
                self._add_slides(slides)
        count = len(self.ids)
        self._where, self._goal = np.zeros(count, np.int32), np.zeros(count, np.int32)
        for places, grid in ((self._where, self._grid), (self._goal, self._virtual)):
            taken = np.flatnonzero(grid != _BLANK)
            places[grid[taken]] = taken
        prices = self.prices
        self._ranks = lines.astype(np.int32)
        self._price = prices.table(int(lines.max()) + 1, max(p, q))
        # Where blanks are many, the search is short and better than the ways around the tile.
        around = -int(prices.pull > 0 and 8 * blanks < p * q)
        self._pull = prices.pull if blanks <= _FEW_BLANKS else around
        self._locked = np.zeros(p * q, np.uint8)
        self._blanks = np.flatnonzero(self._grid == _BLANK)[:_FEW_BLANKS].astype(np.int32)
        self._counters = np.array([0, 0, 0, len(self._blanks) if self._pull > 0 else 0], np.int64)
        self._out = np.empty((4 * p * q + 1024, 3), np.int32)

    @property
    def done(self) -> bool:
        """Whether the plan is complete."""
        return self._done

    @property
    def slides(self) -> int:
        """Slides found so far by peeling."""
        return 0 if self._done else int(self._counters[1])

    def fraction(self) -> float:
        """Return the part of the lines that is fixed."""
        return 1.0 if self._done else float(self._counters[0]) / max(len(self._order), 1)

    def advance(self, budget: int) -> bool:
        """Peel for about `budget` slides; return whether the plan is complete."""
        if self._done:
            return True
        kernel, counters = self._kernel, self._counters
        status = kernel.peel(
            self._grid, self._where, self._goal, self._virtual, self._ranks,
            self._locked, self._price, self._order, self._out, counters, self._blanks,
            self.p, self.q, self._pull, int(self.rule == "king"), budget,
        )  # fmt: skip
        if status == kernel.FULL:
            self._out.resize((3 * len(self._out) // 2, 3), refcheck=False)
        elif status == kernel.STUCK:
            raise AssertionError("the block planner is stuck")
        elif status == kernel.DONE:
            self._add_slides(self._out[: counters[1]])
            row, col = self._window
            ring = [row * self.q + col, row * self.q + col + 1,
                    (row + 1) * self.q + col + 1, (row + 1) * self.q + col]  # fmt: skip
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


def _choose_window(want: list[int], p: int, q: int, blanks: int) -> tuple[int, int]:
    """Return the top left block of the window in which peeling ends.

    Lines are short and near where all four sides are peeled, so the middle is best; a blank of the
    target that is brought there costs its way.  The weight of the two is measured.
    """
    empty = [divmod(block, q) for block, tile in enumerate(want) if tile == _BLANK]

    def off(window: tuple[int, int]) -> float:
        way = abs(window[0] + 1 - p / 2) + abs(window[1] + 1 - q / 2)
        return 0.06 * p * q * way

    def way(row: int, col: int) -> int:
        ways = (max(row - r, r - row - 1, 0) + max(col - c, c - col - 1, 0) for r, c in empty)
        return sum(sorted(ways)[:blanks])

    best, least = (0, 0), float("inf")
    for window in sorted(((row, col) for row in range(p - 1) for col in range(q - 1)), key=off):
        if off(window) >= least:
            break
        worth = off(window) + 3 * way(*window)
        if worth < least:
            best, least = window, worth
    return best


def _virtual_target(
    want: list[int], q: int, p: int, window: tuple[int, int], blanks: int
) -> tuple[list[int], list[Step]]:
    """Move blanks of the target into the window; return that target and the slides back."""
    want = list(want)
    row, col = window
    inside = [row * q + col, row * q + col + 1, (row + 1) * q + col, (row + 1) * q + col + 1]
    back: list[Step] = []
    while sum(want[block] == _BLANK for block in inside) < blanks:
        before = {block: block for block in inside if want[block] != _BLANK}
        queue = deque(before)
        found = None
        while found is None:
            block = queue.popleft()
            r, c = divmod(block, q)
            for nr, nc in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
                v = nr * q + nc
                if not (0 <= nr < p and 0 <= nc < q) or v in before or v in inside:
                    continue
                before[v] = block
                if want[v] == _BLANK:
                    found = v
                    break
                queue.append(v)
        slides = []
        block = found
        while before[block] != block:
            want[block] = want[before[block]]
            slides.append((want[block], block, before[block]))
            block = before[block]
        want[block] = _BLANK
        back = slides[::-1] + back
    return want, back


def _peel_order(
    p: int, q: int, window: tuple[int, int], want: list[int]
) -> tuple[Ints, NDArray[np.int64]]:
    """Return the entries for the peeling kernel, and the number of each block's line."""
    top, bottom, left, right = 0, p, 0, q
    row, col = window
    entries: list[list[int]] = []
    lines = np.zeros(p * q, np.int64)
    number = 0
    while bottom - top > 2 or right - left > 2:
        if bottom - top >= right - left:
            first = row - top >= bottom - row - 2
            at, inward = (top, q) if first else (bottom - 1, -q)
            blocks = range(at * q + left, at * q + right)
            top, bottom = (top + 1, bottom) if first else (top, bottom - 1)
        else:
            first = col - left >= right - col - 2
            at, inward = (left, 1) if first else (right - 1, -1)
            blocks = range(top * q + at, bottom * q + at, q)
            left, right = (left + 1, right) if first else (left, right - 1)
        lines[list(blocks)] = number
        number += 1
        *rest, a, b = blocks
        if want[a] != _BLANK and want[b] != _BLANK:
            last = [[a, b, a + inward, b + inward, a + 2 * inward, b + 2 * inward]]
        else:  # a blank is fixed last: its cell stays open
            last = [[b] + [-1] * 5, [a] + [-1] * 5]
            if want[b] == _BLANK:
                last.reverse()
        entries += [[block] + [-1] * 5 for block in rest] + last
    lines[[row * q + col, row * q + col + 1, (row + 1) * q + col, (row + 1) * q + col + 1]] = number
    return np.array(entries, np.int32).reshape(-1, 6), lines


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
