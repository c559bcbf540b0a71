"""The bitset engine: sets of options in machine words, for up to some thousand options."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gridkit.cover.matrix import Matrix
from gridkit.cover.search.arrays import bytes_held, finished_rows, flat_entries, rows_as_tuples
from gridkit.cover.search.engine import Engine, cached_by_identity, foreign_token, fraction_of
from gridkit.cover.search.kernels import bitset as kernel
from gridkit.errors import InputError, UnsupportedError

__all__ = ["BitsetSearch", "packed_bits"]

_NONE = np.uint32(kernel.NO_COLUMN)
_FIRST_ROWS, _KEEP_ROWS, _KEEP_ENTRIES = 16, 4096, 1 << 20

Words = NDArray[np.uint64]


class _Packed:
    """A problem's arrays, shared by all searches of it."""

    def __init__(self, matrix: Matrix) -> None:
        if not matrix.plain:
            raise UnsupportedError(
                "method 'bitset' takes items covered at most once, and options with an item "
                "that must be covered"
            )
        options = len(matrix.options)
        sizes, column = flat_entries(matrix.options)
        at = np.zeros(options + 1, np.uint32)
        at[1:] = np.cumsum(sizes)
        rows = np.repeat(np.arange(options, dtype=np.int64), sizes)
        exception, kinds = _exceptions(matrix, column)
        self.columns = matrix.items + kinds
        words = max(1, (options + 63) // 64)
        self.words = 4 if 1 < words < 4 else words  # as the kernel's layouts
        item_words = max(1, (matrix.primary + 63) // 64)
        items = np.zeros((max(1, options), item_words), np.uint64)
        is_primary = column < matrix.primary
        _set_bits(items, rows[is_primary], column[is_primary])
        self.options = kernel.Options(at, column, exception, items)
        self.bits = np.zeros((self.columns, self.words), np.uint64)
        _set_bits(self.bits, column, rows)
        if kinds:
            painted = exception != _NONE
            _set_bits(self.bits, exception[painted], rows[painted])
        demanded = np.array([i for i in range(matrix.primary) if matrix.low[i]], np.int64)
        # A solution has no more options than fit when each covers as little as any does.
        is_demanded = np.zeros(matrix.items + 1, np.bool_)
        is_demanded[demanded] = True
        least = np.bincount(rows[is_demanded[column]], minlength=options)
        least = least[least > 0]
        self.longest = len(demanded) // int(least.min()) if len(least) else 0
        self.depth = self.longest + 2
        self.open = np.zeros((1, item_words), np.uint64)
        _set_bits(self.open, np.zeros_like(demanded), demanded)
        self.live = np.zeros((1, self.words), np.uint64)
        usable = np.flatnonzero(items.any(axis=1))
        _set_bits(self.live, np.zeros_like(usable), usable)
        for item in range(matrix.primary):
            if matrix.high[item] == 0:
                self.live[0] &= ~self.bits[item]


class BitsetSearch(Engine):
    """Depth-first search of one subtree, as `PlainSearch`, compiled.

    Notes
    -----
    Memory: about options * columns / 4 bytes for the layouts, and depth * options / 8 for the
    levels.
    """

    def __init__(
        self,
        matrix: Matrix,
        prefix: Sequence[int] = (),
        path: Sequence[int] = (),
        *,
        keep: bool = False,
    ) -> None:
        self._packed = packed = packed_bits(matrix)
        self._prefix_options = [choice for choice in prefix if choice >= 0]
        depth, words = packed.depth, packed.words
        # A layout has at most three quarters of the words of the one it was made from.
        layouts = 3 + int(math.log(words, 4 / 3))
        self._most_rows = max(1, min(_KEEP_ROWS, _KEEP_ENTRIES // depth)) if keep else 0
        self._state = np.zeros(kernel.STATE_WORDS, np.int64)
        self._state[kernel.COLUMNS] = packed.columns
        self._layouts = kernel.Layouts(
            options=np.zeros((layouts, max(1, len(matrix.options))), np.uint32),
            bits=np.zeros(4 * packed.columns * words + packed.columns, np.uint64),
            at=np.zeros(layouts, np.uint64),
            width=np.zeros(layouts, np.uint64),
        )
        self._layouts.options[0] = np.arange(self._layouts.options.shape[1])
        self._layouts.bits[: packed.bits.size] = packed.bits.ravel()
        self._layouts.width[0] = words
        self._levels = kernel.Levels(
            live=np.zeros((depth, words), np.uint64),
            open_items=np.zeros((depth, packed.open.shape[1]), np.uint64),
            layout=np.zeros(depth, np.uint64),
            branch=np.zeros(depth, np.uint64),
            word=np.zeros(depth, np.uint64),
            rest=np.zeros(depth, np.uint64),
            chosen=np.zeros(depth, np.int32),
            width=np.zeros(depth, np.int64),
            tried=np.zeros(depth, np.int64),
            visits=np.zeros(depth, np.int64),
            worth=np.zeros(depth, np.int64),
        )
        # Solutions wait in few rows at first: making thousands takes longer than a small search.
        self._kept = np.zeros((min(_FIRST_ROWS, self._most_rows), packed.longest), np.int32)
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

    def advance(self, budget: int, most: int | None = None) -> bool:
        """Visit up to `budget` nodes, or until `most` solutions are kept; True at the end."""
        rows = self._most_rows if most is None else min(most, self._most_rows)
        if rows > len(self._kept) and not self._state[kernel.KEPT]:
            self._kept = np.zeros((rows, self._packed.longest), np.int32)
        self._state[kernel.CAPACITY] = min(rows, len(self._kept))
        options, layouts, levels = self._packed.options, self._layouts, self._levels
        done = kernel.advance(self._state, budget, options, layouts, levels, self._kept)
        return bool(done)

    def take(self) -> list[tuple[int, ...]]:
        """Return the solutions kept since the last call, each in increasing order."""
        return rows_as_tuples(self.take_array())

    def take_array(self) -> NDArray[np.int32]:
        """Return the same as rows, filled up with -1."""
        rows = self._kept[: self._state[kernel.KEPT]]
        self._state[kernel.KEPT] = 0
        return finished_rows(rows, self._prefix_options)

    def path(self) -> tuple[int, ...]:
        """Return the option chosen at each level below the prefix."""
        return tuple(self._levels.chosen[: max(0, int(self._state[kernel.LEVEL]))].tolist())

    def fraction(self) -> float:
        """Estimate the part done."""
        level = max(0, int(self._state[kernel.LEVEL]))
        forks = np.flatnonzero(self._levels.width[:level] > 1)
        before = (self._levels.tried[forks] - 1).tolist()
        return fraction_of(zip(before, self._levels.width[forks].tolist(), strict=True))

    def memory(self) -> int:
        """Bytes held."""
        return bytes_held(self, self._packed)

    def _root(self, prefix: Sequence[int]) -> None:
        packed, (at, column, exception, items) = self._packed, self._packed.options
        live, open_items = packed.live[0].copy(), packed.open[0].copy()
        for choice in prefix:
            option = choice if choice >= 0 else ~choice
            bit = np.uint64(1 << (option & 63))
            if option >= len(items) or not live[option >> 6] & bit:
                raise InputError(f"option {option} cannot be part of this subtree")
            live[option >> 6] &= ~bit
            if choice >= 0:
                for entry in range(at[option], at[option + 1]):
                    ruled_out = packed.bits[column[entry]]
                    if len(exception) and exception[entry] != _NONE:
                        ruled_out = ruled_out & ~packed.bits[exception[entry]]
                    live &= ~ruled_out
                open_items &= ~items[option]
        self._levels.live[0], self._levels.open_items[0] = live, open_items
        self._state[kernel.FRESH] = 1

    def _replay(self, path: Sequence[int]) -> None:
        """Go down a path: branch as the search would, then skip the siblings before the path."""
        state = self._state
        for level, option in enumerate(path):
            if level + 1 >= len(self._levels.live):
                raise foreign_token()
            self.advance(1)
            layout = int(self._levels.layout[level])
            width = int(self._layouts.width[layout])
            start = int(self._layouts.at[layout]) + int(self._levels.branch[level]) * width
            ways = self._levels.live[level, :width] & self._layouts.bits[start : start + width]
            places = _places(ways)
            options = self._layouts.options[layout, places]
            before = int(np.searchsorted(options, option))
            if state[kernel.LEVEL] <= level or option not in options[before : before + 1]:
                raise foreign_token()
            word, bit = divmod(int(places[before]), 64)
            self._levels.word[level] = word
            self._levels.rest[level] = int(ways[word]) >> bit << bit
            self._levels.tried[level] = before
            state[kernel.LEVEL], state[kernel.FRESH] = level, 0
            self.advance(0)
        state[kernel.NODES] = state[kernel.FOUND] = state[kernel.KEPT] = 0


def _exceptions(matrix: Matrix, column: NDArray[np.uint32]) -> tuple[NDArray[np.uint32], int]:
    """Number the coloured items; return each entry's number (or none) and how many there are.

    Where there is no colour at all, the numbers are left out.
    """
    if matrix.colors is None:
        return np.zeros(0, np.uint32), 0
    exceptions = np.full(len(column), _NONE, np.uint32)
    color = flat_entries(matrix.colors)[1].astype(np.int64)
    painted = np.flatnonzero(color)
    kinds = column[painted].astype(np.int64) * (int(color.max(initial=0)) + 1) + color[painted]
    distinct, number = np.unique(kinds, return_inverse=True)
    exceptions[painted] = matrix.items + number
    return exceptions, len(distinct)


def _places(words: Words) -> NDArray[np.intp]:
    """Return the places of the bits set."""
    each = (words[:, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
    return np.flatnonzero(each)


def _set_bits(table: Words, row: NDArray[np.integer], place: NDArray[np.integer]) -> None:
    bits = np.uint64(1) << (place & 63).astype(np.uint64)
    np.bitwise_or.at(table, (row, place >> 6), bits)


packed_bits = cached_by_identity(_Packed)
