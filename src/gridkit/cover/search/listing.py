"""Listing the solutions of an exact cover, one by one or as an array."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from gridkit.cover.matrix import Matrix
from gridkit.cover.search.reduce import numbered_components
from gridkit.cover.search.relay import check_method
from gridkit.cover.search.restarts.legs import NEVER, Legs
from gridkit.cover.search.restarts.natural import Listing
from gridkit.errors import InputError
from gridkit.reading import read_int
from gridkit.run import Run, Work, call_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Seek", "seek", "solutions", "solutions_array"]

# Raised whenever a path comes to mean another place of the tree.
_ENGINE, _SEEK_ENGINE = "listing 2", "first 1"
# Nodes without a solution after which a problem is split into components, and searched from other
# beginnings.
_PATIENCE = 20_000


class Seek(Work):
    """A search for the first solutions, which has no partial result.

    It begins on the whole problem.  Where that finds nothing for a while, the problem is split
    into components without common items: a component without a solution settles it, and the first
    solutions of all components make the first one of the whole, since a choice in one component
    never changes what is chosen in another.  Whoever accepts any solution may have it looked for
    from shuffled beginnings too, from then on.

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
        Where to go on, from `token`: the number of the component (-1 for the whole), how many
        solutions were found in those before it and the first of each, the state within it, and
        the nodes in all.
    patience : int
        Nodes after which the problem is split.
    restart : bool
        Whether any solution will do, with `most` 1, rather than the first of the tree.

    Attributes
    ----------
    solutions : list of tuple of int
        Those of the whole met in this call; of components only the first.
    """

    def __init__(
        self,
        matrix: Matrix,
        method: str,
        most: int,
        run: Run,
        state: object = None,
        *,
        patience: int = _PATIENCE,
        restart: bool = False,
    ) -> None:
        self.solutions: list[tuple[int, ...]] = []
        self._matrix, self._method, self._run, self._most = matrix, method, run, most
        self._patience = patience
        self._leg_patience = patience if restart and most == 1 else NEVER
        self._at, self._nodes_earlier = -1, 0
        self._numbers: list[int] = []  # of solutions, of the components that are done
        self._firsts: list[tuple[int, ...]] = []
        inner: object = None
        if state is not None:
            if not isinstance(state, tuple) or len(state) != 5:
                raise InputError("resume: the token is damaged")
            self._at, numbers, firsts, inner, self._nodes_earlier = state
            self._numbers, self._firsts = list(numbers), list(firsts)
        self._parts: list[tuple[Matrix, Sequence[int]]] = []
        if self._at >= 0:
            self._parts = numbered_components(matrix, (), run)
            matrix = self._parts[min(self._at, len(self._parts) - 1)][0]
            if self._at >= len(self._parts):
                self._finish()
        self._listing = self._legs(matrix, inner)
        self._nodes_earlier -= self._listing.nodes if state is not None else 0

    def _legs(self, matrix: Matrix, state: object = None) -> Legs:
        patience = self._leg_patience
        return Legs(matrix, self._method, self._run.tier, state, patience=patience)

    @property
    def nodes(self) -> int:
        """Nodes spent so far."""
        return self._nodes_earlier + self._listing.nodes

    @property
    def found(self) -> int:
        """Solutions found so far, as far as they matter; of components when all are done."""
        if self._at < 0:
            return self._listing.found
        if self._at < len(self._parts):
            return 0
        return min(self._most, math.prod(self._numbers))

    def fraction(self) -> float:
        """Estimate the part done."""
        if self._at < 0:
            return self._listing.fraction()
        return (self._at + self._listing.fraction()) / len(self._parts)

    def memory(self) -> int:
        """Bytes held."""
        return self._listing.memory()

    def token(self) -> tuple[object, ...]:
        """Return the state to continue from."""
        numbers, firsts = tuple(self._numbers), tuple(self._firsts)
        return self._at, numbers, firsts, self._listing.token(), self.nodes

    def advance(self, budget: int) -> bool:
        """Search on until the budget is spent or solutions enough are there."""
        if self._at >= 0:
            return self._advance_component(budget)
        if self.found >= self._most or self._listing.done:
            return True
        if not self.found and self.nodes >= self._patience and self._matrix.plain:
            self._patience = NEVER
            self._parts = numbered_components(self._matrix, (), self._run)
            if len(self._parts) > 1:
                self._begin(0)
                return False
        if self.nodes < self._patience:  # split at that very node, however chunks are cut
            budget = min(budget, self._patience - self.nodes)
        done = self._listing.advance(budget)
        self.solutions += self._listing.take()
        return done or self.found >= self._most

    def _begin(self, at: int) -> None:
        """Go on to a component."""
        self._nodes_earlier, self._at = self.nodes, at
        self._listing = self._legs(self._parts[at][0])

    def _advance_component(self, budget: int) -> bool:
        if self._at >= len(self._parts):
            return True
        done = self._listing.advance(budget)
        for solution in self._listing.take():
            if len(self._firsts) == self._at:
                options = self._parts[self._at][1]
                self._firsts.append(tuple(options[option] for option in solution))
        number = self._listing.found
        if not done and number < self._most:
            return False
        self._numbers.append(min(number, self._most))
        if number and self._at + 1 < len(self._parts):
            self._begin(self._at + 1)
            return False
        self._at = len(self._parts)
        self._finish()
        return True

    def _finish(self) -> None:
        """Put the first solutions of all components together, where all have one."""
        if all(self._numbers):
            self.solutions.append(tuple(sorted(chain.from_iterable(self._firsts))))


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
        self._listing = Listing(matrix, method, run.tier, inner)
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
        """Return the state to continue from: that of the listing, and the rows."""
        return self._listing.token(), self.value()


def solutions(
    matrix: Matrix, run: Run, *, method: str = "auto", call: str = "solutions"
) -> Iterator[tuple[int, ...]]:
    """Iterate over the solutions, each a tuple of increasing option numbers."""
    check_method(method)
    work = Listing(matrix, method, run.tier, _resumed(matrix, run, call))
    return run.drive_found(work, work.search.take)


def seek(
    matrix: Matrix,
    most: int,
    run: Run,
    *,
    method: str = "auto",
    call: str = "first",
    restart: bool = False,
) -> Seek:
    """Return the search for the first `most` solutions, not begun yet or as its token says."""
    check_method(method)
    state = _resumed(matrix, run, call, engine=_SEEK_ENGINE)
    return Seek(matrix, method, most, run, state, restart=restart)


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


def _resumed(matrix: Matrix, run: Run, call: str, *facts: object, engine: str = _ENGINE) -> object:
    return run.resumed(lambda: call_name(call, matrix.fingerprint, *facts), engine)
