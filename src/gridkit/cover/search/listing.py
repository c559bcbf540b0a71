"""Listing the solutions of an exact cover, one by one or as an array."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gridkit.cover.matrix import Matrix
from gridkit.cover.search.relay import Relay, check_method, plain_allowance
from gridkit.errors import InputError
from gridkit.reading import read_int
from gridkit.run import Run, Work, call_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Seek", "seek", "solutions", "solutions_array"]

# Raised whenever a path comes to mean another place of the tree.
_ENGINE = "listing 2"
_MOST_AT_ONCE = 4096


class _Listing(Work):
    """Lists solutions: more and more at a time, so that the first comes at once."""

    def __init__(self, matrix: Matrix, method: str, run: Run, state: object) -> None:
        path: tuple[int, ...] = ()
        self._given_earlier = self._nodes_earlier = 0
        if state is not None:
            path, self._given_earlier, self._nodes_earlier = _read(state)
        allowance = plain_allowance(matrix, run.tier)
        self.search = Relay(matrix, method, (), path, keep=True, allowance=allowance)
        self._most = 1

    @property
    def nodes(self) -> int:
        """Nodes spent so far."""
        return self._nodes_earlier + self.search.nodes

    @property
    def found(self) -> int:
        """Solutions found so far."""
        return self._given_earlier + self.search.found

    def value(self) -> int:
        """Return how many solutions were given."""
        return self.found

    def fraction(self) -> float:
        """Estimate the part done."""
        return self.search.fraction()

    def memory(self) -> int:
        """Bytes held."""
        return self.search.memory()

    def advance(self, budget: int) -> bool:
        """Search on until the budget is spent or some solutions wait to be taken."""
        before = self.search.found
        done = self.search.advance(budget, self._most)
        if self.search.found > before:
            self._most = min(4 * self._most, _MOST_AT_ONCE)
        return done

    def token(self) -> tuple[object, ...]:
        """Return where the search stands, and what it gave and spent."""
        return self.search.path(), self.found, self.nodes


class Seek(Work):
    """A search that ends at the first solutions; it has no partial result.

    Parameters
    ----------
    matrix : Matrix
        The problem.
    method : str
        The engine.
    most : int
        How many solutions end it, those before the state included.
    run : Run
        The call.
    state : tuple, optional
        Where to go on.

    Attributes
    ----------
    solutions : list of tuple of int
        Those met in this call.
    """

    def __init__(
        self, matrix: Matrix, method: str, most: int, run: Run, state: object = None
    ) -> None:
        self.solutions: list[tuple[int, ...]] = []
        self._listing = _Listing(matrix, method, run, state)
        self._most = most

    @property
    def nodes(self) -> int:
        """Nodes spent so far."""
        return self._listing.nodes

    @property
    def found(self) -> int:
        """Solutions found so far."""
        return self._listing.found

    def fraction(self) -> float:
        """Estimate the part done."""
        return self._listing.fraction()

    def memory(self) -> int:
        """Bytes held."""
        return self._listing.memory()

    def token(self) -> tuple[object, ...]:
        """Return where the search stands, and what it gave and spent."""
        return self._listing.token()

    def advance(self, budget: int) -> bool:
        """Search on until the budget is spent or solutions enough are there."""
        if self.found >= self._most:
            return True
        done = self._listing.advance(budget)
        self.solutions += self._listing.search.take()
        return done or self.found >= self._most


class _Rows(Work):
    """Lists solutions into an array, up to `most` of them."""

    def __init__(
        self, matrix: Matrix, method: str, most: int | None, run: Run, state: object
    ) -> None:
        self._blocks: list[NDArray[np.int32]] = []
        inner = None
        if state is not None:
            if not isinstance(state, tuple) or len(state) != 2:
                raise InputError("resume: the token is damaged")
            inner, rows = state
            self._blocks = [rows]
        self._listing = _Listing(matrix, method, run, inner)
        self._most = most

    @property
    def nodes(self) -> int:
        """Nodes spent so far."""
        return self._listing.nodes

    @property
    def found(self) -> int:
        """Solutions found so far."""
        return sum(map(len, self._blocks))

    def value(self) -> NDArray[np.int32]:
        """Return the rows found."""
        from gridkit.cover.search.arrays import stacked  # loads numpy

        rows = stacked(self._blocks)
        return rows if self._most is None else rows[: self._most]

    def fraction(self) -> float:
        """Estimate the part done."""
        return self._listing.fraction()

    def memory(self) -> int:
        """Bytes held."""
        return self._listing.memory() + sum(block.nbytes for block in self._blocks)

    def advance(self, budget: int) -> bool:
        """Search on until the budget is spent or some solutions were found."""
        if self._most is not None and self.found >= self._most:
            return True
        done = self._listing.advance(budget)
        self._blocks.append(self._listing.search.take_array())
        return done or (self._most is not None and self.found >= self._most)

    def token(self) -> tuple[object, ...]:
        """Return where the search stands, and the rows."""
        return self._listing.token(), self.value()


def _read(state: object) -> tuple[tuple[int, ...], int, int]:
    if not isinstance(state, tuple) or len(state) != 3:
        raise InputError("resume: the token is damaged")
    return state


def solutions(
    matrix: Matrix, run: Run, *, method: str = "auto", call: str = "solutions"
) -> Iterator[tuple[int, ...]]:
    """Iterate over the solutions, each a tuple of increasing option numbers."""
    check_method(method)
    work = _Listing(matrix, method, run, _resumed(matrix, run, call))
    return run.drive_found(work, work.search.take)


def seek(matrix: Matrix, most: int, run: Run, *, method: str = "auto", call: str = "first") -> Seek:
    """Return the search for the first `most` solutions, not begun yet or as its token says."""
    check_method(method)
    return Seek(matrix, method, most, run, _resumed(matrix, run, call))


def solutions_array(
    matrix: Matrix, most: int | None, run: Run, *, method: str = "auto"
) -> NDArray[np.int32]:
    """Return solutions as rows of increasing option numbers, then -1."""
    if most is not None:
        most = read_int(most, "solutions_array: most", 0)
    check_method(method)
    state = _resumed(matrix, run, "ExactCover.solutions_array", most)
    work = _Rows(matrix, method, most, run, state)
    run.drive(work)
    return work.value()


def _resumed(matrix: Matrix, run: Run, call: str, *facts: object) -> object:
    return run.resumed(call_name(call, matrix.fingerprint, *facts), _ENGINE)
