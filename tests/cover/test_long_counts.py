"""The run contract on real counts: tilings and exact covers in parts."""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gridkit as gk
from gridkit.cover.decide import CountMethod
from gridkit.cover.search.parts import LEAST_PARTS
from gridkit.cover.search.tree import Counting, Task, count_task, split, split_weighted
from gridkit.run import Run


def queens(size: int) -> gk.ExactCover:
    options = [
        [("row", r), ("column", c), ("up", r + c), ("down", r - c)]
        for r in range(size)
        for c in range(size)
    ]
    lines = [(kind, i) for i in range(size) for kind in ("row", "column")]
    diagonals = {item for option in options for item in option} - set(lines)
    return gk.ExactCover(options, primary=lines, secondary=sorted(diagonals))


def pentominoes() -> gk.Tiling:
    """3 by 20: two tilings up to symmetry, eight in all."""
    board = gk.Board.rectangle(3, 20)
    return gk.Tiling(board, gk.pieces.pentominoes().values(), reflect=True)


COUNTS: dict[str, tuple[Callable[[], gk.ExactCover | gk.Tiling], int]] = {
    "queens": (lambda: queens(7), 40),
    "pentominoes": (pentominoes, 8),
    "independent": (lambda: gk.ExactCover([[i] for i in range(40) for _ in "abc"]), 3**40),
    "impossible": (lambda: gk.ExactCover([[0, 1], [1, 2]], primary=[0, 1, 2]), 0),
    "nothing to cover": (lambda: gk.ExactCover([]), 1),
    "one way": (lambda: gk.ExactCover([[0], [1]]), 1),
}


@pytest.mark.parametrize("name", COUNTS)
def test_parts_give_the_same_count(name: str) -> None:
    make, count = COUNTS[name]
    assert make().count() == count
    for parts in (1, 7, 80):
        assert make().count(parts=parts) == count


@pytest.mark.parametrize("name", COUNTS)
def test_threads_and_checkpoints_give_the_same_count(name: str, tmp_path: Path) -> None:
    make, count = COUNTS[name]
    path = tmp_path / "count.db"
    with ThreadPoolExecutor(2) as pool:
        assert make().count(executor=pool) == count
        assert make().count(executor=pool, checkpoint=path) == count
    assert make().count(checkpoint=path) == count


def test_processes_give_the_same_count() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert queens(7).count(executor=pool) == 40
        assert pentominoes().count(executor=pool, method="bitset") == 8


@settings(max_examples=25)
@given(nodes=st.integers(20, 2000), parts=st.integers(1, 40))
def test_continued_counts(nodes: int, parts: int) -> None:
    problem = queens(7)
    bounds: list[object] = [0]
    token: object = None
    while True:
        try:
            count = problem.count(
                limit=gk.Limit(nodes=nodes), resume=token, parts=parts if token is None else None
            )
            break
        except gk.LimitReached as reached:
            token = pickle.loads(pickle.dumps(reached.token))
            bounds.append(reached.partial.value)
    assert bounds == sorted(bounds)  # type: ignore[type-var]  # they are ints
    assert count == 40


@pytest.mark.parametrize("size", [6, 7])
def test_a_checkpoint_continues_across_limits(size: int, tmp_path: Path) -> None:
    path, problem = tmp_path / "count.db", queens(size)
    cuts = 0
    while True:
        try:
            count = problem.count(checkpoint=path, parts=4, limit=gk.Limit(nodes=10))
            break
        except gk.LimitReached:
            cuts += 1
    assert cuts > 0
    assert count == {6: 4, 7: 40}[size]


def test_split_is_a_partition_with_the_parts_asked_for() -> None:
    task = Task(queens(8).matrix)
    for parts in (1, 2, LEAST_PARTS, 80):
        prefixes = split(task, parts, Run())
        assert len(prefixes) >= parts
        assert len(set(prefixes)) == len(prefixes)
        assert sum(count_task(task, Run(), prefix) for prefix in prefixes) == 92


