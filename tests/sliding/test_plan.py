"""Plans of every wing: text and JSON and back, pickled, copied, checked at construction."""

from __future__ import annotations

import copy
import pickle
import re
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridkit as gk
from gridkit.sliding.kings.puzzle import KingsPuzzle
from gridkit.sliding.plan import Plan
from gridkit.sliding.steps import METRICS

Puzzle = gk.SlidingPuzzle | gk.NPuzzle | KingsPuzzle
PUZZLES: dict[str, Puzzle] = {
    "blocks": gk.SlidingPuzzle.parse("AA.\n.#C\nDD.", goal={"C": (0, 2), "D": (2, 1)}),
    "marks as names": gk.SlidingPuzzle.parse("+.*\n?=.", goal={"*": (1, 0)}),
    "rush hour": gk.SlidingPuzzle.parse_rush_hour("......BB....AAC...DDC..............."),
    "tiles": gk.NPuzzle(3, 3, [1, 2, 3, 4, 0, 5, 7, 8, 6]),
    "equal tiles": gk.NPuzzle(2, 4, [1, 1, 2, 0, 2, 2, 1, 0]),
    "tiles and walls": gk.NPuzzle(3, 3, [1, 2, 3, 4, 5, 6, 0, 7], walls=[(2, 2)]),
    "kings": KingsPuzzle([[7, 0, 0, 0], [0] * 4, [10, 0, 0, 0]], [[0] * 4, [0] * 4, [0, 7, 0, 10]]),
    "orthogonal kings": KingsPuzzle([[3, 0, 0], [0] * 3], [[0] * 3, [0, 0, 3]], "orthogonal"),
}  # fmt: skip
OFFSETS = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)]


@cache
def solved(name: str) -> Plan:
    puzzle = PUZZLES[name]
    plan = puzzle.plan() if isinstance(puzzle, KingsPuzzle) else puzzle.solve()
    assert plan is not None
    return plan


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """Steps of any blocks to any neighbouring cells of the frame, right or wrong."""
    puzzle = PUZZLES[draw(st.sampled_from(sorted(PUZZLES)))]
    rows, cols = puzzle.rows, puzzle.cols
    blocks = st.integers(0, len(puzzle.block_names()) - 1)
    steps = []
    row, col = 0, 0
    for _ in range(draw(st.integers(0, 12))):
        block = draw(blocks)
        if draw(st.booleans()):  # often a step goes on where the last one ended
            row, col = draw(st.integers(0, rows - 1)), draw(st.integers(0, cols - 1))
        ways = [(r, c) for r, c in OFFSETS if 0 <= row + r < rows and 0 <= col + c < cols]
        down, across = draw(st.sampled_from(ways))
        steps.append((block, row * cols + col, (row + down) * cols + col + across))
        row, col = row + down, col + across
    return Plan(puzzle, steps, draw(st.sampled_from(METRICS)))


@given(plan=plans())
def test_any_steps_go_through_text_and_json(plan: Plan) -> None:
    assert Plan.parse(plan.puzzle, plan.to_text(), plan.metric) == plan
    assert Plan.from_json(plan.puzzle, plan.to_json()) == plan


@pytest.mark.parametrize("name", PUZZLES)
def test_plans_of_every_wing_go_through_text_and_json_and_pickle(name: str) -> None:
    plan = solved(name)
    plan.verify()
    assert len(plan) > 0
    for metric in METRICS:
        counted = Plan(plan.puzzle, plan.steps, metric)
        for again in (
            Plan.parse(plan.puzzle, counted.to_text(), metric),
            Plan.from_json(plan.puzzle, counted.to_json()),
            pickle.loads(pickle.dumps(counted)),
            copy.deepcopy(counted),
            copy.copy(counted),
        ):
            assert again == counted
            assert hash(again) == hash(counted)
            again.verify()


