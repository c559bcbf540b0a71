"""Connected subsets of a graph that contain its root, counted one by one (Redelmeier, 1981).

The untried cells form one growing queue; a subset is an increasing choice of queue positions, so
each is met exactly once.  Both kernels keep their whole state in arrays and stop at the budget.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridkit.polyomino.kernels.groups import DEPTH, FOUND, NODES, WEIGHT, Orbits, Search
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
    """Count subsets of `size` >= 2 cells of a grid.

    Parameters
    ----------
    stride, size : int
        Cells of a row of the grid; cells of a subset.
    queue, mark, first, last, counters
        As in `Search`, but with unsigned indices, which spares numba's test for negative ones;
        WEIGHT is not used.
    budget : int
        Cells to try at most.

    Returns
    -------
    bool
        Whether all are counted.

    Notes
    -----
    The last cell is not placed: a subset one cell short counts its untried cells at once.
    """
    one = np.uint64(1)
    depth = np.uint64(counters[DEPTH])
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
            end_before = np.uint64(last[depth])
            while end > end_before:
                end -= one
                mark[np.uint64(queue[end])] = 0
            continue
        cell = np.uint64(queue[begin])
        begin += one
        nodes += 1
        right, left, below, above = cell + one, cell - one, cell + stride, cell - stride
        if depth == deepest:
            marked = mark[right] + mark[left] + mark[below] + mark[above]
            found += end - begin + np.uint64(4) - np.uint64(marked)
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
    counters[DEPTH] = np.int64(depth)
    counters[FOUND] += np.int64(found)
    counters[NODES] += nodes
    return finished


@kernel("boolean(Orbits, Search, int64)")
def advance_lifted(orbits: Orbits, search: Search, budget: int) -> bool:
    """Count subsets of orbits whose cells together are connected and `orbits.size` many.

    Parameters
    ----------
    orbits : Orbits
        The graph.
    search : Search
        The state, changed in place.
    budget : int
        Orbits to try at most.

    Returns
    -------
    bool
        Whether all are counted.
    """
    queue, mark, first, last = search.queue, search.mark, search.first, search.last
    counters, filled, stack = search.counters, search.filled, search.stack
    neighbours, members, weights = orbits.neighbours, orbits.members, orbits.weights
    size, stride = orbits.size, orbits.stride
    depth = counters[DEPTH]
    total = counters[WEIGHT]
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
                counters[FOUND] += 1
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
    counters[DEPTH] = depth
    counters[WEIGHT] = total
    counters[NODES] += nodes
    return finished
