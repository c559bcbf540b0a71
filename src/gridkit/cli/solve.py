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
    source = parser.add_mutually_exclusive_group()
    source.add_argument("file", metavar="FILE", nargs="?", help="the input (standard input)")
    source.add_argument("--sample", action="store_true", help="answer the input that ships with it")
    parser.add_argument("--picture", action="store_true", help="draw a solution after the answer")


def run(options: argparse.Namespace) -> int:
    """Print the answer, and the pictures if asked for."""
    problems.title(options.name)  # an unknown name is said before waiting for input
    text = problems.sample(options.name) if options.sample else read_text(options.file)
    sys.stdout.write(problems.solve(options.name, text))
    if options.picture:
        drawn = problems.pictures(options.name, text)
        if drawn is None:
            print(f"gridkit: {options.name} draws no pictures", file=sys.stderr)
        else:
            sys.stdout.write("\n" + drawn)
    return 0
