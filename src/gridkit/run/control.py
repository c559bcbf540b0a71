"""Limits, progress and Ctrl-C for anything that runs in chunks.

An engine is a `Resumable`: it keeps its whole state in itself and advances by a budget of nodes.
`drive` runs it to the end, or raises `LimitReached` / `Interrupted` with the partial result and a
token from which the same call continues; `drive_found` does the same for engines that hand out
what they find on the way.
"""

from __future__ import annotations

import math
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Protocol, TypeVar

from gridkit.errors import InputError, Interrupted, LimitReached

__all__ = [
    "InterruptFlag",
    "Limit",
    "Partial",
    "Progress",
    "ProgressCallback",
    "Resumable",
    "deferred_interrupts",
    "drive",
    "drive_found",
]

T = TypeVar("T")

# A chunk aims at this many seconds: Ctrl-C answers well within 100 ms, overhead stays below 1 %.
_CHUNK_SECONDS = 0.03
_FIRST_BUDGET = 1 << 10
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
        """Spend at most `budget` nodes; return whether the work is complete.

        Called again once complete, it spends nothing and says so again.
        """

    def value(self) -> object:
        """Return the result so far."""

    def token(self) -> object:
        """Return what ``resume=`` needs to continue, or None if it cannot be continued."""


class InterruptFlag:
    """Whether Ctrl-C was pressed while kernels ran; the signal handler that notes it."""

    def __init__(self) -> None:
        self.pressed = False

    def __call__(self, signum: int, frame: FrameType | None) -> None:
        """Note the press."""
        if self.pressed:  # a second press does not wait for the chunk
            raise KeyboardInterrupt
        self.pressed = True


@contextmanager
def deferred_interrupts() -> Iterator[InterruptFlag]:
    """Turn Ctrl-C into a flag for the time of a ``with`` block.

    Only the main thread with Python's own handler is touched; elsewhere the flag stays False and
    signals behave as before.  A block inside another shares its flag.
    """
    flag = InterruptFlag()
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread():
        yield flag
    elif isinstance(handler, InterruptFlag):
        yield handler
    elif handler is not signal.default_int_handler:
        yield flag
    else:
        signal.signal(signal.SIGINT, flag)
        try:
            yield flag
        finally:
            signal.signal(signal.SIGINT, signal.default_int_handler)


class _Course:
    """One call of `drive`: its limits, its clock and the size of the next chunk."""

    def __init__(
        self, work: Resumable, limit: Limit | None, progress: ProgressCallback | None
    ) -> None:
        self.work = work
        self.limit = limit or Limit()
        self.progress = progress
        self.budget = _FIRST_BUDGET
        self.best_fraction = 0.0
        self.first_nodes = work.nodes
        self.begun = self.last_report = time.perf_counter()

    def check(self) -> None:
        """Raise `LimitReached` when a limit is met."""
        limit, work = self.limit, self.work
        reason = None
        if limit.nodes is not None and work.nodes - self.first_nodes >= limit.nodes:
            reason = f"node limit reached: {limit.nodes} nodes"
        elif limit.seconds is not None and self.seconds() >= limit.seconds:
            reason = f"time limit reached: {limit.seconds} seconds"
        elif limit.memory is not None and (held := work.memory()) > limit.memory:
            reason = f"memory limit reached: {held} bytes held, {limit.memory} allowed"
        if reason is not None:
            raise LimitReached(reason, self.partial(), work.token())

    def chunk(self) -> bool:
        """Advance the work by one chunk; return whether it is complete."""
        work, limit = self.work, self.limit
        budget = self.budget
        if limit.nodes is not None:
            budget = min(budget, limit.nodes - (work.nodes - self.first_nodes))
        started, before = time.perf_counter(), work.nodes
        finished = work.advance(budget)
        now = time.perf_counter()
        self._steer(budget, now - started, work.nodes - before)
        if finished:
            self.best_fraction = 1.0
        if self.progress is not None and (finished or now - self.last_report >= _PROGRESS_SECONDS):
            self.last_report = now
            self.progress(Progress(work.nodes, work.found, self.fraction(), self.seconds()))
        return finished

    def fraction(self) -> float:
        """Estimate the part done, never less than before; only when somebody asks."""
        if self.best_fraction < 1.0:
            self.best_fraction = max(self.best_fraction, min(self.work.fraction(), 1.0))
        return self.best_fraction

    def _steer(self, budget: int, seconds: float, nodes: int) -> None:
        """Set the next budget so that a chunk takes about `_CHUNK_SECONDS`."""
        aimed_seconds = _CHUNK_SECONDS
        if self.limit.seconds is not None:
            left = self.limit.seconds - self.seconds()
            aimed_seconds = max(0.001, min(aimed_seconds, left))
        if nodes <= 0:  # the engine does not count what it did: steer by what it was allowed
            nodes = budget
        aimed = int(nodes * aimed_seconds / max(seconds, 1e-9))
        self.budget = max(64, min(aimed, self.budget * 4, _LARGEST_BUDGET))

    def seconds(self) -> float:
        return time.perf_counter() - self.begun

    def partial(self) -> Partial:
        work = self.work
        return Partial(work.value(), work.nodes, work.found, self.fraction(), self.seconds())

    def interrupted(self) -> Interrupted:
        return Interrupted(self.partial(), self.work.token())


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
        On Ctrl-C, within a chunk (about 30 ms); also when the work ended in that very chunk, with
        the whole result in ``.partial``: a pressed Ctrl-C is never lost.
    """
    course = _Course(work, limit, progress)
    with deferred_interrupts() as interrupt:
        finished = False
        while not finished:
            course.check()
            finished = course.chunk()
            if interrupt.pressed or (not finished and stop is not None and stop()):
                raise course.interrupted()


def drive_found(
    work: Resumable,
    take: Callable[[], Iterable[T]],
    *,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
) -> Iterator[T]:
    """Advance `work` and yield what it finds on the way.

    Parameters
    ----------
    work : Resumable
        An engine whose `advance` comes back early, not complete, when its store of finds is full.
    take : callable
        Empties the store: returns the finds since the last call.
    limit, progress
        As for `drive`; the seconds that the consumer spends between items count.

    Yields
    ------
    object
        The finds, in order.  A limit or Ctrl-C is raised only when all finds before it have been
        yielded, so that a call resumed from its token repeats and skips none.  Between items
        Ctrl-C is Python's own.
    """
    course = _Course(work, limit, progress)
    finished = False
    while not finished:
        course.check()
        with deferred_interrupts() as interrupt:
            finished = course.chunk()
            cut = course.interrupted() if interrupt.pressed else None
        yield from take()
        if cut is not None:
            raise cut
