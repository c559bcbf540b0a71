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

__all__ = ["END", "Lists", "Scratch", "Timeline", "build", "improve"]

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]

END = 1 << 30  # later than every move
# Places in `state`, which improve keeps between calls: searches made, place in the order, labels
# taken, moves saved, first free node, moments of a chunk as a power of two.
STAMP, AT, SPENT, GAINED, FREE, SHIFT = range(6)
STATE_SIZE = 6


class Lists(NamedTuple):
    """The board, and for each cell and chunk of time the visits that forbid the cell.

    Attributes
    ----------
    heads : int32[cells, chunks]
        First node of each list, or -1.
    nodes : int32[capacity, 4]
        Next node, begin and end of a visit, king; nodes that are free are linked too.
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
        Cell, and moment the visit begins; in the order in which a king makes them.
    """

    offsets: Annotated[Longs, "int64[::1]"]
    counts: Annotated[Ints, "int32[::1]"]
    visits: Annotated[Ints, "int32[:, ::1]"]


class Scratch(NamedTuple):
    """Room of a search.

    Attributes
    ----------
    seen : int32[nodes + cells, 3]
        Of each safe interval, named by the node that ends it, or else by its cell: stamp of the
        last search that reached it, moves and arrival of the best label.
    buckets : int32[longest way + 2]
        First label by moves beyond the lower bound, or -1.
    labels : int32[room, 7]
        See `_search`.
    """

    seen: Annotated[Ints, "int32[:, ::1]"]
    buckets: Annotated[Ints, "int32[::1]"]
    labels: Annotated[Ints, "int32[:, ::1]"]


