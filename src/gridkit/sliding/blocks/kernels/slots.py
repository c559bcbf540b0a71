"""Hash table of the states of blocks on rails: a word a state, beside what else the word says."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel, prefetch, trailing_zeros

__all__ = ["find", "rehash", "slot_of"]

I32 = NDArray[np.int32]
U64 = NDArray[np.uint64]

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_ONE = np.uint64(1)
_ZERO = np.uint64(0)
# So many states ahead is what is going to be read asked for.
_AHEAD = 8


@kernel("uint64(uint64, uint64)")
def slot_of(positions: np.uint64, drop: np.uint64) -> np.uint64:
    """Return where the search of a state begins in a hash table.

    Parameters
    ----------
    positions : uint64
        The state.
    drop : uint64
        64 less the binary logarithm of the slots.

    Returns
    -------
    uint64
        The slot.
    """
    mixed: np.uint64 = (positions ^ (positions >> np.uint64(29))) * _SPREAD
    return mixed >> drop


@kernel("int64(uint64, uint64[::1], uint64)")
def find(positions: np.uint64, table: U64, below: np.uint64) -> int:
    """Return the slot of a state.

    Parameters
    ----------
    positions : uint64
        The state.
    table : uint64[2^k]
        Hash table of states, 0 free.
    below : uint64
        The mask of the positions in an entry.

    Returns
    -------
    int
        The slot, or -1.
    """
    slot = slot_of(positions, np.uint64(64 - trailing_zeros(np.uint64(len(table)))))
    last = np.uint64(len(table) - 1)
    while table[slot] != _ZERO:
        if table[slot] & below == positions:
            return np.int64(slot)
        slot = (slot + _ONE) & last
    return -1


@kernel("void(uint64[::1], int32[::1], int64, int64, uint64[::1])")
def rehash(old: U64, queue: I32, tail: int, width: int, table: U64) -> None:
    """Fill an empty table with the states of another one.

    Parameters
    ----------
    old : uint64[:]
        The other table.
    queue : int32[:]
        Slots of the states in their order; changed to the new ones.
    tail : int
        How many there are.
    width : int
        Bits of the positions.
    table : uint64[2^k]
        Hash table of states, 0 free.
    """
    drop = np.uint64(64 - trailing_zeros(np.uint64(len(table))))
    last = np.uint64(len(table) - 1)
    below = (_ONE << np.uint64(width)) - _ONE
    for number in range(tail):
        if number + 2 * _AHEAD < tail:
            prefetch(old, np.uint64(queue[number + 2 * _AHEAD]))
            following = old[queue[number + _AHEAD]]
            prefetch(table, slot_of(following & below, drop))
        entry = old[queue[number]]
        slot = slot_of(entry & below, drop)
        while table[slot] != _ZERO:
            slot = (slot + _ONE) & last
        table[slot] = entry
        queue[number] = np.int64(slot)
