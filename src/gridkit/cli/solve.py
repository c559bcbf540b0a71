"""``gridkit solve NAME [FILE]``."""

from __future__ import annotations

import argparse
import sys

from gridkit import problems
from gridkit.cli._options import print_json, read_value

__all__ = ["add_arguments", "run"]

MORE = ""
EXAMPLES = """
gridkit solve boardcover --sample --picture
printf '1\\n2 3\\n...\\n...\\n' | gridkit solve boardcover
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("name", metavar="NAME", help="a name that `gridkit problems` lists")
    source = parser.add_mutually_exclusive_group()
    source.add_argument("file", metavar="FILE", nargs="?", help="the input (standard input)")
    source.add_argument("--sample", action="store_true", help="answer the input that ships with it")
    parser.add_argument("--picture", action="store_true", help="draw a solution after the answer")


def run(options: argparse.Namespace) -> int:
    """Print the answer, and the pictures if asked for."""
    name = options.name
    problems.title(name)  # an unknown name is said before waiting for input
    if options.sample:
        text = problems.sample(name)
        answer = problems.solve(name, text)
    else:
        text, answer = read_value(options.file, lambda text: (text, problems.solve(name, text)))
    drawn = problems.pictures(name, text) if options.picture else None
    if options.json:
        print_json(options, {"name": name, "answer": answer, "picture": drawn})
        return 0
    sys.stdout.write(answer)
    if drawn is not None:
        sys.stdout.write("\n" + drawn)
    elif options.picture:
        print(f"gridkit: {name} draws no pictures", file=sys.stderr)
    return 0
