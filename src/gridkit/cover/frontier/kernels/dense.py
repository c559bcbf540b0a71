"""Kernel of the frontier engine for an array over all subsets of the slots.

Numbers of ways are stored as in the hash table's kernel: several words, least significant first,
all but the last of `RADIX` bits, the last of at most 63.
"""

from __future__ import annotations

import numpy as np

from gridkit.run.jit import kernel, popcount

__all__ = ["BUDGET", "DONE", "RADIX", "WIDEN", "advance_dense"]

Array = np.ndarray
Integer = int | np.signedinteger

RADIX = 57
DONE, BUDGET, WIDEN = 0, 1, 3

_U0 = np.uint64(0)
_U1 = np.uint64(1)
_RADIX = np.uint64(RADIX)
_WORD = np.uint64((1 << RADIX) - 1)
_TOP_LIMIT = (1 << 63) - 1

# Places in the control array.
_STEP, _STOP, _ROW, _VISITED, _LARGEST = 0, 1, 2, 3, 4
_GROUP = 6  # cells settled at a time on a block that stays in the cache
_LOCAL = 8  # slots that a group may touch
_LANES = 5  # further slots in a block, so that its inner loops are long


@kernel("uint64(uint64, uint64[::1], int64)")
def _squeeze(mask: np.uint64, slots: Array, count: Integer) -> np.uint64:
    """Renumber the slots of a mask by their places in `slots`."""
    result = _U0
    for place in range(count):
        if mask & slots[place]:
            result |= _U1 << np.uint64(place)
    return result


@kernel("int64(int64[::1], int64[::1], int64, uint64, uint64, uint64[::1], int64, boolean)")
def _wire(
    starts: Array,
    sources: Array,
    local: Integer,
    bit: np.uint64,
    shut: np.uint64,
    masks: Array,
    count: Integer,
    forward: bool,
) -> Integer:
    """List for each configuration of `local` slots the old ones whose ways it sums up."""
    used = 0
    for number in range(1 << local):
        config = np.uint64(number)
        starts[number] = used
        if forward:
            if bit and not config & bit:
                sources[used] = np.int64(config | bit)
                used += 1
            for move in range(count):
                mask = masks[move]
                if config & mask == mask and not (config ^ mask) & shut:
                    sources[used] = np.int64(config ^ mask)
                    used += 1
        elif config & shut & ~bit:
            continue
        elif config & bit:
            sources[used] = np.int64(config ^ bit)
            used += 1
        else:
            for move in range(count):
                if not config & masks[move]:
                    sources[used] = np.int64(config | masks[move])
                    used += 1
    starts[1 << local] = used
    return used


@kernel("void(uint64[:, ::1], uint64[:, ::1], uint64, uint64[::1], int64, int64[::1], int64[::1])")
def _apply(
    old: Array,
    new: Array,
    size: np.uint64,
    spread: Array,
    local: Integer,
    starts: Array,
    sources: Array,
) -> None:
    """Apply a wired step to an array over all subsets of some slots, of which it touches a few."""
    # Indices are unsigned: numba would test signed ones for being negative.
    touched = spread[(1 << local) - 1]
    run = touched & (~touched + _U1) if touched else size
    limbs = old.shape[0]
    outer = _U0
    while outer < size:
        for config in range(1 << local):
            to = outer + spread[config]
            first, end = starts[config], starts[config + 1]
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


@kernel("uint64(int64, uint64[::1], int64[::1], uint64[::1])")
def _touched(step: Integer, bits: Array, starts: Array, masks: Array) -> np.uint64:
    """Return the slots that a step reads or writes."""
    touched: np.uint64 = bits[step]
    for move in range(starts[step], starts[step + 1]):
        touched |= masks[move]
    return touched


