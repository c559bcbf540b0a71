"""``gridkit solve NAME [FILE]``."""

from __future__ import annotations

import argparse
import sys

from gridkit import problems
from gridkit.cli._input import read_text

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("name", metavar="NAME", help="a name that `gridkit problems` lists")
    parser.add_argument("file", metavar="FILE", nargs="?", help="the input (standard input)")


def run(options: argparse.Namespace) -> int:
    """Print the answer."""
    problems.title(options.name)  # an unknown name is said before waiting for input
    sys.stdout.write(problems.solve(options.name, read_text(options.file)))
    return 0
