"""How much memory counting may take."""

from __future__ import annotations

import os

from gridkit.errors import LimitReached
from gridkit.run.control import Partial

__all__ = ["MemoryGuard", "available_memory"]

_FALLBACK = 4 << 30


class MemoryGuard:
    """Refuses allocations beyond an allowance, before they are made.

    Parameters
    ----------
    allowed : int, optional
        Bytes; half of the memory that is available now when left out.
    """

    def __init__(self, allowed: int | None = None) -> None:
        self.allowed = available_memory() // 2 if allowed is None else allowed

    def check(self, wanted: int, states: int) -> None:
        """Raise `LimitReached` when `wanted` bytes in all are too many."""
        if wanted > self.allowed:
            raise LimitReached(
                f"memory limit reached: {states} frontier states need {wanted} bytes, "
                f"{self.allowed} allowed",
                Partial(0, states, 0, 0.0, 0.0),
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
