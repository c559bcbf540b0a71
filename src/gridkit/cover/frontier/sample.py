"""Exactly uniform random tilings, by walking the table of a sweep backwards.

A sweep over the cells knows for every state in how many ways it is reached.  From the end, each
step back picks one of the ways to have come, in proportion to the number of ways behind it: every
tiling is drawn with the same probability, without rejection and without floating point.  Tables
are kept at about the square root of the number of steps; the ones between are computed again,
once, when the walk comes to them.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt

from gridkit.cover.frontier.levels import KernelTables, Level, PlainTables
from gridkit.cover.frontier.memory import MemoryGuard
from gridkit.cover.frontier.order import planned
from gridkit.cover.frontier.plain import plain_visits
from gridkit.cover.frontier.source import LEAST, Words
from gridkit.cover.frontier.sweep import Sweep, paced
from gridkit.cover.frontier.walks import KernelWalks, PlainWalks, pick
from gridkit.cover.instance import Instance
from gridkit.run import Run, Work

__all__ = ["draw", "first_covering"]

_PLAIN_COLD = 1 << 17  # state visits that dictionaries serve sooner than kernels to be imported
_MOST_BITS = 62
_END_COST = 64  # drawing the end of one walk takes as long as moving so many states


def draw(instance: Instance, below: Words, n: int, run: Run) -> list[tuple[int, ...]]:
    """Draw coverings independently, each with the same probability.

    Parameters
    ----------
    instance : Instance
        The problem.
    below : Words
        Gives integers from 0 up to bounds of any size, uniformly (see
        `gridkit.cover.frontier.source.uniform`).
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
    >>> draw(Instance(cells, dominoes, ((0, None),), frozenset()), LEAST, 1, Run())
    [(1, 2)]
    """
    work = BackwardWalks(planned(instance, run), below, n, MemoryGuard(run), run)
    try:
        run.drive(work)
    finally:
        below.close()
    return work.value()


def first_covering(instance: Instance, run: Run) -> tuple[int, ...] | None:
    """Return one covering, always the same, or None: there is none."""
    return next(iter(draw(instance, LEAST, 1, run)), None)


class BackwardWalks(Work):
    """Forward sweeps and walks back, as work in chunks."""

    nodes = 0
    found = 0

    def __init__(
        self,
        sweeps: list[Sweep],
        below: Words,
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
        return [tuple(placements) for placements in self._drawn] if self.found else []

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
            tables = PlainTables(sweep) if plain else KernelTables(sweep, self._guard, self._run)
            steps = len(sweep.steps)
            stride = isqrt(steps) + 1
            levels: dict[int, Level] = {0: tables.first()}
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
            yield len(states), _END_COST * len(states)
            walks = (
                KernelWalks(tables, states, self._below)
                if isinstance(tables, KernelTables)
                else PlainWalks(sweep, states, self._below, self._run)
            )
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
                self._hold(levels, between, more=walks.bytes)
                for step in range(end - 1, begin - 1, -1):
                    self._stage += 1
                    yield from walks.back(step, between[step])
                del levels[begin]
            for drawn, laid in zip(self._drawn, walks.laid(), strict=True):
                drawn += laid
        if len(sweeps) > 1:
            for drawn in self._drawn:
                drawn.sort()

    def _forward(
        self, tables: PlainTables | KernelTables, level: Level, begin: int, end: int
    ) -> Iterator[Level | None]:
        for level_or_pause in tables.forward(level, begin, end):
            if level_or_pause is not None:
                self._stage += 1
            yield level_or_pause

    def _hold(self, *stores: dict[int, Level], more: int = 0) -> None:
        self._held = more + sum(level.bytes for levels in stores for level in levels.values())
        self._guard.check(self._held, sum(map(len, stores)))

    def _ends(self, sweep: Sweep, level: Level) -> list[int] | None:
        """Draw the state after the last step for every walk; None when there is none."""
        ends = sorted(entry for entry in level.items() if sweep.accepts(entry[0]))
        total = sum(ways for _, ways in ends)
        if not total:
            return None
        numbers = self._below.many(total, len(self._drawn))
        return [pick(ends, number) for number in paced(numbers, self._run)]
