"""Counting without searching: sweeps over the cells with all states of the frontier.

The number of coverings is found cell by cell from the numbers of ways to reach each state of the
frontier.  Two sweeps, from the first cell on and from the last one back, meet in the middle: the
answer is the sum over the states there of the product of both numbers, so that each sweep
handles numbers of half the length.  Small problems are swept with dictionaries; larger ones by
compiled kernels, in a hash table as long as few states occur and in an array over all subsets of
the slots once they fill it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import log2, prod
from typing import TYPE_CHECKING

from gridkit.cover.frontier.memory import MemoryGuard
from gridkit.cover.frontier.order import plan_sweep, planned
from gridkit.cover.frontier.plain import PlainSweep, plain_visits, settle
from gridkit.cover.frontier.sweep import Sweep, paced
from gridkit.cover.instance import Instance
from gridkit.run import Run, Work

if TYPE_CHECKING:
    from gridkit.cover.frontier.states import StateTable

# The states module is imported inside functions: it loads numpy and numba.

__all__ = ["FrontierEstimate", "count", "count_by", "count_sum", "estimate"]

# Dictionaries move 1.5 million states a second; importing the kernels costs most of a second.
_PLAIN_COLD = 1 << 20
_PLAIN_WARM = 1 << 10
_PATIENCE_WARM = 1 << 14  # states moved before a sweep that counts copies goes over to kernels
_MOST_BITS = 62
_NARROW_VISITS = 1 << 22
_PROBE = 20_000  # states
_ARRAY_BITS = 4  # an array over all subsets pays where one in 2**4 or more occurs


def count(instance: Instance, run: Run) -> int:
    """Count the coverings by sweeping over the cells.

    Parameters
    ----------
    instance : Instance
        Any pieces, any bounds on copies, optional cells, any number of regions.
    run : Run
        The call.  A node is a state moved over one cell; memory is half of what is available when
        the limit names none.

    Returns
    -------
    int
        The exact number, of any size.

    Raises
    ------
    LimitReached
        Before the states outgrow the memory allowed, or when another limit is met.  A sweep
        cannot be continued: its state is the whole table of the frontier.

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
    >>> count(Instance(cells, dominoes, ((0, None),), frozenset()), Run())
    2
    """
    return count_sum([instance], run)


def count_sum(instances: Sequence[Instance], run: Run) -> int:
    """Return the sum of the counts of several problems (see `count`)."""
    work = SweepCount([planned(instance, run) for instance in instances], run)
    run.drive(work)
    return work.value()


def count_by(instance: Instance, run: Run) -> dict[tuple[int, ...], int]:
    """Count the coverings by how often each piece is used: a generating function.

    Parameters
    ----------
    instance, run
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
    >>> count_by(Instance(cells, placements, ((0, None), (0, None)), frozenset()), Run())
    {(1, 1): 2, (3, 0): 1}
    """
    sweep = plan_sweep(instance, run, tally=True)
    work = OneSweep(sweep, MemoryGuard(run), run)
    run.drive(work)
    result: dict[tuple[int, ...], int] = {}
    for state, ways in work.states():
        if sweep.accepts(state):
            uses = tuple(counter.uses(state) for counter in sweep.counters)
            result[uses] = result.get(uses, 0) + ways
    return dict(sorted(result.items()))


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

    Examples
    --------
    >>> import gridkit as gk
    >>> tiling = gk.Tiling(gk.Board.rectangle(4, 4), gk.pieces.domino(), copies=None)
    >>> tiling.advice().estimate.width
    4
    """

    width: int
    states: int
    visits: int
    memory: int


