"""Breadth-first search over states packed in one word, on boards of at most 64 cells.

A state's key is the exclusive or of one word for each placement taken; of a key and its mirror
image the smaller one is kept.  `keys` holds the states in the order they were reached, `layers`
where each layer begins in it, and `table` is an open-addressing hash table of positions in
`keys`, plus one.  Moves are reversible, so plans are traced back without parent links.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel, popcount, trailing_zeros

__all__ = [
    "advance",
    "advance_bounded",
    "best_goal",
    "flag_goals",
    "link",
    "meet",
    "rehash",
    "relax",
    "trace",
    "trace_bounded",
]

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]

# The arrays that all kernels take, in this order.
#   cells_of, word, image_of, border: by placement, its cells, its word in a key, the word of its
#       mirror image, and the cells one step away; the last placement is the wall, always covered;
#   near: four placements one step away for each placement;
#   fields, codes, bits: how a key is read; the last entry of `bits` is the mask of the bit map;
#   goal: conditions, see `solved`;
#   pids, stamps: working space, see `expand`.
TABLES = (
    "Tuple((uint64[::1], uint64[::1], uint64[::1], uint64[::1], uint64[::1], uint64[:, ::1], "
    "uint64[::1], uint64[::1], uint64[:, ::1], uint64[::1], uint64[::1]))"
)
CONDITIONS = 8
Tables = tuple[U64, ...]

# What `advance` returns: the budget is spent, no states are left, a goal is reached, the arrays
# have to grow, the layers up to `state[PAUSE]` are complete.
BUDGET, EXHAUSTED, FOUND, ROOM, PAUSED = 0, 1, 2, 3, 4

# Places in `state`.
HEAD, TAIL, LAYER_END, DEPTH, GOAL, METRIC, STOP, WIDEST, PAUSE, STATE_SIZE = range(10)
STEP, SLIDE, MOVE = 0, 1, 2
# When to stop: never, at the first goal, after the layer of the first goal.
NEVER, FIRST, LAYER = 0, 1, 2

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_ONE = np.uint64(1)
_ZERO = np.uint64(0)
_TWO = np.uint64(2)


@kernel("int64(uint64, int64)")
def slot_of(key: np.uint64, bits: int) -> int:
    """Return where the search of a key begins in a table of ``2 ** bits`` slots."""
    mixed = (key ^ (key >> np.uint64(29))) * _SPREAD
    return np.int64(mixed >> np.uint64(64 - bits))


@kernel("int64(uint64, uint64[::1], int32[::1], int64)")
def lookup(key: np.uint64, keys: U64, table: I32, bits: int) -> int:
    """Return the number of a state, or -1."""
    slot = slot_of(key, bits)
    last = len(table) - 1
    while table[slot] != 0:
        number = table[slot] - 1
        if keys[number] == key:
            return np.int64(number)
        slot = (slot + 1) & last
    return -1


@kernel("void(uint64[::1], int64, int32[::1], int64)")
def rehash(keys: U64, tail: int, table: I32, bits: int) -> None:
    """Fill an empty table with the states there are."""
    last = len(table) - 1
    for number in range(tail):
        slot = slot_of(keys[number], bits)
        while table[slot] != 0:
            slot = (slot + 1) & last
        table[slot] = number + 1


@kernel("uint64(uint64, uint64[:, ::1], uint64[::1], uint64[::1], uint64, uint64, uint64[::1])")
def unpack(
    key: np.uint64,
    fields: U64,
    codes: U64,
    bits: U64,
    bitmap: np.uint64,
    nothing: np.uint64,
    pids: U64,
) -> np.uint64:
    """Write the placements of a state to `pids`; return how many there are."""
    count = _ZERO
    for number in range(len(fields)):
        pid = codes[fields[number, 2] + ((key >> fields[number, 0]) & fields[number, 1])]
        pids[count] = pid
        if pid != nothing:
            count += _ONE
    rest = key & bitmap
    while rest != _ZERO:
        pids[count] = bits[np.uint64(trailing_zeros(rest))]
        count += _ONE
        rest &= rest - _ONE
    return count


@kernel("boolean(uint64, uint64[:, ::1])")
def solved(key: np.uint64, goal: U64) -> bool:
    """Return whether every condition is met; its rows are (mask, value, condition)."""
    rows = len(goal)
    row = 0
    while row < rows:
        condition = goal[row, 2]
        met = False
        while row < rows and goal[row, 2] == condition:
            if key & goal[row, 0] == goal[row, 1]:
                met = True
            row += 1
        if not met:
            return False
    return True


@kernel(f"int64(uint64[::1], int64, int64, int64, int64, {TABLES}, uint64[::1], int64[::1])")
def expand(
    keys: U64,
    first: int,
    last: int,
    metric: int,
    widest: int,
    tables: Tables,
    out: U64,
    ends: I64,
) -> int:
    """Write the keys one move away from the states of a range to `out`.

    Stops when there is no room for the `widest` number of children and returns the first state
    that is left; the children of a state end before its place in `ends`.  The last entry of
    `pids` but one is what is always covered, its last one the last stamp used.
    """
    cells_of, word, image_of, border, near, fields, codes, bits, _goal, pids, stamps = tables
    fixed = pids[np.uint64(len(pids) - 2)]
    mark = pids[np.uint64(len(pids) - 1)]
    nothing, bitmap = np.uint64(len(cells_of) - 1), bits[64]
    room = len(out) - widest
    made = _ZERO
    number = first
    while number < last and np.int64(made) <= room:
        key = keys[np.uint64(number)]
        count, cells, image = _ZERO, fixed, _ZERO
        for own in range(len(fields)):
            pid = codes[fields[own, 2] + ((key >> fields[own, 0]) & fields[own, 1])]
            if pid != nothing:
                pids[count] = pid
                cells |= cells_of[pid]
                image ^= image_of[pid]
                count += _ONE
        rest = key & bitmap
        while rest != _ZERO:
            pid = bits[np.uint64(trailing_zeros(rest))]
            rest &= rest - _ONE
            pids[count] = pid
            cells |= cells_of[pid]
            image ^= image_of[pid]
            count += _ONE
        empty = ~cells
        for place in range(count):
            pid = pids[np.uint64(place)]
            if border[pid] & empty == _ZERO:
                continue
            others = cells ^ cells_of[pid]
            bare, bare_image = key ^ word[pid], image ^ image_of[pid]
            if metric == MOVE:
                # Flood the placements that this block alone can reach.
                mark += _ONE
                stamps[pid] = mark
                pids[count] = pid
                top = count + _ONE
                while top > count:
                    top -= _ONE
                    base = pids[top] << _TWO
                    for direction in range(4):
                        at = near[base + np.uint64(direction)]
                        if cells_of[at] & others != _ZERO or stamps[at] == mark:
                            continue
                        stamps[at] = mark
                        pids[top] = at
                        top += _ONE
                        out[made] = min(bare ^ word[at], bare_image ^ image_of[at])
                        made += _ONE
            else:
                base = pid << _TWO
                for direction in range(4):
                    at = near[base + np.uint64(direction)]
                    while cells_of[at] & others == _ZERO:
                        out[made] = min(bare ^ word[at], bare_image ^ image_of[at])
                        made += _ONE
                        if metric == STEP:
                            break
                        at = near[(at << _TWO) + np.uint64(direction)]
        ends[number - first] = np.int64(made)
        number += 1
    pids[np.uint64(len(pids) - 1)] = mark
    return number


@kernel(
    "int64(int64[::1], uint64[::1], int32[::1], int64[::1], "
    f"{TABLES}, uint64[::1], int64[::1], int64)"
)
def advance(
    state: I64,
    keys: U64,
    table: I32,
    layers: I64,
    tables: Tables,
    out: U64,
    ends: I64,
    budget: int,
) -> int:
    """Expand at most about `budget` states.

    Parameters
    ----------
    state : int64 array
        Scalars, by the places above.
    keys, table, layers
        As in the module's description.
    tables
        See above.
    out, ends
        Working space: see `expand`; `out` has room for the children of two states or more.
    """
    goal = tables[CONDITIONS]
    head, tail, metric, stop = state[HEAD], state[TAIL], state[METRIC], state[STOP]
    layer_end, depth = state[LAYER_END], state[DEPTH]
    table_bits = np.int64(trailing_zeros(np.uint64(len(table))))
    last = np.uint64(len(table) - 1)
    # A table that is at most three quarters full keeps its searches short.
    room = min(len(keys), len(table) - len(table) // 4) - len(out)
    end = head + budget
    while True:
        if head == layer_end:
            if stop == LAYER and state[GOAL] >= 0:
                status = FOUND
                break
            if head == tail:
                status = EXHAUSTED
                break
            if depth == state[PAUSE]:
                status = PAUSED
                break
            if depth + 3 >= len(layers):
                status = ROOM
                break
            depth += 1
            layer_end = tail
            layers[depth + 1] = tail
        if head >= end:
            status = BUDGET
            break
        if tail > room:
            status = ROOM
            break
        # Collect the children of several states, so that the searches in memory overlap.
        before = head
        stop_at = min(layer_end, head + len(ends), end)
        head = expand(keys, head, stop_at, metric, state[WIDEST], tables, out, ends)
        made = ends[head - before - 1]
        for place in range(made):
            key = out[np.uint64(place)]
            slot = np.uint64(slot_of(key, table_bits))
            while True:
                entry = table[slot]
                if entry == 0:
                    keys[np.uint64(tail)] = key
                    tail += 1
                    table[slot] = tail
                    if stop != NEVER and state[GOAL] < 0 and solved(key, goal):
                        state[GOAL] = tail - 1
                    break
                if keys[np.uint64(entry - 1)] == key:
                    break
                slot = (slot + _ONE) & last
        if stop == FIRST and state[GOAL] >= 0:
            status = FOUND
            break
    state[HEAD], state[TAIL], state[LAYER_END], state[DEPTH] = head, tail, layer_end, depth
    return status


@kernel("int64(uint64[::1], int64, int64, uint64[::1], int32[::1])")
def meet(keys: U64, first: int, last: int, other_keys: U64, other_table: I32) -> int:
    """Return the number of the first state of a range that the other search knows, or -1."""
    bits = np.int64(trailing_zeros(np.uint64(len(other_table))))
    for number in range(first, last):
        if lookup(keys[number], other_keys, other_table, bits) >= 0:
            return number
    return -1


# Rows of the working space of `reach`, which has a column for each placement.
REACHED, STEPS, SLIDES, STEP_STAMP, SLIDE_STAMP, QUEUE, MARKS, REACH_ROWS = range(8)


@kernel("int64(uint64, uint64, int64, uint64[::1], uint64[::1], int64[:, ::1])")
def reach(
    pid: np.uint64, others: np.uint64, metric: int, cells_of: U64, near: U64, work: I64
) -> int:
    """List the placements one move away in row `REACHED`, after `pid` itself; return the length.

    The rows `STEPS` and `SLIDES` hold, by placement, the fewest steps and slides.
    """
    mark = work[MARKS, 0] + 1
    work[MARKS, 0] = mark
    home = np.int64(pid)
    work[REACHED, 0] = home
    work[STEPS, home] = 0
    work[STEP_STAMP, home] = mark
    tail = 1
    if metric != MOVE:
        for direction in range(4):
            at = np.int64(near[home * 4 + direction])
            distance = 1
            while cells_of[at] & others == _ZERO:
                work[REACHED, tail] = at
                work[STEPS, at] = distance
                work[SLIDES, at] = 1
                tail += 1
                distance += 1
                if metric == STEP:
                    break
                at = np.int64(near[at * 4 + direction])
        return tail
    head = 0
    while head < tail:
        place = work[REACHED, head]
        head += 1
        for direction in range(4):
            at = np.int64(near[place * 4 + direction])
            if cells_of[at] & others == _ZERO and work[STEP_STAMP, at] != mark:
                work[STEP_STAMP, at] = mark
                work[STEPS, at] = work[STEPS, place] + 1
                work[REACHED, tail] = at
                tail += 1
    work[SLIDES, home] = 0
    work[SLIDE_STAMP, home] = mark
    work[QUEUE, 0] = home
    head, end = 0, 1
    while head < end:
        place = work[QUEUE, head]
        head += 1
        for direction in range(4):
            at = np.int64(near[place * 4 + direction])
            while cells_of[at] & others == _ZERO:
                if work[SLIDE_STAMP, at] != mark:
                    work[SLIDE_STAMP, at] = mark
                    work[SLIDES, at] = work[SLIDES, place] + 1
                    work[QUEUE, end] = at
                    end += 1
                at = np.int64(near[at * 4 + direction])
    return tail


@kernel("int64(int64, int64, int64[:, ::1])")
def cost(metric: int, at: int, work: I64) -> int:
    """Return what reaching a placement costs in a metric."""
    length: int = 1
    if metric == STEP:
        length = work[STEPS, at]
    elif metric == SLIDE:
        length = work[SLIDES, at]
    return length


@kernel(
    "int64(int64[::1], int64, int64, int64, uint64[::1], int32[::1], int64[::1], int32[::1], "
    f"{TABLES}, int64[:, ::1], int64)"
)
def relax(
    state: I64,
    metric: int,
    first_metric: int,
    second_metric: int,
    keys: U64,
    table: I32,
    layers: I64,
    labels: I32,
    tables: Tables,
    work: I64,
    budget: int,
) -> int:
    """Find the least second length of each state among its ways of the least first length.

    `labels` holds it (a large number before it is known); state numbers run through the layers
    of the first metric, so each label is final when its state's turn comes.  `metric` says what
    one move is; `state` holds the next number, its layer, and the last layer.
    """
    cells_of, word, image_of, _border, near, fields, codes, bits, _goal, pids, _stamps = tables
    number, layer, last = state[0], state[1], state[2]
    table_bits = np.int64(trailing_zeros(np.uint64(len(table))))
    nothing = np.uint64(len(cells_of) - 1)
    end = min(number + budget, layers[last])
    while number < end:
        while number >= layers[layer + 1]:
            layer += 1
        key = keys[number]
        count = unpack(key, fields, codes, bits, bits[64], nothing, pids)
        cells, image = pids[np.uint64(len(pids) - 2)], _ZERO
        for place in range(count):
            cells |= cells_of[pids[np.uint64(place)]]
            image ^= image_of[pids[np.uint64(place)]]
        for place in range(count):
            pid = pids[np.uint64(place)]
            length = reach(pid, cells ^ cells_of[pid], metric, cells_of, near, work)
            for position in range(1, length):
                at = work[REACHED, position]
                target = layer + cost(first_metric, at, work)
                if target > last:
                    continue
                new = key ^ word[pid] ^ word[at]
                new = min(new, image ^ image_of[pid] ^ image_of[at])
                found = lookup(new, keys, table, table_bits)
                if layers[target] <= found < layers[target + 1]:
                    label = labels[number] + cost(second_metric, at, work)
                    if label < labels[found]:
                        labels[found] = label
        number += 1
    state[0], state[1] = number, layer
    return EXHAUSTED if number == layers[last] else BUDGET


@kernel("int64(int64, int64, uint64[::1], int32[::1], uint64[:, ::1])")
def best_goal(first: int, last: int, keys: U64, labels: I32, goal: U64) -> int:
    """Return the number of the goal state with the least label in a range, or -1."""
    best = -1
    for number in range(first, last):
        if solved(keys[number], goal) and (best < 0 or labels[number] < labels[best]):
            best = number
    return best


@kernel(
    "void(uint64[::1], int64, int64, int64, int64, int64, uint64[::1], int32[::1], int64[::1], "
    f"int32[::1], {TABLES}, int64[:, ::1], int32[:, ::1])"
)
def trace(
    state_key: U64,
    layer: int,
    label: int,
    metric: int,
    first_metric: int,
    second_metric: int,
    keys: U64,
    table: I32,
    layers: I64,
    labels: I32,
    tables: Tables,
    work: I64,
    path: I32,
) -> None:
    """Walk from the state `state_key` of a layer back to the first layer, and leave its key there.

    Each row of `path` becomes (placement left, placement taken, 1) of one move, last move first;
    a row (0, 0, 0) ends it.  The states walked through are the states themselves, or all of them
    their mirror images.  Without `labels` every way of the least first length will do.
    """
    cells_of, word, image_of, _border, near, fields, codes, bits, _goal, pids, _stamps = tables
    table_bits = np.int64(trailing_zeros(np.uint64(len(table))))
    nothing = np.uint64(len(cells_of) - 1)
    key = state_key[0]
    moves = 0
    while layer > 0:
        count = unpack(key, fields, codes, bits, bits[64], nothing, pids)
        cells, image = pids[np.uint64(len(pids) - 2)], _ZERO
        for place in range(count):
            cells |= cells_of[pids[np.uint64(place)]]
            image ^= image_of[pids[np.uint64(place)]]
        before = layer
        for place in range(count):
            pid = pids[np.uint64(place)]
            length = reach(pid, cells ^ cells_of[pid], metric, cells_of, near, work)
            for position in range(1, length):
                at = work[REACHED, position]
                target = layer - cost(first_metric, at, work)
                if target < 0:
                    continue
                new = key ^ word[pid] ^ word[at]
                canonical = min(new, image ^ image_of[pid] ^ image_of[at])
                found = lookup(canonical, keys, table, table_bits)
                if found < layers[target] or found >= layers[target + 1]:
                    continue
                if len(labels) > 0:
                    if labels[found] + cost(second_metric, at, work) != label:
                        continue
                    label = labels[found]
                path[moves, 0], path[moves, 1], path[moves, 2] = at, pid, 1
                key, layer = new, target
                break
            if layer != before:
                break
        moves += 1
    path[moves, 2] = 0
    state_key[0] = key


@kernel("void(uint64[::1], int64, uint64[:, ::1], uint8[::1])")
def flag_goals(keys: U64, size: int, goal: U64, flags: NDArray[np.uint8]) -> None:
    """Write 1 for each goal state, 0 for the others."""
    for number in range(size):
        flags[number] = 1 if solved(keys[number], goal) else 0


@kernel(
    "int64(int64[::1], int64, uint64[::1], int32[::1], int64, int64[::1], int32[::1], "
    f"{TABLES}, uint64[::1], int64[::1], int64)"
)
def link(
    cursor: I64,
    metric: int,
    keys: U64,
    table: I32,
    size: int,
    offsets: I64,
    targets: I32,
    tables: Tables,
    out: U64,
    ends: I64,
    budget: int,
) -> int:
    """List the neighbours of each state: those of n are ``targets[offsets[n] : offsets[n + 1]]``.

    `cursor` holds the next state and the number of targets so far.
    """
    number, used = cursor[0], cursor[1]
    table_bits = np.int64(trailing_zeros(np.uint64(len(table))))
    end = min(number + budget, size)
    status = BUDGET
    while number < end:
        if used + len(out) > len(targets):
            status = ROOM
            break
        expand(keys, number, number + 1, metric, len(out), tables, out, ends)
        for place in range(ends[0]):
            targets[used] = lookup(out[np.uint64(place)], keys, table, table_bits)
            used += 1
        number += 1
        offsets[number] = used
    cursor[0], cursor[1] = number, used
    return EXHAUSTED if number == size else status


# Places in the `state` of `advance_bounded`: entries, least sum that may be open, number of states,
# entries expanded, goal state, metric, children of a state at most, whether moves spent count not.
ENTRIES, SUM, STATES, EXPANDED, SOLVED, UNIT, MOST, GREEDY, BOUNDED_SIZE = range(9)


@kernel(
    "int64(int64[::1], uint64[::1], int32[::1], int32[::1], int32[:, ::1], int32[::1], "
    f"uint64[::1], uint64[::1], int64[::1], {TABLES}, uint64[::1], int64[::1], int64)"
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
    cells_of, _word, _image_of, _border, _near, fields, codes, bits, goal, pids, _stamps = tables
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
        expand(turn, 0, taken, state[UNIT], state[MOST], tables, out, ends)
        expanded += taken
        parent = 0
        made = ends[taken - 1] if taken > 0 else 0
        for place in range(made):
            while place >= ends[parent]:
                parent += 1
            key = out[np.uint64(place)]
            moves = np.int64(turn[len(ends) + parent]) + 1
            slot = np.uint64(slot_of(key, table_bits))
            while True:
                found = np.int64(table[slot]) - 1
                if found < 0 or keys[np.uint64(found)] == key:
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
            count = unpack(key, fields, codes, bits, bits[64], nothing, pids)
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
            if (greedy or target == total) and solved(key, goal):
                state[SOLVED] = found
                status = FOUND
                break
        if status == FOUND:
            break
    state[STATES], state[ENTRIES], state[SUM], state[EXPANDED] = states, used, total, expanded
    return status


@kernel(
    "int64(uint64, int64, int64, uint64[::1], int32[::1], int32[::1], "
    f"{TABLES}, int64[:, ::1], int32[:, ::1])"
)
def trace_bounded(
    key: np.uint64,
    moves: int,
    metric: int,
    keys: U64,
    table: I32,
    spent: I32,
    tables: Tables,
    work: I64,
    path: I32,
) -> int:
    """Walk back from a state that took `moves` moves; `path` becomes that of `trace`."""
    cells_of, word, _image_of, _border, near, fields, codes, bits, _goal, pids, _stamps = tables
    table_bits = np.int64(trailing_zeros(np.uint64(len(table))))
    nothing = np.uint64(len(cells_of) - 1)
    made = 0
    while moves > 0:
        count = unpack(key, fields, codes, bits, bits[64], nothing, pids)
        cells = pids[np.uint64(len(pids) - 2)]
        for place in range(count):
            cells |= cells_of[pids[np.uint64(place)]]
        before = moves
        for place in range(count):
            pid = pids[np.uint64(place)]
            length = reach(pid, cells ^ cells_of[pid], metric, cells_of, near, work)
            for position in range(1, length):
                at = work[REACHED, position]
                new = key ^ word[pid] ^ word[at]
                found = lookup(new, keys, table, table_bits)
                # A way that a greedy search shortened later may come by fewer moves.
                if found >= 0 and spent[found] < moves:
                    path[made, 0], path[made, 1], path[made, 2] = at, pid, 1
                    key = new
                    moves = spent[found]
                    break
            if moves != before:
                break
        made += 1
    path[made, 2] = 0
    return made
