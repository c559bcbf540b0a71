"""Enumerates the contents of lines, and searches all boards of the same contents at once.

The cars of a line cannot pass each other, so boards that can be reached from one another have the
same contents of every row and column.  A walk in depth chooses a content for one line after the
other and keeps all ways to place those chosen so far.  At its end it has every board of these
contents, in the order of their keys; a search in breadth parts them into components and measures
each from its goal boards.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel

__all__ = [
    "BEST",
    "BOARDS",
    "COMPONENTS",
    "CONTROL_SIZE",
    "DEPTH",
    "DONE",
    "FIRST_LEVEL",
    "KEPT",
    "MORE",
    "NODES",
    "RECORDED",
    "RECORDS",
    "RECORD_HEAD",
    "ROOM",
    "SEED",
    "SOLVABLE",
    "STAGE",
    "WIDTH",
    "Desk",
    "Lists",
    "Tables",
    "advance",
]  # fmt: skip

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]
U8 = NDArray[np.uint8]

MORE, DONE, ROOM, _LEAF = range(4)
"""What a kernel returns: the budget is spent, all is done, arrays are full, a leaf is reached."""

# Places in `control`: nodes so far, boards, components, those with a goal, records; the level of
# the walk, the first level that may change, and the levels whose contents are given; of a leaf's
# search the stage, the next seed, head and tail of its queue, and where the component begins in it;
# the least optimum to record, and the records made in all.
NODES, BOARDS, COMPONENTS, SOLVABLE, RECORDS, DEPTH, FIRST_LEVEL, KEPT = range(8)
STAGE, SEED, HEAD, TAIL, BEGIN, BEST, RECORDED, CONTROL_SIZE = range(8, 16)
WIDTH = 4
"""Bits of a key that say how a line is placed."""
RECORD_HEAD = 3
"""Columns of a record before the contents of the lines: optimum, boards, key."""
_WALK, _FLOOD, _MEASURE = range(3)
_NONE = np.uint64(0)


class Tables(NamedTuple):
    """What lines may hold.

    Attributes
    ----------
    line_contents : int32
        Contents ``line_contents[d]`` to ``line_contents[d + 1]`` are those of line d.
    content_places : int32
        Placements of a content, in the same way, at most 16.
    masks : uint64, by placement
        The cells covered.
    place_slides : int32
        Slides from a placement, in the same way.
    slide_to : int32, by slide
        The placement reached, counted within the content.
    slide_swept : uint64, by slide
        The cells that have to be free.
    solved : uint8, by placement
        1 where the car that is to leave is at the edge.
    exit : int32, shape (1,)
        The line of that car.
    """

    line_contents: Annotated[I32, "int32[::1]"]
    content_places: Annotated[I32, "int32[::1]"]
    masks: Annotated[U64, "uint64[::1]"]
    place_slides: Annotated[I32, "int32[::1]"]
    slide_to: Annotated[I32, "int32[::1]"]
    slide_swept: Annotated[U64, "uint64[::1]"]
    solved: Annotated[U8, "uint8[::1]"]
    exit: Annotated[I32, "int32[::1]"]


class Lists(NamedTuple):
    """The walk.

    Attributes
    ----------
    content : int32, by level
        The content chosen.
    ends : int64, by level
        The boards of the lines before level d lie from ``ends[d]`` to ``ends[d + 1]``.
    keys, cells : uint64
        Their keys, increasing within a level, and the cells covered.
    """

    content: Annotated[I32, "int32[::1]"]
    ends: Annotated[I64, "int64[::1]"]
    keys: Annotated[U64, "uint64[::1]"]
    cells: Annotated[U64, "uint64[::1]"]


class Desk(NamedTuple):
    """The search of a leaf.

    Attributes
    ----------
    queue : int32
        Boards of the leaf, by components.
    distance : int32, by board
        From the goal; -1: not known, -2: not seen.
    histogram : int64
        Components by the optimum of their hardest boards.
    records : int64, shape (records, 3 + lines)
        Optimum, boards, key and contents of components.
    kept_control, kept_histogram : int64
        `control` and `histogram` when the leaf was begun.
    """

    queue: Annotated[I32, "int32[::1]"]
    distance: Annotated[I32, "int32[::1]"]
    histogram: Annotated[I64, "int64[::1]"]
    records: Annotated[I64, "int64[:, ::1]"]
    kept_control: Annotated[I64, "int64[::1]"]
    kept_histogram: Annotated[I64, "int64[::1]"]


@kernel("int64(int64[::1], Tables, Lists, int64)")
def _walk(control: I64, tables: Tables, lists: Lists, end: int) -> int:
    """Walk on to the next contents that some board has.

    Parameters
    ----------
    control : int64 array
        Scalars, by the places above.
    tables, lists
        As above.
    end : int
        The number of nodes at which to stop: placements tried, and boards expanded.

    Returns
    -------
    int
        `_LEAF`, `MORE`, `DONE`, or `ROOM`: the arrays of boards are full.
    """
    levels = len(lists.content)
    while control[NODES] < end:
        level = control[DEPTH]
        if level == levels:  # come back from a leaf
            level -= 1
            lists.content[level] += 1
        while lists.content[level] == tables.line_contents[level + 1]:
            if level <= control[FIRST_LEVEL]:
                return DONE
            level -= 1
            lists.content[level] += 1
            control[KEPT] = control[FIRST_LEVEL]
        control[DEPTH] = level
        content = lists.content[level]
        first, last = tables.content_places[content], tables.content_places[content + 1]
        begin, stop = lists.ends[level], lists.ends[level + 1]
        tail = stop
        if tail + (stop - begin) * (last - first) > len(lists.keys):
            return ROOM
        for board in range(begin, stop):
            for place in range(first, last):
                if lists.cells[board] & tables.masks[place] == _NONE:
                    lists.keys[tail] = lists.keys[board] << np.uint64(WIDTH) | np.uint64(
                        place - first
                    )
                    lists.cells[tail] = lists.cells[board] | tables.masks[place]
                    tail += 1
        control[NODES] += 1 + (stop - begin) * (last - first)
        if tail == stop:
            if level < control[FIRST_LEVEL]:
                return DONE
            lists.content[level] += 1
            control[KEPT] = control[FIRST_LEVEL]
            continue
        lists.ends[level + 2] = tail
        control[DEPTH] = level + 1
        if level + 1 == levels:
            control[KEPT] = control[FIRST_LEVEL]
            return _LEAF
        if level + 1 >= control[KEPT]:
            lists.content[level + 1] = tables.line_contents[level + 1]
    return MORE


@kernel("int64(uint64[::1], int64, int64, uint64)", inline=True)
def _find(keys: U64, begin: int, end: int, key: np.uint64) -> int:
    """Return where a key is in an increasing part of an array.

    Parameters
    ----------
    keys : uint64 array
    begin, end : int
        The part.
    key : uint64
        One that is there.

    Returns
    -------
    int
        Its place.
    """
    low, high = begin, end - 1
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low


@kernel("void(int64[::1], Tables, Lists, Desk, int64)")
def _expand(control: I64, tables: Tables, lists: Lists, desk: Desk, near: int) -> None:
    """Append the boards one slide from the next of the queue that have no distance yet.

    Parameters
    ----------
    control, tables, lists, desk
        As above.
    near : int
        What they have instead of a distance until they are seen.

    Returns
    -------
    None
    """
    levels = len(lists.content)
    begin, end = lists.ends[levels], lists.ends[levels + 1]
    board = desk.queue[control[HEAD]]
    control[HEAD] += 1
    key, cells = lists.keys[begin + board], lists.cells[begin + board]
    distance = desk.distance[board] + 1 if near == -1 else -1
    for line in range(levels):
        shift = np.uint64(WIDTH * (levels - 1 - line))
        at = np.int64((key >> shift) & np.uint64((1 << WIDTH) - 1))
        place = tables.content_places[lists.content[line]] + at
        for slide in range(tables.place_slides[place], tables.place_slides[place + 1]):
            if tables.slide_swept[slide] & cells == _NONE:
                to = np.uint64(tables.slide_to[slide])
                reached = key - (np.uint64(at) << shift) + (to << shift)
                other = _find(lists.keys, begin, end, reached) - begin
                if desk.distance[other] == near:
                    desk.distance[other] = distance
                    desk.queue[control[TAIL]] = other
                    control[TAIL] += 1


@kernel("int64(int64[::1], Tables, Lists, Desk, int64)")
def _search(control: I64, tables: Tables, lists: Lists, desk: Desk, end: int) -> int:
    """Part the boards of a leaf into components, and measure each.

    Parameters
    ----------
    control, tables, lists, desk
        As above; `distance` is -2 for all boards at the beginning, seed, head, tail and begin
        are 0.
    end : int
        The number of nodes at which to stop.

    Returns
    -------
    int
        `DONE`, `MORE`, or `ROOM`: the records are full.
    """
    levels = len(lists.content)
    first = lists.ends[levels]
    boards = lists.ends[levels + 1] - first
    exit_line = tables.exit[0]
    shift = np.uint64(WIDTH * (levels - 1 - exit_line))
    while control[NODES] < end:
        if control[HEAD] < control[TAIL]:
            control[NODES] += 1
            _expand(control, tables, lists, desk, -2 if control[STAGE] == _FLOOD else -1)
            continue
        if control[STAGE] == _FLOOD and control[TAIL] > control[BEGIN]:
            # The component is complete: begin anew from its goal boards.
            goals = 0
            for place in range(control[BEGIN], control[TAIL]):
                board = desk.queue[place]
                at = np.int64((lists.keys[first + board] >> shift) & np.uint64((1 << WIDTH) - 1))
                if tables.solved[tables.content_places[lists.content[exit_line]] + at]:
                    desk.distance[board] = 0
                    desk.queue[place] = desk.queue[control[BEGIN] + goals]
                    desk.queue[control[BEGIN] + goals] = board
                    goals += 1
            control[COMPONENTS] += 1
            if goals == 0:
                control[BEGIN] = control[HEAD] = control[TAIL]
                continue
            control[SOLVABLE] += 1
            control[STAGE] = _MEASURE
            control[HEAD], control[TAIL] = control[BEGIN], control[BEGIN] + goals
            continue
        if control[STAGE] == _MEASURE:
            hardest = np.int64(desk.queue[control[TAIL] - 1])
            optimum = desk.distance[hardest]
            if optimum >= control[BEST]:
                if control[RECORDS] == len(desk.records):
                    return ROOM
                record = desk.records[control[RECORDS]]
                record[0], record[1] = optimum, control[TAIL] - control[BEGIN]
                record[2] = np.int64(lists.keys[first + hardest])
                for line in range(levels):
                    record[RECORD_HEAD + line] = lists.content[line]
                control[RECORDS] += 1
                control[RECORDED] += 1
            desk.histogram[optimum] += 1
            control[STAGE] = _FLOOD
            control[BEGIN] = control[HEAD] = control[TAIL]
        while control[SEED] < boards and desk.distance[control[SEED]] != -2:
            control[SEED] += 1
        if control[SEED] == boards:
            control[BOARDS] += boards
            return DONE
        desk.distance[control[SEED]] = -1
        desk.queue[control[TAIL]] = control[SEED]
        control[TAIL] += 1
    return MORE


@kernel("int64(int64[::1], Tables, Lists, Desk, int64)")
def advance(control: I64, tables: Tables, lists: Lists, desk: Desk, budget: int) -> int:
    """Walk and search.

    Parameters
    ----------
    control, tables, lists, desk
        As above.
    budget : int
        Nodes to spend: placements tried, and boards expanded.

    Returns
    -------
    int
        `DONE`, `MORE`, or `ROOM`: the arrays of boards, those of a leaf or the records are full.
    """
    levels = len(lists.content)
    end = control[NODES] + budget
    while control[NODES] < end:
        if control[STAGE] == _WALK:
            if control[DEPTH] < levels or control[SEED] != 0:
                status = _walk(control, tables, lists, end)
                if status != _LEAF:
                    return status
                control[SEED] = 0
            boards = lists.ends[levels + 1] - lists.ends[levels]
            if boards > len(desk.queue):
                return ROOM
            control[HEAD] = control[TAIL] = control[BEGIN] = 0
            for at in range(CONTROL_SIZE):
                desk.kept_control[at] = control[at]
            for at in range(len(desk.histogram)):
                desk.kept_histogram[at] = desk.histogram[at]
            desk.distance[:boards] = -2
            control[STAGE] = _FLOOD
        status = _search(control, tables, lists, desk, end)
        if status != DONE:
            return status
        control[STAGE] = _WALK
        control[SEED] = 1  # the leaf is done
    return MORE
