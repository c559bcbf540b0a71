"""Kernels that shorten the blank's way through a large board, and turn it into steps.

Tiles are numbered by their goal cells; a way is the list of cells that the blank enters.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel

__all__ = ["shorten", "trace"]

RUNNING, DONE = 0, 1
BLANK, READ, WRITE, END, NODES, STAMP, FIRST_BLANK = range(7)  # words of `control`
CONTROL_WORDS = 7


@kernel("int64(int64, int64, int64[:, ::1])")
def apart(one: int, other: int, spot: NDArray[np.int64]) -> int:
    """Return the taxicab distance of two cells; `spot` lists row and column of each."""
    distance: int = abs(spot[one, 0] - spot[other, 0]) + abs(spot[one, 1] - spot[other, 1])
    return distance


@kernel(
    "int64(int64, int64[:, ::1], int64, int64, int64, int64[::1], int64[::1], int64[::1],"
    "int64[:, ::1], int64[::1], int64[::1], int64[:, ::1])"
)
def shorten(
    budget: int,
    spot: NDArray[np.int64],
    span: int,
    stride: int,
    patience: int,
    control: NDArray[np.int64],
    path: NDArray[np.int64],
    board: NDArray[np.int64],
    neighbours: NDArray[np.int64],
    target: NDArray[np.int64],
    seen: NDArray[np.int64],
    stack: NDArray[np.int64],
) -> int:
    """Replace stretches of `span` moves by shortest ones, for about `budget` nodes.

    Words of `control`: the blank, read position, write position, end of `path`, nodes, stamp, the
    first blank.  A stretch is given up after `patience` nodes; the next begins `stride` moves
    later.  `board` is the position at the read position.
    """
    blank, read, write, end = control[BLANK], control[READ], control[WRITE], control[END]
    nodes = control[NODES]
    last = nodes + budget
    while nodes < last:
        reach = min(span, end - read)
        if reach < 4:
            while read < end:
                path[write] = path[read]
                read += 1
                write += 1
            control[READ], control[WRITE], control[END], control[NODES] = read, write, write, nodes
            return DONE
        control[STAMP] += 1
        stamp = control[STAMP]
        # Where the stretch takes the tiles that it touches.
        here = blank
        for index in range(read, read + reach):
            cell = path[index]
            tile = board[cell]
            board[here], board[cell] = tile, board[here]
            target[tile] = here
            seen[tile] = stamp
            here = cell
        home = here
        for index in range(read + reach - 1, read - 1, -1):
            before = path[index - 1] if index > read else blank
            board[here], board[before] = board[before], board[here]
            here = before
        walk = 0
        for index in range(read, read + reach):
            # Tiles touched stand on cells of the stretch before it begins.
            tile = board[path[index]]
            if seen[tile] == stamp and target[tile] >= 0:
                walk += apart(path[index], target[tile], spot)
                target[tile] = -1 - target[tile]  # counted
        for index in range(read, read + reach):
            tile = board[path[index]]
            if seen[tile] == stamp and target[tile] < 0:
                target[tile] = -1 - target[tile]
        bound = walk + ((reach - walk) & 1)
        spent = 0
        found = -1
        while bound < reach and found < 0 and spent < patience:
            depth, here, rest = 0, blank, walk
            stack[0, 0] = 0
            stack[0, 1] = -1
            while depth >= 0:
                if rest == 0 and here == home:
                    found = depth
                    break
                side = stack[depth, 0]
                cell = neighbours[here, side] if side < 4 else -1
                if cell < 0 or spent >= patience:
                    depth -= 1
                    if depth >= 0:
                        before = stack[depth + 1, 1]
                        tile = board[before]
                        board[here], board[before] = tile, board[here]
                        aim = target[tile] if seen[tile] == stamp else here
                        rest += apart(here, aim, spot) - apart(before, aim, spot)
                        here = before
                    continue
                stack[depth, 0] = side + 1
                if cell == stack[depth, 1]:
                    continue
                spent += 1
                tile = board[cell]
                aim = target[tile] if seen[tile] == stamp else cell
                change = apart(here, aim, spot) - apart(cell, aim, spot)
                if depth + 1 + rest + change > bound:
                    continue
                board[here], board[cell] = tile, board[here]
                rest += change
                depth += 1
                stack[depth, 0] = 0
                stack[depth, 1] = here
                stack[depth, 2] = cell
                here = cell
            bound += 2
        nodes += spent + reach
        if found >= 0:
            # Undo the search's own moves, then put the shorter stretch in front of the rest.
            for depth in range(found, 0, -1):
                before = stack[depth, 1]
                board[here], board[before] = board[before], board[here]
                here = before
            read += reach - found
            for depth in range(1, found + 1):
                path[read + depth - 1] = stack[depth, 2]
            back = min(span, write)  # what stands before may now be shortened in turn
        else:
            back = -min(stride, reach)
        if back > 0:
            back = min(back, stride)
            for _ in range(back):
                write -= 1
                read -= 1
                path[read] = path[write]
                before = path[write - 1] if write > 0 else control[FIRST_BLANK]
                board[blank], board[before] = board[before], board[blank]
                blank = before
        else:
            for _ in range(-back):
                cell = path[read]
                path[write] = cell
                board[blank], board[cell] = board[cell], board[blank]
                blank = cell
                read += 1
                write += 1
    control[BLANK], control[READ], control[WRITE], control[END] = blank, read, write, end
    control[NODES] = nodes
    return RUNNING


@kernel("void(int64, int64[::1], int64[::1], int64[:, ::1])")
def trace(
    blank: int, path: NDArray[np.int64], board: NDArray[np.int64], moves: NDArray[np.int64]
) -> None:
    """Write (tile, cell it leaves, cell it enters) for each cell that the blank enters."""
    for index in range(path.shape[0]):
        cell = path[index]
        moves[index, 0], moves[index, 1], moves[index, 2] = board[cell], cell, blank
        board[blank], board[cell] = board[cell], board[blank]
        blank = cell
