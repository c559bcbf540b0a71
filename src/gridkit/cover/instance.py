"""The plain form of a tiling that the engines read: cell numbers, placements, copies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from operator import mul

from gridkit.cover.matrix import Matrix

__all__ = ["Instance", "Placement", "Point", "lay_out", "positions"]

Point = tuple[int, ...]
Placement = tuple[int, tuple[int, ...]]
"""A piece's number and the increasing numbers of the cells it covers."""

_CANDIDATES = 1 << 14  # places tried between two looks at the limits: about 3 ms


@dataclass(frozen=True)
class Instance:
    """A tiling problem without geometry: cover numbered cells with placements of numbered pieces.

    Attributes
    ----------
    coordinates : tuple of tuple of int
        Coordinates of each cell, (row, col) or (layer, row, col), in increasing order.
    placements : tuple of (piece, cells)
        Every way a piece lies on open cells: the piece's number and its increasing cell numbers.
        No two are equal; sorted by first cell, then piece, then cells.
    copies : tuple of (least, greatest)
        For each piece how often it is used; greatest None means any number of times.
    optional : frozenset of int
        Cells that may stay empty; all others are covered exactly once.
    shapes : tuple of tuple of cells
        One orientation of each piece; empty where no geometry of pieces is known.
    reflect : bool
        Whether pieces may be turned over.
    """

    coordinates: tuple[tuple[int, ...], ...]
    placements: tuple[tuple[int, tuple[int, ...]], ...]
    copies: tuple[tuple[int, int | None], ...]
    optional: frozenset[int]
    shapes: tuple[tuple[Point, ...], ...] = ()
    reflect: bool = False

    @cached_property
    def sizes(self) -> dict[int, int]:
        """Number of cells of each piece that has placements."""
        return {piece: len(cells) for piece, cells in dict(self.placements).items()}

    @cached_property
    def most_uses(self) -> dict[int, int]:
        """For each piece that has placements: how often it fits the area at most."""
        return {piece: len(self.coordinates) // size for piece, size in self.sizes.items()}

    @cached_property
    def limited(self) -> tuple[int, ...]:
        """The pieces whose bounds on copies a covering could break, so that uses are counted."""
        if all(bounds == (0, None) for bounds in self.copies):
            return ()
        most = self.most_uses
        limited = tuple(
            piece
            for piece, (least, greatest) in enumerate(self.copies)
            if least > 0 or (greatest is not None and greatest < most.get(piece, 0))
        )
        if len(self.copies) == 1 and not self.optional and most:
            # A single piece is used as often as the area says.
            least, greatest = self.copies[0]
            if least <= most[0] and (greatest is None or most[0] <= greatest):
                return ()
        return limited

    def unbounded(self) -> Instance:
        """Return the problem without bounds on copies, where all coverings meet them anyway."""
        free = ((0, None),) * len(self.copies)
        return self if self.limited or self.copies == free else replace(self, copies=free)

    @cached_property
    def matrix(self) -> Matrix:
        """The problem as an exact-cover matrix: an item a cell, an item a piece that is counted.

        Option k is placement k; cells come first.
        """
        cells = len(self.coordinates)
        most_uses = self.most_uses
        low = [0 if cell in self.optional else 1 for cell in range(cells)]
        high = [1] * cells
        item_of: dict[int, int] = {}
        for piece, (least, greatest) in enumerate(self.copies):
            if (least, greatest) != (0, None):
                item_of[piece] = len(low)
                most = most_uses.get(piece, 0)
                low.append(min(least, cells + 1))
                high.append(max(low[-1], most if greatest is None else min(greatest, most)))
        options = tuple(
            (*placed, item_of[piece]) if piece in item_of else placed
            for piece, placed in self.placements
        )
        return Matrix(options, len(low), tuple(low), tuple(high))


def positions(cells: Sequence[Sequence[int]], strides: Sequence[int]) -> list[int]:
    """Return where cells lie when rows, and layers, follow one another `strides` apart."""
    if len(strides) == 2:  # the usual case, fast
        stride = strides[0]
        return [row * stride + col for row, col in cells]
    return [sum(map(mul, cell, strides)) for cell in cells]


def lay_out(
    cells: Sequence[Point],
    shapes: Sequence[Sequence[Sequence[Point]]],
    check: Callable[[int], None] = lambda _: None,
) -> tuple[Placement, ...]:
    """Lay pieces on cells in every way.

    Parameters
    ----------
    cells : sequence of (row, col) or (layer, row, col)
        In increasing order; numbered in that order.
    shapes : sequence of sequences of sequences of cells
        For each piece its orientations, no two equal; the least of each coordinate is 0.
    check : callable
        Called every few milliseconds with the bytes held so far; may raise.

    Returns
    -------
    tuple of (piece, cells)
        Sorted by first cell, then piece, then cells.

    Examples
    --------
    >>> lay_out([(0, 0), (0, 1), (1, 1)], [[[(0, 0), (0, 1)], [(0, 0), (1, 0)]]])
    ((0, (0, 1)), (0, (1, 2)))
    """
    if not cells:
        return ()
    axes = list(zip(*cells, strict=True))
    least = list(map(min, axes))
    sides = [max(axis) - low + 1 for axis, low in zip(axes, least, strict=True)]
    fitting = []
    margins = [0] * len(sides)
    for piece, orientations in enumerate(shapes):
        for shape in orientations:
            reach = list(map(max, zip(*shape, strict=True)))
            if all(extent < side for extent, side in zip(reach, sides, strict=True)):
                fitting.append((piece, shape))
                margins = list(map(max, margins, reach))
    # Rows side by side, apart by so much that what sticks out of one does not reach the next: a
    # shape is then a list of offsets from its first cell, all of them positive.
    strides = [1]
    for side, margin in zip(reversed(sides[1:]), reversed(margins[1:]), strict=True):
        strides.insert(0, strides[0] * (side + margin))

    offsets_of: dict[int, list[list[int]]] = {piece: [] for piece, _ in fitting}
    for piece, shape in fitting:
        places = sorted(positions(shape, strides))
        offsets_of[piece].append([place - places[0] for place in places])
    size = strides[0] * sides[0]
    beyond = max((max(o[-1] for o in group) for group in offsets_of.values()), default=0)
    number_at = [-1] * (size + beyond)
    (origin,) = positions([least], strides)
    check(0)
    for number, position in enumerate(positions(cells, strides)):
        number_at[position - origin] = number
    check(0)
    starting: list[list[Placement]] = [[] for _ in cells]  # the placements by their first cell
    step = max(1, _CANDIDATES // max(1, len(fitting)))
    held = 0
    for begin in range(0, size, step):
        end = min(size, begin + step)
        for piece, group in offsets_of.items():
            laid: list[tuple[int, ...]] = []
            for offsets in group:
                columns = [number_at[begin + offset : end + offset] for offset in offsets]
                laid += [covered for covered in zip(*columns, strict=True) if -1 not in covered]
            laid.sort()
            for covered in laid:
                starting[covered[0]].append((piece, covered))
            held += len(laid) * (104 + 8 * len(group[0]))
        check(held)
    return tuple(chain.from_iterable(starting))
