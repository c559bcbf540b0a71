"""Options left out of a search for the cheapest covers."""

from __future__ import annotations

import random
from collections.abc import Hashable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridkit.cover.exact_cover import Colored, ExactCover
from gridkit.cover.matrix import Matrix
from gridkit.cover.search import reduce as reducing
from gridkit.cover.search.minimum import cheapest
from gridkit.run import Run
from gridkit.run.jit import JIT_DISABLED
from strategies import matrices
from twins.cover import covers, undominated


@st.composite
def priced(draw: st.DrawFn) -> tuple[Matrix, list[int]]:
    """Small problems with equal options and options that hold fewer items, and their costs."""
    matrix = draw(matrices())
    order = (
        draw(st.lists(st.sampled_from(range(len(matrix.options))), max_size=9))
        if (matrix.options)
        else []
    )
    options, colors = [], []
    for option in order:
        items = matrix.options[option]
        paint = matrix.colors[option] if matrix.colors is not None else (0,) * len(items)
        pairs = [p for p in zip(items, paint, strict=True) if draw(st.integers(0, 4))]
        pairs = pairs or [(items[0], paint[0])]
        options.append(tuple(item for item, _ in pairs))
        colors.append(tuple(color for _, color in pairs))
    painted = None if matrix.colors is None else tuple(colors)
    costs = draw(st.lists(st.integers(-2, 3), min_size=len(order), max_size=len(order)))
    return replace(matrix, options=tuple(options), colors=painted), costs


@given(priced(), st.integers(1, 3))
def test_the_cheapest_covers_stay(problem: tuple[Matrix, list[int]], k: int) -> None:
    matrix, costs = problem
    every = covers(matrix)
    best = cheapest(matrix, costs, k, Run())
    assert [each.cost for each in best] == sorted(sum(costs[o] for o in c) for c in every)[:k]
    assert len({each.options for each in best}) == len(best)
    for each in best:
        assert each.options in every
        assert each.cost == sum(costs[o] for o in each.options)


@given(priced(), st.integers(1, 3))
def test_what_is_left_out(problem: tuple[Matrix, list[int]], k: int) -> None:
    matrix, costs = problem
    assert reducing.undominated(matrix, costs, k) == undominated(matrix, costs, k)


@given(priced(), st.integers(1, 2))
def test_impatience_leaves_out_less(problem: tuple[Matrix, list[int]], k: int) -> None:
    matrix, costs = problem
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reducing, "_COMPARISONS", 0)
        kept = reducing.undominated(matrix, costs, k)
        assert set(kept) >= set(undominated(matrix, costs, k))
        best = cheapest(matrix, costs, k, Run())
    every = sorted(sum(costs[o] for o in c) for c in covers(matrix))
    assert [each.cost for each in best] == every[:k]


def test_of_equal_options_the_earliest_of_the_cheapest_is_taken() -> None:
    cover = ExactCover([["a"], ["a"], ["b"], ["a"], ["b"]], costs=[3, 1, 2, 1, 2])
    assert [each.options for each in cover.minimum()] == [(1, 2)]
    assert {each.options for each in cover.minimum(4)} == {(1, 2), (1, 4), (2, 3), (3, 4)}
    twice = ExactCover([["a"]] * 5, costs=[4, 2, 3, 2, 9], multiplicity={"a": (2, 3)})
    assert [(each.cost, each.options) for each in twice.minimum(2)] == [(4, (1, 3)), (5, (1, 2))]


def test_fewer_secondary_items_in_the_same_colours() -> None:
    options: list[list[Hashable]] = [
        ["p", Colored("x", 1), "y"],
        ["p", Colored("x", 1)],
        ["p", Colored("x", 2)],
        ["q", Colored("x", 2)],
    ]
    cover = ExactCover(options, "pq", "xy", costs=[6, 5, 9, 1])
    assert reducing.undominated(cover.matrix, [6, 5, 9, 1], 1) == [1, 2, 3]
    assert reducing.undominated(cover.matrix, [5, 5, 9, 1], 1) == [0, 1, 2, 3]
    assert cover.minimum()[0].options == (2, 3)


def test_many_options_of_one_item() -> None:
    # Every pair of options compared would be more than any patience.
    size = 300 if JIT_DISABLED else 20_000
    chance = random.Random(1)
    options = [["p", *chance.sample(range(60), 5)] for _ in range(size)]
    costs = list(range(size))
    cover = ExactCover(options, "p", range(60), costs=costs)
    kept = reducing.undominated(cover.matrix, costs, 1)
    assert kept[0] == 0
    assert len({frozenset(options[number]) for number in kept}) == len(kept)
    assert cover.minimum()[0].cost == 0
