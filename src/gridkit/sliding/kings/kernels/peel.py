"""Peeling: solve a grid of tiles and blanks line after line, outermost line first.

Every tile step asks for an empty cell ahead, and a blank is brought there.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel
from gridkit.sliding.kings.kernels.blank import (
    AT,
    BLANKS,
    COL,
    COLS,
    DIAGONAL,
    LISTED,
    LOCKED,
    MOVES,
    PULL,
    ROW,
    TARGET,
    TILE,
    WHERE,
    Queue,
    empty,
    lead_around,
    slide,
)

__all__ = ["BOX_STATES", "DONE", "FULL", "PAUSED", "STUCK", "Order", "peel"]

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]

# What `peel` returns.
DONE, PAUSED, FULL, STUCK = range(4)
# States (first tile, second tile, blank) of the six cells of a box.
BOX_STATES = 216
# Columns of `Order.states`.
_AFTER, _WAITING = range(2)
# What is known of an entry of the order: stuck, under way, or fixed.
_STUCK, _OPEN, _FIXED = -1, 0, 1


class Order(NamedTuple):
    """In which order cells are fixed, and the room for the ends of lines.

    Attributes
    ----------
    entries : int32[n, 6]
        One row an entry: (cell, -1, ...) a single cell; the six cells of a box: the last two cells
        of a line, then the four cells behind them.
    states : int32[BOX_STATES, 2]
        For each state of a box, the one that follows on a shortest way; and the queue of the
        search in a box.
    """

    entries: Annotated[Ints, "int32[:, ::1]"]
    states: Annotated[Ints, "int32[:, ::1]"]


@kernel("void(int32[:, ::1], int64[::1], int64)")
def _lock(cells: Ints, control: Longs, cell: int) -> None:
    """Fix a cell; a blank on it is listed no longer.

    Parameters
    ----------
    cells : int32[cells, words]
        See the names of its words.
    control : int64[:]
        See the names of its words.
    cell : int
        The cell.
    """
    cells[cell, LOCKED] = 1
    if cells[cell, TILE] < 0:
        for i in range(LISTED, LISTED + control[BLANKS]):
            if control[i] == cell:
                control[BLANKS] -= 1
                control[i] = control[LISTED + control[BLANKS]]
                break


@kernel(
    "boolean(int32[:, ::1], int32[:, ::1], int32[:, ::1], int64[::1], int32[:, ::1], int32[::1],"
    " int64, int64)"
)
def _finish_pair(
    cells: Ints,
    tiles: Ints,
    moves: Ints,
    control: Longs,
    states: Ints,
    box: Ints,
    first: int,
    second: int,
) -> bool:
    """Bring two tiles to their cells by a breadth-first search within six cells.

    The search runs backwards over the places (first, second, blank); the moves are then read
    off forwards.

    Parameters
    ----------
    cells : int32[cells, words]
        See the names of its words.
    tiles : int32[tiles, words]
        Where each tile stands.
    moves : int32[:, 3]
        Gains (tile, from, to).
    control : int64[:]
        See the names of its words.
    states : int32[:, :]
        Scratch of the search.
    box : int32[6]
        The cells; the tiles go to the first two.
    first, second : int
        The tiles.

    Returns
    -------
    bool
        False where the box does not hold both tiles and a blank.
    """
    cols = control[COLS]
    place_a = -1
    place_b = -1
    blank = -1
    for i in range(6):
        held = cells[box[i], TILE]
        if held == first:
            place_a = i
        elif held == second:
            place_b = i
        elif held < 0:
            blank = i
    if place_a < 0 or place_b < 0 or blank < 0:
        return False
    for state in range(BOX_STATES):
        states[state, _AFTER] = -1
    head = 0
    tail = 0
    for z in range(2, 6):
        state = 0 * 36 + 1 * 6 + z
        states[state, _AFTER] = state
        states[tail, _WAITING] = state
        tail += 1
    origin = place_a * 36 + place_b * 6 + blank
    while head < tail and states[origin, _AFTER] < 0:
        state = np.int64(states[head, _WAITING])
        head += 1
        a = state // 36
        b = state // 6 % 6
        z = state % 6
        for v in range(6):
            gap = abs(box[v] - box[z])
            if gap != 1 and gap != cols:
                continue
            # With two columns the cells of a box lie so that a difference of 2 is a neighbour.
            if gap == 1 and box[v] // cols != box[z] // cols:
                continue
            before = (z if a == v else a) * 36 + (z if b == v else b) * 6 + v
            if states[before, _AFTER] < 0:
                states[before, _AFTER] = state
                states[tail, _WAITING] = before
                tail += 1
    if states[origin, _AFTER] < 0:
        return False
    state = origin
    while np.int64(states[state, _AFTER]) != state:
        following = np.int64(states[state, _AFTER])
        origin = np.int64(box[following % 6])
        slide(cells, tiles, moves, control, origin, np.int64(box[state % 6]))
        state = following
    return True


@kernel(
    "int64(int32[:, ::1], int32[:, ::1], int32[:, ::1], int64[::1], int32[:, :, ::1], Queue,"
    " int32[:, ::1], int32[::1])"
)
def _fix(
    cells: Ints,
    tiles: Ints,
    moves: Ints,
    control: Longs,
    prices: Ints,
    queue: Queue,
    states: Ints,
    entry: Ints,
) -> int:
    """Bring an entry a step of a tile nearer to being fixed.

    Parameters
    ----------
    cells : int32[cells, words]
        See the names of its words.
    tiles : int32[tiles, words]
        Where each tile stands.
    moves : int32[:, 3]
        Gains (tile, from, to).
    control : int64[:]
        See the names of its words.
    prices : int32[:, :, :]
        What the steps of a way cost.
    queue : Queue
        Scratch of the searches.
    states : int32[:, :]
        Scratch of `_finish_pair`.
    entry : int32[:]
        The cell, the end of its line or -1, and the box of the pair.

    Returns
    -------
    int
        _STUCK, _OPEN or _FIXED.
    """
    cell = np.int64(entry[0])
    tile = np.int64(cells[cell, TARGET])
    aim = cell
    end = np.int64(entry[1])
    held = np.int64(-1)  # stays where it is while a blank is brought
    pairing = False  # the last two tiles of a line go to their places at once
    if end < 0:
        if cells[cell, TILE] == tile:
            return _FIXED
    elif cells[cell, TILE] == tile:  # the end stays open while the cell before it is being fixed
        tile = np.int64(cells[end, TARGET])
        if cells[end, TILE] == tile:
            _lock(cells, control, end)
            return _FIXED
        held = cell
        behind = np.int64(entry[3])
        aim = end
        if tiles[tile, WHERE] != behind:
            aim = behind
        elif cells[end, TILE] >= 0:
            pairing = True
    at = np.int64(-1)  # the cell of the tile that makes a step
    first = aim
    second = np.int64(-1)
    ahead = np.int64(-1)
    if pairing:
        at = np.int64(entry[3])
        first = np.int64(entry[2])
    elif tile >= 0:
        at = np.int64(tiles[tile, WHERE])
        down = np.int64(cells[aim, ROW] - cells[at, ROW])
        across = np.int64(cells[aim, COL] - cells[at, COL])
        first = np.int64(-1)
        if down != 0:
            first = at + control[COLS] if down > 0 else at - control[COLS]
        if across != 0:
            second = at + 1 if across > 0 else at - 1
        if held >= 0:
            cells[held, LOCKED] = 1
        if control[DIAGONAL] != 0 and first >= 0 and second >= 0:
            corner = first + second - at
            if cells[first, TILE] < 0 and cells[second, TILE] < 0 and cells[corner, TILE] < 0:
                if cells[corner, LOCKED] == 0:
                    ahead = corner
        if ahead < 0 and control[PULL] != 0:
            ahead = lead_around(cells, tiles, moves, control, prices, at, down, across)
    if ahead < 0:
        if held >= 0:
            cells[held, LOCKED] = 1
        if at >= 0:
            cells[at, LOCKED] = 1
        ahead = empty(cells, tiles, moves, control, prices, queue, first, second)
        if at >= 0:
            cells[at, LOCKED] = 0
    if held >= 0:
        cells[held, LOCKED] = 0
    if ahead < 0:
        return _STUCK
    if pairing:
        a = np.int64(cells[cell, TARGET])
        if not _finish_pair(cells, tiles, moves, control, states, entry, a, tile):
            return _STUCK
    elif at >= 0:
        slide(cells, tiles, moves, control, at, ahead)
    return _OPEN


@kernel(
    "int64(int32[:, ::1], int32[:, ::1], int32[:, ::1], int64[::1], int32[:, :, ::1], Queue,"
    " Order, int64)"
)
def peel(
    cells: Ints,
    tiles: Ints,
    moves: Ints,
    control: Longs,
    prices: Ints,
    queue: Queue,
    order: Order,
    budget: int,
) -> int:
    """Fix the entries of the order one after another.

    Lines are fixed from outside inwards as I. Parberry (1995) does for the (n^2 - 1)-puzzle.

    Parameters
    ----------
    cells, tiles, moves, control, prices
        See `gridkit.sliding.kings.kernels.blank`.
    queue : Queue
        Empty, and left so.
    order : Order
        What is to be fixed.
    budget : int
        Moves after which the call pauses.

    Returns
    -------
    int
        DONE, PAUSED, FULL (`moves` has no room for another step), STUCK (never on valid input).
    """
    entries = order.entries
    states = order.states
    stop = control[MOVES] + budget
    while control[AT] < entries.shape[0]:
        if control[MOVES] >= stop:
            return PAUSED
        if control[MOVES] + cells.shape[0] + 240 > moves.shape[0]:
            return FULL
        entry = entries[control[AT]]
        fixed = _fix(cells, tiles, moves, control, prices, queue, states, entry)
        if fixed == _STUCK:
            return STUCK
        if fixed == _FIXED:
            _lock(cells, control, np.int64(entry[0]))
            control[AT] += 1
    return DONE
