"""Sliding blocks: Klotski, Rush Hour, n-puzzles and kings that keep their distance.

Public names load on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gridkit.sliding import kings
    from gridkit.sliding.explore import StateSpace
    from gridkit.sliding.generate import generate, generate_rush_hour, random_start
    from gridkit.sliding.npuzzle import NPuzzle
    from gridkit.sliding.plan import Move, Plan
    from gridkit.sliding.puzzle import SlidingPuzzle, SlidingState

_HOME = {
    "Move": "plan",
    "NPuzzle": "npuzzle",
    "Plan": "plan",
    "SlidingPuzzle": "puzzle",
    "SlidingState": "puzzle",
    "StateSpace": "explore",
    "generate": "generate",
    "generate_rush_hour": "generate",
    "random_start": "generate",
}


def __getattr__(name: str) -> object:
    if name == "kings":
        value: object = import_module("gridkit.sliding.kings")
    elif name in _HOME:
        value = getattr(import_module(f"gridkit.sliding.{_HOME[name]}"), name)
    else:
        raise AttributeError(f"module 'gridkit.sliding' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


__all__ = [
    "Move",
    "NPuzzle",
    "Plan",
    "SlidingPuzzle",
    "SlidingState",
    "StateSpace",
    "generate",
    "generate_rush_hour",
    "kings",
    "random_start",
]
