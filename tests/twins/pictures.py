"""Twins of the picture scenes: borders and colours found by looking at every pair of cells."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

Place = tuple[int, int]
Edge = tuple[tuple[float, float], tuple[float, float]]


def square_borders(owners: Mapping[Place, Hashable]) -> set[Edge]:
    """Return the sides of unit squares across which the owner changes or the picture ends."""
    sides: set[Edge] = set()
    for (row, col), owner in owners.items():
        top, bottom = ((col, row), (col + 1, row)), ((col, row + 1), (col + 1, row + 1))
        left, right = ((col, row), (col, row + 1)), ((col + 1, row), (col + 1, row + 1))
        near = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
        for place, side in zip(near, (top, bottom, left, right), strict=True):
            if place not in owners or owners[place] != owner:
                sides.add(side)
    return sides


def unlike_neighbours(owners: Mapping[Place, Hashable]) -> set[frozenset[Hashable]]:
    """Return the pairs of owners that have squares with a common side or corner."""
    return {
        frozenset((owner, owners[row + down, col + across]))
        for (row, col), owner in owners.items()
        for down in (-1, 0, 1)
        for across in (-1, 0, 1)
        if owners.get((row + down, col + across), owner) != owner
    }


def rows_of(owners: Mapping[Place, int], rows: int, cols: int) -> Sequence[Sequence[int | None]]:
    """Return a mapping from cells as rows, None where it has no cell."""
    return [[owners.get((row, col)) for col in range(cols)] for row in range(rows)]
