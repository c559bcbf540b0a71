"""``gridkit tile BOARD --pieces SET``."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from gridkit.cli._options import add_limits, limit_of, print_json, read_value, shown, write_text
from gridkit.cover.reading import Bounds
from gridkit.cover.solution import Explanation, Solution
from gridkit.cover.symmetry import elements, placement_permutation
from gridkit.cover.tiling import Tiling
from gridkit.errors import InputError
from gridkit.grid.board import Board
from gridkit.grid.box import Box
from gridkit.polyomino import pieces
from gridkit.polyomino.polycube import Polycube
from gridkit.polyomino.polyomino import Polyomino
from gridkit.render.html import picture_page
from gridkit.run import Limit, Run
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
    "soma",
)
_ANSWERED, _IMPOSSIBLE = 0, 1
_MOST_PICTURES = 200  # on a page
_SIZE = re.compile(r"([0-9]{1,7})x([0-9]{1,7})(?:x([0-9]{1,7}))?")

MORE = (
    "BOARD is a size, rows x columns as in 6x10 (or layers x rows x columns as in 3x3x3, for the "
    "pieces of Soma), or a file drawn in '.' open and '#' blocked, or '-' (standard input).\n\n"
    "PIECES is a set, some letters of one (trominoes:L), letters of pentominoes (FILNPTUVWXYZ; a "
    f"letter twice is two copies), or a file drawn in '#' and '.', with blank lines between. The "
    f"sets: {', '.join(_SETS)}. A file named like a size or like letters is written ./NAME."
)
EXAMPLES = """
gridkit tile 6x10 --pieces pentominoes --reflect --count
gridkit tile 8x8 --pieces domino --copies any --sample 2 --rng 7
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("board", metavar="BOARD", nargs="?", help="what to cover (standard input)")
    parser.add_argument("--pieces", help="with what (default: pentominoes; soma in a box)")
    parser.add_argument(
        "--copies", default="1", help="how often each piece is used: any, N, or N-M (default: 1)"
    )
    parser.add_argument("--reflect", action="store_true", help="pieces may be turned over")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--count", action="store_true", help="print how many tilings there are")
    output.add_argument("--first", action="store_true", help="draw one tiling (the default)")
    output.add_argument("--all", action="store_true", help="draw every tiling")
    output.add_argument("--sample", type=int, metavar="N", help="draw N tilings at random")
    output.add_argument("--unique", action="store_true", help="say whether there is exactly one")
    output.add_argument("--explain", action="store_true", help="say why there is none")
    parser.add_argument("--rng", type=int, metavar="SEED", help="with --sample: the same again")
    parser.add_argument(
        "--up-to-symmetry",
        action="store_true",
        help="with --count or --all: turned and mirrored ones once",
    )
    parser.add_argument("--svg", metavar="FILE", help="draw the first tiling into a file as well")
    parser.add_argument(
        "--html", metavar="FILE", help=f"write a page of the first {_MOST_PICTURES} tilings as well"
    )
    add_limits(parser)


def run(options: argparse.Namespace) -> int:
    """Count, draw or refute the tilings."""
    if options.up_to_symmetry and not (options.count or options.all):
        raise InputError("--up-to-symmetry goes with --count or --all")
    if options.rng is not None and options.sample is None:
        raise InputError("--rng goes with --sample")
    region = _region(options.board)
    laid = _pieces(options.pieces or ("soma" if isinstance(region, Box) else "pentominoes"))
    tiling = Tiling(region, laid, [_copies(options.copies)] * len(laid), options.reflect)
    limit = limit_of(options)
    if options.all:
        return _list(options, tiling, limit)
    with TerminalBar() as bar:
        if options.count:
            folded = options.up_to_symmetry
            number = tiling.count(up_to_symmetry=folded, limit=limit, progress=bar)
            return _say(options, tiling, limit, "count", number, str(number))
        if options.unique:
            return _is_unique(options, tiling, limit, bar)
        if options.explain:
            return _explain(options, tiling.explain(limit=limit, progress=bar))
        if options.sample is not None:
            drawn = tiling.sample(options.rng, options.sample, limit=limit, progress=bar)
        else:
            first = tiling.first(limit=limit, progress=bar)
            drawn = [] if first is None else [first]
    if not drawn and options.sample is None:
        return _say(options, None, limit, "solution", None, "no tiling") or _IMPOSSIBLE
    _show(options, drawn)
    _write(options, drawn)
    return _ANSWERED


def _list(options: argparse.Namespace, tiling: Tiling, limit: Limit) -> int:
    solutions = tiling.solutions(limit=limit)
    kept = []
    for number, solution in enumerate(
        _folded(tiling, solutions) if options.up_to_symmetry else solutions
    ):
        _show(options, [solution], after=number)
        if number < _MOST_PICTURES:
            kept.append(solution)
    if not kept and (options.svg or options.html):
        return _IMPOSSIBLE
    _write(options, kept)
    return _ANSWERED


