"""A puzzle as a graph with tiles, and what is asked of the graph: paths, blocks, exchange classes.

`Instance` is all that the engines know of a puzzle.  The rest takes graphs as the neighbours of
each vertex, and is plain Python.

*Exchange classes* say which tiles can change places when several blanks move on a graph with cut
vertices.  Follow one tile and forget the names of the others.  While it stands on v, the blanks in
each component of the graph without v can be arranged at will, so all that counts is how many blanks
each component holds: a *standing* (v, counts).  Two cells are exchangeable if their standings are
connected; the whole structure is small enough to be joined by union-find.  At a vertex that
separates three or more components, all standings whose blanks lie in more than one component are
connected (the tile steps into one of them, and the rest flows past it), so they are one node; that
keeps the number of nodes near vertices times blanks.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from gridkit.grid.components import components as grid_components

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "Check", "Graph", "Instance", "Route", "around", "blocks", "components", "exchange_classes",
    "padded", "path_between", "same_blanks", "walking_distances",
]  # fmt: skip

Graph = Sequence[Sequence[int]]
Route = list[tuple[int, int]]  # moves of tiles: the cells that each of them leaves and enters
Check = Callable[[], object]  # called now and then; raises when a limit is met
Standing = tuple[int, int]  # vertex, code of the counts (see `_Standings.code`)

_FREE = -1


@dataclass(frozen=True)
class Instance:
    """A puzzle as its engines take it: cells and tiles by the open cells, in row-major order.

    Attributes
    ----------
    rows, cols : int
        Size of the board.
    cells : tuple of int
        Row-major index of each open cell.
    start, goal : tuple of int
        The tile of each open cell, 0 for a blank.
    """

    rows: int
    cols: int
    cells: tuple[int, ...]
    start: tuple[int, ...]
    goal: tuple[int, ...]

    @property
    def has_walls(self) -> bool:
        """Whether some cell of the rectangle is not open."""
        return len(self.cells) < self.rows * self.cols

    @cached_property
    def is_distinct(self) -> bool:
        """Whether there is one blank, and no two tiles are equal."""
        return len(set(self.start)) == len(self.start)

    @cached_property
    def graph(self) -> tuple[tuple[int, ...], ...]:
        """Neighbours of each open cell, in increasing order."""
        place = {cell: index for index, cell in enumerate(self.cells)}
        cols = self.cols
        near = []
        for cell in self.cells:
            beside = [cell - cols]
            beside += [cell - 1] if cell % cols else []
            beside += [cell + 1] if (cell + 1) % cols else []
            beside += [cell + cols]
            near.append(tuple([place[w] for w in beside if w in place]))
        return tuple(near)

    def spot(self, place: int) -> tuple[int, int]:
        """Return row and column of an open cell."""
        return divmod(self.cells[place], self.cols)

    def walking_bound(self) -> int:
        """Return the sum of the tiles' distances from home, each from its nearest one."""
        homes: dict[int, list[tuple[int, int]]] = {}
        for place, tile in enumerate(self.goal):
            homes.setdefault(tile, []).append(self.spot(place))
        total = 0
        for place, tile in enumerate(self.start):
            if tile:
                row, col = self.spot(place)
                total += min(abs(row - r) + abs(col - c) for r, c in homes[tile])
        return total

    def aims(self) -> list[int]:
        """Return the goal cell of the tile, or blank, on each cell; all are distinct."""
        place = {tile: index for index, tile in enumerate(self.goal)}
        return [place[tile] for tile in self.start]

    def steps(self, route: Iterable[tuple[int, int]]) -> list[tuple[int, int, int]]:
        """Return the steps of a plan: for each move its block, and cells of the whole board.

        Block k is the k-th of the tiles in increasing order.
        """
        places = [place for place, tile in enumerate(self.start) if tile]
        places.sort(key=self.start.__getitem__)
        block = dict(zip(places, range(len(places)), strict=True))
        steps = []
        for source, target in route:
            block[target] = number = block.pop(source)
            steps.append((number, self.cells[source], self.cells[target]))
        return steps


def padded(graph: Graph) -> NDArray[np.int64]:
    """Return the neighbours as rows of four, filled up with -1."""
    import numpy as np  # small boards are answered without it

    rows = np.full((len(graph), 4), -1, np.int64)
    for v, near in enumerate(graph):
        rows[v, : len(near)] = near
    return rows


def walking_distances(graph: Graph) -> NDArray[np.uint8]:
    """Return the distances between all cells of a connected graph (255 where there is no path)."""
    import numpy as np  # small boards are answered without it

    lengths = np.full((len(graph), len(graph)), 255, np.uint8)
    for source in range(len(graph)):
        lengths[source, source] = 0
        order = [source]
        for v in order:
            for w in graph[v]:
                if lengths[source, w] == 255:
                    lengths[source, w] = lengths[source, v] + 1
                    order.append(w)
    return lengths


