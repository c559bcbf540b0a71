"""Counting without searching: sweeps against the textbook program in C, and determinants.

Run ``python benchmarks/bench_frontier.py``.  CPU seconds on one thread, best of several runs after
a warm-up; the C program (all profiles, 128-bit numbers, one cell at a time) counts the same boards
in the same process.
"""

from __future__ import annotations

import ctypes
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import gridkit as gk
import gridkit.cover.frontier.kernels.sparse  # else small boards are counted without the kernels
from gridkit.cover.determinant import kasteleyn
from gridkit.cover.frontier import count as frontier
from gridkit.cover.frontier import states as tables
from gridkit.cover.frontier.plain import count_plain
from gridkit.cover.instance import Instance
from gridkit.run import Run

SOURCE = Path(__file__).parent / "c" / "frontier.c"
ELL = [gk.Polyomino.parse("#.\n##")]
DOMINO = gk.pieces.domino()
SMALL = [gk.Polyomino.parse("#"), gk.Polyomino.parse("##")]


def count(instance: Instance) -> int:
    """Count by sweeps."""
    return frontier.count(instance, Run())


def best(run: Callable[[], object], least: float = 0.5, most: int = 50) -> float:
    """Best CPU seconds of runs that take half a second together, after one not counted."""
    run()
    times: list[float] = []
    while len(times) < 3 or (sum(times) < least and len(times) < most):
        begun = time.process_time()
        run()
        times.append(time.process_time() - begun)
    return min(times)


def compiled_c(folder: str) -> Callable[[gk.Board], int]:
    """Compile the C program and return it as a function of a board."""
    library = str(Path(folder) / "frontier.so")
    command = ["gcc", "-O3", "-march=native", "-shared", "-fPIC", "-o", library, str(SOURCE)]
    subprocess.run(command, check=True)
    count_l_trominoes = ctypes.CDLL(library).count_l_trominoes

    def run(board: gk.Board) -> int:
        cells = np.zeros((board.rows, board.cols), np.uint8)
        for cell in board:
            cells[cell] = 1
        result = (ctypes.c_uint64 * 2)()
        pointer = cells.ctypes.data_as(ctypes.c_void_p)
        assert count_l_trominoes(pointer, board.rows, board.cols, result)
        return int(result[0]) | int(result[1]) << 64

    return run


def against_c() -> None:
    print("L trominoes          bits   gridkit s   textbook C s   C / gridkit   plain Python s")
    holes = [(0, 0), (3, 4), (10, 10), (15, 7)]
    boards = {
        "8 x 9": gk.Board.rectangle(8, 9),
        "12 x 12": gk.Board.rectangle(12, 12),
        "15 x 15": gk.Board.rectangle(15, 15),
        "18 x 20": gk.Board.rectangle(20, 18),
        "20 x 20 less corner": gk.Board.rectangle(20, 20).without(holes[:1]),
        "20 x 20 less 4": gk.Board.rectangle(20, 20).without(holes),
    }
    with tempfile.TemporaryDirectory() as folder:
        in_c = compiled_c(folder)
        for name, board in boards.items():
            instance = gk.Tiling(board, ELL, copies=None).instance
            number = count(instance)
            ours = best(lambda: count(instance))  # noqa: B023 - run at once
            if number.bit_length() <= 128:
                assert in_c(board) == number
            theirs = best(lambda: in_c(board), most=3)  # noqa: B023
            plain = f"{best(lambda: count_plain(instance, Run())):.5f}" if len(board) < 150 else ""  # noqa: B023
            print(
                f"{name:20} {number.bit_length():4} {ours:11.5f} {theirs:14.5f}"
                f" {theirs / ours:13.1f} {plain:>16}",
                flush=True,
            )


def forms() -> None:
    """The hash table against the array, on one board."""
    instance = gk.Tiling(gk.Board.rectangle(15, 15), ELL, copies=None).instance
    array = best(lambda: count(instance))
    narrow, dense = tables._NARROW, tables._DENSE
    tables._NARROW, tables._DENSE = 0, 0
    try:
        table = best(lambda: count(instance))
    finally:
        tables._NARROW, tables._DENSE = narrow, dense
    print(f"\n15 x 15, hash table only: {table:.3f} s, {table / array:.1f} times the array")


def dominoes() -> None:
    print("\ndominoes             bits   frontier s   determinant s")
    for rows, cols, by_frontier in ((8, 8, True), (12, 12, True), (16, 16, True), (20, 20, True),
                                    (30, 30, False), (50, 50, False)):  # fmt: skip
        instance = gk.Tiling(gk.Board.rectangle(rows, cols), DOMINO, copies=None).instance
        number = kasteleyn.count(instance, Run())
        swept = ""
        if by_frontier:
            assert count(instance) == number
            swept = f"{best(lambda: count(instance)):.5f}"  # noqa: B023
        determinant = best(lambda: kasteleyn.count(instance, Run()))  # noqa: B023
        print(
            f"{rows} x {cols:<15} {number.bit_length():4} {swept:>12} {determinant:15.5f}",
            flush=True,
        )


def others() -> None:
    print("\nmonomers and dimers  bits   seconds")
    for side in (8, 11, 15, 18):
        instance = gk.Tiling(gk.Board.rectangle(side, side), SMALL, copies=None).instance
        bits = count(instance).bit_length()
        print(f"{side} x {side:<15} {bits:4} {best(lambda: count(instance)):9.5f}", flush=True)  # noqa: B023
    rng = np.random.default_rng(1)
    print("\nsamples                        one s    ten s")
    for name, tiling in {
        "dominoes 12 x 100": gk.Tiling(gk.Board.rectangle(12, 100), DOMINO, copies=None),
        "L trominoes 16 x 16 less corner": gk.Tiling(
            gk.Board.rectangle(16, 16).without([(0, 0)]), ELL, copies=None
        ),
    }.items():
        times = [best(lambda: tiling.sample(rng, n), most=3) for n in (1, 10)]  # noqa: B023
        print(f"{name:<31} {times[0]:5.2f} {times[1]:8.2f}", flush=True)
    pieces = gk.pieces.pentominoes()
    once = gk.Tiling(gk.Board.rectangle(5, 12), pieces, copies=1, reflect=True).instance
    assert count(once) == 4040
    print(
        f"\n12 pentominoes 5 x 12, copies in the state: {best(lambda: count(once), most=1):.2f} s"
    )
    print(f"largest memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def test_l_trominoes(benchmark: Callable[..., object]) -> None:
    benchmark(count, gk.Tiling(gk.Board.rectangle(8, 9), ELL, copies=None).instance)


def test_determinant(benchmark: Callable[..., object]) -> None:
    instance = gk.Tiling(gk.Board.rectangle(30, 30), DOMINO, copies=None).instance
    benchmark(kasteleyn.count, instance, Run())


if __name__ == "__main__":
    against_c()
    forms()
    dominoes()
    others()
