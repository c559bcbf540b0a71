"""The ground floor: cells, directions, symmetries, boards and boxes."""

from gridkit.grid.board import Board
from gridkit.grid.box import Box
from gridkit.grid.cell import Cell, Direction, Symmetry

__all__ = ["Board", "Box", "Cell", "Direction", "Symmetry"]
