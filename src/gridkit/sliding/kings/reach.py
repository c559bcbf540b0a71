"""Which placements of kings can be turned into which: the block theorem, plain Python.

Cut the board into aligned 2 x 2 blocks, p x q of them (blocks at an odd side are cut off).  A block
holds at most one king, so a placement induces a p x q matrix of ids, its *snap*; e = p q - k blocks
are empty.  Pushing every king to the top left cell of its block, in row-major order, is always
legal, and pushed boards are pebble motion on the p x q grid.  What can be reached follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import index
from typing import Literal, SupportsIndex

from gridkit import render
from gridkit.errors import InputError
from gridkit.grid.components import permutation_is_even
from gridkit.render.drawable import Drawable
from gridkit.value import Value, Verdict

__all__ = [
    "RULES",
    "Effort",
    "Placement",
    "Reachability",
    "Rule",
    "blocks_parity_is_odd",
    "empty_blocks",
    "judge",
]

Rule = Literal["king", "orthogonal"]
RULES: tuple[Rule, ...] = ("king", "orthogonal")

Effort = Literal["fast", "short"]

Case = Literal["full", "line", "parity", "free"]


class Placement(Value, Drawable):
    """Kings on an empty board, no two on adjacent cells.

    Parameters
    ----------
    rows, cols : int
        Sides of the board.
    cells : mapping of int to int
        Row-major cell of each king by its id (a positive int); read-only.

    Notes
    -----
    Made by `from_rows`, which checks everything.

    Examples
    --------
    >>> placement = Placement.from_rows([[1, 0, 2], [0, 0, 0]], "start")
    >>> print(placement)
    1 . 2
    . . .
    """

    _fields = ("rows", "cols", "cells")

    rows: int
    cols: int
    cells: Mapping[int, int]

    def __init__(self, rows: int, cols: int, cells: dict[int, int]) -> None:
        self._put(rows=rows, cols=cols, cells=cells)

    @classmethod
    def from_rows(cls, rows: Iterable[Iterable[SupportsIndex]], name: str) -> Placement:
        """Read a matrix of ids, 0 for an empty cell; `name` is what errors call it.

        Raises
        ------
        InputError
            For an empty or ragged matrix, a value that is no int or negative, an id that occurs
            twice, or two kings on adjacent cells; each with its place (row, column, from 0).
        """
        matrix = [_row(row, r, name) for r, row in enumerate(_iterate(rows, name))]
        width = len(matrix[0]) if matrix else 0
        if not width:
            raise InputError(f"{name}: expected at least one cell, got an empty board")
        cells: dict[int, int] = {}
        for r, row in enumerate(matrix):
            if len(row) != width:
                raise InputError(
                    f"{name}: row {r} has {len(row)} cells, expected {width} as in row 0"
                )
            for c, king in enumerate(row):
                if king < 0:
                    raise InputError(f"{name}: ids are positive, got {king} at ({r}, {c})")
                if king in cells:
                    first = divmod(cells[king], width)
                    raise InputError(f"{name}: king {king} stands at {first} and at ({r}, {c})")
                if king:
                    cells[king] = r * width + c
        placement = cls(len(matrix), width, cells)
        touching = placement.touching()
        if touching:
            one, other = touching
            raise InputError(
                f"{name}: kings {one} at {divmod(cells[one], width)} and {other} at "
                f"{divmod(cells[other], width)} touch"
            )
        return placement

    def touching(self) -> tuple[int, int] | None:
        """Return the ids of two kings on adjacent cells, or None."""
        king_at = {cell: king for king, cell in self.cells.items()}
        for cell, king in king_at.items():
            column = cell % self.cols
            for dr, dc in ((0, 1), (1, -1), (1, 0), (1, 1)):
                other = king_at.get(cell + dr * self.cols + dc)
                if other is not None and 0 <= column + dc < self.cols:
                    return king, other
        return None

    def snap(self) -> list[int]:
        """Return the id in each block, row-major, 0 for an empty block."""
        across = (self.cols + 1) // 2
        blocks = [0] * ((self.rows + 1) // 2 * across)
        for king, cell in self.cells.items():
            blocks[cell // self.cols // 2 * across + cell % self.cols // 2] = king
        return blocks

    def __str__(self) -> str:
        width = len(str(max(self.cells, default=0)))
        return "\n".join(
            " ".join(f"{king or '.':>{width}}" for king in row) for row in self.to_rows()
        )

    def _scene(self) -> render.Scene:
        """Return a chequered board, each king a disc with its id."""
        board = [
            render.square(row, col, None, "soft" if (row + col) % 2 else "open")
            for row in range(self.rows)
            for col in range(self.cols)
        ]
        places = {king: divmod(cell, self.cols) for king, cell in self.cells.items()}
        kings = [
            render.disc(row + 0.5, col + 0.5, 0.39, king, king - 1)
            for king, (row, col) in places.items()
        ]
        labels = [
            render.Label(str(king), col + 0.5, row + 0.5, 0.62, king - 1, 0.45)
            for king, (row, col) in places.items()
        ]
        return render.Scene((*board, *kings), tuple(labels), title="kings")

    def _flat_scene(self) -> render.Scene:
        rows = self.to_rows()
        labels = [[king - 1 if king else None for king in row] for row in rows]
        return render.grid_scene(
            labels, [[str(king) if king else "" for king in row] for row in rows]
        )

    def to_rows(self) -> list[list[int]]:
        """Return the matrix of ids."""
        rows = [[0] * self.cols for _ in range(self.rows)]
        for king, cell in self.cells.items():
            rows[cell // self.cols][cell % self.cols] = king
        return rows


def _iterate(rows: Iterable[Iterable[SupportsIndex]], name: str) -> list[Iterable[SupportsIndex]]:
    if isinstance(rows, str | bytes) or not isinstance(rows, Iterable):
        raise InputError(f"{name}: expected rows of ints, got {type(rows).__name__}")
    return list(rows)


def _row(row: Iterable[SupportsIndex], number: int, name: str) -> list[int]:
    if isinstance(row, str | bytes) or not isinstance(row, Iterable):
        raise InputError(f"{name}: expected row {number} to be ints, got {type(row).__name__}")
    values = []
    for column, value in enumerate(row):
        try:
            if isinstance(value, bool):
                raise TypeError
            values.append(index(value))
        except TypeError:
            raise InputError(
                f"{name}: expected an int at ({number}, {column}), got {type(value).__name__}"
            ) from None
    return values


@dataclass(frozen=True, slots=True)
class Reachability(Verdict):
    """Whether a target can be reached, and by which invariant.

    Attributes
    ----------
    reachable : bool
        The answer.
    case : {"full", "line", "parity", "free"}
        **full**: every block is taken, kings never leave theirs; **line**: one row or column of
        blocks, kings keep their order; **parity**: one empty block, half of the arrangements;
        **free**: everything can be reached.
    empty_blocks : int
        Number e of blocks without a king.
    reason : str
        The invariant in words; where it differs, in what.

    Examples
    --------
    >>> import gridkit as gk
    >>> verdict = gk.KingsPuzzle([[1, 0, 2]], [[2, 0, 1]]).explain()
    >>> verdict.reachable, verdict.case
    (False, 'full')
    """

    reachable: bool
    case: Case
    empty_blocks: int
    reason: str

    def __str__(self) -> str:
        return f"{'reachable' if self.reachable else 'not reachable'}: {self.reason}"


def empty_blocks(placement: Placement) -> int:
    """Return e, the number of 2 x 2 blocks without a king."""
    blocks = ((placement.rows + 1) // 2) * ((placement.cols + 1) // 2)
    return blocks - len(placement.cells)


def judge(start: Placement, target: Placement, rule: Rule) -> Reachability:
    """Decide by the block theorem, in O(h w) steps.

    Both placements must be on the same board with the same ids.
    """
    a, b = start.snap(), target.snap()
    across, down = (start.cols + 1) // 2, (start.rows + 1) // 2
    empty = empty_blocks(start)
    if empty == 0:
        return _judge_full(a, b, across)
    if min(across, down) == 1:
        return _judge_line(a, b, empty)
    if empty >= 2:
        return Reachability(
            True, "free", empty, f"{empty} blocks are empty, every order can be made"
        )
    if rule == "king" and start.rows % 2 == 0 and start.cols % 2 == 0:
        reason = "one block is empty and a diagonal step across a block corner changes the parity"
        return Reachability(True, "free", empty, reason)
    odd = blocks_parity_is_odd(a, b, across)
    reason = f"one block is empty, and the blocks' permutation is {'odd' if odd else 'even'}"
    return Reachability(not odd, "parity", empty, reason + " counting the empty block's way")


def _judge_full(a: list[int], b: list[int], across: int) -> Reachability:
    for block, (one, other) in enumerate(zip(a, b, strict=True)):
        if one != other:
            place = divmod(block, across)
            reason = (
                f"every block is taken, so no king leaves its block, but block {place} "
                f"holds king {one} at the start and {other} at the end"
            )
            return Reachability(False, "full", 0, reason)
    return Reachability(True, "full", 0, "every king stays in its block")


def _judge_line(a: list[int], b: list[int], empty: int) -> Reachability:
    order_a, order_b = [king for king in a if king], [king for king in b if king]
    for place, (one, other) in enumerate(zip(order_a, order_b, strict=True)):
        if one != other:
            reason = (
                f"kings in one line of blocks keep their order, but number {place} along the "
                f"line is king {one} at the start and {other} at the end"
            )
            return Reachability(False, "line", empty, reason)
    return Reachability(True, "line", empty, "the kings keep their order along the line of blocks")


def blocks_parity_is_odd(a: list[int], b: list[int], across: int) -> bool:
    """Return the invariant of one empty block: sign of the contents times that of its way."""
    (r0, c0), (r1, c1) = divmod(a.index(0), across), divmod(b.index(0), across)
    way_is_odd = (r0 + c0 + r1 + c1) % 2 == 1
    return permutation_is_even(a, b) == way_is_odd
