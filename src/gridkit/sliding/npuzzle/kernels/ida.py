"""Kernel of the depth-first search for shortest solutions (IDA*, Korf 1985) with an own stack.

A pattern's entry is numbered (combination of cells) * m! + (order of its tiles on them).  A move
changes one cell of the combination, whose number is the sum of three table entries, and the order
by one term for each tile passed: nothing is ranked anew.  Unsigned indices spare numba's check for
negative ones in the inner loops, and rows of 32 its multiplications.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel, popcount, prefetch, trailing_zeros
from gridkit.sliding.npuzzle.kernels.groups import (
    AUTOMATON,
    AUTOMATON_WIDTH,
    BOUND,
    CHUNK,
    COST_WEIGHT,
    COUNT_ALL,
    DEPTH,
    EXCESS,
    EXHAUSTED,
    FINDER,
    FOUND,
    HEAD,
    LEFT,
    NEEDED_SIDES,
    NEXT_BOUND,
    NIBBLE,
    NODES,
    ORDER,
    REST_WEIGHT,
    RUNNING,
    SOLUTIONS,
    SPAN,
    STATE,
    STEPS,
    TAKEN,
    UNLISTED,
    WAITING,
    WAY,
    Lanes,
    Parts,
    Tables,
    Views,
    Ways,
)

__all__ = ["advance"]


@kernel(
    "void(int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64, int64)", inline=True
)
def _take_back(
    row: NDArray[np.int64],
    board: NDArray[np.int64],
    state: NDArray[np.int64],
    source: NDArray[np.int64],
    group: NDArray[np.int64],
    span: int,
    views: int,
) -> None:
    """Undo the move that led to a row of the stack.

    Parameters
    ----------
    row : (5 * HEAD,) array of int64
        The row.
    board, state : arrays of int64
        Those of the lane; changed.
    source, group : arrays of int64
        See `Ways` and `Views`.
    span, views : int
        control[SPAN], and the number of views.
    """
    way = np.uint64(row[WAY])
    tile = np.uint64(board[way >> np.uint64(2)])
    board[np.uint64(source[way])] = np.int64(tile)
    for v in range(views):
        r = np.uint64(v) << np.uint64(span)
        state[r + np.uint64(group[r + tile])] = row[np.uint64(STATE + v)]


@kernel("void(int64[::1], int64[::1], uint8[::1], int64[::1], int64, int64)", inline=True)
def _choose(
    control: NDArray[np.int64],
    row: NDArray[np.int64],
    table: NDArray[np.uint8],
    nearest: NDArray[np.int64],
    depth: int,
    views: int,
) -> None:
    """Read the table's bytes, which have come, and keep the moves within the bound.

    Parameters
    ----------
    control : (CONTROL_WORDS,) array of int64
        NEXT_BOUND is changed.
    row : (5 * HEAD,) array of int64
        The listed moves; in LEFT those kept, the better ones first.
    table : (bytes,) array of uint8
        See `Tables.nibbles`.
    nearest : (1,) array of int64
        Of the part; changed.
    depth, views : int
        The moves made, from the start on; the number of views.
    """
    one, two = np.uint64(1), np.uint64(2)
    bound, cost_weight, rest_weight = control[BOUND], control[COST_WEIGHT], control[REST_WEIGHT]
    next_bound, near = control[NEXT_BOUND], nearest[0]
    moves = row[LEFT] - WAITING
    spent = cost_weight * (depth + 1)
    so_far = cost_weight * depth + rest_weight * (
        row[STEPS] + 2 * max(row[EXCESS], row[EXCESS + 1])
    )
    for v in range(views):
        r = np.uint64(v)
        excess = row[np.uint64(EXCESS) + r]
        rest, moves, length = moves, 0, 0
        while rest > 0:
            k = rest & 15
            rest >>= 4
            at = np.uint64(HEAD * k)
            entry = np.uint64(row[at + np.uint64(EXCESS) + r])
            changed = row[at + np.uint64(STATE) + r]
            fresh = (np.int64(table[entry >> one]) >> np.int64((entry & one) << two)) & 15
            growth = fresh - (changed >> NIBBLE)
            row[at + np.uint64(EXCESS) + r] = excess + growth
            row[at + np.uint64(STATE) + r] = changed + (growth << NIBBLE)
            distance = row[at + two] + 2 * (excess + growth)
            total = spent + rest_weight * distance
            if total > bound:
                next_bound = min(next_bound, total)
                near = min(near, distance)
                continue
            moves = (moves << 4) | k if total <= so_far else moves | (k << length)
            length += 4
    row[LEFT] = moves
    control[NEXT_BOUND], nearest[0] = next_bound, near


@kernel("boolean(int64[::1], Parts, Lanes, uint64)", inline=True)
def _take_part(control: NDArray[np.int64], parts: Parts, lanes: Lanes, lane: np.uint64) -> bool:
    """Give a lane the next part that is within the bound.

    Parameters
    ----------
    control : (CONTROL_WORDS,) array of int64
        TAKEN and NEXT_BOUND are changed.
    parts, lanes
        The parts; the lanes, of which one is changed.
    lane : int
        Its number.

    Returns
    -------
    bool
        Whether there was one.
    """
    board, state, row = lanes.boards[lane], lanes.states[lane], lanes.stacks[lane, 0]
    while control[TAKEN] < parts.turns.shape[0]:
        part = np.uint64(parts.turns[np.uint64(control[TAKEN])])
        control[TAKEN] += 1
        head = parts.heads[part]
        total = control[COST_WEIGHT] * control[DEPTH] + control[REST_WEIGHT] * (
            head[STEPS] + 2 * max(head[EXCESS], head[EXCESS + 1])
        )
        if total > control[BOUND]:
            control[NEXT_BOUND] = min(control[NEXT_BOUND], total)
            continue
        lanes.part[lane] = np.int64(part)
        for i in range(board.shape[0]):
            board[np.uint64(i)] = parts.boards[part, np.uint64(i)]
        for i in range(state.shape[0]):
            state[np.uint64(i)] = parts.states[part, np.uint64(i)]
        for i in range(HEAD):
            row[np.uint64(i)] = head[np.uint64(i)]
        if row[LEFT] != 0:
            return True
    return False


@kernel(
    "void(int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int32[::1], int64, int64)",
    inline=True,
)
def _make(
    row: NDArray[np.int64],
    following: NDArray[np.int64],
    board: NDArray[np.int64],
    state: NDArray[np.int64],
    group: NDArray[np.int64],
    follow: NDArray[np.int32],
    span: int,
    views: int,
) -> None:
    """Make the next of the moves that are left.

    Parameters
    ----------
    row, following : (5 * HEAD,) arrays of int64
        The row on top of the stack, and the one above it, which the move fills.
    board, state : arrays of int64
        Those of the lane; changed.
    group, follow : arrays of int
        See `Views` and `Ways`.
    span, views : int
        control[SPAN], and the number of views.
    """
    one, two, line = np.uint64(1), np.uint64(2), np.uint64(span)
    at = np.uint64(HEAD * (row[LEFT] & 15))
    row[LEFT] >>= 4
    way, tile = np.uint64(row[at]), np.uint64(row[at + one])
    board[way >> two] = np.int64(tile)  # what the blank's cell says is never asked
    following[LEFT], following[WAY], following[STEPS] = UNLISTED, np.int64(way), row[at + two]
    for v in range(views):
        r = np.uint64(v)
        g = (r << line) + np.uint64(group[(r << line) + tile])
        following[np.uint64(EXCESS) + r] = row[at + np.uint64(EXCESS) + r]
        following[np.uint64(STATE) + r] = state[g]
        state[g] = row[at + np.uint64(STATE) + r]
    following[AUTOMATON] = np.int64(
        follow[np.uint64(AUTOMATON_WIDTH * row[AUTOMATON]) + (way & np.uint64(EXCESS))]
    )


@kernel(
    "void(int64[::1], int64[::1], int64[::1], int64[::1], Ways, Views, Tables, int64)",
    inline=True,
)
def _list_moves(
    control: NDArray[np.int64],
    row: NDArray[np.int64],
    board: NDArray[np.int64],
    state: NDArray[np.int64],
    ways: Ways,
    views: Views,
    tables: Tables,
    depth: int,
) -> None:
    """List the moves of a position and ask for the table's bytes.

    Parameters
    ----------
    control : (CONTROL_WORDS,) array of int64
        NODES and NEXT_BOUND are changed.
    row : (5 * HEAD,) array of int64
        Receives the moves.
    board, state : arrays of int64
        Those of the lane.
    ways, views, tables
        The board.
    depth : int
        The moves made, from the start on.
    """
    sides, source, gain, follow = ways.sides, ways.source, ways.gain, ways.follow
    group, passed, turn = views.group, views.passed, views.turn
    table, combination = tables.nibbles, tables.combination
    view_count = views.bits.shape[0] >> (control[SPAN] + 2)
    one, two, line = np.uint64(1), np.uint64(2), np.uint64(control[SPAN])
    chunk, few = np.uint64(CHUNK), np.uint64((1 << CHUNK) - 1)
    blank = np.uint64(source[np.uint64(row[WAY])])
    open_sides = np.uint64(
        sides[blank] & np.int64(follow[np.uint64(AUTOMATON_WIDTH * row[AUTOMATON] + NEEDED_SIDES)])
    )
    control[NODES] += popcount(open_sides)
    count = 0
    while open_sides:
        side = trailing_zeros(open_sides)
        open_sides &= open_sides - one
        way = (blank << two) + np.uint64(side)
        tile = np.uint64(board[np.uint64(source[way])])
        moved = row[STEPS] + np.int64(gain[(way << line) + tile])
        total = control[COST_WEIGHT] * (depth + 1) + control[REST_WEIGHT] * moved
        if total > control[BOUND]:
            control[NEXT_BOUND] = min(control[NEXT_BOUND], total)
            continue
        count += 1
        at = np.uint64(HEAD * count)
        row[at], row[at + one], row[at + two] = np.int64(way), np.int64(tile), moved
        for v in range(view_count):
            r = np.uint64(v)
            seen = (r << (line + two)) + way
            g = np.uint64(group[(r << line) + tile])
            changed = state[(r << line) + g] ^ views.bits[seen]
            terms = np.uint64(passed[seen, np.uint64(1)]) + (tile << line)
            turned = np.int64(0)
            for i in range(passed[seen, np.uint64(0)]):
                tile_passed = board[np.uint64(passed[seen, np.uint64(i + 2)])]
                turned += np.int64(turn[terms + np.uint64(tile_passed)])
            changed += turned << ORDER
            mask = np.uint64(changed)
            low, middle = mask & few, (mask >> chunk) & few
            high = (mask >> (chunk + chunk)) & few
            below = np.uint64(popcount(low))
            under = below + np.uint64(popcount(middle))
            rank = np.uint64(combination[low])
            rank += np.uint64(combination[((np.uint64(16) + below) << chunk) + middle])
            rank += np.uint64(combination[((np.uint64(32) + under) << chunk) + high])
            entry = rank * np.uint64(tables.orders[g]) + np.uint64(tables.offset[g])
            entry += (mask >> np.uint64(ORDER)) & np.uint64(0xFFFFFF)
            prefetch(table, entry >> one)
            row[at + np.uint64(EXCESS) + r] = np.int64(entry)
            row[at + np.uint64(STATE) + r] = changed
    row[LEFT] = WAITING + (0x4321 & ((1 << (4 * count)) - 1))


@kernel("int64(int64, int64[::1], Ways, Views, Tables, Parts, Lanes)")
def advance(
    budget: int,
    control: NDArray[np.int64],
    ways: Ways,
    views: Views,
    tables: Tables,
    parts: Parts,
    lanes: Lanes,
) -> int:
    """Search on for about `budget` nodes.

    IDA* of R. Korf (1985).  While the table's bytes that one lane has asked for are on their way,
    the others go on.

    Parameters
    ----------
    budget : int
        Moves to list.
    control : (CONTROL_WORDS,) array of int64
        See the names of its words.
    ways, views, tables
        The board; not changed.
    parts
        `nearest` is changed.
    lanes
        Where the search stands.

    Returns
    -------
    int
        RUNNING; FOUND with the lane in control[FINDER]; EXHAUSTED when all parts are done.
    """
    source, group, follow = ways.source, views.group, ways.follow
    span = control[SPAN]
    view_count = views.bits.shape[0] >> (span + 2)
    last = control[NODES] + budget
    lane_count = lanes.stacks.shape[0]
    before = control[DEPTH]
    idle = 0
    lane = np.uint64(0)
    while control[NODES] < last:
        lane = lane + np.uint64(1) if lane + np.uint64(1) < np.uint64(lane_count) else np.uint64(0)
        stack, board, state = lanes.stacks[lane], lanes.boards[lane], lanes.states[lane]
        depth = lanes.depth[lane]
        row = stack[np.uint64(depth)]
        if row[LEFT] >= WAITING:
            part = np.uint64(lanes.part[lane])
            near = parts.nearest[part : part + np.uint64(1)]
            _choose(control, row, tables.nibbles, near, before + depth, view_count)
        while row[LEFT] == 0 and depth > 0:
            _take_back(row, board, state, source, group, span, view_count)
            depth -= 1
            row = stack[np.uint64(depth)]
        lanes.depth[lane] = depth
        if row[LEFT] == 0 and not _take_part(control, parts, lanes, lane):
            idle += 1
            if idle > lane_count:
                return EXHAUSTED
            continue
        idle = 0
        if row[LEFT] > 0:
            depth += 1
            lanes.depth[lane] = depth
            following = stack[np.uint64(depth)]
            _make(row, following, board, state, group, follow, span, view_count)
            row = following
            if row[STEPS] == 0:
                control[SOLUTIONS] += 1
                row[LEFT] = 0
                if control[COUNT_ALL] == 0:
                    control[FINDER] = np.int64(lane)
                    return FOUND
                continue
        # The other lanes use the time till the bytes come.
        _list_moves(control, row, board, state, ways, views, tables, before + depth)
    return RUNNING
