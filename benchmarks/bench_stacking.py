"""Stacking games a second: the kernel against the same algorithm in C, and against plain Python."""

from __future__ import annotations

import ctypes
from functools import partial

import numpy as np
from numpy.typing import NDArray

from gridkit.stacking import StackingGame, play_many
from measuring import Case, Measured, Way
from references import library

LOGGED_ROUNDS = 1024  # as in the kernel
Games = tuple[NDArray[np.int8], NDArray[np.int32]]


def random_games(games: int, size: int, pieces: int) -> Games:
    """60 % white, 20 % red, 20 % blue; pieces on distinct cells."""
    random = np.random.default_rng(1)
    cells = random.choice(np.array([0, 1, 2], np.int8), p=[0.6, 0.2, 0.2], size=(games, size, size))
    at = np.argsort(random.random((games, size * size)), axis=1)[:, :pieces]
    ways = random.integers(0, 4, size=(games, pieces))
    return cells, np.stack([at // size, at % size, ways], axis=2).astype(np.int32)


def digest(outcome: NDArray[np.generic], ended: NDArray[np.generic]) -> int:
    """Return a number that two lists of results share only when they are equal."""
    return hash((outcome.astype(np.int64).tobytes(), ended.astype(np.int64).tobytes()))


def in_c(games: Games, limit: int) -> int:
    play_batch = library("stacking").play_batch
    play_batch.restype = ctypes.c_int64
    cells, pieces = games
    outcome, ended = np.zeros(len(cells), np.int8), np.zeros(len(cells), np.int64)
    play_batch(
        *(array.ctypes.data_as(ctypes.c_void_p) for array in (cells, pieces)),
        ctypes.c_int64(len(cells)),
        ctypes.c_int(cells.shape[1]),
        ctypes.c_int(pieces.shape[1]),
        ctypes.c_int64(limit),
        ctypes.c_int64(LOGGED_ROUNDS),
        *(array.ctypes.data_as(ctypes.c_void_p) for array in (outcome, ended)),
    )
    return digest(outcome, ended)


def batch(size: int, pieces: int, count: int) -> dict[str, Way]:
    games = random_games(count, size, pieces)
    answer = digest(*play_many(*games))
    some = [StackingGame(*game) for game in zip(games[0][:100], games[1][:100], strict=True)]

    def plain() -> Measured:
        for game in some:
            game.play()
        return Measured(answer, amount=len(some))  # the tests compare the two

    return {
        "play_many": lambda: digest(*play_many(*games)),
        "C": lambda: in_c(games, 1000),
        "plain Python, one by one": plain,
    }


def decided() -> dict[str, Way]:
    games = random_games(100_000, 8, 6)
    return {
        "play_many": lambda: digest(*play_many(*games, max_rounds=None)),
        "C": lambda: in_c(games, 1 << 60),
    }


CASES = [
    *(
        Case(f"{size}x{size}, {pieces} pieces", partial(batch, size, pieces, count), rounds=7,
             amount=count, unit="games")
        for size, pieces, count in ((4, 4, 60_000), (8, 6, 12_000), (12, 10, 6_000))
    ),
    Case("every game decided, 8x8, 6 pieces", decided, amount=100_000, unit="games"),
]  # fmt: skip
