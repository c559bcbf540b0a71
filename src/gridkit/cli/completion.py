"""``gridkit completion SHELL``."""

from __future__ import annotations

import argparse

from gridkit import cli
from gridkit.errors import UnsupportedError

__all__ = ["add_arguments", "run"]

MORE = "Needs shtab: pip install 'gridkit[completion]'."
EXAMPLES = """
gridkit completion bash > gridkit.bash
gridkit completion zsh > _gridkit
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("shell", choices=("bash", "zsh", "tcsh"), help="where to complete")


def run(options: argparse.Namespace) -> int:
    """Print the script."""
    try:
        import shtab
    except ImportError:
        raise UnsupportedError(
            "completion needs shtab: pip install 'gridkit[completion]'"
        ) from None
    print(shtab.complete(cli.build_parser(list(cli.COMMANDS)), shell=options.shell))
    return 0
