"""Backtracking over exact covers: which engine, in what parts, with what token.

The engines "plain", "bitset" and "sparse" walk the same tree in the same order, so a search is
handed from one to another by its path alone, and a token is a few small numbers.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from gridkit.cover.matrix import Matrix
from gridkit.cover.plain import PlainSearch
from gridkit.errors import InputError, UnsupportedError
from gridkit.run.control import Limit, ProgressCallback, drive

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["METHODS", "Counting", "Token", "count", "count_subtree", "solutions", "split"]

METHODS = ("auto", "plain", "bitset", "sparse")
Prefix = tuple[int, ...]

# About what importing numba costs (0.3 s), in steps of the plain engine: item tests of 512 options.
_PLAIN_STEPS = 1_000_000
_PLAIN_STEPS_WHEN_LOADED = 20_000
# Conflict bitsets take options * options / 8 bytes: 8 MB here; above, linked structures win.
_BITSET_OPTIONS = 8_000


class Engine(Protocol):
    """A depth-first search of one subtree (see `PlainSearch`, which documents the order)."""

    nodes: int
    found: int
    solutions: list[tuple[int, ...]]

    def advance(self, budget: int, wanted: int | None = None) -> bool:
        """Visit up to `budget` nodes, or until `wanted` solutions are kept; True at the end."""

    def path(self) -> tuple[int, ...]:
        """Return the option chosen at each level below the prefix."""

    def fraction(self) -> float:
        """Estimate the part done."""

    def memory(self) -> int:
        """Bytes held."""


@dataclass(frozen=True, slots=True)
class Token:
    """Where a search stands; picklable."""

    fingerprint: str
    kind: str
    position: int
    path: tuple[int, ...]
    total: int
    found: int
    nodes: int


def check_method(method: str, known: Sequence[str] = METHODS) -> None:
    """Refuse the name of a method that does not exist."""
    if method not in known:
        raise InputError(f"method must be one of {', '.join(known)}, got {method!r}")


class Walk:
    """A search of one subtree that begins on Python ints and goes on compiled when it is long."""

    def __init__(
        self,
        matrix: Matrix,
        method: str = "auto",
        prefix: Prefix = (),
        path: tuple[int, ...] = (),
        *,
        keep: bool = False,
    ) -> None:
        self._matrix, self._prefix, self._keep = matrix, prefix, keep
        self._compiled = _compiled_method(matrix) if method == "auto" else method
        self._allowance: int | None = None
        first = method
        if method == "auto":
            self._allowance = _plain_allowance(matrix)
            first = "plain" if self._allowance > 0 else self._compiled
        self._engine = _start(first, matrix, prefix, path, keep=keep)
        self._nodes = self._found = 0

    @property
    def nodes(self) -> int:
        """Nodes visited."""
        return self._nodes + self._engine.nodes

    @property
    def found(self) -> int:
        """Solutions found."""
        return self._found + self._engine.found

    @property
    def solutions(self) -> list[tuple[int, ...]]:
        """Solutions kept and not yet taken away."""
        return self._engine.solutions

    def path(self) -> tuple[int, ...]:
        """Return the option chosen at each level below the prefix."""
        return self._engine.path()

    def fraction(self) -> float:
        """Estimate the part done."""
        return self._engine.fraction()

    def memory(self) -> int:
        """Bytes held."""
        return self._engine.memory()

    def advance(self, budget: int, wanted: int | None = None) -> bool:
        """Visit up to `budget` nodes, or until `wanted` solutions are kept; True at the end."""
        if self._allowance is None:
            return self._engine.advance(budget, wanted)
        spend = min(budget, self._allowance)
        before = self._engine.nodes
        if self._engine.advance(spend, wanted):
            return True
        self._allowance -= self._engine.nodes - before
        if self._allowance <= 0:
            self._hand_over()
        return False

    def _hand_over(self) -> None:
        plain = self._engine
        self._nodes, self._found, self._allowance = plain.nodes, plain.found, None
        self._engine = _start(
            self._compiled, self._matrix, self._prefix, plain.path(), keep=self._keep
        )
        self._engine.solutions = plain.solutions


def _compiled_method(matrix: Matrix) -> str:
    return "bitset" if len(matrix.options) <= _BITSET_OPTIONS else "sparse"


def _plain_allowance(matrix: Matrix) -> int:
    """Return how many nodes the plain engine may visit before a compiled one takes over."""
    steps = matrix.items * (1 + len(matrix.options) // 512)
    if steps > 4_000_000:
        return 0
    loaded = f"gridkit.cover.kernels.{_compiled_method(matrix)}" in sys.modules
    return (_PLAIN_STEPS_WHEN_LOADED if loaded else _PLAIN_STEPS) // max(steps, 1) + 10


def _start(
    method: str, matrix: Matrix, prefix: Prefix, path: tuple[int, ...], *, keep: bool
) -> Engine:
    if method == "bitset":
        from gridkit.cover.bitset import BitsetSearch

        return BitsetSearch(matrix, prefix, path, keep=keep)
    if method == "sparse":
        from gridkit.cover.sparse import SparseSearch

        return SparseSearch(matrix, prefix, path, keep=keep)
    return PlainSearch(matrix, prefix, path, keep=keep)


class Counting:
    """Counts the solutions below the roots of a problem; a `Resumable`."""

    def __init__(
        self,
        matrix: Matrix,
        method: str = "auto",
        resume: object = None,
        start: Callable[[Prefix, tuple[int, ...]], Engine] | None = None,
        kind: str = "count",
    ) -> None:
        self._matrix, self._kind = matrix, kind
        self._start = start or (lambda prefix, path: Walk(matrix, method, prefix, path))
        self._roots = roots(matrix)
        self._position = self._total = self._before = self._earlier_nodes = 0
        path: tuple[int, ...] = ()
        if resume is not None:
            token = _checked_token(resume, matrix, kind)
            self._position, self._total = token.position, token.total
            self._before, self._earlier_nodes = token.found, token.nodes
            path = token.path
        self._engine = self._start(self._roots[self._position][0], path) if self._roots else None

    @property
    def nodes(self) -> int:
        """Nodes spent so far."""
        return self._earlier_nodes + (self._engine.nodes if self._engine else 0)

    @property
    def found(self) -> int:
        """Solutions found so far."""
        if self._engine is None:
            return self._total
        return self._total + self._roots[self._position][1] * (self._before + self._engine.found)

    def value(self) -> int:
        """Return the lower bound of the count."""
        return self.found

    def fraction(self) -> float:
        """Estimate the part done."""
        part = self._engine.fraction() if self._engine else 1.0
        return (self._position + part) / max(len(self._roots), 1)

    def memory(self) -> int:
        """Bytes held."""
        return self._engine.memory() if self._engine else 0

    def advance(self, budget: int) -> bool:
        """Visit up to `budget` nodes."""
        while self._engine is not None and budget > 0:
            before = self._engine.nodes
            done = self._engine.advance(budget)
            budget -= self._engine.nodes - before
            if not done:
                return False
            self._total = self.found
            self._earlier_nodes = self.nodes
            self._before, self._engine = 0, None
            self._position += 1
            if self._position < len(self._roots):
                self._engine = self._start(self._roots[self._position][0], ())
        return self._engine is None

    def token(self) -> Token:
        """Return what ``resume=`` needs."""
        found = self._before + (self._engine.found if self._engine else 0)
        path = self._engine.path() if self._engine else ()
        print_ = self._matrix.fingerprint()
        return Token(print_, self._kind, self._position, path, self._total, found, self.nodes)


def roots(matrix: Matrix) -> list[tuple[Prefix, int]]:
    """Return the subtrees that make up the search, each with what a solution in it counts."""
    if matrix.roots is None:
        return [((), 1)]
    return [((option,), weight) for option, weight in matrix.roots]


def _checked_token(token: object, matrix: Matrix, kind: str) -> Token:
    if not isinstance(token, Token) or token.kind != kind:
        raise InputError("resume: expected the token of a LimitReached raised by the same call")
    if token.fingerprint != matrix.fingerprint():
        raise InputError("resume: the token belongs to another problem")
    return token


def count(
    matrix: Matrix,
    *,
    method: str = "auto",
    orbits_under: Sequence[Sequence[int]] | None = None,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
    executor: Executor | None = None,
    parts: int | None = None,
    checkpoint: str | Path | None = None,
    resume: object = None,
) -> int:
    """Count the solutions, or their orbits under permutations of the options."""
    check_method(method)
    if orbits_under is not None:
        raise UnsupportedError("orbits")
    work = Counting(matrix, method, resume)
    drive(work, limit=limit, progress=progress)
    return work.value()


def solutions(
    matrix: Matrix,
    *,
    method: str = "auto",
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
    resume: object = None,
) -> Iterator[tuple[int, ...]]:
    """Iterate over the solutions, each a tuple of increasing option numbers."""
    check_method(method)
    work = Listing(matrix, method, resume)
    return _listed(work, limit, progress)


class Listing:
    """Lists solutions, some at a time; a `Resumable` that is complete when it has found some."""

    def __init__(self, matrix: Matrix, method: str, resume: object = None) -> None:
        path: tuple[int, ...] = ()
        self._earlier = self._given = 0
        if resume is not None:
            token = _checked_token(resume, matrix, "solutions")
            path, self._given, self._earlier = token.path, token.found, token.nodes
        self._matrix = matrix
        self._walk = Walk(matrix, method, (), path, keep=True)
        self.exhausted = False
        self.wanted = 1

    @property
    def nodes(self) -> int:
        """Nodes spent so far."""
        return self._earlier + self._walk.nodes

    @property
    def found(self) -> int:
        """Solutions found so far."""
        return self._given + self._walk.found

    def value(self) -> int:
        """Return the number of solutions given."""
        return self.found

    def fraction(self) -> float:
        """Estimate the part done."""
        return self._walk.fraction()

    def memory(self) -> int:
        """Bytes held."""
        return self._walk.memory()

    def advance(self, budget: int) -> bool:
        """Search until some solutions are found."""
        self.exhausted = self._walk.advance(budget, self.wanted)
        return self.exhausted or bool(self._walk.solutions)

    def take(self) -> list[tuple[int, ...]]:
        """Return the solutions found since the last call."""
        taken = self._walk.solutions[:]
        self._walk.solutions.clear()
        return taken

    def token(self) -> Token:
        """Return what ``resume=`` needs."""
        print_ = self._matrix.fingerprint()
        return Token(print_, "solutions", 0, self._walk.path(), 0, self.found, self.nodes)


def _listed(
    work: Listing, limit: Limit | None, progress: ProgressCallback | None
) -> Iterator[tuple[int, ...]]:
    while not work.exhausted:
        drive(work, limit=limit, progress=progress)
        yield from work.take()
        work.wanted = min(2 * work.wanted, 1024)


def solutions_array(
    matrix: Matrix,
    most: int | None = None,
    *,
    method: str = "auto",
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
) -> NDArray[np.int32]:
    """Return solutions as rows of option numbers, -1 after the last."""
    import numpy as np

    rows = []
    for row in solutions(matrix, method=method, limit=limit, progress=progress):
        if most is not None and len(rows) >= most:
            break
        rows.append(row)
    width = max(map(len, rows), default=0)
    array = np.full((len(rows), width), -1, dtype=np.int32)
    for number, row in enumerate(rows):
        array[number, : len(row)] = row
    return array


def split(matrix: Matrix, parts: int) -> list[Prefix]:
    """Split the search into at least `parts` subtrees where it has so many."""
    raise NotImplementedError


def count_subtree(matrix: Matrix, prefix: Prefix, method: str = "auto") -> int:
    """Count the solutions in one subtree, weighted as the roots say."""
    raise NotImplementedError
