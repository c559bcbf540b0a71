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

__all__ = ["COMMANDS", "build_parser", "entry", "main"]

# name -> one-line help.  The module gridkit.cli.<name> has add_arguments(parser), run(options), and
# the texts MORE (paragraphs of the help) and EXAMPLES (two lines, which the tests run).
COMMANDS = {
    "solve": "answer a judged problem from its input text",
    "problems": "list the judged problems",
    "tile": "count, draw, sample or refute the tilings of a board",
    "cover": "solve an exact-cover problem in Knuth's format",
    "slide": "solve a sliding-block puzzle",
    "npuzzle": "solve a 15-puzzle of any size",
    "kings": "move kings that never touch from one placement to another",
    "stack": "play a stacking game",
    "enumerate": "list or count polyominoes",
    "bench": "measure this machine: imports, starts, every engine",
    "doctor": "print versions and cache folder, compile and test every kernel",
    "completion": "print a script that completes the command in a shell",
}

ANSWERED, IMPOSSIBLE, BAD_INPUT, LIMITED, INTERRUPTED = 0, 1, 2, 3, 130


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit status.

    0 answered, 1 proved impossible where one solution was asked for, 2 bad input, 3 limit
    reached, 130 interrupted.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        options = build_parser(arguments).parse_args(arguments)
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
        _tell(options, reached.reason, reached.partial)
        return LIMITED
    except Interrupted as interrupted:
        _tell(options, "interrupted", interrupted.partial)
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


def build_parser(arguments: list[str]) -> argparse.ArgumentParser:
    """Return the parser; only the subcommands among the arguments are loaded and complete."""
    parser = argparse.ArgumentParser(prog="gridkit", description="Grid-puzzle algorithms.")
    parser.add_argument("--version", action="version", version=f"gridkit {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, line in COMMANDS.items():
        subparser = commands.add_parser(name, help=line, description=line)
        if name in arguments:
            from gridkit.cli._options import describe  # late: `gridkit --version` needs none of it

            module = import_module(f"gridkit.cli.{name}")
            module.add_arguments(subparser)
            if name != "completion":
                subparser.add_argument("--json", action="store_true", help="answer in JSON")
            describe(subparser, line, module.MORE, module.EXAMPLES)
    return parser


def _tell(options: argparse.Namespace, reason: str, partial: Partial[object]) -> None:
    """Say that a call was cut short, and what it has."""
    print(f"gridkit: {reason}{_so_far(partial)}", file=sys.stderr)
    if getattr(options, "json", False):
        from gridkit.cli._options import print_json  # late: the common case needs no JSON

        value = partial.value if isinstance(partial.value, int) else None
        facts = {"fraction": partial.fraction, "nodes": partial.nodes, "value": value}
        print_json(options, {"stopped": reason, "partial": facts})


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
