"""Limits, Ctrl-C and progress of a single call."""

from __future__ import annotations

import math
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridkit.errors import InputError, Interrupted, LimitReached
from gridkit.run import Limit, Partial, Progress, Run
from gridkit.run.interrupts import deferred_interrupts
from programs.run import (
    SOLUTIONS,
    CompiledQueens,
    Endless,
    Queens,
    State,
    drive,
    drive_found,
    placements,
    state_of,
)

TESTS = Path(__file__).parents[1]


class Pressing(Queens):
    """Presses Ctrl-C in the course of its work, in the chunk that passes a number of nodes."""

    press_at = 1000

    def advance(self, budget: int) -> bool:
        before = self.nodes
        done = super().advance(budget)
        if before < self.press_at <= self.nodes:
            signal.raise_signal(signal.SIGINT)
        return done


def test_reference_is_right() -> None:
    for size in (1, 4, 5, 6, 7):
        assert placements(size) == SOLUTIONS[size]


@pytest.mark.parametrize("kind", [Queens, CompiledQueens])
def test_work_runs_to_its_end(kind: type[Queens]) -> None:
    for size in (1, 4, 8):
        work = kind(size)
        drive(work)
        assert work.value() == SOLUTIONS[size]


def test_plain_and_compiled_work_visit_the_same_nodes() -> None:
    plain, compiled = Queens(8), CompiledQueens(8)
    done = False
    while not done:
        done = plain.advance(97)
        assert compiled.advance(97) == done
        assert compiled.token() == plain.token()


@given(st.integers(0, 3000))
def test_node_limit_is_exact_and_the_call_continues(nodes: int) -> None:
    whole = Queens(8)
    drive(whole)
    work = Queens(8)
    if nodes >= whole.nodes:
        drive(work, limit=Limit(nodes=nodes + 1))
        return
    with pytest.raises(LimitReached, match=f"node limit reached: {nodes} nodes") as caught:
        drive(work, limit=Limit(nodes=nodes))
    partial = caught.value.partial
    assert isinstance(partial, Partial)
    assert partial.nodes == nodes
    assert partial.value == work.found <= whole.found
    continued = Queens(8, resume=state_of(caught.value))
    drive(continued)
    assert (continued.found, continued.nodes) == (whole.found, whole.nodes)


def test_node_limit_counts_from_the_call_that_continues() -> None:
    work = Queens(8)
    calls = 0
    while True:
        try:
            drive(work, limit=Limit(nodes=500))
        except LimitReached as reached:
            calls += 1
            assert work.nodes == 500 * calls
            work = Queens(8, resume=state_of(reached))
        else:
            break
    assert work.found == 92
    assert calls == math.ceil(work.nodes / 500) - 1


def test_time_limit() -> None:
    work = Endless()
    with pytest.raises(LimitReached, match=r"time limit reached: 0\.02 seconds") as caught:
        drive(work, limit=Limit(seconds=0.02))
    assert isinstance(caught.value.partial, Partial)
    assert caught.value.partial.seconds >= 0.02


def test_memory_limit() -> None:
    with pytest.raises(LimitReached, match=r"memory limit reached: .* 100000 allowed"):
        drive(Endless(), limit=Limit(memory=100_000))


@pytest.mark.parametrize("bound", ["nodes", "seconds", "memory"])
@pytest.mark.parametrize("value", [-1, "3", True, math.nan, 1 + 2j, [1]])
def test_limits_that_are_no_limits(bound: str, value: object) -> None:
    with pytest.raises(InputError, match=f"Limit: {bound} must be"):
        Limit(**{bound: value})  # type: ignore[arg-type]  # wrong on purpose


def test_nodes_and_memory_are_whole_numbers() -> None:
    with pytest.raises(InputError):
        Limit(nodes=1.5)  # type: ignore[arg-type]  # wrong on purpose
    assert Limit(seconds=math.inf).seconds == math.inf


def test_progress_is_monotone_and_ends_at_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridkit.run.control._PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr("gridkit.run.control._FIRST_BUDGET", 64)
    monkeypatch.setattr("gridkit.run.control._LARGEST_BUDGET", 64)
    seen: list[Progress] = []
    drive(Queens(8), progress=seen.append)
    assert len(seen) > 10
    for earlier, later in pairwise(seen):
        assert earlier.nodes <= later.nodes
        assert earlier.found <= later.found
        assert earlier.fraction <= later.fraction
        assert earlier.seconds <= later.seconds
    assert 0 < seen[0].fraction < 0.2
    assert (seen[-1].fraction, seen[-1].found) == (1.0, 92)
    assert [report.fraction for report in seen].count(1.0) == 1


