"""What a turn of a stacking game changed, and how a game stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from gridkit.grid.cell import Cell
from gridkit.value import Value

__all__ = ["Move", "StackingState"]


class Move(NamedTuple):
    """What one turn changed.

    Attributes
    ----------
    round : int
        The round, from 1 (0 for moves made by the caller's choice).
    piece : int
        Whose turn it was.
    pile : tuple of int
        The slice that moved, from the bottom up, as it was lifted; empty when the piece was
        blocked and only turned around.
    start, end : Cell
        From where to where; `end` is None when the slice sank.
    direction : int
        The piece's direction afterwards (0 right, 1 left, 2 up, 3 down).

    Examples
    --------
    >>> print(Move(3, 0, (0, 2), Cell(1, 1), Cell(1, 2), 0))
    round 3: 0 takes 0,2 from 1,1 to 1,2
    """

    round: int
    piece: int
    pile: tuple[int, ...]
    start: Cell
    end: Cell | None
    direction: int

    def __str__(self) -> str:
        here = f"{self.start.row},{self.start.col}"
        if not self.pile:
            way = ("right", "left", "up", "down")[self.direction]
            return f"round {self.round}: {self.piece} on {here} turns {way}"
        end = f"to {self.end.row},{self.end.col}" if self.end is not None else "into a sink"
        pile = ",".join(map(str, self.pile))
        return f"round {self.round}: {self.piece} takes {pile} from {here} {end}"


class StackingState(Value):
    """How a game stands.

    Attributes
    ----------
    round : int
        Rounds played.
    stacks : mapping of Cell to tuple of int
        The pieces on each occupied cell, from the bottom up, row by row; read-only.
    directions : tuple of int
        Each piece's direction.

    Examples
    --------
    >>> import gridkit as gk
    >>> first = next(gk.StackingGame.parse(".0>  .  .1<").states())
    >>> first.round, dict(first.stacks)
    (0, {Cell(row=0, col=0): (0,), Cell(row=0, col=2): (1,)})
    """

    _fields = ("round", "stacks", "directions")

    round: int
    stacks: Mapping[Cell, tuple[int, ...]]
    directions: tuple[int, ...]

    def __init__(
        self, round: int, stacks: Mapping[Cell, tuple[int, ...]], directions: tuple[int, ...]
    ) -> None:
        self._put(round=round, stacks=dict(stacks), directions=directions)
