"""A* and greedy search over states packed in one word."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel, popcount, trailing_zeros
from gridkit.sliding.blocks.kernels.breadth import expand_word
from gridkit.sliding.blocks.kernels.codes import BUDGET, EXHAUSTED, FOUND, LOST, ROOM
from gridkit.sliding.blocks.kernels.groups import REACHED, Children, Packed, Reach
from gridkit.sliding.blocks.kernels.keys import lookup, same, slot_of, solved
from gridkit.sliding.blocks.kernels.states import lift, put, reach, settle, unpack, unpack_word

__all__ = ["Bounds", "Open", "advance_bounded", "trace_bounded"]

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]

_ONE = np.uint64(1)
_ZERO = np.uint64(0)

# Places in the `state` of `advance_bounded`: entries, least sum that may be open, number of states,
# entries expanded, goal state, metric, children of a state at most, whether moves spent count not.
ENTRIES, SUM, STATES, EXPANDED, SOLVED, UNIT, MOST, GREEDY, BOUNDED_SIZE = range(9)


class Open(NamedTuple):
    """The states that are reached, and the lists of those to expand.

    Attributes
    ----------
    keys, table : uint64, int32
        The states, as in `States`.
    spent : int32, by state
        The moves that were spent to reach it.
    entries : int32, shape (entries, 3)
        State, moves spent, and the next entry plus one, in a list for each sum.
    heads : int32
        The first entry of the list of each sum, plus one.
    """

    keys: Annotated[U64, "uint64[::1]"]
    table: Annotated[I32, "int32[::1]"]
    spent: Annotated[I32, "int32[::1]"]
    entries: Annotated[I32, "int32[:, ::1]"]
    heads: Annotated[I32, "int32[::1]"]


class Bounds(NamedTuple):
    """What a state needs at least, by its placements.

    Attributes
    ----------
    ray : uint64, by placement
        Cells as bits: each block that covers one of them has to move.
    need : int64, by placement
        The moves that the block needs itself.
    """

    ray: Annotated[U64, "uint64[::1]"]
    need: Annotated[I64, "int64[::1]"]


@kernel("int64(int64[::1], Open, Bounds, Packed, uint64[::1], Children, int64)")
def advance_bounded(
    state: I64,
    known: Open,
    bounds: Bounds,
    packed: Packed,
    turn: U64,
    children: Children,
    budget: int,
) -> int:
    """Expand about `budget` states in the order of the least sum of spent and needed moves.

    Where one move changes the bound by one at most, a state is expanded at its least number of
    moves (A*; P. Hart, N. Nilsson and B. Raphael, 1968).  A greedy search looks at what is needed
    alone.

    Parameters
    ----------
    state : int64 array
        Scalars, by the places above.
    known : Open
    bounds : Bounds
    packed : Packed
    turn : uint64, twice as long as ``children.ends``
        Working space: the states that are expanded in one go, and the moves spent on each.
    children : Children
        Working space.
    budget : int

    Returns
    -------
    int
        Why it stopped, see `codes`.
    """
    keys, table, spent, entries, heads = (
        known.keys, known.table, known.spent, known.entries, known.heads
    )  # fmt: skip
    cells_of, goal, pids, ray, need = (
        packed.cells,
        packed.goal,
        packed.pids,
        bounds.ray,
        bounds.need,
    )
    fields, codes, bits = packed.fields, packed.codes, packed.bits
    nothing = np.uint64(len(packed.cells) - 1)
    out, ends = children.out, children.ends
    table_bits = np.int64(trailing_zeros(np.uint64(len(table))))
    last = np.uint64(len(table) - 1)
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
        expand_word(turn, 0, taken, state[UNIT], state[MOST], packed, children)
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
            count = unpack_word(key, fields, codes, bits, nothing, pids)
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


@kernel("int64(uint64[::1], int64, int64, Open, Packed, Reach, int32[:, ::1])")
def trace_bounded(
    start: U64, moves: int, metric: int, known: Open, packed: Packed, room: Reach, path: I32
) -> int:
    """Walk back from a state to the first one.

    Parameters
    ----------
    start : uint64, one key
        The state; becomes the first one.
    moves : int
        The moves that were spent to reach it.
    metric : int
    known, packed
        As in `advance_bounded`.
    room : Reach
        Working space.
    path : int32, shape (moves, 2)
        Becomes (placement left, placement taken) of each move, the last move first.

    Returns
    -------
    int
        The number of moves, or `LOST`.
    """
    keys, table, spent, pids = known.keys, known.table, known.spent, packed.pids
    cells_of, word, image_of, near = packed.cells, packed.word, packed.image, packed.near
    scratch = packed.scratch
    child, work = room.child, room.work
    made = 0
    while moves > 0:
        count = unpack(start, 0, packed)
        before = moves
        for place in range(count):
            pid = np.int64(pids[place])
            lift(start, 0, pid, cells_of, word, image_of, scratch)
            length = reach(pid, metric, cells_of, near, scratch, work)
            for position in range(1, length):
                at = work[REACHED, position]
                put(at, word, image_of, scratch, child, 0)
                found = lookup(child, 0, keys, table)
                # A way that a greedy search shortened later may come by fewer moves.
                if found >= 0 and spent[found] < moves:
                    path[made, 0], path[made, 1] = at, pid
                    settle(at, word, scratch, start, 0)
                    moves = spent[found]
                    break
            if moves != before:
                break
        if moves == before:
            return LOST
        made += 1
    return made
