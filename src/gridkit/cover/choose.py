"""Which engine counts a tiling, and why.

Measured rules, in this order:

1. An area or a surplus of chessboard colours that the pieces cannot make up: 0, no search.
2. Pieces free to be used any number of times: the frontier engine, whose effort does not depend
   on how many tilings there are, unless its states would not fit into memory; a determinant for
   dominoes on boards wider than sixteen cells.
3. Otherwise a search, with the region's symmetry broken on a piece used exactly once.  Sweeping
   cell by cell ("masks") is fastest on narrow regions (shortest side up to 6), fewest options
   first ("bitset") on wider ones, and problems of a few thousand nodes are searched on Python ints.

The copies of a single piece follow from the area, so bounds that it meets are no bounds.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from gridkit.cover import listing, symmetry
from gridkit.cover.advice import advise
from gridkit.cover.counting import count_orbits, count_tasks, reduced_task, tasks_of
from gridkit.cover.fits import may_fit
from gridkit.cover.instance import Instance
from gridkit.cover.plain import PlainSearch
from gridkit.cover.search import Task
from gridkit.cover.walk import check_method
from gridkit.errors import UnsupportedError
from gridkit.run.control import Limit, ProgressCallback

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from gridkit.cover.tiling import Tiling

__all__ = ["METHODS", "count_tiling", "tiling_solutions"]

METHODS = ("auto", "search", "plain", "bitset", "masks", "sparse", "frontier", "kasteleyn")

_NARROW = 6
_REACH = 63  # what the window of the masks engine sees
_MANY_PATTERNS = 256
_FEW_NODES = 20_000
_PROBES = 10
# What the frontier engine may hold when it is chosen unasked.
_FRONTIER_BYTES = 4 << 30


def count_tiling(
    tiling: Tiling,
    *,
    method: str = "auto",
    up_to_symmetry: bool = False,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
    executor: Executor | None = None,
    parts: int | None = None,
    checkpoint: str | Path | None = None,
    resume: object = None,
) -> int:
    """Count the tilings of a region (see `Tiling.count`)."""
    check_method(method, METHODS)
    tiling = _unbounded(tiling)
    splitting = executor is not None or parts is not None or checkpoint is not None
    if method == "auto" and not splitting and resume is None:
        if not may_fit(tiling):
            return 0
        advised = advise(tiling.instance, _FRONTIER_BYTES).method
        if not up_to_symmetry:
            method = "auto" if advised == "search" else advised
        elif advised != "search" and all(bounds == (0, None) for bounds in tiling.copies):
            method = "frontier"
    if method in ("frontier", "kasteleyn"):
        for name, given in (("resume", resume is not None), ("parts", splitting)):
            if given:
                raise UnsupportedError(f"method {method!r} has no {name}")
        fixing = symmetry.elements(tiling) if up_to_symmetry else ()
        return _swept(tiling, method, fixing, limit, progress)
    group = symmetry.elements(tiling)
    by_cells = _by_cells(resume, splitting)
    if up_to_symmetry:
        if splitting:
            raise UnsupportedError("up_to_symmetry does not split into parts")
        tasks = _orbit_tasks(tiling, group, method, by_cells)
        return count_orbits(tasks, limit=limit, progress=progress, resume=resume)
    return count_tasks(
        _tasks(tiling, group, method, by_cells),
        limit=limit,
        progress=progress,
        executor=executor,
        parts=parts,
        checkpoint=checkpoint,
        resume=resume,
    )


def _unbounded(tiling: Tiling) -> Tiling:
    """Return the same problem without bounds that the area meets anyway."""
    if len(tiling.pieces) != 1 or tiling.optional or tiling.copies == ((0, None),):
        return tiling
    copies, rest = divmod(len(tiling.region.cells), len(tiling.pieces[0]))
    least, greatest = tiling.copies[0]
    if rest or not least <= copies or (greatest is not None and greatest < copies):
        return tiling
    return type(tiling)(tiling.region, tiling.pieces, None, tiling.reflect)


def tiling_solutions(
    tiling: Tiling,
    *,
    method: str = "auto",
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
    resume: object = None,
) -> Iterator[tuple[int, ...]]:
    """Iterate over the tilings as increasing placement numbers (see `Tiling.solutions`)."""
    check_method(method, METHODS)
    if method in ("masks", "frontier", "kasteleyn"):
        raise UnsupportedError(f"method {method!r} counts only: it gives no solutions")
    if method == "search":
        method = "auto"
    if not may_fit(tiling):
        return iter(())
    return listing.solutions(
        tiling.matrix, method=method, limit=limit, progress=progress, resume=resume
    )


def _swept(
    tiling: Tiling,
    method: str,
    group: Sequence[symmetry.Element],
    limit: Limit | None,
    progress: ProgressCallback | None,
) -> int:
    """Count with an engine that does not search: everything, or orbits by what each fixes."""
    from gridkit.cover import frontier

    if method == "kasteleyn":
        from gridkit.cover import kasteleyn

        if group:
            raise UnsupportedError("method 'kasteleyn' does not count up to symmetry")
        return kasteleyn.count(tiling.instance, limit=limit, progress=progress)
    if not group:
        return frontier.count(tiling.instance, limit=limit, progress=progress)
    if any(bounds != (0, None) for bounds in tiling.copies):
        raise UnsupportedError(
            "method 'frontier' counts up to symmetry only pieces used any number of times"
        )
    total = 0
    for element in group:
        fixed = _fixed_instance(tiling, element)
        total += frontier.count(fixed, limit=limit, progress=progress)
    return total // len(group)


def _fixed_instance(tiling: Tiling, element: symmetry.Element) -> Instance:
    """Return the tilings that a symmetry fixes as a tiling of the cells' orbits.

    Orbits of placements that cover the same cells differ in their piece number.
    """
    instance, cells = tiling.instance, element[0]
    leader = list(range(len(cells)))
    for start in range(len(cells)):
        cell = cells[start]
        while cell != start:
            leader[cell] = min(leader[cell], start)
            cell = cells[cell]
    kept = [cell for cell in range(len(cells)) if leader[cell] == cell]
    number = {cell: place for place, cell in enumerate(kept)}
    permutation = symmetry.placement_permutation(tiling, element)
    seen: set[int] = set()
    copies: dict[tuple[int, ...], int] = {}
    placements = []
    for start in range(len(permutation)):
        if start in seen:
            continue
        orbit, option = [], start
        while option not in seen:
            seen.add(option)
            orbit.append(option)
            option = permutation[option]
        covered = [cell for option in orbit for cell in instance.placements[option][1]]
        if len(set(covered)) == len(covered):
            places = tuple(sorted({number[leader[cell]] for cell in covered}))
            copies[places] = copies.get(places, -1) + 1
            placements.append((copies[places], places))
    placements.sort(key=lambda placed: (placed[1][0], placed))
    pieces = max((piece for piece, _ in placements), default=0) + 1
    return Instance(
        tuple(instance.coordinates[cell] for cell in kept),
        tuple(placements),
        ((0, None),) * pieces,
        frozenset(number[cell] for cell in instance.optional if cell in number),
    )


def _by_cells(resume: object, splitting: bool) -> bool | None:
    """Whether a continued call swept cell by cell; None when that is free to choose.

    What is kept in files and tokens must not depend on which kernels happen to be loaded.
    """
    if isinstance(resume, tuple) and len(resume) == 5 and isinstance(resume[4], tuple):
        return str(resume[4][:1]).endswith("-cells',)")
    return True if splitting or resume is not None else None


def _tasks(
    tiling: Tiling,
    group: Sequence[symmetry.Element],
    method: str,
    by_cells: bool | None = None,
) -> list[Task]:
    if not may_fit(tiling):
        return [Task(tiling.matrix, roots=())]
    roots = symmetry.broken_roots(tiling, group)
    if roots is None and method not in ("masks",):
        engine = _engine(tiling, method, by_cells)
        if engine != "masks":
            return tasks_of(tiling.matrix, engine)
        method = engine
    engine = _engine(tiling, method, by_cells)
    instance = tiling.instance if engine == "masks" else None
    return [Task(tiling.matrix, engine, instance, roots or (((), 1),))]


def _engine(tiling: Tiling, method: str, by_cells: bool | None) -> str:
    """Return the search engine for a tiling."""
    if method not in ("auto", "search"):
        return method
    instance = tiling.instance
    if instance.optional or not instance.placements:
        return "auto"
    sides = [max(axis) - min(axis) + 1 for axis in zip(*instance.coordinates, strict=True)]
    patterns = len(tiling.pieces) * (8 if tiling.reflect else 4)
    if len(sides) > 2 or min(sides) > _NARROW or patterns > _MANY_PATTERNS:
        return "auto"
    # Neighbouring cells are at most the shorter side apart in the sweep.
    largest = max(map(len, tiling.pieces))
    if (largest - 1) * min(sides) > _REACH and _span(instance) > _REACH:
        return "auto"
    if by_cells is not None:
        return "masks" if by_cells else "auto"
    if "gridkit.cover.kernels.masks" not in sys.modules:
        descents, chance = PlainSearch(tiling.matrix), Random(1)
        nodes = sum(descents.descend_at_random((), chance)[0] for _ in range(_PROBES))
        if nodes < _PROBES * _FEW_NODES:
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


def _orbit_tasks(
    tiling: Tiling,
    group: Sequence[symmetry.Element],
    method: str,
    by_cells: bool | None = None,
) -> list[Task]:
    """Return a search for each symmetry, of the tilings it fixes; the identity's come first."""
    if not may_fit(tiling):
        return [Task(tiling.matrix, roots=())]
    roots = symmetry.broken_roots(tiling, group)
    engine = _engine(tiling, method, by_cells)
    instance = tiling.instance if engine == "masks" else None
    tasks = [Task(tiling.matrix, engine, instance, roots or (((), 1),))]
    for element in group[1:]:
        if not symmetry.may_fix(tiling, element):
            tasks.append(Task(tiling.matrix, roots=()))
            continue
        permutation = symmetry.placement_permutation(tiling, element)
        problem = symmetry.fixed_problem(tiling.matrix, permutation)
        tasks.append(reduced_task(problem, "auto"))
    return tasks
