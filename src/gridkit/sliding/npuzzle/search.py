"""Chooses how an n-puzzle is solved; loads numpy and numba only where they are needed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from gridkit.errors import InputError, UnsupportedError
from gridkit.run.control import Limit, ProgressCallback, drive
from gridkit.sliding.npuzzle.plain import Bidirectional, PathCount, Rays, step_rays

if TYPE_CHECKING:
    from gridkit.sliding.npuzzle.classic import ClassicSearch
    from gridkit.sliding.npuzzle.ida import DeepeningSearch
    from gridkit.sliding.npuzzle.plain import Route
    from gridkit.sliding.npuzzle.puzzle import NPuzzle
    from gridkit.sliding.plan import Metric, Plan

__all__ = ["compact", "count_shortest", "distance", "plan_of", "solve"]

# Up to this many cells the plain search from both ends answers within a fraction of a second.
_PLAIN_CELLS = 9


def solve(
    puzzle: NPuzzle,
    optimal: bool,
    tables: str,
    metric: str,
    limit: Limit | None,
    progress: ProgressCallback | None,
) -> Plan | None:
    """Answer `NPuzzle.solve`."""
    _check_options(tables, metric)
    if not puzzle.is_solvable():
        return None
    step_metric: Metric = "push" if metric == "push" else "step"
    if optimal or len(puzzle.open_cells) <= _PLAIN_CELLS:
        search = _search(puzzle, tables, metric, limit, progress)
        route = search.route()
        return None if route is None else plan_of(puzzle, route, step_metric)
    from gridkit.sliding.npuzzle.construct import construct

    return construct(puzzle, step_metric, limit, progress)


def distance(
    puzzle: NPuzzle,
    tables: str,
    metric: str,
    limit: Limit | None,
    progress: ProgressCallback | None,
) -> int | None:
    """Answer `NPuzzle.distance`."""
    _check_options(tables, metric)
    if not puzzle.is_solvable():
        return None
    return _search(puzzle, tables, metric, limit, progress).length()


def count_shortest(
    puzzle: NPuzzle, tables: str, limit: Limit | None, progress: ProgressCallback | None
) -> int:
    """Answer `NPuzzle.count_shortest`."""
    _check_options(tables, "step")
    if not puzzle.is_solvable():
        return 0
    if is_plain(puzzle, tables, "step"):
        plain = PathCount(step_rays(puzzle.graph), *compact(puzzle))
        drive(plain, limit=limit, progress=progress)
        return plain.found
    search = _deepening(puzzle, tables, True, limit, progress)
    drive(search, limit=limit, progress=progress)
    return search.found


def _check_options(tables: str, metric: str) -> None:
    if metric not in ("step", "push"):
        raise InputError(f"metric must be 'step' or 'push', got {metric!r}")
    if not isinstance(tables, str):
        raise InputError(f"tables must be a name such as 'auto' or '6-6-3', got {tables!r}")


def compact(puzzle: NPuzzle) -> tuple[list[int], list[int]]:
    """Return start and goal by open cells."""
    cells = puzzle.open_cells
    return [puzzle.tiles[cell] for cell in cells], [puzzle.goal[cell] for cell in cells]


def is_plain(puzzle: NPuzzle, tables: str, metric: str) -> bool:
    """Return whether the plain search from both ends is the engine for this puzzle."""
    distinct = len(set(puzzle.tiles) - {-1}) == len(puzzle.open_cells)
    if tables != "auto":
        if metric == "push" or not distinct:
            raise UnsupportedError(
                f"tables {tables!r} need one blank, distinct tiles and the metric 'step'"
            )
        return False
    return metric == "push" or not distinct or len(puzzle.open_cells) <= _PLAIN_CELLS


def _search(
    puzzle: NPuzzle,
    tables: str,
    metric: str,
    limit: Limit | None,
    progress: ProgressCallback | None,
) -> Bidirectional | DeepeningSearch | ClassicSearch:
    """Run the search for a shortest plan to its end."""
    if is_plain(puzzle, tables, metric):
        rays = _push_rays(puzzle) if metric == "push" else step_rays(puzzle.graph)
        plain = Bidirectional(rays, *compact(puzzle))
        drive(plain, limit=limit, progress=progress)
        return plain
    search = _deepening(puzzle, tables, False, limit, progress)
    drive(search, limit=limit, progress=progress)
    return search


def _deepening(
    puzzle: NPuzzle,
    tables: str,
    count_all: bool,
    limit: Limit | None,
    progress: ProgressCallback | None,
) -> DeepeningSearch | ClassicSearch:
    """Prepare the iterative deepening, building tables where they are wanted."""
    from gridkit.sliding.npuzzle.classic import ClassicSearch
    from gridkit.sliding.npuzzle.guide import guide
    from gridkit.sliding.npuzzle.ida import DeepeningSearch
    from gridkit.sliding.npuzzle.patterns import LARGEST_BOARD

    if tables == "auto" and len(puzzle.open_cells) > LARGEST_BOARD:
        tables = "manhattan"
    if tables == "walking-distance" or (tables == "manhattan" and not puzzle.walls):
        return ClassicSearch(puzzle, tables, count_all=count_all)
    return DeepeningSearch(
        puzzle, guide(puzzle, tables), count_all=count_all, limit=limit, progress=progress
    )


def _push_rays(puzzle: NPuzzle) -> Rays:
    if puzzle.tiles.count(0) > 1:
        raise UnsupportedError("the metric 'push' is defined for one blank only")
    place = {cell: index for index, cell in enumerate(puzzle.open_cells)}
    rays = []
    for cell in puzzle.open_cells:
        row, col = divmod(cell, puzzle.cols)
        found = []
        for dr, dc in ((0, 1), (0, -1), (-1, 0), (1, 0)):
            ray = []
            r, c = row + dr, col + dc
            while 0 <= r < puzzle.rows and 0 <= c < puzzle.cols and r * puzzle.cols + c in place:
                ray.append(place[r * puzzle.cols + c])
                r, c = r + dr, c + dc
            if ray:
                found.append(ray)
        rays.append(found)
    return rays


def plan_of(puzzle: NPuzzle, route: Route | Iterable[tuple[int, int]], metric: Metric) -> Plan:
    """Turn tile moves between open cells into a plan, naming the block each of them moves."""
    from gridkit.sliding.plan import Plan

    cells = puzzle.open_cells
    by_tile = sorted((cell for cell in cells if puzzle.tiles[cell]), key=puzzle.tiles.__getitem__)
    block = dict(zip(by_tile, range(len(by_tile)), strict=True))
    steps = []
    for source, target in route:
        number = block.pop(cells[source])
        block[cells[target]] = number
        steps.append((number, cells[source], cells[target]))
    return Plan(puzzle, steps, metric)
