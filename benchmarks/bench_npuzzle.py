"""n-puzzles: ratios against an own C reference (taxicab IDA*) and between our engines.

Run it as a program for a table; ``--large`` builds the 7-8 tables and the 3 x 4 as well, and
``--24`` solves 24-puzzles (with numbers of Korf and Felner's boards behind it: those).  Korf's
boards are read from beside the checkout where they are present.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from unittest.mock import patch

import numpy as np

from gridkit import NPuzzle
from gridkit.run import Run
from gridkit.sliding.npuzzle import ida as npuzzle_deepening
from gridkit.sliding.npuzzle.building import TableBuilding
from gridkit.sliding.npuzzle.ida import DeepeningSearch
from gridkit.sliding.npuzzle.patterns import guide

HERE = Path(__file__).parent
KORF = HERE.parents[1] / "shared" / "cases" / "sliding" / "korf_15puzzle.json"
# Korf's instances 12, 42 and 79 (1985).
EASY = {
    12: [14, 1, 9, 6, 4, 8, 12, 5, 7, 2, 3, 0, 10, 11, 13, 15],
    79: [0, 1, 9, 7, 11, 13, 5, 3, 14, 12, 4, 2, 8, 6, 10, 15],
}
DEFAULT = (1, 12, 17, 42, 60, 79, 82, 88)
KORF24 = KORF.with_name("korf_24puzzle.json")
EASY24 = (40, 38, 25, 44, 32, 28, 30)
# Boards that need 80 steps, the most there are (A. Bruengger et al. 1999); blank last in the goal.
FARTHEST = (
    (0, 12, 9, 13, 15, 11, 10, 14, 3, 7, 2, 5, 4, 8, 6, 1),
    (0, 12, 10, 13, 15, 11, 14, 9, 3, 7, 2, 5, 4, 8, 6, 1),
    (0, 12, 14, 13, 15, 11, 9, 10, 8, 3, 6, 2, 4, 7, 5, 1),
    (0, 15, 9, 13, 11, 12, 10, 14, 3, 7, 6, 2, 5, 4, 8, 1),
)


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
    recipe = guide(NPuzzle(4, 4, EASY[12], goal=range(16))._instance, tables).recipe
    assert recipe is not None
    begun = time.process_time()
    Run().drive(TableBuilding(recipe.graph, recipe.home, recipe.groups))
    return time.process_time() - begun


def searched(puzzle: NPuzzle, tables: str, lanes: int, longest: int) -> DeepeningSearch:
    """Solve with a number of lanes, avoiding needless strings of a length (2: steps back only)."""
    with (
        patch.object(npuzzle_deepening, "_LANES", lanes),
        patch.object(npuzzle_deepening, "_STAGES", ((100_000, longest, 2000), (0, 2, 1))),
    ):
        instance = puzzle._instance
        search = DeepeningSearch(instance, guide(instance, tables), Run())
        while not search.advance(1_000_000):
            pass
    return search


def compare_designs() -> None:
    """One 24-puzzle with and without what saves nodes, and with one lane and four."""
    boards = json.loads(KORF24.read_text())["instances"]
    puzzle = NPuzzle(5, 5, boards[24], goal=range(25))
    print("24-puzzle no. 25            seconds      million nodes")
    for lanes, longest in ((1, 2), (1, 12), (4, 12)):
        begun = time.process_time()
        search = searched(puzzle, "6-6-6-6", lanes, longest)
        spent = time.process_time() - begun
        print(
            f"{lanes} lanes, strings of {longest:2}     {spent:8.2f}      {search.nodes / 1e6:8.1f}"
        )


def solve_24(numbers: Sequence[int]) -> None:
    """Shortest plans of some of Korf and Felner's boards (2002), each against its known length."""
    known = json.loads(KORF24.read_text())
    lengths = next(values for key, values in known.items() if key.startswith("optimal"))
    NPuzzle(5, 5, known["instances"][39], goal=range(25)).distance(tables="6-6-6-6")
    for number in numbers:
        puzzle = NPuzzle(5, 5, known["instances"][number - 1], goal=range(25))
        begun = time.process_time()
        length = puzzle.distance(tables="6-6-6-6")
        spent = time.process_time() - begun
        assert length == lengths[number - 1]
        print(f"24-puzzle no. {number:2}, {length:3} steps   {spent:9.3f}", flush=True)


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
        for number, tiles in enumerate(FARTHEST):
            farthest = NPuzzle(4, 4, tiles)
            begun = time.process_time()
            assert farthest.distance(tables="7-8") == 80
            print(f"80 steps, board {number + 1}             {time.process_time() - begun:9.3f}")
        spent = seconds(NPuzzle(3, 4, [*range(1, 12), 0]).distance_table, 1)
        print(f"3 x 4, complete table         {spent:9.3f}")
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
        print(f"peak of memory in MB          {peak:9.0f}")
    if "--24" in sys.argv and KORF24.exists():
        numbers = [int(word) for word in sys.argv[sys.argv.index("--24") + 1 :] if word.isdigit()]
        solve_24(numbers or EASY24)
        compare_designs()
    for side in (50, 100):
        puzzle = random_board(side, 1)
        spent = seconds(puzzle.solve, 2)
        plan = puzzle.solve()
        assert plan is not None
        ratio = len(plan) / side**3
        print(f"{side} x {side} planned             {spent:9.3f}  {ratio:9.3f} m^3 steps")


if __name__ == "__main__":
    main()
