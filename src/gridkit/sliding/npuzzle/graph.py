"""The graph of a board's cells: parts, paths, blocks, and blanks moved along a spanning tree."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from itertools import pairwise

from gridkit.grid.components import components as grid_components

__all__ = ["Graph", "around", "blocks", "components", "path_between", "same_blanks"]

Graph = Sequence[Sequence[int]]


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


def same_blanks(
    graph: Graph, start: Sequence[int], goal: Sequence[int]
) -> tuple[list[int], list[tuple[int, int]]]:
    """Slide tiles until the blanks stand where the goal's do, leaf after leaf of a spanning tree.

    Returns the tiles then, and the moves as (cell left, cell entered).  Every connected part has
    to hold as many blanks as it does in the goal.
    """
    tiles = list(start)
    moves = []
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
