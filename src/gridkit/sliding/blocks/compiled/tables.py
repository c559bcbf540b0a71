"""A packing as the arrays that kernels read: of one word, or of any number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from gridkit.sliding.blocks.kernels.groups import SCRATCH_ROWS, LongPacked, Packed
from gridkit.sliding.blocks.packing import WORD, Packing
from gridkit.sliding.blocks.rules import BlockMetric

__all__ = ["NarrowTables", "Tables", "WideTables", "tables_of"]

U64 = NDArray[np.uint64]


def tables_of(packing: Packing, *, mirror: bool = True, wide: bool = False) -> Tables:
    """Return the arrays of a packing; `mirror` lets mirror images be merged."""
    if wide or not packing.fits_one_word:
        return WideTables(packing, mirror=mirror)
    return NarrowTables(packing, mirror=mirror)


class Tables:
    """What both layouts share.

    Attributes
    ----------
    packed : Packed or LongPacked
        What the kernels take.
    goal : uint64 array
        Conditions of the goal.
    words : int
        Words of a key.
    """

    packed: Packed | LongPacked
    goal: U64
    words: int

    def __init__(self, packing: Packing, *, mirror: bool) -> None:
        self.packing = packing
        self.mirror = packing.mirror if mirror else None
        self.placements = len(packing.mask)

    def widest(self, metric: BlockMetric) -> int:
        """Return how many children a state has at most."""
        packing = self.packing
        most = {"step": 4, "slide": packing.rows + packing.cols, "move": self.placements}[metric]
        return sum(min(most, len(kind.pids)) * len(kind.blocks) for kind in packing.kinds)

    def canonical(self, pids: Sequence[int]) -> int:
        """Return the smaller one of a state's key and its mirror image's."""
        key = self.packing.key(pids)
        if self.mirror is None:
            return key
        return min(key, self.packing.key(self.mirror[pid] for pid in pids))

    def empty_keys(self, count: int) -> U64:
        """Return room for keys."""
        raise NotImplementedError

    def pack(self, keys: Sequence[int]) -> U64:
        """Return keys as the kernels keep them."""
        raise NotImplementedError

    def _images(self) -> list[int]:
        word = self.packing.word
        return word if self.mirror is None else [word[pid] for pid in self.mirror]

    def _fields(self, nothing: int) -> tuple[list[tuple[int, int, int, int]], list[int]]:
        """Return (shift, mask, offset into the codes, word) of each field, and the codes."""
        fields: list[tuple[int, int, int, int]] = []
        codes: list[int] = []
        for own in self.packing.fields:
            if own.bits:  # a block that cannot move takes no bits
                full = (1 << own.bits) - 1
                fields.append((own.shift % WORD, full, len(codes), own.shift // WORD))
                codes += [pid if pid >= 0 else nothing for pid in own.pids]
                codes += [nothing] * (full + 1 - len(own.pids))
        return fields, codes

    def _fixed(self, mask: Sequence[int]) -> int:
        """Return the cells of the blocks that cannot move."""
        fixed = 0
        for own in self.packing.fields:
            if own.bits == 0 and own.pids[0] >= 0:
                fixed |= mask[own.pids[0]]
        return fixed

    def _conditions(self) -> list[tuple[int, int, int, int, int]]:
        """Return the rows of the goal, see `kernels.keys`."""
        rows = []
        for number, (need, pairs) in enumerate(self.packing.goal_rows()):
            for mask, value in pairs:
                word = ((mask & -mask).bit_length() - 1) // WORD if mask else 0
                shift = WORD * word
                rows.append((mask >> shift, value >> shift, number, need, word))
            if len(pairs) < need:
                # What nothing meets: no bits, and yet a one among them.
                rows.append((0, 1, number, need, 0))
        return rows


class NarrowTables(Tables):
    """States of one word, boards of at most 63 open cells; the last placement is the wall."""

    packed: Packed

    def __init__(self, packing: Packing, *, mirror: bool) -> None:
        super().__init__(packing, mirror=mirror)
        self.words = 1
        self.squeeze: Callable[[int], int] = int  # what cells become on large boards
        wall, mask, count = 1 << (WORD - 1), packing.mask, self.placements
        if packing.rows * packing.cols >= WORD:
            self.squeeze = _squeezer(packing.free)
            mask = list(map(self.squeeze, mask))
        padded = [*mask, 0]  # placement -1 adds nothing to a border
        border = [
            (padded[right] | padded[left] | padded[up] | padded[down]) & ~own
            for (right, left, up, down), own in zip(packing.near, mask, strict=True)
        ]
        near = np.array([*packing.near, (-1, -1, -1, -1)], dtype=np.int64).ravel()
        near[near < 0] = count
        fields, codes = self._fields(count)
        bits, bitmap = [count] * (WORD + 1), 0
        for bit, pid in packing.bitmap:
            bits[bit] = pid
            bitmap |= 1 << bit
        bits[WORD] = bitmap
        pids = np.zeros(len(packing.start) + count + 3, dtype=np.uint64)
        pids[-2] = wall | self._fixed(mask)
        cells, word, image, border_words, code_words, bit_words = (
            np.array(values, dtype=np.uint64)
            for values in (
                [*mask, wall],
                [*packing.word, 0],
                [*self._images(), 0],
                [*border, 0],
                codes,
                bits,
            )
        )
        rows = [field[:3] for field in fields]
        reading = (np.array(rows, dtype=np.uint64).reshape(-1, 3), code_words, bit_words)
        near_words = near.view(np.uint64)
        self.goal = np.array(self._conditions(), dtype=np.uint64)
        stamps = np.zeros(count + 1, dtype=np.uint64)
        scratch = np.zeros((SCRATCH_ROWS, 1), dtype=np.uint64)
        self.packed = Packed(
            cells, word, image, near_words, *reading, self.goal, pids, stamps, scratch,
            border_words,
        )  # fmt: skip

    def empty_keys(self, count: int) -> U64:
        """Return room for keys."""
        return np.empty(count, dtype=np.uint64)

    def pack(self, keys: Sequence[int]) -> U64:
        """Return keys as the kernels keep them."""
        return np.array(keys, dtype=np.uint64)


class WideTables(Tables):
    """States of any number of words, boards of any size; the last placement is the wall."""

    def __init__(self, packing: Packing, *, mirror: bool) -> None:
        super().__init__(packing, mirror=mirror)
        self.words = max(1, -(-packing.bits // WORD))
        count, size = self.placements, packing.rows * packing.cols
        parts = size // WORD + 1
        wall = 1 << (parts * WORD - 1)
        near = np.array([*packing.near, (-1, -1, -1, -1)], dtype=np.int64).ravel()
        near[near < 0] = count
        fields, codes = self._fields(-1)
        bits, bitmap = [-1] * (self.words * WORD), 0
        for bit, pid in packing.bitmap:
            bits[bit] = pid
            bitmap |= 1 << bit
        self.goal = np.array(self._conditions(), dtype=np.uint64)
        stamps = np.zeros(count + 2, dtype=np.int64)
        geometry = (
            _split([*packing.mask, wall], parts),
            _split([*packing.word, 0], self.words),
            _split([*self._images(), 0], self.words),
            near,
        )
        reading = (
            np.array(fields, dtype=np.uint64).reshape(-1, 4),
            np.array(codes, dtype=np.int64),
            np.array(bits, dtype=np.int64),
        )
        always = (
            _split([bitmap], self.words)[0],
            _split([wall | self._fixed(packing.mask)], parts)[0],
        )
        pids = np.zeros(len(packing.start) + count + 1, dtype=np.int64)
        scratch = np.zeros((SCRATCH_ROWS, max(parts, self.words)), dtype=np.uint64)
        self.packed = LongPacked(*geometry, *reading, self.goal, pids, stamps, scratch, *always)

    def empty_keys(self, count: int) -> U64:
        """Return room for keys."""
        return np.empty((count, self.words), dtype=np.uint64)

    def pack(self, keys: Sequence[int]) -> U64:
        """Return keys as the kernels keep them."""
        return _split(keys, self.words)


def _split(values: Sequence[int], words: int) -> U64:
    """Write ints as rows of words, lowest first."""
    data = b"".join(value.to_bytes(8 * words, "little") for value in values)
    return np.frombuffer(data, dtype="<u8").astype(np.uint64).reshape(len(values), words)


def _squeezer(free: int) -> Callable[[int], int]:
    """Return a function that drops the bits of walls from a mask."""
    position: dict[int, int] = {}
    rest = free
    while rest:
        low = rest & -rest
        rest ^= low
        position[low] = 1 << len(position)
    return partial(_squeezed, position)


def _squeezed(position: dict[int, int], mask: int) -> int:
    result = 0
    while mask:
        low = mask & -mask
        mask ^= low
        result |= position[low]
    return result