def _folded(tiling: Tiling, solutions: Iterable[Solution]) -> Iterator[Solution]:
    """Keep one of those tilings that are turned or mirrored images of one another."""
    instance = tiling.instance
    group = [placement_permutation(instance, each) for each in elements(instance, Run())]
    for solution in solutions:
        laid = solution.placements
        if all(laid <= tuple(sorted(images[number] for number in laid)) for images in group):
            yield solution


def _is_unique(options: argparse.Namespace, tiling: Tiling, limit: Limit, bar: TerminalBar) -> int:
    unique = tiling.is_unique(limit=limit, progress=bar)
    if not unique and tiling.first(limit=limit, progress=bar) is None:
        return _say(options, None, limit, "unique", None, "no tiling") or _IMPOSSIBLE
    return _say(options, tiling, limit, "unique", unique, "unique" if unique else "not unique")


def _explain(options: argparse.Namespace, reason: Explanation | None) -> int:
    if reason is None:
        return _say(options, None, Limit(), "explanation", None, "there is a tiling")
    if options.json:
        weights = None
        if reason.weights is not None:
            weights = [{"cell": cell, "weight": value} for cell, value in reason.weights.items()]
        facts: dict[str, object] = {"kind": reason.kind, "reason": reason.reason}
        facts |= {"cell": reason.cell, "weights": weights, "modulus": reason.modulus}
        print_json(options, {"explanation": facts})
    else:
        print(reason)
    if options.svg:
        write_text(options.svg, reason.to_svg())
    if options.html:
        write_text(options.html, picture_page([reason.to_svg()], title=reason.kind))
    return _ANSWERED


def _say(
    options: argparse.Namespace,
    tiling: Tiling | None,
    limit: Limit,
    name: str,
    value: object,
    words: str,
) -> int:
    """Print a fact; draw the first tiling into the files asked for."""
    if options.json:
        print_json(options, {name: value})
    else:
        print(words)
    if tiling is None or not (options.svg or options.html):
        return _ANSWERED
    first = tiling.first(limit=limit)
    if first is None:
        return _IMPOSSIBLE
    _write(options, [first])
    return _ANSWERED


def _show(options: argparse.Namespace, solutions: Iterable[Solution], after: int = 0) -> None:
    """Print tilings, with a blank line between."""
    for number, solution in enumerate(solutions, after):
        if options.json:
            laid = solution.tiling.names or range(len(solution.tiling.pieces))
            facts = [{"piece": laid[kind], "cells": cells} for kind, cells in solution.pieces]
            print_json(options, {"solution": {"pieces": facts, "text": str(solution)}})
        else:
            print("\n" * (number > 0) + shown(solution))


def _write(options: argparse.Namespace, solutions: list[Solution]) -> None:
    if options.svg and solutions:
        write_text(options.svg, solutions[0].to_svg())
    if options.html:
        drawn = [solution.to_svg() for solution in islice(solutions, _MOST_PICTURES)]
        write_text(options.html, picture_page(drawn, title="tilings"))


def _region(text: str | None) -> Board | Box:
    size = _SIZE.fullmatch(text or "")
    if size is None:
        return read_value(text, Board.parse)
    first, second, third = size.groups()
    if third is None:
        return Board.rectangle(int(first), int(second))
    return Box(int(first), int(second), int(third))


def _pieces(text: str) -> Mapping[str, Polyomino | Polycube] | list[Polyomino | Polycube]:
    pentominoes = pieces.pentominoes()
    if text and set(text) <= set(pentominoes):
        alone = len(set(text)) == len(text)
        return {x: pentominoes[x] for x in text} if alone else [pentominoes[x] for x in text]
    name, colon, letters = text.partition(":")
    if name in _SETS:
        known: dict[str, Polyomino | Polycube] = getattr(pieces, name)()
        if not colon:
            return known
        chosen = letters.split(",") if "," in letters else list(letters)
        for letter in chosen:
            if letter not in known:
                raise InputError(f"--pieces: {name} has no {letter!r} (it has {' '.join(known)})")
        return [known[letter] for letter in chosen]
    if text != "-" and not Path(text).exists():
        raise InputError(f"--pieces: {text!r} is no file and none of {', '.join(_SETS)}")
    return read_value(text, _drawings)


def _drawings(text: str) -> list[Polyomino | Polycube]:
    drawings: list[list[str]] = [[]]
    for number, line in enumerate(text.splitlines()):
        if not line.strip():
            drawings.append([])
        elif drawings[-1]:
            drawings[-1].append(line)
        else:
            drawings[-1] = [*[""] * number, line]  # so that an error names the line of the file
    return [Polyomino.parse("\n".join(drawing)) for drawing in drawings if drawing]


def _copies(text: str) -> Bounds:
    if text == "any":
        return None
    low, dash, high = text.partition("-")
    numbers = (low, high) if dash else (low,)
    if not all(word.isascii() and word.isdigit() and len(word) < 10 for word in numbers):
        raise InputError(f"--copies: expected any, N or N-M, got {text!r}")
    return (int(low), int(high)) if dash else int(low)
