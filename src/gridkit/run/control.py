"""Limits, progress and Ctrl-C for anything that runs in chunks.

An engine is a `Resumable`: it keeps its whole state in itself and advances by a budget of nodes.
`drive` runs it to the end, or raises `LimitReached` / `Interrupted` with the partial result and a
token from which the same call continues.
"""

from __future__ import annotations

import math
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Protocol

from gridkit.errors import InputError, Interrupted, LimitReached

__all__ = ["Limit", "Partial", "Progress", "ProgressCallback", "Resumable", "drive"]

# A chunk aims at this many seconds: Ctrl-C answers well within 100 ms, overhead stays below 1 %.
_CHUNK_SECONDS = 0.03
_FIRST_BUDGET = 1 << 15
_LARGEST_BUDGET = 1 << 26
_PROGRESS_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Limit:
    """How much a call may spend; None means no bound.

    Parameters
    ----------
    nodes : int, optional
        Search nodes (engines say what a node is).
    seconds : float, optional
        Wall-clock seconds of this call.
    memory : int, optional
        Bytes of working memory that the engine may hold.

    Examples
    --------
    >>> Limit(nodes=1_000_000, seconds=2.5)
    Limit(nodes=1000000, seconds=2.5, memory=None)
    """

    nodes: int | None = None
    seconds: float | None = None
    memory: int | None = None

    def __post_init__(self) -> None:
        for name in ("nodes", "memory"):
            value = getattr(self, name)
            if value is not None and (
                isinstance(value, bool) or not isinstance(value, int) or value < 0
            ):
                raise InputError(f"Limit: {name} must be an int >= 0 or None, got {value!r}")
        seconds = self.seconds
        if seconds is not None and (
            isinstance(seconds, bool)
            or not isinstance(seconds, int | float)
            or math.isnan(seconds)
            or seconds < 0
        ):
            raise InputError(f"Limit: seconds must be a number >= 0 or None, got {seconds!r}")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a running call is; passed to the ``progress=`` callable.

    Attributes
    ----------
    nodes : int
        Search nodes so far.
    found : int
        Solutions (or states, where the engine says so) so far.
    fraction : float
        Estimated part of the work done, monotone, 1 at the end.
    seconds : float
        Wall-clock seconds since the call began.
    """

    nodes: int
    found: int
    fraction: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Partial:
    """What a call cut short leaves behind.

    Attributes
    ----------
    value : object
        The call's result so far: for a count the lower bound, for searches None or the best found.
    nodes, found, fraction, seconds
        As in `Progress`.
    """

    value: object
    nodes: int
    found: int
    fraction: float
    seconds: float


ProgressCallback = Callable[[Progress], object]


class Resumable(Protocol):
    """Work that advances in chunks and keeps its whole state in itself."""

    @property
    def nodes(self) -> int:
        """Nodes spent so far."""

    @property
    def found(self) -> int:
        """Solutions found so far."""

    def fraction(self) -> float:
        """Estimate the part of the work that is done, between 0 and 1, monotone."""

    def memory(self) -> int:
        """Bytes of working memory held now."""

    def advance(self, budget: int) -> bool:
        """Spend at most about `budget` nodes; return whether the work is complete."""

    def value(self) -> object:
        """Return the result so far."""

    def token(self) -> object:
        """Return what ``resume=`` needs to continue, or None if it cannot be continued."""


class _InterruptFlag:
    """Whether Ctrl-C was pressed while kernels ran."""

    def __init__(self) -> None:
        self.pressed = False

    def __call__(self, signum: int, frame: FrameType | None) -> None:
        if self.pressed:  # a second press does not wait for the chunk
            raise KeyboardInterrupt
        self.pressed = True


@contextmanager
def deferred_interrupts() -> Iterator[_InterruptFlag]:
    """Turn Ctrl-C into a flag for the time of a ``with`` block.

    Only the main thread with Python's own handler is touched; elsewhere the flag stays False and
    signals behave as before.
    """
    flag = _InterruptFlag()
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield flag
        return
    signal.signal(signal.SIGINT, flag)
    try:
        yield flag
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def drive(
    work: Resumable,
    *,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
    stop: Callable[[], bool] | None = None,
) -> None:
    """Advance `work` to its end, chunk by chunk.

    Parameters
    ----------
    work : Resumable
        The engine; its result is read from it afterwards.
    limit : Limit, optional
        Node and time limits count from this call, not from where a resumed one began.
    progress : callable, optional
        Called with a `Progress` about ten times a second and once at the end.
    stop : callable, optional
        Asked between chunks; a true answer acts as Ctrl-C (for workers told to give up).

    Raises
    ------
    LimitReached
        When a limit is met before the end.
    Interrupted
        On Ctrl-C, within a chunk (about 30 ms).
    """
    limit = limit or Limit()
    clock = time.perf_counter
    begun = last_report = clock()
    first_nodes = work.nodes
    budget = _FIRST_BUDGET
    best_fraction = 0.0

    def cut_short() -> Partial:
        return Partial(work.value(), work.nodes, work.found, best_fraction, clock() - begun)

    with deferred_interrupts() as interrupt:
        while True:
            reason = _limit_met(limit, work, work.nodes - first_nodes, clock() - begun)
            if reason is not None:
                raise LimitReached(reason, cut_short(), work.token())
            chunk = budget
            if limit.nodes is not None:
                chunk = min(chunk, limit.nodes - (work.nodes - first_nodes))
            started, before = clock(), work.nodes
            finished = work.advance(chunk)
            now = clock()
            best_fraction = 1.0 if finished else max(best_fraction, min(work.fraction(), 1.0))
            if progress is not None and (finished or now - last_report >= _PROGRESS_SECONDS):
                last_report = now
                progress(Progress(work.nodes, work.found, best_fraction, now - begun))
            if finished:
                return
            if interrupt.pressed or (stop is not None and stop()):
                raise Interrupted(cut_short(), work.token())
            budget = _next_budget(budget, now - started, work.nodes - before)


def _limit_met(limit: Limit, work: Resumable, nodes: int, seconds: float) -> str | None:
    if limit.nodes is not None and nodes >= limit.nodes:
        return f"node limit reached: {limit.nodes} nodes"
    if limit.seconds is not None and seconds >= limit.seconds:
        return f"time limit reached: {limit.seconds} seconds"
    if limit.memory is not None and work.memory() > limit.memory:
        return f"memory limit reached: {work.memory()} bytes held, {limit.memory} allowed"
    return None


def _next_budget(budget: int, seconds: float, nodes: int) -> int:
    """Steer the chunk towards `_CHUNK_SECONDS`, at most doubling or quartering at a time."""
    if seconds <= 0 or nodes <= 0:
        return min(budget * 2, _LARGEST_BUDGET)
    aimed = int(nodes * _CHUNK_SECONDS / seconds)
    return max(64, min(aimed, budget * 2, _LARGEST_BUDGET), budget // 4)
