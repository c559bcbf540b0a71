"""Counting: reduce, split into independent searches, search, combine; orbits by the same means."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random

from gridkit.cover import symmetry
from gridkit.cover.instance import Instance
from gridkit.cover.matrix import Matrix
from gridkit.cover.search.plain import PlainSearch
from gridkit.cover.search.reduce import components, distinct, reduce
from gridkit.cover.search.relay import check_method, plain_allowance
from gridkit.cover.search.tree import PARTS_ENGINE, WHOLE_ENGINE, Counting, Task
from gridkit.errors import InputError
from gridkit.run import Limit, Run, Work, call_name
from gridkit.run.limits import missing_packages

__all__ = [
    "Counts",
    "count_at_once",
    "count_matrix",
    "count_orbits",
    "count_product",
    "orbit_counts",
    "orbit_tasks",
    "product",
    "tasks_of",
    "tiling_tasks",
]

# What suits the engine "masks", measured: regions so narrow, pieces that reach no further than its
# window sees, and few patterns; but not what is searched on Python ints before numba is loaded.
_NARROW = 6
_NARROW_WHEN_SMALL, _SMALL = 7, 50  # sides, cells: twice to five times as fast as "bitset"
_REACH = 63
_MANY_PATTERNS = 256
_FEW_NODES = 20_000
_FEW_PLACEMENTS = 700
_PROBES = 10
# Reducing a problem of so many entries takes longer than a node of a search, and a half.
_ENTRIES_A_NODE, _ENTRIES_A_COMPILED_NODE, _LEAST_NODES, _BRIEF_OPTIONS = 30, 2, 20, 2000


def count_matrix(
    matrix: Matrix,
    run: Run,
    *,
    method: str = "auto",
    orbits_under: Sequence[Sequence[int]] | None = None,
    call: str = "count",
) -> int:
    """Count the solutions, or their orbits under a group of permutations of the options."""
    check_method(method)
    if orbits_under is None:
        return count_product(tasks_of(matrix, method, run), run, call)
    work = orbit_counts(matrix, orbits_under, run, method=method, call=call)
    run.drive(work)
    return work.value()


def orbit_counts(
    matrix: Matrix, group: Sequence[Sequence[int]], run: Run, *, method: str, call: str
) -> Counts:
    """Return the work of counting orbits under a group of permutations of the options."""
    run.without_parts(f"{call}(up_to_symmetry=True)")
    tasks = []
    for permutation in group:
        run.check()
        tasks.append(reduced_task(symmetry.fixed_problem(matrix, permutation), method, run))
    return _orbits(tasks, run, call)


def count_at_once(matrix: Matrix, run: Run) -> int | None:
    """Count the solutions where a brief search of the whole problem does it, else return None.

    Reducing a problem takes longer than that, and pays where there is something to be searched.
    Only for calls without limits and reports, which would show the nodes spent in vain.
    """
    if len(matrix.options) > _BRIEF_OPTIONS or run.resume is not None:
        return None
    if run.limit != Limit() or run.progress is not None:
        return None
    entries = sum(map(len, matrix.options))
    compiled = plain_allowance(matrix, run.tier).nodes == 0  # a kernel is at hand
    most = _LEAST_NODES + entries // (_ENTRIES_A_COMPILED_NODE if compiled else _ENTRIES_A_NODE)
    brief = Counting(Task(matrix), tier=run.tier)
    return brief.value() if run.drive(brief, at_most=most) else None


# Tasks


def tasks_of(matrix: Matrix, method: str, run: Run) -> list[Task]:
    """Return the searches whose counts multiply to that of the problem, smallest first."""
    prefix = reduce(matrix, run)
    if prefix is None:
        return [Task(matrix, method, roots=())]
    independent = components(matrix, prefix, run) or [Matrix((), 0, (), ())]
    if not prefix and len(independent) == 1:
        independent = [matrix]
    parts = [distinct(part, run) for part in independent]
    parts.sort(key=lambda part: len(part[0].options))
    return [Task(part, method, (((), times),)) for part, times in parts]


def reduced_task(matrix: Matrix, method: str, run: Run) -> Task:
    """Return one search of a problem, reduced but not taken apart."""
    prefix = reduce(matrix, run)
    if matrix.amounts is not None:
        method = "plain"
    return Task(matrix, method, roots=() if prefix is None else ((prefix, 1),))


def tiling_tasks(
    instance: Instance,
    group: Sequence[symmetry.Element],
    method: str,
    run: Run,
    *,
    fits: bool = True,
) -> list[Task]:
    """Return the searches whose counts multiply to the number of tilings.

    Parameters
    ----------
    instance : Instance
        The tiling.
    group : sequence of Element
        Its symmetries; the search is broken down by them where that is possible.
    method : str
        An engine, or "auto" or "search" for the one that suits.
    run : Run
        The call.
    fits : bool
        False where it is known that there is no tiling.
    """
    if not fits:
        return [Task(instance, roots=())]
    roots = symmetry.broken_roots(instance, group)
    engine = tiling_engine(instance, method, run)
    if roots is None and engine != "masks":
        return tasks_of(instance.matrix, engine, run)
    return [_tiling_task(instance, engine, roots)]


def orbit_tasks(
    instance: Instance,
    group: Sequence[symmetry.Element],
    method: str,
    run: Run,
    *,
    fits: bool = True,
) -> list[Task]:
    """Return a search for each symmetry, of the tilings it fixes; the identity's comes first."""
    if not fits:
        return [Task(instance, roots=())]
    roots = symmetry.broken_roots(instance, group)
    tasks = [_tiling_task(instance, tiling_engine(instance, method, run), roots)]
    matrix = instance.matrix
    for element in group[1:]:
        run.check()
        if not symmetry.may_fix(instance, element):
            tasks.append(Task(matrix, roots=()))
            continue
        permutation = symmetry.placement_permutation(instance, element)
        problem = symmetry.fixed_problem(matrix, permutation)
        tasks.append(reduced_task(problem, "auto", run))
    return tasks


