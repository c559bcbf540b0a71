"""An exact cover as a family: the same question for many rows of given options."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from gridkit.cover.matrix import Matrix
from gridkit.errors import InputError
from gridkit.reading import read_int
from gridkit.run import Limit, ProgressCallback, Run
from gridkit.run.work import call_name
from gridkit.value import Value

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import numpy as np
    from numpy.typing import ArrayLike, NDArray
else:
    from gridkit.hints import ArrayLike, Executor, NDArray, np  # loaded when asked for the hints

__all__ = ["ManyCovers", "read_given"]


class ManyCovers(Value):
    """What `ExactCover` answers for many rows at once."""

    @property
    def matrix(self) -> Matrix:
        """The problem in numbers, as the engines read it."""
        raise NotImplementedError

    def count_many(
        self,
        given: ArrayLike,
        *,
        at_most: int | None = None,
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
        executor: Executor | None = None,
        parts: int | None = None,
        resume: object = None,
    ) -> NDArray[np.int64]:
        """Count, for each row of options, the covers that hold all of them.

        Parameters
        ----------
        given : array_like
            Ints of shape (rows, width): option numbers, -1 for none.  Or bools of shape (rows,
            options): which options are given.
        at_most : int, optional
            Stop counting a row at so many.
        limit : Limit, optional
            A node is a row, or a choice in its search.
        progress : callable, optional
            Called with a `Progress`; ``found`` counts the rows answered.
        executor : concurrent.futures.Executor, optional
            Answers parts of the rows side by side; threads do.
        parts : int, optional
            Into how many parts to cut the rows.
        resume : object, optional
            The token of a `LimitReached` or `Interrupted` of the same call.

        Returns
        -------
        ndarray of int64, shape (rows,)

        Raises
        ------
        InputError
            For another shape or kind, or an option that does not exist: it names the row.
        LimitReached, Interrupted
            With the numbers so far in ``partial.value``.

        Notes
        -----
        The problem is laid out once.  Where each item is covered once and there are no colours, a
        kernel takes one row after the other: it chooses what is forced, then tries an item with
        the fewest options, with an option and without it.  Other problems are searched one by one.

        Examples
        --------
        >>> from gridkit import ExactCover
        >>> cover = ExactCover([[0, 1], [2, 3], [0, 2], [1, 3], [0], [1]])
        >>> cover.count_many([[-1], [0], [2], [3]]).tolist()
        [3, 1, 1, 1]
        """
        most = None if at_most is None else read_int(at_most, "count_many: at_most", least=1)
        with Run(
            limit=limit, progress=progress, executor=executor, parts=parts, resume=resume
        ) as run:
            numbers, _ = self._answered("count_many", given, most, False, run)
        return numbers

    def unique_many(
        self,
        given: ArrayLike,
        *,
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
        executor: Executor | None = None,
        parts: int | None = None,
        resume: object = None,
    ) -> NDArray[np.bool_]:
        """Whether, for each row of options, exactly one cover holds all of them.

        The parameters are those of `count_many`; a search stops at the second cover.  A call cut
        short has numbers of covers, up to 2, as its partial value.

        Examples
        --------
        >>> from gridkit import ExactCover
        >>> cover = ExactCover([[0, 1], [2, 3], [0, 2], [1, 3], [0], [1]])
        >>> cover.unique_many([[-1], [0]]).tolist()
        [False, True]
        """
        with Run(
            limit=limit, progress=progress, executor=executor, parts=parts, resume=resume
        ) as run:
            numbers, _ = self._answered("unique_many", given, 2, False, run)
        unique: NDArray[np.bool_] = numbers == 1
        return unique

    def first_many(
        self,
        given: ArrayLike,
        *,
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
        executor: Executor | None = None,
        parts: int | None = None,
        resume: object = None,
    ) -> NDArray[np.int32]:
        """Return, for each row of options, a cover that holds all of them.

        The parameters are those of `count_many`.  Of several covers it is the one that the search
        meets first: the same in every call, not always that of `first`.

        Returns
        -------
        ndarray of int32, shape (rows, longest)
            Increasing option numbers, -1 beyond the end of a cover; only -1 where there is none.

        Examples
        --------
        >>> from gridkit import ExactCover
        >>> cover = ExactCover([[0, 1], [2, 3], [0, 2], [1, 3], [0], [1]])
        >>> cover.first_many([[0], [4], [-1]]).tolist()
        [[0, 1, -1], [1, 4, 5], [0, 1, -1]]
        """
        with Run(
            limit=limit, progress=progress, executor=executor, parts=parts, resume=resume
        ) as run:
            _, covers = self._answered("first_many", given, 1, True, run)
        longest = int((covers >= 0).sum(axis=1).max(initial=0))
        return covers[:, :longest]

    def _answered(
        self,
        call: str,
        given: ArrayLike,
        most: int | None,
        first: bool,
        run: Run,
    ) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        from gridkit.cover.family.rows import answer_rows  # loads numba

        rows = read_given(given, len(self.matrix.options), call)
        digest = sha256(rows.tobytes()).hexdigest()
        name = call_name(f"ExactCover.{call}", self.matrix.fingerprint, most, digest)
        numbers, covers = answer_rows(self.matrix, rows, most, first, run, name)
        return numbers, _increasing(covers)


def read_given(given: ArrayLike, options: int, call: str) -> NDArray[np.int32]:
    """Return rows of options as an int32 array, -1 for none.

    Raises
    ------
    InputError
        For another shape or kind, or an option that does not exist.

    Examples
    --------
    >>> read_given([[True, False, True], [False, False, True]], 3, "").tolist()
    [[0, 2], [2, -1]]
    """
    import numpy as np  # late: models do not need it

    try:
        array = np.asarray(given)
    except (ValueError, TypeError, OverflowError) as error:
        raise InputError(f"{call}: expected rows of options, of one length: {error}") from None
    if array.ndim != 2:
        raise InputError(f"{call}: expected shape (rows, width), got {array.shape}")
    if array.dtype.kind == "b":
        if array.shape[1] != options:
            raise InputError(f"{call}: expected {options} flags a row, got {array.shape[1]}")
        order = np.argsort(~array, axis=1, kind="stable")
        width = int(array.sum(axis=1).max(initial=0))
        chosen = np.take_along_axis(array, order, axis=1)[:, :width]
        return np.ascontiguousarray(np.where(chosen, order[:, :width], -1), dtype=np.int32)
    if array.dtype.kind not in "iu" and array.size:
        raise InputError(f"{call}: expected integers or bools, got dtype {array.dtype}")
    wrong = (array < -1) | (array >= options)
    if wrong.any():
        row, place = (int(at) for at in np.argwhere(wrong)[0])
        raise InputError(
            f"{call}: row {row}: expected options from 0 to {options - 1}, or -1 for none,"
            f" got {array[row, place]}"
        )
    return np.ascontiguousarray(array, dtype=np.int32)


def _increasing(covers: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return each row's options in increasing order, -1 at the end."""
    import numpy as np  # late: models do not need it

    # As unsigned numbers -1 is the largest.
    return np.sort(covers.view(np.uint32), axis=1).view(np.int32)