def test_split_is_balanced() -> None:
    task = Task(queens(8).matrix)
    nodes, weights = [], []
    for prefix, weight in split_weighted(task, LEAST_PARTS, Run()):
        work = Counting(task, prefix)
        Run().drive(work)
        nodes.append(work.nodes)
        weights.append(weight)
    assert max(nodes) < 0.1 * sum(nodes)
    # The estimates tell heavy from light.
    order = sorted(range(len(nodes)), key=lambda part: -weights[part])
    assert sum(nodes[part] for part in order[: len(order) // 2]) > 0.6 * sum(nodes)


def test_progress_of_parts_ends_at_one() -> None:
    seen: list[gk.Progress] = []
    assert queens(7).count(parts=10, progress=seen.append) == 40
    assert (seen[-1].fraction, seen[-1].found) == (1.0, 40)
    assert [p.fraction for p in seen] == sorted(p.fraction for p in seen)


# What is refused


def test_another_problem_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "count.db"
    queens(5).count(checkpoint=path)
    with pytest.raises(gk.CheckpointError, match="belongs to another problem"):
        queens(6).count(checkpoint=path)
    with pytest.raises(gk.LimitReached) as caught:
        queens(6).count(parts=9, limit=gk.Limit(nodes=20))
    with pytest.raises(gk.InputError, match="of another problem"):
        queens(7).count(resume=caught.value.token)


def test_tokens_of_another_kind_are_refused(tmp_path: Path) -> None:
    with pytest.raises(gk.LimitReached) as caught:
        queens(6).count(limit=gk.Limit(nodes=20))
    with pytest.raises(gk.UnsupportedError, match="the token is that of a call without parts"):
        queens(6).count(resume=caught.value.token, parts=3)
    with pytest.raises(gk.InputError, match="resume must be the token"):
        queens(6).count(resume="token", parts=3)
    with pytest.raises(gk.InputError, match="resume must be the token"):
        queens(6).count(resume="token")
    with pytest.raises(gk.UnsupportedError, match="a checkpoint knows itself where to continue"):
        queens(6).count(resume=caught.value.token, checkpoint=tmp_path / "count.db")


@pytest.mark.parametrize("parts", [0, -3, 1.5, "4", True])
def test_numbers_of_parts(parts: object) -> None:
    with pytest.raises(gk.InputError, match="parts must be an int >= 1"):
        queens(5).count(parts=parts)  # type: ignore[arg-type]  # wrong on purpose


def test_executors_and_paths_that_are_none() -> None:
    with pytest.raises(gk.InputError, match="executor must be"):
        queens(5).count(executor="threads")  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(gk.InputError, match="checkpoint must be"):
        queens(5).count(checkpoint=5)  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize("method", ["frontier", "kasteleyn"])
def test_engines_that_do_not_split_say_so(method: CountMethod, tmp_path: Path) -> None:
    board = gk.Board.rectangle(4, 4)
    tiling = gk.Tiling(board, [gk.Polyomino.parse("##")], copies=None)
    assert tiling.count(method=method) == 36
    for keyword in ({"parts": 4}, {"checkpoint": tmp_path / "x.db"}, {"executor": Lazy()}):
        with pytest.raises(gk.UnsupportedError, match=method):
            tiling.count(method=method, **keyword)
    assert not list(tmp_path.iterdir())


class Lazy(Executor):
    """Never asked to do anything."""


# Between processes


FIRST = """
import pickle, sys
import gridkit as gk
board = gk.Board.rectangle(5, 12)
tiling = gk.Tiling(board, gk.pieces.pentominoes().values(), reflect=True)
"""


def answer(program: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", FIRST + program],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_tokens_and_files_do_not_depend_on_what_is_loaded(tmp_path: Path) -> None:
    """A token of a process that has loaded no kernel continues in one that has, and back."""
    answer(
        """
try:
    tiling.count(limit=gk.Limit(nodes=3))
except gk.LimitReached as reached:
    pickle.dump(reached.token, open("token", "wb"))
try:
    tiling.count(checkpoint="count.db", limit=gk.Limit(nodes=3))
except gk.LimitReached:
    pass
""",
        tmp_path,
    )
    board = gk.Board.rectangle(5, 12)
    tiling = gk.Tiling(board, gk.pieces.pentominoes().values(), reflect=True)
    assert tiling.count(method="masks") == 4040
    token = pickle.loads((tmp_path / "token").read_bytes())
    assert tiling.count(resume=token) == 4040
    assert tiling.count(checkpoint=tmp_path / "count.db") == 4040


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
@pytest.mark.parametrize("how", ["", "executor=pool"])
def test_interrupt(how: str, tmp_path: Path) -> None:
    """Ctrl-C from outside: caught with what was found, and the same process counts on."""
    program = f"""
from concurrent.futures import ThreadPoolExecutor
begun = lambda report: report.nodes and print("running", flush=True)
large = gk.Tiling(gk.Board.rectangle(10, 10), gk.pieces.tetrominoes().values(), None)
with ThreadPoolExecutor(2) as pool:
    try:
        large.count(method="bitset", progress=begun, {how})
    except gk.Interrupted as interrupted:
        partial, token = interrupted.partial, pickle.dumps(interrupted.token)
    assert partial.nodes > 0 and partial.fraction < 1, partial
    try:
        large.count(method="bitset", resume=pickle.loads(token), limit=gk.Limit(nodes=5000))
    except gk.LimitReached as reached:
        assert reached.partial.nodes == partial.nodes + 5000, (reached.partial, partial)
        assert reached.partial.value >= partial.value
    print(gk.Tiling(gk.Board.rectangle(3, 4), [gk.Polyomino.parse("##")], None).count())
"""
    with subprocess.Popen(
        [sys.executable, "-c", FIRST + program],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "running\n"
        child.send_signal(signal.SIGINT)
        output, errors = child.communicate(timeout=120)
    assert child.returncode == 0, errors
    assert output.endswith("\n11\n") or output == "11\n"
