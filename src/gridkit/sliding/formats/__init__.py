"""Sliding blocks in the texts of other programs: databases of Rush Hour, GNOME Klotski, PDDL.

Public names load on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridkit._lazy import lazy_names

if TYPE_CHECKING:
    from gridkit.sliding.formats.gnome import gnome_text, read_gnome
    from gridkit.sliding.formats.planning import pddl_texts
    from gridkit.sliding.formats.rush_hour import (
        RushHourLine,
        read_rush_hour_lines,
        rush_hour_text,
    )

__all__ = [
    "RushHourLine",
    "gnome_text",
    "pddl_texts",
    "read_gnome",
    "read_rush_hour_lines",
    "rush_hour_text",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "RushHourLine": "rush_hour",
        "gnome_text": "gnome",
        "pddl_texts": "planning",
        "read_gnome": "gnome",
        "read_rush_hour_lines": "rush_hour",
        "rush_hour_text": "rush_hour",
    },
)
