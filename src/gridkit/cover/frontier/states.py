"""States of a frontier and their numbers of ways, moved over the cells by compiled kernels.

States are kept in a hash table while few occur, in an array over all subsets of the slots once
they fill it.  Two tables that come from either end meet in an inner product.
"""

# This module is imported inside functions only: small boards are counted without numpy and numba.

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridkit.cover.frontier.kernels import dense, sparse
from gridkit.cover.frontier.kernels.steps import BUDGET, GROW, RADIX, WIDEN, Copies, Steps
from gridkit.cover.frontier.memory import MemoryGuard
from gridkit.cover.frontier.plain import moves
from gridkit.cover.frontier.sweep import Sweep, paced
from gridkit.run import Run, Work

__all__ = ["StateTable", "SweepArrays", "inner_product", "joined"]

_LOCAL = 10  # slots that a step on an array may touch
_MOST_MOVES = 120  # moves of a step on an array: sums of so many words do not overflow
_NARROW = 12  # so many slots or fewer: an array at once
_FEW = 1 << 9  # states that a hash table serves as well
_DENSE = 28  # an array pays when one state in so many occurs


class SweepArrays:
    """A sweep as the arrays that the kernels read.

    Attributes
    ----------
    sweep : Sweep
    steps : Steps
    copies : Copies
    most_moves : int
        The most moves of a step.
    suits_array : bool
        Whether the steps suit an array over all subsets of the slots.
    """

    def __init__(self, sweep: Sweep, run: Run) -> None:
        self.sweep = sweep
        bits, closed, extents, starts = [], [], [], [0]
        masks: list[int] = []
        active = widest = most_moves = 0
        for step in paced(sweep.steps, run):
            union = 0
            for mask, _, _ in step.choices:
                union |= mask
                masks.append(mask)
            if step.optional:
                masks.append(0)
            most_moves = max(most_moves, len(masks) - starts[-1])
            starts.append(len(masks))
            widest = max(widest, (union | step.bit).bit_count())
            before, active = active, (active & ~step.bit) | union
            bits.append(step.bit)
            closed.append(step.bit | (union & ~before))
            extents.append((before | active).bit_length())
        self.steps = Steps(
            np.array(bits, np.uint64),
            np.array(closed, np.uint64),
            np.array(starts, np.int64),
            np.array(extents, np.int64),
            np.array(masks, np.uint64),
        )
        self.most_moves = most_moves
        self.suits_array = widest <= _LOCAL and most_moves < _MOST_MOVES and not sweep.counters
        self._widest = widest
        self._space: dense.Workspace | None = None
        fulls = np.ones(len(masks), np.uint64)  # never equal to no bits
        fields, units = np.zeros_like(fulls), np.zeros_like(fulls)
        overflows = np.full(len(masks), -1, np.int8)
        if sweep.counters:
            for place, step in enumerate(paced(sweep.steps, run)):
                for move, (_, field, full, unit, overflow) in enumerate(moves(step, sweep)):
                    if field or unit:
                        index = starts[place] + move
                        fields[index], fulls[index] = field, full
                        units[index], overflows[index] = unit, overflow
        self.copies = Copies(fields, fulls, units, overflows)

    def workspace(self, limbs: int) -> dense.Workspace:
        """Return memory for steps on an array of numbers of so many words, the same each time."""
        if self._space is None or self._space.blocks.shape[1] != limbs:
            settings = 1 << max(self._widest, dense.GROUP_SLOTS)
            block = settings << dense.LANES
            wiring = dense.Wiring(
                np.empty((dense.GROUP, settings), np.uint64),
                np.empty(dense.GROUP, np.int64),
                np.empty((dense.GROUP, settings + 1), np.int64),
                np.empty((dense.GROUP, settings * (self.most_moves + 1)), np.int64),
            )
            self._space = dense.Workspace(
                wiring,
                np.empty(64, np.uint64),
                np.empty(self.most_moves + 1, np.uint64),
                np.empty(block, np.uint64),
                np.empty(dense.FACTS, np.int64),
                np.empty((2, limbs, block), np.uint64),
            )
        return self._space


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
    crowded : bool
        Whether the states are expected to fill an array, which then is used from the beginning.
    """

    def __init__(
        self,
        plan: SweepArrays,
        begin: int,
        stop: int,
        guard: MemoryGuard,
        *,
        states: tuple[NDArray[np.uint64], NDArray[np.uint64]] | None = None,
        crowded: bool = False,
    ) -> None:
        self.plan = plan
        self.stop = stop
        self.step = begin
        self.forward = begin <= stop
        self.ways: NDArray[np.uint64] | None = None
        self._guard = guard
        self._earlier_nodes = 0  # in the table, before the array
        keys, words = states or (np.zeros(1, np.uint64), np.ones((1, 1), np.uint64))
        width = plan.sweep.width
        at_once = width <= _NARROW or (crowded and 8 << width <= guard.allowed)
        if plan.suits_array and at_once:
            self._fill(keys, words)
        else:
            self._list(keys, words)

    @property
    def nodes(self) -> int:
        """States moved so far."""
        visits = sparse.VISITS if self.ways is None else dense.VISITED
        return self._earlier_nodes + int(self._control[visits])

    def memory(self) -> int:
        """Bytes held."""
        if self.ways is not None:
            return self.ways.nbytes + self.plan.workspace(len(self.ways)).blocks.nbytes
        return sum(array.nbytes for array in self._table)

    def advance(self, budget: int, stop: int | None = None) -> bool:
        """Move about `budget` states; return whether the stop (or an earlier one) is reached."""
        plan = self.plan
        final = self.stop if stop is None else stop
        while self.step != final:
            nodes, control = self.nodes, self._control
            if self.ways is not None:
                control[dense.STOP] = final
                status = dense.advance_dense(
                    control,
                    budget,
                    self.forward,
                    plan.steps,
                    plan.workspace(len(self.ways)),
                    self.ways,
                )
                self.step = int(control[dense.STEP])
            else:
                one = self.step + (1 if self.forward else -1)
                control[sparse.STOP] = one if plan.suits_array else final
                status = sparse.advance_sparse(
                    control, budget, self.forward, plan.steps, plan.copies, self._table
                )
                self.step = int(control[sparse.STEP])
            budget -= self.nodes - nodes
            if status == WIDEN:
                self._widen()
            elif status == GROW:
                self._grow()
            elif status == BUDGET:
                return False
            elif self.ways is None and self._crowded():
                keys, words = self.sparse()
                self._fill(keys, words)
        return True

    def sparse(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """Return the states held and, row by row, the words of their numbers of ways."""
        if self.ways is not None:
            keys = np.flatnonzero(self.ways.any(axis=0))
            return keys.astype(np.uint64), np.ascontiguousarray(self.ways[:, keys].T)
        count, turn = int(self._control[sparse.COUNT]), int(self._control[sparse.TURN])
        return self._table.keys[turn, :count], self._table.words[turn, :count]

    def numbers(self) -> list[tuple[int, int]]:
        """Return the states held and their numbers of ways as plain integers."""
        keys, words = self.sparse()
        return list(zip(keys.tolist(), joined(words), strict=True))

    def ways_of_empty(self) -> int:
        """Return the number of ways to reach the empty frontier."""
        if self.ways is not None:
            words = self.ways[:, 0]
        else:
            keys, rows = self.sparse()
            words = rows[keys == 0].sum(axis=0, dtype=rows.dtype)
        return sum(int(word) << (RADIX * place) for place, word in enumerate(words))

    # The table

    def _list(self, keys: NDArray[np.uint64], words: NDArray[np.uint64]) -> None:
        """Begin with a table of some states."""
        count, limbs = words.shape
        self._control = np.zeros(sparse.WORDS, np.int64)
        self._control[sparse.STEP] = self.step
        self._control[sparse.COUNT] = count
        self._control[sparse.TOP] = int(words[:, -1].max(initial=0))
        self._reserve(max(1 << 10, 2 * self.plan.most_moves + 2, count), limbs)
        self._table.keys[0, :count], self._table.words[0, :count] = keys, words

    def _reserve(self, capacity: int, limbs: int) -> None:
        places = 4
        while places < 2 * capacity:
            places *= 2
        self._guard.check(2 * capacity * (8 + 8 * limbs) + 4 * places, capacity)
        self._table = sparse.Table(
            np.empty((2, capacity), np.uint64),
            np.empty((2, capacity, limbs), np.uint64),
            np.empty(places, np.int32),
        )

    def _copy_states(self, capacity: int, limbs: int) -> None:
        """Move the old states, in the same words, to new buffers; the step begins anew."""
        old_keys, old_words = self.sparse()
        self._guard.check(self.memory() + 16 * capacity * (1 + limbs), capacity)
        self._reserve(capacity, limbs)
        (count, old_limbs), turn = old_words.shape, int(self._control[sparse.TURN])
        self._table.keys[turn, :count] = old_keys
        self._table.words[turn, :count, :old_limbs] = old_words
        self._table.words[turn, :count, old_limbs:] = 0
        self._control[sparse.NEXT] = self._control[sparse.FRESH] = 0

    def _grow(self) -> None:
        _, capacity, limbs = self._table.words.shape
        self._copy_states(capacity * (4 if capacity < 1 << 20 else 2), limbs)

    def _widen(self) -> None:
        """Give every number one more word."""
        shift, word = np.uint64(RADIX), np.uint64((1 << RADIX) - 1)
        if self.ways is not None:
            limbs, size = self.ways.shape
            self._guard.check((2 * limbs + 1) * size * 8, size)
            ways = np.empty((limbs + 1, size), np.uint64)
            ways[:limbs] = self.ways
            ways[limbs] = ways[limbs - 1] >> shift
            ways[limbs - 1] &= word
            self.ways = ways
            self._control[dense.LARGEST] >>= RADIX
            return
        _, capacity, limbs = self._table.words.shape
        self._copy_states(capacity, limbs + 1)
        _, words = self.sparse()
        words[:, limbs] = words[:, limbs - 1] >> shift
        words[:, limbs - 1] &= word
        self._control[sparse.TOP] >>= RADIX

    # The array

    def _crowded(self) -> bool:
        """Whether the states fill enough of an array over the slots in use."""
        plan, width = self.plan, self.plan.sweep.width
        near = self.step - (1 if self.forward else 0)
        if not plan.suits_array or not 0 <= near < len(plan.steps.extents):
            return False
        states = int(self._control[sparse.COUNT])
        size = 8 * self._table.words.shape[2] << width
        return (
            states > _FEW
            and _DENSE * states > 1 << int(plan.steps.extents[near])
            and _DENSE * states > 1 << (width - 3)
            and size <= self._guard.allowed
        )

    def _fill(self, keys: NDArray[np.uint64], words: NDArray[np.uint64]) -> None:
        """Go over to an array."""
        limbs, width = words.shape[1], self.plan.sweep.width
        self._guard.check(8 * limbs << width, 1 << width)
        ways = np.zeros((limbs, 1 << width), np.uint64)
        ways[:, keys.astype(np.int64)] = words.T
        self.ways = ways
        if hasattr(self, "_table"):
            self._earlier_nodes = int(self._control[sparse.VISITS])
            del self._table
        self._control = np.zeros(dense.WORDS, np.int64)
        self._control[dense.STEP] = self.step
        self._control[dense.LARGEST] = int(words[:, -1].max(initial=0))


def joined(words: NDArray[np.uint64]) -> list[int]:
    """Return numbers in words, one a row, as plain integers."""
    numbers = [0] * len(words)
    for limb in reversed(range(words.shape[1])):
        column = words[:, limb].tolist()
        numbers = [(high << RADIX) + low for high, low in zip(numbers, column, strict=True)]
    return numbers


def inner_product(front: StateTable, back: StateTable) -> int:
    """Return the sum over all states of the ways to reach it times the ways to go on from it."""
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
    sparse.dot(left, right, sums)
    total = 0
    for (a, b, half_a, half_b, upper), value in np.ndenumerate(sums):
        total += int(value) << (RADIX * (a + b) + 32 * (half_a + half_b + upper))
    return total
