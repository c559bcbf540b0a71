"""Kernels of the complete distance table: one byte an arrangement (255 - distance), breadth first.

The tiles are split into an upper and a lower half.  An arrangement is numbered by its *pattern*
(which cells hold upper tiles, lower tiles, the blank), the order of the upper tiles and the order
of the lower ones; the parity of the whole decides the last two of these, so half the orders of the
lower tiles are stored.  A move maps a pattern's block onto another one's: within it one of the
orders is turned, the other stays, so everything happens in blocks of some ten kilobytes.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel

__all__ = ["Moves", "grow"]


class Moves(NamedTuple):
    """What a move of the blank does to an arrangement's number.

    Attributes
    ----------
    target : (patterns, 4) array of int64
        The pattern after the blank's move to each neighbour, -1 behind the last.
    turn : (patterns, 4) array of int64
        The row of the turning table: of `upper` if an upper tile moves, else -1 - row of `lower`.
    upper : (turns, orders of the upper tiles) array of uint16
        The number of each order after a turn.
    lower : (turns, orders of the lower tiles / 2) array of uint16
        The same, numbers halved.
    """

    target: Annotated[NDArray[np.int64], "int64[:, ::1]"]
    turn: Annotated[NDArray[np.int64], "int64[:, ::1]"]
    upper: Annotated[NDArray[np.uint16], "uint16[:, ::1]"]
    lower: Annotated[NDArray[np.uint16], "uint16[:, ::1]"]


@kernel("int64(int64, int64, int64, uint8[::1], boolean[:, ::1], Moves, int64[::1])")
def grow(
    level: int,
    first: int,
    last: int,
    nearness: NDArray[np.uint8],
    pending: NDArray[np.bool_],
    moves: Moves,
    counts: NDArray[np.int64],
) -> int:
    """Expand the arrangements at `level` in the patterns `first` to `last` - 1.

    Breadth-first search in blocks, after the pattern tables of R. Korf and A. Felner (2002).

    Parameters
    ----------
    level, first, last : int
        Moves from the goal, and the range of patterns.
    nearness : (arrangements,) array of uint8
        255 - distance, 0 where an arrangement is not reached; changed.
    pending : (2, patterns) array of bool
        Whether a pattern holds arrangements at this level, and at the next; changed.
    moves : Moves
        The moves of the blank.
    counts : (256,) array of int64
        Arrangements at each distance; counts[level] is added to.

    Returns
    -------
    int
        Arrangements expanded.
    """
    target, turn = moves.target, moves.turn
    upper_turns, lower_turns = moves.upper, moves.lower
    now, later = level % 2, (level + 1) % 2
    uppers, lower_orders = upper_turns.shape[1], lower_turns.shape[1]
    orders = uppers * lower_orders
    here, reached = np.uint8(255 - level), np.uint8(254 - level)
    expanded = 0
    for pattern in range(first, last):
        if not pending[now, pattern]:
            continue
        pending[now, pattern] = False
        source = nearness[pattern * orders : (pattern + 1) * orders]
        for side in range(4):
            goal = target[pattern, side]
            if goal < 0:
                break
            block = nearness[goal * orders : (goal + 1) * orders]
            row = turn[pattern, side]
            fresh = False
            for upper in range(uppers):
                base = upper * lower_orders
                to = base
                lower = -1
                if row >= 0:
                    to = np.int64(upper_turns[row, upper]) * lower_orders
                else:
                    lower = -1 - row
                for k in range(lower_orders):
                    if source[base + k] == here:
                        at = to + k
                        if lower >= 0:
                            at = to + lower_turns[lower, k]
                        if block[at] < reached:
                            block[at] = reached
                            fresh = True
                        expanded += side == 0
            if fresh:
                pending[later, goal] = True
    counts[level] += expanded
    return expanded
