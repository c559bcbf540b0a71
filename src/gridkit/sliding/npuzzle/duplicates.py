"""Automata that keep a depth-first search from reaching a position twice by short detours.

Two strings of blank moves often move all tiles alike: back and forth is the same as nothing, six
steps around a 2 x 2 block one way the same as six the other way.  Of those the search needs one
(L. Taylor and R. Korf, Pruning duplicate nodes in depth-first search, 1993).  The strings to avoid
are found on a board without edges; one may be avoided on any rectangle, because the string that
stands for it stays within the rectangle around its path.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["BACKWARD", "automaton", "needless"]

BACKWARD = 2  # moves: strings so long only step back, which nobody needs on a board with walls
_SIDE = 1 << 6  # cells are numbered row * _SIDE + column, with the blank's start in the middle
_START = _SIDE * _SIDE // 2 + _SIDE // 2
_STEPS = np.array([-_SIDE, -1, 1, _SIDE], np.int16)  # of the blank: up, left, right, down
_MOVE = {int(step): move for move, step in enumerate(_STEPS)}
_BLANK = _SIDE * _SIDE  # the blank's number among the tiles, which are numbered by their cells


class _Strings(NamedTuple):
    """Strings of the same number of moves, in the order in which they are listed.

    Attributes
    ----------
    path : (moves + 1, strings) array of int16
        The cells that the blank visits, the start first.
    mark : (strings,) array of uint64
        A word that strings with the same effect have in common.
    tail : (strings,) array of int64
        The number, among the strings one move shorter, of the string without its first move.
    """

    path: NDArray[np.int16]
    mark: NDArray[np.uint64]
    tail: NDArray[np.int64]

    def moves(self, number: int) -> tuple[int, ...]:
        """Return the moves of a string."""
        return tuple(_MOVE[after - before] for before, after in pairwise(self.cells(number)))

    def cells(self, number: int) -> list[int]:
        """Return the path of a string."""
        cells: list[int] = self.path[:, number].tolist()
        return cells


@cache
def needless(longest: int) -> tuple[tuple[int, ...], ...]:
    """Return the strings of up to `longest` moves that a search may avoid.

    A string may be avoided if one that is shorter, or of the same length and listed before, moves
    every tile alike and stays within the rectangle around its path.  Strings are listed by length
    and then in the order of their moves; those that contain a string listed before are left out.
    Time and memory grow with 3**longest.

    Parameters
    ----------
    longest : int
        The number of moves of the longest strings.

    Returns
    -------
    tuple of tuples of int
        Moves of the blank: 0 up, 1 left, 2 right, 3 down.

    Examples
    --------
    >>> needless(2)
    ((0, 3), (1, 2), (2, 1), (3, 0))
    >>> len(needless(6))
    8
    """
    nothing = np.full((1, 1), _START, np.int16)
    levels = [_Strings(nothing, np.zeros(1, np.uint64), np.zeros(1, np.int64))]
    child = np.zeros((1, 4), np.int64)  # the number of each shorter string with a move put behind
    avoided: list[tuple[int, ...]] = []
    for _ in range(longest):
        longer, source, move = _prolong(levels[-1], child)
        needed = _needed([*levels, longer])
        avoided += map(longer.moves, np.flatnonzero(~needed).tolist())
        child = np.full((len(levels[-1].mark), 4), -1)
        child[source[needed], move[needed]] = np.arange(np.count_nonzero(needed))
        levels.append(_Strings(longer.path[:, needed], longer.mark[needed], longer.tail[needed]))
    return tuple(avoided)


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
            shorter = after[part[state]][move]
            if longer:
                part[longer] = shorter
                order.append(longer)
            else:
                after[state][move] = shorter
    number = np.cumsum(~np.array(ends), dtype=np.int32) - 1
    number[ends] = -1
    rows = np.zeros((int(number.max()) + 1, 8), np.int32)
    rows[:, :4] = number[np.array(after, np.int32)[number >= 0]]
    rows[:, 4] = ((rows[:, :4] >= 0) << np.arange(4)).sum(axis=1)
    return rows


def _prolong(
    level: _Strings, child: NDArray[np.int64]
) -> tuple[_Strings, NDArray[np.int64], NDArray[np.int64]]:
    """Return the strings one move longer whose tails are needed, what they prolong, and the move.

    `child` has the number of the string that each move makes of a string one move shorter, -1 if
    it is not needed.
    """
    count = len(level.mark)
    tail = child[level.tail].ravel()
    source, move = (part[tail >= 0] for part in np.divmod(np.arange(4 * count), 4))
    path = level.path[:, source]
    blank, entered = path[-1], path[-1] + _STEPS[move]
    # The tile that is moved: followed back along the path to the cell where it stood at first.
    tile = entered.copy()
    for before, after in pairwise(path[::-1]):
        tile = np.where(tile == after, before, tile)
    mark = level.mark[source] ^ _word(_BLANK, blank) ^ _word(_BLANK, entered)
    mark ^= np.where(tile == entered, np.uint64(0), _word(tile, entered))
    mark ^= np.where(tile == blank, np.uint64(0), _word(tile, blank))
    longer = np.concatenate((path, entered[None]))
    return _Strings(longer, mark, tail[tail >= 0]), source, move


def _word(tile: int | NDArray[np.int16], cell: NDArray[np.int16]) -> NDArray[np.uint64]:
    """Return a random word for a tile on a cell (after S. Vigna's splitmix64, 2015)."""
    word = np.asarray(tile).astype(np.uint64) << np.uint64(20) | cell.astype(np.uint64)
    word = (word + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return word ^ (word >> np.uint64(32))


def _needed(levels: list[_Strings]) -> NDArray[np.bool_]:
    """Return which strings of the last level no string before them replaces."""
    starts = np.cumsum([0, *(len(level.mark) for level in levels)])
    first = int(starts[-2])

    def path(place: int) -> list[int]:
        level = int(np.searchsorted(starts, place, side="right")) - 1
        return levels[level].cells(place - int(starts[level]))

    needed = np.ones(int(starts[-1]), np.bool_)
    for same in _groups(np.concatenate([level.mark for level in levels])):
        paths = [path(place) for place in same] if same[-1] >= first else []
        for at, later in enumerate(same):
            if later >= first:
                needed[later] = not any(
                    needed[earlier] and _replaces(paths[k], paths[at])
                    for k, earlier in enumerate(same[:at])
                )
    return needed[first:]


def _groups(marks: NDArray[np.uint64]) -> Iterator[list[int]]:
    """Yield the places, in increasing order, of every mark that occurs more than once."""
    order = np.argsort(marks, kind="stable")
    equal = np.flatnonzero(marks[order[1:]] == marks[order[:-1]])
    for run in np.split(equal, np.flatnonzero(np.diff(equal) > 1) + 1):
        if len(run):
            yield order[run[0] : run[-1] + 2].tolist()


def _replaces(path: list[int], later: list[int]) -> bool:
    """Return whether a path stays in the rectangle of another one and moves all tiles alike."""
    return all(
        low <= inner_low and inner_high <= high
        for (inner_low, inner_high), (low, high) in zip(_sides(path), _sides(later), strict=True)
    ) and _effect(path) == _effect(later)


def _sides(path: list[int]) -> list[tuple[int, int]]:
    """Return the least and the largest row, and column, of a path."""
    return [(min(part), max(part)) for part in zip(*(divmod(c, _SIDE) for c in path), strict=True)]


def _effect(path: list[int]) -> dict[int, int]:
    """Return the tile on each cell whose tile the blank's path has changed."""
    tiles = {path[0]: _BLANK}
    for blank, entered in pairwise(path):
        tiles[blank], tiles[entered] = tiles.get(entered, entered), _BLANK
    return {cell: tile for cell, tile in tiles.items() if tile != cell}
