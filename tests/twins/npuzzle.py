"""Short, obviously right twins for the n-puzzles: plain searches over whole state spaces."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import combinations

Graph = Sequence[Sequence[int]]
State = tuple[int, ...]


def grid_graph(cells: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Neighbours of each cell, by index."""
    place = {cell: index for index, cell in enumerate(cells)}
    return [
        [place[near] for near in ((r, c + 1), (r, c - 1), (r - 1, c), (r + 1, c)) if near in place]
        for r, c in cells
    ]


def rectangle_graph(rows: int, cols: int) -> list[list[int]]:
    return grid_graph([(r, c) for r in range(rows) for c in range(cols)])


def neighbours(graph: Graph, state: State) -> Iterator[State]:
    """All states one step away: any tile into any blank beside it."""
    for blank, tile in enumerate(state):
        if tile == 0:
            for near in graph[blank]:
                if state[near]:
                    following = list(state)
                    following[blank], following[near] = state[near], 0
                    yield tuple(following)


def distances(graph: Graph, start: State) -> dict[State, int]:
    """Steps from one state to every state it reaches."""
    found = {start: 0}
    waiting = deque([start])
    while waiting:
        state = waiting.popleft()
        for following in neighbours(graph, state):
            if following not in found:
                found[following] = found[state] + 1
                waiting.append(following)
    return found


def shortest_counts(graph: Graph, start: State) -> dict[State, int]:
    """Number of shortest step sequences from one state to every state it reaches."""
    depth = distances(graph, start)
    counts = {start: 1}
    for state in depth:  # in the order of depth
        for following in neighbours(graph, state):
            if depth[following] == depth[state] + 1:
                counts[following] = counts.get(following, 0) + counts[state]
    return counts


def push_distances(rows: int, cols: int, start: State) -> dict[State, int]:
    """Pushes (one blank jumps any distance in its row or column) to every state."""
    found = {start: 0}
    waiting = deque([start])
    while waiting:
        state = waiting.popleft()
        row, col = divmod(state.index(0), cols)
        for dr, dc in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            tiles, r, c = list(state), row, col
            while 0 <= r + dr < rows and 0 <= c + dc < cols:
                tiles[r * cols + c] = tiles[(r + dr) * cols + c + dc]
                r, c = r + dr, c + dc
                tiles[r * cols + c] = 0
                following = tuple(tiles)
                if following not in found:
                    found[following] = found[state] + 1
                    waiting.append(following)
    return found


def connected_graphs(n: int) -> Iterator[list[list[int]]]:
    """All connected labelled graphs on n vertices."""
    pairs = list(combinations(range(n), 2))
    for mask in range(1 << len(pairs)):
        graph: list[list[int]] = [[] for _ in range(n)]
        for bit, (a, b) in enumerate(pairs):
            if mask >> bit & 1:
                graph[a].append(b)
                graph[b].append(a)
        reached = [0]
        for v in reached:
            reached += [w for w in graph[v] if w not in reached]
        if len(reached) == n:
            yield graph


def polyomino_cells(n: int) -> list[list[tuple[int, int]]]:
    """All fixed polyominoes of n cells, as sorted cell lists."""
    shapes: set[tuple[tuple[int, int], ...]] = {((0, 0),)}
    for _ in range(n - 1):
        grown = set()
        for shape in shapes:
            for r, c in shape:
                for cell in ((r, c + 1), (r, c - 1), (r - 1, c), (r + 1, c)):
                    if cell not in shape:
                        top = min(r for r, _ in (*shape, cell))
                        left = min(c for _, c in (*shape, cell))
                        grown.add(tuple(sorted((r - top, c - left) for r, c in (*shape, cell))))
        shapes = grown
    return [list(shape) for shape in sorted(shapes)]


MOVES = ((-1, 0), (0, -1), (0, 1), (1, 0))  # of the blank: up, left, right, down


def played(
    string: Sequence[int],
) -> tuple[frozenset[tuple[object, object]], tuple[int, int, int, int]]:
    """What a string of blank moves does on a board without edges, and the rectangle it stays in."""
    blank = (0, 0)
    path = [blank]
    tiles: dict[tuple[int, int], object] = {blank: "blank"}
    for move in string:
        to = (blank[0] + MOVES[move][0], blank[1] + MOVES[move][1])
        tiles[blank], tiles[to] = tiles.get(to, to), "blank"
        blank = to
        path.append(to)
    rows, columns = [cell[0] for cell in path], [cell[1] for cell in path]
    moved = frozenset((cell, tile) for cell, tile in tiles.items() if cell != tile)
    return moved, (min(rows), min(columns), max(rows), max(columns))


def needless_strings(longest: int) -> list[tuple[int, ...]]:
    """Strings that a string listed before replaces within their rectangle, in order of length."""
    found: list[tuple[int, ...]] = []
    kept: dict[object, list[tuple[int, int, int, int]]] = {played(())[0]: [played(())[1]]}
    level: list[tuple[int, ...]] = [()]
    for _ in range(longest):
        following = []
        for string in ((*old, move) for old in level for move in range(4)):
            if any(string[i:] in found for i in range(len(string))):
                continue
            moved, box = played(string)
            inner = kept.setdefault(moved, [])
            if any(
                all(a <= b for a, b in zip(box[:2], old[:2], strict=True))
                and all(a >= b for a, b in zip(box[2:], old[2:], strict=True))
                for old in inner
            ):
                found.append(string)
            else:
                inner.append(box)
                following.append(string)
        level = following
    return found
