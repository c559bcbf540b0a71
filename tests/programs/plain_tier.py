"""Answers calls without numpy and numba, whether they are installed or not; prints them as JSON.

A program for a fresh process, and for Pyodide: what stands in `ANSWERED` needs neither package,
what stands in `NAMED` says which one it needs.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

for package in ("numpy", "numba"):
    sys.modules[package] = None  # type: ignore[assignment]  # so that every import of it fails

import gridkit as gk  # noqa: E402 - now that the packages are out of reach
from gridkit import problems  # noqa: E402 - likewise
from gridkit.doctor import examine  # noqa: E402 - likewise

PENTOMINOES = gk.Tiling(gk.Board.rectangle(3, 20), gk.pieces.pentominoes().values(), reflect=True)
DOMINOES = gk.Tiling(
    gk.Board.rectangle(8, 8).without([(0, 0), (7, 7)]), gk.pieces.domino(), copies=None
)
COVER = gk.ExactCover([[0, 1], [2], [0], [1, 2]])
COLOURS = gk.ExactCover(
    [[0, gk.Colored("x", 1)], [1, gk.Colored("x", 1)], [1, gk.Colored("x", 2)]],
    primary=[0, 1],
    secondary=["x"],
)
KLOTSKI = gk.SlidingPuzzle.parse("ABBC\nABBC\nDEEF\nDGHF\nI..J", goal={"B": (3, 1)})
RUSH_HOUR = gk.SlidingPuzzle.parse_rush_hour("BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM.")
EIGHT = gk.NPuzzle(3, 3, [8, 6, 7, 2, 5, 4, 3, 0, 1])
GAME = gk.StackingGame.parse(".0> .  .  .1<\n.   .  ~  .\n.2> .  #  .\n.   .  .  .3^")
SAMPLES = Path(problems.__file__).parent / "samples"


def crowd(kings: Iterable[int]) -> list[list[int]]:
    board = [[0] * 16 for _ in range(16)]
    for place, king in enumerate(kings):
        board[place // 8 * 2][place % 8 * 2] = king
    return board


def sample(name: str) -> str:
    text = (SAMPLES / f"{name}.txt").read_text(encoding="utf-8")
    return problems.solve(name, text).split()[0]


def inverse_twice(plan: gk.Plan | None) -> bool:
    assert plan is not None
    plan.verify()
    return gk.Plan.parse(plan.puzzle, plan.to_text()) == plan and len(plan.inverse()) == len(plan)


ANSWERED: dict[str, Callable[[], object]] = {
    "pentominoes counted": PENTOMINOES.count,
    "pentominoes up to symmetry": lambda: PENTOMINOES.count(up_to_symmetry=True),
    "pentominoes listed": lambda: len({str(each) for each in PENTOMINOES.solutions()}),
    "a tiling": lambda: PENTOMINOES.first() in set(PENTOMINOES.solutions()),
    "a tiling drawn": lambda: "<svg" in str(next(PENTOMINOES.solutions()).to_svg()),
    "no tiling": DOMINOES.count,
    "why there is none": lambda: "modulo 2" in str(DOMINOES.explain()),
    "dominoes": lambda: gk.Tiling(gk.Board(8, 8), gk.pieces.domino(), copies=None).count(),
    "soma": lambda: gk.Tiling(gk.Box(3, 3, 3), gk.pieces.soma().values()).count(),
    "covers": lambda: [COVER.count(), list(COVER.solutions()), COVER.first()],
    "coloured covers": COLOURS.count,
    "polyominoes": lambda: [gk.polyomino.count_free(7), len(list(gk.polyomino.free(6)))],
    "klotski": lambda: [len(KLOTSKI.solve(metric=metric) or ()) for metric in ("step", "move")],
    "klotski played": lambda: inverse_twice(KLOTSKI.solve()),
    "klotski's page": lambda: len((KLOTSKI.solve() or gk.Plan(KLOTSKI, [])).to_html()) > 10_000,
    "klotski's picture": lambda: "<svg" in (KLOTSKI.solve() or gk.Plan(KLOTSKI, [])).to_svg(),
    "rush hour": lambda: len(RUSH_HOUR.solve(metric="slide") or ()),
    "8-puzzle": lambda: [len(EIGHT.solve(optimal=True) or ()), EIGHT.distance()],
    "8-puzzle played": lambda: inverse_twice(EIGHT.solve()),
    "8-puzzle improved": lambda: len(list(EIGHT.improvements())[-1].plan),
    "8-puzzle explained": lambda: str(EIGHT.explain()).partition(":")[0],
    "a game": lambda: str(GAME.play()),
    "a game's page": lambda: len(GAME.play(20).to_html()) > 10_000,
    "a plan of kings": lambda: len(gk.sliding.kings.plan([[1, 0, 0]], [[0, 0, 1]]) or ()),
    "kings": lambda: gk.sliding.kings.reachable([[1, 0, 2]], [[2, 0, 1]]),
    **{f"sample of {name}": partial(sample, name) for name in problems.names()},
}

NAMED: dict[str, Callable[[], object]] = {
    "an engine by name": lambda: PENTOMINOES.count(method="masks"),
    "a 15-puzzle": lambda: gk.NPuzzle(5, 5, [*range(24, 0, -1), 0]).solve(),
    "a state space": KLOTSKI.explore,
    "a table of distances": EIGHT.distance_table,
    "plans of many kings": lambda: gk.sliding.kings.plan(
        crowd(range(1, 41)), crowd(range(40, 0, -1))
    ),
    "many games": lambda: gk.stacking.play_many([[[0]]], [[[0, 0, 0]]]),
    "a cover from a matrix": lambda: gk.ExactCover.from_matrix([[1]]),
    "steps as an array": lambda: gk.Plan(EIGHT, []).steps,
    "warming up": gk.warmup,
    "looking at the machine": examine,
    "shorter and shorter plans": lambda: next(
        gk.NPuzzle(5, 5, [*range(24, 0, -1), 0]).improvements()
    ),
    "random puzzles": lambda: gk.sliding.generate_rush_hour,
}


def named() -> dict[str, str]:
    messages = {}
    for name, call in NAMED.items():
        try:
            messages[name] = f"answered {call()!r:.80}"
        except gk.UnsupportedError as error:
            messages[name] = str(error)
        except Exception as error:
            messages[name] = f"{type(error).__name__}: {error}"
    return messages


def main() -> None:
    answers = {name: call() for name, call in ANSWERED.items()}
    print(json.dumps({"answers": answers, "named": named()}))


if __name__ == "__main__":
    main()
