"""gridkit beside other packages: ``python benchmarks/peers.py`` prints tables.

Each peer has a virtual environment of its own, made once in ``--environments``, so that their pins
do not clash; an environment that cannot be made is told.  A wrong answer is shown as wrong, whoever
gives it, and what does not end within ``--limit`` processor seconds as that.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import gridkit as gk
from gridkit.cover.matrix import Matrix
from instances import ELL, KLOTSKI, langford, pentominoes, queens, soma
from measuring import Case, Way, measure
from references import dlx, program, self_timed
from reporting import machine, seconds, table

HERE = Path(__file__).parent
# name of a peer -> what to install, and its program in peer_programs.py
PEERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "exact-cover": ("exact_cover", ("exact-cover",)),
    "exact-cover-py": ("exact_cover_py", ("exact-cover-py", "numpy")),
    "xcover": ("xcover", ("xcover",)),
    "xcover, memoised": ("xcover_memoised", ("xcover",)),
    "pyxcc": ("pyxcc", ("pyxcc",)),
    "Sage's dlx": ("sage", ("passagemath-combinat",)),
    "CP-SAT": ("cp_sat", ("ortools",)),
    "HiGHS": ("highs", ("highspy",)),
    "python-constraint": ("python_constraint", ("python-constraint",)),
    "polyomino": ("polyomino", ("polyomino", "numpy<2")),
    "networkx": ("networkx", ("networkx",)),
    "slidingpuzzle": ("slidingpuzzle", ("slidingpuzzle",)),
    "fifteen-puzzle-solvers": ("fifteen_puzzle_solvers", ("fifteen-puzzle-solvers",)),
}
COUNTERS = ("exact-cover", "exact-cover-py", "xcover", "xcover, memoised", "pyxcc", "Sage's dlx",
            "CP-SAT")  # fmt: skip


@dataclass(frozen=True)
class Contest:
    """A problem with its right answer: for us, for C, and for peers in JSON's terms."""

    name: str
    answer: int
    ours: Way
    peers: Sequence[str]
    problem: Mapping[str, object]
    reference: Way | None = None


def plain(matrix: Matrix) -> dict[str, object]:
    secondary = matrix.items - matrix.primary
    return {"primary": matrix.primary, "secondary": secondary, "options": matrix.options}


def counted(name: str, matrix: Matrix, answer: int, ours: Callable[[], int]) -> Contest:
    return Contest(name, answer, ours, COUNTERS, plain(matrix), dlx(matrix))


def covers() -> list[Contest]:
    hole = gk.Board.rectangle(8, 8).without([(3, 3), (3, 4), (4, 3), (4, 4)])
    contests = []
    for name, tiling, answer in (
        ("pentominoes 6x10", pentominoes(gk.Board.rectangle(6, 10)), 9356),
        ("pentominoes 8x8 hole", pentominoes(hole), 520),
        ("Soma cube", soma(), 11520),
        ("L-trominoes 8x9", gk.Tiling(gk.Board.rectangle(8, 9), ELL, None), 204184),
    ):
        matrix = tiling.to_exact_cover().matrix
        contests.append(counted(name, matrix, answer, tiling.count))
    for name, matrix, answer in (
        ("12 queens", queens(12), 14200),
        ("Langford 12", langford(12), 216288),
    ):
        cover = gk.ExactCover(
            [list(option) for option in matrix.options],
            range(matrix.primary),
            range(matrix.primary, matrix.items),
        )
        contests.append(counted(name, matrix, answer, cover.count))
    return contests


def others() -> list[Contest]:
    matrix = soma().to_exact_cover().matrix
    chance = random.Random(1)
    costs = [chance.randrange(10) for _ in matrix.options]
    options = [list(option) for option in matrix.options]
    items = range(matrix.primary)

    def cheapest() -> object:
        return gk.ExactCover(options, items, costs=costs).minimum()[0].cost

    eight, queen = gk.Board.rectangle(6, 10), queens(8)
    cover = gk.ExactCover(queen.options, range(16), range(16, queen.items))
    dominoes = gk.Tiling(gk.Board.rectangle(40, 40), gk.pieces.domino(), None)
    hardest, easy = [8, 6, 7, 2, 5, 4, 3, 0, 1], walked(40)
    klotski = gk.SlidingPuzzle.parse(KLOTSKI, goal={"B": (3, 1)})
    both = ("slidingpuzzle", "fifteen-puzzle-solvers")
    command = [str(program("klotski_bfs")), KLOTSKI.replace("\n", ""), "20"]
    best = cheapest()
    assert isinstance(best, int)
    return [
        Contest("cheapest Soma cube", best, cheapest, ("CP-SAT", "HiGHS"),
                {**plain(matrix), "costs": costs}),
        Contest("all of 8 queens", 92, cover.count, ("python-constraint",), {"queens": 8}),
        Contest("a tiling of 6x10 by pentominoes", 12,
                lambda: 12 * (pentominoes(eight).first() is not None), ("polyomino",),
                {"rectangle": [6, 10]}),
        Contest("a domino tiling of 40x40", 800, lambda: 800 * (dominoes.first() is not None),
                ("networkx",), {"rectangle": [40, 40]}),
        Contest("a hardest 8-puzzle, shortest plan", 31,
                lambda: gk.NPuzzle(3, 3, hardest).distance(), both, {"rows": rows_of(hardest, 3)}),
        Contest("an easy 15-puzzle, shortest plan", gk.NPuzzle(4, 4, easy).distance() or 0,
                lambda: gk.NPuzzle(4, 4, easy).distance(), both, {"rows": rows_of(easy, 4)}),
        Contest("Klotski in moves", 81, lambda: len(klotski.solve(metric="move") or ()), (), {},
                self_timed(command, lambda said: float(said[2]) / 1e3)),
    ]  # fmt: skip


