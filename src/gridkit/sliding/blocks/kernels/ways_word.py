"""The loop of `search_ways.relax` for keys of one word, which a tenth more speed keeps apart."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel
from gridkit.sliding.blocks.kernels.codes import BUDGET, CHILDREN, EXHAUSTED, MOVE, STEP
from gridkit.sliding.blocks.kernels.keys import (
    BITS,
    CELLS_OF,
    CODES,
    FIELDS,
    IMAGE_OF,
    NEAR,
    ONE_WORD,
    PIDS,
    WORD,
    lookup,
)
from gridkit.sliding.blocks.kernels.states import (
    MARKS,
    QUEUE,
    REACHED,
    SLIDE_STAMP,
    SLIDES,
    STEP_STAMP,
    STEPS,
    cost,
    unpack_word,
)

__all__ = ["reach_word", "relax_word"]

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]
Tables = tuple[Any, ...]  # arrays of several types

_ZERO = np.uint64(0)


@kernel("int64(uint64, uint64, int64, uint64[::1], uint64[::1], int64[:, ::1])")
def reach_word(
    pid: np.uint64, others: np.uint64, metric: int, cells_of: U64, near: U64, work: I64
) -> int:
    """Do what `reach` does, with the cells of the other blocks in one word."""
    mark = work[MARKS, 0] + 1
    work[MARKS, 0] = mark
    home = np.int64(pid)
    work[REACHED, 0] = home
    work[STEPS, home] = 0
    work[STEP_STAMP, home] = mark
    tail = 1
    if metric != MOVE:
        for direction in range(4):
            at = np.int64(near[home * 4 + direction])
            distance = 1
            while cells_of[at] & others == _ZERO:
                work[REACHED, tail] = at
                work[STEPS, at] = distance
                work[SLIDES, at] = 1
                tail += 1
                distance += 1
                if metric == STEP:
                    break
                at = np.int64(near[at * 4 + direction])
        return tail
    head = 0
    while head < tail:
        place = work[REACHED, head]
        head += 1
        for direction in range(4):
            at = np.int64(near[place * 4 + direction])
            if cells_of[at] & others == _ZERO and work[STEP_STAMP, at] != mark:
                work[STEP_STAMP, at] = mark
                work[STEPS, at] = work[STEPS, place] + 1
                work[REACHED, tail] = at
                tail += 1
    work[SLIDES, home] = 0
    work[SLIDE_STAMP, home] = mark
    work[QUEUE, 0] = home
    head, end = 0, 1
    while head < end:
        place = work[QUEUE, head]
        head += 1
        for direction in range(4):
            at = np.int64(near[place * 4 + direction])
            while cells_of[at] & others == _ZERO:
                if work[SLIDE_STAMP, at] != mark:
                    work[SLIDE_STAMP, at] = mark
                    work[SLIDES, at] = work[SLIDES, place] + 1
                    work[QUEUE, end] = at
                    end += 1
                at = np.int64(near[at * 4 + direction])
    return tail


@kernel(
    "int64(int64[::1], int64, int64, int64, uint64[::1], int32[::1], int64[::1], int32[::1], "
    f"{ONE_WORD}, uint64[::1], int64[:, ::1], int64)"
)
def relax_word(
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
    """Do what `relax` does, for keys of one word."""
    cells_of, word, image_of, near = tables[CELLS_OF], tables[WORD], tables[IMAGE_OF], tables[NEAR]
    fields, codes, bits, pids = tables[FIELDS], tables[CODES], tables[BITS], tables[PIDS]
    number, layer, last = state[0], state[1], state[2]
    nothing = np.uint64(len(cells_of) - 1)
    end = min(number + budget, layers[last])
    moves_left = CHILDREN * budget
    while number < end and moves_left > 0:
        while number >= layers[layer + 1]:
            layer += 1
        key = keys[number]
        count = unpack_word(key, fields, codes, bits, bits[64], nothing, pids)
        cells, image = pids[np.uint64(len(pids) - 2)], _ZERO
        for place in range(count):
            cells |= cells_of[pids[np.uint64(place)]]
            image ^= image_of[pids[np.uint64(place)]]
        for place in range(count):
            pid = pids[np.uint64(place)]
            length = reach_word(pid, cells ^ cells_of[pid], metric, cells_of, near, work)
            moves_left -= length
            for position in range(1, length):
                at = work[REACHED, position]
                target = layer + cost(first_metric, at, work)
                if target > last:
                    continue
                new = key ^ word[pid] ^ word[at]
                child[0] = min(new, image ^ image_of[pid] ^ image_of[at])
                found = lookup(child, 0, keys, table)
                if layers[target] <= found < layers[target + 1]:
                    label = labels[number] + cost(second_metric, at, work)
                    if label < labels[found]:
                        labels[found] = label
        number += 1
    state[0], state[1] = number, layer
    return EXHAUSTED if number == layers[last] else BUDGET
