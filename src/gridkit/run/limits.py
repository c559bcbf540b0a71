"""What a caller passes to bound and to watch a call: `Limit`, `Progress`, the tier; checked."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from importlib.machinery import PathFinder
from numbers import Real
from typing import Literal, get_args

from gridkit.errors import InputError, Token, missing_package
from gridkit.reading import read_int

__all__ = [
    "Limit",
    "Progress",
    "ProgressCallback",
    "Tier",
    "check_imports",
    "check_kinds",
    "current_tier",
    "missing_packages",
    "read_token",
    "use_tier",
]


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
        put = object.__setattr__
        for name in ("nodes", "memory"):
            value = getattr(self, name)
            if value is not None:
                put(self, name, read_int(value, f"Limit: {name}", least=0))
        seconds: object = self.seconds
        if seconds is None:
            return
        number = float("nan")
        if isinstance(seconds, Real) and not isinstance(seconds, bool):
            number = float(seconds)  # an integer or a float of numpy, a fraction
        if not number >= 0:
            raise InputError(f"Limit: seconds must be a number >= 0 or None, got {seconds!r}")
        if not isinstance(seconds, int | float):
            put(self, "seconds", number)


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
    compiling : float
        How many of the seconds were spent compiling kernels, which happens once a machine: they
        say nothing about the work that is left.
    note : str
        What the call does beside its work, such as "compiling kernels, once"; mostly empty.

    Examples
    --------
    >>> report = Progress(nodes=4096, found=3, fraction=0.25, seconds=0.4)
    >>> f"{report.fraction:.0%} done"
    '25% done'
    """

    nodes: int
    found: int
    fraction: float
    seconds: float
    compiling: float = 0.0
    note: str = ""


ProgressCallback = Callable[[Progress], object]

Tier = Literal["auto", "plain", "compiled"]
"""Who answers: "plain" Python, "compiled" kernels, or what suits the instance ("auto")."""

_tier: ContextVar[Tier] = ContextVar("gridkit tier", default="auto")


def current_tier() -> Tier:
    """Return the tier that calls begun now are to use: the plain one where there is no numba."""
    tier = _tier.get()
    return "plain" if tier == "auto" and missing_packages() else tier


@cache
def missing_packages() -> tuple[str, ...]:
    """Return the packages of compiled code that are not installed, as in a browser."""
    return tuple(
        name
        for name in ("numpy", "numba")
        if sys.modules.get(name, name) is None
        or (name not in sys.modules and PathFinder.find_spec(name) is None)
    )


@contextmanager
def use_tier(tier: Tier) -> Iterator[None]:
    """Choose the tier of the calls begun in a ``with`` block, for tests and measurements.

    Users have no need of it: every tier gives the same answer, "auto" gives it soonest.  A wing
    that has one tier only does not look at it.

    Examples
    --------
    >>> with use_tier("plain"):
    ...     current_tier()
    'plain'
    """
    if tier not in get_args(Tier):
        raise InputError(f"tier must be one of {get_args(Tier)}, got {tier!r}")
    before = _tier.set(tier)
    try:
        yield
    finally:
        _tier.reset(before)


def check_kinds(limit: object, progress: object, executor: object, checkpoint: object) -> None:
    """Raise InputError for an option of the wrong kind, saying what was expected and found."""
    if limit is not None and not isinstance(limit, Limit):
        raise InputError(
            f"limit must be a gridkit.Limit, such as Limit(seconds=5), or None, got {_shown(limit)}"
        )
    if progress is not None and not callable(progress):
        raise InputError(
            "progress must be a callable that takes a gridkit.Progress, or None, got "
            f"{_shown(progress)}"
        )
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise InputError(
            f"executor must be a concurrent.futures.Executor or None, got {_shown(executor)}"
        )
    if checkpoint is not None and not isinstance(checkpoint, str | os.PathLike):
        raise InputError(f"checkpoint must be a path or None, got {_shown(checkpoint)}")


def read_token(resume: object) -> Token | None:
    """Return the token that a call continues from; InputError for what is none."""
    if resume is None or isinstance(resume, Token):
        return resume
    raise InputError(
        "resume must be the token of a LimitReached or Interrupted that the same call raised, "
        f"got {_shown(resume)}"
    )


def _shown(value: object) -> str:
    """Name a value of the wrong kind, briefly."""
    text = repr(value)
    return text if len(text) <= 40 else f"a value of type {type(value).__name__}"


def check_imports(error: BaseException | None) -> None:
    """Raise `UnsupportedError` for an import of numpy or numba that failed where they are not."""
    if isinstance(error, ImportError) and (unsupported := missing_package(error)) is not None:
        raise unsupported from error
