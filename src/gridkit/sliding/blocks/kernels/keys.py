"""Keys of states: how they are looked up, and when they meet the goal."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import trailing_zeros
from gridkit.sliding.blocks.kernels.groups import (
    CONDITION,
    GOAL_WORD,
    MASK,
    NEED,
    VALUE,
    by_width,
    helper,
)

__all__ = [
    "best_goal_word",
    "best_goal_words",
    "copy_key",
    "flag_goals_word",
    "flag_goals_words",
    "lookup",
    "meet_word",
    "meet_words",
    "rehash_word",
    "rehash_words",
    "same",
    "slot_of",
    "solved",
]

I32 = NDArray[np.int32]
U64 = NDArray[np.uint64]

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_ZERO = np.uint64(0)


@helper
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


@helper
def same(keys: U64, number: int, others: U64, other: int) -> bool:
    """Return whether two keys are equal."""
    if keys.ndim == 1:
        return bool(keys[np.uint64(number)] == others[np.uint64(other)])
    equal = True
    for part in range(keys.shape[1]):
        equal &= keys[number, part] == others[other, part]
    return bool(equal)


@helper
def copy_key(keys: U64, number: int, others: U64, other: int) -> None:
    """Copy a key."""
    if keys.ndim == 1:
        keys[np.uint64(number)] = others[np.uint64(other)]
    else:
        for part in range(keys.shape[1]):
            keys[number, part] = others[other, part]


@helper
def lookup(key_row: U64, place: int, keys: U64, table: I32) -> int:
    """Return the number of a state, or -1."""
    slot = slot_of(key_row, place, np.int64(trailing_zeros(np.uint64(len(table)))))
    last = len(table) - 1
    while table[slot] != 0:
        number = np.int64(table[slot]) - 1
        if same(keys, number, key_row, place):
            return number
        slot = (slot + 1) & last
    return -1


def _rehash(keys: U64, tail: int, table: I32, bits: int) -> None:
    """Fill an empty table with the states there are."""
    last = len(table) - 1
    for number in range(tail):
        slot = slot_of(keys, number, bits)
        while table[slot] != 0:
            slot = (slot + 1) & last
        table[slot] = number + 1


def _meet(keys: U64, first: int, last: int, other_keys: U64, other_table: I32) -> int:
    """Return the number of the first state of a range that the other search knows, or -1."""
    for number in range(first, last):
        if lookup(keys, number, other_keys, other_table) >= 0:
            return number
    return -1


@helper
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


def _best_goal(first: int, last: int, keys: U64, labels: I32, goal: U64) -> int:
    """Return the number of the goal state with the least label in a range, or -1."""
    best = -1
    for number in range(first, last):
        if solved(keys, number, goal) and (best < 0 or labels[number] < labels[best]):
            best = number
    return best


def _flag_goals(keys: U64, size: int, goal: U64, flags: NDArray[np.uint8]) -> None:
    """Write 1 for each goal state, 0 for the others."""
    for number in range(size):
        flags[number] = 1 if solved(keys, number, goal) else 0


rehash_word, rehash_words = by_width("void(KEYS, int64, int32[::1], int64)", _rehash)


meet_word, meet_words = by_width("int64(KEYS, int64, int64, KEYS, int32[::1])", _meet)


best_goal_word, best_goal_words = by_width(
    "int64(int64, int64, KEYS, int32[::1], uint64[:, ::1])", _best_goal
)


flag_goals_word, flag_goals_words = by_width(
    "void(KEYS, int64, uint64[:, ::1], uint8[::1])", _flag_goals
)
