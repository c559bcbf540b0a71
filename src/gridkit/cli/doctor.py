"""``gridkit doctor``."""

from __future__ import annotations

import argparse

from gridkit import doctor
from gridkit.cli._options import print_json
from gridkit.run.progress import TerminalBar

__all__ = ["add_arguments", "run"]

MORE = ""
EXAMPLES = """
gridkit doctor
gridkit doctor --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: none."""


def run(options: argparse.Namespace) -> int:
    """Print the report; 1 when a test failed."""
    with TerminalBar() as bar:
        report = doctor.examine(progress=bar)
    if options.json:
        wrong = [str(check) for check in report.checks if not check.passed]
        facts = {"healthy": report.healthy, "versions": dict(report.versions)}
        print_json(options, {**facts, "checks": len(report.checks), "failed": wrong})
    else:
        print(report)
    return 0 if report.healthy else 1
