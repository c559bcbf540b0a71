"""Lattices: periodic patterns of cells, each given by a table.

A cell is a translation and a kind: (row, col) on a lattice of one kind of cell, (row, col, kind) on
others, with the layer in front where there are layers.  What a lattice knows is computed from its
table (`gridkit.grid.tables`): neighbours from the sides that polygons share, the point group from
its generators.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import combinations, permutations
from math import prod
from typing import NamedTuple

from gridkit.errors import InputError
from gridkit.grid.tables import TABLES, Matrix, Table, Vector
from gridkit.reading import read_cells
from gridkit.value import Value, put

__all__ = ["Isometry", "Lattice"]

Corners = tuple[Vector, ...]
Neighbour = tuple[Vector, int]

# Generators that belong to no finite group would go on for ever.
_LARGEST_GROUP = 1000


class Isometry(NamedTuple):
    """A symmetry of a lattice, up to translation, as a map of cells.

    The cell of kind k at the translation t goes to the kind ``kinds[k]`` at
    ``matrix * t + shifts[k]``.

    Examples
    --------
    >>> turn = Lattice("triangular").point_group[1]
    >>> turn.mirrors, Lattice("triangular").image(turn, (0, 0, 0))
    (False, (0, 0, 1))
    """

    matrix: Matrix
    kinds: tuple[int, ...]
    shifts: tuple[Vector, ...]

    @property
    def mirrors(self) -> bool:
        """Whether it is a reflection, which no motion of the plane, or of space, makes."""
        return _determinant(self.matrix) < 0

    def vector(self, translation: Sequence[int]) -> Vector:
        """Return the image of a translation."""
        return _applied(self.matrix, translation)

    def after(self, first: Isometry) -> Isometry:
        """Return the symmetry that does `first` and then this one."""
        columns = [self.vector(column) for column in zip(*first.matrix, strict=True)]
        shifts = [
            _sum(self.vector(shift), self.shifts[kind])
            for shift, kind in zip(first.shifts, first.kinds, strict=True)
        ]
        kinds = tuple(self.kinds[kind] for kind in first.kinds)
        return _centred(tuple(zip(*columns, strict=True)), kinds, shifts)


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
            _check(table)

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
        return _neighbours(self.table)

    @property
    def point_group(self) -> tuple[Isometry, ...]:
        """The symmetries of the lattice up to translation, identity first.

        Rotations and, after them, reflections.
        """
        return _point_group(self.table)

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
        translation, kind = self._split(cell)
        return tuple(
            self._cell(_sum(translation, step), other) for step, other in self.neighbours[kind]
        )

    def image(self, isometry: Isometry, cell: Sequence[int]) -> Vector:
        """Return where a symmetry sends a cell."""
        translation, kind = self._split(cell)
        moved = _sum(isometry.vector(translation), isometry.shifts[kind])
        return self._cell(moved, isometry.kinds[kind])

    def moved(self, cell: Sequence[int], step: Sequence[int]) -> Vector:
        """Return a cell moved by a translation."""
        translation, kind = self._split(cell)
        return self._cell(_sum(translation, step), kind)

    def normalised(self, cells: Iterable[Sequence[int]]) -> tuple[Vector, ...]:
        """Return cells moved so that the least of each coordinate but the kind is 0, sorted.

        Examples
        --------
        >>> Lattice("hexagonal").normalised([(3, 1), (2, 2)])
        ((0, 1), (1, 0))
        """
        split = [self._split(cell) for cell in cells]
        least = [-min(axis) for axis in zip(*(place for place, _ in split), strict=True)]
        return tuple(sorted(self._cell(_sum(place, least), kind) for place, kind in split))

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
    def _many(self) -> bool:
        return self.kinds > 1

    def __repr__(self) -> str:
        known = TABLES.get(self.name) == self.table
        return f"Lattice({self.name!r})" if known else f"Lattice({self.table!r})"

    def __str__(self) -> str:
        return self.name


def _sum(one: Sequence[int], other: Sequence[int]) -> Vector:
    return tuple([a + b for a, b in zip(one, other, strict=True)])


def _difference(one: Sequence[int], other: Sequence[int]) -> Vector:
    return tuple([a - b for a, b in zip(one, other, strict=True)])


def _applied(matrix: Matrix, vector: Sequence[int]) -> Vector:
    return tuple([sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix])


def _determinant(matrix: Matrix) -> int:
    """Return the determinant, by the formula of Leibniz: matrices have two or three rows."""
    total = 0
    for order in permutations(range(len(matrix))):
        swaps = sum(a > b for a, b in combinations(order, 2))
        product = prod(matrix[row][col] for row, col in enumerate(order))
        total += -product if swaps % 2 else product
    return total


def _bodies(table: Table) -> list[Corners]:
    """Return the corners of each kind of cell: of its polygon, or of the prism over it."""
    if not table.layers:
        return list(table.polygons)
    return [
        (*((0, *corner) for corner in polygon), *((table.unit, *corner) for corner in polygon))
        for polygon in table.polygons
    ]


def _placed(corners: Iterable[Vector], unit: int) -> tuple[tuple[Vector, ...], Vector]:
    """Return corners as they lie in the unit cell at the origin, sorted, and the translation."""
    ordered = sorted(corners)
    base = tuple(min(axis) // unit for axis in zip(*ordered, strict=True))
    start = [unit * part for part in base]
    return tuple(_difference(corner, start) for corner in ordered), base


def _contacts(table: Table) -> Iterator[tuple[int, Corners]]:
    """Give what each kind of cell touches its neighbours with: its sides, or its corners."""
    for kind, polygon in enumerate(table.polygons):
        for corner, following in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
            yield kind, (corner,) if table.corners_touch else (corner, following)


@cache
def _neighbours(table: Table) -> tuple[tuple[Neighbour, ...], ...]:
    """Return the neighbours of each kind in the order of its sides, then those above and below."""
    sharing: dict[Corners, list[Neighbour]] = defaultdict(list)
    for kind, contact in _contacts(table):
        shape, base = _placed(contact, table.unit)
        sharing[shape].append((base, kind))
    plane: list[dict[Neighbour, None]] = [{} for _ in table.polygons]
    for kind, contact in _contacts(table):
        shape, base = _placed(contact, table.unit)
        for start, other in sharing[shape]:
            neighbour = _difference(base, start), other
            if neighbour != ((0, 0), kind):
                plane[kind][neighbour] = None
    if not table.layers:
        return tuple(map(tuple, plane))
    return tuple(
        (
            *(((0, *step), other) for step, other in beside),
            ((1, 0, 0), kind),
            ((-1, 0, 0), kind),
        )
        for kind, beside in enumerate(plane)
    )


def _centred(matrix: Matrix, kinds: tuple[int, ...], shifts: Sequence[Vector]) -> Isometry:
    """Return an isometry moved so that the cell of kind 0 at the origin stays at the origin."""
    first = shifts[0]
    return Isometry(matrix, kinds, tuple(_difference(shift, first) for shift in shifts))


def _isometry(table: Table, matrix: Matrix) -> Isometry:
    """Return what a linear map does with the cells.

    Raises
    ------
    InputError
        Where it does not map cells to cells.
    """
    bodies = _bodies(table)
    number = {}
    for kind, body in enumerate(bodies):
        shape, base = _placed(body, table.unit)
        number[shape] = kind, base
    kinds, shifts = [], []
    for kind, body in enumerate(bodies):
        shape, base = _placed([_applied(matrix, corner) for corner in body], table.unit)
        if shape not in number:
            raise InputError(f"Table {table.name!r}: {matrix} does not map kind {kind} to a cell")
        image, start = number[shape]
        kinds.append(image)
        shifts.append(_difference(base, start))
    if len(set(kinds)) < len(kinds):
        raise InputError(f"Table {table.name!r}: {matrix} maps two kinds to one")
    return _centred(matrix, tuple(kinds), shifts)


@cache
def _point_group(table: Table) -> tuple[Isometry, ...]:
    """Return the group that the generators of a table make, identity first, mirrors last."""
    axes = range(2 + table.layers)
    identity = tuple(tuple(int(a == b) for b in axes) for a in axes)
    generators = [_isometry(table, matrix) for matrix in table.generators]
    waiting = [_isometry(table, identity)]
    group = dict.fromkeys(waiting)
    for element in waiting:  # grows meanwhile
        for generator in generators:
            product = generator.after(element)
            if product not in group:
                group[product] = None
                waiting.append(product)
        if len(group) > _LARGEST_GROUP:
            raise InputError(f"Table {table.name!r}: the generators make no finite group")
    return tuple(sorted(group, key=lambda isometry: isometry.mirrors))


def _check(table: Table) -> None:
    """Refuse a table that describes no lattice."""
    what, kinds, axes = f"Table {table.name!r}", len(table.polygons), 2 + table.layers
    if not kinds or any(len(polygon) < 3 for polygon in table.polygons):
        raise InputError(f"{what}: expected polygons of at least three corners")
    if table.unit < 1:
        raise InputError(f"{what}: unit must be at least 1, got {table.unit}")
    if len(set(table.marks)) < len(table.marks) or set(table.marks) & set(". "):
        raise InputError(f"{what}: marks must be distinct and neither '.' nor blank")
    if not kinds == len(table.marks) == len(table.text_places):
        raise InputError(f"{what}: expected a mark and a place in the text for each kind")
    sizes = {(len(matrix), *map(len, matrix)) for matrix in table.generators}
    if sizes - {(axes,) * (axes + 1)}:
        raise InputError(f"{what}: generators must be matrices of {axes} x {axes}")
    if len({_placed(body, table.unit)[0] for body in _bodies(table)}) < kinds:
        raise InputError(f"{what}: two kinds are the same polygon")
    _point_group(table)
    for kind, beside in enumerate(_neighbours(table)):
        if not beside:
            raise InputError(f"{what}: kind {kind} has no neighbour")
    if table.colours is not None:
        weights, colours = table.colours.weights, table.colours.kinds
        if len(weights) != axes or len(colours) != kinds:
            raise InputError(f"{what}: expected a weight for each axis and a colour for each kind")
        for kind, beside in enumerate(_neighbours(table)):
            for step, other in beside:
                change = sum(a * b for a, b in zip(weights, step, strict=True))
                if not (change + colours[other] - colours[kind]) % table.colours.number:
                    raise InputError(f"{what}: neighbours of kind {kind} have its colour")
