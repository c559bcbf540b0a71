"""Strings of moves that a search may avoid, and searches that avoid them."""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridkit.run import Run
from gridkit.run.jit import JIT_DISABLED
from gridkit.sliding.npuzzle import ida as npuzzle_deepening
from gridkit.sliding.npuzzle.duplicates import automaton, needless
from gridkit.sliding.npuzzle.ida import DeepeningSearch
from gridkit.sliding.npuzzle.patterns import Guide, guide
from gridkit.sliding.npuzzle.puzzle import NPuzzle
from twins.npuzzle import State, distances, needless_strings, rectangle_graph, shortest_counts

LONGEST = 5 if JIT_DISABLED else 8
BOARDS = [(2, 3), (1, 5), (5, 1), (3, 3), (2, 4)]


def test_the_shortest_needless_strings() -> None:
    """Back and forth, and six moves around a block the other way."""
    assert needless(1) == ()
    assert set(needless(2)) == {(0, 3), (3, 0), (1, 2), (2, 1)}
    if not JIT_DISABLED:
        around = set(needless(6)) - set(needless(5))
        assert len(around) == 4
        assert all(len(set(string)) == 4 for string in around)


@pytest.mark.parametrize("longest", range(1, LONGEST + 1))
def test_needless_strings_against_their_definition(longest: int) -> None:
    assert list(needless(longest)) == needless_strings(longest)


@given(st.lists(st.integers(0, 3), max_size=30))
def test_automaton_stops_at_the_first_needless_string(moves: list[int]) -> None:
    follow = automaton(LONGEST)
    strings = set(needless(LONGEST))
    state = 0
    for end in range(1, len(moves) + 1):
        ended = any(tuple(moves[i:end]) in strings for i in range(end))
        assert (follow[state, moves[end - 1]] < 0) == ended
        assert bool(follow[state, 4] >> moves[end - 1] & 1) != ended
        if ended:
            return
        state = int(follow[state, moves[end - 1]])


@cache
def tables(rows: int, cols: int) -> tuple[dict[State, int], dict[State, int]]:
    """Distances of all states, and the numbers of their shortest solutions."""
    graph, goal = rectangle_graph(rows, cols), (0, *range(1, rows * cols))
    return distances(graph, goal), shortest_counts(graph, goal)


@pytest.mark.parametrize(("rows", "cols"), BOARDS[:3] if JIT_DISABLED else BOARDS)
@pytest.mark.parametrize("lanes", [1, 2, 5])
def test_pruned_searches_find_shortest_plans(
    rows: int, cols: int, lanes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    stages = ((5 if lanes == 2 else 1000, LONGEST, 20), (0, LONGEST, 1))
    monkeypatch.setattr(npuzzle_deepening, "_STAGES", stages)
    monkeypatch.setattr(npuzzle_deepening, "_LANES", lanes)
    goal = (0, *range(1, rows * cols))
    far, counts = tables(rows, cols)
    states = random.Random(lanes).sample(sorted(far), min(len(far), 3 if JIT_DISABLED else 60))
    for state in [*states, max(far, key=lambda state: far[state])]:
        puzzle = NPuzzle(rows, cols, state, goal=goal)
        instance = puzzle._instance
        for chosen in (Guide([], None), guide(instance, "2-2" if len(goal) == 5 else "auto")):
            search = DeepeningSearch(instance, chosen, Run())
            Run().drive(search)
            assert search.length == len(search.route()) == far[state]
            blank = state.index(0)
            tiles = list(state)
            for source, target in search.route():
                assert target == blank
                tiles[target], tiles[source], blank = tiles[source], 0, source
            assert tuple(tiles) == goal
            counting = DeepeningSearch(instance, chosen, Run(), count_all=True)
            Run().drive(counting)
            assert (counting.length, counting.found) == (far[state], counts[state])
