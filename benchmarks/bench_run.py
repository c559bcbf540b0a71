"""What the run contract costs and gains: chunks, parts, checkpoints, threads, Ctrl-C, starts."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from pathlib import Path

import gridkit as gk
from measuring import Case, Measured, Way, process


def chessboard() -> gk.Tiling:
    """The twelve pentominoes and the square on 8 x 8: two CPU seconds."""
    pieces = [*gk.pieces.pentominoes().values(), gk.Polyomino.parse("##\n##")]
    return gk.Tiling(gk.Board.rectangle(8, 8), pieces, reflect=True)


def tetrominoes(rows: int = 6) -> gk.Tiling:
    """Any number of the seven one-sided tetrominoes on 8 columns, by search."""
    pieces = gk.pieces.one_sided_tetrominoes().values()
    return gk.Tiling(gk.Board.rectangle(rows, 8), pieces, copies=None)


def chunks(method: str) -> dict[str, Way]:
    """The same search in chunks, and as one unbroken call of the kernel."""
    from gridkit.cover import symmetry
    from gridkit.cover.search.counting import tiling_tasks
    from gridkit.cover.search.tree import Counting
    from gridkit.run import Run

    tiling = chessboard()
    group = symmetry.elements(tiling.instance, Run())
    task = tiling_tasks(tiling.instance, group, method, Run())[-1]

    def chunked() -> int:
        work = Counting(task)
        Run(progress=lambda report: None).drive(work)
        return work.found

    def unbroken() -> int:
        work = Counting(task)
        assert work.advance(1 << 62)
        return work.found

    return {"in chunks": chunked, "unbroken": unbroken}


def parts() -> dict[str, Way]:
    tiling = chessboard()
    folder = tempfile.TemporaryDirectory()
    names = count()

    def kept(folder: tempfile.TemporaryDirectory[str]) -> int:
        path = Path(folder.name) / f"{next(names)}.db"
        return tiling.count(method="bitset", checkpoint=path)

    return {
        "whole": lambda: tiling.count(method="bitset"),
        "64 parts": lambda: tiling.count(method="bitset", parts=64),
        "64 parts, checkpoint": partial(kept, folder),
    }


def threads(tiling: gk.Tiling) -> dict[str, Way]:
    pool = ThreadPoolExecutor(2)
    return {
        "one": lambda: tiling.count(method="bitset"),
        "two threads": lambda: tiling.count(method="bitset", executor=pool),
    }


PROGRAM = """
import time
import gridkit as gk
tiling = gk.Tiling(gk.Board.rectangle(10, 10), gk.pieces.tetrominoes().values(), copies=None)
try:
    tiling.count(method="bitset", progress=lambda report: print("running", flush=True))
except gk.Interrupted:
    print("at", time.monotonic(), flush=True)
"""


def interrupt() -> Measured:
    """Seconds from the signal to the exception."""
    command = [sys.executable, "-c", PROGRAM]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        child.stdout.readline()
        sent = time.monotonic()
        child.send_signal(signal.SIGINT)
        lines = child.stdout.read().splitlines()
    return Measured(lines[-1].split()[0], float(lines[-1].split()[1]) - sent)


STARTS = {
    "python alone": "",
    "import gridkit": "import gridkit",
    "a judged sample": "import gridkit as gk; gk.problems.solve('boardcover', "
    "gk.problems.sample('boardcover'))",
    "import numba": "import numba",
    "12 pentominoes 6x10": "import gridkit as gk; gk.Tiling(gk.Board.rectangle(6, 10), "
    "gk.pieces.pentominoes(), reflect=True).count()",
    "Klotski": "import gridkit as gk; gk.SlidingPuzzle.parse('ABBC\\nABBC\\nDEEF\\nDGHF\\nI..J', "
    "goal={'B': (3, 1)}).solve(method='kernel')",
}  # fmt: skip
COLD = ("12 pentominoes 6x10", "Klotski")


def starts(program: str, cold: bool) -> dict[str, Way]:
    """Whole processes: with kernels in the cache, and with an empty cache."""

    def warm() -> Measured:
        return process(["python", "-c", program])

    def emptied() -> Measured:
        with tempfile.TemporaryDirectory() as folder:
            return process(["python", "-c", program], {"NUMBA_CACHE_DIR": folder})

    ways: dict[str, Way] = {"warm": warm}
    return ways | ({"cold": emptied} if cold else {})


def wall(setup: Callable[[], dict[str, Way]], name: str, full: bool = False) -> Case:
    """Seconds on the wall, which need an idle machine."""
    return Case(f"{name}, wall clock", setup, full=full, clock=time.perf_counter)


CASES = [
    *(Case(f"chunks, {method}", partial(chunks, method)) for method in ("bitset", "masks")),
    Case("parts and checkpoints", parts, full=True),
    wall(lambda: {"Ctrl-C to Interrupted": interrupt}, "answering Ctrl-C"),
    wall(lambda: threads(chessboard()), "two threads"),
    Case("two threads, CPU", lambda: threads(chessboard())),
    wall(lambda: threads(tetrominoes()), "two threads, tetrominoes 6x8", full=True),
    *(
        Case(f"process: {name}", partial(starts, program, name in COLD), "", seconds=0.1)
        for name, program in STARTS.items()
    ),
]  # fmt: skip
