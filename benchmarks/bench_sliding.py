"""Sliding blocks against a specialised C search, and against the figures aimed at.

Run ``python benchmarks/bench_sliding.py [TABLE]``; TABLE is a JSON file of Klotski boards, if there
is one.  All times are CPU milliseconds, the least of several runs, each on a fresh puzzle object.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from gridkit.sliding.blocks.compiled.breadth import Space
from gridkit.sliding.blocks.compiled.rails import RailSpace
from gridkit.sliding.blocks.puzzle import SlidingPuzzle
from gridkit.sliding.blocks.rails import rails_of
from gridkit.sliding.blocks.rules import METRICS, BlockMetric
from gridkit.sliding.blocks.space import space_of

HERE = Path(__file__).parent
CLASSIC = "ABBC\nABBC\nDEEF\nDGHF\nI..J"
RUSH_60 = "IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM"
RUSH_EASY = "BB.C...D.CEE.DAAFGH.IIFGH.JKK.LLJ..."


def least(work: Callable[[], object], runs: int = 40) -> float:
    best = float("inf")
    for _ in range(runs):
        begun = time.process_time()
        work()
        best = min(best, time.process_time() - begun)
    return best * 1e3


def row(what: str, figure: str, note: str = "", aim: str = "") -> None:
    print(f"{what:38} {figure:>18}  {note:24} {'aim ' + aim if aim else ''}".rstrip())


def classic(metric: BlockMetric) -> int:
    plan = SlidingPuzzle.parse(CLASSIC, goal={"B": (3, 1)}).solve(metric=metric, method="kernel")
    assert plan is not None
    return len(plan)


def rush(text: str) -> int:
    plan = SlidingPuzzle.parse_rush_hour(text).solve(metric="slide", method="kernel")
    assert plan is not None
    return len(plan)


def c_reference(runs: int) -> tuple[int, int, float]:
    """Compile and run the C search of the classic board: length, states, milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "klotski_bfs")
        source = str(HERE / "c/klotski_bfs.c")
        subprocess.run(["gcc", "-O3", "-o", program, source], check=True)
        board = CLASSIC.replace("\n", "")
        command = [program, board, str(runs)]
        said = subprocess.run(command, check=True, capture_output=True, text=True)
    length, states, milliseconds = said.stdout.split()
    return int(length), int(states), float(milliseconds)


def rate(puzzle: SlidingPuzzle, metric: BlockMetric) -> tuple[int, float, float]:
    """States, states a second and bytes a state of a whole space, mirror images apart."""
    rails = rails_of(puzzle._instance, mirror=False)

    def explore() -> Space | RailSpace:
        space = space_of(puzzle._instance, rails, metric)
        space.advance(1 << 40)
        return space

    space = explore()
    return space.size, space.size / least(explore, 12) * 1e3, space.nbytes / space.size


def table(path: Path) -> None:
    rows = json.loads(path.read_text("utf-8"))["rows"]
    begun = time.process_time()
    wrong = 0
    for board in rows:
        for column, metric in enumerate(METRICS, 4):
            puzzle = SlidingPuzzle.parse(board[3].replace("/", "\n"), goal={"A": (3, 1)})
            plan = puzzle.solve(metric=metric, method="kernel")
            wrong += (None if plan is None else len(plan)) != board[column]
    seconds = time.process_time() - begun
    row(f"{len(rows)} boards, three metrics", f"{seconds:.1f} s", f"{wrong} wrong", "11")


def main() -> None:
    assert (classic("step"), classic("slide"), classic("move")) == (116, 90, 81)
    ours, theirs = [], []
    for _ in range(5):  # in turn, so that both see the same machine
        length, states, milliseconds = c_reference(20)
        assert length == 81
        theirs.append(milliseconds)
        ours.append(least(lambda: classic("move"), 20))
    ratio = min(ours) / min(theirs)
    c_speed = states / min(theirs) * 1e3
    row(
        "classic Klotski, move",
        f"{min(ours):.2f} ms",
        f"C {min(theirs):.2f} ms, ratio {ratio:.2f}",
        "1.1",
    )
    for metric in METRICS[:2]:
        row(f"classic Klotski, {metric}", f"{least(partial(classic, metric)):.2f} ms")
    assert rush(RUSH_60) == 60
    row("Rush Hour, 60 slides", f"{least(lambda: rush(RUSH_60), 200):.2f} ms", aim="0.5")
    assert rush(RUSH_EASY) == 15
    row("Rush Hour, 15 slides", f"{least(lambda: rush(RUSH_EASY)):.2f} ms", "541,934 states", "3.2")
    spaces = {
        "classic Klotski": SlidingPuzzle.parse(CLASSIC, goal={"B": (3, 1)}),
        "Rush Hour": SlidingPuzzle.parse_rush_hour(RUSH_EASY),
    }
    for name, puzzle in spaces.items():
        for metric in METRICS:
            states, speed, size = rate(puzzle, metric)
            row(
                f"{name}, whole space, {metric}",
                f"{speed / 1e6:.2f} M states/s",
                f"{states} states, {speed / c_speed:.2f} of C",
                "3",
            )
            row("", f"{size:.1f} B/state", aim="24")
    begun = time.process_time()
    space = SlidingPuzzle.parse_rush_hour(RUSH_EASY).explore(metric="slide")
    assert (space.diameter, space.radius) == (34, 23)
    row("diameter of 541,934 states", f"{time.process_time() - begun:.1f} s")
    if len(sys.argv) > 1:
        table(Path(sys.argv[1]))


if __name__ == "__main__":
    main()
