"""The compiled tier of the sliding-block search: arrays in, kernels driven in chunks, moves out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridkit.sliding.kernels import search as kernels
from gridkit.sliding.packing import WORD, Packing

__all__ = ["CompiledSearch", "Space", "Tables", "fits"]

_METRIC = {"step": kernels.STEP, "slide": kernels.SLIDE, "move": kernels.MOVE}
_FIRST_SLOTS = 1 << 13
_FIRST_LAYERS = 1 << 8
# Children that are collected before they are searched for, beyond those of one state.
_BATCH = 64
_FAR = 1 << 30

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]


def fits(packing: Packing) -> bool:
    """Return whether states fit one word, with a spare bit for the wall."""
    return packing.bits <= WORD and packing.free.bit_count() < WORD


class Tables:
    """A packing as the arrays that kernels read."""

    def __init__(self, packing: Packing, *, mirror: bool = True) -> None:
        wall, mask = 1 << (WORD - 1), packing.mask
        if packing.rows * packing.cols >= WORD:
            squeeze = _squeezer(packing.free)
            mask = [squeeze(cells) for cells in mask]
        count = len(mask)
        self.mirror = packing.mirror if mirror else None
        image = self.mirror or range(count)
        word = packing.word
        self.cells = np.array([*mask, wall], dtype=np.uint64)
        self.word = np.array([*word, 0], dtype=np.uint64)
        self.image = np.array([*(word[pid] for pid in image), 0], dtype=np.uint64)
        padded = [*mask, 0]  # placement -1 is the wall, which no border includes
        border = [
            (padded[right] | padded[left] | padded[up] | padded[down]) & ~own
            for (right, left, up, down), own in zip(packing.near, mask, strict=True)
        ]
        self.border = np.array([*border, 0], dtype=np.uint64)
        near = np.array([*packing.near, (-1, -1, -1, -1)], dtype=np.int64).ravel()
        near[near < 0] = count
        self.near = near.view(np.uint64)
        fields, codes, fixed = [], [], wall
        rows: dict[int, tuple[int, int]] = {}
        for own in packing.fields:
            full = (1 << own.bits) - 1
            rows.update(
                (pid, (full << own.shift, value << own.shift)) for value, pid in enumerate(own.pids)
            )
            if own.bits:
                fields.append((own.shift, full, len(codes)))
                codes += [pid if pid >= 0 else count for pid in own.pids]
                codes += [count] * (full + 1 - len(own.pids))
            else:
                fixed |= mask[own.pids[0]]  # a block that cannot move
        bits, bitmap = [count] * (WORD + 1), 0
        for bit, pid in packing.bitmap:
            bits[bit], rows[pid] = pid, (1 << bit, 1 << bit)
            bitmap |= 1 << bit
        bits[WORD] = bitmap
        self.fields = np.array(fields, dtype=np.uint64).reshape(-1, 3)
        self.codes = np.array(codes, dtype=np.uint64)
        self.bits = np.array(bits, dtype=np.uint64)
        self.goal = np.array(
            [
                (*rows[pid], number)
                for number, condition in enumerate(packing.goal)
                for pid in condition
            ],
            dtype=np.uint64,
        )
        blocks = len(packing.start)
        self.pids = np.zeros(blocks + count + 3, dtype=np.uint64)
        self.pids[-2] = fixed
        self.stamps = np.zeros(count + 1, dtype=np.uint64)
        self.placements = count
        self.widest_move = sum(len(kind.pids) * len(kind.blocks) for kind in packing.kinds)
        self.widest_step = 4 * blocks
        self.packing = packing

    @property
    def geometry(self) -> tuple[U64, U64, U64, U64]:
        """What `reach` and its callers need of the placements."""
        return self.cells, self.word, self.image, self.near

    @property
    def reading(self) -> tuple[U64, U64, U64, U64]:
        """How keys are read."""
        return self.fields, self.codes, self.bits, self.pids

    def canonical(self, pids: list[int]) -> int:
        """Return the smaller one of a state's key and its mirror image's."""
        key = self.packing.key(pids)
        if self.mirror is None:
            return key
        return min(key, self.packing.key(self.mirror[pid] for pid in pids))


def _squeezer(free: int):  # type: ignore[no-untyped-def]  # int -> int
    """Return a function that drops the bits of walls from a mask."""
    position, rest = {}, free
    while rest:
        low = rest & -rest
        rest ^= low
        position[low] = 1 << len(position)

    def squeeze(mask: int) -> int:
        result = 0
        while mask:
            low = mask & -mask
            mask ^= low
            result |= position[low]
        return result

    return squeeze


class Space:
    """States reached from some first ones, layer by layer."""

    def __init__(self, tables: Tables, metric: str, first: list[int], stop: int) -> None:
        self.tables = tables
        self.state = np.zeros(kernels.STATE_SIZE, dtype=np.int64)
        widest = tables.widest_step if metric == "step" else tables.widest_move
        self._out = np.empty(widest + _BATCH, dtype=np.uint64)
        slots = _FIRST_SLOTS
        while slots < 4 * (len(self._out) + len(first)):
            slots *= 2
        self.keys = np.empty(slots, dtype=np.uint64)
        self.table = np.zeros(slots, dtype=np.int32)
        self.layers = np.zeros(_FIRST_LAYERS, dtype=np.int64)
        self.keys[: len(first)] = first
        kernels.rehash(self.keys, len(first), self.table, slots.bit_length() - 1)
        state = self.state
        state[kernels.TAIL] = len(first)
        state[kernels.DEPTH] = state[kernels.GOAL] = -1
        state[kernels.METRIC] = _METRIC[metric]
        state[kernels.STOP] = stop
        state[kernels.WIDEST] = widest
        state[kernels.PAUSE] = -2

    @property
    def size(self) -> int:
        """Number of states reached."""
        return int(self.state[kernels.TAIL])

    @property
    def expanded(self) -> int:
        """Number of states expanded."""
        return int(self.state[kernels.HEAD])

    @property
    def depth(self) -> int:
        """Number of the layer that is being expanded."""
        return int(self.state[kernels.DEPTH])

    @property
    def nbytes(self) -> int:
        """Bytes held by the states' arrays."""
        return self.keys.nbytes + self.table.nbytes + self.layers.nbytes

    def advance(self, budget: int) -> int:
        """Expand states until the budget is spent or something else than room is needed."""
        tables, begun = self.tables, self.expanded
        with np.errstate(over="ignore"):
            while True:
                status = kernels.advance(
                    self.state, self.keys, self.table, self.layers,
                    tables.cells, tables.word, tables.image, tables.border, tables.near,
                    tables.fields, tables.codes, tables.bits, tables.goal, tables.pids,
                    tables.stamps, self._out, budget - (self.expanded - begun),
                )  # fmt: skip
                if status != kernels.ROOM:
                    return int(status)
                self._grow()

    def _grow(self) -> None:
        if self.depth + 4 >= len(self.layers):
            self.layers.resize(2 * len(self.layers), refcheck=False)
        if self.size + len(self._out) > len(self.table) // 4 * 3:
            slots = 2 * len(self.table)
            self.table = np.zeros(0, dtype=np.int32)  # the old one goes before the new one comes
            self.table = np.zeros(slots, dtype=np.int32)
            kernels.rehash(self.keys, self.size, self.table, slots.bit_length() - 1)
        if self.size + len(self._out) > len(self.keys):
            self.keys.resize(len(self.keys) * 3 // 2, refcheck=False)

    def close_layers(self) -> None:
        """Write the end of the last layer that was reached."""
        self.layers[self.depth + 2] = self.size


class CompiledSearch:
    """Search for a shortest way from the start to the goal; see `gridkit.run.control.Resumable`.

    Takes what `gridkit.sliding.plain.PlainSearch` takes.
    """

    def __init__(self, packing: Packing, metrics: tuple[str, ...]) -> None:
        self.metrics = metrics
        self.moves: list[tuple[int, int]] | None = None
        self.tables = Tables(packing)
        stop = kernels.FIRST if len(metrics) == 1 else kernels.LAYER
        first = [self.tables.canonical(packing.start)]
        self.space = Space(self.tables, metrics[0], first, stop)
        self._labels: I32 | None = None
        self._cursor = np.zeros(3, dtype=np.int64)
        count = self.tables.placements
        self._work = np.zeros((kernels.REACH_ROWS, count + 1), dtype=np.int64)

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
        """A search that was cut short begins anew."""

    def advance(self, budget: int) -> bool:
        """Expand at most about `budget` states; return whether the answer is known."""
        if self._labels is not None:
            return self._relax(budget)
        status = self.space.advance(budget)
        if status == kernels.EXHAUSTED:
            return True
        if status != kernels.FOUND:
            return False
        if len(self.metrics) == 2:
            self.space.close_layers()
            self._labels = np.full(self.space.size, _FAR, dtype=np.int32)
            self._labels[0] = 0
            self._cursor[2] = self.space.depth + 1
            return False
        goal = int(self.space.state[kernels.GOAL])
        self.moves = self._trace(goal, np.empty(0, dtype=np.int32), self.metrics[0])
        return True

    @property
    def _composite(self) -> str:
        """What one move is when two metrics are weighed."""
        return "move" if "move" in self.metrics else "slide"

    def _relax(self, budget: int) -> bool:
        assert self._labels is not None
        space, tables = self.space, self.tables
        with np.errstate(over="ignore"):
            status = kernels.relax(
                self._cursor, _METRIC[self._composite], *map(_METRIC.__getitem__, self.metrics),
                space.keys, space.table, space.layers, self._labels,
                *tables.geometry, *tables.reading, self._work, budget,
            )  # fmt: skip
        if status != kernels.EXHAUSTED:
            return False
        last = self._cursor[2]
        goal = kernels.best_goal(
            space.layers[last], space.layers[last + 1], space.keys, self._labels, tables.goal
        )
        self.moves = self._trace(goal, self._labels, self._composite)
        return True

    def _trace(self, goal: int, labels: I32, metric: str) -> list[tuple[int, int]]:
        """Return the moves from the start to a goal state."""
        space, tables = self.space, self.tables
        layer = space.depth + 1
        path = np.zeros((layer + 1, 3), dtype=np.int32)
        with np.errstate(over="ignore"):
            key = kernels.trace(
                space.keys[goal], layer, labels[goal] if len(labels) else 0, _METRIC[metric],
                _METRIC[self.metrics[0]], _METRIC[self.metrics[-1]],
                space.keys, space.table, space.layers, labels,
                *tables.geometry, *tables.reading, self._work, path,
            )  # fmt: skip
        moves = [(before, after) for before, after, used in path.tolist() if used][::-1]
        if int(key) != tables.packing.key(tables.packing.start):
            assert tables.mirror is not None
            moves = [(tables.mirror[before], tables.mirror[after]) for before, after in moves]
        return moves
