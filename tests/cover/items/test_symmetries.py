"""Symmetries found in the options alone."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given

from cover.items.families import latin, matchings, partitions, plain_matrix, triple_systems
from gridkit.cover.items.exchange import Swap
from gridkit.cover.items.kinds import classify
from gridkit.cover.items.symmetries import interchangeable, swaps
from gridkit.cover.matrix import Matrix
from gridkit.run import Run
from strategies import matrices


def carries(matrix: Matrix, image: dict[int, int]) -> bool:
    """Whether a permutation of items carries the options to the options, with their bounds."""
    moved = [tuple(sorted(image.get(item, item) for item in option)) for option in matrix.options]
    bounds = [(low, high) for low, high in zip(matrix.low, matrix.high, strict=True)]
    bounds += [(0, 1)] * (matrix.items - matrix.primary)
    same = all(bounds[a] == bounds[b] for a, b in image.items())
    return same and sorted(moved) == sorted(matrix.options)


def as_map(swap: Swap) -> dict[int, int]:
    return {x: y for a, b in swap for x, y in ((a, b), (b, a))}


def test_items_that_may_be_permuted() -> None:
    run = Run()
    assert interchangeable(classify(matchings(6), run), run) == [[0, 1, 2, 3, 4, 5]]
    assert interchangeable(classify(partitions(4), run), run) == [[0, 1, 2, 3]]
    star = plain_matrix([(0, 1), (0, 2), (0, 3), (1, 4), (2, 4), (3, 4)])
    assert interchangeable(classify(star, run), run) == [[0, 4], [1, 2, 3]]
    assert interchangeable(classify(plain_matrix([(0,), (1,), (1,)]), run), run) == []


@given(matrices(plain=True))
def test_all_that_is_found_are_symmetries(matrix: Matrix) -> None:
    run = Run()
    kinds = classify(matrix, run)
    if not (kinds.plain and kinds.possible):
        return
    held = Matrix(
        tuple(tuple(sorted(items)) for items in kinds.held) or ((0,),),
        matrix.items,
        tuple(least for least, _ in kinds.bounds),
        tuple(1 for _ in kinds.bounds),
    )
    for items in interchangeable(kinds, run):
        for order in list(permutations(items))[:24]:
            assert carries(held, dict(zip(items, order, strict=True)))
    for swap in swaps(kinds, (), run):
        assert carries(held, as_map(swap))


def test_exchanges_of_rows_columns_and_symbols() -> None:
    run = Run()
    for size in (3, 4, 5):
        found = swaps(classify(latin(size), run), (), run)
        assert all(carries(latin(size), as_map(swap)) for swap in found)
        assert sum(len(swap) == 2 * size for swap in found) == 3 * size * (size - 1) // 2
    found = swaps(classify(triple_systems(7), run), (), run)
    assert len(found) == 21  # the exchanges of two points
