"""How much memory counting may take."""

from __future__ import annotations

import os

from gridkit.errors import LimitReached, Partial
from gridkit.run import Run

__all__ = ["MemoryGuard", "MemoryShort", "available_memory"]

_FALLBACK = 4 << 30


class MemoryShort(LimitReached):
    """Memory that is not there, by the call's limit or the machine's."""


class MemoryGuard:
    """Refuses allocations beyond an allowance, before they are made.

    Parameters
    ----------
    run : Run
        The call.
    allowed : int, optional
        Bytes; the call's limit when left out, and without one half of what is available now.
    """

    def __init__(self, run: Run, allowed: int | None = None) -> None:
        self._run = run
        if allowed is None:
            memory = run.limit.memory
            allowed = available_memory() // 2 if memory is None else memory
        self.allowed = allowed

    def half(self) -> MemoryGuard:
        """Return a guard with half of the allowance, for one of two that share it."""
        return MemoryGuard(self._run, self.allowed // 2)

    def check(self, needed: int, states: int) -> None:
        """Raise `MemoryShort` when `needed` bytes in all are too many."""
        if needed > self.allowed:
            raise MemoryShort(
                f"memory limit reached: {states} frontier states need {needed} bytes, "
                f"{self.allowed} allowed",
                Partial(self._run.nothing, self._run.spent, 0, 0.0, self._run.seconds()),
            )


def available_memory() -> int:
    """Return the bytes of memory that can be had without swapping, as far as is known."""
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (AttributeError, OSError, ValueError):
        return _FALLBACK
