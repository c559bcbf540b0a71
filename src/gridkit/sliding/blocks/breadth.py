"""The compiled tier of the sliding-block search: kernels driven in chunks."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from gridkit.sliding.blocks.packing import WORD, Packing
from gridkit.sliding.blocks.tables import Tables, tables_of

__all__ = ["CompiledSearch", "Space"]

# Numbers that the kernels share with this module (see `kernels.search_breadth`).
_METRIC = {"step": 0, "slide": 1, "move": 2}
NEVER, FIRST, LAYER = 0, 1, 2
EXHAUSTED, FOUND, ROOM, PAUSED = 1, 2, 3, 4
_HEAD, _TAIL, _DEPTH, _GOAL, _METRIC_AT, _STOP, _WIDEST, _PAUSE = 0, 1, 3, 4, 5, 6, 7, 8
_STATE_SIZE, _REACH_ROWS = 9, 7

_FIRST_SLOTS = 1 << 13
_SMALL_SLOTS = 1 << 14
_FIRST_LAYERS = 1 << 8
# Children that are collected before they are searched for, beyond those of one state.
_BATCH = 64
_FAR = 1 << 30

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]
NO_LABELS = np.empty(0, dtype=np.int32)


class Space:
    """States reached from some first ones, layer by layer."""

    def __init__(
        self, tables: Tables, metric: str, first: Sequence[int], stop: int, *, pause: bool = False
    ) -> None:
        self.tables = tables
        self.state = state = np.zeros(_STATE_SIZE, dtype=np.int64)
        widest = tables.widest_step if metric == "step" else tables.widest_move
        self._out = tables.empty_keys(widest + _BATCH)
        self._ends = np.zeros(_BATCH, dtype=np.int64)
        slots = _FIRST_SLOTS
        while slots < 4 * (len(self._out) + len(first)):
            slots *= 2
        self.keys = tables.empty_keys(slots)
        self.table = np.zeros(slots, dtype=np.int32)
        self.layers = np.zeros(_FIRST_LAYERS, dtype=np.int64)
        self.keys[: len(first)] = tables.pack(first)
        self._rehash(len(first))
        state[_TAIL] = len(first)
        state[_DEPTH] = state[_GOAL] = -1
        state[_METRIC_AT] = _METRIC[metric]
        state[_STOP] = stop
        state[_WIDEST] = widest
        state[_PAUSE] = 0 if pause else -2

    @property
    def kernels(self) -> ModuleType:
        """The kernels that read the states."""
        return self.tables.kernels

    @property
    def size(self) -> int:
        """Number of states reached."""
        return int(self.state[_TAIL])

    @property
    def expanded(self) -> int:
        """Number of states expanded."""
        return int(self.state[_HEAD])

    @property
    def depth(self) -> int:
        """Number of the layer that is being expanded."""
        return int(self.state[_DEPTH])

    @property
    def goal(self) -> int:
        """Number of the first goal state that was reached, or -1."""
        return int(self.state[_GOAL])

    @property
    def nbytes(self) -> int:
        """Bytes held by the states' arrays."""
        return self.keys.nbytes + self.table.nbytes + self.layers.nbytes

    def states(self) -> U64:
        """Return the keys of the states, in the order they were reached."""
        return self.keys[: self.size]

    def advance(self, budget: int) -> int:
        """Expand states until the budget is spent or something else than room is needed."""
        begun = self.expanded
        with np.errstate(over="ignore"):
            while True:
                status = self.kernels.advance(
                    self.state, self.keys, self.table, self.layers, self.tables.arrays, self._out,
                    self._ends, budget - (self.expanded - begun),
                )  # fmt: skip
                if status != ROOM:
                    return int(status)
                self._grow()

    def pause_after(self, depth: int) -> None:
        """Let `advance` stop when all layers up to `depth` are expanded."""
        self.state[_PAUSE] = depth

    def _grow(self) -> None:
        if self.depth + 4 >= len(self.layers):
            self.layers.resize(2 * len(self.layers), refcheck=False)
        needed = self.size + len(self._out)
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
            self.kernels.rehash(self.keys, size, self.table, bits)

    def close_layers(self) -> None:
        """Write the end of the last layer that was reached."""
        self.layers[self.depth + 2] = self.size

    def link(self, cursor: I64, offsets: I64, targets: I32, budget: int) -> tuple[bool, I32]:
        """List the neighbours of more states; return whether all are done, and the list."""
        with np.errstate(over="ignore"):
            while True:
                status = self.kernels.link(
                    cursor, self.state[_METRIC_AT], self.keys, self.table, self.size, offsets,
                    targets, self.tables.arrays, self._out, self._ends,
                    budget,
                )  # fmt: skip
                if status != ROOM:
                    return bool(status == EXHAUSTED), targets
                more = len(targets) // 2 + 4 * len(self._out)
                targets = np.concatenate([targets, np.empty(more, dtype=np.int32)])

    def goal_flags(self) -> NDArray[np.uint8]:
        """Return 1 for each goal state, 0 for the others."""
        flags = np.empty(self.size, dtype=np.uint8)
        self.kernels.flag_goals(self.keys, self.size, self.tables.goal, flags)
        return flags

    def trace(
        self, key: U64, layer: int, metric: str, metrics: Sequence[str], label: int, labels: I32
    ) -> list[tuple[int, int]]:
        """Return the moves from the first layer to a state, and write the state they start from.

        The moves are those of the state itself or of its mirror image, as is the state written
        over `key`.
        """
        work = np.zeros((_REACH_ROWS, self.tables.placements + 1), dtype=np.int64)
        path = np.zeros((layer + 1, 3), dtype=np.int32)
        with np.errstate(over="ignore"):
            self.kernels.trace(
                key.reshape(-1, *self.keys.shape[1:]), layer, label, _METRIC[metric],
                _METRIC[metrics[0]], _METRIC[metrics[-1]], self.keys, self.table, self.layers,
                labels, self.tables.arrays, self.tables.empty_keys(1), work, path,
            )  # fmt: skip
        return [(before, after) for before, after, used in path.tolist() if used][::-1]


