"""States of a frontier and their numbers of ways, moved over the cells by compiled kernels.

States are kept in a hash table while few occur, in an array over all subsets of the slots once
they fill it.  Two tables that come from either end meet in an inner product.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridkit.cover.frontier.memory import MemoryGuard
from gridkit.cover.frontier.plain import moves
from gridkit.cover.frontier.sweep import Sweep, paced
from gridkit.run import Run, Work

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# numpy and the kernels are imported inside functions: small boards are counted without them.

__all__ = ["StateTable", "SweepArrays", "inner_product"]

_LOCAL = 10  # slots that a step on an array may touch
_MOST_MOVES = 120  # moves of a step on an array: sums of so many words do not overflow
_NARROW = 12  # so many slots or fewer: an array at once
_FEW = 1 << 9  # states that a hash table serves as well
_DENSE = 28  # an array pays when one state in so many occurs


class SweepArrays:
    """A sweep as the arrays that the kernels read.

    Attributes
    ----------
    bits, closed : uint64 arrays over steps
        Slot of the settled cell; that and the slots first used by the step.
    starts : int64 array over steps, and one more
        First move of each step.
    masks, fields, fulls, units : uint64 arrays over moves; overflows : int8
        As in `gridkit.cover.frontier.plain.moves`.
    extents : int64 array over steps
        Number of the lowest slots that hold all those in use before and after the step.
    dense : bool
        Whether the steps suit an array over all subsets of the slots.
    """

    def __init__(self, sweep: Sweep, run: Run) -> None:
        import numpy as np

        self.sweep = sweep
        bits, closed, extents, starts = [], [], [], [0]
        masks: list[int] = []
        active = widest = most = 0
        for step in paced(sweep.steps, run):
            union = 0
            for mask, _, _ in step.choices:
                union |= mask
                masks.append(mask)
            if step.optional:
                masks.append(0)
            most = max(most, len(masks) - starts[-1])
            starts.append(len(masks))
            widest = max(widest, (union | step.bit).bit_count())
            before, active = active, (active & ~step.bit) | union
            bits.append(step.bit)
            closed.append(step.bit | (union & ~before))
            extents.append((before | active).bit_length())
        self.bits = np.array(bits, np.uint64)
        self.closed = np.array(closed, np.uint64)
        self.starts = np.array(starts, np.int64)
        self.masks = np.array(masks, np.uint64)
        self.extents = np.array(extents, np.int64)
        self.dense = widest <= _LOCAL and most < _MOST_MOVES and not sweep.counters
        self.fields = np.zeros(len(masks), np.uint64)
        self.fulls = np.ones(len(masks), np.uint64)  # never equal to no bits
        self.units = np.zeros(len(masks), np.uint64)
        self.overflows = np.full(len(masks), -1, np.int8)
        if sweep.counters:
            for place, step in enumerate(paced(sweep.steps, run)):
                for move, (_, field, full, unit, overflow) in enumerate(moves(step, sweep)):
                    if field or unit:
                        index = starts[place] + move
                        self.fields[index], self.fulls[index] = field, full
                        self.units[index], self.overflows[index] = unit, overflow


class StateTable(Work):
    """A sweep in compiled kernels, from one end of the cells to a stop, as work in chunks.

    Parameters
    ----------
    plan : SweepArrays
        The sweep.
    begin, stop : int
        Steps between which to sweep; backwards, with transposed steps, when stop is less.
    guard : MemoryGuard
        Asked before memory is taken.
    states : (keys, words), optional
        States to begin with and their numbers of ways; the empty frontier, once, when left out.
    """

    def __init__(
        self,
        plan: SweepArrays,
        begin: int,
        stop: int,
        guard: MemoryGuard,
        *,
        states: tuple[NDArray[np.uint64], NDArray[np.uint64]] | None = None,
    ) -> None:
        import numpy as np

        self.plan = plan
        self.stop = stop
        self.forward = begin <= stop
        self._guard = guard
        self._control = np.zeros(8, np.int64)
        self._control[0] = begin
        self._dense_nodes = 0
        self.ways: NDArray[np.uint64] | None = None
        keys, words = states or (np.zeros(1, np.uint64), np.ones((1, 1), np.uint64))
        if plan.dense and plan.sweep.width <= _NARROW:
            self._fill(keys, words)
            return
        most_moves = int(np.diff(plan.starts).max(initial=0))
        self._reserve(max(1 << 10, 2 * most_moves + 2, len(keys)), words.shape[1])
        self._keys[0, : len(keys)], self._words[0, : len(keys)] = keys, words
        self._control[3] = len(keys)
        self._control[5] = int(words[:, -1].max(initial=0))

    @property
    def step(self) -> int:
        """Cells settled so far, counted from the first one."""
        return int(self._control[0])

    @property
    def nodes(self) -> int:
        """States moved so far."""
        return self._dense_nodes + int(self._control[3 if self.ways is not None else 7])

    @property
    def count(self) -> int:
        """Number of states held now (an upper bound for an array)."""
        return int(self._control[3]) if self.ways is None else self.ways.shape[1]

    def memory(self) -> int:
        """Bytes held."""
        if self.ways is not None:
            return self.ways.nbytes
        return self._keys.nbytes + self._words.nbytes + self._table.nbytes

    def advance(self, budget: int, stop: int | None = None) -> bool:
        """Move about `budget` states; return whether the stop (or an earlier one) is reached."""
        from gridkit.cover.frontier.kernels import sparse as kernels
        from gridkit.cover.frontier.kernels.dense import advance_dense

        plan = self.plan
        final = self.stop if stop is None else stop
        while self._control[0] != final:
            control = self._control
            nodes = self.nodes
            if self.ways is not None:
                control[1] = final
                status = advance_dense(
                    control, budget, self.forward, plan.bits, plan.closed, plan.starts,
                    plan.masks, plan.extents, self.ways,
                )  # fmt: skip
            else:
                control[1] = final if not plan.dense else control[0] + (1 if self.forward else -1)
                status = kernels.advance_sparse(
                    control, budget, self.forward, plan.bits, plan.closed, plan.starts, plan.masks,
                    plan.fields, plan.fulls, plan.units, plan.overflows, self._keys, self._words,
                    self._table,
                )  # fmt: skip
            budget -= self.nodes - nodes
            if status == kernels.WIDEN:
                self._widen(kernels.RADIX)
            elif status == kernels.GROW:
                self._grow()
            elif status == kernels.BUDGET:
                return False
            elif self.ways is None and plan.dense and self._crowded():
                keys, words = self.sparse()
                self._fill(keys, words)
        return True

    def sparse(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """Return the states held and, row by row, the words of their numbers of ways."""
        if self.ways is not None:
            import numpy as np

            keys = np.flatnonzero(self.ways.any(axis=0))
            return keys.astype(np.uint64), np.ascontiguousarray(self.ways[:, keys].T)
        count, turn = int(self._control[3]), int(self._control[6])
        return self._keys[turn, :count], self._words[turn, :count]

    def numbers(self) -> list[tuple[int, int]]:
        """Return the states held and their numbers of ways as plain integers."""
        from gridkit.cover.frontier.kernels.sparse import RADIX

        keys, words = self.sparse()
        ways = [0] * len(keys)
        for limb in reversed(range(words.shape[1])):
            column = words[:, limb].tolist()
            ways = [(high << RADIX) + low for high, low in zip(ways, column, strict=True)]
        return list(zip(keys.tolist(), ways, strict=True))

    def ways_of_empty(self) -> int:
        """Return the number of ways to reach the empty frontier."""
        from gridkit.cover.frontier.kernels.sparse import RADIX

        if self.ways is not None:
            words = self.ways[:, 0]
        else:
            keys, rows = self.sparse()
            words = rows[keys == 0].sum(axis=0, dtype=rows.dtype)
        return sum(int(word) << (RADIX * place) for place, word in enumerate(words))

    def _crowded(self) -> bool:
        """Whether the states fill enough of an array over the slots in use."""
        states = int(self._control[3])
        near = self._control[0] - (1 if self.forward else 0)
        if not 0 <= near < len(self.plan.extents):
            return False
        limbs = self._words.shape[2]
        size = 8 * limbs << self.plan.sweep.width
        return (
            states > _FEW
            and _DENSE * states > 1 << int(self.plan.extents[near])
            and _DENSE * states > 1 << (self.plan.sweep.width - 3)
            and size <= self._guard.allowed
        )

    def _fill(self, keys: NDArray[np.uint64], words: NDArray[np.uint64]) -> None:
        """Go over to an array."""
        import numpy as np

        limbs = words.shape[1]
        width = self.plan.sweep.width
        self._guard.check(8 * limbs << width, 1 << width)
        ways = np.zeros((limbs, 1 << width), np.uint64)
        ways[:, keys.astype(np.int64)] = words.T
        self._dense_nodes = int(self._control[7])
        self._control[2:] = 0
        self._control[4] = int(words[:, -1].max(initial=0))
        self.ways = ways
        self._free()

    def _free(self) -> None:
        import numpy as np

        self._keys = np.zeros((2, 0), np.uint64)
        self._words = np.zeros((2, 0, 1), np.uint64)
        self._table = np.zeros(0, np.int32)

    def _reserve(self, capacity: int, limbs: int) -> None:
        import numpy as np

        places = 4
        while places < 2 * capacity:
            places *= 2
        self._guard.check(2 * capacity * (8 + 8 * limbs) + 4 * places, capacity)
        self._keys = np.empty((2, capacity), np.uint64)
        self._words = np.empty((2, capacity, limbs), np.uint64)
        self._table = np.empty(places, np.int32)

    def _copy_states(self, capacity: int, limbs: int) -> None:
        """Move the old states, in the same words, to new buffers; the step begins anew."""
        old_keys, old_words = self.sparse()
        self._guard.check(self.memory() + 16 * capacity * (1 + limbs), capacity)
        self._reserve(capacity, limbs)
        count, turn = len(old_keys), int(self._control[6])
        self._keys[turn, :count] = old_keys
        self._words[turn, :count, : old_words.shape[1]] = old_words
        self._words[turn, :count, old_words.shape[1] :] = 0
        self._control[2] = self._control[4] = 0

    def _grow(self) -> None:
        capacity, limbs = self._words.shape[1:]
        self._copy_states(capacity * (4 if capacity < 1 << 20 else 2), limbs)

    def _widen(self, radix: int) -> None:
        """Give every number one more word."""
        import numpy as np

        shift, word = np.uint64(radix), np.uint64((1 << radix) - 1)
        if self.ways is not None:
            limbs, size = self.ways.shape
            self._guard.check((2 * limbs + 1) * size * 8, size)
            ways = np.empty((limbs + 1, size), np.uint64)
            ways[:limbs] = self.ways
            ways[limbs] = ways[limbs - 1] >> shift
            ways[limbs - 1] &= word
            self.ways = ways
            self._control[4] >>= radix
            return
        capacity, limbs = self._words.shape[1:]
        self._copy_states(capacity, limbs + 1)
        words = self._words[int(self._control[6]), : self._control[3]]
        words[:, limbs] = words[:, limbs - 1] >> shift
        words[:, limbs - 1] &= word
        self._control[5] >>= radix


def inner_product(front: StateTable, back: StateTable) -> int:
    """Return the sum over all states of the ways to reach it times the ways to go on from it."""
    import numpy as np

    from gridkit.cover.frontier.kernels.sparse import RADIX, dot

    if front.ways is not None and back.ways is not None:
        left, right = front.ways, back.ways
    elif front.ways is not None or back.ways is not None:
        full, table = (front, back) if front.ways is not None else (back, front)
        keys, words = table.sparse()
        assert full.ways is not None
        left = np.ascontiguousarray(full.ways[:, keys.astype(np.int64)])
        right = np.ascontiguousarray(words.T)
    else:
        (keys, words), (back_keys, back_words) = front.sparse(), back.sparse()
        _, here, there = np.intersect1d(keys, back_keys, assume_unique=True, return_indices=True)
        left = np.ascontiguousarray(words[here].T)
        right = np.ascontiguousarray(back_words[there].T)
    sums = np.zeros((len(left), len(right), 2, 2, 2), np.uint64)
    dot(left, right, sums)
    total = 0
    for (a, b, half_a, half_b, upper), value in np.ndenumerate(sums):
        total += int(value) << (RADIX * (a + b) + 32 * (half_a + half_b + upper))
    return total
