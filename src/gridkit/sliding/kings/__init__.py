"""Kings that never touch: which placements can be reached, and short plans.

Public names load on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridkit._lazy import lazy_names

if TYPE_CHECKING:
    from gridkit.sliding.kings.puzzle import KingsPuzzle, explain, plan, reachable
    from gridkit.sliding.kings.reach import Placement, Reachability

__all__ = ["KingsPuzzle", "Placement", "Reachability", "explain", "plan", "reachable"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "KingsPuzzle": "puzzle",
        "Placement": "reach",
        "Reachability": "reach",
        "explain": "puzzle",
        "plan": "puzzle",
        "reachable": "puzzle",
    },
)