def walked(steps: int) -> list[int]:
    """Return the 15-puzzle that so many random steps from the goal lead to."""
    chance, tiles, blank, before = random.Random(1), [*range(1, 16), 0], 15, -1
    for _ in range(steps):
        near = [blank + step for step in (-4, 4) if 0 <= blank + step < 16]
        near += [cell for cell in (blank - 1, blank + 1) if cell // 4 == blank // 4]
        cell = chance.choice([cell for cell in near if cell != before])
        tiles[blank], tiles[cell] = tiles[cell], 0
        blank, before = cell, blank
    return tiles


def rows_of(tiles: Sequence[int], side: int) -> list[list[int]]:
    return [list(tiles[row * side : (row + 1) * side]) for row in range(side)]


def environment(folder: Path, requirements: Sequence[str]) -> Path | str:
    """Return the Python of an environment with a peer, or why there is none."""
    home = folder / requirements[0]
    python = home / "bin" / "python"
    if not python.exists():
        venv.create(home, with_pip=True)
        command = [str(python), "-m", "pip", "install", "-q", *requirements]
        made = subprocess.run(command, capture_output=True, text=True, check=False)
        (home / "failed").write_text(made.stderr) if made.returncode else None
    return "does not install" if (home / "failed").exists() else python


def version(python: Path, package: str) -> str:
    code = f"from importlib.metadata import version; print(version({package!r}))"
    ran = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    return ran.stdout.strip() or "not installed"


def ask(python: Path, program: str, problem: Mapping[str, object], limit: int) -> tuple[str, str]:
    """Let a peer run; return its answer and seconds, or "" and what became of it."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(problem, file)
        file.flush()
        command = [str(python), str(HERE / "peer_programs.py"), program, file.name, str(limit)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return "", f"over {limit} s"
    if ran.returncode:
        print(ran.stderr.strip()[-300:], file=sys.stderr)
        return "", "fails"
    _, answer, spent = ran.stdout.splitlines()[-1].split()
    return answer, spent


def cell(answer: str, said: str, contest: Contest, ours: float) -> str:
    if not answer:
        return said
    if answer != str(contest.answer):
        return f"**wrong: {answer}**"
    return f"{seconds(float(said))} ({float(said) / ours:.3g}×)"


def line(contest: Contest, columns: Sequence[str], pythons: Mapping[str, Path | str],
         limit: int) -> list[str]:  # fmt: skip
    """Measure a contest; the columns are C, then peers."""
    ways = {"gridkit": contest.ours}
    if contest.reference is not None:
        ways["C"] = contest.reference
    results = {each.way: each for each in measure(Case(contest.name, lambda: ways, contest.answer))}
    ours = results["gridkit"]
    best = min(ours.times, default=float("nan"))
    cells = [contest.name, seconds(best) if ours.status == "ok" else f"**{ours.status}**"]
    for name in columns:
        if name == "C" and "C" in results:
            cells.append(cell(str(contest.answer), str(min(results["C"].times)), contest, best))
        elif name in contest.peers:
            python = pythons[name]
            answer, said = ("", python) if isinstance(python, str) else ask(
                python, PEERS[name][0], contest.problem, limit
            )  # fmt: skip
            cells.append(cell(answer, said, contest, best))
        else:
            cells.append("")
        print(f"{contest.name}, {name}: {cells[-1]}", file=sys.stderr, flush=True)
    return cells


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--environments", type=Path, default=Path(".peers"), metavar="FOLDER")
    parser.add_argument("--limit", type=int, default=60, help="processor seconds of a peer")
    parser.add_argument("--only", default="", help="contests whose name holds this text")
    parser.add_argument("--markdown", type=Path, help="write the tables into this file")
    options = parser.parse_args()
    pythons: dict[str, Path | str] = {}
    versions = {}
    for name, (_, requirements) in PEERS.items():
        pythons[name] = python = environment(options.environments, requirements)
        versions[requirements[0]] = python if isinstance(python, str) else version(
            python, requirements[0]
        )  # fmt: skip
    facts = {**machine(), **versions}
    text = "; ".join(f"{name} {value}" for name, value in facts.items()) + "\n"
    columns = ["C", *COUNTERS]
    lines = [
        line(contest, columns, pythons, options.limit)
        for contest in covers()
        if options.only in contest.name
    ]
    text += "\n" + table(["solutions counted", "gridkit", "C dlx", *COUNTERS], lines)
    lines = []
    for contest in (each for each in others() if options.only in each.name):
        names = [*(["C"] if contest.reference else []), *contest.peers]
        name, ours, *cells = line(contest, names, pythons, options.limit)
        told = [f"{who}: {cell}" for who, cell in zip(names, cells, strict=True)]
        lines.append([name, ours, "; ".join(told)])
    text += "\n" + table(["other work", "gridkit", "peers"], lines)
    print(text)
    if options.markdown:
        options.markdown.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
