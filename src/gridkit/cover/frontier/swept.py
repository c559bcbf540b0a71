"""Counting tilings with the engines that do not search: sweeps and determinants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gridkit.cover import symmetry
from gridkit.cover.instance import Instance
from gridkit.errors import UnsupportedError
from gridkit.run.control import Limit, ProgressCallback

if TYPE_CHECKING:
    from gridkit.cover.tiling import Tiling

__all__ = ["count_swept"]


def count_swept(
    tiling: Tiling,
    method: str,
    group: Sequence[symmetry.Element],
    limit: Limit | None,
    progress: ProgressCallback | None,
) -> int:
    """Count with an engine that does not search: everything, or orbits by what each fixes."""
    from gridkit.cover.frontier import count as frontier

    if method == "kasteleyn":
        from gridkit.cover.determinant import kasteleyn

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
        fixed = _fixed_instance(tiling.instance, element)
        total += frontier.count(fixed, limit=limit, progress=progress)
    return total // len(group)


def _fixed_instance(instance: Instance, element: symmetry.Element) -> Instance:
    """Return the tilings that a symmetry fixes as a tiling of the cells' orbits.

    Orbits of placements that cover the same cells differ in their piece number.
    """
    cells = element[0]
    leader = list(range(len(cells)))
    for start in range(len(cells)):
        cell = cells[start]
        while cell != start:
            leader[cell] = min(leader[cell], start)
            cell = cells[cell]
    kept = [cell for cell in range(len(cells)) if leader[cell] == cell]
    number = {cell: place for place, cell in enumerate(kept)}
    permutation = symmetry.placement_permutation(instance, element)
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
