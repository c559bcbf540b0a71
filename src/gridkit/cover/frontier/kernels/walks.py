"""Kernel of sampling: walks back from a state of the frontier to one that it can have come from."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridkit.cover.frontier.kernels.sparse import place_of
from gridkit.cover.frontier.kernels.steps import RADIX, Copies, Steps
from gridkit.run.jit import kernel

__all__ = ["POSITION", "STEP", "WALK", "WALK_WORDS", "Scratch", "Ways", "index_states", "walk_back"]

Array = np.ndarray
Integer = int | np.signedinteger

# The words of the control array: the step to walk back over, the next walk, random words used.
STEP, WALK, POSITION = 0, 1, 2
WALK_WORDS = 3

_U0 = np.uint64(0)
_U1 = np.uint64(1)
_U32 = np.uint64(32)
_U64 = np.uint64(64)
_RADIX = np.uint64(RADIX)
_WORD = np.uint64((1 << RADIX) - 1)


class Ways(NamedTuple):
    """The states before a step and in how many ways each is reached, in words."""

    keys: Annotated[NDArray[np.uint64], "uint64[::1]"]
    """(states,) No two equal."""
    words: Annotated[NDArray[np.uint64], "uint64[:, ::1]"]
    """(states, limbs)"""
    table: Annotated[NDArray[np.int32], "int32[::1]"]
    """As `index_states` leaves it."""
    numbers: Annotated[NDArray[np.int64], "int64[::1]"]
    """(moves,) The placement that each move of the sweep lays, -1 for leaving a cell empty."""
    random: Annotated[NDArray[np.uint32], "uint32[::1]"]
    """Random words, and three more that are never used."""


class Scratch(NamedTuple):
    """Room for the origins of one state."""

    keys: Annotated[NDArray[np.uint64], "uint64[::1]"]
    """(origins,) Where the state can have come from."""
    places: Annotated[NDArray[np.int64], "int64[:, ::1]"]
    """(2, origins) Place among the states and number of the placement laid."""
    totals: Annotated[NDArray[np.uint64], "uint64[:, ::1]"]
    """(2, limbs + 1) All ways to come to the state, and the random number below."""


@kernel("void(uint64[::1], int32[::1])")
def index_states(keys: Array, table: Array) -> None:
    """Enter states into a table by which they are found again.

    Parameters
    ----------
    keys : uint64[states]
        No two equal.
    table : int32[a power of two, at least twice the states]
        Written to: at the place of a state its number, -1 elsewhere.

    Notes
    -----
    Open addressing with linear probing (Peterson, 1957).
    """
    for place in range(len(table)):
        table[place] = -1
    for state in range(len(keys)):
        table[place_of(keys[state], keys, table, len(table) - 1)] = state


@kernel("uint64(uint64[:, ::1], int64, int64)")
def _limb(words: Array, place: Integer, limb: Integer) -> np.uint64:
    """Return a word of `RADIX` bits of a number whose last word may hold more.

    Parameters
    ----------
    words : uint64[numbers, limbs]
    place, limb : int
        Which number, and which of limbs + 1 words.

    Returns
    -------
    uint64
    """
    last = words.shape[1] - 1
    word: np.uint64 = words[place, min(limb, last)]
    if limb < last:
        return word
    return word & _WORD if limb == last else word >> _RADIX


@kernel("int64(uint64[:, ::1])")
def _random_bits(totals: Array) -> Integer:
    """Return how many bits a number below the first total has at most.

    Parameters
    ----------
    totals : uint64[2, limbs]
        The second one is written to.

    Returns
    -------
    int
        The bit length of the total less one.
    """
    borrow = _U1
    bits = 0
    for limb in range(totals.shape[1]):
        word = totals[0, limb]
        if borrow:
            if word:
                word -= _U1
                borrow = _U0
            else:
                word = _WORD
        if word:
            bits = RADIX * limb + 1
            for halving in range(5, -1, -1):
                shift = 1 << halving
                if word >> np.uint64(shift):
                    word >>= np.uint64(shift)
                    bits += shift
    return bits


@kernel("boolean(uint64[:, ::1], uint32[::1], int64, int64)")
def _read(totals: Array, random: Array, position: Integer, bits: Integer) -> bool:
    """Read a number of some bits from random words; return whether it is below the total.

    Parameters
    ----------
    totals : uint64[2, limbs]
        The total, and room for the number.
    random : uint32[...]
        Random words.
    position, bits : int
        The first word to read, and how many bits: the uppermost of as many bytes as are needed.

    Returns
    -------
    bool
    """
    skipped = (bits + 7) // 8 * 8 - bits
    for limb in range(totals.shape[1]):
        width = min(RADIX, bits - RADIX * limb)
        if width <= 0:
            totals[1, limb] = _U0
            continue
        begin = skipped + RADIX * limb
        word, shift = position + (begin >> 5), np.uint64(begin & 31)
        value = (np.uint64(random[word]) | np.uint64(random[word + 1]) << _U32) >> shift
        if shift:
            value |= np.uint64(random[word + 2]) << (_U64 - shift)
        totals[1, limb] = value & ((_U1 << np.uint64(width)) - _U1)
    for limb in range(totals.shape[1] - 1, -1, -1):
        if totals[1, limb] != totals[0, limb]:
            less: bool = totals[1, limb] < totals[0, limb]
            return less
    return False


@kernel("int64(uint64, int64, uint64, Steps, Copies, Ways, Scratch)")
def _list_origins(
    state: np.uint64,
    step: Integer,
    shut: np.uint64,
    steps: Steps,
    copies: Copies,
    ways: Ways,
    scratch: Scratch,
) -> Integer:
    """List the states from which a step leads to `state`, among those that occur.

    Parameters
    ----------
    state : uint64
    step : int
    shut : uint64
        Slots that the step touches and that no state before it has set.
    steps, copies, ways, scratch
        As for `walk_back`.

    Returns
    -------
    int
        How many; cells covered before come first, then cells left empty, then placements.
    """
    number = 0
    first, end = steps.starts[step], steps.starts[step + 1]
    if not state & shut:
        if steps.bits[step]:
            scratch.keys[number], scratch.places[1, number] = state | steps.bits[step], -1
            number += 1
        if end > first and ways.numbers[end - 1] < 0:
            scratch.keys[number], scratch.places[1, number] = state, -1
            number += 1
            end -= 1
    elif end > first and ways.numbers[end - 1] < 0:
        end -= 1
    for move in range(first, end):
        mask = steps.masks[move]
        before = state ^ mask
        if state & mask != mask or before & shut:
            continue
        field, unit = copies.fields[move], copies.units[move]
        if not unit or before & field:
            scratch.keys[number] = before - unit
            scratch.places[1, number] = ways.numbers[move]
            number += 1
        if unit and copies.overflows[move] == 0 and before & field == copies.fulls[move]:
            scratch.keys[number] = before
            scratch.places[1, number] = ways.numbers[move]
            number += 1
    known = 0
    for origin in range(number):
        place = np.int64(
            ways.table[place_of(scratch.keys[origin], ways.keys, ways.table, len(ways.table) - 1)]
        )
        if place >= 0:
            scratch.keys[known] = scratch.keys[origin]
            scratch.places[0, known] = place
            scratch.places[1, known] = scratch.places[1, origin]
            known += 1
    return known


@kernel("boolean(int64[::1], int64, uint64[::1], int32[:, ::1], Steps, Copies, Ways, Scratch)")
def walk_back(
    control: Array,
    stop: Integer,
    states: Array,
    laid: Array,
    steps: Steps,
    copies: Copies,
    ways: Ways,
    scratch: Scratch,
) -> bool:
    """Walk back over one step, each walk to an origin in proportion to the ways to reach it.

    Parameters
    ----------
    control : int64[3]
        See `STEP` and the others; all are kept up to date.
    stop : int
        The walk before which to stop.
    states : uint64[walks]
        Where each walk is.
    laid : int32[walks, placements + 1]
        The placements that each walk has laid, and in the last column how many.
    steps, copies : Steps, Copies
        The sweep.
    ways : Ways
        The states before the step, and random words.
    scratch : Scratch
        Room.

    Returns
    -------
    bool
        False where random words ran out: more are needed from `POSITION` on.

    Notes
    -----
    The recursive method (Nijenhuis and Wilf, 1978); a random number that is not below the total is
    thrown away, so that none of them is more likely than another.
    """
    step = control[STEP]
    shut = steps.closed[step]
    totals = scratch.totals
    limbs = totals.shape[1]
    count = laid.shape[1] - 1
    while control[WALK] < stop:
        walk = control[WALK]
        origins = _list_origins(states[walk], step, shut, steps, copies, ways, scratch)
        for limb in range(limbs):
            totals[0, limb] = _U0
        for origin in range(origins):
            carry = _U0
            for limb in range(limbs):
                total = totals[0, limb] + _limb(ways.words, scratch.places[0, origin], limb) + carry
                totals[0, limb] = total & _WORD
                carry = total >> _RADIX
        bits = _random_bits(totals)
        used = max(1, ((bits + 7) // 8 + 3) // 4)
        position = control[POSITION]
        while True:
            if position + used + 3 > len(ways.random):
                return False
            below = _read(totals, ways.random, position, bits)
            position += used
            if below:
                break
        control[POSITION] = position
        chosen = 0
        while chosen < origins - 1:
            # less the ways of this origin; a borrow says that the number was below them
            borrow = _U0
            for limb in range(limbs):
                weight = _limb(ways.words, scratch.places[0, chosen], limb) + borrow
                borrow = _U1 if totals[1, limb] < weight else _U0
                totals[1, limb] = (totals[1, limb] - weight) & _WORD
            if borrow:
                break
            chosen += 1
        states[walk] = scratch.keys[chosen]
        if scratch.places[1, chosen] >= 0:
            laid[walk, laid[walk, count]] = scratch.places[1, chosen]
            laid[walk, count] += 1
        control[WALK] += 1
    return True