def components(graph: Graph) -> list[list[int]]:
    """Return the vertices of each connected part, in increasing order."""
    return [sorted(part) for part in grid_components(range(len(graph)), graph.__getitem__)]


def around(graph: Graph, first: int, cycle: set[int]) -> list[int]:
    """Return a cycle's vertices in order, beginning with `first`."""
    order, before = [first], -1
    while True:
        ahead = next(w for w in graph[order[-1]] if w in cycle and w != before)
        if ahead == first:
            return order
        before = order[-1]
        order.append(ahead)


def path_between(
    graph: Graph, source: int, target: int, inside: Collection[int] | None = None
) -> list[int]:
    """Return a shortest path, both ends included, over the vertices `inside` (all if None)."""
    came = {source: source}
    waiting = deque([source])
    while target not in came:
        v = waiting.popleft()
        for w in graph[v]:
            if w not in came and (inside is None or w in inside):
                came[w] = v
                waiting.append(w)
    path = [target]
    while path[-1] != source:
        path.append(came[path[-1]])
    return path[::-1]


def blocks(graph: Graph, root: int) -> list[tuple[int, list[int]]]:
    """Return (gate, vertices) of each block, the gate being its vertex nearest `root`.

    Hopcroft and Tarjan's depth-first search (1973) with an explicit stack.
    """
    order = {root: 0}
    low = {root: 0}
    open_vertices: list[int] = [root]
    blocks = []
    stack = [(root, -1, iter(graph[root]))]
    while stack:
        v, parent, neighbours = stack[-1]
        for w in neighbours:
            if w not in order:
                order[w] = low[w] = len(order)
                open_vertices.append(w)
                stack.append((w, v, iter(graph[w])))
                break
            if w != parent:
                low[v] = min(low[v], order[w])
        else:
            stack.pop()
            if parent >= 0:
                low[parent] = min(low[parent], low[v])
                if low[v] >= order[parent]:
                    block = [parent]
                    while block[-1] != v:
                        block.append(open_vertices.pop())
                    blocks.append((parent, block))
    return blocks


def _no_check() -> None:
    """Look at no limit."""


def same_blanks(
    graph: Graph, start: Sequence[int], goal: Sequence[int], check: Check = _no_check
) -> tuple[list[int], Route]:
    """Slide tiles until the blanks stand where the goal's do, leaf after leaf of a spanning tree.

    Returns the tiles then, and the moves.  Every connected part has to hold as many blanks as it
    does in the goal.
    """
    tiles = list(start)
    moves: Route = []
    for part in components(graph):
        order, parent = [part[0]], {part[0]: part[0]}
        for v in order:
            for w in graph[v]:
                if w not in parent:
                    parent[w] = v
                    order.append(w)
        tree: dict[int, list[int]] = {v: [] for v in order}
        for w in order[1:]:
            tree[w].append(parent[w])
            tree[parent[w]].append(w)
        done: set[int] = set()
        for leaf in reversed(order):
            check()
            if (tiles[leaf] == 0) != (goal[leaf] == 0):
                path = _nearest_of_other_kind(tree, tiles, leaf, done)
                # Towards a blank leaf one tile comes along blanks; from a full one a blank is
                # fetched along tiles, which all move one on.
                way = path if tiles[leaf] else path[::-1]
                pairs = list(pairwise(way))
                for here, there in pairs[::-1] if tiles[leaf] else pairs:
                    tiles[here], tiles[there] = tiles[there], tiles[here]
                    moves.append((here, there))
            done.add(leaf)
    return tiles, moves


def _nearest_of_other_kind(
    tree: dict[int, list[int]], tiles: list[int], leaf: int, done: set[int]
) -> list[int]:
    kind = tiles[leaf] == 0
    came = {leaf: leaf}
    waiting = deque([leaf])
    while True:
        v = waiting.popleft()
        if (tiles[v] == 0) != kind:
            break
        for w in tree[v]:
            if w not in came and w not in done:
                came[w] = v
                waiting.append(w)
    path = [v]
    while path[-1] != leaf:
        path.append(came[path[-1]])
    return path[::-1]


def exchange_classes(
    graph: Graph, blanks: Sequence[int], check: Check = _no_check
) -> dict[int, int]:
    """Return a class number for every vertex that holds a tile.

    Parameters
    ----------
    graph : sequence of sequences of int
        Neighbours of each vertex; connected.
    blanks : sequence of int
        The vertices without a tile, at least two.
    check : callable
        Called at every vertex.

    Notes
    -----
    About vertices times blanks steps.  The classes are those of D. Kornhauser, G. Miller and
    P. Spirakis (1984); the derivation by standings is our own and checked by brute force.

    Examples
    --------
    >>> star = [[1, 2, 3], [0], [0], [0]]
    >>> classes = exchange_classes(star, [0, 1])
    >>> classes[2] == classes[3]
    True
    """
    return _Standings(graph, len(blanks)).classes(blanks, check)


