"""The board of the constructive plans, and the way of the blank by priced displacement.

Tiles are numbered by their goal cells; `place[tile]` is where a tile stands, `board` the inverse.
A plan is the list of cells that the blank enters.  Unsigned indices spare numba's check for
negative ones in the inner loops.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel

__all__ = ["Grid", "Marks", "Position", "Queue", "apart", "lead_blank", "move_blank"]

BLANK, MADE, LINE, ROUNDS, STAMP = range(5)  # words of `control`
CONTROL_WORDS = 5

_HEAVY = 60.0
# On large boards: part of what a cell costs, by its distance from the goal, and how far the search
# goes beyond the rectangle of the blank and the goal.  Both leave plans about as long.
_LARGE = 1_000
_PULL = 0.2
_MARGIN = 6


class Grid(NamedTuple):
    """The board, and the order in which it is filled.

    Attributes
    ----------
    spot : (cells, 2) array of int64
        Row and column.
    neighbours : (cells, 4) array of int64
        The neighbours of each cell, filled up with -1.
    lines : (lines, 4) array of int64
        First cell, step along the line, length, step inwards.
    bounds : (lines, 4) array of int64
        The rectangle still free before each line: top, bottom, left, right (half open).
    """

    spot: Annotated[NDArray[np.int64], "int64[:, ::1]"]
    neighbours: Annotated[NDArray[np.int64], "int64[:, ::1]"]
    lines: Annotated[NDArray[np.int64], "int64[:, ::1]"]
    bounds: Annotated[NDArray[np.int64], "int64[:, ::1]"]


class Position(NamedTuple):
    """Where everything stands; all change.

    Attributes
    ----------
    board, place : (cells,) arrays of int64
        The tile on each cell, and the cell of each tile.
    made : (room,) array of int64
        The cells that the blank entered in this call, control[MADE] of them.
    """

    board: Annotated[NDArray[np.int64], "int64[::1]"]
    place: Annotated[NDArray[np.int64], "int64[::1]"]
    made: Annotated[NDArray[np.int64], "int64[::1]"]


class Marks(NamedTuple):
    """What the search for the blank's way looks at.

    Attributes
    ----------
    locked, sought : (cells,) arrays of bool
        Cells that are filled, and cells to reach; both change.
    price : (cells, 2) array of float64
        What it costs to displace a tile nearer to its goal, and farther from it.
    """

    locked: Annotated[NDArray[np.bool_], "boolean[::1]"]
    sought: Annotated[NDArray[np.bool_], "boolean[::1]"]
    price: Annotated[NDArray[np.float64], "float64[:, ::1]"]


class Queue(NamedTuple):
    """The search for the blank's way; scratch.

    Attributes
    ----------
    cost, came, seen : (cells,) arrays of float64, int64 and int64
        The least cost of a cell so far, the cell before it, and the mark of the last search that
        reached it.
    heap_costs, heap_cells : (4 * cells + 8,) arrays of float64 and int64
        A binary heap.
    """

    cost: Annotated[NDArray[np.float64], "float64[::1]"]
    came: Annotated[NDArray[np.int64], "int64[::1]"]
    seen: Annotated[NDArray[np.int64], "int64[::1]"]
    heap_costs: Annotated[NDArray[np.float64], "float64[::1]"]
    heap_cells: Annotated[NDArray[np.int64], "int64[::1]"]


@kernel("void(int64, int64[::1], Position)")
def move_blank(cell: int, control: NDArray[np.int64], position: Position) -> None:
    """Slide the tile on `cell` into the blank beside it and note the cell.

    Parameters
    ----------
    cell : int
        A neighbour of the blank.
    control : array of int64
        BLANK and MADE change.
    position : Position
        Changed.
    """
    board, place, made = position.board, position.place, position.made
    blank = control[BLANK]
    tile = board[cell]
    board[blank], board[cell] = tile, board[blank]
    place[tile], place[board[cell]] = blank, cell
    made[control[MADE]] = cell
    control[BLANK] = cell
    control[MADE] += 1


@kernel("void(float64, int64, int64, float64[::1], int64[::1])")
def push_heap(
    cost: float, cell: int, size: int, costs: NDArray[np.float64], cells: NDArray[np.int64]
) -> None:
    """Insert into a binary heap.

    Parameters
    ----------
    cost, cell : float, int
        The new entry.
    size : int
        Entries so far.
    costs, cells : arrays of float64, of int64
        The heap, with room for one more entry.
    """
    one = np.uint64(1)
    at = np.uint64(size)
    while at > 0:
        up = (at - one) >> one
        if costs[up] <= cost:
            break
        costs[at], cells[at] = costs[up], cells[up]
        at = up
    costs[at], cells[at] = cost, cell


@kernel("void(int64, float64[::1], int64[::1])")
def pop_heap(size: int, costs: NDArray[np.float64], cells: NDArray[np.int64]) -> None:
    """Remove the first entry of a binary heap.

    Parameters
    ----------
    size : int
        Entries so far, at least 1.
    costs, cells : arrays of float64, of int64
        The heap.
    """
    one = np.uint64(1)
    last = np.uint64(size) - one
    cost, cell = costs[last], cells[last]
    at = np.uint64(0)
    while True:
        child = (at << one) + one
        if child >= last:
            break
        # What stands at `last` is no smaller than `cost`: it may be compared.
        child += np.uint64(costs[child + one] < costs[child])
        if costs[child] >= cost:
            break
        costs[at], cells[at] = costs[child], cells[child]
        at = child
    costs[at], cells[at] = cost, cell


@kernel("int64(int64, int64, int64[:, ::1])")
def apart(here: int, there: int, spot: NDArray[np.int64]) -> int:
    """Return the taxicab distance of two cells.

    Parameters
    ----------
    here, there : int
        The cells.
    spot : (cells, 2) array of int64
        Row and column of each.

    Returns
    -------
    int
        Steps in rows and columns.
    """
    distance: int = abs(spot[here, 0] - spot[there, 0]) + abs(spot[here, 1] - spot[there, 1])
    return distance


@kernel("boolean(int64, int64, int64[::1], Grid, Position, Marks, Queue)")
def lead_blank(
    held: int,
    heavy: int,
    control: NDArray[np.int64],
    grid: Grid,
    position: Position,
    marks: Marks,
    queue: Queue,
) -> bool:
    """Take the blank to the cheapest sought cell, within the surroundings of its way first.

    The ways of the blank are short on the whole; cheap cells far away would be searched in vain.

    Parameters
    ----------
    held : int
        A cell that the blank does not enter, beside the sought cells; or -1.
    heavy : int
        A tile that is hardly ever displaced.
    control, grid, position, marks, queue
        The board; `control`, `position` and the scratch `queue` change.

    Returns
    -------
    bool
        Whether there is a way; else nothing has moved.
    """
    cells = grid.spot.shape[0]
    around = _MARGIN if held >= 0 and cells > _LARGE else cells
    if _search_way(held, heavy, around, control, grid, position, marks, queue):
        return True
    return around < cells and _search_way(held, heavy, cells, control, grid, position, marks, queue)


@kernel("boolean(int64, int64, int64, int64[::1], Grid, Position, Marks, Queue)")
def _search_way(
    held: int,
    heavy: int,
    around: int,
    control: NDArray[np.int64],
    grid: Grid,
    position: Position,
    marks: Marks,
    queue: Queue,
) -> bool:
    """Take the blank to the cheapest sought cell (E. Dijkstra 1959).

    A tile that is displaced costs little when it comes nearer its goal and much when it does not,
    the more so the sooner its goal is filled.

    Parameters
    ----------
    held : int
        A cell that the blank does not enter, or -1.
    heavy : int
        A tile that is hardly ever displaced.
    around : int
        How far the search goes beyond the rectangle of the blank and `held`.
    control, grid, position, marks, queue
        The board; `control`, `position` and the scratch `queue` change.

    Returns
    -------
    bool
        Whether there is a way; else nothing has moved.
    """
    spot, neighbours, board = grid.spot, grid.neighbours, position.board
    locked, sought, price = marks.locked, marks.sought, marks.price
    cost, came, seen = queue.cost, queue.came, queue.seen
    heap_costs, heap_cells = queue.heap_costs, queue.heap_cells
    control[STAMP] += 2
    stamp = control[STAMP]  # seen: stamp = has a cost, stamp + 1 = final
    source = control[BLANK]
    other = held if held >= 0 else source
    top = min(spot[source, 0], spot[other, 0]) - around
    bottom = max(spot[source, 0], spot[other, 0]) + around
    left = min(spot[source, 1], spot[other, 1]) - around
    right = max(spot[source, 1], spot[other, 1]) + around
    cost[source] = 0.0
    came[source] = -1
    seen[source] = stamp
    push_heap(0.0, source, 0, heap_costs, heap_cells)
    size = 1
    target = -1
    while size:
        cell = np.uint64(heap_cells[0])
        pop_heap(size, heap_costs, heap_cells)
        size -= 1
        if seen[cell] == stamp + 1:
            continue
        seen[cell] = stamp + 1
        if sought[cell]:
            target = np.int64(cell)
            break
        so_far = cost[cell]
        row, col = spot[cell, 0], spot[cell, 1]
        for side in range(4):
            beside = neighbours[cell, side]
            if beside < 0:
                break
            ahead = np.uint64(beside)
            if locked[ahead] or beside == held or seen[ahead] == stamp + 1:
                continue
            ahead_row, ahead_col = spot[ahead, 0], spot[ahead, 1]
            if ahead_row < top or ahead_row > bottom or ahead_col < left or ahead_col > right:
                continue
            tile = np.uint64(board[ahead])
            home_row, home_col = spot[tile, 0], spot[tile, 1]
            near = abs(row - home_row) + abs(col - home_col)
            far = abs(ahead_row - home_row) + abs(ahead_col - home_col)
            total = so_far + price[tile, np.uint64(near > far)]
            if board[ahead] == heavy:
                total = so_far + _HEAVY
            if seen[ahead] != stamp or total < cost[ahead]:
                cost[ahead] = total
                came[ahead] = np.int64(cell)
                seen[ahead] = stamp
                if around == _MARGIN:
                    total += _PULL * (
                        abs(ahead_row - spot[held, 0]) + abs(ahead_col - spot[held, 1])
                    )
                push_heap(total, beside, size, heap_costs, heap_cells)
                size += 1
    if target < 0:
        return False
    # The way is short and stands backwards; turn it round in the heap's room.
    length = 0
    while target != source:
        heap_cells[length] = target
        length += 1
        target = came[target]
    for index in range(length - 1, -1, -1):
        move_blank(heap_cells[index], control, position)
    return True