@kernel("int64(int64, int64, boolean, uint64[::1], int64[::1], uint64[::1], uint64[::1])")
def _group(
    step: Integer,
    stop: Integer,
    forward: bool,
    bits: Array,
    starts: Array,
    masks: Array,
    union: Array,
) -> Integer:
    """Return how many steps can be taken together; put the slots they touch into ``union[0]``."""
    taken = 0
    union[0] = _U0
    while taken < _GROUP and step != stop:
        touched = union[0] | _touched(step if forward else step - 1, bits, starts, masks)
        if taken > 0 and popcount(touched) > _LOCAL:
            break
        union[0] = touched
        taken += 1
        step += 1 if forward else -1
    return taken


@kernel("int64(uint64, int64, uint64[::1])")
def _block_slots(union: np.uint64, extent: Integer, slots: Array) -> Integer:
    """List the slots of a block: a few spare low ones, then those in `union`, each ascending."""
    count = 0
    for place in range(extent):
        slot = _U1 << np.uint64(place)
        if count < _LANES and not union & slot:
            slots[count] = slot
            count += 1
    for place in range(extent):
        slot = _U1 << np.uint64(place)
        if union & slot:
            slots[count] = slot
            count += 1
    return count


@kernel("void(uint64[::1], int64, uint64[::1])")
def _spread(slots: Array, count: Integer, offsets: Array) -> None:
    """Fill in the sums of all subsets of the slots."""
    offsets[0] = _U0
    for place in range(count):
        half = 1 << place
        for k in range(half):
            offsets[half + k] = offsets[k] | slots[place]


@kernel(
    "int64(int64, boolean, uint64[::1], uint64[::1], int64[::1], uint64[::1], uint64[::1], int64,"
    " uint64[::1], int64[::1], int64[::1])"
)
def _wire_step(
    step: Integer,
    forward: bool,
    bits: Array,
    closed: Array,
    starts: Array,
    masks: Array,
    block_slots: Array,
    count: Integer,
    spread: Array,
    wires: Array,
    sources: Array,
) -> Integer:
    """Wire a step within a block whose slots are listed; return how many slots it touches."""
    rest = _touched(step, bits, starts, masks)
    slots = np.zeros(64, np.uint64)
    local = 0
    while rest:
        slots[local] = rest & (~rest + _U1)
        rest ^= slots[local]
        local += 1
    first, end = starts[step], starts[step + 1]
    squeezed = np.zeros(end - first + 1, np.uint64)
    for move in range(first, end):
        squeezed[move - first] = _squeeze(masks[move], slots, local)
    bit, shut = _squeeze(bits[step], slots, local), _squeeze(closed[step], slots, local)
    _wire(wires, sources, local, bit, shut, squeezed, end - first, forward)
    for place in range(local):
        slots[place] = _squeeze(slots[place], block_slots, count)
    _spread(slots, local, spread)
    return local


@kernel(
    "uint64(uint64[:, ::1], uint64[:, ::1], uint64, int64, uint64[:, ::1], int64[::1],"
    " int64[:, ::1], int64[:, ::1], boolean)"
)
def _apply_group(
    block: Array,
    spare: Array,
    size: np.uint64,
    taken: Integer,
    spreads: Array,
    locals_: Array,
    wires: Array,
    sources: Array,
    every: bool,
) -> np.uint64:
    """Apply wired steps to a block; return its greatest last word, or that of any step's result."""
    last = block.shape[0] - 1
    top = _U0
    for k in range(taken):
        if k & 1:
            _apply(spare, block, size, spreads[k], locals_[k], wires[k], sources[k])
        else:
            _apply(block, spare, size, spreads[k], locals_[k], wires[k], sources[k])
        if every or k == taken - 1:
            result = block if k & 1 else spare
            for entry in range(size):
                top = max(top, result[last, entry])
    return top


