"""Which engine counts a tiling, and why."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from gridkit.cover import search
from gridkit.run.control import Limit, ProgressCallback

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from gridkit.cover.tiling import Tiling

__all__ = ["METHODS", "count_tiling", "tiling_solutions"]

METHODS = ("auto", "search", "plain", "bitset", "masks", "sparse", "frontier", "kasteleyn")


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
    search.check_method(method, METHODS)
    if method == "frontier":
        from gridkit.cover import frontier

        return frontier.count(tiling.instance, limit=limit, progress=progress)
    if method == "kasteleyn":
        from gridkit.cover import kasteleyn

        return kasteleyn.count(tiling.instance, limit=limit, progress=progress)
    return search.count(
        tiling.matrix, method="plain", limit=limit, progress=progress, resume=resume
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
    return search.solutions(
        tiling.matrix, method="plain", limit=limit, progress=progress, resume=resume
    )
