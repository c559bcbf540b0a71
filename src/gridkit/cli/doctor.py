"""``gridkit doctor``."""

from __future__ import annotations

import argparse

from gridkit import doctor
from gridkit.run.progress import TerminalBar

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: none."""


def run(options: argparse.Namespace) -> int:
    """Print the report; 1 when a test failed."""
    with TerminalBar() as bar:
        report = doctor.examine(progress=bar)
    print(report)
    return 0 if report.healthy else 1
