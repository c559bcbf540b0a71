"""Puzzles in which every block keeps to one line, as in Rush Hour: a state is a word of positions.

Blocks of one shape on one line cannot pass each other, so interchangeable blocks need no merging.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from gridkit.grid.cell import Cell
from gridkit.run import Work
from gridkit.sliding.blocks.kernels.codes import BUDGET, EXHAUSTED, FOUND
from gridkit.sliding.blocks.packing import edge_cells, packing_of
from gridkit.sliding.blocks.rules import Axis, BlockMetric, Instance, Snapshot, Steps

__all__ = ["PlainRailSpace", "Rail", "RailSearch", "Rails", "rails_of"]

# A word holds the positions, a bit for each block that may sleep, and two bits of the distance.
_BITS = 62
_CELLS = 64
# Bytes that a state of `PlainRailSpace` holds, about.
_STATE_BYTES = 250


@dataclass(frozen=True, slots=True)
class Rail:
    """The line of one block.

    Attributes
    ----------
    masks : tuple of int
        The cells at each position, as bits.
    stride : int
        How far the cells shift from one position to the next.
    first : int
        Row-major reference cell at the first position.
    at : int
        The position at the start.
    last : int
        The last position.
    field : int
        The bits that hold a position: 2 ** n - 1.
    inwards : int
        How near the rail is to the middle of the board; 0 is farthest.
    """

    masks: tuple[int, ...]
    stride: int
    first: int
    at: int
    last: int
    field: int
    inwards: int


@dataclass(frozen=True, slots=True)
class Rails:
    """The blocks of a puzzle and its goal.

    Attributes
    ----------
    rails : list of Rail
        One a block.
    moving : list of int
        The blocks that can move at all, in the order in which they have fields.
    shifts : list of int
        Where the fields begin.
    bits : int
        Their total size.
    fixed : int
        The cells of the other blocks.
    start : int
        Positions at the start.
    goal : list of (int, int, int), or None
        (mask, value, number) of each way to meet the condition of that number; None when some
        condition cannot be met.
    """

    rails: list[Rail]
    moving: list[int]
    shifts: list[int]
    bits: int
    fixed: int
    start: int
    goal: list[tuple[int, int, int]] | None
    cols: int

    def is_solved(self) -> bool:
        """Return whether the start meets the goal."""
        return self.meets_goal(self.start)

    def meets_goal(self, positions: int) -> bool:
        """Return whether a state meets every condition of the goal."""
        if self.goal is None:
            return False
        met = {number for mask, value, number in self.goal if positions & mask == value}
        return len(met) == self.goal[-1][2] + 1

    def places(self, key: int) -> list[Cell]:
        """Return the blocks' reference cells in a state."""
        places = [rail.first + rail.at * rail.stride for rail in self.rails]
        for block, shift in zip(self.moving, self.shifts, strict=True):
            rail = self.rails[block]
            places[block] = rail.first + (key >> shift & rail.field) * rail.stride
        return [Cell(*divmod(place, self.cols)) for place in places]


def rails_of(
    instance: Instance, *, mirror: bool = True, check: Callable[[], None] = lambda: None
) -> Rails | None:
    """Return the rails of a puzzle of this sort, or None for other puzzles.

    `mirror`: None, too, for puzzles with a mirror symmetry that other searches can use; `check` as
    for `packing_of`.
    """
    rows, cols = instance.rows, instance.cols
    if rows * cols > _CELLS or any(block.axis is None for block in instance.blocks):
        return None
    if instance.listed is not None or any(
        block not in instance.alone for block, _ in instance.goal
    ):
        return None
    rails = [
        _rail(rows, cols, block.allowed, block.cells, block.axis)
        for block in instance.blocks
        if block.axis is not None
    ]
    moving = [number for number, rail in enumerate(rails) if rail.last]
    # Blocks whose rails others cross often come last: so the search can leave out more moves.
    moving.sort(key=lambda number: rails[number].inwards)
    shifts = []
    bits = start = fixed = 0
    for number in moving:
        rail = rails[number]
        shifts.append(bits)
        start |= rail.at << bits
        bits += rail.field.bit_length()
    for rail in rails:
        if not rail.last:
            fixed |= rail.masks[0]
    if bits + len(moving) > _BITS:
        return None
    goal, covered = _goal(instance, rails, dict(zip(moving, shifts, strict=True)))
    if (
        mirror
        and _has_symmetric_box(covered, rows, cols)
        and packing_of(instance, check).mirror is not None
    ):
        return None
    return Rails(rails, moving, shifts, bits, fixed, start, goal, cols)


