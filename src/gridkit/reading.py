"""Reading numbers, flags and cells from what a caller passes: the same rules everywhere.

An integer is whatever `operator.index` takes (an int, an integer of numpy) except a bool; a float
is refused even where it is whole.  A cell is a tuple, a list or a row of an array.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable

from gridkit.errors import InputError

__all__ = ["MOST_CELLS", "check_size", "read_bool", "read_cell", "read_cells", "read_int"]

MOST_CELLS = 10_000_000
"""The most cells that a board, a box or another grid may have (some gigabytes)."""

_INT = {int}


def read_int(
    value: object, what: str, least: int | None = None, greatest: int | None = None
) -> int:
    """Return an integer as a Python int.

    Parameters
    ----------
    value : object
        What the caller passed.
    what : str
        What it is, the start of the message: ``"Board: rows"``.
    least, greatest : int, optional
        The range it must lie in.

    Raises
    ------
    InputError
        For another kind of value, or one out of range.

    Examples
    --------
    >>> read_int(3, "Board: rows", least=1)
    3
    >>> read_int(3.0, "Board: rows", least=1)
    Traceback (most recent call last):
    gridkit.errors.InputError: Board: rows must be an int >= 1, got 3.0 (a float)
    """
    if type(value) is int:
        number = value
    else:
        if isinstance(value, bool):
            raise InputError(f"{what} must be {_kind(least, greatest)}, got {value!r} (a bool)")
        try:
            number = operator.index(value)  # type: ignore[arg-type]  # TypeError: no integer
        except TypeError:
            got = f"{value!r} (a float)" if isinstance(value, float) else f"{value!r}"
            raise InputError(f"{what} must be {_kind(least, greatest)}, got {got}") from None
    if (least is not None and number < least) or (greatest is not None and number > greatest):
        raise InputError(f"{what} must be {_kind(least, greatest)}, got {number}")
    return number


def _kind(least: int | None, greatest: int | None) -> str:
    if least is None:
        return "an int" if greatest is None else f"an int <= {greatest}"
    return f"an int >= {least}" if greatest is None else f"an int from {least} to {greatest}"


def read_bool(value: object, what: str) -> bool:
    """Return True or False (also of numpy).

    Raises
    ------
    InputError
        For another kind of value, 0 and 1 among them.

    Examples
    --------
    >>> read_bool(1, "Tiling: reflect")
    Traceback (most recent call last):
    gridkit.errors.InputError: Tiling: reflect must be True or False, got 1
    """
    if isinstance(value, bool):
        return value
    kind = type(value)
    if kind.__module__ == "numpy" and kind.__name__ in ("bool", "bool_"):
        return bool(value)
    raise InputError(f"{what} must be True or False, got {value!r}")


def read_cell(cell: object, what: str, axes: tuple[str, ...] = ("row", "col")) -> tuple[int, ...]:
    """Return a cell as a tuple of ints.

    Parameters
    ----------
    cell : object
        A tuple, a list or an array of as many integers as there are axes.
    what : str
        The start of the message: ``"Board"``.
    axes : tuple of str
        The names of the coordinates.

    Raises
    ------
    InputError
        For another kind of value; a cell out of range is the caller's business.

    Examples
    --------
    >>> read_cell([2, 3], "Board")
    (2, 3)
    >>> read_cell((2, "a"), "Board")
    Traceback (most recent call last):
    gridkit.errors.InputError: Board: expected a cell as (row, col) of ints, got (2, 'a')
    """
    if isinstance(cell, tuple | list) or (hasattr(cell, "tobytes") and isinstance(cell, Iterable)):
        parts = tuple(cell)
        if len(parts) == len(axes):
            kinds = set(map(type, parts))
            if kinds == _INT:
                return parts
            if bool not in kinds and all(hasattr(part, "__index__") for part in parts):
                return tuple(map(operator.index, parts))
    raise InputError(f"{what}: expected a cell as ({', '.join(axes)}) of ints, got {cell!r}")


def read_cells(
    cells: object, what: str, axes: tuple[str, ...] = ("row", "col")
) -> list[tuple[int, ...]]:
    """Return cells, given as any iterable (an array of one cell a row among them).

    Raises
    ------
    InputError
        Where `cells` is no iterable of cells.

    Examples
    --------
    >>> read_cells([(0, 1), [2, 3]], "Board")
    [(0, 1), (2, 3)]
    """
    if not isinstance(cells, Iterable) or isinstance(cells, str | bytes):
        raise InputError(f"{what}: expected cells as ({', '.join(axes)}), got {cells!r}")
    return [read_cell(cell, what, axes) for cell in cells]


def check_size(what: str, *sides: int) -> None:
    """Refuse a grid of more than `MOST_CELLS` cells, before memory is taken for it.

    Raises
    ------
    InputError
        Where the product of the sides is too large.

    Examples
    --------
    >>> check_size("Board", 100_000, 100_000)
    Traceback (most recent call last):
    gridkit.errors.InputError: Board: 100000 x 100000 cells are more than the 10000000 that fit
    """
    cells = 1
    for side in sides:
        cells *= side
    if cells > MOST_CELLS:
        size = " x ".join(map(str, sides))
        raise InputError(f"{what}: {size} cells are more than the {MOST_CELLS} that fit")
