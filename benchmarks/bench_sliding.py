"""Sliding blocks against a specialised C search: plans, whole state spaces, diameters, a table."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import gridkit as gk
from gridkit.sliding.blocks.rules import METRICS, BlockMetric
from instances import KLOTSKI
from measuring import Case, Measured, Way
from references import program, self_timed

RUSH_60 = "IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM"
RUSH_EASY = "BB.C...D.CEE.DAAFGH.IIFGH.JKK.LLJ..."
TABLE = Path(__file__).parents[1] / "tests/data/sliding/klotski_boards.json"
MOST = 150  # boards of the table


def klotski() -> gk.SlidingPuzzle:
    return gk.SlidingPuzzle.parse(KLOTSKI, goal={"B": (3, 1)})


def easy() -> gk.SlidingPuzzle:
    return gk.SlidingPuzzle.parse_rush_hour(RUSH_EASY)


def length(puzzle: gk.SlidingPuzzle, metric: BlockMetric) -> int:
    plan = puzzle.solve(metric=metric, method="kernel")
    return -1 if plan is None else len(plan)


def classic(metric: BlockMetric) -> dict[str, Way]:
    ways: dict[str, Way] = {"solve": lambda: length(klotski(), metric)}
    if metric == "move":
        command = [str(program("klotski_bfs")), KLOTSKI.replace("\n", ""), "20"]
        ways["C, this board only"] = self_timed(command, lambda said: float(said[2]) / 1e3)
    return ways


def rush(text: str) -> dict[str, Way]:
    return {"solve": lambda: length(gk.SlidingPuzzle.parse_rush_hour(text), "slide")}


def whole(build: Callable[[], gk.SlidingPuzzle], metric: BlockMetric) -> dict[str, Way]:
    """A whole space by the engine, mirror images apart."""
    from gridkit.sliding.blocks.compiled.rails import space_of
    from gridkit.sliding.blocks.rails import rails_of

    instance = build()._instance
    rails = rails_of(instance, mirror=False)

    def engine() -> Measured:
        space = space_of(instance, rails, metric)
        space.advance(1 << 40)
        return Measured(space.size, facts={"B/state": space.nbytes / space.size})

    return {"engine": engine}


def diameter() -> dict[str, Way]:
    def measured() -> tuple[int | None, int | None]:
        space = easy().explore(metric="slide")
        return space.diameter, space.radius

    return {"explore, diameter, radius": measured}


def table() -> dict[str, Way]:
    """Boards of the collection in all metrics."""
    rows = json.loads(TABLE.read_text("utf-8"))["rows"][:MOST]
    boards = [
        (gk.SlidingPuzzle.parse(row[0].replace("/", "\n"), goal={"A": (3, 1)}), metric, steps)
        for row in rows
        for metric, steps in zip(METRICS, row[1:], strict=True)
    ]
    return {"wrong lengths": lambda: sum(length(p, metric) != steps for p, metric, steps in boards)}


SPACES = {"classic Klotski": (klotski, 25_955), "Rush Hour": (easy, 541_934)}
CASES = [
    *(
        Case(f"classic Klotski, {metric}", partial(classic, metric), steps, rounds=8)
        for metric, steps in zip(METRICS, (116, 90, 81), strict=True)
    ),
    Case("Rush Hour, 60 slides", partial(rush, RUSH_60), 60, rounds=20),
    Case("Rush Hour, 15 slides", partial(rush, RUSH_EASY), 15, rounds=20),
    *(
        Case(f"{name}, whole space, {metric}", partial(whole, build, metric),
             states, amount=states, unit="states")
        for name, (build, states) in SPACES.items()
        for metric in METRICS
    ),
    Case("diameter of 541,934 states", diameter, (34, 23), full=True),
    Case("boards of the Klotski table, three metrics", table, 0, full=True),
]  # fmt: skip
