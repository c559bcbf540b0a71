"""The groups of arrays that the kernels of the search over packed states take.

A state's key is the exclusive or of one word for each placement taken; of a key and its mirror
image the smaller one is kept.  Keys of one word lie in an array of words, longer ones are rows of
words, lowest first: there is a group for each number of dimensions, with the same names.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, TypeVar

import numba
import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import JIT_DISABLED, kernel

__all__ = [
    "Children",
    "LongChildren",
    "LongPacked",
    "LongReach",
    "LongStates",
    "Packed",
    "Reach",
    "States",
    "by_width",
    "helper",
]

F = TypeVar("F", bound=Any)

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]

# Columns of `goal`: bits of a key and what they have to be, the condition, how many of its rows
# have to hold, and the word of the key that the bits are in.
MASK, VALUE, CONDITION, NEED, GOAL_WORD = range(5)
# Places in the `cursor` of `relax`: the next state, its layer, and the last layer.
NUMBER, LAYER_AT, LAST_LAYER, CURSOR_SIZE = range(4)
# Places in `metrics`: what one move is, and the metrics that are weighed first and second.
UNIT, FIRST_METRIC, SECOND_METRIC = range(3)
# Rows of the working space of `reach`, which has a column for each placement.
REACHED, STEPS, SLIDES, STEP_STAMP, SLIDE_STAMP, QUEUE, MARKS, REACH_ROWS = range(8)
# Rows of `scratch`: the cells of all blocks and of the others, the key and the image with and
# without the block that moves, and the key of a child.
ALL, OTHERS, IMAGE, BARE, BARE_IMAGE, SCRATCH_ROWS = range(6)


class Packed(NamedTuple):
    """A packing, for keys of one word and boards of at most 63 open cells.

    The last placement is the wall, always covered.

    Attributes
    ----------
    cells, word, image : uint64, by placement
        Its cells as bits, its word in a key, the word of its mirror image.
    near : uint64
        Placements one step right, left, up and down: four for each placement.
    fields : uint64, shape (fields, 3)
        Shift and mask of a bit field of keys, and where its placements begin in `codes`.
    codes : uint64
        The placement of each value of a field.
    bits : uint64, shape (65,)
        The placement of each bit of the bit map; the last entry is the mask of the bit map.
    goal : uint64, shape (rows, 5)
        Conditions, see `solved`.
    pids : uint64
        Working space for the placements of a state; the last entry but one is the cells that are
        always covered, the last one the last stamp used.
    stamps : uint64, by placement
        Working space of floods.
    scratch : uint64, shape (5, 1)
        Working space, by the rows above.
    border : uint64, by placement
        The cells one step away from it.
    """

    cells: Annotated[U64, "uint64[::1]"]
    word: Annotated[U64, "uint64[::1]"]
    image: Annotated[U64, "uint64[::1]"]
    near: Annotated[U64, "uint64[::1]"]
    fields: Annotated[U64, "uint64[:, ::1]"]
    codes: Annotated[U64, "uint64[::1]"]
    bits: Annotated[U64, "uint64[::1]"]
    goal: Annotated[U64, "uint64[:, ::1]"]
    pids: Annotated[U64, "uint64[::1]"]
    stamps: Annotated[U64, "uint64[::1]"]
    scratch: Annotated[U64, "uint64[:, ::1]"]
    border: Annotated[U64, "uint64[::1]"]


class LongPacked(NamedTuple):
    """A packing, for keys of any number of words and boards of any size; see `Packed`.

    Cells, words and images are rows of words; a field has a fourth column, its word of the key;
    -1 is no placement.

    Attributes
    ----------
    bitmap : uint64, shape (words,)
        The mask of the bit map.
    fixed : uint64, shape (words of cells,)
        The cells that are always covered.
    """

    cells: Annotated[U64, "uint64[:, ::1]"]
    word: Annotated[U64, "uint64[:, ::1]"]
    image: Annotated[U64, "uint64[:, ::1]"]
    near: Annotated[I64, "int64[::1]"]
    fields: Annotated[U64, "uint64[:, ::1]"]
    codes: Annotated[I64, "int64[::1]"]
    bits: Annotated[I64, "int64[::1]"]
    goal: Annotated[U64, "uint64[:, ::1]"]
    pids: Annotated[I64, "int64[::1]"]
    stamps: Annotated[I64, "int64[::1]"]
    scratch: Annotated[U64, "uint64[:, ::1]"]
    bitmap: Annotated[U64, "uint64[::1]"]
    fixed: Annotated[U64, "uint64[::1]"]


class States(NamedTuple):
    """States in the order they were reached, with keys of one word.

    Attributes
    ----------
    keys : uint64
        The keys; the arrays may be longer than there are states.
    table : int32, length a power of two
        Open-addressing hash table of places in `keys`, plus one; at most three quarters full, so
        that every search in it ends.
    layers : int64
        Where each layer begins in `keys`.
    """

    keys: Annotated[U64, "uint64[::1]"]
    table: Annotated[I32, "int32[::1]"]
    layers: Annotated[I64, "int64[::1]"]


class LongStates(NamedTuple):
    """States with longer keys; see `States`."""

    keys: Annotated[U64, "uint64[:, ::1]"]
    table: Annotated[I32, "int32[::1]"]
    layers: Annotated[I64, "int64[::1]"]


class Children(NamedTuple):
    """Room for the children of the states that are expanded in one go.

    Attributes
    ----------
    out : uint64
        Their keys: room for the most children of one state, and some more.
    ends : int64
        Where the children of each state end in `out`; as long as states may be expanded at once.
    """

    out: Annotated[U64, "uint64[::1]"]
    ends: Annotated[I64, "int64[::1]"]


class LongChildren(NamedTuple):
    """Room for children with longer keys; see `Children`."""

    out: Annotated[U64, "uint64[:, ::1]"]
    ends: Annotated[I64, "int64[::1]"]


class Reach(NamedTuple):
    """Room for the moves of one block.

    Attributes
    ----------
    child : uint64, one key
        The state after a move.
    work : int64, shape (7, placements + 1)
        Working space of `reach`, by the rows above.
    """

    child: Annotated[U64, "uint64[::1]"]
    work: Annotated[I64, "int64[:, ::1]"]


class LongReach(NamedTuple):
    """Room for the moves of one block, with longer keys; see `Reach`."""

    child: Annotated[U64, "uint64[:, ::1]"]
    work: Annotated[I64, "int64[:, ::1]"]


def helper(function: F) -> F:
    """Compile a function with the kernels that call it, for the types that they pass.

    So a process that has keys of one word compiles nothing for longer ones.
    """
    if JIT_DISABLED:
        return function
    compiled: F = numba.njit(nogil=True)(function)
    return compiled


def by_width(signature: str, function: F) -> tuple[F, F]:
    """Return the kernels of a function for keys of one word and for longer keys.

    `signature` names the groups above, and ``KEYS`` for keys.
    """
    longer = signature.replace("KEYS", "uint64[:, ::1]")
    for name in ("Packed", "States", "Children", "Reach"):
        longer = longer.replace(name, f"Long{name}")
    return kernel(signature.replace("KEYS", "uint64[::1]"))(function), kernel(longer)(function)
