"""Keys of states, how they are looked up, and what all kernels of the search agree upon.

A state's key is the exclusive or of one word for each placement taken; of a key and its mirror
image the smaller one is kept.  Keys of one word lie in an array of words, longer ones are rows of
words, lowest first: kernels that are for both have a version for each number of dimensions.
`keys` holds the states in the order they were reached, and `table` is an open-addressing hash
table of positions in `keys`, plus one; it is at most three quarters full, so that every search in
it ends.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel, trailing_zeros

__all__ = [
    "best_goal",
    "flag_goals",
    "lookup",
    "meet",
    "rehash",
    "same",
    "slot_of",
    "solved",
]

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]

# The arrays of a packing that the kernels take as one tuple, in this order.
#   cells_of, word, image_of, near: by placement, its cells, its word in a key, the word of its
#       mirror image, and the four placements one step away; the last placement is the wall, always
#       covered;
#   fields, codes, bits: how a key is read;
#   goal: conditions, see `solved`;
#   pids, stamps, scratch: working space, see `search_states`.
# Then, of keys of one word: border, the cells one step away from a placement.  The last entry of
# `bits` is the mask of the bit map, the last but one of `pids` what is always covered.  Of longer
# keys: the mask of the bit map, and what is always covered.
ONE_WORD = (
    "Tuple((uint64[::1], uint64[::1], uint64[::1], uint64[::1], uint64[:, ::1], uint64[::1], "
    "uint64[::1], uint64[:, ::1], uint64[::1], uint64[::1], uint64[:, ::1], uint64[::1]))"
)
MORE_WORDS = (
    "Tuple((uint64[:, ::1], uint64[:, ::1], uint64[:, ::1], int64[::1], uint64[:, ::1], "
    "int64[::1], int64[::1], uint64[:, ::1], int64[::1], int64[::1], uint64[:, ::1], "
    "uint64[::1], uint64[::1]))"
)
(
    CELLS_OF, WORD, IMAGE_OF, NEAR, FIELDS, CODES, BITS, CONDITIONS, PIDS, STAMPS, SCRATCH, BORDER,
) = range(12)  # fmt: skip
BITMAP, FIXED = 11, 12

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_ZERO = np.uint64(0)
_ONE = np.uint64(1)
# Columns of `goal`: bits of a key and what they have to be, the condition, how many of its rows
# have to hold, and the word of the key that the bits are in.
MASK, VALUE, CONDITION, NEED, GOAL_WORD = range(5)


def widths(signature: str) -> tuple[str, str]:
    """Return a signature of keys, placements and tables for one word and for longer keys."""
    one = {"KEYS": "uint64[::1]", "TABLES": ONE_WORD, "PLACES": "uint64[::1]"}
    more = {"KEYS": "uint64[:, ::1]", "TABLES": MORE_WORDS, "PLACES": "int64[::1]"}
    signatures = [signature, signature]
    for number, types in enumerate((one, more)):
        for name, written in types.items():
            signatures[number] = signatures[number].replace(name, written)
    return signatures[0], signatures[1]


@kernel(*widths("int64(KEYS, int64, int64)"))
def slot_of(keys: U64, number: int, bits: int) -> int:
    """Return where the search of a key begins in a table of ``2 ** bits`` slots."""
    if keys.ndim == 1:
        key = keys[np.uint64(number)]
        return np.int64(((key ^ (key >> np.uint64(29))) * _SPREAD) >> np.uint64(64 - bits))
    mixed = _ZERO
    for part in range(keys.shape[1]):
        mixed = (mixed ^ keys[number, part]) * _SPREAD
        mixed ^= mixed >> np.uint64(29)
    return np.int64((mixed * _SPREAD) >> np.uint64(64 - bits))


@kernel(*widths("boolean(KEYS, int64, KEYS, int64)"))
def same(keys: U64, number: int, others: U64, other: int) -> bool:
    """Return whether two keys are equal."""
    if keys.ndim == 1:
        return bool(keys[np.uint64(number)] == others[np.uint64(other)])
    equal = True
    for part in range(keys.shape[1]):
        equal &= keys[number, part] == others[other, part]
    return bool(equal)


@kernel(*widths("int64(KEYS, int64, KEYS, int32[::1])"))
def lookup(wanted: U64, place: int, keys: U64, table: I32) -> int:
    """Return the number of a state, or -1."""
    slot = slot_of(wanted, place, np.int64(trailing_zeros(np.uint64(len(table)))))
    last = len(table) - 1
    while table[slot] != 0:
        number = np.int64(table[slot]) - 1
        if same(keys, number, wanted, place):
            return number
        slot = (slot + 1) & last
    return -1


@kernel(*widths("void(KEYS, int64, int32[::1], int64)"))
def rehash(keys: U64, tail: int, table: I32, bits: int) -> None:
    """Fill an empty table with the states there are."""
    last = len(table) - 1
    for number in range(tail):
        slot = slot_of(keys, number, bits)
        while table[slot] != 0:
            slot = (slot + 1) & last
        table[slot] = number + 1


@kernel(*widths("int64(KEYS, int64, int64, KEYS, int32[::1])"))
def meet(keys: U64, first: int, last: int, other_keys: U64, other_table: I32) -> int:
    """Return the number of the first state of a range that the other search knows, or -1."""
    for number in range(first, last):
        if lookup(keys, number, other_keys, other_table) >= 0:
            return number
    return -1


@kernel(*widths("boolean(KEYS, int64, uint64[:, ::1])"))
def solved(keys: U64, number: int, goal: U64) -> bool:
    """Return whether every condition holds: at least `NEED` of its rows agree with the key."""
    rows = len(goal)
    row = 0
    while row < rows:
        condition = goal[row, CONDITION]
        missing = np.int64(goal[row, NEED])
        while row < rows and goal[row, CONDITION] == condition:
            if keys.ndim == 1:
                part = keys[np.uint64(number)]
            else:
                part = keys[number, np.int64(goal[row, GOAL_WORD])]
            if part & goal[row, MASK] == goal[row, VALUE]:
                missing -= 1
            row += 1
        if missing > 0:
            return False
    return True


@kernel(*widths("int64(int64, int64, KEYS, int32[::1], uint64[:, ::1])"))
def best_goal(first: int, last: int, keys: U64, labels: I32, goal: U64) -> int:
    """Return the number of the goal state with the least label in a range, or -1."""
    best = -1
    for number in range(first, last):
        if solved(keys, number, goal) and (best < 0 or labels[number] < labels[best]):
            best = number
    return best


@kernel(*widths("void(KEYS, int64, uint64[:, ::1], uint8[::1])"))
def flag_goals(keys: U64, size: int, goal: U64, flags: NDArray[np.uint8]) -> None:
    """Write 1 for each goal state, 0 for the others."""
    for number in range(size):
        flags[number] = 1 if solved(keys, number, goal) else 0
