"""Lattices: periodic patterns of cells, each given by a table.

A cell is a translation and a kind: (row, col) on a lattice of one kind of cell, (row, col, kind) on
others, with the layer in front where there are layers.  What a lattice knows is computed from its
table (`gridkit.grid.tables`): neighbours from the sides that polygons share, the point group from
its generators.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from gridkit.errors import InputError
from gridkit.grid.lattice_geometry import (
    Isometry,
    Neighbour,
    check_table,
    table_group,
    table_neighbours,
    vector_sum,
)
from gridkit.grid.tables import TABLES, Table, Vector
from gridkit.reading import read_cells
from gridkit.value import Value, put

__all__ = ["Lattice"]


class Lattice(Value):
    """A periodic pattern of cells: squares, cubes, hexagons, triangles, kites, sticks and more.

    Immutable; equal lattices have equal tables.

    Parameters
    ----------
    table : str or Table
        The name of a lattice that comes with the library (see `names`), or the table of another.

    Raises
    ------
    InputError
        For an unknown name, or a table that describes no lattice.

    Notes
    -----
    A cell is (row, col) or (row, col, kind), with the layer in front on lattices of layers; `axes`
    has the names of its coordinates.

    Examples
    --------
    >>> hexagons = Lattice("hexagonal")
    >>> hexagons.beside((0, 0))
    ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
    >>> len(hexagons.point_group), Lattice("kites").axes
    (12, ('row', 'col', 'kind'))
    """

    _fields = ("table",)

    table: Table

    def __init__(self, table: str | Table) -> None:
        if isinstance(table, str):
            if table not in TABLES:
                names = ", ".join(map(repr, TABLES))
                raise InputError(f"Lattice: expected one of {names}, got {table!r}")
            table = TABLES[table]
        if not isinstance(table, Table):
            raise InputError(f"Lattice: expected a name or a Table, got {table!r}")
        put(self, "table", table)
        if TABLES.get(table.name) != table:
            check_table(table)

    @staticmethod
    def of(lattice: Lattice | str) -> Lattice:
        """Return a lattice as callers pass it: itself, or by its name.

        Examples
        --------
        >>> Lattice.of("kites") == Lattice.of(Lattice("kites"))
        True
        """
        return lattice if isinstance(lattice, Lattice) else Lattice(lattice)

    @staticmethod
    def names() -> tuple[str, ...]:
        """Return the names of the lattices that come with the library.

        Examples
        --------
        >>> Lattice.names()[:4]
        ('square', 'cubic', 'hexagonal', 'triangular')
        """
        return tuple(TABLES)

    @property
    def name(self) -> str:
        """What the lattice is called."""
        return self.table.name

    @property
    def kinds(self) -> int:
        """The number of kinds of cells."""
        return len(self.table.polygons)

    @property
    def dimension(self) -> int:
        """The number of coordinates of a translation: 2, or 3 with layers."""
        return 2 + self.table.layers

    @cached_property
    def axes(self) -> tuple[str, ...]:
        """The names of the coordinates of a cell."""
        kind = ("kind",) if self.kinds > 1 else ()
        return ("layer",) * self.table.layers + ("row", "col", *kind)

    @property
    def neighbours(self) -> tuple[tuple[Neighbour, ...], ...]:
        """For each kind of cell its neighbours: (translation from it, kind)."""
        return table_neighbours(self.table)

    @property
    def point_group(self) -> tuple[Isometry, ...]:
        """The symmetries of the lattice up to translation, identity first.

        Rotations and, after them, reflections.
        """
        return table_group(self.table)

    @cached_property
    def rotations(self) -> tuple[Isometry, ...]:
        """The symmetries that are rigid motions, identity first."""
        return tuple(each for each in self.point_group if not each.mirrors)

    def beside(self, cell: Sequence[int]) -> tuple[Vector, ...]:
        """Return the neighbours of a cell.

        Examples
        --------
        >>> Lattice("triangular").beside((0, 0, 0))
        ((-1, 0, 1), (0, 0, 1), (0, -1, 1))
        """
        if self._steps is not None:  # the usual case, fast
            row, col = cell
            return tuple([(row + down, col + right) for down, right in self._steps])
        translation, kind = self._split(cell)
        return tuple(
            self._cell(vector_sum(translation, step), other)
            for step, other in self.neighbours[kind]
        )

    def image(self, isometry: Isometry, cell: Sequence[int]) -> Vector:
        """Return where a symmetry sends a cell."""
        translation, kind = self._split(cell)
        moved = vector_sum(isometry.vector(translation), isometry.shifts[kind])
        return self._cell(moved, isometry.kinds[kind])

    def moved(self, cell: Sequence[int], step: Sequence[int]) -> Vector:
        """Return a cell moved by a translation."""
        translation, kind = self._split(cell)
        return self._cell(vector_sum(translation, step), kind)

    def normalised(self, cells: Iterable[Sequence[int]]) -> tuple[Vector, ...]:
        """Return cells moved so that the least of each coordinate but the kind is 0, sorted.

        Examples
        --------
        >>> Lattice("hexagonal").normalised([(3, 1), (2, 2)])
        ((0, 1), (1, 0))
        """
        split = [self._split(cell) for cell in cells]
        least = [-min(axis) for axis in zip(*(place for place, _ in split), strict=True)]
        return tuple(sorted(self._cell(vector_sum(place, least), kind) for place, kind in split))

    def colour(self, cell: Sequence[int]) -> int | None:
        """Return the colour of a cell in the table's proper colouring, None where it has none.

        Examples
        --------
        >>> [Lattice("hexagonal").colour((0, col)) for col in range(4)]
        [0, 2, 1, 0]
        """
        colours = self.table.colours
        if colours is None:
            return None
        translation, kind = self._split(cell)
        weighted = sum(a * b for a, b in zip(colours.weights, translation, strict=True))
        return (weighted + colours.kinds[kind]) % colours.number

    def mark(self, cell: Sequence[int]) -> str:
        """Return the mark of a cell's kind in texts.

        Examples
        --------
        >>> Lattice("triangular").mark((4, 2, 1))
        'A'
        """
        return self.table.marks[self._split(cell)[1]]

    def polygon(self, cell: Sequence[int]) -> tuple[tuple[float, float], ...]:
        """Return the corners of a cell in a picture, (x, y) with y downwards; layers are left out.

        Examples
        --------
        >>> Lattice("square").polygon((2, 3))
        ((3.0, 2.0), (4.0, 2.0), (4.0, 3.0), (3.0, 3.0))
        """
        table = self.table
        translation, kind = self._split(cell)
        row, col = (table.unit * part for part in translation[-2:])
        (down_x, down_y), (right_x, right_y) = table.steps
        return tuple(
            (
                ((row + r) * down_x + (col + c) * right_x) / table.unit,
                ((row + r) * down_y + (col + c) * right_y) / table.unit,
            )
            for r, c in table.polygons[kind]
        )

    def read_cells(self, cells: object, what: str) -> list[Vector]:
        """Return cells as a caller passes them, each with a kind that exists.

        Raises
        ------
        InputError
            For what is no cell of the lattice; the message begins with `what`.

        Examples
        --------
        >>> Lattice("triangular").read_cells([(0, 0, 2)], "Polyform")
        Traceback (most recent call last):
        gridkit.errors.InputError: Polyform: cell (0, 0, 2) has kind 2, but the triangular lattice \
