"""Which tiles can change places when several blanks move on a graph with cut vertices.

Follow one tile and forget the names of the others.  While it stands on v, the blanks in each
component of the graph without v can be arranged at will, so all that counts is how many blanks
each component holds: a *standing* (v, counts).  Two cells are exchangeable if their standings are
connected; the whole structure is small enough to be joined by union-find.

At a vertex that separates three or more components, all standings whose blanks lie in more than
one component are connected (the tile steps into one of them, and the rest flows past it), so they
are one node; that keeps the number of nodes near vertices times blanks.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

__all__ = ["exchange_classes"]

Graph = Sequence[Sequence[int]]
Standing = tuple[int, int]  # vertex, code of the counts (see `_Standings.code`)

_FREE = -1


def exchange_classes(graph: Graph, blanks: Sequence[int]) -> dict[int, int]:
    """Return a class number for every vertex that holds a tile.

    Parameters
    ----------
    graph : sequence of sequences of int
        Neighbours of each vertex; connected.
    blanks : sequence of int
        The vertices without a tile, at least two.

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
    return _Standings(graph, len(blanks)).classes(blanks)


class _Standings:
    def __init__(self, graph: Graph, blanks: int) -> None:
        self.graph = graph
        self.blanks = blanks
        self._walk()
        self.leader: dict[Standing, Standing] = {}

    def classes(self, blanks: Sequence[int]) -> dict[int, int]:
        for v in range(len(self.graph)):
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

    def _join(self, one: Standing, other: Standing) -> None:
        one, other = self._find(one), self._find(other)
        if one != other:
            self.leader[one] = other

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
