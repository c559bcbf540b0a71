"""What is known of many boards: optimum lengths, states, counts, plans as packed moves."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gridkit.errors import InputError
from gridkit.reading import read_int
from gridkit.sliding.blocks.puzzle import SlidingPuzzle
from gridkit.sliding.many.boards import Boards
from gridkit.sliding.plan import Metric, Plan

__all__ = ["OPEN", "REFUSED", "Columns", "SolvedBoards", "empty_columns", "packed"]

OPEN, REFUSED = -2, -3
"""In the place of a length: not solved yet, and no puzzle."""

I16 = NDArray[np.int16]
I32 = NDArray[np.int32]
I64 = NDArray[np.int64]

Columns = tuple[I32, I64, tuple[int, ...], I64, I16]
"""Lengths (boards, metrics), states (boards,), counts, moves a plan, packed moves."""


@dataclass(frozen=True, slots=True, eq=False)
class SolvedBoards:
    """Columns of answers, a row a board.

    Attributes
    ----------
    boards : TileBoards or BlockBoards
    metrics : tuple of str
    lengths : int32 array, shape (boards, metrics)
        Moves of a shortest plan in each metric; -1 where there is none, -2 where the call was cut
        short before the answer, -3 where the board is no puzzle.
    states : int64 array, shape (boards,)
        States that the searches expanded.
    counts : tuple of int, or None
        Number of shortest plans in the first metric (0 where there is none), exact, if asked for.
    indptr : int64 array, shape (boards + 1,), or None
    moves : int16 array, or None
        The plan of row k in the first metric, if asked for: ``moves[indptr[k] : indptr[k + 1]]``,
        single steps ``4 * block + direction``, direction 0 up, 1 right, 2 down, 3 left.

    Examples
    --------
    >>> import gridkit as gk
    >>> boards = gk.sliding.TileBoards([[[1, 2], [0, 3]], [[2, 1], [3, 0]]])
    >>> gk.sliding.solve_many(boards).lengths.tolist()
    [[1], [-1]]
    """

    boards: Boards
    metrics: tuple[str, ...]
    lengths: I32
    states: I64
    counts: tuple[int, ...] | None
    indptr: I64 | None = field(repr=False)
    moves: I16 | None = field(repr=False)

    def __len__(self) -> int:
        return len(self.lengths)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SolvedBoards) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        arrays = (self.lengths, self.states, self.indptr, self.moves)
        told = tuple(None if array is None else array.tobytes() for array in arrays)
        return self.boards, self.metrics, self.counts, told

    def columns(self) -> dict[str, NDArray[np.integer] | list[int]]:
        """Return the answers as named columns, which packages of data frames take as they are.

        Returns
        -------
        dict
            "states", the lengths by the names of their metrics, and "plans", a list of ints, where
            they were counted.

        Examples
        --------
        >>> import gridkit as gk
        >>> solved = gk.sliding.solve_many(gk.sliding.TileBoards([[[1, 2], [0, 3]]]), counts=True)
        >>> sorted(solved.columns()), solved.columns()["plans"]
        (['plans', 'states', 'step'], [1])
        """
        columns: dict[str, NDArray[np.integer] | list[int]] = {
            metric: self.lengths[:, place] for place, metric in enumerate(self.metrics)
        }
        columns["states"] = self.states
        if self.counts is not None:
            columns["plans"] = list(self.counts)
        return columns

    def plan(self, row: int) -> Plan | None:
        """Return the plan of a row, or None when there is none.

        Raises
        ------
        InputError
            When plans were not asked for, or the row is not solved.

        Examples
        --------
        >>> import gridkit as gk
        >>> boards = gk.sliding.TileBoards([[[1, 2], [0, 3]]])
        >>> print(gk.sliding.solve_many(boards, plans=True).plan(0))
        3 1,1-1,0
        """
        number = read_int(row, "plan: row", least=0)
        if number >= len(self):
            raise InputError(f"plan: expected a row below {len(self)}, got {number}")
        if self.indptr is None or self.moves is None:
            raise InputError("plan: the boards were solved without plans=True")
        length = int(self.lengths[number, 0])
        if length in (OPEN, REFUSED):
            raise InputError(f"plan: row {number} is not solved")
        if length < 0:
            return None
        moves = self.moves[self.indptr[number] : self.indptr[number + 1]].tolist()
        puzzle = self.boards.puzzle(number)
        cols = puzzle.cols
        stride = (-cols, 1, cols, -1)
        if isinstance(puzzle, SlidingPuzzle):
            at = [row * cols + col for row, col in puzzle.places]
        else:
            at = [puzzle.tiles.index(tile) for tile in sorted(puzzle.tiles) if tile > 0]
        steps = []
        for move in moves:
            block, direction = divmod(move, 4)
            steps.append((block, at[block], at[block] + stride[direction]))
            at[block] += stride[direction]
        metric: Metric = self.metrics[0]  # type: ignore[assignment]  # checked by the call
        return Plan(puzzle, steps, metric)


def packed(steps: I64, cols: int) -> I16:
    """Return steps (block, from, to) as packed moves.

    Examples
    --------
    >>> packed(np.array([[0, 4, 5], [2, 7, 4]]), 3).tolist()
    [1, 8]
    """
    change = steps[:, 2] - steps[:, 1]
    down = np.where(change == cols, 2, 0)
    # On a board one cell wide every step goes up or down.
    across = np.where(change == 1, 1, 3) if cols > 1 else down
    direction = np.where(np.abs(change) == cols, down, across)
    return (4 * steps[:, 0] + direction).astype(np.int16)


def empty_columns(boards: int, metrics: int) -> Columns:
    """Return the columns of boards of which nothing is known."""
    lengths = np.full((boards, metrics), OPEN, dtype=np.int32)
    nothing = np.zeros(boards, dtype=np.int64)
    return lengths, nothing, (0,) * boards, nothing.copy(), np.empty(0, np.int16)
