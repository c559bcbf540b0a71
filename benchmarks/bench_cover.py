"""Exact cover against its peers: ratios of CPU seconds in one run, building of the matrix included.

``python benchmarks/bench_cover.py`` prints the table.  ``GRIDKIT_PEERS`` names a Python that has
the peers (``pip install exact-cover exact-cover-py xcover pyxcc passagemath-combinat``); without
it the C dancing links of ``c/dlx.c``, compiled on the spot, are the only peer.  Each figure is the
least of several runs.  Arguments pick the instances whose name holds one of them.
"""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import numpy as np

import gridkit as gk
from gridkit.cover.matrix import Matrix
from gridkit.cover.search import minimum
from gridkit.cover.search.counting import count_matrix
from gridkit.cover.search.reduce import undominated
from gridkit.cover.search.tree import Task, count_task
from gridkit.run import Run

HERE = Path(__file__).parent
PEERS = ("exact-cover", "exact-cover-py", "xcover", "pyxcc", "passagemath dlx")
RUNS = int(os.environ.get("GRIDKIT_RUNS", "3"))
SHORT = 0.5  # seconds


class Instance(NamedTuple):
    name: str
    matrix: Matrix
    covers: int
    ours: dict[str, Callable[[], int]]
    target: str


def langford(n: int) -> Matrix:
    options = [
        (k - 1, n + at, n + at + k + 1) for k in range(1, n + 1) for at in range(2 * n - k - 1)
    ]
    return Matrix(tuple(options), 3 * n, (1,) * (3 * n), (1,) * (3 * n))


def queens(n: int) -> Matrix:
    options = [(r, n + c, 2 * n + r + c, 5 * n - 2 + r - c) for r in range(n) for c in range(n)]
    return Matrix(tuple(options), 2 * n, (1,) * (2 * n), (1,) * (2 * n))


