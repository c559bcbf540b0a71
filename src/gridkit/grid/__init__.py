"""The ground floor: cells, directions, symmetries, boards and boxes, and lattices as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridkit._lazy import lazy_names

if TYPE_CHECKING:
    from gridkit.grid.board import Board
    from gridkit.grid.box import Box, Cube, Rotation
    from gridkit.grid.cell import Cell, Direction, Symmetry
    from gridkit.grid.lattice import Lattice
    from gridkit.grid.lattice_geometry import Isometry
    from gridkit.grid.patch import Patch
    from gridkit.grid.region import Region
    from gridkit.grid.tables import Colours, Table

__all__ = [
    "Board",
    "Box",
    "Cell",
    "Colours",
    "Cube",
    "Direction",
    "Isometry",
    "Lattice",
    "Patch",
    "Region",
    "Rotation",
    "Symmetry",
    "Table",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Board": "board",
        "Box": "box",
        "Cell": "cell",
        "Colours": "tables",
        "Cube": "box",
        "Direction": "cell",
        "Isometry": "lattice_geometry",
        "Lattice": "lattice",
        "Patch": "patch",
        "Region": "region",
        "Rotation": "box",
        "Symmetry": "cell",
        "Table": "tables",
    },
)
