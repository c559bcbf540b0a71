"""AlgoSpot BOARDCOVER: in how many ways do L-trominoes cover the white cells of a board?"""

from __future__ import annotations

from gridkit.cover.tiling import Tiling
from gridkit.grid.board import Board
from gridkit.polyomino.polyomino import Polyomino
from gridkit.problems.reader import LineReader

__all__ = ["pictures", "solve"]

MOST_CASES = 30
LARGEST_SIDE = 20
ELL = Polyomino.parse("#.\n##")


def solve(text: str) -> str:
    """Answer each case, ``H W`` and H rows of ``#`` (black) and ``.`` (white), with its count.

    Raises
    ------
    ParseError
        For malformed input, naming line and column.

    Examples
    --------
    >>> solve("1\\n2 3\\n...\\n...\\n")
    '2\\n'
    """
    boards = _read_boards(text)
    return "".join(f"{Tiling(board, [ELL], copies=None).count()}\n" for board in boards)


def pictures(text: str) -> str:
    """Draw one covering of each board that has one."""
    tilings = (Tiling(board, [ELL], copies=None) for board in _read_boards(text))
    solutions = (tiling.first() for tiling in tilings)
    return "\n".join("no covering\n" if each is None else f"{each}\n" for each in solutions)


def _read_boards(text: str) -> list[Board]:
    reader = LineReader(text)
    (cases,) = reader.integers("the number of cases", ("C", 0, MOST_CASES))
    boards = [_read_board(reader) for _ in range(cases)]
    reader.end()
    return boards


def _read_board(reader: LineReader) -> Board:
    sides = (("H", 1, LARGEST_SIDE), ("W", 1, LARGEST_SIDE))
    rows, cols = reader.integers("the size of a board", *sides)
    return Board.parse("\n".join(reader.grid_row("a row", cols, "#.") for _ in range(rows)))
