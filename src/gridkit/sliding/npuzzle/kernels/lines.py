"""Kernel of IDA* with the estimates that need no pattern tables.

Both count the two axes apart.  *Linear conflict* (O. Hansson, A. Mayer and M. Yung 1992): walking
distance, and for each line the tiles that belong into it, less those of a longest increasing
subsequence, must step aside and back.  *Walking distance* (K. Takahashi 2001): the shortest play of
the puzzle in which only the lines of tiles count, from a table.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel

__all__ = ["Grid", "Position", "Walking", "advance", "line_conflict"]

RUNNING, FOUND, EXHAUSTED = 0, 1, 2
# Words of `control`: moves made, the bound and the least estimate above it, nodes, solutions and
# whether to go on through all, the blank and its home, walking distances and what is added.
(
    DEPTH, BOUND, NODES, NEXT_BOUND, SOLUTIONS, COUNT_ALL, BLANK, HOME, WALK, EXTRA, CONTROL_WORDS,
) = range(11)  # fmt: skip
# Words of a stack's row: the next side, the blank's cell before, and what the move replaced: WALK,
# EXTRA, the walking state or the conflict of the line left, the conflict of the line entered.
SIDE, BEFORE, OLD_WALK, OLD_EXTRA, OLD_STATE, OLD_CONFLICT, ROW = range(7)


class Grid(NamedTuple):
    """The board.

    Attributes
    ----------
    neighbours : (cells, 4) array of int64
        The neighbours of each cell, filled up with -1.
    spot : (cells, 2) array of int64
        Row and column.
    shape : (2,) array of int64
        Numbers of rows and of columns.
    """

    neighbours: Annotated[NDArray[np.int64], "int64[:, ::1]"]
    spot: Annotated[NDArray[np.int64], "int64[:, ::1]"]
    shape: Annotated[NDArray[np.int64], "int64[::1]"]


class Walking(NamedTuple):
    """Tables of walking distances, of the rows and of the columns; empty without them.

    Attributes
    ----------
    far_rows, far_cols : (states,) arrays of int64
        The distance of each state.
    next_rows, next_cols : (states, 2, lines) arrays of int64
        The state after a tile of a goal line has gone to a lower (0) or a higher (1) line.
    """

    far_rows: Annotated[NDArray[np.int64], "int64[::1]"]
    next_rows: Annotated[NDArray[np.int64], "int64[:, :, ::1]"]
    far_cols: Annotated[NDArray[np.int64], "int64[::1]"]
    next_cols: Annotated[NDArray[np.int64], "int64[:, :, ::1]"]


class Position(NamedTuple):
    """Where the search stands; all change.

    Attributes
    ----------
    board : (cells,) array of int64
        The tile on each cell, by its goal.
    where : (2,) array of int64
        The walking states of the rows and of the columns.
    conflict : (2, lines) array of int64
        The extra moves of each row, and of each column.
    ends : (lines + 1,) array of int64
        Scratch of `line_conflict`.
    stack : (rows, ROW) array of int64
        Row d after d moves.
    """

    board: Annotated[NDArray[np.int64], "int64[::1]"]
    where: Annotated[NDArray[np.int64], "int64[::1]"]
    conflict: Annotated[NDArray[np.int64], "int64[:, ::1]"]
    ends: Annotated[NDArray[np.int64], "int64[::1]"]
    stack: Annotated[NDArray[np.int64], "int64[:, ::1]"]


@kernel("int64(int64, int64, int64[::1], int64[:, ::1], int64, int64[::1], int64[::1])")
def line_conflict(
    axis: int,
    line: int,
    board: NDArray[np.int64],
    spot: NDArray[np.int64],
    home: int,
    ends: NDArray[np.int64],
    shape: NDArray[np.int64],
) -> int:
    """Return the extra moves of a line (O. Hansson, A. Mayer and M. Yung 1992).

    Parameters
    ----------
    axis, line : int
        Row (0) or column (1), and which.
    board, spot, ends, shape
        See `Position` and `Grid`.
    home : int
        The blank's goal.

    Returns
    -------
    int
        Twice the tiles of the line that have to step aside.
    """
    length = shape[1 - axis]
    first, step = (line * length, 1) if axis == 0 else (line, shape[1])
    members, longest = 0, 0
    for index in range(length):
        tile = board[first + index * step]
        if tile == home or spot[tile, axis] != line:
            continue
        members += 1
        value = spot[tile, 1 - axis]
        at = longest
        while at > 0 and ends[at - 1] > value:
            at -= 1
        ends[at] = value
        longest = max(longest, at + 1)
    return 2 * (members - longest)


@kernel("int64(int64, int64[::1], Grid, Walking, Position)")
def advance(
    budget: int, control: NDArray[np.int64], grid: Grid, walking: Walking, position: Position
) -> int:
    """Search on for about `budget` nodes by IDA* (R. Korf 1985).

    Parameters
    ----------
    budget : int
        Moves to try.
    control : (CONTROL_WORDS,) array of int64
        See the names of its words.
    grid, walking, position
        The board, and where the search stands; without tables, it looks at conflicts.

    Returns
    -------
    int
        RUNNING; FOUND at a solution, unless all are counted; EXHAUSTED at the end of an iteration.
    """
    neighbours, spot, shape = grid
    far_rows, next_rows, far_cols, next_cols = walking
    board, where, conflict, ends, stack = position
    home = control[HOME]
    tables = far_rows.shape[0] > 0
    depth, bound = control[DEPTH], control[BOUND]
    nodes, next_bound = control[NODES], control[NEXT_BOUND]
    blank, steps, extra = control[BLANK], control[WALK], control[EXTRA]
    last = nodes + budget
    status = RUNNING
    while nodes < last:
        side = stack[depth, SIDE]
        cell = neighbours[blank, side] if side < 4 else -1
        if cell < 0:
            if depth == 0:
                status = EXHAUSTED
                break
            cell = stack[depth, BEFORE]
            tile = board[cell]
            board[blank], board[cell] = tile, home
            axis = 0 if spot[blank, 1] == spot[cell, 1] else 1
            steps, extra = stack[depth, OLD_WALK], stack[depth, OLD_EXTRA]
            if tables:
                where[axis] = stack[depth, OLD_STATE]
            else:
                conflict[axis, spot[blank, axis]] = stack[depth, OLD_STATE]
                conflict[axis, spot[cell, axis]] = stack[depth, OLD_CONFLICT]
            blank = cell
            depth -= 1
            continue
        stack[depth, SIDE] = side + 1
        if depth > 0 and cell == stack[depth, BEFORE]:
            continue
        nodes += 1
        tile = board[cell]
        axis = 0 if spot[blank, 1] == spot[cell, 1] else 1
        source, target = spot[cell, axis], spot[blank, axis]
        goal = spot[tile, axis]
        moved = steps + abs(target - goal) - abs(source - goal)
        state, more, at_source, at_target = 0, extra, 0, 0
        if tables:
            upwards = 1 if target > source else 0
            if axis == 0:
                state = next_rows[where[0], upwards, goal]
                more = far_rows[state] + far_cols[where[1]]
            else:
                state = next_cols[where[1], upwards, goal]
                more = far_cols[state] + far_rows[where[0]]
            estimate = depth + 1 + more
        else:
            estimate = depth + 1 + moved
            if estimate <= bound:
                board[blank], board[cell] = tile, home
                at_source = line_conflict(axis, source, board, spot, home, ends, shape)
                at_target = line_conflict(axis, target, board, spot, home, ends, shape)
                board[blank], board[cell] = home, tile
                more += at_source - conflict[axis, source]
                more += at_target - conflict[axis, target]
                estimate += more
        if estimate > bound:
            next_bound = min(next_bound, estimate)
            continue
        depth += 1
        stack[depth, SIDE], stack[depth, BEFORE] = 0, blank
        stack[depth, OLD_WALK], stack[depth, OLD_EXTRA] = steps, extra
        if tables:
            stack[depth, OLD_STATE] = where[axis]
            where[axis] = state
        else:
            stack[depth, OLD_STATE], stack[depth, OLD_CONFLICT] = (
                conflict[axis, source],
                conflict[axis, target],
            )
            conflict[axis, source], conflict[axis, target] = at_source, at_target
        board[blank], board[cell] = tile, home
        blank, steps, extra = cell, moved, more
        if steps == 0:
            control[SOLUTIONS] += 1
            if control[COUNT_ALL] == 0:
                status = FOUND
                break
            stack[depth, SIDE] = 4
    control[DEPTH], control[NODES], control[NEXT_BOUND] = depth, nodes, next_bound
    control[BLANK], control[WALK], control[EXTRA] = blank, steps, extra
    return status
