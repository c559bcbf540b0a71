"""Two placements as arrays, and tables of the board's cells, for the engines of kings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gridkit.sliding.kings.reach import Placement, Rule

__all__ = ["Problem", "Tables"]

Ints = NDArray[np.int32]
_NEAR = ((-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0))


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """A reachable pair of placements, the kings numbered in the order of their ids.

    Attributes
    ----------
    rows, cols : int
        Sides of the board.
    rule : {"king", "orthogonal"}
        How a king may step.
    start, target : int32[k]
        Row-major cell of each king.
    """

    rows: int
    cols: int
    rule: Rule
    start: Ints
    target: Ints

    @classmethod
    def of(cls, start: Placement, target: Placement, rule: Rule) -> Problem:
        """Return the problem of two placements of the same kings."""
        ids = sorted(start.cells)
        ends = [np.array([end.cells[king] for king in ids], np.int32) for end in (start, target)]
        return cls(start.rows, start.cols, rule, *ends)

    def between(self, start: Ints, target: Ints) -> Problem:
        """Return the problem of two other placements on this board."""
        return Problem(self.rows, self.cols, self.rule, start, target)

    def lower_bounds(self) -> Ints:
        """Return the least number of moves of each king on an empty board."""
        row, col = np.divmod(self.start, self.cols)
        return _moves(row, col, self.target, self.cols, self.rule)


class Tables:
    """Neighbours, distances and random words of a board's cells.

    Parameters
    ----------
    rows, cols : int
        Sides of the board.
    rule : {"king", "orthogonal"}
        How a king may step.

    Attributes
    ----------
    around : int32[cells, 9]
        The cells within one step of a cell, itself included, then -1.
    ways : int32[cells, 9]
        The cells a king may step to, then -1.
    bits : int
        Bits that number a cell.
    """

    def __init__(self, rows: int, cols: int, rule: Rule) -> None:
        self.cols, self.rule = cols, rule
        self.around = _neighbours(rows, cols, _NEAR)
        self.ways = _neighbours(rows, cols, _NEAR[: 8 if rule == "king" else 4])
        self.bits = max(1, (rows * cols - 1).bit_length())
        self._rows, self._cols = np.divmod(np.arange(rows * cols, dtype=np.int32), cols)
        self._random = np.random.default_rng(0)
        self._words = np.empty((0, rows * cols), np.uint64)
        self._drawn = 0  # kings whose words have been drawn

    @property
    def cells(self) -> int:
        """Number of cells."""
        return len(self._rows)

    def distances(self, ends: Ints) -> Ints:
        """Return the least moves to each of these cells from every cell."""
        return _moves(self._rows, self._cols, ends[..., None], self.cols, self.rule)

    def distances_between(self, start: Ints, target: Ints) -> Ints:
        """Return the least moves from each of these cells to its cell of `target`."""
        return _moves(*np.divmod(start, self.cols), target, self.cols, self.rule)

    def hash_words(self, kings: int, capacity: int) -> NDArray[np.uint64]:
        """Return a random word for each of some kings and each cell; later calls give the same.

        Parameters
        ----------
        kings : int
            For how many kings.
        capacity : int
            For how many there should be room, where more will be asked for soon.
        """
        if capacity > len(self._words):
            words = np.empty((capacity, self.cells), np.uint64)
            words[: self._drawn] = self._words[: self._drawn]
            self._words = words
        missing = kings - self._drawn
        if missing > 0:
            self._words[self._drawn : kings] = self._random.integers(
                1 << 64, size=(missing, self.cells), dtype=np.uint64
            )
            self._drawn = kings
        return self._words[:kings]

    def memory(self) -> int:
        """Return the bytes held."""
        return self.around.nbytes + self.ways.nbytes + self._words.nbytes

    def without(self, kings: Ints) -> Ints:
        """Return `ways` with the cells left out that these kings forbid."""
        forbidden = np.zeros(self.cells + 1, np.bool_)
        forbidden[self.around[kings]] = True
        forbidden[-1] = True
        return _pushed_left(np.where(forbidden[self.ways], -1, self.ways))


def _moves(row: Ints, col: Ints, ends: Ints, cols: int, rule: Rule) -> Ints:
    """Return the least moves from cells, given by row and column, to others."""
    down, across = abs(row - ends // cols), abs(col - ends % cols)
    moves: Ints = np.maximum(down, across) if rule == "king" else down + across
    return moves


def _neighbours(rows: int, cols: int, offsets: tuple[tuple[int, int], ...]) -> Ints:
    """Return the cells at these offsets from each cell, then -1."""
    row, col = np.divmod(np.arange(rows * cols, dtype=np.int32)[:, None], cols)
    table = np.full((rows * cols, 9), -1, np.int32)
    down, across = np.array(offsets, np.int32).T
    inside = (row + down >= 0) & (row + down < rows) & (col + across >= 0) & (col + across < cols)
    table[:, : len(offsets)] = np.where(inside, (row + down) * cols + col + across, -1)
    return _pushed_left(table)


def _pushed_left(table: Ints) -> Ints:
    """Return the table with the entries of each row in their order, the -1 at the end."""
    order = np.argsort(table < 0, axis=1, kind="stable")
    return np.ascontiguousarray(np.take_along_axis(table, order, axis=1))
