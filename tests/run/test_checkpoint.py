"""Checkpoint files: killed, shared, damaged, foreign."""

from __future__ import annotations

import math
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridkit.errors import CheckpointError, InputError, Interrupted, LimitReached
from gridkit.run import Limit
from gridkit.run._owner import Owner
from gridkit.run.checkpoint import FORMAT, Checkpoint
from gridkit.run.parallel import Part
from programs.run import SOLUTIONS, count_queens, parts_of_queens

TESTS = Path(__file__).parents[1]


def opened(path: Path, size: int = 8, engine: str = "queens 1") -> Checkpoint:
    return Checkpoint(
        path, problem=f"queens {size}", engine=engine, split=lambda: parts_of_queens(size)
    )


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait for the disk, which is nothing that a test could see."""
    monkeypatch.setattr("gridkit.run.checkpoint._SYNCHRONOUS", "OFF")
    monkeypatch.setattr("os.fsync", lambda file: None)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "count.db"


@pytest.fixture
def begun(path: Path) -> Path:
    """A file of a count that was cut short."""
    with pytest.raises(LimitReached):
        count_queens(8, ledger=opened(path), limit=Limit(nodes=1000))
    return path


def test_a_whole_count(path: Path) -> None:
    assert count_queens(8, ledger=opened(path)) == 92
    assert [file.name for file in path.parent.iterdir()] == ["count.db"]
    book = opened(path)
    assert book.remaining() == 0
    assert all(part.done for part in book.parts())
    assert count_queens(8, ledger=book, limit=Limit(nodes=0)) == 92


def test_threads_on_a_checkpoint(path: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        assert count_queens(9, executor=pool, ledger=opened(path, 9)) == SOLUTIONS[9]


@settings(max_examples=20)
@given(budgets=st.lists(st.integers(0, 800), max_size=6))
def test_a_count_cut_short_continues(
    budgets: list[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("checkpoint") / "count.db"
    spent = 0
    for nodes in budgets:
        try:
            assert count_queens(8, ledger=opened(path), limit=Limit(nodes=nodes)) == 92
        except LimitReached:
            spent += nodes
            book = opened(path)
            assert sum(part.nodes for part in book.parts()) == spent
            book.release()
    assert count_queens(8, ledger=opened(path)) == 92


CHILD = """
import sys
from contextlib import nullcontext
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from gridkit.run import checkpoint, parallel
from gridkit.run.checkpoint import Checkpoint
from programs.run import count_queens, parts_of_queens
path, size, workers = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
checkpoint._LEASE_SECONDS = float(sys.argv[4])
parallel._INLINE_SECONDS = parallel._VISIT_SECONDS = 0.004
print("ready", flush=True)
book = Checkpoint(
    path, problem=f"queens {size}", engine="queens 1", split=lambda: parts_of_queens(size)
)
with ThreadPoolExecutor(workers) if workers else nullcontext() as pool:
    print(count_queens(size, executor=pool, ledger=book), flush=True)
