"""States without which a graph of numbered states falls apart.

The neighbours of state n are ``targets[offsets[n] : offsets[n + 1]]``; edges go both ways.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel

__all__ = ["NUMBERED", "PLACE", "ROOT_CHILDREN", "WALK_SIZE", "Walk", "cut_states"]

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U8 = NDArray[np.uint8]

# Places in the `cursor`: the state where the walk is, states numbered so far, and the parts that
# hang from the first state.  It begins with the first state, 1, 0.
PLACE, NUMBERED, ROOT_CHILDREN, WALK_SIZE = range(4)


class Walk(NamedTuple):
    """A walk in depth over the states, by state.

    Attributes
    ----------
    order : int32
        When a state was reached, from 1; 0: not yet.
    low : int32
        The least order reached from the state or below it by one edge that leads back.
    parent : int32
        The state from which it was reached; the first state's is -1.
    edge : int64
        The next edge to follow.
    cut : uint8
        1 where the graph falls apart without the state.
    """

    order: Annotated[I32, "int32[::1]"]
    low: Annotated[I32, "int32[::1]"]
    parent: Annotated[I32, "int32[::1]"]
    edge: Annotated[I64, "int64[::1]"]
    cut: Annotated[U8, "uint8[::1]"]


@kernel("int64(int64[::1], int64[::1], int32[::1], Walk, int64)")
def cut_states(cursor: I64, offsets: I64, targets: I32, walk: Walk, budget: int) -> int:
    """Walk in depth and mark the states without which the graph falls apart.

    Parameters
    ----------
    cursor : int64 array
        Scalars, by the places above.
    offsets, targets : int64, int32
        The graph.
    walk : Walk
    budget : int
        Edges to follow.

    Returns
    -------
    int
        1 when the walk is back at the first state for good, else 0.

    Notes
    -----
    J. Hopcroft and R. Tarjan, Efficient algorithms for graph manipulation, 1973; with the stack
    kept as parents, so that it can stop after any number of edges.
    """
    order, low, parent, edge, cut = walk
    at, numbered = cursor[PLACE], cursor[NUMBERED]
    for _ in range(budget):
        if edge[at] < offsets[at + 1]:
            reached = targets[edge[at]]
            edge[at] += 1
            if order[reached] == 0:
                numbered += 1
                order[reached] = low[reached] = numbered
                parent[reached] = at
                at = np.int64(reached)
            elif reached != parent[at]:
                low[at] = min(low[at], order[reached])
            continue
        above = np.int64(parent[at])
        if above < 0:
            cursor[PLACE], cursor[NUMBERED] = at, numbered
            return 1
        if parent[above] < 0:
            cursor[ROOT_CHILDREN] += 1
        elif low[at] >= order[above]:
            cut[above] = 1
        low[above] = min(low[above], low[at])
        at = above
    cursor[PLACE], cursor[NUMBERED] = at, numbered
    return 0
