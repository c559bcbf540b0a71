"""What compiles kernels tells whom it keeps waiting: seconds, and a note for a person.

Kernels compile when they are first called on a machine, which takes seconds that no estimate of
the work should count.  The module imports nothing of the library: run/jit.py uses it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from weakref import WeakMethod

__all__ = ["NOTE", "Compilation", "compilation", "listener"]

NOTE = "compiling kernels, once"
_UNKEPT = (
    "gridkit: compiling kernels, anew in every process: no folder for them can be written "
    "(set NUMBA_CACHE_DIR to one)"
)

listener: ContextVar[WeakMethod[Callable[[], None]] | None] = ContextVar(
    "gridkit listener", default=None
)
"""The method to call when kernels begin to compile: that of the call that has a ``progress=``."""


class Compilation:
    """The account of what this process spent compiling kernels."""

    def __init__(self) -> None:
        self.depth = 0
        self.total = 0.0
        self.since: float | None = None
        self.said = False

    def seconds(self) -> float:
        """Return the seconds spent so far, those of a compilation under way included."""
        since = self.since
        return self.total + (0.0 if since is None else time.perf_counter() - since)

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count the time from `begin` to the end of the outermost block of this kind."""
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1
            if not self.depth and self.since is not None:
                self.total, self.since = self.seconds(), None

    def begin(self, *, kept: bool) -> None:
        """Begin to count: what the block needs is in no cache; `kept` says whether it will be.

        Tells the call that has a ``progress=``, else whoever sits at a terminal, once.
        """
        if self.since is not None:
            return
        self.since = time.perf_counter()
        reference = listener.get()
        notify = None if reference is None else reference()
        if notify is not None:
            notify()
        elif not self.said:
            self.said = True
            _print(f"gridkit: {NOTE}" if kept else _UNKEPT)


def _print(line: str) -> None:
    try:
        if sys.stderr.isatty():
            print(line, file=sys.stderr, flush=True)
    except (AttributeError, OSError, ValueError):
        pass  # no stream at all, or a closed one


compilation = Compilation()
