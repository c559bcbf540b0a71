"""``gridkit enumerate N``."""

from __future__ import annotations

import argparse
import json
import sys

from gridkit.cli._options import add_limits, limit_of, print_json
from gridkit.polyomino import enumeration
from gridkit.run import Run
from gridkit.run.progress import TerminalBar

__all__ = ["add_arguments", "run"]

MORE = "With --json a list is one line a polyomino: its cells as [row, column]."
EXAMPLES = """
gridkit enumerate 4 --kind one-sided
gridkit enumerate 12 --count
"""

_COUNT = {
    "free": enumeration.count_free,
    "one-sided": enumeration.count_one_sided,
    "fixed": enumeration.count_fixed,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("n", type=int, metavar="N", help="number of cells")
    parser.add_argument("--kind", choices=_COUNT, default="free", help="what counts as the same")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--count", action="store_true", help="print their number only")
    output.add_argument("--symmetry", action="store_true", help="print free ones by symmetry class")
    add_limits(parser)


def run(options: argparse.Namespace) -> int:
    """Print the polyominoes, or their number."""
    n, kind, limit = options.n, options.kind, limit_of(options)
    if options.symmetry:
        with TerminalBar() as bar:
            numbers = enumeration.count_symmetric(n, limit=limit, progress=bar)
        if options.json:
            print_json(options, {"cells": n, "classes": numbers})
        else:
            print("\n".join(f"{name:<12} {number}" for name, number in numbers.items()))
    elif options.count:
        with TerminalBar() as bar:
            number = _COUNT[kind](n, limit=limit, progress=bar)
        if options.json:
            print_json(options, {"cells": n, "kind": kind, "count": number})
        else:
            print(number)
    else:
        with Run(limit=limit, nothing=0) as run:
            for number, piece in enumerate(enumeration.listed(kind, n, run.check), 1):
                line = json.dumps(piece.cells) if options.json else f"{piece}\n"
                sys.stdout.write(line + "\n")
                run.nothing = number  # what a limit has to show for itself
    return 0
