"""POI XXXIII, "Rozwiązanie pokojowe": kings that must never touch, from one placement to another.

Input: ``n k``, then the rows of the start and of the target, 0 for an empty cell, ids 1 .. k.
Output: ``NIE``, or ``TAK``, the number of moves, and a line ``id row column`` for each move.
"""

from __future__ import annotations

from operator import add
from typing import TYPE_CHECKING

from gridkit.problems.reader import LineReader
from gridkit.sliding.kings.puzzle import KingsPuzzle

if TYPE_CHECKING:
    from gridkit.sliding.plan import Plan

__all__ = ["lines", "solve"]


def solve(text: str) -> str:
    """Print a plan in the judge's format."""
    reader = LineReader(text)
    side, count = reader.integers("the sizes", ("n", 1, 100), ("k", 1, 2500))
    start, target = (_board(reader, name, side, count) for name in ("start", "target"))
    reader.end()
    plan = KingsPuzzle(start, target).plan()
    if plan is None:
        return "NIE\n"
    return f"TAK\n{plan.length('step')}\n{lines(plan, side)}"


def lines(plan: Plan, side: int) -> str:
    """Return the lines of a plan on a square board."""
    names = [f"{name} " for name in plan.puzzle.block_names()]
    cells = [f"{row} {column}\n" for row in range(1, side + 1) for column in range(1, side + 1)]
    parts = []
    for first in range(0, plan.length("step"), 10_000):  # so few strings live at once
        kings, _, after = plan._steps[first : first + 10_000].columns()
        words = map(add, map(names.__getitem__, kings), map(cells.__getitem__, after))
        parts.append("".join(words))
    return "".join(parts)


def _board(reader: LineReader, name: str, side: int, count: int) -> list[list[int]]:
    """Read a matrix whose kings are 1 .. count, apart from one another."""
    board: list[list[int]] = []
    seen: dict[int, int] = {}
    above = [0] * side
    for row in range(side):
        words = reader.words(f"row {row + 1} of the {name}")
        kings = [reader.integer(word, column, "id", 0, count) for word, column in words]
        if len(kings) != side:
            raise reader.fail(f"expected {side} numbers in a row of the {name}, found {len(kings)}")
        for at, king in enumerate(kings):
            if not king:
                continue
            column = words[at][1]
            if king in seen:
                raise reader.fail(f"king {king} is already on line {seen[king]}", column)
            seen[king] = reader.line
            for neighbour in (*above[max(at - 1, 0) : at + 2], *kings[max(at - 1, 0) : at]):
                if neighbour:
                    raise reader.fail(f"king {king} touches king {neighbour} in the {name}", column)
        above = kings
        board.append(kings)
    if len(seen) != count:
        missing = next(king for king in range(1, count + 1) if king not in seen)
        raise reader.fail(f"expected {count} kings in the {name}, king {missing} is missing")
    return board
