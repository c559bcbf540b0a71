"""The plain form of a tiling that the engines read: cell numbers, placements, copies."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from gridkit.cover.matrix import Matrix

__all__ = ["Instance"]


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
    mirror_images : tuple of int, optional
        For each piece the piece that is its mirror image, used as often; None where the mirror
        image of some piece is not among the pieces.
    """

    coordinates: tuple[tuple[int, ...], ...]
    placements: tuple[tuple[int, tuple[int, ...]], ...]
    copies: tuple[tuple[int, int | None], ...]
    optional: frozenset[int]
    mirror_images: tuple[int, ...] | None = None

    @cached_property
    def matrix(self) -> Matrix:
        """The problem as an exact-cover matrix: an item a cell, an item a piece that is counted.

        Option k is placement k; cells come first.
        """
        cells = len(self.coordinates)
        sizes = {piece: len(covered) for piece, covered in self.placements}
        low = [0 if cell in self.optional else 1 for cell in range(cells)]
        high = [1] * cells
        item_of: dict[int, int] = {}
        for piece, (least, greatest) in enumerate(self.copies):
            if (least, greatest) != (0, None):
                item_of[piece] = len(low)
                most = cells // sizes.get(piece, cells + 1)
                low.append(min(least, cells + 1))
                high.append(max(low[-1], most if greatest is None else min(greatest, most)))
        options = tuple(
            (*placed, item_of[piece]) if piece in item_of else placed
            for piece, placed in self.placements
        )
        return Matrix(options, len(low), tuple(low), tuple(high))
