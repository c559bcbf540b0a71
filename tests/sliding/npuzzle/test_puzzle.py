"""The model of n-puzzles, plans, judged problems, and the small searches."""

from __future__ import annotations

import copy
import json
import pickle
import random
import subprocess
import sys
from itertools import repeat

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from families import FAMILIES
from gridkit import problems
from gridkit.errors import (
    InputError,
    InvalidPlanError,
    LimitReached,
    ParseError,
    UnsupportedError,
)
from gridkit.render.scene import borders
from gridkit.run import Limit
from gridkit.sliding.npuzzle.puzzle import NPuzzle, Position
from gridkit.sliding.plan import Plan
from twins.npuzzle import (
    distances,
    push_distances,
    rectangle_graph,
    shortest_counts,
)

DATA = FAMILIES / "npuzzle"
HARDEST = [8, 6, 7, 2, 5, 4, 3, 0, 1]


def test_text_and_repr_round_trip() -> None:
    for puzzle in (
        NPuzzle(3, 3, HARDEST),
        NPuzzle(3, 3, HARDEST, goal=range(9)),
        NPuzzle(2, 3, [1, 1, 0, 0, 2], walls=[(0, 1)]),
        NPuzzle(1, 4, [3, 0, 1, 2], goal=[0, 3, 1, 2]),
        NPuzzle(1, 1, [0]),
    ):
        assert NPuzzle.parse(str(puzzle)) == puzzle
        assert eval(repr(puzzle), {"NPuzzle": NPuzzle}) == puzzle
        assert pickle.loads(pickle.dumps(puzzle)) == puzzle
        assert hash(NPuzzle.parse(str(puzzle))) == hash(puzzle)
        assert puzzle._repr_svg_().startswith("<svg")
    with pytest.raises(AttributeError):
        NPuzzle(1, 1, [0]).rows = 2


