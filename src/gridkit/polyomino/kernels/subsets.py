"""Connected subsets of a graph that contain its root, counted one by one (Redelmeier, 1981).

The untried cells form one growing queue; a subset is an increasing choice of queue positions, so
each is met exactly once.  Both kernels keep their whole state in arrays and stop at the budget:

* `queue`: cells in the order of discovery; `mark` (uint8, one a cell): 1 for those in the queue and
  those left out;
* `first`, `last` (one a depth): the next queue position to try and the end of the queue;
* `counters` (int64): [depth, weight chosen, subsets found, nodes spent].
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel

__all__ = ["advance_lifted", "advance_subsets"]


@kernel(
    "boolean(uint64, int64, uint32[::1], uint8[::1], uint32[::1], uint32[::1], int64[::1], int64)"
)
def advance_subsets(
    stride: np.uint64,
    size: int,
    queue: NDArray[np.uint32],
    mark: NDArray[np.uint8],
    first: NDArray[np.uint32],
    last: NDArray[np.uint32],
    counters: NDArray[np.int64],
    budget: int,
) -> bool:
    """Count subsets of `size` >= 2 cells of a grid whose rows are `stride` long.

    Returns whether all are counted.  The last cell is not placed: a subset one cell short counts
    its untried cells at once.  Indices are unsigned, which spares numba's test for negative ones.
    """
    one = np.uint64(1)
    depth = np.uint64(counters[0])
    deepest = np.uint64(size - 2)
    begin = np.uint64(first[depth])
    end = np.uint64(last[depth])
    found = np.uint64(0)
    nodes = 0
    finished = False
    while nodes < budget:
        if begin == end:
            if depth == np.uint64(0):
                finished = True
                break
            depth -= one
            begin = np.uint64(first[depth])
            kept = np.uint64(last[depth])
            while end > kept:
                end -= one
                mark[np.uint64(queue[end])] = 0
            continue
        cell = np.uint64(queue[begin])
        begin += one
        nodes += 1
        right, left, below, above = cell + one, cell - one, cell + stride, cell - stride
        if depth == deepest:
            taken = mark[right] + mark[left] + mark[below] + mark[above]
            found += end - begin + np.uint64(4) - np.uint64(taken)
            continue
        first[depth] = begin
        depth += one
        if mark[right] == 0:
            mark[right] = 1
            queue[end] = right
            end += one
        if mark[left] == 0:
            mark[left] = 1
            queue[end] = left
            end += one
        if mark[below] == 0:
            mark[below] = 1
            queue[end] = below
            end += one
        if mark[above] == 0:
            mark[above] = 1
            queue[end] = above
            end += one
        last[depth] = end
    first[depth] = begin
    last[depth] = end
    counters[0] = np.int64(depth)
    counters[2] += np.int64(found)
    counters[3] += nodes
    return finished


@kernel(
    "boolean(int32[:,::1], int32[:,::1], int32[::1], int64, int64, int32[::1], uint8[::1],"
    " int32[::1], int32[::1], int64[::1], uint8[::1], int32[::1], int64)"
)
def advance_lifted(
    neighbours: NDArray[np.int32],
    members: NDArray[np.int32],
    weights: NDArray[np.int32],
    size: int,
    stride: int,
    queue: NDArray[np.int32],
    mark: NDArray[np.uint8],
    first: NDArray[np.int32],
    last: NDArray[np.int32],
    counters: NDArray[np.int64],
    filled: NDArray[np.uint8],
    stack: NDArray[np.int32],
    budget: int,
) -> bool:
    """Count subsets of orbits whose cells together are connected and `size` many.

    `members` lists each orbit's cells, the first `weights[orbit]` columns being used, as indices
    into a frame of rows `stride` long; `filled` (all 0 between calls) and `stack` are scratch.
    """
    depth = counters[0]
    total = counters[1]
    nodes = 0
    finished = False
    while nodes < budget:
        if first[depth] == last[depth]:
            if depth == 0:
                finished = True
                break
            depth -= 1
            for position in range(last[depth], last[depth + 1]):
                mark[queue[position]] = 0
            total -= weights[queue[first[depth] - 1]]
            continue
        orbit = queue[first[depth]]
        first[depth] += 1
        nodes += 1
        weight = total + weights[orbit]
        if weight > size:
            continue
        if weight == size:
            for level in range(depth + 1):
                chosen = queue[first[level] - 1]
                for k in range(weights[chosen]):
                    filled[members[chosen, k]] = 1
            reached = 0
            top = 1
            stack[0] = members[orbit, 0]
            filled[members[orbit, 0]] = 0
            while top > 0:
                top -= 1
                cell = stack[top]
                reached += 1
                for step in (1, -1, stride, -stride):
                    if filled[cell + step] == 1:
                        filled[cell + step] = 0
                        stack[top] = cell + step
                        top += 1
            if reached == size:
                counters[2] += 1
            else:
                for level in range(depth + 1):
                    chosen = queue[first[level] - 1]
                    for k in range(weights[chosen]):
                        filled[members[chosen, k]] = 0
            continue
        total = weight
        end = last[depth]
        for side in range(neighbours.shape[1]):
            neighbour = neighbours[orbit, side]
            if mark[neighbour] == 0:
                mark[neighbour] = 1
                queue[end] = neighbour
                end += 1
        first[depth + 1] = first[depth]
        last[depth + 1] = end
        depth += 1
    counters[0] = depth
    counters[1] = total
    counters[3] += nodes
    return finished
