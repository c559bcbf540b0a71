"""``gridkit enumerate N``."""

from __future__ import annotations

import argparse
import json
import sys

from gridkit.polyomino import enumeration
from gridkit.run import Limit, Run
from gridkit.run.progress import TerminalBar

__all__ = ["add_arguments", "run"]

_COUNT = {
    "free": enumeration.count_free,
    "one-sided": enumeration.count_one_sided,
    "fixed": enumeration.count_fixed,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("n", type=int, metavar="N", help="number of cells")
    parser.add_argument("--kind", choices=_COUNT, default="free", help="what counts as the same")
    parser.add_argument("--seconds", type=float, help="give up after so many seconds")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--count", action="store_true", help="print their number only")
    output.add_argument("--symmetry", action="store_true", help="print free ones by symmetry class")
    output.add_argument("--json", action="store_true", help="print a JSON list of cells a line")


def run(options: argparse.Namespace) -> int:
    """Print the polyominoes, or their number."""
    limit = Limit(seconds=options.seconds)
    if options.symmetry:
        with TerminalBar() as bar:
            numbers = enumeration.count_symmetric(options.n, limit=limit, progress=bar)
        for name, number in numbers.items():
            print(f"{name:<12} {number}")
    elif options.count:
        with TerminalBar() as bar:
            number = _COUNT[options.kind](options.n, limit=limit, progress=bar)
        print(number)
    else:
        with Run(limit=limit, nothing=0) as run:
            pieces = enumeration.listed(options.kind, options.n, run.check)
            for number, piece in enumerate(pieces, 1):
                line = json.dumps(piece.cells) if options.json else f"{piece}\n"
                sys.stdout.write(line + "\n")
                run.nothing = number  # what a limit has to show for itself
    return 0
