"""Kernel of the depth-first search for shortest solutions (IDA*, Korf 1985) with an own stack.

Unsigned indices spare numba's check for negative ones in the inner loops.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel, popcount, prefetch

__all__ = ["advance", "look_up"]

RUNNING, FOUND, EXHAUSTED = 0, 1, 2

# control words
(
    DEPTH, BOUND, NODES, NEXT_BOUND, SOLUTIONS, COUNT_ALL, BLANK, WALK, COST_WEIGHT, REST_WEIGHT,
) = range(10)  # fmt: skip


@kernel("int64(int64, int64, uint64, int64[::1], int64, int64[:, ::1], int64[::1], uint8[::1])")
def look_up(
    first: int,
    size: int,
    mask: int,
    place: NDArray[np.int64],
    offset: int,
    binomial: NDArray[np.int64],
    factorial: NDArray[np.int64],
    table: NDArray[np.uint8],
) -> int:
    """Read the nibble of one pattern: tiles `first` to `first + size - 1` stand at `place`."""
    one = np.uint64(1)
    combination = 0
    order = 0
    rest = mask
    for i in range(size):
        cell = place[first + i]
        bit = one << np.uint64(cell)
        rest ^= bit
        combination += binomial[cell, popcount(mask & (bit - one))]
        order += popcount(rest & (bit - one)) * factorial[size - 1 - i]
    entry = combination * factorial[size] + order
    return np.int64(table[offset + (entry >> 1)] >> (4 * (entry & 1))) & 15


@kernel(
    "int64(int64, int64[::1], int64[:, ::1], int64[::1], uint8[:, ::1], int64[:, ::1],"
    "int64[:, ::1], int64[:, ::1], int64[:, ::1], uint64[:, ::1], int64[:, ::1], int64[::1],"
    "int64[::1], int64[::1], int64[:, ::1], int64[::1], uint8[::1], int64[:, ::1])"
)
def advance(
    budget: int,
    control: NDArray[np.int64],
    neighbours: NDArray[np.int64],
    board: NDArray[np.int64],
    walk: NDArray[np.uint8],
    image: NDArray[np.int64],
    slot: NDArray[np.int64],
    group: NDArray[np.int64],
    place: NDArray[np.int64],
    mask: NDArray[np.uint64],
    excess: NDArray[np.int64],
    group_first: NDArray[np.int64],
    group_size: NDArray[np.int64],
    group_offset: NDArray[np.int64],
    binomial: NDArray[np.int64],
    factorial: NDArray[np.int64],
    table: NDArray[np.uint8],
    stack: NDArray[np.int64],
) -> int:
    """Search on for about `budget` nodes.

    A node counts COST_WEIGHT * moves made + REST_WEIGHT * moves estimated; more than BOUND is cut
    off.  Tiles are numbered by their goal cells.  View r (a symmetry of the board that keeps the
    blank's goal) sees cell c as `image[r, c]` and looks tiles up in the same tables, where
    `slot[r, tile]` and `group[r, tile]` say.  `excess[r, g]` is the nibble of group g, its
    last column their sum.
    `binomial[c, i]` is the binomial coefficient of c and i + 1.
    Row d of `stack` holds the number of moves left to follow (-1: not listed yet), the blank's cell
    before, the nibbles replaced, and for each move its cell, its count and its nibbles.
    """
    one = np.uint64(1)
    views = image.shape[0]
    groups = group_size.shape[0]
    width = 2 + views
    depth, bound = control[DEPTH], control[BOUND]
    nodes, next_bound = control[NODES], control[NEXT_BOUND]
    blank, steps = control[BLANK], control[WALK]
    cost_weight, rest_weight = control[COST_WEIGHT], control[REST_WEIGHT]
    last = nodes + budget
    status = RUNNING
    while nodes < last:
        row = stack[np.uint64(depth)]
        count = row[0]
        if count < 0:
            # List the moves; all are looked up together, so that the waits for memory overlap.
            count = 0
            for side in range(4):
                cell = neighbours[np.uint64(blank), np.uint64(3 - side)]
                if cell < 0 or (depth > 0 and cell == row[1]):
                    continue
                nodes += 1
                tile = board[np.uint64(cell)]
                moved = steps + np.int64(walk[np.uint64(tile), np.uint64(blank)])
                moved -= np.int64(walk[np.uint64(tile), np.uint64(cell)])
                total = cost_weight * (depth + 1) + rest_weight * moved
                if total > bound:
                    next_bound = min(next_bound, total)
                    continue
                at = width * (count + 1)
                row[np.uint64(at)], row[np.uint64(at + 1)] = cell, total
                count += 1
            # The view that says more goes first: it spares the other's look-up more often.
            turn = 1 if views == 2 and excess[1, groups] > excess[0, groups] else 0
            for q in range(views):
                r = np.uint64(q ^ turn)
                kept = 0
                for k in range(count):
                    at = width * (k + 1)
                    cell = row[np.uint64(at)]
                    tile = np.uint64(board[np.uint64(cell)])
                    g = np.uint64(group[r, tile])
                    s = np.uint64(slot[r, tile])
                    place[r, s] = image[r, np.uint64(blank)]
                    rest = mask[r, g]
                    rest ^= one << np.uint64(image[r, np.uint64(cell)])
                    rest ^= one << np.uint64(image[r, np.uint64(blank)])
                    first, size = group_first[g], group_size[g]
                    occupied = rest
                    combination = 0
                    order = 0
                    for i in range(size):
                        c = np.uint64(place[r, np.uint64(first + i)])
                        bit = one << c
                        rest ^= bit
                        combination += binomial[c, np.uint64(popcount(occupied & (bit - one)))]
                        order += popcount(rest & (bit - one)) * factorial[np.uint64(size - 1 - i)]
                    entry = combination * factorial[np.uint64(size)] + order
                    prefetch(table, np.uint64(group_offset[g] + (entry >> 1)))
                    place[r, s] = image[r, np.uint64(cell)]
                    row[np.uint64(at + 2) + r] = 2 * group_offset[g] + entry
                for k in range(count):
                    at = width * (k + 1)
                    cell, total = row[np.uint64(at)], row[np.uint64(at + 1)]
                    g = np.uint64(group[r, np.uint64(board[np.uint64(cell)])])
                    entry = row[np.uint64(at + 2) + r]
                    fresh = (np.int64(table[np.uint64(entry >> 1)]) >> (4 * (entry & 1))) & 15
                    row[np.uint64(at + 2) + r] = fresh
                    more = excess[r, np.uint64(groups)] - excess[r, g] + fresh
                    estimate = total + 2 * rest_weight * more
                    if estimate > bound:
                        next_bound = min(next_bound, estimate)
                        continue
                    to = width * (kept + 1)
                    for i in range(width):
                        row[np.uint64(to + i)] = row[np.uint64(at + i)]
                    kept += 1
                count = kept
        if count == 0:
            # Every move is done: take the last step back.
            if depth == 0:
                status = EXHAUSTED
                break
            cell = row[1]
            tile = board[np.uint64(cell)]  # it stands where the blank was before
            board[np.uint64(blank)], board[np.uint64(cell)] = tile, board[np.uint64(blank)]
            steps += np.int64(walk[np.uint64(tile), np.uint64(blank)])
            steps -= np.int64(walk[np.uint64(tile), np.uint64(cell)])
            for v in range(views):
                r = np.uint64(v)
                g = np.uint64(group[r, np.uint64(tile)])
                before, after = image[r, np.uint64(cell)], image[r, np.uint64(blank)]
                place[r, np.uint64(slot[r, np.uint64(tile)])] = after
                mask[r, g] ^= (one << np.uint64(before)) | (one << np.uint64(after))
                old = row[np.uint64(2) + r]
                excess[r, np.uint64(groups)] += old - excess[r, g]
                excess[r, g] = old
            blank = cell
            depth -= 1
            continue
        row[0] = count - 1
        at = width * count
        cell = row[np.uint64(at)]
        tile = board[np.uint64(cell)]
        following = stack[np.uint64(depth + 1)]
        following[0], following[1] = -1, blank
        for v in range(views):
            r = np.uint64(v)
            g = np.uint64(group[r, np.uint64(tile)])
            before, after = image[r, np.uint64(cell)], image[r, np.uint64(blank)]
            place[r, np.uint64(slot[r, np.uint64(tile)])] = after
            mask[r, g] ^= (one << np.uint64(before)) | (one << np.uint64(after))
            fresh = row[np.uint64(at + 2) + r]
            following[np.uint64(2) + r] = excess[r, g]
            excess[r, np.uint64(groups)] += fresh - excess[r, g]
            excess[r, g] = fresh
        steps += np.int64(walk[np.uint64(tile), np.uint64(blank)])
        steps -= np.int64(walk[np.uint64(tile), np.uint64(cell)])
        board[np.uint64(blank)], board[np.uint64(cell)] = tile, board[np.uint64(blank)]
        depth += 1
        blank = cell
        if steps == 0:
            control[SOLUTIONS] += 1
            if control[COUNT_ALL] == 0:
                status = FOUND
                break
            following[0] = 0
    control[DEPTH], control[NODES], control[NEXT_BOUND] = depth, nodes, next_bound
    control[BLANK], control[WALK] = blank, steps
    return status
