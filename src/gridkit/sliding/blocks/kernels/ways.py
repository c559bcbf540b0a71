"""Ways through the layers of a search: the best of a second metric, and the way of a plan.

Moves are reversible, so plans are traced back without parent links.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel
from gridkit.sliding.blocks.kernels.codes import BUDGET, CHILDREN, EXHAUSTED, LOST
from gridkit.sliding.blocks.kernels.keys import (
    CELLS_OF,
    IMAGE_OF,
    NEAR,
    PIDS,
    SCRATCH,
    WORD,
    lookup,
    widths,
)
from gridkit.sliding.blocks.kernels.states import (
    REACHED,
    cost,
    lift,
    put,
    reach,
    settle,
    unpack,
)  # fmt: skip
from gridkit.sliding.blocks.kernels.ways_word import relax_word

__all__ = ["relax", "trace"]

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]
Tables = tuple[Any, ...]  # arrays of several types


@kernel(
    *widths(
        "int64(int64[::1], int64, int64, int64, KEYS, int32[::1], int64[::1], int32[::1], TABLES, "
        "KEYS, int64[:, ::1], int64)"
    )
)
def relax(
    state: I64,
    metric: int,
    first_metric: int,
    second_metric: int,
    keys: U64,
    table: I32,
    layers: I64,
    labels: I32,
    tables: Tables,
    child: U64,
    work: I64,
    budget: int,
) -> int:
    """Find the least second length of each state among its ways of the least first length.

    `labels` holds it (a large number before it is known); state numbers run through the layers
    of the first metric, so each label is final when its state's turn comes.  `metric` says what
    one move is; `state` holds the next number, its layer, and the last layer; `child` is room for
    a key.
    """
    if keys.ndim == 1:
        return relax_word(
            state, metric, first_metric, second_metric, keys, table, layers, labels, tables, child,
            work, budget,
        )  # fmt: skip
    cells_of, word, image_of, near = tables[CELLS_OF], tables[WORD], tables[IMAGE_OF], tables[NEAR]
    pids, scratch = tables[PIDS], tables[SCRATCH]
    number, layer, last = state[0], state[1], state[2]
    end = min(number + budget, layers[last])
    moves_left = CHILDREN * budget
    while number < end and moves_left > 0:
        while number >= layers[layer + 1]:
            layer += 1
        count = unpack(keys, number, tables)
        for place in range(count):
            pid = np.int64(pids[place])
            lift(keys, number, pid, cells_of, word, image_of, scratch)
            length = reach(pid, metric, cells_of, near, scratch, work)
            moves_left -= length
            for position in range(1, length):
                at = work[REACHED, position]
                target = layer + cost(first_metric, at, work)
                if target > last:
                    continue
                put(at, word, image_of, scratch, child, 0)
                found = lookup(child, 0, keys, table)
                if layers[target] <= found < layers[target + 1]:
                    label = labels[number] + cost(second_metric, at, work)
                    if label < labels[found]:
                        labels[found] = label
        number += 1
    state[0], state[1] = number, layer
    return EXHAUSTED if number == layers[last] else BUDGET


@kernel(
    *widths(
        "int64(KEYS, int64, int64, int64, int64, int64, KEYS, int32[::1], int64[::1], int32[::1], "
        "TABLES, KEYS, int64[:, ::1], int32[:, ::1])"
    )
)
def trace(
    state_key: U64,
    layer: int,
    label: int,
    metric: int,
    first_metric: int,
    second_metric: int,
    keys: U64,
    table: I32,
    layers: I64,
    labels: I32,
    tables: Tables,
    child: U64,
    work: I64,
    path: I32,
) -> int:
    """Walk from the state `state_key` of a layer back to the first layer, and leave its key there.

    Each row of `path` becomes (placement left, placement taken, 1) of one move, last move first;
    a row (0, 0, 0) ends it.  The states walked through are the states themselves, or all of them
    their mirror images.  Without `labels` every way of the least first length will do.  Returns the
    number of moves, or `LOST`.
    """
    cells_of, word, image_of, near = tables[CELLS_OF], tables[WORD], tables[IMAGE_OF], tables[NEAR]
    pids, scratch = tables[PIDS], tables[SCRATCH]
    moves = 0
    while layer > 0:
        count = unpack(state_key, 0, tables)
        before = layer
        for place in range(count):
            pid = np.int64(pids[place])
            lift(state_key, 0, pid, cells_of, word, image_of, scratch)
            length = reach(pid, metric, cells_of, near, scratch, work)
            for position in range(1, length):
                at = work[REACHED, position]
                target = layer - cost(first_metric, at, work)
                if target < 0:
                    continue
                put(at, word, image_of, scratch, child, 0)
                found = lookup(child, 0, keys, table)
                if found < layers[target] or found >= layers[target + 1]:
                    continue
                if len(labels) > 0:
                    if labels[found] + cost(second_metric, at, work) != label:
                        continue
                    label = labels[found]
                path[moves, 0], path[moves, 1], path[moves, 2] = at, pid, 1
                settle(at, word, scratch, state_key, 0)
                layer = target
                break
            if layer != before:
                break
        if layer == before:
            return LOST
        moves += 1
    path[moves, 2] = 0
    return moves
