"""The sparse engine: any exact-cover problem, in memory linear in the matrix."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gridkit.cover.matrix import Matrix
from gridkit.cover.search.arrays import bytes_held, finished_rows, flat_entries, rows_as_tuples
from gridkit.cover.search.engine import Engine, cached_by_identity, foreign_token, fraction_of
from gridkit.cover.search.kernels import sparse as kernel
from gridkit.errors import InputError, UnsupportedError

__all__ = ["SparseSearch"]

_KEEP_ROWS, _KEEP_ENTRIES = 4096, 1 << 20


class _Packed:
    """A problem's arrays as a search begins."""

    def __init__(self, matrix: Matrix) -> None:
        if matrix.amounts is not None:
            raise UnsupportedError("method 'sparse' takes options that hold an item once")
        self.plain = matrix.plain
        items, options = matrix.items, len(matrix.options)
        sizes, column = flat_entries(matrix.options)
        ends = np.cumsum(sizes)
        # An option whose first item is secondary has no other.
        self.usable = np.zeros(options, np.bool_)
        filled = np.flatnonzero(sizes)
        self.usable[filled] = column[(ends - sizes)[filled]] < matrix.primary
        barred = np.flatnonzero(np.array(matrix.high) == 0)
        self.usable[np.repeat(np.arange(options), sizes)[np.isin(column, barred)]] = False
        color = np.zeros(len(column), np.uint32)
        if matrix.colors is not None:
            color = flat_entries(matrix.colors)[1]
        if not self.plain:
            # One more item holds all options, where they may be added when nothing is demanded.
            column = np.insert(column, ends, items)
            color = np.insert(color, ends, 0)
            sizes += 1
            ends = np.cumsum(sizes)
        self.item_of, self.color_of = column, color
        self.option_at = np.zeros(options + 1, np.uint32)
        self.option_at[1:] = ends
        entries = len(column)
        self.option_of = np.repeat(np.arange(options, dtype=np.uint32), sizes)
        alive = self.usable[self.option_of]
        order = np.argsort(2 * column.astype(np.int64) + ~alive, kind="stable")
        self.members = order.astype(np.uint32)
        self.place_of = np.zeros(entries, np.uint32)
        self.place_of[order] = np.arange(entries, dtype=np.uint32)
        self.item_at = np.searchsorted(column[order], np.arange(items + 2)).astype(np.uint32)
        self.size = np.bincount(column[alive], minlength=items + 1).astype(np.uint32)
        self.need = np.ones(items + 1, np.int64)
        self.room = np.ones(items + 1, np.int64)
        self.need[: matrix.primary] = matrix.low
        self.need[matrix.primary :] = 0
        self.room[: matrix.primary] = matrix.high
        self.universe = -1 if self.plain else items
        demanding = np.zeros(64 * (items // 64 + 1), np.bool_)
        demanding[: items + 1] = self.need > 0
        self.demanding = np.packbits(demanding, bitorder="little").view("<u8").astype(np.uint64)
        self.depth = (int((self.need > 0).sum()) if self.plain else options) + 2


class SparseSearch(Engine):
    """Depth-first search of one subtree, as `PlainSearch`, compiled.

    Notes
    -----
    Memory: about 40 bytes for each entry of the matrix.
    """

    def __init__(
        self,
        matrix: Matrix,
        prefix: Sequence[int] = (),
        path: Sequence[int] = (),
        *,
        keep: bool = False,
    ) -> None:
        self._packed = packed = _pack(matrix)
        self._prefix_options = [choice for choice in prefix if choice >= 0]
        depth, options = packed.depth, len(matrix.options)
        rows = max(1, min(_KEEP_ROWS, _KEEP_ENTRIES // depth)) if keep else 0
        self._members = packed.members.copy()
        self._place_of = packed.place_of.copy()
        self._size = packed.size.copy()
        self._settled = np.zeros(len(packed.size), np.uint8)
        self._need, self._room = packed.need.copy(), packed.room.copy()
        self._demanding = packed.demanding.copy()
        self._trail = np.zeros(options + 2 * len(packed.size) + len(packed.item_of) + 2, np.uint64)
        self._stack = np.zeros(options + 1, np.int32)
        self._first, self._stop, self._cursor, self._spare, self._mark = (
            np.zeros(depth, np.int64) for _ in range(5)
        )
        self._chosen = np.zeros(depth, np.int32)
        self._kept = np.zeros((rows, depth), np.int32)
        self._state = np.zeros(10, np.int64)
        self._state[kernel.PLAIN] = packed.plain
        self._state[kernel.UNIVERSE] = packed.universe
        self._state[kernel.FRESH] = 1
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
        rows = len(self._kept)
        self._state[kernel.CAPACITY] = rows if most is None else min(most, rows)
        packed, stop = self._packed, self.nodes + budget
        while True:
            status = kernel.advance(
                self._state, stop - self.nodes, packed.option_at, packed.item_of,
                packed.color_of, packed.option_of, packed.item_at, self._members, self._place_of,
                self._size, self._settled, self._trail, self._demanding, self._need, self._room,
                self._stack, self._first, self._stop, self._cursor, self._spare, self._mark,
                self._chosen, self._kept,
            )  # fmt: skip
            if status != 2:
                return bool(status)
            self._stack = np.concatenate([self._stack, np.zeros_like(self._stack)])

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
        return tuple(self._chosen[: max(0, int(self._state[kernel.LEVEL]))].tolist())

    def fraction(self) -> float:
        """Estimate the part done."""
        level = max(0, int(self._state[kernel.LEVEL]))
        before = self._cursor[:level] - self._first[:level] - 1
        ways = self._stop[:level] - self._first[:level] - self._spare[:level]
        forks = ways > 1
        return fraction_of(zip(before[forks].tolist(), ways[forks].tolist(), strict=True))

    def memory(self) -> int:
        """Bytes held."""
        return bytes_held(self, self._packed)

    def _hide(self, option: int) -> None:
        packed = self._packed
        kernel.hide(
            np.uint64(option), self._state, packed.option_at, packed.item_of, packed.item_at,
            self._members, self._place_of, self._size, self._settled, self._trail,
        )  # fmt: skip

    def _root(self, prefix: Sequence[int]) -> None:
        packed = self._packed
        usable = packed.usable.copy()
        for choice in prefix:
            option = choice if choice >= 0 else ~choice
            if option >= len(usable) or not usable[option]:
                raise InputError(f"option {option} cannot be part of this subtree")
            before = int(self._state[kernel.TRAIL])
            if choice < 0:
                self._hide(option)
            else:
                kernel.take(
                    np.uint64(option), self._state, packed.option_at, packed.item_of,
                    packed.color_of, packed.option_of, packed.item_at, self._members,
                    self._place_of, self._size, self._settled, self._trail, self._demanding,
                    self._need, self._room,
                )  # fmt: skip
            events = self._trail[before : self._state[kernel.TRAIL]]
            usable[(events[events & np.uint64(3) == 0] >> np.uint64(2)).astype(np.intp)] = False

    def _replay(self, path: Sequence[int]) -> None:
        """Go down a path: branch as the search would, then skip the siblings before the path."""
        state, packed = self._state, self._packed
        for level, option in enumerate(path):
            if level + 1 >= packed.depth:
                raise foreign_token()
            self.advance(1)
            first, stop = int(self._first[level]), int(self._stop[level] - self._spare[level])
            at = first + int(np.searchsorted(self._stack[first:stop], option))
            if state[kernel.LEVEL] <= level or at >= stop or self._stack[at] != option:
                raise foreign_token()
            kernel.undo(
                int(self._mark[level]), state, packed.option_at, packed.item_of, self._size,
                self._settled, self._trail, self._demanding, self._need, self._room,
            )  # fmt: skip
            if not packed.plain:
                for earlier in self._stack[first : max(first, at - 1)].tolist():
                    self._hide(earlier)
            self._mark[level] = state[kernel.TRAIL]
            self._cursor[level] = at
            state[kernel.LEVEL], state[kernel.FRESH] = level, 0
            state[kernel.STACK] = self._stop[level]
            self.advance(0)
        state[kernel.NODES] = state[kernel.FOUND] = state[kernel.KEPT] = 0


_pack = cached_by_identity(_Packed)
