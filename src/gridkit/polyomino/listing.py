"""Polyominoes of a size one by one, in plain Python or by a kernel, in the same order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from gridkit.grid.cell import Cell, Symmetry
from gridkit.polyomino.polyomino import Polyomino
from gridkit.run.limits import current_tier
from gridkit.value import put

__all__ = ["PLAIN_CANONICAL", "PLAIN_FIXED", "Kind", "fixed_cells", "pieces"]

Kind = Literal["free", "one-sided", "fixed"]

# Up to these sizes listing them in plain Python is quicker than importing numba.
PLAIN_FIXED = 9
PLAIN_CANONICAL = 8
_LARGEST = 31  # a frame of rows of 64 cells holds columns -31 to 31
_CAPACITY = 256  # pieces that the kernel hands over at once
_LARGEST_BUDGET = 1 << 16  # some milliseconds


def pieces(kind: Kind, n: int, check: Callable[[], object]) -> Iterator[Polyomino]:
    """Iterate over the polyominoes of n cells in the order of Redelmeier (1981).

    Parameters
    ----------
    kind : str
        "fixed", or "one-sided" or "free" for those in canonical form only.
    n : int
        Number of cells, at least 1.
    check : callable
        Called every few milliseconds, and at least once in `_CAPACITY` pieces.

    Notes
    -----
    Lazy; holds O(n) cells and `_CAPACITY` pieces.
    """
    tier = current_tier()
    few = n <= (PLAIN_FIXED if kind == "fixed" else PLAIN_CANONICAL)
    if n > _LARGEST or tier == "plain" or (tier == "auto" and few):
        return _plain(kind, n, check)
    return _compiled(kind, n, check)


def fixed_cells(n: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """Redelmeier's algorithm in plain Python, with one growing queue of untried cells."""
    queue = [(0, 0)]
    seen = {(0, 0)}
    chosen: list[tuple[int, int]] = []
    first, ends = [0], [1]
    while first:
        if first[-1] == ends[-1]:
            first.pop()
            end = ends.pop()
            if chosen:
                chosen.pop()
                seen.difference_update(queue[ends[-1] : end])
                del queue[ends[-1] :]
            continue
        row, col = cell = queue[first[-1]]
        first[-1] += 1
        if len(chosen) == n - 1:
            yield (*chosen, cell)
            continue
        chosen.append(cell)
        for near in ((row, col + 1), (row, col - 1), (row - 1, col), (row + 1, col)):
            # Row-major, no cell comes before the first one.
            if near >= (0, 0) and near not in seen:
                seen.add(near)
                queue.append(near)
        first.append(first[-1])
        ends.append(len(queue))


def _plain(kind: Kind, n: int, check: Callable[[], object]) -> Iterator[Polyomino]:
    same = [] if kind == "fixed" else [s for s in Symmetry if kind == "free" or not s.mirrors]
    for cells in fixed_cells(n):
        check()
        piece = Polyomino._trusted(cells)
        if not any(piece.transformed(symmetry) < piece for symmetry in same):
            yield piece


def _compiled(kind: Kind, n: int, check: Callable[[], object]) -> Iterator[Polyomino]:
    import numpy as np

    from gridkit.polyomino.kernels import listing as kernels
    from gridkit.polyomino.kernels.groups import DEPTH

    number = {"fixed": kernels.FIXED, "one-sided": kernels.ONE_SIDED, "free": kernels.FREE}[kind]
    stride = 1 << kernels.SHIFT
    frame = (n + 2) * stride
    root = stride + n
    state = kernels.Listing(
        queue=np.zeros(frame, np.uint32),
        mark=np.zeros(frame, np.uint8),
        first=np.zeros(n + 1, np.uint32),
        last=np.zeros(n + 1, np.uint32),
        counters=np.zeros(4, np.int64),
        words=np.zeros((4, n), np.uint64),
        pieces=np.zeros((_CAPACITY, n), np.uint16),
    )
    state.queue[0], state.last[0] = root, 1
    state.mark[: root + 1] = 1  # the row above, and the cells of the first row up to the root
    state.mark[stride - 1 :: stride] = 1  # beyond the last column lies the one before the first
    state.mark[-stride:] = 1
    cell_of = [Cell(row, col) for row in range(n) for col in range(n)].__getitem__
    budget = stride
    while state.counters[DEPTH] >= 0:
        check()
        written = kernels.advance_listing(state, n, number, budget)
        budget = min(2 * budget, _LARGEST_BUDGET)
        for codes in state.pieces[:written].tolist():
            piece = object.__new__(Polyomino)
            put(piece, "_cells", tuple(map(cell_of, codes)))
            yield piece
