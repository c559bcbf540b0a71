"""Reading the command's input: a file, or standard input."""

from __future__ import annotations

import sys
from pathlib import Path

from gridkit.errors import ParseError

__all__ = ["read_text"]


def read_text(path: str | None) -> str:
    """Return the text of a file, or of standard input for None or ``-``."""
    data = sys.stdin.buffer.read() if path in (None, "-") else Path(str(path)).read_bytes()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        raise ParseError("expected UTF-8 text, found other bytes", line, column) from None
