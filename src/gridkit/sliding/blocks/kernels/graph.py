"""Distances and numbers of shortest ways in a graph of numbered states.

The neighbours of state n are ``targets[offsets[n] : offsets[n + 1]]``; edges go both ways.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel, trailing_zeros

__all__ = ["OVERFLOW", "Graph", "Spans", "Wave", "count_ways", "distances", "spread"]

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]

OVERFLOW = -1
# Places in the `cursor` of `distances`: the next state's place in the queue, the end of the queue,
# and the largest distance so far.
QUEUE_HEAD, QUEUE_TAIL, FARTHEST, DISTANCES_SIZE = range(4)
# Places in the `cursor` of `spread`; it begins with 1, 0, the number of states, 0.
LEVEL, PLACE, LEFT, CHANGED = range(4)
_ONE = np.uint64(1)
_ZERO = np.uint64(0)


@kernel("int64(int64[::1], int64[::1], int32[::1], int32[::1], int32[::1], int64)")
def distances(
    cursor: I64, offsets: I64, targets: I32, queue: I32, distance: I32, budget: int
) -> int:
    """Search in breadth from the states in the queue; return 1 when all are reached, else 0.

    Parameters
    ----------
    cursor : int64 array
        Scalars, by the places above.
    offsets, targets : int64, int32
        The graph.
    queue : int32, by state
        The states in the order they are reached.
    distance : int32, by state
        At the beginning 0 for the first states and -1 for all others.
    budget : int
        States to pass.

    Returns
    -------
    int
        1 when all that can be reached is, else 0.
    """
    head, tail, farthest = cursor[QUEUE_HEAD], cursor[QUEUE_TAIL], cursor[FARTHEST]
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
    cursor[QUEUE_HEAD], cursor[QUEUE_TAIL], cursor[FARTHEST] = head, tail, farthest
    return 1 if head == tail else 0


class Graph(NamedTuple):
    """A graph: the neighbours of state n are ``targets[offsets[n] : offsets[n + 1]]``."""

    offsets: Annotated[I64, "int64[::1]"]
    targets: Annotated[I32, "int32[::1]"]


class Wave(NamedTuple):
    """Where searches from many states are, one bit each.

    Attributes
    ----------
    seen, fresh : uint64, shape (states, words)
        The searches that have come to each state; working space.
    arrived : uint64, shape (words,)
        The searches that came to any state in this level.
    stamps : uint8, by state
        The level, modulo 256, in which a search last came to it.
    waiting : int32
        The states that not all searches have come to; `cursor` says how many.
    """

    seen: Annotated[U64, "uint64[:, ::1]"]
    fresh: Annotated[U64, "uint64[:, ::1]"]
    arrived: Annotated[U64, "uint64[::1]"]
    stamps: Annotated[NDArray[np.uint8], "uint8[::1]"]
    waiting: Annotated[I32, "int32[::1]"]


class Spans(NamedTuple):
    """How far searches go.

    Attributes
    ----------
    reach : int32, by search
        How far it goes at most.
    spans, rims : int32, by search
        How far it has come, and the first state there.
    lower : int32, by state
        Raised to the distance from any of the first states.
    """

    reach: Annotated[I32, "int32[::1]"]
    spans: Annotated[I32, "int32[::1]"]
    rims: Annotated[I32, "int32[::1]"]
    lower: Annotated[I32, "int32[::1]"]


@kernel("int64(int64[::1], Graph, Wave, Spans, int64)", allocates=True)
def spread(cursor: I64, graph: Graph, wave: Wave, ranges: Spans, budget: int) -> int:
    """Search in breadth from many states at once, one bit each (MS-BFS; M. Then et al., 2014).

    Parameters
    ----------
    cursor : int64 array
        Scalars, by the places above.
    graph : Graph
    wave : Wave
    ranges : Spans
    budget : int
        States to pass.

    Returns
    -------
    int
        1 when all searches are complete, else 0.
    """
    offsets, targets = graph.offsets, graph.targets
    seen, fresh, arrived = wave.seen, wave.fresh, wave.arrived
    stamps, waiting = wave.stamps, wave.waiting
    reach, spans, rims, lower = ranges.reach, ranges.spans, ranges.rims, ranges.lower
    level, place, left, words = cursor[LEVEL], cursor[PLACE], cursor[LEFT], seen.shape[1]
    before, now = np.uint8((level - 1) & 255), np.uint8(level & 255)
    going = np.zeros(words, dtype=np.uint64)
    for source in range(len(reach)):
        if reach[source] >= level:
            going[source >> 6] |= _ONE << np.uint64(source & 63)
    end = min(left, place + budget)
    while place < end:
        state = waiting[place]
        place += 1
        for word in range(words):
            fresh[state, word] = _ZERO
        found = False
        for edge in range(offsets[state], offsets[state + 1]):
            near = targets[edge]
            if stamps[near] == before:
                found = True
                for word in range(words):
                    fresh[state, word] |= seen[near, word]
        if not found:
            continue
        found = False
        for word in range(words):
            fresh[state, word] &= ~seen[state, word] & going[word]
            if fresh[state, word] != _ZERO:
                found = True
                first = fresh[state, word] & ~arrived[word]
                arrived[word] |= first
                while first != _ZERO:
                    source = word * 64 + trailing_zeros(first)
                    spans[source], rims[source] = level, state
                    first &= first - _ONE
        if found:
            lower[state] = max(lower[state], level)
            cursor[CHANGED] = 1
    cursor[PLACE] = place
    if place < left:
        return 0
    if cursor[CHANGED] == 0:
        return 1
    kept = 0
    for place in range(left):
        state = waiting[place]
        complete, found = True, False
        for word in range(words):
            if fresh[state, word] != _ZERO:
                found = True
                seen[state, word] |= fresh[state, word]
            if seen[state, word] != going[word]:
                complete = False
        if found:
            stamps[state] = now
        if not complete:
            waiting[kept] = state
            kept += 1
    cursor[LEVEL], cursor[PLACE], cursor[LEFT], cursor[CHANGED] = level + 1, 0, kept, 0
    for word in range(words):
        arrived[word] = _ZERO
    return 0


@kernel("int64(int64[::1], int32[::1], int32[::1], int32[::1], uint64[::1])")
def count_ways(offsets: I64, targets: I32, order: I32, distance: I32, ways: U64) -> int:
    """Push numbers of shortest ways along edges that come one nearer to the goal.

    Parameters
    ----------
    offsets, targets : int64, int32
        The graph.
    order : int32
        States by falling distance, so each number is final when its turn comes.
    distance : int32, by state
    ways : uint64, by state

    Returns
    -------
    int
        0, or `OVERFLOW` when a number leaves 64 bits.
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
