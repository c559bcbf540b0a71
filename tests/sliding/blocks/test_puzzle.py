"""The model of sliding-block puzzles: text, checks, goals, plans."""

from __future__ import annotations

import copy
import pickle

import pytest

from gridkit.errors import (
    GridkitError,
    InputError,
    InvalidPlanError,
    ParseError,
    PlacementError,
    UnsupportedError,
)
from gridkit.grid.board import Board
from gridkit.grid.cell import Cell
from gridkit.sliding.blocks.model import SlidingState
from gridkit.sliding.blocks.puzzle import SlidingPuzzle
from gridkit.sliding.plan import Plan

KLOTSKI = "ABBC\nABBC\nDEEF\nDGHF\nI..J"
RUSH = "BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM."


def small() -> SlidingPuzzle:
    return SlidingPuzzle.parse("AAB\n...\n#..\n\n...\n.B.\n#AA")


def test_text_round_trip() -> None:
    puzzle = small()
    assert SlidingPuzzle.parse(str(puzzle)) == puzzle
    assert str(puzzle) == "AAB\n...\n#..\n\n...\n.B.\n#AA"
    assert puzzle.goal == {"A": Cell(2, 1), "B": Cell(1, 1)}


def test_the_goal_may_be_a_mapping_or_a_grid() -> None:
    puzzle = small()
    grid = "AAB\n...\n#.."
    assert SlidingPuzzle.parse(grid, goal={"A": (2, 1), "B": (1, 1)}) == puzzle
    assert SlidingPuzzle.parse(grid, goal="...\n.B.\n#AA") == puzzle
    assert SlidingPuzzle.parse(grid + "\r\n\r\n\n...\n.B.\n.AA\n\n") == puzzle


def test_repr_is_evaluable() -> None:
    names = {"SlidingPuzzle": SlidingPuzzle, "Board": Board}
    gated = SlidingPuzzle(
        Board.rectangle(2, 4),
        {"A": [(0, 0)], "B": [(1, 0)], "C": [(1, 1)]},
        {"A": (0, 3)},
        axes={"B": "horizontal", "C": "horizontal"},
        gates={(0, 3): "A"},
        interchangeable=[("B", "C")],
    )
    for puzzle in (small(), gated, SlidingPuzzle.parse_rush_hour(RUSH)):
        assert eval(repr(puzzle), names) == puzzle
        assert hash(eval(repr(puzzle), names)) == hash(puzzle)
        assert pickle.loads(pickle.dumps(puzzle)) == copy.deepcopy(puzzle) == puzzle


def test_immutable() -> None:
    with pytest.raises(AttributeError, match="immutable"):
        small().board = Board.rectangle(1, 1)
    with pytest.raises(TypeError):
        small().goal["A"] = Cell(0, 0)  # type: ignore[index]  # what is tested


@pytest.mark.parametrize(
    ("text", "goal", "message"),
    [
        ("", {"A": (0, 0)}, "empty text"),
        ("A.A", {"A": (0, 0)}, "block 'A' is not connected"),
        ("A..", None, "no goal"),
        ("A..", {}, "at least one block"),
        ("A..", {"A": (0, 3)}, "leaves the 1 x 3 board at \\(0, 3\\)"),
        ("A.#", {"A": (0, 2)}, "covers a wall"),
        ("A..", {"A": (-1, 0)}, "leaves the 1 x 3 board"),
        ("A..", {"B": (0, 0)}, "there is no block 'B'"),
        ("A..", {"A": "up"}, "must go to a cell or to one of"),
        ("A..", {"A": (0.0, 1)}, "expected a cell"),
        ("A..", {"A": (True, 1)}, "expected a cell"),
        ("A..\n..", {"A": (0, 0)}, "line 2, column 3: expected 3 characters"),
        ("A..\n\n.A", None, "the goal grid is 1 x 2"),
        ("A..\n\n...", None, "names no block"),
        ("A..\n\n..B", None, "block 'B', which the start does not have"),
        ("AA.\n\n..A", None, "another shape"),
        ("A..\n\n.A#", None, "has a wall"),
        ("A..\n\n.A.\n\n..A", None, "found 3 grids"),
        ("A..\n\n..A", {"A": (0, 1)}, "found 2 grids"),
        ("A .", {"A": (0, 1)}, "line 1, column 2: invalid character ' '"),
        ("...", {"A": (0, 1)}, "at least one block"),
        ("AB.", {"A": (0, 2), "B": (0, 2)}, "goal: blocks 'A' and 'B' overlap at \\(0, 2\\)"),
    ],
)
def test_bad_texts(text: str, goal: dict[str, tuple[int, int]] | None, message: str) -> None:
    with pytest.raises(GridkitError, match=message):
        SlidingPuzzle.parse(text, goal)