def _tiling_task(instance: Instance, engine: str, roots: symmetry.Roots | None) -> Task:
    """Return the search of a tiling, whole or with its symmetry broken."""
    problem = instance if engine == "masks" else instance.matrix
    return Task(problem, engine, roots or (((), 1),))


def tiling_engine(instance: Instance, method: str, run: Run) -> str:
    """Return the search engine for a tiling; it depends on the first two only."""
    if method not in ("auto", "search"):
        return method
    if instance.optional or not instance.placements or missing_packages():
        return "auto"
    sides = [max(axis) - min(axis) + 1 for axis in zip(*instance.coordinates, strict=True)]
    narrow = _NARROW_WHEN_SMALL if len(instance.coordinates) <= _SMALL else _NARROW
    if len(sides) > 2 or min(sides) > narrow:
        return "auto"
    turns = 8 if instance.reflect else 4
    if len(instance.copies) * turns > _MANY_PATTERNS:
        return "auto"
    # Neighbouring cells are at most the shorter side apart in the sweep.
    largest = max(instance.sizes.values())
    if (largest - 1) * min(sides) > _REACH and _span(instance) > _REACH:
        return "auto"
    if len(instance.placements) < _FEW_PLACEMENTS:
        descents, chance = PlainSearch(instance.matrix), Random(1)
        estimates = descents.descend_at_random((), chance, _PROBES, run.check)
        if sum(nodes for nodes, _ in estimates) < _PROBES * _FEW_NODES:
            return "auto"
    return "masks"


