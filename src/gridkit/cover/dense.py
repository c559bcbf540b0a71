"""Reading 0-1 matrices, dense or sparse, into options."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gridkit.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["options_of_matrix"]


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
    ones = array == 1
    wrong = np.argwhere(~ones & (array != 0))
    if len(wrong):
        row, column = wrong[0].tolist()
        raise InputError(
            f"from_matrix: expected 0 or 1 at row {row}, column {column}, "
            f"got {array[row, column].item()!r}"
        )
    rows, columns = np.nonzero(ones)
    return rows, columns, (array.shape[0], array.shape[1])


def _sparse(matrix: ArrayLike) -> tuple[NDArray[np.intp], NDArray[np.intp], tuple[int, int]]:
    coordinates = matrix.tocsr().tocoo()  # type: ignore[union-attr]  # any scipy sparse kind
    values = np.asarray(coordinates.data)
    if values.dtype.kind not in "biuf":
        raise InputError(f"from_matrix: expected 0 and 1, got entries of dtype {values.dtype}")
    kept = values != 0
    rows, columns = coordinates.row[kept], coordinates.col[kept]
    wrong = np.flatnonzero(values[kept] != 1)
    if len(wrong):
        at = int(wrong[0])
        raise InputError(
            f"from_matrix: expected 0 or 1 at row {rows[at]}, column {columns[at]}, "
            f"got {values[kept][at].item()!r}"
        )
    order = np.lexsort((columns, rows))
    return rows[order], columns[order], coordinates.shape
