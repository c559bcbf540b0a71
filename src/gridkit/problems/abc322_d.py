"""AtCoder ABC322 D: do three polyominoes, turned but not flipped, fill the 4 x 4 board?"""

from __future__ import annotations

from gridkit.cover.tiling import Tiling
from gridkit.errors import InputError
from gridkit.grid.board import Board
from gridkit.grid.cell import Cell
from gridkit.polyomino.polyomino import Polyomino
from gridkit.problems.reader import LineReader

__all__ = ["pictures", "solve"]

SIDE = 4
PIECES = 3


def solve(text: str) -> str:
    """Answer ``Yes`` or ``No`` for three 4 x 4 grids of ``#`` and ``.``, one below the other.

    Raises
    ------
    ParseError
        For a malformed grid, an empty piece or a disconnected one.

    Examples
    --------
    >>> bar = "####\\n####\\n....\\n....\\n"
    >>> row = "....\\n####\\n....\\n....\\n"
    >>> solve(bar + row + row)
    'Yes\\n'
    """
    return "No\n" if _read_tiling(text).first() is None else "Yes\n"


def pictures(text: str) -> str:
    """Draw one way to fill the board, if there is one."""
    solution = _read_tiling(text).first()
    return "no filling\n" if solution is None else f"{solution}\n"


def _read_tiling(text: str) -> Tiling:
    reader = LineReader(text)
    pieces = [_read_piece(reader, number) for number in range(1, PIECES + 1)]
    reader.end()
    return Tiling(Board.rectangle(SIDE, SIDE), pieces)


def _read_piece(reader: LineReader, number: int) -> Polyomino:
    rows = [reader.grid_row(f"a row of piece {number}", SIDE, "#.") for _ in range(SIDE)]
    cells = [Cell(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "#"]
    try:
        return Polyomino(cells)
    except InputError as error:
        raise reader.fail(f"piece {number}, which ends here, is no polyomino ({error})") from None
