"""Searches that are over before the problem is reduced."""

from __future__ import annotations

import pytest
from hypothesis import given

from cover.search.test_engines import langford
from gridkit.cover.matrix import Matrix
from gridkit.cover.search.counting import count_at_once, count_matrix
from gridkit.run import Limit, Run, use_tier
from gridkit.run.limits import Tier
from strategies import matrices
from twins.cover import covers


@given(matrices())
def test_what_is_counted_at_once_is_right(matrix: Matrix) -> None:
    assert count_at_once(matrix, Run()) in (None, len(covers(matrix)))


@pytest.mark.parametrize("tier", ["plain", "compiled"])
def test_long_searches_are_left_to_the_reduced_problem(tier: Tier) -> None:
    with use_tier(tier):
        assert count_at_once(langford(4), Run()) in (None, 2)
        assert count_at_once(langford(8), Run()) is None
        assert count_matrix(langford(8), Run()) == 300


def test_calls_that_show_their_nodes_begin_at_the_reduced_problem() -> None:
    single = Matrix(((0,),), 1, (1,), (1,))
    assert count_at_once(Matrix((tuple(range(40)),), 40, (1,) * 40, (1,) * 40), Run()) == 1
    assert count_at_once(single, Run(limit=Limit(nodes=100))) is None
    assert count_at_once(single, Run(progress=print)) is None
