"""``gridkit slide FILE``."""

from __future__ import annotations

import argparse

from gridkit.cli._options import add_limits, limit_of, print_json, read_value
from gridkit.cli._plans import add_plan_files, show_plan
from gridkit.errors import InputError
from gridkit.run.progress import TerminalBar
from gridkit.sliding.blocks.puzzle import SlidingPuzzle
from gridkit.sliding.blocks.rules import METRICS, checked_metrics

__all__ = ["add_arguments", "run"]

MORE = (
    "The file holds a start grid, a blank line and a goal grid ('.' empty or don't-care, '#' "
    "wall, any other character a block), or the 36 characters of a Rush Hour position."
)
EXAMPLES = """
printf 'AAB\\n...\\n\\n...\\n.AA\\n' | gridkit slide --metric move
echo BBB..C...D.CAA.D.CEE.D...........FFF | gridkit slide --all-metrics
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", metavar="FILE", nargs="?", help="the puzzle (standard input)")
    parser.add_argument(
        "--metric",
        default="step",
        metavar="METRIC",
        help="step (one cell), slide (straight), move (any path), or two such as slide,step",
    )
    parser.add_argument(
        "--all-metrics", action="store_true", help="print the least length in each metric instead"
    )
    add_plan_files(parser)
    add_limits(parser)


def run(options: argparse.Namespace) -> int:
    """Print the plan; return 1 when there is none."""
    metric = checked_metrics(tuple(options.metric.split(",")))
    puzzle = read_value(options.file, _read)
    limit = limit_of(options)
    if not options.all_metrics:
        with TerminalBar() as bar:
            plan = puzzle.solve(metric=metric, limit=limit, progress=bar)
        return show_plan(options, plan, METRICS, "sliding blocks")
    if options.html or options.svg or options.gif:
        raise InputError("one plan can be drawn: expected --metric, found --all-metrics")
    lengths = {}
    for each in METRICS:
        with TerminalBar() as bar:
            plan = puzzle.solve(metric=each, limit=limit, progress=bar)
        if plan is None:
            return show_plan(options, None, METRICS, "sliding blocks")
        lengths[each] = len(plan)
        if not options.json:
            print(f"{each} {len(plan)}")
    if options.json:
        print_json(options, {"lengths": lengths})
    return 0


def _read(text: str) -> SlidingPuzzle:
    words = text.split()
    if not words:
        raise InputError("expected a puzzle, found an empty input")
    if len(words) == 1:  # one line cannot hold a start and a goal
        return SlidingPuzzle.parse_rush_hour(words[0])
    return SlidingPuzzle.parse(text)
