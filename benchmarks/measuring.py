"""What a benchmark is, and how it is measured: cases, ways, interleaved runs, memory.

A `Case` is a piece of work with its right answer; its ways are the programs that do it, ours first.
Every way runs once uncounted, which loads kernels and checks the answer; then all run in turn,
forwards and backwards, so that each sees the same machine.
"""

from __future__ import annotations

import gc
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["AGREE", "Case", "Measured", "Result", "Way", "measure", "process"]

Way = Callable[[], object]

AGREE = object()  # as the expected answer: that of the first way


@dataclass(frozen=True)
class Measured:
    """What a way may return instead of its bare answer.

    Attributes
    ----------
    answer : object
        Compared with the expected one.
    seconds : float, optional
        For what measures itself (a C program, a process); else the driver's clock counts.
    amount : float, optional
        What was worked on, where it differs from the case's `amount`.
    facts : dict
        Other figures to show: lengths, bytes, ratios.
    """

    answer: object
    seconds: float | None = None
    amount: float | None = None
    facts: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Case:
    """A piece of work and the programs that do it.

    Attributes
    ----------
    name : str
        Unique in its file.
    setup : callable
        Builds the instance, untimed; returns the ways by name, ours first, references after.
    expected : object
        The right answer; without one all ways must agree with the first.
    full : bool
        Left out of the short run.
    rounds : int
        Runs of each way at least; one is enough where a round takes more than five seconds.
    seconds : float
        Rounds go on until a way has had so many seconds on average (at most 100 rounds).
    amount, unit : float, str
        How many games, states or solutions the work consists of; shown as a rate.
    clock : callable
        CPU seconds of this process (all threads), or ``time.perf_counter`` where time is meant.
    """

    name: str
    setup: Callable[[], Mapping[str, Way]]
    expected: object = AGREE
    full: bool = False
    rounds: int = 3
    seconds: float = 0.4
    amount: float | None = None
    unit: str = ""
    clock: Callable[[], float] = time.process_time


@dataclass
class Result:
    """One way of a case: "ok", "wrong", "fails" or "left out", and its figures."""

    case: str
    way: str
    status: str = "ok"
    message: str = ""
    times: list[float] = field(default_factory=list)
    peak: int | None = None
    amount: float | None = None
    unit: str = ""
    facts: dict[str, float] = field(default_factory=dict)

    def row(self) -> dict[str, object]:
        """Return the figures in JSON's terms: seconds, bytes."""
        return {
            "case": self.case,
            "way": self.way,
            "status": self.status,
            "message": self.message,
            "least": min(self.times, default=None),
            "median": statistics.median(self.times) if self.times else None,
            "runs": len(self.times),
            "peak": self.peak,
            "amount": self.amount,
            "unit": self.unit,
            "facts": self.facts,
        }


def measure(case: Case) -> list[Result]:
    """Check every way of a case, then time the right ones in turn."""
    try:
        ways = dict(case.setup())
    except Exception as error:
        return [Result(case.name, "set-up", "fails", f"{type(error).__name__}: {error}")]
    results = {name: Result(case.name, name) for name in ways}
    expected, begun = case.expected, case.clock()
    for name, way in ways.items():
        expected = _check(results[name], way, expected)
    usable = [name for name in ways if results[name].status == "ok"]
    told = sum(result.times.pop() for result in results.values() if result.times)
    rounds = 1 if case.clock() - begun + told > 5 else case.rounds
    made, spent, patience = 0, 0.0, time.monotonic() + 8 * case.seconds * len(usable)
    while usable and (
        made < rounds
        or (made < 100 and spent < case.seconds * len(usable) and time.monotonic() < patience)
    ):
        for name in usable if made % 2 == 0 else usable[::-1]:
            spent += _timed(case, results[name], ways[name], memory=made == 0)
        made += 1
    return list(results.values())


def _check(result: Result, way: Way, expected: object) -> object:
    """Run a way uncounted; return the answer that the next one must give."""
    try:
        outcome = way()
    except Exception as error:
        result.status, result.message = "fails", f"{type(error).__name__}: {error}"
        return expected
    answer = outcome
    if isinstance(outcome, Measured):
        answer = outcome.answer
        result.times.append(outcome.seconds or 0.0)  # for the caller to see how long a round is
    if expected is AGREE:
        return answer
    if answer != expected:
        result.status, result.message = "wrong", f"{answer!r:.60} instead of {expected!r:.60}"
    return expected


def _timed(case: Case, result: Result, way: Way, *, memory: bool) -> float:
    """Run a way once more; return its seconds on the case's clock."""
    if memory:
        gc.collect()
        before = _begin_peak()
    begun = case.clock()
    outcome = way()
    spent = case.clock() - begun
    result.amount, result.unit = case.amount, case.unit
    seconds = spent
    if isinstance(outcome, Measured):
        result.facts.update(outcome.facts)
        seconds = spent if outcome.seconds is None else outcome.seconds
        result.amount = case.amount if outcome.amount is None else outcome.amount
    if memory and before is not None:
        result.peak = max(_status("VmHWM") - before, 0)
    result.times.append(seconds)
    return max(spent, seconds)


def _begin_peak() -> int | None:
    """Reset the process's peak of memory; return the bytes held now, None where it cannot be."""
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
        return _status("VmRSS")
    except (OSError, StopIteration):
        return None  # not Linux


def _status(name: str) -> int:
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith(name))


def process(
    command: Sequence[str | Path], environment: Mapping[str, str] | None = None, text: str = ""
) -> Measured:
    """Run a process to its end; return what it printed, its CPU seconds and its peak in MB.

    A command that begins with "python" runs this Python.

    Raises
    ------
    RuntimeError
        With what it said, when it fails.
    """
    words = [sys.executable if word == "python" else str(word) for word in command]
    with subprocess.Popen(
        words, env={**os.environ, **(environment or {})}, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as child:  # fmt: skip
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdin.write(text)
        child.stdin.close()
        printed, said = child.stdout.read(), child.stderr.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise RuntimeError(f"exit status {child.returncode}: {said.strip()[-200:]}")
    facts = {"peak of the process in MB": round(usage.ru_maxrss / 1024)}
    return Measured(printed, usage.ru_utime + usage.ru_stime, facts=facts)
