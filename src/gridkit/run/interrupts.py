"""Ctrl-C while something runs that must not be broken off.

Compiled code cannot be interrupted: between its chunks a flag tells that Ctrl-C was pressed.  The
imports of numba and numpy and the compilation of kernels can, but leave these packages broken for
the rest of the process; there the answer waits until they are complete.
"""

# This module imports nothing of the library: run/jit.py uses it.

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from types import FrameType, TracebackType
from typing import Protocol, cast

__all__ = ["CallGuard", "InterruptFlag", "deferred_interrupts", "is_pressed", "uninterrupted"]

_Handler = Callable[[int, FrameType | None], object] | int | None


class _Signals(Protocol):
    """The two functions of the operating system's signals."""

    def getsignal(self, signum: int, /) -> _Handler: ...

    def signal(self, signum: int, handler: _Handler, /) -> _Handler: ...


# Those of `signal` try to make each handler a member of an enumeration, which takes 4 us up to
# Python 3.12: as long as a small problem takes to solve.  They call those of `_signal`.
try:
    _signals = cast("_Signals", import_module("_signal"))
except ImportError:  # another Python than CPython
    _signals = signal
_SIGINT = int(signal.SIGINT)


class InterruptFlag:
    """Whether Ctrl-C was pressed; the signal handler that notes it."""

    ever_pressed = False  # in this process: spares the look at the handler, which takes 2 us

    def __init__(self) -> None:
        self.pressed = False
        self.held = 0  # how many `uninterrupted` blocks are open

    def __call__(self, signum: int, frame: FrameType | None) -> None:
        """Note the press; a second one does not wait, but for what must not be broken off."""
        InterruptFlag.ever_pressed = True
        if self.pressed and not self.held:
            raise KeyboardInterrupt
        self.pressed = True


class CallGuard(InterruptFlag):
    """Ctrl-C during a whole public call.

    Plain Python is interrupted at once, as ever.  Within a `deferred_interrupts` block the press
    is noted in `pressed`; within an import, which would leave numba or numpy broken, it is noted
    however often it comes.
    """

    def __init__(self) -> None:
        super().__init__()
        self.deferring = 0
        self._installed = False
        self._outer: FrameType | None = None

    def enter(self, frame: FrameType) -> None:
        """Answer for Ctrl-C until `leave`, unless somebody else does; `frame` is the call's."""
        if (
            threading.current_thread() is threading.main_thread()
            and _signals.getsignal(_SIGINT) is signal.default_int_handler
        ):
            self.pressed = False
            self._outer = frame
            self._installed = True
            _signals.signal(_SIGINT, self)

    def leave(self) -> None:
        """Give Ctrl-C back."""
        if self._installed:
            self._installed, self._outer = False, None
            _signals.signal(_SIGINT, signal.default_int_handler)

    def __call__(self, signum: int, frame: FrameType | None) -> None:
        """Note the press where it has to wait, else raise KeyboardInterrupt."""
        InterruptFlag.ever_pressed = True
        again, self.pressed = self.pressed, True
        if self.held or self._is_importing(frame):
            return
        if again or not self.deferring:
            raise KeyboardInterrupt

    def _is_importing(self, frame: FrameType | None) -> bool:
        """Return whether an import that began after the call did is under way."""
        while frame is not None and frame is not self._outer:
            if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
                return True
            frame = frame.f_back
        return False


def is_pressed() -> bool:
    """Return whether Ctrl-C was pressed and waits for an answer."""
    if not InterruptFlag.ever_pressed:
        return False
    handler = _signals.getsignal(_SIGINT)
    return isinstance(handler, InterruptFlag) and handler.pressed


class deferred_interrupts:  # noqa: N801  a context manager is called like a function
    """Turn Ctrl-C into a flag for the time of a ``with`` block.

    Only the main thread with Python's own handler, or that of a call, is touched; elsewhere the
    flag stays False and signals behave as before.  A block inside another shares its flag.
    """

    __slots__ = ("_flag", "_guard", "_installed")

    def __enter__(self) -> InterruptFlag:
        self._guard: CallGuard | None = None
        self._installed = False
        handler = _signals.getsignal(_SIGINT)
        if threading.current_thread() is not threading.main_thread():
            self._flag = InterruptFlag()
        elif isinstance(handler, CallGuard):
            self._flag = self._guard = handler
            handler.deferring += 1
        elif isinstance(handler, InterruptFlag):
            self._flag = handler
        else:
            self._flag = InterruptFlag()
            self._installed = handler is signal.default_int_handler
            if self._installed:
                _signals.signal(_SIGINT, self._flag)
        return self._flag

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._guard is not None:
            self._guard.deferring -= 1
        elif self._installed:
            _signals.signal(_SIGINT, signal.default_int_handler)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let Ctrl-C wait until a ``with`` block is complete, however often it is pressed.

    It is answered then: by the block around this one that defers it, or by KeyboardInterrupt.
    """
    with deferred_interrupts() as flag:
        flag.held += 1
        try:
            yield
        finally:
            flag.held -= 1
    if flag.pressed and _signals.getsignal(_SIGINT) is signal.default_int_handler:
        raise KeyboardInterrupt
