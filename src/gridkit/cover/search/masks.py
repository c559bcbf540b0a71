"""The masks engine: tilings cell by cell, for regions whose pieces reach at most 64 cells on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from gridkit.cover.instance import Instance
from gridkit.cover.search.arrays import bytes_held
from gridkit.cover.search.engine import Engine, cached_by_identity, foreign_token, fraction_of
from gridkit.cover.search.kernels import masks as kernel
from gridkit.errors import InputError, UnsupportedError

__all__ = ["MasksSearch", "reach"]

_WINDOW = 64

Pieces = NDArray[np.int64]
Words = NDArray[np.uint64]


class _Packed:
    """An instance's arrays, shared by all searches of it."""

    def __init__(self, instance: Instance) -> None:
        if instance.optional:
            raise UnsupportedError("method 'masks' takes regions without optional cells")
        strip = _strip(instance.coordinates)
        self.last = max(strip, default=-1) + 1
        piece, shape = self._placed(instance, np.array(strip, np.int64))
        # Patterns of one piece side by side, as the placements are ordered.
        kinds, self.pattern = _distinct(piece, shape)
        self.piece_of = piece[kinds].astype(np.uint32)
        self.offsets = shape[kinds]
        self.words = max(1, (len(kinds) + 63) // 64)
        members = np.zeros((self.last, 64 * self.words), np.bool_)
        members[self.first, self.pattern] = True
        self.legal = _packed_bits(members)
        pieces = np.arange(max(1, len(instance.copies)))[:, None]
        members = np.zeros((len(pieces), 64 * self.words), np.bool_)
        members[:, : len(kinds)] = self.piece_of == pieces
        self.patterns_of = _packed_bits(members)
        self.tables = _tables(self.offsets, self.words)
        if not len(kinds):
            self.piece_of, self.offsets = np.zeros(1, np.uint32), np.zeros(1, np.uint64)
        # Which places of the strip are never to be covered, and all beyond its end.
        self.blocked = (1 << (self.last // 64 + 4) * 64) - 1
        for place in strip:
            self.blocked ^= 1 << place
        self.depth = len(strip) + 2
        most = len(strip) + 1
        self.room = np.array([most if up is None else up for _, up in instance.copies], np.int64)
        self.least = np.array([least for least, _ in instance.copies], np.int64)

    def _placed(self, instance: Instance, strip: NDArray[np.int64]) -> tuple[Pieces, Words]:
        """Read the placements: their first places, pieces, and offsets of the places from it."""
        many = len(instance.placements)
        piece = np.fromiter(map(itemgetter(0), instance.placements), np.int64, many)
        covered = list(map(itemgetter(1), instance.placements))
        sizes = np.fromiter(map(len, covered), np.int64, many)
        cells = np.fromiter(chain.from_iterable(covered), np.int64, int(sizes.sum()))
        if not many:
            self.first = piece
            return piece, np.zeros(0, np.uint64)
        starts = np.cumsum(sizes) - sizes
        places = strip[cells]
        self.first = np.minimum.reduceat(places, starts)
        offsets = places - np.repeat(self.first, sizes)
        if (furthest := int(offsets.max())) >= _WINDOW:
            raise UnsupportedError(
                f"method 'masks' takes pieces that reach less than {_WINDOW} cells on in "
                f"the sweep; one reaches {furthest}"
            )
        bits = np.uint64(1) << offsets.astype(np.uint64)
        return piece, np.bitwise_or.reduceat(bits, starts)

    @cached_property
    def number(self) -> dict[tuple[int, int], int]:
        """The number of the placement of a pattern whose first cell is at a place."""
        placed = zip(self.first.tolist(), self.pattern.tolist(), strict=True)
        return {place: number for number, place in enumerate(placed)}


def _distinct(piece: Pieces, shape: Words) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Number the distinct (piece, shape): the first placement of each, and each one's number."""
    order = np.lexsort((shape, piece))
    new = np.ones(len(order), np.bool_)
    new[1:] = (np.diff(piece[order]) != 0) | (np.diff(shape[order]) != 0)
    number = np.empty(len(order), np.intp)
    number[order] = np.cumsum(new) - 1
    return order[new], number


def _packed_bits(members: NDArray[np.bool_]) -> Words:
    """Return the last axis as words, the first place in the lowest bit."""
    packed: Words = np.packbits(members, axis=-1, bitorder="little").view("<u8").astype(np.uint64)
    return packed


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


def _tables(offsets: Words, words: int) -> Words:
    """Return, for each byte of the window and each value, the patterns that fit."""
    furthest = int(np.bitwise_or.reduce(offsets)).bit_length()
    shifts = np.arange(0, max(furthest, 1), 8, dtype=np.uint64)[:, None, None]
    values = np.arange(256, dtype=np.uint64)[:, None]
    fits = np.ones((len(shifts), 256, 64 * words), np.bool_)
    fits[:, :, : len(offsets)] = (offsets >> shifts) & values == 0
    return _packed_bits(fits)


class MasksSearch(Engine):
    """Depth-first search that covers the first empty cell of a sweep .

    The sweep runs along the longest side.  Counts only: it meets solutions in another order than
    the other engines, and its paths are its own.
    """

    def __init__(
        self, instance: Instance, prefix: Sequence[int] = (), path: Sequence[int] = ()
    ) -> None:
        self._packed = packed = _pack(instance)
        depth, words = packed.depth, packed.words
        self._state = np.zeros(kernel.STATE_WORDS, np.int64)
        self._levels = kernel.Levels(
            window=np.zeros(depth, np.uint64),
            position=np.zeros(depth, np.uint64),
            allowed=np.zeros((depth, words), np.uint64),
            fit=np.zeros((depth, words), np.uint64),
            chosen=np.zeros(depth, np.int32),
            width=np.zeros(depth, np.int64),
            tried=np.zeros(depth, np.int64),
        )
        self._copies = kernel.Copies(room=packed.room.copy(), owed=packed.least.copy())
        self._strip = self._root(prefix)
        self._replay(path)

    @property
    def nodes(self) -> int:
        """Nodes visited."""
        return int(self._state[kernel.NODES])

    @property
    def found(self) -> int:
        """Solutions found."""
        return int(self._state[kernel.FOUND])

    def advance(self, budget: int, most: int | None = None) -> bool:
        """Visit up to `budget` nodes; True at the end."""
        return bool(kernel.advance(self._state, budget, self._strip, self._levels, self._copies))

    def path(self) -> tuple[int, ...]:
        """Return the placement chosen at each level below the prefix."""
        number = self._packed.number
        levels = range(max(0, int(self._state[kernel.LEVEL])))
        return tuple(
            number[int(self._levels.position[i]), int(self._levels.chosen[i])] for i in levels
        )

    def fraction(self) -> float:
        """Estimate the part done."""
        level = max(0, int(self._state[kernel.LEVEL]))
        before = (self._levels.tried[:level] - 1).tolist()
        return fraction_of(zip(before, self._levels.width[:level].tolist(), strict=True))

    def memory(self) -> int:
        """Bytes held."""
        return bytes_held(self, self._packed)

    def _root(self, prefix: Sequence[int]) -> kernel.Strip:
        """Lay the options of a prefix; return the strip without what it covers and rules out."""
        packed, (room, owed) = self._packed, self._copies
        lacking, blocked, legal = int(packed.least.sum()), packed.blocked, packed.legal
        for choice in prefix:
            option = choice if choice >= 0 else ~choice
            if option >= len(packed.first):
                raise InputError(f"option {option} cannot be part of this subtree")
            cell, pattern = int(packed.first[option]), int(packed.pattern[option])
            if choice < 0:
                legal = legal.copy()
                legal[cell, pattern >> 6] &= ~np.uint64(1 << (pattern & 63))
                continue
            piece = int(packed.piece_of[pattern])
            covered = int(packed.offsets[pattern]) << cell
            is_legal = int(legal[cell, pattern >> 6]) >> (pattern & 63) & 1
            if blocked & covered or not is_legal or not room[piece]:
                raise InputError(f"option {choice} cannot be part of this subtree")
            blocked |= covered
            room[piece] -= 1
            owed[piece] -= 1
            lacking -= int(owed[piece] >= 0)
        self._state[kernel.LACKING] = lacking
        self._state[kernel.FRESH] = 1
        usable = packed.patterns_of[: len(room)][room > 0]
        self._levels.allowed[0] = np.bitwise_or.reduce(usable, axis=0)
        cell = min((~blocked & blocked + 1).bit_length() - 1, packed.last)
        self._levels.position[0] = cell
        self._levels.window[0] = blocked >> cell & 2**64 - 1
        words = blocked.to_bytes(packed.last // 64 * 8 + 32, "little")
        return kernel.Strip(
            legal=legal,
            tables=packed.tables,
            patterns_of=packed.patterns_of,
            offsets=packed.offsets,
            piece_of=packed.piece_of,
            blocked=np.frombuffer(words, "<u8").astype(np.uint64),
        )

    def _replay(self, path: Sequence[int]) -> None:
        """Go down a path: branch as the search would, then skip the siblings before the path."""
        state, packed = self._state, self._packed
        for level, option in enumerate(path):
            known = 0 <= option < len(packed.first) and level + 1 < packed.depth
            if not known or packed.first[option] != self._levels.position[level]:
                raise foreign_token()
            cell, pattern = int(packed.first[option]), int(packed.pattern[option])
            lacking = state[kernel.LACKING]
            room, owed = self._copies.room.copy(), self._copies.owed.copy()
            self.advance(1)
            fit = self._levels.allowed[level] & self._strip.legal[cell]
            for number, table in enumerate(packed.tables):
                fit &= table[int(self._levels.window[level]) >> (8 * number) & 255]
            word, bit = pattern >> 6, 1 << (pattern & 63)
            if not int(fit[word]) & bit:
                raise foreign_token()
            before = sum(int(each).bit_count() for each in fit[:word])
            self._levels.tried[level] = before + (int(fit[word]) & (bit - 1)).bit_count()
            self._levels.fit[level] = fit
            self._levels.fit[level, :word] = 0
            self._levels.fit[level, word] = int(fit[word]) & ~(bit - 1)
            state[kernel.LEVEL], state[kernel.FRESH], state[kernel.LACKING] = level, 0, lacking
            self._copies.room[:], self._copies.owed[:] = room, owed
            self.advance(0)
        state[kernel.NODES] = state[kernel.FOUND] = 0


_pack = cached_by_identity(_Packed)
