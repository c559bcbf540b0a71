"""Arguments that settle a tiling before any search: areas, and the colours of a chessboard."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import mul
from typing import TYPE_CHECKING

from gridkit.cover.search.remembered import remembered

if TYPE_CHECKING:
    from gridkit.cover.tiling import Tiling

__all__ = ["area_fits", "colours_fit", "may_fit"]


@remembered
def may_fit(tiling: Tiling) -> bool:
    """Whether no cheap argument shows that the region cannot be tiled."""
    return area_fits(tiling) and (bool(tiling.optional) or colours_fit(tiling))


def area_fits(tiling: Tiling) -> bool:
    """Whether the pieces can make up the area, of the region and of each of its components."""
    cells = len(tiling.region.cells)
    sums = _areas(tiling, cells, whole=True)
    if sums >> (cells - len(tiling.optional)) == 0:
        return False
    if tiling.optional:
        return True
    parts = _component_sizes(tiling.region.cells)
    if len(parts) == 1:
        return True
    sums = _areas(tiling, max(parts, default=0), whole=False)
    return all(sums >> size & 1 for size in parts)


def _areas(tiling: Tiling, most: int, *, whole: bool) -> int:
    """Return which areas up to `most` the pieces can make, as bits; `whole`: least copies too."""
    sums = 1
    for piece, (few, many) in zip(tiling.pieces, tiling.copies, strict=True):
        size = len(piece)
        least = few if whole else 0
        if least * size > most:
            return 0
        sums <<= least * size
        left = most // size if many is None else min(many - least, most // size)
        while left > 0:  # doubling: any number of copies up to `left`
            step = (left + 1) // 2
            sums |= sums << step * size
            left -= step
        sums &= (2 << most) - 1
    return sums


def _component_sizes(cells: Sequence[tuple[int, ...]]) -> list[int]:
    """Count the cells of each part of a region, all of which spreads from its cells at once."""
    # Along each axis one place more than is used: neighbours are a fixed step apart.
    steps = [1]
    for axis in zip(*cells, strict=True):
        steps.append(steps[-1] * (max(axis) + 2))
    waiting = 0
    for cell in cells:
        waiting |= 1 << sum(map(mul, cell, steps))
    sizes = []
    while waiting:
        part, spread = 0, waiting & -waiting
        while spread != part:
            part = spread
            for step in steps[:-1]:
                spread |= part << step | part >> step
            spread &= waiting
        waiting ^= part
        sizes.append(part.bit_count())
    return sizes


def colours_fit(tiling: Tiling) -> bool:
    """Whether the pieces can cover as many black as white cells more as the region has.

    A piece covers its excess of one colour or of the other; settled for pieces whose number of
    copies is fixed.
    """
    if any(least != greatest for least, greatest in tiling.copies):
        return True
    target = _excess(tiling.region.cells)
    reach = sum(
        abs(_excess(piece.cells)) * least
        for piece, (least, _) in zip(tiling.pieces, tiling.copies, strict=True)
    )
    sums = 1  # bit n: the pieces so far can cover n more black than the least they must
    for piece, (least, _) in zip(tiling.pieces, tiling.copies, strict=True):
        excess = abs(_excess(piece.cells))
        for _ in range(least if excess else 0):
            sums |= sums << 2 * excess
    place = target + reach
    return place >= 0 and sums >> place & 1 == 1


def _excess(cells: Iterable[tuple[int, ...]]) -> int:
    """Return how many more black than white cells there are."""
    return sum(1 - sum(cell) % 2 * 2 for cell in cells)
