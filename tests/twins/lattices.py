"""Lattices, slow and obviously right: polygons that share a side, or a corner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = ["neighbours_by_geometry"]

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
