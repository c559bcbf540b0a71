"""``gridkit problems``."""

from __future__ import annotations

import argparse

from gridkit import problems
from gridkit.cli._options import print_json

__all__ = ["add_arguments", "run"]

MORE = ""
EXAMPLES = """
gridkit problems
gridkit problems --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: none."""


def run(options: argparse.Namespace) -> int:
    """Print each adapter's name and title."""
    titles = {name: problems.title(name) for name in problems.names()}
    if options.json:
        print_json(options, {"problems": titles})
        return 0
    width = max(map(len, titles))
    for name, title in titles.items():
        print(f"{name:<{width}}  {title}")
    return 0
