"""Kernel of the frontier engine for an array over all subsets of the slots.

A step mixes only entries that differ in the few slots it touches: a small matrix, applied to every
setting of the other slots.  Several steps in a row, a group, are applied to a block of entries
that fits the cache before it is written back.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridkit.cover.frontier.kernels.steps import (
    BUDGET,
    DONE,
    RADIX,
    TOP_LIMIT,
    WIDEN,
    Steps,
)
from gridkit.run.jit import kernel, popcount

__all__ = [
    "BLOCK",
    "FACTS",
    "GROUP",
    "GROUP_SLOTS",
    "LANES",
    "LARGEST",
    "STEP",
    "STOP",
    "VISITED",
    "WORDS",
    "WRITTEN",
    "Wiring",
    "Workspace",
    "advance_dense",
]

Array = np.ndarray
Integer = int | np.signedinteger

# The words of the control array: cells settled and those to settle, slot setting of the next
# block, entries moved so far, greatest last word of the entries now and of those written so far.
STEP, STOP, BLOCK, VISITED, LARGEST, WRITTEN = 0, 1, 2, 3, 4, 5
WORDS = 6

# The facts of a group: number of slots of a block, number of the lowest slots that hold all in
# use, the largest number of ways that the steps cannot make outgrow a word.
SLOTS, EXTENT, GROWTH = 0, 1, 2
FACTS = 3

GROUP = 6  # cells settled at a time on a block that stays in the cache
GROUP_SLOTS = 8  # slots that a group may touch, beside a single step that touches more
LANES = 5  # further slots in a block, so that its inner loops are long


_U0 = np.uint64(0)
_U1 = np.uint64(1)
_RADIX = np.uint64(RADIX)
_WORD = np.uint64((1 << RADIX) - 1)


class Wiring(NamedTuple):
    """How the steps of a group mix the entries of a block, one row a step.

    Entries of a block are numbered by the settings of its slots.
    """

    spreads: Annotated[NDArray[np.uint64], "uint64[:, ::1]"]
    """(GROUP, settings) Number in the block of each setting of the slots that the step touches."""
    locals: Annotated[NDArray[np.int64], "int64[::1]"]
    """(GROUP,) How many slots the step touches."""
    starts: Annotated[NDArray[np.int64], "int64[:, ::1]"]
    """(GROUP, settings + 1) Number of the first source of each new setting."""
    sources: Annotated[NDArray[np.int64], "int64[:, ::1]"]
    """(GROUP, terms) Old settings whose numbers of ways a new one sums up."""


class Workspace(NamedTuple):
    """Memory for a group of steps; nothing in it outlives a call."""

    wiring: Wiring
    slots: Annotated[NDArray[np.uint64], "uint64[::1]"]
    """(64,) Slots of the block, the spare ones first."""
    masks: Annotated[NDArray[np.uint64], "uint64[::1]"]
    """(moves of a step,) Its moves by the numbers of the slots that it touches."""
    offsets: Annotated[NDArray[np.uint64], "uint64[::1]"]
    """(entries of a block,) Where the entries of a block lie in the array."""
    facts: Annotated[NDArray[np.int64], "int64[::1]"]
    """(FACTS,) See `SLOTS` and the others."""
    blocks: Annotated[NDArray[np.uint64], "uint64[:, :, ::1]"]
    """(2, limbs, entries of a block) A block, and the same one a step further."""


@kernel("void(int64, int64, boolean, Steps, Workspace)")
def _wire_step(step: Integer, row: Integer, forward: bool, steps: Steps, space: Workspace) -> None:
    """List for each setting of the slots that a step touches the old ones whose ways it sums up.

    Parameters
    ----------
    step : int
        Number of the step.
    row : int
        The row of the wiring to fill in.
    forward, steps, space
        As in `advance_dense`; the slots of the block are laid out.
    """
    wiring = space.wiring
    spread, starts, sources = wiring.spreads[row], wiring.starts[row], wiring.sources[row]
    first = steps.starts[step]
    moves = steps.starts[step + 1] - first
    touched = steps.bits[step]
    for move in range(moves):
        touched |= steps.masks[first + move]
        space.masks[move] = _U0
    # The slots touched get numbers of their own, lowest first, in which the step is written down.
    bit, shut, local = _U0, _U0, 0
    spread[0] = _U0
    for place in range(space.facts[SLOTS]):
        slot = space.slots[place]
        if not touched & slot:
            continue
        own, half = _U1 << np.uint64(local), 1 << local
        for number in range(half):
            spread[half + number] = spread[number] | _U1 << np.uint64(place)
        if steps.bits[step] & slot:
            bit = own
        if steps.closed[step] & slot:
            shut |= own
        for move in range(moves):
            if steps.masks[first + move] & slot:
                space.masks[move] |= own
        local += 1
    used = 0
    for number in range(1 << local):
        setting = np.uint64(number)
        starts[number] = used
        if forward:
            if bit and not setting & bit:
                sources[used] = np.int64(setting | bit)
                used += 1
            for move in range(moves):
                mask = space.masks[move]
                if setting & mask == mask and not (setting ^ mask) & shut:
                    sources[used] = np.int64(setting ^ mask)
                    used += 1
        elif setting & shut & ~bit:
            continue
        elif setting & bit:
            sources[used] = np.int64(setting ^ bit)
            used += 1
        else:
            for move in range(moves):
                if not setting & space.masks[move]:
                    sources[used] = np.int64(setting | space.masks[move])
                    used += 1
    starts[1 << local] = used
    wiring.locals[row] = local


@kernel("int64(int64, int64, boolean, Steps, Workspace)")
def _wire_group(
    step: Integer, stop: Integer, forward: bool, steps: Steps, space: Workspace
) -> Integer:
    """Choose the steps that are taken together, lay out their block and wire them.

    Parameters
    ----------
    step, stop : int
        Cells settled and those to settle.
    forward, steps, space
        As in `advance_dense`.

    Returns
    -------
    int
        How many steps the group has.
    """
    members, union, growth = 0, _U0, TOP_LIMIT
    extent: Integer = 0
    now = step if forward else step - 1
    while members < GROUP and step != stop:
        touched = union | steps.bits[now]
        for move in range(steps.starts[now], steps.starts[now + 1]):
            touched |= steps.masks[move]
        if members > 0 and popcount(touched) > GROUP_SLOTS:
            break
        union = touched
        extent = max(extent, steps.extents[now])
        growth //= steps.starts[now + 1] - steps.starts[now] + 1
        members += 1
        step += 1 if forward else -1
        now += 1 if forward else -1
    # The block has a few spare low slots, then those that are touched, each ascending.
    count = 0
    for spare in (True, False):
        for place in range(extent):
            slot = _U1 << np.uint64(place)
            if (spare and not union & slot and count < LANES) or (not spare and union & slot):
                space.slots[count] = slot
                count += 1
    space.offsets[0] = _U0
    for place in range(count):
        half = 1 << place
        for k in range(half):
            space.offsets[half + k] = space.offsets[k] | space.slots[place]
    space.facts[SLOTS], space.facts[EXTENT], space.facts[GROWTH] = count, extent, growth
    now = step - members if forward else step + members - 1
    for row in range(members):
        _wire_step(now, row, forward, steps, space)
        now += 1 if forward else -1
    return members


@kernel("void(uint64[:, ::1], uint64[:, ::1], uint64, int64, Wiring, int64)")
def _apply(
    old: Array, new: Array, size: np.uint64, limbs: Integer, wiring: Wiring, row: Integer
) -> None:
    """Apply a wired step to an array over all subsets of some slots, of which it touches a few.

    Parameters
    ----------
    old, new : uint64[limbs or more, size or more]
        Numbers of ways before and after; only `new` is written to.
    size, limbs
        How many entries and words are in use.
    wiring, row
        The step is this row of the wiring.
    """
    spread, local = wiring.spreads[row], wiring.locals[row]
    starts, sources = wiring.starts[row], wiring.sources[row]
    # Indices are unsigned: numba would test signed ones for being negative.
    touched = spread[(1 << local) - 1]
    run = touched & (~touched + _U1) if touched else size
    outer = _U0
    while outer < size:
        for setting in range(1 << local):
            to = outer + spread[setting]
            first, end = starts[setting], starts[setting + 1]
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


@kernel("int64(int64[::1], int64, boolean, Steps, Workspace, uint64[:, ::1])")
def advance_dense(
    control: Array,
    budget: Integer,
    forward: bool,
    steps: Steps,
    space: Workspace,
    ways: Array,
) -> Integer:
    """Settle cells on an array over all subsets of the slots, in place.

    Parameters
    ----------
    control : int64[6]
        See `STEP` and the others; all are kept up to date.
    budget : int
        Entries to move in this call.
    forward : bool
        Towards the last cell; backwards the small matrices are transposed.
    steps : Steps
        The sweep; no piece is counted.
    space : Workspace
        Memory for as many limbs as `ways` has.
    ways : uint64[limbs, two to the power of the slots]
        Number of ways of each state, in words.

    Returns
    -------
    int
        DONE, BUDGET or WIDEN (another word is needed).

    Notes
    -----
    The transfer-matrix method with a broken profile (Kramers and Wannier, 1941), blocked for the
    cache as linear algebra is (Goto and van de Geijn, 2008).
    """
    limbs = ways.shape[0]
    spent: Integer = 0
    while control[STEP] != control[STOP]:
        members = _wire_group(control[STEP], control[STOP], forward, steps, space)
        size = _U1 << np.uint64(space.facts[SLOTS])
        block_mask = space.offsets[size - _U1]
        whole = _U1 << np.uint64(space.facts[EXTENT])
        outer = np.uint64(control[BLOCK])
        if outer == _U0:
            control[WRITTEN] = 0
        # Numbers cannot outgrow the last word where the product of the numbers of moves says so;
        # where it is too coarse, the group is applied to a block of ones first.
        testing = outer == _U0 and control[LARGEST] + 1 > space.facts[GROWTH]
        while testing or outer < whole:
            if spent >= budget:
                control[BLOCK] = np.int64(outer)
                return BUDGET
            used = 1 if testing else limbs
            for word in range(used):
                for k in range(size):
                    value = _U1 if testing else ways[word, outer + space.offsets[k]]
                    space.blocks[0, word, k] = value
            top = _U0
            for row in range(members):
                new = space.blocks[1 - (row & 1)]
                _apply(space.blocks[row & 1], new, size, used, space.wiring, row)
                if testing or row == members - 1:
                    for entry in range(size):
                        top = max(top, new[used - 1, entry])
            if testing:
                if control[LARGEST] + 1 > TOP_LIMIT // np.int64(max(top, _U1)):
                    return WIDEN
                testing = False
                continue
            for word in range(limbs):
                for k in range(size):
                    ways[word, outer + space.offsets[k]] = space.blocks[members & 1, word, k]
            control[WRITTEN] = max(control[WRITTEN], np.int64(top))
            control[VISITED] += np.int64(size) * members
            spent += np.int64(size) * members
            outer = ((outer | block_mask) + _U1) & ~block_mask
        control[BLOCK] = 0
        control[LARGEST] = control[WRITTEN]
        control[STEP] += members if forward else -members
    return DONE
