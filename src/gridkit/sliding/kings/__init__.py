"""Kings that never touch: which placements can be reached, and short plans.

Public names load on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gridkit.sliding.kings.puzzle import KingsPuzzle, explain, plan, reachable
    from gridkit.sliding.kings.reach import Verdict

_HOME = {
    "KingsPuzzle": "puzzle",
    "Verdict": "reach",
    "explain": "puzzle",
    "plan": "puzzle",
    "reachable": "puzzle",
}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'gridkit.sliding.kings' has no attribute {name!r}")
    value: object = getattr(import_module(f"gridkit.sliding.kings.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


__all__ = ["KingsPuzzle", "Verdict", "explain", "plan", "reachable"]
