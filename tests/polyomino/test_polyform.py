"""Polyforms and patches: texts, orientations, placements, pictures, bad input."""

from __future__ import annotations

import pickle
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridkit import InputError, Lattice, ParseError, Patch, Polycube, Polyform, Polyomino, pieces
from gridkit.errors import UnsupportedError
from twins.lattices import grown, same_when_moved

NAMES = Lattice.names()


@st.composite
def polyforms(draw: st.DrawFn, largest: int = 7) -> Polyform:
    lattice = Lattice(draw(st.sampled_from(NAMES)))
    size = draw(st.integers(1, largest))
    start = (*(draw(st.integers(-3, 3)) for _ in range(lattice.dimension)),)
    if lattice.kinds > 1:
        start += (draw(st.integers(0, lattice.kinds - 1)),)
    chance = random.Random(draw(st.integers(0, 999)))
    return Polyform(lattice, grown(lattice, start, size, chance))


@given(polyforms())
def test_texts_and_values(piece: Polyform) -> None:
    assert Polyform.parse(piece.lattice, str(piece)) == piece
    assert eval(repr(piece)) == piece == pickle.loads(pickle.dumps(piece))
    assert hash(piece) == hash(Polyform(piece.lattice.name, piece.cells))
    assert piece.to_svg().startswith("<svg")
    patch = Patch(piece.lattice, piece.cells)
    assert eval(repr(patch)) == patch
    moved = Patch.parse(piece.lattice, str(patch))
    assert piece.lattice.normalised(moved) == piece.cells


@given(polyforms())
def test_orientations_are_those_of_the_twin(piece: Polyform) -> None:
    for reflect in (False, True):
        orientations = piece.orientations(reflect=reflect)
        assert orientations[0] == piece
        assert len(set(orientations)) == len(orientations)
        assert {turned.canonical(reflect=reflect) for turned in orientations} == {
            piece.canonical(reflect=reflect)
        }
        group = piece.lattice.point_group if reflect else piece.lattice.rotations
        unchanged = sum(piece.transformed(each) == piece for each in group)
        assert len(orientations) * unchanged == len(group)
        for turned in orientations:
            # Distances in the picture are those of the piece, whatever its orientation.
            assert same_when_moved(piece, turned, mirrored=reflect)
    assert piece.reflected().canonical(reflect=True) == piece.canonical(reflect=True)


@given(polyforms(largest=4), st.integers(0, 99))
def test_placements_are_those_of_the_twin(piece: Polyform, seed: int) -> None:
    lattice = piece.lattice
    chance = random.Random(seed)
    start = (0,) * (lattice.dimension + (lattice.kinds > 1))
    patch = Patch(lattice, grown(lattice, start, 20, chance))
    placements = piece.placements(patch, reflect=True)
    assert list(placements) == sorted(set(placements))
    shapes = {turned.cells for turned in piece.orientations(reflect=True)}
    for placed in placements:
        assert set(placed) <= set(patch)
        assert lattice.normalised(placed) in shapes
    twin = set()
    for cell in patch:
        for shape in shapes:
            for first in shape:
                if first[lattice.dimension :] == cell[lattice.dimension :]:
                    step = [a - b for a, b in zip(cell, first, strict=True)][: lattice.dimension]
                    twin.add(tuple(sorted(lattice.moved(each, step) for each in shape)))
    assert set(placements) == {placed for placed in twin if set(placed) <= set(patch)}


