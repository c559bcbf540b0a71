"""Boards: a rectangular frame of open and blocked cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import cast

from gridkit import render
from gridkit.errors import InputError
from gridkit.grid.cell import Cell, Symmetry
from gridkit.grid.components import components
from gridkit.grid.lattice import Lattice
from gridkit.grid.region import Region, Rows
from gridkit.grid.text import read_drawing
from gridkit.reading import check_size, read_cells, read_int

__all__ = ["Board"]

_SQUARE = Lattice("square")


class Board(Region[Cell]):
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

    _fields = ("rows", "cols", "cells")

    rows: int
    cols: int
    _cells: tuple[Cell, ...]
    _open: frozenset[Cell]

    def __init__(self, rows: int, cols: int, cells: Iterable[Sequence[int]] | None = None) -> None:
        rows, cols = read_int(rows, "Board: rows", 1), read_int(cols, "Board: cols", 1)
        check_size("Board", rows, cols)
        if cells is None:
            ordered = [Cell(row, col) for row in range(rows) for col in range(cols)]
        else:
            ordered = sorted(_cells_inside(cells, rows, cols))
            for cell, following in pairwise(ordered):
                if cell == following:
                    raise InputError(f"Board: cell {tuple(cell)} is named twice")
        self._put(rows=rows, cols=cols, _cells=tuple(ordered), _open=frozenset(ordered))

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
            The characters that mean an open and a blocked cell (each may list several; a blank
            may be one of them).

        Raises
        ------
        ParseError
            On an empty text, ragged rows or an unknown character, naming line and column.

        Examples
        --------
        >>> Board.parse("_X\\n__", open="_", blocked="X")
        Board.parse('.#\\n..')
        """
        return cls(*read_drawing(text, open, blocked))

    def without(self, cells: Iterable[Sequence[int]]) -> Board:
        """Return the board with these cells blocked as well.

        Examples
        --------
        >>> print(Board.rectangle(2, 2).without([(0, 0)]))
        #.
        ..
        """
        removed = _cells_inside(cells, self.rows, self.cols)
        return Board(self.rows, self.cols, self._open.difference(removed))

    @property
    def lattice(self) -> Lattice:
        """The square lattice."""
        return _SQUARE

    def rows_of(self, label_of: Mapping[tuple[int, ...], int]) -> Rows:
        """Return the labels of cells, row by row: None where a cell has none, -1 where blocked."""
        return tuple(
            tuple(
                label_of.get((row, col)) if (row, col) in self._open else -1
                for col in range(self.cols)
            )
            for row in range(self.rows)
        )

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
        index = cast("Mapping[tuple[int, int], int]", self.index)  # a pair hashes as its Cell
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
        return [frozenset(part) for part in components(self._cells, Cell.neighbours)]

    def __contains__(self, cell: object) -> bool:
        return (tuple(cell) if isinstance(cell, list) else cell) in self._open

    def _key(self) -> tuple[object, ...]:
        return self.rows, self.cols, self._cells

    def __str__(self) -> str:
        return "\n".join(
            "".join("." if (row, col) in self._open else "#" for col in range(self.cols))
            for row in range(self.rows)
        )

    def __repr__(self) -> str:
        return f"Board.parse({str(self)!r})"

    def _scene(self) -> render.Scene:
        """Return the frame with the blocked cells hatched."""
        labels = [
            [None if (row, col) in self._open else -1 for col in range(self.cols)]
            for row in range(self.rows)
        ]
        return render.grid_scene(labels, title=f"board of {self.rows} x {self.cols}")


def _cells_inside(cells: Iterable[Sequence[int]], rows: int, cols: int) -> Iterator[Cell]:
    for cell in read_cells(cells, "Board"):
        row, col = cell
        if not (0 <= row < rows and 0 <= col < cols):
            raise InputError(f"Board: cell ({row}, {col}) lies outside the {rows} x {cols} frame")
        yield Cell(row, col)
