"""Tiling problems as they are drawn: the region, and below it the pieces with how often."""

from __future__ import annotations

from gridkit import render
from gridkit.cover.tiling_reading import Copies, Piece, Region
from gridkit.polyomino.polyomino import Polyomino
from gridkit.render.drawable import Drawable

__all__ = ["DrawnProblem"]

Cube = tuple[int, int, int]

# Of so many kinds of pieces a picture shows the first ones.
_MOST_PIECES = 60


class DrawnProblem(Drawable):
    """A tiling problem as it is drawn: the region, and below it each piece with how often."""

    region: Region
    pieces: tuple[Piece, ...]
    names: tuple[str, ...] | None
    copies: tuple[Copies, ...]

    def _scene(self) -> render.Scene:
        board = self.region._scene()
        scenes = []
        for number, piece in enumerate(self.pieces[:_MOST_PIECES]):
            words = [self.names[number]] if self.names else []
            words += _times(self.copies[number])
            cells = tuple(cell._replace(fill=number) for cell in _piece_scene(piece).cells)
            scenes.append(
                render.joined([render.Scene(cells)], captions=[" ".join(words)] if words else [])
            )
        shelf = render.flowed(scenes, max(board.size[0], 16.0))
        return render.stacked([board, shelf], title="tiling problem")


def _piece_scene(piece: Piece) -> render.Scene:
    """Return a piece; one of cubes so turned that each cube is seen, where that can be."""
    if isinstance(piece, Polyomino):
        return piece._scene()
    cubes: dict[Cube, int] = {}
    for turned in (*piece.orientations(), piece):
        cubes = dict.fromkeys(turned.cells, 0)
        if not render.hides_some(cubes):
            return render.cube_scene(cubes, {0: 0})
    return render.cube_scene(cubes, {0: 0})


def _times(copies: Copies) -> list[str]:
    """Return how often a piece is used, unless that is once."""
    least, greatest = copies
    if greatest is None:
        return ["any number" if not least else f"×{least}+"]
    if least == greatest:
        return [f"×{least}"] if least != 1 else []
    return [f"×{least} to {greatest}"]
