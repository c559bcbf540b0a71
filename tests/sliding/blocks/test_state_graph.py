"""State spaces as graphs: edges, cut states, shortest plans and the texts of other tools."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridkit import SlidingPuzzle
from gridkit.errors import InputError, LimitReached
from gridkit.run import Limit
from gridkit.sliding import StateGraph
from gridkit.sliding.blocks.graphs.state_graph import _Cuts
from gridkit.sliding.blocks.rules import BlockMetric
from twins.sliding import connected_without

networkx = pytest.importorskip("networkx")

SMALL = [
    SlidingPuzzle.parse("A..\nB..", goal={"A": (0, 2)}),
    SlidingPuzzle.parse("A.C\nB..\n...", goal={"A": (0, 2), "C": (2, 2)}),
    SlidingPuzzle.parse("AAB\n..B\nC..", goal={"A": (2, 0)}),
    SlidingPuzzle.parse("A.#.", goal={"A": (0, 3)}),
    SlidingPuzzle.parse("A", goal={"A": (0, 0)}),
    SlidingPuzzle.parse(
        "AAB\n..B\nC..", goal={"A": (0, 1)},
        axes={"A": "horizontal", "B": "vertical", "C": "horizontal"},
    ),
]  # fmt: skip
METRICS: list[BlockMetric] = ["step", "slide", "move"]


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("puzzle", SMALL)
def test_edges_and_distances(puzzle: SlidingPuzzle, metric: BlockMetric) -> None:
    space = puzzle.explore(metric=metric)
    graph = space.graph()
    assert isinstance(graph, StateGraph)
    assert (graph.states, graph.edges) == (space.states, space.edges)
    assert graph.text_at(0) == puzzle.draw(puzzle.places)
    assert graph.histogram()[0] == 1
    assert len(graph.histogram()) == space.eccentricity + 1
    for state in range(graph.states):
        start = graph.puzzle_at(state)
        plan = start.solve(metric=metric)
        assert graph.distances[state] == (-1 if plan is None else len(plan))
        near = graph.neighbours(state).tolist()
        assert near == sorted(set(near))
        if state % 40 == 0:
            moved = start.explore(metric=metric, diameter=False).graph()
            assert moved.histogram()[1:2] == ((len(near),) if near else ())
        assert all(state in graph.neighbours(other) for other in near)


@pytest.mark.parametrize("puzzle", SMALL)
def test_shortest_plans_are_those_of_networkx(puzzle: SlidingPuzzle) -> None:
    space = puzzle.explore(metric="step")
    graph = space.graph()
    if space.distance is None:
        with pytest.raises(InputError, match="no goal state can be reached from state 0"):
            graph.shortest_plans()
        return
    plans = graph.shortest_plans()
    assert (plans.count, plans.length) == (space.solutions, space.distance)
    goals = np.flatnonzero(graph.distances == 0).tolist()
    pictures = graph.to_networkx()
    paths = list(plans.paths())
    assert len(paths) == plans.count
    by_networkx = {
        tuple(path)
        for goal in goals
        if networkx.shortest_path_length(pictures, 0, goal) == space.distance
        for path in networkx.all_shortest_paths(pictures, 0, goal)
    }
    assert set(paths) == by_networkx


@pytest.mark.parametrize("puzzle", SMALL)
def test_cut_states(puzzle: SlidingPuzzle) -> None:
    graph = puzzle.explore(metric="step").graph()
    assert graph.cut_states().tolist() == sorted(networkx.articulation_points(graph.to_networkx()))
    assert graph.cut_states().dtype == np.int32


@given(st.integers(1, 12), st.randoms(use_true_random=False))
def test_cut_states_of_random_graphs(size: int, random: object) -> None:
    chance = np.random.default_rng(random.getrandbits(32))  # type: ignore[attr-defined]
    near: list[set[int]] = [set() for _ in range(size)]
    pairs = [(at, int(chance.integers(at))) for at in range(1, size)]
    pairs += [(int(a), int(b)) for a, b in chance.integers(size, size=(3, 2)) if a != b]
    for left, right in pairs:
        near[left].add(right)
        near[right].add(left)
    indptr = np.cumsum([0, *map(len, near)])
    indices = np.array([other for own in near for other in sorted(own)], dtype=np.int32)
    work = _Cuts(indptr, indices)
    while not work.advance(3):
        pass
    assert work.cut().astype(bool).tolist() == [
        not connected_without(near, at) for at in range(size)
    ]
    assert work.nodes == size


def test_other_formats() -> None:
    puzzle = SlidingPuzzle.parse("A..\nB..", goal={"A": (0, 2)})
    graph = puzzle.explore(metric="step").graph()
    own = graph.to_networkx()
    read = networkx.parse_graphml(graph.to_graphml())
    assert len(read) == graph.states
    assert {(f"n{a}", f"n{b}") for a, b in own.edges} == set(read.edges)
    for state in own:
        assert read.nodes[f"n{state}"] == own.nodes[state]
    lines = graph.to_dot().splitlines()
    assert sum(" -- " in line for line in lines) == graph.edges // 2
    assert sum("peripheries" in line for line in lines) == int((graph.distances == 0).sum())
    sparse = pytest.importorskip("scipy.sparse")
    matrix = graph.to_scipy()
    assert (matrix != matrix.T).nnz == 0
    parts, _ = sparse.csgraph.connected_components(matrix)
    assert (matrix.shape, matrix.nnz, parts) == ((graph.states,) * 2, graph.edges, 1)
    assert graph.to_svg().startswith("<svg")


def test_an_ampersand_in_a_name() -> None:
    graph = SlidingPuzzle.parse('&"<', goal={"&": (0, 0)}).explore().graph()
    assert networkx.parse_graphml(graph.to_graphml()).nodes["n0"]["picture"] == '&"<'
    assert '\\"' in graph.to_dot()


def test_bad_numbers_and_limits() -> None:
    tiles = SlidingPuzzle.parse("ABC\nDEF\nGH.", goal={"A": (2, 2)}, interchangeable="none")
    space = tiles.explore(diameter=False)
    with pytest.raises(LimitReached):
        space.graph(limit=Limit(nodes=1000))
    graph = space.graph()
    for wrong in (-1, graph.states, 1.5, True):
        with pytest.raises(InputError, match="neighbours"):
            graph.neighbours(wrong)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="expected at most 2000 states to draw, found 181440"):
        graph.to_svg()
    assert not graph.indices.flags.writeable
    assert len(list(islice(graph.shortest_plans().paths(), 5))) == 5
