"""Lattices: what is computed from a table, beside facts and a slow twin."""

from __future__ import annotations

import pickle
from itertools import product

import pytest

from gridkit import InputError, Lattice
from gridkit.grid.tables import TABLES, Colours, layered
from twins.lattices import neighbours_by_geometry

NAMES = Lattice.names()
# Symmetries up to translation, and neighbours of each cell.
FACTS = {
    "square": (8, 4),
    "cubic": (48, 6),
    "hexagonal": (12, 6),
    "triangular": (12, 3),
    "tetrakis": (8, 3),
    "kites": (12, 4),
    "rhombille": (12, 4),
    "sticks": (8, 6),
    "triangular prisms": (24, 5),
}


def block(lattice: Lattice, sides: int) -> list[tuple[int, ...]]:
    """Return the cells of so many unit cells along each axis."""
    kinds = [range(lattice.kinds)] if lattice.kinds > 1 else []
    return list(product(*[range(sides)] * lattice.dimension, *kinds))


@pytest.mark.parametrize("name", NAMES)
def test_groups_and_neighbours(name: str) -> None:
    lattice = Lattice(name)
    symmetries, degree = FACTS[name]
    group = lattice.point_group
    assert len(group) == symmetries == len(set(group)) == 2 * len(lattice.rotations)
    assert all(lattice.image(group[0], cell) == cell for cell in block(lattice, 2))
    assert {len(beside) for beside in lattice.neighbours} == {degree}
    for cell in block(lattice, 2):
        for near in lattice.beside(cell):
            assert cell in lattice.beside(near)


@pytest.mark.parametrize("name", NAMES)
def test_symmetries_map_neighbours_to_neighbours_and_form_a_group(name: str) -> None:
    lattice = Lattice(name)
    group = lattice.point_group
    for symmetry in group:
        for cell in block(lattice, 1):
            image = lattice.image(symmetry, cell)
            beside = {lattice.image(symmetry, near) for near in lattice.beside(cell)}
            assert beside == set(lattice.beside(image))
    for first, second in product(group[:6], group[-6:]):
        both = second.after(first)
        assert both in group
        assert both.mirrors == (first.mirrors != second.mirrors)
        cells = block(lattice, 2)
        one = [lattice.image(second, lattice.image(first, cell)) for cell in cells]
        assert lattice.normalised(one) == lattice.normalised(
            lattice.image(both, cell) for cell in cells
        )


@pytest.mark.parametrize("name", NAMES)
def test_colourings_are_proper(name: str) -> None:
    lattice = Lattice(name)
    for cell in block(lattice, 3):
        assert all(lattice.colour(near) != lattice.colour(cell) for near in lattice.beside(cell))


@pytest.mark.parametrize("name", [name for name in NAMES if not TABLES[name].layers])
def test_neighbours_are_those_of_the_picture(name: str) -> None:
    lattice = Lattice(name)
    around = [
        lattice.moved(cell, (-2, -2)) for cell in block(lattice, 5)
    ]  # also negative translations
    twin = neighbours_by_geometry(
        {cell: lattice.polygon(cell) for cell in around}, corners=TABLES[name].corners_touch
    )
    for cell in block(lattice, 1):
        assert set(lattice.beside(cell)) == twin[cell]


@pytest.mark.parametrize("name", NAMES)
def test_values(name: str) -> None:
    lattice = Lattice(name)
    assert eval(repr(lattice)) == lattice == pickle.loads(pickle.dumps(lattice))
    assert str(lattice) == name
    assert hash(lattice) == hash(Lattice(name))


def test_a_table_of_ones_own() -> None:
    table = TABLES["hexagonal"]._replace(name="hexagons without mirrors", generators=())
    lattice = Lattice(table)
    assert len(lattice.point_group) == 1
    assert lattice != Lattice("hexagonal")
    names = {"Lattice": Lattice, "Table": type(table), "Colours": Colours}
    assert eval(repr(lattice), names) == lattice
    prisms = Lattice(layered(TABLES["hexagonal"], "hexagonal prisms"))
    assert (len(prisms.point_group), len(prisms.beside((0, 0, 0)))) == (24, 8)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"polygons": ()}, "polygons of at least three corners"),
        ({"unit": 0}, "unit must be at least 1, got 0"),
        ({"marks": "."}, "neither '.' nor blank"),
        ({"marks": "ab"}, "a mark and a place in the text for each kind"),
        ({"generators": (((1, 0, 0),),)}, "matrices of 2 x 2"),
        ({"generators": (((0, 1), (-1, 0)),)}, "does not map kind 0 to a cell"),
        ({"colours": Colours(2, (1, 1), (0,))}, "neighbours of kind 0 have its colour"),
        ({"colours": Colours(3, (1,), (0,))}, "a weight for each axis"),
        ({"polygons": (((0, 0), (0, 1), (1, 0)),)}, "kind 0 has no neighbour"),
    ],
)
def test_tables_that_describe_no_lattice(change: dict[str, object], message: str) -> None:
    table = TABLES["hexagonal"]._replace(name="own", **change)  # type: ignore[arg-type]
    if change.get("polygons"):
        table = table._replace(generators=())
    with pytest.raises(InputError, match=message):
        Lattice(table)


def test_generators_of_no_finite_group() -> None:
    shear = ((1, 0), (1, 1))
    skew = TABLES["square"]._replace(name="own", polygons=(((0, 0), (0, 1), (1, 0)),))
    with pytest.raises(InputError, match="does not map kind 0"):
        Lattice(skew._replace(generators=(shear,)))


@pytest.mark.parametrize("table", ["square ", 3, None])
def test_lattices_that_do_not_exist(table: object) -> None:
    with pytest.raises(InputError, match="Lattice: expected"):
        Lattice(table)  # type: ignore[arg-type]


def test_cells_that_do_not_exist() -> None:
    with pytest.raises(InputError, match=r"\(0, 0, 6\) has kind 6, but the kites lattice"):
        Lattice("kites").read_cells([(0, 0, 6)], "here")
    with pytest.raises(InputError, match=r"expected a cell as \(row, col, kind\)"):
        Lattice("kites").read_cells([(0, 0)], "here")
