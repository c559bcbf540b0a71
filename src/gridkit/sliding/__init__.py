"""Sliding blocks: Klotski, Rush Hour, n-puzzles and kings that keep their distance.

Public names load on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridkit._lazy import lazy_names

if TYPE_CHECKING:
    from gridkit.sliding import formats, kings
    from gridkit.sliding.blocks.generate import generate, generate_rush_hour, random_start
    from gridkit.sliding.blocks.graphs.state_graph import ShortestPlans, StateGraph
    from gridkit.sliding.blocks.puzzle import SlidingPuzzle, SlidingState
    from gridkit.sliding.blocks.space import StateSpace
    from gridkit.sliding.many.boards import BlockBoards, TileBoards
    from gridkit.sliding.many.generate import generate_many, random_tiles
    from gridkit.sliding.many.labelled import SolvedBoards
    from gridkit.sliding.many.solve import solve_many
    from gridkit.sliding.npuzzle.distances import DistanceTable
    from gridkit.sliding.npuzzle.puzzle import NPuzzle, Position
    from gridkit.sliding.npuzzle.search import Bounded
    from gridkit.sliding.npuzzle.solvable import Solvability
    from gridkit.sliding.plan import Move, Plan
    from gridkit.sliding.traffic.enumeration import (
        RushHourBoards,
        RushHourComponent,
        enumerate_rush_hour,
    )

__all__ = [
    "BlockBoards",
    "Bounded",
    "DistanceTable",
    "Move",
    "NPuzzle",
    "Plan",
    "Position",
    "RushHourBoards",
    "RushHourComponent",
    "ShortestPlans",
    "SlidingPuzzle",
    "SlidingState",
    "Solvability",
    "SolvedBoards",
    "StateGraph",
    "StateSpace",
    "TileBoards",
    "enumerate_rush_hour",
    "formats",
    "generate",
    "generate_many",
    "generate_rush_hour",
    "kings",
    "random_start",
    "random_tiles",
    "solve_many",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "BlockBoards": "many.boards",
        "Bounded": "npuzzle.search",
        "DistanceTable": "npuzzle.distances",
        "Move": "plan",
        "NPuzzle": "npuzzle.puzzle",
        "Plan": "plan",
        "Position": "npuzzle.puzzle",
        "RushHourBoards": "traffic.enumeration",
        "RushHourComponent": "traffic.enumeration",
        "ShortestPlans": "blocks.graphs.state_graph",
        "SlidingPuzzle": "blocks.puzzle",
        "SlidingState": "blocks.puzzle",
        "Solvability": "npuzzle.solvable",
        "SolvedBoards": "many.labelled",
        "StateGraph": "blocks.graphs.state_graph",
        "StateSpace": "blocks.space",
        "TileBoards": "many.boards",
        "enumerate_rush_hour": "traffic.enumeration",
        "generate": "blocks.generate",
        "generate_many": "many.generate",
        "generate_rush_hour": "blocks.generate",
        "random_start": "blocks.generate",
        "random_tiles": "many.generate",
        "solve_many": "many.solve",
    },
    {"formats": "formats", "kings": "kings"},
)
