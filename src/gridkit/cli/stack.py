"""``gridkit stack FILE``."""

from __future__ import annotations

import argparse
import re

from gridkit.cli._options import add_limits, limit_of, print_json, read_value, write_text
from gridkit.errors import InputError
from gridkit.problems.boj17837 import read_game
from gridkit.run.progress import TerminalBar
from gridkit.stacking import StackingGame, StackingResult, StackingRules

__all__ = ["add_arguments", "run"]

MORE = (
    "The file holds one line a row and one word a cell: its mark ('.' keep, '~' reverse, '#' "
    "block) and the pieces on it from the bottom up, each its number and one of > < ^ v, as in "
    ".0>2^.  A line that begins with '{' in front of the rows gives the rules as JSON.\n\n"
    "The input of New Game 2 is read as well: 'N K', N rows of colours, and K pieces as row, "
    "column and direction, from 1."
)
EXAMPLES = """
printf '.0> . ~ .1<\\n. .2^ . #\\n' | gridkit stack --max-rounds none
printf '.0> . ~ .1<\\n. .2^ . #\\n' | gridkit stack --max-rounds 2 --trace
"""

_MOST_FRAMES = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", metavar="FILE", nargs="?", help="the game (standard input)")
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
        "--html", metavar="FILE", help=f"write a page that plays the first {_MOST_FRAMES} rounds"
    )
    parser.add_argument("--svg", metavar="FILE", help="draw the board at the end into a file")
    add_limits(parser)


def run(options: argparse.Namespace) -> int:
    """Play the game and print how it ends."""
    most = _rounds(options.max_rounds)
    rules = read_value(options.rules, StackingRules.from_json) if options.rules else None
    game = read_value(options.file, lambda text: _read(text, rules))
    with TerminalBar() as bar:
        result = game.play(most, options.trace, limit=limit_of(options), progress=bar)
    if options.json:
        print_json(options, _facts(result))
    else:
        for move in result.trace or ():
            print(move)
        print(result)
    if options.html:
        frames = _MOST_FRAMES if most is None else min(most, _MOST_FRAMES)
        write_text(options.html, game.to_html(frames, str(result)))
    if options.svg:
        write_text(options.svg, result.to_svg())
    return 0


def _read(text: str, rules: StackingRules | None) -> StackingGame:
    """Read a game, with the rules in front of it unless they were given."""
    if text.lstrip().startswith("{"):
        first, _, rest = text.lstrip().partition("\n")
        if rules is not None:
            raise InputError("expected the rules once, found --rules and a line of rules")
        blank = "\n" * (text[: len(text) - len(text.lstrip())].count("\n") + 1)
        rules, text = StackingRules.from_json(first), blank + rest  # lines keep their numbers
    rules = StackingRules() if rules is None else rules
    judged = re.match(r"\s*[0-9+-]", text)
    return read_game(text, rules) if judged else StackingGame.parse(text, rules)


def _facts(result: StackingResult) -> dict[str, object]:
    facts: dict[str, object] = {
        "outcome": result.outcome.name.lower().replace("_", " "),
        "round": result.round,
        "turn": result.turn,
        "stacks": [{"cell": cell, "pieces": stack} for cell, stack in result.stacks.items()],
        "directions": result.directions,
        "cycle_start": result.cycle_start,
        "cycle_length": result.cycle_length,
    }
    if result.trace is not None:
        facts["trace"] = [move._asdict() for move in result.trace]
    return facts


def _rounds(text: str) -> int | None:
    if text == "none":
        return None
    if not (text.isascii() and text.isdigit()) or len(text) > 18:
        raise InputError(f"--max-rounds: expected a number or `none`, found {text!r}")
    return int(text)