"""


def child(path: Path, size: int, workers: int, lease: float = 60.0) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(path), str(size), str(workers), str(lease)],
        cwd=TESTS,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def ending(process: subprocess.Popen[str]) -> str:
    """Return what a child prints after its first line, when it has ended.

    `Popen.communicate` would lose a line that came together with the first one.
    """
    assert process.stdout is not None
    guard = threading.Timer(120, process.kill)
    guard.start()
    output = process.stdout.read()
    process.wait()
    guard.cancel()
    return output


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_killed_at_random_moments(tmp_path: Path) -> None:
    chance = random.Random(20)
    kills = runs = 0
    while kills < 20:
        runs += 1
        path = tmp_path / f"{runs}.db"
        before = 0
        while kills < 20:
            with child(path, 10, workers=chance.choice([0, 2])) as process:
                time.sleep(chance.uniform(0.0, 0.12))
                process.kill()
                output = ending(process)
            if process.returncode == 0:
                assert output == f"{SOLUTIONS[10]}\n"
                break
            assert process.returncode == -signal.SIGKILL
            kills += 1
            if path.exists():
                book = opened(path, 10)
                spent = sum(part.nodes for part in book.parts())
                assert spent >= before
                before = spent
                # The dead process holds nothing.
                left = book.remaining()
                assert len(book.claim(1000)) == left
                book.release()
        assert count_queens(10, ledger=opened(path, 10)) == SOLUTIONS[10]


def test_two_processes_share_a_file(path: Path) -> None:
    with child(path, 11, 0) as first, child(path, 11, 2) as second:
        outputs = [ending(process) for process in (first, second)]
    assert outputs == [f"{SOLUTIONS[11]}\n"] * 2
    nodes = sum(part.nodes for part in opened(path, 11).parts())
    alone = path.with_name("alone.db")
    assert count_queens(11, ledger=opened(alone, 11)) == SOLUTIONS[11]
    assert nodes == sum(part.nodes for part in opened(alone, 11).parts())


def test_a_part_is_claimed_once(path: Path) -> None:
    first, second = opened(path), opened(path)
    parts = len(first.parts())
    mine = first.claim(10)
    assert len(mine) == 10
    theirs = second.claim(1000)
    assert sorted(mine + theirs) == list(range(parts))
    assert second.claim(1000) == []
    first.release()
    assert sorted(second.claim(1000)) == sorted(mine)
    second.release()


def test_the_heaviest_parts_are_claimed_first(path: Path) -> None:
    weights = [3.0, 1.0, 9.0, 5.0]
    book = Checkpoint(
        path, problem="p", engine="e", split=lambda: [Part((), weight=w) for w in weights]
    )
    assert book.claim(2) == [2, 3]
    assert book.claim(9) == [0, 1]
    book.release()


def test_a_part_taken_over_is_counted_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that slept past its claim comes back with an answer that is there already."""
    slow = opened(path)
    number = slow.claim(1)[0]
    monkeypatch.setattr("gridkit.run.checkpoint.time.time", lambda: time.monotonic() + 4e9)
    quick = opened(path)
    assert number in quick.claim(1000)
    answer = replace(quick.parts()[number], value=5, found=5, nodes=7, done=True)
    quick.record({number: answer})
    slow.record({number: replace(answer, value=3, found=3, done=False)})
    slow.tend()
    quick.release()
    slow.release()
    assert opened(path).parts()[number] == replace(answer)


