"""Boards of one kind, an array of them: tiles that slide, or blocks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gridkit.errors import InputError
from gridkit.grid.board import Board
from gridkit.grid.cell import Cell
from gridkit.reading import read_bool, read_int
from gridkit.sliding.blocks.generate import LETTERS
from gridkit.sliding.blocks.puzzle import SlidingPuzzle
from gridkit.sliding.blocks.rules import EDGES, Edge
from gridkit.sliding.npuzzle.puzzle import NPuzzle
from gridkit.value import Value

__all__ = ["BlockBoards", "Boards", "Facts", "TileBoards", "boards_of", "labels_of"]

_EMPTY, _WALL = 0, -1
_CAR = 1

Target = tuple[int, int] | Edge
Facts = tuple[object, ...]
"""Boards as nested tuples and arrays, for workers and files."""


class Boards(Value):
    """Boards of one kind; see `TileBoards` and `BlockBoards`."""

    array: NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.array)

    def puzzle(self, row: int) -> SlidingPuzzle | NPuzzle:
        """Return the puzzle of one board."""
        raise NotImplementedError

    def taken(self, rows: NDArray[np.integer] | slice) -> Boards:
        """Return some of the boards."""
        raise NotImplementedError

    def facts(self) -> Facts:
        """Return the boards in plain data, from which `boards_of` makes them again."""
        raise NotImplementedError

    def _row(self, row: int) -> int:
        number = read_int(row, "puzzle: row", least=0)
        if number >= len(self):
            raise InputError(f"puzzle: expected a row below {len(self)}, got {number}")
        return number


class TileBoards(Boards):
    """Arrangements of sliding tiles, all with the same goal.

    Immutable.

    Parameters
    ----------
    boards : array_like of int, shape (boards, rows, cols)
        Tiles; 0 is the blank.
    goal : array_like of int, shape (rows, cols), optional
        The arrangement to reach; the tiles in order, the blank last, when left out.

    Attributes
    ----------
    array : int16 array, shape (boards, rows, cols)
        Read-only.
    goal : tuple of int or None

    Raises
    ------
    InputError
        For an array of another shape or kind.  Whether a board is a puzzle is found out when it
        is solved.

    Examples
    --------
    >>> boards = TileBoards([[[1, 2], [0, 3]], [[1, 2], [3, 0]]])
    >>> len(boards), boards.puzzle(0).tiles
    (2, (1, 2, 0, 3))
    """

    _fields = ("array", "goal")

    goal: tuple[int, ...] | None

    def __init__(self, boards: ArrayLike, goal: ArrayLike | None = None) -> None:
        self._put(array=_checked(boards, "TileBoards"), goal=None)
        if goal is not None:
            tiles = np.asarray(goal).reshape(-1).tolist()
            checked = tuple(read_int(tile, "TileBoards: goal") for tile in tiles)
            if len(checked) != self.array[0:1].size and len(self.array):
                size = "{} x {}".format(*self.array.shape[1:])
                raise InputError(f"TileBoards: expected a goal of {size} tiles, got {len(checked)}")
            self._put(goal=checked)

    def puzzle(self, row: int) -> NPuzzle:
        """Return the puzzle of one board."""
        tiles = self.array[self._row(row)]
        rows, cols = tiles.shape
        return NPuzzle(rows, cols, tiles.reshape(-1).tolist(), self.goal)

    def taken(self, rows: NDArray[np.integer] | slice) -> TileBoards:
        """Return some of the boards."""
        return TileBoards(self.array[rows], self.goal)

    def facts(self) -> Facts:
        """Return the boards in plain data."""
        return "tiles", self.array, self.goal

    def _key(self) -> tuple[object, ...]:
        return self.array.shape, self.array.tobytes(), self.goal

    def __repr__(self) -> str:
        goal = "" if self.goal is None else f", {list(self.goal)}"
        return f"TileBoards({self.array.tolist()}{goal})"


class BlockBoards(Boards):
    """Boards with blocks that slide, all with the same goal.

    Immutable.  Block k is called by the k-th letter of A to Z (without X), a to z (without o and
    x) and 0 to 9.

    Parameters
    ----------
    boards : array_like of int, shape (boards, rows, cols)
        0 is an empty cell, -1 a wall, 1, 2, ... are the blocks.
    goal : mapping of int to (row, col) or {"left", "right", "top", "bottom"}
        Where blocks have to be, as in `SlidingPuzzle`.
    cars : bool
        Whether each block moves along itself only, as the cars of Rush Hour.

    Attributes
    ----------
    array : int16 array, shape (boards, rows, cols)
        Read-only.
    goal : tuple of (block, target)
    cars : bool

    Raises
    ------
    InputError
        For an array of another shape or kind, more than 59 blocks, or a goal that is none.

    Examples
    --------
    >>> boards = BlockBoards([[[1, 0, 0]], [[0, 1, 0]]], goal={1: (0, 2)})
    >>> print(boards.puzzle(1))
    .A.
    <BLANKLINE>
    ..A
    """

    _fields = ("array", "goal", "cars")

    goal: tuple[tuple[int, Target], ...]
    cars: bool

    def __init__(self, boards: ArrayLike, goal: Mapping[int, Target], cars: bool = False) -> None:
        array = _checked(boards, "BlockBoards")
        if array.size and not _WALL <= array.min() <= array.max() <= len(LETTERS):
            raise InputError(
                f"BlockBoards: expected numbers from {_WALL} to {len(LETTERS)}, found "
                f"{array.min()} to {array.max()}"
            )
        if not isinstance(goal, Mapping) or not goal:
            raise InputError(f"BlockBoards: expected a goal such as {{1: (3, 1)}}, got {goal!r}")
        targets = tuple((_block(block), _target(target)) for block, target in goal.items())
        self._put(array=array, goal=targets, cars=read_bool(cars, "BlockBoards: cars"))

    @classmethod
    def rush_hour(cls, lines: Iterable[str]) -> BlockBoards:
        """Read Rush Hour boards of 36 characters, as `SlidingPuzzle.parse_rush_hour` does each.

        Raises
        ------
        InputError
            For a line of another length or with another mark; the message names the row.

        Examples
        --------
        >>> boards = BlockBoards.rush_hour(["BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM."])
        >>> boards.array.shape, boards.goal, boards.cars
        ((1, 6, 6), ((1, 'right'),), True)
        """
        number = {mark: place for place, mark in enumerate(LETTERS, 1)}
        number |= {".": _EMPTY, "o": _EMPTY, "x": _WALL}
        rows = []
        for row, line in enumerate(lines):
            marks = line.strip() if isinstance(line, str) else line
            if not isinstance(marks, str) or len(marks) != 36 or not number.keys() >= set(marks):
                raise InputError(f"row {row}: expected 36 characters, got {line!r}")
            rows.append([number[mark] for mark in marks])
        return cls(np.array(rows, dtype=np.int16).reshape(-1, 6, 6), {_CAR: "right"}, True)

    def puzzle(self, row: int) -> SlidingPuzzle:
        """Return the puzzle of one board."""
        labels = self.array[self._row(row)]
        cols = labels.shape[1]
        places: dict[int, list[Cell]] = {}
        for cell, label in enumerate(labels.reshape(-1).tolist()):
            places.setdefault(label, []).append(Cell(*divmod(cell, cols)))
        walls = places.pop(_WALL, [])
        places.pop(_EMPTY, None)
        board = Board.rectangle(*labels.shape)
        blocks = {LETTERS[label - 1]: places[label] for label in sorted(places)}
        goal = {LETTERS[block - 1]: target for block, target in self.goal}
        axes = {}
        if self.cars:
            for name, cells in blocks.items():
                across = len({cell.row for cell in cells}) == 1
                axes[name] = "horizontal" if across else "vertical"
        return SlidingPuzzle(board.without(walls) if walls else board, blocks, goal, axes=axes)

    def taken(self, rows: NDArray[np.integer] | slice) -> BlockBoards:
        """Return some of the boards."""
        return BlockBoards(self.array[rows], dict(self.goal), self.cars)

    def facts(self) -> Facts:
        """Return the boards in plain data."""
        return "blocks", self.array, self.goal, self.cars

    def _key(self) -> tuple[object, ...]:
        return self.array.shape, self.array.tobytes(), self.goal, self.cars

    def __repr__(self) -> str:
        return f"BlockBoards({self.array.tolist()}, {dict(self.goal)}, {self.cars})"


def labels_of(puzzle: SlidingPuzzle) -> NDArray[np.int16]:
    """Return the start of a puzzle as labels, blocks by the alphabet that `BlockBoards` uses.

    Examples
    --------
    >>> labels_of(SlidingPuzzle.parse("BA#.", goal={"A": (0, 1)})).tolist()
    [[2, 1, -1, 0]]
    """
    labels = np.full((puzzle.rows, puzzle.cols), _WALL, dtype=np.int16)
    for row, col in puzzle.board.cells:
        labels[row, col] = _EMPTY
    for name, cells in puzzle.blocks.items():
        for row, col in cells:
            labels[row, col] = LETTERS.index(name) + 1
    return labels


def boards_of(facts: object) -> Boards:
    """Return the boards that `Boards.facts` told."""
    kind, array, *rest = cast("Sequence[object]", facts)
    boards = cast("NDArray[np.int16]", array)
    if kind == "tiles":
        return TileBoards(boards, cast("tuple[int, ...] | None", rest[0]))
    goal = cast("tuple[tuple[int, Target], ...]", rest[0])
    return BlockBoards(boards, dict(goal), bool(rest[1]))


def _checked(boards: ArrayLike, name: str) -> NDArray[np.int16]:
    """Return boards as a read-only array."""
    try:
        array = np.asarray(boards)
    except (ValueError, TypeError, OverflowError) as error:
        raise InputError(f"{name}: expected integers, boards x rows x cols: {error}") from None
    if array.ndim != 3 or 0 in array.shape[1:]:
        raise InputError(f"{name}: expected shape (boards, rows, cols), got {array.shape}")
    if array.dtype.kind not in "iu":
        raise InputError(f"{name}: expected integers, got dtype {array.dtype}")
    bounds = np.iinfo(np.int16)
    if array.size and not bounds.min <= array.min() <= array.max() <= bounds.max:
        raise InputError(f"{name}: expected 16-bit numbers, got {array.min()} to {array.max()}")
    own = array.astype(np.int16)
    own.flags.writeable = False
    return own


def _block(block: object) -> int:
    number = read_int(block, "BlockBoards: goal: block", least=1)
    if number > len(LETTERS):
        raise InputError(f"BlockBoards: goal: expected a block to {len(LETTERS)}, got {number}")
    return number


def _target(target: object) -> Target:
    if isinstance(target, str) and target in EDGES:
        return target
    if isinstance(target, Sequence) and not isinstance(target, str) and len(target) == 2:
        row, col = (read_int(value, "BlockBoards: goal: cell") for value in target)
        return row, col
    raise InputError(f"BlockBoards: goal: expected (row, col) or one of {EDGES}, got {target!r}")
