"""Time and memory against size, for each engine: ``python benchmarks/scaling.py`` draws the curves.

Writes ``docs/_static/scaling-NAME.svg`` and the table of growth, ``scaling.inc`` beside them.
Figures are minima of processor time.  ``--json`` only keeps them, ``--draw`` draws what was kept
(only drawing needs matplotlib).
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

import bench_kings
import bench_run
import gridkit as gk
from bench_stacking import digest, random_games
from gridkit import polyomino
from gridkit.cover.decide import CountMethod
from gridkit.sliding.kings.puzzle import KingsPuzzle
from gridkit.stacking import play_many
from instances import ELL, random_tiles
from measuring import Case, Way, measure
from reporting import machine, seconds, table

STATIC = Path(__file__).parents[1] / "docs" / "_static"
R = gk.Board.rectangle
DOMINO = gk.pieces.domino()


@dataclass(frozen=True)
class Curve:
    """One line of a figure: work for a size, and the sizes."""

    name: str
    sizes: Sequence[int]
    build: Callable[[int], Way]


@dataclass(frozen=True)
class Figure:
    """Curves over one axis; `exponential` fits a factor for each unit instead of an exponent."""

    name: str
    title: str
    axis: str
    curves: Sequence[Curve]
    exponential: bool = False


def ells(method: CountMethod, cells: int) -> Way:
    tiling = gk.Tiling(R(6, cells // 6), ELL, copies=None)
    return lambda: tiling.count(method=method)


def dominoes(method: CountMethod, side: int) -> Way:
    tiling = gk.Tiling(R(side, side), DOMINO, copies=None)
    return lambda: tiling.count(method=method)


def sample(pieces: list[gk.Polyomino], cells: int) -> Way:
    def draw() -> int:
        board = R(12, cells // 12)
        return len(gk.Tiling(board, pieces, copies=None).sample(np.random.default_rng(1), 1))

    return draw


def lay_out(side: int) -> Way:
    """A tiling as plain numbers: every placement of the pentominoes."""

    def build() -> int:
        tiling = gk.Tiling(R(side, side), gk.pieces.pentominoes(), copies=None, reflect=True)
        return len(tiling.matrix.options)

    return build


def cover(options: int) -> Way:
    lists = [[k % 997, 1000 + k * 7 % 991, 2000 + k * 13 % 983] for k in range(options)]
    return lambda: len(gk.ExactCover(lists).matrix.options)


# states -> rows and columns of a board with a domino lying in each row
SPACES = {924: (3, 6), 3009: (3, 8), 10_804: (4, 6), 53_660: (4, 8), 370_480: (5, 7)}


def explore(states: int) -> Way:
    rows, cols = SPACES[states]
    text = "\n".join(2 * chr(ord("A") + row) + "." * (cols - 2) for row in range(rows))
    puzzle = gk.SlidingPuzzle.parse(text, goal={"A": (0, cols - 2)})
    assert puzzle.explore(diameter=False).states == states
    return lambda: puzzle.explore(diameter=False).states


def tiles(side: int) -> Way:
    puzzle = random_tiles(side, side, 1)
    return lambda: puzzle.solve() is not None


def kings(effort: bench_kings.Effort, side: int) -> Way:
    generator = np.random.default_rng(1)
    start, target = (bench_kings.random_board(side, side * side // 8, generator) for _ in range(2))
    return lambda: KingsPuzzle(start, target).plan(effort=effort) is not None


def batch(games: int) -> Way:
    arguments = random_games(games, 8, 6)
    return lambda: digest(*play_many(*arguments))


def fixed(method: polyomino.enumeration.Method, n: int) -> Way:
    return lambda: polyomino.count_fixed(n, method=method)


def chunked(nodes: int) -> Way:
    """The twelve pentominoes on 5 x 12 in chunks of so many nodes, limits looked at between."""
    from gridkit.cover.search.counting import tiling_tasks
    from gridkit.cover.search.tree import Counting
    from gridkit.run import Run

    tiling = gk.Tiling(R(5, 12), gk.pieces.pentominoes(), reflect=True)
    task = tiling_tasks(tiling.instance, [], "bitset", Run())[-1]

    def run() -> int:
        work = Counting(task)
        control = Run(progress=lambda report: None)
        while not control.drive(work, at_most=nodes):
            pass
        return work.found

    return run


SIDES = (6, 8, 10, 12, 14, 16, 18, 20)
FIGURES = [
    Figure("search", "L-trominoes on 6 x m: search and frontier", "cells", [
        Curve("search (bitset)", (18, 24, 30, 36, 42, 48, 54, 60), partial(ells, "bitset")),
        Curve("frontier", (18, 24, 30, 36, 48, 60, 120, 240), partial(ells, "frontier")),
    ], exponential=True),
    Figure("dominoes", "Dominoes on n x n: frontier and determinant", "n", [
        Curve("frontier", SIDES, partial(dominoes, "frontier")),
        Curve("determinant", (*SIDES, 28, 40, 56), partial(dominoes, "kasteleyn")),
    ]),
    Figure("sampling", "One uniform sample, 12 x m", "cells", [
        Curve("dominoes", (144, 240, 480, 960), partial(sample, [gk.Polyomino.parse("##")])),
        Curve("L-trominoes", (72, 144, 240, 480), partial(sample, ELL)),
    ]),
    Figure("tiling", "Building a Tiling: pentominoes on n x n", "n", [
        Curve("Tiling and its options", (8, 12, 16, 24, 36, 54), lay_out),
    ]),
    Figure("cover", "Building an ExactCover from lists", "options", [
        Curve("ExactCover", (300, 1000, 3000, 10_000, 30_000, 100_000), cover),
    ]),
    Figure("sliding", "Exploring a sliding puzzle", "states", [
        Curve("explore", tuple(SPACES), explore),
    ]),
    Figure("npuzzle", "A plan for an n x n puzzle", "n", [
        Curve("solve", (6, 8, 12, 16, 24, 36, 54), tiles),
    ]),
    Figure("kings", "Kings on n x n, half of the blocks taken", "n", [
        Curve("fast", (12, 16, 24, 36, 54, 80), partial(kings, "fast")),
        Curve("short", (16, 24, 36), partial(kings, "short")),
    ]),
    Figure("batches", "Stacking games in one call", "games", [
        Curve("play_many", (10, 100, 1000, 10_000, 30_000), batch),
    ]),
    Figure("polyominoes", "Counting fixed polyominoes", "cells", [
        Curve("enumerate", (9, 10, 11, 12, 13, 14, 15), partial(fixed, "enumerate")),
        Curve("transfer matrix", (9, 11, 13, 15, 17, 19, 21), partial(fixed, "transfer")),
    ], exponential=True),
    Figure("chunks", "The same search in chunks: 12 pentominoes on 5 x 12", "nodes a chunk", [
        Curve("search (bitset)", tuple(4**k for k in range(3, 10)), chunked),
    ]),
]  # fmt: skip
STARTS = (
    "process: import gridkit",
    "process: a judged",
    "process: Klotski",
    "two threads",
    "chunks",
)  # cases of bench_run.py that the table takes

Points = list[tuple[int, float, int]]  # size, seconds, bytes


def _ways(curve: Curve, size: int) -> dict[str, Way]:
    return {curve.name: curve.build(size)}


def points(figure: Figure, curve: Curve) -> Points:
    found = []
    for size in curve.sizes:
        case = Case(f"{figure.name} {size}", partial(_ways, curve, size), seconds=0.05)
        (result,) = measure(case)
        if result.status != "ok":
            print(f"{case.name}: {result.message}", file=sys.stderr)
            continue
        found.append((size, min(result.times), result.peak or 0))
        print(
            f"{figure.name}, {curve.name}, {size}: {found[-1][1]:.6f}", file=sys.stderr, flush=True
        )
    return found


def growth(figure: Figure, measured: Points) -> float:
    """Fit the upper half of a curve: the exponent of the size, or the factor for each unit."""
    upper = measured[len(measured) // 2 - 1 if len(measured) > 3 else 0 :]
    x = [float(size) if figure.exponential else math.log(size) for size, _, _ in upper]
    slope = float(np.polyfit(x, [math.log(spent) for _, spent, _ in upper], 1)[0])
    return math.exp(slope) if figure.exponential else slope


def crossover(one: Points, other: Points) -> int | None:
    """Return the first common size from which on the second curve is below the first."""
    below = {size: spent for size, spent, _ in other}
    for size, spent, _ in one:
        if below.get(size, math.inf) < spent:
            return size
    return None


def draw(figure: Figure, measured: dict[str, Points], folder: Path) -> None:
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update({"svg.hashsalt": "gridkit", "svg.fonttype": "none", "font.size": 9})
    from matplotlib import pyplot

    picture, (left, right) = pyplot.subplots(1, 2, figsize=(8, 3.2), layout="constrained")
    for name, line in measured.items():
        sizes = [size for size, _, _ in line]
        fit = growth(figure, line)
        fitted = f"×{fit:.2f} a unit" if figure.exponential else f"size^{fit:.2f}"
        left.plot(sizes, [spent for _, spent, _ in line], "o-", label=f"{name}: {fitted}")
        kept = [(size, held / 1e6) for size, _, held in line if held >= 1 << 16]
        if kept:
            right.plot([size for size, _ in kept], [held for _, held in kept], "o-", label=name)
    for axes, what in ((left, "seconds (CPU)"), (right, "MB more")):
        axes.set(xlabel=figure.axis, ylabel=what)
        if axes.lines:
            axes.set(xscale="linear" if figure.exponential else "log", yscale="log")
        axes.grid(alpha=0.3)
    left.legend(fontsize=8)
    picture.suptitle(figure.title)
    path = folder / f"scaling-{figure.name}.svg"
    picture.savefig(path, metadata={"Date": None, "Creator": None})
    path.write_text(
        "".join(f"{line.rstrip()}\n" for line in path.read_text("utf-8").splitlines()), "utf-8"
    )
    pyplot.close(picture)


def starts() -> list[list[str]]:
    """Measure what the run contract costs: chunks, workers, cold and warm starts."""
    lines = []
    for case in bench_run.CASES:
        if case.name.startswith(STARTS) and not case.full:
            for result in measure(case):
                best = seconds(min(result.times)) if result.times else result.status
                lines.append([case.name, result.way, best])
                print(*lines[-1], file=sys.stderr, flush=True)
    return lines


def written(document: dict[str, object]) -> str:
    """Return the fragment of the documentation."""
    facts, measured, costs = document["machine"], document["curves"], document["starts"]
    assert isinstance(facts, dict)
    assert isinstance(measured, dict)
    assert isinstance(costs, list)
    rows = []
    drawn = [figure for figure in FIGURES if figure.name in measured]
    for figure in drawn:
        lines = {name: [tuple(point) for point in line]
                 for name, line in measured[figure.name].items()}  # fmt: skip
        for name, line in lines.items():
            fit, (size, spent, held) = growth(figure, line), line[-1]
            fitted = f"×{fit:.2f} a unit" if figure.exponential else f"{figure.axis}^{fit:.2f}"
            memory = f"{held / 1e6:.1f} MB" if held else ""
            rows.append([figure.title, name, fitted, f"{size:,}", seconds(spent), memory])
    head = ["work", "engine", "growth", "largest", "time", "memory"]
    text = "; ".join(f"{name} {value}" for name, value in facts.items()) + "\n\n"
    text += (
        table([*head, ""], [[*row, ""] for row in rows])
        .replace(" |  |\n", " |\n")
        .replace(": | --- |\n", ": |\n")
    )
    curves = measured["search"]
    if len(curves) == 2:
        size = crossover(*(list(map(tuple, line)) for line in curves.values()))
        text += f"\nThe frontier overtakes the search at {size} cells.\n"
    text += "\n" + table(["work", "way", "time"], costs)
    pictures = "".join(f"\n![{each.title}](_static/scaling-{each.name}.svg)\n" for each in drawn)
    return text + pictures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, help="write the figures into this file")
    parser.add_argument("--draw", type=Path, metavar="OLD.json", help="measure nothing, draw that")
    options = parser.parse_args()
    if options.draw is None:
        document: dict[str, object] = {
            "machine": machine(),
            "curves": {
                figure.name: {curve.name: points(figure, curve) for curve in figure.curves}
                for figure in FIGURES
            },
            "starts": starts(),
        }
    else:
        document = json.loads(options.draw.read_text("utf-8"))
    if options.json is not None:
        options.json.write_text(json.dumps(document), encoding="utf-8")
        return
    STATIC.mkdir(exist_ok=True)
    curves = document["curves"]
    assert isinstance(curves, dict)
    for figure in FIGURES:
        if figure.name in curves:
            draw(figure, curves[figure.name], STATIC)
    (STATIC / "scaling.inc").write_text(written(document), encoding="utf-8")


if __name__ == "__main__":
    main()