def test_default_goal_of_walled_and_repeated_tiles() -> None:
    puzzle = NPuzzle(2, 3, [0, 2, 1, 0, 2], walls=[(0, 1)])
    assert puzzle.tiles == (0, -1, 2, 1, 0, 2)
    assert puzzle.goal == (1, -1, 2, 2, 0, 0)
    assert NPuzzle(2, 3, [0, -1, 2, 1, 0, 2], walls=[(0, 1)]) == puzzle
    assert NPuzzle(2, 2, np.array([[1, 2], [3, 0]])).goal == (1, 2, 3, 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 3, []), "rows must be an int >= 1"),
        ((3, -1, []), "cols must be an int >= 1"),
        ((10**9, 10**9, [0]), "cells are more than"),
        ((10**5, 10**5, range(10**10)), "cells are more than"),
        ((2, 2, range(10**10)), "= 4 entries, got more"),
        ((2, 2, repeat(0)), "= 4 entries, got more"),
        ((2.0, 2, [1, 2, 3, 0]), r"rows must be an int >= 1, got 2.0 \(a float\)"),
        ((2, 2, [1, 2, 3]), "must have 2 x 2 = 4 entries, got 3"),
        ((2, 2, [1, 2, 3, 4]), "at least one blank"),
        ((2, 2, [1, 2, -3, 0]), r"tiles at \(1, 0\)"),
        ((2, 2, [1, 2.5, 3, 0]), "got 2.5"),
        ((2, 2, [1, float("nan"), 3, 0]), "got nan"),
        ((2, 2, [1, True, 3, 0]), "got True"),
        ((2, 2, "1230"), "got '1'"),
        ((2, 2, None), "must be a sequence"),
        ((2, 2, [[1, 2], [3]]), "every row of tiles must have 2"),
        ((2, 2, [1, 2, 3, 0], [1, 2, 2, 0]), "too many of"),
        ((2, 2, [1, 2, 3, 0], None, [(2, 0)]), "outside"),
        ((2, 2, [1, 2, 3, 0], None, [(0, 0)]), r"must be -1, a wall"),
        ((2, 2, [1, 2, 3, 0], None, [5]), r"walls: expected a cell as \(row, col\)"),
        ((2, 2, [1, 2, 3, 0], None, 5), r"walls: expected cells as \(row, col\)"),
    ],
)
def test_bad_input(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        NPuzzle(*arguments)  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected rows of tiles"),
        ("1 2\n3", "line 2"),
        ("1 2\n3 x", "line 2, column 3"),
        ("1 2\n3 4", "blank"),
        ("1 0\n->\n0 2", "same tiles"),
        ("1 0\n->", "expected rows"),
        ("1 0\n->\n0 1\n->\n1 0", "expected rows"),
    ],
)
def test_bad_text(text: str, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        NPuzzle.parse(text)


def test_integers_of_numpy_and_lists_are_read() -> None:
    sides: list[int] = [np.int64(2), np.uint8(3)]  # type: ignore[list-item]  # as good as ints
    walls: list[tuple[int, int]] = [[0, 0]]  # type: ignore[list-item]  # as good as a tuple
    puzzle = NPuzzle(sides[0], sides[1], np.array([0, 1, 2, 3, 4, 0]), [1, 2, 0, 3, 4], walls)
    assert puzzle == NPuzzle(2, 3, [-1, 1, 2, 3, 4, 0], [1, 2, 0, 3, 4], [(0, 0)])
    assert puzzle == NPuzzle(2, 3, puzzle.tiles, puzzle.goal, np.array(walls).tolist())
    assert all(type(tile) is int for tile in puzzle.tiles)


def test_puzzles_are_values_with_pictures() -> None:
    puzzle = NPuzzle(3, 3, HARDEST)
    puzzle.is_solvable()
    assert copy.deepcopy(puzzle) is puzzle
    with pytest.raises(AttributeError):
        puzzle.tiles = ()
    plan = puzzle.solve()
    assert plan is not None
    positions = list(plan.states())
    assert positions[0] == next(iter(plan.states()))
    assert len(set(positions)) == 32
    assert isinstance(positions[0], Position)
    assert positions[0].to_svg() == puzzle.to_svg()
    assert 'width="95.4"' in puzzle.to_svg(cell_size=30)


def test_every_tile_has_a_border() -> None:
    """Tiles of one goal row have one colour, and are not one block for all that."""
    scene = NPuzzle(1, 3, [1, 2, 0])._scene()
    tiles = [cell for cell in scene.cells if cell.fill == 0]
    assert len(tiles) == 2
    assert len(borders(tiles)[0]) == 8
    assert NPuzzle(1, 3, [1, 2, 0]).to_terminal().splitlines()[1] == "│ 1 │ 2 │   │"


def test_unknown_options_are_refused() -> None:
    puzzle = NPuzzle(3, 3, HARDEST)
    unsolvable = NPuzzle(2, 2, [2, 1, 3, 0])
    with pytest.raises(InputError, match="tables"):
        unsolvable.solve(tables="x")
    with pytest.raises(InputError, match="limit"):
        unsolvable.solve(limit=5)  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(InputError, match="optimal must be True or False"):
        puzzle.solve(optimal=1)  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(TypeError):
        puzzle.solve(True)  # type: ignore[call-arg]  # by keyword only
    with pytest.raises(InputError, match="metric"):
        puzzle.solve(metric="slide")  # type: ignore[arg-type]  # wrong on purpose
    for tables in ("6-6-3", "0-8", "x", "", "8-"):
        with pytest.raises(InputError, match="tables"):
            puzzle.distance(tables=tables)
    with pytest.raises(UnsupportedError, match="at most 8"):
        NPuzzle(4, 4, [*range(1, 15), 0, 15]).distance(tables="9-6")
    with pytest.raises(UnsupportedError, match="need one blank"):
        NPuzzle(2, 2, [1, 1, 2, 0]).distance(tables="2-1")
    with pytest.raises(UnsupportedError, match="one blank only"):
        NPuzzle(2, 2, [1, 0, 2, 0]).distance(metric="push")


@pytest.mark.parametrize(("rows", "cols"), [(2, 2), (2, 3), (1, 5), (3, 2)])
def test_every_distance_and_count_of_small_boards(rows: int, cols: int) -> None:
    graph = rectangle_graph(rows, cols)
    goal = (*range(1, rows * cols), 0)
    steps, counts = distances(graph, goal), shortest_counts(graph, goal)
    pushes = push_distances(rows, cols, goal)
    for state in random.Random(1).sample(sorted(steps), min(60, len(steps))):
        puzzle = NPuzzle(rows, cols, state)
        assert puzzle.distance() == steps[state]
        assert puzzle.count_shortest() == counts[state]
        assert puzzle.distance(metric="push") == pushes[state]
        for metric, length in (("step", steps[state]), ("push", pushes[state])):
            plan = puzzle.solve(optimal=True, metric=metric)  # type: ignore[arg-type]  # both are
            assert plan is not None
            plan.verify()
            assert len(plan) == length


def test_eight_puzzle_facts() -> None:
    # The two hardest boards; and reports of users of other programs, see data/npuzzle.
    for text in json.loads((DATA / "npuzzle_gods_numbers.json").read_text())["3x3_hardest"]:
        assert NPuzzle(3, 3, list(map(int, text.split()))).distance() == 31
    assert NPuzzle(3, 3, [1, 3, 4, 8, 0, 2, 7, 6, 5]).distance() is None
    assert NPuzzle(3, 3, [1, 3, 4, 8, 0, 2, 7, 5, 6]).distance() == 16
    assert NPuzzle(3, 3, [8, 6, 7, 2, 5, 4, 3, 0, 1]).distance() == 31
    assert NPuzzle(3, 3, [7, 2, 4, 5, 0, 6, 8, 3, 1], goal=range(9)).distance() == 26
    assert NPuzzle(3, 3, [7, 2, 4, 5, 0, 6, 8, 3, 1]).distance() == 20
    repeated = NPuzzle(3, 3, [1, 1, 1, 2, 2, 2, 3, 3, 0], goal=[3, 3, 2, 2, 2, 1, 1, 1, 0])
    assert repeated.distance() == 24
    assert NPuzzle(2, 2, [2, 1, 0, 0], goal=[1, 2, 0, 0]).distance() == 4


def test_sources_of_the_reports_are_kept() -> None:
    reports = json.loads((DATA / "users_reports.json").read_text())
    assert len(reports["rows"]) > 10
    assert all(row[1] for row in reports["rows"])


def test_plans_play_and_their_faults_are_named() -> None:
    puzzle = NPuzzle(3, 3, HARDEST)
    plan = puzzle.solve()
    assert plan is not None
    plan.verify()
    back = plan.inverse()
    back.verify()
    assert len(back) == len(plan) == 31
    assert plan.to_svg().startswith("<svg")
    assert plan.to_html().count("→") > 5  # in the list of moves
    states = [str(state) for state in plan.states()]
    assert states[0] == str(puzzle)
    assert states[-1] == "1 2 3\n4 5 6\n7 8 0"
    steps = plan.steps.tolist()
    for faulty, message in (
        (steps[:-1], "goal is not reached"),
        ([[99, 0, 1], *steps], "move 0: there is no block"),
        ([[0, 0, 99], *steps], "move 0: a cell is off"),
        ([[0, 0, 1], *steps], "move 0: tile 1 does not stand"),
        ([[0, 8, 6], *steps], "move 0: tile 1 moves more than one"),
        ([[0, 8, 5], *steps], "is not blank"),
    ):
        with pytest.raises(InvalidPlanError, match=message):
            Plan(puzzle, faulty).verify()


def test_plan_of_repeated_tiles_and_blanks_inverts() -> None:
    puzzle = NPuzzle(3, 3, [1, 1, 0, 2, 2, 0, 3, 3, 3], goal=[3, 3, 3, 2, 2, 0, 1, 1, 0])
    plan = puzzle.solve(optimal=True)
    assert plan is not None
    plan.verify()
    plan.inverse().verify()


def test_limits_say_what_is_proved() -> None:
    with pytest.raises(LimitReached) as caught:
        NPuzzle(3, 3, HARDEST).distance(limit=Limit(nodes=100))
    bound = caught.value.partial.value
    assert isinstance(bound, int)
    assert 1 < bound <= 31


@settings(max_examples=25, deadline=None)
@given(st.permutations(range(6)), st.permutations(range(6)))
def test_solvable_exactly_when_reachable(start: list[int], goal: list[int]) -> None:
    puzzle = NPuzzle(2, 3, start, goal=goal)
    reached = distances(rectangle_graph(2, 3), tuple(start))
    assert puzzle.is_solvable() == (tuple(goal) in reached)
    assert puzzle.distance() == reached.get(tuple(goal))
    plan = puzzle.solve()
    if plan is not None:
        plan.verify()


def test_judged_problems() -> None:
    assert problems.solve("boj1525", "1 0 3\n4 2 5\n7 8 6\n") == "3\n"
    assert problems.solve("boj1525", "3 6 0\n8 1 2\n7 4 5\n") == "-1\n"
    assert problems.solve("boj1525", "8 6 7\r\n2 5 4\r\n3 0 1") == "31\n"
    assert problems.solve("leetcode773", "[[1,2,3],[4,0,5]]\n") == "1\n"
    assert problems.solve("leetcode773", "[[1,2,3],[5,4,0]]") == "-1\n"
    assert problems.solve("leetcode773", "[[4,1,2],[5,0,3]]") == "5\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("boj1525", ""),
        ("boj1525", "1 0 3\n4 2 5\n7 8 8\n"),
        ("boj1525", "1 0 3 4\n2 5\n7 8 6\n"),
        ("boj1525", "1 0 3\n4 2 5\n7 8 9\n"),
        ("boj1525", "1 0 3\n4 2 5\n7 8 6\n1\n"),
        ("leetcode773", ""),
        ("leetcode773", "[[1,2,3],[4,0,4]]"),
        ("leetcode773", "[[1,2,3],[4,0,true]]"),
        ("leetcode773", "[[1,2,3,4],[0,5]]"),
        ("leetcode773", "{}"),
        ("leetcode773", "[" * 100_000),
    ],
)
def test_judged_problems_refuse_bad_input(name: str, text: str) -> None:
    with pytest.raises(ParseError):
        problems.solve(name, text)


def test_small_boards_load_neither_numpy_nor_numba() -> None:
    code = (
        "import sys; from gridkit import problems;"
        "print(problems.solve('boj1525', '8 6 7\\n2 5 4\\n3 0 1'), 'numpy' in sys.modules,"
        "'numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["31", "False", "False"]
