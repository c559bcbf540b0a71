"""Kernels that shorten the blank's way through a large board, and turn it into steps.

Tiles are numbered by their goal cells; a way is the list of cells that the blank enters.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel
from gridkit.sliding.npuzzle.kernels.blank import apart

__all__ = ["Grid", "Stretch", "shorten", "trace"]

RUNNING, DONE = 0, 1
# Words of `control`: the blank; where `path` is read, where it is written and where it ends; nodes;
# the last mark in `seen`; the blank at first; moves in a stretch, from one to the next, and nodes
# after which a stretch is given up.
(
    BLANK, READ, WRITE, END, NODES, STAMP, FIRST_BLANK, SPAN, STRIDE, PATIENCE, CONTROL_WORDS,
) = range(11)  # fmt: skip
MOVE, BEFORE, CELL = range(3)  # words of a row of `stack`


class Grid(NamedTuple):
    """The board.

    Attributes
    ----------
    spot : (cells, 2) array of int64
        Row and column.
    neighbours : (cells, 4) array of int64
        The neighbours of each cell, filled up with -1.
    """

    spot: Annotated[NDArray[np.int64], "int64[:, ::1]"]
    neighbours: Annotated[NDArray[np.int64], "int64[:, ::1]"]


class Stretch(NamedTuple):
    """A stretch of the path at work; all change.

    Attributes
    ----------
    board : (cells,) array of int64
        The tile on each cell, where the path is read.
    target, seen : (cells,) arrays of int64
        Where the stretch takes a tile, and the mark of the last stretch that touched it.
    stack : (span + 2, 3) array of int64
        Row d of the search: the next side to try, the blank's cell before, and the cell entered.
    """

    board: Annotated[NDArray[np.int64], "int64[::1]"]
    target: Annotated[NDArray[np.int64], "int64[::1]"]
    seen: Annotated[NDArray[np.int64], "int64[::1]"]
    stack: Annotated[NDArray[np.int64], "int64[:, ::1]"]


@kernel("int64(int64, int64[::1], Grid, int32[::1], Stretch)")
def shorten(
    budget: int,
    control: NDArray[np.int64],
    grid: Grid,
    path: NDArray[np.int32],
    stretch: Stretch,
) -> int:
    """Replace stretches of the path by shortest ones, each found by IDA* (R. Korf 1985).

    Only the tiles that a stretch touches have to go where it takes them.

    Parameters
    ----------
    budget : int
        Nodes, about.
    control : (CONTROL_WORDS,) array of int64
        See the names of its words.
    grid : Grid
        The board.
    path : (moves,) array of int32
        The cells that the blank enters, of which those before WRITE and from READ to END count.
    stretch : Stretch
        Where the search stands.

    Returns
    -------
    int
        RUNNING, or DONE at the end of the path.
    """
    spot, neighbours = grid.spot, grid.neighbours
    board, target, seen, stack = stretch.board, stretch.target, stretch.seen, stretch.stack
    span, stride, patience = control[SPAN], control[STRIDE], control[PATIENCE]
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
            cell = np.int64(path[index])
            tile = board[cell]
            board[here], board[cell] = tile, board[here]
            target[tile] = here
            seen[tile] = stamp
            here = cell
        home = here
        for index in range(read + reach - 1, read - 1, -1):
            before = np.int64(path[index - 1]) if index > read else blank
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
        shorter = -1
        while bound < reach and shorter < 0 and spent < patience:
            depth, here, rest = 0, blank, walk
            stack[0, MOVE] = 0
            stack[0, BEFORE] = -1
            while depth >= 0:
                if rest == 0 and here == home:
                    shorter = depth
                    break
                side = stack[depth, MOVE]
                cell = neighbours[here, side] if side < 4 else -1
                if cell < 0 or spent >= patience:
                    depth -= 1
                    if depth >= 0:
                        before = stack[depth + 1, BEFORE]
                        tile = board[before]
                        board[here], board[before] = tile, board[here]
                        aim = target[tile] if seen[tile] == stamp else here
                        rest += apart(here, aim, spot) - apart(before, aim, spot)
                        here = before
                    continue
                stack[depth, MOVE] = side + 1
                if cell == stack[depth, BEFORE]:
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
                stack[depth, MOVE] = 0
                stack[depth, BEFORE] = here
                stack[depth, CELL] = cell
                here = cell
            bound += 2
        nodes += spent + reach
        if shorter >= 0:
            # Undo the search's own moves, then put the shorter stretch in front of the rest.
            for depth in range(shorter, 0, -1):
                before = stack[depth, BEFORE]
                board[here], board[before] = board[before], board[here]
                here = before
            read += reach - shorter
            for depth in range(1, shorter + 1):
                path[read + depth - 1] = stack[depth, CELL]
            back = min(span, write)  # what stands before may now be shortened in turn
        else:
            back = -min(stride, reach)
        if back > 0:
            back = min(back, stride)
            for _ in range(back):
                write -= 1
                read -= 1
                path[read] = path[write]
                before = np.int64(path[write - 1]) if write > 0 else control[FIRST_BLANK]
                board[blank], board[before] = board[before], board[blank]
                blank = before
        else:
            for _ in range(-back):
                cell = np.int64(path[read])
                path[write] = cell
                board[blank], board[cell] = board[cell], board[blank]
                blank = cell
                read += 1
                write += 1
    control[BLANK], control[READ], control[WRITE], control[END] = blank, read, write, end
    control[NODES] = nodes
    return RUNNING


@kernel("void(int64, int32[::1], int64[::1], int64[::1], int32[:, ::1])")
def trace(
    blank: int,
    path: NDArray[np.int32],
    board: NDArray[np.int64],
    block: NDArray[np.int64],
    moves: NDArray[np.int32],
) -> None:
    """Write (block, cell it leaves, cell it enters) for each cell that the blank enters.

    Parameters
    ----------
    blank : int
        The blank's cell at first.
    path : (moves,) array of int32
        The cells that it enters.
    board : (cells,) array of int64
        The tile on each cell; changed.
    block : (cells,) array of int64
        The block that each tile is, -1 for a blank.
    moves : (moves, 3) array of int32
        Written.
    """
    for index in range(path.shape[0]):
        cell = np.int64(path[index])
        moves[index, 0], moves[index, 1], moves[index, 2] = block[board[cell]], cell, blank
        board[blank], board[cell] = board[cell], board[blank]
        blank = cell
