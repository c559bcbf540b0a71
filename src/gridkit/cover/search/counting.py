"""Counting: reduce, split into independent parts, search, combine; orbits by the same means."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from gridkit.cover.matrix import Matrix
from gridkit.cover.search.methods import check_method
from gridkit.cover.search.multiples import distinct
from gridkit.cover.search.reduce import components, reduce
from gridkit.cover.search.tree import Counting, Task
from gridkit.cover.search.walk import hash_of
from gridkit.cover.symmetry import fixed_problem
from gridkit.errors import InputError, UnsupportedError
from gridkit.run.control import Limit, ProgressCallback, drive

if TYPE_CHECKING:
    from concurrent.futures import Executor

__all__ = [
    "Chain",
    "count_matrix",
    "count_orbits",
    "count_tasks",
    "product_of",
    "reduced_task",
    "tasks_of",
]


def count_matrix(
    matrix: Matrix,
    *,
    method: str = "auto",
    orbits_under: Sequence[Sequence[int]] | None = None,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
    executor: Executor | None = None,
    parts: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: object = None,
) -> int:
    """Count the solutions, or their orbits under a group of permutations of the options."""
    check_method(method)
    if orbits_under is not None:
        if executor is not None or parts is not None or checkpoint is not None:
            raise UnsupportedError("up_to_symmetry does not split into parts")
        fixed = [fixed_problem(matrix, permutation) for permutation in orbits_under]
        tasks = [reduced_task(problem, method) for problem in fixed]
        return count_orbits(tasks, limit=limit, progress=progress, resume=resume)
    return count_tasks(
        tasks_of(matrix, method),
        limit=limit,
        progress=progress,
        executor=executor,
        parts=parts,
        checkpoint=checkpoint,
        resume=resume,
    )


def tasks_of(matrix: Matrix, method: str) -> list[Task]:
    """Return the searches whose counts multiply to that of the problem, smallest first."""
    prefix = reduce(matrix)
    if prefix is None:
        return [Task(matrix, method, roots=())]
    independent = components(matrix, prefix) or [Matrix((), 0, (), ())]
    if not prefix and len(independent) == 1:
        independent = [matrix]
    parts = sorted(map(distinct, independent), key=lambda part: len(part[0].options))
    return [Task(part, method, (((), times),)) for part, times in parts]


def reduced_task(matrix: Matrix, method: str) -> Task:
    """Return one search of a problem, reduced but not taken apart."""
    prefix = reduce(matrix)
    if matrix.amounts is not None:
        method = "plain"
    return Task(matrix, method, roots=() if prefix is None else ((prefix, 1),))


def count_tasks(
    tasks: Sequence[Task],
    *,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
    executor: Executor | None = None,
    parts: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: object = None,
) -> int:
    """Count independent searches and multiply; the last one may be split into parts."""
    # The token of a call without parts is a tuple.
    whole = executor is None and parts is None and checkpoint is None
    if whole and (resume is None or isinstance(resume, tuple)):
        return product_of(tasks).run(limit, progress, resume)
    from gridkit.cover.search.parts import count_in_parts

    return count_in_parts(
        tasks,
        executor=executor,
        parts=parts,
        checkpoint=checkpoint,
        limit=limit,
        progress=progress,
        resume=resume,
    )


def product_of(tasks: Sequence[Task]) -> Chain:
    """Return the work that counts independent searches and multiplies."""
    return Chain(tasks, lambda values: math.prod(values) if len(values) == len(tasks) else 0)


def count_orbits(
    tasks: Sequence[Task],
    *,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
    resume: object = None,
) -> int:
    """Return the mean of the counts: orbits, when each task counts what a symmetry fixes."""
    return Chain(tasks, lambda values: sum(values) // len(tasks)).run(limit, progress, resume)


class Chain:
    """Counts several searches one after the other and combines them; a `Resumable`.

    Parameters
    ----------
    tasks : sequence of Task
        The searches.
    combine : callable
        Makes the result of their counts; of the first ones alone, a lower bound.
    """

    def __init__(self, tasks: Sequence[Task], combine: Callable[[list[int]], int]) -> None:
        self._tasks, self._combine = tasks, combine
        self._values: list[int] = []
        self._earlier_nodes = 0
        self._work = Counting(tasks[0]) if tasks else None

    def run(
        self, limit: Limit | None, progress: ProgressCallback | None, resume: object = None
    ) -> int:
        """Count to the end."""
        if resume is not None:
            self._continue(resume)
        drive(self, limit=limit, progress=progress)
        return self.value()

    def _continue(self, token: object) -> None:
        if not isinstance(token, tuple) or len(token) != 5 or token[0] != "chain":
            raise InputError("resume: expected the token of a LimitReached raised by the same call")
        _, fingerprint, values, nodes, inner = token
        if fingerprint != self._fingerprint():
            raise InputError("resume: the token belongs to another problem")
        self._values, self._earlier_nodes = list(values), nodes
        if len(values) < len(self._tasks):
            self._work = Counting(self._tasks[len(values)], resume=inner)
            self._earlier_nodes -= self._work.nodes

    def _fingerprint(self) -> str:
        return hash_of([task.fingerprint for task in self._tasks])

    @property
    def nodes(self) -> int:
        """Nodes spent so far."""
        return self._earlier_nodes + (self._work.nodes if self._work else 0)

    @property
    def found(self) -> int:
        """Solutions found so far."""
        return self.value()

    def value(self) -> int:
        """Return the result, a lower bound until the end."""
        if self._work is None:
            return self._combine(self._values)
        return self._combine([*self._values, self._work.value()])

    def fraction(self) -> float:
        """Estimate the part done."""
        part = self._work.fraction() if self._work else 0.0
        return (len(self._values) + part) / max(1, len(self._tasks))

    def memory(self) -> int:
        """Bytes held."""
        return self._work.memory() if self._work else 0

    def advance(self, budget: int) -> bool:
        """Visit up to `budget` nodes; True at the end."""
        while self._work is not None and budget > 0:
            before = self._work.nodes
            done = self._work.advance(budget)
            budget -= max(1, self._work.nodes - before)
            if done:
                self._earlier_nodes += self._work.nodes
                self._values.append(self._work.value())
                place = len(self._values)
                self._work = Counting(self._tasks[place]) if place < len(self._tasks) else None
        return self._work is None

    def token(self) -> tuple[object, ...]:
        """Return what ``resume=`` needs."""
        inner = self._work.token() if self._work else None
        return ("chain", self._fingerprint(), tuple(self._values), self.nodes, inner)
