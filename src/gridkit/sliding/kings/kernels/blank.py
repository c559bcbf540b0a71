"""Bring a blank to where it is asked for: by the cheapest way, or around a tile.

A grid cell holds a tile (0, 1, ...) or -1, a blank; one move slides a tile into a neighbouring
blank.  What it costs to displace a tile depends on whether that carries the tile towards its own
goal, and on how far it is off.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel, trailing_zeros

__all__ = ["SPAN", "Queue", "empty", "lead_around", "slide"]

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Words = NDArray[np.uint64]

# The kernels of peeling share five arrays.
#
# `cells`, int32[cells, CELL_SIZE]: of each cell of the grid, row-major: the tile on it (-1 for a
# blank) and the one it shall hold, 1 if it is fixed, its row and column, the rank that decides the
# price of the tile that goes there; and of the search that looks for a blank, the stamp of the
# cell's last label and of its settling, its price, the next cell on the way.
TILE, TARGET, LOCKED, ROW, COL, RANK, LABELLED, SETTLED, PRICE, AHEAD = range(10)
CELL_SIZE = 10
# `tiles`, int32[k, 2]: the cell of each tile now, and the one where it shall stand.
WHERE, GOAL = range(2)
# `moves`, int32[capacity, 3]: receives the moves: tile, from, to.
#
# `prices`, int32[ranks, max(rows, cols), 2]: what it costs to displace a tile along a line: by its
# rank, by how far it is off its goal along that line, and whether it goes towards the goal (first)
# or away; 0 to SPAN - 1.
#
# `control`, int64[LISTED + blanks]: next entry of the order, moves written, searches made, open
# blanks listed; sides of the grid; by how much a search is drawn to the blanks for each step away
# from the nearest one (0 or less where blanks are not listed; unless it is 0, a blank that touches
# a tile is led around it without a search); 1 if a tile may also step to a diagonal cell when it,
# and both cells beside the way, are empty; the cells of the listed blanks.
AT, MOVES, STAMP, BLANKS, ROWS, COLS, PULL, DIAGONAL, LISTED = range(9)

# Buckets of the queue: every price is below this.
SPAN = 4096
# Columns of `Queue.items`.
CELL, NEXT = range(2)
# The eight cells around a cell, clockwise from the top left.
DOWN: Longs = np.array([-1, -1, -1, 0, 1, 1, 1, 0])
ACROSS: Longs = np.array([-1, 0, 1, 1, 1, 0, -1, -1])


class Queue(NamedTuple):
    """The queue of a search: a bucket for each price; empty between searches.

    Attributes
    ----------
    items : int32[SPAN + 4 * cells + 2, 2]
        Cell, and next item of the bucket; the buckets begin at the first SPAN items.  -1 ends a
        bucket.
    filled : uint64[65]
        A bit for each filled bucket; the last word has a bit for each word that is not 0.
    """

    items: Annotated[Ints, "int32[:, ::1]"]
    filled: Annotated[Words, "uint64[::1]"]


@kernel("void(int32[:, ::1], uint64[::1], int64, int64, int64)")
def _push(items: Ints, filled: Words, number: int, bucket: int, cell: int) -> None:
    """Put a cell into a bucket.

    Parameters
    ----------
    items : int32[:, 2]
        Lists of the buckets; an item is (cell, next).
    filled : uint64[65]
        A bit for each bucket that is filled; the last word one for each word.
    number : int
        The item.
    bucket, cell : int
        Where it goes, and what it holds.
    """
    items[number, CELL] = cell
    items[number, NEXT] = items[bucket, NEXT]
    items[bucket, NEXT] = number
    word = bucket >> 6
    filled[word] |= np.uint64(1) << np.uint64(bucket & 63)
    filled[64] |= np.uint64(1) << np.uint64(word)


@kernel("int64(uint64[::1], int64)")
def _first(filled: Words, since: int) -> int:
    """Return the first filled bucket from one on, going round.

    Parameters
    ----------
    filled : uint64[65]
        As in `_push`.
    since : int
        The bucket to begin with.

    Returns
    -------
    int
        The bucket; -1 if there is none.
    """
    if filled[64] == np.uint64(0):
        return -1
    word = since >> 6
    rest = filled[word] >> np.uint64(since & 63)
    if rest != np.uint64(0):
        return since + trailing_zeros(rest)
    words = np.uint64(0)
    if word < 63:
        words = filled[64] >> np.uint64(word + 1)
    if words != np.uint64(0):
        word = word + 1 + trailing_zeros(words)
    else:
        word = trailing_zeros(filled[64])
    return (word << 6) + trailing_zeros(filled[word])


@kernel("void(uint64[::1], int64)")
def _emptied(filled: Words, bucket: int) -> None:
    """Clear the bit of a bucket.

    Parameters
    ----------
    filled : uint64[65]
        As in `_push`.
    bucket : int
        The bucket.
    """
    word = bucket >> 6
    filled[word] &= ~(np.uint64(1) << np.uint64(bucket & 63))
    if filled[word] == np.uint64(0):
        filled[64] &= ~(np.uint64(1) << np.uint64(word))


@kernel("void(int32[:, ::1], int32[:, ::1], int32[:, ::1], int64[::1], int64, int64)")
def slide(cells: Ints, tiles: Ints, moves: Ints, control: Longs, origin: int, to: int) -> None:
    """Slide what stands on a cell into a blank; a blank moves for nothing.

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
    origin, to : int
        The cells.
    """
    tile = cells[origin, TILE]
    cells[to, TILE] = tile
    cells[origin, TILE] = -1
    if tile >= 0:
        tiles[tile, WHERE] = to
        number = control[MOVES]
        moves[number, 0] = tile
        moves[number, 1] = origin
        moves[number, 2] = to
        control[MOVES] = number + 1
        for i in range(LISTED, LISTED + control[BLANKS]):
            if control[i] == to:
                control[i] = origin
                break


@kernel("int64(int32[:, ::1], int64[::1], int64)")
def _drawn(cells: Ints, control: Longs, cell: int) -> int:
    """Return what a search adds to a price for the way to the nearest listed blank.

    Parameters
    ----------
    cells : int32[cells, words]
        See the names of its words.
    control : int64[:]
        See the names of its words.
    cell : int
        The cell.

    Returns
    -------
    int
        The price.
    """
    row = np.int64(cells[cell, ROW])
    col = np.int64(cells[cell, COL])
    least = np.int64(1 << 20)
    for i in range(LISTED, LISTED + control[BLANKS]):
        blank = control[i]
        least = min(least, abs(cells[blank, ROW] - row) + abs(cells[blank, COL] - col))
    return int(control[PULL] * least)


@kernel(
    "int64(int32[:, ::1], int32[:, ::1], int32[:, ::1], int64[::1], int32[:, :, ::1], Queue,"
    " int64, int64)"
)
def empty(
    cells: Ints,
    tiles: Ints,
    moves: Ints,
    control: Longs,
    prices: Ints,
    queue: Queue,
    first: int,
    second: int,
) -> int:
    """Bring a blank to one of two cells, whichever is cheaper.

    Dijkstra's search (1959) grows from the cells to be emptied; a step from u to v stands for the
    tile on u moving to v, and the first blank settled ends it.  With a pull it is drawn to the
    blanks (Hart, Nilsson and Raphael, 1968).  Its queue has a bucket for each price, in a ring as
    wide as the dearest step (Dial, 1969); with a pull, keys may fall, so they are not taken round
    but cut off.

    Parameters
    ----------
    cells, tiles, moves, control, prices
        See the module.
    queue : Queue
        Empty, and left so.
    first, second : int
        The cells to be emptied, -1 for none.

    Returns
    -------
    int
        Which of the two is empty now, -1 if no blank can get there.
    """
    items = queue.items
    filled = queue.filled
    rows = control[ROWS]
    cols = control[COLS]
    pull = control[PULL]
    stamp = control[STAMP] + 1
    control[STAMP] = stamp
    size = SPAN
    for source in (first, second):
        if source >= 0 and cells[source, LOCKED] == 0:
            cells[source, LABELLED] = stamp
            cells[source, PRICE] = 0
            cells[source, AHEAD] = -1
            key = min(_drawn(cells, control, source), SPAN - 1) if pull > 0 else 0
            _push(items, filled, size, key, source)
            size += 1
    to = -1
    bucket = 0
    while True:
        bucket = _first(filled, 0 if pull > 0 else bucket)
        if bucket < 0:
            break
        item = np.int64(items[bucket, NEXT])
        u = np.int64(items[item, CELL])
        items[bucket, NEXT] = items[item, NEXT]
        if items[bucket, NEXT] < 0:
            _emptied(filled, bucket)
        if cells[u, SETTLED] == stamp:
            continue
        cells[u, SETTLED] = stamp
        tile = cells[u, TILE]
        if tile < 0:
            to = u
            break
        aim = np.int64(tiles[tile, GOAL])
        row = np.int64(cells[u, ROW])
        col = np.int64(cells[u, COL])
        down = np.int64(cells[aim, ROW]) - row
        across = np.int64(cells[aim, COL]) - col
        before = np.int64(cells[u, PRICE])
        rank = np.int64(cells[aim, RANK])
        for side in range(4):
            if side == 0:
                if row == 0:
                    continue
                v = u - cols
                nearer = down < 0
            elif side == 1:
                if row == rows - 1:
                    continue
                v = u + cols
                nearer = down > 0
            elif side == 2:
                if col == 0:
                    continue
                v = u - 1
                nearer = across < 0
            else:
                if col == cols - 1:
                    continue
                v = u + 1
                nearer = across > 0
            if cells[v, LOCKED] != 0 or cells[v, SETTLED] == stamp:
                continue
            off = abs(down) if side < 2 else abs(across)
            cost = before + np.int64(prices[rank, off, 0 if nearer else 1])
            if cells[v, LABELLED] != stamp or cost < cells[v, PRICE]:
                cells[v, LABELLED] = stamp
                cells[v, PRICE] = cost
                cells[v, AHEAD] = u
                if pull > 0:
                    key = min(cost + _drawn(cells, control, v), SPAN - 1)
                else:
                    key = cost & (SPAN - 1)
                _push(items, filled, size, key, v)
                size += 1
    bucket = _first(filled, 0)
    while bucket >= 0:  # leave an empty queue
        items[bucket, NEXT] = -1
        _emptied(filled, bucket)
        bucket = _first(filled, 0)
    if to >= 0:
        while cells[to, AHEAD] >= 0:
            origin = np.int64(cells[to, AHEAD])
            slide(cells, tiles, moves, control, origin, to)
            to = origin
    return int(to)


@kernel(
    "int64(int32[:, ::1], int32[:, ::1], int32[:, ::1], int64[::1], int32[:, :, ::1], int64, int64,"
    " int64)"
)
def lead_around(
    cells: Ints,
    tiles: Ints,
    moves: Ints,
    control: Longs,
    prices: Ints,
    at: int,
    down: int,
    across: int,
) -> int:
    """Bring a blank that touches a tile ahead of it, around the tile.

    Of the ways around, in both senses to both cells ahead, the cheapest is taken.

    Parameters
    ----------
    cells, tiles, moves, control, prices
        See the module.
    at : int
        The cell of the tile.
    down, across : int
        How far the tile has to go.

    Returns
    -------
    int
        The cell ahead that is empty now, -1 if no blank touches the tile.
    """
    row = np.int64(cells[at, ROW])
    col = np.int64(cells[at, COL])
    rows = control[ROWS]
    cols = control[COLS]
    least = np.int64(1 << 30)
    chosen = 0
    sense = 0
    length = 0
    for side in range(2):
        if side == 0:
            if down == 0:
                continue
            source = 5 if down > 0 else 1
        else:
            if across == 0:
                continue
            source = 3 if across > 0 else 7
        for turn in (1, -1):
            i = source
            price = np.int64(0)
            steps = 0
            while price < least:
                r = row + DOWN[i]
                c = col + ACROSS[i]
                if r < 0 or c < 0 or r >= rows or c >= cols or cells[r * cols + c, LOCKED] != 0:
                    break
                tile = cells[r * cols + c, TILE]
                if tile < 0:
                    least = price
                    chosen = source
                    sense = turn
                    length = steps
                    break
                if steps == 7:
                    break
                i = (i + turn) & 7
                aim = np.int64(tiles[tile, GOAL])
                dr = row + DOWN[i] - r
                dc = col + ACROSS[i] - c
                off = dr * (np.int64(cells[aim, ROW]) - r)
                off += dc * (np.int64(cells[aim, COL]) - c)
                rank = np.int64(cells[aim, RANK])
                price += np.int64(prices[rank, abs(off), 0 if off > 0 else 1])
                steps += 1
    if sense == 0:
        return -1
    i = (chosen + sense * length) & 7
    to = (row + DOWN[i]) * cols + col + ACROSS[i]
    while length > 0:
        length -= 1
        i = (i - sense) & 7
        origin = (row + DOWN[i]) * cols + col + ACROSS[i]
        slide(cells, tiles, moves, control, origin, to)
        to = origin
    return int(to)
