"""The ground floor: cells, directions, symmetries, boards and boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridkit._lazy import lazy_names

if TYPE_CHECKING:
    from gridkit.grid.board import Board
    from gridkit.grid.box import Box, Cube, Rotation
    from gridkit.grid.cell import Cell, Direction, Symmetry

__all__ = ["Board", "Box", "Cell", "Cube", "Direction", "Rotation", "Symmetry"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Board": "board",
        "Box": "box",
        "Cell": "cell",
        "Cube": "box",
        "Direction": "cell",
        "Rotation": "box",
        "Symmetry": "cell",
    },
)