def _span(instance: Instance) -> int:
    """Return how far a piece reaches on, when the sweep goes along the longer side."""
    rows, cols = (max(axis) - min(axis) + 1 for axis in zip(*instance.coordinates, strict=True))
    across, along = (0, 1) if rows <= cols else (1, 0)
    side = min(rows, cols)
    places = [cell[along] * side + cell[across] for cell in instance.coordinates]
    return max(
        (
            max(places[cell] for cell in cells) - min(places[cell] for cell in cells)
            for _, cells in instance.placements
        ),
        default=0,
    )


# Counts


def count_product(tasks: Sequence[Task], run: Run, call: str) -> int:
    """Count independent searches and multiply; the last one may be split into parts."""
    if run.in_parts or run.resumed_engine == PARTS_ENGINE:
        # Late, for it loads sqlite3 and concurrent.futures.
        from gridkit.cover.search.parts import count_in_parts

        return count_in_parts(tasks, run, _name(call, tasks))
    work = product(tasks, run, call)
    run.drive(work)
    return work.value()


def product(tasks: Sequence[Task], run: Run, call: str) -> Counts:
    """Return the work of counting independent searches, where it is not split into parts."""

    def combine(values: list[int]) -> int:
        return math.prod(values) if len(values) == len(tasks) else 0

    return Counts(tasks, combine, run, run.resumed(lambda: _name(call, tasks), WHOLE_ENGINE))


def count_orbits(tasks: Sequence[Task], run: Run, call: str) -> int:
    """Return the mean of the counts: orbits, when each task counts what a symmetry fixes."""
    work = _orbits(tasks, run, call)
    run.drive(work)
    return work.value()


def _orbits(tasks: Sequence[Task], run: Run, call: str) -> Counts:
    def mean(values: list[int]) -> int:
        return sum(values) // len(tasks)

    state = run.resumed(lambda: _name(f"{call}(up_to_symmetry=True)", tasks), WHOLE_ENGINE)
    return Counts(tasks, mean, run, state)


def _name(call: str, tasks: Sequence[Task]) -> str:
    return call_name(call, *(task.fingerprint for task in tasks))


class Counts(Work):
    """Counts several searches one after the other and combines the counts.

    Parameters
    ----------
    tasks : sequence of Task
        The searches.
    combine : callable
        Makes the result of their counts; of the first ones alone, a lower bound.
    run : Run
        The call.
    state : tuple, optional
        Where to go on: the counts of the searches that are done, the nodes they took, and the
        state of the next one.
    """

    def __init__(
        self,
        tasks: Sequence[Task],
        combine: Callable[[list[int]], int],
        run: Run,
        state: object = None,
    ) -> None:
        self._tasks, self._combine, self._tier = tasks, combine, run.tier
        self._values: list[int] = []
        self._nodes_earlier = 0
        inner: object = None
        if state is not None:
            if not isinstance(state, tuple) or len(state) != 3:
                raise InputError("resume: the token is damaged")
            values, self._nodes_earlier, inner = state
            self._values = list(values)
        self._work = self._begin(inner)

    def _begin(self, state: object = None) -> Counting | None:
        number = len(self._values)
        if number >= len(self._tasks):
            return None
        return Counting(self._tasks[number], None, state, self._tier)

    @property
    def nodes(self) -> int:
        """Nodes spent so far."""
        return self._nodes_earlier + (self._work.nodes if self._work else 0)

    @property
    def found(self) -> int:
        """Solutions found so far."""
        return self.value()

    @property
    def current(self) -> tuple[Task, Counting] | None:
        """The search that is being made, None at the end."""
        return None if self._work is None else (self._tasks[len(self._values)], self._work)

    def settle(self, value: int) -> None:
        """Take the count of the current search from somewhere else, and begin the next one."""
        if self._work is not None:
            self._nodes_earlier += self._work.nodes
            self._values.append(value)
            self._work = self._begin()

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
                self.settle(self._work.value())
        return self._work is None

    def token(self) -> tuple[object, ...]:
        """Return the state to continue from."""
        inner = self._work.token() if self._work else None
        return tuple(self._values), self._nodes_earlier, inner