def test_the_text_of_a_diagonal_step() -> None:
    kings = solved("kings")
    assert "Dr" in kings.to_text()
    puzzle = KingsPuzzle([[1, 0, 0], [0] * 3, [0] * 3], [[1, 0, 0], [0] * 3, [0] * 3])
    round_trip = Plan(puzzle, [(0, 0, 4), (0, 4, 2), (0, 2, 4), (0, 4, 6), (0, 6, 4), (0, 4, 0)])
    assert round_trip.to_text() == "1 0,0 DrUrDlDlUrUl"
    round_trip.verify()


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ([(0, 0, 2)], "not to a neighbouring cell"),
        ([(0, 0, 1), (0, 3, 3)], "move 1: .*not to a neighbouring cell"),
        ([(0, 3, 4)], "not to a neighbouring cell"),  # the next cell, but on the next row
        ([(0, 8, 12)], "leaves the 3 x 4 frame"),
        ([(0, 0, -1)], "leaves the 3 x 4 frame"),
        ([(2, 0, 1)], "no block number 2"),
    ],
)
def test_steps_without_a_text_are_named(steps: list[tuple[int, int, int]], message: str) -> None:
    with pytest.raises(gk.InvalidPlanError, match=message):
        Plan(PUZZLES["kings"], steps).to_text()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("7 0,0 Rd", "expected R, L, U or D, or Ur, Ul, Dr, Dl, found 'Rd'"),
        ("7 0,0 r", "found 'r'"),
        ("7 3,0 U", r"leaves the frame at \(3, 0\)"),
        ("7 0,0 Ul", r"leaves the frame at \(-1, -1\)"),
        (f"7 {'9' * 5000},0 U", "expected a cell"),
    ],
)
def test_texts_that_are_no_plans(text: str, message: str) -> None:
    with pytest.raises(gk.ParseError, match=f"line 1: .*{message}"):
        Plan.parse(PUZZLES["kings"], text)


def test_wrong_kinds() -> None:
    puzzle = PUZZLES["kings"]
    for steps, message in (
        ([(0, 0.5, 1)], "expected integers"),
        ([(0, 1)], "shape"),
        ([(0, 1, 2), (0, 1)], "three integers"),
        ("abc", "shape"),
        ([(0, 1, 2**40)], "32 bits"),
    ):
        with pytest.raises(gk.InputError, match=message):
            Plan(puzzle, steps)
    with pytest.raises(gk.InputError, match="puzzle must be a puzzle, got int"):
        Plan(3, [])  # type: ignore[arg-type]  # what is tested
    plan = Plan(puzzle, np.array([(0, 0, 5)], np.uint8))
    assert plan.steps.dtype == np.int32
    for call in (plan.length, plan.moves, lambda metric: Plan(puzzle, [], metric)):
        with pytest.raises(gk.InputError, match="metric must be one of"):
            list(call("hop"))  # type: ignore[arg-type]  # what is tested
    with pytest.raises(gk.InputError, match="expected a text, got int"):
        Plan.parse(puzzle, 3)  # type: ignore[arg-type]  # what is tested


def test_a_plan_is_drawn_as_a_strip_of_key_frames() -> None:
    puzzle = gk.SlidingPuzzle.parse("A" + 20 * ".", goal={"A": (0, 20)})
    plan = puzzle.solve()
    assert plan is not None
    svg = plan.to_svg()
    captions = re.findall(r">(start|step \d+)<", svg)
    assert captions == ["start", *(f"step {number}" for number in (3, 6, 9, 11, 14, 17, 20))]
    assert plan.to_terminal().count("A") == 8
    none = gk.SlidingPuzzle.parse("A.", goal={"A": (0, 0)}).solve()
    assert none is not None
    assert re.findall(r">(start|step \d+)<", none.to_svg()) == ["start"]
    tiles = [*range(1, 2500), 0]
    tiles[-1], tiles[-2] = tiles[-2], tiles[-1]
    wide = gk.NPuzzle(50, 50, tiles).solve()
    assert wide is not None
    assert re.findall(r">(start|step \d+)<", wide.to_svg()) == ["start", "step 1"]
