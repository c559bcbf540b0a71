"""First empty cell first: tilings of a strip of cells seen through a window of 64.

Everything before the first empty cell is covered, so a node is that cell's position and a word:
bit k tells whether the cell k places on is covered.  Which pieces fit there is read from tables,
a byte of the window at a time: bit o of a fit word stands for pattern o, a piece with the offsets
of its cells from its first.  So only pieces that fit are ever looked at.
"""

from __future__ import annotations

import numpy as np

from gridkit.run.jit import kernel, popcount, trailing_zeros

# Positions in `state`.
LEVEL, FRESH, FOUND, NODES, LACKING = range(5)


Array = np.ndarray


@kernel(
    "int64(int64[::1], int64, uint64[::1], uint64[::1], uint64[:, ::1], uint64[:, ::1],"
    "int32[::1], int64[::1], int64[::1], int64[::1], int64[::1], uint64[:, ::1],"
    "uint64[:, :, ::1], uint64[:, ::1], uint64[::1], uint32[::1], uint64[::1])"
)
def advance(
    state: Array,
    budget: int,
    window: Array,
    position: Array,
    allowed: Array,
    fit: Array,
    chosen: Array,
    ways: Array,
    tried: Array,
    room: Array,
    owed: Array,
    legal: Array,
    tables: Array,
    patterns_of: Array,
    offsets: Array,
    piece_of: Array,
    blocked: Array,
) -> int:
    """Visit up to `budget` nodes; return 1 when the subtree is done, else 0."""
    zero, one, six, low6 = np.uint64(0), np.uint64(1), np.uint64(6), np.uint64(63)
    eight, byte = np.uint64(8), np.uint64(255)
    depth, fresh, found = state[LEVEL], state[FRESH], state[FOUND]
    nodes, lacking = state[NODES], state[LACKING]
    stop = nodes + budget
    words = np.uint64(fit.shape[1])
    last = np.uint64(legal.shape[0])
    pieces_of_table = np.uint64(tables.shape[0])
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
                    piece = zero
                    while piece < pieces_of_table:
                        fits &= tables[piece, view & byte, word]
                        view >>= eight
                        piece += one
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
