"""What follows from the table of a lattice: neighbours, and the point group as maps of cells."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, permutations
from math import prod
from typing import NamedTuple

from gridkit.errors import InputError
from gridkit.grid.tables import Matrix, Table, Vector

__all__ = ["Isometry", "Neighbour", "check_table", "table_group", "table_neighbours", "vector_sum"]

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
    >>> from gridkit import Lattice
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
            vector_sum(self.vector(shift), self.shifts[kind])
            for shift, kind in zip(first.shifts, first.kinds, strict=True)
        ]
        kinds = tuple(self.kinds[kind] for kind in first.kinds)
        return _centred(tuple(zip(*columns, strict=True)), kinds, shifts)


def vector_sum(one: Sequence[int], other: Sequence[int]) -> Vector:
    """Return the sum of two vectors."""
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
def table_neighbours(table: Table) -> tuple[tuple[Neighbour, ...], ...]:
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
def table_group(table: Table) -> tuple[Isometry, ...]:
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


def check_table(table: Table) -> None:
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
    table_group(table)
    for kind, beside in enumerate(table_neighbours(table)):
        if not beside:
            raise InputError(f"{what}: kind {kind} has no neighbour")
    if table.colours is not None:
        weights, colours = table.colours.weights, table.colours.kinds
        if len(weights) != axes or len(colours) != kinds:
            raise InputError(f"{what}: expected a weight for each axis and a colour for each kind")
        for kind, beside in enumerate(table_neighbours(table)):
            for step, other in beside:
                change = sum(a * b for a, b in zip(weights, step, strict=True))
                if not (change + colours[other] - colours[kind]) % table.colours.number:
                    raise InputError(f"{what}: neighbours of kind {kind} have its colour")
