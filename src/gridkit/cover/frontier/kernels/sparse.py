"""Kernels of the frontier engine: states in a hash table, and the sum where two sweeps meet."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridkit.cover.frontier.kernels.steps import (
    BUDGET,
    DONE,
    GROW,
    RADIX,
    TOP_LIMIT,
    WIDEN,
    Copies,
    Steps,
)
from gridkit.run.jit import kernel

Array = np.ndarray
Integer = int | np.signedinteger

__all__ = [
    "COUNT",
    "FRESH",
    "NEXT",
    "STEP",
    "STOP",
    "TOP",
    "TURN",
    "VISITS",
    "WORDS",
    "Table",
    "advance_sparse",
    "dot",
    "place_of",
]

# The words of the control array: cells settled and those to settle, next old state, number of old
# and of new states, bound on the last word of the old numbers, which of the two buffers is old,
# states moved so far.
STEP, STOP, NEXT, COUNT, FRESH, TOP, TURN, VISITS = 0, 1, 2, 3, 4, 5, 6, 7
WORDS = 8

_U0 = np.uint64(0)
_LOW32 = np.uint64(0xFFFFFFFF)
_U32 = np.uint64(32)
_U20 = np.uint64(20)
_GOLDEN = np.uint64(0x9E3779B1)
_RADIX = np.uint64(RADIX)
_WORD = np.uint64((1 << RADIX) - 1)


class Table(NamedTuple):
    """The states before and after a step, with their numbers of ways.

    Two buffers, of which one holds the old states and the other the new ones, in the order in
    which they were met.
    """

    keys: Annotated[NDArray[np.uint64], "uint64[:, ::1]"]
    """(2, capacity) The states."""
    words: Annotated[NDArray[np.uint64], "uint64[:, :, ::1]"]
    """(2, capacity, limbs) Their numbers of ways, in words."""
    places: Annotated[NDArray[np.int32], "int32[::1]"]
    """(a power of two, at least twice the capacity) Open-addressing table of the new states:
    the number of a state, -1 for a free place."""


@kernel("int64(uint64, uint64[::1], int32[::1], int64)")
def place_of(key: np.uint64, keys: Array, table: Array, table_mask: Integer) -> Integer:
    """Return the table place that holds `key`, or the free one where it belongs.

    Parameters
    ----------
    key : uint64
        A state.
    keys, table, table_mask
        The new states, their table, and the size of the part in use less one.

    Returns
    -------
    int
        The place, found by linear probing.
    """
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
    """Add the ways of an old state to a new one.

    Parameters
    ----------
    key : uint64
        The new state.
    source, old_words
        The number of the old state and the old numbers of ways.
    keys, words, table, table_mask, count
        The new states, their numbers of ways, their table, the size of its part in use less one,
        and how many they are.

    Returns
    -------
    int
        How many new states there are now.
    """
    last = words.shape[1] - 1
    place = place_of(key, keys, table, table_mask)
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


@kernel("int64(int64[::1], int64, boolean, Steps, Copies, Table)")
def advance_sparse(
    control: Array, budget: Integer, forward: bool, steps: Steps, copies: Copies, table: Table
) -> Integer:
    """Settle cells one after the other, until a step is reached or `budget` states are moved.

    Parameters
    ----------
    control : int64[8]
        See `STEP` and the others; all are kept up to date.
    budget : int
        States to move in this call.
    forward : bool
        Towards the last cell; backwards the transposed steps are taken.
    steps, copies : Steps, Copies
        The sweep; only forward sweeps count pieces.
    table : Table
        The states.

    Returns
    -------
    int
        DONE, BUDGET, GROW (more capacity is needed) or WIDEN (another word is needed).

    Notes
    -----
    The transfer-matrix method with a broken profile (Kramers and Wannier, 1941), the matrix kept
    as its steps; the hash is a multiplication by the golden ratio (Knuth, The Art of Computer
    Programming 3, section 6.4, 1973).
    """
    keys, words, places = table.keys, table.words, table.places
    capacity = keys.shape[1]
    last = words.shape[2] - 1
    spent = 0
    while control[STEP] != control[STOP]:
        step = control[STEP] if forward else control[STEP] - 1
        bit = steps.bits[step]
        shut = steps.closed[step]
        first, end = steps.starts[step], steps.starts[step + 1]
        fan = end - first + 1
        sources = 2 * fan  # a use beyond a counter's end has two states to come from
        old = control[TURN]
        old_keys, old_words = keys[old], words[old]
        new_keys, new_words = keys[1 - old], words[1 - old]
        old_count = control[COUNT]
        size = np.int64(16)
        while size < places.shape[0] and size < 2 * fan * old_count:
            size *= 2
        table_mask = np.int64(size - 1)
        if control[NEXT] == 0:
            if control[TOP] >= TOP_LIMIT // sources - 1:
                top = _U0
                for state in range(old_count):
                    top = max(top, old_words[state, last])
                control[TOP] = np.int64(top)
                if control[TOP] >= TOP_LIMIT // sources - 1:
                    return WIDEN
            control[FRESH] = 0
            for place in range(size):
                places[place] = -1
        count = control[FRESH]
        state = control[NEXT]
        while state < old_count:
            if count + fan > capacity:
                control[NEXT], control[FRESH] = state, count
                return GROW
            if spent >= budget:
                control[NEXT], control[FRESH] = state, count
                return BUDGET
            spent += 1
            control[VISITS] += 1
            key = old_keys[state]
            if forward:
                if key & bit:
                    count = _add(
                        key ^ bit, state, old_words, new_keys, new_words, places, table_mask, count
                    )
                else:
                    for move in range(first, end):
                        if key & steps.masks[move]:
                            continue
                        following = key | steps.masks[move]
                        if key & copies.fields[move] != copies.fulls[move]:
                            following += copies.units[move]
                        elif copies.overflows[move] < 0:
                            continue
                        count = _add(
                            following, state, old_words, new_keys, new_words, places, table_mask,
                            count,
                        )  # fmt: skip
            else:
                if bit and not key & shut:
                    count = _add(
                        key | bit, state, old_words, new_keys, new_words, places, table_mask, count
                    )
                for move in range(first, end):
                    mask = steps.masks[move]
                    if key & mask == mask and not (key ^ mask) & shut:
                        count = _add(
                            key ^ mask, state, old_words, new_keys, new_words, places, table_mask,
                            count,
                        )  # fmt: skip
            state += 1
        control[COUNT] = count
        control[NEXT] = 0
        control[FRESH] = 0
        control[TURN] = 1 - old
        control[TOP] = (control[TOP] + 1) * sources
        control[STEP] += 1 if forward else -1
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
        upper halves, to be put together with unbounded integers; written to, and returned so.

    Notes
    -----
    Schoolbook multiplication, halves of words being what a word's product can hold.
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
