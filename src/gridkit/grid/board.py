"""Boards: a rectangular frame of open and blocked cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import pairwise
from typing import cast

from gridkit.errors import InputError, ParseError
from gridkit.grid.cell import Cell, Symmetry, components
from gridkit.render.svg import grid_svg

__all__ = ["Board", "parse_rows"]


def parse_rows(text: str) -> list[str]:
    """Split a grid text into its rows, checked to be of one length.

    Windows line ends, blank lines around the grid and blanks at line ends are accepted.

    Raises
    ------
    ParseError
        On an empty text or ragged rows, naming the line.
    """
    if not isinstance(text, str):
        raise InputError(f"expected a text, got {type(text).__name__}")
    lines = [line.rstrip() for line in text.splitlines()]
    first = next((number for number, line in enumerate(lines) if line), None)
    if first is None:
        raise ParseError("expected at least one row, found an empty text")
    while not lines[-1]:
        lines.pop()
    rows = lines[first:]
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise ParseError(
                f"row {number} has {len(row)} characters (expected {len(rows[0])}, as in row 0)",
                line=first + number + 1,
            )
    return rows


class Board:
    """A rectangular frame whose cells are open or blocked.

    Immutable; equal boards have the same frame and the same open cells.  Iteration gives the open
    cells in row-major order, ``len`` their number.

    Parameters
    ----------
    rows, cols : int
        Size of the frame, each at least 1.
    cells : iterable of (row, col), optional
        The open cells; all of the frame when left out.

    Raises
    ------
    InputError
        For a size below 1, a cell outside the frame or a cell named twice.

    Examples
    --------
    >>> board = Board.parse("..#\\n...")
    >>> len(board), Cell(0, 2) in board
    (5, False)
    >>> print(board)
    ..#
    ...
    """

    __slots__ = ("__dict__", "_cells", "_open", "cols", "rows")

    rows: int
    cols: int
    _cells: tuple[Cell, ...]
    _open: frozenset[Cell]

    def __init__(
        self, rows: int, cols: int, cells: Iterable[tuple[int, int]] | None = None
    ) -> None:
        for name, size in (("rows", rows), ("cols", cols)):
            if isinstance(size, bool) or not isinstance(size, int) or size < 1:
                raise InputError(f"Board: {name} must be an int >= 1, got {size!r}")
        if cells is None:
            ordered = [Cell(row, col) for row in range(rows) for col in range(cols)]
        else:
            ordered = sorted(_checked_cell(cell, rows, cols) for cell in cells)
        for cell, following in pairwise(ordered):
            if cell == following:
                raise InputError(f"Board: cell {tuple(cell)} is named twice")
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "cols", cols)
        object.__setattr__(self, "_cells", tuple(ordered))
        object.__setattr__(self, "_open", frozenset(ordered))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Board is immutable: cannot set {name!r}")

    @classmethod
    def rectangle(cls, rows: int, cols: int) -> Board:
        """Return a `rows` x `cols` board without blocked cells.

        Examples
        --------
        >>> len(Board.rectangle(6, 10))
        60
        """
        return cls(rows, cols)

    @classmethod
    def parse(cls, text: str, *, open: str = ".", blocked: str = "#") -> Board:
        """Read a board drawn with one character a cell.

        Parameters
        ----------
        text : str
            Rows of equal length; blank lines around the grid and blanks at line ends are ignored.
        open, blocked : str
            The characters that mean an open and a blocked cell (each may list several).

        Raises
        ------
        ParseError
            On an empty text, ragged rows or an unknown character, saying where.

        Examples
        --------
        >>> Board.parse("_X\\n__", open="_", blocked="X")
        Board.parse('.#\\n..')
        """
        rows = parse_rows(text)
        cells = []
        for number, row in enumerate(rows):
            for col, mark in enumerate(row):
                if mark in open:
                    cells.append(Cell(number, col))
                elif mark not in blocked:
                    raise ParseError(
                        f"invalid character {mark!r} at row {number}, column {col} "
                        f"(expected {open!r} or {blocked!r})"
                    )
        return cls(len(rows), len(rows[0]), cells)

    def without(self, cells: Iterable[tuple[int, int]]) -> Board:
        """Return the board with these cells blocked as well.

        Examples
        --------
        >>> print(Board.rectangle(2, 2).without([(0, 0)]))
        #.
        ..
        """
        removed = {_checked_cell(cell, self.rows, self.cols) for cell in cells}
        return Board(self.rows, self.cols, self._open - removed)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The open cells in row-major order."""
        return self._cells

    @cached_property
    def index(self) -> dict[Cell, int]:
        """Position of each open cell in `cells`."""
        return {cell: number for number, cell in enumerate(self._cells)}

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the symmetries of the square that map the board to itself, identity first.

        Examples
        --------
        >>> len(Board.rectangle(6, 10).symmetries()), len(Board.rectangle(8, 8).symmetries())
        (4, 8)
        """
        square = self.rows == self.cols
        return tuple(
            symmetry
            for symmetry in Symmetry
            if (square or not symmetry.swaps_axes) and self._open.issuperset(self._images(symmetry))
        )

    def cell_permutation(self, symmetry: Symmetry) -> tuple[int, ...]:
        """Return where a symmetry of the board sends each open cell, as indices into `cells`."""
        index = cast("dict[tuple[int, int], int]", self.index)  # a pair hashes as its Cell
        return tuple(map(index.__getitem__, self._images(symmetry)))

    def _images(self, symmetry: Symmetry) -> list[tuple[int, int]]:
        """Return where a symmetry of the frame sends each open cell."""
        row0, col0 = symmetry.image(Cell(0, 0), self.rows, self.cols)
        (a, d), (b, e) = symmetry.vector(1, 0), symmetry.vector(0, 1)
        return [(row0 + a * r + b * c, col0 + d * r + e * c) for r, c in self._cells]

    def transformed(self, symmetry: Symmetry) -> Board:
        """Return the board turned or mirrored.

        Examples
        --------
        >>> print(Board.parse("..#").transformed(Symmetry.ROT90))
        .
        .
        #
        """
        rows, cols = (self.cols, self.rows) if symmetry.swaps_axes else (self.rows, self.cols)
        return Board(rows, cols, (symmetry.image(c, self.rows, self.cols) for c in self._cells))

    def components(self) -> list[frozenset[Cell]]:
        """Return the edge-connected parts of the open cells."""
        return components(self._cells)

    def __iter__(self) -> Iterator[Cell]:
        return iter(self._cells)

    def __len__(self) -> int:
        return len(self._cells)

    def __bool__(self) -> bool:
        return True  # a board without open cells is a board

    def __contains__(self, cell: object) -> bool:
        return cell in self._open

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return (self.rows, self.cols, self._cells) == (other.rows, other.cols, other._cells)

    def __hash__(self) -> int:
        return hash((self.rows, self.cols, self._cells))

    def __str__(self) -> str:
        return "\n".join(
            "".join("." if (row, col) in self._open else "#" for col in range(self.cols))
            for row in range(self.rows)
        )

    def __repr__(self) -> str:
        return f"Board.parse({str(self)!r})"

    def __reduce__(self) -> tuple[type[Board], tuple[int, int, tuple[Cell, ...]]]:
        return Board, (self.rows, self.cols, self._cells)

    def _repr_svg_(self) -> str:
        labels = [
            [None if (row, col) in self._open else -1 for col in range(self.cols)]
            for row in range(self.rows)
        ]
        return grid_svg(labels)

    def _repr_html_(self) -> str:
        return self._repr_svg_()


def _checked_cell(cell: tuple[int, int], rows: int, cols: int) -> Cell:
    if (
        not isinstance(cell, tuple)
        or len(cell) != 2
        or not all(isinstance(part, int) and not isinstance(part, bool) for part in cell)
    ):
        raise InputError(f"Board: expected a cell as (row, col) of ints, got {cell!r}")
    row, col = cell
    if not (0 <= row < rows and 0 <= col < cols):
        raise InputError(f"Board: cell ({row}, {col}) lies outside the {rows} x {cols} frame")
    return Cell(row, col)
