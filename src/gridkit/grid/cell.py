"""Cells, directions and the eight symmetries of the square."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

__all__ = ["Cell", "Direction", "Symmetry"]


class Cell(NamedTuple):
    """A cell of a square grid: 0-based row and column, counted from the top left.

    Examples
    --------
    >>> Cell(2, 3) + Direction.UP
    Cell(row=1, col=3)
    """

    row: int
    col: int

    def __add__(self, step: object) -> Cell:
        """Return the neighbour one step in a `Direction`, or the sum with a (row, col) offset."""
        if isinstance(step, Direction):
            step = step.delta
        if isinstance(step, tuple) and len(step) == 2:
            return Cell(self.row + step[0], self.col + step[1])
        return NotImplemented

    def neighbours(self) -> tuple[Cell, Cell, Cell, Cell]:
        """Return the four edge neighbours, in the order of `Direction`."""
        row, col = self
        return Cell(row, col + 1), Cell(row, col - 1), Cell(row - 1, col), Cell(row + 1, col)


class Direction(Enum):
    """The four directions; the value is the code used in arrays and judged inputs (0-based).

    Examples
    --------
    >>> Direction.UP, Direction.UP.delta
    (<Direction.UP: 2>, (-1, 0))
    """

    RIGHT = 0
    LEFT = 1
    UP = 2
    DOWN = 3

    @property
    def delta(self) -> tuple[int, int]:
        """(row, column) offset of one step."""
        return ((0, 1), (0, -1), (-1, 0), (1, 0))[self.value]

    @property
    def opposite(self) -> Direction:
        """The direction turned by half a turn."""
        return Direction(self.value ^ 1)

    def turned(self, quarter_turns: int) -> Direction:
        """Return the direction after clockwise quarter turns.

        Examples
        --------
        >>> Direction.UP.turned(1)
        <Direction.RIGHT: 0>
        """
        clockwise = (Direction.RIGHT, Direction.DOWN, Direction.LEFT, Direction.UP)
        return clockwise[(clockwise.index(self) + quarter_turns) % 4]


class Symmetry(Enum):
    """The eight symmetries of the square (the dihedral group D4).

    The value is (quarter turns clockwise, mirrored): a mirror, if any, swaps left and right
    before the turns.

    Examples
    --------
    >>> Symmetry.ROT90.image(Cell(0, 2), rows=2, cols=3)
    Cell(row=2, col=1)
    """

    IDENTITY = (0, False)
    ROT90 = (1, False)
    ROT180 = (2, False)
    ROT270 = (3, False)
    MIRROR_LEFT_RIGHT = (0, True)
    MIRROR_DIAGONAL = (3, True)
    MIRROR_UP_DOWN = (2, True)
    MIRROR_ANTIDIAGONAL = (1, True)

    @property
    def quarter_turns(self) -> int:
        """Clockwise quarter turns, 0 to 3, made after the mirror if there is one."""
        return self.value[0]

    @property
    def mirrors(self) -> bool:
        """Whether left and right are exchanged (the orientation of the plane is reversed)."""
        return self.value[1]

    @property
    def swaps_axes(self) -> bool:
        """Whether rows become columns."""
        return self.quarter_turns % 2 == 1

    def image(self, cell: Cell, rows: int, cols: int) -> Cell:
        """Return where a cell of a `rows` x `cols` frame goes in the transformed frame."""
        row, col = cell
        if self.mirrors:
            col = cols - 1 - col
        for _ in range(self.quarter_turns):
            row, col = col, rows - 1 - row
            rows, cols = cols, rows
        return Cell(row, col)

    def vector(self, row: int, col: int) -> tuple[int, int]:
        """Return the image of an offset (the linear part of the symmetry)."""
        if self.mirrors:
            col = -col
        for _ in range(self.quarter_turns):
            row, col = col, -row
        return row, col

    def after(self, first: Symmetry) -> Symmetry:
        """Return the symmetry that does `first` and then this one."""
        turns = -first.quarter_turns if self.mirrors else first.quarter_turns
        return Symmetry(((self.quarter_turns + turns) % 4, self.mirrors != first.mirrors))

    @property
    def inverse(self) -> Symmetry:
        """The symmetry that undoes this one."""
        return self if self.mirrors else Symmetry((-self.quarter_turns % 4, False))
