"""A* and greedy search over states packed in one word."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel, popcount, trailing_zeros
from gridkit.sliding.blocks.kernels.breadth import expand_word
from gridkit.sliding.blocks.kernels.codes import BUDGET, EXHAUSTED, FOUND, LOST, ROOM
from gridkit.sliding.blocks.kernels.keys import (
    BITS,
    CELLS_OF,
    CODES,
    CONDITIONS,
    FIELDS,
    IMAGE_OF,
    NEAR,
    ONE_WORD,
    PIDS,
    SCRATCH,
    WORD,
    lookup,
    same,
    slot_of,
    solved,
)  # fmt: skip
from gridkit.sliding.blocks.kernels.states import (
    REACHED,
    lift,
    put,
    reach,
    settle,
    unpack,
    unpack_word,
)  # fmt: skip

__all__ = ["advance_bounded", "trace_bounded"]

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]
Tables = tuple[Any, ...]  # arrays of several types

_ONE = np.uint64(1)
_ZERO = np.uint64(0)

# Places in the `state` of `advance_bounded`: entries, least sum that may be open, number of states,
# entries expanded, goal state, metric, children of a state at most, whether moves spent count not.
ENTRIES, SUM, STATES, EXPANDED, SOLVED, UNIT, MOST, GREEDY, BOUNDED_SIZE = range(9)


@kernel(
    "int64(int64[::1], uint64[::1], int32[::1], int32[::1], int32[:, ::1], int32[::1], "
    f"uint64[::1], uint64[::1], int64[::1], {ONE_WORD}, uint64[::1], int64[::1], int64)"
)
def advance_bounded(
    state: I64,
    keys: U64,
    table: I32,
    spent: I32,
    entries: I32,
    heads: I32,
    turn: U64,
    ray: U64,
    need: I64,
    tables: Tables,
    out: U64,
    ends: I64,
    budget: int,
) -> int:
    """Expand at most about `budget` states in the order of the least sum of spent and needed moves.

    Blocks need `need` moves by their placements, and each block on the `ray` of one that has to
    go along a lane, which covers one cell of it, has to move too.  Where one move changes this
    bound by one at most, a state is expanded at its least number of moves (A*; P. Hart,
    N. Nilsson and B. Raphael, 1968).  A greedy search looks at what is needed alone.  `spent` is
    the number of moves of each state, `entries` are (state, moves, next entry) in a list for each
    sum, whose first ones are in `heads`, plus one; `turn` is working space.
    """
    cells_of, fields, codes, bits = tables[CELLS_OF], tables[FIELDS], tables[CODES], tables[BITS]
    goal, pids = tables[CONDITIONS], tables[PIDS]
    table_bits = np.int64(trailing_zeros(np.uint64(len(table))))
    last = np.uint64(len(table) - 1)
    nothing = np.uint64(len(cells_of) - 1)
    states, used, total, expanded = state[STATES], state[ENTRIES], state[SUM], state[EXPANDED]
    greedy = state[GREEDY] != 0
    end = expanded + budget
    room = min(len(keys), len(table) - len(table) // 4) - len(out)
    status = BUDGET
    while expanded < end:
        while total < len(heads) and heads[total] == 0:
            total += 1
        if total == len(heads):
            status = EXHAUSTED
            break
        # A child's sum is larger by two at most, so there is room for it.
        if states > room or used + len(out) > len(entries) or total + 3 > len(heads):
            status = ROOM
            break
        # Take several states from the list, so that the searches in memory overlap.
        taken = 0
        while heads[total] != 0 and taken < len(ends):
            entry = heads[total] - 1
            heads[total] = entries[entry, 2]
            number = entries[entry, 0]
            if entries[entry, 1] == spent[number]:  # or else a shorter way was found later
                turn[taken] = keys[np.uint64(number)]
                turn[len(ends) + taken] = np.uint64(spent[number])
                taken += 1
        expand_word(turn, 0, taken, state[UNIT], state[MOST], tables, out, ends)
        expanded += taken
        parent = 0
        made = ends[taken - 1] if taken > 0 else 0
        for place in range(made):
            while place >= ends[parent]:
                parent += 1
            key = out[np.uint64(place)]
            moves = np.int64(turn[len(ends) + parent]) + 1
            slot = np.uint64(slot_of(out, place, table_bits))
            while True:
                found = np.int64(table[slot]) - 1
                if found < 0 or same(keys, found, out, place):
                    break
                slot = (slot + _ONE) & last
            if found < 0:
                found = states
                keys[np.uint64(found)] = key
                states += 1
                table[slot] = states
            elif spent[np.uint64(found)] <= moves:
                continue
            spent[np.uint64(found)] = moves
            count = unpack_word(key, fields, codes, bits, bits[64], nothing, pids)
            cells, lane = _ZERO, _ZERO
            target = 0 if greedy else moves
            for part in range(count):
                pid = pids[np.uint64(part)]
                cells |= cells_of[pid]
                lane |= ray[pid]
                target += need[pid]
            target += popcount(cells & lane)
            entries[used, 0], entries[used, 1], entries[used, 2] = found, moves, heads[target]
            used += 1
            heads[target] = used
            total = min(total, target)  # only a greedy search goes down
            # The last move of a shortest way does not change the sum.
            if (greedy or target == total) and solved(out, place, goal):
                state[SOLVED] = found
                status = FOUND
                break
        if status == FOUND:
            break
    state[STATES], state[ENTRIES], state[SUM], state[EXPANDED] = states, used, total, expanded
    return status


@kernel(
    "int64(uint64[::1], int64, int64, uint64[::1], int32[::1], int32[::1], "
    f"{ONE_WORD}, uint64[::1], int64[:, ::1], int32[:, ::1])"
)
def trace_bounded(
    state_key: U64,
    moves: int,
    metric: int,
    keys: U64,
    table: I32,
    spent: I32,
    tables: Tables,
    child: U64,
    work: I64,
    path: I32,
) -> int:
    """Walk back from a state that took `moves` moves; `path` becomes that of `trace`."""
    cells_of, word, image_of, near = tables[CELLS_OF], tables[WORD], tables[IMAGE_OF], tables[NEAR]
    pids, scratch = tables[PIDS], tables[SCRATCH]
    made = 0
    while moves > 0:
        count = unpack(state_key, 0, tables)
        before = moves
        for place in range(count):
            pid = np.int64(pids[place])
            lift(state_key, 0, pid, cells_of, word, image_of, scratch)
            length = reach(pid, metric, cells_of, near, scratch, work)
            for position in range(1, length):
                at = work[REACHED, position]
                put(at, word, image_of, scratch, child, 0)
                found = lookup(child, 0, keys, table)
                # A way that a greedy search shortened later may come by fewer moves.
                if found >= 0 and spent[found] < moves:
                    path[made, 0], path[made, 1], path[made, 2] = at, pid, 1
                    settle(at, word, scratch, state_key, 0)
                    moves = spent[found]
                    break
            if moves != before:
                break
        if moves == before:
            return LOST
        made += 1
    path[made, 2] = 0
    return made
