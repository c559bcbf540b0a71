"""Kernels of the frontier engine: states in a hash table, or all subsets of the slots in an array.

Numbers of ways are stored in several words, least significant first: all but the last hold
`RADIX` bits, the last at most 63, so that sums of up to 127 words cannot overflow and carries are
plain shifts.  Each kernel refuses a step that could outgrow the last word (`WIDEN`).
"""

from __future__ import annotations

import numpy as np

from gridkit.run.jit import kernel, popcount

Array = np.ndarray
Integer = int | np.signedinteger

__all__ = [
    "BUDGET",
    "DONE",
    "GROW",
    "RADIX",
    "WIDEN",
    "advance_dense",
    "advance_sparse",
    "dot",
]

RADIX = 57
DONE, BUDGET, GROW, WIDEN = 0, 1, 2, 3

# Places in the control array of `advance_sparse`.
_STEP, _STOP, _NEXT, _COUNT, _FRESH, _TOP, _TURN, _VISITS = 0, 1, 2, 3, 4, 5, 6, 7

_U0 = np.uint64(0)
_U1 = np.uint64(1)
_LOW32 = np.uint64(0xFFFFFFFF)
_U32 = np.uint64(32)
_U20 = np.uint64(20)
_GOLDEN = np.uint64(0x9E3779B1)
_RADIX = np.uint64(RADIX)
_WORD = np.uint64((1 << RADIX) - 1)
_TOP_LIMIT = (1 << 63) - 1


@kernel("int64(uint64, uint64[::1], int32[::1], int64)")
def _place(key: np.uint64, keys: Array, table: Array, table_mask: Integer) -> Integer:
    """Return the table place that holds `key`, or the free one where it belongs."""
    folded = (key ^ (key >> _U32)) & _LOW32
    place = np.int64((folded * _GOLDEN) >> _U20) & table_mask
    while table[place] >= 0 and keys[table[place]] != key:
        place = (place + 1) & table_mask
    return place


@kernel(
    "int64(uint64, int64, uint64[:, ::1], uint64[::1], uint64[:, ::1], int32[::1], int64, int64)"
)
def _add(
    key: np.uint64,
    source: Integer,
    old_words: Array,
    keys: Array,
    words: Array,
    table: Array,
    table_mask: Integer,
    count: Integer,
) -> Integer:
    """Add the ways of an old state to a new one; return the new number of states."""
    last = words.shape[1] - 1
    place = _place(key, keys, table, table_mask)
    target = np.int64(table[place])
    if target < 0:
        table[place] = count
        keys[count] = key
        for word in range(last + 1):
            words[count, word] = old_words[source, word]
        return count + 1
    carry = _U0
    for word in range(last):
        total = words[target, word] + old_words[source, word] + carry
        words[target, word] = total & _WORD
        carry = total >> _RADIX
    words[target, last] += old_words[source, last] + carry
    return count


