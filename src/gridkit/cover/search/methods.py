"""Names of methods, checked."""

from __future__ import annotations

from collections.abc import Sequence

from gridkit.errors import InputError

__all__ = ["SEARCHES", "check_method"]

SEARCHES = ("auto", "plain", "bitset", "sparse")


def check_method(method: str, known: Sequence[str] = SEARCHES) -> None:
    """Refuse the name of a method that does not exist."""
    if method not in known:
        raise InputError(f"method must be one of {', '.join(known)}, got {method!r}")
