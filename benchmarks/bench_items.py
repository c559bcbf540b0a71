"""Exact covers counted without a search: matchings, Latin squares, triple systems, partitions.

The reference is what a user would write: a dictionary of covered sets, swept item by item.
"""

from __future__ import annotations

from functools import partial
from itertools import combinations
from math import prod

import gridkit as gk
from measuring import Case, Way

Rows = list[tuple[int, ...]]
Ways = dict[str, Way]


def matchings(points: int) -> Rows:
    """Return the edges of a complete graph."""
    return list(combinations(range(points), 2))


def latin(size: int) -> Rows:
    """Return the entries of a square: its cell, its row with the symbol, its column with it."""
    square, numbers = size * size, range(size)
    return [
        (row * size + col, square + row * size + symbol, 2 * square + col * size + symbol)
        for row in numbers
        for col in numbers
        for symbol in numbers
    ]


def triples(points: int) -> Rows:
    """Return the triples of points, each as its three pairs."""
    number = {pair: place for place, pair in enumerate(combinations(range(points), 2))}
    return [
        tuple(number[pair] for pair in combinations(triple, 2))
        for triple in combinations(range(points), 3)
    ]


def subsets(size: int) -> Rows:
    """Return all subsets of a set but the empty one."""
    return [
        tuple(item for item in range(size) if subset >> item & 1) for subset in range(1, 1 << size)
    ]


def dominoes(side: int) -> Rows:
    """Return the pairs of neighbours of a square grid."""
    cells = range(side * side)
    across = [(cell, cell + 1) for cell in cells if (cell + 1) % side]
    return across + [(cell, cell + side) for cell in cells if cell + side < side * side]


def dictionary(rows: Rows) -> int:
    """Count by a dictionary from covered items to numbers of ways."""
    items = 1 + max(map(max, rows))
    begin: list[list[int]] = [[] for _ in range(items)]
    for row in rows:
        begin[min(row)].append(sum(1 << item for item in row))
    states = {0: 1}
    for item in range(items):
        following: dict[int, int] = {}
        for state, ways in states.items():
            masks = [0] if state >> item & 1 else begin[item]
            for mask in masks:
                if not state & mask:
                    following[state | mask] = following.get(state | mask, 0) + ways
        states = following
    return states.get((1 << items) - 1, 0)


def ways(rows: Rows, *, swept: bool = False, by_dictionary: bool = False) -> Ways:
    """Return a count by ``count()`` of a built problem, and the others."""
    cover = gk.ExactCover(rows)
    result: Ways = {"count": cover.count}
    if swept:
        result["sweep"] = partial(cover.count, method="sweep")
    if by_dictionary:
        result["dictionary"] = partial(dictionary, rows)
    return result


def odd(points: int) -> int:
    """Return the number of perfect matchings of a complete graph."""
    return prod(range(1, points, 2))


CASES = [
    Case("matchings of K_20", partial(ways, matchings(20), by_dictionary=True), odd(20)),
    Case("matchings of K_24", partial(ways, matchings(24), by_dictionary=True), odd(24), full=True),
    Case("matchings of K_30", partial(ways, matchings(30)), odd(30)),
    Case("matchings of K_36", partial(ways, matchings(36)), odd(36)),
    Case("matchings of K_40", partial(ways, matchings(40)), odd(40)),
    Case("latin squares 5", partial(ways, latin(5), swept=True, by_dictionary=True), 161_280),
    Case("latin squares 6", partial(ways, latin(6), swept=True), 812_851_200),
    Case("latin squares 7", partial(ways, latin(7), swept=True), 61_479_419_904_000),
    Case("triple systems 13", partial(ways, triples(13)), 1_197_504_000),
    Case("partitions of 15", partial(ways, subsets(15)), 1_382_958_545),
    Case("dominoes 10x10", partial(ways, dominoes(10), by_dictionary=True), 258_584_046_368),
]
