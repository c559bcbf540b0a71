"""Plane geometry of pictures: sides chained into lines, hatching, and the place of a label."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from itertools import pairwise
from math import hypot

__all__ = ["Corners", "Edge", "Point", "chained", "hatching", "label_place", "neighbours"]

Point = tuple[float, float]
Edge = tuple[Point, Point]
Corners = Sequence[Point]


def chained(edges: Iterable[Edge]) -> list[list[Point]]:
    """Join sides that meet into long lines, straight on where that is possible.

    Complexity: linear in the number of sides.

    Examples
    --------
    >>> chained([((0, 0), (1, 0)), ((1, 0), (2, 0)), ((2, 0), (2, 1))])
    [[(0, 0), (2, 0), (2, 1)]]
    """
    ways: dict[Point, list[Point]] = defaultdict(list)
    for one, two in edges:
        ways[one].append(two)
        ways[two].append(one)
    lines = []
    # Ends of odd lines first: what is left then are closed ones.
    for start in sorted(ways, key=lambda point: len(ways[point]) % 2 == 0):
        while ways[start]:
            before, here = start, ways[start].pop()
            ways[here].remove(before)
            line = [before, here]
            while ahead := ways[here]:
                mirrored = 2 * here[0] - before[0], 2 * here[1] - before[1]
                end, straight = mirrored, mirrored in ahead
                if not straight:
                    end = next((each for each in ahead if _straight(before, here, each)), ahead[0])
                    straight = _straight(before, here, end)
                ahead.remove(end)
                ways[end].remove(here)
                if straight:
                    line.pop()
                line.append(end)
                before, here = here, end
            lines.append(line)
    return lines


def _straight(one: Point, two: Point, three: Point) -> bool:
    """Whether the way from the second point to the third goes on as it came."""
    (a, b), (c, d) = (two[0] - one[0], two[1] - one[1]), (three[0] - two[0], three[1] - two[1])
    return abs(a * d - b * c) < 1e-6 and a * c + b * d > 0


def hatching(corners: Corners, distance: float = 0.25) -> list[list[Point]]:
    """Return slanting lines that fill a convex polygon and go on in its neighbours.

    Examples
    --------
    >>> len(hatching([(0, 0), (1, 0), (1, 1), (0, 1)]))
    8
    """
    sums = [x + y for x, y in corners]
    lines = []
    number = int(min(sums) / distance - 1)
    while (level := (number + 0.5) * distance) < max(sums):
        number += 1
        ends = []
        for (x, y), (a, b) in pairwise((*corners, corners[0])):
            before, after = x + y - level, a + b - level
            if before * after < 0:
                part = before / (before - after)
                ends.append((x + part * (a - x), y + part * (b - y)))
        if len(ends) == 2:
            lines.append(sorted(ends))
    return lines


def neighbours(cells: Iterable[tuple[Corners, Hashable]]) -> dict[Hashable, set[Hashable]]:
    """Return the owners that share a side or a corner with each owner, in order of appearance.

    Examples
    --------
    >>> neighbours([([(0, 0), (1, 0), (0, 1)], "a"), ([(1, 0), (1, 1), (0, 1)], "b")])
    {'a': {'b'}, 'b': {'a'}}
    """
    at: dict[Point, set[Hashable]] = defaultdict(set)
    beside: dict[Hashable, set[Hashable]] = {}
    for corners, owner in cells:
        beside.setdefault(owner, set())
        for x, y in corners:
            at[round(x, 6), round(y, 6)].add(owner)
    for owners in at.values():
        for owner in owners:
            beside[owner] |= owners - {owner}
    return beside


def label_place(polygons: Sequence[Corners]) -> tuple[Point, float]:
    """Return where a piece of several cells is to be labelled, and how much room is there.

    The place is as far as possible from the piece's outline, at the centre of the piece where that
    is such a place, else in the middle of a cell; the room is the distance to the outline.

    Examples
    --------
    >>> square = [(0, 0), (1, 0), (1, 1), (0, 1)]
    >>> label_place([square]), label_place([square, [(x + 1, y) for x, y in square]])
    (((0.5, 0.5), 0.5), ((1.0, 0.5), 0.5))
    """
    sides: dict[Edge, int] = defaultdict(int)
    middles = [_mean(corners) for corners in polygons]
    for corners in polygons:
        for one, two in pairwise((*corners, corners[0])):
            sides[(one, two) if one < two else (two, one)] += 1
    outline = [side for side, times in sides.items() if times == 1]
    centre = _mean(middles)
    inside = [_mean(side) for side, times in sides.items() if times > 1]
    inside += [point for side, times in sides.items() if times > 1 for point in side]
    candidates = [*middles, *inside]

    def merit(place: Point) -> tuple[float, bool, bool, float]:
        away = hypot(place[0] - centre[0], place[1] - centre[1])
        room = round(min(_distance(place, side) for side in outline), 3)
        return room, away < 1e-6, place in middles, -away

    best = max(candidates, key=merit)
    return (centre if merit(best)[1] else best), merit(best)[0]


def _mean(points: Sequence[Point]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _distance(point: Point, side: Edge) -> float:
    """Return the distance of a point from a segment."""
    (x, y), ((a, b), (c, d)) = point, side
    across, down = c - a, d - b
    part = ((x - a) * across + (y - b) * down) / (across**2 + down**2)
    part = min(1.0, max(0.0, part))
    return hypot(x - a - part * across, y - b - part * down)
