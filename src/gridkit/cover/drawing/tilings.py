"""Tilings as they are drawn, and weights on the cells of a region."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import product

from gridkit import render
from gridkit.cover.drawing.regions import layers_of, region_grid
from gridkit.cover.tiling_reading import Region
from gridkit.grid.box import Box

__all__ = ["marked_scene", "tiling_scene"]

Coordinates = tuple[int, ...]
Cube = tuple[int, int, int]

# Light hues for numbers on cells.
_MARKS = (10, 9, 7, 5, 22, 0, 14, 12)


def tiling_scene(
    region: Region,
    pieces: Sequence[tuple[int, Sequence[Coordinates]]],
    names: Sequence[str] | None,
    kinds: int,
    *,
    solid: bool = True,
) -> render.Scene:
    """Return a tiling: pieces as (kind, cells), named by kind where there are names.

    Pieces of one kind have one hue unless they touch; where there is but one kind, each piece has
    its own.  A box is drawn layer by layer, and where `solid`, seen from above too.
    """
    owner_of = {cell: number for number, (_, cells) in enumerate(pieces) for cell in cells}
    fills = _hues(owner_of, {n: kind if kinds > 1 else n for n, (kind, _) in enumerate(pieces)})
    named = names if names and kinds > 1 else None
    labels = {n: named[kind] for n, (kind, _) in enumerate(pieces)} if named else {}
    if not isinstance(region, Box):
        scene = render.grid_scene(region_grid(region, owner_of), fills=fills, title="tiling")
        return scene.named(labels)
    owners: dict[Cube, int] = {cube: owner_of.get(cube, -1) for cube in region.cells}
    layers = render.layers_scene(region.size, owners, {-1: "open", **fills}, labels, title="tiling")
    if not solid:
        return layers
    covered = {cube: owner for cube, owner in owners.items() if owner >= 0}
    return render.joined(
        [render.cube_scene(covered, fills), layers], gap=1.5, even=False, title="tiling"
    )


def marked_scene(
    region: Region, weights: Mapping[Coordinates, int], cell: Coordinates | None, title: str
) -> render.Scene:
    """Return a region with weights written in and coloured, or with one cell marked."""
    values = sorted(set(weights.values()))
    hues = {value: _MARKS[number % len(_MARKS)] for number, value in enumerate(values)}
    fills: dict[Coordinates, render.Fill] = {place: hues[value] for place, value in weights.items()}
    if cell is not None:
        fills[cell] = 13
    scenes = []
    for layer in layers_of(region):
        cells, labels = [], []
        for (row, col), place in layer.items():
            fill = fills.get(place, "open") if place in region else "blocked"
            cells.append(render.square(row, col, place in region, fill))
            if place in weights:
                labels.append(render.Label(str(weights[place]), col + 0.5, row + 0.5, fill=fill))
        scenes.append(render.Scene(tuple(cells), tuple(labels)))
    return render.joined(scenes, title=title)


def _hues(owner_of: Mapping[Coordinates, int], preferred: Mapping[int, int]) -> dict[int, int]:
    """Return a hue for each piece, unlike those of the pieces it touches, also at corners."""
    beside: dict[Hashable, set[Hashable]] = {piece: set() for piece in preferred}
    axes = len(next(iter(owner_of), ()))
    steps = list(product((-1, 0, 1), repeat=axes))
    for cell, owner in owner_of.items():
        for step in steps:
            near = owner_of.get(tuple(a + b for a, b in zip(cell, step, strict=True)))
            if near is not None and near != owner:
                beside[owner].add(near)
    hues = render.distinct_fills(beside, dict(preferred.items()))
    return {piece: hues[piece] for piece in preferred}
