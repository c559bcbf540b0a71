"""The ground floor: cells, directions, symmetries, boards and boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridkit.grid.board import Board
from gridkit.grid.cell import Cell, Direction, Symmetry

if TYPE_CHECKING:
    from gridkit.grid.box import Box


def __getattr__(name: str) -> object:
    if name != "Box":
        raise AttributeError(f"module 'gridkit.grid' has no attribute {name!r}")
    from gridkit.grid.box import Box

    return Box


__all__ = ["Board", "Box", "Cell", "Direction", "Symmetry"]
