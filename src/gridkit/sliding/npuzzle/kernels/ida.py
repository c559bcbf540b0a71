"""Kernel of the depth-first search for shortest solutions (IDA*, Korf 1985) with an own stack.

A pattern's entry is numbered (combination of cells) * m! + (order of its tiles on them).  A move
changes one cell of the combination, whose number is the sum of three table entries, and the order
by one term for each tile passed: nothing is ranked anew.  Unsigned indices spare numba's check for
negative ones in the inner loops, and rows of 32 its multiplications.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel, popcount, prefetch, trailing_zeros

__all__ = [
    "CHUNK",
    "NIBBLE",
    "ORDER",
    "UNLISTED",
    "Lanes",
    "Parts",
    "Tables",
    "Views",
    "Ways",
    "advance",
]

RUNNING, FOUND, EXHAUSTED = 0, 1, 2
CHUNK = 9  # bits of a mask that are looked up together
ORDER, NIBBLE = 32, 56  # lowest bits of a pattern's order and excess in the word of its state
UNLISTED, WAITING = -1, 1 << 16  # marks of a row's moves, which take four bits each

# Words of `control`.  A node counts COST_WEIGHT * moves made + REST_WEIGHT * moves estimated, and
# more than BOUND is cut off (the least of these goes to NEXT_BOUND).  Cells are at most 2**SPAN.
(
    BOUND, NODES, NEXT_BOUND, SOLUTIONS, COUNT_ALL, COST_WEIGHT, REST_WEIGHT, FINDER, DEPTH, TAKEN,
    SPAN, CONTROL_WORDS,
) = range(12)  # fmt: skip
# Words of a stack's row: the moves left to follow, the way that led here, the tiles' walking
# distances, the excess in each view, the states replaced in each, the automaton's state; and from
# HEAD * k on the same of its k-th move (the tile in place of the walking distance before).
LEFT, WAY, STEPS, EXCESS, STATE, AUTOMATON, HEAD = 0, 1, 2, 3, 5, 7, 8
MOVE_WAY, MOVE_TILE, MOVE_STEPS = 0, 1, 2
NEEDED_SIDES, AUTOMATON_WIDTH = 4, 8  # the word of the sides left, and the words of a state


class Ways(NamedTuple):
    """The moves of a board; tiles are numbered by their goal cells, s is 2**SPAN.

    Attributes
    ----------
    sides : (cells,) array of int64
        A bit for each side from which a tile may come: 0 up, 1 left, 2 right, 3 down.
    source : (5 * cells,) array of int64
        Way 4 * c + side leads a tile from this cell into cell c.
    gain : (4 * cells * s,) array of int8
        At s * way + tile: what the tile's walking distance grows.
    follow : (8 * states,) array of int32
        At 8 * q + side the automaton's state after q, at 8 * q + 4 the bits of the sides it leaves.
    """

    sides: Annotated[NDArray[np.int64], "int64[::1]"]
    source: Annotated[NDArray[np.int64], "int64[::1]"]
    gain: Annotated[NDArray[np.int8], "int8[::1]"]
    follow: Annotated[NDArray[np.int32], "int32[::1]"]


class Views(NamedTuple):
    """How tiles are looked up in each view, a symmetry of the board that keeps the blank's goal.

    Attributes
    ----------
    group : (2 * s,) array of int64
        At s * r + tile: the tile's pattern in view r.
    bits : (views * 4 * s,) array of int64
        At 4 * s * r + way: the cells of a pattern's mask that a move changes.
    passed : (views * 4 * s, words) array of int16
        In the same row: the number of cells that the tile passes, where their terms begin in
        `turn`, and those cells.
    turn : (views * 2 * s * s,) array of int16
        From a way's term on, at s * tile + other: what the rank of the order grows when the tile
        passes the other one.
    """

    group: Annotated[NDArray[np.int64], "int64[::1]"]
    bits: Annotated[NDArray[np.int64], "int64[::1]"]
    passed: Annotated[NDArray[np.int16], "int16[:, ::1]"]
    turn: Annotated[NDArray[np.int16], "int16[::1]"]


class Tables(NamedTuple):
    """The pattern tables.

    Attributes
    ----------
    nibbles : (bytes,) array of uint8
        Two entries a byte, one table after the other: half of what exceeds walking distances.
    offset, orders : (patterns,) arrays of int64
        The first nibble of a table, and m! for m tiles.
    combination : (3 * 16 * 2**CHUNK,) array of uint32
        What CHUNK bits of a mask add to its number: rows 16 * chunk + cells in the chunks below.
    """

    nibbles: Annotated[NDArray[np.uint8], "uint8[::1]"]
    offset: Annotated[NDArray[np.int64], "int64[::1]"]
    orders: Annotated[NDArray[np.int64], "int64[::1]"]
    combination: Annotated[NDArray[np.uint32], "uint32[::1]"]


class Parts(NamedTuple):
    """The parts of the search: positions after DEPTH moves.

    Attributes
    ----------
    boards : (parts, cells) array of int64
        The tile on each cell.
    states : (parts, 2 * s) array of int64
        At s * r + g, for pattern g in view r: the mask of its cells, from bit ORDER on the rank of
        its order, from bit NIBBLE on its excess.
    heads : (parts, HEAD) array of int64
        The row of a stack that the part starts.
    turns : (parts,) array of int64
        The parts in the order in which they are taken.
    nearest : (parts,) array of int64
        The least distance estimated of a position that was cut off in each.
    """

    boards: Annotated[NDArray[np.int64], "int64[:, ::1]"]
    states: Annotated[NDArray[np.int64], "int64[:, ::1]"]
    heads: Annotated[NDArray[np.int64], "int64[:, ::1]"]
    turns: Annotated[NDArray[np.int64], "int64[::1]"]
    nearest: Annotated[NDArray[np.int64], "int64[::1]"]


class Lanes(NamedTuple):
    """Searches that take turns, each on a part of its own.

    Attributes
    ----------
    boards : (lanes, cells) array of int64
        As in `Parts`; what the blank's cell says is never asked.
    states : (lanes, 2 * s) array of int64
        As in `Parts`.
    part, depth : (lanes,) arrays of int64
        The part at work, and the moves made in it.
    stacks : (lanes, rows, 5 * HEAD) array of int64
        Row d after d moves.
    """

    boards: Annotated[NDArray[np.int64], "int64[:, ::1]"]
    states: Annotated[NDArray[np.int64], "int64[:, ::1]"]
    part: Annotated[NDArray[np.int64], "int64[::1]"]
    depth: Annotated[NDArray[np.int64], "int64[::1]"]
    stacks: Annotated[NDArray[np.int64], "int64[:, :, ::1]"]


@kernel("void(int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64, int64)")
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
    sides, source, gain, follow = ways.sides, ways.source, ways.gain, ways.follow
    group, passed, turn = views.group, views.passed, views.turn
    table, combination = tables.nibbles, tables.combination
    nearest = parts.nearest
    view_count = views.bits.shape[0] >> (control[SPAN] + 2)
    one, two, line = np.uint64(1), np.uint64(2), np.uint64(control[SPAN])
    chunk, few = np.uint64(CHUNK), np.uint64((1 << CHUNK) - 1)
    bound, nodes, next_bound = control[BOUND], control[NODES], control[NEXT_BOUND]
    cost_weight, rest_weight = control[COST_WEIGHT], control[REST_WEIGHT]
    last = nodes + budget
    lane_count = lanes.stacks.shape[0]
    before = control[DEPTH]
    idle = 0
    lane = np.uint64(0)
    while nodes < last:
        lane = lane + one if lane + one < np.uint64(lane_count) else np.uint64(0)
        stack = lanes.stacks[lane]
        board = lanes.boards[lane]
        state = lanes.states[lane]
        depth = lanes.depth[lane]
        row = stack[np.uint64(depth)]
        if row[LEFT] >= WAITING:
            # The table's bytes have come: keep the moves within the bound, the better ones first.
            moves = row[LEFT] - WAITING
            near = nearest[np.uint64(lanes.part[lane])]
            spent = cost_weight * (before + depth + 1)
            so_far = cost_weight * (before + depth) + rest_weight * (
                row[STEPS] + 2 * max(row[EXCESS], row[EXCESS + 1])
            )
            for v in range(view_count):
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
            nearest[np.uint64(lanes.part[lane])] = near
        while row[LEFT] == 0 and depth > 0:
            _take_back(row, board, state, source, group, control[SPAN], view_count)
            depth -= 1
            row = stack[np.uint64(depth)]
        while row[LEFT] == 0 and control[TAKEN] < parts.turns.shape[0]:
            # The lane has done its part: take the next one that is within the bound.
            part = np.uint64(parts.turns[np.uint64(control[TAKEN])])
            control[TAKEN] += 1
            head = parts.heads[part]
            total = cost_weight * before + rest_weight * (
                head[STEPS] + 2 * max(head[EXCESS], head[EXCESS + 1])
            )
            if total > bound:
                next_bound = min(next_bound, total)
                continue
            lanes.part[lane] = np.int64(part)
            for i in range(board.shape[0]):
                board[np.uint64(i)] = parts.boards[part, np.uint64(i)]
            for i in range(state.shape[0]):
                state[np.uint64(i)] = parts.states[part, np.uint64(i)]
            for i in range(HEAD):
                row[np.uint64(i)] = head[np.uint64(i)]
        lanes.depth[lane] = depth
        if row[LEFT] == 0:
            idle += 1
            if idle > lane_count:
                control[NODES], control[NEXT_BOUND] = nodes, next_bound
                return EXHAUSTED
            continue
        idle = 0
        if row[LEFT] > 0:
            at = np.uint64(HEAD * (row[LEFT] & 15))
            row[LEFT] >>= 4
            way, tile = np.uint64(row[at]), np.uint64(row[at + one])
            board[way >> two] = np.int64(tile)  # what the blank's cell says is never asked
            depth += 1
            lanes.depth[lane] = depth
            following = stack[np.uint64(depth)]
            following[LEFT], following[WAY], following[STEPS] = (
                UNLISTED,
                np.int64(way),
                row[at + two],
            )
            for v in range(view_count):
                r = np.uint64(v)
                g = (r << line) + np.uint64(group[(r << line) + tile])
                following[np.uint64(EXCESS) + r] = row[at + np.uint64(EXCESS) + r]
                following[np.uint64(STATE) + r] = state[g]
                state[g] = row[at + np.uint64(STATE) + r]
            following[AUTOMATON] = np.int64(
                follow[np.uint64(AUTOMATON_WIDTH * row[AUTOMATON]) + (way & np.uint64(EXCESS))]
            )
            row = following
            if row[STEPS] == 0:
                control[SOLUTIONS] += 1
                row[LEFT] = 0
                if control[COUNT_ALL] == 0:
                    control[NODES], control[NEXT_BOUND] = nodes, next_bound
                    control[FINDER] = np.int64(lane)
                    return FOUND
                continue
        # List the moves and ask for the table's bytes; the next lanes use the time till they come.
        blank = np.uint64(source[np.uint64(row[WAY])])
        open_sides = np.uint64(
            sides[blank]
            & np.int64(follow[np.uint64(AUTOMATON_WIDTH * row[AUTOMATON] + NEEDED_SIDES)])
        )
        nodes += popcount(open_sides)
        count = 0
        while open_sides:
            side = trailing_zeros(open_sides)
            open_sides &= open_sides - one
            way = (blank << two) + np.uint64(side)
            tile = np.uint64(board[np.uint64(source[way])])
            moved = row[STEPS] + np.int64(gain[(way << line) + tile])
            total = cost_weight * (before + depth + 1) + rest_weight * moved
            if total > bound:
                next_bound = min(next_bound, total)
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
    control[NODES], control[NEXT_BOUND] = nodes, next_bound
    return RUNNING
