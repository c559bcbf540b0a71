"""``gridkit problems``."""

from __future__ import annotations

import argparse

from gridkit import problems

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: none."""


def run(options: argparse.Namespace) -> int:
    """Print each adapter's name and title."""
    names = problems.names()
    width = max(map(len, names))
    for name in names:
        print(f"{name:<{width}}  {problems.title(name)}")
    return 0
