"""Walks back over the steps of a sweep, on dictionaries or by a compiled kernel.

Both draw the same numbers in the same order: which one walks is a matter of speed only.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from gridkit.cover.frontier.levels import KernelTables, Level
from gridkit.cover.frontier.plain import Move, moves
from gridkit.cover.frontier.source import Words
from gridkit.cover.frontier.sweep import Sweep, paced
from gridkit.run import Run

# numpy and the kernel are imported inside functions: small boards are drawn without them.

__all__ = ["KernelWalks", "PlainWalks", "pick"]

# Moving one walk back over a cell takes as long as moving so many states forward, in Python and
# in the kernel, which moves so many walks at a time.
_WALK_COST = 128
_KERNEL_WALK_COST = 8
_WALKS_AT_ONCE = 1 << 13


def pick(weighted: list[tuple[int, int]], rest: int) -> int:
    """Return the first of the pair in which a number below the sum of the seconds lies."""
    for value, weight in weighted:
        rest -= weight
        if rest < 0:
            return value
    raise AssertionError("weights do not add up")


class PlainWalks:
    """Walks back from some states, each laying placements on its way."""

    def __init__(self, sweep: Sweep, states: list[int], below: Words, run: Run) -> None:
        self._sweep, self._states, self._below, self._run = sweep, states, below, run
        self._laid: list[list[int]] = [[] for _ in states]

    @property
    def bytes(self) -> int:
        """Bytes held, roughly."""
        return 8 * sum(map(len, self._laid))

    def laid(self) -> list[list[int]]:
        """Return the placements that each walk has laid, increasing."""
        return list(map(sorted, self._laid))

    def back(self, number: int, level: Level) -> Iterator[tuple[int, int]]:
        """Walk back over one step; yield the nodes spent and what they cost."""
        step, states = self._sweep.steps[number], self._states
        step_moves = moves(step, self._sweep)
        shut = step.bit | level.unused
        origins = {
            state: _origins(state, self._sweep, number, step_moves, shut) for state in set(states)
        }
        known = level.states
        assert known is not None
        for walk, state in enumerate(paced(states, self._run)):
            ways = origins[state]
            weighted = [(place, known.get(way[0], 0)) for place, way in enumerate(ways)]
            states[walk], placement = ways[self._pick(weighted)]
            if placement >= 0:
                self._laid[walk].append(placement)
        yield len(states), _WALK_COST * len(states)

    def _pick(self, weighted: list[tuple[int, int]]) -> int:
        return pick(weighted, self._below(sum(weight for _, weight in weighted)))


def _origins(
    state: int, sweep: Sweep, number: int, step_moves: list[Move], shut: int
) -> list[tuple[int, int]]:
    """Return the states from which a step leads to `state`, with the placement laid or -1."""
    step = sweep.steps[number]
    origins = []
    if not state & shut:
        if step.bit:
            origins.append((state | step.bit, -1))
        if step.optional:
            origins.append((state, -1))
    for (mask, field, full, unit, overflow), (_, _, placement) in zip(
        step_moves, step.choices, strict=True
    ):
        before = state ^ mask
        if state & mask != mask or before & shut:
            continue
        if not unit:
            origins.append((before, placement))
            continue
        if before & field:
            origins.append((before - unit, placement))
        if overflow == 0 and before & field == full:
            origins.append((before, placement))
    return origins


class KernelWalks:
    """Walks back from some states by a compiled kernel."""

    def __init__(self, tables: KernelTables, states: list[int], below: Words) -> None:
        import numpy as np

        sweep = tables.arrays.sweep
        numbers = chain.from_iterable(
            [*(choice[2] for choice in step.choices), *([-1] if step.optional else [])]
            for step in sweep.steps
        )
        self._numbers = np.fromiter(numbers, np.int64)
        self._states = np.array(states, np.uint64)
        most = max((len(range(0, len(sweep.cells), size)) for size in _sizes(sweep)), default=0)
        self._placements = np.zeros((len(states), most + 1), np.int32)
        self._arrays, self._below = tables.arrays, below

    @property
    def bytes(self) -> int:
        """Bytes held."""
        return self._states.nbytes + self._placements.nbytes

    def laid(self) -> list[list[int]]:
        """Return the placements that each walk has laid, increasing."""
        import numpy as np

        numbers = self._placements[:, -1:]
        unused = np.arange(self._placements.shape[1]) >= numbers
        increasing = np.sort(np.where(unused, np.iinfo(np.int32).max, self._placements), axis=1)
        rows = zip(increasing.tolist(), numbers.ravel().tolist(), strict=True)
        return [row[:number] for row, number in rows]

    def back(self, number: int, level: Level) -> Iterator[tuple[int, int]]:
        """Walk back over one step; yield the nodes spent and what they cost."""
        import numpy as np

        from gridkit.cover.frontier.kernels import walks as kernels

        keys, words = level.arrays()
        origins = 2 * self._arrays.most_moves + 2
        table = np.empty(1 << (2 * len(keys)).bit_length(), np.int32)
        kernels.index_states(keys, table)
        scratch = kernels.Scratch(
            np.zeros(origins, np.uint64),
            np.zeros((2, origins), np.int64),
            np.zeros((2, words.shape[1] + 1), np.uint64),
        )
        control = np.zeros(kernels.WALK_WORDS, np.int64)
        control[kernels.STEP] = number
        least = 4 * words.shape[1] + 8  # enough for one number and the words that are not used
        walks = len(self._states)
        while control[kernels.WALK] < walks:
            walk = int(control[kernels.WALK])
            stop = min(walks, walk + _WALKS_AT_ONCE)
            random = self._below.block(max(least, 2 * (stop - walk)))
            control[kernels.POSITION] = 0
            kernels.walk_back(
                control,
                stop,
                self._states,
                self._placements,
                self._arrays.steps,
                self._arrays.copies,
                kernels.Ways(keys, words, table, self._numbers, random),
                scratch,
            )
            self._below.use(int(control[kernels.POSITION]))
            moved = int(control[kernels.WALK]) - walk
            if not moved:  # the numbers that the words make were all thrown away
                least *= 2
            yield moved, _KERNEL_WALK_COST * moved


def _sizes(sweep: Sweep) -> Iterator[int]:
    """Give the numbers of cells of the placements."""
    return (mask.bit_count() + 1 for step in sweep.steps for mask, _, _ in step.choices)
