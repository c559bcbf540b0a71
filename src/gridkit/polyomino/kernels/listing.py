"""Polyominoes one by one, in their canonical position (Redelmeier, 1981).

A piece is tested by its rows as words, cells from the highest bit down.  Of two pieces of one size
the one with the greater word in the first row that differs has the smaller sorted cells, so that
eight images are compared in a few words, mostly in one.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridkit.polyomino.kernels.groups import DEPTH, NODES
from gridkit.run.jit import kernel

__all__ = ["FIXED", "FREE", "ONE_SIDED", "SHIFT", "Listing", "advance_listing"]

FIXED, ONE_SIDED, FREE = range(3)  # which pieces are listed
SHIFT = 6  # a row of the frame has 1 << SHIFT cells
_ROWS, _MIRRORED_ROWS, _COLS, _MIRRORED_COLS = range(4)  # the lines of `words`
_TOP = np.uint64(1 << 63)


class Listing(NamedTuple):
    """The state of a listing, and the pieces that it found.

    Attributes
    ----------
    queue : uint32, one a cell of the frame
        Cells in the order of their discovery.
    mark : uint8, one a cell of the frame
        1 for those in the queue and those left out.
    first, last : uint32, one a depth
        The next queue position to try, and the end of the queue.
    counters : int64
        By DEPTH (-1 at the end) and NODES.
    words : uint64, (4, longest side)
        Scratch: the rows of a piece, those of its mirror image, and the columns likewise.
    pieces : uint16, (capacity, cells of a piece)
        The pieces found: row * cells of a piece + column, sorted.
    """

    queue: Annotated[NDArray[np.uint32], "uint32[::1]"]
    mark: Annotated[NDArray[np.uint8], "uint8[::1]"]
    first: Annotated[NDArray[np.uint32], "uint32[::1]"]
    last: Annotated[NDArray[np.uint32], "uint32[::1]"]
    counters: Annotated[NDArray[np.int64], "int64[::1]"]
    words: Annotated[NDArray[np.uint64], "uint64[:, ::1]"]
    pieces: Annotated[NDArray[np.uint16], "uint16[:, ::1]"]


@kernel("boolean(uint64[:, ::1], int64, int64)")
def _is_beaten(words: NDArray[np.uint64], line: int, reverse_of: int) -> bool:
    """Return whether an image comes before the piece.

    Parameters
    ----------
    words : uint64[images, rows]
        See `Listing`; line _ROWS is the piece.
    line : int
        The line of the image.
    reverse_of : int
        Its rows, when they are read from below; 0 from above.

    Returns
    -------
    bool
        Whether its first row that differs is greater.
    """
    for row in range(words.shape[1]):
        if reverse_of == 0:
            word = words[line, row]
        else:
            word = words[line, reverse_of - 1 - row] if row < reverse_of else np.uint64(0)
        if word != words[_ROWS, row]:
            return bool(word > words[_ROWS, row])
    return False


@kernel("boolean(uint64[:, ::1], int64, int64, int64)")
def _is_canonical(words: NDArray[np.uint64], kind: int, height: int, width: int) -> bool:
    """Return whether none of the images that count as the same piece comes before it.

    Parameters
    ----------
    words : uint64[images, rows]
        See `Listing`.
    kind : int
        ONE_SIDED, or free.
    height, width : int
        Of the piece.

    Returns
    -------
    bool
        Whether it is the first.
    """
    if _is_beaten(words, _MIRRORED_ROWS, height):
        return False
    if _is_beaten(words, _MIRRORED_COLS, 0) or _is_beaten(words, _COLS, width):
        return False
    if kind == ONE_SIDED:
        return True
    if _is_beaten(words, _MIRRORED_ROWS, 0) or _is_beaten(words, _ROWS, height):
        return False
    return not (_is_beaten(words, _COLS, 0) or _is_beaten(words, _MIRRORED_COLS, width))


@kernel("boolean(Listing, int64, int64, int64)")
def _take(listing: Listing, kind: int, depth: int, place: int) -> bool:
    """Write a piece, if it is to be listed.

    Parameters
    ----------
    listing : Listing
        Pieces gain one.
    kind : int
        FIXED, ONE_SIDED or free.
    depth : int
        The level of its last cell.
    place : int
        Its number.

    Returns
    -------
    bool
        Whether it is listed.
    """
    queue, first, words, pieces = listing.queue, listing.first, listing.words, listing.pieces
    low = np.uint32(1 << SHIFT)
    high = np.uint32(0)
    height = 0
    for level in range(depth + 1):
        cell = queue[np.uint64(first[level] - np.uint32(1))]
        col = cell & np.uint32((1 << SHIFT) - 1)
        low = min(low, col)
        high = max(high, col)
        height = max(height, np.int64(cell >> np.uint32(SHIFT)))  # row 0 of the frame is its border
    width = np.int64(high - low) + 1
    words[:] = np.uint64(0)
    for level in range(depth + 1):
        cell = queue[np.uint64(first[level] - np.uint32(1))]
        row = np.int64(cell >> np.uint32(SHIFT)) - 1
        col = np.int64((cell & np.uint32((1 << SHIFT) - 1)) - low)
        words[_ROWS, row] |= _TOP >> np.uint64(col)
        words[_MIRRORED_ROWS, row] |= _TOP >> np.uint64(width - 1 - col)
        words[_COLS, col] |= _TOP >> np.uint64(row)
        words[_MIRRORED_COLS, col] |= _TOP >> np.uint64(height - 1 - row)
    if kind != FIXED and not _is_canonical(words, kind, height, width):
        return False
    written = 0
    for row in range(height):
        word = words[_ROWS, row]
        for col in range(width):
            if word & (_TOP >> np.uint64(col)):
                pieces[place, written] = row * (depth + 1) + col
                written += 1
    return True


@kernel("int64(Listing, int64, int64, int64)")
def advance_listing(listing: Listing, size: int, kind: int, budget: int) -> int:
    """Find the next polyominoes of `size` cells, in the order of Redelmeier (1981).

    Parameters
    ----------
    listing : Listing
        The state, changed in place.
    size, kind : int
        Cells of a piece; FIXED, or ONE_SIDED or FREE for canonical pieces only.
    budget : int
        Cells to try at most.

    Returns
    -------
    int
        How many pieces were written; fewer than there is room for at the budget and at the end.
    """
    queue, mark, first, last = listing.queue, listing.mark, listing.first, listing.last
    stride = np.int64(1 << SHIFT)
    depth = listing.counters[DEPTH]
    written = 0
    nodes = 0
    while depth >= 0 and nodes < budget and written < listing.pieces.shape[0]:
        if first[depth] == last[depth]:
            depth -= 1
            if depth >= 0:
                for position in range(last[depth], last[depth + 1]):
                    mark[queue[position]] = 0
            continue
        cell = np.int64(queue[first[depth]])
        first[depth] += np.uint32(1)
        nodes += 1
        if depth == size - 1:
            written += np.int64(_take(listing, kind, depth, written))
            continue
        end = last[depth]
        for step in (1, -1, -stride, stride):
            if mark[cell + step] == 0:
                mark[cell + step] = 1
                queue[end] = cell + step
                end += np.uint32(1)
        first[depth + 1] = first[depth]
        last[depth + 1] = end
        depth += 1
    listing.counters[DEPTH] = depth
    listing.counters[NODES] += nodes
    return written
