"""Counting domino tilings by a determinant.

Give every pair of adjacent cells a sign such that around each face of the board, holes included,
the signs multiply to +1 or -1 as the face's length asks; then the coverings by dominoes all have
the same sign in the determinant of the matrix between the two colours of the chessboard, which is
therefore their number up to sign (Kasteleyn, 1961; Temperley and Fisher, 1961; in this bipartite
form Percus, 1969).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from gridkit.cover.crt import Residues, hadamard_bound, primes_below
from gridkit.cover.frontier_order import components, is_unlimited
from gridkit.cover.instance import Instance
from gridkit.errors import UnsupportedError
from gridkit.run.control import Limit, ProgressCallback, drive

__all__ = ["count", "suits"]

Point = tuple[int, int]
Edge = tuple[int, int]
# A modulus of one Mersenne prime serves the plain tier, whose integers have any length.
_MERSENNE = (61, 127, 521, 1279, 2203, 4423, 9689, 19937, 44497, 110503, 216091)
_PLAIN_WORK = 1 << 19  # entries changed by the plain tier in about half a second


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
    for _, cells in instance.placements:
        if len(cells) != 2:
            return f"a piece of {len(cells)} cells"
        (r, c), (s, d) = points[cells[0]], points[cells[1]]
        if abs(r - s) + abs(c - d) != 1:
            return "a piece whose cells are not adjacent"
    if not is_unlimited(instance) and not _bounds_are_idle(instance):
        return "bounds on the number of copies"
    return None


def _bounds_are_idle(instance: Instance) -> bool:
    """A single piece is used as often as the area says, which its bounds may allow."""
    if len(instance.copies) != 1:
        return False
    least, greatest = instance.copies[0]
    uses = len(instance.coordinates) // 2
    return least <= uses and (greatest is None or uses <= greatest)


def count(
    instance: Instance,
    *,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
) -> int:
    """Count the domino tilings of a board, holes included, by Kasteleyn's determinant.

    Parameters
    ----------
    instance : Instance
        Dominoes on cells of the plane, as many as needed, no cell optional.
    limit : Limit, optional
        A node is a matrix entry changed.
    progress : callable, optional
        Called with a `Progress` about ten times a second.

    Returns
    -------
    int
        The exact number.  Elimination in the band takes ``n * w**2`` steps for n cells on a board
        of width w, once for each of about ``n / 62`` primes; Hadamard's bound proves that the
        primes are enough.

    Raises
    ------
    UnsupportedError
        When the problem is not one of dominoes.

    Examples
    --------
    >>> pair = Instance(((0, 0), (0, 1)), ((0, (0, 1)),), ((0, None),), frozenset())
    >>> count(pair)
    1
    """
    obstacle = _obstacle(instance)
    if obstacle is not None:
        raise UnsupportedError(
            f"method 'kasteleyn' counts coverings by dominoes only, found {obstacle}"
        )
    bands = []
    for part in components(instance):
        band = _band(instance, part)
        if band is None:
            return 0
        bands.append(band)
    work = _Determinants(bands)
    drive(work, limit=limit, progress=progress)
    return work.value()


@dataclass(frozen=True)
class _Band:
    """A square matrix with few diagonals: its rows of (column, entry) and where they lie."""

    rows: tuple[tuple[tuple[int, int], ...], ...]
    lower: int
    upper: int

    @property
    def work(self) -> int:
        """Entries that elimination changes at most."""
        return len(self.rows) * (self.lower + 1) * (self.lower + self.upper + 1)

    def bound(self) -> int:
        by_row = hadamard_bound([entry for _, entry in row] for row in self.rows)
        columns: list[list[int]] = [[] for _ in self.rows]
        for row in self.rows:
            for column, entry in row:
                columns[column].append(entry)
        return min(by_row, hadamard_bound(columns))


def _band(instance: Instance, part: list[int]) -> _Band | None:
    """Return the signed matrix between the colours of a region, None if they are not balanced."""
    points = [(point[0], point[1]) for point in instance.coordinates]
    inside = set(part)
    weights: dict[Edge, int] = {}
    for piece, (a, b) in instance.placements:
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
    signs = face_signs(points, part, list(weights))
    entries: list[list[tuple[int, int]]] = [[] for _ in black]
    lower = upper = 0
    for (a, b), weight in weights.items():
        row, column = (a, b) if sum(points[a]) % 2 == 0 else (b, a)
        entries[place[row]].append((place[column], signs[a, b] * weight))
        lower = max(lower, place[row] - place[column])
        upper = max(upper, place[column] - place[row])
    return _Band(tuple(tuple(sorted(row)) for row in entries), lower, upper)


def face_signs(points: list[Point], part: list[int], edges: list[Edge]) -> dict[Edge, int]:
    """Sign the edges of a connected plane bipartite graph, face by face.

    Parameters
    ----------
    points : list of (row, col)
        Place of every cell.
    part : list of int
        The cells of the graph.
    edges : list of (int, int)
        Pairs of adjacent cells of `part`, the smaller number first.

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
    faces = [walk for walk in _faces(points, edges) if _area(points, walk) > 0]
    around = [[_edge(a, b) for a, b in walk] for walk in faces]
    touching: dict[Edge, list[int]] = {}
    open_edges: list[set[Edge]] = []
    for number, walk in enumerate(around):
        open_edges.append({edge for edge in walk if edge not in signs})
        for edge in open_edges[number]:
            touching.setdefault(edge, []).append(number)
    ready = deque(number for number, rest in enumerate(open_edges) if len(rest) == 1)
    while ready:
        number = ready.popleft()
        if not open_edges[number]:
            continue
        (edge,) = open_edges[number]
        product = 1 if len(around[number]) // 2 % 2 else -1
        for other in around[number]:
            product *= signs.get(other, 1)
        signs[edge] = product
        for face in touching[edge]:
            open_edges[face].discard(edge)
            if len(open_edges[face]) == 1:
                ready.append(face)
    return signs


