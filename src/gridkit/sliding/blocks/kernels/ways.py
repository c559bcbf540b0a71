"""Ways through the layers of a search: the best of a second metric, and the way of a plan.

Moves are reversible, so plans are traced back without parent links.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel
from gridkit.sliding.blocks.kernels.codes import BUDGET, CHILDREN, EXHAUSTED, LOST
from gridkit.sliding.blocks.kernels.groups import (
    FIRST_METRIC,
    LAST_LAYER,
    LAYER_AT,
    NUMBER,
    REACHED,
    SECOND_METRIC,
    UNIT,
    LongPacked,
    LongReach,
    LongStates,
    Packed,
    Reach,
    States,
    by_width,
)
from gridkit.sliding.blocks.kernels.keys import lookup
from gridkit.sliding.blocks.kernels.states import cost, lift, put, reach, settle, unpack

__all__ = [
    "LongPacked",
    "LongReach",
    "LongStates",
    "Packed",
    "Reach",
    "States",
    "relax_words",
    "trace_word",
    "trace_words",
]

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]
AnyStates = Any  # States or LongStates: numba compiles each function for both
AnyPacked = Any
AnyReach = Any


@kernel("int64(int64[::1], int64[::1], LongStates, int32[::1], LongPacked, LongReach, int64)")
def relax_words(
    cursor: I64,
    metrics: I64,
    states: LongStates,
    labels: I32,
    packed: LongPacked,
    room: LongReach,
    budget: int,
) -> int:
    """Find the least second length of each state among its ways of the least first length.

    For keys of one word there is `ways_word.relax_word`.  State numbers run through the layers
    of the first metric, so each label is final when its state's turn comes.

    Parameters
    ----------
    cursor, metrics : int64 array
        Scalars, by the places in `groups`.
    states : LongStates
    labels : int32, by state
        The least second length; a large number before it is known.
    packed : LongPacked
    room : LongReach
        Working space.
    budget : int
        States at most, fewer where they have many children.

    Returns
    -------
    int
        Why it stopped, see `codes`.
    """
    keys, table, layers, pids = states.keys, states.table, states.layers, packed.pids
    cells_of, word, image_of, near = packed.cells, packed.word, packed.image, packed.near
    scratch = packed.scratch
    child, work = room.child, room.work
    unit, first, second = metrics[UNIT], metrics[FIRST_METRIC], metrics[SECOND_METRIC]
    number, layer, last = cursor[NUMBER], cursor[LAYER_AT], cursor[LAST_LAYER]
    end = min(number + budget, layers[last])
    moves_left = CHILDREN * budget
    while number < end and moves_left > 0:
        while number >= layers[layer + 1]:
            layer += 1
        count = unpack(keys, number, packed)
        for place in range(count):
            pid = np.int64(pids[place])
            lift(keys, number, pid, cells_of, word, image_of, scratch)
            length = reach(pid, unit, cells_of, near, scratch, work)
            moves_left -= length
            for position in range(1, length):
                at = work[REACHED, position]
                target = layer + cost(first, at, work)
                if target > last:
                    continue
                put(at, word, image_of, scratch, child, 0)
                reached = lookup(child, 0, keys, table)
                if layers[target] <= reached < layers[target + 1]:
                    label = labels[number] + cost(second, at, work)
                    if label < labels[reached]:
                        labels[reached] = label
        number += 1
    cursor[NUMBER], cursor[LAYER_AT] = number, layer
    return EXHAUSTED if number == layers[last] else BUDGET


def _trace(
    start: U64,
    layer: int,
    metrics: I64,
    states: AnyStates,
    labels: I32,
    packed: AnyPacked,
    room: AnyReach,
    path: I32,
) -> int:
    """Walk from a state back to the first layer.

    The states walked through are the states themselves, or all of them their mirror images.

    Parameters
    ----------
    start : one key
        The state; becomes the one in the first layer.
    layer : int
        Its layer.
    metrics, states, packed, room
        As in `relax`.
    labels : int32, by state
        Of a search in one metric empty: every way of the least first length will do.
    path : int32, shape (layer, 2)
        Becomes (placement left, placement taken) of each move, the last move first.

    Returns
    -------
    int
        The number of moves, or `LOST`.
    """
    keys, table, layers, pids = states.keys, states.table, states.layers, packed.pids
    cells_of, word, image_of, near = packed.cells, packed.word, packed.image, packed.near
    scratch = packed.scratch
    child, work = room.child, room.work
    unit, first, second = metrics[UNIT], metrics[FIRST_METRIC], metrics[SECOND_METRIC]
    moves = 0
    label = np.int64(0)
    if len(labels) > 0:
        label = np.int64(labels[lookup(start, 0, keys, table)])
    while layer > 0:
        count = unpack(start, 0, packed)
        before = layer
        for place in range(count):
            pid = np.int64(pids[place])
            lift(start, 0, pid, cells_of, word, image_of, scratch)
            length = reach(pid, unit, cells_of, near, scratch, work)
            for position in range(1, length):
                at = work[REACHED, position]
                target = layer - cost(first, at, work)
                if target < 0:
                    continue
                put(at, word, image_of, scratch, child, 0)
                reached = lookup(child, 0, keys, table)
                if reached < layers[target] or reached >= layers[target + 1]:
                    continue
                if len(labels) > 0:
                    if labels[reached] + cost(second, at, work) != label:
                        continue
                    label = np.int64(labels[reached])
                path[moves, 0], path[moves, 1] = at, pid
                settle(at, word, scratch, start, 0)
                layer = target
                break
            if layer != before:
                break
        if layer == before:
            return LOST
        moves += 1
    return moves


trace_word, trace_words = by_width(
    "int64(KEYS, int64, int64[::1], States, int32[::1], Packed, Reach, int32[:, ::1])", _trace
)
