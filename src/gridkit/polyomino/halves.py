"""Polyominoes with a mirror or a half-turn, counted by the transfer matrix of their halves.

A polyomino with a mirror is its half on one side of the mirror, which has to be connected and to
reach the mirror; a cell on the mirror weighs 1, any other 2.  A polyomino with a half-turn is the
half above its centre, whose components are joined by the image of that half below.  Frontiers of
halves are few: the work grows as the square root of that of all polyominoes.
"""

from __future__ import annotations

import numpy as np

from gridkit.polyomino.kernels.groups import HALF, STAIRS, Step
from gridkit.polyomino.polyomino import SymmetryClass
from gridkit.polyomino.transfer import Sweep, Table

__all__ = ["DiagonalSweep", "HalfTurnSweep", "MirrorSweep", "half_sweeps"]


def half_sweeps(name: SymmetryClass, n: int) -> list[Sweep]:
    """Return the sweeps whose ``found`` add up to the polyominoes of a symmetry; none if unknown.

    Parameters
    ----------
    name : str
        "mirror_diag", "rot180", or "mirror_ortho" with its mirror through the middle of cells.
    n : int
        Number of cells, at least 1.

    Notes
    -----
    The work of "rot180" grows about 1.75-fold per cell, that of the mirrors less.
    """
    if name == "mirror_ortho":
        return [MirrorSweep(n, across=True), MirrorSweep(n, across=False)]
    if name == "mirror_diag":
        return [DiagonalSweep(n)]
    return [HalfTurnSweep(n)] if name == "rot180" else []


class MirrorSweep(Sweep):
    """Polyominoes that a mirror through the middle of their cells leaves unchanged.

    Those whose mirror runs between cells are as many as there are fixed polyominoes of half the
    size: any of these, with its first row along the mirror, is a half.

    Parameters
    ----------
    size : int
        Number of cells.
    across : bool
        Whether the strips run across the mirror, the first row on it, or along it, the first
        column on it: halves that are at least as long as wide, and those that are longer.
    """

    def __init__(self, size: int, *, across: bool) -> None:
        self.across = across
        super().__init__(size)

    @property
    def found(self) -> int:
        """Polyominoes of all `size` cells so far."""
        return int(self.totals[self.size])

    def _widest(self, size: int) -> int:
        # w cells on the mirror and twice as many in a column, or l > w and twice w - 1 in a row
        return (size + 2) // 3 if self.across else max(1, (size + 1) // 3)

    def _step(self, weight: int = 1, needed: int = 1) -> Step:
        on_mirror = self.row == 0 if self.across else self.col == 0
        return super()._step(weight=1 if on_mirror else 2)

    def _count_finished(self, times: int | None = None) -> None:
        ends = self.row >= self.width if self.across else self.row > self.width
        super()._count_finished(int(ends))


class DiagonalSweep(Sweep):
    """Polyominoes that the mirror at a diagonal leaves unchanged.

    The half is a staircase: row r begins at column r.  The left side stands for the diagonal.
    """

    @property
    def found(self) -> int:
        """Polyominoes of all `size` cells so far."""
        return int(self.totals[self.size])

    def _step(self, weight: int = 1, needed: int = 1) -> Step:
        # A column ends at the diagonal: its cell is empty in the next row.
        weight = 0 if self.col < self.row else 1 if self.col == self.row else 2
        step = super()._step(weight=weight, needed=STAIRS)
        return step._replace(
            rows_needed=0,
            sides=np.uint64((self.col == self.row) + 2 * (self.col == self.width - 1)),
        )

    def _finish_row(self) -> None:
        super()._finish_row()
        self.col = self.row - 1
        if self.row == self.width:
            self.old.clear()

    def _count_finished(self, times: int | None = None) -> None:
        super()._count_finished(1)


class HalfTurnSweep(Sweep):
    """Polyominoes that a half-turn leaves unchanged."""

    def __init__(self, size: int) -> None:
        self.cells = size
        super().__init__((size + 1) // 2)

    @property
    def found(self) -> int:
        """Polyominoes of all cells so far."""
        return int(self.totals[-1])

    def _widest(self, size: int) -> int:
        return (self.cells + 1) // 2

    def _step(self, weight: int = 1, needed: int = 1) -> Step:
        # The row through the centre is one of those that are needed for a length of the width.
        return (
            super()
            ._step(needed=HALF)
            ._replace(rows_needed=max(0, (self.width + 1) // 2 - 1 - self.row))
        )

    def _finish_cell(self) -> bool:
        if self.col == (self.width - 1) // 2:  # all before the centre, and the centre
            self._join(self.new, 2 * self.row + 1, middle_row=True)
        return super()._finish_cell()

    def _count_finished(self, times: int | None = None) -> None:
        self._join(self.old, 2 * self.row, middle_row=False)

    def _join(self, halves: Table, rows: int, *, middle_row: bool) -> None:
        """Count the polyominoes of `rows` rows; those longer than wide also as mirror images."""
        from gridkit.polyomino.kernels.halves import join_halves

        if rows >= self.width:
            joined = join_halves(self._step(), halves.group(), self.cells, middle_row)
            self.totals[-1] += np.uint64((1 if rows == self.width else 2) * int(joined))