def _edge(a: int, b: int) -> Edge:
    return (a, b) if a < b else (b, a)


def _spanning_tree(part: list[int], edges: list[Edge]) -> Iterator[Edge]:
    beside: dict[int, list[int]] = {cell: [] for cell in part}
    for a, b in edges:
        beside[a].append(b)
        beside[b].append(a)
    seen = {part[0]}
    waiting = deque(seen)
    while waiting:
        cell = waiting.popleft()
        for other in beside[cell]:
            if other not in seen:
                seen.add(other)
                waiting.append(other)
                yield _edge(cell, other)


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


class _Determinants:
    """The absolute values of determinants, multiplied, as work in chunks."""

    def __init__(self, bands: list[_Band]) -> None:
        self._bands = sorted(bands, key=lambda band: band.work)
        self._product = 1
        self._done = 0
        self._current: _Plain | _Modular | None = None
        self._total_work = sum(_planned_work(band) for band in bands)
        self._spent = 0
        self.found = 0

    @property
    def nodes(self) -> int:
        return self._spent + (self._current.spent if self._current is not None else 0)

    def fraction(self) -> float:
        return min(1.0, self.nodes / max(1, self._total_work))

    def memory(self) -> int:
        return self._current.memory() if self._current is not None else 0

    def value(self) -> int:
        return self._product if self._done == len(self._bands) else 0

    def token(self) -> object:
        return None

    def advance(self, budget: int) -> bool:
        while self._done < len(self._bands):
            band = self._bands[self._done]
            if self._current is None:
                self._current = _Plain(band) if band.work <= _PLAIN_WORK else _Modular(band)
            before = self._current.spent
            if not self._current.advance(budget):
                return False
            budget = max(1, budget - (self._current.spent - before))
            self._product *= abs(self._current.determinant)
            self._spent += self._current.spent
            self._current = None
            self._done = self._done + 1 if self._product else len(self._bands)
        return True


def _planned_work(band: _Band) -> int:
    primes = 1 if band.work <= _PLAIN_WORK else band.bound().bit_length() // 30 + 1
    return band.work * primes


class _Plain:
    """Elimination modulo one prime that exceeds twice the bound, with Python's integers."""

    def __init__(self, band: _Band) -> None:
        self._band = band
        self.spent = 0
        self.determinant = 1
        least = (2 * band.bound()).bit_length() + 1
        self._prime = (1 << next(power for power in _MERSENNE if power >= least)) - 1
        self._rows = [dict(row) for row in band.rows]
        self._column = 0

    def memory(self) -> int:
        return 100 * len(self._rows) * (self._band.lower + self._band.upper + 1)

    def advance(self, budget: int) -> bool:
        rows, prime = self._rows, self._prime
        stop = self.spent + budget
        while self._column < len(rows):
            if self.spent >= stop:
                return False
            column = self._column
            near = range(column, min(len(rows), column + self._band.lower + 1))
            pivot = next((row for row in near if rows[row].get(column, 0)), None)
            if pivot is None:
                self.determinant = 0
                return True
            if pivot != column:
                rows[column], rows[pivot] = rows[pivot], rows[column]
                self.determinant = -self.determinant
            head = rows[column]
            self.determinant = self.determinant * head[column] % prime
            inverse = pow(head[column], -1, prime)
            for row in near[1:]:
                target = rows[row]
                entry = target.pop(column, 0)
                if entry:
                    factor = entry * inverse % prime
                    for place, value in head.items():
                        if place > column:
                            target[place] = (target.get(place, 0) - factor * value) % prime
                    self.spent += len(head)
            self.spent += 1
            self._column += 1
        if 2 * self.determinant > prime:
            self.determinant -= prime
        return True


class _Modular:
    """Elimination modulo primes below 2^31 until their product exceeds twice the bound."""

    def __init__(self, band: _Band) -> None:
        import numpy as np

        self._bound = band.bound()
        self._lower = band.lower
        self._entries = np.zeros((len(band.rows), 2 * band.lower + band.upper + 1), np.int64)
        for row, entries in enumerate(band.rows):
            for column, entry in entries:
                self._entries[row, column - row + band.lower] = entry
        self._primes = primes_below(1 << 31)
        self._known = Residues()
        self._finished = 0
        self._control = np.zeros(3, np.int64)
        self._start()

    def _start(self) -> None:
        import numpy as np

        self._prime = next(self._primes)
        self._residues = (self._entries % self._prime).astype(np.uint64)
        self._finished += int(self._control[2])
        self._control[:] = 0, 1, 0

    @property
    def spent(self) -> int:
        return self._finished + int(self._control[2])

    @property
    def determinant(self) -> int:
        return self._known.symmetric()

    def memory(self) -> int:
        return self._entries.nbytes + self._residues.nbytes

    def advance(self, budget: int) -> bool:
        import numpy as np

        from gridkit.cover.kernels.determinant import eliminate

        while self._known.modulus <= 2 * self._bound:
            before = self.spent
            if not eliminate(
                self._residues, self._control, self._lower, budget, np.uint64(self._prime)
            ):
                return False
            budget = max(1, budget - (self.spent - before))
            self._known.add(int(self._control[1]), self._prime)
            self._start()
        return True