def estimate(instance: Instance, run: Run) -> FrontierEstimate:
    """Estimate the cost of `count` without running it.

    Returns
    -------
    FrontierEstimate
        States are subsets of the frontier, times the multisets of limited pieces that can have
        filled the area settled so far.  For narrow boards it is the number of all subsets; for
        others a short sweep (about 20 ms) shows which part of the subsets occurs.

    Examples
    --------
    >>> cells = ((0, 0), (0, 1), (1, 0), (1, 1))
    >>> dominoes = ((0, (0, 1)), (0, (0, 2)), (0, (1, 3)), (0, (2, 3)))
    >>> estimate(Instance(cells, dominoes, ((0, None),), frozenset()), Run()).width
    2
    """
    width = states = visits = memory = 0
    for sweep in planned(instance, run):
        active = sweep.sizes
        narrow = sweep.visits <= _NARROW_VISITS and not sweep.counters
        density = 1.0 if narrow else _density(sweep)
        by_area = _multisets(sweep, instance.sizes, run) if sweep.counters else []
        peak = 1
        for place, size in enumerate(paced(active, run)):
            held = int(2.0 ** min(density * size, 900.0))
            if by_area:
                low, high = place + 1, min(place + 1 + size, len(by_area) - 1)
                held *= max(1, sum(by_area[low : high + 1]) // (high - low + 1))
            peak = max(peak, held)
            visits += held
        width, states = max(width, sweep.peak), max(states, peak)
        memory = max(memory, 48 * peak if sweep.counters else 16 * peak)
    return FrontierEstimate(width, states, visits, memory)


@lru_cache(maxsize=4)
def _density(sweep: Sweep) -> float:
    """Share of the frontier's bits that the number of its subsets uses, from a short sweep.

    Counting leaves the copies aside; the last steps of a sweep cut short tell more than the first.
    """
    states = {0: 1}
    density = spent = 0.0
    for step, size in zip(sweep.steps, sweep.sizes, strict=True):
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


def _multisets(sweep: Sweep, sizes: dict[int, int], run: Run) -> list[int]:
    """For each area the number of multisets of the counted pieces that fill it."""
    area = len(sweep.cells)
    ways = [1] + [0] * area
    for counter in sweep.counters:
        size = sizes.get(counter.piece, area + 1)
        after = [0] * (area + 1)
        for covered, number in enumerate(paced(ways, run)):
            for uses in range(counter.full + 1):
                if covered + uses * size > area:
                    break
                after[covered + uses * size] += number
        ways = after
    return ways


class SweepCount(Work):
    """The sum over problems of the product of the counts of their sweeps, as work in chunks."""

    def __init__(self, problems: Sequence[Sequence[Sweep]], run: Run) -> None:
        self._queue = [(place, sweep) for place, sweeps in enumerate(problems) for sweep in sweeps]
        self._factors: list[list[int]] = [[] for _ in problems]
        self._whole = [len(sweeps) for sweeps in problems]
        self._run = run
        self._guard = MemoryGuard(run)
        self._done = self._spent = 0
        self._current: OneSweep | TwoSweeps | None = None

    @property
    def nodes(self) -> int:
        """States moved so far."""
        return self._spent + (self._current.nodes if self._current is not None else 0)

    def fraction(self) -> float:
        """Estimate the part done, by the visits that the plans foresee."""
        done = sum(sweep.visits for _, sweep in self._queue[: self._done])
        if self._current is not None:
            done += int(self._current.fraction() * self._queue[self._done][1].visits)
        return done / max(1, sum(sweep.visits for _, sweep in self._queue))

    def memory(self) -> int:
        """Bytes held."""
        return self._current.memory() if self._current is not None else 0

    def value(self) -> int:
        """Return the sum over the problems that are counted; a lower bound."""
        return sum(
            prod(factors)
            for factors, whole in zip(self._factors, self._whole, strict=True)
            if len(factors) == whole
        )

    def advance(self, budget: int) -> bool:
        """Move about `budget` states; True at the end."""
        while self._done < len(self._queue):
            place, sweep = self._queue[self._done]
            if 0 not in self._factors[place]:
                if self._current is None:
                    self._current = _started(sweep, self._guard, self._run)
                before = self._current.nodes
                if not self._current.advance(budget):
                    return False
                budget = max(1, budget - (self._current.nodes - before))
                self._factors[place].append(self._current.total())
                self._spent += self._current.nodes
                self._current = None
            else:  # the others do not matter
                self._factors[place].append(0)
            self._done += 1
        return True


def _started(sweep: Sweep, guard: MemoryGuard, run: Run) -> OneSweep | TwoSweeps:
    """Begin with a dictionary where that answers soonest, else with two sweeps that meet."""
    if sweep.counters or sweep.bits > _MOST_BITS:
        return OneSweep(sweep, guard, run)
    if sweep.visits <= plain_visits(run, _PLAIN_COLD, _PLAIN_WARM):
        return OneSweep(sweep, guard, run)
    return TwoSweeps(sweep, guard, run)


class OneSweep(Work):
    """One sweep to the last cell, first on dictionaries, and in kernels once that takes long."""

    def __init__(self, sweep: Sweep, guard: MemoryGuard, run: Run) -> None:
        self._sweep = sweep
        self._guard = guard
        self._run = run
        self._before = 0
        self._patience = plain_visits(run, _PLAIN_COLD, _PATIENCE_WARM)
        self._part: PlainSweep | StateTable = PlainSweep(sweep, guard)

    @property
    def nodes(self) -> int:
        """States moved so far."""
        return self._before + self._part.nodes

    def fraction(self) -> float:
        """Estimate the part done."""
        work = _work_before(self._sweep)
        return work[self._part.step] / work[-1]

    def memory(self) -> int:
        """Bytes held."""
        return self._part.memory()

    def advance(self, budget: int) -> bool:
        """Move about `budget` states; True at the end."""
        part, sweep = self._part, self._sweep
        if isinstance(part, PlainSweep) and sweep.bits <= _MOST_BITS:
            if part.nodes >= self._patience:
                self._before = part.nodes
                from gridkit.cover.frontier.states import StateTable, SweepArrays

                arrays = SweepArrays(sweep, self._run)
                self._part = StateTable(arrays, 0, len(sweep.steps), self._guard)
            else:
                budget = min(budget, self._patience - part.nodes)
        return self._part.advance(budget)

    def states(self) -> list[tuple[int, int]]:
        """Return the states and numbers of ways that the sweep holds."""
        part = self._part
        return list(part.states.items()) if isinstance(part, PlainSweep) else part.numbers()

    def total(self) -> int:
        """Return the number of ways to end with copies enough."""
        return sum(ways for state, ways in self.states() if self._sweep.accepts(state))


class TwoSweeps(Work):
    """Two sweeps towards each other; for pieces that need not be counted."""

    def __init__(self, sweep: Sweep, guard: MemoryGuard, run: Run) -> None:
        from gridkit.cover.frontier.states import StateTable, SweepArrays

        arrays, steps = SweepArrays(sweep, run), len(sweep.steps)
        crowded = arrays.suits_array and _fills_array(sweep)
        self._front = StateTable(arrays, 0, steps // 2, guard.half(), crowded=crowded)
        self._back = StateTable(arrays, steps, steps // 2, guard.half(), crowded=crowded)
        self._sweep = sweep

    @property
    def nodes(self) -> int:
        """States moved so far."""
        return self._front.nodes + self._back.nodes

    def fraction(self) -> float:
        """Estimate the part done."""
        work = _work_before(self._sweep)
        return (work[self._front.step] + work[-1] - work[self._back.step]) / work[-1]

    def memory(self) -> int:
        """Bytes held."""
        return self._front.memory() + self._back.memory()

    def advance(self, budget: int) -> bool:
        """Move about `budget` states; True at the end."""
        before = self.nodes
        if not self._front.advance(budget):
            return False
        budget -= self.nodes - before
        return budget > 0 and self._back.advance(budget)

    def total(self) -> int:
        """Return the number of ways to come to the middle and go on from there."""
        from gridkit.cover.frontier.states import inner_product

        return inner_product(self._front, self._back)


@lru_cache(maxsize=4)
def _fills_array(sweep: Sweep) -> bool:
    """Whether a good part of all subsets of the slots is expected to occur."""
    return _density(sweep) * sweep.peak >= sweep.width - _ARRAY_BITS


@lru_cache(maxsize=4)
def _work_before(sweep: Sweep) -> list[int]:
    """Work done before each step, and in all, for fractions."""
    return list(accumulate((1 << size for size in sweep.sizes), initial=1))
