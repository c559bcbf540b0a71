"""Cubes seen from above: the visible faces, found exactly.

Seen along a space diagonal, every face of a unit cube is a rhombus of two triangles of one lattice
of triangles, and of all faces that contain a triangle the nearest hides the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

from gridkit.render.layout import joined
from gridkit.render.palette import Fill
from gridkit.render.scene import Owner, Point, Scene, SceneCell, square

__all__ = ["cube_scene", "cubes_scene", "hides_some", "layers_scene"]

Cube = tuple[int, int, int]  # layer, row, column
Place = tuple[int, int]

_REST = "rest"

# The corners of the three faces that can be seen, in turn, from the end of the short diagonal:
# the top, the front face of the rows (left), the front face of the columns (right).
_FACES: tuple[tuple[Cube, ...], ...] = (
    ((1, 0, 0), (1, 0, 1), (1, 1, 1), (1, 1, 0)),
    ((0, 1, 0), (0, 1, 1), (1, 1, 1), (1, 1, 0)),
    ((0, 0, 1), (0, 1, 1), (1, 1, 1), (1, 0, 1)),
)


def cube_scene(owners: Mapping[Cube, Owner], fills: Mapping[Owner, Fill], title: str = "") -> Scene:
    """Return the scene of unit cubes: layers upwards, rows to the left front, columns to the right.

    Parameters
    ----------
    owners : mapping of (layer, row, col) to owner
        The cubes.
    fills : mapping of owner to fill
        The colour of each owner's tops; the sides are darker.
    title : str
        Accessible name of the picture.

    Notes
    -----
    Complexity: linear in the number of cubes.

    Examples
    --------
    >>> len(cube_scene({(0, 0, 0): "a"}, {"a": 0}).cells)
    3
    >>> len(cube_scene({(0, 0, 0): "a", (1, 0, 0): "b"}, {"a": 0, "b": 1}).cells)
    5
    """
    cells = []
    for (cube, face), halves in _visible(owners).items():
        places = [_projected(cube, corner) for corner in _FACES[face]]
        if len(halves) == 1:
            places = places[:3] if halves == [0] else [places[0], *places[2:]]
        owner = owners[cube]
        cells.append(SceneCell(tuple(map(_point, places)), owner, fills[owner], face))
    return Scene(tuple(cells), title=title)


def hides_some(owners: Mapping[Cube, Owner]) -> bool:
    """Whether some cube shows no part of a face.

    Examples
    --------
    >>> hides_some({(0, 0, 0): 0, (1, 1, 1): 0})
    True
    """
    return len({cube for cube, _ in _visible(owners)}) < len(owners)


def _visible(cubes: Mapping[Cube, Owner]) -> dict[tuple[Cube, int], list[int]]:
    """Return the faces that can be seen and which halves of them, from back to front."""
    nearest: dict[tuple[Place, ...], tuple[Cube, int, int]] = {}
    for cube in sorted(cubes, key=sum):  # what is drawn later is nearer
        for face, corners in enumerate(_FACES):
            first, second, third, fourth = (_projected(cube, corner) for corner in corners)
            for half, triangle in enumerate(((first, second, third), (first, third, fourth))):
                nearest[tuple(sorted(triangle))] = cube, face, half
    seen: dict[tuple[Cube, int], list[int]] = {}
    for cube, face, half in sorted(nearest.values(), key=lambda each: (sum(each[0]), each)):
        seen.setdefault((cube, face), []).append(half)
    return seen


def _projected(cube: Cube, corner: Cube) -> Place:
    """Return where a corner of a cube is seen, in half units of the lattice."""
    layer, row, col = (a + b for a, b in zip(cube, corner, strict=True))
    return col - row, col + row - 2 * layer


def _point(place: Place) -> Point:
    return round(place[0] * sqrt(3) / 2, 6), place[1] / 2


def layers_scene(
    size: Cube,
    owners: Mapping[Cube, Owner],
    fills: Mapping[Owner, Fill],
    names: Mapping[Owner, str] | None = None,
    *,
    rest: Fill = "blocked",
    title: str = "",
) -> Scene:
    """Return the layers of a box of cubes side by side, the lowest first.

    `names` are written on what each owner has in each layer; `rest` fills the cubes without owner.

    Examples
    --------
    >>> layers_scene((2, 1, 3), {(0, 0, 0): 5}, {5: 0}).size[0]
    7.0
    """
    layers, rows, cols = size
    scenes = []
    for layer in range(layers):
        cells = []
        for row in range(rows):
            for col in range(cols):
                cube = (layer, row, col)
                if cube in owners:
                    cells.append(square(row, col, owners[cube], fills[owners[cube]]))
                else:
                    cells.append(square(row, col, _REST, rest))
        scenes.append(Scene(tuple(cells)).named(names or {}))
    captions = [f"layer {number}" for number in range(layers)] if layers > 1 else []
    return joined(scenes, captions=captions, title=title)


def cubes_scene(
    size: Cube,
    owners: Mapping[Cube, Owner],
    fills: Mapping[Owner, Fill],
    names: Mapping[Owner, str] | None = None,
    *,
    rest: Fill = "blocked",
    title: str = "",
) -> Scene:
    """Return cubes seen from above, beside their layers where that view hides some cube.

    Examples
    --------
    >>> len(cubes_scene((1, 1, 1), {(0, 0, 0): 0}, {0: 0}).cells)
    3
    """
    solid = cube_scene(owners, fills, title)
    if not hides_some(owners):
        return solid
    layers = layers_scene(size, owners, fills, names, rest=rest)
    return joined([solid, layers], gap=1.5, even=False, title=title)