@kernel(
    "int64(int64[::1], int64, boolean, uint64[::1], uint64[::1], int64[::1], uint64[::1],"
    " uint64[::1], uint64[::1], uint64[::1], int8[::1], uint64[:, ::1], uint64[:, :, ::1],"
    " int32[::1])"
)
def advance_sparse(
    control: Array,
    budget: Integer,
    forward: bool,
    bits: Array,
    closed: Array,
    starts: Array,
    masks: Array,
    fields: Array,
    fulls: Array,
    units: Array,
    overflows: Array,
    keys: Array,
    words: Array,
    table: Array,
) -> Integer:
    """Settle cells one after the other, until a step is reached or `budget` states are moved.

    Parameters
    ----------
    control : int64[8]
        Step, step to stop at, next old state, old states, new states, bound on the last word,
        which of the two buffers is old, states moved so far; all are kept up to date.
    budget : int
        States to move in this call.
    forward : bool
        Towards the last cell; backwards the transposed steps are taken.
    bits, closed : uint64[steps]
        Slot of the settled cell; slots that no state before the step can have set.
    starts : int64[steps + 1]
        First move of each step.
    masks, fields, fulls, units, overflows : arrays over moves
        As in `gridkit.cover.profile.moves`; only forward sweeps count pieces.
    keys, words : uint64[2, capacity], uint64[2, capacity, limbs]
        Two buffers of states.
    table : int32[power of two]
        Hash table of the new states, at least twice their capacity.

    Returns
    -------
    int
        DONE, BUDGET, GROW (more capacity is needed) or WIDEN (another word is needed).
    """
    capacity = keys.shape[1]
    last = words.shape[2] - 1
    spent = 0
    while control[_STEP] != control[_STOP]:
        step = control[_STEP] if forward else control[_STEP] - 1
        bit = bits[step]
        shut = closed[step]
        first, end = starts[step], starts[step + 1]
        fan = end - first + 1
        sources = 2 * fan  # a use beyond a counter's end has two states to come from
        old = control[_TURN]
        old_keys, old_words = keys[old], words[old]
        new_keys, new_words = keys[1 - old], words[1 - old]
        old_count = control[_COUNT]
        size = np.int64(16)
        while size < table.shape[0] and size < 2 * fan * old_count:
            size *= 2
        table_mask = np.int64(size - 1)
        if control[_NEXT] == 0:
            if control[_TOP] >= _TOP_LIMIT // sources - 1:
                top = _U0
                for state in range(old_count):
                    top = max(top, old_words[state, last])
                control[_TOP] = np.int64(top)
                if control[_TOP] >= _TOP_LIMIT // sources - 1:
                    return WIDEN
            control[_FRESH] = 0
            for place in range(size):
                table[place] = -1
        count = control[_FRESH]
        state = control[_NEXT]
        while state < old_count:
            if count + fan > capacity:
                control[_NEXT], control[_FRESH] = state, count
                return GROW
            if spent >= budget:
                control[_NEXT], control[_FRESH] = state, count
                return BUDGET
            spent += 1
            control[_VISITS] += 1
            key = old_keys[state]
            if forward:
                if key & bit:
                    count = _add(
                        key ^ bit, state, old_words, new_keys, new_words, table, table_mask, count
                    )
                else:
                    for move in range(first, end):
                        if key & masks[move]:
                            continue
                        following = key | masks[move]
                        if key & fields[move] != fulls[move]:
                            following += units[move]
                        elif overflows[move] < 0:
                            continue
                        count = _add(
                            following, state, old_words, new_keys, new_words, table, table_mask,
                            count,
                        )  # fmt: skip
            else:
                if bit and not key & shut:
                    count = _add(
                        key | bit, state, old_words, new_keys, new_words, table, table_mask, count
                    )
                for move in range(first, end):
                    mask = masks[move]
                    if key & mask == mask and not (key ^ mask) & shut:
                        count = _add(
                            key ^ mask, state, old_words, new_keys, new_words, table, table_mask,
                            count,
                        )  # fmt: skip
            state += 1
        control[_COUNT] = count
        control[_NEXT] = 0
        control[_FRESH] = 0
        control[_TURN] = 1 - old
        control[_TOP] = (control[_TOP] + 1) * sources
        control[_STEP] += 1 if forward else -1
    return DONE


# Places in the control array of `advance_dense` (the first two as above).
_ROW, _VISITED, _LARGEST = 2, 3, 4
_GROUP = 6  # cells settled at a time on a block that stays in the cache
_LOCAL = 8  # slots that a group may touch
_LANES = 5  # further slots in a block, so that its inner loops are long


@kernel("uint64(uint64, uint64[::1], int64)")
def _squeeze(mask: np.uint64, slots: Array, count: Integer) -> np.uint64:
    """Renumber the slots of a mask by their places in `slots`."""
    result = _U0
    for place in range(count):
        if mask & slots[place]:
            result |= _U1 << np.uint64(place)
    return result


