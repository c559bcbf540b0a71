"""Breadth-first search of sliding blocks in compiled code: kernels driven in chunks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridkit.sliding.blocks.breadth import Slides
from gridkit.sliding.blocks.compiled.tables import NarrowTables, Tables
from gridkit.sliding.blocks.kernels import breadth, keys, ways, ways_word
from gridkit.sliding.blocks.kernels.breadth import (
    DEPTH,
    GOAL,
    HEAD,
    METRIC,
    PAUSE,
    STATE_SIZE,
    STOP,
    TAIL,
    WIDEST,
)
from gridkit.sliding.blocks.kernels.codes import EXHAUSTED, FOUND, LAYER, ROOM
from gridkit.sliding.blocks.kernels.groups import (
    CURSOR_SIZE,
    LAST_LAYER,
    NUMBER,
    REACH_ROWS,
    Children,
    LongChildren,
    LongReach,
    LongStates,
    Reach,
    States,
)
from gridkit.sliding.blocks.packing import WORD
from gridkit.sliding.blocks.plain import unit_of
from gridkit.sliding.blocks.rules import METRICS, BlockMetric, Snapshot

__all__ = ["Space"]

_FIRST_SLOTS = 1 << 13
_SMALL_SLOTS = 1 << 14
_FIRST_LAYERS = 1 << 8
# Children that are collected before they are searched for, beyond those of one state.
_BATCH = 64
_FAR = 1 << 30

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]
_NO_LABELS = np.empty(0, dtype=np.int32)


class _Kernels(NamedTuple):
    """The kernels, and the groups of arrays that they take, for keys of one word or of more."""

    advance: Callable[..., int]
    link: Callable[..., int]
    relax: Callable[..., int]
    trace: Callable[..., int]
    rehash: Callable[..., None]
    meet: Callable[..., int]
    best_goal: Callable[..., int]
    flag_goals: Callable[..., None]
    states: Callable[..., States | LongStates]
    children: Callable[..., Children | LongChildren]
    reach: Callable[..., Reach | LongReach]


_NARROW = _Kernels(
    breadth.advance_word, breadth.link_word, ways_word.relax_word, ways.trace_word,
    keys.rehash_word, keys.meet_word, keys.best_goal_word, keys.flag_goals_word, States, Children,
    Reach,
)  # fmt: skip
_WIDE = _Kernels(
    breadth.advance_words, breadth.link_words, ways.relax_words, ways.trace_words,
    keys.rehash_words, keys.meet_words, keys.best_goal_words, keys.flag_goals_words, LongStates,
    LongChildren, LongReach,
)  # fmt: skip


class Space:
    """States reached from a first one, layer by layer (a `LayeredSpace`).

    Takes what `gridkit.sliding.blocks.breadth.PlainSpace` takes, with the arrays of a packing.
    """

    def __init__(
        self,
        tables: Tables,
        metrics: tuple[BlockMetric, ...],
        first: Sequence[int],
        stop: int,
        *,
        pause: bool = False,
    ) -> None:
        self.tables = tables
        self._metrics = metrics
        self.state = state = np.zeros(STATE_SIZE, dtype=np.int64)
        widest = tables.widest(metrics[0])
        self._kernels = _NARROW if isinstance(tables, NarrowTables) else _WIDE
        self._children = self._kernels.children(
            tables.empty_keys(widest + _BATCH), np.zeros(_BATCH, dtype=np.int64)
        )
        slots = _FIRST_SLOTS
        while slots < 4 * (len(self._children.out) + 1):
            slots *= 2
        self.keys = tables.empty_keys(slots)
        self.table = np.zeros(slots, dtype=np.int32)
        self.layers = np.zeros(_FIRST_LAYERS, dtype=np.int64)
        self.keys[:1] = tables.pack([tables.canonical(first)])
        self._rehash(1)
        state[TAIL] = 1
        state[DEPTH] = state[GOAL] = -1
        state[METRIC] = METRICS.index(metrics[0])
        state[STOP] = stop
        state[WIDEST] = widest
        state[PAUSE] = 0 if pause else -2
        self._labels = _NO_LABELS
        self._cursor = np.zeros(CURSOR_SIZE, dtype=np.int64)
        self._units = np.array(
            [METRICS.index(own) for own in (unit_of(metrics), metrics[0], metrics[-1])]
        )
        self._room = self._kernels.reach(
            tables.empty_keys(1), np.zeros((REACH_ROWS, tables.placements + 1), dtype=np.int64)
        )

    def _states(self) -> States | LongStates:
        return self._kernels.states(self.keys, self.table, self.layers)

    @property
    def size(self) -> int:
        """Number of states reached."""
        return int(self.state[TAIL])

    @property
    def expanded(self) -> int:
        """Number of states expanded."""
        return int(self.state[HEAD])

    @property
    def relaxed(self) -> int:
        """Number of states that `relax` has passed."""
        return int(self._cursor[NUMBER])

    @property
    def depth(self) -> int:
        """Number of the layer that is being expanded."""
        return int(self.state[DEPTH])

    @property
    def goal(self) -> int:
        """Number of the goal state that was reached first, or -1."""
        return int(self.state[GOAL])

    @property
    def nbytes(self) -> int:
        """Bytes held by the states' arrays."""
        arrays = (self.keys, self.table, self.layers, self._labels, self._children.out)
        return sum(array.nbytes for array in arrays)

    def snapshot(self) -> Snapshot:
        """Return the states as plain data."""
        return self.state, self.keys, self.table, self.layers, self._labels, self._cursor

    def restore(self, data: Snapshot) -> None:
        """Go on from a snapshot."""
        self.state, self.keys, self.table, self.layers, self._labels, self._cursor = data

    def states(self) -> U64:
        """Return the keys of the states, in the order they were reached."""
        return self.keys[: self.size]

    def key_at(self, number: int) -> int:
        """Return the key of a state."""
        return _key_of(np.atleast_1d(self.keys[number]))

    def advance(self, budget: int) -> int:
        """Expand at most `budget` states; return why it stopped."""
        begun = self.expanded
        with np.errstate(over="ignore"):
            while True:
                status = self._kernels.advance(
                    self.state, self._states(), self.tables.packed, self._children,
                    budget - (self.expanded - begun),
                )  # fmt: skip
                if status != ROOM:
                    break
                self._grow()
        if status == FOUND and self.state[STOP] == LAYER and len(self._labels) == 0:
            self.layers[self.depth + 2] = self.size
            self._labels = np.full(self.size, _FAR, dtype=np.int32)
            self._labels[0] = 0
            self._cursor[LAST_LAYER] = self.depth + 1
        return int(status)

    def pause_after(self, depth: int) -> None:
        """Let `advance` stop when all layers up to `depth` are expanded."""
        self.state[PAUSE] = depth

    def meeting(self, across: Space) -> int | None:
        """Return the key of the first state of the last layer that another space knows, if any."""
        with np.errstate(over="ignore"):
            number = self._kernels.meet(
                self.keys, self.expanded, self.size, across.keys, across.table
            )
        return None if number < 0 else self.key_at(number)

    def _grow(self) -> None:
        if self.depth + 4 >= len(self.layers):
            self.layers.resize(2 * len(self.layers), refcheck=False)
        needed = self.size + len(self._children.out)
        if needed > len(self.table) // 4 * 3:
            # Small tables grow faster: filling them anew is what costs time.
            slots = len(self.table) * (4 if len(self.table) < _SMALL_SLOTS else 2)
            self.table = np.zeros(0, dtype=np.int32)  # the old one goes before the new one comes
            self.table = np.zeros(slots, dtype=np.int32)
            self._rehash(self.size)
        if needed > len(self.keys):
            shape = (len(self.keys) * 3 // 2, *self.keys.shape[1:])
            self.keys.resize(shape, refcheck=False)

    def _rehash(self, size: int) -> None:
        with np.errstate(over="ignore"):
            bits = len(self.table).bit_length() - 1
            self._kernels.rehash(self.keys, size, self.table, bits)

    def link(self, cursor: I64, offsets: I64, targets: I32, budget: int) -> tuple[bool, I32]:
        """List the neighbours of more states; return whether all are done, and the list."""
        with np.errstate(over="ignore"):
            while True:
                status = self._kernels.link(
                    cursor, self.state, self._states(), offsets, targets, self.tables.packed,
                    self._children, budget,
                )  # fmt: skip
                if status != ROOM:
                    return bool(status == EXHAUSTED), targets
                more = len(targets) // 2 + 4 * len(self._children.out)
                targets = np.concatenate([targets, np.empty(more, dtype=np.int32)])

    def goal_flags(self) -> NDArray[np.uint8]:
        """Return 1 for each goal state, 0 for the others."""
        flags = np.empty(self.size, dtype=np.uint8)
        self._kernels.flag_goals(self.keys, self.size, self.tables.goal, flags)
        return flags

    def relax(self, budget: int) -> bool:
        """Find the least second length of more states; return whether all are done."""
        with np.errstate(over="ignore"):
            status = self._kernels.relax(
                self._cursor, self._units, self._states(), self._labels, self.tables.packed,
                self._room, budget,
            )  # fmt: skip
        return bool(status == EXHAUSTED)

    def best_goal(self) -> int:
        """Return the number of the goal state with the least second length."""
        first, last = self.layers[self.depth + 1], self.layers[self.depth + 2]
        return int(self._kernels.best_goal(first, last, self.keys, self._labels, self.tables.goal))

    def way(self, key: int) -> tuple[Slides, int]:
        """Return the moves from a first state to one of the last layer, and the first one's key."""
        layer = self.depth + 1
        words = self.tables.pack([key])
        path = np.zeros((layer, 2), dtype=np.int32)
        with np.errstate(over="ignore"):
            length = self._kernels.trace(
                words, layer, self._units, self._states(), self._labels, self.tables.packed,
                self._room, path,
            )  # fmt: skip
        assert length >= 0
        moves = [(before, after) for before, after in path[:length].tolist()]
        return moves[::-1], _key_of(words[0])


def _key_of(words: U64) -> int:
    """Return the key that an array of words holds."""
    return sum(word << (WORD * part) for part, word in enumerate(np.atleast_1d(words).tolist()))
