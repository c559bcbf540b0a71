"""Counting by backtracking: the task, the count, and its parts."""

from __future__ import annotations

import heapq
import random
from dataclasses import dataclass
from functools import cached_property
from itertools import count

from gridkit.cover.instance import Instance
from gridkit.cover.matrix import Matrix
from gridkit.cover.search.plain import PlainSearch
from gridkit.cover.search.walk import (
    Allowance,
    Engine,
    Prefix,
    Token,
    Walk,
    checked_token,
    hash_of,
    plain_allowance,
)
from gridkit.errors import InputError
from gridkit.reading import read_int
from gridkit.run.control import Limit, ProgressCallback, drive

__all__ = [
    "Counting",
    "Prefix",
    "Task",
    "count_subtree",
    "count_task",
    "hash_of",
    "split",
    "split_weighted",
]

# Random descents that estimate the size of a subtree: fewer leave a heavy one unsplit now and then.
_DESCENTS = 20


@dataclass(frozen=True)
class Task:
    """A search to be made: the problem, the engine and the subtrees; small and picklable.

    Attributes
    ----------
    problem : Matrix or Instance
        The problem; an Instance where the engine is "masks".
    method : str
        "auto", or the engine.
    roots : tuple of (prefix, weight)
        The subtrees to search, and what a solution in each counts: a prefix takes option o, or
        rules it out where it says ``~o``.
    """

    problem: Matrix | Instance
    method: str = "auto"
    roots: tuple[tuple[Prefix, int], ...] = (((), 1),)

    @property
    def matrix(self) -> Matrix:
        """The problem as an exact-cover matrix."""
        return self.problem.matrix if isinstance(self.problem, Instance) else self.problem

    @cached_property
    def fingerprint(self) -> str:
        """A digest that tells searches apart."""
        tree = "cells" if self.method == "masks" else "items"
        return f"{self.matrix.fingerprint()}-{hash_of(self.roots)}-{tree}"

    def start(
        self, prefix: Prefix, path: tuple[int, ...] = (), allowance: Allowance | None = None
    ) -> Engine:
        """Return an engine that counts a subtree, from a path on."""
        if self.method == "masks" and isinstance(self.problem, Instance):
            from gridkit.cover.search.masks import MasksSearch

            return MasksSearch(self.problem, prefix, path)
        return Walk(self.matrix, self.method, prefix, path, allowance=allowance)

    def weight(self, prefix: Prefix) -> int:
        """Return what a solution below a prefix counts."""
        for root, weight in self.roots:
            if prefix[: len(root)] == root:
                return weight
        raise InputError(f"the prefix {prefix} lies in no subtree of this search")


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
        automatic = task.method == "auto"
        self._allowance = plain_allowance(task.matrix) if automatic else Allowance(0)
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


def split(task: Task, parts: int) -> list[Prefix]:
    """Split a search into subtrees that partition it, at least `parts` where it has so many.

    The heaviest subtree, by some random descents, is split into its children until there are
    enough.  The result depends on the task and `parts` only.
    """
    return [prefix for prefix, _ in split_weighted(task, parts)]


def split_weighted(task: Task, parts: int) -> list[tuple[Prefix, float]]:
    """Split a search as `split` does; return each prefix with its estimated nodes."""
    parts = read_int(parts, "parts", 1)
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