@kernel("int64(int64[::1], int64[::1], int64, uint64, uint64, uint64[::1], int64, boolean)")
def _wire(
    starts: Array,
    sources: Array,
    local: Integer,
    bit: np.uint64,
    shut: np.uint64,
    masks: Array,
    count: Integer,
    forward: bool,
) -> Integer:
    """List for each configuration of `local` slots the old ones whose ways it sums up."""
    used = 0
    for number in range(1 << local):
        config = np.uint64(number)
        starts[number] = used
        if forward:
            if bit and not config & bit:
                sources[used] = np.int64(config | bit)
                used += 1
            for move in range(count):
                mask = masks[move]
                if config & mask == mask and not (config ^ mask) & shut:
                    sources[used] = np.int64(config ^ mask)
                    used += 1
        elif config & shut & ~bit:
            continue
        elif config & bit:
            sources[used] = np.int64(config ^ bit)
            used += 1
        else:
            for move in range(count):
                if not config & masks[move]:
                    sources[used] = np.int64(config | masks[move])
                    used += 1
    starts[1 << local] = used
    return used


@kernel("void(uint64[:, ::1], uint64[:, ::1], uint64, uint64[::1], int64, int64[::1], int64[::1])")
def _apply(
    old: Array,
    new: Array,
    size: np.uint64,
    spread: Array,
    local: Integer,
    starts: Array,
    sources: Array,
) -> None:
    """Apply a wired step to an array over all subsets of some slots, of which it touches a few."""
    # Indices are unsigned: numba would test signed ones for being negative.
    touched = spread[(1 << local) - 1]
    run = touched & (~touched + _U1) if touched else size
    limbs = old.shape[0]
    outer = _U0
    while outer < size:
        for config in range(1 << local):
            to = outer + spread[config]
            first, end = starts[config], starts[config + 1]
            for word in range(limbs):
                if first == end:
                    for k in range(run):
                        new[word, to + k] = _U0
                    continue
                a = outer + spread[sources[first]]
                if end - first == 1:
                    for k in range(run):
                        new[word, to + k] = old[word, a + k]
                    continue
                b = outer + spread[sources[first + 1]]
                if end - first == 2:
                    for k in range(run):
                        new[word, to + k] = old[word, a + k] + old[word, b + k]
                    continue
                c = outer + spread[sources[first + 2]]
                for k in range(run):
                    new[word, to + k] = old[word, a + k] + old[word, b + k] + old[word, c + k]
                for term in range(first + 3, end):
                    c = outer + spread[sources[term]]
                    for k in range(run):
                        new[word, to + k] += old[word, c + k]
            for word in range(limbs - 1):
                for k in range(run):
                    carry = new[word, to + k] >> _RADIX
                    new[word, to + k] &= _WORD
                    new[word + 1, to + k] += carry
        # the next setting of the slots that are neither touched nor below the lowest touched one
        outer = ((outer | touched) + run) & ~touched


@kernel("uint64(int64, uint64[::1], int64[::1], uint64[::1])")
def _touched(step: Integer, bits: Array, starts: Array, masks: Array) -> np.uint64:
    """Return the slots that a step reads or writes."""
    touched: np.uint64 = bits[step]
    for move in range(starts[step], starts[step + 1]):
        touched |= masks[move]
    return touched


@kernel("int64(int64, int64, boolean, uint64[::1], int64[::1], uint64[::1], uint64[::1])")
def _group(
    step: Integer,
    stop: Integer,
    forward: bool,
    bits: Array,
    starts: Array,
    masks: Array,
    union: Array,
) -> Integer:
    """Return how many steps can be taken together; put the slots they touch into ``union[0]``."""
    taken = 0
    union[0] = _U0
    while taken < _GROUP and step != stop:
        touched = union[0] | _touched(step if forward else step - 1, bits, starts, masks)
        if taken > 0 and popcount(touched) > _LOCAL:
            break
        union[0] = touched
        taken += 1
        step += 1 if forward else -1
    return taken


@kernel("int64(uint64, int64, uint64[::1])")
def _block_slots(union: np.uint64, extent: Integer, slots: Array) -> Integer:
    """List the slots of a block: a few spare low ones, then those in `union`, each ascending."""
    count = 0
    for place in range(extent):
        slot = _U1 << np.uint64(place)
        if count < _LANES and not union & slot:
            slots[count] = slot
            count += 1
    for place in range(extent):
        slot = _U1 << np.uint64(place)
        if union & slot:
            slots[count] = slot
            count += 1
    return count


