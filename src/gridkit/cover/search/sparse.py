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
        option_at = np.zeros(options + 1, np.uint32)
        option_at[1:] = ends
        self.entries = entries = len(column)
        option_of = np.repeat(np.arange(options, dtype=np.uint32), sizes)
        alive = self.usable[option_of]
        order = np.argsort(2 * column.astype(np.int64) + ~alive, kind="stable")
        self.members = order.astype(np.uint32)
        self.place_of = np.zeros(entries, np.uint32)
        self.place_of[order] = np.arange(entries, dtype=np.uint32)
        item_at = np.searchsorted(column[order], np.arange(items + 2)).astype(np.uint32)
        self.problem = kernel.Problem(option_at, column, color, option_of, item_at)
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
        self._items = kernel.Items(
            members=packed.members.copy(),
            place_of=packed.place_of.copy(),
            size=packed.size.copy(),
            settled=np.zeros(len(packed.size), np.uint8),
            demanding=packed.demanding.copy(),
            need=packed.need.copy(),
            room=packed.room.copy(),
            trail=np.zeros(options + 2 * len(packed.size) + packed.entries + 2, np.uint64),
        )
        self._levels = kernel.Levels(
            stack=np.zeros(options + 1, np.int32),
            first=np.zeros(depth, np.int64),
            stop=np.zeros(depth, np.int64),
            cursor=np.zeros(depth, np.int64),
            spare=np.zeros(depth, np.int64),
            mark=np.zeros(depth, np.int64),
            chosen=np.zeros(depth, np.int32),
        )
        self._kept = np.zeros((rows, depth), np.int32)
        self._state = np.zeros(kernel.STATE_WORDS, np.int64)
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
        problem, stop = self._packed.problem, self.nodes + budget
        while True:
            status = kernel.advance(
                self._state, stop - self.nodes, problem, self._items, self._levels, self._kept
            )
            if status != kernel.STACK_FULL:
                return status == kernel.DONE
            stack = self._levels.stack
            self._levels = self._levels._replace(stack=np.concatenate([stack, stack]))

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
        before = self._levels.cursor[:level] - self._levels.first[:level] - 1
        ways = self._levels.stop[:level] - self._levels.first[:level] - self._levels.spare[:level]
        forks = ways > 1
        return fraction_of(zip(before[forks].tolist(), ways[forks].tolist(), strict=True))

    def memory(self) -> int:
        """Bytes held."""
        return bytes_held(self, self._packed)

    def _hide(self, option: int) -> None:
        kernel.hide(np.uint64(option), self._state, self._packed.problem, self._items)

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
                kernel.take(np.uint64(option), self._state, packed.problem, self._items)
            events = self._items.trail[before : self._state[kernel.TRAIL]]
            usable[(events[events & np.uint64(3) == 0] >> np.uint64(2)).astype(np.intp)] = False

    def _replay(self, path: Sequence[int]) -> None:
        """Go down a path: branch as the search would, then skip the siblings before the path."""
        state, packed = self._state, self._packed
        for level, option in enumerate(path):
            if level + 1 >= packed.depth:
                raise foreign_token()
            self.advance(1)
            first, stop = (
                int(self._levels.first[level]),
                int(self._levels.stop[level] - self._levels.spare[level]),
            )
            at = first + int(np.searchsorted(self._levels.stack[first:stop], option))
            if state[kernel.LEVEL] <= level or at >= stop or self._levels.stack[at] != option:
                raise foreign_token()
            kernel.undo(int(self._levels.mark[level]), state, packed.problem, self._items)
            if not packed.plain:
                for earlier in self._levels.stack[first : max(first, at - 1)].tolist():
                    self._hide(earlier)
            self._levels.mark[level] = state[kernel.TRAIL]
            self._levels.cursor[level] = at
            state[kernel.LEVEL], state[kernel.FRESH] = level, 0
            state[kernel.STACK] = self._levels.stop[level]
            self.advance(0)
        state[kernel.NODES] = state[kernel.FOUND] = state[kernel.KEPT] = 0


_pack = cached_by_identity(_Packed)
