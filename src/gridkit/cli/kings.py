"""``gridkit kings FILE``."""

from __future__ import annotations

import argparse

from gridkit.cli._options import add_limits, limit_of, print_json, read_value
from gridkit.cli._plans import add_plan_files, show_plan
from gridkit.run.progress import TerminalBar
from gridkit.sliding.kings.puzzle import KingsPuzzle

__all__ = ["add_arguments", "run"]

MORE = (
    "The file holds the start, a blank line and the target: one line a row, the kings' numbers "
    "and '.' for an empty cell, with blanks between."
)
EXAMPLES = """
printf '1 . 2\\n. . .\\n\\n. . .\\n1 . 2\\n' | gridkit kings
printf '1 . 2 .\\n\\n2 . 1 .\\n' | gridkit kings --explain
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", metavar="FILE", nargs="?", help="the puzzle (standard input)")
    parser.add_argument(
        "--rule", choices=("king", "orthogonal"), default="king", help="how a king may step"
    )
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--fast", action="store_true", help="print a plan at once, a longer one")
    output.add_argument("--optimal", action="store_true", help="print a shortest plan")
    output.add_argument("--explain", action="store_true", help="say whether there is a plan, why")
    add_plan_files(parser)
    add_limits(parser)


def run(options: argparse.Namespace) -> int:
    """Print a plan or a verdict; 1 when the target cannot be reached."""
    puzzle = read_value(options.file, lambda text: KingsPuzzle.parse(text, options.rule))
    verdict = puzzle.explain()
    if options.explain:
        if options.json:
            print_json(options, {"reachable": verdict.reachable, "reason": verdict.reason})
        else:
            print(verdict)
        return 0
    with TerminalBar() as bar:
        plan = puzzle.plan(
            effort="fast" if options.fast else "short",
            optimal=options.optimal,
            limit=limit_of(options),
            progress=bar,
        )
    return show_plan(options, plan, ("step",), "kings", str(verdict))
