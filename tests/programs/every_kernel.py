"""Calls that together run every kernel of gridkit; run as a program, says what came of them.

Prints as JSON: the answers, the kernels that were not run, the specialisations compiled and those
loaded from the cache.
"""

from __future__ import annotations

import json
import random
import re
import string
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import combinations, islice
from pathlib import Path
from types import ModuleType
from typing import Literal

import gridkit as gk
from gridkit.doctor import _kernel_modules, _kernels, warmup
from gridkit.run import use_tier

KLOTSKI = "ABBC\nABBC\nDEEF\nDGHF\nI..J"


class Recorded:
    """A kernel that notes that it ran."""

    def __init__(self, name: str, kernel: Callable[..., object], ran: set[str]) -> None:
        self._name, self._kernel, self._ran = name, kernel, ran

    def __call__(self, *arguments: object) -> object:
        self._ran.add(self._name)
        return self._kernel(*arguments)


def record(ran: set[str]) -> dict[str, set[str]]:
    """Put recorders in the place of all kernels; return which kernels each one calls itself."""
    modules = [import_module(name) for name in _kernel_modules(gk)]
    calls: dict[str, set[str]] = {}
    recorders: dict[int, Recorded] = {}
    for module in modules:
        for kernel in _kernels(module):
            name = full_name(kernel)
            calls[name] = set(called_by(module, kernel))
            recorders[id(kernel)] = Recorded(name, kernel, ran)
    for module in modules:
        for name, value in list(vars(module).items()):
            if id(value) in recorders:
                setattr(module, name, recorders[id(value)])
    return calls


def full_name(kernel) -> str:  # type: ignore[no-untyped-def]  # numba's dispatchers
    return f"{kernel.py_func.__module__}.{kernel.py_func.__name__}"


def called_by(module: ModuleType, kernel) -> Iterator[str]:  # type: ignore[no-untyped-def]  # as above
    for name in kernel.py_func.__code__.co_names:
        value = vars(module).get(name)
        if hasattr(value, "nopython_signatures"):
            yield full_name(value)


def is_used(name: str) -> bool:
    """Whether the sources of its wing name a kernel anywhere but where it is defined."""
    word = re.compile(rf"\b{name.rpartition('.')[2]}\b")
    wing = Path(gk.__file__).parent / name.split(".")[1]
    sources = (file.read_text() for file in wing.rglob("*.py"))
    return sum(len(word.findall(source)) for source in sources) > 1


def length(plan: gk.Plan | None) -> int | None:
    if plan is not None:
        plan.verify()
    return None if plan is None else len(plan)


def shuffled(rows: int, cols: int, steps: int, seed: int) -> gk.NPuzzle:
    """A board that is so many random steps from its goal."""
    chance = random.Random(seed)
    tiles = [*range(1, rows * cols), 0]
    blank = rows * cols - 1
    for _ in range(steps):
        row, col = divmod(blank, cols)
        beside = [(row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)]
        row, col = chance.choice([(r, c) for r, c in beside if 0 <= r < rows and 0 <= c < cols])
        other = row * cols + col
        tiles[blank], tiles[other] = tiles[other], tiles[blank]
        blank = other
    return gk.NPuzzle(rows, cols, tiles)


