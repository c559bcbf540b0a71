"""Distances and numbers of shortest ways in a graph of numbered states.

The neighbours of state n are ``targets[offsets[n] : offsets[n + 1]]``; edges go both ways.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel

__all__ = ["OVERFLOW", "count_ways", "distances"]

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]

OVERFLOW = -1


@kernel("int64(int64[::1], int64[::1], int32[::1], int32[::1], int32[::1], int64)")
def distances(
    cursor: I64, offsets: I64, targets: I32, queue: I32, distance: I32, budget: int
) -> int:
    """Search in breadth from the states in the queue; return 1 when all are reached, else 0.

    `cursor` holds the place of the next state in the queue, the end of the queue, and the largest
    distance so far.  `distance` is 0 for the first states and -1 for all others at the beginning.
    """
    head, tail, farthest = cursor[0], cursor[1], cursor[2]
    end = min(head + budget, len(queue))
    while head < tail and head < end:
        state = queue[head]
        head += 1
        farthest = np.int64(distance[state])
        for edge in range(offsets[state], offsets[state + 1]):
            reached = targets[edge]
            if distance[reached] < 0:
                distance[reached] = farthest + 1
                queue[tail] = reached
                tail += 1
    cursor[0], cursor[1], cursor[2] = head, tail, farthest
    return 1 if head == tail else 0


@kernel("int64(int64[::1], int32[::1], int32[::1], int32[::1], uint64[::1])")
def count_ways(offsets: I64, targets: I32, order: I32, distance: I32, ways: U64) -> int:
    """Push numbers of shortest ways along edges that come one nearer to the goal.

    `order` lists the states by falling distance, so each number is final when its turn comes.
    Returns 0, or `OVERFLOW` when a number leaves 64 bits.
    """
    for place in range(len(order)):
        state = order[place]
        own = ways[state]
        if own == np.uint64(0):
            continue
        for edge in range(offsets[state], offsets[state + 1]):
            reached = targets[edge]
            if distance[reached] == distance[state] - 1:
                if ways[reached] > np.uint64(0xFFFFFFFFFFFFFFFF) - own:
                    return OVERFLOW
                ways[reached] += own
    return 0
