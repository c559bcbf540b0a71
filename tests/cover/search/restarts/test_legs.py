"""The first solution from shuffled beginnings: valid, complete, and the same however it is cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridkit as gk
from gridkit.cover.matrix import Matrix
from gridkit.cover.search.listing import Seek
from gridkit.cover.search.restarts import legs
from gridkit.cover.search.restarts.legs import luby, shuffled
from gridkit.errors import InputError
from gridkit.run import Limit, Run
from gridkit.run.jit import JIT_DISABLED
from twins.cover import covers


def queens(n: int) -> gk.ExactCover:
    """Queens in the natural order: row by row, from the left."""
    options = [
        (("row", row), ("col", col), ("up", row + col), ("down", row - col))
        for row in range(n)
        for col in range(n)
    ]
    primary = [(line, at) for line in ("row", "col") for at in range(n)]
    diagonals = [("up", at) for at in range(2 * n - 1)] + [("down", at) for at in range(1 - n, n)]
    return gk.ExactCover(options, primary, diagonals)


@st.composite
def problems(draw: st.DrawFn) -> Matrix:
    """Small problems with secondary items and counts."""
    items = st.sets(st.integers(0, 6), min_size=1, max_size=3)
    options = [tuple(sorted(draw(items))) for _ in range(draw(st.integers(0, 9)))]
    low = tuple(draw(st.integers(0, 2)) for _ in range(5))
    return Matrix(tuple(options), 5, low, tuple(least + draw(st.integers(0, 1)) for least in low))


def seek(matrix: Matrix, step: int, *, resume: bool = False) -> tuple[list[tuple[int, ...]], int]:
    """Return the solution and the nodes, where every leg begins early and chunks are cut short."""
    search = Seek(matrix, "plain", 1, Run(), patience=2, restart=True)
    while not search.advance(step):
        if resume:
            search = Seek(matrix, "plain", 1, Run(), search.token(), patience=2, restart=True)
    return search.solutions, search.nodes


@given(problems(), st.integers(1, 5))
def test_a_solution_is_found_where_there_is_one(matrix: Matrix, step: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(legs, "_LEG_NODES", 2)
        expected = covers(matrix)
        found, nodes = seek(matrix, 1 << 30)
        assert len(found) == min(1, len(expected))
        assert set(found) <= set(expected)
        assert seek(matrix, step) == (found, nodes)
        assert seek(matrix, step, resume=True)[0] == found


@pytest.mark.skipif(JIT_DISABLED, reason="takes long without compilation")
def test_queens_are_placed_in_the_natural_order() -> None:
    problem = queens(90)
    with pytest.raises(gk.LimitReached):  # the natural order alone, far beyond
        next(problem.solutions(limit=Limit(nodes=100_000)))
    found = problem.first(limit=Limit(nodes=30_000))
    assert found is not None
    assert sorted(item for option in found for item in problem.matrix.options[option][:2]) == list(
        range(180)
    )
    assert problem.first(method="sparse") == problem.first(method="bitset") == found
    token = None
    while True:
        try:
            assert problem.first(limit=Limit(nodes=7_000), resume=token) == found
            break
        except gk.LimitReached as reached:
            token = reached.token


def test_a_shuffled_problem_is_the_same_problem() -> None:
    matrix = queens(4).matrix
    other, numbers = shuffled(matrix, 3)
    assert list(numbers) != sorted(numbers) == list(range(16))
    assert [matrix.options[number] for number in numbers] == list(other.options)
    found = {tuple(sorted(numbers[option] for option in cover)) for cover in covers(other)}
    assert found == set(covers(matrix))


def test_legs_are_as_long_as_published() -> None:
    assert [luby(number) for number in range(15)] == [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]


def test_damaged_tokens_are_refused() -> None:
    with pytest.raises(InputError, match="damaged"):
        legs.Legs(queens(4).matrix, "auto", "auto", (1, 2), patience=1)
