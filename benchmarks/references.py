"""Our own references in C, compiled on the spot with ``gcc -O3``."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from measuring import Measured, Way, process

if TYPE_CHECKING:
    from gridkit.cover.matrix import Matrix

__all__ = ["dlx", "library", "program", "self_timed"]

SOURCES = Path(__file__).parent / "c"
_FOLDER = tempfile.TemporaryDirectory(prefix="gridkit-bench-")


@cache
def program(name: str) -> Path:
    """Compile ``c/NAME.c`` into a program."""
    path = Path(_FOLDER.name) / name
    subprocess.run(["gcc", "-O3", "-o", path, SOURCES / f"{name}.c"], check=True)
    return path


@cache
def library(name: str) -> ctypes.CDLL:
    """Compile ``c/NAME.c`` into a library that is loaded into this process."""
    path = Path(_FOLDER.name) / f"{name}.so"
    command = ["gcc", "-O3", "-march=native", "-shared", "-fPIC", "-o", str(path)]
    subprocess.run([*command, str(SOURCES / f"{name}.c")], check=True)
    return ctypes.CDLL(str(path))


def self_timed(
    command: Sequence[str | Path], seconds: Callable[[list[str]], float], text: str = ""
) -> Way:
    """Return a program whose first word is its answer, and which prints its own seconds."""

    def run() -> Measured:
        words = str(process(command, text=text).answer).split()
        return Measured(int(words[0]), seconds(words))

    return run


def dlx(matrix: Matrix, *words: str, reading: bool = False) -> Way:
    """Return a search by dancing links in C, timed with or without the reading of its text."""
    lines: list[Sequence[int]] = [
        (matrix.primary, matrix.items - matrix.primary, len(matrix.options)),
        *((len(option), *option) for option in matrix.options),
    ]
    text = "\n".join(" ".join(map(str, line)) for line in lines) + "\n"
    return self_timed(
        [program("dlx"), *words],
        lambda said: float(said[2]) + (float(said[3]) if reading else 0.0),
        text,
    )
