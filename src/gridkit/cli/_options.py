"""What the subcommands share: limits, JSON, colour, files, examples in the help."""

from __future__ import annotations

import argparse
import json
import os
import sys
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from gridkit.errors import ParseError
from gridkit.run import Limit

if TYPE_CHECKING:
    from gridkit.render.drawable import Drawable

__all__ = [
    "add_limits",
    "describe",
    "limit_of",
    "print_json",
    "read_text",
    "read_value",
    "shown",
    "wants_colour",
    "write_text",
]

Made = TypeVar("Made")


def describe(parser: argparse.ArgumentParser, line: str, more: str, examples: str) -> None:
    """Give a subcommand its description, and let its help end with examples, a line each."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    paragraphs = [line, *(textwrap.fill(paragraph, 88) for paragraph in more.split("\n\n"))]
    parser.description = "\n\n".join(filter(None, paragraphs))
    parser.epilog = "examples:\n" + textwrap.indent(examples.strip().replace("%", "%%"), "  ")


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Declare the limits of a long call."""
    parser.add_argument("--seconds", type=float, help="give up after so many seconds")
    parser.add_argument("--nodes", type=int, metavar="N", help="give up after so many nodes")


def limit_of(options: argparse.Namespace) -> Limit:
    """Return the limits that were asked for."""
    return Limit(seconds=options.seconds, nodes=options.nodes)


def print_json(options: argparse.Namespace, facts: Mapping[str, object]) -> None:
    """Print one line of JSON: the subcommand and what it found out, of what JSON can say."""
    print(json.dumps({"command": options.command, **facts}, ensure_ascii=False))


def read_text(path: str | None) -> str:
    """Return the text of a file, or of standard input for None or ``-``.

    A byte-order mark in front is left out.
    """
    if path is None or path == "-":
        data = sys.stdin.buffer.read()
    else:
        with open(path, "rb") as file:
            data = file.read()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        raise ParseError("expected UTF-8 text, found other bytes", line, column) from None


def read_value(path: str | None, parse: Callable[[str], Made]) -> Made:
    """Return what a file, or standard input, says; an error in a file names the file."""
    try:
        return parse(read_text(path))
    except ParseError as error:
        if path is None or path == "-":
            raise
        raise ParseError(f"{path}: {error}") from None


def wants_colour() -> bool:
    """Whether standard output is a terminal whose user has not asked for no colours."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not plain


def shown(picture: Drawable) -> str:
    """Return a picture in characters: with colours on a terminal, else its text."""
    return picture.to_terminal(colours=True) if wants_colour() else str(picture)


def write_text(path: str, text: str) -> None:
    """Write a file, with a line end at its end."""
    Path(path).write_text(text.rstrip("\n") + "\n", encoding="utf-8")
