"""LeetCode 773: least moves of a 2 x 3 board to [[1,2,3],[4,5,0]], or -1.

Input: the board as JSON, such as [[1,2,3],[4,0,5]].
"""

from __future__ import annotations

import json

from gridkit.errors import InputError, ParseError
from gridkit.sliding.npuzzle.puzzle import NPuzzle

__all__ = ["solve"]


def solve(text: str) -> str:
    """Answer one input.

    Examples
    --------
    >>> solve("[[1,2,3],[4,0,5]]")
    '1\\n'
    """
    if not isinstance(text, str):
        raise InputError(f"expected a text, got {type(text).__name__}")
    try:
        board = json.loads(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise ParseError(f"expected JSON: {error.msg}", error.lineno, error.colno) from None
    except (RecursionError, ValueError):
        raise ParseError("expected a 2 x 3 board such as [[1,2,3],[4,0,5]]", 1) from None
    rows_fit = isinstance(board, list) and [
        len(row) if isinstance(row, list) else 0 for row in board
    ] == [3, 3]
    tiles = board[0] + board[1] if rows_fit else []
    whole = all(type(tile) is int for tile in tiles)
    if not whole or sorted(tiles) != [0, 1, 2, 3, 4, 5]:
        raise ParseError(
            f"expected two rows that hold 0, 1, 2, 3, 4, 5 once each, found {text.strip()[:60]}", 1
        )
    distance = NPuzzle(2, 3, tiles).distance()
    return f"{-1 if distance is None else distance}\n"
