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
    legal, tables, patterns_of = strip.legal, strip.tables, strip.patterns_of
    offsets, piece_of, blocked = strip.offsets, strip.piece_of, strip.blocked
    window, position, allowed = levels.window, levels.position, levels.allowed
    fit, chosen, ways, tried = levels.fit, levels.chosen, levels.width, levels.tried
    room, owed = copies.room, copies.owed
    zero, one, six, low6 = np.uint64(0), np.uint64(1), np.uint64(6), np.uint64(63)
    eight, byte = np.uint64(8), np.uint64(255)
    depth, fresh, found = state[LEVEL], state[FRESH], state[FOUND]
    nodes, lacking = state[NODES], state[LACKING]
    stop = nodes + budget
    words = np.uint64(fit.shape[1])
    last = np.uint64(legal.shape[0])
    bytes_seen = np.uint64(tables.shape[0])
    while depth >= 0:
        level = np.uint64(depth)
        if fresh:
            if nodes >= stop:
                break
            nodes += 1
            fresh = 0
            cell = position[level]
            if cell == last:
                if lacking == 0:
                    found += 1
                depth -= 1
            else:
                count = 0
                word = zero
                while word < words:
                    fits = legal[cell, word] & allowed[level, word]
                    view = window[level]
                    number = zero
                    while number < bytes_seen:
                        fits &= tables[number, view & byte, word]
                        view >>= eight
                        number += one
                    fit[level, word] = fits
                    count += popcount(fits)
                    word += one
                if count == 0:
                    depth -= 1
                ways[level] = count
                tried[level] = 0
            if depth < np.int64(level):
                if depth >= 0:
                    piece = np.uint64(piece_of[chosen[depth]])
                    room[piece] += 1
                    if owed[piece] >= 0:
                        lacking += 1
                    owed[piece] += 1
                continue
        word = zero
        while word < words and fit[level, word] == zero:
            word += one
        if word == words:
            depth -= 1
            if depth >= 0:
                piece = np.uint64(piece_of[chosen[depth]])
                room[piece] += 1
                if owed[piece] >= 0:
                    lacking += 1
                owed[piece] += 1
            continue
        rest = fit[level, word]
        pattern = (word << six) + np.uint64(trailing_zeros(rest))
        fit[level, word] = rest & (rest - one)
        tried[level] += 1
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
        # Move on to the next empty cell; new cells enter the window from the region.
        view = window[level] | offsets[pattern]
        cell = position[level]
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
        window[below] = view
        position[below] = cell
        depth += 1
        fresh = 1
    state[LEVEL], state[FRESH], state[FOUND] = depth, fresh, found
    state[NODES], state[LACKING] = nodes, lacking
    return 1 if depth < 0 else 0
