"""Polyominoes and polycubes: pieces, orientations, placements, enumeration."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

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
    from gridkit.polyomino.polycube import Polycube

_HOME = {
    "Polycube": "polycube",
    "count_fixed": "enumeration",
    "count_free": "enumeration",
    "count_one_sided": "enumeration",
    "count_symmetric": "enumeration",
    "fixed": "enumeration",
    "free": "enumeration",
    "one_sided": "enumeration",
}


def __getattr__(name: str) -> object:
    if name == "pieces":
        return import_module("gridkit.polyomino.pieces")
    if name not in _HOME:
        raise AttributeError(f"module 'gridkit.polyomino' has no attribute {name!r}")
    return getattr(import_module(f"gridkit.polyomino.{_HOME[name]}"), name)


__all__ = [
    "Polycube",
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
