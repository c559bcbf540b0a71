"""Automata that keep a depth-first search from reaching a position twice by short detours.

Two strings of blank moves often move all tiles alike: back and forth is the same as nothing, six
steps around a 2 x 2 block one way the same as six the other way.  Of those the search needs one
(L. Taylor and R. Korf, Pruning duplicate nodes in depth-first search, 1993).  The strings to avoid
are found on a board without edges; one may be avoided on any rectangle, because the string that
stands for it stays within the rectangle around its path.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

__all__ = ["BACKWARD", "automaton", "needless"]

BACKWARD = 2  # moves: strings so long only step back, which nobody needs on a board with walls


@cache
def needless(longest: int) -> tuple[tuple[int, ...], ...]:
    """Return the strings of up to `longest` moves that a search may avoid.

    Moves of the blank are 0 up, 1 left, 2 right, 3 down.  Every string is given whose parts are
    all needed.  Time and memory grow with 3**longest.

    Examples
    --------
    >>> needless(2)
    ((0, 3), (1, 2), (2, 1), (3, 0))
    >>> len(needless(6))
    8
    """
    from gridkit.sliding.npuzzle.kernels import duplicates as kernels

    room = 2 * 3**longest
    strings, tail, found = np.zeros((3, room), np.int64)
    table = np.full(1 << (room + room // 2).bit_length(), -1, np.int64)
    count = kernels.find_duplicates(
        longest, strings, np.zeros((room, 4), np.int64), tail, np.zeros(room, np.uint64),
        np.zeros((room, 4), np.int8), table, found,
    )  # fmt: skip
    return tuple(_moves(string) for string in found[:count].tolist())


def _moves(string: int) -> tuple[int, ...]:
    """Return the moves of a string coded by a 1 and two bits for each move."""
    length = (string.bit_length() - 1) // 2
    return tuple(string >> 2 * i & 3 for i in reversed(range(length)))


@cache
def automaton(longest: int) -> NDArray[np.int32]:
    """Return what a search remembers of its last moves, to avoid `needless` strings.

    Row q says of state q (0 is the start) the state after each of the four moves, -1 where it
    would end a string to avoid; word 4 has a bit for each move that is left.  Words 5 to 7 are 0.
    The construction is that of A. Aho and M. Corasick (1975).

    Examples
    --------
    >>> automaton(2)[0, :5].tolist()
    [1, 2, 3, 4, 15]
    >>> automaton(2)[1, :5].tolist()  # after a move up, one down is left out
    [1, 2, 3, -1, 7]
    """
    after: list[list[int]] = [[0] * 4]
    ends: list[bool] = [False]
    for string in needless(longest):
        state = 0
        for move in string:
            if not after[state][move]:
                after[state][move] = len(after)
                after.append([0] * 4)
                ends.append(False)
            state = after[state][move]
        ends[state] = True
    # The state to go on from is that of the longest part that begins another string.
    part = [0] * len(after)
    order = [state for state in after[0] if state]
    for state in order:
        for move, longer in enumerate(after[state]):
            other = after[part[state]][move]
            if longer:
                part[longer] = other
                order.append(longer)
            else:
                after[state][move] = other
    number = np.cumsum(~np.array(ends), dtype=np.int32) - 1
    number[ends] = -1
    rows = np.zeros((int(number.max()) + 1, 8), np.int32)
    rows[:, :4] = number[np.array(after, np.int32)[number >= 0]]
    rows[:, 4] = ((rows[:, :4] >= 0) << np.arange(4)).sum(axis=1)
    return rows
