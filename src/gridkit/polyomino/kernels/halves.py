"""A half of a polyomino, joined to its image under a half-turn."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridkit.polyomino.kernels.groups import Frontiers, Step
from gridkit.polyomino.kernels.transfer import _decode
from gridkit.run.jit import kernel

__all__ = ["join_halves"]


@kernel("int64(int64[::1], int64)")
def _root(parent: NDArray[np.int64], label: int) -> int:
    """Return the representative of a component.

    Parameters
    ----------
    parent : int64[:]
        The forest: a representative is its own parent.
    label : int
        A component.

    Returns
    -------
    int
        The representative.
    """
    while parent[label] != label:
        label = parent[label]
    return label


@kernel("boolean(int64[::1], int64, int64, int64[::1])")
def _is_whole(
    labels: NDArray[np.int64], width: int, middle: int, parent: NDArray[np.int64]
) -> bool:
    """Return whether a half is connected once its image lies beside it.

    Column c of the image lies below column width - 1 - c.

    Parameters
    ----------
    labels : int64[width]
        The component of each column of the frontier, 0 empty.
    width : int
        Columns of the frontier.
    middle : int
        A column whose cell and its own image are neighbours, or -1.
    parent : int64[2 * width + 4]
        Scratch.

    Returns
    -------
    bool
        Whether it is.
    """
    components = 0
    for col in range(width):
        components = max(components, labels[col])
    for label in range(2 * components):
        parent[label] = label
    parts = 2 * components
    for col in range(width + 1):
        if col < width:
            upper, lower = labels[col], labels[width - 1 - col]
        elif middle >= 0:
            upper = lower = labels[middle]
        else:
            break
        if upper > 0 and lower > 0:
            one = _root(parent, upper - 1)
            other = _root(parent, components + lower - 1)
            if one != other:
                parent[one] = other
                parts -= 1
    return parts == 1


@kernel("uint64(Step, Frontiers, int64, boolean)", allocates=True)
def join_halves(step: Step, frontiers: Frontiers, size: int, middle_row: bool) -> np.uint64:
    """Count the polyominoes that consist of a half and its image under a half-turn.

    Parameters
    ----------
    step : Step
        The strip.
    frontiers : Frontiers
        The halves: all rows above the centre, and with `middle_row` also the cells of the row
        through the centre up to the centre.
    size : int
        Cells of the whole polyomino.
    middle_row : bool
        Whether the centre lies in the middle of a row, not between two.

    Returns
    -------
    uint64
        How many polyominoes of `size` cells there are that are connected and as wide as the strip.
    """
    width = step.width
    middle = (width - 1) // 2
    has_centre = middle_row and width % 2 == 1  # a cell that is its own image
    labels = np.zeros(width, dtype=np.int64)
    scratch = np.zeros(2 * width + 4, dtype=np.int64)
    total = np.uint64(0)
    for state in range(frontiers.held[0]):
        key = frontiers.keys[state]
        centre = 0
        if has_centre and (key >> np.uint64(3 * middle)) & np.uint64(7) != np.uint64(0):
            centre = 1
        weight = (size + centre) // 2
        if (
            key >> np.uint64(3 * width) == np.uint64(0)  # touches neither side
            or (size + centre) % 2 == 1
            or weight < frontiers.ranges[state, 0]
            or weight > frontiers.ranges[state, 1]
        ):
            continue
        _decode(key, width, labels, scratch)
        if _is_whole(labels, width, middle if middle_row and not has_centre else -1, scratch):
            total += frontiers.counts[state, weight]
    return total
