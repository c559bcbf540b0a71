"""The plain form of a tiling that the engines read: cell numbers, placements, copies."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Instance"]


@dataclass(frozen=True, slots=True)
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
    """

    coordinates: tuple[tuple[int, ...], ...]
    placements: tuple[tuple[int, tuple[int, ...]], ...]
    copies: tuple[tuple[int, int | None], ...]
    optional: frozenset[int]
