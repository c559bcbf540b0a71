"""Arguments that settle a tiling before any search: areas, and the colours of a chessboard."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gridkit.cover.instance import Point, positions
from gridkit.run import Run

__all__ = ["areas_add_up", "colours_fit", "may_fit", "sums"]

Bounds = tuple[int, int | None]


def may_fit(
    cells: Sequence[Point],
    pieces: Sequence[Sequence[Point]],
    copies: Sequence[Bounds],
    optional: int,
    run: Run,
) -> bool:
    """Whether no cheap argument shows that cells cannot be covered.

    Parameters
    ----------
    cells : sequence of cells
        What is to be covered.
    pieces : sequence of sequences of cells
        One orientation of each piece.
    copies : sequence of (least, greatest)
        How often each piece is used; greatest None means any number of times.
    optional : int
        How many of the cells may stay empty.
    run : Run
        The call.

    Examples
    --------
    >>> square = [(0, 0), (0, 1), (1, 0), (1, 1)]
    >>> may_fit(square, [[(0, 0), (0, 1)]], [(0, None)], 0, Run())
    True
    >>> may_fit(square, [square[:3]], [(1, 1)], 0, Run())
    False
    """
    if not areas_add_up(cells, list(map(len, pieces)), copies, optional, run):
        return False
    return optional > 0 or colours_fit(cells, pieces, copies)


def areas_add_up(
    cells: Sequence[Point],
    sizes: Sequence[int],
    copies: Sequence[Bounds],
    optional: int,
    run: Run,
) -> bool:
    """Whether the pieces can make up the area, of the region and of each of its components."""
    if sums(sizes, copies, len(cells)) >> (len(cells) - optional) == 0:
        return False
    if optional:
        return True
    parts = _component_sizes(cells, run)
    if len(parts) == 1:
        return True
    # No part has to hold the least number of copies.
    at_will = sums(sizes, [(0, greatest) for _, greatest in copies], max(parts, default=0))
    return all(at_will >> size & 1 for size in parts)


def sums(sizes: Sequence[int], copies: Sequence[Bounds], most: int) -> int:
    """Return which areas pieces can make up, as bits.

    Parameters
    ----------
    sizes : sequence of int
        The area of each piece.
    copies : sequence of (least, greatest)
        How often each piece is used; greatest None means any number of times.
    most : int
        The largest area of interest.

    Returns
    -------
    int
        Bit s, for s up to `most`, says whether some numbers of copies add up to the area s.

    Examples
    --------
    >>> bin(sums([3, 2], [(1, 1), (0, None)], 8))
    '0b10101000'
    """
    reached = 1
    for size, (least, greatest) in zip(sizes, copies, strict=True):
        if least * size > most:
            return 0
        reached <<= least * size
        more = most // size if greatest is None else min(greatest - least, most // size)
        while more > 0:  # doubling: any number of copies up to `more`
            step = (more + 1) // 2
            reached |= reached << step * size
            more -= step
        reached &= (2 << most) - 1
    return reached


def _component_sizes(cells: Sequence[Point], run: Run) -> list[int]:
    """Count the cells of each part of a region, found by flooding it from one cell."""
    # Along each axis one place more than is used: neighbours are a fixed step apart.
    steps = [1]
    for axis in reversed(list(zip(*cells, strict=True))[1:]):
        steps.insert(0, steps[0] * (max(axis) + 2))
    waiting = 0
    for begin in range(0, len(cells), 256):  # in blocks, since long integers are slow to change
        block = positions(cells[begin : begin + 256], steps)
        waiting |= sum([1 << place - block[0] for place in block]) << block[0]
        run.check()
    sizes = []
    while waiting:
        part, flooded = 0, waiting & -waiting
        while flooded != part:
            run.check()
            part = flooded
            for step in steps:
                flooded = _flooded_along(flooded, waiting, step)
        waiting ^= part
        sizes.append(part.bit_count())
    return sizes


def _flooded_along(flooded: int, cells: int, step: int) -> int:
    """Flood the cells in both directions along an axis, in doubling steps (Kogge, Stone, 1973)."""
    passable, reach = cells, step
    while passable:
        flooded |= passable & flooded << reach
        passable &= passable << reach
        reach *= 2
    passable, reach = cells, step
    while passable:
        flooded |= passable & flooded >> reach
        passable &= passable >> reach
        reach *= 2
    return flooded


def colours_fit(
    cells: Sequence[Point], pieces: Sequence[Sequence[Point]], copies: Sequence[Bounds]
) -> bool:
    """Whether the pieces can cover as many black as white cells more as the region has.

    A piece covers its excess of one colour or of the other; settled for pieces whose number of
    copies is fixed.
    """
    if any(least != greatest for least, greatest in copies):
        return True
    excesses = [abs(_excess(piece)) for piece in pieces]
    reach = sum(excess * least for excess, (least, _) in zip(excesses, copies, strict=True))
    place = _excess(cells) + reach
    # A copy of a piece covers twice its excess more or not, beside the least that all must.
    unbalanced = [
        (2 * excess, (0, least))
        for excess, (least, _) in zip(excesses, copies, strict=True)
        if excess
    ]
    steps, choices = zip(*unbalanced, strict=True) if unbalanced else ((), ())
    return place >= 0 and sums(steps, choices, 2 * reach) >> place & 1 == 1


def _excess(cells: Iterable[Point]) -> int:
    """Return how many more black than white cells there are."""
    return sum(1 - sum(cell) % 2 * 2 for cell in cells)
