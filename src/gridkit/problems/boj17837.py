"""New Game 2 (BOJ 17837): in which round do four pieces first stand on one another?"""

from __future__ import annotations

from gridkit.problems.reader import LineReader
from gridkit.stacking import Outcome, StackingGame, StackingRules

__all__ = ["read_game", "solve"]


def solve(text: str) -> str:
    """Return the round in which play stops, -1 if it is above 1000 or none.

    Examples
    --------
    >>> solve("1 1\\n0\\n1 1 1\\n")
    '-1\\n'
    """
    return answer(read_game(text, StackingRules()))


def answer(game: StackingGame) -> str:
    """Return the judged answer of a game."""
    result = game.play(max_rounds=1000)
    return f"{result.round if result.outcome is Outcome.STOPPED else -1}\n"


def read_game(text: str, rules: StackingRules) -> StackingGame:
    """Read N and K, N rows of N colours, and K pieces (row, column, direction, from 1)."""
    reader = LineReader(text)
    size, count = reader.integers("the sizes", ("N", 1, None), ("K", 1, None))
    cells = []
    for row in range(1, size + 1):
        words = reader.words(f"row {row} of {size}")
        cells.append([reader.integer(word, column, "colour", 0, 2) for word, column in words])
        if len(words) != size:
            word, column = words[min(size, len(words) - 1)] if words else ("", 1)
            column += len(word) if len(words) < size else 0
            raise reader.fail(f"expected a row of {size} colours, found {len(words)}", column)
    pieces: dict[tuple[int, int], tuple[int, int, int]] = {}
    for piece in range(1, count + 1):
        row, col, way = reader.integers(
            f"piece {piece} of {count}", ("row", 1, size), ("column", 1, size), ("direction", 1, 4)
        )
        if (row, col) in pieces:
            raise reader.fail(f"two pieces start on row {row}, column {col}", 1)
        pieces[row, col] = (row - 1, col - 1, way - 1)
    reader.end()
    return StackingGame(cells, pieces.values(), rules)