@lru_cache(maxsize=4096)
def _rail(rows: int, cols: int, allowed: int, cells: Sequence[Cell], axis: Axis) -> Rail:
    """Go along a line both ways.  Cached, because puzzles on one board share most lines."""
    mask = 0
    for row, col in cells:
        mask |= 1 << (row * cols + col)
    across = axis == "horizontal"
    stride = 1 if across else cols
    along = [cell.col if across else cell.row for cell in cells]
    back, size = min(along), cols if across else rows
    ahead = size - 1 - max(along)
    at = 0
    while at < back and not mask >> stride * (at + 1) & ~allowed:
        at += 1
    last = at
    while last - at < ahead and not mask << stride * (last - at + 1) & ~allowed:
        last += 1
    first = mask >> stride * at
    top, left = min(cell.row for cell in cells), min(cell.col for cell in cells)
    masks = tuple(first << stride * position for position in range(last + 1))
    field = (1 << last.bit_length()) - 1
    line, lines = (top, rows) if across else (left, cols)
    inwards = min(line, lines - 1 - line)
    return Rail(masks, stride, top * cols + left - stride * at, at, last, field, inwards)


def _goal(
    instance: Instance, rails: list[Rail], shifts: dict[int, int]
) -> tuple[list[tuple[int, int, int]] | None, int]:
    """Return the rows of the goal, and all cells that blocks cover where they meet it."""
    rows, covered = [], 0
    for number, (block, target) in enumerate(instance.goal):
        rail = rails[block]
        positions = list(_goal_positions(instance, rail, target))
        if not positions:
            return None, 0
        shift = shifts.get(block, 0)
        for position in positions:
            covered |= rail.masks[position]
            rows.append((rail.field << shift, position << shift, number))  # both 0 if it stands
    return rows, covered


def _goal_positions(instance: Instance, rail: Rail, target: Cell | str) -> Iterator[int]:
    if isinstance(target, str):
        edge = edge_cells(instance.rows, instance.cols, target)
        for position, mask in enumerate(rail.masks):
            if mask & edge:
                yield position
    else:
        position, rest = divmod(target[0] * instance.cols + target[1] - rail.first, rail.stride)
        if rest == 0 and 0 <= position < len(rail.masks):
            yield position


def _has_symmetric_box(covered: int, rows: int, cols: int) -> bool:
    """Return whether a mirror or half turn may map cells to themselves, by how they lie."""
    places = [divmod(at, cols) for at in range(covered.bit_length()) if covered >> at & 1]
    if not places:
        return True
    top, left = min(row for row, _ in places), min(col for _, col in places)
    bottom = rows - 1 - max(row for row, _ in places)
    right = cols - 1 - max(col for _, col in places)
    if top == bottom or left == right:
        return True
    return rows == cols and ((top, bottom) == (left, right) or (top, bottom) == (right, left))


