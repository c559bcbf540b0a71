"""Puzzles whose blocks keep to their lines, as in Rush Hour: the same answers as in general."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridkit.errors import LimitReached, ParseError
from gridkit.grid.board import Board
from gridkit.run import Limit, Run
from gridkit.run.jit import JIT_DISABLED
from gridkit.sliding.blocks.compiled.rails import RailSpace, space_of
from gridkit.sliding.blocks.kernels.codes import FIRST
from gridkit.sliding.blocks.packing import packing_of
from gridkit.sliding.blocks.puzzle import SlidingPuzzle
from gridkit.sliding.blocks.rails import Rails, RailSearch
from gridkit.sliding.blocks.rails import rails_of as rails_of_instance
from gridkit.sliding.blocks.rules import METRICS, BlockMetric
from gridkit.sliding.blocks.search import compiled_search
from sliding.blocks.test_search import needs_jit
from twins.sliding import solve_lengths, space_facts

DATA = json.loads((Path(__file__).parents[2] / "data/sliding/positions.json").read_text("utf-8"))
SHAPES = [[(0, 0)], [(0, 0), (0, 1)], [(0, 0), (1, 0)], [(0, 0), (0, 2)], [(0, 0), (1, 1)]]


def rails_of(puzzle: SlidingPuzzle, *, mirror: bool = True) -> Rails | None:
    return rails_of_instance(puzzle._instance, mirror=mirror)


@st.composite
def rail_puzzles(draw: st.DrawFn) -> SlidingPuzzle:
    """Small puzzles whose blocks, of any shape, keep to an axis each."""
    rows, cols = draw(st.integers(1, 4)), draw(st.integers(2, 4))
    cells = [(row, col) for row in range(rows) for col in range(cols)]
    board = Board.rectangle(rows, cols).without(
        draw(st.sets(st.sampled_from(cells), max_size=len(cells) // 5))
    )
    free: set[tuple[int, int]] = set(board.cells)
    blocks: dict[str, list[tuple[int, int]]] = {}
    for name in "ABCDEF"[: draw(st.integers(1, 6))]:
        top, left = draw(st.sampled_from(cells))
        own = [(top + row, left + col) for row, col in draw(st.sampled_from(SHAPES))]
        if free.issuperset(own):
            blocks[name] = own
            free.difference_update(own)
    if not blocks:
        blocks["A"] = [min(free)]
        free.discard(min(free))
    axis = st.sampled_from(["horizontal", "vertical"])
    axes = {name: draw(axis) for name in blocks}
    goal: dict[str, tuple[int, int] | str] = {}
    for name in draw(st.sets(st.sampled_from(sorted(blocks)), min_size=1, max_size=2)):
        top, left = min(r for r, _ in blocks[name]), min(c for _, c in blocks[name])
        fits = [
            place
            for place in cells
            if all((r - top + place[0], c - left + place[1]) in board for r, c in blocks[name])
        ]
        edges = st.sampled_from(["left", "right", "top", "bottom"])
        goal[name] = draw(edges if goal else st.one_of(edges, st.sampled_from(fits)))
    gates = {}
    gated: bool = draw(st.booleans())
    if free and gated:
        guests = draw(st.sets(st.sampled_from(sorted(blocks))))
        gates[draw(st.sampled_from(sorted(free)))] = guests | set(goal)
    rule = draw(st.sampled_from(["unnamed", "none"]))
    return SlidingPuzzle(board, blocks, goal, axes=axes, gates=gates, interchangeable=rule)


@settings(max_examples=25 if JIT_DISABLED else 300, deadline=None)
@given(rail_puzzles(), st.sampled_from(["step", "slide", "move"]))
def test_the_twin_agrees(puzzle: SlidingPuzzle, metric: Any) -> None:
    rails = rails_of(puzzle, mirror=False)
    assert rails is not None
    assert rails.places(rails.start) == list(puzzle.places)
    assert rails.is_solved() == puzzle.is_solved(puzzle.places)
    expected = solve_lengths(puzzle, (metric,))
    plans = [puzzle.solve(metric=metric, method=method) for method in ("plain", "kernel")]
    assert plans[0] == plans[1]  # not only as long: the very same
    for plan in plans:
        assert (None if plan is None else (len(plan),)) == expected
        if plan is not None:
            plan.verify()
    space = puzzle.explore(metric=metric)
    if space.states <= 60:
        for name, value in space_facts(puzzle, metric).items():
            assert getattr(space, name) == value, name
    for start in pickle.loads(pickle.dumps(space)).hardest()[:3]:
        plan = start.solve(metric=metric)
        assert plan is not None
        assert len(plan) == space.hardest_distance


@needs_jit
@pytest.mark.parametrize("row", DATA["rush_hour"], ids=lambda own: own["text"])
def test_rush_hour_without_rails(row: dict[str, Any]) -> None:
    puzzle = SlidingPuzzle.parse_rush_hour(row["text"])
    for metric in METRICS[:2]:
        general = compiled_search(packing_of(puzzle._instance), (metric,))
        Run().drive(general)
        assert general.moves is not None
        rails = rails_of(puzzle)
        assert rails is not None
        own = RailSearch(RailSpace(rails, metric, FIRST))
        Run().drive(own)
        assert own.steps is not None
        assert row[metric] == (len(own.steps) if metric == "step" else len(general.moves))


@needs_jit
@pytest.mark.parametrize("metric", METRICS[:2])
def test_every_state_is_reached(metric: BlockMetric) -> None:
    for row in DATA["rush_hour"]:
        puzzle = SlidingPuzzle.parse_rush_hour(row["text"])
        rails = rails_of(puzzle)
        assert rails is not None
        whole = space_of(puzzle._instance, rails, metric)
        assert isinstance(whole, RailSpace)
        while not whole.advance(1000):
            pass
        general = space_of(puzzle._instance, None, metric)
        general.advance(1 << 40)
        assert (whole.size, whole.expanded) == (general.size, general.size)
        assert len(set(whole.states().tolist())) == whole.size
        assert whole.nbytes <= 24 * whole.size + (1 << 17)
        assert whole.goal_flags().sum() == general.goal_flags().sum()


def test_when_there_are_no_rails() -> None:
    lone = SlidingPuzzle.parse("A..", goal={"A": (0, 2)})
    assert rails_of(lone) is None  # a block without an axis
    even = SlidingPuzzle.parse(
        "...\nAB.\n...", goal={"A": "right"}, axes={"A": "horizontal", "B": "vertical"}
    )
    assert rails_of(even) is None  # its mirror image is of more use
    assert rails_of(even, mirror=False) is not None
    all_alike = SlidingPuzzle.parse("A..B", goal={"A": (0, 2)}, interchangeable="all")
    assert rails_of(all_alike) is None
    wide = Board.rectangle(2, 40)
    long = SlidingPuzzle(wide, {"A": [(0, 0)]}, {"A": "right"}, axes={"A": "horizontal"})
    assert rails_of(long) is None
    plan = long.solve(metric="step")
    assert plan is not None
    assert len(plan) == 39
    cells = [(row, col) for row in range(8) for col in range(0, 8, 4)]
    cars = {chr(65 + number): [cell] for number, cell in enumerate(cells)}
    many = SlidingPuzzle(
        Board.rectangle(8, 8), cars, {"A": (0, 1)}, axes=dict.fromkeys(cars, "horizontal")
    )
    assert rails_of(many) is None  # too many bits
    plan = many.solve(metric="step", method="plain")
    assert plan is not None
    assert len(plan) == 1


def test_nothing_can_move() -> None:
    puzzle = SlidingPuzzle.parse("A#\n#.", goal={"A": "right"}, axes={"A": "horizontal"})
    assert puzzle.solve(method="kernel") is None
    rails = rails_of(puzzle, mirror=False)
    assert rails is not None
    assert rails.goal is None
    space = RailSpace(rails, "step", FIRST)
    space.advance(10)
    assert (space.size, space.goal_flags().tolist()) == (1, [False])


@pytest.mark.parametrize("cut", range(3))
def test_limits(cut: int) -> None:
    text = DATA["rush_hour"][cut]["text"]
    puzzle = SlidingPuzzle.parse_rush_hour(text)
    with pytest.raises(LimitReached, match="node limit"):
        puzzle.solve(metric="slide", method="kernel", limit=Limit(nodes=10))
    with pytest.raises(LimitReached, match="memory limit"):
        puzzle.solve(metric="slide", method="kernel", limit=Limit(memory=10))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("AA" + "\x07" + "." * 33, "invalid character"),
        ("AA" + " " + "." * 33, "invalid character"),
        ("A" * 5 + "B" + "A" + "." * 29, "not a straight row"),
        ("." * 5 + "AA" + "." * 29, "not a straight row"),
        ("A" + "." * 35, "not a straight row"),
        ("A.A" + "." * 33, "not a straight row"),
        ("BB" + "." * 34, "horizontal car 'A'"),
        ("A" + "." * 5 + "A" + "." * 29, "horizontal car 'A'"),
        ("AA", "36 characters"),
    ],
)
def test_malformed_boards(text: str, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        SlidingPuzzle.parse_rush_hour(text)
