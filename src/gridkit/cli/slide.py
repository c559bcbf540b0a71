"""``gridkit slide FILE``."""

from __future__ import annotations

import argparse
from pathlib import Path

from gridkit.cli._input import read_text
from gridkit.errors import InputError
from gridkit.run import Limit
from gridkit.run.progress import TerminalBar
from gridkit.sliding.blocks.puzzle import SlidingPuzzle
from gridkit.sliding.blocks.rules import METRICS, MetricChoice, checked_metrics
from gridkit.sliding.plan import Plan

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.epilog = (
        "The file holds a start grid, a blank line and a goal grid ('.' "
        "empty or don't-care, '#' wall, any other character a block), or the 36 characters of a "
        "Rush Hour position."
    )
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
    parser.add_argument("--html", metavar="OUT", help="write a page that plays the plan")
    parser.add_argument("--seconds", type=float, help="give up after this time")


def run(options: argparse.Namespace) -> int:
    """Print the plan; return 1 when there is none."""
    chosen = checked_metrics(tuple(options.metric.split(",")))
    metrics: tuple[MetricChoice, ...] = METRICS if options.all_metrics else (chosen,)
    puzzle = _read(read_text(options.file))
    limit = Limit(seconds=options.seconds)
    plan: Plan | None = None
    for metric in metrics:
        with TerminalBar() as bar:
            plan = puzzle.solve(metric=metric, limit=limit, progress=bar)
        if plan is None:
            print("no solution")
            return 1
        if options.all_metrics:
            print(f"{metric} {len(plan)}")
    assert plan is not None
    if not options.all_metrics:
        print(", ".join(f"{plan.length(name)} {name}s" for name in METRICS))
        if len(plan):
            print(plan)
    if options.html:
        Path(options.html).write_text(plan.to_html("sliding blocks"), encoding="utf-8")
    return 0


def _read(text: str) -> SlidingPuzzle:
    words = text.split()
    if not words:
        raise InputError("expected a puzzle, found an empty input")
    if len(words) == 1:  # one line cannot hold a start and a goal
        return SlidingPuzzle.parse_rush_hour(words[0])
    return SlidingPuzzle.parse(text)
