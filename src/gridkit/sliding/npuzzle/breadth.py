"""Shortest paths by breadth-first search, in plain Python.

It answers boards of a few cells within milliseconds, and everything the compiled searches do not
handle: several blanks, equal tiles, walls, pushes.  A state is a string with a character for each
tile, because slices of strings are fast.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise

from gridkit.errors import UnsupportedError
from gridkit.run import Work
from gridkit.sliding.meet import MeetInTheMiddle
from gridkit.sliding.npuzzle.graph import Graph, Instance, Route

__all__ = ["PathCount", "Rays", "ShortestSearch", "push_rays", "step_rays"]

Rays = Sequence[Sequence[Sequence[int]]]  # for each cell and direction, the cells a blank may cross
_BLANK = "\0"


def step_rays(graph: Graph) -> list[list[list[int]]]:
    """Return rays of one cell: every neighbour."""
    return [[[w] for w in near] for near in graph]


def push_rays(instance: Instance) -> Rays:
    """Return the rays of a blank that pushes lines of tiles.

    Raises
    ------
    UnsupportedError
        For several blanks.
    """
    if instance.start.count(0) > 1:
        raise UnsupportedError("the metric 'push' is defined for one blank only")
    rows, cols = instance.rows, instance.cols
    place = {cell: index for index, cell in enumerate(instance.cells)}
    rays = []
    for cell in instance.cells:
        row, col = divmod(cell, cols)
        rays_here = []
        for down, right in ((0, 1), (0, -1), (-1, 0), (1, 0)):
            ray = []
            r, c = row + down, col + right
            while 0 <= r < rows and 0 <= c < cols and r * cols + c in place:
                ray.append(place[r * cols + c])
                r, c = r + down, c + right
            if ray:
                rays_here.append(ray)
        rays.append(rays_here)
    return rays


def _encode(*arrangements: Sequence[int]) -> list[str]:
    """Write arrangements as strings, the blank as the character 0."""
    numbers = {tile: index for index, tile in enumerate(sorted({0, *arrangements[0]}))}
    if len(numbers) > 0xD000:  # characters above are no plain ones
        raise UnsupportedError(f"shortest plans take at most {0xD000} different tiles")
    return ["".join(chr(numbers[tile]) for tile in tiles) for tiles in arrangements]


def _state_bytes(state: str) -> int:
    """Estimate the bytes that a visited state takes."""
    return 160 + len(state)


def successors(rays: Rays, state: str) -> Iterator[str]:
    """Yield the states one move away."""
    blank = state.find(_BLANK)
    while blank >= 0:
        for ray in rays[blank]:
            if len(ray) == 1:
                w = ray[0]
                if state[w] != _BLANK:
                    low, high = (blank, w) if blank < w else (w, blank)
                    yield (
                        state[:low] + state[high] + state[low + 1 : high] + state[low]
                        + state[high + 1 :]
                    )  # fmt: skip
            else:
                cells, here = list(state), blank
                for w in ray:
                    cells[here], cells[w], here = cells[w], _BLANK, w
                    yield "".join(cells)
        blank = state.find(_BLANK, blank + 1)


class ShortestSearch(MeetInTheMiddle[str]):
    """Search from start and goal at once.

    Parameters
    ----------
    rays : sequence
        What a blank may cross in one move.
    start, goal : sequence of int
        Tiles by cell, 0 for a blank.
    """

    def __init__(self, rays: Rays, start: Sequence[int], goal: Sequence[int]) -> None:
        first, last = _encode(start, goal)
        self._rays = rays
        super().__init__(first, last, partial(successors, rays), state_bytes=_state_bytes(first))

    def value(self) -> object:
        """Return a lower bound on the length."""
        return sum(self.levels) + (self.length is None)

    def route(self) -> Route | None:
        """Return the moves of a shortest path, pushes resolved into single tiles."""
        states = self.way()
        if states is None:
            return None
        return [move for pair in pairwise(states) for move in self._tiles_moved(*pair)]

    def _tiles_moved(self, before: str, after: str) -> Route:
        changed = [i for i, tile in enumerate(before) if tile != after[i]]
        entered = next(i for i in changed if before[i] == _BLANK)
        vacated = next(i for i in changed if after[i] == _BLANK)
        ray = next(ray for ray in self._rays[entered] if vacated in ray)
        cells = [entered, *ray[: ray.index(vacated) + 1]]
        return [(source, target) for target, source in pairwise(cells)]


class PlanSearch(ShortestSearch):
    """The same search, for a call whose value is a plan: there is none before the end."""

    def value(self) -> object:
        """Return None."""
        return None


class PathCount(Work):
    """Counts the shortest paths by levels from the start; a node is a state expanded."""

    nodes = 0
    found = 0

    def __init__(self, rays: Rays, start: Sequence[int], goal: Sequence[int]) -> None:
        first, self._goal = _encode(start, goal)
        self._rays = rays
        self._seen = {first}
        self._front = {first: 1}
        self._waiting = iter([(first, 1)])
        self._grown: dict[str, int] = {}
        self.found = 1 if first == self._goal else 0
        self._done = bool(self.found)

    def advance(self, budget: int) -> bool:
        """Expand about `budget` states."""
        last = self.nodes + budget
        while not self._done and self.nodes < last:
            item = next(self._waiting, None)
            if item is None:
                self._front, self._grown = self._grown, {}
                self._seen.update(self._front)
                self._waiting = iter(self._front.items())
                self.found = self._front.get(self._goal, 0)
                self._done = bool(self.found) or not self._front
                continue
            state, ways = item
            self.nodes += 1
            for following in successors(self._rays, state):
                if following not in self._seen:
                    self._grown[following] = self._grown.get(following, 0) + ways
        return self._done

    def memory(self) -> int:
        """Estimate the bytes held by the visited states."""
        return len(self._seen) * _state_bytes(self._goal)

    def value(self) -> object:
        """Return the paths found so far."""
        return self.found
