"""Lattices and their pieces, slow and obviously right, from the polygons of the pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random

from gridkit import Lattice, Polyform

__all__ = ["grown", "neighbours_by_geometry", "same_when_moved"]

Cell = tuple[int, ...]
Point = tuple[float, float]


def neighbours_by_geometry(
    polygons: Mapping[Cell, Sequence[Point]], *, corners: bool = False
) -> dict[Cell, set[Cell]]:
    """Return which cells of a picture share two corners, or one where corners count."""
    points = {
        cell: {(round(x, 6), round(y, 6)) for x, y in polygon} for cell, polygon in polygons.items()
    }
    return {
        cell: {
            other
            for other in points
            if other != cell and len(points[cell] & points[other]) >= (1 if corners else 2)
        }
        for cell in points
    }


def grown(lattice: Lattice, start: Cell, size: int, chance: Random) -> set[Cell]:
    """Return connected cells about a first one, each next one chosen at random."""
    cells = {start}
    while len(cells) < size:
        border = {near for cell in cells for near in lattice.beside(cell)} - cells
        cells.add(chance.choice(sorted(border)))
    return cells


def same_when_moved(one: Polyform, other: Polyform, *, mirrored: bool) -> bool:
    """Whether two pieces have the same distances between corners, as congruent ones do.

    Only a necessary sign of congruence; that a piece is not mirrored shows in the signed areas of
    its triples of corners, which are compared where `mirrored` is False.
    """
    first, second = map(_corners, (one, other))
    if sorted(_distances(first)) != sorted(_distances(second)):
        return False
    if mirrored or one.lattice.dimension > 2 or len(first) > 14:
        return True
    return _turns(first) == _turns(second)


def _corners(piece: Polyform) -> list[tuple[float, ...]]:
    lattice = piece.lattice
    first = int(lattice.table.layers)
    points: set[tuple[float, ...]] = set()
    for cell in piece.cells:
        for x, y in lattice.polygon(cell):
            for layer in range(cell[0], cell[0] + 2) if first else [0]:
                points.add((float(layer), round(x, 6), round(y, 6)))
    return sorted(points)


def _distances(points: Sequence[Sequence[float]]) -> list[float]:
    return [
        round(sum((a - b) ** 2 for a, b in zip(one, other, strict=True)), 3)
        for one, other in combinations(points, 2)
    ]


def _turns(points: Sequence[Sequence[float]]) -> list[tuple[float, ...]]:
    """Return the sides of all triangles of corners, anticlockwise."""
    triangles = []
    for three in combinations(points, 3):
        (_, a, b), (_, c, d), (_, e, f) = three
        area = (c - a) * (f - b) - (e - a) * (d - b)
        if abs(area) > 1e-3:
            sides = _distances(three)  # of 0 and 1, 0 and 2, 1 and 2
            turn = [sides[0], sides[2], sides[1]] if area > 0 else [sides[1], sides[2], sides[0]]
            triangles.append(min(tuple(turn[k:] + turn[:k]) for k in range(3)))
    return sorted(triangles)
