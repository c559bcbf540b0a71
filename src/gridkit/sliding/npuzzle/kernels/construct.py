"""Kernels of the constructive plans: line after line, the last two tiles of a line together."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel
from gridkit.sliding.npuzzle.kernels.blank import (
    BLANK,
    LINE,
    MADE,
    ROUNDS,
    Grid,
    Marks,
    Position,
    Queue,
    apart,
    lead_blank,
    move_blank,
)

__all__ = ["Pairs", "construct", "finish_pair"]

START, STEP, LENGTH, INWARD = range(4)  # columns of `lines`
RUNNING, DONE, FULL = 0, 1, 2


class Pairs(NamedTuple):
    """The search for the last two tiles of a line; scratch of 64**3 words.

    Attributes
    ----------
    came, queue : arrays of int64
        The state before each, and the states in the order in which they are reached.
    """

    came: Annotated[NDArray[np.int64], "int64[::1]"]
    queue: Annotated[NDArray[np.int64], "int64[::1]"]


@kernel("int64(int64[::1], int64, int64[::1], Grid, Position, Pairs)", allocates=True)
def finish_pair(
    window: NDArray[np.int64],
    count: int,
    control: NDArray[np.int64],
    grid: Grid,
    position: Position,
    pairs: Pairs,
) -> int:
    """Bring the tiles of the last two cells of a line home by breadth-first search in a window.

    Parameters
    ----------
    window : (64,) array of int64
        Free cells, the two goals first; the tiles and the blank have to be inside.
    count : int
        How many.
    control, grid, position, pairs
        The board; `control`, `position` and the scratch `pairs` change.

    Returns
    -------
    int
        Moves made; -1 when there is no way.
    """
    board, place, neighbours = position.board, position.place, grid.neighbours
    came, queue = pairs.came, pairs.queue
    inside = np.full(board.shape[0], -1, np.int64)
    for index in range(count):
        inside[window[index]] = index
    one, two = window[0], window[1]
    square = count * count
    for state in range(square * count):
        came[state] = -1
    start = (inside[place[one]] * count + inside[place[two]]) * count + inside[control[BLANK]]
    came[start] = start
    queue[0] = start
    head, tail = 0, 1
    end = -1
    while head < tail:
        state = queue[head]
        head += 1
        a, b, blank = state // square, state // count % count, state % count
        if a == 0 and b == 1:
            end = state
            break
        for side in range(4):
            ahead = neighbours[window[blank], side]
            if ahead < 0:
                break
            to = inside[ahead]
            if to < 0:
                continue
            following = ((blank if a == to else a) * count + (blank if b == to else b)) * count + to
            if came[following] < 0:
                came[following] = state
                queue[tail] = following
                tail += 1
    if end < 0:
        return -1
    length = 0
    while end != start:
        queue[length] = window[end % count]
        length += 1
        end = came[end]
    for index in range(length - 1, -1, -1):
        move_blank(queue[index], control, position)
    return length


@kernel("int64(int64, int64[::1], Grid, Position, Marks, Queue, Pairs)", allocates=True)
def construct(
    budget: int,
    control: NDArray[np.int64],
    grid: Grid,
    position: Position,
    marks: Marks,
    queue: Queue,
    pairs: Pairs,
) -> int:
    """Fill the lines, one after the other (after I. Parberry 1995, with a priced way of the blank).

    Parameters
    ----------
    budget : int
        Moves, about.
    control : (CONTROL_WORDS,) array of int64
        See the names of its words.
    grid, position, marks, queue, pairs
        The board; all but `grid` change.

    Returns
    -------
    int
        RUNNING, or DONE when all lines are filled.
    """
    spot, neighbours, lines, bounds = grid.spot, grid.neighbours, grid.lines, grid.bounds
    board, place = position.board, position.place
    locked, sought = marks.locked, marks.sought
    size = board.shape[0]
    last = control[MADE] + budget
    window = np.empty(64, np.int64)
    while control[LINE] < lines.shape[0]:
        line = control[LINE]
        start, step, length = lines[line, START], lines[line, STEP], lines[line, LENGTH]
        inward = lines[line, INWARD]
        for index in range(length - 2):
            target = start + index * step
            while place[target] != target:
                if control[MADE] >= last:
                    return RUNNING
                here = place[target]
                for side in range(4):
                    ahead = neighbours[here, side]
                    if ahead >= 0 and not locked[ahead]:
                        sought[ahead] = apart(ahead, target, spot) < apart(here, target, spot)
                lead_blank(here, -1, control, grid, position, marks, queue)
                for side in range(4):
                    if neighbours[here, side] >= 0:
                        sought[neighbours[here, side]] = False
                move_blank(here, control, position)
            locked[target] = True
        # The last two together: the window is at the line's end, three deep, wider each round.
        one = start + (length - 2) * step
        two = one + step
        while place[one] != one or place[two] != two:
            if control[MADE] >= last:
                return RUNNING
            top, bottom = bounds[line, 0], bounds[line, 1]
            left, right = bounds[line, 2], bounds[line, 3]
            reach = 2 + control[ROUNDS] // 4
            window[0], window[1] = one, two
            count = 2
            deep = 0
            while deep <= reach:
                for along in range(reach + 1):
                    cell = two + deep * inward - along * step
                    inside = 0 <= cell < size
                    if inside:
                        row, col = spot[cell, 0], spot[cell, 1]
                        inside = top <= row < bottom and left <= col < right
                        inside = inside and apart(cell, two, spot) == deep + along
                    if inside and not locked[cell] and cell != one and cell != two:
                        if count < 64:
                            window[count] = cell
                            count += 1
                deep += 1
            for index in range(count):
                sought[window[index]] = True
            moved = False
            for turn in range(2):
                tile, heavy = (one, two) if turn == 0 else (two, one)
                if not moved and not sought[place[tile]]:
                    moved = True
                    here = place[tile]
                    for index in range(count):
                        sought[window[index]] = False
                    goal = two + inward
                    for side in range(4):
                        ahead = neighbours[here, side]
                        if ahead >= 0 and not locked[ahead]:
                            sought[ahead] = apart(ahead, goal, spot) < apart(here, goal, spot)
                    if lead_blank(here, heavy, control, grid, position, marks, queue):
                        move_blank(here, control, position)
                    else:
                        control[ROUNDS] += 1
                    for side in range(4):
                        if neighbours[here, side] >= 0:
                            sought[neighbours[here, side]] = False
            if moved:
                for index in range(count):
                    sought[window[index]] = False
                control[ROUNDS] += 1 if apart(place[one], place[two], spot) < 5 else 0
                continue
            lead_blank(-1, one, control, grid, position, marks, queue)
            both = sought[place[one]] and sought[place[two]]
            for index in range(count):
                sought[window[index]] = False
            if not both or finish_pair(window, count, control, grid, position, pairs) < 0:
                control[ROUNDS] += 1
        locked[one] = locked[two] = True
        control[ROUNDS] = 0
        control[LINE] += 1
    return DONE
