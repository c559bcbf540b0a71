"""Stacking rules and games as values: text, JSON, repr, errors, positions, pictures."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gridkit as gk
from gridkit.errors import GridkitError, InputError, ParseError, PlacementError, UnsupportedError
from gridkit.grid.cell import Cell, Direction
from gridkit.stacking import Move, StackingGame, StackingRules
from stacking_cases import CASES, game_of, games, rules

ROW = StackingRules(schedule="choice", stop_height=None)


@given(rules())
def test_rules_round_trip(drawn: StackingRules) -> None:
    assert StackingRules.from_json(drawn.to_json()) == drawn
    assert eval(repr(drawn)) == drawn
    assert pickle.loads(pickle.dumps(drawn)) == drawn
    assert len({drawn, StackingRules.from_json(drawn.to_json())}) == 1


def test_default_rules() -> None:
    assert repr(StackingRules()) == "StackingRules()"
    assert StackingRules.from_json("{}") == StackingRules()
    with pytest.raises(AttributeError):
        StackingRules().lift = "stack"  # type: ignore[misc]  # the refusal is the point


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"schedule": "random"}, "schedule must be one of 'turns'"),
        ({"lift": 1}, "lift must be"),
        ({"lift": ["above"]}, "lift must be"),
        ({"lift_count": 0}, "lift_count must be an int >= 1"),
        ({"distance": 0}, "distance must be an int >= 1 or 'height'"),
        ({"distance": 1.5}, "distance must be"),
        ({"distance": 10**12}, "distance must be at most"),
        ({"landing": None}, "landing must be"),
        ({"border": "open"}, "border must be"),
        ({"blocked": ""}, "blocked must be"),
        ({"stop_height": 0}, "stop_height must be an int >= 1 or None"),
        ({"stop_height": True}, "stop_height must be"),
        ({"stop_left": -1}, "stop_left must be an int >= 0"),
        ({"effects": "keep"}, "effects must be a sequence"),
        ({"effects": 3}, "effects must be a sequence"),
        ({"effects": ()}, "expected 1 to 29 effects"),
        ({"effects": ("keep",) * 30}, "expected 1 to 29 effects"),
        ({"effects": ("red",)}, "unknown effect 'red'"),
        ({"effects": ("keep", None)}, "unknown effect None"),
        ({"effects": ("left+right",)}, "says the same twice"),
        ({"effects": ("goal+goal",)}, "says the same twice"),
        ({"effects": ("block+goal",)}, "does not arrive"),
        ({"effects": ("reverse+",)}, "unknown effect"),
    ],
)
def test_bad_rules(change: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError) as caught:
        StackingRules(**change)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"lift": "above",}', "line 1"),
        ("[]", "expected a JSON object, found list"),
        ('{"height": 4}', "unknown name 'height'"),
        ("", "line 1, column 1"),
        ("[" * 100_000, "rules"),
        (3, "expected JSON text"),
    ],
)
def test_bad_json(text: Any, says: str) -> None:
    with pytest.raises(ParseError, match="rules") as caught:
        StackingRules.from_json(text)
    assert says in str(caught.value)


@given(games())
def test_game_round_trip(game: StackingGame) -> None:
    assert StackingGame.parse(str(game), game.rules) == game
    assert eval(repr(game)) == game
    assert pickle.loads(pickle.dumps(game)) == game
    assert hash(StackingGame.parse(str(game), game.rules)) == hash(game)


def test_stacks_may_be_given_in_any_order() -> None:
    game = StackingGame([[0, 0]], [(0, 0, 0), (0, 0, 3), (0, 1, 1)], order=[1, 2, 0])
    assert str(game) == ".1v0> .2<"
    assert StackingGame.parse(str(game)) == game == eval(repr(game))
    assert game != StackingGame([[0, 0]], game.pieces)
    assert game == StackingGame([[0, 0]], game.pieces, order=[2, 1, 0])
    assert game != "a game"
    assert game.start().stack(0, 0) == (1, 0)
    with pytest.raises(AttributeError, match="immutable"):
        game.cells = ()


def test_pieces_may_be_directions() -> None:
    game = StackingGame([[0, 0]], [(0, 0, Direction.LEFT)])
    assert game.pieces == ((0, 0, 1),)


@pytest.mark.parametrize(
    ("cells", "pieces", "says"),
    [
        (3, [], "expected rows of cell codes"),
        ([3], [], "expected rows of cell codes"),
        ([], [], "at least one cell"),
        ([[]], [], "at least one cell"),
        ([[0, 0], [0]], [], "row 1 has 1 cells, row 0 has 2"),
        ([[3]], [], "unknown code 3 at cell (0, 0)"),
        ([[-1]], [], "unknown code -1"),
        ([[1.0]], [], "cell (0, 0) must be an int, got 1.0"),
        ([[True]], [], "must be an int"),
        (["."], [], "must be an int"),
        ([[0]], 5, "expected pieces"),
        ([[0]], [(0, 0)], "piece 0: expected (row, col, direction)"),
        ([[0]], [(0, 1, 0)], "cell (0, 1) is outside the 1 x 1 board"),
        ([[0]], [(-1, 0, 0)], "outside"),
        ([[0]], [(0, 0, 4)], "direction must be 0 (right)"),
        ([[0]], [(0, 0, -1)], "direction must be"),
        ([[0]], [(0, 0, float("nan"))], "direction must be an int"),
    ],
)
def test_bad_games(cells: Any, pieces: Any, says: str) -> None:
    with pytest.raises(InputError) as caught:
        StackingGame(cells, pieces)
    assert says in str(caught.value)


def test_bad_rules_and_orders() -> None:
    with pytest.raises(InputError, match="StackingRules"):
        StackingGame([[0]], [], "turns")  # type: ignore[arg-type]  # the refusal is the point
    for order in ([0], [0, 0], [0, 2], [True, False], "ab"):
        with pytest.raises(InputError, match="order"):
            StackingGame([[0]], [(0, 0, 0), (0, 0, 0)], order=order)  # type: ignore[arg-type]  # likewise


@pytest.mark.parametrize(
    ("text", "line", "column", "says"),
    [
        ("", 1, None, "empty text"),
        ("  \n", 1, None, "empty text"),
        (". .\n. x", 2, 3, "invalid cell mark 'x' (expected one of .~#)"),
        ("\n. .\n.", 3, 2, "expected a row of 2 cells, found 1"),
        (". .\n\n. .", 2, None, "empty line"),
        (". .0", 1, 5, "expected a direction (> < ^ v) after piece 0, found 'nothing'"),
        (". .0x", 1, 5, "found 'x'"),
        (". ..", 1, 4, "expected a piece's number, found '.'"),
        (". .0>\n.0< .", 2, 2, "piece 0 is already at line 1, column 4"),
        (".1>", 1, 2, "piece 1 is one of 1"),
        (".99999999999999999999>", 1, 2, "expected a piece's number"),
    ],
)
def test_bad_text(text: str, line: int, column: int | None, says: str) -> None:
    with pytest.raises(ParseError) as caught:
        StackingGame.parse(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert says in str(caught.value)


@settings(max_examples=300)
@given(st.text(st.sampled_from(list(".~#a01v<> \n\t\r\ufeffé")), max_size=30))
def test_any_text_is_a_game_or_an_error(text: str) -> None:
    try:
        game = StackingGame.parse(text)
    except ParseError:
        return
    assert StackingGame.parse(str(game)) == game


def test_text_must_be_text() -> None:
    with pytest.raises(InputError, match="expected a text"):
        StackingGame.parse(b".")  # type: ignore[arg-type]  # the refusal is the point


def test_position_looks_and_carries() -> None:
    game = StackingGame([[0, 1, 2]], [(0, 0, 0), (0, 0, 0), (0, 0, 0)], ROW)
    position = game.start()
    move = position.carry(1, 0, 1)
    assert move == Move(0, 1, (1, 2), Cell(0, 0), Cell(0, 1), 0)
    assert position.stack(0, 1) == (2, 1)
    assert position.cell(2) == (0, 1)
    position.carry(2, 0, 0, lift="alone")
    assert position.stack(0, 0) == (0, 2)
    with pytest.raises(PlacementError, match="blocked"):
        position.carry(0, 0, 2)
    for bad in (3, -1, "0"):
        with pytest.raises(InputError, match="piece must be an int from 0 to 2"):
            position.carry(bad, 0, 0)  # type: ignore[arg-type]  # likewise
    with pytest.raises(InputError, match="outside"):
        position.stack(0, 3)
    position.undo()
    position.undo()
    assert position.state() == game.start().state()


def test_sunk_pieces_are_gone() -> None:
    sinks = StackingRules(schedule="choice", border="sink", stop_left=0)
    position = StackingGame([[0]], [(0, 0, 0)], sinks).start()
    assert str(position.play_turn(0)) == "round 0: 0 takes 0 from 0,0 into a sink"
    assert position.stopped
    assert position.cell(0) is None
    assert position.play_turn(0) is None
    with pytest.raises(PlacementError, match="sunk"):
        position.carry(0, 0, 0)
    assert dict(position.state().stacks) == {}


def test_turning_is_a_move_without_a_pile() -> None:
    rules = StackingRules(blocked="turn")
    move = StackingGame([[0]], [(0, 0, 2)], rules).start().play_turn(0)
    assert str(move) == "round 0: 0 on 0,0 turns down"


def test_pictures() -> None:
    game = game_of(CASES[0])
    assert game.to_svg().startswith("<svg")
    assert "0" in game._repr_html_()
    page = game.to_html(3)
    assert page.count('class="gm-s"') == len(game.pieces)
    assert "round 3" in page
    assert "round 4" not in page
    state = list(game.states(2))[-1]
    assert game.to_svg(state) != game.to_svg()
    assert game.picture(state) != str(game)
    assert str(game.play()) == "stopped in round 999, turn 4"
    assert str(game.play(2)) == "still going after round 2"


def test_public_names_load_lazily() -> None:
    program = (
        "import sys, gridkit.stacking as s; print('numpy' in sys.modules);"
        "print(all(getattr(s, name) for name in s.__all__), sorted(s.__all__) == dir(s))"
    )
    command = [sys.executable, "-c", program]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert output.split() == ["False", "True", "True"]
    with pytest.raises(AttributeError, match="no attribute"):
        _ = gk.stacking.nothing
    assert issubclass(UnsupportedError, GridkitError)


@pytest.mark.parametrize("kind", [np.int8, np.uint64])
def test_numpy_integers_are_integers(kind: Any) -> None:
    plain = StackingGame([[0, 1]], [(0, 1, 2), (0, 0, 1)], StackingRules(stop_height=2))
    rules = StackingRules(stop_height=kind(2), lift_count=kind(1), distance=kind(1))
    pieces = np.array([[0, 1, 2], [0, 0, 1]], kind)
    game = StackingGame(np.array([[0, 1]], kind), pieces, rules, order=np.array([1, 0], kind))
    assert game == plain
    assert repr(game.rules) == repr(plain.rules)
    assert game.play(kind(7)) == plain.play(7)
    position = game.start()
    position.play_turn(kind(0))
    assert position.cell(kind(1)) == (0, 0)
    assert position.stack(kind(0), kind(0)) == (1,)


def test_results_and_states_are_values() -> None:
    game = StackingGame([[0, 0, 1]], [(0, 0, 0), (0, 2, 1)])
    one, two = game.play(trace=True), game.play(trace=True)
    assert one == two
    assert hash(one) == hash(two)
    assert one.seconds != two.seconds
    assert len({game.play(1), game.play(2)}) == 2
    for value in (one, next(game.states())):
        with pytest.raises(TypeError):
            value.stacks[Cell(0, 0)] = ()  # type: ignore[index]  # what is tested
        assert pickle.loads(pickle.dumps(value)) == value
    assert "0→" in game.play(2).to_svg()
    assert game.play(2).to_svg(cell_size=10) != game.play(2).to_svg()


def test_wrong_kinds_are_refused_before_anything_else() -> None:
    game = StackingGame([[0]], [])
    for option, value in (("limit", 5), ("progress", True), ("resume", 3)):
        with pytest.raises(InputError, match=f"{option} must be"):
            game.play(0, **{option: value})  # type: ignore[arg-type]  # what is tested
    with pytest.raises(InputError, match="trace must be True or False"):
        game.play(trace=1)  # type: ignore[arg-type]  # what is tested
    with pytest.raises(InputError, match="state must be a StackingState"):
        game.to_svg(3)  # type: ignore[arg-type]  # what is tested
    position = StackingGame([[0, 0]], [(0, 0, 0)]).start()
    with pytest.raises(InputError, match="lift must be one of"):
        position.carry(0, 0, 1, lift="all")  # type: ignore[arg-type]  # what is tested
    for row in (0.5, "0"):
        with pytest.raises(InputError, match="row must be an int"):
            position.stack(row, 0)  # type: ignore[arg-type]  # what is tested
