"""Turn rings of blocks: what a board turned as a whole asks for, before blocks go one by one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["turn_rings"]

Ints = NDArray[np.int32]
_BLANK = -1
# What peeling pays, about, for a step of distance (measured), and what entering a ring costs it:
# a tile left behind, in sides of the board.
_PEELED = 1.9
_ENTERING = 3


def turn_rings(grid: Ints, want: Ints, p: int, q: int) -> list[Ints]:
    """Turn the concentric rings of a grid where that brings its tiles nearer to their goals.

    Parameters
    ----------
    grid : int32[p * q]
        Tiles, -1 for a blank (at least one); changed in place.
    want : int32[p * q]
        Where the tiles shall stand.
    p, q : int
        Sides of the grid.

    Returns
    -------
    list of int32[n, 3]
        The slides (tile, from, to).

    Notes
    -----
    A blank that goes once round a ring of n cells moves each tile by one, with n - 1 slides.  Each
    ring takes the turn that is worth most by the sum of distances.  A board turned by 180 degrees
    takes 4/3 m^3 slides on m x m blocks, twice its sum of distances; a random one stays as it is.
    """
    goals = np.zeros((len(grid), 2), np.int32)
    placed = np.flatnonzero(want != _BLANK)
    goals[want[placed]] = np.stack(np.divmod(placed, q), axis=1)
    turns = [_best_turn(grid, goals, _ring(k, p, q), q) for k in range(min(p, q) // 2)]
    price = _ENTERING * max(p, q)
    slides: list[Ints] = []
    blank = int(np.flatnonzero(grid == _BLANK)[0])
    for k, (turn, worth) in enumerate(turns):
        if worth > price:
            way, blank = _enter(grid, blank, k, p, q)
            round_, blank = _turn(grid, blank, _ring(k, p, q), turn)
            slides += [np.array(way, np.int32).reshape(-1, 3), round_]
    return slides


def _ring(k: int, p: int, q: int) -> Ints:
    """Return the cells of ring k, clockwise."""
    cells = np.arange(p * q, dtype=np.int32).reshape(p, q)[k : p - k, k : q - k]
    return np.concatenate(
        [cells[0, :-1], cells[:-1, -1], cells[-1, :0:-1], cells[:0:-1, 0]], dtype=np.int32
    )


def _best_turn(grid: Ints, goals: Ints, ring: Ints, q: int) -> tuple[int, float]:
    """Return by how many cells the tiles of a ring should go clockwise, and its worth in slides."""
    length = len(ring)
    tiles = grid[ring]
    aims = goals[tiles]
    turns = np.arange(-(length // 2), length // 2 + 1)
    cells = ring[(np.arange(length) + turns[:, None]) % length]
    away = abs(cells // q - aims[:, 0]) + abs(cells % q - aims[:, 1])
    away[:, tiles == _BLANK] = 0
    sums = away.sum(axis=1)
    worth = _PEELED * (sums[length // 2] - sums) - abs(turns) * (length - 1)
    best = int(np.argmax(worth))
    return int(turns[best]), float(worth[best])


def _enter(
    grid: Ints, blank: int, k: int, p: int, q: int
) -> tuple[list[tuple[int, int, int]], int]:
    """Bring a blank into ring k; return the slides and its cell."""
    slides: list[tuple[int, int, int]] = []
    row, col = divmod(blank, q)
    while True:
        margins = (row, p - 1 - row, col, q - 1 - col)
        now = min(margins)
        if now == k:
            return slides, blank
        sign = 1 if now < k else -1  # towards the middle, or outwards from the nearest side
        side = margins.index(now)
        step = (sign, -sign)[side % 2]
        row, col = (row + step, col) if side < 2 else (row, col + step)
        cell = row * q + col
        if grid[cell] != _BLANK:
            slides.append((int(grid[cell]), cell, blank))
        grid[blank], grid[cell] = grid[cell], _BLANK
        blank = cell


def _turn(grid: Ints, blank: int, ring: Ints, turn: int) -> tuple[Ints, int]:
    """Turn a ring that holds the blank; return the slides and the blank's cell."""
    if turn < 0:
        ring, turn = ring[::-1], -turn
    length = len(ring)
    at = int(np.flatnonzero(ring == blank)[0])
    # The blank goes against the turn; the tiles it meets are always the same, in the same order.
    tiles = grid[ring[(at - 1 - np.arange(length - 1)) % length]]
    count = turn * (length - 1)
    to = (at - np.arange(count)) % length
    slides = np.stack([tiles[np.arange(count) % (length - 1)], ring[to - 1], ring[to]], axis=1)
    last = (at - count) % length
    grid[ring[(last - 1 - np.arange(length - 1)) % length]] = tiles
    grid[ring[last]] = _BLANK
    return slides[slides[:, 0] != _BLANK].astype(np.int32), int(ring[last])