has the kinds 0 to 1
        """
        members = read_cells(cells, what, self.axes)
        if self.kinds > 1:
            for cell in members:
                if not 0 <= cell[-1] < self.kinds:
                    raise InputError(
                        f"{what}: cell {cell} has kind {cell[-1]}, but the {self.name} lattice "
                        f"has the kinds 0 to {self.kinds - 1}"
                    )
        return members

    def _split(self, cell: Sequence[int]) -> tuple[Vector, int]:
        """Return the translation of a cell and its kind."""
        return (tuple(cell[:-1]), cell[-1]) if self._many else (tuple(cell), 0)

    def _cell(self, translation: Vector, kind: int) -> Vector:
        return (*translation, kind) if self._many else translation

    @cached_property
    def _steps(self) -> tuple[Vector, ...] | None:
        """The steps to the neighbours on a lattice of the plane of one kind of cell."""
        if self._many or self.dimension > 2:
            return None
        return tuple(step for step, _ in self.neighbours[0])

    @cached_property
    def _many(self) -> bool:
        return self.kinds > 1

    def __repr__(self) -> str:
        known = TABLES.get(self.name) == self.table
        return f"Lattice({self.name!r})" if known else f"Lattice({self.table!r})"

    def __str__(self) -> str:
        return self.name
