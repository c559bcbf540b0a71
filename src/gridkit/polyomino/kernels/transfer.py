"""The transfer matrix of fixed polyominoes in strips (Jensen, 2001).

A polyomino is built cell by cell, row by row, in a strip of a given width.  All that matters of the
past is the frontier: which of the strip's columns end in a cell, and which of those cells are
connected already.  A frontier is a 64-bit key: three bits a column, 0 empty, and for a component's
cells 1 the only one, 2 the first, 3 one in between, 4 the last (components do not cross, so this
determines them); two more bits say that the left and the right side have been touched.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridkit.polyomino.kernels.groups import HALF, STAIRS, Frontiers, Step
from gridkit.run.jit import kernel

__all__ = ["advance_cell", "finish_row", "rebuild_index"]

_THREE = np.uint64(3)
_SEVEN = np.uint64(7)
_ONE = np.uint64(1)


@kernel("void(uint64, int64, int64[::1], int64[::1])")
def _decode(
    key: np.uint64, width: int, labels: NDArray[np.int64], stack: NDArray[np.int64]
) -> None:
    """Read the components of a frontier from its key.

    Parameters
    ----------
    key : uint64
        Three bits a column, as `_encode` writes them.
    width : int
        Columns of the frontier.
    labels : int64[width]
        Receives components 1, 2, ... by first appearance, 0 for empty.
    stack : int64[:]
        Scratch: the components that are open.
    """
    top = 0
    components = 0
    rest = key
    for col in range(width):
        symbol = np.int64(rest & _SEVEN)
        rest = rest >> _THREE
        if symbol == 0:
            labels[col] = 0
        elif symbol <= 2:
            components += 1
            labels[col] = components
            if symbol == 2:
                stack[top] = components
                top += 1
        else:
            labels[col] = stack[top - 1]
            if symbol == 4:
                top -= 1


@kernel("uint64(int64[::1], int64, uint64, int64[::1])")
def _encode(
    labels: NDArray[np.int64], width: int, sides: np.uint64, tally: NDArray[np.int64]
) -> np.uint64:
    """Return the key of labelled columns.

    Parameters
    ----------
    labels : int64[width]
        The component of each column of the frontier, 0 empty.
    width : int
        Columns of the frontier.
    sides : uint64
        Bits above the columns: the sides touched.
    tally : int64[2 * width + 3]
        Scratch.

    Returns
    -------
    uint64
        Three bits a column: empty, alone, first, middle or last of its component.
    """
    half = width + 2
    for label in range(2 * half - 1):
        tally[label] = 0
    for col in range(width):
        tally[labels[col]] += 1
    key = sides
    for back in range(width):
        col = width - 1 - back
        label = labels[col]
        symbol = 0
        if label > 0:
            seen = tally[half + label - 1]
            if tally[label] == 1:
                symbol = 1
            elif seen == 0:
                symbol = 4
            elif seen == tally[label] - 1:
                symbol = 2
            else:
                symbol = 3
            tally[half + label - 1] += 1
        key = (key << _THREE) | np.uint64(symbol)
    return key


@kernel("int64(int64[::1], int64, boolean, boolean, int64, int64[::1])")
def _cells_needed(
    labels: NDArray[np.int64],
    width: int,
    touches_left: bool,
    touches_right: bool,
    rows_needed: int,
    gaps: NDArray[np.int64],
) -> int:
    """Return a lower bound of the cells still needed to finish.

    Joining m components takes cells in the columns of m - 1 gaps between neighbouring ones, and
    one in a column of each component (the corner of the frontier may save one); reaching a side
    takes cells in the columns up to it.  All these columns are different, and cells that fill c
    columns and lead down through r rows are at least c + r - 1.

    Parameters
    ----------
    labels : int64[width]
        The component of each column of the frontier, 0 empty.
    width : int
        Columns of the frontier.
    touches_left, touches_right : bool
        Whether the sides are reached.
    rows_needed : int
        Rows still to be entered.
    gaps : int64[:]
        Scratch.

    Returns
    -------
    int
        The bound.
    """
    lowest = -1
    highest = 0
    previous = -1
    components = 0
    count = 0
    for col in range(width):
        label = labels[col]
        if label == 0:
            continue
        components = max(components, label)
        if lowest < 0:
            lowest = col
        elif labels[previous] != label:
            gap = col - previous - 1
            at = count
            while at > 0 and gaps[at - 1] > gap:
                gaps[at] = gaps[at - 1]
                at -= 1
            gaps[at] = gap
            count += 1
        previous = col
        highest = col
    across = 0
    for k in range(min(components - 1, count)):
        across += gaps[k]
    if lowest >= 0:
        if not touches_left:
            across += lowest
        if not touches_right:
            across += width - 1 - highest
        if components > 1:
            across += components - 1
        elif not touches_left:
            across += 1
    if across == 0:
        return rows_needed
    return across + max(rows_needed - 1, 0)


@kernel("int64(int64[::1], int64, boolean, int64)")
def _half_needs(labels: NDArray[np.int64], width: int, touches: bool, rows_needed: int) -> int:
    """Return a lower bound of the cells that a half still needs: rows, and the nearer side.

    Parameters
    ----------
    labels : int64[width]
        The component of each column of the frontier, 0 empty.
    width : int
        Columns of the frontier.
    touches : bool
        Whether a side is reached.
    rows_needed : int
        Rows still to be entered.

    Returns
    -------
    int
        The bound.
    """
    lowest = -1
    highest = 0
    for col in range(width):
        if labels[col] > 0:
            lowest = col if lowest < 0 else lowest
            highest = col
    if touches or lowest < 0:
        return rows_needed
    return min(lowest, width - 1 - highest) + max(rows_needed - 1, 0)


@kernel("int64(uint64, uint64[::1], int32[::1], int64)")
def _find(key: np.uint64, keys: NDArray[np.uint64], index: NDArray[np.int32], held: int) -> int:
    """Return the row of a key, entering it when it is new.

    Parameters
    ----------
    key : uint64
        The key.
    keys : uint64[:]
        The keys held.
    index : int32[2^k]
        Hash table of rows, -1 free.
    held : int
        The row that a new key gets.

    Returns
    -------
    int
        The row.
    """
    size = np.uint64(index.shape[0])
    place = (key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20)
    slot = np.int64(place & (size - _ONE))
    while True:
        row = np.int64(index[slot])
        if row < 0:
            index[slot] = held
            keys[held] = key
            return held
        if keys[row] == key:
            return row
        slot += 1
        if slot == index.shape[0]:
            slot = 0


@kernel("void(uint64[::1], int64, int32[::1])")
def rebuild_index(keys: NDArray[np.uint64], held: int, index: NDArray[np.int32]) -> None:
    """Enter keys into an empty index.

    Parameters
    ----------
    keys : uint64[:]
        The keys.
    held : int
        How many of them.
    index : int32[2^k]
        Filled with -1.
    """
    for row in range(held):
        _find(keys[row], keys, index, row)


@kernel("boolean(int64[::1], int64, int64)")
def _occurs(labels: NDArray[np.int64], width: int, label: int) -> bool:
    """Return whether a component has a cell on the frontier.

    Parameters
    ----------
    labels : int64[width]
        The component of each column of the frontier, 0 empty.
    width : int
        Columns of the frontier.
    label : int
        The component.

    Returns
    -------
    bool
        Whether it has.
    """
    for col in range(width):
        if labels[col] == label:
            return True
    return False


@kernel("int64(Step, Frontiers, Frontiers, int64, int64)", allocates=True)
def advance_cell(step: Step, before: Frontiers, after: Frontiers, begin: int, end: int) -> int:
    """Decide the cell in column `step.col` for the frontiers `begin` to `end`.

    Parameters
    ----------
    step : Step
        The cell; one that weighs 0 stays empty.
    before, after : Frontiers
        The tables before the cell is decided, and after it (added to).
    begin, end : int
        Rows of `before`.

    Returns
    -------
    int
        The first frontier not treated: `end`, or less when the new table is full.
    """
    width, col, rows_needed = step.width, step.col, step.rows_needed
    size, modulus = step.size, step.modulus
    keys, counts, ranges, index, held = after
    choices = 2 if step.weight > 0 else 1
    labels = np.zeros(width, dtype=np.int64)
    decided = np.zeros(width, dtype=np.int64)
    scratch = np.zeros(2 * width + 4, dtype=np.int64)
    left_bit = _ONE << np.uint64(3 * width)
    right_bit = left_bit << _ONE
    for state in range(begin, end):
        if held[0] + 2 > keys.shape[0]:
            return state
        key = before.keys[state]
        sides = (key & (left_bit | right_bit)) >> np.uint64(3 * width)
        _decode(key, width, labels, scratch)
        up = labels[col]
        behind = labels[col - 1] if col > 0 else 0
        for filled in range(choices):
            new_sides = sides
            added = filled * step.weight
            if filled == 0:
                for k in range(width):
                    decided[k] = labels[k]
                decided[col] = 0
                if up > 0 and not _occurs(decided, width, up):
                    continue  # the component would be cut off
            else:
                joined = max(up, behind)
                if joined == 0:
                    joined = width + 1
                for k in range(width):
                    same = labels[k] > 0 and (labels[k] == up or labels[k] == behind)
                    decided[k] = joined if same else labels[k]
                decided[col] = joined
                new_sides = new_sides | step.sides
            # Component numbers may have gaps now: number them by first appearance.
            fresh = 0
            for k in range(width + 2):
                scratch[k] = 0
            for k in range(width):
                if decided[k] > 0:
                    if scratch[decided[k]] == 0:
                        fresh += 1
                        scratch[decided[k]] = fresh
                    decided[k] = scratch[decided[k]]
            need = 0
            if step.needed == HALF:
                need = _half_needs(decided, width, new_sides != np.uint64(0), rows_needed)
            else:
                need = max(step.needed, 1) * _cells_needed(
                    decided,
                    width,
                    step.needed == STAIRS or (new_sides & _ONE) != np.uint64(0),
                    (new_sides & np.uint64(2)) != np.uint64(0),
                    rows_needed,
                    scratch,
                )
            low = before.ranges[state, 0] + added
            high = min(before.ranges[state, 1] + added, size - need)
            if low > high:
                continue
            row = _find(_encode(decided, width, new_sides, scratch), keys, index, held[0])
            if row == held[0]:
                held[0] += 1
                ranges[row, 0] = low
                ranges[row, 1] = high
                for k in range(size + 1):
                    counts[row, k] = 0
            else:
                ranges[row, 0] = min(ranges[row, 0], low)
                ranges[row, 1] = max(ranges[row, 1], high)
            if modulus == np.uint64(0):
                for k in range(low, high + 1):
                    counts[row, k] += before.counts[state, k - added]
            else:
                for k in range(low, high + 1):
                    value = counts[row, k] + before.counts[state, k - added]
                    counts[row, k] = value - modulus if value >= modulus else value
    return end


@kernel("void(Step, Frontiers, uint64[::1])", allocates=True)
def finish_row(step: Step, frontiers: Frontiers, totals: NDArray[np.uint64]) -> None:
    """Add to `totals` the counts of the frontiers at which a polyomino may end.

    Those have one component and have touched both sides.

    Parameters
    ----------
    step : Step
        The strip, at the end of a row.
    frontiers : Frontiers
        The table after the row.
    totals : uint64, size + 1
        The polyominoes by number of cells.
    """
    width, size, modulus = step.width, step.size, step.modulus
    keys, counts = frontiers.keys, frontiers.counts
    labels = np.zeros(width, dtype=np.int64)
    scratch = np.zeros(2 * width + 4, dtype=np.int64)
    both = np.uint64(3) << np.uint64(3 * width)
    for state in range(frontiers.held[0]):
        if keys[state] & both != both:
            continue
        _decode(keys[state], width, labels, scratch)
        components = 0
        for col in range(width):
            components = max(components, labels[col])
        if components != 1:
            continue
        for k in range(size + 1):
            value = totals[k] + counts[state, k]
            if modulus != np.uint64(0) and value >= modulus:
                value -= modulus
            totals[k] = value
