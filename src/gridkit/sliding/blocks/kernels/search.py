"""The kernels of the search over packed states, in one place for the engines."""

from __future__ import annotations

from gridkit.sliding.blocks.kernels.astar import advance_bounded, trace_bounded
from gridkit.sliding.blocks.kernels.breadth import advance, link
from gridkit.sliding.blocks.kernels.keys import best_goal, flag_goals, meet, rehash
from gridkit.sliding.blocks.kernels.states import SCRATCH_ROWS
from gridkit.sliding.blocks.kernels.ways import relax, trace

__all__ = [
    "SCRATCH_ROWS",
    "advance",
    "advance_bounded",
    "best_goal",
    "flag_goals",
    "link",
    "meet",
    "rehash",
    "relax",
    "trace",
    "trace_bounded",
]
