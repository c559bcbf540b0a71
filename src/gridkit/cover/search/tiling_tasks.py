"""A tiling as searches: which engine, with symmetry broken, or one search for each symmetry."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from random import Random

from gridkit.cover import symmetry
from gridkit.cover.instance import Instance
from gridkit.cover.search.counting import reduced_task, tasks_of
from gridkit.cover.search.plain import PlainSearch
from gridkit.cover.search.tree import Task

__all__ = ["orbit_tasks", "tiling_tasks", "was_by_cells"]

_NARROW = 6
_REACH = 63  # what the window of the masks engine sees
_MANY_PATTERNS = 256
_FEW_NODES = 20_000
_PROBES = 10


def was_by_cells(resume: object, splitting: bool) -> bool | None:
    """Whether a continued call swept cell by cell; None when that is free to choose.

    What is kept in files and tokens must not depend on which kernels happen to be loaded.
    """
    if isinstance(resume, tuple) and len(resume) == 5 and isinstance(resume[4], tuple):
        return str(resume[4][:1]).endswith("-cells',)")
    return True if splitting or resume is not None else None


def tiling_tasks(
    instance: Instance,
    group: Sequence[symmetry.Element],
    method: str,
    by_cells: bool | None = None,
    *,
    fits: bool = True,
) -> list[Task]:
    """Return the searches whose counts multiply to the number of tilings.

    `fits` is False where it is known that there is no tiling.
    """
    if not fits:
        return [Task(instance, roots=())]
    roots = symmetry.broken_roots(instance, group)
    engine = _engine(instance, method, by_cells)
    if roots is None and engine != "masks":
        return tasks_of(instance.matrix, engine)
    return [_task(instance, engine, roots)]


def _task(instance: Instance, engine: str, roots: symmetry.Roots | None) -> Task:
    """Return the search of a tiling, whole or with its symmetry broken."""
    problem = instance if engine == "masks" else instance.matrix
    return Task(problem, engine, roots or (((), 1),))


def _engine(instance: Instance, method: str, by_cells: bool | None) -> str:
    """Return the search engine for a tiling."""
    if method not in ("auto", "search"):
        return method
    if instance.optional or not instance.placements:
        return "auto"
    sides = [max(axis) - min(axis) + 1 for axis in zip(*instance.coordinates, strict=True)]
    own_images = instance.mirror_images == tuple(range(len(instance.copies)))
    patterns = len(instance.copies) * (8 if own_images else 4)
    if len(sides) > 2 or min(sides) > _NARROW or patterns > _MANY_PATTERNS:
        return "auto"
    # Neighbouring cells are at most the shorter side apart in the sweep.
    largest = max(instance.sizes.values())
    if (largest - 1) * min(sides) > _REACH and _span(instance) > _REACH:
        return "auto"
    if by_cells is not None:
        return "masks" if by_cells else "auto"
    if "numba" not in sys.modules:  # importing it costs more than a short search
        descents, chance = PlainSearch(instance.matrix), Random(1)
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


def orbit_tasks(
    instance: Instance,
    group: Sequence[symmetry.Element],
    method: str,
    by_cells: bool | None = None,
    *,
    fits: bool = True,
) -> list[Task]:
    """Return a search for each symmetry, of the tilings it fixes; the identity's come first."""
    if not fits:
        return [Task(instance, roots=())]
    roots = symmetry.broken_roots(instance, group)
    tasks = [_task(instance, _engine(instance, method, by_cells), roots)]
    for element in group[1:]:
        if not symmetry.may_fix(instance, element):
            tasks.append(Task(instance.matrix, roots=()))
            continue
        permutation = symmetry.placement_permutation(instance, element)
        problem = symmetry.fixed_problem(instance.matrix, permutation)
        tasks.append(reduced_task(problem, "auto"))
    return tasks
