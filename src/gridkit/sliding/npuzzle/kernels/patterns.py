"""Kernels that build additive pattern databases.

A placement of m pattern tiles on n cells is numbered (combination of cells) * m! + (order of the
tiles on them).  While a tile slides from one cell to another, every order of the others is treated
alike: the combination changes once, and the order by a rotation that depends only on how many
pattern tiles the moving one passes.  So the search runs over blocks of m! bytes, one for each
(combination, region of the blank), and stays in the first-level cache.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel, popcount, trailing_zeros

__all__ = ["Entries", "Orders", "Regions", "grow", "list_regions"]

_ONES = np.uint64(0x0101010101010101)
_HIGHS = np.uint64(0x8080808080808080)


class Regions(NamedTuple):
    """Sets of m cells, and the connected regions that each leaves free for the blank.

    Attributes
    ----------
    combination : (sets,) array of uint64
        The masks of the sets, in increasing order.
    start : (sets + 1,) array of int64
        The first region of each set.
    cells, owner : (regions,) arrays of uint64 and int64
        The mask of each region, and the number of its set.
    neighbours : (cells, 4) array of int64
        The neighbours of each cell, filled up with -1.
    """

    combination: Annotated[NDArray[np.uint64], "uint64[::1]"]
    start: Annotated[NDArray[np.int64], "int64[::1]"]
    cells: Annotated[NDArray[np.uint64], "uint64[::1]"]
    owner: Annotated[NDArray[np.int64], "int64[::1]"]
    neighbours: Annotated[NDArray[np.int64], "int64[:, ::1]"]


class Orders(NamedTuple):
    """How placements are numbered.

    Attributes
    ----------
    shifted : (m * m, m!) array of uint16
        Row m * i + j: the number of each order after the tile at place i has gone to place j.
    binomial : (cells, 9) array of int64
        At [p, i] the number of sets of i among p cells.
    waiting : (m! + 1,) array of uint16
        Scratch: the orders to expand in a region.
    """

    shifted: Annotated[NDArray[np.uint16], "uint16[:, ::1]"]
    binomial: Annotated[NDArray[np.int64], "int64[:, ::1]"]
    waiting: Annotated[NDArray[np.uint16], "uint16[::1]"]


class Entries(NamedTuple):
    """What is known of the placements; all change.

    Attributes
    ----------
    distance : array of uint8
        m! entries a region, 255 where one is not reached; whole words long.
    words : array of uint64
        The same bytes, eight at a time.
    pending : (2, regions) array of bool
        Whether a region holds entries at this level, and at the next.
    """

    distance: Annotated[NDArray[np.uint8], "uint8[::1]"]
    words: Annotated[NDArray[np.uint64], "uint64[::1]"]
    pending: Annotated[NDArray[np.bool_], "boolean[:, ::1]"]


@kernel(
    "int64(int64, int64, int64[:, ::1], uint64[::1], int64[::1], uint64[::1], int64[::1], boolean)"
)
def list_regions(
    n: int,
    m: int,
    neighbours: NDArray[np.int64],
    combination: NDArray[np.uint64],
    region_start: NDArray[np.int64],
    region: NDArray[np.uint64],
    region_combination: NDArray[np.int64],
    write: bool,
) -> int:
    """List the sets of m cells out of n, and the connected regions that each leaves free.

    The next set in order is R. Gosper's (1972).

    Parameters
    ----------
    n, m : int
        Cells of the board, and of a set.
    neighbours, combination, region_start, region, region_combination
        The arrays of `Regions`; all but the first are written.
    write : bool
        Whether to write; else the regions are only counted.

    Returns
    -------
    int
        The number of regions.
    """
    one = np.uint64(1)
    every = (one << np.uint64(n)) - one
    mask = (one << np.uint64(m)) - one
    count = 0
    for c in range(combination.shape[0]):
        if write:
            combination[c] = mask
            region_start[c] = count
        free = every ^ mask
        while free:
            part = np.uint64(0)
            edge = free & ~(free - one)
            while edge:
                part |= edge
                grown = np.uint64(0)
                while edge:
                    cell = trailing_zeros(edge)
                    edge ^= one << np.uint64(cell)
                    for side in range(4):
                        beside = neighbours[cell, side]
                        if beside >= 0:
                            grown |= one << np.uint64(beside)
                edge = grown & free & ~part
            free ^= part
            if write:
                region[count] = part
                region_combination[count] = c
            count += 1
        lowest = mask & ~(mask - one)
        carried = mask + lowest
        mask = carried | (((mask ^ carried) >> np.uint64(2)) // lowest)
    if write:
        region_start[combination.shape[0]] = count
    return count


@kernel("int64(int64, int64, int64, int64, Entries, Regions, Orders)")
def grow(
    level: int, first: int, last: int, m: int, entries: Entries, regions: Regions, numbers: Orders
) -> int:
    """Expand the entries at `level` of the regions `first` to `last` - 1.

    Breadth-first search in blocks of m! bytes (R. Korf and A. Felner 2002; J. Culberson and
    J. Schaeffer 1998).

    Parameters
    ----------
    level, first, last, m : int
        Moves from the goal, the range of regions, and the tiles of the pattern.
    entries, regions, numbers
        The search; `entries` change.

    Returns
    -------
    int
        Entries expanded.
    """
    distance, words, pending = entries.distance, entries.words, entries.pending
    combination, neighbours = regions.combination, regions.neighbours
    rotations, binomial, waiting = numbers.shifted, numbers.binomial, numbers.waiting
    orders = rotations.shape[1]
    now, later = level % 2, (level + 1) % 2
    here, reached = np.uint8(level), np.uint8(level + 1)
    pattern = np.uint64(level) * _ONES
    one = np.uint64(1)
    expanded = 0
    for node in range(first, last):
        if not pending[now, node]:
            continue
        pending[now, node] = False
        base = node * orders
        source = distance[base : base + orders]
        count = 0
        if orders % 8 == 0:
            for word in range(base // 8, (base + orders) // 8):
                odd = words[word] ^ pattern
                if (odd - _ONES) & ~odd & _HIGHS:
                    offset = word * 8 - base
                    for k in range(8):
                        waiting[count] = offset + k
                        count += distance[word * 8 + k] == here
        else:
            for k in range(orders):
                waiting[count] = k
                count += distance[base + k] == here
        expanded += count
        occupied = combination[regions.owner[node]]
        free = regions.cells[node]
        tiles_left = occupied
        place = 0
        while tiles_left:
            tile_cell = trailing_zeros(tiles_left)
            tile_bit = one << np.uint64(tile_cell)
            tiles_left ^= tile_bit
            for side in range(4):
                blank_cell = neighbours[tile_cell, side]
                if blank_cell < 0:
                    break
                blank_bit = one << np.uint64(blank_cell)
                if not free & blank_bit:
                    continue
                moved = (occupied ^ tile_bit) | blank_bit
                target = 0
                rank = 0
                rest = moved
                for i in range(m):
                    cell = trailing_zeros(rest)
                    rest ^= one << np.uint64(cell)
                    rank += binomial[cell, i + 1]
                target = regions.start[rank]
                while not regions.cells[target] & tile_bit:
                    target += 1
                arrival = popcount(moved & (blank_bit - one))
                block = distance[target * orders : (target + 1) * orders]
                fresh = np.uint8(0)
                if arrival != place:
                    turned = rotations[place * m + arrival]
                    for k in range(count):
                        at = turned[waiting[k]]
                        old = block[at]
                        fresh |= np.uint8(old > reached)
                        block[at] = min(old, reached)
                elif count * 32 < orders:
                    for k in range(count):
                        at = waiting[k]
                        old = block[at]
                        fresh |= np.uint8(old > reached)
                        block[at] = min(old, reached)
                else:  # dense and in place: the compiler makes vector instructions of this
                    for k in range(orders):
                        old = block[k]
                        new = min(old, reached) if source[k] == here else old
                        fresh |= old ^ new
                        block[k] = new
                if fresh:
                    pending[later, target] = True
            place += 1
    return expanded
