"""Polyominoes that a group of symmetries leaves unchanged.

A symmetric polyomino is a connected set of orbits of cells.  A group with a rotation pins the
centre (a cell, a corner or the middle of an edge); such a polyomino contains the centre or
surrounds it, so it meets a given ray from there, and the orbit nearest to the centre on that ray
serves as the root of the enumeration.  A single mirror leaves a translation along its axis free;
there the root is the first cell on the axis.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gridkit.grid.cell import Symmetry
from gridkit.polyomino.kernels.groups import Orbits, Search
from gridkit.polyomino.polyomino import SymmetryClass
from gridkit.polyomino.subsets import SubsetSearch
from gridkit.run import Run

__all__ = ["GROUPS", "invariant_searches"]

S = Symmetry
_ORTHO2 = (S.IDENTITY, S.ROT180, S.MIRROR_LEFT_RIGHT, S.MIRROR_UP_DOWN)
_DIAG2 = (S.IDENTITY, S.ROT180, S.MIRROR_DIAGONAL, S.MIRROR_ANTIDIAGONAL)
_ROT90 = (S.IDENTITY, S.ROT90, S.ROT180, S.ROT270)

_CELL, _CORNER, _EDGE, _SIDE = (0, 0), (1, 1), (0, 1), (1, 0)


@dataclass(frozen=True)
class Group:
    """A group of symmetries and where its centre may lie.

    Attributes
    ----------
    elements : tuple of Symmetry
        The group.
    centres : tuple of (int, int)
        For rows and columns: 0 when the centre lies in the middle of cell (0, 0), 1 when it lies
        half a cell before it.
    ray : (int, int)
        Direction from the centre in which every invariant polyomino has a cell.
    pinned : bool
        Whether the centre is determined by the polyomino (false for a single mirror).
    """

    elements: tuple[Symmetry, ...]
    centres: tuple[tuple[int, int], ...]
    ray: tuple[int, int]
    pinned: bool = True


GROUPS: dict[SymmetryClass, Group] = {
    "mirror_ortho": Group((S.IDENTITY, S.MIRROR_LEFT_RIGHT), (_CELL, _EDGE), (1, 0), pinned=False),
    "mirror_diag": Group((S.IDENTITY, S.MIRROR_DIAGONAL), (_CELL,), (1, 1), pinned=False),
    "rot180": Group((S.IDENTITY, S.ROT180), (_CELL, _EDGE, _SIDE, _CORNER), (0, 1)),
    "ortho2": Group(_ORTHO2, (_CELL, _EDGE, _SIDE, _CORNER), (0, 1)),
    "diag2": Group(_DIAG2, (_CELL, _CORNER), (1, 1)),
    "rot90": Group(_ROT90, (_CELL, _CORNER), (0, 1)),
    "all": Group(tuple(Symmetry), (_CELL, _CORNER), (0, 1)),
}


def invariant_searches(name: SymmetryClass, n: int, run: Run) -> list[SubsetSearch]:
    """Return the searches that together find the polyominoes a group leaves unchanged.

    Parameters
    ----------
    name : str
        The group, by the name of its symmetry class; "mirror_ortho" is the mirror that exchanges
        left and right, "mirror_diag" the one that exchanges rows and columns.
    n : int
        Number of cells, at least 1.
    run : Run
        The call, whose limits hold here too.

    Returns
    -------
    list of SubsetSearch
        One search for each centre and root; the sum of their ``found`` is the number of fixed
        polyominoes of n cells that the group leaves unchanged.

    Notes
    -----
    Together they take about 4 ** (n / order of the group) steps.
    """
    group = GROUPS[name]
    searches: list[SubsetSearch] = []
    for centre in group.centres:
        graph = _OrbitGraph(group, centre, n, run)
        # One that surrounds the centre at distance i has two cells in each of 2 i columns.
        nearest = range(n // 4 + 1) if group.pinned else range(1)
        searches += [graph.search(distance) for distance in nearest]
    return searches


class _OrbitGraph:
    """The orbits of cells around a centre, and which of them touch."""

    def __init__(self, group: Group, centre: tuple[int, int], n: int, run: Run) -> None:
        self.n, self.group, self.radius = n, group, n + 1
        self.stride = 2 * self.radius + 3
        reach = range(-self.radius, self.radius + 1)
        self.orbit_of: dict[tuple[int, int], int] = {}
        self.orbits: list[list[tuple[int, int]]] = []
        for row in reach:
            run.check()
            for col in reach:
                if (row, col) not in self.orbit_of:
                    orbit = sorted({_image(s, row, col, centre) for s in group.elements})
                    self.orbit_of.update(dict.fromkeys(orbit, len(self.orbits)))
                    self.orbits.append(orbit)
        border = len(self.orbits)
        widest = max(map(len, self.orbits))
        members = np.zeros((border, widest), dtype=np.int32)
        weights = np.array([len(orbit) for orbit in self.orbits], dtype=np.int32)
        neighbours = np.full((border, 4 * widest), border, dtype=np.int32)
        for number, orbit in enumerate(self.orbits):
            if not number % 1024:
                run.check()
            around = {self.orbit_of.get(cell, border) for cell in _around(orbit)}
            neighbours[number, : len(around)] = sorted(around)
            members[number, : len(orbit)] = [self.frame_index(cell) for cell in orbit]
        # Only read by the searches, which share it.
        self.arrays = Orbits(neighbours, members, weights, n, self.stride)

    def search(self, distance: int) -> _Subsets:
        """Return the count of sets of orbits whose nearest on the ray is at this distance."""
        drow, dcol = self.group.ray
        root = self.orbit_of[drow * distance, dcol * distance]
        nearer = range(distance) if self.group.pinned else range(-self.radius, 0)
        left_out = [self.orbit_of[drow * k, dcol * k] for k in nearer]
        return _Subsets(self, root, left_out)

    def frame_index(self, cell: tuple[int, int]) -> int:
        row, col = cell
        return (row + self.radius + 1) * self.stride + col + self.radius + 1


class _Subsets(SubsetSearch):
    """A resumable count of connected sets of orbits that contain a root."""

    def __init__(self, graph: _OrbitGraph, root: int, left_out: list[int]) -> None:
        border = len(graph.orbits)
        super().__init__(graph.n, border + 1, root, np.int32)
        self.orbits = graph.arrays
        self.mark[[root, border, *left_out]] = 1
        filled = np.zeros(graph.stride * graph.stride, dtype=np.uint8)
        stack = np.zeros(4 * graph.n + 4, dtype=np.int32)
        self.search = Search(
            self.queue, self.mark, self.first, self.last, self.counters, filled, stack
        )

    def memory(self) -> int:
        return (
            self.orbits.members.nbytes + self.orbits.neighbours.nbytes + self.search.filled.nbytes
        )

    def advance(self, budget: int) -> bool:
        from gridkit.polyomino.kernels.subsets import advance_lifted

        return bool(advance_lifted(self.orbits, self.search, budget))


def _image(symmetry: Symmetry, row: int, col: int, centre: tuple[int, int]) -> tuple[int, int]:
    """Turn a cell about a centre half a cell before (0, 0) where `centre` says 1."""
    drow, dcol = symmetry.vector(2 * row + centre[0], 2 * col + centre[1])
    return (drow - centre[0]) // 2, (dcol - centre[1]) // 2


def _around(cells: list[tuple[int, int]]) -> list[tuple[int, int]]:
    return [(r + dr, c + dc) for r, c in cells for dr, dc in ((0, 1), (0, -1), (1, 0), (-1, 0))]
