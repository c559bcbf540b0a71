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
from pathlib import Path

from gridkit.run.control import drive
from gridkit.sliding.compiled import NEVER, CompiledSearch, Space
from gridkit.sliding.puzzle import SlidingPuzzle
from gridkit.sliding.tables import tables_of

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


def classic(metric: str) -> int:
    plan = SlidingPuzzle.parse(CLASSIC, goal={"B": (3, 1)}).solve(metric, method="kernel")  # type: ignore[arg-type]  # a metric
    assert plan is not None
    return len(plan)


def rush(text: str) -> int:
    plan = SlidingPuzzle.parse_rush_hour(text).solve("slide", method="kernel")
    assert plan is not None
    return len(plan)


def c_reference(runs: int) -> tuple[int, float]:
    """Compile and run the C search of the classic board."""
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "klotski_bfs")
        source = str(HERE / "c/klotski_bfs.c")
        subprocess.run(["gcc", "-O3", "-o", program, source], check=True)
        board = CLASSIC.replace("\n", "")
        command = [program, board, str(runs)]
        said = subprocess.run(command, check=True, capture_output=True, text=True)
    length, _, milliseconds = said.stdout.split()
    return int(length), float(milliseconds)


def rate(text: str, metric: str) -> tuple[int, float, float]:
    """States, states a second and bytes a state of a whole space."""
    packing = SlidingPuzzle.parse_rush_hour(text).packing

    def explore() -> Space:
        space = Space(tables_of(packing), metric, [packing.key(packing.start)], NEVER)
        space.advance(1 << 40)
        return space

    space = explore()
    return space.size, space.size / least(explore, 5) * 1e3, space.nbytes / space.size


def table(path: Path) -> None:
    rows = json.loads(path.read_text("utf-8"))["rows"]
    begun = time.process_time()
    wrong = 0
    for row in rows:
        for metric, column in (("step", 4), ("slide", 5), ("move", 6)):
            puzzle = SlidingPuzzle.parse(row[3].replace("/", "\n"), goal={"A": (3, 1)})
            plan = puzzle.solve(metric, method="kernel")  # type: ignore[arg-type]  # a metric
            wrong += (None if plan is None else len(plan)) != row[column]
    seconds = time.process_time() - begun
    print(f"{len(rows)} boards in three metrics: {seconds:.1f} s of CPU (aim 11), {wrong} wrong")


def main() -> None:
    assert (classic("step"), classic("slide"), classic("move")) == (116, 90, 81)
    ours, theirs = [], []
    for _ in range(5):  # in turn, so that both see the same machine
        length, milliseconds = c_reference(20)
        assert length == 81
        theirs.append(milliseconds)
        ours.append(least(lambda: classic("move"), 20))
    ratio = min(ours) / min(theirs)
    print(
        f"classic Klotski, move: {min(ours):.2f} ms, C {min(theirs):.2f} ms, ratio {ratio:.2f} (aim 1.1)"
    )
    for metric in ("step", "slide"):
        print(f"classic Klotski, {metric}: {least(lambda metric=metric: classic(metric)):.2f} ms")
    assert rush(RUSH_60) == 60
    print(f"Rush Hour, 60 slides: {least(lambda: rush(RUSH_60), 200):.2f} ms (aim 0.5)")
    assert rush(RUSH_EASY) == 15
    print(
        f"Rush Hour, 15 slides among 541,934 states: {least(lambda: rush(RUSH_EASY)):.2f} ms (aim 3.2)"
    )
    for metric in ("step", "slide"):
        states, speed, size = rate(RUSH_EASY, metric)
        print(
            f"{states} states, {metric}: {speed / 1e6:.2f} M states/s (aim 3), {size:.1f} B/state (aim 24)"
        )
    packing = SlidingPuzzle.parse(CLASSIC, goal={"B": (3, 1)}).packing
    work = CompiledSearch(packing, ("move",))
    drive(work)
    print(
        f"classic Klotski: {work.found} states up to symmetry, {work.tables.packing.bits} bits a state"
    )
    if len(sys.argv) > 1:
        table(Path(sys.argv[1]))


if __name__ == "__main__":
    main()
