"""Lines of a database of Rush Hour positions: moves, board, number of states."""

from __future__ import annotations

import string
from typing import NamedTuple

from gridkit.errors import InputError, ParseError, UnsupportedError
from gridkit.sliding.blocks.puzzle import SlidingPuzzle

__all__ = ["RushHourLine", "read_rush_hour_lines", "rush_hour_text"]


class RushHourLine(NamedTuple):
    """A position and what is known of it, as in M. Fogleman's database (2018).

    Attributes
    ----------
    moves : int
        Length of a shortest plan, each slide of a car being a move.
    board : str
        36 characters, as `SlidingPuzzle.parse_rush_hour` reads them.
    cluster : int
        States that can be reached.

    Examples
    --------
    >>> line = RushHourLine(60, "IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM", 2332)
    >>> str(line)
    '60 IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM 2332'
    """

    moves: int
    board: str
    cluster: int

    def puzzle(self) -> SlidingPuzzle:
        """Return the position as a puzzle."""
        return SlidingPuzzle.parse_rush_hour(self.board)

    def __str__(self) -> str:
        return f"{self.moves} {self.board} {self.cluster}"


def read_rush_hour_lines(text: str) -> list[RushHourLine]:
    """Read lines of moves, board and number of states; empty lines are passed over.

    Raises
    ------
    ParseError
        For a line with other columns; it names the line.

    Notes
    -----
    A million lines take about two seconds.  The boards are not read yet: `RushHourLine.puzzle`
    does that, `BlockBoards.rush_hour` for all of them.

    Examples
    --------
    >>> [line] = read_rush_hour_lines("51 BBoKMxDDDKMoIAALooIoJLEEooJFFNoGGoxN 4780")
    >>> line.moves, line.cluster
    (51, 4780)
    """
    if not isinstance(text, str):
        raise InputError(f"expected a text, got {type(text).__name__}")
    lines = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        words = line.split()
        if not words:
            continue
        if len(words) != 3 or len(words[1]) != 36 or not _are_counts(words[0], words[2]):
            raise ParseError(
                "expected moves, a board of 36 characters and a number of states,"
                f" got {line!r:.80}",
                number,
            )
        lines.append(RushHourLine(int(words[0]), words[1], int(words[2])))
    return lines


def _are_counts(*words: str) -> bool:
    return all(word.isascii() and word.isdigit() and len(word) < 19 for word in words)


def rush_hour_text(puzzle: SlidingPuzzle) -> str:
    """Return a 6 x 6 position as 36 characters: o empty, x wall, A the car that is to leave.

    The other cars are named B, C, ... in reading order.

    Raises
    ------
    UnsupportedError
        For a puzzle that is no Rush Hour position: another size, goal or kind of block, gates, or
        more than 26 cars.

    Examples
    --------
    >>> rush_hour_text(SlidingPuzzle.parse_rush_hour("BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM."))
    'BCDDEoBCFoEGBoFAAGHHHIoGooJIKKLLJMMo'
    """
    if not isinstance(puzzle, SlidingPuzzle):
        raise InputError(f"expected a SlidingPuzzle, got {type(puzzle).__name__}")
    if (puzzle.rows, puzzle.cols) != (6, 6) or puzzle.gates:
        raise UnsupportedError("rush_hour_text: expected a board of 6 x 6 cells without gates")
    if list(puzzle.goal.values()) != ["right"]:
        raise UnsupportedError("rush_hour_text: expected one car that has to reach the right edge")
    [leaving] = puzzle.goal
    others = sorted((cells, name) for name, cells in puzzle.blocks.items() if name != leaving)
    if len(others) >= len(string.ascii_uppercase):
        raise UnsupportedError(f"rush_hour_text: expected at most 26 cars, got {len(others) + 1}")
    marks = [["x"] * 6 for _ in range(6)]
    for row, col in puzzle.board.cells:
        marks[row][col] = "o"
    for mark, name in zip(
        string.ascii_uppercase, [leaving, *(name for _, name in others)], strict=False
    ):
        cells = puzzle.blocks[name]
        across, down = ({cell[axis] for cell in cells} for axis in (1, 0))
        straight = "horizontal" if len(down) == 1 else "vertical" if len(across) == 1 else None
        if len(cells) < 2 or puzzle.axes.get(name) != straight:
            raise UnsupportedError(f"rush_hour_text: block {name!r} is no car on a line")
        for row, col in cells:
            marks[row][col] = mark
    return "".join(map("".join, marks))