def answers() -> Iterator[object]:
    yield gk.polyomino.count_fixed(11, method="enumerate")
    yield gk.polyomino.count_fixed(20)
    yield gk.polyomino.count_free(12)
    yield sum(1 for _ in gk.polyomino.free(9))

    board = gk.Board.rectangle(5, 12)
    twelve = gk.Tiling(board, gk.pieces.pentominoes().values(), reflect=True)
    for method in ("masks", "bitset", "sparse"):
        yield twelve.count(method=method, limit=None)
    prices = [(row * 37 + col * col * 11) % 101 for row in range(11) for col in range(11)]
    pairs = [[("row", row), ("col", col)] for row in range(11) for col in range(11)]
    yield gk.ExactCover(pairs, costs=prices).minimum()[0].cost
    yield gk.ExactCover(combinations(range(14), 2)).count(method="sweep")
    yield gk.ExactCover(combinations(range(8), 2)).count_many([[-1], [3]]).tolist()
    painted = [[row, "a", gk.Colored("x", c)] for row in range(6) for c in "AB"]
    yield gk.ExactCover(painted, secondary=["x"], multiplicity={"a": 6}).count(method="sweep")
    holes = gk.Board.rectangle(7, 8).without([(0, 0), (3, 3)])
    trominoes = list(gk.pieces.trominoes().values())
    for pieces in (trominoes, [gk.Polyomino.parse("##")]):
        yield gk.Tiling(holes, pieces, copies=None).count(method="frontier")
    yield gk.Tiling(gk.Board.rectangle(12, 12), trominoes[1:], copies=None).count(method="frontier")
    straight = gk.Tiling(gk.Board.rectangle(9, 10), trominoes[:1], copies=None)
    yield straight.count(method="frontier")
    domino = [gk.Polyomino.parse("##")]
    even = gk.Board.rectangle(7, 8)
    yield gk.Tiling(even, domino, copies=None).count(method="kasteleyn")
    cut = even.without([(0, 0), (0, 1)])
    yield gk.Tiling(cut, domino, copies=None).count(method="kasteleyn")
    for region, pieces in ((gk.Board.rectangle(30, 30), domino), (holes, trominoes)):
        yield len(gk.Tiling(region, pieces, copies=None).sample(1, 3))

    klotski = gk.SlidingPuzzle.parse(KLOTSKI, goal={"B": (3, 1)})
    metrics: tuple[Literal["step", "slide", "move"], ...] = ("step", "slide", "move")
    for metric in metrics:
        yield length(klotski.solve(metric=metric, method="kernel"))
    yield length(klotski.solve(metric=("slide", "step"), method="kernel"))
    yield length(klotski.solve(optimal=False, method="kernel")) is not None
    cars = gk.SlidingPuzzle.parse_rush_hour("BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM.")
    yield length(cars.solve(metric="slide", method="kernel"))
    yield cars.explore(metric="slide").states
    both: dict[str, Literal["horizontal", "vertical"]] = {"A": "horizontal", "B": "vertical"}
    cross = gk.SlidingPuzzle.parse("A..\n.B.", goal={"A": (0, 2), "B": (0, 1)}, axes=both)
    yield length(cross.solve(metric="slide", method="kernel"))
    # Round a ring all eccentricities are equal, which takes searches from many states at once.
    ring = ["A" + "." * 10, *["." + "#" * 9 + "."] * 9, "." * 11]
    yield gk.SlidingPuzzle.parse("\n".join(ring), goal={"A": (10, 10)}).explore().radius
    eight = gk.SlidingPuzzle.parse("ABC\nDEF\nG.H", goal="ABC\n.DF\nGEH")
    yield length(eight.solve(method="kernel"))
    # Every block has a place to go to, so that nothing is interchangeable: many bits a state.
    text = "ABCDEFG\nHIJKLMN\nOPQRSTU\nVWXYZab\ncdefgh."
    for goal in (text[:-2] + ".h", text.replace("ab", "a.", 1).replace("h.", "hb", 1)):
        wide = gk.SlidingPuzzle.parse(text, goal=goal)
        for metric in metrics[::2]:
            yield length(wide.solve(metric=metric, method="kernel"))
        yield length(wide.solve(metric=("slide", "step"), method="kernel"))
    yield klotski.explore().states
    yield len(cars.explore().graph().cut_states())
    yield gk.sliding.enumerate_rush_hour(3, 3, at_least=1).boards
    row = string.ascii_letters
    yield gk.SlidingPuzzle.parse(row + ".", goal="." + row).explore().states

    for tables in ("manhattan", "4-4-4-3"):
        yield length(shuffled(4, 4, 60, 1).solve(optimal=True, tables=tables))
    yield length(shuffled(9, 9, 2000, 2).solve())
    plans = islice(shuffled(5, 6, 600, 3).improvements(), 3)
    lengths = [len(bounded.plan) for bounded in plans]
    yield lengths == sorted(lengths, reverse=True)
    table = gk.NPuzzle(2, 3, [1, 2, 3, 4, 5, 0]).distance_table()
    yield table.longest
    yield len(table.hardest())

    start = [[0] * 30 for _ in range(30)]
    target = [[0] * 30 for _ in range(30)]
    for number in range(64):
        start[2 * (number // 8)][2 * (number % 8)] = number + 1
        target[29 - 2 * (number // 8)][29 - 2 * (number * 5 % 8)] = number + 1
    for effort in ("fast", "short"):
        yield length(gk.sliding.kings.plan(start, target, effort=effort)) is not None

    cells = [[0, 1, 0, 0], [0, 0, 2, 0], [1, 0, 0, 0], [0, 0, 0, 1]]
    game = gk.StackingGame(cells, [(0, 0, 0), (1, 1, 3), (2, 2, 1), (3, 3, 2)])
    for rounds in (1000, None):
        result = game.play(max_rounds=rounds)
        yield [result.outcome.name, result.round]
    # Three pieces apart, which go to and fro between a border and a wall.
    walls = [[2 if col == wall else 0 for col in range(60)] for wall in (47, 43, 41)]
    apart = gk.StackingGame(walls, [(row, 0, 0) for row in range(3)])
    yield apart.play(max_rounds=None).outcome.name
    outcomes, ends = gk.stacking.play_many([cells] * 3, [game.pieces] * 3)
    yield [outcomes.tolist(), ends.tolist()]


# What the calls answer, in order; tests/data and the tables name the sources.
RIGHT: list[object] = [
    135268, 22964779660, 63600, 1285,
    4040, 4040, 4040, 210, 135135, [105, 15], 2, 12483546, 0, 2033502499954, 143419, 1292697,
    690149, 3, 3,
    116, 90, 81, 90, True, 51, 4780, 2, 20, 2, 1, 1, 1, 1, 1, 1, 25955, 8, 72, 53,
    36, 36, 670, True, 21, 1, True, True,
    ["STOPPED", 130], ["STOPPED", 130], "NEVER", [[0, 0, 0], [130, 130, 130]],
]  # fmt: skip


def main() -> None:
    done = warmup()
    ran: set[str] = set()
    calls = record(ran)
    with use_tier("compiled"):  # small questions go to the kernels as well
        found = list(answers())
    seen, new = set(ran), set(ran)
    while new:
        new = {inner for name in new for inner in calls.get(name, ())} - seen
        seen |= new
    missed = sorted(name for name in calls.keys() - seen if is_used(name))
    json.dump([found, missed, done.compiled, done.loaded], sys.stdout)


if __name__ == "__main__":
    main()
