"""Instances that several benchmarks share, built by code."""

from __future__ import annotations

from collections.abc import Sequence

import gridkit as gk
from gridkit.cover.matrix import Matrix

__all__ = ["BOARDS", "ELL", "KLOTSKI", "langford", "pentominoes", "queens", "random_tiles", "soma",
           "sudoku"]  # fmt: skip

ELL = [gk.Polyomino.parse("#.\n##")]
KLOTSKI = "ABBC\nABBC\nDEEF\nDGHF\nI..J"

# name, board, tilings by the twelve pentominoes, and the same up to the board's symmetries
BOARDS = [
    ("pentominoes 6x10", gk.Board.rectangle(6, 10), 9356, 2339),
    ("pentominoes 5x12", gk.Board.rectangle(5, 12), 4040, 1010),
    ("pentominoes 4x15", gk.Board.rectangle(4, 15), 1472, 368),
    ("pentominoes 3x20", gk.Board.rectangle(3, 20), 8, 2),
    (
        "pentominoes 8x8 hole",
        gk.Board.rectangle(8, 8).without([(3, 3), (3, 4), (4, 3), (4, 4)]), 520, 65,
    ),
]  # fmt: skip


def pentominoes(board: gk.Board) -> gk.Tiling:
    """Return the tiling of a board by the twelve pentominoes, once each."""
    return gk.Tiling(board, gk.pieces.pentominoes(), reflect=True)


def soma() -> gk.Tiling:
    """Return the Soma cube."""
    return gk.Tiling(gk.Box(3, 3, 3), gk.pieces.soma())


def _matrix(options: Sequence[tuple[int, ...]], primary: int) -> Matrix:
    return Matrix(tuple(options), primary, (1,) * primary, (1,) * primary)


def langford(n: int) -> Matrix:
    """Return Langford's problem: each number k twice, k places apart; both directions."""
    options = [
        (k - 1, n + at, n + at + k + 1) for k in range(1, n + 1) for at in range(2 * n - k - 1)
    ]
    return _matrix(options, 3 * n)


def queens(n: int) -> Matrix:
    """Return n queens: rows and columns primary, diagonals secondary."""
    options = [(r, n + c, 2 * n + r + c, 5 * n - 2 + r - c) for r in range(n) for c in range(n)]
    return _matrix(options, 2 * n)


def sudoku(k: int) -> Matrix:
    """Return the empty sudoku of boxes of k x k cells."""
    n = k * k
    options = [
        (r * n + c, n * (n + r) + d, n * (2 * n + c) + d, n * (3 * n + r // k * k + c // k) + d)
        for r in range(n)
        for c in range(n)
        for d in range(n)
    ]  # fmt: skip
    return _matrix(options, 4 * n * n)


def random_tiles(rows: int, cols: int, seed: int) -> gk.NPuzzle:
    """Return a solvable n-puzzle with tiles at random."""
    import random

    tiles = list(range(rows * cols))
    random.Random(seed).shuffle(tiles)
    puzzle = gk.NPuzzle(rows, cols, tiles)
    if not puzzle.is_solvable():
        one, two = tiles.index(1), tiles.index(2)
        tiles[one], tiles[two] = 2, 1
        puzzle = gk.NPuzzle(rows, cols, tiles)
    return puzzle
