"""Puzzles in which every block keeps to one line, as in Rush Hour: a state is a word of positions.

Blocks of one shape on one line cannot pass each other, so interchangeable blocks need no merging.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from gridkit.grid.cell import Cell
from gridkit.sliding.blocks.packing import edge_cells, free_cells

if TYPE_CHECKING:
    from gridkit.sliding.blocks.puzzle import SlidingPuzzle

__all__ = ["Rail", "Rails", "rails_of"]

# A word holds the positions, a bit for each block that may sleep, and two bits of the distance.
_BITS = 62
_CELLS = 64


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
        if self.goal is None:
            return False
        conditions = {number for _, _, number in self.goal}
        return len({n for mask, value, n in self.goal if self.start & mask == value}) == len(
            conditions
        )

    def places(self, key: int) -> list[Cell]:
        """Return the blocks' reference cells in a state."""
        found = [rail.first + rail.at * rail.stride for rail in self.rails]
        for block, shift in zip(self.moving, self.shifts, strict=True):
            rail = self.rails[block]
            found[block] = rail.first + (key >> shift & rail.field) * rail.stride
        return [Cell(*divmod(place, self.cols)) for place in found]


def rails_of(puzzle: SlidingPuzzle, *, mirror: bool = True) -> Rails | None:
    """Return the rails of a puzzle of this sort, or None for other puzzles.

    `mirror`: None, too, for puzzles with a mirror symmetry that other searches can use.
    """
    cells = puzzle.rows * puzzle.cols
    if len(puzzle.axes) < len(puzzle.blocks) or cells > _CELLS:
        return None
    if puzzle.interchangeable not in ("unnamed", "none"):
        return None
    rails = _rails(puzzle)
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
    goal, covered = _goal(puzzle, rails, dict(zip(moving, shifts, strict=True)))
    if (
        mirror
        and _has_symmetric_box(covered, puzzle.rows, puzzle.cols)
        and puzzle.packing.mirror is not None
    ):
        return None
    return Rails(rails, moving, shifts, bits, fixed, start, goal, puzzle.cols)


def _rails(puzzle: SlidingPuzzle) -> list[Rail]:
    rows, cols, axes = puzzle.rows, puzzle.cols, puzzle.axes
    free = free_cells(puzzle.board)
    if not puzzle.gates:
        return [_rail(rows, cols, free, own, axes[name]) for name, own in puzzle.blocks.items()]
    rails = []
    for name, own in puzzle.blocks.items():
        allowed = free
        for row, col in puzzle.closed_cells(name):
            allowed &= ~(1 << (row * cols + col))
        rails.append(_rail(rows, cols, allowed, own, axes[name]))
    return rails


@lru_cache(maxsize=4096)
def _rail(rows: int, cols: int, allowed: int, cells: Sequence[Cell], axis: str) -> Rail:
    """Go along a line both ways.  Remembered, because puzzles on one board share most lines."""
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
    puzzle: SlidingPuzzle, rails: list[Rail], shifts: dict[int, int]
) -> tuple[list[tuple[int, int, int]] | None, int]:
    """Return the rows of the goal, and all cells that blocks cover where they meet it."""
    rows, covered = [], 0
    for number, (name, wanted) in enumerate(puzzle.goal.items()):
        block = puzzle.number[name]
        rail = rails[block]
        positions = list(_goal_positions(puzzle, rail, wanted))
        if not positions:
            return None, 0
        shift = shifts.get(block, 0)
        for position in positions:
            covered |= rail.masks[position]
            rows.append((rail.field << shift, position << shift, number))  # both 0 if it stands
    return rows, covered


def _goal_positions(puzzle: SlidingPuzzle, rail: Rail, wanted: Cell | str) -> Iterator[int]:
    if isinstance(wanted, str):
        edge = edge_cells(puzzle.rows, puzzle.cols, wanted)
        for position, mask in enumerate(rail.masks):
            if mask & edge:
                yield position
    else:
        position, rest = divmod(wanted[0] * puzzle.cols + wanted[1] - rail.first, rail.stride)
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
