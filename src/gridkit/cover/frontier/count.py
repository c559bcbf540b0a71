"""Counting without searching: sweeps over the cells with all states of the frontier.

The number of coverings is found cell by cell from the numbers of ways to reach each state of the
frontier.  Two sweeps, from the first cell on and from the last one back, meet in the middle: the
answer is the sum over the states there of the product of both numbers, so that each sweep
handles numbers of half the length.  Small problems are swept with dictionaries; larger ones by
compiled kernels, in a hash table as long as few states occur and in an array over all subsets of
the slots once they fill it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import log2

from gridkit.cover.frontier.fronts import KernelFront, PlainFront, Plan, kernels_loaded, meet
from gridkit.cover.frontier.order import plan_sweep, plan_sweeps
from gridkit.cover.frontier.profile import settle
from gridkit.cover.frontier.sweep import Sweep
from gridkit.cover.instance import Instance
from gridkit.cover.memory import MemoryGuard
from gridkit.run.control import Limit, ProgressCallback, drive

__all__ = ["FrontierEstimate", "count", "count_by", "estimate"]

# Dictionaries move 1.5 million states a second; importing the kernels costs most of a second.
_PLAIN_COLD = 1 << 20
_PLAIN_WARM = 1 << 10
_MOST_BITS = 62
_NARROW_VISITS = 1 << 22
_PROBE = 20_000  # states


def count(
    instance: Instance,
    *,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
) -> int:
    """Count the coverings by sweeping over the cells.

    Parameters
    ----------
    instance : Instance
        Any pieces, any bounds on copies, optional cells, any number of regions.
    limit : Limit, optional
        A node is a state moved over one cell.  Memory is half of what is available when the limit
        names none.
    progress : callable, optional
        Called with a `Progress` about ten times a second; `found` stays 0.

    Returns
    -------
    int
        The exact number, of any size.

    Raises
    ------
    LimitReached
        Before the states outgrow the memory allowed, or when another limit is met.  There is
        nothing to resume.

    Notes
    -----
    Time is cells times states, and the states are at most two to the power of the frontier's
    width (about the shorter side of the board times the pieces' length less one), times the ways
    to have used limited pieces.  The method is the transfer matrix with a broken profile, as used
    in statistical mechanics since Kramers and Wannier (1941).

    Examples
    --------
    >>> cells = ((0, 0), (0, 1), (1, 0), (1, 1))
    >>> dominoes = ((0, (0, 1)), (0, (0, 2)), (0, (1, 3)), (0, (2, 3)))
    >>> count(Instance(cells, dominoes, ((0, None),), frozenset()))
    2
    """
    work = _Product(_sweeps(instance), _guard(limit))
    drive(work, limit=limit, progress=progress)
    return work.value()


def count_by(
    instance: Instance,
    *,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
) -> dict[tuple[int, ...], int]:
    """Count the coverings by how often each piece is used: a generating function.

    Parameters
    ----------
    instance, limit, progress
        As for `count`.

    Returns
    -------
    dict
        From the numbers of uses, one for each piece, to the number of such coverings (never 0),
        in increasing order: the coefficients of a polynomial with one variable a piece.

    Examples
    --------
    >>> cells = ((0, 0), (0, 1), (0, 2))
    >>> placements = ((0, (0,)), (1, (0, 1)), (0, (1,)), (1, (1, 2)), (0, (2,)))
    >>> count_by(Instance(cells, placements, ((0, None), (0, None)), frozenset()))
    {(1, 1): 2, (3, 0): 1}
    """
    sweep = plan_sweep(instance, tally=True)
    work = _Tally(sweep, _guard(limit))
    drive(work, limit=limit, progress=progress)
    result: dict[tuple[int, ...], int] = {}
    for state, ways in work.states():
        if sweep.accepts(state):
            uses = tuple(counter.uses(state) for counter in sweep.counters)
            result[uses] = result.get(uses, 0) + ways
    return dict(sorted(result.items()))


@lru_cache(maxsize=8)
def _sweeps(instance: Instance) -> list[Sweep]:
    """Plan once for calls on the same problem in a row."""
    return plan_sweeps(instance)


def _guard(limit: Limit | None) -> MemoryGuard:
    return MemoryGuard(None if limit is None else limit.memory)


@dataclass(frozen=True, slots=True)
class FrontierEstimate:
    """What counting by a sweep will roughly cost.

    Attributes
    ----------
    width : int
        Largest number of frontier cells.
    states : int
        Estimated largest number of states at a time.
    visits : int
        Estimated number of states moved in all.
    memory : int
        Estimated bytes.
    """

    width: int
    states: int
    visits: int
    memory: int


def estimate(instance: Instance) -> FrontierEstimate:
    """Estimate the cost of `count` without running it.

    Returns
    -------
    FrontierEstimate
        States are subsets of the frontier, times the multisets of limited pieces that can have
        filled the area settled so far.  Narrow boards are told the number of all subsets at once;
        for others a short sweep (about 20 ms) shows which part of the subsets occurs.

    Examples
    --------
    >>> cells = ((0, 0), (0, 1), (1, 0), (1, 1))
    >>> dominoes = ((0, (0, 1)), (0, (0, 2)), (0, (1, 3)), (0, (2, 3)))
    >>> estimate(Instance(cells, dominoes, ((0, None),), frozenset())).width
    2
    """
    sizes = {piece: len(cells) for piece, cells in instance.placements}
    width = states = visits = memory = 0
    for sweep in _sweeps(instance):
        active = _active_sizes(sweep)
        narrow = sweep.visits <= _NARROW_VISITS and not sweep.counters
        density = 1.0 if narrow else _density(sweep, active)
        by_area = _multisets(sweep, sizes, len(sweep.cells)) if sweep.counters else []
        peak = 1
        for place, size in enumerate(active):
            held = int(2.0 ** min(density * size, 900.0))
            if by_area:
                low, high = place + 1, min(place + 1 + size, len(by_area) - 1)
                held *= max(1, sum(by_area[low : high + 1]) // (high - low + 1))
            peak = max(peak, held)
            visits += held
        width, states = max(width, sweep.peak), max(states, peak)
        memory = max(memory, 48 * peak if sweep.counters else 16 * peak)
    return FrontierEstimate(width, states, visits, memory)


def _active_sizes(sweep: Sweep) -> list[int]:
    """Number of frontier cells after each step."""
    active = 0
    sizes = []
    for step in sweep.steps:
        active &= ~step.bit
        for mask, _, _ in step.choices:
            active |= mask
        sizes.append(active.bit_count())
    return sizes


def _density(sweep: Sweep, active: list[int]) -> float:
    """Share of the frontier's bits that the number of its subsets uses, from a short sweep.

    Counting leaves the copies aside; the last steps of a sweep cut short tell more than the first.
    """
    states = {0: 1}
    density = spent = 0.0
    for step, size in zip(sweep.steps, active, strict=True):
        after: dict[int, int] = {}
        settle(states.items(), after, step, [(mask, 0, -1, 0, -1) for mask, _, _ in step.choices])
        spent += len(states)
        states = after
        if size and states:
            density = max(density, log2(len(states)) / size) if size > 4 else density
        if spent > _PROBE:
            # cut short, numbers still grow: the allowance is from boards of up to 400 cells
            return min(1.0, log2(max(1, 4 * len(states))) / max(1, size))
    return min(1.0, density)


def _multisets(sweep: Sweep, sizes: dict[int, int], area: int) -> list[int]:
    """For each area the number of multisets of the counted pieces that fill it."""
    ways = [1] + [0] * area
    for counter in sweep.counters:
        size = sizes.get(counter.piece, area + 1)
        after = [0] * (area + 1)
        for covered, number in enumerate(ways):
            for uses in range(counter.full + 1):
                if covered + uses * size > area:
                    break
                after[covered + uses * size] += number
        ways = after
    return ways


class _Product:
    """The counts of several sweeps, multiplied, as work in chunks."""

    def __init__(self, sweeps: Iterable[Sweep], guard: MemoryGuard) -> None:
        self._sweeps = list(sweeps)
        self._guard = guard
        self._total = 1
        self._done = 0
        self._spent = 0
        self._work = [sweep.visits for sweep in self._sweeps]
        self._current: _Tally | _Meeting | None = None
        self.found = 0

    @property
    def nodes(self) -> int:
        return self._spent + (self._current.nodes if self._current is not None else 0)

    def fraction(self) -> float:
        if self._current is None:
            return 1.0
        done = sum(self._work[: self._done]) + self._current.fraction() * self._work[self._done]
        return done / max(1, sum(self._work))

    def memory(self) -> int:
        return self._current.memory() if self._current is not None else 0

    def value(self) -> int:
        """Return the product, 0 while a part is not counted."""
        return self._total if self._done == len(self._sweeps) else 0

    def token(self) -> object:
        return None

    def advance(self, budget: int) -> bool:
        while self._done < len(self._sweeps):
            if self._current is None:
                self._current = _engine(self._sweeps[self._done], self._guard)
            before = self._current.nodes
            if not self._current.advance(budget):
                return False
            budget = max(1, budget - (self._current.nodes - before))
            self._total *= self._current.total()
            self._spent += self._current.nodes
            self._current = None
            self._done = self._done + 1 if self._total else len(self._sweeps)
        return True


def _engine(sweep: Sweep, guard: MemoryGuard) -> _Tally | _Meeting:
    """A dictionary where that answers before the kernels are loaded, else two sweeps that meet."""
    if sweep.counters or sweep.bits > _MOST_BITS:
        return _Tally(sweep, guard)
    if sweep.visits <= (_PLAIN_WARM if kernels_loaded() else _PLAIN_COLD):
        return _Tally(sweep, guard)
    return _Meeting(sweep, guard)


class _Tally:
    """One sweep to the last cell, first on dictionaries, and in kernels once that takes long."""

    def __init__(self, sweep: Sweep, guard: MemoryGuard) -> None:
        self._sweep = sweep
        self._guard = guard
        self._plain: PlainFront | None = PlainFront(sweep, guard)
        self._front: KernelFront | None = None
        self._before = 0
        self._patience = 1 << 14 if kernels_loaded() else _PLAIN_COLD
        self._weights = _cumulative(sweep)
        self.found = 0

    @property
    def nodes(self) -> int:
        part = self._plain or self._front
        return self._before + (part.nodes if part is not None else 0)

    def fraction(self) -> float:
        part = self._plain or self._front
        return self._weights[part.step] / self._weights[-1] if part is not None else 0.0

    def memory(self) -> int:
        part = self._plain or self._front
        return part.memory() if part is not None else 0

    def token(self) -> object:
        return None

    def value(self) -> int:
        return 0

    def advance(self, budget: int) -> bool:
        if self._plain is not None:
            if self._plain.advance(budget):
                return True
            if self._sweep.bits <= _MOST_BITS and self._plain.nodes > self._patience:
                self._before = self._plain.nodes
                self._plain = None
                plan = Plan(self._sweep)
                self._front = KernelFront(plan, 0, len(self._sweep.steps), self._guard)
            return False
        assert self._front is not None
        return self._front.advance(budget)

    def states(self) -> list[tuple[int, int]]:
        """Return the states and numbers of ways that the sweep holds."""
        if self._plain is not None:
            return list(self._plain.states.items())
        assert self._front is not None
        return self._front.numbers()

    def total(self) -> int:
        """Return the number of ways to end with copies enough."""
        return sum(ways for state, ways in self.states() if self._sweep.accepts(state))


class _Meeting:
    """Two sweeps towards each other; for pieces that need not be counted."""

    def __init__(self, sweep: Sweep, guard: MemoryGuard) -> None:
        plan = Plan(sweep)
        steps = len(sweep.steps)
        guard = MemoryGuard(guard.allowed // 2)
        self._front = KernelFront(plan, 0, steps // 2, guard)
        self._back = KernelFront(plan, steps, steps // 2, guard)
        self._weights = _cumulative(sweep)

    @property
    def nodes(self) -> int:
        return self._front.nodes + self._back.nodes

    def fraction(self) -> float:
        weights = self._weights
        done = weights[self._front.step] + weights[-1] - weights[self._back.step]
        return done / weights[-1]

    def memory(self) -> int:
        return self._front.memory() + self._back.memory()

    def advance(self, budget: int) -> bool:
        before = self.nodes
        if not self._front.advance(budget):
            return False
        budget -= self.nodes - before
        return budget > 0 and self._back.advance(budget)

    def total(self) -> int:
        return meet(self._front, self._back)


def _cumulative(sweep: Sweep) -> list[int]:
    """Work done before each step, and in all, for fractions."""
    return [1, *accumulate((1 << size for size in _active_sizes(sweep)), initial=1)][1:]