@kernel("void(uint64[::1], int64, uint64[::1])")
def _spread(slots: Array, count: Integer, offsets: Array) -> None:
    """Fill in the sums of all subsets of the slots."""
    offsets[0] = _U0
    for place in range(count):
        half = 1 << place
        for k in range(half):
            offsets[half + k] = offsets[k] | slots[place]


@kernel(
    "int64(int64, boolean, uint64[::1], uint64[::1], int64[::1], uint64[::1], uint64[::1], int64,"
    " uint64[::1], int64[::1], int64[::1])"
)
def _wire_step(
    step: Integer,
    forward: bool,
    bits: Array,
    closed: Array,
    starts: Array,
    masks: Array,
    block_slots: Array,
    count: Integer,
    spread: Array,
    wires: Array,
    sources: Array,
) -> Integer:
    """Wire a step within a block whose slots are listed; return how many slots it touches."""
    rest = _touched(step, bits, starts, masks)
    slots = np.zeros(64, np.uint64)
    local = 0
    while rest:
        slots[local] = rest & (~rest + _U1)
        rest ^= slots[local]
        local += 1
    first, end = starts[step], starts[step + 1]
    squeezed = np.zeros(end - first + 1, np.uint64)
    for move in range(first, end):
        squeezed[move - first] = _squeeze(masks[move], slots, local)
    bit, shut = _squeeze(bits[step], slots, local), _squeeze(closed[step], slots, local)
    _wire(wires, sources, local, bit, shut, squeezed, end - first, forward)
    for place in range(local):
        slots[place] = _squeeze(slots[place], block_slots, count)
    _spread(slots, local, spread)
    return local


@kernel(
    "uint64(uint64[:, ::1], uint64[:, ::1], uint64, int64, uint64[:, ::1], int64[::1],"
    " int64[:, ::1], int64[:, ::1], boolean)"
)
def _apply_group(
    block: Array,
    spare: Array,
    size: np.uint64,
    taken: Integer,
    spreads: Array,
    locals_: Array,
    wires: Array,
    sources: Array,
    every: bool,
) -> np.uint64:
    """Apply wired steps to a block; return its greatest last word, or that of any step's result."""
    last = block.shape[0] - 1
    top = _U0
    for k in range(taken):
        if k & 1:
            _apply(spare, block, size, spreads[k], locals_[k], wires[k], sources[k])
        else:
            _apply(block, spare, size, spreads[k], locals_[k], wires[k], sources[k])
        if every or k == taken - 1:
            result = block if k & 1 else spare
            for entry in range(size):
                top = max(top, result[last, entry])
    return top


