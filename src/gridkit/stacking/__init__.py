"""Pieces that walk over a board and stack: rules as values, single games, batches, searches.

Nothing here imports numpy or numba before it is needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridkit._lazy import lazy_names
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

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "LongGame": "longest",
        "longest_game": "longest",
        "pack": "batch",
        "play_many": "batch",
    },
)
