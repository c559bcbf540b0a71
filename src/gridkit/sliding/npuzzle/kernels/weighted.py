"""Kernel of the weighted best-first search (weighted A*, Pohl 1970) with a bucket queue."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel

__all__ = ["advance"]

RUNNING, FOUND, EXHAUSTED, FULL = 0, 1, 2, 3
COUNT, LOWEST, NODES, GOAL = range(4)  # words of `control`
CONTROL_WORDS = 4
PARENT, BLANK, MADE, REST, NEXT = range(5)  # columns of `facts`


@kernel(
    "int64(int64, int64, int64, int64, int64[::1], int64[:, ::1], uint8[:, ::1], uint64[:, ::1],"
    "uint8[:, ::1], int32[:, ::1], uint64[::1], int32[::1], int32[::1])"
)
def advance(
    budget: int,
    cost_weight: int,
    rest_weight: int,
    below: int,
    control: NDArray[np.int64],
    neighbours: NDArray[np.int64],
    walk: NDArray[np.uint8],
    random: NDArray[np.uint64],
    boards: NDArray[np.uint8],
    facts: NDArray[np.int32],
    hashes: NDArray[np.uint64],
    heads: NDArray[np.int32],
    slots: NDArray[np.int32],
) -> int:
    """Expand about `budget` nodes in the order of cost_weight * g + rest_weight * h.

    Only plans shorter than `below` count.  Columns of `facts`: parent, blank, g, h, next in the
    bucket.  `heads` are the buckets, `slots` an open-addressed table of node numbers, a power of
    two long; `random[tile, cell]` are the words whose xor is a board's hash.
    """
    n = boards.shape[1]
    top = np.uint64(slots.shape[0] - 1)
    count, lowest, nodes = control[COUNT], control[LOWEST], control[NODES]
    last = nodes + budget
    status = RUNNING
    while nodes < last:
        while lowest < heads.shape[0] and heads[lowest] < 0:
            lowest += 1
        if lowest == heads.shape[0]:
            status = EXHAUSTED
            break
        if count + 4 > facts.shape[0]:
            status = FULL
            break
        node = np.int64(heads[lowest])
        heads[lowest] = facts[node, NEXT]
        slot = hashes[node] & top
        while slots[slot] >= 0 and hashes[slots[slot]] != hashes[node]:
            slot = (slot + np.uint64(1)) & top
        if slots[slot] != node:
            continue  # a better way to this position was found since
        nodes += 1
        if facts[node, REST] == 0:
            control[GOAL] = node
            status = FOUND
            break
        blank = np.int64(facts[node, BLANK])
        parent = np.int64(facts[node, PARENT])
        from_cell = np.int64(facts[parent, BLANK]) if parent >= 0 else -1
        for side in range(4):
            cell = neighbours[blank, side]
            if cell < 0:
                break
            if cell == from_cell:
                continue
            tile = np.int64(boards[node, cell])
            g = np.int64(facts[node, MADE]) + 1
            gain = np.int64(walk[tile, blank]) - np.int64(walk[tile, cell])
            h = np.int64(facts[node, REST]) + gain
            if g + h >= below:
                continue
            word = hashes[node] ^ random[tile, cell] ^ random[tile, blank]
            slot = word & top
            while slots[slot] >= 0 and hashes[slots[slot]] != word:
                slot = (slot + np.uint64(1)) & top
            if slots[slot] >= 0 and facts[slots[slot], MADE] <= g:
                continue
            slots[slot] = count
            hashes[count] = word
            for index in range(n):
                boards[count, index] = boards[node, index]
            boards[count, blank], boards[count, cell] = tile, boards[node, blank]
            bucket = cost_weight * g + rest_weight * h
            facts[count, PARENT], facts[count, BLANK] = node, cell
            facts[count, MADE], facts[count, REST] = g, h
            facts[count, NEXT] = heads[bucket]
            heads[bucket] = count
            lowest = min(lowest, bucket)
            count += 1
    control[COUNT], control[LOWEST], control[NODES] = count, lowest, nodes
    return status
