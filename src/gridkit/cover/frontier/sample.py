"""Exactly uniform random tilings, by walking the table of a sweep backwards.

A sweep over the cells knows for every state in how many ways it is reached.  From the end, each
step back picks one of the ways to have come, in proportion to the number of ways behind it: every
tiling is drawn with the same probability, without rejection and without floating point.  Tables
are kept at about the square root of the number of steps; the ones between are computed again,
once, when the walk comes to them.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from math import isqrt
from typing import TYPE_CHECKING

from gridkit.cover.frontier.fronts import KernelFront, Plan, kernels_loaded
from gridkit.cover.frontier.order import plan_sweeps
from gridkit.cover.frontier.profile import Move, moves, settle
from gridkit.cover.frontier.sweep import Sweep
from gridkit.cover.instance import Instance
from gridkit.cover.memory import MemoryGuard
from gridkit.errors import InputError
from gridkit.run.control import Limit, ProgressCallback, drive

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gridkit.cover.solution import Solution
    from gridkit.cover.tiling import Tiling

__all__ = ["sample", "sample_placements"]

_PLAIN = 1 << 17  # state visits that dictionaries serve faster than kernels that must be imported
_MOST_BITS = 62


def sample(
    tiling: Tiling,
    rng: np.random.Generator,
    n: int = 1,
    *,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
) -> list[Solution]:
    """Draw tilings uniformly and independently.

    Parameters
    ----------
    tiling : Tiling
        The problem.
    rng : numpy.random.Generator
        Source of randomness; the same seed gives the same tilings.
    n : int
        How many to draw.
    limit : Limit, optional
        A node is a state moved over one cell, or a draw moved back over one.
    progress : callable, optional
        Called with a `Progress` about ten times a second.

    Returns
    -------
    list of Solution
        Each of all tilings with the same probability, exactly.  Takes two sweeps (see
        `gridkit.cover.frontier.count.count`) and then time proportional to the cells for each draw.

    Raises
    ------
    InputError
        When there is no tiling to draw, or an argument is of the wrong kind.

    Notes
    -----
    The recursive method of Nijenhuis and Wilf (1978) on a table of states.

    Examples
    --------
    >>> import numpy as np
    >>> import gridkit as gk
    >>> tiling = gk.Tiling(gk.Board.rectangle(1, 4), gk.pieces.domino(), copies=None)
    >>> print(sample(tiling, np.random.default_rng(1))[0])
    AABB
    """
    from gridkit.cover.solution import Solution

    drawn = sample_placements(tiling.instance, rng, n, limit=limit, progress=progress)
    return [Solution(tiling, placements) for placements in drawn]


def sample_placements(
    instance: Instance,
    rng: np.random.Generator,
    n: int = 1,
    *,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
) -> list[tuple[int, ...]]:
    """Draw coverings as increasing numbers of placements; see `sample`."""
    import numpy as np

    if not isinstance(rng, np.random.Generator):
        raise InputError(f"rng: expected a numpy.random.Generator, got {rng!r}")
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 0:
        raise InputError(f"n: expected an int >= 0, got {n!r}")
    guard = MemoryGuard(None if limit is None else limit.memory)
    work = _Drawing(plan_sweeps(instance), _uniform(rng), int(n), guard)
    drive(work, limit=limit, progress=progress)
    return work.value()


def _uniform(rng: np.random.Generator) -> Callable[[int], int]:
    """Return a function that draws an integer from 0 up to a bound of any size, uniformly."""

    def below(bound: int) -> int:
        bits = (bound - 1).bit_length()
        size = (bits + 7) // 8
        while True:
            value = int.from_bytes(rng.bytes(size), "little") >> (8 * size - bits)
            if value < bound:
                return value

    return below


class _Drawing:
    """Forward sweeps and walks back, as work in chunks."""

    def __init__(
        self, sweeps: list[Sweep], below: Callable[[int], int], n: int, guard: MemoryGuard
    ) -> None:
        self._drawn: list[list[int]] = [[] for _ in range(n)]
        self._below = below
        self._guard = guard
        self._held = 0
        self._stage = 0
        self._stages = max(1, sum(3 * len(sweep.steps) for sweep in sweeps))
        self._run = self._work(sweeps)
        self.nodes = 0
        self.found = 0

    def fraction(self) -> float:
        return min(1.0, self._stage / self._stages)

    def memory(self) -> int:
        return self._held

    def value(self) -> list[tuple[int, ...]]:
        return [tuple(sorted(placements)) for placements in self._drawn] if self.found else []

    def token(self) -> object:
        return None

    def advance(self, budget: int) -> bool:
        for spent in self._run:
            self.nodes += spent
            budget -= spent
            if budget <= 0:
                return False
        self.found = len(self._drawn)
        return True

    def _work(self, sweeps: list[Sweep]) -> Iterator[int]:
        """Yield the nodes spent, piece by piece."""
        for sweep in sweeps:
            plain = sweep.bits > _MOST_BITS or (sweep.visits <= _PLAIN and not kernels_loaded())
            tables = _PlainTables(sweep) if plain else _KernelTables(sweep, self._guard)
            steps = len(sweep.steps)
            stride = isqrt(steps) + 1
            levels: dict[int, _Level] = {0: tables.first()}
            for level in self._forward(tables, levels[0], 0, steps):
                if level is None:
                    yield 1 << 16
                    continue
                yield level.size
                if level.step % stride == 0 or level.step == steps:
                    levels[level.step] = level
                    self._hold(levels)
            states = yield from self._ends(sweep, levels[steps])
            for begin in range(steps - 1 - (steps - 1) % stride, -1, -stride):
                between = {begin: levels[begin]}
                end = min(begin + stride, steps)
                for level in self._forward(tables, levels[begin], begin, end - 1):
                    if level is None:
                        yield 1 << 16
                        continue
                    yield level.size
                    between[level.step] = level
                    self._hold(levels, between)
                for step in range(end - 1, begin - 1, -1):
                    self._stage += 1
                    yield len(states)
                    self._back(sweep, step, between[step], states)
                del levels[begin]

    def _forward(
        self, tables: _PlainTables | _KernelTables, level: _Level, begin: int, end: int
    ) -> Iterator[_Level | None]:
        for level_or_pause in tables.forward(level, begin, end):
            if level_or_pause is not None:
                self._stage += 1
            yield level_or_pause

    def _hold(self, *kept: dict[int, _Level]) -> None:
        self._held = sum(level.bytes for levels in kept for level in levels.values())
        self._guard.check(self._held, sum(len(levels) for levels in kept))

    def _ends(self, sweep: Sweep, level: _Level) -> Generator[int, None, list[int]]:
        """Draw the state after the last step for every walk."""
        ends = sorted(entry for entry in level.items() if sweep.accepts(entry[0]))
        if not sum(ways for _, ways in ends):
            raise InputError("cannot draw a tiling: there is none")
        states = []
        for _ in self._drawn:
            states.append(self._pick(ends))
            yield 1
        return states

    def _pick(self, weighted: list[tuple[int, int]]) -> int:
        rest = self._below(sum(weight for _, weight in weighted))
        for value, weight in weighted:
            rest -= weight
            if rest < 0:
                return value
        raise AssertionError("weights do not add up")

    def _back(self, sweep: Sweep, number: int, level: _Level, states: list[int]) -> None:
        """Walk every draw back over one step."""
        step = sweep.steps[number]
        step_moves = moves(step, sweep)
        shut = step.bit | level.unused
        origins = {state: _origins(state, sweep, number, step_moves, shut) for state in set(states)}
        wanted = sorted({origin for ways in origins.values() for origin, _ in ways})
        known = level.lookup(wanted)
        for walk, state in enumerate(states):
            ways = origins[state]
            choice = self._pick([(place, known[way[0]]) for place, way in enumerate(ways)])
            states[walk], placement = ways[choice]
            if placement >= 0:
                self._drawn[walk].append(placement)


def _origins(
    state: int, sweep: Sweep, number: int, step_moves: list[Move], shut: int
) -> list[tuple[int, int]]:
    """Return the states from which a step leads to `state`, with the placement laid or -1."""
    step = sweep.steps[number]
    found = []
    if not state & shut:
        if step.bit:
            found.append((state | step.bit, -1))
        if step.optional:
            found.append((state, -1))
    for (mask, field, full, unit, overflow), (_, _, placement) in zip(
        step_moves, step.choices, strict=True
    ):
        before = state ^ mask
        if state & mask != mask or before & shut:
            continue
        if not unit:
            found.append((before, placement))
            continue
        if before & field:
            found.append((before - unit, placement))
        if overflow == 0 and before & field == full:
            found.append((before, placement))
    return found


class _Level:
    """The numbers of ways before a step, as a dictionary or as sorted arrays."""

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
        return len(self.states if self.states is not None else self._arrays()[0]) + 1

    @property
    def bytes(self) -> int:
        if self.states is not None:
            return 200 * len(self.states)
        return sum(array.nbytes for array in self._arrays())

    def _arrays(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        assert self.keys is not None
        assert self.words is not None
        return self.keys, self.words

    def items(self) -> list[tuple[int, int]]:
        if self.states is not None:
            return list(self.states.items())
        keys, words = self._arrays()
        return list(zip(keys.tolist(), _join(words), strict=True))

    def lookup(self, states: list[int]) -> dict[int, int]:
        """Return the numbers of ways of some states, 0 for those that do not occur."""
        if self.states is not None:
            return {state: self.states.get(state, 0) for state in states}
        import numpy as np

        keys, words = self._arrays()
        if not len(keys):
            return dict.fromkeys(states, 0)
        wanted = np.array(states, np.uint64)
        places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        ways = _join(words[places])
        here = (keys[places] == wanted).tolist()
        return {
            state: way if found else 0 for state, way, found in zip(states, ways, here, strict=True)
        }


def _join(words: NDArray[np.uint64]) -> list[int]:
    from gridkit.cover.frontier.kernels.sparse import RADIX

    ways = [0] * len(words)
    for limb in reversed(range(words.shape[1])):
        low = words[:, limb].tolist()
        ways = [(high << RADIX) + word for high, word in zip(ways, low, strict=True)]
    return ways


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


class _PlainTables:
    """Sweeps on dictionaries."""

    def __init__(self, sweep: Sweep) -> None:
        self._sweep = sweep
        self._unused = _unused_slots(sweep)

    def first(self) -> _Level:
        return _Level(0, self._unused[0], {0: 1})

    def forward(self, level: _Level, begin: int, end: int) -> Iterator[_Level | None]:
        states = dict(level.items())
        for number in range(begin, end):
            step = self._sweep.steps[number]
            after: dict[int, int] = {}
            settle(states.items(), after, step, moves(step, self._sweep))
            states = after
            yield _Level(number + 1, self._unused[number + 1], states)


class _KernelTables:
    """Sweeps in kernels, from any level on."""

    def __init__(self, sweep: Sweep, guard: MemoryGuard) -> None:
        self._unused = _unused_slots(sweep)
        self._plan = Plan(sweep)
        self._guard = guard

    def first(self) -> _Level:
        import numpy as np

        one = np.ones((1, 1), np.uint64)
        return _Level(0, self._unused[0], keys=np.zeros(1, np.uint64), words=one)

    def forward(self, level: _Level, begin: int, end: int) -> Iterator[_Level | None]:
        keys, words = level.keys, level.words
        assert keys is not None
        assert words is not None
        front = KernelFront(self._plan, begin, end, self._guard, states=(keys, words))
        for step in range(begin + 1, end + 1):
            while not front.advance(1 << 16, step):
                yield None
            keys, words = front.sparse()
            order = keys.argsort()
            yield _Level(step, self._unused[step], keys=keys[order], words=words[order])
