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


@kernel("UniTuple(int64, 2)(int64[::1], Grid, int32[::1], Stretch, int64)")
def _measure(
    control: NDArray[np.int64],
    grid: Grid,
    path: NDArray[np.int32],
    stretch: Stretch,
    reach: int,
) -> tuple[int, int]:
    """Find where a stretch takes the tiles that it touches.

    Parameters
    ----------
    control : (CONTROL_WORDS,) array of int64
        STAMP is changed.
    grid : Grid
        The board.
    path : (moves,) array of int32
        The cells that the blank enters.
    stretch : Stretch
        `target` and `seen` are changed.
    reach : int
        Moves of the stretch, which begins at control[READ].

    Returns
    -------
    home, walk : int
        The blank's cell at its end, and the taxicab distances of the tiles in all.
    """
    board, target, seen = stretch.board, stretch.target, stretch.seen
    blank, read = control[BLANK], control[READ]
    control[STAMP] += 1
    stamp = control[STAMP]
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
            walk += apart(np.int64(path[index]), target[tile], grid.spot)
            target[tile] = -1 - target[tile]  # counted
    for index in range(read, read + reach):
        tile = board[path[index]]
        if seen[tile] == stamp and target[tile] < 0:
            target[tile] = -1 - target[tile]
    return home, walk


@kernel("UniTuple(int64, 2)(int64[::1], Grid, Stretch, int64, int64, int64)")
def _search(
    control: NDArray[np.int64], grid: Grid, stretch: Stretch, home: int, walk: int, reach: int
) -> tuple[int, int]:
    """Look for a way that does the same as a stretch in fewer moves (IDA*).

    Parameters
    ----------
    control : (CONTROL_WORDS,) array of int64
        See the names of its words.
    grid : Grid
        The board.
    stretch : Stretch
        The board is left as it was; the way is in CELL of the stack's rows from 1 on.
    home, walk, reach : int
        The blank's cell at the end, the distances of the tiles, the moves of the stretch.

    Returns
    -------
    shorter, spent : int
        Moves of the way, or -1; and nodes.
    """
    spot, neighbours = grid.spot, grid.neighbours
    board, target, seen, stack = stretch.board, stretch.target, stretch.seen, stretch.stack
    stamp, patience = control[STAMP], control[PATIENCE]
    here = control[BLANK]
    bound = walk + ((reach - walk) & 1)
    spent = 0
    shorter = -1
    while bound < reach and shorter < 0 and spent < patience:
        depth, here, rest = 0, control[BLANK], walk
        stack[0, MOVE] = 0
        stack[0, BEFORE] = -1
        while depth >= 0:
            if rest == 0 and here == home:
                shorter = depth
                break
            side = stack[depth, MOVE]
            cell = np.int64(neighbours[here, side]) if side < 4 else -1
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
    for depth in range(shorter, 0, -1):
        before = stack[depth, BEFORE]
        board[here], board[before] = board[before], board[here]
        here = before
    return shorter, spent


@kernel("void(int64[::1], int32[::1], int64[::1], int64)")
def _move_on(
    control: NDArray[np.int64], path: NDArray[np.int32], board: NDArray[np.int64], moves: int
) -> None:
    """Let the next stretch begin some moves later, or earlier.

    Parameters
    ----------
    control : (CONTROL_WORDS,) array of int64
        BLANK, READ and WRITE are changed.
    path : (moves,) array of int32
        The cells that the blank enters.
    board : (cells,) array of int64
        The tile on each cell; changed.
    moves : int
        How many later, below 0 how many earlier.
    """
    blank, read, write = control[BLANK], control[READ], control[WRITE]
    for _ in range(-moves):
        write -= 1
        read -= 1
        path[read] = path[write]
        before = np.int64(path[write - 1]) if write > 0 else control[FIRST_BLANK]
        board[blank], board[before] = board[before], board[blank]
        blank = before
    for _ in range(moves):
        cell = np.int64(path[read])
        path[write] = cell
        board[blank], board[cell] = board[cell], board[blank]
        blank = cell
        read += 1
        write += 1
    control[BLANK], control[READ], control[WRITE] = blank, read, write


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
    span, stride = control[SPAN], control[STRIDE]
    last = control[NODES] + budget
    while control[NODES] < last:
        reach = min(span, control[END] - control[READ])
        if reach < 4:
            while control[READ] < control[END]:
                path[control[WRITE]] = path[control[READ]]
                control[READ] += 1
                control[WRITE] += 1
            control[END] = control[WRITE]
            return DONE
        home, walk = _measure(control, grid, path, stretch, reach)
        shorter, spent = _search(control, grid, stretch, home, walk, reach)
        control[NODES] += spent + reach
        if shorter < 0:
            _move_on(control, path, stretch.board, min(stride, reach))
            continue
        # Put the shorter stretch in front of the rest; what stands before may now be shortened too.
        control[READ] += reach - shorter
        for depth in range(1, shorter + 1):
            path[control[READ] + depth - 1] = stretch.stack[depth, CELL]
        _move_on(control, path, stretch.board, -min(span, stride, control[WRITE]))
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
