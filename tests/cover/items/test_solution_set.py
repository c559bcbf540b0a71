"""Sets of solutions as decision diagrams, against the list of all solutions."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridkit.cover.exact_cover import ExactCover
from gridkit.cover.items.solution_set import SolutionSet, build
from gridkit.cover.matrix import Matrix
from gridkit.errors import InputError, LimitReached
from gridkit.run import Limit, Run
from strategies import matrices
from twins.cover import covers


def set_of(matrix: Matrix, costs: Sequence[int] | None = None) -> SolutionSet:
    return build(matrix, None if costs is None else tuple(costs), Run())


@given(matrices(), st.integers(0, 8), st.randoms(use_true_random=False))
def test_everything_asked_of_a_set(matrix: Matrix, option: int, chance: random.Random) -> None:
    expected = covers(matrix)
    costs = [chance.randint(-3, 9) for _ in matrix.options]
    solutions = set_of(matrix, costs)
    listed = list(solutions)
    assert len(listed) == len(set(listed)) == solutions.count() == len(solutions)
    assert set(listed) == expected
    assert bool(solutions) == bool(expected)
    counts = tuple(sum(o in chosen for chosen in expected) for o in range(len(matrix.options)))
    assert solutions.counts() == counts
    by_cost = sorted(sum(costs[o] for o in chosen) for chosen in expected)
    cheapest = solutions.cheapest(5)
    assert [each.cost for each in cheapest] == by_cost[:5]
    assert {each.options for each in cheapest} <= expected
    assert all(chosen in solutions for chosen in expected)
    for size in range(3):
        for chosen in combinations(range(len(matrix.options)), size):
            assert (chosen in solutions) == (chosen in expected)
    if option < len(matrix.options):
        assert set(solutions.holding(option)) == {each for each in expected if option in each}
        without = solutions.without(option)
        assert set(without) == {each for each in expected if option not in each}
        assert without.count() + solutions.holding(option).count() == len(expected)
    if expected:
        assert set(solutions.sample(5, rng=1)) <= expected


@settings(max_examples=40)
@given(matrices(), matrices())
def test_intersections_of_sets_in_different_orders(first: Matrix, second: Matrix) -> None:
    most = min(len(first.options), len(second.options))
    one, two = (
        Matrix(m.options[:most], m.primary, m.low, m.high, m.colors and m.colors[:most])
        for m in (first, second)
    )
    common = set_of(one).intersection(set_of(two))
    assert set(common) == covers(one) & covers(two)
    assert set_of(one) & set_of(one) == set_of(one)
    assert common.count() == (set_of(two) & set_of(one)).count()


def test_a_set_too_large_to_list() -> None:
    pairs = list(combinations(range(16), 2))
    cover = ExactCover(pairs, costs=[a * b % 17 for a, b in pairs])
    matchings = cover.solution_set()
    assert matchings.count() == 2_027_025
    assert matchings.counts() == (135_135,) * 120
    assert matchings.cheapest(3)[0].cost == cover.minimum()[0].cost
    assert [each.cost for each in matchings.cheapest(3)] == [e.cost for e in cover.minimum(3)]
    assert len(list(islice(matchings, 10))) == 10
    kept = matchings.without(0).holding(1)
    assert kept.count() == 135_135
    assert repr(kept).startswith("<SolutionSet of 135135 solutions in ")


def test_samples_are_uniform() -> None:
    solutions = ExactCover(combinations(range(6), 2)).solution_set()
    drawn = Counter(solutions.sample(3000, rng=7))
    assert len(drawn) == 15
    assert max(drawn.values()) < 270
    assert min(drawn.values()) > 140
    assert solutions.sample(3, rng=5) == solutions.sample(3, rng=5)


def test_a_set_is_a_value() -> None:
    solutions = ExactCover(["a", "b", "c", "ab", "bc"], costs=[1, 2, 4, 1, 7]).solution_set()
    again = pickle.loads(pickle.dumps(solutions))
    assert again == solutions
    assert hash(again) == hash(solutions)
    assert solutions.holding(4) != solutions
    assert solutions.to_dot().startswith("digraph solutions {")
    assert solutions.to_dot().count("style=dashed") < solutions.nodes


def test_what_a_set_refuses() -> None:
    empty = ExactCover([["a"]], ["a", "b"]).solution_set()
    assert not empty
    assert list(empty) == []
    with pytest.raises(InputError, match="no solutions to draw"):
        empty.sample()
    with pytest.raises(InputError, match="no costs"):
        empty.cheapest()
    with pytest.raises(InputError, match="expected one of 0 to 0, got 3"):
        empty.holding(3)
    with pytest.raises(InputError, match="over 1 options"):
        empty.intersection(ExactCover([["a"], ["b"]]).solution_set())
    with pytest.raises(LimitReached, match="memory"):
        ExactCover(combinations(range(16), 2)).solution_set(limit=Limit(memory=10_000))
    assert list(ExactCover([]).solution_set()) == [()]
