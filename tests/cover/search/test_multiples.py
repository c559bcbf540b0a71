"""Equal options, which each count."""

from __future__ import annotations

import random
from dataclasses import replace
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridkit as gk
from cover.search.test_engines import langford
from gridkit.cover.matrix import Matrix
from gridkit.cover.search.counting import count_matrix
from gridkit.cover.search.reduce import distinct
from gridkit.errors import LimitReached
from gridkit.run import Limit, Run
from gridkit.run.jit import JIT_DISABLED
from strategies import matrices
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
    assert count_matrix(many, Run()) == expected
    once, factor = distinct(many, Run())
    if factor > 1:
        kinds = zip(once.options, once.colors or once.options, strict=True)
        assert len(set(kinds)) == len(once.options)
        assert factor * len(covers(once)) == expected


def test_options_counted_items_and_colours_that_differ_stay() -> None:
    counted = Matrix(((0,), (0,)), 1, (1,), (2,))
    assert distinct(counted, Run()) == (counted, 1)
    assert count_matrix(counted, Run()) == 3
    painted = Matrix(((0, 1), (0, 1)), 1, (1,), (1,), ((0, 1), (0, 2)))
    assert distinct(painted, Run()) == (painted, 1)
    unlike = Matrix(((0, 1), (0,), (1,), (1,)), 2, (1, 1), (1, 1))  # 1 + 2: no factor
    assert distinct(unlike, Run()) == (unlike, 1)
    assert count_matrix(unlike, Run()) == 3


def test_a_factor_is_proved_in_integers() -> None:
    matrix = langford(4)
    # As many options as the pair's number: each pair's item is held by such options alone.
    some = repeated(matrix, [1 + option[0] for option in matrix.options])
    assert distinct(some, Run())[1] == 24
    assert count_matrix(some, Run()) == 2 * 24
    assert distinct(repeated(matrix, [2] * len(matrix.options)), Run())[1] == 2**4
    # One option of a pair occurs twice: solutions may count differently.
    unlike = repeated(matrix, [2, *[1] * (len(matrix.options) - 1)])
    assert distinct(unlike, Run()) == (unlike, 1)
    # Here all solutions count alike, but no sum of items shows it: counted one by one.
    square = Matrix(((0, 1), (2, 3), (0, 2), (1, 3), (0, 2), (1, 3)), 4, (1,) * 4, (1,) * 4)
    assert distinct(square, Run()) == (square, 1)
    assert count_matrix(square, Run()) == 1 + 4


def test_pairs_of_langford_in_three_colours() -> None:
    n, solutions = (4, 2) if JIT_DISABLED else (8, 300)
    matrix = langford(n)
    thrice = repeated(matrix, [3] * len(matrix.options))
    assert count_matrix(thrice, Run()) == solutions * 3**n
    assert count_matrix(thrice, Run(parts=5)) == solutions * 3**n
    # Only those of every other pair, in a number that grows with it.
    some = repeated(matrix, [1 + option[0] % 2 * option[0] for option in matrix.options])
    assert count_matrix(some, Run()) == solutions * prod(1 + k % 2 * k for k in range(n))
    token, calls = None, 0
    while True:
        try:
            limit = Limit(nodes=4 if JIT_DISABLED else 20)
            total = count_matrix(some, Run(limit=limit, resume=token))
            break
        except LimitReached as reached:
            token, calls = reached.token, calls + 1
    assert total == count_matrix(some, Run())
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
