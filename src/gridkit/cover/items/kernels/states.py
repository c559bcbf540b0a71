"""The kernel of the sweep over items: states of several words in a hash table."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel

Array = np.ndarray
Integer = int | np.signedinteger

__all__ = [
    "BOUNDED",
    "BUDGET",
    "COUNT",
    "DONE",
    "FRESH",
    "GROW",
    "NEXT",
    "PAINTED",
    "RADIX",
    "SATURATING",
    "SIZE",
    "STEP",
    "TRIED",
    "TURN",
    "WIDEN",
    "WORDS",
    "Changes",
    "Exchanges",
    "Moves",
    "Steps",
    "Table",
    "advance",
]

# The words of the control array: steps done, next old state and which of its moves is next, number
# of old and of new states, which of the two buffers is old, places of the hash table in use (0: to
# be filled anew), moves tried so far.
STEP, NEXT, MOVE, COUNT, FRESH, TURN, SIZE, TRIED = 0, 1, 2, 3, 4, 5, 6, 7
WORDS = 8
# What the kernel returns: all steps done, budget spent, more capacity needed, another word needed.
DONE, BUDGET, GROW, WIDEN = 0, 1, 2, 3
# What a change does to its field: counts up to a bound, counts up to a number that is enough, or
# paints.
BOUNDED, SATURATING, PAINTED = 0, 1, 2

RADIX = 62  # bits of a word of a number of ways, so that two words and a carry add up
_TOP = np.uint64(1 << RADIX)
_WORD = np.uint64((1 << RADIX) - 1)
_RADIX = np.uint64(RADIX)
_U0 = np.uint64(0)
_U29 = np.uint64(29)
_U32 = np.uint64(32)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_LOW31 = np.uint64(0x7FFFFFFF)
_LEAST_SIZE = 64


class Steps(NamedTuple):
    """The steps of a sweep (see `gridkit.cover.items.plan.Step`)."""

    starts: Annotated[NDArray[np.int64], "int64[::1]"]
    """(steps + 1,) Number of each step's first move, and of all moves."""
    words: Annotated[NDArray[np.int64], "int64[::1]"]
    """(steps,) The word of the state that holds the bits `own`."""
    own: Annotated[NDArray[np.uint64], "uint64[::1]"]
    """(steps,) The bits that say whether a state passes."""
    least: Annotated[NDArray[np.uint64], "uint64[::1]"]
    """(steps,) What they are at least in a state that passes."""
    masks: Annotated[NDArray[np.uint64], "uint64[:, :, ::1]"]
    """(3, steps, words) Bits that a state must have after the step, loses then, and gets then."""


class Moves(NamedTuple):
    """The options that may be taken (see `gridkit.cover.items.plan.Move`)."""

    tests: Annotated[NDArray[np.uint64], "uint64[:, ::1]"]
    """(moves, words) Bits that the state must not have."""
    puts: Annotated[NDArray[np.uint64], "uint64[:, ::1]"]
    """(moves, words) Bits that it gets."""
    starts: Annotated[NDArray[np.int64], "int64[::1]"]
    """(moves + 1,) Number of each move's first change of a field, and of all changes."""


class Changes(NamedTuple):
    """Changes of fields of more than a bit, one entry a change."""

    words: Annotated[NDArray[np.int64], "int64[::1]"]
    """(changes,) The word of the state that holds the field."""
    fields: Annotated[NDArray[np.uint64], "uint64[::1]"]
    """(changes,) The field."""
    amounts: Annotated[NDArray[np.uint64], "uint64[::1]"]
    """(changes,) What is added to it, or the colour it gets."""
    fulls: Annotated[NDArray[np.uint64], "uint64[::1]"]
    """(changes,) The most that it holds."""
    kinds: Annotated[NDArray[np.int8], "int8[::1]"]
    """(changes,) BOUNDED, SATURATING or PAINTED."""


class Exchanges(NamedTuple):
    """Symmetries of the states, each an exchange of pairs of bits."""

    starts: Annotated[NDArray[np.int64], "int64[::1]"]
    """(symmetries + 1,) Number of each symmetry's first pair, and of all pairs."""
    words: Annotated[NDArray[np.int64], "int64[:, ::1]"]
    """(pairs, 2) The words of the earlier bit and of the later one; by earlier bits."""
    bits: Annotated[NDArray[np.uint64], "uint64[:, ::1]"]
    """(pairs, 2) The two bits within their words."""


