"""Counting domino tilings by a determinant.

Give every pair of adjacent cells a sign such that around each face of the board, holes included,
the signs multiply to +1 or -1 as the face's length asks; then the coverings by dominoes all have
the same sign in the determinant of the matrix between the two colours of the chessboard, which is
therefore their number up to sign (Kasteleyn, 1961; Temperley and Fisher, 1961; in this bipartite
form Percus, 1969).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from gridkit.cover.determinant.band import Band, Determinants
from gridkit.cover.determinant.rectangle import count_rectangle
from gridkit.cover.frontier.order import components
from gridkit.cover.frontier.sweep import paced
from gridkit.cover.instance import Instance
from gridkit.errors import UnsupportedError
from gridkit.run import Run

__all__ = ["count", "rectangle", "suits"]

Point = tuple[int, int]
Edge = tuple[int, int]


def suits(instance: Instance) -> bool:
    """Whether the problem is to cover cells of the plane with any number of dominoes.

    Examples
    --------
    >>> pair = Instance(((0, 0), (0, 1)), ((0, (0, 1)),), ((0, None),), frozenset())
    >>> suits(pair)
    True
    """
    return _obstacle(instance) is None


def _obstacle(instance: Instance) -> str | None:
    points = instance.coordinates
    if instance.optional:
        return "cells that may stay empty"
    if any(len(point) != 2 for point in points):
        return "cells in space"
    # Where the pieces are known, they say what all their placements are like.
    are_dominoes = bool(instance.shapes) and all(map(_is_domino, instance.shapes))
    for _, cells in () if are_dominoes else instance.placements:
        if len(cells) != 2:
            return f"a piece of {len(cells)} cells"
        (r, c), (s, d) = points[cells[0]], points[cells[1]]
        if abs(r - s) + abs(c - d) != 1:
            return "a piece whose cells are not adjacent"
    return "bounds on the number of copies" if instance.limited else None


def _is_domino(shape: Sequence[tuple[int, ...]]) -> bool:
    if len(shape) != 2:
        return False
    (r, c), (s, d) = shape
    return abs(r - s) + abs(c - d) == 1


def count(instance: Instance, run: Run) -> int:
    """Count the domino tilings of a board, holes included, by Kasteleyn's determinant.

    Parameters
    ----------
    instance : Instance
        Dominoes on cells of the plane, as many as needed, no cell optional.
    run : Run
        The call.  A node is a matrix entry or a coefficient changed.  It cannot be continued.

    Returns
    -------
    int
        The exact number.  A rectangle takes a resultant of polynomials.  For other boards
        elimination in the band takes ``n * w**2`` steps for n cells on a board of width w, once for
        each of about ``n / 62`` primes; Hadamard's bound proves that the primes are enough.

    Raises
    ------
    UnsupportedError
        When the problem is not one of dominoes.

    Examples
    --------
    >>> pair = Instance(((0, 0), (0, 1)), ((0, (0, 1)),), ((0, None),), frozenset())
    >>> count(pair, Run())
    1
    """
    obstacle = _obstacle(instance)
    if obstacle is not None:
        raise UnsupportedError(
            f"method 'kasteleyn' counts coverings by dominoes only, found {obstacle}"
        )
    sides = rectangle(instance)
    if sides is not None:
        return count_rectangle(*sides, run)
    bands = []
    for part in components(instance, run):
        band = _band(instance, part, run)
        if band is None:
            return 0
        bands.append(band)
    work = Determinants(bands, run)
    run.drive(work)
    return work.value()


def rectangle(instance: Instance) -> tuple[int, int] | None:
    """Return the sides of the rectangle that is to be covered with any number of dominoes.

    None for other problems.

    Examples
    --------
    >>> pair = Instance(((0, 0), (0, 1)), ((0, (0, 1)),), ((0, None),), frozenset())
    >>> rectangle(pair)
    (1, 2)
    """
    points = instance.coordinates
    if not points or len(points[0]) != 2 or any(len(c) != 2 for _, c in instance.placements[:2]):
        return None
    rows, cols = (max(axis) - min(axis) + 1 for axis in zip(*points, strict=True))
    edges = rows * (cols - 1) + (rows - 1) * cols
    if rows * cols != len(points) or len(instance.placements) != edges:
        return None
    return (rows, cols) if len(instance.copies) == 1 and suits(instance) else None


def _band(instance: Instance, part: list[int], run: Run) -> Band | None:
    """Return the signed matrix between the colours of a region, None if they are not balanced."""
    points = [(point[0], point[1]) for point in instance.coordinates]
    inside = set(part)
    weights: dict[Edge, int] = {}
    for piece, (a, b) in paced(instance.placements, run):
        if a in inside and instance.copies[piece][1] != 0:
            weights[a, b] = weights.get((a, b), 0) + 1
    rows = [points[cell][0] for cell in part]
    cols = [points[cell][1] for cell in part]
    along_rows = max(rows) - min(rows) >= max(cols) - min(cols)
    order = sorted(part, key=lambda cell: points[cell] if along_rows else points[cell][::-1])
    black = [cell for cell in order if sum(points[cell]) % 2 == 0]
    white = [cell for cell in order if sum(points[cell]) % 2]
    if len(black) != len(white):
        return None
    place = {cell: number for cells in (black, white) for number, cell in enumerate(cells)}
    signs = face_signs(points, part, list(weights), run)
    entries: list[list[tuple[int, int]]] = [[] for _ in black]
    lower = upper = 0
    for (a, b), weight in paced(weights.items(), run):
        row, column = (a, b) if sum(points[a]) % 2 == 0 else (b, a)
        entries[place[row]].append((place[column], signs[a, b] * weight))
        lower = max(lower, place[row] - place[column])
        upper = max(upper, place[column] - place[row])
    return Band(tuple(tuple(sorted(row)) for row in entries), lower, upper)


def face_signs(
    points: list[Point], part: list[int], edges: list[Edge], run: Run
) -> dict[Edge, int]:
    """Sign the edges of a connected plane bipartite graph, face by face.

    Parameters
    ----------
    points : list of (row, col)
        Place of every cell.
    part : list of int
        The cells of the graph.
    edges : list of (int, int)
        Pairs of adjacent cells of `part`, the smaller number first.
    run : Run
        The call, whose limits hold while the faces are walked around.

    Returns
    -------
    dict
        +1 or -1 for each edge: around every bounded face of ``2 k`` edges (one with both sides on
        the face counts twice) the product is ``(-1) ** (k + 1)``.

    Notes
    -----
    The edges of a spanning tree get +1.  The others join the faces to a tree whose root is the
    outer face; taking its leaves one by one, each face decides the sign of its last open edge.
    """
    signs = dict.fromkeys(_spanning_tree(part, edges), 1)
    faces = [walk for walk in paced(_faces(points, edges), run) if _area(points, walk) > 0]
    around = [[_edge(a, b) for a, b in walk] for walk in faces]
    touching: dict[Edge, list[int]] = {}
    open_edges: list[set[Edge]] = []
    for number, walk in enumerate(paced(around, run)):
        open_edges.append({edge for edge in walk if edge not in signs})
        for edge in open_edges[number]:
            touching.setdefault(edge, []).append(number)
    ready = deque(number for number, rest in enumerate(open_edges) if len(rest) == 1)
    while ready:
        number = ready.popleft()
        if not number & 1023:
            run.check()
        if not open_edges[number]:
            continue
        (edge,) = open_edges[number]
        product = 1 if len(around[number]) // 2 % 2 else -1
        for side in around[number]:
            product *= signs.get(side, 1)
        signs[edge] = product
        for face in touching[edge]:
            open_edges[face].discard(edge)
            if len(open_edges[face]) == 1:
                ready.append(face)
    return signs


def _edge(a: int, b: int) -> Edge:
    return (a, b) if a < b else (b, a)


def _spanning_tree(part: list[int], edges: list[Edge]) -> Iterator[Edge]:
    neighbours: dict[int, list[int]] = {cell: [] for cell in part}
    for a, b in edges:
        neighbours[a].append(b)
        neighbours[b].append(a)
    reached = {part[0]}
    waiting = deque(reached)
    while waiting:
        cell = waiting.popleft()
        for near in neighbours[cell]:
            if near not in reached:
                reached.add(near)
                waiting.append(near)
                yield _edge(cell, near)


def _faces(points: list[Point], edges: list[Edge]) -> Iterator[list[Edge]]:
    """Walk around every face, keeping it on one side: turn the same way at each cell."""
    leaving: dict[int, dict[Point, int]] = {}
    for a, b in edges:
        for here, there in ((a, b), (b, a)):
            (r, c), (s, d) = points[here], points[there]
            leaving.setdefault(here, {})[s - r, d - c] = there
    unused = dict.fromkeys((a, b) for edge in edges for a, b in (edge, edge[::-1]))
    while unused:
        step, _ = unused.popitem()
        walk = [step]
        while True:
            a, b = walk[-1]
            (r, c), (s, d) = points[a], points[b]
            row, col = s - r, d - c
            turns = ((-col, row), (row, col), (col, -row), (-row, -col))
            following = next(leaving[b][turn] for turn in turns if turn in leaving[b])
            if (b, following) == step:
                break
            del unused[b, following]
            walk.append((b, following))
        yield walk


def _area(points: list[Point], walk: list[Edge]) -> int:
    """Twice the area that a walk encloses, positive around a bounded face."""
    return sum(points[a][0] * points[b][1] - points[a][1] * points[b][0] for a, b in walk)
