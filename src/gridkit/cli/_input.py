"""Reading the command's input: a file, or standard input."""

from __future__ import annotations

import sys

from gridkit.errors import ParseError

__all__ = ["read_text"]


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
