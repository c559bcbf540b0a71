"""Reasons why a region cannot be tiled: areas, colourings, exhausted searches."""