@kernel(
    "int64(int64[::1], int64, boolean, uint64[::1], uint64[::1], int64[::1], uint64[::1],"
    " int64[::1], uint64[:, ::1])"
)
def advance_dense(
    control: Array,
    budget: Integer,
    forward: bool,
    bits: Array,
    closed: Array,
    starts: Array,
    masks: Array,
    extents: Array,
    ways: Array,
) -> Integer:
    """Settle cells on an array over all subsets of the slots, in place.

    A step mixes only entries that differ in the few slots it touches: a small matrix, applied to
    every setting of the other slots.  Several steps in a row are applied to a block that fits the
    cache before it is written back.  Backwards the matrices are transposed.

    Parameters
    ----------
    control : int64[6]
        Step, step to stop at, slot setting of the next block, entries moved so far, greatest last
        word of the entries now and of those written so far; all are kept up to date.
    budget : int
        Entries to move in this call.
    forward, bits, closed, starts, masks
        As in `gridkit.cover.frontier.kernels.sparse.advance_sparse`.
    extents : int64[steps]
        Number of the lowest slots that hold all those in use before and after a step.
    ways : uint64[limbs, two to the power of the slots]
        Number of ways of each state.

    Returns
    -------
    int
        DONE, BUDGET or WIDEN (another word is needed).
    """
    limbs = ways.shape[0]
    union, slots = np.zeros(1, np.uint64), np.zeros(64, np.uint64)
    spent: Integer = 0
    while control[_STEP] != control[_STOP]:
        taken = _group(control[_STEP], control[_STOP], forward, bits, starts, masks, union)
        begin = control[_STEP] if forward else control[_STEP] - 1
        extent: Integer = 0
        widest, terms = 0, 1
        growth = _TOP_LIMIT
        for k in range(taken):
            now = begin + k if forward else begin - k
            extent = max(extent, extents[now])
            local = popcount(_touched(now, bits, starts, masks))
            fan = starts[now + 1] - starts[now] + 1
            widest, terms = max(widest, local), max(terms, fan << local)
            growth //= fan

        count = _block_slots(union[0], extent, slots)
        size = np.uint64(1 << count)
        offsets = np.zeros(size, np.uint64)
        _spread(slots, count, offsets)
        block_mask = offsets[size - _U1]
        wires = np.zeros((taken, (1 << widest) + 1), np.int64)
        sources = np.zeros((taken, terms), np.int64)
        spreads = np.zeros((taken, 1 << widest), np.uint64)
        locals_ = np.zeros(taken, np.int64)
        for k in range(taken):
            locals_[k] = _wire_step(
                begin + k if forward else begin - k, forward, bits, closed, starts, masks, slots,
                count, spreads[k], wires[k], sources[k],
            )  # fmt: skip

        if control[_ROW] == 0 and control[_LARGEST] + 1 > growth:
            # The product of the numbers of moves is too coarse: apply the group to all ones.
            ones, after = np.ones((1, size), np.uint64), np.ones((1, size), np.uint64)
            most = _apply_group(ones, after, size, taken, spreads, locals_, wires, sources, True)
            if control[_LARGEST] + 1 > _TOP_LIMIT // np.int64(max(most, _U1)):
                return WIDEN

        block, spare = np.empty((limbs, size), np.uint64), np.empty((limbs, size), np.uint64)
        whole = _U1 << np.uint64(extent)
        outer = np.uint64(control[_ROW])
        if outer == _U0:
            control[_LARGEST + 1] = 0
        while outer < whole:
            if spent >= budget:
                control[_ROW] = np.int64(outer)
                return BUDGET
            for word in range(limbs):
                for k in range(size):
                    block[word, k] = ways[word, outer + offsets[k]]
            top = _apply_group(block, spare, size, taken, spreads, locals_, wires, sources, False)
            result = spare if taken & 1 else block
            for word in range(limbs):
                for k in range(size):
                    ways[word, outer + offsets[k]] = result[word, k]
            control[_LARGEST + 1] = max(control[_LARGEST + 1], np.int64(top))
            control[_VISITED] += np.int64(size) * taken
            spent += np.int64(size) * taken
            outer = ((outer | block_mask) + _U1) & ~block_mask
        control[_ROW] = 0
        control[_LARGEST] = control[_LARGEST + 1]
        control[_STEP] += taken if forward else -taken
    return DONE
