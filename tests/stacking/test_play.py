"""Plays of single games: judged boards, wrong rules, twins, proofs, limits."""

from __future__ import annotations

import itertools
import pickle
import subprocess
import sys
from collections import Counter
from typing import Any
from unittest.mock import Mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridkit.errors import InputError, LimitReached, UnsupportedError
from gridkit.run.control import Limit, Partial, Progress
from gridkit.run.jit import JIT_DISABLED
from gridkit.stacking import Outcome, StackingGame, StackingResult, StackingRules
from gridkit.stacking.long import KernelPlay
from stacking_cases import CASES, NEW_GAME, RULES, game_of, games, plain
from twins import stacking as twins

IDS = [case["file"] for case in CASES]
# What a wrong program does, said as other rules where it can be.
WRONG_RULES = {
    "red_ignored": StackingRules(effects=("keep", "keep", "block")),
    "blue_turn_without_move": StackingRules(blocked="turn"),
    "blue_blue_restores_direction": StackingRules(blocked="restore"),
    "carries_alone": StackingRules(lift="alone"),
    "carries_whole_stack": StackingRules(lift="stack"),
    "offboard_wraps": StackingRules(border="wrap"),
    "placed_below_destination": StackingRules(landing="bottom"),
}


def judged(result: StackingResult) -> int:
    return result.round if result.outcome is Outcome.STOPPED else -1


def by_kernel(game: StackingGame, last: int | None, budget: int = 1 << 20) -> StackingResult:
    work = KernelPlay(game, last)
    while not work.advance(budget):
        pass
    return work.result(work.nodes, 0.0)


def facts(result: StackingResult) -> tuple[object, ...]:
    return (
        result.outcome,
        result.round,
        result.turn,
        result.stacks,
        result.directions,
        result.cycle_start,
        result.cycle_length,
    )


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_judged_answer_true_end_and_period(case: dict[str, Any], name: str) -> None:
    game = game_of(case, RULES[name])
    assert judged(game.play()) == case[f"answer_{name}"]
    result = game.play(None)
    if f"true_end_{name}" in case:
        assert judged(result) == case[f"true_end_{name}"]
    elif f"proved_cycle_period_{name}" in case:
        assert result.outcome is Outcome.NEVER
        assert result.cycle_length == case[f"proved_cycle_period_{name}"]


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_the_reference_agrees_with_the_recorded_answers(case: dict[str, Any]) -> None:
    cells, pieces = plain(game_of(case))
    assert twins.new_game(cells, pieces) == case["answer_17837"]
    assert twins.new_game(cells, pieces, only_bottoms=True) == case["answer_17780"]


def test_every_wrong_program_is_caught_by_two_boards() -> None:
    caught: Counter[str] = Counter()
    for case in CASES:
        cells, pieces = plain(game_of(case))
        for wrong in twins.MUTANTS:
            caught[wrong] += twins.new_game(cells, pieces, wrong=wrong) != case["answer_17837"]
    assert len(twins.MUTANTS) == 21
    assert {wrong: caught[wrong] for wrong in twins.MUTANTS if caught[wrong] < 2} == {}


@pytest.mark.parametrize("wrong", WRONG_RULES)
def test_a_wrong_program_is_a_right_one_for_other_rules(wrong: str) -> None:
    for case in CASES:
        game = game_of(case, WRONG_RULES[wrong])
        assert judged(game.play()) == twins.new_game(*plain(game), wrong=wrong), case["file"]


@settings(max_examples=200)
@given(games())
def test_plain_engine_equals_its_twin(game: StackingGame) -> None:
    for last in (0, 1, 7, None):
        outcome, round_, stacks = twins.play(*plain(game), game.rules, last)
        result = game.play(last)
        names = {"stopped": Outcome.STOPPED, "limit": Outcome.ROUND_LIMIT, "never": Outcome.NEVER}
        assert (result.outcome, result.round) == (names[outcome], round_)
        assert {tuple(cell): list(stack) for cell, stack in result.stacks.items()} == stacks


