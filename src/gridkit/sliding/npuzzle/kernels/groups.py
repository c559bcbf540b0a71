"""What the depth-first search for shortest solutions reads and writes: groups, and their words.

A pattern's entry is numbered (combination of cells) * m! + (order of its tiles on them).
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

RUNNING, FOUND, EXHAUSTED = 0, 1, 2
CHUNK = 9  # bits of a mask that are looked up together
ORDER, NIBBLE = 32, 56  # lowest bits of a pattern's order and excess in the word of its state
UNLISTED, WAITING = -1, 1 << 16  # marks of a row's moves, which take four bits each

# Words of `control`.  A node counts COST_WEIGHT * moves made + REST_WEIGHT * moves estimated, and
# more than BOUND is cut off (the least of these goes to NEXT_BOUND).  Cells are at most 2**SPAN.
(
    BOUND, NODES, NEXT_BOUND, SOLUTIONS, COUNT_ALL, COST_WEIGHT, REST_WEIGHT, FINDER, DEPTH, TAKEN,
    SPAN, CONTROL_WORDS,
) = range(12)  # fmt: skip
# Words of a stack's row: the moves left to follow, the way that led here, the tiles' walking
# distances, the excess in each view, the states replaced in each, the automaton's state; and from
# HEAD * k on the same of its k-th move (the tile in place of the walking distance before).
LEFT, WAY, STEPS, EXCESS, STATE, AUTOMATON, HEAD = 0, 1, 2, 3, 5, 7, 8
MOVE_WAY, MOVE_TILE, MOVE_STEPS = 0, 1, 2
NEEDED_SIDES, AUTOMATON_WIDTH = 4, 8  # the word of the sides left, and the words of a state


class Ways(NamedTuple):
    """The moves of a board; tiles are numbered by their goal cells, s is 2**SPAN.

    Attributes
    ----------
    sides : (cells,) array of int64
        A bit for each side from which a tile may come: 0 up, 1 left, 2 right, 3 down.
    source : (5 * cells,) array of int64
        Way 4 * c + side leads a tile from this cell into cell c.
    gain : (4 * cells * s,) array of int8
        At s * way + tile: what the tile's walking distance grows.
    follow : (8 * states,) array of int32
        At 8 * q + side the automaton's state after q, at 8 * q + 4 the bits of the sides it leaves.
    """

    sides: Annotated[NDArray[np.int64], "int64[::1]"]
    source: Annotated[NDArray[np.int64], "int64[::1]"]
    gain: Annotated[NDArray[np.int8], "int8[::1]"]
    follow: Annotated[NDArray[np.int32], "int32[::1]"]


class Views(NamedTuple):
    """How tiles are looked up in each view, a symmetry of the board that keeps the blank's goal.

    Attributes
    ----------
    group : (2 * s,) array of int64
        At s * r + tile: the tile's pattern in view r.
    bits : (views * 4 * s,) array of int64
        At 4 * s * r + way: the cells of a pattern's mask that a move changes.
    passed : (views * 4 * s, words) array of int16
        In the same row: the number of cells that the tile passes, where their terms begin in
        `turn`, and those cells.
    turn : (views * 2 * s * s,) array of int16
        From a way's term on, at s * tile + other: what the rank of the order grows when the tile
        passes the other one.
    """

    group: Annotated[NDArray[np.int64], "int64[::1]"]
    bits: Annotated[NDArray[np.int64], "int64[::1]"]
    passed: Annotated[NDArray[np.int16], "int16[:, ::1]"]
    turn: Annotated[NDArray[np.int16], "int16[::1]"]


class Tables(NamedTuple):
    """The pattern tables.

    Attributes
    ----------
    nibbles : (bytes,) array of uint8
        Two entries a byte, one table after the other: half of what exceeds walking distances.
    offset, orders : (patterns,) arrays of int64
        The first nibble of a table, and m! for m tiles.
    combination : (3 * 16 * 2**CHUNK,) array of uint32
        What CHUNK bits of a mask add to its number: rows 16 * chunk + cells in the chunks below.
    """

    nibbles: Annotated[NDArray[np.uint8], "uint8[::1]"]
    offset: Annotated[NDArray[np.int64], "int64[::1]"]
    orders: Annotated[NDArray[np.int64], "int64[::1]"]
    combination: Annotated[NDArray[np.uint32], "uint32[::1]"]


class Parts(NamedTuple):
    """The parts of the search: positions after DEPTH moves.

    Attributes
    ----------
    boards : (parts, cells) array of int64
        The tile on each cell.
    states : (parts, 2 * s) array of int64
        At s * r + g, for pattern g in view r: the mask of its cells, from bit ORDER on the rank of
        its order, from bit NIBBLE on its excess.
    heads : (parts, HEAD) array of int64
        The row of a stack that the part starts.
    turns : (parts,) array of int64
        The parts in the order in which they are taken.
    nearest : (parts,) array of int64
        The least distance estimated of a position that was cut off in each.
    """

    boards: Annotated[NDArray[np.int64], "int64[:, ::1]"]
    states: Annotated[NDArray[np.int64], "int64[:, ::1]"]
    heads: Annotated[NDArray[np.int64], "int64[:, ::1]"]
    turns: Annotated[NDArray[np.int64], "int64[::1]"]
    nearest: Annotated[NDArray[np.int64], "int64[::1]"]


class Lanes(NamedTuple):
    """Searches that take turns, each on a part of its own.

    Attributes
    ----------
    boards : (lanes, cells) array of int64
        As in `Parts`; what the blank's cell says is never asked.
    states : (lanes, 2 * s) array of int64
        As in `Parts`.
    part, depth : (lanes,) arrays of int64
        The part at work, and the moves made in it.
    stacks : (lanes, rows, 5 * HEAD) array of int64
        Row d after d moves.
    """

    boards: Annotated[NDArray[np.int64], "int64[:, ::1]"]
    states: Annotated[NDArray[np.int64], "int64[:, ::1]"]
    part: Annotated[NDArray[np.int64], "int64[::1]"]
    depth: Annotated[NDArray[np.int64], "int64[::1]"]
    stacks: Annotated[NDArray[np.int64], "int64[:, :, ::1]"]
