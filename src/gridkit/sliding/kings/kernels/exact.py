"""Shortest plans of kings: breadth-first search from both ends over states packed in words.

A state is the cells of all kings, some bits each, in one or more words.  Both searches share one
store: `keys` holds the states in the order they were reached, `links` the state each came from and
twice its depth, plus one if it belongs to the search from the target.  `table` is an
open-addressing hash table of positions in `keys`, plus one; states are hashed by the exclusive or
of one random word for each king and cell (A. Zobrist 1970).
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel

__all__ = ["BUDGET", "EXHAUSTED", "FOUND", "ROOM", "Board", "Store", "advance", "begin", "rehash"]

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Words = NDArray[np.uint64]

BUDGET, EXHAUSTED, FOUND, ROOM = 0, 1, 2, 3
# Places in `state`: next state to expand and end of its layer, end of all states, side of the
# layer, where the other side's last layer begins and ends, depths of both sides, the states that
# meet, states reached and expanded (each counts once for either), moves a plan may have.
HEAD, LAYER_END, TAIL, SIDE, OTHER_HEAD, OTHER_END, DEPTH = 0, 1, 2, 3, 4, 5, 6
MEET, MET, NODES, MOST, STATE_SIZE = 8, 9, 10, 11, 12
# Columns of `Store.links`.
BEFORE, REACHED = range(2)


class Store(NamedTuple):
    """The states that both searches reached, and how they are packed and found.

    Attributes
    ----------
    keys : uint64[capacity, w]
        States: the cells of all kings, packed in words.
    links : int32[capacity, 2]
        The state before each (BEFORE), and 2 * depth + side (REACHED).
    table : int32[2 ** b]
        Hash table of places in `keys`, plus one; a quarter stays free.
    marks : uint64[k, cells]
        Random words for the hash.
    shift, bits, a_word : int
        64 - b, bits of a cell, cells packed in a word.
    """

    keys: Annotated[Words, "uint64[:, ::1]"]
    links: Annotated[Ints, "int32[:, ::1]"]
    table: Annotated[Ints, "int32[::1]"]
    marks: Annotated[Words, "uint64[:, ::1]"]
    shift: Annotated[int, "int64"]
    bits: Annotated[int, "int64"]
    a_word: Annotated[int, "int64"]


class Board(NamedTuple):
    """Where kings may go; read only.

    Attributes
    ----------
    bounds : int32[2, k, cells]
        Least moves of each king from each cell to its cell on the target, and on the start.
    ways : int32[cells, 9]
        Cells a king may step to, then -1.
    around : int32[cells, 9]
        Cells within one step of a cell, itself included, then -1.
    """

    bounds: Annotated[Ints, "int32[:, :, ::1]"]
    ways: Annotated[Ints, "int32[:, ::1]"]
    around: Annotated[Ints, "int32[:, ::1]"]


@kernel("uint64(uint64[:, ::1], int64, int64, int64, uint64[:, ::1], int32[::1])")
def _unpack(
    keys: Words, number: int, bits: int, a_word: int, marks: Words, cells: Ints
) -> np.uint64:
    """Write the cells of a state.

    Parameters
    ----------
    keys : uint64[states, words]
        The states.
    number : int
        Which one.
    bits, a_word : int
        Bits of a king, and kings a word.
    marks : uint64[kings, cells]
        Random words.
    cells : int32[kings]
        Receives the cells.

    Returns
    -------
    uint64
        The hash of the state.
    """
    mask = (np.uint64(1) << np.uint64(bits)) - np.uint64(1)
    mixed = np.uint64(0)
    for king in range(len(cells)):
        word = keys[number, king // a_word]
        cell = np.int64((word >> np.uint64(king % a_word * bits)) & mask)
        cells[king] = cell
        mixed ^= marks[king, cell]
    return mixed


@kernel("void(int64, Store)", allocates=True)
def rehash(tail: int, store: Store) -> None:
    """Fill an empty table with the states there are.

    Parameters
    ----------
    tail : int
        How many states there are.
    store : Store
        The states; its table is filled.
    """
    keys, table, marks = store.keys, store.table, store.marks
    shift, bits, a_word = store.shift, store.bits, store.a_word
    last = len(table) - 1
    cells = np.empty(len(marks), np.int32)
    for number in range(tail):
        mixed = _unpack(keys, number, bits, a_word, marks, cells)
        slot = np.int64(mixed >> np.uint64(shift))
        while table[slot] != 0:
            slot = (slot + 1) & last
        table[slot] = number + 1


@kernel("int64(uint64[:, ::1], int64, int32[::1], int64, uint64)")
def _find(keys: Words, number: int, table: Ints, shift: int, mixed: np.uint64) -> int:
    """Return the place of a state in a hash table.

    Parameters
    ----------
    keys : uint64[states, words]
        The states.
    number : int
        The one looked for.
    table : int32[2^k]
        Numbers of states + 1, 0 free.
    shift : int
        64 - k.
    mixed : uint64
        Its hash.

    Returns
    -------
    int
        The place of an equal state, or of a free slot.
    """
    last = len(table) - 1
    slot = np.int64(mixed >> np.uint64(shift))
    while table[slot] != 0:
        other = table[slot] - 1
        same = True
        for word in range(keys.shape[1]):
            if keys[other, word] != keys[number, word]:
                same = False
                break
        if same:
            break
        slot = (slot + 1) & last
    return slot


@kernel("void(int64[::1], int32[:, ::1], Store)", allocates=True)
def begin(state: Longs, ends: Ints, store: Store) -> None:
    """Store both ends, which differ.

    Parameters
    ----------
    state : int64[STATE_SIZE]
        Where the search stands; set to its beginning.
    ends : int32[2, k]
        Cells of the kings on the start and on the target.
    store : Store
        Empty; receives both.
    """
    keys, links, table, marks = store.keys, store.links, store.table, store.marks
    shift, bits, a_word = store.shift, store.bits, store.a_word
    cells = np.empty(len(marks), np.int32)
    for side in range(2):
        for king in range(len(marks)):
            keys[side, king // a_word] |= np.uint64(ends[side, king]) << np.uint64(
                king % a_word * bits
            )
        mixed = _unpack(keys, side, bits, a_word, marks, cells)
        table[_find(keys, side, table, shift, mixed)] = side + 1
        links[side, BEFORE] = -1
        links[side, REACHED] = side
    state[HEAD] = 0
    state[LAYER_END] = 1
    state[OTHER_HEAD] = 1
    state[OTHER_END] = 2
    state[TAIL] = 2


@kernel("int64(int64[::1], Store, Board, int64)", allocates=True)
def advance(state: Longs, store: Store, board: Board, budget: int) -> int:
    """Expand states until about `budget` more are reached or expanded (I. Pohl 1971).

    Parameters
    ----------
    state : int64[STATE_SIZE]
        Where the search stands; changed.
    store : Store
        States; more are added.
    board : Board
        Where kings may go.
    budget : int
        States reached and expanded after which the call pauses.

    Returns
    -------
    int
        BUDGET, EXHAUSTED (no plan of at most state[MOST] moves), FOUND (state[MEET] was reached
        from state[MET], which is of the other side), ROOM (arrays have to grow).
    """
    keys, links, table, marks = store.keys, store.links, store.table, store.marks
    shift, bits, a_word = store.shift, store.bits, store.a_word
    bounds, ways, around = board.bounds, board.ways, board.around
    kings = len(marks)
    cells = np.empty(kings, np.int32)
    cover = np.zeros(len(ways), np.uint8)
    mask = (np.uint64(1) << np.uint64(bits)) - np.uint64(1)
    stop = state[NODES] + budget
    while True:
        if state[HEAD] == state[LAYER_END]:
            # This side's new layer lies at the end of the store; the smaller of both layers is
            # expanded next.
            side = state[SIDE]
            state[DEPTH + side] += 1
            if state[DEPTH] + state[DEPTH + 1] >= state[MOST]:
                return EXHAUSTED
            if state[TAIL] == state[LAYER_END] or state[OTHER_HEAD] == state[OTHER_END]:
                return EXHAUSTED
            first = max(state[LAYER_END], state[OTHER_END])
            if state[TAIL] - first <= state[OTHER_END] - state[OTHER_HEAD]:
                state[HEAD] = first
                state[LAYER_END] = state[TAIL]
            else:
                state[HEAD] = state[OTHER_HEAD]
                state[LAYER_END] = state[OTHER_END]
                state[OTHER_HEAD] = first
                state[OTHER_END] = state[TAIL]
                state[SIDE] = 1 - side
            continue
        if state[NODES] >= stop:
            return BUDGET
        tail = state[TAIL]
        if tail + 8 * kings + 1 > len(keys) or 4 * (tail + 8 * kings) > 3 * len(table):
            return ROOM
        number = state[HEAD]
        side = state[SIDE]
        mixed = _unpack(keys, number, bits, a_word, marks, cells)
        least = np.int64(0)
        for king in range(kings):
            least += bounds[side, king, cells[king]]
            for i in range(9):
                near = around[cells[king], i]
                if near < 0:
                    break
                cover[near] += np.uint8(1)
        depth = state[DEPTH + side] + 1
        met = False
        for king in range(kings):
            u = np.int64(cells[king])
            word = king // a_word
            place = np.uint64(king % a_word * bits)
            rest = least - bounds[side, king, u]
            for i in range(8):
                v = np.int64(ways[u, i])
                if v < 0:
                    break
                if cover[v] != 1 or depth + rest + bounds[side, king, v] > state[MOST]:
                    continue
                for w in range(keys.shape[1]):
                    keys[tail, w] = keys[number, w]
                keys[tail, word] = (keys[tail, word] & ~(mask << place)) | (np.uint64(v) << place)
                slot = _find(keys, tail, table, shift, mixed ^ marks[king, u] ^ marks[king, v])
                if table[slot] == 0:
                    table[slot] = tail + 1
                    links[tail, BEFORE] = number
                    links[tail, REACHED] = 2 * depth + side
                    tail += 1
                elif (links[table[slot] - 1, REACHED] & 1) != side and not met:
                    if depth + (links[table[slot] - 1, REACHED] >> 1) <= state[MOST]:
                        state[MEET] = table[slot] - 1
                        state[MET] = number
                        met = True
        for king in range(kings):
            for i in range(9):
                near = around[cells[king], i]
                if near < 0:
                    break
                cover[near] = np.uint8(0)
        state[NODES] += 1 + tail - state[TAIL]
        state[TAIL] = tail
        state[HEAD] += 1
        if met:
            return FOUND
