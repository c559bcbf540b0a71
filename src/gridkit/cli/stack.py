"""``gridkit stack FILE``."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from gridkit.cli._input import read_text
from gridkit.errors import InputError
from gridkit.problems.boj17837 import read_game
from gridkit.stacking import StackingGame, StackingRules

__all__ = ["add_arguments", "run"]

_MOST_FRAMES = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        help="a game: `N K`, N rows of colours, K pieces `row col direction` from 1; or rows of "
        "cells such as `.0> ~ #` (standard input)",
    )
    parser.add_argument(
        "--max-rounds",
        metavar="N",
        default="1000",
        help="the last round to play, or `none` to decide the game (1000)",
    )
    parser.add_argument(
        "--rules",
        metavar="FILE",
        help='rules as JSON, e.g. {"schedule": "bottoms", "lift": "stack"} (New Game 2)',
    )
    parser.add_argument("--trace", action="store_true", help="print what every turn changes")
    parser.add_argument(
        "--html", metavar="OUT", help=f"write a page that plays the first {_MOST_FRAMES} rounds"
    )


def run(options: argparse.Namespace) -> int:
    """Play the game and print how it ends."""
    most = _rounds(options.max_rounds)
    rules = StackingRules.from_json(read_text(options.rules)) if options.rules else StackingRules()
    text = read_text(options.file)
    judged = re.match(r"\s*[0-9+-]", text)
    game = read_game(text, rules) if judged else StackingGame.parse(text, rules)
    result = game.play(most, trace=options.trace)
    for move in result.trace or ():
        print(move)
    print(result)
    if options.html:
        frames = _MOST_FRAMES if most is None else min(most, _MOST_FRAMES)
        Path(options.html).write_text(game.to_html(frames, str(result)), encoding="utf-8")
    return 0


def _rounds(text: str) -> int | None:
    if text == "none":
        return None
    if not (text.isascii() and text.isdigit()) or len(text) > 18:
        raise InputError(f"--max-rounds: expected a number or `none`, found {text!r}")
    return int(text)
