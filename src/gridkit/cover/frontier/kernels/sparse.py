"""Kernels of the frontier engine: states in a hash table, and the sum where two sweeps meet.

Numbers of ways are stored in several words, least significant first: all but the last hold
`RADIX` bits, the last at most 63, so that sums of up to 127 words cannot overflow and carries are
plain shifts.  Each kernel refuses a step that could outgrow the last word (`WIDEN`).
"""

from __future__ import annotations

import numpy as np

from gridkit.run.jit import kernel

Array = np.ndarray
Integer = int | np.signedinteger

__all__ = [
    "BUDGET",
    "DONE",
    "GROW",
    "RADIX",
    "WIDEN",
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
        As in `gridkit.cover.frontier.profile.moves`; only forward sweeps count pieces.
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
