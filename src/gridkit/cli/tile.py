"""``gridkit tile BOARDFILE --pieces SET``."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from gridkit.cli._input import read_text
from gridkit.cover.reading import Bounds
from gridkit.cover.tiling import Tiling
from gridkit.errors import InputError
from gridkit.grid.board import Board
from gridkit.polyomino import pieces
from gridkit.polyomino.polyomino import Polyomino
from gridkit.run import Limit
from gridkit.run.progress import TerminalBar

__all__ = ["add_arguments", "run"]

_SETS = (
    "monomino",
    "domino",
    "trominoes",
    "tetrominoes",
    "one_sided_tetrominoes",
    "pentominoes",
    "one_sided_pentominoes",
)
_ANSWERED, _IMPOSSIBLE = 0, 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "board", metavar="BOARDFILE", nargs="?", help="'.' open, '#' blocked (standard input)"
    )
    parser.add_argument(
        "--pieces",
        default="pentominoes",
        help=f"a set ({', '.join(_SETS)}), some letters of one (trominoes:L), or a file with "
        "pieces drawn in '#' and '.', blank lines between (default: pentominoes)",
    )
    parser.add_argument(
        "--copies", default="1", help="how often each piece is used: any, N, or N-M (default: 1)"
    )
    parser.add_argument("--reflect", action="store_true", help="pieces may be turned over")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--count", action="store_true", help="print how many tilings there are")
    output.add_argument("--first", action="store_true", help="draw one tiling (the default)")
    output.add_argument("--all", action="store_true", help="draw every tiling")
    parser.add_argument(
        "--up-to-symmetry", action="store_true", help="with --count: turned and mirrored ones once"
    )
    parser.add_argument("--svg", metavar="FILE", help="draw the first tiling into a file as well")
    parser.add_argument("--seconds", type=float, help="give up after so many seconds")


def run(options: argparse.Namespace) -> int:
    """Count or draw the tilings."""
    if options.up_to_symmetry and not options.count:
        raise InputError("--up-to-symmetry goes with --count")
    board = Board.parse(read_text(options.board))
    pieces = _pieces(options.pieces)
    copies = [_copies(options.copies)] * len(pieces)
    tiling = Tiling(board, pieces, copies, options.reflect)
    limit = None if options.seconds is None else Limit(seconds=options.seconds)
    if options.count:
        with TerminalBar() as bar:
            number = tiling.count(up_to_symmetry=options.up_to_symmetry, limit=limit, progress=bar)
        print(number)
        return _draw(tiling, options.svg, limit) if options.svg else _ANSWERED
    if options.all:
        for number, solution in enumerate(tiling.solutions(limit=limit)):
            if number:
                print()
            print(solution)
        return _draw(tiling, options.svg, limit) if options.svg else _ANSWERED
    return _draw(tiling, options.svg, limit, say=True)


def _draw(tiling: Tiling, path: str | None, limit: Limit | None, *, say: bool = False) -> int:
    """Draw one tiling, into a file and, if asked, as text."""
    with TerminalBar() as bar:
        solution = tiling.first(limit=limit, progress=bar)
    if solution is None:
        if say:
            print("no tiling")
        return _IMPOSSIBLE
    if say:
        print(solution)
    if path is not None:
        Path(path).write_text(solution.to_svg() + "\n", encoding="utf-8")
    return _ANSWERED


def _pieces(text: str) -> Mapping[str, Polyomino] | list[Polyomino]:
    name, colon, letters = text.partition(":")
    if name in _SETS:
        known: dict[str, Polyomino] = getattr(pieces, name)()
        if not colon:
            return known
        chosen = letters.split(",") if "," in letters else list(letters)
        for letter in chosen:
            if letter not in known:
                raise InputError(f"--pieces: {name} has no {letter!r} (it has {' '.join(known)})")
        return [known[letter] for letter in chosen]
    if not Path(text).exists():
        raise InputError(f"--pieces: {text!r} is no file and none of {', '.join(_SETS)}")
    drawings: list[list[str]] = [[]]
    for line in read_text(text).splitlines():
        if line.strip():
            drawings[-1].append(line)
        elif drawings[-1]:
            drawings.append([])
    return [Polyomino.parse("\n".join(drawing)) for drawing in drawings if drawing]


def _copies(text: str) -> Bounds:
    if text == "any":
        return None
    low, dash, high = text.partition("-")
    numbers = (low, high) if dash else (low,)
    if not all(word.isascii() and word.isdigit() and len(word) < 10 for word in numbers):
        raise InputError(f"--copies: expected any, N or N-M, got {text!r}")
    return (int(low), int(high)) if dash else int(low)