def test_an_error_of_the_callback_reaches_the_caller() -> None:
    def fail(progress: Progress) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        drive(Queens(6), progress=fail)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_interrupt_carries_what_was_found_and_the_call_continues() -> None:
    work = Pressing(8)
    with pytest.raises(Interrupted) as caught:
        drive(work)
    assert isinstance(caught.value, KeyboardInterrupt)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    partial = caught.value.partial
    assert isinstance(partial, Partial)
    assert partial.nodes >= 1000
    assert 0 < partial.fraction < 1
    continued = Queens(8, resume=state_of(caught.value))
    drive(continued)
    assert continued.found == 92


def test_interrupt_in_the_last_chunk_is_not_lost() -> None:
    work = Pressing(6)
    work.press_at = 1
    with pytest.raises(Interrupted) as caught:
        drive(work)
    assert isinstance(caught.value.partial, Partial)
    assert (caught.value.partial.value, caught.value.partial.fraction) == (4, 1.0)
    continued = Queens(6, resume=state_of(caught.value))
    drive(continued)
    assert continued.found == 4


def test_second_press_does_not_wait() -> None:
    class Stuck(Endless):
        def advance(self, budget: int) -> bool:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
            raise AssertionError("unreachable")

    with pytest.raises(KeyboardInterrupt) as caught:
        drive(Stuck())
    assert not isinstance(caught.value, Interrupted)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_nested_calls_share_the_interrupt() -> None:
    class Outer(Endless):
        def advance(self, budget: int) -> bool:
            drive(Pressing(8))
            return True

    with pytest.raises(Interrupted):
        drive(Outer())


def test_own_signal_handlers_are_left_alone() -> None:
    pressed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: pressed.append(number))
    try:
        work = Pressing(8)
        drive(work)
    finally:
        signal.signal(signal.SIGINT, before)
    assert work.found == 92
    assert pressed == [signal.SIGINT]


def test_other_threads_leave_signals_alone() -> None:
    found = []

    def run() -> None:
        with deferred_interrupts() as flag:
            found.append((flag.pressed, signal.getsignal(signal.SIGINT)))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert found == [(False, signal.default_int_handler)]


def test_stop_acts_as_an_interrupt() -> None:
    work = Queens(8)
    with pytest.raises(Interrupted):
        Run().drive(work, stop=lambda: work.nodes > 500)
    assert work.nodes < 2000


class Listing(Queens):
    """Hands out the number of the node of each solution, at most three at a time."""

    def __init__(self, size: int, resume: State | None = None) -> None:
        super().__init__(size, (), resume)
        self.store: list[int] = []

    def advance(self, budget: int) -> bool:
        for _ in range(budget):
            before = self.found
            if super().advance(1):
                return True
            if self.found > before:
                self.store.append(self.nodes)
                if len(self.store) == 3:
                    return False
        return False

    def take(self) -> list[int]:
        taken, self.store = self.store, []
        return taken


def listing(work: Listing, limit: Limit | None = None) -> Iterator[int]:
    return drive_found(work, work.take, limit=limit)


def test_finds_come_in_order_and_all() -> None:
    found = list(listing(Listing(8)))
    assert len(found) == 92
    assert found == sorted(set(found))


@given(st.integers(1, 700))
def test_finds_continue_without_repeats_or_gaps(nodes: int) -> None:
    found: list[int] = []
    state: State | None = None
    while True:
        try:
            found.extend(listing(Listing(7, state), Limit(nodes=nodes)))
            break
        except LimitReached as reached:
            state = state_of(reached)
    assert found == list(listing(Listing(7)))


def test_interrupt_between_finds_is_python_s_own() -> None:
    finds = listing(Listing(8))
    next(finds)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finds.close()  # type: ignore[attr-defined]  # it is a generator


def test_interrupt_in_a_kernel_of_another_process() -> None:
    """The real thing: a signal from outside, in compiled code."""
    program = """
from gridkit.errors import Interrupted
from programs.run import CompiledQueens, drive, state_of
warm = CompiledQueens(6)
drive(warm)
work = CompiledQueens(20)
begun = lambda report: print("running", flush=True) if report.nodes else None
try:
    drive(work, progress=begun)
except Interrupted as interrupted:
    partial = interrupted.partial
    assert state_of(interrupted) == work.token() and partial.nodes == work.nodes > 0
    assert 0 < partial.fraction < 1, partial
    again = CompiledQueens(8)
    drive(again)
    print(again.found)
"""
    with subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=TESTS,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "running\n"
        child.send_signal(signal.SIGINT)
        output, errors = child.communicate(timeout=60)
    assert child.returncode == 0, errors
    assert output.endswith("92\n")
