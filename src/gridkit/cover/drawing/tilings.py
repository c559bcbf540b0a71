"""What the cover wing draws: regions, tilings, the pieces to be laid, weights on cells."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import product

from gridkit.cover.tiling_reading import Copies, Piece, Region
from gridkit.grid.box import Box
from gridkit.polyomino.polyomino import Polyomino
from gridkit.render.drawable import Drawable
from gridkit.render.isometric import cube_scene, hides_some, layers_scene
from gridkit.render.layout import flowed, joined, stacked
from gridkit.render.palette import Fill, distinct_fills
from gridkit.render.scene import Label, Scene, grid_scene, square

__all__ = ["DrawnProblem", "marked_scene", "region_grid", "tiling_scene"]

Coordinates = tuple[int, ...]
Cube = tuple[int, int, int]
Grid = tuple[tuple[int | None, ...], ...]
BLOCKED = -1

# Of so many kinds of pieces a picture shows the first ones.
_MOST_PIECES = 60
# Light hues for numbers on cells.
_MARKS = (10, 9, 7, 5, 22, 0, 14, 12)


def tiling_scene(
    region: Region,
    pieces: Sequence[tuple[int, Sequence[Coordinates]]],
    names: Sequence[str] | None,
    kinds: int,
    *,
    solid: bool = True,
) -> Scene:
    """Return a tiling: pieces as (kind, cells), named by kind where there are names.

    Pieces of one kind have one hue unless they touch; where there is but one kind, each piece has
    its own.  A box is drawn layer by layer, and where `solid`, seen from above too.
    """
    owner_of = {cell: number for number, (_, cells) in enumerate(pieces) for cell in cells}
    fills = _hues(owner_of, {n: kind if kinds > 1 else n for n, (kind, _) in enumerate(pieces)})
    named = names if names and kinds > 1 else None
    labels = {n: named[kind] for n, (kind, _) in enumerate(pieces)} if named else {}
    if not isinstance(region, Box):
        scene = grid_scene(region_grid(region, owner_of), fills=fills, title="tiling")
        return scene.named(labels)
    owners: dict[Cube, int] = {cube: owner_of.get(cube, -1) for cube in region.cells}
    layers = layers_scene(region.size, owners, {-1: "open", **fills}, labels, title="tiling")
    if not solid:
        return layers
    covered = {cube: owner for cube, owner in owners.items() if owner >= 0}
    return joined([cube_scene(covered, fills), layers], gap=1.5, even=False, title="tiling")


class DrawnProblem(Drawable):
    """A tiling problem as it is drawn: the region, and below it each piece with how often."""

    region: Region
    pieces: tuple[Piece, ...]
    names: tuple[str, ...] | None
    copies: tuple[Copies, ...]

    def _scene(self) -> Scene:
        board = self.region._scene()
        scenes = []
        for number, piece in enumerate(self.pieces[:_MOST_PIECES]):
            words = [self.names[number]] if self.names else []
            words += _times(self.copies[number])
            cells = tuple(cell._replace(fill=number) for cell in _piece_scene(piece).cells)
            scenes.append(joined([Scene(cells)], captions=[" ".join(words)] if words else []))
        shelf = flowed(scenes, max(board.size[0], 16.0))
        return stacked([board, shelf], title="tiling problem")


def _piece_scene(piece: Piece) -> Scene:
    """Return a piece; one of cubes so turned that each cube is seen, where that can be."""
    if isinstance(piece, Polyomino):
        return piece._scene()
    cubes: dict[Cube, int] = {}
    for turned in (*piece.orientations(), piece):
        cubes = dict.fromkeys(turned.cells, 0)
        if not hides_some(cubes):
            return cube_scene(cubes, {0: 0})
    return cube_scene(cubes, {0: 0})


def _times(copies: Copies) -> list[str]:
    """Return how often a piece is used, unless that is once."""
    least, greatest = copies
    if greatest is None:
        return ["any number" if not least else f"×{least}+"]
    if least == greatest:
        return [f"×{least}"] if least != 1 else []
    return [f"×{least} to {greatest}"]


def marked_scene(
    region: Region, weights: Mapping[Coordinates, int], cell: Coordinates | None, title: str
) -> Scene:
    """Return a region with weights written in and coloured, or with one cell marked."""
    values = sorted(set(weights.values()))
    hues = {value: _MARKS[number % len(_MARKS)] for number, value in enumerate(values)}
    fills: dict[Coordinates, Fill] = {place: hues[value] for place, value in weights.items()}
    if cell is not None:
        fills[cell] = 13
    scenes = []
    for layer in _layers(region):
        cells, labels = [], []
        for (row, col), place in layer.items():
            fill = fills.get(place, "open") if place in region else "blocked"
            cells.append(square(row, col, place in region, fill))
            if place in weights:
                labels.append(Label(str(weights[place]), col + 0.5, row + 0.5, fill=fill))
        scenes.append(Scene(tuple(cells), tuple(labels)))
    return joined(scenes, title=title)


def region_grid(region: Region, label_of: Mapping[Coordinates, int]) -> Grid:
    """Return a region as rows of labels: of a cell, None where it has none, -1 where blocked.

    The layers of a box stand side by side, a column of -1 between.
    """
    rows: list[list[int | None]] = [[] for _ in range(region.rows)]
    for layer in _layers(region):
        for row in rows if rows[0] else ():
            row.append(BLOCKED)
        for (row_number, _), cell in layer.items():
            rows[row_number].append(label_of.get(cell) if cell in region else BLOCKED)
    return tuple(map(tuple, rows))


def _layers(region: Region) -> list[dict[tuple[int, int], Coordinates]]:
    """Return the places of each layer with the coordinates of their cells."""
    frame = list(product(range(region.rows), range(region.cols)))
    if not isinstance(region, Box):
        return [{place: place for place in frame}]
    return [{place: (layer, *place) for place in frame} for layer in range(region.layers)]


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
    hues = distinct_fills(beside, dict(preferred.items()))
    return {piece: hues[piece] for piece in preferred}
