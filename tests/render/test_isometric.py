"""Cubes seen from above: what is visible, found again by looking along rays."""

from __future__ import annotations

from itertools import product
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridkit as gk
from gridkit.errors import UnsupportedError
from gridkit.render.geometry import Point
from gridkit.render.isometric import cube_scene, hides_some
from gridkit.render.layout import flowed, joined, stacked
from gridkit.render.scene import grid_scene

Cube = tuple[int, int, int]
COORDINATES = st.integers(0, 2)
CUBES = st.sets(st.tuples(COORDINATES, COORDINATES, COORDINATES), min_size=1, max_size=12)


def is_inside(point: Point, corners: tuple[Point, ...]) -> bool:
    (x, y), turns = point, []
    for (a, b), (c, d) in zip(corners, (*corners[1:], corners[0]), strict=True):
        turns.append((c - a) * (y - b) - (d - b) * (x - a))
    return all(turn > 0 for turn in turns) or all(turn < 0 for turn in turns)


def nearest_cube(point: Point, cubes: set[Cube]) -> Cube | None:
    """Return the cube that a ray through a point of the picture meets first, going inwards."""
    across, down = point[0] * 2 / sqrt(3), 2 * point[1]  # col - row, col + row - 2 layer
    for step in range(100, -100, -1):  # from far before the cubes to far behind
        layer = step / 20 + 0.013
        row, col = (down + 2 * layer - across) / 2, (down + 2 * layer + across) / 2
        cube = tuple(int(part // 1) for part in (layer, row, col))
        if cube in cubes:
            return cube[0], cube[1], cube[2]
    return None


def triangle_middles() -> list[Point]:
    """Return a point in each half of each face of a box of 3 x 3 x 3 cubes."""
    middles = []
    for cube in product(range(3), range(3), range(3)):
        for face in cube_scene({cube: 0}, {0: 0}).cells:
            for third in (1, 3):
                halves = (face.corners[0], face.corners[third], face.corners[2])
                middles.append((sum(x for x, _ in halves) / 3, sum(y for _, y in halves) / 3))
    return middles


MIDDLES = sorted({(round(x, 3), round(y, 3)) for x, y in triangle_middles()})


@given(CUBES)
def test_what_is_seen_is_the_nearest_cube(cubes: set[Cube]) -> None:
    scene = cube_scene({cube: cube for cube in cubes}, dict.fromkeys(cubes, 0))
    for point in MIDDLES:
        owners = {cell.owner for cell in scene.cells if is_inside(point, cell.corners)}
        met = nearest_cube(point, cubes)
        assert owners == (set() if met is None else {met})


@given(CUBES)
def test_the_faces_do_not_overlap(cubes: set[Cube]) -> None:
    cells = cube_scene(dict.fromkeys(cubes, 0), {0: 0}).cells
    for cell in cells:
        middle = tuple(sum(part) / len(cell.corners) for part in zip(*cell.corners, strict=True))
        inside = [each for each in cells if is_inside((middle[0], middle[1]), each.corners)]
        assert inside == [cell]


def test_hidden_cubes() -> None:
    assert not hides_some({(0, 0, 0): 0})
    assert hides_some(dict.fromkeys(gk.Box(3, 3, 3).cells, 0))


def test_layers_stand_beside_what_hides_a_cube() -> None:
    assert ">layer 2<" in gk.Box(3, 3, 3).to_svg()
    assert ">layer" not in gk.Polycube([(0, 0, 0), (0, 0, 1)]).to_svg()
    assert "layer 1" in gk.Box(2, 2, 2).to_terminal()
    with pytest.raises(UnsupportedError):
        gk.Tiling(gk.Box(1, 1, 2), [gk.Polycube([(0, 0, 0), (0, 0, 1)])]).to_terminal()


def test_layouts() -> None:
    one, two = grid_scene([[0]]), grid_scene([[0, 0, 0]])
    assert joined([one, two], even=False).size == (5, 1)
    assert joined([one, two]).size == (6, 1)
    assert stacked([one, two]).size == (3, 3)
    assert flowed([one, two, one], 6).size == (5, 3)
    assert joined([]).cells == ()
