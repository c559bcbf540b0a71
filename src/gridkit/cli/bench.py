"""``gridkit bench``: how fast gridkit is on this machine, each answer checked."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from gridkit import polyomino, problems, stacking
from gridkit._version import __version__
from gridkit.cli._options import print_json
from gridkit.cover.tiling import Tiling
from gridkit.grid.board import Board
from gridkit.polyomino import pieces
from gridkit.polyomino.polyomino import Polyomino
from gridkit.sliding import kings
from gridkit.sliding.blocks.puzzle import SlidingPuzzle
from gridkit.sliding.npuzzle.puzzle import NPuzzle

__all__ = ["add_arguments", "run"]

MORE = (
    "Every answer is checked, then the least of three runs is shown. The cold start compiles the "
    "kernels of one call into a folder of its own, as the first call after an installation does."
)
EXAMPLES = """
gridkit bench
gridkit bench --warm --json
"""

_RUNS = 3
_RUSH_HOUR = "BB.C...D.CEE.DAAFGH.IIFGH.JKK.LLJ..."  # of a connected space of 541,934 states
_FIFTEEN = [0, 1, 9, 7, 11, 13, 5, 3, 14, 12, 4, 2, 8, 6, 10, 15]  # Korf's instance 79 (1985)
_PENTOMINOES = (
    "import gridkit as gk; "
    "gk.Tiling(gk.Board.rectangle(6, 10), gk.pieces.pentominoes(), reflect=True).count()"
)


@dataclass(frozen=True, slots=True)
class _Task:
    """Work of a known answer; `amount` of `unit` are gone through."""

    what: str
    answer: object
    work: Callable[[], object]
    amount: int = 0
    unit: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--warm", action="store_true", help="leave out the cold start, which compiles kernels"
    )


def run(options: argparse.Namespace) -> int:
    """Print a table; 1 when an answer was wrong."""
    say: Callable[[str], object] = (lambda line: None) if options.json else _say
    say(f"gridkit {__version__}: processor seconds, the least of {_RUNS} runs\n")
    say(f"{'whole processes':<48}{'seconds':>9}")
    starts, work, wrong = {}, {}, []
    for what, seconds in _processes(cold=not options.warm):
        starts[what] = seconds
        say(f"{what:<48}{seconds:9.3f}")
    say(f"\n{'with kernels loaded':<48}{'seconds':>9}")
    for task in _tasks():
        answer = task.work()  # kernels are loaded, or compiled where the cache has none
        work[task.what] = seconds = min(_processor_seconds(task.work) for _ in range(_RUNS))
        note = f"{_short(task.amount / seconds):>9} {task.unit}/s" if task.amount else ""
        if answer != task.answer:
            wrong.append(task.what)
            note = f"  WRONG: {answer!r} instead of {task.answer!r}"
        say(f"{task.what:<48}{seconds:9.4f}{note}")
    if options.json:
        print_json(options, {"processes": starts, "work": work, "wrong": wrong})
    return 1 if wrong else 0


def _say(line: str) -> None:
    print(line, flush=True)


def _processes(cold: bool) -> Iterator[tuple[str, float]]:
    """Measure starts of whole processes."""
    yield "python, nothing imported", _start("")
    yield "import gridkit", _start("import gridkit")
    sample = "from gridkit import problems as p; p.solve('boardcover', p.sample('boardcover'))"
    yield "a judged sample, without kernels", _start(sample)
    yield "12 pentominoes on 6 x 10, kernels in the cache", _start(_PENTOMINOES)
    if cold:
        with tempfile.TemporaryDirectory() as folder:
            empty = {"NUMBA_CACHE_DIR": folder}
            yield "the same, cold: kernels compiled", _start(_PENTOMINOES, empty, runs=1)


def _start(program: str, environment: Mapping[str, str] | None = None, runs: int = _RUNS) -> float:
    """Return the least processor seconds of a process that runs a program."""
    command = [sys.executable, "-c", program]
    times = []
    for _ in range(runs):
        before, begun = os.times(), time.perf_counter()
        subprocess.run(command, env={**os.environ, **(environment or {})}, check=True)
        after, elapsed = os.times(), time.perf_counter() - begun
        spent = after.children_user - before.children_user
        spent += after.children_system - before.children_system
        times.append(spent or elapsed)  # Windows counts no seconds of children
    return min(times)


def _processor_seconds(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return max(time.process_time() - begun, 1e-9)


def _tasks() -> Iterator[_Task]:
    """List a piece of work for each engine, through public calls."""
    ell = Polyomino.parse("#.\n##")
    narrow = Tiling(Board.rectangle(6, 10), pieces.pentominoes(), reflect=True)
    yield _Task("12 pentominoes on 6 x 10, counted", 9356, narrow.count, 9356, "tilings")
    trominoes = Tiling(Board.rectangle(15, 15), [ell], copies=None)
    yield _Task(
        "L-trominoes on 15 x 15, counted without search", 458_324_092_996_867_592_192,
        lambda: trominoes.count(method="frontier"),
    )  # fmt: skip
    dominoes = Tiling(Board.rectangle(20, 20), pieces.domino(), copies=None)
    yield _Task(
        "dominoes on 20 x 20, by a determinant",
        1_269_984_011_256_235_834_242_602_753_102_293_934_298_576_249_856,
        lambda: dominoes.count(method="kasteleyn"),
    )  # fmt: skip
    yield _Task(
        "fixed polyominoes of 15 cells, enumerated", 27_394_666,
        lambda: polyomino.count_fixed(15, method="enumerate"), 27_394_666, "polyominoes",
    )  # fmt: skip
    rush_hour = SlidingPuzzle.parse_rush_hour(_RUSH_HOUR)
    yield _Task(
        "Rush Hour, the whole space", 541_934,
        lambda: rush_hour.explore(diameter=False).states, 541_934, "states",
    )  # fmt: skip
    fifteen = NPuzzle(4, 4, _FIFTEEN, goal=range(16))
    yield _Task("15-puzzle, a shortest plan", 42, lambda: fifteen.distance(tables="6-6-3"))
    start, target = _kings(20)
    yield _Task("kings, a plan on 40 x 40", True, lambda: kings.plan(start, target) is not None)
    sample = problems.sample("boardcover")
    answer = problems.solve("boardcover", sample)
    yield _Task("a judged sample", answer, lambda: problems.solve("boardcover", sample))
    games = 10_000
    board = [[(row * col) % 3 for col in range(8)] for row in range(8)]
    pawns = [(0, 0, 0), (2, 3, 1), (5, 1, 2), (7, 7, 3)]
    yield _Task(
        "stacking, many games", games,
        lambda: len(stacking.play_many([board] * games, [pawns] * games)[0]), games, "games",
    )  # fmt: skip


def _kings(across: int) -> tuple[list[list[int]], list[list[int]]]:
    """Return kings in blocks of 2 x 2 cells but one, and the same in reverse."""
    numbers = [*range(1, across * across), 0]
    boards = []
    for order in (numbers, numbers[::-1]):
        board = [[0] * 2 * across for _ in range(2 * across)]
        for at, king in enumerate(order):
            board[at // across * 2][at % across * 2] = king
        boards.append(board)
    return boards[0], boards[1]


def _short(value: float) -> str:
    """Return a rate in three digits."""
    for factor, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= factor:
            return f"{value / factor:.3g} {letter}"
    return f"{value:.3g}"
