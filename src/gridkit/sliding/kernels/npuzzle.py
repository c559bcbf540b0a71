"""Kernel of the depth-first search for shortest solutions (IDA*, Korf 1985) with an own stack."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel, popcount

__all__ = ["advance", "look_up"]

RUNNING, FOUND, EXHAUSTED = 0, 1, 2

# control words
(
    DEPTH, BOUND, NODES, NEXT_BOUND, SOLUTIONS, COUNT_ALL, BLANK, WALK, COST_WEIGHT, REST_WEIGHT,
) = range(10)  # fmt: skip


@kernel(
    "int64(int64, int64, uint64, int64[::1], int64, int64, int64[::1], int64[:, ::1], int64[::1],"
    "uint8[::1])"
)
def look_up(
    first: int,
    size: int,
    mask: int,
    place: NDArray[np.int64],
    half: int,
    offset: int,
    low_rank: NDArray[np.int64],
    high_rank: NDArray[np.int64],
    factorial: NDArray[np.int64],
    table: NDArray[np.uint8],
) -> int:
    """Read the nibble of one pattern: tiles `first` to `first + size - 1` stand at `place`."""
    one = np.uint64(1)
    low = mask & ((one << np.uint64(half)) - one)
    rank = low_rank[low] + high_rank[popcount(low), mask >> np.uint64(half)]
    order = 0
    rest = mask
    for i in range(size):
        bit = one << np.uint64(place[first + i])
        rest ^= bit
        order += popcount(rest & (bit - one)) * factorial[size - 1 - i]
    entry = rank * factorial[size] + order
    return np.int64(table[offset + (entry >> 1)] >> (4 * (entry & 1))) & 15


@kernel(
    "int64(int64, int64[::1], int64[:, ::1], int64[::1], uint8[:, ::1], int64[:, ::1],"
    "int64[:, ::1], int64[:, ::1], int64[:, ::1], uint64[:, ::1], int64[:, ::1], int64[::1],"
    "int64[::1], int64[::1], int64[::1], int64[:, ::1], int64[::1], int64, uint8[::1],"
    "int64[:, ::1])"
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
    low_rank: NDArray[np.int64],
    high_rank: NDArray[np.int64],
    factorial: NDArray[np.int64],
    half: int,
    table: NDArray[np.uint8],
    stack: NDArray[np.int64],
) -> int:
    """Search on for about `budget` nodes.

    A node counts COST_WEIGHT * moves made + REST_WEIGHT * moves estimated; more than BOUND is cut
    off.  Tiles are numbered by their goal cells.  View r (a symmetry of the board that keeps the
    blank's goal) sees cell c as `image[r, c]` and looks tiles up in the same tables, where
    `slot[r, tile]` and `group[r, tile]` say.  `excess[r, g]` is the nibble of group g, its
    last column their sum.
    Row d of `stack` holds the next side to try, the blank's cell before, and the nibbles replaced.
    """
    one = np.uint64(1)
    low_half = (one << np.uint64(half)) - one
    views = image.shape[0]
    groups = group_size.shape[0]
    depth, bound = control[DEPTH], control[BOUND]
    nodes, next_bound = control[NODES], control[NEXT_BOUND]
    blank, steps = control[BLANK], control[WALK]
    cost_weight, rest_weight = control[COST_WEIGHT], control[REST_WEIGHT]
    last = nodes + budget
    status = RUNNING
    while True:
        if nodes >= last:
            break
        side = stack[depth, 0]
        cell = neighbours[blank, side] if side < 4 else -1
        if cell < 0:
            # Every side is done: take the last step back.
            if depth == 0:
                status = EXHAUSTED
                break
            cell = stack[depth, 1]
            tile = board[cell]  # it stands where the blank was before
            board[blank], board[cell] = tile, board[blank]
            steps += np.int64(walk[tile, blank]) - np.int64(walk[tile, cell])
            for r in range(views):
                g = group[r, tile]
                place[r, slot[r, tile]] = image[r, blank]
                mask[r, g] ^= (one << np.uint64(image[r, cell])) | (
                    one << np.uint64(image[r, blank])
                )
                old = stack[depth, 2 + r]
                excess[r, groups] += old - excess[r, g]
                excess[r, g] = old
            blank = cell
            depth -= 1
            continue
        stack[depth, 0] = side + 1
        if depth > 0 and cell == stack[depth, 1]:
            continue
        nodes += 1
        tile = board[cell]
        moved = steps + np.int64(walk[tile, blank]) - np.int64(walk[tile, cell])
        total = cost_weight * (depth + 1) + rest_weight * moved
        if total > bound:
            next_bound = min(next_bound, total)
            continue
        kept = views
        # The view that says more goes first: it spares the other's look-up more often.
        turn = 1 if views == 2 and excess[1, groups] > excess[0, groups] else 0
        for q in range(views):
            r = q ^ turn
            g = group[r, tile]
            place[r, slot[r, tile]] = image[r, blank]
            mask[r, g] ^= (one << np.uint64(image[r, cell])) | (one << np.uint64(image[r, blank]))
            rest = mask[r, g]
            entry = low_rank[rest & low_half]
            entry += high_rank[np.uint64(popcount(rest & low_half)), rest >> np.uint64(half)]
            first, size = group_first[g], group_size[g]
            entry *= factorial[size]
            for i in range(size):
                bit = one << np.uint64(place[r, first + i])
                rest ^= bit
                entry += popcount(rest & (bit - one)) * factorial[size - 1 - i]
            byte = table[np.uint64(group_offset[g] + (entry >> 1))]
            fresh = (np.int64(byte) >> (4 * (entry & 1))) & 15
            stack[depth + 1, 2 + r] = excess[r, g]
            excess[r, groups] += fresh - excess[r, g]
            excess[r, g] = fresh
            estimate = total + 2 * rest_weight * excess[r, groups]
            if estimate > bound:
                next_bound = min(next_bound, estimate)
                kept = q
                break
        if kept < views:
            for q in range(kept + 1):
                r = q ^ turn
                g = group[r, tile]
                place[r, slot[r, tile]] = image[r, cell]
                mask[r, g] ^= (one << np.uint64(image[r, cell])) | (
                    one << np.uint64(image[r, blank])
                )
                old = stack[depth + 1, 2 + r]
                excess[r, groups] += old - excess[r, g]
                excess[r, g] = old
            continue
        board[blank], board[cell] = tile, board[blank]
        depth += 1
        stack[depth, 0] = 0
        stack[depth, 1] = blank
        blank = cell
        steps = moved
        if steps == 0:
            control[SOLUTIONS] += 1
            if control[COUNT_ALL] == 0:
                status = FOUND
                break
            stack[depth, 0] = 4
    control[DEPTH], control[NODES], control[NEXT_BOUND] = depth, nodes, next_bound
    control[BLANK], control[WALK] = blank, steps
    return status