class Table(NamedTuple):
    """The states before and after a step, with their numbers of ways.

    Two buffers, of which one holds the old states and the other the new ones, in the order in
    which they were met.
    """

    keys: Annotated[NDArray[np.uint64], "uint64[:, :, ::1]"]
    """(2, capacity, words) The states."""
    ways: Annotated[NDArray[np.uint64], "uint64[:, :, ::1]"]
    """(2, capacity, limbs) Their numbers of ways, in words of `RADIX` bits."""
    places: Annotated[NDArray[np.int32], "int32[::1]"]
    """(a power of two, at least twice the capacity) Open-addressing table of the new states:
    the number of a state, -1 for a free place."""
    state: Annotated[NDArray[np.uint64], "uint64[::1]"]
    """(words,) The state that is made."""


@kernel("int64(uint64[::1], uint64[:, ::1], int32[::1], int64)")
def _place(state: Array, keys: Array, places: Array, mask: Integer) -> Integer:
    """Return the place of a state in the hash table, or the free one where it belongs.

    Parameters
    ----------
    state : uint64[words]
        The state; compared whole with those that share its hash.
    keys, places, mask
        The new states, their table, and the size of the part in use less one.

    Returns
    -------
    int
        The place, found by linear probing.
    """
    mixed = _U0
    for word in range(state.shape[0]):
        mixed = (mixed ^ state[word]) * _GOLDEN
        mixed ^= mixed >> _U32
    place = np.int64((mixed ^ (mixed >> _U29)) & _LOW31) & mask
    while True:
        number = places[place]
        if number < 0:
            return place
        same = True
        for word in range(state.shape[0]):
            if keys[number, word] != state[word]:
                same = False
                break
        if same:
            return place
        place = (place + 1) & mask


@kernel("void(uint64[::1], Exchanges)")
def _exchange(state: Array, exchanges: Exchanges) -> None:
    """Replace a state by one that symmetries make of it, with its earliest bits set.

    Parameters
    ----------
    state : uint64[words]
        The state; changed in place.
    exchanges : Exchanges
        The symmetries, each made as long as it sets an earlier bit.
    """
    starts, words, bits = exchanges.starts, exchanges.words, exchanges.bits
    symmetries = starts.shape[0] - 1
    idle = 0
    symmetry = 0
    while idle < symmetries:
        idle += 1
        for pair in range(starts[symmetry], starts[symmetry + 1]):
            early = state[words[pair, 0]] & bits[pair, 0] != _U0
            late = state[words[pair, 1]] & bits[pair, 1] != _U0
            if early == late:
                continue
            if late:
                for other in range(pair, starts[symmetry + 1]):
                    a, b = words[other, 0], words[other, 1]
                    early = state[a] & bits[other, 0] != _U0
                    late = state[b] & bits[other, 1] != _U0
                    if early != late:
                        state[a] ^= bits[other, 0]
                        state[b] ^= bits[other, 1]
                idle = 0
            break
        symmetry += 1
        if symmetry == symmetries:
            symmetry = 0


@kernel("boolean(uint64[::1], int64, Moves, Changes)")
def _take(state: Array, move: Integer, moves: Moves, changes: Changes) -> bool:
    """Take an option; return whether the state allows it.

    Parameters
    ----------
    state : uint64[words]
        The state; changed in place, left half changed where the option is not allowed.
    move : int
        The move.
    moves, changes : Moves, Changes
        What moves do.

    Returns
    -------
    bool
        Whether the option may be taken.
    """
    for word in range(state.shape[0]):
        if state[word] & moves.tests[move, word] != _U0:
            return False
        state[word] |= moves.puts[move, word]
    for change in range(moves.starts[move], moves.starts[move + 1]):
        word, field = changes.words[change], changes.fields[change]
        held, amount = state[word] & field, changes.amounts[change]
        if changes.kinds[change] == PAINTED:
            if held != _U0 and held != amount:
                return False
            state[word] |= amount
            continue
        full = changes.fulls[change]
        if held > full - amount:  # the sum may leave the word
            if changes.kinds[change] == BOUNDED:
                return False
            state[word] = (state[word] & ~field) | full
        else:
            state[word] += amount
    return True


