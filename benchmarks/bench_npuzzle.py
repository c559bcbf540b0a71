"""n-puzzles: ratios against an own C reference (taxicab IDA*) and between our engines.

Run it as a program for a table; ``--large`` builds the 7-8 tables and the 3 x 4 as well.  Korf's
boards are read from beside the checkout where they are present.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from gridkit.sliding import patterndb
from gridkit.sliding.npuzzle import NPuzzle
from gridkit.sliding.npuzzle_optimal import guide

HERE = Path(__file__).parent
KORF = HERE.parents[1] / "shared" / "cases" / "sliding" / "korf_15puzzle.json"
# Korf's instances 12, 42 and 79 (1985).
EASY = {
    12: [14, 1, 9, 6, 4, 8, 12, 5, 7, 2, 3, 0, 10, 11, 13, 15],
    79: [0, 1, 9, 7, 11, 13, 5, 3, 14, 12, 4, 2, 8, 6, 10, 15],
}
DEFAULT = (1, 12, 17, 42, 60, 79, 82, 88)


def seconds(call: Callable[[], object], runs: int = 3) -> float:
    """Least CPU time of several runs."""
    times = []
    for _ in range(runs):
        begun = time.process_time()
        call()
        times.append(time.process_time() - begun)
    return min(times)


def solve_all(boards: list[list[int]], tables: str) -> list[int | None]:
    return [NPuzzle(4, 4, board, goal=range(16)).distance(tables=tables) for board in boards]


def c_reference(boards: list[list[int]]) -> float:
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "npuzzle"
        source = HERE / "c" / "npuzzle.c"
        subprocess.run(["gcc", "-O3", "-o", str(program), str(source)], check=True)
        text = "\n".join(" ".join(map(str, board)) for board in boards)
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run([str(program)], input=text, text=True, check=True, capture_output=True)
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def random_board(side: int, seed: int) -> NPuzzle:
    tiles = np.random.default_rng(seed).permutation(side * side).tolist()
    puzzle = NPuzzle(side, side, tiles)
    if not puzzle.is_solvable():
        one, two = tiles.index(1), tiles.index(2)
        tiles[one], tiles[two] = 2, 1
        puzzle = NPuzzle(side, side, tiles)
    return puzzle


def build(tables: str) -> float:
    """CPU time of building tables anew, in memory."""
    recipe = guide(NPuzzle(4, 4, EASY[12], goal=range(16)), tables).recipe
    assert recipe is not None
    begun = time.process_time()
    patterndb._build(recipe, None, None)
    return time.process_time() - begun


def test_default_tables(benchmark: Callable[..., object]) -> None:
    solve_all([EASY[12]], "6-6-3")
    benchmark(solve_all, list(EASY.values()), "6-6-3")


def test_large_plan(benchmark: Callable[..., object]) -> None:
    benchmark(random_board(30, 1).solve)


def main() -> None:
    large = "--large" in sys.argv
    boards = list(EASY.values())
    solve_all(boards, "6-6-3")
    solve_all(boards, "manhattan")
    print("engine                            CPU s    to C reference")
    reference = c_reference(boards)
    print(f"C, taxicab, Korf 12 and 79    {reference:9.3f}       1.00")
    for tables in ("manhattan", "6-6-3"):
        spent = seconds(partial(solve_all, boards, tables))
        print(f"{tables:28}  {spent:9.3f}  {spent / reference:9.2f}")
    print(f"6-6-3 tables built            {build('6-6-3'):9.3f}")
    if KORF.exists():
        known = json.loads(KORF.read_text())
        by_number = dict(zip(known["number"], known["instances"], strict=True))
        chosen = [by_number[number] for number in DEFAULT if number in by_number]
        spent = seconds(partial(solve_all, chosen, "6-6-3"))
        print(f"6-6-3, {len(chosen)} hard boards         {spent:9.3f}")
    if large:
        print(f"7-8 tables built              {build('7-8'):9.3f}")
        if KORF.exists():
            solve_all(known["instances"][:1], "7-8")
            spent = seconds(lambda: solve_all(known["instances"], "7-8"))
            print(f"7-8, {len(known['instances'])} boards               {spent:9.3f}")
        spent = seconds(NPuzzle(3, 4, [*range(1, 12), 0]).distance_table, 1)
        print(f"3 x 4, complete table         {spent:9.3f}")
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
        print(f"peak of memory in MB          {peak:9.0f}")
    for side in (50, 100):
        puzzle = random_board(side, 1)
        spent = seconds(puzzle.solve, 2)
        plan = puzzle.solve()
        assert plan is not None
        ratio = len(plan) / side**3
        print(f"{side} x {side} planned             {spent:9.3f}  {ratio:9.3f} m^3 steps")


if __name__ == "__main__":
    main()
