"""What the kernels of a sweep read: its steps, how pieces are counted, numbers in words.

Numbers of ways are stored in several words, least significant first: all but the last hold
`RADIX` bits, the last at most 63, so that sums of up to 127 words cannot overflow and carries are
plain shifts.  A kernel refuses a step that could outgrow the last word (`WIDEN`).
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["BUDGET", "DONE", "GROW", "RADIX", "TOP_LIMIT", "WIDEN", "Copies", "Steps"]

RADIX = 57
TOP_LIMIT = (1 << 63) - 1

# What a kernel returns: at the stop, budget spent, more capacity needed, another word needed.
DONE, BUDGET, GROW, WIDEN = 0, 1, 2, 3


class Steps(NamedTuple):
    """The steps of a sweep: each settles a cell, which a move covers or an earlier one has covered.

    A slot is a bit of the state; the slots of a set of cells are a mask.
    """

    bits: Annotated[NDArray[np.uint64], "uint64[::1]"]
    """(steps,) Slot of the cell, 0 where no earlier placement reaches it."""
    closed: Annotated[NDArray[np.uint64], "uint64[::1]"]
    """(steps,) Slots that no state before the step can have set, that of the cell among them."""
    starts: Annotated[NDArray[np.int64], "int64[::1]"]
    """(steps + 1,) Number of each step's first move, and of all moves."""
    extents: Annotated[NDArray[np.int64], "int64[::1]"]
    """(steps,) Number of the lowest slots that hold all those in use before and after the step."""
    masks: Annotated[NDArray[np.uint64], "uint64[::1]"]
    """(moves,) Slots that a move fills beside the cell; 0 for leaving the cell empty."""


class Copies(NamedTuple):
    """How the moves of a sweep count the uses of pieces in the state, one entry a move.

    See `gridkit.cover.frontier.plain.moves`.
    """

    fields: Annotated[NDArray[np.uint64], "uint64[::1]"]
    """(moves,) Bits of the state that hold the number of uses, 0 where none is held."""
    fulls: Annotated[NDArray[np.uint64], "uint64[::1]"]
    """(moves,) These bits at the most that is held; never equal to the field where none is."""
    units: Annotated[NDArray[np.uint64], "uint64[::1]"]
    """(moves,) What a use adds to the state."""
    overflows: Annotated[NDArray[np.int8], "int8[::1]"]
    """(moves,) At a full field: -1 refuses the move, 0 takes it without counting it."""
