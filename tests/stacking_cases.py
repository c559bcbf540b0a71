"""The judged boards under tests/data/stacking, and random games."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from families import FAMILIES
from gridkit.problems.boj17837 import read_game
from gridkit.stacking import StackingGame, StackingRules

FOLDER = FAMILIES / "stacking"
CASES: list[dict[str, Any]] = json.loads((FOLDER / "index.json").read_text())["cases"]
NEW_GAME_2 = StackingRules()
NEW_GAME = StackingRules(schedule="bottoms", lift="stack")
RULES = {"17837": NEW_GAME_2, "17780": NEW_GAME}

Cells = list[list[int]]
Pieces = list[tuple[int, int, int]]


def text_of(case: dict[str, Any]) -> str:
    return (FOLDER / str(case["file"])).read_text()


def game_of(case: dict[str, Any], rules: StackingRules = NEW_GAME_2) -> StackingGame:
    return read_game(text_of(case), rules)


def plain(game: StackingGame) -> tuple[Cells, Pieces]:
    return [list(row) for row in game.cells], list(game.pieces)


_EFFECTS = (
    "keep",
    "reverse",
    "block",
    "left",
    "right",
    "around",
    "sink",
    "goal",
    "reverse+left",
    "reverse+goal",
)


@st.composite
def rules(draw: st.DrawFn) -> StackingRules:
    """Any rules that can be compiled."""
    return StackingRules(
        schedule=draw(st.sampled_from(["turns", "bottoms", "tops"])),
        lift=draw(st.sampled_from(["above", "stack", "top", "alone"])),
        lift_count=draw(st.integers(1, 3)),
        distance=draw(st.sampled_from([1, 1, 2, 3, 7, "height", "blocked"])),
        landing=draw(st.sampled_from(["top", "top", "bottom"])),
        effects=("keep", *draw(st.lists(st.sampled_from(_EFFECTS), min_size=2, max_size=2))),
        border=draw(st.sampled_from(["block", "wrap", "sink"])),
        blocked=draw(st.sampled_from(["bounce", "restore", "turn", "skip"])),
        stop_height=draw(st.sampled_from([None, 2, 3, 4])),
        stop_left=draw(st.sampled_from([None, 0, 1, 2])),
    )


@st.composite
def games(
    draw: st.DrawFn, of: st.SearchStrategy[StackingRules] | None = None, most: int = 4
) -> StackingGame:
    """Small games, pieces on shared cells included."""
    drawn = draw(of if of is not None else rules())
    rows, cols = draw(st.integers(1, most)), draw(st.integers(1, most))
    colours = st.sampled_from([0, 0, 0, 1, 2])
    row = st.lists(colours, min_size=cols, max_size=cols)
    cells = draw(st.lists(row, min_size=rows, max_size=rows))
    piece = st.tuples(st.integers(0, rows - 1), st.integers(0, cols - 1), st.integers(0, 3))
    return StackingGame(cells, draw(st.lists(piece, min_size=1, max_size=5)), drawn)
