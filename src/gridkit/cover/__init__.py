"""Exact cover and tilings: counted, enumerated, sampled and explained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridkit._lazy import lazy_names

if TYPE_CHECKING:
    from gridkit.cover.decide import Advice
    from gridkit.cover.drawing.gallery import Gallery
    from gridkit.cover.drawing.options import CoverPicture
    from gridkit.cover.exact_cover import Colored, ExactCover
    from gridkit.cover.export.minizinc import dumps_dzn, loads_dzn
    from gridkit.cover.frontier.count import FrontierEstimate
    from gridkit.cover.frontier.recurrence import Recurrence
    from gridkit.cover.items.contest import CoverAdvice
    from gridkit.cover.items.outlook import SweepEstimate
    from gridkit.cover.items.solution_set import SolutionSet
    from gridkit.cover.knuth_format import dumps, loads
    from gridkit.cover.rectangles import RectangleCounts, count_rectangles
    from gridkit.cover.search.minimum import Cheapest
    from gridkit.cover.search.tree import Hardness
    from gridkit.cover.solution import Explanation, Solution, check_explanation
    from gridkit.cover.tiling import Tiling

__all__ = [
    "Advice",
    "Cheapest",
    "Colored",
    "CoverAdvice",
    "CoverPicture",
    "ExactCover",
    "Explanation",
    "FrontierEstimate",
    "Gallery",
    "Hardness",
    "RectangleCounts",
    "Recurrence",
    "Solution",
    "SolutionSet",
    "SweepEstimate",
    "Tiling",
    "check_explanation",
    "count_rectangles",
    "dumps",
    "dumps_dzn",
    "loads",
    "loads_dzn",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Advice": "decide",
        "Cheapest": "search.minimum",
        "Colored": "exact_cover",
        "CoverPicture": "drawing.options",
        "CoverAdvice": "items.contest",
        "ExactCover": "exact_cover",
        "Explanation": "solution",
        "FrontierEstimate": "frontier.count",
        "Gallery": "drawing.gallery",
        "Hardness": "search.tree",
        "RectangleCounts": "rectangles",
        "Recurrence": "frontier.recurrence",
        "Solution": "solution",
        "SolutionSet": "items.solution_set",
        "SweepEstimate": "items.outlook",
        "Tiling": "tiling",
        "check_explanation": "solution",
        "count_rectangles": "rectangles",
        "dumps": "knuth_format",
        "dumps_dzn": "export.minizinc",
        "loads": "knuth_format",
        "loads_dzn": "export.minizinc",
    },
)
