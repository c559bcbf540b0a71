"""n-puzzles: against our own C reference (taxicab IDA*), tables against tables, plans by size."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from unittest.mock import patch

from gridkit import NPuzzle
from instances import random_tiles
from measuring import Case, Measured, Way, process
from references import program

HERE = Path(__file__).parent
KORF = json.loads((HERE.parent / "tests/data/npuzzle/korf_15puzzle.json").read_text("utf-8"))
KORF_24 = json.loads((HERE / "data/korf_24puzzle.json").read_text("utf-8"))
EASY = {  # Korf's instances 12 and 79 (1985)
    (14, 1, 9, 6, 4, 8, 12, 5, 7, 2, 3, 0, 10, 11, 13, 15): 45,
    (0, 1, 9, 7, 11, 13, 5, 3, 14, 12, 4, 2, 8, 6, 10, 15): 42,
}
# Of the boards that need 80 steps, the most there are (A. Bruengger et al. 1999).
FARTHEST = (
    (0, 12, 9, 13, 15, 11, 10, 14, 3, 7, 2, 5, 4, 8, 6, 1),
    (0, 12, 10, 13, 15, 11, 14, 9, 3, 7, 2, 5, 4, 8, 6, 1),
    (0, 12, 14, 13, 15, 11, 9, 10, 8, 3, 6, 2, 4, 7, 5, 1),
    (0, 15, 9, 13, 11, 12, 10, 14, 3, 7, 6, 2, 4, 8, 5, 1),
)
# Korf's instances 1, 12, 17, 42, 60, 79, 82 and 88
DEFAULT = (0, 6, 10, 23, 39, 54, 56, 61)


def lengths(boards: Sequence[Sequence[int]], tables: str, side: int = 4) -> list[int | None]:
    goal = range(side * side)
    return [NPuzzle(side, side, board, goal=goal).distance(tables=tables) for board in boards]


def easy() -> dict[str, Way]:
    text = "\n".join(" ".join(map(str, board)) for board in EASY)

    def in_c() -> Measured:
        ran = process([program("npuzzle")], text=text)
        found = [int(line.split()[0]) for line in str(ran.answer).splitlines()]
        return Measured(found, ran.seconds)

    boards = list(EASY)
    return {
        "6-6-3": partial(lengths, boards, "6-6-3"),
        "taxicab": partial(lengths, boards, "manhattan"),
        "C, taxicab": in_c,
    }


def plain_solve() -> dict[str, Way]:
    """Plans that need not be shortest, and the shortest."""
    boards = [NPuzzle(4, 4, board, goal=range(16)) for board in KORF["instances"][:10]]

    def solved(optimal: bool) -> bool:
        return all(board.solve(optimal=optimal) is not None for board in boards)

    return {"solve": partial(solved, False), "optimal": partial(solved, True)}


def korf(numbers: Sequence[int], tables: str) -> dict[str, Way]:
    """Length by length against the published ones."""
    boards = [KORF["instances"][number] for number in numbers]
    right = [KORF["optimal"][number] for number in numbers]
    return {tables: lambda: lengths(boards, tables) == right}


def built(tables: str) -> dict[str, Way]:
    """Pattern tables anew, in memory."""
    from gridkit.run import Run
    from gridkit.sliding.npuzzle.building import TableBuilding
    from gridkit.sliding.npuzzle.patterns import guide

    recipe = guide(NPuzzle(4, 4, next(iter(EASY)), goal=range(16))._instance, tables).recipe
    assert recipe is not None

    def build() -> bool:
        return Run().drive(TableBuilding(recipe.graph, recipe.home, recipe.groups))

    return {tables: build}


def farthest(tiles: Sequence[int]) -> dict[str, Way]:
    return {"7-8": lambda: NPuzzle(4, 4, tiles).distance(tables="7-8")}


def complete() -> dict[str, Way]:
    puzzle = NPuzzle(3, 4, [*range(1, 12), 0])
    return {"distance_table": lambda: puzzle.distance_table() is not None}


def larger(number: int) -> dict[str, Way]:
    return {"6-6-6-6": lambda: lengths([KORF_24["instances"][number]], "6-6-6-6", 5)[0]}


def designs() -> dict[str, Way]:
    """One 24-puzzle with and without what saves nodes, and with one lane and four."""
    from gridkit.run import Run
    from gridkit.sliding.npuzzle import ida
    from gridkit.sliding.npuzzle.patterns import guide

    instance = NPuzzle(5, 5, KORF_24["instances"][2], goal=range(25))._instance

    def search(lanes: int, longest: int) -> Measured:
        with (
            patch.object(ida, "_LANES", lanes),
            # Avoids needless strings of moves of this length (2: steps back only).
            patch.object(ida, "_STAGES", ((100_000, longest, 2000), (0, 2, 1))),
        ):
            engine = ida.DeepeningSearch(instance, guide(instance, "6-6-6-6"), Run())
            while not engine.advance(1_000_000):
                pass
        return Measured(True, amount=engine.nodes)

    return {
        f"{lanes} lanes, strings of {longest}": partial(search, lanes, longest)
        for lanes, longest in ((4, 12), (1, 12), (1, 2))
    }


def planned(side: int) -> dict[str, Way]:
    puzzle = random_tiles(side, side, 1)

    def solve() -> Measured:
        plan = puzzle.solve()
        assert plan is not None
        return Measured(True, amount=len(plan), facts={"m^3 steps": len(plan) / side**3})

    return {"solve": solve}


def whole(setup: Callable[[], dict[str, Way]], name: str, **options: object) -> Case:
    return Case(name, setup, full=True, rounds=1, **options)  # type: ignore[arg-type]  # as Case's


CASES = [
    Case("Korf's boards 12 and 79", easy, list(EASY.values())),
    Case("ten of Korf's boards", plain_solve, True),
    Case("6-6-3 tables built", partial(built, "6-6-3"), True, rounds=1),
    Case("8 hard boards", partial(korf, DEFAULT, "6-6-3"), True),
    whole(partial(built, "7-8"), "7-8 tables built", expected=True),
    whole(partial(korf, range(71), "7-8"), "71 of Korf's boards", expected=True),
    *(
        whole(partial(farthest, tiles), f"80 steps, board {number}", expected=80)
        for number, tiles in enumerate(FARTHEST, 1)
    ),
    whole(complete, "3x4, complete table", expected=True),
    *(
        whole(partial(larger, number), f"24-puzzle no. {name}", expected=KORF_24["optimal"][number])
        for number, name in enumerate(KORF_24["number"])
    ),
    whole(designs, "24-puzzle no. 25, designs", expected=True, unit="nodes"),
    *(Case(f"{n}x{n} planned", partial(planned, n), True, unit="steps") for n in (20, 50)),
    *(Case(f"{n}x{n} planned", partial(planned, n), True, n > 100, unit="steps", rounds=1)
      for n in (100, 200)),
]  # fmt: skip
