"""Batches: every game decided as a single play decides it, however the batch is run."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import gridkit as gk
from gridkit.errors import InputError, LimitReached, UnsupportedError
from gridkit.run.control import Limit, Partial, Progress
from gridkit.run.jit import JIT_DISABLED, ready
from gridkit.stacking import StackingGame, StackingRules, pack, play_many
from gridkit.stacking import rules as rules_module
from gridkit.stacking.kernels import games as kernels
from gridkit.stacking.kernels import turns
from stacking_cases import CASES, NEW_GAME, NEW_GAME_2, RULES, game_of, games, rules

MANY = 20 if JIT_DISABLED else 400
Arrays = tuple[NDArray[np.int8], NDArray[np.int64]]


def random_games(games: int, size: int, pieces: int, seed: int = 1) -> Arrays:
    random = np.random.default_rng(seed)
    cells = random.choice(np.array([0, 1, 2], np.int8), p=[0.6, 0.2, 0.2], size=(games, size, size))
    at = np.argsort(random.random((games, size * size)), axis=1)[:, :pieces]
    ways = random.integers(0, 4, size=(games, pieces))
    return cells, np.stack([at // size, at % size, ways], axis=2)


def one_by_one(
    cells: Any, pieces: Any, rules: StackingRules, last: int | None
) -> list[tuple[int, int]]:
    results = [StackingGame(c, p, rules).play(last) for c, p in zip(cells, pieces, strict=True)]
    return [(int(result.outcome), result.round) for result in results]


def pairs(arrays: tuple[NDArray[np.int64], NDArray[np.int64]]) -> list[tuple[int, int]]:
    return [(int(outcome), int(round_)) for outcome, round_ in zip(*arrays, strict=True)]


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("last", [None, 1000])
def test_judged_boards_padded_into_one_batch(name: str, last: int | None) -> None:
    cells, pieces = pack([game_of(case, RULES[name]) for case in CASES])
    assert cells.shape == (len(CASES), 12, 12)
    outcome, rounds = play_many(cells, pieces, RULES[name], last)
    for case, ended, round_ in zip(CASES, outcome, rounds, strict=True):
        answer = round_ if ended == 0 else -1
        key = f"answer_{name}" if last else f"true_end_{name}"
        if last or key in case or f"proved_cycle_period_{name}" in case:
            assert answer == case.get(key, -1), case["file"]


@pytest.mark.parametrize("rules", [NEW_GAME_2, NEW_GAME], ids=["new_game_2", "new_game"])
@pytest.mark.parametrize(("size", "pieces"), [(1, 1), (4, 4), (6, 8)])
def test_random_games_as_one_by_one(rules: StackingRules, size: int, pieces: int) -> None:
    arrays = random_games(MANY, size, pieces)
    for last in (0, 1, 40, 1000):
        assert pairs(play_many(*arrays, rules, last)) == one_by_one(*arrays, rules, last)


@settings(max_examples=60)
@given(st.data())
def test_any_rules_as_one_by_one(data: st.DataObject) -> None:
    drawn = data.draw(rules())
    same = games(st.just(drawn), most=3)
    batch = data.draw(st.lists(same, min_size=1, max_size=4))
    last = data.draw(st.sampled_from([None, 5, 60]))
    expected = [(int(r.outcome), r.round) for r in (game.play(last) for game in batch)]
    for game, want in zip(batch, expected, strict=True):
        assert pairs(play_many([game.cells], [game.pieces], drawn, last)) == [want]
    try:
        arrays = pack(batch)
    except InputError:
        return
    assert pairs(play_many(*arrays, drawn, last)) == expected


def test_limits_beyond_the_logged_rounds_are_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    from gridkit.stacking import arrays as arrays_module

    cells, pieces = random_games(MANY, 5, 4)
    expected = {last: pairs(play_many(cells, pieces, None, last)) for last in (3, 17, 90, 400)}
    for logged in (0, 1, 8):
        monkeypatch.setattr(arrays_module, "_LOGGED_ROUNDS", logged)
        for last, answers in expected.items():
            assert pairs(play_many(cells, pieces, None, last)) == answers


@pytest.mark.parametrize("dtype", "bhilBHIL")
def test_any_integer_type(dtype: str) -> None:
    cells, pieces = random_games(20, 4, 4)
    expected = pairs(play_many(cells, pieces))
    assert pairs(play_many(cells.astype(dtype), pieces.astype(dtype))) == expected
    assert pairs(play_many(cells.tolist(), pieces[:, ::1].tolist())) == expected
    assert pairs(play_many(np.asfortranarray(cells), pieces[:, :, :])) == expected
    outcome, rounds = gk.stacking.play_many(cells, pieces)
    assert outcome.dtype.kind == rounds.dtype.kind == "i"


def test_blocks_of_games_join(monkeypatch: pytest.MonkeyPatch) -> None:
    from gridkit.stacking import batch

    cells, pieces = random_games(MANY, 5, 5)
    expected = pairs(play_many(cells, pieces))
    monkeypatch.setattr(batch, "_BLOCK", 7)
    assert pairs(play_many(cells, pieces)) == expected


@pytest.mark.parametrize("nodes", [1, 37, 400])
def test_resumed_batches_lose_nothing(nodes: int) -> None:
    count = 5 if nodes == 1 else 60
    cells, pieces = random_games(count, 4, 4, seed=3)
    expected = pairs(play_many(cells, pieces, None, 200))
    token, calls = None, 0
    while True:
        calls += 1
        try:
            limit = Limit(nodes=nodes)
            result = play_many(cells, pieces, None, 200, limit=limit, resume=token)
        except LimitReached as reached:
            token = reached.token
            partial = reached.partial
        else:
            break
        check_partial(partial, expected)
    assert pairs(result) == expected
    assert calls > 3
    with pytest.raises(InputError, match="another problem"):
        play_many(cells, pieces, None, 201, resume=token)
    with pytest.raises(InputError, match="resume must be the token"):
        play_many(cells, pieces, resume="token")


def check_partial(partial: object, expected: list[tuple[int, int]]) -> None:
    assert isinstance(partial, Partial)
    value: Any = partial.value
    decided = [pair for pair in pairs(value) if pair[0] >= 0]
    assert decided == [
        want for want, got in zip(expected, pairs(value), strict=True) if got[0] >= 0
    ]
    assert len(decided) == partial.found


@pytest.fixture(scope="module", params=[ThreadPoolExecutor, ProcessPoolExecutor])
def executor(request: pytest.FixtureRequest) -> Iterator[Executor]:
    if request.param is ProcessPoolExecutor:
        import multiprocessing

        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(1, mp_context=context) as pool:
            yield pool
    else:
        with ThreadPoolExecutor(2) as pool:
            yield pool


def test_executors_give_the_same(executor: Executor) -> None:
    cells, pieces = random_games(MANY, 4, 4)
    expected = pairs(play_many(cells, pieces))
    seen: list[Progress] = []
    shared = play_many(cells, pieces, executor=executor, parts=5, progress=seen.append)
    assert pairs(shared) == expected
    assert seen[-1].fraction == 1
    with pytest.raises(LimitReached) as caught:
        play_many(cells, pieces, executor=executor, limit=Limit(nodes=500))
    check_partial(caught.value.partial, expected)
    token = caught.value.token
    assert pairs(play_many(cells, pieces, resume=token)) == expected
    assert pairs(play_many(cells, pieces, resume=token, executor=executor)) == expected


def test_progress_and_memory() -> None:
    cells, pieces = random_games(50, 4, 4)
    seen: list[Progress] = []
    play_many(cells, pieces, progress=seen.append)
    assert (seen[-1].found, seen[-1].fraction) == (50, 1)
    with pytest.raises(LimitReached, match="memory"):
        play_many(cells, pieces, limit=Limit(memory=10))


def test_empty_batches() -> None:
    outcome, rounds = play_many(np.zeros((0, 4, 4), int), np.zeros((0, 3, 3), int))
    assert outcome.shape == rounds.shape == (0,)
    assert pairs(play_many(np.zeros((2, 1, 1), int), np.zeros((2, 0, 3), int))) == [(2, -1)] * 2
    cells, pieces = pack([])
    assert play_many(cells, pieces)[0].shape == (0,)


BOARD = np.zeros((1, 3, 3), dtype=int)
PIECE = np.zeros((1, 1, 3), dtype=int)


@pytest.mark.parametrize(
    ("cells", "pieces", "says"),
    [
        (BOARD[0], PIECE, "cells: expected shape (games, rows, cols), got (3, 3)"),
        (BOARD, PIECE[0], "pieces: expected shape (games, pieces, 3), got (1, 3)"),
        (BOARD, PIECE[:, :, :2], "pieces: expected shape (games, pieces, 3), got (1, 1, 2)"),
        (np.zeros((2, 3, 3), int), PIECE, "cells has 2 games, pieces has 1"),
        (np.zeros((1, 0, 3), int), PIECE, "at least one cell"),
        (BOARD.astype(float), PIECE, "cells: expected integers, got dtype float64"),
        (BOARD, PIECE.astype(bool), "pieces: expected integers, got dtype bool"),
        (BOARD + 3, PIECE, "cells[0, 0, 0]: unknown code 3 (these rules know 0 to 2)"),
        (BOARD - 1, PIECE, "unknown code -1"),
        (BOARD, PIECE + 3, "pieces[0, 0]: row must be from 0 to 2, got 3"),
        (BOARD, PIECE - np.array([1, 0, 0]), "row must be from 0 to 2, got -1"),
        (BOARD, PIECE + np.array([0, 5, 0]), "column must be from 0 to 2, got 5"),
        (BOARD, PIECE + np.array([0, 0, 4]), "direction must be from 0 to 3, got 4"),
        ([[[0, 0], [0]]], PIECE, "cells: expected an integer array"),
        ([[[2**70]]], PIECE, "cells"),
        (None, PIECE, "cells"),
        ("board", PIECE, "cells"),
    ],
)
def test_bad_arrays(cells: Any, pieces: Any, says: str) -> None:
    with pytest.raises(InputError) as caught:
        play_many(cells, pieces)
    assert says in str(caught.value)


def test_bad_options() -> None:
    with pytest.raises(InputError, match="StackingRules"):
        play_many(BOARD, PIECE, "New Game 2")  # type: ignore[arg-type]  # the refusal is the point
    with pytest.raises(InputError, match="max_rounds"):
        play_many(BOARD, PIECE, max_rounds=-1)
    with pytest.raises(InputError, match="parts"):
        play_many(BOARD, PIECE, parts=0)
    for option, value in (("limit", 5), ("progress", True)):
        with pytest.raises(InputError, match=f"{option} must be"):
            play_many(BOARD[:0], PIECE[:0], **{option: value})  # type: ignore[arg-type]  # likewise
    three: Any = np.int8(3)
    assert pairs(play_many(BOARD, PIECE, max_rounds=three, parts=three)) == [(1, 3)]
    with pytest.raises(InputError, match="executor"):
        play_many(BOARD, PIECE, executor="threads")  # type: ignore[arg-type]  # likewise
    with pytest.raises(UnsupportedError, match="caller"):
        play_many(BOARD, PIECE, StackingRules(schedule="choice"))
    with pytest.raises(UnsupportedError, match="callable"):
        play_many(BOARD, PIECE, StackingRules(effects=(lambda ids, ways: (ids, ways),)))


def test_packing_says_what_it_cannot() -> None:
    wrap = StackingRules(border="wrap")
    small, large = (StackingGame([[0] * n], [(0, 0, 0)], wrap) for n in (1, 2))
    with pytest.raises(InputError, match="padded"):
        pack([small, large])
    with pytest.raises(InputError, match="other rules"):
        pack([small, StackingGame([[0]], [])])
    with pytest.raises(InputError, match="order of the numbers"):
        pack([StackingGame([[0]], [(0, 0, 0), (0, 0, 0)], order=[1, 0])])


def test_kernels_and_rules_agree_on_flags() -> None:
    for name in ("BLOCK", "REVERSE", "TURN_SHIFT", "SINK", "GOAL", "WRAP"):
        assert getattr(turns, name) == getattr(rules_module, name)


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_kernels_have_one_signature() -> None:
    for name in ("play_batch", "play_rounds", "play_turn", "set_up", "walk_together"):
        assert len(ready(getattr(kernels, name)).nopython_signatures) == 1
