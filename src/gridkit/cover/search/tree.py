"""Counting by backtracking: the task, its count, its split into subtrees, and its size."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import count
from random import Random
from typing import TYPE_CHECKING

from gridkit.cover.instance import Instance
from gridkit.cover.matrix import Matrix
from gridkit.cover.search.engine import Engine, Prefix
from gridkit.cover.search.plain import PlainSearch
from gridkit.cover.search.relay import Allowance, Relay, plain_allowance
from gridkit.errors import InputError
from gridkit.reading import read_int
from gridkit.run import Run, Work
from gridkit.run.limits import Tier

if TYPE_CHECKING:
    import numpy as np

__all__ = [
    "PARTS_ENGINE",
    "WHOLE_ENGINE",
    "Counting",
    "Hardness",
    "Task",
    "chance_from",
    "count_task",
    "hardness",
    "split",
    "split_weighted",
]

# Names in tokens, to be raised whenever a prefix or path comes to mean another subtree.
WHOLE_ENGINE, PARTS_ENGINE = "search 2", "search in parts 2"
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
        roots = sha256(repr(self.roots).encode()).hexdigest()[:16]
        return f"{self.matrix.fingerprint}-{roots}-{tree}"

    def start(
        self, prefix: Prefix, path: tuple[int, ...] = (), allowance: Allowance | None = None
    ) -> Engine:
        """Return an engine that counts a subtree, from a path on."""
        if self.method == "masks" and isinstance(self.problem, Instance):
            from gridkit.cover.search.masks import MasksSearch  # loads numpy and numba

            return MasksSearch(self.problem, prefix, path)
        return Relay(self.matrix, self.method, prefix, path, allowance=allowance)

    def weight(self, prefix: Prefix) -> int:
        """Return what a solution below a prefix counts."""
        for root, weight in self.roots:
            if prefix[: len(root)] == root:
                return weight
        raise InputError(f"the prefix {prefix} lies in no subtree of this search")


class Counting(Work):
    """Counts the solutions of a task, or of one of its subtrees.

    Parameters
    ----------
    task : Task
        The search.
    prefix : Prefix, optional
        One subtree of it; all its roots when left out.
    state : tuple, optional
        Where to go on, from `token`: the number of the root, the path below it, the count in
        earlier roots (weighted), the solutions found in this one, and the nodes in all.
    tier : Tier
        Which engines may count.
    """

    def __init__(
        self,
        task: Task,
        prefix: Prefix | None = None,
        state: object = None,
        tier: Tier = "auto",
    ) -> None:
        self._task = task
        self._roots = task.roots if prefix is None else ((prefix, task.weight(prefix)),)
        self._root = self._total = self._found_earlier = self._nodes_earlier = 0
        path: tuple[int, ...] = ()
        if state is not None:
            if not isinstance(state, tuple) or len(state) != 5:
                raise InputError("resume: the token is damaged")
            self._root, path, self._total, self._found_earlier, self._nodes_earlier = state
        automatic = task.method == "auto"
        self._allowance = plain_allowance(task.matrix, tier) if automatic else Allowance(0)
        self._engine = self._begin(path)

    def _begin(self, path: tuple[int, ...] = ()) -> Engine | None:
        if self._root >= len(self._roots):
            return None
        return self._task.start(self._roots[self._root][0], path, self._allowance)

    @property
    def nodes(self) -> int:
        """Nodes spent so far."""
        return self._nodes_earlier + (self._engine.nodes if self._engine else 0)

    @property
    def found(self) -> int:
        """Solutions found so far, weighted."""
        if self._engine is None:
            return self._total
        weight = self._roots[self._root][1]
        return self._total + weight * (self._found_earlier + self._engine.found)

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
                self._total, self._nodes_earlier = self.found, self.nodes
                self._found_earlier = 0
                self._root += 1
                self._engine = self._begin()
        return self._engine is None

    def token(self) -> tuple[object, ...]:
        """Return the state to continue from."""
        engine = self._engine
        path = engine.path() if engine else ()
        solutions = self._found_earlier + (engine.found if engine else 0)
        return self._root, path, self._total, solutions, self.nodes


def count_task(task: Task, run: Run, prefix: Prefix | None = None) -> int:
    """Count the solutions of a task, or of one of its subtrees, in the calling thread."""
    work = Counting(task, prefix, run.resume, run.tier)
    run.drive(work)
    return work.value()


def split(task: Task, parts: int, run: Run) -> list[Prefix]:
    """Split a search into subtrees that partition it, at least `parts` where it has so many.

    The heaviest subtree, by some random descents, is split into its children until there are
    enough.  The result depends on the task and `parts` only.
    """
    return [prefix for prefix, _ in split_weighted(task, parts, run)]


def split_weighted(task: Task, parts: int, run: Run) -> list[tuple[Prefix, float]]:
    """Split a search as `split` does; return each prefix with its estimated nodes."""
    parts = read_int(parts, "parts", 1)
    search, chance = PlainSearch(task.matrix), Random(parts)
    heap: list[tuple[float, int, Prefix]] = []
    order = count()

    def estimate(prefix: Prefix) -> None:
        descents = search.descend_at_random(prefix, chance, _DESCENTS, run.check)
        nodes = sum(nodes for nodes, _ in descents) / _DESCENTS
        heapq.heappush(heap, (-nodes, next(order), prefix))

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


@dataclass(frozen=True, slots=True)
class Hardness:
    """An estimate of how large a search tree is, from random descents (Knuth, 1975).

    Attributes
    ----------
    nodes : float
        Estimated nodes of the whole tree.
    error : float
        Standard error of that estimate; infinite after a single descent.
    solutions : float
        Estimated number of solutions.
    probes : int
        Random descents made.

    Examples
    --------
    >>> import gridkit as gk
    >>> estimate = gk.ExactCover([[0], [1], [0, 1]]).hardness(10)
    >>> estimate.solutions > 0
    True
    """

    nodes: float
    error: float
    solutions: float
    probes: int


def hardness(matrix: Matrix, probes: int, rng: int | np.random.Generator | None) -> Hardness:
    """Estimate nodes and solutions by random descents (see `ExactCover.hardness`)."""
    probes = read_int(probes, "hardness: probes", 1)
    chance, search = chance_from(rng, "hardness: rng"), PlainSearch(matrix)
    descents = search.descend_at_random((), chance, probes)
    nodes = [descent[0] for descent in descents]
    mean = math.fsum(nodes) / probes
    error = math.inf
    if probes > 1:
        spread = math.fsum((each - mean) ** 2 for each in nodes) / (probes - 1)
        error = math.sqrt(spread / probes)
    return Hardness(mean, error, math.fsum(solutions for _, solutions in descents) / probes, probes)


def chance_from(rng: int | np.random.Generator | None, name: str) -> Random:
    """Return a source of chance from a seed, from numpy's, or from the system."""
    if rng is None:
        return Random()
    if hasattr(rng, "integers"):
        return Random(int(rng.integers(1 << 62)))
    return Random(read_int(rng, name, 0))