@kernel("int64(int64[::1], int64, Steps, Moves, Changes, Exchanges, Table)")
def advance(
    control: Array,
    budget: Integer,
    steps: Steps,
    moves: Moves,
    changes: Changes,
    exchanges: Exchanges,
    table: Table,
) -> Integer:
    """Take steps until all are done or about `budget` moves are tried.

    Parameters
    ----------
    control : int64[8]
        See `STEP` and the others; all are kept up to date.
    budget : int
        Moves to try in this call.
    steps, moves, changes : Steps, Moves, Changes
        The sweep.
    exchanges : Exchanges
        Symmetries of its states; none where the fields of states are given to several items.
    table : Table
        The states.

    Returns
    -------
    int
        DONE, BUDGET, GROW (more capacity is needed) or WIDEN (another word is needed); the next
        call goes on where this one stopped.

    Notes
    -----
    The transfer-matrix method; states are told apart by comparing them whole, the hash being that
    of multiplication (Knuth, The Art of Computer Programming 3, section 6.4, 1973).
    """
    places, state = table.places, table.state
    capacity, words = table.keys.shape[1], table.keys.shape[2]
    last = table.ways.shape[2] - 1
    symmetric = exchanges.starts.shape[0] > 1
    spent = 0
    while control[STEP] < steps.starts.shape[0] - 1:
        step = control[STEP]
        first = steps.starts[step]
        fan = steps.starts[step + 1] - first
        word_of_own, own, least = steps.words[step], steps.own[step], steps.least[step]
        old = control[TURN]
        old_keys, old_ways = table.keys[old], table.ways[old]
        new_keys, new_ways = table.keys[1 - old], table.ways[1 - old]
        count, size = control[FRESH], control[SIZE]
        for source in range(control[NEXT], control[COUNT]):
            if spent >= budget:
                control[NEXT], control[FRESH], control[SIZE] = source, count, size
                return BUDGET
            begin = control[MOVE]
            held = old_keys[source, word_of_own] & own
            passes = held >= least
            # Where the item is covered, all its options are excluded.
            end = np.int64(0) if held != _U0 else fan
            if begin == 0:
                spent += 1 + end
                control[TRIED] += 1 + end
            for number in range(begin, end + 1):  # 0 passes without a move
                if number == 0 and not passes:
                    continue
                for word in range(words):
                    state[word] = old_keys[source, word]
                if number > 0 and not _take(state, first + number - 1, moves, changes):
                    continue
                lacks = _U0
                for word in range(words):
                    lacks |= steps.masks[0, step, word] & ~state[word]
                    state[word] = (state[word] & ~steps.masks[1, step, word]) | steps.masks[
                        2, step, word
                    ]
                if lacks != _U0:
                    continue
                if symmetric:
                    _exchange(state, exchanges)
                if count == capacity:
                    control[NEXT], control[MOVE] = source, number
                    control[FRESH], control[SIZE] = count, size
                    return GROW
                if 2 * count >= size:
                    size = max(2 * size, _LEAST_SIZE)
                    while size < 2 * count + 2:
                        size *= 2
                    for place in range(size):
                        places[place] = -1
                    for known in range(count):
                        places[_place(new_keys[known], new_keys, places, size - 1)] = known
                place = _place(state, new_keys, places, size - 1)
                target = np.int64(places[place])
                if target < 0:
                    places[place] = count
                    for word in range(words):
                        new_keys[count, word] = state[word]
                    for limb in range(last + 1):
                        new_ways[count, limb] = old_ways[source, limb]
                    count += 1
                    continue
                carry = _U0
                for limb in range(last):
                    total = new_ways[target, limb] + old_ways[source, limb] + carry
                    new_ways[target, limb] = total & _WORD
                    carry = total >> _RADIX
                new_ways[target, last] += old_ways[source, last] + carry
                if new_ways[target, last] >= _TOP:
                    control[NEXT], control[MOVE] = source, number + 1
                    control[FRESH], control[SIZE] = count, size
                    return WIDEN
            control[MOVE] = 0
        control[COUNT] = count
        control[NEXT] = control[FRESH] = control[SIZE] = 0
        control[TURN] = 1 - old
        control[STEP] += 1
    return DONE
