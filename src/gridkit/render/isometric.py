"""Cubes seen from above: the visible faces, found exactly.

Seen along a space diagonal, every face of a unit cube is a rhombus of two triangles of one lattice
of triangles, and of all faces that contain a triangle the nearest hides the others.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from math import sqrt

from gridkit.render.palette import Fill
from gridkit.render.scene import Point, Scene, SceneCell

__all__ = ["cube_scene", "hides_some"]

Cube = tuple[int, int, int]  # layer, row, column
Place = tuple[int, int]

# The corners of the three faces that can be seen, in turn, from the end of the short diagonal:
# the top, the front face of the rows (left), the front face of the columns (right).
_FACES: tuple[tuple[Cube, ...], ...] = (
    ((1, 0, 0), (1, 0, 1), (1, 1, 1), (1, 1, 0)),
    ((0, 1, 0), (0, 1, 1), (1, 1, 1), (1, 1, 0)),
    ((0, 0, 1), (0, 1, 1), (1, 1, 1), (1, 0, 1)),
)


def cube_scene(
    owners: Mapping[Cube, Hashable], fills: Mapping[Hashable, Fill], title: str = ""
) -> Scene:
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


def hides_some(owners: Mapping[Cube, Hashable]) -> bool:
    """Whether some cube shows no part of a face.

    Examples
    --------
    >>> hides_some({(0, 0, 0): 0, (1, 1, 1): 0})
    True
    """
    return len({cube for cube, _ in _visible(owners)}) < len(owners)


def _visible(cubes: Mapping[Cube, Hashable]) -> dict[tuple[Cube, int], list[int]]:
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
