"""The rules of sliding blocks once more, on sets of cells: what plans are verified with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridkit.errors import InvalidPlanError
from gridkit.grid.cell import Cell

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gridkit.sliding.blocks.puzzle import SlidingPuzzle

__all__ = ["check_steps"]


def check_steps(puzzle: SlidingPuzzle, steps: NDArray[np.int32]) -> None:
    """Replay steps; raise `InvalidPlanError` at the first fault, or if the goal is missed."""
    places: list[tuple[int, int]] = list(puzzle.places)
    owner = {cell: number for number, own in enumerate(puzzle.blocks.values()) for cell in own}
    for index, (number, before, after) in enumerate(steps.tolist()):
        if not 0 <= number < len(places):
            raise InvalidPlanError(f"there is no block number {number}", index)
        origin, target = divmod(before, puzzle.cols), divmod(after, puzzle.cols)
        name = puzzle.names[number]
        if places[number] != origin:
            at = tuple(places[number])
            raise InvalidPlanError(f"block {name!r} is at {at}, not {origin}", index)
        _check_direction(puzzle, name, (target[0] - origin[0], target[1] - origin[1]), index)
        shape = puzzle.shapes[number]
        new = [Cell(row + target[0], col + target[1]) for row, col in shape]
        for cell in new:
            if cell not in puzzle.board or name not in puzzle.gates.get(cell, (name,)):
                raise InvalidPlanError(f"block {name!r} may not cover cell {tuple(cell)}", index)
            if owner.get(cell, number) != number:
                other = puzzle.names[owner[cell]]
                raise InvalidPlanError(
                    f"block {name!r} runs into {other!r} at {tuple(cell)}", index
                )
        for row, col in shape:
            del owner[Cell(row + origin[0], col + origin[1])]
        owner.update(dict.fromkeys(new, number))
        places[number] = target
    if not puzzle.is_solved(places):
        raise InvalidPlanError(f"the goal is not met after {len(steps)} steps")


def _check_direction(puzzle: SlidingPuzzle, name: str, delta: tuple[int, int], index: int) -> None:
    if abs(delta[0]) + abs(delta[1]) != 1:
        raise InvalidPlanError(f"block {name!r} moves by {delta}, not by one cell", index)
    axis = puzzle.axes.get(name)
    if axis == ("vertical" if delta[0] == 0 else "horizontal"):
        raise InvalidPlanError(f"block {name!r} moves along {axis} only", index)
