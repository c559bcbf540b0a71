"""Sliding blocks: Klotski, Rush Hour, n-puzzles and kings that keep their distance.

Public names load on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gridkit.sliding import kings
    from gridkit.sliding.blocks.generate import generate, generate_rush_hour, random_start
    from gridkit.sliding.blocks.puzzle import SlidingPuzzle, SlidingState
    from gridkit.sliding.blocks.space import StateSpace
    from gridkit.sliding.npuzzle.puzzle import NPuzzle
    from gridkit.sliding.plan import Move, Plan

_HOME = {
    "Move": "plan",
    "NPuzzle": "npuzzle.puzzle",
    "Plan": "plan",
    "SlidingPuzzle": "blocks.puzzle",
    "SlidingState": "blocks.puzzle",
    "StateSpace": "blocks.space",
    "generate": "blocks.generate",
    "generate_rush_hour": "blocks.generate",
    "random_start": "blocks.generate",
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
