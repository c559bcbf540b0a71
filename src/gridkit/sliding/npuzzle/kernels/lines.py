"""Kernel of IDA* with the estimates that need no pattern tables.

Both count the two axes apart.  *Linear conflict* (O. Hansson, A. Mayer and M. Yung 1992): walking
distance, and for each line the tiles that belong into it, less those of a longest increasing
subsequence, must step aside and back.  *Walking distance* (K. Takahashi 2001): the shortest play of
the puzzle in which only the lines of tiles count, from a table.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel

__all__ = ["advance", "line_conflict"]

RUNNING, FOUND, EXHAUSTED = 0, 1, 2
DEPTH, BOUND, NODES, NEXT_BOUND, SOLUTIONS, COUNT_ALL, BLANK, WALK, EXTRA = range(9)
CONTROL_WORDS = 9


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
    """Return the extra moves of row (axis 0) or column (axis 1) `line`.

    `spot` gives row and column of each cell; `ends` is scratch for the subsequence's last values.
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


@kernel(
    "int64(int64, int64[::1], int64[:, ::1], int64[::1], int64[:, ::1], int64[::1], int64,"
    "int64[:, ::1], int64[::1], int64[:, :, ::1], int64[::1], int64[:, :, ::1], int64[::1],"
    "int64[::1], int64[:, ::1])"
)
def advance(
    budget: int,
    control: NDArray[np.int64],
    neighbours: NDArray[np.int64],
    board: NDArray[np.int64],
    spot: NDArray[np.int64],
    shape: NDArray[np.int64],
    home: int,
    conflict: NDArray[np.int64],
    far_rows: NDArray[np.int64],
    next_rows: NDArray[np.int64],
    far_cols: NDArray[np.int64],
    next_cols: NDArray[np.int64],
    where: NDArray[np.int64],
    ends: NDArray[np.int64],
    stack: NDArray[np.int64],
) -> int:
    """Search on for about `budget` nodes.

    With tables (`far_rows` not empty) `where` holds the walking states of the rows and the columns,
    `next_*[state, 0 or 1, k]` the state after a tile of goal line k has gone to a lower or a higher
    line.  Without, `conflict[axis, line]` holds the extra moves of each line, their sum in
    control[EXTRA].  Row d of `stack`: next side, blank's cell before, and what was replaced.
    """
    tables = far_rows.shape[0] > 0
    depth, bound = control[DEPTH], control[BOUND]
    nodes, next_bound = control[NODES], control[NEXT_BOUND]
    blank, steps, extra = control[BLANK], control[WALK], control[EXTRA]
    last = nodes + budget
    status = RUNNING
    while nodes < last:
        side = stack[depth, 0]
        cell = neighbours[blank, side] if side < 4 else -1
        if cell < 0:
            if depth == 0:
                status = EXHAUSTED
                break
            cell = stack[depth, 1]
            tile = board[cell]
            board[blank], board[cell] = tile, home
            axis = 0 if spot[blank, 1] == spot[cell, 1] else 1
            steps, extra = stack[depth, 2], stack[depth, 3]
            if tables:
                where[axis] = stack[depth, 4]
            else:
                conflict[axis, spot[blank, axis]] = stack[depth, 4]
                conflict[axis, spot[cell, axis]] = stack[depth, 5]
            blank = cell
            depth -= 1
            continue
        stack[depth, 0] = side + 1
        if depth > 0 and cell == stack[depth, 1]:
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
        stack[depth, 0], stack[depth, 1] = 0, blank
        stack[depth, 2], stack[depth, 3] = steps, extra
        if tables:
            stack[depth, 4] = where[axis]
            where[axis] = state
        else:
            stack[depth, 4], stack[depth, 5] = (conflict[axis, source], conflict[axis, target])
            conflict[axis, source], conflict[axis, target] = at_source, at_target
        board[blank], board[cell] = tile, home
        blank, steps, extra = cell, moved, more
        if steps == 0:
            control[SOLUTIONS] += 1
            if control[COUNT_ALL] == 0:
                status = FOUND
                break
            stack[depth, 0] = 4
    control[DEPTH], control[NODES], control[NEXT_BOUND] = depth, nodes, next_bound
    control[BLANK], control[WALK], control[EXTRA] = blank, steps, extra
    return status
