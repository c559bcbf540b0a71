"""One tiling of a large region: blocks that are tileable, and a search where they do not fit."""

from __future__ import annotations

from bisect import bisect_left

from gridkit.cover.blocks.rectangles import (
    Block,
    Tiles,
    cut,
    orientations,
    tileable_blocks,
    tiled,
)
from gridkit.cover.instance import Instance, Placement, Point
from gridkit.run import Run

__all__ = ["join_blocks"]

_MOST_BLOCKS = 12  # kinds of blocks that are tried on a region that is no rectangle
_ROUNDS = 8  # of giving up blocks beside cells that are not covered
_NODES = 20_000  # of the search for the cells that no block covers


def join_blocks(instance: Instance, run: Run) -> tuple[int, ...] | None:
    """Return a covering that is made of blocks, always the same, or None: none was found.

    Parameters
    ----------
    instance : Instance
        Pieces of the plane, each used any number of times.
    run : Run
        The call.

    Returns
    -------
    tuple of int or None
        Increasing numbers of placements.  None proves nothing.

    Notes
    -----
    A rectangle is cut into rows of blocks.  In other regions blocks of one kind are laid wherever
    they fit, row by row; what remains is searched part by part, and where that fails the blocks
    beside are given up, so that the part grows.

    Examples
    --------
    >>> from gridkit.cover.instance import lay_out
    >>> cells = tuple((row, col) for row in range(4) for col in range(6))
    >>> bent = ((0, 0), (1, 0), (1, 1))
    >>> forms = [[(0, 0), (0, 1), (1, 0)], [(0, 0), (0, 1), (1, 1)]]
    >>> forms += [[(0, 0), (1, 0), (1, 1)], [(0, 1), (1, 0), (1, 1)]]
    >>> tiling = Instance(cells, lay_out(cells, [forms]), ((0, None),), frozenset(), (bent,))
    >>> len(join_blocks(tiling, Run()))
    8
    """
    points = instance.coordinates
    if instance.limited or not points or not instance.shapes or len(points[0]) != 2:
        return None
    forms = orientations(instance)
    top, left = (min(axis) for axis in zip(*points, strict=True))
    rows, cols = (max(axis) - min(axis) + 1 for axis in zip(*points, strict=True))
    known: dict[Block, Tiles] = {}
    for block, tiles in tileable_blocks(forms, (rows, cols), run):
        known[block] = tiles
        if rows * cols == len(points):
            corners = cut((rows, cols), set(known))
            if corners is not None:
                return _numbers(instance, _laid(corners, known, (top, left)))
        elif len(known) >= _MOST_BLOCKS:
            break
    optional = frozenset(points[cell] for cell in instance.optional)
    for block in sorted(known, key=lambda size: (-size[0] * size[1], size)):
        joined = _filled(points, block, known[block], forms, optional, run)
        if joined is not None:
            return _numbers(instance, joined)
    return None


def _laid(
    corners: list[tuple[Point, Block]], known: dict[Block, Tiles], origin: Point = (0, 0)
) -> Tiles:
    top, left = origin
    return [
        (piece, tuple((top + row + r, left + col + c) for r, c in cells))
        for (row, col), size in corners
        for piece, cells in known[size]
    ]


def _filled(
    points: tuple[Point, ...],
    block: Block,
    tiles: Tiles,
    forms: list[list[list[Point]]],
    optional: frozenset[Point],
    run: Run,
) -> Tiles | None:
    """Lay blocks of one kind wherever they fit, and search what remains."""
    waiting = set(points)
    corner_of: dict[Point, Point] = {}
    for row, col in points:
        cells = [(row + r, col + c) for r in range(block[0]) for c in range(block[1])]
        if waiting.issuperset(cells):
            waiting.difference_update(cells)
            corner_of |= dict.fromkeys(cells, (row, col))
    run.check()
    remaining = waiting
    finished: Tiles = []
    for _ in range(_ROUNDS):
        growing: set[Point] = set()
        for part in _parts(remaining):
            searched = tiled(sorted(part), forms, optional, _NODES, run)
            if searched is not None:
                finished += searched
                continue
            beside = {
                corner_of[near]
                for r, c in part
                for near in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1))
                if near in corner_of
            }
            if not beside:
                return None
            growing |= part | {cell for cell, corner in corner_of.items() if corner in beside}
        if not growing:
            corners = [(corner, block) for corner in dict.fromkeys(corner_of.values())]
            return finished + _laid(corners, {block: tiles})
        corner_of = {cell: corner for cell, corner in corner_of.items() if cell not in growing}
        remaining = growing
    return None


def _parts(cells: set[Point]) -> list[set[Point]]:
    """Split cells into connected parts, in a fixed order."""
    parts = []
    waiting = set(cells)
    for start in sorted(cells):
        if start not in waiting:
            continue
        waiting.discard(start)
        part, front = {start}, [start]
        while front:
            r, c = front.pop()
            for near in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
                if near in waiting:
                    waiting.discard(near)
                    part.add(near)
                    front.append(near)
        parts.append(part)
    return parts


def _numbers(instance: Instance, tiles: Tiles) -> tuple[int, ...] | None:
    """Return the numbers of placements; None where one of them may not be laid."""

    def key(placement: Placement) -> tuple[int, int, tuple[int, ...]]:
        piece, covered = placement
        return covered[0], piece, covered

    number_of = {cell: number for number, cell in enumerate(instance.coordinates)}
    numbers = []
    for piece, cells in tiles:
        placement = piece, tuple(sorted(number_of[cell] for cell in cells))
        place = bisect_left(instance.placements, key(placement), key=key)
        if instance.placements[place : place + 1] != (placement,):
            return None
        numbers.append(place)
    return tuple(sorted(numbers))
