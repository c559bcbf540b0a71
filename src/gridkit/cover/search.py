"""Backtracking over exact covers: tasks, engines, limits, tokens, parts.

The engines "plain", "bitset" and "sparse" walk the same tree in the same order, so a search is
handed from one to another by its path alone, and a token is a few small numbers.
"""

from __future__ import annotations

import heapq
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, NamedTuple, Protocol

from gridkit.cover.instance import Instance
from gridkit.cover.matrix import Matrix
from gridkit.cover.plain import PlainSearch
from gridkit.errors import InputError
from gridkit.run.control import Limit, ProgressCallback, drive, drive_found

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "METHODS",
    "Counting",
    "Engine",
    "Prefix",
    "Task",
    "Token",
    "check_method",
    "count_subtree",
    "solutions",
    "solutions_array",
    "split",
]

METHODS = ("auto", "plain", "bitset", "sparse")
Prefix = tuple[int, ...]

# What the plain engine may spend before a compiled one takes over, in item tests of 512 options:
# about what importing numba costs (0.3 s), or a few milliseconds when that is done.
_PLAIN_STEPS, _PLAIN_STEPS_WHEN_LOADED = 1_000_000, 20_000
_LEAST_ALLOWANCE = 20  # fewer are not worth setting up
# Above so many options most of them are dead nearly everywhere, and linked structures win.
_BITSET_OPTIONS = 8_000
# Random descents that estimate the size of a subtree: fewer leave a heavy one unsplit now and then.
_DESCENTS = 20


class Engine(Protocol):
    """A depth-first search of one subtree (`PlainSearch` documents the order)."""

    @property
    def nodes(self) -> int:
        """Nodes visited."""

    @property
    def found(self) -> int:
        """Solutions found."""

    def advance(self, budget: int, wanted: int | None = None) -> bool:
        """Visit up to `budget` nodes, or until `wanted` solutions are kept; True at the end."""

    def path(self) -> tuple[int, ...]:
        """Return the option chosen at each level below the prefix."""

    def fraction(self) -> float:
        """Estimate the part done."""

    def memory(self) -> int:
        """Bytes held."""


class KeepingEngine(Engine, Protocol):
    """An engine that can hand out solutions."""

    def take(self) -> list[tuple[int, ...]]:
        """Return the solutions kept since the last call."""


@dataclass(frozen=True)
class Task:
    """A search to be made: the problem, the engine and the subtrees; small and picklable.

    Attributes
    ----------
    matrix : Matrix
        The problem.
    method : str
        "auto", or the engine.
    instance : Instance, optional
        The same problem as a tiling, for the "masks" engine.
    roots : tuple of (prefix, weight)
        The subtrees to search, and what a solution in each counts: a prefix takes option o, or
        rules it out where it says ``~o``.
    """

    matrix: Matrix
    method: str = "auto"
    instance: Instance | None = None
    roots: tuple[tuple[Prefix, int], ...] = (((), 1),)

    @cached_property
    def fingerprint(self) -> str:
        """A digest that tells searches apart."""
        tree = "cells" if self.method == "masks" else "items"
        return f"{self.matrix.fingerprint()}-{hash_of(self.roots)}-{tree}"

    def start(
        self, prefix: Prefix, path: tuple[int, ...] = (), allowance: Allowance | None = None
    ) -> Engine:
        """Return an engine that counts a subtree, from a path on."""
        if self.method == "masks" and self.instance is not None:
            from gridkit.cover.masks import MasksSearch

            return MasksSearch(self.instance, prefix, path)
        return Walk(self.matrix, self.method, prefix, path, allowance=allowance)

    def weight(self, prefix: Prefix) -> int:
        """Return what a solution below a prefix counts."""
        for root, weight in self.roots:
            if prefix[: len(root)] == root:
                return weight
        raise InputError(f"the prefix {prefix} lies in no subtree of this search")


def hash_of(value: object) -> str:
    """Return a short digest of a value's repr."""
    import hashlib

    return hashlib.sha256(repr(value).encode()).hexdigest()[:16]


