"""What the run contract costs and gains: chunks, threads, checkpoints, Ctrl-C.

Run ``python benchmarks/bench_run.py``.  Pairs of runs take turns in one process, so that the ratios
are worth more than the figures; speed-ups are of wall-clock time and need an idle machine.
"""

from __future__ import annotations

import argparse
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import gridkit as gk
from gridkit.cover import symmetry
from gridkit.cover.search.counting import tiling_tasks
from gridkit.cover.search.tree import Counting, Task
from gridkit.run import Run

Work = Callable[[], object]


def chessboard() -> gk.Tiling:
    """The twelve pentominoes and the square on 8 x 8: two CPU seconds."""
    pieces = [*gk.pieces.pentominoes().values(), gk.Polyomino.parse("##\n##")]
    return gk.Tiling(gk.Board.rectangle(8, 8), pieces, reflect=True)


def tetrominoes() -> gk.Tiling:
    """Any number of the seven one-sided tetrominoes on 6 x 8, by search: nine CPU seconds."""
    pieces = gk.pieces.one_sided_tetrominoes().values()
    return gk.Tiling(gk.Board.rectangle(6, 8), pieces, copies=None)


def task(tiling: gk.Tiling, method: str) -> Task:
    group = symmetry.elements(tiling.instance, Run())
    return tiling_tasks(tiling.instance, group, method, Run())[-1]


def cpu(work: Work) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def wall(work: Work) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def paired(first: Work, second: Work, rounds: int, clock: Callable[[Work], float]) -> str:
    """Return the ratio second / first: of the minima, and the median of the pairs."""
    pairs = []
    for number in range(rounds):
        if number % 2:
            b = clock(second)
            a = clock(first)
        else:
            a = clock(first)
            b = clock(second)
        pairs.append((a, b))
    least = min(b for _, b in pairs) / min(a for a, _ in pairs)
    median = statistics.median(b / a for a, b in pairs)
    return f"{least:.3f} (median {median:.3f}; {min(a for a, _ in pairs):.2f} s)"


def chunks(rounds: int) -> None:
    """One unbroken kernel call against the same in chunks."""
    for method in ("bitset", "masks"):
        search = task(chessboard(), method)

        def unbroken(search: Task = search) -> None:
            assert Counting(search).advance(1 << 62)

        def chunked(search: Task = search) -> None:
            Run(progress=lambda report: None).drive(Counting(search))

        unbroken()
        print(f"chunks / unbroken, {method:<7} {paired(unbroken, chunked, rounds, cpu)}")


def threads(rounds: int) -> None:
    tiling = tetrominoes()
    with ThreadPoolExecutor(2) as pool:

        def alone() -> None:
            tiling.count(method="bitset")

        def together() -> None:
            tiling.count(method="bitset", executor=pool)

        print(f"two threads / one         {paired(alone, together, rounds, wall)}, wall clock")
        print(f"the same, CPU             {paired(alone, together, 1, cpu)}")


def checkpoints(rounds: int) -> None:
    tiling = chessboard()
    with tempfile.TemporaryDirectory() as folder:

        def kept() -> None:
            tiling.count(method="bitset", checkpoint=Path(folder) / f"{time.monotonic()}.db")

        def parts() -> None:
            tiling.count(method="bitset", parts=64)

        def whole() -> None:
            tiling.count(method="bitset")

        print(f"64 parts / whole          {paired(whole, parts, rounds, cpu)}")
        print(f"checkpoint / 64 parts     {paired(parts, kept, rounds, cpu)}")


PROGRAM = """
import time
import gridkit as gk
tiling = gk.Tiling(gk.Board.rectangle(10, 10), gk.pieces.tetrominoes().values(), copies=None)
try:
    tiling.count(method="bitset", progress=lambda report: print("running", flush=True))
except gk.Interrupted:
    print("at", time.monotonic(), flush=True)
"""


def interrupts(rounds: int) -> None:
    """Seconds from the signal to the exception."""
    delays = []
    for _ in range(rounds):
        with subprocess.Popen(
            [sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True
        ) as child:
            assert child.stdout is not None
            child.stdout.readline()
            sent = time.monotonic()
            child.send_signal(signal.SIGINT)
            lines = child.stdout.read().splitlines()
            delays.append(float(lines[-1].split()[1]) - sent)
    print(f"Ctrl-C to Interrupted     {1000 * statistics.median(delays):.0f} ms "
          f"(longest {1000 * max(delays):.0f} ms)")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    print(f"{os.cpu_count()} threads, load {load:.1f}, {threading.active_count()} thread here")
    chunks(rounds)
    checkpoints(max(1, rounds // 2))
    interrupts(rounds)
    threads(max(1, rounds // 3))


if __name__ == "__main__":
    main()
