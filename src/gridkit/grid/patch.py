"""Patches: finite sets of cells of any lattice, to be covered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, product

from gridkit import render
from gridkit.errors import InputError, UnsupportedError
from gridkit.grid.lattice import Lattice
from gridkit.grid.lattice_scene import lattice_scene
from gridkit.grid.lattice_text import lattice_text, read_lattice_text, text_rows
from gridkit.grid.region import Region, Rows
from gridkit.reading import check_size, read_int

__all__ = ["Patch"]

Cell = tuple[int, ...]


class Patch(Region[Cell]):
    """A region of any lattice: a finite set of cells.

    Immutable.  Iteration gives the cells in increasing order, ``len`` their number.  It may have
    holes and several parts.

    Parameters
    ----------
    lattice : Lattice or str
        Where the cells are, or the name of a lattice that comes with the library.
    cells : iterable of cells
        As ``lattice.axes`` says.

    Raises
    ------
    InputError
        For a cell of another lattice, or one named twice.

    Examples
    --------
    >>> patch = Patch("triangular", [(0, 0, 0), (0, 0, 1)])
    >>> print(patch)
    VA
    >>> len(Patch.hexagon("hexagonal", 3)), len(Patch.triangle("triangular", 6))
    (19, 36)
    """

    _fields = ("lattice", "cells")

    _lattice: Lattice

    def __init__(self, lattice: Lattice | str, cells: Iterable[Sequence[int]]) -> None:
        where = Lattice.of(lattice)
        ordered = sorted(where.read_cells(cells, "Patch"))
        for cell, following in pairwise(ordered):
            if cell == following:
                raise InputError(f"Patch: cell {cell} is named twice")
        self._put(_lattice=where, _cells=tuple(ordered))

    @classmethod
    def parse(cls, lattice: Lattice | str, text: str) -> Patch:
        """Read a drawing, as `gridkit.Polyform.parse` does; the first mark has translation 0.

        Raises
        ------
        ParseError
            For an unknown character, a mark where its kind cannot stand, or no cell, naming line
            and column.

        Examples
        --------
        >>> Patch.parse("sticks", " -\\n|\\n -").cells
        ((0, 0, 0), (0, 0, 1), (1, 0, 0))
        """
        where = Lattice.of(lattice)
        return cls(where, read_lattice_text(where, text))

    @classmethod
    def block(cls, lattice: Lattice | str, *sides: int) -> Patch:
        """Return so many unit cells along each axis: a parallelogram of rows and columns.

        Examples
        --------
        >>> print(Patch.block("hexagonal", 2, 3))
        # # #
         # # #
        """
        where = Lattice.of(lattice)
        names = where.axes[: where.dimension]
        if len(sides) != len(names):
            raise InputError(f"Patch.block: expected {', '.join(names)}, got {len(sides)} numbers")
        lengths = [
            read_int(side, f"Patch.block: {name}s", 1)
            for side, name in zip(sides, names, strict=True)
        ]
        check_size("Patch", *lengths, where.kinds)
        kinds = [range(where.kinds)] if where.kinds > 1 else []
        return cls(where, product(*map(range, lengths), *kinds))

    @classmethod
    def triangle(cls, lattice: Lattice | str, side: int) -> Patch:
        """Return the triangle of so many hexagons, or triangles, along a side.

        Examples
        --------
        >>> print(Patch.triangle("triangular", 3))
        VAVAV
        .VAV.
        ..V..
        """
        where, length = _of_triangles(lattice, side, "triangle")
        reach = length if where.kinds > 1 else length - 1
        return cls(
            where,
            (cell for cell in _around(where, length) if _inside_triangle(where, cell, reach)),
        )

    @classmethod
    def hexagon(cls, lattice: Lattice | str, side: int) -> Patch:
        """Return the hexagon of so many hexagons, or triangles, along a side.

        Examples
        --------
        >>> print(Patch.hexagon("hexagonal", 2))
         # #
        # # #
         # #
        """
        where, length = _of_triangles(lattice, side, "hexagon")
        reach = length if where.kinds > 1 else length - 1
        return cls(
            where,
            (cell for cell in _around(where, length) if _inside_hexagon(where, cell, reach)),
        )

    @property
    def lattice(self) -> Lattice:
        """Where the cells are."""
        return self._lattice

    def without(self, cells: Iterable[Sequence[int]]) -> Patch:
        """Return the patch without some of its cells.

        Examples
        --------
        >>> print(Patch.hexagon("hexagonal", 2).without([(0, 0)]))
         # #
        # . #
         # #
        """
        removed = set(self._lattice.read_cells(cells, "Patch.without"))
        unknown = removed.difference(self._cells)
        if unknown:
            raise InputError(f"Patch.without: {min(unknown)} is no cell of the patch")
        return Patch(self._lattice, (cell for cell in self._cells if cell not in removed))

    def rows_of(self, label_of: Mapping[Cell, int]) -> Rows:
        """Return the labels of cells as the text of the patch has them."""
        return text_rows(self._lattice, {cell: label_of.get(cell) for cell in self._cells})

    def _key(self) -> tuple[object, ...]:
        return self._lattice, self._cells

    def __str__(self) -> str:
        lattice = self._lattice
        if not self._cells:
            return ""
        return lattice_text(lattice, {cell: lattice.mark(cell) for cell in self._cells})

    def __repr__(self) -> str:
        name = repr(self._lattice)
        if name == f"Lattice({self._lattice.name!r})":
            name = repr(self._lattice.name)
        return f"Patch({name}, {list(self._cells)!r})"

    def _scene(self) -> render.Scene:
        owners: dict[Cell, int | None] = dict.fromkeys(self._cells)
        return lattice_scene(self._lattice, owners, title=f"patch of {len(self)} cells")


def _of_triangles(lattice: Lattice | str, side: int, what: str) -> tuple[Lattice, int]:
    """Read a lattice of hexagons or triangles, and the side of a figure."""
    where = Lattice.of(lattice)
    if where.name not in ("hexagonal", "triangular"):
        raise UnsupportedError(
            f"Patch.{what}: expected the hexagonal or the triangular lattice, got the {where} one"
        )
    length = read_int(side, f"Patch.{what}: side", 1)
    check_size("Patch", 2 * length, 2 * length, where.kinds)
    return where, length


def _around(lattice: Lattice, side: int) -> Iterable[Cell]:
    kinds = [range(lattice.kinds)] if lattice.kinds > 1 else []
    span = range(-side, side + 1)
    return product(span, span, *kinds)


def _thrice_middle(lattice: Lattice, cell: Cell) -> tuple[int, int]:
    """Return three times the place of the middle of a cell, in rows and columns."""
    row, col, *kind = cell
    return 3 * row + sum(kind) + len(kind), 3 * col + sum(kind) + len(kind)


def _inside_triangle(lattice: Lattice, cell: Cell, reach: int) -> bool:
    row, col = _thrice_middle(lattice, cell)
    return row >= 0 and col >= 0 and row + col <= 3 * reach


def _inside_hexagon(lattice: Lattice, cell: Cell, reach: int) -> bool:
    row, col = _thrice_middle(lattice, cell)
    return max(abs(row), abs(col), abs(row + col)) <= 3 * reach
