"""Stacking games a second: the kernel against the same algorithm in C, and against plain Python.

Run ``python benchmarks/bench_stacking.py``.  Kernel and C take turns on the
same games in one process, so that the ratio is worth more than either figure; CPU seconds, the
best of several runs.
"""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gridkit.stacking import StackingGame, play_many

SOURCE = Path(__file__).parent / "c" / "stacking.c"
LOGGED_ROUNDS = 1024  # as in the kernel
SIZES = ((4, 4, 60_000), (8, 6, 12_000), (12, 10, 6_000))
Games = tuple[NDArray[np.int8], NDArray[np.int32]]
Player = Callable[[Games, int], tuple[NDArray[np.int8], NDArray[np.int64]]]


def random_games(games: int, size: int, pieces: int, seed: int = 1) -> Games:
    """60 % white, 20 % red, 20 % blue; pieces on distinct cells."""
    random = np.random.default_rng(seed)
    cells = random.choice(np.array([0, 1, 2], np.int8), p=[0.6, 0.2, 0.2], size=(games, size, size))
    at = np.argsort(random.random((games, size * size)), axis=1)[:, :pieces]
    ways = random.integers(0, 4, size=(games, pieces))
    return cells, np.stack([at // size, at % size, ways], axis=2).astype(np.int32)


def compiled_c(folder: str) -> Player:
    """Compile the C twin and return it as a function of games and limit."""
    library = str(Path(folder) / "stacking.so")
    command = ["gcc", "-O3", "-march=native", "-shared", "-fPIC", "-o", library, str(SOURCE)]
    subprocess.run(command, check=True)
    play_batch = ctypes.CDLL(library).play_batch
    play_batch.restype = ctypes.c_int64

    def play(games: Games, limit: int) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
        cells, pieces = games
        outcome, ended = np.zeros(len(cells), np.int8), np.zeros(len(cells), np.int64)
        play_batch(
            cells.ctypes.data_as(ctypes.c_void_p),
            pieces.ctypes.data_as(ctypes.c_void_p),
            ctypes.c_int64(len(cells)),
            ctypes.c_int(cells.shape[1]),
            ctypes.c_int(pieces.shape[1]),
            ctypes.c_int64(limit),
            ctypes.c_int64(LOGGED_ROUNDS),
            outcome.ctypes.data_as(ctypes.c_void_p),
            ended.ctypes.data_as(ctypes.c_void_p),
        )
        return outcome, ended

    return play


def seconds(run: Callable[[], object]) -> float:
    """CPU seconds of one run."""
    begun = time.process_time()
    run()
    return time.process_time() - begun


def paired(
    first: Callable[[], object], second: Callable[[], object], runs: int = 9
) -> tuple[float, float]:
    """Best seconds of two runs that take turns."""
    times = [(seconds(first), seconds(second)) for _ in range(runs)]
    return min(time for time, _ in times), min(time for _, time in times)


def row(size: int, pieces: int, games: Games, in_c: Player) -> str:
    """Measure one size."""
    for ours, theirs in zip(play_many(*games), in_c(games, 1000), strict=True):
        assert (ours == theirs).all()
    count = len(games[0])
    kernel, c = paired(lambda: play_many(*games), lambda: in_c(games, 1000))
    some = [StackingGame(*game) for game in zip(games[0][:100], games[1][:100], strict=True)]
    plain = seconds(lambda: [game.play() for game in some])
    return (
        f"{size:2} x {size:<3} {pieces:5} {count / kernel:14,.0f} {count / c:13,.0f}"
        f" {c / kernel:9.2f} {100 / plain:17,.0f}"
    )


def compare() -> None:
    print("board   pieces   kernel games/s   C games/s   kernel/C   plain Python games/s")
    with tempfile.TemporaryDirectory() as folder:
        in_c = compiled_c(folder)
        for size, pieces, count in SIZES:
            print(row(size, pieces, random_games(count, size, pieces), in_c), flush=True)
        games = random_games(100_000, 8, 6)
        kernel, c = paired(
            lambda: play_many(*games, max_rounds=None), lambda: in_c(games, 1 << 60), 3
        )
        print(
            f"every game decided, 8 x 8 with 6 pieces: a million in {kernel * 10:.1f} s"
            f" (C {c * 10:.1f} s)"
        )


def test_play_many(benchmark: Callable[..., object]) -> None:
    games = random_games(2000, 8, 6)
    benchmark(play_many, *games)


def main() -> None:
    compare()


if __name__ == "__main__":
    main()
