"""Shortest paths by breadth-first search from both ends, in plain Python.

It answers boards of a few cells within milliseconds, and everything the compiled searches do not
handle: several blanks, equal tiles, walls, pushes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from gridkit.errors import UnsupportedError

__all__ = ["Bidirectional", "PathCount", "Route", "step_rays"]

Route = list[tuple[int, int]]  # the cells each tile leaves and enters
Rays = Sequence[Sequence[Sequence[int]]]  # for each cell and direction, the cells a blank may cross


def step_rays(graph: Sequence[Sequence[int]]) -> list[list[list[int]]]:
    """Return rays of one cell: every neighbour."""
    return [[[w] for w in near] for near in graph]


def encode(*arrangements: Sequence[int]) -> list[str]:
    """Write arrangements as strings, the blank as the character 0 (slices of strings are fast)."""
    numbers = {tile: index for index, tile in enumerate(sorted({0, *arrangements[0]}))}
    if len(numbers) > 0xD000:  # characters above are no plain ones
        raise UnsupportedError(f"shortest plans take at most {0xD000} different tiles")
    return ["".join(chr(numbers[tile]) for tile in tiles) for tiles in arrangements]


def successors(rays: Rays, state: str) -> Iterator[str]:
    """Yield the states one move away."""
    blank = state.find("\0")
    while blank >= 0:
        for ray in rays[blank]:
            if len(ray) == 1:
                w = ray[0]
                if state[w] != "\0":
                    low, high = (blank, w) if blank < w else (w, blank)
                    yield (
                        state[:low] + state[high] + state[low + 1 : high] + state[low]
                        + state[high + 1 :]
                    )  # fmt: skip
            else:
                cells, here = list(state), blank
                for w in ray:
                    cells[here], cells[w], here = cells[w], "\0", w
                    yield "".join(cells)
        blank = state.find("\0", blank + 1)


class Bidirectional:
    """Breadth-first search from start and goal at once (a `Resumable`).

    Parameters
    ----------
    rays : sequence
        What a blank may cross in one move.
    start, goal : sequence of int
        Tiles by cell, 0 for a blank.
    """

    def __init__(self, rays: Rays, start: Sequence[int], goal: Sequence[int]) -> None:
        self._rays = rays
        first, last = encode(start, goal)
        self._came: list[dict[str, str]] = [{first: first}, {last: last}]
        self._edge = [[first], [last]]
        self._grown: list[str] = []
        self._side, self._at = 0, 0
        self._levels = [0, 0]
        self._meeting = first if first == last else None
        self.nodes = 0
        self.found = 0
        self._done = first == last

    def advance(self, budget: int) -> bool:
        """Expand about `budget` states."""
        last = self.nodes + budget
        while not self._done and self.nodes < last:
            if self._at == len(self._edge[self._side]):
                self._next_level()
                continue
            self._expand()
        return self._done

    def _expand(self) -> None:
        side = self._side
        came, others, grown = self._came[side], self._came[1 - side], self._grown
        state = self._edge[side][self._at]
        self._at += 1
        self.nodes += 1
        for following in successors(self._rays, state):
            if following not in came:
                came[following] = state
                grown.append(following)
                if following in others:
                    self._meeting, self._done = following, True
                    self._levels[side] += 1
                    return

    def _next_level(self) -> None:
        if self._at:
            self._edge[self._side] = self._grown
            self._levels[self._side] += 1
            self._grown, self._at = [], 0
        self._side = 0 if len(self._edge[0]) <= len(self._edge[1]) else 1
        self._done = not self._edge[self._side]  # one side is exhausted: no path

    def fraction(self) -> float:
        """Return 0: the size of the space is not known."""
        return 0.0

    def memory(self) -> int:
        """Estimate the bytes held by the visited states."""
        visited = len(self._came[0]) + len(self._came[1])
        return visited * (160 + len(next(iter(self._came[0]))))

    def value(self) -> int:
        """Return a lower bound on the length."""
        return sum(self._levels) + (not self._done)

    def token(self) -> object:
        """Return None: a search that was cut short starts anew."""
        return None

    def length(self) -> int | None:
        """Return the length of a shortest path, None without one."""
        return None if self._meeting is None else sum(self._levels)

    def route(self) -> Route | None:
        """Return the moves of a shortest path, pushes resolved into single tiles."""
        if self._meeting is None:
            return None
        states = [self._meeting]
        while (before := self._came[0][states[-1]]) != states[-1]:
            states.append(before)
        states.reverse()
        while (after := self._came[1][states[-1]]) != states[-1]:
            states.append(after)
        route: Route = []
        for one, other in pairwise(states):
            route += self._tiles_moved(one, other)
        return route

    def _tiles_moved(self, one: str, other: str) -> Route:
        entered = next(i for i, tile in enumerate(one) if tile == "\0" and other[i] != "\0")
        left = next(i for i, tile in enumerate(one) if tile != "\0" and other[i] == "\0")
        ray = next(ray for ray in self._rays[entered] if left in ray)
        cells = [entered, *ray[: ray.index(left) + 1]]
        return [(source, target) for target, source in pairwise(cells)]


class PathCount:
    """Counts the shortest paths by levels from the start (a `Resumable`)."""

    def __init__(self, rays: Rays, start: Sequence[int], goal: Sequence[int]) -> None:
        first, self._goal = encode(start, goal)
        self._rays = rays
        self._seen = {first}
        self._edge = {first: 1}
        self._items = iter([(first, 1)])
        self._grown: dict[str, int] = {}
        self.nodes = 0
        self.found = 1 if first == self._goal else 0
        self._done = bool(self.found)

    def advance(self, budget: int) -> bool:
        """Expand about `budget` states."""
        last = self.nodes + budget
        while not self._done and self.nodes < last:
            item = next(self._items, None)
            if item is None:
                self._edge, self._grown = self._grown, {}
                self._seen.update(self._edge)
                self._items = iter(self._edge.items())
                self.found = self._edge.get(self._goal, 0)
                self._done = bool(self.found) or not self._edge
                continue
            state, ways = item
            self.nodes += 1
            for following in successors(self._rays, state):
                if following not in self._seen:
                    self._grown[following] = self._grown.get(following, 0) + ways
        return self._done

    def fraction(self) -> float:
        """Return 0: the size of the space is not known."""
        return 0.0

    def memory(self) -> int:
        """Estimate the bytes held by the visited states."""
        return len(self._seen) * (160 + len(self._goal))

    def value(self) -> int:
        """Return the paths found so far."""
        return self.found

    def token(self) -> object:
        """Return None: a count that was cut short starts anew."""
        return None