@kernel(
    "int64(int64[::1], int64, boolean, uint64[::1], uint64[::1], int64[::1], uint64[::1],"
    " int64[::1], uint64[:, ::1])"
)
def advance_dense(
    control: Array,
    budget: Integer,
    forward: bool,
    bits: Array,
    closed: Array,
    starts: Array,
    masks: Array,
    extents: Array,
    ways: Array,
) -> Integer:
    """Settle cells on an array over all subsets of the slots, in place.

    A step mixes only entries that differ in the few slots it touches: a small matrix, applied to
    every setting of the other slots.  Several steps in a row are applied to a block that fits the
    cache before it is written back.  Backwards the matrices are transposed.

    Parameters
    ----------
    control : int64[6]
        Step, step to stop at, slot setting of the next block, entries moved so far, greatest last
        word of the entries now and of those written so far; all are kept up to date.
    budget : int
        Entries to move in this call.
    forward, bits, closed, starts, masks
        As in `advance_sparse`.
    extents : int64[steps]
        Number of the lowest slots that hold all those in use before and after a step.
    ways : uint64[limbs, two to the power of the slots]
        Number of ways of each state.

    Returns
    -------
    int
        DONE, BUDGET or WIDEN (another word is needed).
    """
    limbs = ways.shape[0]
    union, slots = np.zeros(1, np.uint64), np.zeros(64, np.uint64)
    spent: Integer = 0
    while control[_STEP] != control[_STOP]:
        taken = _group(control[_STEP], control[_STOP], forward, bits, starts, masks, union)
        begin = control[_STEP] if forward else control[_STEP] - 1
        extent: Integer = 0
        widest, terms = 0, 1
        growth = _TOP_LIMIT
        for k in range(taken):
            now = begin + k if forward else begin - k
            extent = max(extent, extents[now])
            local = popcount(_touched(now, bits, starts, masks))
            fan = starts[now + 1] - starts[now] + 1
            widest, terms = max(widest, local), max(terms, fan << local)
            growth //= fan

        count = _block_slots(union[0], extent, slots)
        size = np.uint64(1 << count)
        offsets = np.zeros(size, np.uint64)
        _spread(slots, count, offsets)
        block_mask = offsets[size - _U1]
        wires = np.zeros((taken, (1 << widest) + 1), np.int64)
        sources = np.zeros((taken, terms), np.int64)
        spreads = np.zeros((taken, 1 << widest), np.uint64)
        locals_ = np.zeros(taken, np.int64)
        for k in range(taken):
            locals_[k] = _wire_step(
                begin + k if forward else begin - k, forward, bits, closed, starts, masks, slots,
                count, spreads[k], wires[k], sources[k],
            )  # fmt: skip

        if control[_ROW] == 0 and control[_LARGEST] + 1 > growth:
            # The product of the numbers of moves is too coarse: apply the group to all ones.
            ones, after = np.ones((1, size), np.uint64), np.ones((1, size), np.uint64)
            most = _apply_group(ones, after, size, taken, spreads, locals_, wires, sources, True)
            if control[_LARGEST] + 1 > _TOP_LIMIT // np.int64(max(most, _U1)):
                return WIDEN

        block, spare = np.empty((limbs, size), np.uint64), np.empty((limbs, size), np.uint64)
        whole = _U1 << np.uint64(extent)
        outer = np.uint64(control[_ROW])
        if outer == _U0:
            control[_LARGEST + 1] = 0
        while outer < whole:
            if spent >= budget:
                control[_ROW] = np.int64(outer)
                return BUDGET
            for word in range(limbs):
                for k in range(size):
                    block[word, k] = ways[word, outer + offsets[k]]
            top = _apply_group(block, spare, size, taken, spreads, locals_, wires, sources, False)
            result = spare if taken & 1 else block
            for word in range(limbs):
                for k in range(size):
                    ways[word, outer + offsets[k]] = result[word, k]
            control[_LARGEST + 1] = max(control[_LARGEST + 1], np.int64(top))
            control[_VISITED] += np.int64(size) * taken
            spent += np.int64(size) * taken
            outer = ((outer | block_mask) + _U1) & ~block_mask
        control[_ROW] = 0
        control[_LARGEST] = control[_LARGEST + 1]
        control[_STEP] += taken if forward else -taken
    return DONE


@kernel("void(uint64[:, ::1], uint64[:, ::1], uint64[:, :, :, :, ::1])")
def dot(left: Array, right: Array, sums: Array) -> None:
    """Sum the products of two columns of numbers, word by word and half by half.

    Parameters
    ----------
    left, right : uint64[limbs, entries]
        Numbers of ways, column by column.
    sums : uint64[left limbs, right limbs, 2, 2, 2]
        For each pair of words and of their 32-bit halves the sums of the products' lower and
        upper halves, to be put together with unbounded integers.
    """
    for a in range(left.shape[0]):
        for b in range(right.shape[0]):
            for k in range(left.shape[1]):
                x, y = left[a, k], right[b, k]
                if x == _U0 or y == _U0:
                    continue
                x0, x1, y0, y1 = x & _LOW32, x >> _U32, y & _LOW32, y >> _U32
                sums[a, b, 0, 0, 0] += (x0 * y0) & _LOW32
                sums[a, b, 0, 0, 1] += (x0 * y0) >> _U32
                sums[a, b, 0, 1, 0] += (x0 * y1) & _LOW32
                sums[a, b, 0, 1, 1] += (x0 * y1) >> _U32
                sums[a, b, 1, 0, 0] += (x1 * y0) & _LOW32
                sums[a, b, 1, 0, 1] += (x1 * y0) >> _U32
                sums[a, b, 1, 1, 0] += (x1 * y1) & _LOW32
                sums[a, b, 1, 1, 1] += (x1 * y1) >> _U32
