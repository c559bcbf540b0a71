"""The masks engine: tilings cell by cell, for regions whose pieces reach at most 64 cells on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from gridkit.cover.instance import Instance
from gridkit.cover.kernels import masks as kernel
from gridkit.cover.plain import fraction_of
from gridkit.errors import InputError, UnsupportedError

__all__ = ["MasksSearch", "reach"]

_WINDOW = 64


class _Packed:
    """An instance's arrays, shared by all searches of it."""

    def __init__(self, instance: Instance) -> None:
        if instance.optional:
            raise UnsupportedError("method 'masks' takes regions without optional cells")
        strip = _strip(instance.coordinates)
        self.last = max(strip, default=-1) + 1
        patterns: dict[tuple[int, tuple[int, ...]], int] = {}
        self.place: list[tuple[int, int]] = []  # of each placement: first cell, pattern
        for piece, cells in instance.placements:
            along = sorted(strip[cell] for cell in cells)
            offsets = tuple(cell - along[0] for cell in along)
            if offsets[-1] >= _WINDOW:
                raise UnsupportedError(
                    f"method 'masks' takes pieces that reach less than {_WINDOW} cells on in "
                    f"the sweep; one reaches {offsets[-1]}"
                )
            pattern = patterns.setdefault((piece, offsets), len(patterns))
            self.place.append((along[0], pattern))
        # Patterns of one piece side by side, as the placements are ordered.
        ranked = {kind: rank for rank, kind in enumerate(sorted(patterns))}
        new_number = [ranked[kind] for kind in patterns]
        self.place = [(cell, new_number[pattern]) for cell, pattern in self.place]
        self.number = {place: number for number, place in enumerate(self.place)}
        kinds = list(ranked)
        self.words = max(1, (len(kinds) + 63) // 64)
        self.legal = np.zeros((self.last, self.words), np.uint64)
        for cell, pattern in self.place:
            self.legal[cell, pattern >> 6] |= np.uint64(1 << (pattern & 63))
        self.piece_of = np.array([piece for piece, _ in kinds] or [0], np.uint32)
        self.offsets = np.array(
            [sum(1 << offset for offset in offsets) for _, offsets in kinds] or [0], np.uint64
        )
        self.patterns_of = np.zeros((max(1, len(instance.copies)), self.words), np.uint64)
        for number, (piece, _) in enumerate(kinds):
            self.patterns_of[piece, number >> 6] |= np.uint64(1 << (number & 63))
        self.tables = _tables(kinds, self.words)
        self.blocked = self._blocked(strip)
        self.depth = len(strip) + 2
        most = len(strip) + 1
        self.room = np.array([most if up is None else up for _, up in instance.copies], np.int64)
        self.least = np.array([least for least, _ in instance.copies], np.int64)

    def _blocked(self, strip: Sequence[int]) -> np.ndarray:
        """Which places of the strip are never to be covered, and all beyond its end."""
        blocked = np.full((self.last + 64) // 64 + 3, ~np.uint64(0), np.uint64)
        for cell in strip:
            blocked[cell >> 6] &= np.uint64(~(1 << (cell & 63)) & (2**64 - 1))
        return blocked


def _strip(coordinates: Sequence[tuple[int, ...]]) -> list[int]:
    """Number the places of the cells' frame, along its longest side last to turn over."""
    if not coordinates:
        return []
    sides = [max(axis) - min(axis) + 1 for axis in zip(*coordinates, strict=True)]
    least = [min(axis) for axis in zip(*coordinates, strict=True)]
    order = sorted(range(len(sides)), key=lambda axis: -sides[axis])
    strip = []
    for cell in coordinates:
        place = 0
        for axis in order:
            place = place * sides[axis] + cell[axis] - least[axis]
        strip.append(place)
    return strip


def reach(instance: Instance) -> int:
    """Return how many places on in the sweep a piece reaches at most."""
    strip = _strip(instance.coordinates)
    spans = (
        max(strip[cell] for cell in cells) - min(strip[cell] for cell in cells)
        for _, cells in instance.placements
    )
    return max(spans, default=0)


def _tables(kinds: Sequence[tuple[int, tuple[int, ...]]], words: int) -> np.ndarray:
    """Return, for each byte of the window and each value, the patterns that fit."""
    furthest = max((offsets[-1] for _, offsets in kinds), default=0)
    tables = np.full((furthest // 8 + 1, 256, words), ~np.uint64(0), np.uint64)
    values = np.arange(256)
    for number, (_, offsets) in enumerate(kinds):
        bit = np.uint64(1 << (number & 63))
        for offset in offsets:
            clash = (values >> (offset & 7) & 1).astype(bool)
            tables[offset >> 3, clash, number >> 6] &= ~bit
    return tables


class MasksSearch:
    """Depth-first search that covers the first empty cell of a sweep (`Engine` protocol).

    The sweep runs along the longest side.  Counts only: it meets solutions in another order than
    the other engines, and its paths are its own.
    """

    def __init__(
        self, instance: Instance, prefix: Sequence[int] = (), path: Sequence[int] = ()
    ) -> None:
        self._packed = packed = _pack(instance)
        depth, words = packed.depth, packed.words
        self._state = np.zeros(5, np.int64)
        self._window = np.zeros(depth, np.uint64)
        self._position = np.zeros(depth, np.uint64)
        self._allowed = np.zeros((depth, words), np.uint64)
        self._fit = np.zeros((depth, words), np.uint64)
        self._chosen = np.zeros(depth, np.int32)
        self._ways = np.zeros(depth, np.int64)
        self._tried = np.zeros(depth, np.int64)
        self._room = packed.room.copy()
        self._owed = packed.least.copy()
        self._legal = packed.legal
        self._blocked = packed.blocked
        self._root(prefix)
        self._replay(path)

    @property
    def nodes(self) -> int:
        """Nodes visited."""
        return int(self._state[kernel.NODES])

    @property
    def found(self) -> int:
        """Solutions found."""
        return int(self._state[kernel.FOUND])

    def advance(self, budget: int, wanted: int | None = None) -> bool:
        """Visit up to `budget` nodes; True at the end."""
        packed = self._packed
        return bool(
            kernel.advance(
                self._state, budget, self._window, self._position, self._allowed, self._fit,
                self._chosen, self._ways, self._tried, self._room, self._owed, self._legal,
                packed.tables, packed.patterns_of, packed.offsets, packed.piece_of, self._blocked,
            )
        )  # fmt: skip

    def path(self) -> tuple[int, ...]:
        """Return the placement chosen at each level below the prefix."""
        number = self._packed.number
        levels = range(max(0, int(self._state[kernel.LEVEL])))
        return tuple(number[int(self._position[i]), int(self._chosen[i])] for i in levels)

    def fraction(self) -> float:
        """Estimate the part done."""
        level = max(0, int(self._state[kernel.LEVEL]))
        before = (self._tried[:level] - 1).tolist()
        return fraction_of(zip(before, self._ways[:level].tolist(), strict=True))

    def memory(self) -> int:
        """Bytes held."""
        arrays = [*vars(self).values(), *vars(self._packed).values()]
        return sum(array.nbytes for array in arrays if isinstance(array, np.ndarray))

    def _root(self, prefix: Sequence[int]) -> None:
        packed = self._packed
        lacking = int(packed.least.sum())
        for choice in prefix:
            cell, pattern = packed.place[choice if choice >= 0 else ~choice]
            if choice < 0:
                self._legal = self._legal.copy()
                self._legal[cell, pattern >> 6] &= ~np.uint64(1 << (pattern & 63))
                continue
            piece = int(packed.piece_of[pattern])
            covered = int(packed.offsets[pattern]) << (cell & 63)
            blocked = self._blocked = self._blocked.copy()
            overlap = int(blocked[cell >> 6]) & covered % 2**64
            overlap |= int(blocked[(cell >> 6) + 1]) & covered >> 64
            legal = int(self._legal[cell, pattern >> 6]) >> (pattern & 63) & 1
            if overlap or not legal or not self._room[piece]:
                raise InputError(f"option {choice} cannot be part of this subtree")
            blocked[cell >> 6] |= np.uint64(covered % 2**64)
            blocked[(cell >> 6) + 1] |= np.uint64(covered >> 64)
            self._room[piece] -= 1
            self._owed[piece] -= 1
            lacking -= int(self._owed[piece] >= 0)
        self._state[kernel.LACKING] = lacking
        self._state[kernel.FRESH] = 1
        for piece, room in enumerate(self._room):
            if room > 0:
                self._allowed[0] |= packed.patterns_of[piece]
        cell = 0
        while cell < packed.last and int(self._blocked[cell >> 6]) >> (cell & 63) & 1:
            cell += 1
        self._position[0] = cell
        view = int(self._blocked[cell >> 6]) | int(self._blocked[(cell >> 6) + 1]) << 64
        self._window[0] = view >> (cell & 63) & (2**64 - 1)

    def _replay(self, path: Sequence[int]) -> None:
        """Go down a path: branch as the search would, then skip the siblings before the path."""
        state, packed = self._state, self._packed
        for level, option in enumerate(path):
            cell, pattern = packed.place[option] if option < len(packed.place) else (-1, 0)
            if level + 1 >= packed.depth or cell != self._position[level]:
                raise InputError("the token does not belong to this problem")
            lacking, room, owed = state[kernel.LACKING], self._room.copy(), self._owed.copy()
            self.advance(1)
            fit = self._allowed[level] & self._legal[cell]
            for number, table in enumerate(packed.tables):
                fit &= table[int(self._window[level]) >> (8 * number) & 255]
            word, bit = pattern >> 6, 1 << (pattern & 63)
            if not int(fit[word]) & bit:
                raise InputError("the token does not belong to this problem")
            before = sum(int(each).bit_count() for each in fit[:word])
            self._tried[level] = before + (int(fit[word]) & (bit - 1)).bit_count()
            self._fit[level] = fit
            self._fit[level, :word] = 0
            self._fit[level, word] = int(fit[word]) & ~(bit - 1)
            state[kernel.LEVEL], state[kernel.FRESH], state[kernel.LACKING] = level, 0, lacking
            self._room[:], self._owed[:] = room, owed
            self.advance(0)
        state[kernel.NODES] = state[kernel.FOUND] = 0


@lru_cache(maxsize=4)
def _pack(instance: Instance) -> _Packed:
    return _Packed(instance)
