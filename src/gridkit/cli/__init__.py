"""The ``gridkit`` command; each subcommand is a module of this package."""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module

from gridkit._version import __version__
from gridkit.errors import GridkitError, Interrupted, LimitReached

__all__ = ["COMMANDS", "entry", "main"]

# name -> one-line help; the module gridkit.cli.<name> has add_arguments(parser) and run(options).
COMMANDS = {
    "solve": "answer a judged problem from its input text",
    "problems": "list the judged problems",
    "tile": "count or draw the tilings of a board",
    "slide": "solve a sliding-block puzzle",
    "stack": "play a stacking game",
    "enumerate": "list or count polyominoes",
    "doctor": "print versions and cache folder, compile and test every kernel",
}

ANSWERED, IMPOSSIBLE, BAD_INPUT, LIMITED, INTERRUPTED = 0, 1, 2, 3, 130


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit status.

    0 answered, 1 proved impossible where one solution was asked for, 2 bad input, 3 limit
    reached, 130 interrupted.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        options = _parser(arguments).parse_args(arguments)
        status: int = import_module(f"gridkit.cli.{options.command}").run(options)
        sys.stdout.flush()
    except GridkitError as error:
        print(f"gridkit: {error}", file=sys.stderr)
        return BAD_INPUT
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            # The reader went away (as `| head` does): nothing is left to say.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return ANSWERED
        print(f"gridkit: {error.strerror or error}: {error.filename or ''}", file=sys.stderr)
        return BAD_INPUT
    except LimitReached as reached:
        print(f"gridkit: {reached.reason}; so far: {reached.partial}", file=sys.stderr)
        return LIMITED
    except Interrupted as interrupted:
        print(f"gridkit: interrupted; so far: {interrupted.partial}", file=sys.stderr)
        return INTERRUPTED
    except KeyboardInterrupt:
        print("gridkit: interrupted", file=sys.stderr)
        return INTERRUPTED
    return status


def entry() -> None:
    """Entry point of the installed command."""
    sys.exit(main())


def _parser(arguments: list[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="gridkit", description="Grid-puzzle algorithms.")
    parser.add_argument("--version", action="version", version=f"gridkit {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, line in COMMANDS.items():
        subparser = commands.add_parser(name, help=line, description=line)
        if name in arguments:  # load only the module that is asked for
            import_module(f"gridkit.cli.{name}").add_arguments(subparser)
    return parser
