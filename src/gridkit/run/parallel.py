"""Work in parts, through any `concurrent.futures.Executor`.

A part is a `Part`: where its work stands.  A worker visits a part for half a second, advances it
and sends it back; the calling thread keeps the books, so limits, Ctrl-C, progress and checkpoints
work alike for threads, processes and clusters.  Only ``submit`` is used, with a top-level function
and small picklable arguments.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import CancelledError, Executor, Future, wait
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from typing import Generic, Protocol, TypeVar

from gridkit.errors import Interrupted, LimitReached, Partial, Token
from gridkit.run.control import Run
from gridkit.run.interrupts import InterruptFlag, deferred_interrupts
from gridkit.run.limits import Limit, Tier
from gridkit.run.work import Work

__all__ = ["Ledger", "Order", "Part", "run_parts", "spend"]

P = TypeVar("P")

# A visit is long enough to hide the way to another machine, short enough to lose without regret.
_VISIT_SECONDS = 0.5
_INLINE_SECONDS = 0.1
_POLL_SECONDS = 0.02
_HARVEST_SECONDS = 0.05
_LEAST_NODES = 1 << 12
_REPORT_SECONDS = 0.1
# Parts kept in the hands of an executor that does not tell its workers, when others share them.
_UNKNOWN_WINDOW = 64


@dataclass(frozen=True, slots=True)
class Part:
    """Where one part of the work stands.

    Attributes
    ----------
    state : object
        What a worker needs to begin or continue; small and picklable.
    weight : float
        Estimated share of the whole work, in any unit.
    value : object
        The part's result so far.
    nodes, found : int
        Spent and found so far.
    fraction : float
        Estimated fraction of this part that is done.
    done : bool
        Whether `value` is final.
    """

    state: object
    weight: float = 1.0
    value: object = 0
    nodes: int = 0
    found: int = 0
    fraction: float = 0.0
    done: bool = False


@dataclass(frozen=True, slots=True)
class Order:
    """What a worker may spend on one visit.

    Attributes
    ----------
    run : str
        Names the run: workers in the same process hear when it is called off.
    number : int
        Counts the visits of a run; a cluster that stores results by argument never mixes them up.
    limit : Limit
        Nodes, seconds and memory of this visit.
    tier : str
        Which tier is to answer, as the call was asked (see `gridkit.run.use_tier`).
    """

    run: str
    number: int
    limit: Limit
    tier: Tier = "auto"


Visit = Callable[[Order, P, Part], Part]


class Ledger(Protocol):
    """The books: which parts there are, who works on them, what came back."""

    @property
    def shared(self) -> bool:
        """Whether other processes may take parts from the same books."""

    def parts(self) -> Sequence[Part]:
        """Return all parts in order, as they stand."""

    def remaining(self) -> int:
        """Return how many parts are not done."""

    def claim(self, most: int) -> list[int]:
        """Take up to `most` parts that nobody works on, heaviest first; return their numbers."""

    def is_ours(self, number: int) -> bool:
        """Return whether a part that was claimed, and is not done, is still ours."""

    def record(self, changed: Mapping[int, Part]) -> None:
        """Enter what came back."""

    def tend(self) -> None:
        """Called often: keep the claims alive, look for what others entered."""

    def release(self) -> None:
        """Give back what was claimed and is not done."""


_called_off: dict[str, threading.Event] = {}


def spend(order: Order, work: Work, part: Part) -> Part:
    """Advance `work`, which stands where `part` says, as far as the order allows.

    The last line of every visit function: it returns the part as it stands afterwards.

    Raises
    ------
    LimitReached
        When the work holds more memory than allowed; other limits end the visit only.
    """
    event = _called_off.get(order.run)
    state: object = None
    done, fraction = False, part.fraction
    try:
        Run(limit=order.limit).drive(work, stop=None if event is None else event.is_set)
        done, fraction = True, 1.0
    except LimitReached as reached:
        memory = order.limit.memory
        if memory is not None and work.memory() > memory:
            raise LimitReached(reached.reason) from None
        state, fraction = work.token(), reached.partial.fraction
    except Interrupted as interrupted:
        state, fraction = work.token(), interrupted.partial.fraction
    return replace(
        part,
        state=state,
        value=work.value(),
        nodes=work.nodes,
        found=work.found,
        fraction=max(part.fraction, fraction),
        done=done,
    )


def run_parts(
    visit: Visit[P],
    problem: P,
    ledger: Ledger | Iterable[Part],
    run: Run,
    *,
    combine: Callable[[list[object]], object],
) -> object:
    """Finish all parts and combine their values in order.

    Parameters
    ----------
    visit : callable
        A top-level function ``visit(order, problem, part) -> part`` that ends in `spend`.  The
        resumed work counts nodes and finds from the beginning of its part.
    problem : object
        Passed to every visit; small and picklable.
    ledger : Ledger or iterable of Part
        The parts, or books that keep them (a checkpoint).
    run : Run
        The call.  Its executor does the visits, the calling thread without one.  Its nodes are
        never overspent, whatever the number of workers; its memory is that of one visit.
    combine : callable
        Makes one result of the values of all parts, given in order.

    Returns
    -------
    object
        What `combine` makes.

    Raises
    ------
    LimitReached, Interrupted
        With a `Partial` whose value is the combination of what is there, and a token whose data
        are the parts, as a tuple.
    """
    books = _Memory(ledger) if isinstance(ledger, Iterable) else ledger
    return _Foreman(visit, problem, books, run, combine).work()


class _Memory:
    """Books that nobody else reads."""

    shared = False

    def __init__(self, parts: Iterable[Part]) -> None:
        self._parts = list(parts)
        free = [number for number, part in enumerate(self._parts) if not part.done]
        self._remaining = len(free)
        # Taken from the end: the heaviest first, started ones before fresh ones.
        self._free = sorted(free, key=lambda n: (self._parts[n].nodes > 0, self._parts[n].weight))

    def parts(self) -> Sequence[Part]:
        return self._parts

    def remaining(self) -> int:
        return self._remaining

    def claim(self, most: int) -> list[int]:
        return [self._free.pop() for _ in range(min(most, len(self._free)))]

    def is_ours(self, number: int) -> bool:
        return True

    def record(self, changed: Mapping[int, Part]) -> None:
        for number, part in changed.items():
            self._parts[number] = part
            self._remaining -= part.done

    def tend(self) -> None:
        pass

    def release(self) -> None:
        pass


class _Inline(Executor):
    """The calling thread."""

    _max_workers = 0

    def submit(self, function, /, *arguments, **keywords):  # type: ignore[no-untyped-def]  # as in the base class
        future: Future[object] = Future()
        try:
            future.set_result(function(*arguments, **keywords))
        except BaseException as error:
            future.set_exception(error)
        return future


class _Foreman(Generic[P]):
    """One call of `run_parts`: hands out visits, collects what comes back."""

    def __init__(
        self,
        visit: Visit[P],
        problem: P,
        ledger: Ledger,
        run: Run,
        combine: Callable[[list[object]], object],
    ) -> None:
        self.visit, self.problem, self.ledger = visit, problem, ledger
        self.run, self.limit, self.combine = run, run.limit, combine
        self.executor = _Inline() if run.executor is None else run.executor
        self.name = uuid.uuid4().hex
        self.numbers = count()
        self.idle: list[int] = []  # parts that are ours and in no worker's hands
        # Each with its part, and the nodes that are allowed and that were spent before.
        self.visits: dict[Future[Part], tuple[int, int, int]] = {}
        self.spent = run.spent
        self.interrupt = InterruptFlag()
        self.best_fraction = 0.0
        self.visit_seconds = _INLINE_SECONDS if run.executor is None else _VISIT_SECONDS
        self.window = self._window()

    def _window(self) -> int:
        """How many parts to hold at a time: enough that no worker waits."""
        workers = getattr(self.executor, "_max_workers", None)
        if isinstance(workers, int):
            return max(1, 2 * workers)
        parts = len(self.ledger.parts())
        return max(_UNKNOWN_WINDOW, parts // 4) if self.ledger.shared else max(1, parts)

    def work(self) -> object:
        event = _called_off[self.name] = threading.Event()
        try:
            with deferred_interrupts() as self.interrupt:
                while self.ledger.remaining():
                    self._check_limits()
                    self._hand_out()
                    self._collect(_POLL_SECONDS)
                    self.ledger.tend()
                    self._report()
                    if self.interrupt.pressed:
                        raise self._interrupted()
            self._report(final=True)
            return self._combined()
        except KeyboardInterrupt as error:  # of a second press, or while a lock was waited for
            if isinstance(error, Interrupted):
                raise
            raise self._interrupted() from error
        finally:
            event.set()
            for future in self.visits:
                future.cancel()
            del _called_off[self.name]
            self.ledger.release()

    def _hand_out(self) -> None:
        room = self.window - len(self.visits)
        if room > len(self.idle):
            self.idle[:0] = reversed(self.ledger.claim(room - len(self.idle)))
        while self.idle and len(self.visits) < self.window:
            if not self.ledger.is_ours(self.idle[-1]):  # others took it over
                self.idle.pop()
                continue
            nodes = self._allowance()
            if nodes == 0:
                return
            seconds = self.visit_seconds
            if self.limit.seconds is not None:
                seconds = max(0.001, min(seconds, self.limit.seconds - self.run.seconds()))
            limit = Limit(nodes, seconds, self.limit.memory)
            number = self.idle.pop()
            part = self.ledger.parts()[number]
            order = Order(self.name, next(self.numbers), limit, self.run.tier)
            future = self.executor.submit(self.visit, order, self.problem, part)
            self.visits[future] = number, nodes or 0, part.nodes
            if isinstance(self.executor, _Inline):
                return

    def _allowance(self) -> int | None:
        """Return the nodes for the next visit, so that all visits together keep to the limit."""
        if self.limit.nodes is None:
            return None
        left = self.limit.nodes - self.spent - sum(nodes for _, nodes, _ in self.visits.values())
        return max(0, min(left, max(left // (2 * self.window), _LEAST_NODES)))

    def _collect(self, seconds: float) -> None:
        """Enter what comes back within `seconds`, returning as soon as something does."""
        if not self.visits:  # the rest is in other processes' hands
            time.sleep(seconds)
            return
        failure = self._enter(seconds)
        if failure is None:
            return
        if self.interrupt.pressed or isinstance(failure, KeyboardInterrupt):
            raise self._interrupted() from failure
        if isinstance(failure, LimitReached):
            raise self._limit_reached(failure.reason)
        raise failure

    def _enter(self, seconds: float) -> BaseException | None:
        finished = wait(self.visits, timeout=seconds, return_when="FIRST_COMPLETED").done
        changed: dict[int, Part] = {}
        failure: BaseException | None = None
        for future in finished:
            number, _, before = self.visits.pop(future)
            try:
                part = future.result()
            except (Exception, CancelledError, KeyboardInterrupt) as error:
                failure = error
                continue
            self.spent += part.nodes - before
            changed[number] = part
            if not part.done:
                self.idle.append(number)
        self.ledger.record(changed)
        return failure

    def _check_limits(self) -> None:
        limit = self.limit
        if limit.seconds is not None and self.run.seconds() >= limit.seconds:
            raise self._limit_reached(f"time limit reached: {limit.seconds} seconds")
        if limit.nodes is not None and not self.visits and self._allowance() == 0:
            raise self._limit_reached(f"node limit reached: {limit.nodes} nodes")

    def _harvest(self) -> None:
        """Call the run off and enter what workers in this process bring back at once."""
        if _called_off[self.name].is_set():
            return
        _called_off[self.name].set()
        for future in self.visits:
            future.cancel()
        self.visits = {future: visit for future, visit in self.visits.items() if future.running()}
        deadline = time.perf_counter() + _HARVEST_SECONDS
        with suppress(KeyboardInterrupt):  # the ledger does not wait for its lock
            while self.visits and (remaining := deadline - time.perf_counter()) > 0:
                self._enter(remaining)

    def _limit_reached(self, reason: str) -> LimitReached:
        self._harvest()
        return LimitReached(reason, self._partial(), self._token())

    def _interrupted(self) -> Interrupted:
        self._harvest()
        return Interrupted(self._partial(), self._token())

    def _token(self) -> Token | None:
        return self.run.token(tuple(self.ledger.parts()))

    def _report(self, *, final: bool = False) -> None:
        if final or self.run.is_report_due(_REPORT_SECONDS):
            partial = self._partial()
            self.run.report(partial.nodes, partial.found, 1.0 if final else partial.fraction)

    def _partial(self) -> Partial[object]:
        parts = self.ledger.parts()
        whole = sum(part.weight for part in parts)
        done = sum(part.weight * (1.0 if part.done else part.fraction) for part in parts)
        fraction = min(done / whole, 1.0) if whole > 0 else 0.0
        self.best_fraction = max(self.best_fraction, fraction)
        nodes = sum(part.nodes for part in parts)
        found = sum(part.found for part in parts)
        return Partial(self._combined(), nodes, found, self.best_fraction, self.run.seconds())

    def _combined(self) -> object:
        return self.combine([part.value for part in self.ledger.parts()])
