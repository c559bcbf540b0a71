"""One public call that may take long: its options, its clock and what it has spent.

A public call makes one `Run` of its keywords and passes it on as one argument.  An engine is a
`Work`: it keeps its whole state in itself and advances by a budget of nodes.  `Run.drive` advances
it to the end, or raises `LimitReached` / `Interrupted` with the partial result and a `Token` from
which the same call continues; `Run.drive_found` does the same for engines that hand out what they
find on the way.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from copy import deepcopy
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar
from weakref import WeakMethod

from gridkit.errors import InputError, Interrupted, LimitReached, Partial, Token, UnsupportedError
from gridkit.reading import read_int
from gridkit.run.compilation import NOTE, compilation, listener
from gridkit.run.interrupts import CallGuard, deferred_interrupts, is_pressed
from gridkit.run.limits import (
    Limit,
    Progress,
    ProgressCallback,
    Tier,
    check_imports,
    check_kinds,
    current_tier,
    read_token,
)
from gridkit.run.work import Work

if TYPE_CHECKING:
    from concurrent.futures import Executor
else:
    from gridkit.hints import Executor

__all__ = ["Limit", "Partial", "Progress", "ProgressCallback", "Run"]

T = TypeVar("T")

# A chunk aims at this many seconds: Ctrl-C answers well within 100 ms, overhead stays below 1 %.
_CHUNK_SECONDS = 0.03
_FIRST_BUDGET = 1 << 10
_LARGEST_BUDGET = 1 << 26
_PROGRESS_SECONDS = 0.1
_NO_LIMIT = Limit()
_NOTHING_REPORTED = Progress(0, 0, 0.0, 0.0)


class Run:
    """The options of one public call, its clock and its account.

    Made at the very beginning of a call, so that its seconds are counted while the call prepares,
    and used as a context manager around all that the call does::

        with Run(limit=limit, progress=progress, resume=resume, nothing=0) as run:
            return count_matrix(self.matrix, run)

    Ctrl-C within the block raises `Interrupted`, and spares the imports of numba and numpy, which
    it would leave broken.

    Parameters
    ----------
    limit, progress, executor, parts, checkpoint, resume
        As the public call was given them; another kind of value is an `InputError`.
    nothing : object
        The value of the call when it is cut short before its work begins: 0 for a count.

    Attributes
    ----------
    limit : Limit
        Without any bound where none was given.
    progress, executor, parts, checkpoint, resume
        As given; `parts` as a Python int.
    tier : str
        Which tier is to answer: "auto", "plain" or "compiled" (see `use_tier`).
    spent : int
        Nodes that the call spent in works that are over, and in its preparation.

    Raises
    ------
    InputError
        For options of the wrong kind.
    UnsupportedError
        For a token together with a checkpoint.
    """

    def __init__(
        self,
        *,
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
        executor: Executor | None = None,
        parts: int | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        resume: object = None,
        nothing: object = None,
    ) -> None:
        self.begun = time.perf_counter()
        check_kinds(limit, progress, executor, checkpoint)
        self.resume = read_token(resume)
        if checkpoint is not None and resume is not None:
            raise UnsupportedError(
                "resume: a checkpoint knows itself where to continue; pass one of the two"
            )
        self.limit = _NO_LIMIT if limit is None else limit
        self.progress = progress
        self.executor = executor
        self.parts = None if parts is None else read_int(parts, "parts", least=1)
        self.checkpoint = checkpoint
        self.tier: Tier = current_tier()
        self.nothing = nothing
        self.spent = 0
        self._reported = _NOTHING_REPORTED
        self._last_report = self.begun
        self._compiled_before = compilation.seconds()
        if progress is not None:
            listener.set(WeakMethod(self._note))
        self._call: str | Callable[[], str] = ""
        self._engine = ""
        self._guard = CallGuard()

    # The block of the call

    def __enter__(self) -> Self:
        self._guard.enter(sys._getframe(1))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._guard.leave()
        if self.progress is not None:
            listener.set(None)
        check_imports(error)
        pressed = kind is None and self._guard.pressed  # in an import at the very end
        if pressed or (kind is KeyboardInterrupt and isinstance(error, KeyboardInterrupt)):
            raise Interrupted(self._nothing_yet(), self.resume) from error

    # The clock and the bar

    def seconds(self) -> float:
        """Return the seconds since the call began."""
        return time.perf_counter() - self.begun

    @property
    def compiling(self) -> float:
        """Seconds that the process spent compiling kernels since the call began."""
        return compilation.seconds() - self._compiled_before

    def is_report_due(self, after: float = _PROGRESS_SECONDS) -> bool:
        """Return whether somebody watches who has not been told anything for `after` seconds."""
        return self.progress is not None and time.perf_counter() - self._last_report >= after

    def report(self, nodes: int, found: int, fraction: float) -> None:
        """Tell how far the call is."""
        if self.progress is not None:
            self._last_report = time.perf_counter()
            self._reported = Progress(nodes, found, fraction, self.seconds(), self.compiling)
            self.progress(self._reported)

    def _note(self) -> None:
        """Tell that kernels are compiled now."""
        if self.progress is not None:
            self.progress(replace(self._reported, seconds=self.seconds(), note=NOTE))

    # Preparation

    def check(self, nodes: int = 0, memory: int = 0) -> None:
        """Look at the limits and at Ctrl-C within a loop that prepares the work.

        To be called at least every few milliseconds.

        Parameters
        ----------
        nodes : int
            Nodes spent since the last check, where the loop counts any.
        memory : int
            Bytes held now.

        Raises
        ------
        LimitReached, Interrupted
            With the value `nothing`, and the token that the call itself was given: the call
            prepares anew when it is continued.
        """
        if is_pressed():
            raise Interrupted(self._nothing_yet(), self.resume)
        self.spent += nodes
        reason = self._reason(self.spent if nodes else -1, lambda: memory)
        if reason is not None:
            raise LimitReached(reason, self._nothing_yet(), self.resume)

    def _nothing_yet(self) -> Partial[object]:
        return Partial(self.nothing, self.spent, 0, 0.0, self.seconds())

    def _reason(self, nodes: int, memory: Callable[[], int]) -> str | None:
        """Return which limit is met, if any."""
        limit = self.limit
        if limit.nodes is not None and nodes >= limit.nodes:
            return f"node limit reached: {limit.nodes} nodes"
        if limit.seconds is not None and self.seconds() >= limit.seconds:
            return f"time limit reached: {limit.seconds} seconds"
        if limit.memory is not None and (held := memory()) > limit.memory:
            return f"memory limit reached: {held} bytes held, {limit.memory} allowed"
        return None

    # What a call does not offer

    @property
    def in_parts(self) -> bool:
        """Whether the caller asked for parts, by whatever keyword."""
        return self.executor is not None or self.parts is not None or self.checkpoint is not None

    def without_parts(self, call: str) -> None:
        """Refuse executor, parts and checkpoint where `call` does not split into parts.

        Raises
        ------
        UnsupportedError
            Naming the keyword.
        """
        for name in ("executor", "parts", "checkpoint"):
            if getattr(self, name) is not None:
                raise UnsupportedError(f"{name}: {call} does not split into parts")

    def without_resume(self, call: str) -> None:
        """Refuse a token where `call` cannot be continued.

        Raises
        ------
        UnsupportedError
            Naming the call.
        """
        if self.resume is not None:
            raise UnsupportedError(f"resume: {call} cannot be continued from a token")

    # Tokens

    @property
    def resumed_engine(self) -> str | None:
        """The engine of the token that the call continues from; None without one."""
        return None if self.resume is None else self.resume.engine

    def resumed(self, call: str | Callable[[], str], engine: str | Collection[str]) -> object:
        """Name the call in its tokens; return what the token it continues from holds.

        Parameters
        ----------
        call : str or callable
            The call and its problem, as `gridkit.run.work.call_name` makes it; a function that
            makes it where that takes long: it is asked for tokens only.
        engine : str or collection of str
            The engine that answers, with the version of its states: ``"bitset 1"``.  Of several,
            that of the token is taken, the first without one.

        Returns
        -------
        object
            A copy of the token's data, None without a token.

        Raises
        ------
        InputError
            For a token of another call, problem or engine.
        """
        engines = (engine,) if isinstance(engine, str) else tuple(engine)
        self._call, self._engine = call, engines[0]
        token = self.resume
        if token is None:
            return None
        if callable(call):
            call = self._call = call()
        if token.call != call:
            (name, *_), (own, *_) = token.call.split(), call.split()
            of = f"to {name}" if name != own else f"to {name} of another problem"
            raise InputError(f"resume: the token belongs {of}, this is {call}")
        if token.engine not in engines:
            raise InputError(
                f"resume: the token was written by the engine {token.engine!r}, here answers "
                + " or ".join(map(repr, engines))
            )
        self._engine = token.engine
        return deepcopy(token.data)

    def token(self, data: object) -> Token | None:
        """Return the token of this call for an engine's state.

        None for the state None, and for a call that was not named by `resumed`.
        """
        call = self._call() if callable(self._call) else self._call
        return None if data is None or not call else Token(call, self._engine, data)

    # Driving

    def drive(
        self,
        work: Work,
        *,
        at_most: int | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> bool:
        """Advance `work` to its end, chunk by chunk.

        Parameters
        ----------
        work : Work
            The engine; its result is read from it afterwards.
        at_most : int, optional
            Come back after so many nodes, for a trial that may be given up; not a limit.
        stop : callable, optional
            Asked between chunks; a true answer acts as Ctrl-C (for workers told to give up).

        Returns
        -------
        bool
            Whether the work is complete; False only with `at_most`.

        Raises
        ------
        LimitReached
            When a limit of the call is met before the end.  What works before this one spent
            counts.
        Interrupted
            On Ctrl-C, within a chunk (about 30 ms); also when the work ended in that very chunk,
            with the whole result in ``.partial``: a pressed Ctrl-C is never lost.
        """
        course = _Course(self, work, at_most)
        with deferred_interrupts() as interrupt:
            finished = False
            while not finished:
                course.check()
                if course.allowed() == 0:
                    break
                finished = course.chunk()
                if interrupt.pressed or (not finished and stop is not None and stop()):
                    raise course.interrupted()
        self.spent += course.nodes()
        return finished

    def drive_found(self, work: Work, take: Callable[[], Iterable[T]]) -> Iterator[T]:
        """Advance `work` and yield what it finds on the way.

        Parameters
        ----------
        work : Work
            An engine whose `advance` comes back early, not complete, when its store of finds is
            full.
        take : callable
            Empties the store: returns the finds since the last call.

        Yields
        ------
        object
            The finds, in order.  A limit or Ctrl-C is raised only when all finds before it have
            been yielded, so that a call resumed from its token repeats and skips none.  Between
            items Ctrl-C is Python's own, and the seconds that the consumer spends count.
        """
        course = _Course(self, work)
        finished = False
        while not finished:
            course.check()
            with deferred_interrupts() as interrupt:
                finished = course.chunk()
                cut = course.interrupted() if interrupt.pressed else None
            yield from take()
            if cut is not None:
                raise cut
        self.spent += course.nodes()


class _Course:
    """A work on its way to the end: what it spent, how far it is, the size of the next chunk."""

    def __init__(self, run: Run, work: Work, at_most: int | None = None) -> None:
        self.run = run
        self.work = work
        self.at_most = at_most
        self.budget = _FIRST_BUDGET
        self.best_fraction = 0.0
        self.first_nodes = work.nodes

    def nodes(self) -> int:
        """Return the nodes spent by this work in this call."""
        return self.work.nodes - self.first_nodes

    def check(self) -> None:
        """Raise `LimitReached` when a limit is met."""
        reason = self.run._reason(self.run.spent + self.nodes(), self.work.memory)
        if reason is not None:
            raise LimitReached(reason, self.partial(), self.run.token(self.work.token()))

    def allowed(self) -> int:
        """Return the size of the next chunk: 0 at the end of a trial."""
        budget = self.budget
        if self.run.limit.nodes is not None:
            budget = min(budget, self.run.limit.nodes - self.run.spent - self.nodes())
        if self.at_most is not None:
            budget = max(0, min(budget, self.at_most - self.nodes()))
        return budget

    def chunk(self) -> bool:
        """Advance the work by one chunk; return whether it is complete."""
        work, run = self.work, self.run
        budget, compiling = self.allowed(), run.compiling
        started, before = time.perf_counter(), work.nodes
        finished = work.advance(budget)
        now = time.perf_counter()
        spent = now - started - (run.compiling - compiling)
        self._steer(budget, spent, work.nodes - before)
        if finished:
            self.best_fraction = 1.0
        if run.progress is not None and (finished or run.is_report_due(_PROGRESS_SECONDS)):
            run.report(work.nodes, work.found, self.fraction())
        return finished

    def fraction(self) -> float:
        """Estimate the part done, never less than before; only when somebody asks."""
        if self.best_fraction < 1.0:
            self.best_fraction = max(self.best_fraction, min(self.work.fraction(), 1.0))
        return self.best_fraction

    def _steer(self, budget: int, seconds: float, nodes: int) -> None:
        """Set the next budget so that a chunk takes about `_CHUNK_SECONDS`."""
        aimed_seconds = _CHUNK_SECONDS
        if self.run.limit.seconds is not None:
            remaining = self.run.limit.seconds - self.run.seconds()
            aimed_seconds = max(0.001, min(aimed_seconds, remaining))
        if nodes <= 0:  # the engine does not count what it did: steer by what it was allowed
            nodes = budget
        aimed = int(nodes * aimed_seconds / max(seconds, 1e-9))
        self.budget = max(64, min(aimed, self.budget * 4, _LARGEST_BUDGET))

    def partial(self) -> Partial[object]:
        work = self.work
        return Partial(work.value(), work.nodes, work.found, self.fraction(), self.run.seconds())

    def interrupted(self) -> Interrupted:
        return Interrupted(self.partial(), self.run.token(self.work.token()))