def key_of(words: U64) -> int:
    """Return the key that an array of words holds."""
    return sum(word << (WORD * part) for part, word in enumerate(words.tolist()))


class CompiledSearch:
    """Search for a shortest way from the start to the goal; see `gridkit.run.control.Resumable`.

    Takes what `gridkit.sliding.blocks.plain.PlainSearch` takes.
    """

    def __init__(self, packing: Packing, metrics: tuple[str, ...], *, wide: bool = False) -> None:
        self.metrics = metrics
        self.moves: list[tuple[int, int]] | None = None
        self.tables = tables_of(packing, wide=wide)
        stop = FIRST if len(metrics) == 1 else LAYER
        self.space = Space(self.tables, metrics[0], [self.tables.canonical(packing.start)], stop)
        self._labels: I32 | None = None
        self._cursor = np.zeros(3, dtype=np.int64)
        self._work = np.zeros((_REACH_ROWS, self.tables.placements + 1), dtype=np.int64)

    @property
    def nodes(self) -> int:
        """States expanded so far, and gone through again for the second metric."""
        return self.space.expanded + int(self._cursor[0])

    @property
    def found(self) -> int:
        """States reached so far."""
        return self.space.size

    def fraction(self) -> float:
        """Return the part of the known states that is expanded."""
        return self.space.expanded / (self.space.size + 1)

    def memory(self) -> int:
        """Return the bytes held by the states' arrays."""
        return self.space.nbytes + (0 if self._labels is None else self._labels.nbytes)

    def value(self) -> None:
        """Return what is known of the plan: nothing before the end."""

    def token(self) -> None:
        """The call that drives the search says how it continues."""

    def advance(self, budget: int) -> bool:
        """Expand at most about `budget` states; return whether the answer is known."""
        if self._labels is not None:
            return self._relax(budget)
        status = self.space.advance(budget)
        if status == EXHAUSTED:
            return True
        if status != FOUND:
            return False
        if len(self.metrics) == 2:
            self.space.close_layers()
            self._labels = np.full(self.space.size, _FAR, dtype=np.int32)
            self._labels[0] = 0
            self._cursor[2] = self.space.depth + 1
            return False
        self.moves = self._trace(self.space.goal, self.metrics[0], NO_LABELS)
        return True

    @property
    def _composite(self) -> str:
        """What one move is when two metrics are weighed."""
        return "move" if "move" in self.metrics else "slide"

    def _relax(self, budget: int) -> bool:
        assert self._labels is not None
        space = self.space
        with np.errstate(over="ignore"):
            status = space.kernels.relax(
                self._cursor, _METRIC[self._composite], *map(_METRIC.__getitem__, self.metrics),
                space.keys, space.table, space.layers, self._labels, self.tables.arrays,
                self.tables.empty_keys(1), self._work, budget,
            )  # fmt: skip
        if status != EXHAUSTED:
            return False
        first, last = space.layers[space.depth + 1], space.layers[space.depth + 2]
        goal = space.kernels.best_goal(first, last, space.keys, self._labels, self.tables.goal)
        self.moves = self._trace(goal, self._composite, self._labels)
        return True

    def _trace(self, goal: int, metric: str, labels: I32) -> list[tuple[int, int]]:
        """Return the moves from the start to a goal state."""
        space, packing, mirror = self.space, self.tables.packing, self.tables.mirror
        key = np.atleast_1d(space.keys[goal]).copy()
        label = int(labels[goal]) if len(labels) else 0
        moves = space.trace(key, space.depth + 1, metric, self.metrics, label, labels)
        if key_of(key) != packing.key(packing.start):
            assert mirror is not None
            moves = [(mirror[before], mirror[after]) for before, after in moves]
        return moves
