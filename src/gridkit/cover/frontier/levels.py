"""The numbers of ways before each step of a sweep, as sampling keeps and looks them up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gridkit.cover.frontier.memory import MemoryGuard
from gridkit.cover.frontier.plain import moves, settle
from gridkit.cover.frontier.sweep import Sweep
from gridkit.run import Run

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# numpy and the states module, which loads numba, are imported inside functions: small boards are
# drawn without them.

__all__ = ["KernelTables", "Level", "PlainTables"]


class Level:
    """The numbers of ways before a step, as a dictionary or as arrays."""

    def __init__(
        self,
        step: int,
        unused: int,
        states: dict[int, int] | None = None,
        keys: NDArray[np.uint64] | None = None,
        words: NDArray[np.uint64] | None = None,
    ) -> None:
        self.step = step
        self.unused = unused  # slots that no state before the step can have set
        self.states = states
        self.keys = keys
        self.words = words

    @property
    def size(self) -> int:
        """States held, and one."""
        return len(self.states if self.states is not None else self.arrays()[0]) + 1

    @property
    def bytes(self) -> int:
        """Bytes held, roughly."""
        if self.states is not None:
            return 200 * len(self.states)
        return sum(array.nbytes for array in self.arrays())

    def arrays(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """Return the states and the words of their numbers of ways."""
        assert self.keys is not None
        assert self.words is not None
        return self.keys, self.words

    def items(self) -> list[tuple[int, int]]:
        """Return the states and their numbers of ways."""
        if self.states is not None:
            return list(self.states.items())
        from gridkit.cover.frontier.states import joined

        keys, words = self.arrays()
        return list(zip(keys.tolist(), joined(words), strict=True))


def _unused_slots(sweep: Sweep) -> list[int]:
    """For each step the slots that belong to no cell before it."""
    everything = (1 << sweep.width) - 1
    active = 0
    unused = []
    for step in sweep.steps:
        unused.append(everything & ~active)
        active &= ~step.bit
        for mask, _, _ in step.choices:
            active |= mask
    return [*unused, everything & ~active]


class PlainTables:
    """Sweeps on dictionaries."""

    def __init__(self, sweep: Sweep) -> None:
        self._sweep = sweep
        self._unused = _unused_slots(sweep)

    def first(self) -> Level:
        """Return the empty frontier before the first step."""
        return Level(0, self._unused[0], {0: 1})

    def forward(self, level: Level, begin: int, end: int) -> Iterator[Level | None]:
        """Give the levels after each step from one on; None between, where that takes long."""
        states = dict(level.items())
        for number in range(begin, end):
            step = self._sweep.steps[number]
            after: dict[int, int] = {}
            settle(states.items(), after, step, moves(step, self._sweep))
            states = after
            yield Level(number + 1, self._unused[number + 1], states)


class KernelTables:
    """Sweeps in kernels, from any level on."""

    def __init__(self, sweep: Sweep, guard: MemoryGuard, run: Run) -> None:
        from gridkit.cover.frontier.states import SweepArrays

        self._unused = _unused_slots(sweep)
        self.arrays = SweepArrays(sweep, run)
        self._guard = guard

    def first(self) -> Level:
        """Return the empty frontier before the first step."""
        import numpy as np

        one = np.ones((1, 1), np.uint64)
        return Level(0, self._unused[0], keys=np.zeros(1, np.uint64), words=one)

    def forward(self, level: Level, begin: int, end: int) -> Iterator[Level | None]:
        """Give the levels after each step from one on; None between, where that takes long."""
        from gridkit.cover.frontier.states import StateTable

        keys, words = level.keys, level.words
        assert keys is not None
        assert words is not None
        table = StateTable(self.arrays, begin, end, self._guard, states=(keys, words))
        for step in range(begin + 1, end + 1):
            while not table.advance(1 << 16, step):
                yield None
            keys, words = table.sparse()
            yield Level(step, self._unused[step], keys=keys.copy(), words=words.copy())
