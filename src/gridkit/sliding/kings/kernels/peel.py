"""Peeling: solve a grid of tiles and blanks line after line, outermost line first.

A grid cell holds a tile (0, 1, ...) or -1, a blank; one move slides a tile into a neighbouring
blank.  Every tile step asks for an empty cell ahead; a cheapest path brings one there, and what it
costs to displace a tile depends on whether that carries the tile towards its own goal, and on how
far it is off.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel, trailing_zeros

__all__ = ["DONE", "FULL", "PAUSED", "SPAN", "STUCK", "peel"]

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Words = NDArray[np.uint64]
Bytes = NDArray[np.uint8]

DONE, PAUSED, FULL, STUCK = 0, 1, 2, 3
# Places in `counters`: next entry of the order, moves written, searches made, open blanks listed.
AT, MOVES, STAMP, BLANKS = range(4)
COUNTERS = 4
# Buckets of the queue: every price is below this.
SPAN = 4096
# Columns of `queue`: first item of a bucket; of `items`: cell, next item in the bucket; of `nodes`:
# stamp of the last label and of its settling, price, next cell on the way.
CELL, NEXT = 0, 1
# The eight cells around a cell, clockwise from the top left.
ROW: Longs = np.array([-1, -1, -1, 0, 1, 1, 1, 0])
COL: Longs = np.array([-1, 0, 1, 1, 1, 0, -1, -1])
LABELLED, SETTLED, PRICE, AHEAD = 0, 1, 2, 3
# Last column of `places`, after row and column of a cell.
RANK = 2


@kernel("void(int32[::1], uint64[::1], int32[:, ::1], int64, int64, int64)")
def _push(queue: Ints, taken: Words, items: Ints, size: int, bucket: int, cell: int) -> None:
    """Put a cell into a bucket as item number `size`; `taken` has a bit for each filled bucket."""
    items[size, CELL] = cell
    items[size, NEXT] = queue[bucket]
    queue[bucket] = size
    word = bucket >> 6
    taken[word] |= np.uint64(1) << np.uint64(bucket & 63)
    taken[64] |= np.uint64(1) << np.uint64(word)


@kernel("int64(uint64[::1], int64)")
def _first(taken: Words, since: int) -> int:
    """Return the first filled bucket from `since` on, going round; -1 if there is none."""
    if taken[64] == np.uint64(0):
        return -1
    word = since >> 6
    rest = taken[word] >> np.uint64(since & 63)
    if rest != np.uint64(0):
        return since + trailing_zeros(rest)
    words = np.uint64(0)
    if word < 63:
        words = taken[64] >> np.uint64(word + 1)
    word = word + 1 + trailing_zeros(words) if words != np.uint64(0) else trailing_zeros(taken[64])
    return (word << 6) + trailing_zeros(taken[word])


@kernel("void(uint64[::1], int64)")
def _emptied(taken: Words, bucket: int) -> None:
    word = bucket >> 6
    taken[word] &= ~(np.uint64(1) << np.uint64(bucket & 63))
    if taken[word] == np.uint64(0):
        taken[64] &= ~(np.uint64(1) << np.uint64(word))


@kernel("void(int32[::1], int32[::1], int32[:, ::1], int64[::1], int32[::1], int64, int64)")
def _slide(
    grid: Ints, where: Ints, out: Ints, counters: Longs, blanks: Ints, origin: int, to: int
) -> None:
    """Slide what stands on `origin` into the blank `to`; a blank moves for nothing."""
    tile = grid[origin]
    grid[to] = tile
    grid[origin] = -1
    if tile >= 0:
        where[tile] = to
        out[counters[MOVES], 0] = tile
        out[counters[MOVES], 1] = origin
        out[counters[MOVES], 2] = to
        counters[MOVES] += 1
        for i in range(counters[BLANKS]):
            if blanks[i] == to:
                blanks[i] = origin
                break


@kernel("int64(int32[::1], int64[::1], int64, int64, int32[:, ::1])")
def _away(blanks: Ints, counters: Longs, row: int, col: int, places: Ints) -> int:
    """Return the distance to the nearest listed blank."""
    least = np.int64(1 << 20)
    for i in range(counters[BLANKS]):
        blank = np.int64(blanks[i])
        least = min(least, abs(places[blank, 0] - row) + abs(places[blank, 1] - col))
    return least


@kernel("void(int32[::1], uint8[::1], int64[::1], int32[::1], int64)")
def _lock(grid: Ints, locked: Bytes, counters: Longs, blanks: Ints, cell: int) -> None:
    """Fix a cell; a blank on it is listed no longer."""
    locked[cell] = 1
    if grid[cell] < 0:
        for i in range(counters[BLANKS]):
            if blanks[i] == cell:
                counters[BLANKS] -= 1
                blanks[i] = blanks[counters[BLANKS]]
                break


@kernel(
    "int64(int32[::1], int32[::1], int32[::1], uint8[::1], int32[:, :, ::1], int32[:, ::1],"
    " int64[::1], int32[::1], int64, int64, int64, int64, int64, int32[::1], uint64[::1],"
    " int32[:, ::1], int32[:, ::1], int32[:, ::1])"
)
def _empty(
    grid: Ints,
    where: Ints,
    goal: Ints,
    locked: Bytes,
    prices: Ints,
    out: Ints,
    counters: Longs,
    blanks: Ints,
    first: int,
    second: int,
    p: int,
    q: int,
    pull: int,
    queue: Ints,
    taken: Words,
    items: Ints,
    nodes: Ints,
    places: Ints,
) -> int:
    """Bring a blank to `first` or `second` (-1: none), whichever is cheaper; return which, or -1.

    Dijkstra's search grows from the cells to be emptied; a step from u to v stands for the tile on
    u moving to v, and the first blank settled ends it.  With a pull it is drawn to the blanks (A*).
    Its queue has a bucket for each price, in a ring as wide as the dearest step; with a pull, keys
    may fall, so they are not taken round but cut off.
    """
    counters[STAMP] += 1
    stamp = counters[STAMP]
    size = 0
    for source in (first, second):
        if source >= 0 and locked[source] == 0:
            nodes[source, LABELLED] = stamp
            nodes[source, PRICE] = 0
            nodes[source, AHEAD] = -1
            key = 0
            if pull > 0:
                way = _away(
                    blanks, counters, np.int64(places[source, 0]), np.int64(places[source, 1]),
                    places,
                )  # fmt: skip
                key = min(pull * way, SPAN - 1)
            _push(queue, taken, items, size, key, source)
            size += 1
    found = -1
    bucket = 0
    while True:
        bucket = _first(taken, 0 if pull > 0 else bucket)
        if bucket < 0:
            break
        item = np.int64(queue[bucket])
        u = np.int64(items[item, CELL])
        queue[bucket] = items[item, NEXT]
        if queue[bucket] < 0:
            _emptied(taken, bucket)
        if nodes[u, SETTLED] == stamp:
            continue
        nodes[u, SETTLED] = stamp
        tile = grid[u]
        if tile < 0:
            found = u
            break
        aim = np.int64(goal[tile])
        row = np.int64(places[u, 0])
        col = np.int64(places[u, 1])
        down = np.int64(places[aim, 0]) - row
        across = np.int64(places[aim, 1]) - col
        before = np.int64(nodes[u, PRICE])
        rank = np.int64(places[aim, RANK])
        for side in range(4):
            if side == 0:
                if row == 0:
                    continue
                v = u - q
                nearer = down < 0
            elif side == 1:
                if row == p - 1:
                    continue
                v = u + q
                nearer = down > 0
            elif side == 2:
                if col == 0:
                    continue
                v = u - 1
                nearer = across < 0
            else:
                if col == q - 1:
                    continue
                v = u + 1
                nearer = across > 0
            if locked[v] != 0 or nodes[v, SETTLED] == stamp:
                continue
            off = abs(down) if side < 2 else abs(across)
            cost = before + np.int64(prices[rank, off, 0 if nearer else 1])
            if nodes[v, LABELLED] != stamp or cost < nodes[v, PRICE]:
                nodes[v, LABELLED] = stamp
                nodes[v, PRICE] = cost
                nodes[v, AHEAD] = u
                if pull > 0:
                    way = _away(
                        blanks, counters, np.int64(places[v, 0]), np.int64(places[v, 1]), places
                    )
                    key = min(cost + pull * way, SPAN - 1)
                else:
                    key = cost & (SPAN - 1)
                _push(queue, taken, items, size, key, v)
                size += 1
    bucket = _first(taken, 0)
    while bucket >= 0:  # leave an empty queue
        queue[bucket] = -1
        _emptied(taken, bucket)
        bucket = _first(taken, 0)
    if found < 0:
        return -1
    to = found
    while nodes[to, AHEAD] >= 0:
        origin = np.int64(nodes[to, AHEAD])
        _slide(grid, where, out, counters, blanks, origin, to)
        to = origin
    return to


@kernel(
    "int64(int32[::1], int32[::1], int32[::1], uint8[::1], int32[:, :, ::1], int32[:, ::1],"
    " int64[::1], int32[::1], int64, int64, int64, int64, int64, int32[:, ::1])"
)
def _around(
    grid: Ints,
    where: Ints,
    goal: Ints,
    locked: Bytes,
    prices: Ints,
    out: Ints,
    counters: Longs,
    blanks: Ints,
    at: int,
    down: int,
    across: int,
    p: int,
    q: int,
    places: Ints,
) -> int:
    """Bring a blank that touches the tile on `at` ahead of it, around it; return where, or -1.

    Of the ways around, in both senses to both cells ahead, the cheapest is taken.
    """
    row = np.int64(places[at, 0])
    col = np.int64(places[at, 1])
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
                r = row + ROW[i]
                c = col + COL[i]
                if r < 0 or c < 0 or r >= p or c >= q or locked[r * q + c] != 0:
                    break
                tile = grid[r * q + c]
                if tile < 0:
                    least = price
                    chosen = source
                    sense = turn
                    length = steps
                    break
                if steps == 7:
                    break
                i = (i + turn) & 7
                aim = np.int64(goal[tile])
                dr = row + ROW[i] - r
                dc = col + COL[i] - c
                off = dr * (np.int64(places[aim, 0]) - r) + dc * (np.int64(places[aim, 1]) - c)
                price += np.int64(prices[places[aim, RANK], abs(off), 0 if off > 0 else 1])
                steps += 1
    if sense == 0:
        return -1
    i = (chosen + sense * length) & 7
    to = (row + ROW[i]) * q + col + COL[i]
    while length > 0:
        length -= 1
        i = (i - sense) & 7
        origin = (row + ROW[i]) * q + col + COL[i]
        _slide(grid, where, out, counters, blanks, origin, to)
        to = origin
    return int(to)


@kernel(
    "int64(int32[::1], int32[::1], int32[::1], uint8[::1], int32[:, :, ::1], int32[:, ::1],"
    " int64[::1], int32[::1], int64, int64, int64, int64, int64, int64, int32[::1], uint64[::1],"
    " int32[:, ::1], int32[:, ::1], int32[:, ::1])"
)
def _step(
    grid: Ints,
    where: Ints,
    goal: Ints,
    locked: Bytes,
    prices: Ints,
    out: Ints,
    counters: Longs,
    blanks: Ints,
    tile: int,
    aim: int,
    p: int,
    q: int,
    pull: int,
    diagonal: int,
    queue: Ints,
    taken: Words,
    items: Ints,
    nodes: Ints,
    places: Ints,
) -> int:
    """Move `tile` one step towards `aim`; return 1, or 0 if no step can be made."""
    at = np.int64(where[tile])
    down = places[aim, 0] - places[at, 0]
    across = places[aim, 1] - places[at, 1]
    first = -1
    second = -1
    if down != 0:
        first = at + q if down > 0 else at - q
    if across != 0:
        second = at + 1 if across > 0 else at - 1
    if diagonal != 0 and first >= 0 and second >= 0:
        corner = first + second - at
        if grid[first] < 0 and grid[second] < 0 and grid[corner] < 0 and locked[corner] == 0:
            _slide(grid, where, out, counters, blanks, at, corner)
            return 1
    if pull != 0:
        chosen = _around(
            grid, where, goal, locked, prices, out, counters, blanks,
            at, np.int64(down), np.int64(across), p, q, places,
        )  # fmt: skip
        if chosen >= 0:
            _slide(grid, where, out, counters, blanks, at, chosen)
            return 1
    locked[at] = 1
    chosen = _empty(
        grid, where, goal, locked, prices, out, counters, blanks,
        first, second, p, q, pull, queue, taken, items, nodes, places,
    )  # fmt: skip
    locked[at] = 0
    if chosen < 0:
        return 0
    _slide(grid, where, out, counters, blanks, at, chosen)
    return 1


@kernel(
    "int64(int32[::1], int32[::1], int32[:, ::1], int64[::1], int32[::1], int32[::1], int64, int64,"
    " int64)"
)
def _finish_pair(
    grid: Ints,
    where: Ints,
    out: Ints,
    counters: Longs,
    blanks: Ints,
    box: Ints,
    first: int,
    second: int,
    q: int,
) -> int:
    """Bring two tiles to box[0] and box[1] by a breadth-first search within the six cells of a box.

    The box must hold both tiles and a blank.  The search runs backwards over the places (first,
    second, blank), and the moves are then read off forwards.
    """
    place_a = -1
    place_b = -1
    blank = -1
    for i in range(6):
        held = grid[box[i]]
        if held == first:
            place_a = i
        elif held == second:
            place_b = i
        elif held < 0:
            blank = i
    if place_a < 0 or place_b < 0 or blank < 0:
        return 0
    after = np.full(216, -1, np.int32)  # the state that follows on a shortest way
    queue = np.empty(216, np.int32)
    head = 0
    tail = 0
    for z in range(2, 6):
        state = 0 * 36 + 1 * 6 + z
        after[state] = state
        queue[tail] = state
        tail += 1
    origin = place_a * 36 + place_b * 6 + blank
    while head < tail and after[origin] < 0:
        state = np.int64(queue[head])
        head += 1
        a = state // 36
        b = state // 6 % 6
        z = state % 6
        for v in range(6):
            gap = abs(box[v] - box[z])
            if gap != 1 and gap != q:
                continue
            # With q = 2 the cells of a box lie so that a difference of q is always a neighbour.
            if gap == 1 and box[v] // q != box[z] // q:
                continue
            before = (z if a == v else a) * 36 + (z if b == v else b) * 6 + v
            if after[before] < 0:
                after[before] = state
                queue[tail] = before
                tail += 1
    if after[origin] < 0:
        return 0
    state = origin
    while np.int64(after[state]) != state:
        following = np.int64(after[state])
        _slide(
            grid, where, out, counters, blanks,
            np.int64(box[following % 6]), np.int64(box[state % 6]),
        )  # fmt: skip
        state = following
    return 1


@kernel(
    "int64(int32[::1], int32[::1], int32[::1], int32[::1], int32[::1], uint8[::1],"
    " int32[:, :, ::1], int32[:, ::1], int32[:, ::1], int64[::1], int32[::1], int64, int64, int64,"
    " int64, int64)"
)
def peel(
    grid: Ints,
    where: Ints,
    goal: Ints,
    want: Ints,
    ranks: Ints,
    locked: Bytes,
    prices: Ints,
    order: Ints,
    out: Ints,
    counters: Longs,
    blanks: Ints,
    p: int,
    q: int,
    pull: int,
    diagonal: int,
    budget: int,
) -> int:
    """Fix the entries of `order` one after another.

    Parameters
    ----------
    grid, want : int32[p * q]
        What stands on each cell now and what shall stand there (-1: a blank).
    where, goal : int32[k]
        The inverse of both.
    ranks : int32[p * q]
        The rank of each cell, which decides the prices of the tile that goes there.
    locked : uint8[p * q]
        Cells that are fixed.
    prices : int32[r, max(p, q), 2]
        What it costs to displace a tile along a line: by its rank, by how far it is off its goal
        along that line, and whether it goes towards the goal (first) or away; 0 to SPAN - 1.
    order : int32[n, 6]
        One row an entry: (cell, -1, ...) a single cell; the six cells of a box: the last two cells
        of a line, then the four cells behind them.
    out : int32[capacity, 3]
        Receives moves (tile, from, to).
    counters : int64[4]
        Next entry, moves written, searches made, open blanks listed; kept between calls.
    blanks : int32[b]
        The open blanks, where searches are drawn to them.
    pull : int
        By how much, for each step away from the nearest blank; 0 or less where blanks are not
        listed.  Unless it is 0, a blank that touches the tile is led around it without a search.
    diagonal : int
        1 if a tile may also step to a diagonal cell when it, and both cells beside the way, are
        empty.
    budget : int
        Moves after which the call pauses.

    Returns
    -------
    int
        DONE, PAUSED, FULL (`out` has no room for another step), STUCK (never on valid input).
    """
    cells = p * q
    queue = np.full(SPAN, -1, np.int32)
    taken = np.zeros(65, np.uint64)
    items = np.empty((4 * cells + 2, 2), np.int32)
    nodes = np.zeros((cells, 4), np.int32)
    places = np.empty((cells, 3), np.int32)
    for i in range(cells):
        places[i, 0] = i // q
        places[i, 1] = i % q
        places[i, RANK] = ranks[i]
    stop = counters[MOVES] + budget
    while counters[AT] < order.shape[0]:
        if counters[MOVES] >= stop:
            return PAUSED
        if counters[MOVES] + cells + 240 > out.shape[0]:
            return FULL
        entry = order[counters[AT]]
        cell = np.int64(entry[0])
        fixed = 0
        if entry[1] < 0:
            if grid[cell] == want[cell]:
                fixed = 1
            elif want[cell] >= 0:
                fixed = _step(
                    grid, where, goal, locked, prices, out, counters, blanks,
                    np.int64(want[cell]), cell, p, q, pull, diagonal,
                    queue, taken, items, nodes, places,
                ) - 1  # fmt: skip
            elif _empty(
                grid, where, goal, locked, prices, out, counters, blanks,
                cell, -1, p, q, pull,
                queue, taken, items, nodes, places,
            ) < 0:  # fmt: skip
                fixed = -1
        else:
            end = np.int64(entry[1])
            a = np.int64(want[cell])
            b = np.int64(want[end])
            if grid[cell] == a and grid[end] == b:
                fixed = 1
                _lock(grid, locked, counters, blanks, end)
            elif grid[cell] != a:
                # The end of the line stays open while its last but one cell is being fixed.
                fixed = _step(
                    grid, where, goal, locked, prices, out, counters, blanks,
                    a, cell, p, q, pull, diagonal,
                    queue, taken, items, nodes, places,
                ) - 1  # fmt: skip
            else:
                locked[cell] = 1
                behind = np.int64(entry[3])
                if where[b] == behind and grid[end] >= 0:
                    locked[behind] = 1
                    reached = _empty(
                        grid, where, goal, locked, prices, out, counters, blanks,
                        np.int64(entry[2]), -1, p, q, pull,
                        queue, taken, items, nodes, places,
                    )  # fmt: skip
                    locked[behind] = 0
                    if (
                        reached < 0
                        or _finish_pair(grid, where, out, counters, blanks, entry, a, b, q) == 0
                    ):
                        fixed = -1
                else:
                    aim = end if where[b] == behind else behind
                    fixed = _step(
                        grid, where, goal, locked, prices, out, counters, blanks,
                        b, aim, p, q, pull, diagonal,
                        queue, taken, items, nodes, places,
                    ) - 1  # fmt: skip
                locked[cell] = 0
        if fixed < 0:
            return STUCK
        if fixed == 1:
            _lock(grid, locked, counters, blanks, cell)
            counters[AT] += 1
    return DONE
