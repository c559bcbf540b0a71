"""Kings that never touch: plan lengths against the sum of distances and an accepted program."""

from __future__ import annotations

import gzip
import json
from functools import partial
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gridkit.problems import poi33_kings
from gridkit.sliding.kings.puzzle import KingsPuzzle
from gridkit.sliding.plan import Plan
from measuring import Case, Measured, Way

HERE = Path(__file__).parent
CASES_TOLD = json.loads((HERE / "data/kings.json").read_text("utf-8"))["cases"]
SIDE = 100
Board = NDArray[np.int64]
Effort = Literal["fast", "short"]


def random_board(side: int, kings: int, generator: np.random.Generator) -> Board:
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


def blocks(side: int, order: Board) -> Board:
    """Put kings into the blocks of 2 x 2 cells, row by row."""
    board = np.zeros((side, side), dtype=np.int64)
    board[0::2, 0::2] = order.reshape(side // 2, side // 2)
    return board


def reversal(side: int, kings: int) -> tuple[Board, Board]:
    """Kings in row-major blocks, and the same with the whole board reversed."""
    order = np.pad(np.arange(1, kings + 1), (0, side * side // 4 - kings))
    return blocks(side, order), blocks(side, order[::-1])


def bound(start: Board, target: Board) -> int:
    one, other = (np.argwhere(b > 0)[np.argsort(b[b > 0])] for b in (start, target))
    return int(np.abs(one - other).max(axis=1).sum())


def planned(start: Board, target: Board, effort: Effort, least: int, accepted: int = 0) -> Measured:
    plan = KingsPuzzle(start, target).plan(effort=effort)
    assert plan is not None
    facts = {"moves": len(plan), "of the bound": len(plan) / least}
    if accepted:
        facts["of the accepted program"] = len(plan) / accepted
    return Measured(True, facts=facts)


def verified(
    start: Board, target: Board, accepted: int, efforts: tuple[Effort, ...]
) -> dict[str, Way]:
    """Ways whose plans are verified once, before the clock runs."""
    least = bound(start, target)
    for effort in efforts:
        plan = KingsPuzzle(start, target).plan(effort=effort)
        assert plan is not None
        plan.verify()
    return {effort: partial(planned, start, target, effort, least, accepted) for effort in efforts}


def at_random(side: int, kings: int, seed: int) -> dict[str, Way]:
    generator = np.random.default_rng(seed)
    start, target = (random_board(side, kings, generator) for _ in range(2))
    return verified(start, target, 0, ("fast", "short"))


def told(case: dict[str, int]) -> tuple[Board, Board]:
    """Return the boards of a collected case."""
    name, side, kings = str(case["name"]), case["n"], case["k"]
    order = np.arange(1, kings + 1)
    if name.endswith("reversal"):
        return reversal(side, kings)
    if name.endswith("shift"):
        return blocks(side, order), np.roll(blocks(side, order), (1, 1), (0, 1))
    if name.endswith("corner"):
        boards = np.zeros((2, side, side), dtype=np.int64)
        boards[0, 0, 0] = boards[1, -1, -1] = 1
        return boards[0], boards[1]
    path = HERE / f"data/{name}.in.gz"
    if path.exists():
        text = gzip.decompress(path.read_bytes()).decode("ascii")
    else:
        text = (HERE.parent / f"tests/data/kings/{name}.in").read_text("ascii")
    one, other = np.array(text.split()[2:], dtype=np.int64).reshape(2, side, side)
    return one, other


def collected(case: dict[str, int]) -> dict[str, Way]:
    start, target = told(case)
    assert bound(start, target) == case["lower_bound_king"]
    return verified(start, target, case["seed_moves"], ("short",))


def printing() -> dict[str, Way]:
    """A million moves as the judge wants them; the rest of the adapter is planning."""
    plan = KingsPuzzle(*reversal(SIDE, 2499)).plan(effort="fast")
    assert plan is not None
    steps = np.tile(plan.steps, (2, 1))[:1_000_000]

    def text() -> Measured:
        return Measured(
            True, facts={"MB": len(poi33_kings.lines(Plan(plan.puzzle, steps), SIDE)) / 1e6}
        )

    return {"lines": text}


def adapter() -> dict[str, Way]:
    boards = reversal(SIDE, 2499)
    rows = [" ".join(map(str, row)) for board in boards for row in board.tolist()]
    text = "\n".join([f"{SIDE} 2499", *rows, ""])
    return {"solve": lambda: poi33_kings.solve(text)[:3]}


CASES = [
    *(
        Case(f"n = 100, {kings} kings, seed {seed}", partial(at_random, SIDE, kings, seed), True,
             full=seed == 2 or kings not in (250, 1875), rounds=1)
        for kings in (10, 250, 625, 1250, 1875, 2250, 2490, 2499)
        for seed in (1, 2)
    ),
    Case("n = 50, 156 kings", partial(at_random, 50, 156, 1), True, rounds=1),
    *(
        Case(str(case["name"]), partial(collected, case), True, full=case["n"] > 30, rounds=1)
        for case in CASES_TOLD
    ),
    Case("a million moves printed", printing, True, amount=1e6, unit="lines"),
    Case("reversal by the adapter", adapter, "TAK", full=True, rounds=1),
]  # fmt: skip
