"""Sliding blocks in the texts of other programs: databases of Rush Hour, GNOME Klotski, PDDL."""

from __future__ import annotations

from gridkit.sliding.formats.gnome import gnome_text, read_gnome
from gridkit.sliding.formats.planning import pddl_texts
from gridkit.sliding.formats.rush_hour import RushHourLine, read_rush_hour_lines, rush_hour_text

__all__ = [
    "RushHourLine",
    "gnome_text",
    "pddl_texts",
    "read_gnome",
    "read_rush_hour_lines",
    "rush_hour_text",
]
