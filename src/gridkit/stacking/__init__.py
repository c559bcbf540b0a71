"""Pieces that walk over a board and stack: rules as values, single games, batches.

Nothing here imports numpy or numba before it is needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridkit._lazy import lazy_names
from gridkit.stacking.game import StackingGame
from gridkit.stacking.position import Position
from gridkit.stacking.result import Outcome, StackingResult
from gridkit.stacking.rules import StackingRules
from gridkit.stacking.state import Move, StackingState

if TYPE_CHECKING:
    from gridkit.stacking.batch import pack, play_many

__all__ = [
    "Move",
    "Outcome",
    "Position",
    "StackingGame",
    "StackingResult",
    "StackingRules",
    "StackingState",
    "pack",
    "play_many",
]

__getattr__, __dir__ = lazy_names(__name__, {"pack": "batch", "play_many": "batch"})