class Token(NamedTuple):
    """Where a search stands; a plain tuple of numbers and words.

    Attributes
    ----------
    fingerprint : str
        Of the task it belongs to.
    kind : str
        Of the call.
    root : int
        Number of the subtree.
    path : tuple of int
        Options chosen below it.
    total, found, nodes : int
        Counted in earlier subtrees (weighted), found in this one, nodes in all.
    """

    fingerprint: str
    kind: str
    root: int
    path: tuple[int, ...]
    total: int
    found: int
    nodes: int


def check_method(method: str, known: Sequence[str] = METHODS) -> None:
    """Refuse the name of a method that does not exist."""
    if method not in known:
        raise InputError(f"method must be one of {', '.join(known)}, got {method!r}")


class Allowance:
    """How many nodes the plain engine may still visit before a compiled one takes over."""

    def __init__(self, nodes: int) -> None:
        self.left = nodes


class Walk:
    """A search that begins on Python ints and goes on compiled when it turns out long."""

    def __init__(
        self,
        matrix: Matrix,
        method: str = "auto",
        prefix: Prefix = (),
        path: tuple[int, ...] = (),
        *,
        keep: bool = False,
        allowance: Allowance | None = None,
    ) -> None:
        self._matrix, self._prefix, self._keep = matrix, prefix, keep
        self._allowance: Allowance | None = None
        if method == "auto":
            self._allowance = allowance or plain_allowance(matrix)
            method = "plain" if self._allowance.left > 0 else compiled_method(matrix)
        self._engine = _start(method, matrix, prefix, path, keep=keep)
        self._earlier: list[tuple[int, ...]] = []
        self._nodes = self._found = 0

    @property
    def nodes(self) -> int:
        """Nodes visited."""
        return self._nodes + self._engine.nodes

    @property
    def found(self) -> int:
        """Solutions found."""
        return self._found + self._engine.found

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
        allowance = self._allowance
        if allowance is None or allowance.left <= 0:
            return self._engine.advance(budget, wanted)
        before = self._engine.nodes
        done = self._engine.advance(min(budget, allowance.left), wanted)
        allowance.left -= self._engine.nodes - before
        if not done and allowance.left <= 0:
            self._hand_over()
        return done

    def take(self) -> list[tuple[int, ...]]:
        """Return the solutions kept since the last call."""
        taken, self._earlier = self._earlier + self._engine.take(), []
        return taken

    def take_array(self) -> NDArray[np.int32]:
        """Return the same as rows, each in any order and filled up with -1."""
        import numpy as np

        if not self._earlier and not isinstance(self._engine, PlainSearch):
            rows: NDArray[np.int32] = self._engine.take_array()  # type: ignore[attr-defined]  # compiled engines have it
            return rows
        taken = self.take()
        rows = np.full((len(taken), max(map(len, taken), default=0)), -1, dtype=np.int32)
        for row, solution in zip(rows, taken, strict=True):
            row[: len(solution)] = solution
        return rows

    def _hand_over(self) -> None:
        plain = self._engine
        self._nodes, self._found, self._earlier = plain.nodes, plain.found, plain.take()
        self._engine = _start(
            compiled_method(self._matrix),
            self._matrix,
            self._prefix,
            plain.path(),
            keep=self._keep,
        )


def compiled_method(matrix: Matrix) -> str:
    """Return the compiled engine that suits a problem."""
    if matrix.amounts is not None:
        return "plain"
    return "bitset" if len(matrix.options) <= _BITSET_OPTIONS and matrix.plain else "sparse"


