"""Kernel that finds strings of blank moves which lead where an earlier string leads already.

A string is coded by a 1 and two bits for each move: 0 up, 1 left, 2 right, 3 down.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel

__all__ = ["REACH", "find_duplicates"]

REACH = 16  # moves: the longest string
_SIDE = 2 * REACH + 1
_CENTRE = REACH * _SIDE + REACH
_BLANK = _SIDE * _SIDE  # stands for a tile


@kernel("int64(int64)")
def _length(string: int) -> int:
    length = 0
    while string > 3:
        string >>= 2
        length += 1
    return length


@kernel("int64(int64)")
def _step(move: int) -> int:
    """Return the way on the numbered cells: up, left, right, down."""
    if move == 0 or move == 3:
        return -_SIDE if move == 0 else _SIDE
    return -1 if move == 1 else 1


@kernel("int64(int64, int64[::1])")
def _play(string: int, board: NDArray[np.int64]) -> int:
    """Move the blank from the centre; return where it comes to stand."""
    blank = _CENTRE
    for i in range(_length(string) - 1, -1, -1):
        to = blank + _step((string >> (2 * i)) & 3)
        board[blank] = board[to]
        blank = to
    board[blank] = _BLANK
    return blank


@kernel("void(int64, int64[::1])")
def _reset(string: int, board: NDArray[np.int64]) -> None:
    """Put every tile on the blank's path where it belongs."""
    blank = _CENTRE
    board[blank] = blank
    for i in range(_length(string) - 1, -1, -1):
        blank += _step((string >> (2 * i)) & 3)
        board[blank] = blank


@kernel("boolean(int64, int64, int64[::1], int64[::1])")
def _same(first: int, second: int, one: NDArray[np.int64], other: NDArray[np.int64]) -> bool:
    """Return whether two strings move every tile alike (both boards are in order, and stay so)."""
    same = _play(first, one) == _play(second, other)
    for string in (first, second):
        blank = _CENTRE
        for i in range(_length(string) - 1, -1, -1):
            same = same and one[blank] == other[blank]
            blank += _step((string >> (2 * i)) & 3)
    _reset(first, one)
    _reset(second, other)
    return same


@kernel("uint64(int64, int64)")
def _mix(tile: int, cell: int) -> int:
    """Return a word for a tile away from home."""
    word = np.uint64(tile * (1 << 20) + cell + 1) * np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return word ^ (word >> np.uint64(32))


@kernel(
    "int64(int64, int64[::1], int64[:, ::1], int64[::1], uint64[::1], int8[:, ::1], int64[::1],"
    "int64[::1])"
)
def find_duplicates(
    longest: int,
    strings: NDArray[np.int64],
    child: NDArray[np.int64],
    tail: NDArray[np.int64],
    mark: NDArray[np.uint64],
    box: NDArray[np.int8],
    table: NDArray[np.int64],
    found: NDArray[np.int64],
) -> int:
    """List the strings of up to `longest` moves that are not needed; return how many.

    A string is not needed if one that is shorter, or of the same length and listed before, moves
    every tile alike and stays within the rectangle around its path; only those are listed whose
    every part is needed.  Strings are numbered as they come: `child[w, m]` is the string w and the
    move m (-1: not needed), `tail[w]` the string w without its first move, `mark[w]` a word that
    like permutations have in common, `box[w]` the rectangle; `table` (its size a power of two)
    finds a string by its mark, and is filled with -1.  All arrays have room for all strings.
    """
    mask = np.uint64(table.shape[0] - 1)
    board = np.arange(_SIDE * _SIDE)
    one, other = board.copy(), board.copy()
    total, count = 1, 0
    strings[0], mark[0], box[0] = 1, _mix(_BLANK, _CENTRE), 0
    table[np.int64(mark[0] & mask)] = 0
    first, last = 0, 1
    for _ in range(longest):
        for w in range(first, last):
            blank = _play(strings[w], board)
            for move in range(4):
                child[w, move] = -1
                rest = child[tail[w], move] if w > 0 else 0
                if rest < 0:
                    continue
                to = blank + _step(move)
                tile = board[to]
                word = mark[w] ^ _mix(_BLANK, blank) ^ _mix(_BLANK, to)
                if tile != to:
                    word ^= _mix(tile, to)
                if tile != blank:
                    word ^= _mix(tile, blank)
                row, column = to // _SIDE - REACH, to % _SIDE - REACH
                top, left = min(box[w, 0], row), min(box[w, 1], column)
                bottom, right = max(box[w, 2], row), max(box[w, 3], column)
                string = 4 * strings[w] + move
                needed = True
                at = np.int64(word & mask)
                while table[at] >= 0 and needed:
                    old = table[at]
                    needed = (
                        mark[old] != word
                        or top > box[old, 0] or left > box[old, 1]
                        or bottom < box[old, 2] or right < box[old, 3]
                        or not _same(string, strings[old], one, other)
                    )  # fmt: skip
                    at = np.int64(np.uint64(at + 1) & mask)
                if not needed:
                    found[count] = string
                    count += 1
                    continue
                table[at] = total
                child[w, move] = total
                strings[total], tail[total], mark[total] = string, rest, word
                box[total, 0], box[total, 1] = top, left
                box[total, 2], box[total, 3] = bottom, right
                total += 1
            _reset(strings[w], board)
        first, last = last, total
    return count
