"""A small resumable kernel, to try the run contract on: queens that do not attack one another."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel, popcount, trailing_zeros

__all__ = ["queens"]

Ints = NDArray[np.int64]


@kernel("boolean(int64, int64[:, ::1], int64[::1], int64)")
def queens(size: int, rows: Ints, counters: Ints, budget: int) -> bool:
    """Place queens row by row; True at the end.

    `rows` holds for each row: columns still to try, columns tried or to try, and the columns,
    left and right diagonals taken by the rows above.  `counters`: row, nodes, solutions, top row.
    """
    full = (1 << size) - 1
    row, nodes, found, top = counters[0], counters[1], counters[2], counters[3]
    last = nodes + budget
    while row >= top and nodes < last:
        free = rows[row, 0]
        if free == 0:
            row -= 1
            continue
        nodes += 1
        bit = free & -free
        rows[row, 0] = free ^ bit
        if row == size - 1:
            found += 1
            continue
        columns = rows[row, 2] | bit
        left = ((rows[row, 3] | bit) << 1) & full
        right = (rows[row, 4] | bit) >> 1
        row += 1
        free = full & ~(columns | left | right)
        rows[row, 0] = free
        rows[row, 1] = free
        rows[row, 2] = columns
        rows[row, 3] = left
        rows[row, 4] = right
    counters[0], counters[1], counters[2] = row, nodes, found
    return bool(row < top)


@kernel("int64(uint64[::1])")
def bits(words: NDArray[np.uint64]) -> int:
    """Number of set bits and of zeros below the lowest set ones, together."""
    total = 0
    for word in words:
        total += popcount(word) + trailing_zeros(word)
    return total