def sudoku(k: int) -> Matrix:
    n = k * k
    options = [
        (r * n + c, n * (n + r) + d, n * (2 * n + c) + d, n * (3 * n + r // k * k + c // k) + d)
        for r in range(n)
        for c in range(n)
        for d in range(n)
    ]  # fmt: skip
    return Matrix(tuple(options), 4 * n * n, (1,) * (4 * n * n), (1,) * (4 * n * n))


def as_problem(matrix: Matrix) -> Callable[[], int]:
    options = [list(option) for option in matrix.options]
    primary, secondary = range(matrix.primary), range(matrix.primary, matrix.items)
    return lambda: gk.ExactCover(options, primary, secondary).count()


def as_matrix(matrix: Matrix) -> Callable[[], int]:
    dense = np.zeros((len(matrix.options), matrix.items), dtype=np.int8)
    for row, option in enumerate(matrix.options):
        dense[row, list(option)] = 1
    return lambda: gk.ExactCover.from_matrix(dense).count()


def as_tiling(board: gk.Board) -> Callable[[], int]:
    return lambda: gk.Tiling(board, gk.pieces.pentominoes(), reflect=True).count()


def boards() -> list[tuple[str, gk.Board, int, int]]:
    hole = gk.Board.rectangle(8, 8).without([(3, 3), (3, 4), (4, 3), (4, 4)])
    return [
        ("pentominoes 6x10", gk.Board.rectangle(6, 10), 9356, 2339),
        ("pentominoes 5x12", gk.Board.rectangle(5, 12), 4040, 1010),
        ("pentominoes 4x15", gk.Board.rectangle(4, 15), 1472, 368),
        ("pentominoes 3x20", gk.Board.rectangle(3, 20), 8, 2),
        ("pentominoes 8x8 hole", hole, 520, 65),
    ]


def instances() -> list[Instance]:
    found = []
    for name, board, total, _ in boards():
        matrix = gk.Tiling(board, gk.pieces.pentominoes(), reflect=True).matrix
        ours = {"Tiling": as_tiling(board)}
        if name == "pentominoes 6x10":
            ours["ExactCover"] = as_problem(matrix)
        found.append(Instance(name, matrix, total, ours, "20x (bare matrix 6x)"))
    soma = gk.Tiling(gk.Box(3, 3, 3), gk.pieces.soma()).matrix
    ell = gk.Tiling(gk.Board.rectangle(8, 9), [gk.Polyomino.parse("#.\n##")], None)
    pairs = langford(12)
    found += [
        Instance("Soma cube", soma, 11520, {"from_matrix": as_matrix(soma)}, "5x"),
        Instance("12 queens", queens(12), 14200, {"ExactCover": as_problem(queens(12))}, "5x"),
        Instance("Langford 12", pairs, 216288, {"ExactCover": as_problem(pairs)}, "1.5x"),
        Instance(
            "L-trominoes 8x9", ell.matrix, 204184,
            {"ExactCover": as_problem(ell.matrix),
             "Tiling": lambda: gk.Tiling(gk.Board.rectangle(8, 9), ell.pieces, None).count()},
            "1x",
        ),
    ]  # fmt: skip
    return found


def least(run: Callable[[], int], expected: int, runs: int = RUNS) -> float:
    """Return the least seconds of at least some runs, of more where they are short."""
    best, begun, made = float("inf"), time.process_time(), 0
    while made < runs or (made < 100 and time.process_time() - begun < SHORT):
        start = time.process_time()
        count = run()
        best, made = min(best, time.process_time() - start), made + 1
        assert count == expected, (count, expected)
    return best


def compiled_c() -> Path:
    program = Path(tempfile.mkdtemp()) / "dlx"
    subprocess.run(["gcc", "-O3", "-o", program, HERE / "c" / "dlx.c"], check=True)
    return program


class Baseline(NamedTuple):
    found: int
    search: float
    reading: float


def dlx(program: Path, matrix: Matrix, *arguments: str) -> Baseline:
    lines = [f"{matrix.primary} {matrix.items - matrix.primary} {len(matrix.options)}"]
    lines += [" ".join(map(str, (len(option), *option))) for option in matrix.options]
    text = "\n".join(lines) + "\n"
    runs = []
    for _ in range(RUNS):
        words = subprocess.run(
            [program, *arguments], input=text, capture_output=True, text=True, check=True
        ).stdout.split()
        runs.append((float(words[2]), float(words[3])))
    search, reading = (min(times) for times in zip(*runs, strict=True))
    return Baseline(int(words[0]), search, reading)


def peer(python: str, name: str, matrix: Matrix) -> str | float:
    problem = {
        "primary": matrix.primary,
        "secondary": matrix.items - matrix.primary,
        "options": matrix.options,
    }
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(problem, file)
        file.flush()
        run = subprocess.run(
            [python, str(HERE / "cover_peers.py"), name, file.name],
            capture_output=True, text=True, timeout=600, check=False,
        )  # fmt: skip
    if run.returncode:
        return "fails"
    count, seconds = run.stdout.split()[-2:]
    return float(seconds) if int(count) else "wrong"


def main() -> None:
    program = compiled_c()
    python = os.environ.get("GRIDKIT_PEERS")
    names = PEERS if python else ()
    wanted = sys.argv[1:] or [""]
    # Compile and load everything first.
    gk.Tiling(gk.Board.rectangle(2, 3), gk.pieces.trominoes(), [(0, 2)] * 2).count(method="masks")
    gk.ExactCover([[0], [1]]).count(method="bitset")
    gk.ExactCover([[0], [1]]).count(method="sparse")
    print(f"{'instance':22} {'ours':>24} {'C dlx':>9} " + " ".join(f"{n:>15}" for n in names))
    for instance in instances():
        if not any(part in instance.name for part in wanted):
            continue
        ours = {name: least(run, instance.covers) for name, run in instance.ours.items()}
        count, baseline, _ = dlx(program, instance.matrix)
        assert count == instance.covers
        others = {name: peer(python, name, instance.matrix) for name in names if python}
        times = [seconds for seconds in others.values() if isinstance(seconds, float)]
        for name, run in instance.ours.items():  # before and after the peers
            ours[name] = min(ours[name], least(run, instance.covers))
        for name, seconds in ours.items():
            row = f"{instance.name:22} {name:>12} {seconds:9.4f} s {baseline / seconds:7.1f}x"
            for other in others.values():
                row += f" {other / seconds:14.1f}x" if isinstance(other, float) else f" {other:>15}"
            if times:
                row += f"   best package {min(times) / seconds:.1f}x, target {instance.target}"
            print(row, flush=True)
    for name, board, _, classes in boards():
        tiling = lambda board=board: gk.Tiling(  # noqa: E731
            board, gk.pieces.pentominoes(), reflect=True
        ).count(up_to_symmetry=True)
        print(f"{name:22} up to symmetry {least(tiling, classes):9.4f} s", flush=True)
    first(program)
    enumeration()
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    cheapest()
    if wanted == [""]:
        stand_ins()
        equal_options()


def first(program: Path) -> None:
    from gridkit.cover.search.sparse import SparseSearch

    matrix = sudoku(5)
    options = [list(option) for option in matrix.options]
    cover = gk.ExactCover(options, range(matrix.items))
    baseline = dlx(program, matrix, "first")
    alone = float("inf")
    for _ in range(2 * RUNS):
        search = SparseSearch(matrix, keep=True)
        begun = time.process_time()
        search.advance(1 << 60, 1)
        alone = min(alone, time.process_time() - begun)
        assert search.found == 1
    reading = baseline.search + baseline.reading
    for what, seconds, peer_seconds in (
        ("search alone", alone, baseline.search),
        ("first() of a cover, C without reading", least(lambda: len(cover.first() or ()), 625),
         baseline.search),
        ("ExactCover(...).first(), C with reading its text",
         least(lambda: len(gk.ExactCover(options, range(matrix.items)).first() or ()), 625),
         reading),
    ):  # fmt: skip
        print(
            f"empty 25 x 25 sudoku, {what}: {seconds:.4f} s, C dlx {peer_seconds:.4f} s: "
            f"{seconds / peer_seconds:.2f} of it (target at most 1.2)"
        )


def cheapest() -> None:
    """The cheapest cover with costs from 0 to 9: HiGHS (of scipy) as the peer."""
    try:
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csc_array
    except ImportError:
        return
    for name, matrix in (
        ("Soma cube", gk.Tiling(gk.Box(3, 3, 3), gk.pieces.soma()).matrix),
        ("12 queens", queens(12)),
        ("Langford 11", langford(11)),
        ("trominoes 6x9",
         gk.Tiling(gk.Board.rectangle(6, 9), gk.pieces.trominoes(), None).matrix),
    ):  # fmt: skip
        chance = random.Random(1)
        costs = [chance.randrange(10) for _ in matrix.options]
        entries = [(item, row) for row, option in enumerate(matrix.options) for item in option]
        table = csc_array((np.ones(len(entries)), np.array(entries).T))
        low = [*matrix.low, *[0] * (matrix.items - matrix.primary)]
        begun = time.process_time()
        found = milp(
            costs,
            constraints=LinearConstraint(table, low, 1),
            integrality=np.ones(len(costs)),
            bounds=Bounds(0, 1),
        )
        theirs = time.process_time() - begun
        hidden = range(matrix.primary, matrix.items)
        options = [list(option) for option in matrix.options]

        def cost(
            options: list[list[int]] = options,
            shown: range = range(matrix.primary),
            hidden: range = hidden,
            costs: list[int] = costs,
        ) -> int:
            best = gk.ExactCover(options, shown, hidden, costs=costs).minimum()[0].cost
            assert isinstance(best, int)
            return best

        seconds = least(cost, round(found.fun))
        print(f"cheapest, {name:14} {seconds:.4f} s, HiGHS {theirs / seconds:.0f}x", flush=True)


def stand_ins() -> None:
    """The cheapest cover where every option is there in versions: with and without leaving out.

    Version v of a placement holds up to two of 40 secondary items more, and has a cost of its own.
    """
    chance = random.Random(1)
    for name, matrix, versions in (
        ("12 queens", queens(12), 10),
        ("Soma cube", gk.Tiling(gk.Box(3, 3, 3), gk.pieces.soma()).matrix, 10),
    ):
        options = [
            option + tuple(sorted(chance.sample(range(matrix.items, matrix.items + 40), more)))
            for option in matrix.options
            for more in (chance.randrange(3) for _ in range(versions))
        ]
        costs = [chance.randrange(1000) for _ in options]
        many = replace(matrix, options=tuple(options))
        kept = undominated(many, costs, 1)
        cost = minimum.cheapest(many, costs, 1, Run())[0].cost
        assert isinstance(cost, int)

        def best(many: Matrix = many, costs: list[int] = costs) -> int:
            return int(minimum.cheapest(many, costs, 1, Run())[0].cost)

        with_it = least(best, cost)
        with patch.object(minimum, "undominated", every):
            without = least(best, cost)
        print(
            f"cheapest, {name} in {versions} versions: {len(kept)} of {len(options)} options kept, "
            f"{with_it:.3f} s, without leaving out {without:.3f} s: {without / with_it:.1f}x",
            flush=True,
        )


def every(matrix: Matrix, costs: Sequence[int], k: int) -> list[int]:
    return list(range(len(matrix.options)))


def equal_options() -> None:
    """Counting where options are repeated, against searching for each as if it were another."""
    pairs = langford(8)
    thrice = replace(pairs, options=tuple(o for o in pairs.options for _ in range(3)))
    twice = replace(queens(10), options=tuple(o for o in queens(10).options for _ in range(2)))
    for name, matrix, total in (
        ("Langford 8, options tripled", thrice, 300 * 3**8),
        ("10 queens, options doubled", twice, 724 * 2**10),
    ):
        seconds = least(partial(count_matrix, matrix, Run()), total)
        one_by_one = least(partial(count_task, Task(matrix, "bitset"), Run()), total)
        print(f"{name}: {seconds:.4f} s, one by one {one_by_one / seconds:.0f}x", flush=True)


def enumeration() -> None:
    cover = gk.ExactCover([list(option) for option in langford(12).options])
    seconds = least(lambda: len(cover.solutions_array()), 216288)
    print(f"solutions_array, Langford 12: {216288 / seconds / 1e6:.2f} million a second")
    ell = gk.Tiling(gk.Board.rectangle(8, 9), [gk.Polyomino.parse("#.\n##")], None)
    tiles = ell.to_exact_cover()
    seconds = least(lambda: len(tiles.solutions_array()), 204184)
    print(f"solutions_array, L-trominoes 8x9: {204184 / seconds / 1e6:.2f} million a second")


if __name__ == "__main__":
    main()
