"""One state at a time: its placements, one of its blocks lifted, and where that can be put."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import trailing_zeros
from gridkit.sliding.blocks.kernels.codes import MOVE, SLIDE, STEP
from gridkit.sliding.blocks.kernels.groups import (
    ALL,
    BARE,
    BARE_IMAGE,
    IMAGE,
    MARKS,
    OTHERS,
    QUEUE,
    REACHED,
    SLIDE_STAMP,
    SLIDES,
    STEP_STAMP,
    STEPS,
    LongPacked,
    helper,
)

__all__ = ["cost", "fits", "lift", "put", "reach", "settle", "unpack", "unpack_word"]

I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]
AnyPacked = Any  # Packed or LongPacked: numba compiles each function for both

# Arrays are passed on one by one here: a function that is not compiled into its caller takes a
# whole group slower.

_ONE = np.uint64(1)
_ZERO = np.uint64(0)


@helper
def unpack_word(
    key: np.uint64, fields: U64, codes: U64, bits: U64, nothing: np.uint64, pids: U64
) -> np.uint64:
    """Write the placements of a state to `pids`; return how many there are."""
    bitmap = bits[64]
    count = _ZERO
    for number in range(len(fields)):
        pid = codes[fields[number, 2] + ((key >> fields[number, 0]) & fields[number, 1])]
        pids[count] = pid
        if pid != nothing:
            count += _ONE
    rest = key & bitmap
    while rest != _ZERO:
        pids[count] = bits[np.uint64(trailing_zeros(rest))]
        count += _ONE
        rest &= rest - _ONE
    return count


@helper
def unpack_words(keys: U64, state: int, packed: LongPacked) -> int:
    """Write the placements of a state to `pids`; return how many there are."""
    fields, codes, bits = packed.fields, packed.codes, packed.bits
    bitmap, pids = packed.bitmap, packed.pids
    count = 0
    for number in range(len(fields)):
        part = keys[state, np.int64(fields[number, 3])]
        value = (part >> fields[number, 0]) & fields[number, 1]
        pid = codes[np.int64(fields[number, 2] + value)]
        if pid >= 0:
            pids[count] = pid
            count += 1
    for word in range(keys.shape[1]):
        rest = keys[state, word] & bitmap[word]
        while rest != _ZERO:
            pids[count] = bits[word * 64 + np.int64(trailing_zeros(rest))]
            count += 1
            rest &= rest - _ONE
    return count


@helper
def unpack(keys: U64, state: int, packed: AnyPacked) -> int:
    """Write the placements of a state to `pids`, its cells and image to `scratch`."""
    cells_of, image_of, scratch, pids = packed.cells, packed.image, packed.scratch, packed.pids
    if keys.ndim == 1:
        nothing = np.uint64(len(cells_of) - 1)
        count = np.int64(
            unpack_word(keys[state], packed.fields, packed.codes, packed.bits, nothing, pids)
        )
        cells, image = pids[np.uint64(len(pids) - 2)], _ZERO
        for place in range(count):
            cells |= cells_of[pids[np.uint64(place)]]
            image ^= image_of[pids[np.uint64(place)]]
        scratch[ALL, 0], scratch[IMAGE, 0] = cells, image
        return count
    count = unpack_words(keys, state, packed)
    fixed = packed.fixed
    for part in range(len(fixed)):
        scratch[ALL, part] = fixed[part]
        for place in range(count):
            scratch[ALL, part] |= cells_of[pids[place], part]
    for part in range(keys.shape[1]):
        scratch[IMAGE, part] = _ZERO
        for place in range(count):
            scratch[IMAGE, part] ^= image_of[pids[place], part]
    return count


@helper
def lift(
    keys: U64, state: int, pid: int, cells_of: U64, word: U64, image_of: U64, scratch: U64
) -> None:
    """Take one block out of the state that is unpacked."""
    if keys.ndim == 1:
        scratch[OTHERS, 0] = scratch[ALL, 0] ^ cells_of[pid]
        scratch[BARE, 0] = keys[state] ^ word[pid]
        scratch[BARE_IMAGE, 0] = scratch[IMAGE, 0] ^ image_of[pid]
    else:
        for part in range(cells_of.shape[1]):
            scratch[OTHERS, part] = scratch[ALL, part] ^ cells_of[pid, part]
        for part in range(keys.shape[1]):
            scratch[BARE, part] = keys[state, part] ^ word[pid, part]
            scratch[BARE_IMAGE, part] = scratch[IMAGE, part] ^ image_of[pid, part]


@helper
def put(pid: int, word: U64, image_of: U64, scratch: U64, out: U64, row: int) -> None:
    """Write the smaller one of key and image with the lifted block at a placement."""
    if out.ndim == 1:
        out[row] = min(scratch[BARE, 0] ^ word[pid], scratch[BARE_IMAGE, 0] ^ image_of[pid])
    else:
        mirrored = False
        decided = False
        for part in range(out.shape[1] - 1, -1, -1):
            plain = scratch[BARE, part] ^ word[pid, part]
            image = scratch[BARE_IMAGE, part] ^ image_of[pid, part]
            if not decided and plain != image:
                decided = True
                mirrored = image < plain
            out[row, part] = image if mirrored else plain


@helper
def settle(pid: int, word: U64, scratch: U64, out: U64, row: int) -> None:
    """Write the key with the lifted block at a placement, not its image."""
    if out.ndim == 1:
        out[row] = scratch[BARE, 0] ^ word[pid]
    else:
        for part in range(out.shape[1]):
            out[row, part] = scratch[BARE, part] ^ word[pid, part]


@helper
def fits(cells_of: U64, scratch: U64, others: np.uint64, pid: int) -> bool:
    """Return whether a placement is free of other blocks; `others` is their first word."""
    if cells_of.ndim == 1:
        return bool(cells_of[np.uint64(pid)] & others == _ZERO)
    for part in range(cells_of.shape[1]):
        if cells_of[pid, part] & scratch[OTHERS, part] != _ZERO:
            return False
    return True


@helper
def reach(pid: int, metric: int, cells_of: U64, near: I64 | U64, scratch: U64, work: I64) -> int:
    """List the placements one move away in row `REACHED`, after `pid` itself; return the length.

    The rows `STEPS` and `SLIDES` hold, by placement, the fewest steps and slides.
    """
    others = scratch[OTHERS, 0]  # read once: stores to `work` might change it, for the compiler
    mark = work[MARKS, 0] + 1
    work[MARKS, 0] = mark
    work[REACHED, 0] = pid
    work[STEPS, pid] = 0
    work[STEP_STAMP, pid] = mark
    tail = 1
    if metric != MOVE:
        for direction in range(4):
            at = np.int64(near[pid * 4 + direction])
            distance = 1
            while fits(cells_of, scratch, others, at):
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
            if work[STEP_STAMP, at] != mark and fits(cells_of, scratch, others, at):
                work[STEP_STAMP, at] = mark
                work[STEPS, at] = work[STEPS, place] + 1
                work[REACHED, tail] = at
                tail += 1
    work[SLIDES, pid] = 0
    work[SLIDE_STAMP, pid] = mark
    work[QUEUE, 0] = pid
    head, end = 0, 1
    while head < end:
        place = work[QUEUE, head]
        head += 1
        for direction in range(4):
            at = np.int64(near[place * 4 + direction])
            while fits(cells_of, scratch, others, at):
                if work[SLIDE_STAMP, at] != mark:
                    work[SLIDE_STAMP, at] = mark
                    work[SLIDES, at] = work[SLIDES, place] + 1
                    work[QUEUE, end] = at
                    end += 1
                at = np.int64(near[at * 4 + direction])
    return tail


@helper
def cost(metric: int, at: int, work: I64) -> int:
    """Return what reaching a placement costs in a metric."""
    length: int = 1
    if metric == STEP:
        length = work[STEPS, at]
    elif metric == SLIDE:
        length = work[SLIDES, at]
    return length
