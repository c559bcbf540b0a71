"""Shorten a plan of kings: take kings out of the timeline and put them back on shorter ways.

A plan is a timeline.  Each king visits cells; while a visit lasts it forbids the nine cells around
it to every other king.  For a king taken out, the others are fixed, and a cell is safe for it in
intervals of time; since waiting is free, a search over pairs (cell, safe interval) finds its way
with the fewest moves.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel
from gridkit.sliding.kings.kernels.timeline import (
    AT,
    BEGIN,
    CELL,
    END,
    GAINED,
    MOMENT,
    NEXT,
    SHIFT,
    SPENT,
    STAMP,
    UNTIL,
    Lists,
    Timeline,
    allow,
    forbid,
    safe_until,
)

__all__ = ["Scratch", "improve"]

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]

# Columns of what is seen, and of the labels.
MARK, FEWEST, EARLIEST = range(3)
PLACE, ARRIVAL, FINAL, MOVES, BEFORE, BUCKET, INTERVAL = range(7)


class Scratch(NamedTuple):
    """Room of a search.

    Attributes
    ----------
    seen : int32[nodes + cells, 3]
        Of each safe interval, named by the node that ends it, or else by its cell: MARK of the
        last search that reached it, FEWEST moves and EARLIEST arrival of the best label.
    buckets : int32[longest way + 2]
        First label by moves beyond the lower bound, or -1.
    labels : int32[room, 7]
        PLACE (a cell), ARRIVAL, FINAL moment that its interval allows, MOVES, label BEFORE, next in
        the BUCKET, INTERVAL.
    """

    seen: Annotated[Ints, "int32[:, ::1]"]
    buckets: Annotated[Ints, "int32[::1]"]
    labels: Annotated[Ints, "int32[:, ::1]"]


@kernel("int64(int64, int64, int64, int64)", inline=True)
def _lower_bound(a: int, b: int, cols: int, diagonal: int) -> int:
    """Return how many moves lead from one cell to another on an empty board.

    Parameters
    ----------
    a, b : int
        The cells.
    cols, diagonal : int
        See `Lists`.

    Returns
    -------
    int
        The number of moves.
    """
    down = abs(a // cols - b // cols)
    across = abs(a % cols - b % cols)
    return max(down, across) if diagonal != 0 else down + across


@kernel("int64(Lists, int64, int64, int64)", inline=True)
def _neighbour(lists: Lists, row: int, col: int, side: int) -> int:
    """Return the neighbour of a cell on one of its sides.

    Parameters
    ----------
    lists : Lists
    row, col : int
        The cell.
    side : int
        0 to 3 straight, 4 to 7 diagonal.

    Returns
    -------
    int
        A cell, or -1 beyond the border.
    """
    if side < 4:
        row += (side & 1) * (side - 2)
        col += (1 - (side & 1)) * (side - 1)
    else:
        row += (side & 1) * 2 - 1
        col += (side & 2) - 1
    if row < 0 or col < 0 or row >= lists.rows or col >= lists.cols:
        return -1
    return row * lists.cols + col


@kernel(
    "UniTuple(int64, 2)(Lists, int64[::1], Scratch, int64, int64, int64, UniTuple(int64, 2),"
    " int64)",
    inline=True,
)
def _enter(
    lists: Lists,
    state: Longs,
    scratch: Scratch,
    label: int,
    cell: int,
    bucket: int,
    window: tuple[int, int],
    size: int,
) -> tuple[int, int]:
    """Label the safe intervals of a cell that a label's king can step into.

    Parameters
    ----------
    lists : Lists
    state : int64[STATE_SIZE]
        SHIFT and STAMP are read.
    scratch : Scratch
        Changed.
    label : int
        Where the king comes from.
    cell, bucket : int
        The cell, and the bucket of its labels.
    window : (int, int)
        The last moment to arrive, and until when the way's last visit lasts.
    size : int
        How many labels there are.

    Returns
    -------
    size, work : int
        How many labels there are now (-1: no room for another one), and the intervals looked at.
    """
    heads, nodes = lists.heads, lists.nodes
    seen, buckets, labels = scratch.seen, scratch.buckets, scratch.labels
    shift, stamp = state[SHIFT], state[STAMP]
    horizon, leave = window
    last_chunk = min(leave, END - 1) >> shift
    moves = np.int64(labels[label, MOVES]) + 1
    moment = np.int64(labels[label, ARRIVAL]) + 1
    chunk = moment >> shift
    node = np.int64(heads[cell, chunk])
    work = 0
    while moment <= horizon:
        # The safe interval that holds `moment` or the next ends where this node begins.
        work += 1
        if node >= 0:
            begin = np.int64(nodes[node, BEGIN])
            if begin <= moment:
                moment = max(moment, np.int64(nodes[node, UNTIL]) + 1)
                node = np.int64(nodes[node, NEXT])
                continue
            interval = node
            final = begin - 1
        elif chunk < last_chunk:
            chunk += 1
            node = np.int64(heads[cell, chunk])
            continue
        else:
            interval = nodes.shape[0] + cell
            final = leave
        fresh = seen[interval, MARK] != stamp
        if fresh or moves < seen[interval, FEWEST] or moment < seen[interval, EARLIEST]:
            if size == labels.shape[0]:
                return -1, work
            seen[interval, MARK] = stamp
            if fresh or (moves <= seen[interval, FEWEST] and moment <= seen[interval, EARLIEST]):
                seen[interval, FEWEST] = moves
                seen[interval, EARLIEST] = moment
            labels[size, PLACE] = cell
            labels[size, ARRIVAL] = moment
            labels[size, FINAL] = final
            labels[size, MOVES] = moves
            labels[size, BEFORE] = label
            labels[size, BUCKET] = buckets[bucket]
            labels[size, INTERVAL] = interval
            buckets[bucket] = size
            size += 1
        if node < 0:
            break
        moment = max(moment, np.int64(nodes[node, UNTIL]) + 1)
        node = np.int64(nodes[node, NEXT])
    return size, work


@kernel("int64(Lists, int64[::1], Scratch, int64, int64, UniTuple(int64, 2), int64, int64)")
def _search(
    lists: Lists,
    state: Longs,
    scratch: Scratch,
    origin: int,
    since: int,
    end: tuple[int, int],
    most: int,
    patience: int,
) -> int:
    """Find a way with the fewest moves.

    Labels are taken by moves + lower bound; among equals the last found first.  A label is
    dominated by one of the same interval with no more moves and no later arrival.

    Parameters
    ----------
    lists : Lists
    state : int64[STATE_SIZE]
        Changed.
    scratch : Scratch
        Changed.
    origin, since : int
        The cell and the moment that the way begins with.
    end : (int, int)
        The cell that it ends on, and the moment until which it stays there.
    most : int
        Its most moves.
    patience : int
        Labels after which the search gives up.

    Returns
    -------
    int
        The last label of the way, or -1.
    """
    cols, diagonal = lists.cols, lists.diagonal
    seen, buckets, labels = scratch.seen, scratch.buckets, scratch.labels
    aim, leave = end
    least = _lower_bound(origin, aim, cols, diagonal)
    if least > most:
        return -1
    state[STAMP] += 1
    for f in range(most - least + 1):
        buckets[f] = -1
    labels[0, PLACE] = origin
    labels[0, ARRIVAL] = since
    labels[0, FINAL] = safe_until(lists, state, origin, since, leave)
    labels[0, MOVES] = 0
    labels[0, BEFORE] = labels[0, BUCKET] = labels[0, INTERVAL] = -1
    size = 1
    buckets[0] = 0
    f = 0
    spent = 0
    work = 0
    while f <= most - least and spent < patience:
        label = np.int64(buckets[f])
        if label < 0:
            f += 1
            continue
        buckets[f] = labels[label, BUCKET]
        cell = np.int64(labels[label, PLACE])
        arrival = np.int64(labels[label, ARRIVAL])
        final = np.int64(labels[label, FINAL])
        moves = np.int64(labels[label, MOVES])
        if cell == aim and final >= leave:
            state[SPENT] += 8 * spent + work
            return label
        interval = np.int64(labels[label, INTERVAL])
        if interval >= 0:
            fewest, earliest = seen[interval, FEWEST], seen[interval, EARLIEST]
            if fewest <= moves and earliest <= arrival and (fewest < moves or earliest < arrival):
                continue
        spent += 1
        horizon = min(final, leave - 1)
        if arrival >= horizon:
            continue
        row = cell // cols
        col = cell - row * cols
        for side in range(8 if diagonal != 0 else 4):
            there = _neighbour(lists, row, col, side)
            if there < 0:
                continue
            bucket = moves + 1 + _lower_bound(there, aim, cols, diagonal) - least
            if bucket > most - least:
                continue
            window = horizon, leave
            size, looked = _enter(lists, state, scratch, label, there, bucket, window, size)
            work += looked
            if size < 0:
                state[SPENT] += 8 * spent + work
                return -1
    state[SPENT] += 8 * spent + work
    return -1


@kernel("void(Timeline, int32[:, ::1], int64, int64, int64, int64)")
def _splice(timeline: Timeline, labels: Ints, king: int, begin: int, end: int, label: int) -> None:
    """Write a way over the visits `begin` to `end` of a king.

    Parameters
    ----------
    timeline : Timeline
        Changed.
    labels : int32[room, 7]
        See `Scratch`.
    king, begin, end : int
        The king, and its visits.
    label : int
        The last label of the way.
    """
    offsets, counts, visits = timeline.offsets, timeline.counts, timeline.visits
    length = np.int64(labels[label, MOVES])
    last = offsets[king] + counts[king]
    saved = end - begin - length
    if saved > 0:
        for i in range(end + 1, last):
            visits[i - saved, CELL] = visits[i, CELL]
            visits[i - saved, MOMENT] = visits[i, MOMENT]
        counts[king] -= saved
    i = begin + length
    while label >= 0:
        visits[i, CELL] = labels[label, PLACE]
        visits[i, MOMENT] = labels[label, ARRIVAL]
        label = np.int64(labels[label, BEFORE])
        i -= 1


@kernel("int64(Lists, int64[::1], Timeline, int32[::1], Scratch, int64, int64, int64)")
def improve(
    lists: Lists,
    state: Longs,
    timeline: Timeline,
    order: Ints,
    scratch: Scratch,
    slack: int,
    patience: int,
    budget: int,
) -> int:
    """Replan the kings of `order` one by one, in safe intervals (M. Phillips, M. Likhachev 2011).

    Parameters
    ----------
    lists : Lists
        Changed with the plan.
    state : int64[STATE_SIZE]
        See the names of its places; changed.
    timeline : Timeline
        The plan; gets shorter.
    order : int32[m]
        Kings.
    scratch : Scratch
        Room of the searches.
    slack : int
        Parts of a way that have at most so many moves more than their lower bound are searched for
        a shorter way.
    patience : int
        Labels after which a search gives up.
    budget : int
        Labels after which the call pauses.

    Returns
    -------
    int
        1 when all are done, 0 when paused.
    """
    offsets, counts, visits = timeline.offsets, timeline.counts, timeline.visits
    cols, diagonal, labels = lists.cols, lists.diagonal, scratch.labels
    stop = state[SPENT] + budget
    while state[AT] < order.shape[0]:
        if state[SPENT] >= stop:
            return 0
        king = np.int64(order[state[AT]])
        state[AT] += 1
        start = offsets[king]
        last = start + counts[king] - 1
        for i in range(start, last + 1):
            until = np.int64(visits[i + 1, MOMENT]) if i < last else np.int64(END)
            allow(lists, state, np.int64(visits[i, CELL]), np.int64(visits[i, MOMENT]), until, king)
        begin = start
        while begin < last:
            origin = np.int64(visits[begin, CELL])
            end = begin
            excess = 0
            while end < last:
                more = end + 1 - begin
                more -= _lower_bound(origin, np.int64(visits[end + 1, CELL]), cols, diagonal)
                if more > slack:
                    break
                excess = more
                end += 1
            label = -1
            if excess > 0:
                leave = np.int64(visits[end + 1, MOMENT]) if end < last else np.int64(END)
                label = _search(
                    lists,
                    state,
                    scratch,
                    origin,
                    np.int64(visits[begin, MOMENT]),
                    (np.int64(visits[end, CELL]), leave),
                    end - begin - 1,
                    patience,
                )
            if label >= 0:
                state[GAINED] += end - begin - labels[label, MOVES]
                _splice(timeline, labels, king, begin, end, label)
                last = start + counts[king] - 1
            elif end == last:
                break
            else:
                begin += max(1, (end - begin) // 2)
        for i in range(start, last + 1):
            until = np.int64(visits[i + 1, MOMENT]) if i < last else np.int64(END)
            forbid(
                lists, state, np.int64(visits[i, CELL]), np.int64(visits[i, MOMENT]), until, king
            )
    return 1
