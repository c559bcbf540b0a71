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

__all__ = ["CHUNK", "NIBBLE", "ORDER", "UNLISTED", "WIDTH", "advance"]

RUNNING, FOUND, EXHAUSTED = 0, 1, 2
CHUNK = 9  # bits of a mask that are looked up together
ORDER, NIBBLE = 32, 56  # lowest bits of a pattern's order and excess in the word of its state
WIDTH = 8  # words of a stack's row before its moves, and words of a move
UNLISTED, WAITING = -1, 1 << 16  # marks of a row's moves, which take four bits each

# control words
(
    BOUND, NODES, NEXT_BOUND, SOLUTIONS, COUNT_ALL, COST_WEIGHT, REST_WEIGHT, FINDER, DEPTH, TAKEN,
) = range(10)  # fmt: skip


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
    """Undo the move that led to a row of the stack."""
    way = np.uint64(row[1])
    tile = np.uint64(board[way >> np.uint64(2)])
    board[np.uint64(source[way])] = np.int64(tile)
    for v in range(views):
        r = np.uint64(v) << np.uint64(span)
        state[r + np.uint64(group[r + tile])] = row[np.uint64(5 + v)]


@kernel(
    "int64(int64, int64[::1], int32[::1], int64[::1], int64[::1], int8[::1], int64[::1],"
    "int64[::1], int16[:, ::1], int16[::1], uint32[::1], int64[::1], int64[::1], int64, int64,"
    "uint8[::1], int64[:, ::1], int64[:, ::1], int64[:, ::1], int64[::1], int64[::1],"
    "int64[:, ::1], int64[:, ::1], int64[::1], int64[::1], int64[:, :, ::1])"
)
def advance(
    budget: int,
    control: NDArray[np.int64],
    follow: NDArray[np.int32],
    sides: NDArray[np.int64],
    source: NDArray[np.int64],
    gain: NDArray[np.int8],
    bits: NDArray[np.int64],
    group: NDArray[np.int64],
    passed: NDArray[np.int16],
    turn: NDArray[np.int16],
    combination: NDArray[np.uint32],
    orders: NDArray[np.int64],
    offset: NDArray[np.int64],
    span: int,
    views: int,
    table: NDArray[np.uint8],
    part_boards: NDArray[np.int64],
    part_states: NDArray[np.int64],
    part_heads: NDArray[np.int64],
    turns: NDArray[np.int64],
    nearest: NDArray[np.int64],
    boards: NDArray[np.int64],
    states: NDArray[np.int64],
    parts: NDArray[np.int64],
    depths: NDArray[np.int64],
    stacks: NDArray[np.int64],
) -> int:
    """Search on for about `budget` nodes.

    A node counts COST_WEIGHT * moves made + REST_WEIGHT * moves estimated; more than BOUND is cut
    off.  Tiles are numbered by their goal cells; s = 2**span is no less than the number of cells.
    Way 4 * c + side leads a tile from cell `source[way]` into cell c; `sides[c]` has a bit for each
    side that has one; `gain[s * way + tile]` is what the tile's walking distance grows.
    `follow[8 * q + side]` is the state after q of the automaton that watches the last moves,
    `follow[8 * q + 4]` the bits of the sides it leaves.

    View r (a symmetry of the board that keeps the blank's goal; at most two) looks tiles up in the
    same tables.  In it, `group[s * r + tile]` is a tile's pattern; `state[s * r + g]` is pattern
    g's mask of cells, from bit ORDER on the rank of its order, from bit NIBBLE on its excess; way
    w, number v = 4 * s * r + w in the view, changes `bits[v]` of the mask and passes `passed[v, 0]`
    cells, listed from the third word on, whose tiles add `turn[passed[v, 1] + s * tile + other]` to
    the rank.  `combination` has rows for 16 * chunk + cells in the chunks below, `orders[g]` is m!,
    and `offset[g]` the first nibble of a table.

    The search is over parts: positions after DEPTH moves, each with its board, states and head (the
    row of a stack it starts), to be taken in the order `turns`; `nearest` keeps the least distance
    estimated of a position that was cut off in each.  Several lanes search in turn, each a part of
    its own: while the bytes that one has asked for are on their way, the others go on.  Row d of a
    lane's stack: the moves left to follow, the last way, walking distances, excess in each view,
    the states replaced, the state of the automaton; then for each move its way, tile, walking
    distances, excess and states.
    """
    one, two, line = np.uint64(1), np.uint64(2), np.uint64(span)
    chunk, few = np.uint64(CHUNK), np.uint64((1 << CHUNK) - 1)
    bound, nodes, next_bound = control[BOUND], control[NODES], control[NEXT_BOUND]
    cost_weight, rest_weight = control[COST_WEIGHT], control[REST_WEIGHT]
    last = nodes + budget
    lanes = stacks.shape[0]
    before = control[DEPTH]
    idle = 0
    lane = np.uint64(0)
    while nodes < last:
        lane = lane + one if lane + one < np.uint64(lanes) else np.uint64(0)
        stack = stacks[lane]
        board = boards[lane]
        state = states[lane]
        depth = depths[lane]
        row = stack[np.uint64(depth)]
        if row[0] >= WAITING:
            # The table's bytes have come: keep the moves within the bound, the better ones first.
            left = row[0] - WAITING
            near = nearest[np.uint64(parts[lane])]
            spent = cost_weight * (before + depth + 1)
            so_far = cost_weight * (before + depth) + rest_weight * (
                row[2] + 2 * max(row[3], row[4])
            )
            for v in range(views):
                r = np.uint64(v)
                excess = row[np.uint64(3) + r]
                rest, left, length = left, 0, 0
                while rest > 0:
                    k = rest & 15
                    rest >>= 4
                    at = np.uint64(WIDTH * k)
                    entry = np.uint64(row[at + np.uint64(3) + r])
                    changed = row[at + np.uint64(5) + r]
                    fresh = (np.int64(table[entry >> one]) >> np.int64((entry & one) << two)) & 15
                    growth = fresh - (changed >> NIBBLE)
                    row[at + np.uint64(3) + r] = excess + growth
                    row[at + np.uint64(5) + r] = changed + (growth << NIBBLE)
                    distance = row[at + two] + 2 * (excess + growth)
                    total = spent + rest_weight * distance
                    if total > bound:
                        next_bound = min(next_bound, total)
                        near = min(near, distance)
                        continue
                    left = (left << 4) | k if total <= so_far else left | (k << length)
                    length += 4
            row[0] = left
            nearest[np.uint64(parts[lane])] = near
        while row[0] == 0 and depth > 0:
            _take_back(row, board, state, source, group, span, views)
            depth -= 1
            row = stack[np.uint64(depth)]
        while row[0] == 0 and control[TAKEN] < turns.shape[0]:
            # The lane has done its part: take the next one that is within the bound.
            part = np.uint64(turns[np.uint64(control[TAKEN])])
            control[TAKEN] += 1
            head = part_heads[part]
            total = cost_weight * before + rest_weight * (head[2] + 2 * max(head[3], head[4]))
            if total > bound:
                next_bound = min(next_bound, total)
                continue
            parts[lane] = np.int64(part)
            for i in range(board.shape[0]):
                board[np.uint64(i)] = part_boards[part, np.uint64(i)]
            for i in range(state.shape[0]):
                state[np.uint64(i)] = part_states[part, np.uint64(i)]
            for i in range(WIDTH):
                row[np.uint64(i)] = head[np.uint64(i)]
        depths[lane] = depth
        if row[0] == 0:
            idle += 1
            if idle > lanes:
                control[NODES], control[NEXT_BOUND] = nodes, next_bound
                return EXHAUSTED
            continue
        idle = 0
        if row[0] > 0:
            at = np.uint64(WIDTH * (row[0] & 15))
            row[0] >>= 4
            way, tile = np.uint64(row[at]), np.uint64(row[at + one])
            board[way >> two] = np.int64(tile)  # what the blank's cell says is never asked
            depth += 1
            depths[lane] = depth
            following = stack[np.uint64(depth)]
            following[0], following[1], following[2] = UNLISTED, np.int64(way), row[at + two]
            for v in range(views):
                r = np.uint64(v)
                g = (r << line) + np.uint64(group[(r << line) + tile])
                following[np.uint64(3) + r] = row[at + np.uint64(3) + r]
                following[np.uint64(5) + r] = state[g]
                state[g] = row[at + np.uint64(5) + r]
            following[7] = np.int64(follow[np.uint64(8 * row[7]) + (way & np.uint64(3))])
            row = following
            if row[2] == 0:
                control[SOLUTIONS] += 1
                row[0] = 0
                if control[COUNT_ALL] == 0:
                    control[NODES], control[NEXT_BOUND] = nodes, next_bound
                    control[FINDER] = np.int64(lane)
                    return FOUND
                continue
        # List the moves and ask for the table's bytes; the next lanes use the time till they come.
        blank = np.uint64(source[np.uint64(row[1])])
        open_sides = np.uint64(sides[blank] & np.int64(follow[np.uint64(8 * row[7] + 4)]))
        nodes += popcount(open_sides)
        count = 0
        while open_sides:
            side = trailing_zeros(open_sides)
            open_sides &= open_sides - one
            way = (blank << two) + np.uint64(side)
            tile = np.uint64(board[np.uint64(source[way])])
            moved = row[2] + np.int64(gain[(way << line) + tile])
            total = cost_weight * (before + depth + 1) + rest_weight * moved
            if total > bound:
                next_bound = min(next_bound, total)
                continue
            count += 1
            at = np.uint64(WIDTH * count)
            row[at], row[at + one], row[at + two] = np.int64(way), np.int64(tile), moved
            for v in range(views):
                r = np.uint64(v)
                seen = (r << (line + two)) + way
                g = np.uint64(group[(r << line) + tile])
                changed = state[(r << line) + g] ^ bits[seen]
                terms = np.uint64(passed[seen, np.uint64(1)]) + (tile << line)
                turned = np.int64(0)
                for i in range(passed[seen, np.uint64(0)]):
                    other = board[np.uint64(passed[seen, np.uint64(i + 2)])]
                    turned += np.int64(turn[terms + np.uint64(other)])
                changed += turned << ORDER
                mask = np.uint64(changed)
                low, middle = mask & few, (mask >> chunk) & few
                high = (mask >> (chunk + chunk)) & few
                below = np.uint64(popcount(low))
                under = below + np.uint64(popcount(middle))
                rank = np.uint64(combination[low])
                rank += np.uint64(combination[((np.uint64(16) + below) << chunk) + middle])
                rank += np.uint64(combination[((np.uint64(32) + under) << chunk) + high])
                entry = rank * np.uint64(orders[g]) + np.uint64(offset[g])
                entry += (mask >> np.uint64(ORDER)) & np.uint64(0xFFFFFF)
                prefetch(table, entry >> one)
                row[at + np.uint64(3) + r] = np.int64(entry)
                row[at + np.uint64(5) + r] = changed
        row[0] = WAITING + (0x4321 & ((1 << (4 * count)) - 1))
    control[NODES], control[NEXT_BOUND] = nodes, next_bound
    return RUNNING
