"""What the compiled engines share: options side by side in arrays, solutions as rows."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

__all__ = ["bytes_held", "finished_rows", "flat_entries", "rows_as_tuples", "rows_of", "stacked"]


def flat_entries(options: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
    """Return the length of each option, and the entries of all one after the other.

    Examples
    --------
    >>> sizes, entries = flat_entries([(0, 2), (1,)])
    >>> sizes.tolist(), entries.tolist()
    ([2, 1], [0, 2, 1])
    """
    sizes = np.fromiter(map(len, options), np.int64, len(options))
    return sizes, np.fromiter(chain.from_iterable(options), np.uint32, int(sizes.sum()))


def finished_rows(rows: NDArray[np.int32], prefix: Sequence[int]) -> NDArray[np.int32]:
    """Return a copy without columns that no row uses, with the options of a prefix sorted in."""
    columns = range(rows.shape[1])
    width = bisect_left(columns, True, key=lambda column: not (rows[:, column] >= 0).any())
    rows = rows[:, :width].copy()
    if prefix:
        first = np.tile(np.array(prefix, np.int32), (len(rows), 1))
        rows = np.hstack([first, rows])
        rows.view(np.uint32).sort(axis=1)  # so that -1 comes last
    return rows


def rows_as_tuples(rows: NDArray[np.int32]) -> list[tuple[int, ...]]:
    """Return each row without its filling."""
    lengths = (rows >= 0).sum(axis=1).tolist()
    return [tuple(row[:length]) for row, length in zip(rows.tolist(), lengths, strict=True)]


def rows_of(solutions: Sequence[Sequence[int]]) -> NDArray[np.int32]:
    """Return solutions as rows, filled up with -1.

    Examples
    --------
    >>> rows_of([(0, 1), (2,)]).tolist()
    [[0, 1], [2, -1]]
    """
    rows = np.full((len(solutions), max(map(len, solutions), default=0)), -1, dtype=np.int32)
    for row, solution in zip(rows, solutions, strict=True):
        row[: len(solution)] = solution
    return rows


def stacked(blocks: Sequence[NDArray[np.int32]]) -> NDArray[np.int32]:
    """Return rows of several widths one under the other, filled up with -1."""
    width = max((block.shape[1] for block in blocks), default=0)
    rows = np.full((sum(map(len, blocks)), width), -1, dtype=np.int32)
    at = 0
    for block in blocks:
        rows[at : at + len(block), : block.shape[1]] = block
        at += len(block)
    return rows


def bytes_held(*owners: object) -> int:
    """Return the bytes of the arrays, and groups of arrays, that are attributes of the owners."""
    total = 0
    for owner in owners:
        for value in vars(owner).values():
            arrays = value if isinstance(value, tuple) else (value,)
            total += sum(array.nbytes for array in arrays if isinstance(array, np.ndarray))
    return total