def plain_allowance(matrix: Matrix) -> Allowance:
    """Return what the plain engine may spend on a problem."""
    steps = max(1, matrix.items) * (1 + len(matrix.options) // 512)
    if matrix.amounts is not None:
        return Allowance(1 << 62)
    loaded = f"gridkit.cover.kernels.{compiled_method(matrix)}" in sys.modules
    nodes = (_PLAIN_STEPS_WHEN_LOADED if loaded else _PLAIN_STEPS) // steps
    return Allowance(nodes if nodes >= _LEAST_ALLOWANCE else 0)


def _start(
    method: str, matrix: Matrix, prefix: Prefix, path: tuple[int, ...], *, keep: bool
) -> KeepingEngine:
    if method == "bitset":
        from gridkit.cover.bitset import BitsetSearch

        return BitsetSearch(matrix, prefix, path, keep=keep)
    if method == "sparse":
        from gridkit.cover.sparse import SparseSearch

        return SparseSearch(matrix, prefix, path, keep=keep)
    return PlainSearch(matrix, prefix, path, keep=keep)


class Counting:
    """Counts the solutions of a task, or of one of its subtrees; a `Resumable`."""

    def __init__(self, task: Task, prefix: Prefix | None = None, resume: object = None) -> None:
        self._task = task
        self._roots = task.roots if prefix is None else ((prefix, task.weight(prefix)),)
        self._kind = "count" if prefix is None else f"count below {hash_of(prefix)}"
        self._root = self._total = self._earlier_found = self._earlier_nodes = 0
        path: tuple[int, ...] = ()
        if resume is not None:
            token = checked_token(resume, task.fingerprint, self._kind)
            self._root, self._total, path = token.root, token.total, token.path
            self._earlier_found, self._earlier_nodes = token.found, token.nodes
        self._engine: Engine | None = None
        self._allowance = plain_allowance(task.matrix)
        self._begin(path)

    def _begin(self, path: tuple[int, ...] = ()) -> None:
        self._engine = None
        if self._root < len(self._roots):
            self._engine = self._task.start(self._roots[self._root][0], path, self._allowance)

    @property
    def nodes(self) -> int:
        """Nodes spent so far."""
        return self._earlier_nodes + (self._engine.nodes if self._engine else 0)

    @property
    def found(self) -> int:
        """Solutions found so far, weighted."""
        if self._engine is None:
            return self._total
        weight = self._roots[self._root][1]
        return self._total + weight * (self._earlier_found + self._engine.found)

    def value(self) -> int:
        """Return the count, a lower bound until the end."""
        return self.found

    def fraction(self) -> float:
        """Estimate the part done."""
        part = self._engine.fraction() if self._engine else 0.0
        return (self._root + part) / max(len(self._roots), 1)

    def memory(self) -> int:
        """Bytes held."""
        return self._engine.memory() if self._engine else 0

    def advance(self, budget: int) -> bool:
        """Visit up to `budget` nodes; True at the end."""
        while self._engine is not None and budget > 0:
            before = self._engine.nodes
            done = self._engine.advance(budget)
            budget -= max(1, self._engine.nodes - before)
            if done:
                self._total, self._earlier_nodes = self.found, self.nodes
                self._earlier_found = 0
                self._root += 1
                self._begin()
        return self._engine is None

    def token(self) -> Token:
        """Return what ``resume=`` needs."""
        engine = self._engine
        return Token(
            self._task.fingerprint,
            self._kind,
            self._root,
            engine.path() if engine else (),
            self._total,
            self._earlier_found + (engine.found if engine else 0),
            self.nodes,
        )


def checked_token(token: object, fingerprint: str, kind: str) -> Token:
    """Return a token that belongs to this call, or refuse it."""
    if not isinstance(token, tuple) or len(token) != 7 or token[1] != kind:
        raise InputError("resume: expected the token of a LimitReached raised by the same call")
    if token[0] != fingerprint:
        raise InputError("resume: the token belongs to another problem")
    return Token(*token)


def count_task(
    task: Task,
    *,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
    resume: object = None,
) -> int:
    """Count the solutions of a task in the calling thread."""
    work = Counting(task, resume=resume)
    drive(work, limit=limit, progress=progress)
    return work.value()


def count_subtree(
    task: Task, prefix: Prefix, *, limit: Limit | None = None, resume: object = None
) -> int:
    """Count the solutions below a prefix, weighted as the task says.

    Raises
    ------
    LimitReached, Interrupted
        With a token from which the same call continues.
    """
    work = Counting(task, prefix, resume)
    drive(work, limit=limit)
    return work.value()


class _Listing:
    """Lists solutions; a `Resumable` for `drive_found`."""

    def __init__(self, matrix: Matrix, method: str, resume: object = None) -> None:
        path: tuple[int, ...] = ()
        self._fingerprint = matrix.fingerprint
        self._given = self._earlier = 0
        if resume is not None:
            token = checked_token(resume, self._fingerprint(), "solutions")
            path, self._given, self._earlier = token.path, token.found, token.nodes
        self.walk = Walk(matrix, method, (), path, keep=True)
        self._wanted = 1

    @property
    def nodes(self) -> int:
        """Nodes spent so far."""
        return self._earlier + self.walk.nodes

    @property
    def found(self) -> int:
        """Solutions found so far."""
        return self._given + self.walk.found

    def value(self) -> int:
        """Return how many solutions were given."""
        return self.found

    def fraction(self) -> float:
        """Estimate the part done."""
        return self.walk.fraction()

    def memory(self) -> int:
        """Bytes held."""
        return self.walk.memory()

    def advance(self, budget: int) -> bool:
        """Search on until the budget is spent or some solutions wait to be taken."""
        before = self.walk.found
        done = self.walk.advance(budget, self._wanted)
        if self.walk.found > before:
            self._wanted = min(2 * self._wanted, 4096)
        return done

    def token(self) -> Token:
        """Return what ``resume=`` needs."""
        path = self.walk.path()
        return Token(self._fingerprint(), "solutions", 0, path, 0, self.found, self.nodes)


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
    work = _Listing(matrix, method, resume)
    return drive_found(work, work.walk.take, limit=limit, progress=progress)


def solutions_array(
    matrix: Matrix,
    most: int | None = None,
    *,
    method: str = "auto",
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
) -> NDArray[np.int32]:
    """Return solutions as rows of increasing option numbers, then -1."""
    if most is not None and (isinstance(most, bool) or not isinstance(most, int) or most < 0):
        raise InputError(f"solutions_array: most must be an int >= 0 or None, got {most!r}")
    check_method(method)
    work = _Listing(matrix, method)
    blocks: list[NDArray[np.int32]] = []
    rows = 0
    found = drive_found(work, lambda: (work.walk.take_array(),), limit=limit, progress=progress)
    for block in found:
        blocks.append(block if most is None else block[: most - rows])
        rows += len(blocks[-1])
        if rows == most:
            break
    return _stacked(blocks)


def _stacked(blocks: Sequence[NDArray[np.int32]]) -> NDArray[np.int32]:
    import numpy as np

    width = max((block.shape[1] for block in blocks), default=0)
    rows = np.full((sum(map(len, blocks)), width), -1, dtype=np.int32)
    at = 0
    for block in blocks:
        rows[at : at + len(block), : block.shape[1]] = block
        at += len(block)
    # Sorted as unsigned numbers, -1 comes last.
    rows.view(np.uint32).sort(axis=1)
    used = int((rows >= 0).sum(axis=1).max(initial=0))
    return np.ascontiguousarray(rows[:, :used])


def split(task: Task, parts: int) -> list[Prefix]:
    """Split a search into subtrees that partition it, at least `parts` where it has so many.

    The heaviest subtree, by some random descents, is split into its children until there are
    enough.  The result depends on the task and `parts` only.
    """
    return [prefix for prefix, _ in split_weighted(task, parts)]


def split_weighted(task: Task, parts: int) -> list[tuple[Prefix, float]]:
    """Split a search as `split` does; return each prefix with its estimated nodes."""
    if isinstance(parts, bool) or not isinstance(parts, int) or parts < 1:
        raise InputError(f"parts must be an int >= 1, got {parts!r}")
    search, chance = PlainSearch(task.matrix), random.Random(parts)
    heap: list[tuple[float, int, Prefix]] = []
    order = count()

    def estimate(prefix: Prefix) -> None:
        nodes = sum(search.descend_at_random(prefix, chance)[0] for _ in range(_DESCENTS))
        heapq.heappush(heap, (-nodes / _DESCENTS, next(order), prefix))

    for root, _ in task.roots:
        estimate(root)
    whole: list[Prefix] = []
    while heap and len(heap) + len(whole) < parts:
        prefix = heapq.heappop(heap)[2]
        children = search.children(prefix)
        if children is None:
            whole.append(prefix)
        for child in children or ():
            estimate(child)
    return [(prefix, 1.0) for prefix in whole] + [
        (prefix, max(1.0, -nodes)) for nodes, _, prefix in sorted(heap)
    ]
