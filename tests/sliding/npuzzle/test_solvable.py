"""Solvability on every small graph, against search through all arrangements."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import permutations

import pytest

from gridkit.grid.components import permutation_is_even
from gridkit.sliding.npuzzle.graph import exchange_classes, same_blanks
from gridkit.sliding.npuzzle.puzzle import NPuzzle
from gridkit.sliding.npuzzle.solvable import decide
from gridkit.value import Verdict
from twins.npuzzle import connected_graphs, distances, grid_graph, polyomino_cells

Graph = Sequence[Sequence[int]]


def agrees(graph: Graph, tiles: list[int], chance: random.Random, samples: int) -> None:
    """Compare `decide` with the connected parts of the space of all arrangements."""
    states = sorted(set(permutations(tiles)))
    part: dict[tuple[int, ...], int] = {}
    heads: list[tuple[int, ...]] = []
    for state in states:
        if state not in part:
            part.update(dict.fromkeys(distances(graph, state), len(heads)))
            heads.append(state)
    for _ in range(samples):
        state = chance.choice(states)
        for goal in (chance.choice(states), heads[part[state]]):
            verdict = decide(graph, state, goal)
            assert verdict.solvable == (part[state] == part[goal]), (graph, state, goal, verdict)


def test_all_graphs_of_up_to_four_vertices() -> None:
    chance = random.Random(4)
    for n in (2, 3, 4):
        for graph in connected_graphs(n):
            for blanks in range(1, n):
                agrees(graph, [0] * blanks + list(range(1, n - blanks + 1)), chance, 12)


def test_graphs_of_five_vertices() -> None:
    chance = random.Random(5)
    for graph in chance.sample(list(connected_graphs(5)), 150):
        blanks = chance.randint(1, 4)
        agrees(graph, [0] * blanks + list(range(1, 6 - blanks)), chance, 15)


@pytest.mark.parametrize("size", [6, 7, 8])
def test_walled_boards(size: int) -> None:
    chance = random.Random(size)
    for cells in chance.sample(polyomino_cells(size), 25):
        graph = grid_graph(cells)
        blanks = chance.randint(2 if size == 8 else 1, size - 1)
        distinct = list(range(1, size - blanks + 1))
        if size == 8 and blanks < 4:
            distinct = [chance.randint(1, 3) for _ in distinct]
        agrees(graph, [0] * blanks + distinct, chance, 12)


def test_wilsons_exception() -> None:
    # Two vertices (0 and 3) joined by paths over {1, 2}, {4, 5} and {6}.
    graph = [[1, 5, 6], [0, 2], [1, 3], [2, 4, 6], [3, 5], [4, 0], [0, 3]]
    goal = (0, 1, 2, 3, 4, 5, 6)
    reached = distances(graph, goal)
    assert len(reached) == 7 * 120
    chance = random.Random(7)
    states = list(permutations(goal))
    for state in chance.sample(states, 300) + chance.sample(sorted(reached), 60):
        assert decide(graph, state, goal).solvable == (state in reached)
    agrees(graph, [0, 1, 1, 2, 2, 3, 3], chance, 60)


def test_complete_graph_reaches_all() -> None:
    graph = [[w for w in range(4) if w != v] for v in range(4)]
    assert all(decide(graph, state, (1, 2, 3, 0)) for state in permutations(range(4)))


def test_classes_on_larger_trees() -> None:
    """Follow two tiles through all positions on trees that enumeration of tiles cannot reach."""
    chance = random.Random(11)
    for _ in range(12):
        n = 11
        graph: list[list[int]] = [[] for _ in range(n)]
        for v in range(1, n):
            w = chance.randrange(max(0, v - 4), v)
            graph[v].append(w)
            graph[w].append(v)
        blanks = chance.randint(2, 5)
        holes = chance.sample(range(n), blanks)
        full = [v for v in range(n) if v not in holes]
        classes = exchange_classes(graph, holes)
        start = [0 if v in holes else 2 for v in range(n)]
        start[full[0]] = 1
        reached = distances(graph, tuple(start))
        for v in full:
            state = [0 if u in holes else 2 for u in range(n)]
            state[v] = 1
            assert (classes[v] == classes[full[0]]) == (tuple(state) in reached)


def test_blanks_are_brought_along() -> None:
    chance = random.Random(3)
    graph = grid_graph([(r, c) for r in range(4) for c in range(4) if (r, c) != (1, 1)])
    for _ in range(50):
        start = [0, 0, 0, *range(1, 13)]
        goal = start[:]
        chance.shuffle(start)
        chance.shuffle(goal)
        tiles, moves = same_blanks(graph, start, goal)
        board = start[:]
        for source, target in moves:
            assert board[source] != 0
            assert board[target] == 0
            assert target in graph[source]
            board[source], board[target] = 0, board[source]
        assert board == tiles
        assert [tile == 0 for tile in tiles] == [tile == 0 for tile in goal]


def test_parity_facts() -> None:
    assert not NPuzzle(4, 4, [*range(1, 14), 15, 14, 0]).is_solvable()
    report = NPuzzle(4, 4, [1, 2, 3, 7, 12, 8, 15, 4, 13, 10, 11, 5, 9, 6, 14, 0])
    assert not report.is_solvable()
    assert "parities" in report.explain().reason
    assert NPuzzle(4, 4, [*range(1, 13), 12, 12, 13, 0]).is_solvable()
    assert NPuzzle(3, 3, [0, 0, 2, 1, 3, 4, 5, 6, 7]).is_solvable()
    assert NPuzzle(2, 2, [1, 2, 3, 0], goal=[3, 1, 0, 2]).is_solvable()
    assert permutation_is_even([], [])


def test_verdicts_are_true_whatever_they_say() -> None:
    verdict = NPuzzle(4, 4, [*range(1, 14), 15, 14, 0]).explain()
    assert isinstance(verdict, Verdict)
    assert bool(verdict)
    assert not verdict.solvable
    assert str(verdict).startswith("unsolvable: ")


def test_reasons_name_the_theorem() -> None:
    assert "blank" in NPuzzle(1, 4, [1, 2, 0, 3], goal=[1, 0, 2, 3]).explain().reason
    cut = NPuzzle(2, 3, [1, 2, 0], goal=[2, 1, 0], walls=[(0, 0), (0, 2), (1, 1)])
    assert not cut.is_solvable()
    split = NPuzzle(1, 5, [1, 0, 2, 3], goal=[0, 1, 3, 2], walls=[(0, 2)])
    assert "no blank reaches tile 2" in split.explain().reason
    star = NPuzzle(
        3, 3, [0, 0, 0, 1, 2], goal=[0, 0, 0, 2, 1], walls=[(0, 0), (0, 2), (2, 0), (2, 2)]
    )
    assert star.is_solvable()
    assert "Kornhauser" in star.explain().reason


def test_large_boards_are_decided_at_once() -> None:
    n = 300
    tiles = [*range(1, n * n - 2), n * n - 1, n * n - 2, 0]
    assert not NPuzzle(n, n, tiles).is_solvable()
    walled = NPuzzle(60, 60, [*range(1, 3598), 0, 0], walls=[(3, 3)])
    assert walled.is_solvable()
