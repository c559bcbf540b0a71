"""A plan of kings as a timeline, and the visits that forbid a cell as lists in order of time."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel

__all__ = ["END", "Lists", "Timeline", "allow", "build", "forbid", "safe_until"]

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]

END = 1 << 30  # later than every move
# Places in `state`, which improve keeps between calls: searches made, place in the order, labels
# taken, moves saved, first free node, moments of a chunk as a power of two.
STAMP, AT, SPENT, GAINED, FREE, SHIFT = range(6)
STATE_SIZE = 6
# Columns of the nodes and of the visits.
NEXT, BEGIN, UNTIL, KING = range(4)
CELL, MOMENT = range(2)


class Lists(NamedTuple):
    """The board, and for each cell and chunk of time the visits that forbid the cell.

    Attributes
    ----------
    heads : int32[cells, chunks]
        First node of each list, or -1.
    nodes : int32[capacity, 4]
        NEXT node, BEGIN and UNTIL of a visit, KING; nodes that are free are linked too.
    rows, cols : int
        Sides of the board.
    diagonal : int
        1 if kings step to diagonal cells, else 0.
    """

    heads: Annotated[Ints, "int32[:, ::1]"]
    nodes: Annotated[Ints, "int32[:, ::1]"]
    rows: Annotated[int, "int64"]
    cols: Annotated[int, "int64"]
    diagonal: Annotated[int, "int64"]


class Timeline(NamedTuple):
    """The plan.

    Attributes
    ----------
    offsets : int64[k]
        First visit of each king.
    counts : int32[k]
        How many visits each king has.
    visits : int32[n, 2]
        CELL, and MOMENT the visit begins; in the order in which a king makes them.
    """

    offsets: Annotated[Longs, "int64[::1]"]
    counts: Annotated[Ints, "int32[::1]"]
    visits: Annotated[Ints, "int32[:, ::1]"]


@kernel("void(Lists, int64[::1], int64, int64, int64, int64)")
def forbid(lists: Lists, state: Longs, cell: int, begin: int, end: int, king: int) -> None:
    """Add a visit to the lists of the nine cells around its cell, each sorted by begin.

    Parameters
    ----------
    lists : Lists
        Changed.
    state : int64[STATE_SIZE]
        SHIFT is read, FREE and SPENT are changed.
    cell, begin, end, king : int
        The visit.
    """
    heads, nodes, rows, cols = lists.heads, lists.nodes, lists.rows, lists.cols
    shift = state[SHIFT]
    row = cell // cols
    col = cell - row * cols
    for r in range(max(row - 1, 0), min(row + 2, rows)):
        for c in range(max(col - 1, 0), min(col + 2, cols)):
            around = r * cols + c
            for chunk in range(begin >> shift, (min(end, END - 1) >> shift) + 1):
                node = state[FREE]
                state[FREE] = nodes[node, NEXT]
                before = -1
                after = np.int64(heads[around, chunk])
                while after >= 0 and nodes[after, BEGIN] < begin:
                    before = after
                    after = np.int64(nodes[after, NEXT])
                nodes[node, NEXT] = after
                nodes[node, BEGIN] = begin
                nodes[node, UNTIL] = end
                nodes[node, KING] = king
                if before < 0:
                    heads[around, chunk] = node
                else:
                    nodes[before, NEXT] = node
            state[SPENT] += 8


@kernel("void(Lists, int64[::1], int64, int64, int64, int64)")
def allow(lists: Lists, state: Longs, cell: int, begin: int, end: int, king: int) -> None:
    """Take a visit out of the lists of the nine cells around its cell.

    Parameters
    ----------
    lists : Lists
        Changed.
    state : int64[STATE_SIZE]
        SHIFT is read, FREE and SPENT are changed.
    cell, begin, end, king : int
        The visit.
    """
    heads, nodes, rows, cols = lists.heads, lists.nodes, lists.rows, lists.cols
    shift = state[SHIFT]
    row = cell // cols
    col = cell - row * cols
    for r in range(max(row - 1, 0), min(row + 2, rows)):
        for c in range(max(col - 1, 0), min(col + 2, cols)):
            around = r * cols + c
            for chunk in range(begin >> shift, (min(end, END - 1) >> shift) + 1):
                before = -1
                node = np.int64(heads[around, chunk])
                while nodes[node, BEGIN] != begin or nodes[node, KING] != king:
                    before = node
                    node = np.int64(nodes[node, NEXT])
                if before < 0:
                    heads[around, chunk] = nodes[node, NEXT]
                else:
                    nodes[before, NEXT] = nodes[node, NEXT]
                nodes[node, NEXT] = state[FREE]
                state[FREE] = node
            state[SPENT] += 8


@kernel("int64(Lists, int64[::1], int64, int64, int64)")
def safe_until(lists: Lists, state: Longs, cell: int, moment: int, leave: int) -> int:
    """Return the last moment until which a cell that is safe at a moment stays safe.

    Parameters
    ----------
    lists : Lists
    state : int64[STATE_SIZE]
        SHIFT is read.
    cell, moment : int
    leave : int
        No later moment is asked for.

    Returns
    -------
    int
        The moment.
    """
    heads, nodes = lists.heads, lists.nodes
    shift = state[SHIFT]
    for chunk in range(moment >> shift, (min(leave, END - 1) >> shift) + 1):
        node = np.int64(heads[cell, chunk])
        while node >= 0:
            if nodes[node, BEGIN] > moment:
                return min(leave, np.int64(nodes[node, BEGIN]) - 1)
            node = np.int64(nodes[node, NEXT])
    return leave


@kernel("void(Lists, int64[::1], Timeline, int32[::1], int32[::1])")
def build(lists: Lists, state: Longs, timeline: Timeline, latest: Ints, owners: Ints) -> None:
    """Fill the lists from the visits.

    Parameters
    ----------
    lists : Lists
        Filled anew.
    state : int64[STATE_SIZE]
        SHIFT is read, FREE is set.
    timeline : Timeline
        The plan.
    latest, owners : int32[n]
        All visits from the latest begin to the earliest, and the king of each.
    """
    heads, nodes = lists.heads, lists.nodes
    offsets, counts, visits = timeline.offsets, timeline.counts, timeline.visits
    heads[:, :] = -1
    for node in range(nodes.shape[0]):
        nodes[node, NEXT] = node + 1
    nodes[nodes.shape[0] - 1, NEXT] = -1
    state[FREE] = 0
    for j in range(latest.shape[0]):
        i = np.int64(latest[j])
        king = np.int64(owners[j])
        end = np.int64(END)
        if i + 1 < offsets[king] + counts[king]:
            end = np.int64(visits[i + 1, MOMENT])
        forbid(lists, state, np.int64(visits[i, CELL]), np.int64(visits[i, MOMENT]), end, king)
