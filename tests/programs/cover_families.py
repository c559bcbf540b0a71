"""Two hundred exact covers of five kinds, counted by gridkit and by a slow dictionary of sets.

``python -m programs.cover_families`` in the folder of the tests says what differed.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from itertools import combinations

from gridkit.cover.items.contest import count_cover
from gridkit.cover.matrix import Matrix
from gridkit.run import Run

__all__ = ["families", "slowly_counted", "wrongly_counted"]

Rows = list[tuple[int, ...]]


def slowly_counted(matrix: Matrix) -> int:
    """Count by a dictionary from sets of covered items to numbers of ways, in the order given."""
    covered_by = [sum(1 << item for item in option) for option in matrix.options]
    states = {0: 1}
    for item in range(matrix.items):
        begun = [mask for mask in covered_by if mask & -mask == 1 << item]
        following: dict[int, int] = {}
        for state, ways in states.items():
            free = item >= matrix.primary or state >> item & 1
            for mask in ([0] if free else []) + ([] if state >> item & 1 else begun):
                if not state & mask:
                    following[state | mask] = following.get(state | mask, 0) + ways
        states = following
    return sum(states.values())


def families(each: int, seed: int = 1) -> Iterator[tuple[str, Matrix]]:
    """Give so many problems of each kind."""
    chance = random.Random(seed)
    for _ in range(each):
        yield "perfect matchings", _problem(_graph(chance, 2 * chance.randint(4, 8), 0.6))
        yield "latin squares", _latin(chance, chance.randint(3, 4))
        yield "triple systems", _triples(chance, chance.choice([7, 9]))
        yield "path covers", _paths(chance, chance.randint(6, 14))
        yield "grid regions", _region(chance, chance.randint(3, 6), chance.randint(3, 6))


def _problem(rows: Sequence[tuple[int, ...]], primary: int | None = None) -> Matrix:
    items = 1 + max((max(row) for row in rows), default=-1)
    primary = items if primary is None else primary
    options = tuple(tuple(sorted(row)) for row in rows)
    return Matrix(options, primary, (1,) * primary, (1,) * primary)


def _graph(chance: random.Random, points: int, density: float) -> list[tuple[int, int]]:
    return [edge for edge in combinations(range(points), 2) if chance.random() < density]


def _latin(chance: random.Random, size: int) -> Matrix:
    """Latin squares with the first row as numbered and a few cells that miss some symbols."""
    square = size * size
    rows = []
    for cell in range(square):
        row, col = divmod(cell, size)
        for symbol in range(size):
            if chance.random() < 0.9:
                rows.append((cell, square + row * size + symbol, 2 * square + col * size + symbol))
    return _problem(rows, 3 * square)


def _triples(chance: random.Random, points: int) -> Matrix:
    number = {pair: place for place, pair in enumerate(combinations(range(points), 2))}
    kept = [each for each in combinations(range(points), 3) if chance.random() < 0.93]
    return _problem([tuple(number[p] for p in combinations(t, 2)) for t in kept], len(number))


def _paths(chance: random.Random, points: int) -> Matrix:
    """Covers of a sparse graph by paths of one to three points."""
    edges = set(_graph(chance, points, 2.5 / points))
    rows: Rows = [(point,) for point in range(points)]
    rows += sorted(edges)
    for middle in range(points):
        near = [a + b - middle for a, b in edges if middle in (a, b)]
        rows += [(middle, *ends) for ends in combinations(sorted(near), 2)]
    return _problem(rows, points)


def _region(chance: random.Random, height: int, width: int) -> Matrix:
    """Dominoes and trominoes on a rectangle, some cells optional."""
    cells = [(row, col) for row in range(height) for col in range(width)]
    optional = {cell for cell in cells if chance.random() < 0.1}
    order = [cell for cell in cells if cell not in optional] + sorted(optional)
    number = {cell: place for place, cell in enumerate(order)}
    shapes = [
        ((0, 0), (0, 1)),
        ((0, 0), (1, 0)),
        ((0, 0), (0, 1), (1, 0)),
        ((0, 1), (1, 0), (1, 1)),
    ]
    rows = []
    for row, col in cells:
        for shape in shapes:
            laid = [(row + r, col + c) for r, c in shape]
            if all(cell in number for cell in laid):
                rows.append(tuple(number[cell] for cell in laid))
    primary = len(cells) - len(optional)
    return _problem([row for row in rows if min(row) < primary], primary)


def wrongly_counted(each: int, seed: int = 1) -> list[tuple[str, Matrix, dict[str, int], int]]:
    """Return the problems that some method counts otherwise than the dictionary."""
    wrong = []
    for name, matrix in families(each, seed):
        expected = slowly_counted(matrix)
        found = {
            method: count_cover(matrix, Run(), method=method)
            for method in ("auto", "sweep", "memo")
        }
        if set(found.values()) != {expected}:
            wrong.append((name, matrix, found, expected))
    return wrong


if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    wrong = wrongly_counted(number)
    for name, matrix, found, expected in wrong[:5]:
        print(name, found, expected, matrix)
    print(f"{5 * number} covers, {len(wrong)} counted wrongly")
    sys.exit(bool(wrong))
