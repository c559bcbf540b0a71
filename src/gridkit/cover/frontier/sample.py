"""Exactly uniform random tilings, by walking the table of a sweep backwards.

A sweep over the cells knows for every state in how many ways it is reached.  From the end, each
step back picks one of the ways to have come, in proportion to the number of ways behind it: every
tiling is drawn with the same probability, without rejection and without floating point.  Tables
are kept at about the square root of the number of steps; the ones between are computed again,
once, when the walk comes to them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import isqrt
from typing import TYPE_CHECKING

from gridkit.cover.frontier.memory import MemoryGuard
from gridkit.cover.frontier.order import planned
from gridkit.cover.frontier.plain import Move, moves, plain_visits, settle
from gridkit.cover.frontier.sweep import Sweep, paced
from gridkit.cover.instance import Instance
from gridkit.reading import read_int
from gridkit.run import Run, Work

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# numpy and the states module, which loads numba, are imported inside functions: small boards are
# drawn without them.

__all__ = ["draw", "first_covering", "uniform"]

_PLAIN_COLD = 1 << 17  # state visits that dictionaries serve sooner than kernels to be imported
_MOST_BITS = 62
_WALK_COST = 128  # moving one walk back over a cell takes as long as moving so many states forward


def draw(
    instance: Instance, below: Callable[[int], int], n: int, run: Run
) -> list[tuple[int, ...]]:
    """Draw coverings independently, each with the same probability.

    Parameters
    ----------
    instance : Instance
        The problem.
    below : callable
        Gives an integer from 0 up to a bound of any size, uniformly (see `uniform`).
    n : int
        How many to draw.
    run : Run
        The call.  A node is a state moved over one cell, or a draw moved back over one.  It cannot
        be continued: what a sweep holds is the whole table of the frontier.

    Returns
    -------
    list of tuple of int
        Increasing numbers of placements; empty when there is no covering.  Takes two sweeps (see
        `gridkit.cover.frontier.count.count`) and then time proportional to the cells for each draw.

    Notes
    -----
    The recursive method of Nijenhuis and Wilf (1978) on a table of states.

    Examples
    --------
    >>> cells = ((0, 0), (0, 1), (1, 0), (1, 1))
    >>> dominoes = ((0, (0, 1)), (0, (0, 2)), (0, (1, 3)), (0, (2, 3)))
    >>> draw(Instance(cells, dominoes, ((0, None),), frozenset()), lambda bound: 0, 1, Run())
    [(1, 2)]
    """
    work = BackwardWalks(planned(instance, run), below, n, MemoryGuard(run), run)
    run.drive(work)
    return work.value()


def first_covering(instance: Instance, run: Run) -> tuple[int, ...] | None:
    """Return one covering, always the same, or None: there is none."""
    return next(iter(draw(instance, lambda bound: 0, 1, run)), None)


def uniform(rng: int | np.random.Generator | None) -> Callable[[int], int]:
    """Return a function that draws an integer from 0 up to a bound of any size, uniformly.

    Raises
    ------
    InputError
        For what is neither a numpy Generator nor the seed of one, nor None (fresh randomness).
    """
    import numpy as np

    if isinstance(rng, np.random.Generator):
        generator = rng
    else:
        what = "rng: expected a numpy.random.Generator, a seed or None; a seed"
        generator = np.random.default_rng(None if rng is None else read_int(rng, what, 0))

    def below(bound: int) -> int:
        bits = (bound - 1).bit_length()
        size = (bits + 7) // 8
        while True:
            value = int.from_bytes(generator.bytes(size), "little") >> (8 * size - bits)
            if value < bound:
                return value

    return below


class BackwardWalks(Work):
    """Forward sweeps and walks back, as work in chunks."""

    nodes = 0
    found = 0

    def __init__(
        self,
        sweeps: list[Sweep],
        below: Callable[[int], int],
        n: int,
        guard: MemoryGuard,
        run: Run,
    ) -> None:
        self._drawn: list[list[int]] = [[] for _ in range(n)]
        self._possible = True
        self._below = below
        self._guard = guard
        self._run = run
        self._held = 0
        self._stage = 0
        self._stages = max(1, sum(3 * len(sweep.steps) for sweep in sweeps))
        self._pieces_of_work = self._work(sweeps)

    def fraction(self) -> float:
        """Estimate the part done."""
        return min(1.0, self._stage / self._stages)

    def memory(self) -> int:
        """Bytes held."""
        return self._held

    def value(self) -> list[tuple[int, ...]]:
        """Return the coverings, none before the end."""
        return [tuple(sorted(placements)) for placements in self._drawn] if self.found else []

    def advance(self, budget: int) -> bool:
        """Move about `budget` states forward, or fewer walks back; True at the end."""
        for nodes, cost in self._pieces_of_work:
            self.nodes += nodes
            budget -= cost
            if budget <= 0:
                return False
        self.found = len(self._drawn) if self._possible else 0
        return True

    def _work(self, sweeps: list[Sweep]) -> Iterator[tuple[int, int]]:
        """Yield the nodes spent and what they cost, piece by piece."""
        for sweep in sweeps:
            plain = sweep.bits > _MOST_BITS or sweep.visits <= plain_visits(
                self._run, _PLAIN_COLD, 0
            )
            tables = _PlainTables(sweep) if plain else _KernelTables(sweep, self._guard, self._run)
            steps = len(sweep.steps)
            stride = isqrt(steps) + 1
            levels: dict[int, _Level] = {0: tables.first()}
            for level in self._forward(tables, levels[0], 0, steps):
                if level is None:
                    yield 1 << 16, 1 << 16
                    continue
                yield level.size, level.size
                if level.step % stride == 0 or level.step == steps:
                    levels[level.step] = level
                    self._hold(levels)
            states = self._ends(sweep, levels[steps])
            if states is None:
                self._possible = False
                return
            yield len(states), _WALK_COST * len(states)
            for begin in range(steps - 1 - (steps - 1) % stride, -1, -stride):
                between = {begin: levels[begin]}
                end = min(begin + stride, steps)
                for level in self._forward(tables, levels[begin], begin, end - 1):
                    if level is None:
                        yield 1 << 16, 1 << 16
                        continue
                    yield level.size, level.size
                    between[level.step] = level
                    self._hold(levels, between)
                for step in range(end - 1, begin - 1, -1):
                    self._stage += 1
                    self._back(sweep, step, between[step], states)
                    yield len(states), _WALK_COST * len(states)
                del levels[begin]

    def _forward(
        self, tables: _PlainTables | _KernelTables, level: _Level, begin: int, end: int
    ) -> Iterator[_Level | None]:
        for level_or_pause in tables.forward(level, begin, end):
            if level_or_pause is not None:
                self._stage += 1
            yield level_or_pause

    def _hold(self, *stores: dict[int, _Level]) -> None:
        self._held = sum(level.bytes for levels in stores for level in levels.values())
        self._guard.check(self._held, sum(map(len, stores)))

    def _ends(self, sweep: Sweep, level: _Level) -> list[int] | None:
        """Draw the state after the last step for every walk; None when there is none."""
        ends = sorted(entry for entry in level.items() if sweep.accepts(entry[0]))
        if not sum(ways for _, ways in ends):
            return None
        return [self._pick(ends) for _ in paced(self._drawn, self._run)]

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
        earlier = sorted({origin for ways in origins.values() for origin, _ in ways})
        known = level.lookup(earlier)
        for walk, state in enumerate(paced(states, self._run)):
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
        from gridkit.cover.frontier.states import joined

        keys, words = self._arrays()
        return list(zip(keys.tolist(), joined(words), strict=True))

    def lookup(self, states: list[int]) -> dict[int, int]:
        """Return the numbers of ways of some states, 0 for those that do not occur."""
        if self.states is not None:
            return {state: self.states.get(state, 0) for state in states}
        import numpy as np

        from gridkit.cover.frontier.states import joined

        keys, words = self._arrays()
        if not len(keys):
            return dict.fromkeys(states, 0)
        sought = np.array(states, np.uint64)
        places = np.minimum(np.searchsorted(keys, sought), len(keys) - 1)
        ways = joined(words[places])
        occurs = (keys[places] == sought).tolist()
        return {
            state: way if there else 0
            for state, way, there in zip(states, ways, occurs, strict=True)
        }


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

    def __init__(self, sweep: Sweep, guard: MemoryGuard, run: Run) -> None:
        from gridkit.cover.frontier.states import SweepArrays

        self._unused = _unused_slots(sweep)
        self._arrays = SweepArrays(sweep, run)
        self._guard = guard

    def first(self) -> _Level:
        import numpy as np

        one = np.ones((1, 1), np.uint64)
        return _Level(0, self._unused[0], keys=np.zeros(1, np.uint64), words=one)

    def forward(self, level: _Level, begin: int, end: int) -> Iterator[_Level | None]:
        from gridkit.cover.frontier.states import StateTable

        keys, words = level.keys, level.words
        assert keys is not None
        assert words is not None
        table = StateTable(self._arrays, begin, end, self._guard, states=(keys, words))
        for step in range(begin + 1, end + 1):
            while not table.advance(1 << 16, step):
                yield None
            keys, words = table.sparse()
            order = keys.argsort()
            yield _Level(step, self._unused[step], keys=keys[order], words=words[order])
