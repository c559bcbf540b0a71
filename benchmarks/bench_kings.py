"""Kings that never touch: plan lengths against the sum of distances and an accepted program.

Run as a script for the table.  Lengths of the accepted program stand with the collected cases;
random boards are compared with the lower bound, the sum of the kings' distances.
"""

from __future__ import annotations

import json
import resource
import time
from pathlib import Path

import numpy as np

from gridkit.problems import poi33_kings
from gridkit.sliding.kings.puzzle import KingsPuzzle
from gridkit.sliding.plan import Plan

ROOT = Path(__file__).parents[1]
CASES = [ROOT / "tests/data/kings", ROOT.parent / "shared/cases/kings"]
SIDE = 100


def random_board(side: int, kings: int, generator: np.random.Generator) -> np.ndarray:
    """Put kings into random blocks, then let each wander twice."""
    across = (side + 1) // 2
    board = np.zeros((side + 2, side + 2), dtype=np.int64)  # with a rim
    blocks = generator.permutation(across * across)[:kings]
    places = np.stack([blocks // across * 2 + 1, blocks % across * 2 + 1], axis=1)
    board[places[:, 0], places[:, 1]] = np.arange(1, kings + 1)
    for _ in range(2):
        for king, step in enumerate(generator.integers(-1, 2, (kings, 2)), 1):
            row, col = places[king - 1] + step
            if 1 <= row <= side and 1 <= col <= side:
                board[tuple(places[king - 1])] = 0
                free = not board[row - 1 : row + 2, col - 1 : col + 2].any()
                places[king - 1] = (row, col) if free else places[king - 1]
                board[tuple(places[king - 1])] = king
    return board[1:-1, 1:-1]


def reversal(side: int, kings: int) -> tuple[np.ndarray, np.ndarray]:
    """Kings in row-major blocks, and the same in reverse."""
    across = side // 2
    boards = []
    for order in (np.arange(1, kings + 1), np.arange(kings, 0, -1)):
        board = np.zeros((side, side), dtype=np.int64)
        board[0::2, 0::2].flat = np.pad(order, (0, across * across - kings))
        boards.append(board)
    return boards[0], boards[1]


def bound(start: np.ndarray, target: np.ndarray) -> int:
    one, other = (np.argwhere(b > 0)[np.argsort(b[b > 0])] for b in (start, target))
    return int(np.abs(one - other).max(axis=1).sum())


def timed(start: np.ndarray, target: np.ndarray, effort: str) -> tuple[Plan, float]:
    puzzle = KingsPuzzle(start, target)
    best = float("inf")
    for _ in range(2 if effort == "fast" else 1):
        begun = time.process_time()
        plan = puzzle.plan(effort="fast" if effort == "fast" else "short")
        best = min(best, time.process_time() - begun)
    assert plan is not None
    plan.verify()
    return plan, best


def bench_printing(benchmark) -> None:  # type: ignore[no-untyped-def]  # pytest-benchmark's fixture
    start, target = reversal(SIDE, 2499)
    text = f"{SIDE} 2499\n" + "".join(
        " ".join(map(str, row)) + "\n" for board in (start, target) for row in board.tolist()
    )
    benchmark.pedantic(poi33_kings.solve, args=(text,), rounds=1)


def main() -> None:
    KingsPuzzle(random_board(12, 10, np.random.default_rng(0)), random_board(
        12, 10, np.random.default_rng(1))).plan(progress=lambda _: None)  # fmt: skip  # warm up
    print("n = 100, random boards (mean of 2)    short / bound  seconds   fast / bound  seconds")
    for kings in (10, 250, 625, 1250, 1875, 2250, 2490, 2499):
        rows = []
        for seed in (1, 2):
            generator = np.random.default_rng(seed)
            start, target = (random_board(SIDE, kings, generator) for _ in range(2))
            least = bound(start, target)
            short, short_time = timed(start, target, "short")
            fast, fast_time = timed(start, target, "fast")
            rows.append((len(short), len(short) / least, short_time, len(fast) / least, fast_time))
        moves, *rest = np.mean(rows, axis=0)
        print(f"  {kings:5d} kings {moves:10.0f} moves   " + "  ".join(f"{x:12.3f}" for x in rest))
    print("collected cases            moves  / accepted program  / bound")
    seen = set()
    for folder in CASES:
        if not (folder / "index.json").exists():
            continue
        for case in json.loads((folder / "index.json").read_text())["cases"]:
            path = folder / case["file"]
            if case["n"] < 10 or not case["seed_moves"] or case["name"] in seen:
                continue
            if not path.exists():
                continue
            seen.add(case["name"])
            moves = int(poi33_kings.solve(path.read_text()).split(maxsplit=2)[1])
            print(
                f"  {case['name']:22s} {moves:8d} {moves / case['seed_moves']:12.3f} "
                f"{moves / case['lower_bound_king']:18.3f}"
            )
    plan, _ = timed(*reversal(SIDE, 2499), "fast")
    steps = np.tile(plan.steps, (2, 1))[:1_000_000]
    begun = time.process_time()
    text = poi33_kings.lines(Plan(plan.puzzle, steps), SIDE)
    print(f"{len(steps)} moves printed in {time.process_time() - begun:.2f} s, {len(text)} bytes")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MB")


if __name__ == "__main__":
    main()
