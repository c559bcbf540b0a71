"""Families of exact covers with known numbers of solutions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from gridkit.cover.matrix import Matrix

__all__ = ["latin", "matchings", "partitions", "plain_matrix", "triple_systems"]


def plain_matrix(options: Iterable[Sequence[int]]) -> Matrix:
    """Return the problem of covering every item once."""
    rows = tuple(tuple(sorted(option)) for option in options)
    items = 1 + max((option[-1] for option in rows), default=-1)
    return Matrix(rows, items, (1,) * items, (1,) * items)


def matchings(points: int) -> Matrix:
    """Perfect matchings of a complete graph: (points - 1)(points - 3)...1 of them."""
    return plain_matrix(combinations(range(points), 2))


def partitions(size: int) -> Matrix:
    """Partitions of a set: Bell numbers."""
    return plain_matrix(
        [item for item in range(size) if subset >> item & 1] for subset in range(1, 1 << size)
    )


def latin(size: int, given: Sequence[tuple[int, int, int]] = ()) -> Matrix:
    """Latin squares that hold the entries (row, column, symbol) given."""
    square = size * size
    fixed = {(row, column): symbol for row, column, symbol in given}
    return plain_matrix(
        (row * size + column, square + row * size + symbol, 2 * square + column * size + symbol)
        for row in range(size)
        for column in range(size)
        for symbol in range(size)
        if fixed.get((row, column), symbol) == symbol
    )


def triple_systems(points: int) -> Matrix:
    """Steiner triple systems: every pair of points in one triple."""
    number = {pair: place for place, pair in enumerate(combinations(range(points), 2))}
    return plain_matrix(
        [number[pair] for pair in combinations(triple, 2)]
        for triple in combinations(range(points), 3)
    )
