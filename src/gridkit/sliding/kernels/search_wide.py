"""The search of `kernels.search` for states of any number of words, on boards of any size.

The functions and their arguments are those of the one-word kernels, with these differences: a
key is a row of `keys`, the cells of a placement are a row of words, and a few more arrays say how
keys are read.  Names and numbers have to agree with `kernels.search`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel, trailing_zeros

__all__ = ["advance", "best_goal", "flag_goals", "link", "meet", "rehash", "relax", "trace"]

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]

BUDGET, EXHAUSTED, FOUND, ROOM, PAUSED = 0, 1, 2, 3, 4
HEAD, TAIL, LAYER_END, DEPTH, GOAL, METRIC, STOP, WIDEST, PAUSE, STATE_SIZE = range(10)
STEP, SLIDE, MOVE = 0, 1, 2
NEVER, FIRST, LAYER = 0, 1, 2
REACHED, STEPS, SLIDES, STEP_STAMP, SLIDE_STAMP, QUEUE, MARKS, REACH_ROWS = range(8)
# Rows of the working space of one state: cells of all blocks, of the others, the key's image, and
# key and image without the block that moves.
ALL, OTHERS, IMAGE, BARE, BARE_IMAGE, CHILD, SCRATCH_ROWS = range(7)

# The arrays that most kernels take, in the order below; see `kernels.search`.  `BITMAP` is the
# mask of the bit map, `FIXED` what is always covered.  They are of several types.
TABLES = (
    "Tuple((uint64[:, ::1], uint64[:, ::1], uint64[:, ::1], int64[::1], uint64[:, ::1], "
    "int64[::1], int64[::1], uint64[::1], uint64[::1], uint64[:, ::1], int64[::1], int64[::1], "
    "uint64[:, ::1]))"
)
Tables = tuple[Any, ...]
(
    CELLS_OF, WORD, IMAGE_OF, NEAR, FIELDS, CODES, BITS, BITMAP, FIXED, CONDITIONS, PIDS, STAMPS,
    SCRATCH,
) = range(13)  # fmt: skip

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_ONE = np.uint64(1)
_ZERO = np.uint64(0)


@kernel("int64(uint64[::1], int64)")
def slot_of(key: U64, bits: int) -> int:
    """Return where the search of a key begins in a table of ``2 ** bits`` slots."""
    mixed = _ZERO
    for word in range(len(key)):
        mixed = (mixed ^ key[word]) * _SPREAD
        mixed ^= mixed >> np.uint64(29)
    return np.int64((mixed * _SPREAD) >> np.uint64(64 - bits))


@kernel("boolean(uint64[::1], uint64[::1])")
def same(left: U64, right: U64) -> bool:
    """Return whether two keys are equal."""
    for word in range(len(left)):
        if left[word] != right[word]:
            return False
    return True


@kernel("int64(uint64[::1], uint64[:, ::1], int32[::1])")
def lookup(key: U64, keys: U64, table: I32) -> int:
    """Return the number of a state, or -1."""
    slot = slot_of(key, np.int64(trailing_zeros(np.uint64(len(table)))))
    while table[slot] != 0:
        number = np.int64(table[slot]) - 1
        if same(keys[number], key):
            return number
        slot = (slot + 1) & (len(table) - 1)
    return -1


@kernel("void(uint64[:, ::1], int64, int32[::1], int64)")
def rehash(keys: U64, tail: int, table: I32, bits: int) -> None:
    """Fill an empty table with the states there are."""
    for number in range(tail):
        slot = slot_of(keys[number], bits)
        while table[slot] != 0:
            slot = (slot + 1) & (len(table) - 1)
        table[slot] = number + 1


@kernel("boolean(uint64[:, ::1], uint64[:, ::1], int64)")
def fits(cells_of: U64, scratch: U64, pid: int) -> bool:
    """Return whether a placement is free of other blocks."""
    for word in range(cells_of.shape[1]):
        if cells_of[pid, word] & scratch[OTHERS, word] != _ZERO:
            return False
    return True


@kernel(f"int64(uint64[::1], {TABLES})")
def unpack(key: U64, tables: Tables) -> int:
    """Write the placements of a state to `pids`, its cells and image to `scratch`."""
    cells_of, image_of, scratch = tables[CELLS_OF], tables[IMAGE_OF], tables[SCRATCH]
    fields, codes, bits = tables[FIELDS], tables[CODES], tables[BITS]
    bitmap, fixed, pids = tables[BITMAP], tables[FIXED], tables[PIDS]
    count = 0
    for number in range(len(fields)):
        value = (key[np.int64(fields[number, 3])] >> fields[number, 0]) & fields[number, 1]
        pid = codes[np.int64(fields[number, 2] + value)]
        if pid >= 0:
            pids[count] = pid
            count += 1
    for word in range(len(key)):
        rest = key[word] & bitmap[word]
        while rest != _ZERO:
            pids[count] = bits[word * 64 + np.int64(trailing_zeros(rest))]
            count += 1
            rest &= rest - _ONE
    for word in range(len(fixed)):
        scratch[ALL, word] = fixed[word]
        for place in range(count):
            scratch[ALL, word] |= cells_of[pids[place], word]
    for word in range(len(key)):
        scratch[IMAGE, word] = _ZERO
        for place in range(count):
            scratch[IMAGE, word] ^= image_of[pids[place], word]
    return count


@kernel(f"void(uint64[::1], int64, {TABLES})")
def lift(key: U64, pid: int, tables: Tables) -> None:
    """Take one block out of a state."""
    cells_of, word = tables[CELLS_OF], tables[WORD]
    image_of, scratch = tables[IMAGE_OF], tables[SCRATCH]
    for part in range(cells_of.shape[1]):
        scratch[OTHERS, part] = scratch[ALL, part] ^ cells_of[pid, part]
    for part in range(len(key)):
        scratch[BARE, part] = key[part] ^ word[pid, part]
        scratch[BARE_IMAGE, part] = scratch[IMAGE, part] ^ image_of[pid, part]


@kernel(f"void(int64, {TABLES}, uint64[::1])")
def put(pid: int, tables: Tables, out: U64) -> None:
    """Write the smaller one of key and image with the lifted block at a placement."""
    word, image_of, scratch = tables[WORD], tables[IMAGE_OF], tables[SCRATCH]
    mirrored = False
    decided = False
    for part in range(len(out) - 1, -1, -1):
        plain = scratch[BARE, part] ^ word[pid, part]
        image = scratch[BARE_IMAGE, part] ^ image_of[pid, part]
        if not decided and plain != image:
            decided = True
            mirrored = image < plain
        out[part] = image if mirrored else plain


@kernel("boolean(uint64[::1], uint64[:, ::1])")
def solved(key: U64, goal: U64) -> bool:
    """Return whether every condition is met; its rows are (mask, value, condition, word)."""
    rows = len(goal)
    row = 0
    while row < rows:
        condition = goal[row, 2]
        met = False
        while row < rows and goal[row, 2] == condition:
            if key[np.int64(goal[row, 3])] & goal[row, 0] == goal[row, 1]:
                met = True
            row += 1
        if not met:
            return False
    return True


@kernel(f"int64(uint64[::1], int64, {TABLES}, uint64[:, ::1], int64)")
def children(key: U64, metric: int, tables: Tables, out: U64, made: int) -> int:
    """Append the keys one move away to `out`; return the number of keys in it."""
    cells_of, near, scratch = tables[CELLS_OF], tables[NEAR], tables[SCRATCH]
    pids, stamps = tables[PIDS], tables[STAMPS]
    count = unpack(key, tables)
    last = len(stamps) - 1
    for place in range(count):
        pid = pids[place]
        lift(key, pid, tables)
        if metric == MOVE:
            stamps[last] += 1
            mark = stamps[last]
            stamps[pid] = mark
            top = count
            pids[top] = pid
            top += 1
            while top > count:
                top -= 1
                first = pids[top] * 4
                for direction in range(4):
                    at = near[first + direction]
                    if stamps[at] == mark or not fits(cells_of, scratch, at):
                        continue
                    stamps[at] = mark
                    pids[top] = at
                    top += 1
                    put(at, tables, out[made])
                    made += 1
        else:
            for direction in range(4):
                at = near[pid * 4 + direction]
                while fits(cells_of, scratch, at):
                    put(at, tables, out[made])
                    made += 1
                    if metric == STEP:
                        break
                    at = near[at * 4 + direction]
    return made


@kernel(
    "int64(int64[::1], uint64[:, ::1], int32[::1], int64[::1], "
    f"{TABLES}, uint64[:, ::1], int64[::1], int64)"
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
    """Expand at most about `budget` states."""
    goal = tables[CONDITIONS]
    head, tail, metric, stop = state[HEAD], state[TAIL], state[METRIC], state[STOP]
    layer_end, depth = state[LAYER_END], state[DEPTH]
    table_bits = np.int64(trailing_zeros(np.uint64(len(table))))
    last = len(table) - 1
    room = min(len(keys), len(table) - len(table) // 4) - len(out)
    batch = len(out) - state[WIDEST]
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
        made = 0
        while head < layer_end and made < batch:
            made = children(keys[head], metric, tables, out, made)
            head += 1
        for place in range(made):
            key = out[place]
            slot = slot_of(key, table_bits)
            while True:
                entry = table[slot]
                if entry == 0:
                    keys[tail, :] = key
                    tail += 1
                    table[slot] = tail
                    if stop != NEVER and state[GOAL] < 0 and solved(key, goal):
                        state[GOAL] = tail - 1
                    break
                if same(keys[entry - 1], key):
                    break
                slot = (slot + 1) & last
        if stop == FIRST and state[GOAL] >= 0:
            status = FOUND
            break
    state[HEAD], state[TAIL], state[LAYER_END], state[DEPTH] = head, tail, layer_end, depth
    return status


@kernel("int64(uint64[:, ::1], int64, int64, uint64[:, ::1], int32[::1])")
def meet(keys: U64, first: int, last: int, other_keys: U64, other_table: I32) -> int:
    """Return the number of the first state of a range that the other search knows, or -1."""
    for number in range(first, last):
        if lookup(keys[number], other_keys, other_table) >= 0:
            return number
    return -1


@kernel("int64(int64, int64, uint64[:, ::1], int64[::1], uint64[:, ::1], int64[:, ::1])")
def reach(pid: int, metric: int, cells_of: U64, near: I64, scratch: U64, work: I64) -> int:
    """List the placements one move away in row `REACHED`, after `pid` itself; return the length."""
    mark = work[MARKS, 0] + 1
    work[MARKS, 0] = mark
    work[REACHED, 0] = pid
    work[STEPS, pid] = 0
    work[STEP_STAMP, pid] = mark
    tail = 1
    if metric != MOVE:
        for direction in range(4):
            at = near[pid * 4 + direction]
            distance = 1
            while fits(cells_of, scratch, at):
                work[REACHED, tail] = at
                work[STEPS, at] = distance
                work[SLIDES, at] = 1
                tail += 1
                distance += 1
                if metric == STEP:
                    break
                at = near[at * 4 + direction]
        return tail
    head = 0
    while head < tail:
        place = work[REACHED, head]
        head += 1
        for direction in range(4):
            at = near[place * 4 + direction]
            if work[STEP_STAMP, at] != mark and fits(cells_of, scratch, at):
                work[STEP_STAMP, at] = mark
                work[STEPS, at] = work[STEPS, place] + 1
                work[REACHED, tail] = at
                tail += 1
    work[SLIDES, pid] = 0
    work[SLIDE_STAMP, pid] = mark
    work[QUEUE, 0] = pid
    head, end = 0, 1
    while head < end:
        place = work[QUEUE, head]
        head += 1
        for direction in range(4):
            at = near[place * 4 + direction]
            while fits(cells_of, scratch, at):
                if work[SLIDE_STAMP, at] != mark:
                    work[SLIDE_STAMP, at] = mark
                    work[SLIDES, at] = work[SLIDES, place] + 1
                    work[QUEUE, end] = at
                    end += 1
                at = near[at * 4 + direction]
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
    "int64(int64[::1], int64, int64, int64, uint64[:, ::1], int32[::1], int64[::1], int32[::1], "
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
    """Find the least second length of each state among its ways of the least first length."""
    cells_of, near, scratch = tables[CELLS_OF], tables[NEAR], tables[SCRATCH]
    pids = tables[PIDS]
    number, layer, last = state[0], state[1], state[2]
    end = min(number + budget, layers[last])
    while number < end:
        while number >= layers[layer + 1]:
            layer += 1
        key = keys[number]
        count = unpack(key, tables)
        for place in range(count):
            pid = pids[place]
            lift(key, pid, tables)
            length = reach(pid, metric, cells_of, near, scratch, work)
            for position in range(1, length):
                at = work[REACHED, position]
                target = layer + cost(first_metric, at, work)
                if target > last:
                    continue
                put(at, tables, scratch[CHILD, : len(key)])
                found = lookup(scratch[CHILD, : len(key)], keys, table)
                if layers[target] <= found < layers[target + 1]:
                    label = labels[number] + cost(second_metric, at, work)
                    if label < labels[found]:
                        labels[found] = label
        number += 1
    state[0], state[1] = number, layer
    return EXHAUSTED if number == layers[last] else BUDGET


@kernel("int64(int64, int64, uint64[:, ::1], int32[::1], uint64[:, ::1])")
def best_goal(first: int, last: int, keys: U64, labels: I32, goal: U64) -> int:
    """Return the number of the goal state with the least label in a range, or -1."""
    best = -1
    for number in range(first, last):
        if solved(keys[number], goal) and (best < 0 or labels[number] < labels[best]):
            best = number
    return best


@kernel(
    "void(uint64[::1], int64, int64, int64, int64, int64, uint64[:, ::1], int32[::1], "
    f"int64[::1], int32[::1], {TABLES}, int64[:, ::1], int32[:, ::1])"
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
    """Walk from a state of a layer back to the first layer, and leave the key of that state."""
    cells_of, near, scratch = tables[CELLS_OF], tables[NEAR], tables[SCRATCH]
    word, pids = tables[WORD], tables[PIDS]
    moves = 0
    while layer > 0:
        count = unpack(state_key, tables)
        before = layer
        for place in range(count):
            pid = pids[place]
            lift(state_key, pid, tables)
            length = reach(pid, metric, cells_of, near, scratch, work)
            for position in range(1, length):
                at = work[REACHED, position]
                target = layer - cost(first_metric, at, work)
                if target < 0:
                    continue
                put(at, tables, scratch[CHILD, : len(state_key)])
                found = lookup(scratch[CHILD, : len(state_key)], keys, table)
                if found < layers[target] or found >= layers[target + 1]:
                    continue
                if len(labels) > 0:
                    if labels[found] + cost(second_metric, at, work) != label:
                        continue
                    label = labels[found]
                path[moves, 0], path[moves, 1], path[moves, 2] = at, pid, 1
                for part in range(len(state_key)):
                    state_key[part] = scratch[BARE, part] ^ word[at, part]
                layer = target
                break
            if layer != before:
                break
        moves += 1
    path[moves, 2] = 0


@kernel("void(uint64[:, ::1], int64, uint64[:, ::1], uint8[::1])")
def flag_goals(keys: U64, size: int, goal: U64, flags: NDArray[np.uint8]) -> None:
    """Write 1 for each goal state, 0 for the others."""
    for number in range(size):
        flags[number] = 1 if solved(keys[number], goal) else 0


@kernel(
    "int64(int64[::1], int64, uint64[:, ::1], int32[::1], int64, int64[::1], int32[::1], "
    f"{TABLES}, uint64[:, ::1], int64[::1], int64)"
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
    """List the neighbours of each state, as the one-word kernel does."""
    number, used = cursor[0], cursor[1]
    end = min(number + budget, size)
    status = BUDGET
    while number < end:
        if used + len(out) > len(targets):
            status = ROOM
            break
        made = children(keys[number], metric, tables, out, 0)
        for place in range(made):
            targets[used] = lookup(out[place], keys, table)
            used += 1
        number += 1
        offsets[number] = used
    cursor[0], cursor[1] = number, used
    return EXHAUSTED if number == size else status
