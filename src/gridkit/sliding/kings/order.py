"""In which order the grid of blocks is peeled: the window where it ends, and the lines before."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

__all__ = ["choose_window", "peeling_order", "with_blanks_in"]

Ints = NDArray[np.int32]
Slide = tuple[int, int, int]  # (tile, from block, to block)
_BLANK = -1


def choose_window(want: list[int], p: int, q: int, blanks: int) -> tuple[int, int]:
    """Return the top left block of the window in which peeling ends.

    Lines are short and near where all four sides are peeled, so the middle is best; a blank of the
    target that is brought there costs its way.  The weight of the two is measured.
    """
    empty = [divmod(block, q) for block, tile in enumerate(want) if tile == _BLANK]

    def way(row: int, col: int) -> int:
        """Return how far the nearest blanks are from a window."""
        ways = (max(row - r, r - row - 1, 0) + max(col - c, c - col - 1, 0) for r, c in empty)
        return sum(sorted(ways)[:blanks])

    down, across = abs(np.arange(1, p) - p / 2), abs(np.arange(1, q) - q / 2)
    off = (0.06 * p * q * (down[:, None] + across)).ravel()
    best, least = (0, 0), float("inf")
    for number in np.argsort(off, kind="stable").tolist():
        if off[number] >= least:
            break
        row, col = divmod(number, q - 1)
        worth = float(off[number]) + 3 * way(row, col)
        if worth < least:
            best, least = (row, col), worth
    return best


def with_blanks_in(
    window: tuple[int, int], want: list[int], p: int, q: int, blanks: int
) -> tuple[list[int], list[Slide]]:
    """Move blanks of the target into the window; return that target and the slides back."""
    want = list(want)
    row, col = window
    inside = [row * q + col, row * q + col + 1, (row + 1) * q + col, (row + 1) * q + col + 1]
    back: list[Slide] = []
    while sum(want[block] == _BLANK for block in inside) < blanks:
        before = {block: block for block in inside if want[block] != _BLANK}
        queue = deque(before)
        blank = None
        while blank is None:
            block = queue.popleft()
            r, c = divmod(block, q)
            for nr, nc in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
                v = nr * q + nc
                if not (0 <= nr < p and 0 <= nc < q) or v in before or v in inside:
                    continue
                before[v] = block
                if want[v] == _BLANK:
                    blank = v
                    break
                queue.append(v)
        slides = []
        block = blank
        while before[block] != block:
            want[block] = want[before[block]]
            slides.append((want[block], block, before[block]))
            block = before[block]
        want[block] = _BLANK
        back = slides[::-1] + back
    return want, back


def peeling_order(
    p: int, q: int, window: tuple[int, int], want: list[int]
) -> tuple[Ints, NDArray[np.int64]]:
    """Return the entries for the peeling kernel, and the number of each block's line."""
    top, bottom, left, right = 0, p, 0, q
    row, col = window
    entries: list[list[int]] = []
    lines = np.zeros(p * q, np.int64)
    number = 0
    while bottom - top > 2 or right - left > 2:
        if bottom - top >= right - left:
            first = row - top >= bottom - row - 2
            at, inward = (top, q) if first else (bottom - 1, -q)
            blocks = range(at * q + left, at * q + right)
            top, bottom = (top + 1, bottom) if first else (top, bottom - 1)
        else:
            first = col - left >= right - col - 2
            at, inward = (left, 1) if first else (right - 1, -1)
            blocks = range(top * q + at, bottom * q + at, q)
            left, right = (left + 1, right) if first else (left, right - 1)
        lines[list(blocks)] = number
        number += 1
        *rest, a, b = blocks
        if want[a] != _BLANK and want[b] != _BLANK:
            last = [[a, b, a + inward, b + inward, a + 2 * inward, b + 2 * inward]]
        else:  # a blank is fixed last: its cell stays open
            last = [[b] + [-1] * 5, [a] + [-1] * 5]
            if want[b] == _BLANK:
                last.reverse()
        entries += [[block] + [-1] * 5 for block in rest] + last
    lines[[row * q + col, row * q + col + 1, (row + 1) * q + col, (row + 1) * q + col + 1]] = number
    return np.array(entries, np.int32).reshape(-1, 6), lines