@settings(max_examples=120)
@given(games(), st.sampled_from([None, 0, 1, 3, 20]), st.sampled_from([1, 2, 1000]))
def test_kernel_equals_the_plain_engine(game: StackingGame, last: int | None, budget: int) -> None:
    assert facts(by_kernel(game, last, budget)) == facts(game.play(last))


@pytest.mark.parametrize("last", [7976] if JIT_DISABLED else [None, 1024, 4000, 7976, 7977, 20_000])
def test_kernel_proves_a_long_circle_exactly(last: int | None) -> None:
    (case,) = (case for case in CASES if case["file"] == "10_long_cycle.txt")
    game = game_of(case)
    result = by_kernel(game, last)
    assert facts(result) == facts(game.play(last))
    if last is None or last >= 67 + 7910:
        assert (result.cycle_start, result.cycle_length) == (67, 7910)
    else:
        assert result.outcome is Outcome.ROUND_LIMIT


def test_never_is_a_state_that_comes_back() -> None:
    seen = 0
    for case in CASES:
        game = game_of(case, NEW_GAME)
        result = game.play(None)
        if result.outcome is not Outcome.NEVER:
            continue
        assert result.cycle_start is not None
        assert result.cycle_length is not None
        assert (result.round, result.turn) == (-1, 0)
        first = result.cycle_start
        states = list(itertools.islice(game.states(), first + result.cycle_length + 1))
        keys = [(tuple(state.stacks.items()), state.directions) for state in states]
        assert keys[first] == keys[-1]
        assert len(set(keys)) == len(keys) - 1
        assert dict(states[first].stacks) == dict(result.stacks)
        seen += 1
    assert seen > 10


def test_limit_and_never_are_different_facts() -> None:
    late = next(case for case in CASES if case["file"] == "08_end_at_1001_0.txt")
    game = game_of(late)
    assert game.play().outcome is Outcome.ROUND_LIMIT
    assert (game.play().round, game.play().turn) == (1000, 0)
    assert (game.play(1001).outcome, game.play(None).round) == (Outcome.STOPPED, 1001)
    never = game_of(next(case for case in CASES if case["file"] == "20_all_blue.txt"))
    assert never.play(1).outcome is Outcome.ROUND_LIMIT
    assert never.play(2).outcome is Outcome.NEVER


def test_stop_is_checked_within_the_round() -> None:
    game = StackingGame([[0] * 4], [(0, 0, 0), (0, 1, 0), (0, 2, 0), (0, 3, 1)])
    result = game.play()
    trace = game.play(trace=True).trace
    assert trace is not None
    assert (result.round, result.turn) == (trace[-1].round, trace[-1].piece + 1)
    assert max(map(len, result.stacks.values())) >= 4


def test_long_plays_go_to_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [game_of(case) for case in CASES if case.get("true_end_17837", 0) > 900]
    plays = [game.play(None) for game in games]
    monkeypatch.setattr(sys.modules["gridkit.stacking.play"], "_PLAIN_TURNS", 50)
    monkeypatch.setattr(sys.modules["gridkit.stacking.play"], "_TURNS_A_CHUNK", 60)
    assert len(games) >= 7
    for game, play in zip(games, plays, strict=True):
        result = game.play(None)
        assert (play.engine, result.engine) == ("plain", "kernel")
        assert facts(result) == facts(play)
        assert result.nodes > play.nodes
        assert game.play(None, trace=True).engine == "plain"


def test_trace_replays_the_game() -> None:
    game = game_of(CASES[9])
    trace = game.play(trace=True).trace
    assert trace is not None
    position = game.start()
    moves = [move for _ in range(trace[-1].round) for move in position.play_round()]
    assert tuple(moves) == trace
    assert position.stopped
    assert position.play_round() == []


@settings(max_examples=60)
@given(games(), st.integers(0, 12))
def test_undo_takes_back_exactly(game: StackingGame, rounds: int) -> None:
    position = game.start()
    before = []
    for number in range(rounds):
        before.append((position.state(), position._key(), position.stopped))
        if number % 2:
            position.play_round()
        else:
            position.play_turn(number % len(game.pieces))
    while before:
        if len(before) % 2 == 0 and before[-1][2]:  # a stopped game plays no round
            before.pop()
            continue
        position.undo()
        assert (position.state(), position._key(), position.stopped) == before.pop()
    with pytest.raises(InputError, match="nothing to undo"):
        position.undo()


