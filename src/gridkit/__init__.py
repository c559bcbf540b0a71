"""Grid-puzzle algorithms: polyominoes, exact cover, tilings, stacking games, sliding blocks.

Public names load on first use (PEP 562): ``import gridkit`` imports neither numpy nor numba.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from gridkit._version import __version__

if TYPE_CHECKING:
    from gridkit import cover, polyomino, problems, sliding, stacking
    from gridkit.cover.exact_cover import Colored, ExactCover
    from gridkit.cover.solution import Explanation, Solution
    from gridkit.cover.tiling import Tiling
    from gridkit.doctor import warmup
    from gridkit.errors import (
        CheckpointError,
        GridkitError,
        InputError,
        Interrupted,
        InvalidPlanError,
        LimitReached,
        ParseError,
        PlacementError,
        UnsupportedError,
    )
    from gridkit.grid.board import Board
    from gridkit.grid.box import Box
    from gridkit.grid.cell import Cell, Direction, Symmetry
    from gridkit.polyomino import pieces
    from gridkit.polyomino.polycube import Polycube
    from gridkit.polyomino.polyomino import Polyomino
    from gridkit.run.control import Limit, Partial, Progress
    from gridkit.sliding.blocks.puzzle import SlidingPuzzle
    from gridkit.sliding.kings.puzzle import KingsPuzzle
    from gridkit.sliding.npuzzle.puzzle import NPuzzle
    from gridkit.sliding.plan import Move, Plan
    from gridkit.stacking.game import StackingGame, StackingResult
    from gridkit.stacking.rules import StackingRules

_HOME = {
    "Board": "grid.board",
    "Box": "grid.box",
    "Cell": "grid.cell",
    "CheckpointError": "errors",
    "Colored": "cover.exact_cover",
    "Direction": "grid.cell",
    "ExactCover": "cover.exact_cover",
    "Explanation": "cover.solution",
    "GridkitError": "errors",
    "InputError": "errors",
    "Interrupted": "errors",
    "InvalidPlanError": "errors",
    "KingsPuzzle": "sliding.kings.puzzle",
    "Limit": "run.control",
    "LimitReached": "errors",
    "Move": "sliding.plan",
    "NPuzzle": "sliding.npuzzle.puzzle",
    "ParseError": "errors",
    "Partial": "run.control",
    "PlacementError": "errors",
    "Plan": "sliding.plan",
    "Polycube": "polyomino.polycube",
    "Polyomino": "polyomino.polyomino",
    "Progress": "run.control",
    "SlidingPuzzle": "sliding.blocks.puzzle",
    "Solution": "cover.solution",
    "StackingGame": "stacking.game",
    "StackingResult": "stacking.game",
    "StackingRules": "stacking.rules",
    "Symmetry": "grid.cell",
    "Tiling": "cover.tiling",
    "UnsupportedError": "errors",
    "warmup": "doctor",
}
_MODULES = {
    "cover": "cover",
    "pieces": "polyomino.pieces",
    "polyomino": "polyomino",
    "problems": "problems",
    "sliding": "sliding",
    "stacking": "stacking",
}


def __getattr__(name: str) -> object:
    if name in _MODULES:
        value: object = import_module(f"gridkit.{_MODULES[name]}")
    elif name in _HOME:
        value = getattr(import_module(f"gridkit.{_HOME[name]}"), name)
    else:
        raise AttributeError(f"module 'gridkit' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


__all__ = [
    "Board",
    "Box",
    "Cell",
    "CheckpointError",
    "Colored",
    "Direction",
    "ExactCover",
    "Explanation",
    "GridkitError",
    "InputError",
    "Interrupted",
    "InvalidPlanError",
    "KingsPuzzle",
    "Limit",
    "LimitReached",
    "Move",
    "NPuzzle",
    "ParseError",
    "Partial",
    "PlacementError",
    "Plan",
    "Polycube",
    "Polyomino",
    "Progress",
    "SlidingPuzzle",
    "Solution",
    "StackingGame",
    "StackingResult",
    "StackingRules",
    "Symmetry",
    "Tiling",
    "UnsupportedError",
    "__version__",
    "cover",
    "pieces",
    "polyomino",
    "problems",
    "sliding",
    "stacking",
    "warmup",
]
