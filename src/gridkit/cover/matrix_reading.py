"""Reading 0-1 matrices, dense or sparse, into options."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from gridkit.errors import InputError
from gridkit.reading import read_int

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["options_of_matrix", "primary_columns"]


def options_of_matrix(matrix: ArrayLike) -> tuple[list[list[int]], int]:
    """Return the columns of the ones in each row, and the number of columns."""
    rows, columns, shape = _sparse(matrix) if hasattr(matrix, "tocoo") else _dense(matrix)
    sizes = np.bincount(rows, minlength=shape[0])
    empty = np.flatnonzero(sizes == 0)
    if shape[0] and len(empty):
        raise InputError(f"from_matrix: row {int(empty[0])} has no 1: it covers no item")
    bounds = np.cumsum(sizes).tolist()
    flat = columns.tolist()
    return [flat[end - size : end] for end, size in zip(bounds, sizes.tolist(), strict=True)], (
        shape[1]
    )


def primary_columns(columns: int, secondary: Iterable[int]) -> tuple[list[int], list[int]]:
    """Return the columns to be covered, and those that may stay uncovered."""
    optional = [
        read_int(column, "from_matrix: a secondary column", 0, columns - 1) for column in secondary
    ]
    return sorted(set(range(columns)).difference(optional)), optional


def _dense(matrix: ArrayLike) -> tuple[NDArray[np.intp], NDArray[np.intp], tuple[int, int]]:
    try:
        array = np.asarray(matrix)
    except ValueError:
        raise InputError("from_matrix: the rows differ in length") from None
    if array.ndim == 1 and array.size == 0:
        array = array.reshape(0, 0)
    if array.ndim != 2:
        raise InputError(f"from_matrix: expected 2 dimensions, got {array.ndim}")
    if array.dtype.kind not in "biuf":
        raise InputError(f"from_matrix: expected 0 and 1, got entries of dtype {array.dtype}")
    rows, columns = np.nonzero(array)
    _check_ones(array[rows, columns], rows, columns)
    return rows, columns, (array.shape[0], array.shape[1])


def _sparse(matrix: ArrayLike) -> tuple[NDArray[np.intp], NDArray[np.intp], tuple[int, int]]:
    coordinates = matrix.tocsr().tocoo()  # type: ignore[union-attr]  # any scipy sparse kind
    values = np.asarray(coordinates.data)
    if values.dtype.kind not in "biuf":
        raise InputError(f"from_matrix: expected 0 and 1, got entries of dtype {values.dtype}")
    nonzero = values != 0
    rows, columns = coordinates.row[nonzero], coordinates.col[nonzero]
    _check_ones(values[nonzero], rows, columns)
    order = np.lexsort((columns, rows))
    return rows[order], columns[order], coordinates.shape


def _check_ones(
    values: NDArray[np.generic], rows: NDArray[np.intp], columns: NDArray[np.intp]
) -> None:
    """Refuse the first entry that is neither 0 nor 1, of those that are not 0."""
    wrong = np.flatnonzero(values != 1)
    if len(wrong):
        at = int(wrong[0])
        raise InputError(
            f"from_matrix: expected 0 or 1 at row {rows[at]}, column {columns[at]}, "
            f"got {values[at].item()!r}"
        )
