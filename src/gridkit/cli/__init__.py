"""The ``gridkit`` command; each subcommand is a module of this package."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sized
from importlib import import_module

from gridkit._version import __version__
from gridkit.errors import GridkitError, Interrupted, LimitReached, Partial

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
        if error.filename is None:
            # Standard output takes nothing more; what it still holds must not fail at the exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return ANSWERED  # the reader went away (as `| head` does): nothing is left to say
        place = "standard output" if error.filename is None else error.filename
        print(f"gridkit: {place}: {error.strerror or error}", file=sys.stderr)
        return BAD_INPUT
    except LimitReached as reached:
        print(f"gridkit: {reached.reason}{_so_far(reached.partial)}", file=sys.stderr)
        return LIMITED
    except Interrupted as interrupted:
        print(f"gridkit: interrupted{_so_far(interrupted.partial)}", file=sys.stderr)
        return INTERRUPTED
    except KeyboardInterrupt:
        print("gridkit: interrupted", file=sys.stderr)
        return INTERRUPTED
    return status


def entry() -> None:
    """Entry point of the installed command."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # consoles that are not UTF-8 lack some letters
    sys.exit(main())


def _so_far(partial: Partial[object]) -> str:
    """Say in words what a call that was cut short has."""
    facts = []
    if isinstance(partial.value, int) and partial.value > 0:
        facts.append(f"at least {partial.value}")
    elif isinstance(partial.value, Sized) and len(partial.value) > 0:
        facts.append(f"an answer of length {len(partial.value)}")
    if partial.fraction >= 0.0005:
        facts.append(f"{100 * partial.fraction:.1f} % done")
    if partial.nodes:
        facts.append(f"{partial.nodes} nodes")
    return f"; so far: {', '.join(facts)}" if facts else ""


def _parser(arguments: list[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="gridkit", description="Grid-puzzle algorithms.")
    parser.add_argument("--version", action="version", version=f"gridkit {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, line in COMMANDS.items():
        subparser = commands.add_parser(name, help=line, description=line)
        if name in arguments:  # load only the module that is asked for
            import_module(f"gridkit.cli.{name}").add_arguments(subparser)
    return parser
