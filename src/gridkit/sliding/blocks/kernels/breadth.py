"""Breadth-first search over packed states: `layers` says where each layer begins in `keys`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import trailing_zeros
from gridkit.sliding.blocks.kernels.codes import (
    BUDGET,
    CHILDREN,
    EXHAUSTED,
    FIRST,
    FOUND,
    LAYER,
    MOVE,
    NEVER,
    PAUSED,
    ROOM,
    STEP,
)
from gridkit.sliding.blocks.kernels.groups import (
    OTHERS,
    Children,
    LongChildren,
    LongPacked,
    LongStates,
    Packed,
    States,
    by_width,
    helper,
)
from gridkit.sliding.blocks.kernels.keys import copy_key, lookup, same, slot_of, solved
from gridkit.sliding.blocks.kernels.states import fits, lift, put, unpack

__all__ = [
    "LongChildren",
    "LongStates",
    "States",
    "advance_word",
    "advance_words",
    "expand_word",
    "expand_words",
    "link_word",
    "link_words",
]

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]
AnyStates = Any  # States or LongStates: numba compiles each function for both
AnyPacked = Any
AnyChildren = Any

# Places in `state`: states expanded and reached, end of the layer that is being expanded, its
# number, the first goal state, what one move is, when to stop (see `codes`), the most children of
# a state, and the layer to pause after.
HEAD, TAIL, LAYER_END, DEPTH, GOAL, METRIC, STOP, WIDEST, PAUSE, STATE_SIZE = range(10)

_ONE = np.uint64(1)
_ZERO = np.uint64(0)
_TWO = np.uint64(2)


@helper
def expand_word(
    keys: U64, first: int, last: int, metric: int, widest: int, packed: Packed, children: Children
) -> int:
    """Write the keys one move away from the states of a range to `out`.

    Stops when there is no room for the `widest` number of children and returns the first state
    that is left.
    """
    cells_of, word, image_of, near = packed.cells, packed.word, packed.image, packed.near
    fields, codes, bits, border = packed.fields, packed.codes, packed.bits, packed.border
    pids, stamps, out, ends = packed.pids, packed.stamps, children.out, children.ends
    fixed = pids[np.uint64(len(pids) - 2)]
    mark = pids[np.uint64(len(pids) - 1)]
    nothing, bitmap = np.uint64(len(cells_of) - 1), bits[64]
    room = len(out) - widest
    made = _ZERO
    number = first
    while number < last and np.int64(made) <= room:
        key = keys[np.uint64(number)]
        count, cells, image = _ZERO, fixed, _ZERO
        for own in range(len(fields)):
            pid = codes[fields[own, 2] + ((key >> fields[own, 0]) & fields[own, 1])]
            if pid != nothing:
                pids[count] = pid
                cells |= cells_of[pid]
                image ^= image_of[pid]
                count += _ONE
        rest = key & bitmap
        while rest != _ZERO:
            pid = bits[np.uint64(trailing_zeros(rest))]
            rest &= rest - _ONE
            pids[count] = pid
            cells |= cells_of[pid]
            image ^= image_of[pid]
            count += _ONE
        empty = ~cells
        for place in range(count):
            pid = pids[np.uint64(place)]
            if border[pid] & empty == _ZERO:
                continue
            others = cells ^ cells_of[pid]
            bare, bare_image = key ^ word[pid], image ^ image_of[pid]
            if metric == MOVE:
                # Flood the placements that this block alone can reach.
                mark += _ONE
                stamps[pid] = mark
                pids[count] = pid
                top = count + _ONE
                while top > count:
                    top -= _ONE
                    base = pids[top] << _TWO
                    for direction in range(4):
                        at = near[base + np.uint64(direction)]
                        if cells_of[at] & others != _ZERO or stamps[at] == mark:
                            continue
                        stamps[at] = mark
                        pids[top] = at
                        top += _ONE
                        out[made] = min(bare ^ word[at], bare_image ^ image_of[at])
                        made += _ONE
            else:
                base = pid << _TWO
                for direction in range(4):
                    at = near[base + np.uint64(direction)]
                    while cells_of[at] & others == _ZERO:
                        out[made] = min(bare ^ word[at], bare_image ^ image_of[at])
                        made += _ONE
                        if metric == STEP:
                            break
                        at = near[(at << _TWO) + np.uint64(direction)]
        ends[number - first] = np.int64(made)
        number += 1
    pids[np.uint64(len(pids) - 1)] = mark
    return number


@helper
def expand_words(
    keys: U64,
    first: int,
    last: int,
    metric: int,
    widest: int,
    packed: LongPacked,
    children: LongChildren,
) -> int:
    """Do what `expand_word` does, for longer keys."""
    cells_of, word, image_of, near = packed.cells, packed.word, packed.image, packed.near
    scratch = packed.scratch
    pids, stamps, out, ends = packed.pids, packed.stamps, children.out, children.ends
    room = len(out) - widest
    made = 0
    number = first
    while number < last and made <= room:
        count = unpack(keys, number, packed)
        for place in range(count):
            pid = pids[place]
            lift(keys, number, pid, cells_of, word, image_of, scratch)
            others = scratch[OTHERS, 0]
            if metric == MOVE:
                stamps[-1] += 1
                mark = stamps[-1]
                stamps[pid] = mark
                top = count
                pids[top] = pid
                top += 1
                while top > count:
                    top -= 1
                    base = pids[top] * 4
                    for direction in range(4):
                        at = near[base + direction]
                        if stamps[at] == mark or not fits(cells_of, scratch, others, at):
                            continue
                        stamps[at] = mark
                        pids[top] = at
                        top += 1
                        put(at, word, image_of, scratch, out, made)
                        made += 1
            else:
                for direction in range(4):
                    at = near[pid * 4 + direction]
                    while fits(cells_of, scratch, others, at):
                        put(at, word, image_of, scratch, out, made)
                        made += 1
                        if metric == STEP:
                            break
                        at = near[at * 4 + direction]
        ends[number - first] = made
        number += 1
    return number


@helper
def expand(
    keys: U64,
    first: int,
    last: int,
    metric: int,
    widest: int,
    packed: AnyPacked,
    children: AnyChildren,
) -> int:
    """Do what `expand_word` or `expand_words` does; numba compiles the branch that is taken."""
    if keys.ndim == 1:
        return expand_word(keys, first, last, metric, widest, packed, children)
    return expand_words(keys, first, last, metric, widest, packed, children)


def _advance(
    state: I64, states: AnyStates, packed: AnyPacked, children: AnyChildren, budget: int
) -> int:
    """Expand at most `budget` states, fewer where they have many children.

    Layer by layer, each state into a hash table once (E. Moore, 1959).

    Parameters
    ----------
    state : int64 array
        Scalars, by the places above.
    states : States
        What is reached so far.
    packed : Packed
    children : Children
        Working space.
    budget : int

    Returns
    -------
    int
        Why it stopped, see `codes`.
    """
    keys, table, layers = states.keys, states.table, states.layers
    goal, out, ends = packed.goal, children.out, children.ends
    head, tail, metric, stop = state[HEAD], state[TAIL], state[METRIC], state[STOP]
    layer_end, depth = state[LAYER_END], state[DEPTH]
    table_bits = np.int64(trailing_zeros(np.uint64(len(table))))
    last = np.uint64(len(table) - 1)
    # A table that is at most three quarters full keeps its searches short.
    room = min(len(keys), len(table) - len(table) // 4) - len(out)
    end = head + budget
    children_left = CHILDREN * budget
    while True:
        if head == layer_end:
            if stop == LAYER and state[GOAL] >= 0:
                status = FOUND
                break
            if head == tail:
                status = EXHAUSTED
                break
            if depth == state[PAUSE]:
                status = PAUSED
                break
            if depth + 3 >= len(layers):
                status = ROOM
                break
            depth += 1
            layer_end = tail
            layers[depth + 1] = tail
        if head >= end or children_left < 0:
            status = BUDGET
            break
        if tail > room:
            status = ROOM
            break
        # Collect the children of several states, so that the searches in memory overlap.
        before = head
        stop_at = min(layer_end, head + len(ends), end)
        widest = state[WIDEST]
        head = expand(keys, head, stop_at, metric, widest, packed, children)
        made = ends[head - before - 1]
        children_left -= made
        for place in range(made):
            slot = np.uint64(slot_of(out, place, table_bits))
            while True:
                entry = table[slot]
                if entry == 0:
                    copy_key(keys, tail, out, place)
                    tail += 1
                    table[slot] = tail
                    if stop != NEVER and state[GOAL] < 0 and solved(out, place, goal):
                        state[GOAL] = tail - 1
                    break
                if same(keys, entry - 1, out, place):
                    break
                slot = (slot + _ONE) & last
        if stop == FIRST and state[GOAL] >= 0:
            status = FOUND
            break
    state[HEAD], state[TAIL], state[LAYER_END], state[DEPTH] = head, tail, layer_end, depth
    return status


advance_word, advance_words = by_width(
    "int64(int64[::1], States, Packed, Children, int64)", _advance
)


def _link(
    cursor: I64,
    state: I64,
    states: AnyStates,
    offsets: I64,
    targets: I32,
    packed: AnyPacked,
    children: AnyChildren,
    budget: int,
) -> int:
    """List the neighbours of each state: those of n are ``targets[offsets[n] : offsets[n + 1]]``.

    Parameters
    ----------
    cursor : int64 array
        The next state, and the number of targets so far.
    state, states, packed, children
        As in `advance`; all states are reached.
    offsets : int64, length of the states plus one
    targets : int32
    budget : int
        States at most, fewer where they have many neighbours.

    Returns
    -------
    int
        Why it stopped, see `codes`.
    """
    keys, table, out, ends = states.keys, states.table, children.out, children.ends
    metric, size = state[METRIC], state[TAIL]
    number, used = cursor[0], cursor[1]
    end = min(number + budget, size)
    most = used + CHILDREN * budget
    status = BUDGET
    while number < end and used < most:
        if used + len(out) > len(targets):
            status = ROOM
            break
        stop_at = min(end, number + len(ends))
        following = expand(keys, number, stop_at, metric, state[WIDEST], packed, children)
        for own in range(following - number):
            offsets[number + own + 1] = used + ends[own]
        for place in range(ends[following - number - 1]):
            targets[used] = lookup(out, place, keys, table)
            used += 1
        number = following
    cursor[0], cursor[1] = number, used
    return EXHAUSTED if number == size else status


link_word, link_words = by_width(
    "int64(int64[::1], int64[::1], States, int64[::1], int32[::1], Packed, Children, int64)", _link
)
