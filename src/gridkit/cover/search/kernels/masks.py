"""First empty cell first: tilings of a strip of cells seen through a window of 64.

Everything before the first empty cell is covered, so a node is that cell's position and a word:
bit k tells whether the cell k places on is covered.  Which pieces fit there is read from tables,
a byte of the window at a time: bit o of a fit word stands for pattern o, a piece with the offsets
of its cells from its first.  So only pieces that fit are ever looked at.

Source: the first empty cell first is the order of J. G. Fletcher, A program to solve the pentomino
problem by the recursive use of macros (1965); the window and its tables are ours.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel, popcount, trailing_zeros

# Positions in `state`: the level reached (-1 at the end), whether its node is still to be visited,
# solutions found, nodes visited, and how many pieces must still be laid to meet the lower bounds.
LEVEL, FRESH, FOUND, NODES, LACKING = range(5)
STATE_WORDS = 5


class Strip(NamedTuple):
    """A tiling problem: places one after the other, and the patterns that may begin at each."""

    legal: Annotated[NDArray[np.uint64], "uint64[:, ::1]"]  # (places, words): patterns, bits
    # (bytes of the window, 256, words): the patterns that fit where such a byte is seen.
    tables: Annotated[NDArray[np.uint64], "uint64[:, :, ::1]"]
    patterns_of: Annotated[NDArray[np.uint64], "uint64[:, ::1]"]  # (pieces, words): bits
    offsets: Annotated[NDArray[np.uint64], "uint64[::1]"]  # of each pattern: its cells, as bits
    piece_of: Annotated[NDArray[np.uint32], "uint32[::1]"]  # of each pattern
    blocked: Annotated[NDArray[np.uint64], "uint64[::1]"]  # places never to be covered, as bits


class Levels(NamedTuple):
    """The nodes from the root to where the search stands, an entry or a row for each."""

    window: Annotated[NDArray[np.uint64], "uint64[::1]"]  # the places from the first empty one on
    position: Annotated[NDArray[np.uint64], "uint64[::1]"]  # the first empty place
    allowed: Annotated[NDArray[np.uint64], "uint64[:, ::1]"]  # patterns whose piece has copies left
    fit: Annotated[NDArray[np.uint64], "uint64[:, ::1]"]  # patterns still to be tried, as bits
    chosen: Annotated[NDArray[np.int32], "int32[::1]"]  # the pattern laid
    width: Annotated[NDArray[np.int64], "int64[::1]"]  # how many patterns it has to try
    tried: Annotated[NDArray[np.int64], "int64[::1]"]  # how many it began to try


class Copies(NamedTuple):
    """How often each piece is used."""

    room: Annotated[NDArray[np.int64], "int64[::1]"]  # how often it may still be laid
    owed: Annotated[NDArray[np.int64], "int64[::1]"]  # how often it must be; below 0: done


@kernel("int64(Strip, Levels, uint64)", inline=True)
def _fits(strip: Strip, levels: Levels, level: np.uint64) -> int:
    """Find the patterns that may be laid on the first empty place.

    Parameters
    ----------
    strip : Strip
    levels : Levels
        `fit` of the level is set.
    level : uint64

    Returns
    -------
    int
        How many there are.
    """
    tables, fit = strip.tables, levels.fit
    zero, one = np.uint64(0), np.uint64(1)
    bytes_seen = np.uint64(tables.shape[0])
    words = np.uint64(fit.shape[1])
    cell = levels.position[level]
    count = 0
    word = zero
    while word < words:
        fits = strip.legal[cell, word] & levels.allowed[level, word]
        view = levels.window[level]
        number = zero
        while number < bytes_seen:
            fits &= tables[number, view & np.uint64(255), word]
            view >>= np.uint64(8)
            number += one
        fit[level, word] = fits
        count += popcount(fits)
        word += one
    return count


@kernel("void(Strip, Levels, uint64, uint64)", inline=True)
def _move_on(strip: Strip, levels: Levels, level: np.uint64, pattern: np.uint64) -> None:
    """Go on to the next empty place; new places enter the window from the region.

    Parameters
    ----------
    strip : Strip
    levels : Levels
        Window and position of the next level are set.
    level, pattern : uint64
        Where the pattern was laid.
    """
    blocked = strip.blocked
    last = np.uint64(strip.legal.shape[0])
    zero, one, six, low6 = np.uint64(0), np.uint64(1), np.uint64(6), np.uint64(63)
    view = levels.window[level] | strip.offsets[pattern]
    cell = levels.position[level]
    while True:
        step = np.uint64(trailing_zeros(~view))
        if step == zero:
            break
        if step > low6:
            step = low6
        entering = cell + np.uint64(64)
        at = entering >> six
        shift = entering & low6
        fresh_bits = blocked[at] >> shift
        if shift != zero:
            fresh_bits |= blocked[at + one] << (np.uint64(64) - shift)
        view = (view >> step) | (fresh_bits << (np.uint64(64) - step))
        cell += step
        if cell >= last:
            cell = last
            break
    levels.window[level + one] = view
    levels.position[level + one] = cell


@kernel("int64(Copies, uint64)", inline=True)
def _take_back(copies: Copies, piece: np.uint64) -> int:
    """Take a piece from the board.

    Parameters
    ----------
    copies : Copies
    piece : uint64

    Returns
    -------
    int
        1 when that leaves one copy more to be laid, else 0.
    """
    copies.room[piece] += 1
    copies.owed[piece] += 1
    return 1 if copies.owed[piece] > 0 else 0


@kernel("int64(int64[::1], int64, Strip, Levels, Copies)")
def advance(
    state: NDArray[np.int64], budget: int, strip: Strip, levels: Levels, copies: Copies
) -> int:
    """Visit up to `budget` nodes.

    Parameters
    ----------
    state : int64 (STATE_WORDS,)
        Where the search stands, addressed by the names above.
    budget : int
    strip : Strip
    levels : Levels
    copies : Copies

    Returns
    -------
    int
        1 when the subtree is done, else 0.
    """
    patterns_of, piece_of = strip.patterns_of, strip.piece_of
    position, allowed, fit, chosen = levels.position, levels.allowed, levels.fit, levels.chosen
    room, owed = copies.room, copies.owed
    zero, one, six = np.uint64(0), np.uint64(1), np.uint64(6)
    depth, fresh, found = state[LEVEL], state[FRESH], state[FOUND]
    nodes, lacking = state[NODES], state[LACKING]
    stop = nodes + budget
    words = np.uint64(fit.shape[1])
    last = np.uint64(strip.legal.shape[0])
    while depth >= 0:
        level = np.uint64(depth)
        word = words
        if fresh:
            if nodes >= stop:
                break
            nodes += 1
            fresh = 0
            if position[level] == last:
                if lacking == 0:
                    found += 1
            else:
                count = _fits(strip, levels, level)
                levels.width[level], levels.tried[level] = count, 0
                if count > 0:
                    word = zero
        else:
            word = zero
        while word < words and fit[level, word] == zero:
            word += one
        if word == words:
            depth -= 1
            if depth >= 0:
                lacking += _take_back(copies, np.uint64(piece_of[chosen[depth]]))
            continue
        rest = fit[level, word]
        pattern = (word << six) + np.uint64(trailing_zeros(rest))
        fit[level, word] = rest & (rest - one)
        levels.tried[level] += 1
        chosen[level] = pattern
        piece = np.uint64(piece_of[pattern])
        room[piece] -= 1
        owed[piece] -= 1
        if owed[piece] >= 0:
            lacking -= 1
        below = level + one
        word = zero
        if room[piece] == 0:
            while word < words:
                allowed[below, word] = allowed[level, word] & ~patterns_of[piece, word]
                word += one
        else:
            while word < words:
                allowed[below, word] = allowed[level, word]
                word += one
        _move_on(strip, levels, level, pattern)
        depth += 1
        fresh = 1
    state[LEVEL], state[FRESH], state[FOUND] = depth, fresh, found
    state[NODES], state[LACKING] = nodes, lacking
    return 1 if depth < 0 else 0