class _Standings:
    """The standings of a tile, joined where it can go from one to the other."""

    def __init__(self, graph: Graph, blanks: int) -> None:
        self.graph = graph
        self.blanks = blanks
        self._walk()
        self.leader: dict[Standing, Standing] = {}

    def classes(self, blanks: Sequence[int], check: Check) -> dict[int, int]:
        for v in range(len(self.graph)):
            check()
            self._join_from(v)
        visited = sorted(self.order[v] for v in blanks)
        numbers: dict[Standing, int] = {}
        holds_blank = set(blanks)
        return {
            v: numbers.setdefault(self._find(self._standing(v, visited)), len(numbers))
            for v in range(len(self.graph))
            if v not in holds_blank
        }

    def _walk(self) -> None:
        """Depth-first search: for each vertex the components of the graph without it.

        `hangs[v]` lists (order, size) of the components that hang below v, by order; what is left
        besides is one more component, around the parent.
        """
        graph = self.graph
        n = len(graph)
        self.order = [-1] * n
        low, size, parent = [0] * n, [1] * n, [-1] * n
        self.hangs: list[list[tuple[int, int]]] = [[] for _ in range(n)]
        self.order[0], count = 0, 1
        stack = [(0, iter(graph[0]))]
        while stack:
            v, neighbours = stack[-1]
            for w in neighbours:
                if self.order[w] < 0:
                    self.order[w] = low[w] = count
                    count += 1
                    parent[w] = v
                    stack.append((w, iter(graph[w])))
                    break
                if w != parent[v]:
                    low[v] = min(low[v], self.order[w])
            else:
                stack.pop()
                up = parent[v]
                if up >= 0:
                    low[up] = min(low[up], low[v])
                    size[up] += size[v]
                    if low[v] >= self.order[up]:
                        self.hangs[up].append((self.order[v], size[v]))
        self.sizes: list[list[int]] = []
        for v in range(n):
            self.hangs[v].sort()
            hanging = [s for _, s in self.hangs[v]]
            rest = n - 1 - sum(hanging)
            self.sizes.append([*hanging, rest] if rest else hanging)

    def _component(self, v: int, w: int) -> int:
        """Return the number of the component of the graph without v that holds w."""
        hangs, order = self.hangs[v], self.order[w]
        at = bisect_right(hangs, (order, len(self.graph))) - 1
        if at >= 0 and hangs[at][0] <= order < hangs[at][0] + hangs[at][1]:
            return at
        return len(hangs)

    def _standing(self, v: int, visited: list[int]) -> Standing:
        """Return the standing of v when the blanks have these depth-first orders."""
        counts = [
            bisect_right(visited, first + size - 1) - bisect_right(visited, first - 1)
            for first, size in self.hangs[v]
        ]
        if len(counts) < len(self.sizes[v]):
            counts.append(len(visited) - sum(counts))
        return v, self.code(v, counts)

    def code(self, v: int, counts: list[int]) -> int:
        """Encode how the blanks are spread over the components around v."""
        if len(counts) <= 2:
            return counts[0] if counts else 0
        whole = [i for i, count in enumerate(counts) if count == self.blanks]
        return whole[0] if whole else _FREE

    def _find(self, standing: Standing) -> Standing:
        path = []
        while (ahead := self.leader.get(standing, standing)) != standing:
            path.append(standing)
            standing = ahead
        for passed in path:
            self.leader[passed] = standing
        return standing

    def _join(self, one: Standing, two: Standing) -> None:
        one, two = self._find(one), self._find(two)
        if one != two:
            self.leader[one] = two

    def _spreads(self, v: int, i: int) -> list[tuple[int, int]]:
        """Return (code, blanks in component i) of the standings of v from which i is entered."""
        sizes, blanks = self.sizes[v], self.blanks
        others = len(self.graph) - 1 - sizes[i]
        least, most = max(1, blanks - others), min(sizes[i], blanks)
        if len(sizes) == 1:
            return [(blanks, blanks)]
        if len(sizes) == 2:
            return [(c if i == 0 else blanks - c, c) for c in range(least, most + 1)]
        return [(i if c == blanks else _FREE, c) for c in range(least, most + 1)]

    def _join_from(self, v: int) -> None:
        n = len(self.graph)
        for w in self.graph[v]:
            i, back = self._component(v, w), self._component(w, v)
            beside = self.sizes[w][back] - n + self.sizes[v][i]  # cells of i that stay with v
            beyond = self.sizes[v][i] - 1 - beside
            for code, count in self._spreads(v, i):
                # The tile steps onto w; of the count - 1 blanks left in component i, `t` lie
                # beyond w and the others stay with v.
                for t in range(max(0, count - 1 - beside), min(count - 1, beyond) + 1):
                    self._join((v, code), (w, self._arrival(w, back, t)))

    def _arrival(self, w: int, back: int, beyond: int) -> int:
        sizes = self.sizes[w]
        if len(sizes) == 1:
            return self.blanks
        if len(sizes) == 2:
            return self.blanks - beyond if back == 0 else beyond
        return back if beyond == 0 else _FREE
