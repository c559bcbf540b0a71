"""The order in which a sweep settles the cells: one that keeps the frontier narrow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations, product
from operator import itemgetter

from gridkit.cover.frontier.sweep import Sweep, build_sweep, paced
from gridkit.cover.instance import Instance
from gridkit.run import Run

__all__ = ["components", "plan_sweep", "plan_sweeps", "planned"]

# Below this many state visits another order is not worth looking for.
_CHEAP = 1 << 17
# Beyond so many placements only the sweep along the longest axis is planned.
_MANY = 20_000


def components(instance: Instance, run: Run) -> list[list[int]]:
    """Split the cells into parts that no placement joins, each in increasing order."""
    leader = list(range(len(instance.coordinates)))

    def find(cell: int) -> int:
        while leader[cell] != cell:
            leader[cell] = leader[leader[cell]]
            cell = leader[cell]
        return cell

    for _, cells in paced(instance.placements, run):
        first = find(cells[0])
        for cell in cells[1:]:
            leader[find(cell)] = first
    parts: dict[int, list[int]] = {}
    for cell in range(len(leader)):
        parts.setdefault(find(cell), []).append(cell)
    return list(parts.values())


def plan_sweep(
    instance: Instance, run: Run, *, tally: bool = False, order: Sequence[int] | None = None
) -> Sweep:
    """Choose a sweep over all cells that keeps the frontier narrow.

    Parameters
    ----------
    instance : Instance
        The problem.
    run : Run
        The call, whose limits hold while it prepares.
    tally : bool
        Count the uses of every piece, not only of the limited ones.
    order : sequence of int, optional
        Settle the cells in this order instead of choosing one.

    Returns
    -------
    Sweep
        Candidates are the sweeps along each axis from either end, the diagonal ones, and a greedy
        one; the one with the fewest state visits is taken.  Time is proportional to the number of
        placements for each candidate; narrow boards are answered by the first.  Regions that no
        placement joins are swept one after the other.
    """
    if order is not None:
        return build_sweep(instance, list(order), run, tally=tally)
    parts = components(instance, run)
    if len(parts) <= 1:
        return _best_sweep(instance, run, tally=tally)
    chosen = [
        part[cell]
        for part, _, restricted in _regions(instance, parts)
        for cell in _best_sweep(restricted, run, tally=tally).cells
    ]
    return build_sweep(instance, chosen, run, tally=tally)


def plan_sweeps(instance: Instance, run: Run) -> list[Sweep]:
    """Plan sweeps whose counts multiply to that of the instance, smallest region first.

    One for each region that no placement joins to another; a single one when copies are limited.
    """
    if instance.limited:
        return [plan_sweep(instance, run)]
    instance = instance.unbounded()
    parts = components(instance, run)
    if len(parts) <= 1:
        return [_best_sweep(instance, run)]
    return [
        _renumbered(_best_sweep(restricted, run), part, numbers)
        for part, numbers, restricted in _regions(instance, parts)
    ]


# Plans of the last problems: advice, a count and a sample of the same one follow each other.
_plans: tuple[tuple[Instance, list[Sweep]], ...] = ()
_MOST_PLANS = 4
_COMPARED = 1 << 14  # placements of problems that are compared: larger ones are known by identity


def planned(instance: Instance, run: Run) -> list[Sweep]:
    """Return the sweeps of a problem, planned once for calls in a row."""
    global _plans
    compared = len(instance.placements) <= _COMPARED
    for known, sweeps in _plans:
        if known is instance or (compared and known == instance):
            return sweeps
    sweeps = plan_sweeps(instance, run)
    _plans = ((instance, sweeps), *_plans[: _MOST_PLANS - 1])
    return sweeps


def _regions(
    instance: Instance, parts: list[list[int]]
) -> Iterator[tuple[list[int], list[int], Instance]]:
    """Give each part's cells, its placements' numbers and the problem on it, smallest first."""
    region_of, number = {}, {}
    for region, part in enumerate(parts):
        for place, cell in enumerate(part):
            region_of[cell], number[cell] = region, place
    numbers: list[list[int]] = [[] for _ in parts]
    for placement, (_, cells) in enumerate(instance.placements):
        numbers[region_of[cells[0]]].append(placement)
    for region in sorted(range(len(parts)), key=lambda region: len(parts[region])):
        part = parts[region]
        placements = []
        for placement in numbers[region]:
            piece, cells = instance.placements[placement]
            placements.append((piece, tuple([number[cell] for cell in cells])))
        yield (
            part,
            numbers[region],
            Instance(
                tuple(instance.coordinates[cell] for cell in part),
                tuple(placements),
                instance.copies,
                frozenset(number[cell] for cell in part if cell in instance.optional),
            ),
        )


def _renumbered(sweep: Sweep, part: list[int], numbers: list[int]) -> Sweep:
    """Name cells and placements as in the whole problem."""
    steps = tuple(
        step._replace(
            choices=tuple([(m, piece, numbers[place]) for m, piece, place in step.choices])
        )
        for step in sweep.steps
    )
    return replace(sweep, cells=tuple(part[cell] for cell in sweep.cells), steps=steps)


def _best_sweep(instance: Instance, run: Run, *, tally: bool = False) -> Sweep:
    """Return the sweep with the fewest state visits, or the first that is cheap."""
    candidates = _candidates(instance, run)
    order = next(candidates)
    sweep = build_sweep(instance, order, run, tally=tally)
    if sweep.visits <= _CHEAP:
        return sweep
    placements = [cells for _, cells in instance.placements]
    best = min((order, *candidates), key=lambda order: _visits(order, placements, run))
    return sweep if best is order else build_sweep(instance, best, run, tally=tally)


def _candidates(instance: Instance, run: Run) -> Iterator[list[int]]:
    """Give orders of the cells: along each axis from either end, along diagonals, and greedy."""
    points = instance.coordinates
    cells = list(range(len(points)))
    axes = range(len(points[0]) if points else 0)
    extent = [
        max(points[cell][axis] for cell in cells) - min(points[cell][axis] for cell in cells)
        for axis in axes
    ]
    longest_first = sorted(axes, key=lambda axis: -extent[axis])
    if list(longest_first) == list(axes):
        yield cells  # numbered along the first axis
    else:
        yield sorted(cells, key=lambda cell: itemgetter(*longest_first)(points[cell]))
    if len(instance.placements) > _MANY:
        return
    for axis_order in permutations(longest_first):
        for signs in product((1, -1), repeat=len(axis_order)):
            run.check()
            yield sorted(
                cells,
                key=lambda cell: [
                    sign * points[cell][axis] for sign, axis in zip(signs, axis_order, strict=True)
                ],
            )
    for signs in product((1, -1), repeat=len(extent)):
        if signs[0] < 0:
            continue  # the same diagonals, backwards
        run.check()
        yield sorted(
            cells,
            key=lambda cell: (
                sum(sign * value for sign, value in zip(signs, points[cell], strict=True)),
                points[cell],
            ),
        )
    yield _greedy_order(cells, [covered for _, covered in instance.placements], run)


def _greedy_order(cells: list[int], placements: list[tuple[int, ...]], run: Run) -> list[int]:
    """Settle next the cell that adds fewest cells to the frontier, oldest first."""
    neighbours: dict[int, set[int]] = {cell: set() for cell in cells}
    for covered in placements:
        for cell in covered:
            neighbours[cell].update(covered)
    settled: set[int] = set()
    reached: dict[int, int] = {}
    order: list[int] = []
    while len(order) < len(cells):
        run.check()
        open_cells = reached or {cell: 0 for cell in cells if cell not in settled}
        cell = min(
            open_cells,
            key=lambda c: (
                sum(1 for near in neighbours[c] if near not in settled and near not in reached),
                open_cells[c],
            ),
        )
        reached.pop(cell, None)
        settled.add(cell)
        order.append(cell)
        for near in neighbours[cell]:
            if near not in settled:
                reached.setdefault(near, len(order))
    return order


def _visits(order: list[int], placements: list[tuple[int, ...]], run: Run) -> int:
    """Sum of two to the power of the frontier's size over the steps of an order."""
    position = {cell: number for number, cell in enumerate(order)}
    begins = list(range(len(order)))
    for cells in paced(placements, run):
        places = [position[cell] for cell in cells]
        first = min(places)
        for place in places:
            if first < begins[place]:
                begins[place] = first
    change = [0] * (len(order) + 1)
    for place, first in enumerate(begins):
        if first < place:
            change[first] += 1
            change[place] -= 1
    size = visits = 0
    for delta in change:
        size += delta
        visits += 1 << size
    return visits
