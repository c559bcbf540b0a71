"""Kernel of the weighted best-first search (weighted A*, Pohl 1970) with a bucket queue."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel

__all__ = ["Moves", "Positions", "Queue", "advance"]

RUNNING, FOUND, EXHAUSTED, FULL = 0, 1, 2, 3
# Words of `control`: positions held, the lowest bucket that may hold one, positions expanded, the
# goal's number or -1, what moves made and moves estimated count, and the length to stay below.
COUNT, LOWEST, NODES, GOAL, COST_WEIGHT, REST_WEIGHT, BELOW, CONTROL_WORDS = range(8)
PARENT, BLANK, MADE, REST, NEXT = range(5)  # columns of `facts`


class Moves(NamedTuple):
    """The board; tiles are numbered by their goal cells.

    Attributes
    ----------
    neighbours : (cells, 4) array of int64
        The neighbours of each cell, filled up with -1.
    walk : (cells, cells) array of uint8
        The distance of each tile's goal from each cell.
    random : (cells, cells) array of uint64
        The words of each tile on each cell whose xor is a position's hash.
    """

    neighbours: Annotated[NDArray[np.int64], "int64[:, ::1]"]
    walk: Annotated[NDArray[np.uint8], "uint8[:, ::1]"]
    random: Annotated[NDArray[np.uint64], "uint64[:, ::1]"]


class Positions(NamedTuple):
    """The positions reached, one a row.

    Attributes
    ----------
    boards : (room, cells) array of uint8
        The tile on each cell.
    facts : (room, 5) array of int32
        See the names of its columns; parents are numbers of positions.
    hashes : (room,) array of uint64
        The hash of each.
    """

    boards: Annotated[NDArray[np.uint8], "uint8[:, ::1]"]
    facts: Annotated[NDArray[np.int32], "int32[:, ::1]"]
    hashes: Annotated[NDArray[np.uint64], "uint64[::1]"]


class Queue(NamedTuple):
    """Where positions are found.

    Attributes
    ----------
    heads : (buckets,) array of int32
        The first position of each cost, -1 without one; NEXT links the others.
    slots : (a power of two,) array of int32
        Positions by their hashes, open addressing; -1 where there is none.
    """

    heads: Annotated[NDArray[np.int32], "int32[::1]"]
    slots: Annotated[NDArray[np.int32], "int32[::1]"]


@kernel("int64(int64, int64[::1], Moves, Positions, Queue)")
def advance(
    budget: int, control: NDArray[np.int64], moves: Moves, positions: Positions, queue: Queue
) -> int:
    """Expand about `budget` nodes in the order of COST_WEIGHT * g + REST_WEIGHT * h (I. Pohl 1970).

    Parameters
    ----------
    budget : int
        Positions to expand.
    control : (CONTROL_WORDS,) array of int64
        See the names of its words.
    moves, positions, queue
        The search; all but `moves` change.

    Returns
    -------
    int
        RUNNING; FOUND with the position in control[GOAL]; EXHAUSTED when no plan is shorter than
        BELOW; FULL when there is no room left.
    """
    neighbours, walk, random = moves
    boards, facts, hashes = positions
    heads, slots = queue
    cost_weight, rest_weight, below = control[COST_WEIGHT], control[REST_WEIGHT], control[BELOW]
    n = boards.shape[1]
    top = np.uint64(slots.shape[0] - 1)
    count, lowest, nodes = control[COUNT], control[LOWEST], control[NODES]
    last = nodes + budget
    status = RUNNING
    while nodes < last:
        while lowest < heads.shape[0] and heads[lowest] < 0:
            lowest += 1
        if lowest == heads.shape[0]:
            status = EXHAUSTED
            break
        if count + 4 > facts.shape[0]:
            status = FULL
            break
        node = np.int64(heads[lowest])
        heads[lowest] = facts[node, NEXT]
        slot = hashes[node] & top
        while slots[slot] >= 0 and hashes[slots[slot]] != hashes[node]:
            slot = (slot + np.uint64(1)) & top
        if slots[slot] != node:
            continue  # a better way to this position was found since
        nodes += 1
        if facts[node, REST] == 0:
            control[GOAL] = node
            status = FOUND
            break
        blank = np.int64(facts[node, BLANK])
        parent = np.int64(facts[node, PARENT])
        from_cell = np.int64(facts[parent, BLANK]) if parent >= 0 else -1
        for side in range(4):
            cell = neighbours[blank, side]
            if cell < 0:
                break
            if cell == from_cell:
                continue
            tile = np.int64(boards[node, cell])
            g = np.int64(facts[node, MADE]) + 1
            gain = np.int64(walk[tile, blank]) - np.int64(walk[tile, cell])
            h = np.int64(facts[node, REST]) + gain
            if g + h >= below:
                continue
            word = hashes[node] ^ random[tile, cell] ^ random[tile, blank]
            slot = word & top
            while slots[slot] >= 0 and hashes[slots[slot]] != word:
                slot = (slot + np.uint64(1)) & top
            if slots[slot] >= 0 and facts[slots[slot], MADE] <= g:
                continue
            slots[slot] = count
            hashes[count] = word
            for index in range(n):
                boards[count, index] = boards[node, index]
            boards[count, blank], boards[count, cell] = tile, boards[node, blank]
            bucket = cost_weight * g + rest_weight * h
            facts[count, PARENT], facts[count, BLANK] = node, cell
            facts[count, MADE], facts[count, REST] = g, h
            facts[count, NEXT] = heads[bucket]
            heads[bucket] = count
            lowest = min(lowest, bucket)
            count += 1
    control[COUNT], control[LOWEST], control[NODES] = count, lowest, nodes
    return status