def test_square_and_cubic_pieces_are_polyforms() -> None:
    ell = Polyomino.parse("#.\n##")
    form = Polyform("square", ell.cells)
    assert str(form) == str(ell)
    assert {turned.cells for turned in form.orientations()} == {
        turned.cells for turned in ell.orientations()
    }
    assert [each.symmetry for each in (ell, form)] == ["mirror_diag", "D1"]
    cube = Polycube([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    form = Polyform("cubic", cube.cells)
    assert str(form) == str(cube)
    assert len(form.orientations()) == len(cube.orientations()) == 8


def test_symmetries_by_name() -> None:
    cells: dict[str, tuple[str, list[tuple[int, ...]]]] = {
        "D6": ("hexagonal", [(0, 0)]),
        "D3": ("triangular", [(0, 0, 0)]),
        "D1": ("tetrakis", [(0, 0, 0)]),
        "D2": ("sticks", [(0, 0, 0)]),
        "C1": ("kites", [(0, 0, 0), (0, 0, 1), (0, 0, 2), (0, -1, 0)]),
        "order 48": ("cubic", [(0, 0, 0)]),
        "order 12": ("triangular prisms", [(0, 0, 0, 0)]),
    }
    for symmetry, (name, members) in cells.items():
        assert Polyform(name, members).symmetry == symmetry


@pytest.mark.parametrize(
    ("name", "triangle", "hexagon"), [("hexagonal", 10, 37), ("triangular", 16, 96)]
)
def test_figures(name: str, triangle: int, hexagon: int) -> None:
    figures = Patch.triangle(name, 4), Patch.hexagon(name, 4)
    assert [len(figure) for figure in figures] == [triangle, hexagon]
    symmetries = [len(list(figure.images())) for figure in figures]
    assert symmetries == [6, 12]
    assert len(Patch.block(name, 3, 4).without([Patch.block(name, 3, 4).cells[0]])) in (11, 23)


def test_polyforms_that_do_not_exist() -> None:
    with pytest.raises(InputError, match="Polyform: expected at least one cell"):
        Polyform("hexagonal", [])
    with pytest.raises(InputError, match=r"cell \(0, 0\) is named twice"):
        Polyform("hexagonal", [(0, 0), (0, 1), (0, 0)])
    with pytest.raises(InputError, match=r"\(0, 0\) and \(1, 1\) are not connected"):
        Polyform("hexagonal", [(0, 0), (1, 1)])
    with pytest.raises(InputError, match=r"expected a cell as \(row, col\) of ints"):
        Polyform("hexagonal", [(0, 0, 0)])
    with pytest.raises(InputError, match="has kind 4, but the tetrakis lattice has"):
        Polyform("tetrakis", [(0, 0, 4)])
    with pytest.raises(InputError, match="Lattice: expected one of"):
        Polyform("penrose", [(0, 0)])
    with pytest.raises(InputError, match="expected a region of the hexagonal lattice"):
        Polyform("hexagonal", [(0, 0)]).placements(Patch("triangular", [(0, 0, 0)]))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("hexagonal", "##", r"line 1, column 2: '#' cannot stand here.*no cell"),
        ("triangular", "VV", r"line 1, column 2: 'V' cannot stand here.*a cell 'A'"),
        ("triangular", "V\n\nX", r"line 3, column 1: invalid character 'X' \(expected 'V', 'A'"),
        ("sticks", "...", "expected at least one mark"),
        ("sticks", "", "expected at least one mark"),
        ("hexagonal", "#\n\n#", "are not connected"),
    ],
)
def test_texts_of_no_polyform(name: str, text: str, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        Polyform.parse(name, text)


def test_patches_that_do_not_exist() -> None:
    with pytest.raises(InputError, match=r"Patch: cell \(0, 0\) is named twice"):
        Patch("hexagonal", [(0, 0), (0, 0)])
    with pytest.raises(InputError, match="expected row, col, got 1 numbers"):
        Patch.block("hexagonal", 2)
    with pytest.raises(InputError, match="rows must be an int >= 1"):
        Patch.block("hexagonal", 0, 2)
    with pytest.raises(InputError, match="more than the 10000000 that fit"):
        Patch.block("hexagonal", 10**5, 10**5)
    with pytest.raises(InputError, match="more than the 10000000 that fit"):
        Patch.hexagon("triangular", 10**5)
    with pytest.raises(UnsupportedError, match="the hexagonal or the triangular lattice"):
        Patch.triangle("square", 3)
    with pytest.raises(InputError, match=r"\(5, 5\) is no cell of the patch"):
        Patch("hexagonal", [(0, 0)]).without([(5, 5)])
    assert str(Patch("hexagonal", [])) == ""


def test_named_sets() -> None:
    for named, size, free in ((pieces.tetrahexes(), 4, 7), (pieces.hexiamonds(), 6, 12)):
        assert {len(piece) for piece in named.values()} == {size}
        assert len({piece.canonical(reflect=True) for piece in named.values()}) == free
    symmetries = {name: piece.symmetry for name, piece in pieces.hexiamonds().items()}
    assert symmetries == {
        "bar": "C2", "butterfly": "D2", "chevron": "D1", "crook": "C1", "crown": "D1",
        "hexagon": "D6", "hook": "C1", "lobster": "D1", "signpost": "C1", "snake": "C2",
        "sphinx": "C1", "yacht": "C1",
    }  # fmt: skip
    tetrahexes = {name: piece.symmetry for name, piece in pieces.tetrahexes().items()}
    assert tetrahexes == {
        "arch": "D1", "bar": "D2", "bee": "D2", "pistol": "C1", "propeller": "D3",
        "wave": "C2", "worm": "C1",
    }  # fmt: skip


def test_the_hat_is_the_published_polygon() -> None:
    # Corners of the hat on a grid of triangles, after its authors' drawings: (x, y) stands for
    # (x + y / 2, y * sqrt(3) / 2).
    corners = [
        (0, 0), (-1, -1), (0, -2), (2, -2), (2, -1), (4, -2), (5, -1), (4, 0), (3, 0), (2, 2),
        (0, 3), (0, 2), (-1, 2),
    ]  # fmt: skip
    outline = [(x + y / 2, y * 3**0.5 / 2) for x, y in corners]
    lengths = sorted(
        round(((a - c) ** 2 + (b - d) ** 2) ** 0.5, 3)
        for (a, b), (c, d) in zip(outline, [*outline[1:], outline[0]], strict=True)
    )
    assert lengths == [1.0] * 6 + [1.732] * 6 + [2.0]
    hat = pieces.hat()["hat"]
    sides: dict[frozenset[tuple[float, float]], int] = {}
    for cell in hat:
        polygon = [(round(x, 6), round(y, 6)) for x, y in hat.lattice.polygon(cell)]
        for side in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
            sides[frozenset(side)] = sides.get(frozenset(side), 0) + 1
    short = 2.2 / 12**0.5
    outer = sorted(
        round(((a - c) ** 2 + (b - d) ** 2) ** 0.5 / short, 3)
        for ((a, b), (c, d)), times in ((tuple(side), n) for side, n in sides.items())
        if times == 1
    )
    # The side of length 2 is two sides of kites in line.
    assert outer == [1.0] * 8 + [1.732] * 6
    assert hat.symmetry == "C1"


def test_pentacubes() -> None:
    named = pieces.pentacubes()
    assert len(named) == 29
    assert len({piece.canonical() for piece in named.values()}) == 29
