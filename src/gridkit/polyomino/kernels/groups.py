"""The groups of arguments that the kernels of polyominoes take, and the words of their states."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "DEPTH",
    "FOUND",
    "HALF",
    "NODES",
    "STAIRS",
    "WEIGHT",
    "Frontiers",
    "Orbits",
    "Search",
    "Step",
]

# The entries of `counters`: depth of the search, cells chosen, subsets found, elements tried.
DEPTH, WEIGHT, FOUND, NODES = range(4)
HALF, STAIRS = -1, -2  # kinds of half polyominoes, in place of a weight


class Search(NamedTuple):
    """The state of a search among orbits.

    Attributes
    ----------
    queue : int32, one an element
        Elements in the order of their discovery.
    mark : uint8, one an element
        1 for those in the queue and those left out.
    first, last : int32, one a depth
        The next queue position to try, and the end of the queue.
    counters : int64
        By DEPTH, WEIGHT, FOUND, NODES.
    filled : uint8, one a cell of the frame
        Scratch, all 0 between calls.
    stack : int32
        Scratch, four times the cells of a subset and four more.
    """

    queue: Annotated[NDArray[np.int32], "int32[::1]"]
    mark: Annotated[NDArray[np.uint8], "uint8[::1]"]
    first: Annotated[NDArray[np.int32], "int32[::1]"]
    last: Annotated[NDArray[np.int32], "int32[::1]"]
    counters: Annotated[NDArray[np.int64], "int64[::1]"]
    filled: Annotated[NDArray[np.uint8], "uint8[::1]"]
    stack: Annotated[NDArray[np.int32], "int32[::1]"]


class Orbits(NamedTuple):
    """The graph of the orbits of cells; the last element is the border.

    Attributes
    ----------
    neighbours : int32, (orbits, sides)
        The orbits that touch each one, filled up with the border.
    members : int32, (orbits, largest orbit)
        The cells of each, as indices into a frame of rows `stride` long.
    weights : int32, one an orbit
        How many columns of `members` are used.
    size : int
        Cells of a subset.
    stride : int
        Cells of a row of the frame.
    """

    neighbours: Annotated[NDArray[np.int32], "int32[:, ::1]"]
    members: Annotated[NDArray[np.int32], "int32[:, ::1]"]
    weights: Annotated[NDArray[np.int32], "int32[::1]"]
    size: Annotated[int, "int64"]
    stride: Annotated[int, "int64"]


class Frontiers(NamedTuple):
    """A table of frontiers of a strip, with the numbers of ways to reach them.

    Attributes
    ----------
    keys : uint64, one a row
        The frontiers, see `gridkit.polyomino.kernels.transfer`.
    counts : uint64, (rows, size + 1)
        The ways by weight, which is the number of cells where each weighs 1.
    ranges : int64, (rows, 2)
        The least and the greatest weight with a count.
    index : int32
        An open-addressing index of the keys, twice as long as the rows, -1 where free.
    held : int64, one entry
        The number of rows held.
    """

    keys: Annotated[NDArray[np.uint64], "uint64[::1]"]
    counts: Annotated[NDArray[np.uint64], "uint64[:, ::1]"]
    ranges: Annotated[NDArray[np.int64], "int64[:, ::1]"]
    index: Annotated[NDArray[np.int32], "int32[::1]"]
    held: Annotated[NDArray[np.int64], "int64[::1]"]


class Step(NamedTuple):
    """Where a sweep over a strip stands: the cell to decide.

    Attributes
    ----------
    width, col, rows_needed : int
        Columns of the strip, the column to decide, rows that must still follow this one.
    size : int
        Weight of the largest polyomino.
    modulus : uint64
        Counts are taken modulo this; 0 means not at all.
    weight : int
        What the cell weighs.
    sides : uint64
        The sides that the cell touches: 1 left, 2 right.
    needed : int
        The least weight of a cell still to come, by which frontiers are given up that need too
        many; HALF for halves whose images join them; STAIRS where the left side is a diagonal, on
        which cells weigh 1.
    """

    width: Annotated[int, "int64"]
    col: Annotated[int, "int64"]
    rows_needed: Annotated[int, "int64"]
    size: Annotated[int, "int64"]
    modulus: Annotated[np.uint64, "uint64"]
    weight: Annotated[int, "int64"]
    sides: Annotated[np.uint64, "uint64"]
    needed: Annotated[int, "int64"]