@kernel("int64(int64, int64, int64, int64)")
def _lower_bound(a: int, b: int, cols: int, diagonal: int) -> int:
    down = abs(a // cols - b // cols)
    across = abs(a % cols - b % cols)
    return max(down, across) if diagonal != 0 else down + across


@kernel("void(Lists, int64[::1], int64, int64, int64, int64)")
def _forbid(lists: Lists, state: Longs, cell: int, begin: int, end: int, king: int) -> None:
    """Add a visit to the lists of the nine cells around `cell`, each sorted by begin."""
    heads, nodes, rows, cols = lists.heads, lists.nodes, lists.rows, lists.cols
    shift = state[SHIFT]
    row = cell // cols
    col = cell - row * cols
    for r in range(max(row - 1, 0), min(row + 2, rows)):
        for c in range(max(col - 1, 0), min(col + 2, cols)):
            around = r * cols + c
            for chunk in range(begin >> shift, (min(end, END - 1) >> shift) + 1):
                node = state[FREE]
                state[FREE] = nodes[node, 0]
                before = -1
                after = np.int64(heads[around, chunk])
                while after >= 0 and nodes[after, 1] < begin:
                    before = after
                    after = np.int64(nodes[after, 0])
                nodes[node, 0] = after
                nodes[node, 1] = begin
                nodes[node, 2] = end
                nodes[node, 3] = king
                if before < 0:
                    heads[around, chunk] = node
                else:
                    nodes[before, 0] = node
            state[SPENT] += 8


@kernel("void(Lists, int64[::1], int64, int64, int64, int64)")
def _allow(lists: Lists, state: Longs, cell: int, begin: int, end: int, king: int) -> None:
    """Take a visit out of the lists of the nine cells around `cell`."""
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
                while nodes[node, 1] != begin or nodes[node, 3] != king:
                    before = node
                    node = np.int64(nodes[node, 0])
                if before < 0:
                    heads[around, chunk] = nodes[node, 0]
                else:
                    nodes[before, 0] = nodes[node, 0]
                nodes[node, 0] = state[FREE]
                state[FREE] = node
            state[SPENT] += 8


@kernel("int64(int32[:, ::1], int32[:, ::1], int64[::1], int64, int64, int64)")
def _safe_until(heads: Ints, nodes: Ints, state: Longs, cell: int, moment: int, leave: int) -> int:
    """Return the last moment, up to `leave`, until which `cell`, safe at `moment`, stays safe."""
    shift = state[SHIFT]
    for chunk in range(moment >> shift, (min(leave, END - 1) >> shift) + 1):
        node = np.int64(heads[cell, chunk])
        while node >= 0:
            if nodes[node, 1] > moment:
                return min(leave, np.int64(nodes[node, 1]) - 1)
            node = np.int64(nodes[node, 0])
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
        nodes[node, 0] = node + 1
    nodes[nodes.shape[0] - 1, 0] = -1
    state[FREE] = 0
    for j in range(latest.shape[0]):
        i = np.int64(latest[j])
        king = np.int64(owners[j])
        end = np.int64(END)
        if i + 1 < offsets[king] + counts[king]:
            end = np.int64(visits[i + 1, 1])
        _forbid(lists, state, np.int64(visits[i, 0]), np.int64(visits[i, 1]), end, king)


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
    """Find a way of at most `most` moves with the fewest moves; return its last label or -1.

    The way begins on `origin` at moment `since`; `end` is the cell it ends on, and the moment until
    which it stays there.
    A label is (cell, arrival, last moment its interval allows, moves, label before, next in the
    bucket, interval).  Labels are taken by moves + lower bound; among equals the last found first.
    A label is dominated by one of the same interval with no more moves and no later arrival.
    """
    heads, nodes = lists.heads, lists.nodes
    rows, cols, diagonal = lists.rows, lists.cols, lists.diagonal
    seen, buckets, labels = scratch.seen, scratch.buckets, scratch.labels
    aim, leave = end
    least = _lower_bound(origin, aim, cols, diagonal)
    if least > most:
        return -1
    state[STAMP] += 1
    stamp = state[STAMP]
    for f in range(most - least + 1):
        buckets[f] = -1
    labels[0, 0] = origin
    labels[0, 1] = since
    labels[0, 2] = _safe_until(heads, nodes, state, origin, since, leave)
    labels[0, 3] = 0
    labels[0, 4] = -1
    labels[0, 5] = -1
    labels[0, 6] = -1
    size = 1
    buckets[0] = 0
    f = 0
    spent = 0
    work = 0
    shift = state[SHIFT]
    last_chunk = min(leave, END - 1) >> shift
    endless = nodes.shape[0]
    while f <= most - least and spent < patience:
        label = np.int64(buckets[f])
        if label < 0:
            f += 1
            continue
        buckets[f] = labels[label, 5]
        u = np.int64(labels[label, 0])
        arrival = np.int64(labels[label, 1])
        until = np.int64(labels[label, 2])
        moves = np.int64(labels[label, 3]) + 1
        if u == aim and until >= leave:
            state[SPENT] += 8 * spent + work
            return label
        interval = np.int64(labels[label, 6])
        if interval >= 0 and (seen[interval, 1] < moves - 1 or seen[interval, 2] < arrival):
            if seen[interval, 1] <= moves - 1 and seen[interval, 2] <= arrival:
                continue
        spent += 1
        row = u // cols
        col = u - row * cols
        horizon = min(until, leave - 1)
        if arrival >= horizon:
            continue
        for side in range(8 if diagonal != 0 else 4):
            if side < 4:
                dr = (side & 1) * (side - 2)
                dc = (1 - (side & 1)) * (side - 1)
            else:
                dr = (side & 1) * 2 - 1
                dc = (side & 2) - 1
            r = row + dr
            c = col + dc
            if r < 0 or c < 0 or r >= rows or c >= cols:
                continue
            v = r * cols + c
            g = moves + _lower_bound(v, aim, cols, diagonal)
            if g > most:
                continue
            moment = arrival + 1
            chunk = moment >> shift
            node = np.int64(heads[v, chunk])
            while moment <= horizon:
                # The safe interval that holds `moment` or the next ends where this node begins.
                work += 1
                if node >= 0:
                    begin = np.int64(nodes[node, 1])
                    if begin <= moment:
                        moment = max(moment, np.int64(nodes[node, 2]) + 1)
                        node = np.int64(nodes[node, 0])
                        continue
                    identity = node
                    final = begin - 1
                elif chunk < last_chunk:
                    chunk += 1
                    node = np.int64(heads[v, chunk])
                    continue
                else:
                    identity = endless + v
                    final = leave
                fresh = seen[identity, 0] != stamp
                if fresh or moves < seen[identity, 1] or moment < seen[identity, 2]:
                    if size == labels.shape[0]:
                        state[SPENT] += 8 * spent + work
                        return -1
                    seen[identity, 0] = stamp
                    if fresh or (moves <= seen[identity, 1] and moment <= seen[identity, 2]):
                        seen[identity, 1] = moves
                        seen[identity, 2] = moment
                    labels[size, 0] = v
                    labels[size, 1] = moment
                    labels[size, 2] = final
                    labels[size, 3] = moves
                    labels[size, 4] = label
                    labels[size, 5] = buckets[g - least]
                    labels[size, 6] = identity
                    buckets[g - least] = size
                    size += 1
                if node < 0:
                    break
                moment = max(moment, np.int64(nodes[node, 2]) + 1)
                node = np.int64(nodes[node, 0])
    state[SPENT] += 8 * spent + work
    return -1


@kernel("void(int64[::1], int32[::1], int32[:, ::1], int32[:, ::1], int64, int64, int64, int64)")
def _splice(
    offsets: Longs,
    counts: Ints,
    visits: Ints,
    labels: Ints,
    king: int,
    begin: int,
    end: int,
    label: int,
) -> None:
    """Write the way that ends in `label` over the visits begin .. end of a king."""
    length = np.int64(labels[label, 3])
    last = offsets[king] + counts[king]
    saved = end - begin - length
    if saved > 0:
        for i in range(end + 1, last):
            visits[i - saved, 0] = visits[i, 0]
            visits[i - saved, 1] = visits[i, 1]
        counts[king] -= saved
    i = begin + length
    while label >= 0:
        visits[i, 0] = labels[label, 0]
        visits[i, 1] = labels[label, 1]
        label = np.int64(labels[label, 4])
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
            until = np.int64(visits[i + 1, 1]) if i < last else np.int64(END)
            _allow(lists, state, np.int64(visits[i, 0]), np.int64(visits[i, 1]), until, king)
        begin = start
        while begin < last:
            origin = np.int64(visits[begin, 0])
            end = begin
            excess = 0
            while end < last:
                more = end + 1 - begin
                more -= _lower_bound(origin, np.int64(visits[end + 1, 0]), cols, diagonal)
                if more > slack:
                    break
                excess = more
                end += 1
            found = -1
            if excess > 0:
                leave = np.int64(visits[end + 1, 1]) if end < last else np.int64(END)
                found = _search(
                    lists,
                    state,
                    scratch,
                    origin,
                    np.int64(visits[begin, 1]),
                    (np.int64(visits[end, 0]), leave),
                    end - begin - 1,
                    patience,
                )
            if found >= 0:
                state[GAINED] += end - begin - labels[found, 3]
                _splice(offsets, counts, visits, labels, king, begin, end, found)
                last = start + counts[king] - 1
            elif end == last:
                break
            else:
                begin += max(1, (end - begin) // 2)
        for i in range(start, last + 1):
            until = np.int64(visits[i + 1, 1]) if i < last else np.int64(END)
            _forbid(lists, state, np.int64(visits[i, 0]), np.int64(visits[i, 1]), until, king)
    return 1
