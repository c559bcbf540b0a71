"""Kernels of the frontier engine: states in a hash table, or all subsets of the slots in an array.

Numbers of ways are stored in several words, least significant first: all but the last hold
`RADIX` bits, the last at most 63, so that sums of up to 127 words cannot overflow and carries are
plain shifts.  Each kernel refuses a step that could outgrow the last word (`WIDEN`).
"""

from __future__ import annotations

import numpy as np

from gridkit.run.jit import kernel

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
def _place(key, keys, table, table_mask):  # type: ignore[no-untyped-def]  # uint64, arrays
    """Return the table place that holds `key`, or the free one where it belongs."""
    folded = (key ^ (key >> _U32)) & _LOW32
    place = np.int64((folded * _GOLDEN) >> _U20) & table_mask
    while table[place] >= 0 and keys[table[place]] != key:
        place = (place + 1) & table_mask
    return place


@kernel(
    "int64(uint64, int64, uint64[:, ::1], uint64[::1], uint64[:, ::1], int32[::1], int64, int64)"
)
def _add(key, source, old_words, keys, words, table, table_mask, count):  # type: ignore[no-untyped-def]  # uint64, int, arrays, ints
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
def advance_sparse(  # type: ignore[no-untyped-def]  # control, budget, direction, plan, states
    control, budget, forward, bits, closed, starts, masks, fields, fulls, units, overflows,
    keys, words, table,
):  # fmt: skip
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
        old = control[_TURN]
        old_keys, old_words = keys[old], words[old]
        new_keys, new_words = keys[1 - old], words[1 - old]
        old_count = control[_COUNT]
        size = np.int64(16)
        while size < table.shape[0] and size < 2 * fan * old_count:
            size *= 2
        table_mask = np.int64(size - 1)
        if control[_NEXT] == 0:
            if control[_TOP] >= _TOP_LIMIT // fan - 1:
                top = _U0
                for state in range(old_count):
                    top = max(top, old_words[state, last])
                control[_TOP] = np.int64(top)
                if control[_TOP] >= _TOP_LIMIT // fan - 1:
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
        control[_TOP] = (control[_TOP] + 1) * fan
        control[_STEP] += 1 if forward else -1
    return DONE


# Places in the control array of `advance_dense` (the first two as above).
_ROW, _VISITED, _LARGEST = 2, 3, 4
_GROUP = 8  # cells settled at a time on a block that stays in the cache
_LOCAL = 10  # slots that a group may touch
_LANES = 3  # further slots in a block, so that its inner loops are long


@kernel("uint64(uint64, uint64[::1], int64)")
def _squeeze(mask, slots, count):  # type: ignore[no-untyped-def]  # uint64, array, int
    """Renumber the slots of a mask by their places in `slots`."""
    result = _U0
    for place in range(count):
        if mask & slots[place]:
            result |= _U1 << np.uint64(place)
    return result


@kernel("int64(int64[::1], int64[::1], int64, uint64, uint64, uint64[::1], int64, boolean)")
def _wire(starts, sources, local, bit, shut, masks, count, forward):  # type: ignore[no-untyped-def]  # arrays, int, uint64s, array, int, bool
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


@kernel("void(uint64[:, ::1], uint64[:, ::1], int64, uint64[::1], int64, int64[::1], int64[::1])")
def _apply(old, new, size, spread, local, starts, sources):  # type: ignore[no-untyped-def]  # arrays, ints
    """Apply a wired step to an array over all subsets of some slots, of which it touches a few."""
    touched = spread[(1 << local) - 1]
    run = np.int64(touched & (~touched + _U1)) if touched else size
    limbs = old.shape[0]
    outer = 0
    while outer < size:
        for config in range(1 << local):
            to = outer + np.int64(spread[config])
            first, end = starts[config], starts[config + 1]
            for word in range(limbs):
                if first == end:
                    for k in range(run):
                        new[word, to + k] = _U0
                    continue
                a = outer + np.int64(spread[sources[first]])
                if end - first == 1:
                    for k in range(run):
                        new[word, to + k] = old[word, a + k]
                    continue
                b = outer + np.int64(spread[sources[first + 1]])
                for k in range(run):
                    new[word, to + k] = old[word, a + k] + old[word, b + k]
                for term in range(first + 2, end):
                    c = outer + np.int64(spread[sources[term]])
                    for k in range(run):
                        new[word, to + k] += old[word, c + k]
            for word in range(limbs - 1):
                for k in range(run):
                    carry = new[word, to + k] >> _RADIX
                    new[word, to + k] &= _WORD
                    new[word + 1, to + k] += carry
        # the next setting of the slots that are neither touched nor below the lowest touched one
        outer = np.int64(((np.uint64(outer) | touched) + np.uint64(run)) & ~touched)


@kernel("int64(int64, int64, boolean, uint64[::1], int64[::1], uint64[::1], uint64[::1])")
def _group(step, stop, forward, bits, starts, masks, union):  # type: ignore[no-untyped-def]  # ints, bool, arrays
    """Return how many steps can be taken together; put the slots they touch into ``union[0]``."""
    taken = 0
    union[0] = _U0
    while taken < _GROUP and step != stop:
        now = step if forward else step - 1
        touched = union[0] | bits[now]
        for move in range(starts[now], starts[now + 1]):
            touched |= masks[move]
        size = 0
        rest = touched
        while rest:
            rest &= rest - _U1
            size += 1
        if taken > 0 and size > _LOCAL:
            break
        union[0] = touched
        taken += 1
        step += 1 if forward else -1
    return taken


