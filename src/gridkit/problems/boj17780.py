"""New Game (BOJ 17780): the same, but only the bottom piece moves, with its whole stack."""

from __future__ import annotations

from gridkit.problems.boj17837 import answer, read_game
from gridkit.stacking import StackingRules

__all__ = ["solve"]


def solve(text: str) -> str:
    """Return the round in which play stops, -1 if it is above 1000 or none.

    Examples
    --------
    >>> solve("1 1\\n0\\n1 1 1\\n")
    '-1\\n'
    """
    return answer(read_game(text, StackingRules(schedule="bottoms", lift="stack")))
