"""Equal options, which each count."""

from __future__ import annotations

import random
from dataclasses import replace
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridkit as gk
from cover.search.test_engines import langford, matrices
from gridkit.cover.matrix import Matrix
from gridkit.cover.search import multiples
from gridkit.cover.search.counting import count_matrix
from gridkit.errors import LimitReached
from gridkit.run.control import Limit
from gridkit.run.jit import JIT_DISABLED
from twins.cover import covers


def repeated(matrix: Matrix, times: list[int]) -> Matrix:
    order = [option for option, often in enumerate(times) for _ in range(often)]
    random.Random(len(order)).shuffle(order)
    return replace(
        matrix,
        options=tuple(matrix.options[option] for option in order),
        colors=None if matrix.colors is None else tuple(matrix.colors[option] for option in order),
    )


@given(matrices(plain=True), st.data())
def test_counts_with_equal_options(matrix: Matrix, data: st.DataObject) -> None:
    often = st.integers(1, 3) if data.draw(st.booleans()) else st.just(2)
    size = len(matrix.options)
    times = data.draw(st.lists(often, min_size=size, max_size=size))
    expected = sum(prod(times[option] for option in cover) for cover in covers(matrix))
    many = repeated(matrix, times)
    assert count_matrix(many) == expected
    once, factor = multiples.distinct(many)
    if factor > 1:
        kinds = zip(once.options, once.colors or once.options, strict=True)
        assert len(set(kinds)) == len(once.options)
        assert factor * len(covers(once)) == expected


def test_options_counted_items_and_colours_that_differ_stay() -> None:
    counted = Matrix(((0,), (0,)), 1, (1,), (2,))
    assert multiples.distinct(counted) == (counted, 1)
    assert count_matrix(counted) == 3
    painted = Matrix(((0, 1), (0, 1)), 1, (1,), (1,), ((0, 1), (0, 2)))
    assert multiples.distinct(painted) == (painted, 1)
    unlike = Matrix(((0, 1), (0,), (1,), (1,)), 2, (1, 1), (1, 1))  # 1 + 2: no factor
    assert multiples.distinct(unlike) == (unlike, 1)
    assert count_matrix(unlike) == 3


def test_large_systems_are_not_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = langford(4)
    some = repeated(matrix, [1 + option[0] for option in matrix.options])
    assert multiples.distinct(some)[1] == 24
    monkeypatch.setattr(multiples, "_LARGEST_SYSTEM", 10)
    assert multiples.distinct(some) == (some, 1)
    assert count_matrix(some) == 2 * 24
    assert multiples.distinct(repeated(matrix, [2] * len(matrix.options)))[1] == 2**4


def test_pairs_of_langford_in_three_colours() -> None:
    n, solutions = (4, 2) if JIT_DISABLED else (8, 300)
    matrix = langford(n)
    thrice = repeated(matrix, [3] * len(matrix.options))
    assert count_matrix(thrice) == solutions * 3**n
    assert count_matrix(thrice, parts=5) == solutions * 3**n
    # Only those of every other pair, in a number that grows with it.
    some = repeated(matrix, [1 + option[0] % 2 * option[0] for option in matrix.options])
    assert count_matrix(some) == solutions * prod(1 + k % 2 * k for k in range(n))
    token, calls = None, 0
    while True:
        try:
            total = count_matrix(some, limit=Limit(nodes=4 if JIT_DISABLED else 20), resume=token)
            break
        except LimitReached as reached:
            token, calls = reached.token, calls + 1
    assert total == count_matrix(some)
    assert calls


@pytest.mark.skipif(JIT_DISABLED, reason="a long search")
def test_pentominoes_placed_in_eight_ways_whatever_their_symmetry() -> None:
    options: list[list[object]] = []
    for number, piece in enumerate(gk.pieces.pentominoes().values()):
        for side in (piece, piece.reflected()):
            for turned in map(side.rotated, range(4)):
                options += [
                    [number, *((r + row, c + col) for r, c in turned.cells)]
                    for row in range(4 - turned.rows)
                    for col in range(21 - turned.cols)
                ]
    assert gk.ExactCover(options).count() == 8 * 8 * 4 * 2**5