@kernel("int64(uint64, int64, uint64[::1])")
def _block_slots(union, extent, slots):  # type: ignore[no-untyped-def]  # uint64, int, array
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
def _spread(slots, count, offsets):  # type: ignore[no-untyped-def]  # array, int, array
    """Fill in the sums of all subsets of the slots."""
    offsets[0] = _U0
    for place in range(count):
        half = 1 << place
        for k in range(half):
            offsets[half + k] = offsets[k] | slots[place]


@kernel("uint64(uint64[:, ::1], uint64[:, ::1], int64, int64)")
def _largest(old, new, parity, size):  # type: ignore[no-untyped-def]  # arrays, ints
    """Return the greatest last word of the array a group's last step wrote."""
    last = old.shape[0] - 1
    top = _U0
    if parity:
        for k in range(size):
            top = max(top, new[last, k])
    else:
        for k in range(size):
            top = max(top, old[last, k])
    return top


@kernel(
    "int64(int64[::1], int64, boolean, uint64[::1], uint64[::1], int64[::1], uint64[::1],"
    " int64[::1], uint64[:, ::1])"
)
def advance_dense(control, budget, forward, bits, closed, starts, masks, extents, ways):  # type: ignore[no-untyped-def]  # arrays and ints as below
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
    union = np.zeros(1, np.uint64)
    slots = np.zeros(64, np.uint64)
    spent = 0
    while control[_STEP] != control[_STOP]:
        taken = _group(control[_STEP], control[_STOP], forward, bits, starts, masks, union)
        begin = control[_STEP] if forward else control[_STEP] - 1
        extent = np.int64(0)
        for k in range(taken):
            extent = max(extent, extents[begin + k if forward else begin - k])
        count = _block_slots(union[0], extent, slots)
        block = 1 << count
        offsets = np.zeros(block, np.uint64)
        _spread(slots, count, offsets)
        block_mask = offsets[block - 1]

        # Wire every step of the group in the block's own numbering of slots.
        widest, terms = np.int64(0), np.int64(1)
        for k in range(taken):
            now = begin + k if forward else begin - k
            touched = bits[now]
            for move in range(starts[now], starts[now + 1]):
                touched |= masks[move]
            size = 0
            while touched:
                touched &= touched - _U1
                size += 1
            widest = max(widest, size)
            terms = max(terms, (starts[now + 1] - starts[now] + 1) << size)
        wires = np.zeros((taken, (1 << widest) + 1), np.int64)
        sources = np.zeros((taken, terms), np.int64)
        spreads = np.zeros((taken, 1 << widest), np.uint64)
        locals_ = np.zeros(taken, np.int64)
        local_slots = np.zeros(64, np.uint64)
        growth = _TOP_LIMIT
        for k in range(taken):
            now = begin + k if forward else begin - k
            first, end = starts[now], starts[now + 1]
            touched = bits[now]
            for move in range(first, end):
                touched |= masks[move]
            rest, local = touched, 0
            while rest:
                slot = rest & (~rest + _U1)
                local_slots[local] = slot
                rest ^= slot
                local += 1
            squeezed = np.zeros(end - first + 1, np.uint64)
            for move in range(first, end):
                squeezed[move - first] = _squeeze(masks[move], local_slots, local)
            _wire(
                wires[k], sources[k], local, _squeeze(bits[now], local_slots, local),
                _squeeze(closed[now], local_slots, local), squeezed, end - first, forward,
            )  # fmt: skip
            for place in range(local):
                local_slots[place] = _squeeze(local_slots[place], slots, count)
            _spread(local_slots, local, spreads[k])
            locals_[k] = local
            growth //= end - first + 1

        if control[_ROW] == 0 and control[_LARGEST] + 1 > growth:
            # The product of the numbers of moves is too coarse: apply the group to all ones.
            ones, after = np.ones((1, block), np.uint64), np.ones((1, block), np.uint64)
            most = _U1
            for k in range(taken):
                if k & 1:
                    _apply(after, ones, block, spreads[k], locals_[k], wires[k], sources[k])
                else:
                    _apply(ones, after, block, spreads[k], locals_[k], wires[k], sources[k])
                most = max(most, _largest(ones, after, (k + 1) & 1, block))
            if control[_LARGEST] + 1 > _TOP_LIMIT // np.int64(most):
                return WIDEN

        inside, outside = np.empty((limbs, block), np.uint64), np.empty((limbs, block), np.uint64)
        size = 1 << extent
        outer = control[_ROW]
        if outer == 0:
            control[_LARGEST + 1] = 0
        while outer < size:
            if spent >= budget:
                control[_ROW] = outer
                return BUDGET
            spent += block * taken
            for word in range(limbs):
                for k in range(block):
                    inside[word, k] = ways[word, outer + np.int64(offsets[k])]
            for k in range(taken):
                if k & 1:
                    _apply(outside, inside, block, spreads[k], locals_[k], wires[k], sources[k])
                else:
                    _apply(inside, outside, block, spreads[k], locals_[k], wires[k], sources[k])
            result = outside if taken & 1 else inside
            top = _U0
            for word in range(limbs):
                for k in range(block):
                    ways[word, outer + np.int64(offsets[k])] = result[word, k]
            for k in range(block):
                top = max(top, result[limbs - 1, k])
            control[_LARGEST + 1] = max(control[_LARGEST + 1], np.int64(top))
            control[_VISITED] += block * taken
            outer = np.int64(((np.uint64(outer) | block_mask) + _U1) & ~block_mask)
        control[_ROW] = 0
        control[_LARGEST] = control[_LARGEST + 1]
        control[_STEP] += taken if forward else -taken
    return DONE


@kernel("void(uint64[:, ::1], uint64[:, ::1], uint64[:, :, :, :, ::1])")
def dot(left, right, sums):  # type: ignore[no-untyped-def]  # arrays
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
