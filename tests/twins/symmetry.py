"""Symmetries of a set of cells by trying every map of the grid: short and obviously right."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import permutations, product

__all__ = ["classes", "isometries"]

Point = tuple[int, ...]
Map = Callable[[Point], Point]
Tiled = frozenset[frozenset[Point]]


def isometries(cells: Iterable[Point], *, mirrors: bool) -> list[Map]:
    """Every rotation, and with `mirrors` reflection, of the grid that maps the cells to themselves.

    About any centre: every move that could bring the cells back is tried.
    """
    whole = {tuple(cell) for cell in cells}
    dimension = len(next(iter(whole)))
    reach = 2 * max(map(max, whole))
    group: list[Map] = []
    for axes in permutations(range(dimension)):
        for signs in product((1, -1), repeat=dimension):
            odd = sum(a > b for k, a in enumerate(axes) for b in axes[k:]) + signs.count(-1)
            if odd % 2 and not mirrors:
                continue
            for move in product(range(-reach, reach + 1), repeat=dimension):
                image = partial(_moved, axes, signs, move)
                if {image(cell) for cell in whole} == whole:
                    group.append(image)
    return group


def _moved(axes: Point, signs: Point, move: Point, point: Point) -> Point:
    return tuple(sign * point[axis] + m for axis, sign, m in zip(axes, signs, move, strict=True))


def classes(tilings: Iterable[Tiled], group: list[Map]) -> int:
    """Number of classes of tilings, each a set of pieces' cells, under maps of the cells."""
    remaining, number = set(tilings), 0
    while remaining:
        first = remaining.pop()
        number += 1
        for image in group:
            remaining.discard(frozenset(frozenset(map(image, piece)) for piece in first))
    return number
