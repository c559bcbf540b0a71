"""``gridkit enumerate N``."""

from __future__ import annotations

import argparse
import json
import sys

from gridkit.polyomino import enumeration
from gridkit.run.progress import TerminalBar

__all__ = ["add_arguments", "run"]

_LIST = {
    "free": enumeration.free,
    "one-sided": enumeration.one_sided,
    "fixed": enumeration.fixed,
}
_COUNT = {
    "free": enumeration.count_free,
    "one-sided": enumeration.count_one_sided,
    "fixed": enumeration.count_fixed,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("n", type=int, metavar="N", help="number of cells")
    parser.add_argument("--kind", choices=_LIST, default="free", help="what counts as the same")
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--count", action="store_true", help="print their number only")
    shown.add_argument("--symmetry", action="store_true", help="print free ones by symmetry class")
    shown.add_argument("--json", action="store_true", help="print a JSON list of cells a line")


def run(options: argparse.Namespace) -> int:
    """Print the polyominoes, or their number."""
    if options.symmetry:
        for name, number in enumeration.count_symmetric(options.n).items():
            print(f"{name:<12} {number}")
    elif options.count:
        with TerminalBar() as bar:
            number = _COUNT[options.kind](options.n, progress=bar)
        print(number)
    else:
        for piece in _LIST[options.kind](options.n):
            if options.json:
                sys.stdout.write(json.dumps(piece.cells) + "\n")
            else:
                sys.stdout.write(f"{piece}\n\n")
    return 0