def test_limit_says_how_far_and_resumes() -> None:
    game = game_of(next(case for case in CASES if case["file"] == "10_long_cycle.txt"))
    token = None
    for rounds in (2500, 5000, 7500):
        with pytest.raises(LimitReached, match="node limit") as caught:
            game.play(None, limit=Limit(nodes=2500), resume=token)
        token = pickle.loads(pickle.dumps(caught.value.token))
        assert isinstance(caught.value.partial, Partial)
        assert caught.value.partial.value == rounds
    with pytest.raises(InputError, match="another problem"):
        game.play(1000, resume=token)
    # A token is a snapshot: it continues any number of times.
    for _ in range(2):
        with pytest.raises(LimitReached) as caught:
            game.play(None, limit=Limit(nodes=10), resume=token)
        assert caught.value.partial.value == 7510
    assert facts(game.play(None, limit=Limit(nodes=2500), resume=token)) == facts(game.play(None))
    with pytest.raises(LimitReached, match="memory"):
        game.play(None, limit=Limit(memory=1000))
    with pytest.raises(LimitReached, match="time limit"):
        game.play(None, limit=Limit(seconds=0))


def test_progress_ends_at_one() -> None:
    seen: list[Progress] = []
    game_of(CASES[0]).play(progress=seen.append)
    assert seen[-1].fraction == 1
    assert seen[-1].nodes == 999


def test_own_effects_are_python() -> None:
    def drop_lowest(
        ids: tuple[int, ...], ways: tuple[int, ...]
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return ids[1:], ways[1:]

    rules = StackingRules(effects=("keep", drop_lowest), border="block")
    pieces = [(0, 0, 0), (0, 0, 0), (0, 0, 0)]
    game = StackingGame([[0, 1, 0]], pieces, rules)
    position = game.start()
    position.play_turn(0)
    assert position.stack(0, 1) == (1, 2)
    assert position.cell(0) is None
    assert game.play().outcome is Outcome.NEVER
    with pytest.raises(UnsupportedError, match="callable"):
        rules.to_json()
    with pytest.raises(UnsupportedError, match="compiled"):
        KernelPlay(game, None)
    answers: list[Any] = [None, ((0,), ()), ((9,), (0,)), ((0, 0), (0, 0)), ((0,), (4,))]
    for answer in answers:
        broken = StackingRules(effects=("keep", Mock(return_value=answer)))
        with pytest.raises(InputError, match="must return"):
            StackingGame([[0, 1, 0]], pieces, broken).play()


def test_choice_is_for_the_caller() -> None:
    game = StackingGame([[0, 0]], [(0, 0, 0)], StackingRules(schedule="choice"))
    with pytest.raises(UnsupportedError, match="caller"):
        game.play()
    with pytest.raises(UnsupportedError, match="caller"):
        game.states()


@pytest.mark.parametrize("bad", [-1, 1.5, "1000", True, float("nan")])
def test_bad_max_rounds(bad: Any) -> None:
    with pytest.raises(InputError, match="max_rounds"):
        StackingGame([[0]], [(0, 0, 0)]).play(bad)


def test_huge_numbers_are_no_trouble() -> None:
    game = StackingGame([[0, 0]], [(0, 0, 0)], StackingRules(stop_height=10**30, stop_left=10**30))
    assert game.play(10**30).outcome is Outcome.NEVER
    assert by_kernel(game, 10**30).outcome is Outcome.NEVER
    lone = StackingGame([[0]], [(0, 0, 0)])
    assert lone.play().outcome is Outcome.NEVER
    assert StackingGame([[0]], []).play().outcome is Outcome.NEVER


def test_a_judged_game_loads_no_arrays() -> None:
    program = (
        "import sys; from gridkit.problems.boj17837 import solve;"
        "print(solve('1 1\\n0\\n1 1 1\\n'), 'numpy' in sys.modules, 'numba' in sys.modules)"
    )
    command = [sys.executable, "-c", program]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert output.split() == ["-1", "False", "False"]
