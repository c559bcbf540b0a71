"""The steps of a plan, packed: twelve bytes a step, read without numpy."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from operator import sub
from typing import TYPE_CHECKING, Any, Literal

from gridkit.errors import InputError, naming_packages
from gridkit.run.limits import missing_packages

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray
else:
    from gridkit.hints import ArrayLike, NDArray, np

__all__ = ["METRICS", "PLURAL", "Metric", "Steps"]

Metric = Literal["step", "slide", "move", "push"]
METRICS: tuple[Metric, ...] = ("step", "slide", "move", "push")
PLURAL = {"step": "steps", "slide": "slides", "move": "moves", "push": "pushes"}

_SIZE = 3 * array("i").itemsize
_CHUNK = 4096
_MANY = 10_000
_EXPECTED = "steps: expected rows of three integers, shape (n, 3)"


class Steps:
    """Rows of three ints: block number, and the cells of its reference cell before and after.

    Immutable.

    Examples
    --------
    >>> steps = Steps.read([(0, 3, 4), (0, 4, 5)])
    >>> len(steps), steps[1:].tolist(), list(steps)
    (2, [[0, 4, 5]], [(0, 3, 4), (0, 4, 5)])
    """

    __slots__ = ("packed",)

    packed: bytes

    def __init__(self, packed: bytes) -> None:
        self.packed = packed

    @classmethod
    def read(cls, rows: ArrayLike | Steps) -> Steps:
        """Return steps from an array or from rows.

        Raises
        ------
        InputError
            For another shape, or what is no int of 32 bits.
        """
        if isinstance(rows, Steps):
            return rows
        if hasattr(rows, "__array__"):
            return cls(_of_array(rows))
        if not isinstance(rows, Iterable):
            raise InputError(f"{_EXPECTED}, got {type(rows).__name__}")
        listed: list[Any] = list(rows)
        if not {tuple, list} >= set(map(type, listed)) or {3} != {3, *map(len, listed)}:
            _check_rows(listed)
        try:
            return cls(array("i", chain.from_iterable(listed)).tobytes())
        except TypeError as error:
            raise InputError(f"steps: expected integers: {error}") from None
        except OverflowError:
            raise InputError("steps: expected integers of 32 bits") from None

    @property
    def array(self) -> NDArray[np.int32]:
        """The steps as a read-only array of shape (n, 3)."""
        with naming_packages():
            import numpy as np  # it takes long to load

        return np.frombuffer(self.packed, np.int32).reshape(-1, 3)

    def columns(self) -> tuple[list[int], list[int], list[int]]:
        """Return the blocks, the cells before, and the cells after."""
        flat = memoryview(self.packed).cast("i").tolist()
        return flat[::3], flat[1::3], flat[2::3]

    def begins(self, metric: Metric) -> list[int]:
        """Return the numbers of the steps that begin a move, as a metric counts them.

        Examples
        --------
        >>> steps = Steps.read([(0, 0, 1), (0, 1, 2), (0, 2, 5), (1, 4, 7)])
        >>> steps.begins("slide"), steps.begins("move"), steps.begins("push")
        ([0, 2, 3], [0, 3], [0, 2])
        """
        if metric == "step" or not len(self):
            return list(range(len(self)))
        if len(self) > _MANY and "numpy" not in missing_packages():
            return self._begins_of_many(metric)
        blocks, before, after = self.columns()
        ways = map(sub, after, before)
        key: Iterable[object] = blocks if metric == "move" else ways
        if metric == "slide":
            key = zip(blocks, ways, strict=True)
        changes = (one != two for one, two in pairwise(key))
        return [0, *(step for step, differs in enumerate(changes, 1) if differs)]

    def _begins_of_many(self, metric: Metric) -> list[int]:
        """Return what `begins` does, in a thirtieth of the time."""
        import numpy as np  # only for plans that only numpy makes

        steps = self.array
        blocks, ways = steps[:, 0], steps[:, 2] - steps[:, 1]
        changes = np.zeros(len(steps) - 1, np.bool_)
        if metric != "push":
            changes |= blocks[1:] != blocks[:-1]
        if metric != "move":
            changes |= ways[1:] != ways[:-1]
        return [0, *(np.flatnonzero(changes) + 1).tolist()]

    def reversed(self) -> Steps:
        """Return the steps back, the last one first."""
        blocks, before, after = (array("i", column[::-1]) for column in self.columns())
        flat = array("i", bytes(len(self.packed)))
        flat[::3], flat[1::3], flat[2::3] = blocks, after, before
        return Steps(flat.tobytes())

    def tolist(self) -> list[list[int]]:
        """Return the rows as lists."""
        return [list(row) for row in zip(*self.columns(), strict=True)]

    def __len__(self) -> int:
        return len(self.packed) // _SIZE

    def __getitem__(self, part: slice) -> Steps:
        first, last, _ = part.indices(len(self))
        return Steps(self.packed[first * _SIZE : last * _SIZE])

    def __iter__(self) -> Iterator[tuple[int, int, int]]:
        """Iterate over the rows, a few thousand in memory at a time."""
        for begin in range(0, len(self), _CHUNK):
            yield from zip(*self[begin : begin + _CHUNK].columns(), strict=True)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Steps) and self.packed == other.packed

    def __hash__(self) -> int:
        return hash(self.packed)


def _check_rows(rows: Sequence[Any]) -> None:
    for number, row in enumerate(rows):
        if isinstance(row, str) or not isinstance(row, Iterable) or len(tuple(row)) != 3:
            raise InputError(f"{_EXPECTED}, got {row!r:.60} in row {number}")


def _of_array(rows: ArrayLike) -> bytes:
    import numpy as np  # whoever has an array has loaded it

    values = np.asarray(rows)
    if not values.size:
        return b""
    if values.ndim != 2 or values.shape[1] != 3:
        raise InputError(f"{_EXPECTED}, got shape {values.shape}")
    if values.dtype.kind not in "iu":
        raise InputError(f"steps: expected integers, got dtype {values.dtype}")
    bounds = np.iinfo(np.int32)
    if not (bounds.min <= values.min() and values.max() <= bounds.max):
        raise InputError("steps: expected integers of 32 bits")
    return values.astype(np.int32, copy=False).tobytes()