class PlainRailSpace:
    """States reached from the start layer by layer, in plain Python.

    It takes the states, and so finds the same plan, in the order of the compiled `RailSpace`
    (sleep sets: see `gridkit.sliding.blocks.kernels.rails`).
    """

    def __init__(self, rails: Rails, metric: BlockMetric) -> None:
        self.rails = rails
        self._is_step = metric == "step"
        self._lines = [rails.rails[block] for block in rails.moving]
        paths = [_union(line.masks) for line in self._lines]
        # By block and position: the blocks, as bits, whose rails it lies on.
        self._meets = [
            [sum(1 << own for own, path in enumerate(paths) if path & mask) for mask in line.masks]
            for line in self._lines
        ]
        self._asleep = {rails.start: 0}
        self._layer = {rails.start: 0}
        self._queue = [rails.start]
        self._goal: int | None = None
        self.expanded = 0

    @property
    def size(self) -> int:
        """Number of states reached."""
        return len(self._queue)

    @property
    def nbytes(self) -> int:
        """Bytes held by the states, about."""
        return _STATE_BYTES * self.size

    def snapshot(self) -> Snapshot:
        """Return the states as plain data."""
        return self._asleep, self._layer, self._queue, self._goal, self.expanded

    def restore(self, data: Snapshot) -> None:
        """Go on from a snapshot."""
        self._asleep, self._layer, self._queue, self._goal, self.expanded = data

    def advance(self, budget: int) -> int:
        """Expand at most `budget` states."""
        asleep_of, layer_of, queue = self._asleep, self._layer, self._queue
        for positions in queue[self.expanded : self.expanded + budget]:
            self.expanded += 1
            layer = layer_of[positions] + 1
            for reached, asleep in self._moves(positions, asleep_of[positions]):
                if reached not in layer_of:
                    asleep_of[reached], layer_of[reached] = asleep, layer
                    queue.append(reached)
                    if self.rails.meets_goal(reached):
                        self._goal = reached
                        return FOUND
                elif layer_of[reached] == layer:
                    asleep_of[reached] &= asleep  # what does not sleep by every way wakes up
        return EXHAUSTED if self.expanded == len(queue) else BUDGET

    def _moves(self, positions: int, asleep: int) -> Iterator[tuple[int, int]]:
        """Iterate over the states one move of a waking block away, and what sleeps there."""
        cells = self.rails.fixed
        places = []
        for line, shift in zip(self._lines, self.rails.shifts, strict=True):
            at = positions >> shift & line.field
            places.append(at)
            cells |= line.masks[at]
        for car, (line, shift, at) in enumerate(
            zip(self._lines, self.rails.shifts, places, strict=True)
        ):
            bit = 1 << car
            if asleep & bit:
                continue
            others = cells ^ line.masks[at]
            sleepers = asleep | (bit - 1)
            own = 0 if self._is_step else bit  # two slides of one block in a row are one
            for turn in (1, -1):
                met, reached = self._meets[car][at], at + turn
                while 0 <= reached <= line.last and not line.masks[reached] & others:
                    met |= self._meets[car][reached]
                    yield positions + ((reached - at) << shift), (sleepers & ~met) | own
                    if self._is_step:
                        break
                    reached += turn

    def steps(self) -> list[tuple[int, int, int]]:
        """Return the steps to the goal as (block, reference cell before, and after)."""
        assert self._goal is not None
        positions, steps = self._goal, []
        for layer in range(self._layer[positions] - 1, -1, -1):
            before = next(
                own for own, _ in self._moves(positions, 0) if self._layer.get(own) == layer
            )
            for block, line, shift in zip(
                self.rails.moving, self._lines, self.rails.shifts, strict=True
            ):
                begin, end = before >> shift & line.field, positions >> shift & line.field
                turn = 1 if end > begin else -1
                for at in range(end, begin, -turn):
                    place = line.first + at * line.stride
                    steps.append((block, place - turn * line.stride, place))
            positions = before
        return steps[::-1]


def _union(masks: Sequence[int]) -> int:
    cells = 0
    for mask in masks:
        cells |= mask
    return cells


class RailSpace(Protocol):
    """What `RailSearch` needs of the states."""

    @property
    def size(self) -> int:
        """Number of states reached."""

    @property
    def expanded(self) -> int:
        """Number of states expanded."""

    @property
    def nbytes(self) -> int:
        """Bytes held by the states."""

    def advance(self, budget: int) -> int:
        """Expand at most `budget` states."""

    def steps(self) -> Steps:
        """Return the steps to the goal as (block, reference cell before, and after)."""

    def snapshot(self) -> Snapshot:
        """Return the states as plain data."""

    def restore(self, data: Snapshot) -> None:
        """Go on from a snapshot."""


class RailSearch(Work):
    """Search for a shortest way from the start to the goal."""

    def __init__(self, space: RailSpace) -> None:
        self.steps: Steps | None = None
        self._space = space

    @property
    def nodes(self) -> int:
        """States expanded so far."""
        return self._space.expanded

    @property
    def found(self) -> int:
        """States reached so far."""
        return self._space.size

    def fraction(self) -> float:
        """Return the part of the known states that is expanded."""
        return self._space.expanded / (self._space.size + 1)

    def memory(self) -> int:
        """Return the bytes held by the states."""
        return self._space.nbytes

    def token(self) -> Snapshot:
        """Return the states."""
        return self._space.snapshot()

    def restore(self, data: Snapshot) -> None:
        """Go on from what `token` returned."""
        self._space.restore(data)

    def advance(self, budget: int) -> bool:
        """Expand at most `budget` states; return whether the answer is known."""
        status = self._space.advance(budget)
        if status == FOUND:
            self.steps = self._space.steps()
        return status in (EXHAUSTED, FOUND)
