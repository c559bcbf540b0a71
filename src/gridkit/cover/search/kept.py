"""What a compiled engine keeps: solutions, as rows filled up with -1, and bytes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["bytes_held", "finished_rows", "rows_as_tuples"]


def finished_rows(rows: NDArray[np.int32], taken: Sequence[int]) -> NDArray[np.int32]:
    """Return a copy without columns that no row uses, with the options taken before sorted in."""
    columns = range(rows.shape[1])
    width = bisect_left(columns, True, key=lambda column: not (rows[:, column] >= 0).any())
    rows = rows[:, :width].copy()
    if taken:
        first = np.tile(np.array(taken, np.int32), (len(rows), 1))
        rows = np.hstack([first, rows])
        rows.view(np.uint32).sort(axis=1)  # so that -1 comes last
    return rows


def rows_as_tuples(rows: NDArray[np.int32]) -> list[tuple[int, ...]]:
    """Return each row without its filling."""
    lengths = (rows >= 0).sum(axis=1).tolist()
    return [tuple(row[:length]) for row, length in zip(rows.tolist(), lengths, strict=True)]


def bytes_held(*owners: object) -> int:
    """Return the bytes of the arrays that are attributes of the owners."""
    values = (value for owner in owners for value in vars(owner).values())
    return sum(value.nbytes for value in values if isinstance(value, np.ndarray))
