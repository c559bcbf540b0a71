"""Which engine counts a tiling, and why.

Measured rules, in this order:

1. An area or a surplus of chessboard colours that the pieces cannot make up: 0, no search.
2. Pieces free to be used any number of times: the frontier engine, whose effort does not depend
   on how many tilings there are, unless its states would not fit into memory; a determinant for
   dominoes on boards wider than sixteen cells.
3. Otherwise a search, with the region's symmetry broken on a piece used exactly once.  Sweeping
   cell by cell ("masks") is fastest on narrow regions (shortest side up to 6), fewest options
   first ("bitset") on wider ones, and problems of a few thousand nodes are searched on Python ints.
4. A search without a limit that is not done after some million nodes is given up for the frontier
   engine where that is expected to take less than what is left: many pieces with bounds that
   matter little have far more tilings than states.

A count that is split into parts, or goes on from a token, is always a search.

The copies of a single piece follow from the area, so bounds that it meets are no bounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from gridkit.cover.search.methods import check_method
from gridkit.errors import LimitReached, UnsupportedError
from gridkit.run.control import Limit, Partial, ProgressCallback

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from pathlib import Path

    from gridkit.cover.search.tree import Task
    from gridkit.cover.solution import Solution
    from gridkit.cover.tiling import Tiling

__all__ = ["METHODS", "count_tiling", "first_tiling", "tiling_solutions"]

METHODS = ("auto", "search", "plain", "bitset", "masks", "sparse", "frontier", "kasteleyn")

# What the frontier engine may hold when it is chosen unasked.
_FRONTIER_BYTES = 4 << 30
# How long one tiling is searched for before asking whether there is any.
_BRIEF_NODES = 50_000
# How long tilings are counted one by one before weighing that against a sweep, and what it takes
# to move a state with the copies used, in nodes of a search: measured, 2 to 6.
_PATIENT_NODES = 4_000_000
_NODES_A_VISIT = 6


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
        if limit is None and progress is None and not up_to_symmetry:
            small = _count_if_small(tiling)
            if small is not None:
                return small
        method = _swept_method(tiling, up_to_symmetry)
        if method == "none":
            return 0
    from gridkit.cover import symmetry

    if method in ("frontier", "kasteleyn"):
        for name, given in (("resume", resume is not None), ("parts", splitting)):
            if given:
                raise UnsupportedError(f"method {method!r} has no {name}")
        from gridkit.cover.frontier.swept import count_swept

        fixing = symmetry.elements(tiling.instance) if up_to_symmetry else ()
        return count_swept(tiling, method, fixing, limit, progress)
    from gridkit.cover.search.counting import count_orbits, count_tasks
    from gridkit.cover.search.tiling_tasks import orbit_tasks, tiling_tasks, was_by_cells

    weighing = method == "auto" and limit is None and resume is None
    group = symmetry.elements(tiling.instance)
    by_cells = was_by_cells(resume, splitting)
    if up_to_symmetry:
        if splitting:
            raise UnsupportedError("up_to_symmetry does not split into parts")
        tasks = orbit_tasks(tiling, group, method, by_cells)
        return count_orbits(tasks, limit=limit, progress=progress, resume=resume)
    tasks = tiling_tasks(tiling, group, method, by_cells)
    if weighing and not splitting:
        return _count_weighing(tiling, tasks, progress)
    return count_tasks(
        tasks,
        limit=limit,
        progress=progress,
        executor=executor,
        parts=parts,
        checkpoint=checkpoint,
        resume=resume,
    )


def tiling_solutions(
    tiling: Tiling,
    *,
    method: str = "auto",
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
    resume: object = None,
) -> Iterator[tuple[int, ...]]:
    """Iterate over the tilings as increasing placement numbers (see `Tiling.solutions`)."""
    from gridkit.cover.proof.areas import may_fit
    from gridkit.cover.search import listing

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


def first_tiling(tiling: Tiling, progress: ProgressCallback | None) -> Solution | None:
    """Return one tiling, or None when there is none (see `Tiling.first`)."""
    brief = Limit(nodes=_BRIEF_NODES)
    try:
        return next(tiling.solutions(limit=brief, progress=progress), None)
    except LimitReached as cut:
        token = cut.token
    from gridkit.cover.advice import advise

    engine = advise(tiling.instance, _FRONTIER_BYTES).method
    if engine != "search" and tiling.count(method=engine, progress=progress) == 0:
        return None
    return next(tiling.solutions(progress=progress, resume=token), None)


def _count_if_small(tiling: Tiling) -> int | None:
    """Count with a dictionary when that is a matter of milliseconds; loads nothing else."""
    if any(bounds != (0, None) for bounds in tiling.copies):
        return None
    from gridkit.cover.frontier.profile import count_small

    return count_small(tiling.instance)


def _swept_method(tiling: Tiling, up_to_symmetry: bool) -> str:
    """Return the engine that does not search, "none" for no tiling, or "auto" for a search."""
    from gridkit.cover.advice import advise
    from gridkit.cover.proof.areas import may_fit

    if not may_fit(tiling):
        return "none"
    advised = advise(tiling.instance, _FRONTIER_BYTES).method
    if advised == "search":
        return "auto"
    if not up_to_symmetry:
        return advised
    return "frontier" if all(bounds == (0, None) for bounds in tiling.copies) else "auto"


def _count_weighing(
    tiling: Tiling, tasks: Sequence[Task], progress: ProgressCallback | None
) -> int:
    """Search for a while; then by a sweep where that is shorter, else to the end."""
    from gridkit.cover.frontier.swept import count_swept
    from gridkit.cover.search.counting import count_tasks

    try:
        return count_tasks(tasks, limit=Limit(nodes=_PATIENT_NODES), progress=progress)
    except LimitReached as reached:
        searched, token = reached.partial, reached.token
    if _sweep_is_shorter(tiling, searched):
        return count_swept(tiling, "frontier", (), None, progress)
    return count_tasks(tasks, progress=progress, resume=token)


def _sweep_is_shorter(tiling: Tiling, searched: object) -> bool:
    """Whether counting by a sweep is expected to take less than the rest of a search."""
    assert isinstance(searched, Partial)
    from gridkit.cover.frontier.count import estimate

    cost = estimate(tiling.instance)
    left = searched.nodes * (1 - searched.fraction)
    return (
        cost.memory <= _FRONTIER_BYTES and cost.visits * _NODES_A_VISIT * searched.fraction < left
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
