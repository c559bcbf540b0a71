"""Peeling: solve a grid of tiles and blanks line after line, outermost line first.

A grid cell holds a tile (0, 1, ...) or -1, a blank; one move slides a tile into a neighbouring
blank.  Every tile step asks for an empty cell ahead; a cheapest path brings one there, and what it
costs to displace a tile depends on whether that carries the tile towards its own goal.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel

__all__ = ["DONE", "FULL", "PAUSED", "STUCK", "peel"]

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
Bytes = NDArray[np.uint8]

DONE, PAUSED, FULL, STUCK = 0, 1, 2, 3
# Places in `counters`: next entry of the order, moves written, searches made, the only blank (-1:
# there are several).
AT, MOVES, STAMP, BLANK = 0, 1, 2, 3


@kernel("void(float64[::1], int32[::1], int64, float64, int64)")
def _push(keys: Floats, items: Ints, size: int, key: float, item: int) -> None:
    at = size
    while at > 0:
        up = (at - 1) >> 1
        if keys[up] <= key:
            break
        keys[at] = keys[up]
        items[at] = items[up]
        at = up
    keys[at] = key
    items[at] = item


@kernel("void(float64[::1], int32[::1], int64)")
def _pop(keys: Floats, items: Ints, size: int) -> None:
    """Remove the least of `size` items."""
    last = size - 1
    key = keys[last]
    item = items[last]
    at = 0
    while True:
        down = 2 * at + 1
        if down >= last:
            break
        if down + 1 < last and keys[down + 1] < keys[down]:
            down += 1
        if keys[down] >= key:
            break
        keys[at] = keys[down]
        items[at] = items[down]
        at = down
    keys[at] = key
    items[at] = item


@kernel("void(int32[::1], int32[::1], int32[:, ::1], int64[::1], int64, int64)")
def _slide(grid: Ints, where: Ints, out: Ints, counters: Longs, origin: int, to: int) -> None:
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
        if counters[BLANK] >= 0:
            counters[BLANK] = origin


@kernel(
    "int64(int32[::1], int32[::1], int32[::1], uint8[::1], float64[::1], int32[:, ::1],"
    " int64[::1], int64, int64, int64, int64, float64[::1], int32[::1], float64[::1], int32[::1],"
    " int64[::1], int64[::1], int32[:, ::1], float64[::1])"
)
def _empty(
    grid: Ints,
    where: Ints,
    goal: Ints,
    locked: Bytes,
    urgency: Floats,
    out: Ints,
    counters: Longs,
    first: int,
    second: int,
    p: int,
    q: int,
    keys: Floats,
    items: Ints,
    dist: Floats,
    ahead: Ints,
    marks: Longs,
    closed: Longs,
    places: Ints,
    prices: Floats,
) -> int:
    """Bring a blank to `first` or `second` (-1: none), whichever is cheaper; return which, or -1.

    Dijkstra's search grows from the cells to be emptied; a step from u to v stands for the tile on
    u moving to v, and the first blank settled ends it.
    """
    counters[STAMP] += 1
    stamp = counters[STAMP]
    blank = counters[BLANK]
    # With one blank the search is drawn towards it (A*), somewhat more than the least price of a
    # slide allows for: ways get a little dearer and are found in half the time.
    pull = 1.4 * max(0.0, min(prices[0], prices[0] + prices[1])) if blank >= 0 else 0.0
    blank_row = np.int64(places[max(blank, 0), 0])
    blank_col = np.int64(places[max(blank, 0), 1])
    size = 0
    for source in (first, second):
        if source >= 0 and locked[source] == 0:
            marks[source] = stamp
            dist[source] = 0.0
            ahead[source] = -1
            key = pull * (abs(places[source, 0] - blank_row) + abs(places[source, 1] - blank_col))
            _push(keys, items, size, key, source)
            size += 1
    found = -1
    while size > 0:
        key = keys[0]
        u = np.int64(items[0])
        _pop(keys, items, size)
        size -= 1
        if closed[u] == stamp:
            continue
        closed[u] = stamp
        tile = grid[u]
        if tile < 0:
            found = u
            break
        aim = np.int64(goal[tile])
        row = np.int64(places[u, 0])
        col = np.int64(places[u, 1])
        down = np.int64(places[aim, 0]) - row
        across = np.int64(places[aim, 1]) - col
        near = dist[u] + prices[0] + prices[1] * urgency[tile]
        far = dist[u] + prices[2] + prices[3] * urgency[tile]
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
            if locked[v] != 0 or closed[v] == stamp:
                continue
            cost = near if nearer else far
            if marks[v] != stamp or cost < dist[v]:
                marks[v] = stamp
                dist[v] = cost
                ahead[v] = u
                if pull > 0.0:
                    cost += pull * (abs(places[v, 0] - blank_row) + abs(places[v, 1] - blank_col))
                _push(keys, items, size, cost, v)
                size += 1
    if found < 0:
        return -1
    to = found
    while ahead[to] >= 0:
        origin = np.int64(ahead[to])
        _slide(grid, where, out, counters, origin, to)
        to = origin
    return to


@kernel(
    "int64(int32[::1], int32[::1], int32[::1], uint8[::1], float64[::1], int32[:, ::1],"
    " int64[::1], int64, int64, int64, int64, int64, float64[::1], int32[::1], float64[::1],"
    " int32[::1], int64[::1], int64[::1], int32[:, ::1], float64[::1])"
)
def _step(
    grid: Ints,
    where: Ints,
    goal: Ints,
    locked: Bytes,
    urgency: Floats,
    out: Ints,
    counters: Longs,
    tile: int,
    aim: int,
    p: int,
    q: int,
    diagonal: int,
    keys: Floats,
    items: Ints,
    dist: Floats,
    ahead: Ints,
    marks: Longs,
    closed: Longs,
    places: Ints,
    prices: Floats,
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
            _slide(grid, where, out, counters, at, corner)
            return 1
    locked[at] = 1
    chosen = _empty(
        grid, where, goal, locked, urgency, out, counters,
        first, second, p, q, keys, items, dist, ahead, marks, closed, places, prices,
    )  # fmt: skip
    locked[at] = 0
    if chosen < 0:
        return 0
    _slide(grid, where, out, counters, at, chosen)
    return 1


@kernel("int64(int32[::1], int32[::1], int32[:, ::1], int64[::1], int32[::1], int64, int64, int64)")
def _finish_pair(
    grid: Ints, where: Ints, out: Ints, counters: Longs, box: Ints, first: int, second: int, q: int
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
        _slide(grid, where, out, counters, box[following % 6], box[state % 6])
        state = following
    return 1


@kernel(
    "int64(int32[::1], int32[::1], int32[::1], int32[::1], uint8[::1], float64[::1],"
    " int32[:, ::1], int32[:, ::1], int64[::1], int64, int64, int64, float64[::1], int64)"
)
def peel(
    grid: Ints,
    where: Ints,
    goal: Ints,
    want: Ints,
    locked: Bytes,
    urgency: Floats,
    order: Ints,
    out: Ints,
    counters: Longs,
    p: int,
    q: int,
    diagonal: int,
    prices: Floats,
    budget: int,
) -> int:
    """Fix the entries of `order` one after another.

    Parameters
    ----------
    grid, want : int32[p * q]
        What stands on each cell now and what shall stand there (-1: a blank).
    where, goal : int32[k]
        The inverse of both.
    locked : uint8[p * q]
        Cells that are fixed.
    urgency : float64[k]
        How much each tile's way counts, 0 to 1.
    order : int32[n, 6]
        One row an entry: (cell, -1, ...) a single cell; the six cells of a box: the last two cells
        of a line, then the four cells behind them.
    out : int32[capacity, 3]
        Receives moves (tile, from, to).
    counters : int64[4]
        Next entry, moves written, searches made, the only blank or -1; kept between calls.
    diagonal : int
        1 if a tile may also step to a diagonal cell when it, and both cells beside the way, are
        empty.
    prices : float64[4]
        Price of a displacement: prices[0] + prices[1] * urgency towards the tile's goal, else
        prices[2] + prices[3] * urgency.
    budget : int
        Moves after which the call pauses.

    Returns
    -------
    int
        DONE, PAUSED, FULL (`out` has no room for another step), STUCK (never on valid input).
    """
    cells = p * q
    keys = np.empty(8 * cells + 8, np.float64)
    items = np.empty(8 * cells + 8, np.int32)
    dist = np.empty(cells, np.float64)
    ahead = np.empty(cells, np.int32)
    marks = np.zeros(cells, np.int64)
    closed = np.zeros(cells, np.int64)
    places = np.empty((cells, 2), np.int32)
    for i in range(cells):
        places[i, 0] = i // q
        places[i, 1] = i % q
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
                    grid, where, goal, locked, urgency, out, counters,
                    np.int64(want[cell]), cell, p, q, diagonal,
                    keys, items, dist, ahead, marks, closed, places, prices,
                ) - 1  # fmt: skip
            elif _empty(
                grid, where, goal, locked, urgency, out, counters,
                cell, -1, p, q,
                keys, items, dist, ahead, marks, closed, places, prices,
            ) < 0:  # fmt: skip
                fixed = -1
        else:
            end = np.int64(entry[1])
            a = np.int64(want[cell])
            b = np.int64(want[end])
            if grid[cell] == a and grid[end] == b:
                fixed = 1
                locked[end] = 1
            elif grid[cell] != a:
                # The end of the line stays open while its last but one cell is being fixed.
                fixed = _step(
                    grid, where, goal, locked, urgency, out, counters,
                    a, cell, p, q, diagonal,
                    keys, items, dist, ahead, marks, closed, places, prices,
                ) - 1  # fmt: skip
            else:
                locked[cell] = 1
                behind = np.int64(entry[3])
                if where[b] == behind and grid[end] >= 0:
                    locked[behind] = 1
                    reached = _empty(
                        grid, where, goal, locked, urgency, out, counters,
                        np.int64(entry[2]), -1, p, q,
                        keys, items, dist, ahead, marks, closed, places, prices,
                    )  # fmt: skip
                    locked[behind] = 0
                    if reached < 0 or _finish_pair(grid, where, out, counters, entry, a, b, q) == 0:
                        fixed = -1
                else:
                    aim = end if where[b] == behind else behind
                    fixed = _step(
                        grid, where, goal, locked, urgency, out, counters,
                        b, aim, p, q, diagonal,
                        keys, items, dist, ahead, marks, closed, places, prices,
                    ) - 1  # fmt: skip
                locked[cell] = 0
        if fixed < 0:
            return STUCK
        if fixed == 1:
            locked[cell] = 1
            counters[AT] += 1
    return DONE
