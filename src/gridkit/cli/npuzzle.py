"""``gridkit npuzzle FILE``."""

from __future__ import annotations

import argparse

from gridkit.cli._options import add_limits, limit_of, print_json, read_value
from gridkit.cli._plans import add_plan_files, show_plan
from gridkit.run.progress import TerminalBar
from gridkit.sliding.npuzzle.puzzle import NPuzzle

__all__ = ["add_arguments", "run"]

MORE = (
    "The file holds one line a row: numbers with blanks between, '.', '_' or 0 for the blank, '#' "
    "for a wall; then, if the goal is not in increasing order, a line '->' and the rows of the "
    "goal.\n\n"
    "Lengths are counted in steps (one tile, one cell) and in pushes (one line of tiles)."
)
EXAMPLES = """
printf '8 6 7\\n2 5 4\\n3 . 1\\n' | gridkit npuzzle --optimal
printf '2 1 3\\n4 5 .\\n' | gridkit npuzzle --explain
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", metavar="FILE", nargs="?", help="the puzzle (standard input)")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--optimal", action="store_true", help="print a shortest plan")
    output.add_argument("--distance", action="store_true", help="print a shortest plan's length")
    output.add_argument("--explain", action="store_true", help="say why it can be solved, or not")
    parser.add_argument("--metric", choices=("step", "push"), default="step", help="what is least")
    parser.add_argument(
        "--tables", default="auto", help="tables of an optimal search: auto, or sizes as in 7-8"
    )
    add_plan_files(parser)
    add_limits(parser)


def run(options: argparse.Namespace) -> int:
    """Print a plan, a length or a verdict; 1 when the goal cannot be reached."""
    puzzle = read_value(options.file, NPuzzle.parse)
    verdict = puzzle.explain()
    if options.explain:
        if options.json:
            print_json(options, {"solvable": verdict.solvable, "reason": verdict.reason})
        else:
            print(verdict)
        return 0
    tables, metric, limit = options.tables, options.metric, limit_of(options)
    if options.distance and verdict.solvable:
        with TerminalBar() as bar:
            length = puzzle.distance(tables=tables, metric=metric, limit=limit, progress=bar)
        if options.json:
            print_json(options, {"distance": length, "metric": metric})
        else:
            print(length)
        return 0
    with TerminalBar() as bar:
        plan = puzzle.solve(
            optimal=options.optimal, tables=tables, metric=metric, limit=limit, progress=bar
        )
    return show_plan(options, plan, ("step", "push"), "n-puzzle", str(verdict))
