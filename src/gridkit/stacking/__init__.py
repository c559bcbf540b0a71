"""Pieces that walk over a board and stack: rules as values, single games, batches, searches.

Nothing here imports numpy or numba before it is needed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from gridkit.stacking.game import Outcome, StackingGame, StackingResult
from gridkit.stacking.position import Move, Position, StackingState
from gridkit.stacking.rules import StackingRules

if TYPE_CHECKING:
    from gridkit.stacking.batch import pack, play_many
    from gridkit.stacking.longest import LongGame, longest_game

__all__ = [
    "LongGame",
    "Move",
    "Outcome",
    "Position",
    "StackingGame",
    "StackingResult",
    "StackingRules",
    "StackingState",
    "longest_game",
    "pack",
    "play_many",
]

_HOME = {"LongGame": "longest", "longest_game": "longest", "pack": "batch", "play_many": "batch"}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'gridkit.stacking' has no attribute {name!r}")
    value: object = getattr(import_module(f"gridkit.stacking.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
