"""Grid-puzzle algorithms: polyominoes, exact cover, tilings, stacking games, sliding blocks.

Public names load on first use (PEP 562): ``import gridkit`` imports neither numpy nor numba.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridkit._lazy import lazy_names
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
        RowError,
        UnsupportedError,
    )
    from gridkit.grid.board import Board
    from gridkit.grid.box import Box
    from gridkit.grid.cell import Cell, Direction, Symmetry
    from gridkit.grid.lattice import Lattice
    from gridkit.grid.patch import Patch
    from gridkit.polyomino import pieces
    from gridkit.polyomino.polycube import Polycube
    from gridkit.polyomino.polyform import Polyform
    from gridkit.polyomino.polyomino import Polyomino
    from gridkit.run.control import Limit, Partial, Progress
    from gridkit.sliding.blocks.puzzle import SlidingPuzzle
    from gridkit.sliding.kings.puzzle import KingsPuzzle
    from gridkit.sliding.npuzzle.puzzle import NPuzzle
    from gridkit.sliding.plan import Move, Plan
    from gridkit.stacking.game import StackingGame
    from gridkit.stacking.result import StackingResult
    from gridkit.stacking.rules import StackingRules
    from gridkit.value import Verdict

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
    "Lattice",
    "Limit",
    "LimitReached",
    "Move",
    "NPuzzle",
    "ParseError",
    "Partial",
    "Patch",
    "PlacementError",
    "Plan",
    "Polycube",
    "Polyform",
    "Polyomino",
    "Progress",
    "RowError",
    "SlidingPuzzle",
    "Solution",
    "StackingGame",
    "StackingResult",
    "StackingRules",
    "Symmetry",
    "Tiling",
    "UnsupportedError",
    "Verdict",
    "__version__",
    "cover",
    "pieces",
    "polyomino",
    "problems",
    "sliding",
    "stacking",
    "warmup",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
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
        "Lattice": "grid.lattice",
        "Limit": "run.control",
        "LimitReached": "errors",
        "Move": "sliding.plan",
        "NPuzzle": "sliding.npuzzle.puzzle",
        "ParseError": "errors",
        "Partial": "run.control",
        "Patch": "grid.patch",
        "PlacementError": "errors",
        "RowError": "errors",
        "Plan": "sliding.plan",
        "Polycube": "polyomino.polycube",
        "Polyform": "polyomino.polyform",
        "Polyomino": "polyomino.polyomino",
        "Progress": "run.control",
        "SlidingPuzzle": "sliding.blocks.puzzle",
        "Solution": "cover.solution",
        "StackingGame": "stacking.game",
        "StackingResult": "stacking.result",
        "StackingRules": "stacking.rules",
        "Symmetry": "grid.cell",
        "Tiling": "cover.tiling",
        "UnsupportedError": "errors",
        "Verdict": "value",
        "warmup": "doctor",
    },
    {
        "cover": "cover",
        "pieces": "polyomino.pieces",
        "polyomino": "polyomino",
        "problems": "problems",
        "sliding": "sliding",
        "stacking": "stacking",
    },
)