def test_bad_values() -> None:
    board = Board.rectangle(2, 2)
    with pytest.raises(InputError, match="expected a Board"):
        SlidingPuzzle("..", {"A": [(0, 0)]}, {"A": (0, 0)})  # type: ignore[arg-type]  # tested
    with pytest.raises(InputError, match="expected a text"):
        SlidingPuzzle.parse(3)  # type: ignore[arg-type]  # what is tested
    with pytest.raises(PlacementError, match="'A' and 'B' overlap at \\(0, 1\\)"):
        SlidingPuzzle(board, {"A": [(0, 0), (0, 1)], "B": [(0, 1)]}, {"A": (0, 0)})
    with pytest.raises(PlacementError, match="leaves the 2 x 2 board at \\(0, 2\\)"):
        SlidingPuzzle(board, {"A": [(0, 1), (0, 2)]}, {"A": (0, 0)})
    with pytest.raises(InputError, match="one visible character"):
        SlidingPuzzle(board, {"AB": [(0, 0)]}, {"AB": (0, 0)})
    with pytest.raises(InputError, match="has no cells"):
        SlidingPuzzle(board, {"A": []}, {"A": (0, 0)})
    with pytest.raises(InputError, match="names a cell twice"):
        SlidingPuzzle(board, {"A": [(0, 0), (0, 0)]}, {"A": (0, 0)})
    with pytest.raises(InputError, match="must move along one of"):
        SlidingPuzzle(board, {"A": [(0, 0)]}, {"A": (0, 0)}, axes={"A": "diagonal"})
    with pytest.raises(PlacementError, match="may not cover the gate"):
        SlidingPuzzle(board, {"A": [(0, 0)]}, {"A": (1, 1)}, gates={(1, 1): ""})
    with pytest.raises(InputError, match="not an open cell"):
        SlidingPuzzle(board, {"A": [(0, 0)]}, {"A": (1, 1)}, gates={(5, 1): "A"})
    blocks = {"A": [(0, 0)], "B": [(0, 1), (1, 1)]}
    with pytest.raises(InputError, match="differ in shape"):
        SlidingPuzzle(board, blocks, {"A": (0, 0)}, interchangeable=["AB"])
    with pytest.raises(InputError, match="interchangeable must be one of"):
        SlidingPuzzle(board, {"A": [(0, 0)]}, {"A": (0, 0)}, interchangeable="some")
    puzzle = small()
    for metric in ("steps", ("step", "step"), ("step", "slide", "move"), None, 3, ()):
        with pytest.raises(InputError, match="metric must be one of"):
            puzzle.solve(metric=metric)  # type: ignore[arg-type]  # what is tested
    with pytest.raises(InputError, match="method must be one of"):
        puzzle.solve(method="fast")  # type: ignore[arg-type]  # what is tested
    with pytest.raises(InputError, match="optimal must be"):
        puzzle.solve(optimal=1)  # type: ignore[arg-type]  # what is tested


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (RUSH[:-1], "expected 36 characters of a 6 x 6 board, found 35"),
        (RUSH.replace("A", "."), "expected a horizontal car 'A'"),
        ("Q" + RUSH[1:], "car 'Q' is not a straight row"),
        ("A....." * 2 + "." * 24, "expected a horizontal car 'A'"),
    ],
)
def test_bad_rush_hour(text: str, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        SlidingPuzzle.parse_rush_hour(text)


def test_a_solved_start_gives_an_empty_plan() -> None:
    plan = SlidingPuzzle.parse("A..", goal={"A": (0, 0)}).solve()
    assert plan is not None
    assert len(plan) == 0
    assert str(plan) == ""
    plan.verify()
    assert [str(state) for state in plan.states()] == ["A.."]


def test_the_answer_is_in_the_letters_of_the_input() -> None:
    puzzle = SlidingPuzzle.parse("Zz.\n*..\n\n...\n..Z")
    plan = puzzle.solve(metric="move")
    assert plan is not None
    assert {move.block for move in plan.moves()} <= set("Zz*")
    assert all(set(str(state)) <= set("Zz*.\n") for state in plan.states())
    assert str(list(plan.states())[-1]).splitlines()[1][2] == "Z"


def test_plan_verify_finds_faults() -> None:
    puzzle = SlidingPuzzle.parse("A..\nB..", goal={"A": (0, 2)}, axes={"B": "horizontal"})
    Plan(puzzle, [(0, 0, 1), (0, 1, 2)]).verify()
    for steps, message in (
        ([(0, 0, 1)], "goal is not met after 1 steps"),
        ([(0, 0, 3)], "move 0: block 'A' runs into 'B' at \\(1, 0\\)"),
        ([(0, 1, 2)], "is at \\(0, 0\\), not \\(0, 1\\)"),
        ([(0, 0, 2)], "not by one cell"),
        ([(0, 0, 1), (1, 3, 0)], "move 1: block 'B' moves along horizontal only"),
        ([(7, 0, 1)], "no block number 7"),
        ([(0, 0, -3)], "may not cover cell"),
    ):
        with pytest.raises(InvalidPlanError, match=message):
            Plan(puzzle, steps).verify()


def test_plan_round_trips_inverse_and_sum() -> None:
    puzzle = SlidingPuzzle.parse(KLOTSKI, goal={"B": (3, 1)})
    plan = puzzle.solve(metric="move")
    assert plan is not None
    assert Plan.parse(puzzle, plan.to_text(), "move") == plan
    assert Plan.from_json(puzzle, plan.to_json()) == plan
    assert pickle.loads(pickle.dumps(plan)) == plan
    back = plan.inverse()
    back.verify()
    assert len(back) == len(plan) == 81
    there_and_back = plan + back
    there_and_back.verify()
    assert len(there_and_back) == 161  # the last move and the first one back are one
    states = [str(state) for state in there_and_back.states()]
    assert states[0] == states[-1] == KLOTSKI
    assert states == states[::-1]
    with pytest.raises(InputError, match="expected a plan from"):
        plan + plan
    assert "<svg" in plan.to_html()
    assert plan.to_svg().startswith("<svg")


def test_plan_texts_are_checked() -> None:
    puzzle = small()
    for text, message in (
        ("A 0,0", "expected block, cell and directions"),
        ("Q 0,0 R", "no block 'Q'"),
        ("A zero R", "expected a cell"),
        ("A 0,0 X", "expected R, L, U or D"),
        ("A 0,0 L", "leaves the frame"),
    ):
        with pytest.raises(ParseError, match=f"line 1: .*{message}"):
            Plan.parse(puzzle, text)
    for text in ("", "[]", '{"metric": "step"}', '{"metric": "hop", "steps": ""}'):
        with pytest.raises(ParseError, match="JSON"):
            Plan.from_json(puzzle, text)
    with pytest.raises(ParseError):
        Plan.from_json(puzzle, None)  # type: ignore[arg-type]  # what is tested


def test_plans_of_other_puzzles_say_that_they_cannot_be_joined() -> None:
    class Other:
        def __init__(self, puzzle: SlidingPuzzle) -> None:
            self.rows, self.cols = puzzle.rows, puzzle.cols
            self.block_names, self._replay = puzzle.block_names, puzzle._replay
            self._check_steps = puzzle._check_steps
            self._reversed_puzzle, self._stage = puzzle._reversed_puzzle, puzzle._stage

    plan = Plan(Other(small()), [])
    with pytest.raises(UnsupportedError, match="cannot be joined"):
        plan + plan


def test_pictures() -> None:
    puzzle = small()
    assert puzzle._repr_svg_() == puzzle._repr_html_()
    assert ">start<" in puzzle.to_svg()
    assert ">goal<" in puzzle.to_svg()
    assert ">start<" not in puzzle.start.to_svg()
    assert puzzle._repr_svg_().startswith("<svg")
    assert str(puzzle.start) == "AAB\n...\n#.."
    assert puzzle.start["B"] == Cell(0, 2)


def test_many_blocks_have_hues_of_their_own_beside_one_another() -> None:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqr"
    rows = [letters[at : at + 11] for at in range(0, 44, 11)]
    puzzle = SlidingPuzzle.parse("\n".join([*rows, "." * 11]), goal={"A": (4, 0)})
    fills = {cell.owner: cell.fill for cell in puzzle.start._scene().cells}
    for row in range(4):
        for col in range(11):
            for down, across in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if row + down < 4 and 0 <= col + across < 11:
                    near = fills[11 * (row + down) + col + across]
                    assert fills[11 * row + col] != near
    places = [*puzzle.start.places[:-1], Cell(4, 10)]
    later = SlidingState(puzzle, tuple(places))._scene()
    assert {cell.owner: cell.fill for cell in later.cells} == fills
