"""The sweep over items in compiled kernels: states of any number of words in a hash table."""

# This module is imported inside functions only: small problems are counted without numba.

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from gridkit.cover.frontier.memory import MemoryGuard
from gridkit.cover.items.exchange import Exchange
from gridkit.cover.items.kernels import states as kernels
from gridkit.cover.items.kernels.states import RADIX, Changes, Exchanges, Moves, Steps, Table
from gridkit.cover.items.plan import WORD, Plan
from gridkit.run import Run, Work

__all__ = ["TableSweep"]

_FIRST_CAPACITY = 1 << 10
_MOST_CAPACITY = 1 << 30  # a place of the hash table holds the number of a state in 31 bits


class TableSweep(Work):
    """A sweep in a compiled hash table, as work in chunks.

    Parameters
    ----------
    plan : Plan
        The steps.
    guard : MemoryGuard
        Asked before memory is taken.
    run : Run
        The call.
    symmetry : Exchange, optional
        Symmetries of the plan's states.
    states : dict, optional
        States to begin with and their numbers of ways.
    step : int
        The step that they come before.

    Attributes
    ----------
    peak : int
        Bytes held at most.
    """

    def __init__(
        self,
        plan: Plan,
        guard: MemoryGuard,
        run: Run,
        symmetry: Exchange | None = None,
        *,
        states: dict[int, int] | None = None,
        step: int = 0,
    ) -> None:
        self.plan = plan
        self.peak = 0
        self._guard = guard
        self._words = max(1, -(-plan.bits // WORD))
        self._steps, self._moves, self._changes = _arrays(plan, self._words, run)
        self._exchanges = _exchanges(symmetry)
        self._control = np.zeros(kernels.WORDS, np.int64)
        given = {0: 1} if states is None else states
        limbs = -(-max(max(given.values(), default=1).bit_length(), 1) // RADIX)
        capacity = _FIRST_CAPACITY
        while capacity < len(given):
            capacity *= 2
        self._table = self._reserved(capacity, limbs, 0)
        self._control[kernels.STEP] = step
        self._control[kernels.COUNT] = len(given)
        keys, ways = self._table.keys[0], self._table.ways[0]
        for number, (state, often) in enumerate(given.items()):
            keys[number] = _split(state, self._words, WORD)
            ways[number] = _split(often, limbs, RADIX)

    @property
    def nodes(self) -> int:
        """Moves tried and states passed."""
        return int(self._control[kernels.TRIED])

    @property
    def step(self) -> int:
        """Steps done."""
        return int(self._control[kernels.STEP])

    def fraction(self) -> float:
        """Return the part of the steps that is done."""
        return self.step / max(1, len(self.plan.steps))

    def memory(self) -> int:
        """Bytes held."""
        return sum(array.nbytes for array in self._table)

    def count(self) -> int:
        """Return the number of solutions, when all steps are done."""
        number, turn = int(self._control[kernels.COUNT]), int(self._control[kernels.TURN])
        end = _split(self.plan.end, self._words, WORD)
        total = 0
        for state, ways in zip(
            self._table.keys[turn, :number], self._table.ways[turn, :number], strict=True
        ):
            if (state == end).all():
                total += sum(int(word) << RADIX * place for place, word in enumerate(ways))
        return total << self.plan.free

    def advance(self, budget: int) -> bool:
        """Try about `budget` moves; return whether all steps are done."""
        while True:
            before = self.nodes
            status = kernels.advance(
                self._control,
                budget,
                self._steps,
                self._moves,
                self._changes,
                self._exchanges,
                self._table,
            )
            budget -= self.nodes - before
            _, capacity, limbs = self._table.ways.shape
            if status == kernels.GROW:
                self._move(2 * capacity, limbs)
            elif status == kernels.WIDEN:
                self._move(capacity, limbs + 1)
                self._carry(limbs)
            else:
                return bool(status == kernels.DONE)

    def _reserved(self, capacity: int, limbs: int, held: int) -> Table:
        places = 2 << max(4, (capacity - 1).bit_length())
        needed = 2 * capacity * 8 * (self._words + limbs) + 4 * places
        self._guard.check(held + needed, capacity)
        self.peak = max(self.peak, held + needed)
        return Table(
            np.empty((2, capacity, self._words), np.uint64),
            np.empty((2, capacity, limbs), np.uint64),
            np.empty(places, np.int32),
            np.zeros(self._words, np.uint64),
        )

    def _move(self, capacity: int, limbs: int) -> None:
        """Go over to larger buffers; the kernel fills the hash table anew."""
        if capacity > _MOST_CAPACITY:
            self._guard.check(1 << 62, capacity)
        old = self._table
        self._table = new = self._reserved(capacity, limbs, self.memory())
        control, old_limbs = self._control, old.ways.shape[2]
        turn = int(control[kernels.TURN])
        for buffer, number in ((turn, kernels.COUNT), (1 - turn, kernels.FRESH)):
            count = int(control[number])
            new.keys[buffer, :count] = old.keys[buffer, :count]
            new.ways[buffer, :count, :old_limbs] = old.ways[buffer, :count]
            new.ways[buffer, :count, old_limbs:] = 0
        control[kernels.SIZE] = 0

    def _carry(self, limb: int) -> None:
        """Move what a last word holds beyond its bits to the word that was added."""
        control, ways = self._control, self._table.ways
        turn = int(control[kernels.TURN])
        for buffer, number in ((turn, kernels.COUNT), (1 - turn, kernels.FRESH)):
            count = int(control[number])
            ways[buffer, :count, limb] = ways[buffer, :count, limb - 1] >> np.uint64(RADIX)
            ways[buffer, :count, limb - 1] &= np.uint64((1 << RADIX) - 1)


def _split(number: int, words: int, bits: int) -> NDArray[np.uint64]:
    low = (1 << bits) - 1
    return np.array([number >> bits * word & low for word in range(words)], np.uint64)


def _masks(masks: Iterable[int], words: int) -> NDArray[np.uint64]:
    """Return masks as rows of words."""
    data = b"".join([mask.to_bytes(8 * words, "little") for mask in masks])
    return np.frombuffer(data, "<u8").astype(np.uint64).reshape(-1, words)


def _arrays(plan: Plan, words: int, run: Run) -> tuple[Steps, Moves, Changes]:
    """Return a plan as the arrays that the kernel reads."""
    starts, own_words, owns, leasts = [0], [], [], []
    tests: list[int] = []
    puts: list[int] = []
    changes: list[tuple[int, int, int, int, int]] = []
    change_starts = [0]
    for step in plan.steps:
        run.check()
        word = ((step.own & -step.own).bit_length() - 1) // WORD if step.own else 0
        own_words.append(word)
        owns.append(step.own >> WORD * word)
        leasts.append(step.least >> WORD * word)
        for move in step.moves:
            tests.append(move.test)
            puts.append(move.put)
            for field, amount, full, saturates in move.counted:
                word = ((field & -field).bit_length() - 1) // WORD
                kind = kernels.SATURATING if saturates else kernels.BOUNDED
                shift = WORD * word
                changes.append((word, field >> shift, amount >> shift, full >> shift, kind))
            for field, color in move.painted:
                word = ((field & -field).bit_length() - 1) // WORD
                shift = WORD * word
                changes.append((word, field >> shift, color >> shift, 0, kernels.PAINTED))
            change_starts.append(len(changes))
        starts.append(len(tests))
    columns = [list(column) for column in zip(*changes, strict=True)] or [[], [], [], [], []]
    masks = np.stack(
        [
            _masks([step.need for step in plan.steps], words),
            _masks([step.clear for step in plan.steps], words),
            _masks([step.settle for step in plan.steps], words),
        ]
    )
    return (
        Steps(
            np.array(starts, np.int64),
            np.array(own_words, np.int64),
            np.array(owns, np.uint64),
            np.array(leasts, np.uint64),
            masks,
        ),
        Moves(_masks(tests, words), _masks(puts, words), np.array(change_starts, np.int64)),
        Changes(
            np.array(columns[0], np.int64),
            np.array(columns[1], np.uint64),
            np.array(columns[2], np.uint64),
            np.array(columns[3], np.uint64),
            np.array(columns[4], np.int8),
        ),
    )


def _exchanges(symmetry: Exchange | None) -> Exchanges:
    """Return symmetries as the arrays that the kernel reads."""
    places = () if symmetry is None else symmetry.places
    starts = np.zeros(len(places) + 1, np.int64)
    starts[1:] = np.cumsum([len(pairs) for pairs in places])
    pairs = np.array([pair for pairs in places for pair in pairs], np.int64).reshape(-1, 2)
    bits = np.left_shift(np.uint64(1), (pairs % WORD).astype(np.uint64))
    return Exchanges(starts, np.ascontiguousarray(pairs // WORD), np.ascontiguousarray(bits))
