"""Pieces: polyominoes, polycubes and polyforms of other lattices; their enumeration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridkit._lazy import lazy_names
from gridkit.polyomino.polyomino import Polyomino

if TYPE_CHECKING:
    from gridkit.polyomino import pieces
    from gridkit.polyomino.enumeration import (
        count_fixed,
        count_free,
        count_one_sided,
        count_symmetric,
        fixed,
        free,
        one_sided,
    )
    from gridkit.polyomino.piece import Piece
    from gridkit.polyomino.polycube import Polycube
    from gridkit.polyomino.polyform import Polyform

__all__ = [
    "Piece",
    "Polycube",
    "Polyform",
    "Polyomino",
    "count_fixed",
    "count_free",
    "count_one_sided",
    "count_symmetric",
    "fixed",
    "free",
    "one_sided",
    "pieces",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Piece": "piece",
        "Polycube": "polycube",
        "Polyform": "polyform",
        "count_fixed": "enumeration",
        "count_free": "enumeration",
        "count_one_sided": "enumeration",
        "count_symmetric": "enumeration",
        "fixed": "enumeration",
        "free": "enumeration",
        "one_sided": "enumeration",
    },
    {"pieces": "pieces"},
)