def test_a_finished_part_counts_once_whatever_the_clock_does(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The claims of a part look expired while its result waits for the next commit."""
    book = opened(path)
    (number,) = book.claim(1)
    book._next_commit = math.inf
    answer = replace(book.parts()[number], value=5, found=5, nodes=7, done=True)
    book.record({number: answer})
    remaining = book.remaining()
    for hours in (1, -1, 1000):
        now = time.time() + 3600 * hours
        monkeypatch.setattr("gridkit.run.checkpoint.time.time", lambda now=now: now)
        assert number not in book.claim(3)
        book.tend()
    assert book.remaining() == remaining
    assert book.parts()[number] == answer
    book.record({number: answer})
    assert book.remaining() == remaining
    book.release()
    assert opened(path).parts()[number] == answer


def test_a_clock_that_steps_all_the_time(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(5)
    monkeypatch.setattr("gridkit.run.checkpoint.time.time", lambda: 1e9 + chance.uniform(-1e6, 1e6))
    monkeypatch.setattr("gridkit.run.parallel._INLINE_SECONDS", 0.002)
    monkeypatch.setattr("gridkit.run.checkpoint._LONGEST_DELAY", 0.05)
    monkeypatch.setattr("gridkit.run.checkpoint._COMMIT_SHARE", 1e-9)
    book = opened(path, 9)
    with ThreadPoolExecutor(2) as pool:
        assert count_queens(9, executor=pool, ledger=book) == SOLUTIONS[9]


def test_a_part_taken_over_is_not_gone_on_with(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridkit.run.checkpoint._LONGEST_DELAY", 0.0)
    slow = opened(path)
    first, second = slow.claim(2)
    monkeypatch.setattr("gridkit.run.checkpoint.time.time", lambda: time.monotonic() + 4e9)
    quick = opened(path)
    assert {first, second} <= set(quick.claim(1000))
    further = replace(quick.parts()[first], nodes=9, value=2)
    quick.record({first: further})
    slow.record({first: replace(further, nodes=3, value=1)})
    assert not slow.is_ours(first)
    assert slow.parts()[first] == further
    # Whoever finishes a part finds the same: such an answer is kept.
    slow.record({second: replace(slow.parts()[second], value=4, done=True)})
    quick.record({second: replace(quick.parts()[second], value=3)})
    assert not quick.is_ours(second)
    quick.release()
    slow.release()
    parts = opened(path).parts()
    assert (parts[first], parts[second].value, parts[second].done) == (further, 4, True)


@contextmanager
def stopped_between_commits(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Begin to count in another process and stop it where it does not hold the file's lock."""
    with child(path, 11, 0, lease=0.2) as process:
        try:
            while not path.exists():
                time.sleep(0.01)
            locked = True
            while locked:
                time.sleep(0.1)
                process.send_signal(signal.SIGSTOP)
                time.sleep(0.1)
                try:
                    file = sqlite3.connect(path, timeout=0, isolation_level=None)
                    file.execute("BEGIN EXCLUSIVE")
                    locked = False
                except sqlite3.OperationalError:
                    process.send_signal(signal.SIGCONT)
                finally:
                    file.close()
            time.sleep(0.2)
            yield process
        finally:
            process.kill()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGSTOP")
def test_a_process_that_was_stopped_past_its_claims(path: Path) -> None:
    with stopped_between_commits(path) as stopped, child(path, 11, 0, lease=0.2) as other:
        time.sleep(0.3)
        stopped.send_signal(signal.SIGCONT)
        outputs = [ending(process) for process in (stopped, other)]
    assert outputs == [f"{SOLUTIONS[11]}\n"] * 2
    assert count_queens(11, ledger=opened(path, 11)) == SOLUTIONS[11]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGSTOP")
def test_a_process_that_was_stopped_until_all_was_done(path: Path) -> None:
    with stopped_between_commits(path) as stopped:
        with child(path, 11, 0, lease=0.2) as other:
            assert ending(other) == f"{SOLUTIONS[11]}\n"
        stopped.send_signal(signal.SIGCONT)
        assert ending(stopped) == f"{SOLUTIONS[11]}\n"


@pytest.mark.parametrize("moment", ["claim", "record", "tend", "release"])
def test_interrupt_while_another_process_holds_the_lock(
    path: Path, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C is answered at once, with what was counted; the claims are given back later."""
    monkeypatch.setattr("gridkit.run.parallel._INLINE_SECONDS", 0.001)
    book = opened(path, 9)
    lock = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    call = getattr(book, moment)
    if moment == "release":  # all is counted, nothing is in the file yet: it has to be waited for
        book._next_commit = math.inf

    def press_while_locked(*arguments: object) -> object:
        if moment in ("claim", "release") or book.parts()[0].nodes or book._pending:
            lock.execute("BEGIN EXCLUSIVE")
            book._next_commit = book._tended = -math.inf
            threading.Timer(0.1, signal.raise_signal, [signal.SIGINT]).start()
            monkeypatch.setattr(book, moment, call)
        return call(*arguments)

    monkeypatch.setattr(book, moment, press_while_locked)
    if moment == "release":
        with pytest.raises(KeyboardInterrupt):
            count_queens(9, ledger=book)
    else:
        with pytest.raises(Interrupted) as caught:
            count_queens(9, ledger=book)
        assert caught.value.partial.value is not None
    lock.execute("ROLLBACK")
    lock.close()
    again = opened(path, 9)
    assert len(again.claim(1000)) == again.remaining()
    again.release()
    assert count_queens(9, ledger=opened(path, 9)) == SOLUTIONS[9]


def test_an_interrupt_while_the_claims_are_given_back_is_not_lost(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told wherever it comes: here in the middle of a statement that waits."""
    book = opened(path, 9)
    book.claim(1)
    lock = sqlite3.connect(path, isolation_level=None)
    lock.execute("BEGIN EXCLUSIVE")
    monkeypatch.setattr("gridkit.run.checkpoint.is_pressed", lambda: True)
    with pytest.raises(KeyboardInterrupt):
        book.release()
    lock.close()


def test_a_lock_that_is_never_given_back(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = opened(path)
    monkeypatch.setattr(book, "_patience", 0.1)
    lock = sqlite3.connect(path, isolation_level=None)
    lock.execute("BEGIN EXCLUSIVE")
    with pytest.raises(CheckpointError, match="cannot be used: database is locked"):
        book.claim(1)
    lock.close()
    book.release()


def test_claims_of_the_dead_and_of_the_living(path: Path) -> None:
    book = opened(path)
    assert len(book.claim(1000)) == len(book.parts())
    gone = Owner.here()
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    gone = replace(gone, process=process.pid)
    assert not gone.may_live()
    assert Owner.here().may_live()
    assert replace(gone, machine="elsewhere").may_live()
    assert Owner.parse(str(gone)) == gone
    with sqlite3.connect(path) as file:
        file.execute("UPDATE parts SET owner = ? WHERE number < 3", (str(gone),))
    file.close()
    other = opened(path)
    assert sorted(other.claim(1000)) == [0, 1, 2]
    other.release()
    book.release()


def test_every_kind_of_state_comes_back(path: Path) -> None:
    array = np.arange(6, dtype=np.uint64).reshape(2, 3)
    state = (1, -(1 << 63), 1 << 200, 0.1, "a", b"\0\xff", None, True, (), ((2,),), array)
    parts = [Part(state, value=1 << 90, found=1 << 90)]
    book = Checkpoint(path, problem="p", engine="e", split=lambda: parts)
    (part,) = book.parts()
    book.release()
    assert isinstance(part.state, tuple)
    assert part.state[:-1] == state[:-1]
    np.testing.assert_array_equal(part.state[-1], array)
    assert part.state[-1].dtype == array.dtype
    assert (part.value, part.found) == (1 << 90, 1 << 90)


# Files that are refused


def refused(path: Path, message: str, size: int = 8, engine: str = "queens 1") -> None:
    """Check that a file is refused with a message, and left as it is."""
    before, stamp = path.read_bytes(), path.stat().st_mtime_ns
    with pytest.raises(CheckpointError, match=message) as caught:
        opened(path, size, engine)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == before
    assert path.stat().st_mtime_ns == stamp
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_another_problem(begun: Path) -> None:
    refused(begun, "belongs to another problem", size=9)
    assert count_queens(8, ledger=opened(begun)) == 92


def test_another_engine(begun: Path) -> None:
    refused(begun, "was written by queens 1 of gridkit .* here it is queens 2", engine="queens 2")


def test_a_newer_format(begun: Path) -> None:
    with sqlite3.connect(begun) as file:
        file.execute(f"PRAGMA user_version = {FORMAT + 1}")
    file.close()
    refused(begun, f"has format {FORMAT + 1}, newer than the format {FORMAT}")


def test_an_older_format_that_never_was(begun: Path) -> None:
    with sqlite3.connect(begun) as file:
        file.execute("PRAGMA user_version = 0")
    file.close()
    refused(begun, "has the unknown format 0")


def test_another_database(path: Path) -> None:
    with sqlite3.connect(path) as file:
        file.execute("CREATE TABLE parts (number INTEGER)")
    file.close()
    refused(path, "is an SQLite file, but no gridkit checkpoint")


@pytest.mark.parametrize("content", [b"hello", b"SQLite format 3\0", bytes(5000)])
def test_no_database(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    refused(path, "is no gridkit checkpoint")


def test_an_empty_file(path: Path) -> None:
    path.write_bytes(b"")
    refused(path, "is empty; remove it to begin anew")


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9, 0.999])
def test_a_truncated_file(begun: Path, share: float) -> None:
    content = begun.read_bytes()
    begun.write_bytes(content[: int(len(content) * share)])
    refused(begun, "is damaged|cannot be used")


@pytest.mark.parametrize("column", ["state", "value", "nodes", "found", "fraction", "done"])
def test_a_changed_line(begun: Path, column: str) -> None:
    with sqlite3.connect(begun) as file:
        file.execute(f"UPDATE parts SET {column} = 1 - done WHERE number = 30")
    file.close()
    refused(begun, "is damaged: part 30 does not match its seal")


def test_a_lost_line(begun: Path) -> None:
    with sqlite3.connect(begun) as file:
        file.execute("DELETE FROM parts WHERE number = 41")
    file.close()
    refused(begun, "is damaged: 41 parts instead of 42")


def test_random_damage_never_changes_the_answer(begun: Path) -> None:
    content = begun.read_bytes()
    chance = random.Random(7)
    refusals = 0
    for _ in range(50):
        damaged = bytearray(content)
        at = chance.randrange(len(content))
        for place in range(at, min(at + 8, len(content))):
            damaged[place] = chance.randrange(256)
        begun.write_bytes(damaged)
        try:
            assert count_queens(8, ledger=opened(begun)) == 92  # only unused room was hit
        except CheckpointError:
            refusals += 1
            assert begun.read_bytes() == damaged
    assert refusals > 5


def test_paths_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="cannot be used: Is a directory"):
        opened(tmp_path)
    with pytest.raises(CheckpointError, match="cannot be used: No such file or directory"):
        opened(tmp_path / "missing" / "count.db")
    with pytest.raises(InputError, match="checkpoint must be a path, got int"):
        opened(3)  # type: ignore[arg-type]  # wrong on purpose


def test_a_failing_split_is_no_fault_of_the_file(path: Path) -> None:
    def fail() -> list[Part]:
        raise InputError("no such thing")

    with pytest.raises(InputError, match="no such thing"):
        Checkpoint(path, problem="p", engine="e", split=fail)
    assert not path.exists()
