"""BOJ 1525: least moves of the 8-puzzle to 1 2 3 / 4 5 6 / 7 8 0, -1 if there is no way.

Input: three rows of three numbers, 0 the blank.
"""

from __future__ import annotations

from gridkit.problems.reader import LineReader
from gridkit.sliding.npuzzle.puzzle import NPuzzle

__all__ = ["solve"]


def solve(text: str) -> str:
    """Answer one input.

    Examples
    --------
    >>> solve("1 0 3\\n4 2 5\\n7 8 6\\n")
    '3\\n'
    """
    reader = LineReader(text)
    tiles: list[int] = []
    for _ in range(3):
        for word, column in reader.words("a row"):
            tile = reader.integer(word, column, "tile", 0, 8)
            if tile in tiles:
                raise reader.fail(f"tile {tile} stands twice", column)
            tiles.append(tile)
        if len(tiles) != 3 * reader.line:
            raise reader.fail(f"expected 3 tiles a row, found {len(tiles) - 3 * reader.line + 3}")
    reader.end()
    distance = NPuzzle(3, 3, tiles).distance()
    return f"{-1 if distance is None else distance}\n"
