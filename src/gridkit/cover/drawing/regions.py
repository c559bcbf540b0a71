"""Regions as rows of labels and as layers of places: what pictures and texts of tilings share."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from gridkit.cover.tiling_reading import Region
from gridkit.grid.box import Box

__all__ = ["layers_of", "region_grid"]

Coordinates = tuple[int, ...]
Grid = tuple[tuple[int | None, ...], ...]
BLOCKED = -1


def region_grid(region: Region, label_of: Mapping[Coordinates, int]) -> Grid:
    """Return a region as rows of labels: of a cell, None where it has none, -1 where blocked.

    The layers of a box stand side by side, a column of -1 between.

    Examples
    --------
    >>> region_grid(Box(2, 1, 2), {(0, 0, 0): 5})
    ((5, None, -1, None, None),)
    """
    rows: list[list[int | None]] = [[] for _ in range(region.rows)]
    for layer in layers_of(region):
        for row in rows if rows[0] else ():
            row.append(BLOCKED)
        for (row_number, _), cell in layer.items():
            rows[row_number].append(label_of.get(cell) if cell in region else BLOCKED)
    return tuple(map(tuple, rows))


def layers_of(region: Region) -> list[dict[tuple[int, int], Coordinates]]:
    """Return the places of each layer with the coordinates of their cells.

    Examples
    --------
    >>> layers_of(Box(2, 1, 1))
    [{(0, 0): (0, 0, 0)}, {(0, 0): (1, 0, 0)}]
    """
    frame = list(product(range(region.rows), range(region.cols)))
    if not isinstance(region, Box):
        return [{place: place for place in frame}]
    return [{place: (layer, *place) for place in frame} for layer in range(region.layers)]
