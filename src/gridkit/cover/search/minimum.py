"""Covers of least cost: branch and bound, on Python ints first and compiled when it takes long.

Costs are exact: in a common unit all of them, and their shares, are ints.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from gridkit.cover.matrix import Matrix
from gridkit.cover.search.plain import PlainSearch
from gridkit.cover.search.reduce import undominated
from gridkit.cover.search.relay import plain_allowance
from gridkit.errors import InputError
from gridkit.reading import read_int
from gridkit.run import Run, Work, call_name
from gridkit.run.limits import Tier

if TYPE_CHECKING:
    from gridkit.cover.search.branch_bound import CheapestBitset

__all__ = ["Cheapest", "CheapestSearch", "PlainCheapest", "cheapest"]

Cost = int | float
_ENGINE = "branch and bound 2"
_BITSET_BYTES = 1 << 30
# Sums of costs below this fit into the compiled engine's 64 bits.
_LARGEST = 1 << 62
_NO_END = 1 << 62


@dataclass(frozen=True, slots=True)
class Cheapest:
    """A cover of least cost.

    Attributes
    ----------
    cost : int or float
        Sum of the costs of its options.
    options : tuple of int
        Increasing numbers of its options.

    Examples
    --------
    >>> import gridkit as gk
    >>> gk.ExactCover([[0], [1], [0, 1]], costs=[1, 1, 5]).minimum()[0].cost
    2
    """

    cost: int | float
    options: tuple[int, ...]


def cheapest(matrix: Matrix, costs: Sequence[Cost], k: int, run: Run) -> tuple[Cheapest, ...]:
    """Return the `k` solutions of least total cost (see `ExactCover.minimum`)."""
    k = read_int(k, "minimum: k", 1)
    call = call_name("ExactCover.minimum", matrix.fingerprint, tuple(costs), k)
    state = run.resumed(call, _ENGINE)
    work = CheapestSearch(matrix, costs, k, state, tier=run.tier)
    run.drive(work)
    return work.value()


class PlainCheapest(PlainSearch):
    """The plain search, turning back where what is still to be covered costs too much.

    Every option's cost is shared out evenly among the demanded items it holds, and options are
    numbered by their share: an item costs at least the share of its first option left.  Where
    items are counted or options hold no demanded one, all that is sure about further options is
    the sum of the negative costs.
    """

    def __init__(
        self,
        matrix: Matrix,
        costs: Sequence[int],
        shares: Sequence[int],
        path: Sequence[int] = (),
    ) -> None:
        self._costs, self._shares = costs, shares
        self._slack = 0 if matrix.plain else sum(cost for cost in costs if cost < 0)
        self._limit: int | float = math.inf
        super().__init__(matrix, (), path, keep=True)

    def below(self, limit: int) -> None:
        """Look only for covers that cost less from now on."""
        self._limit = limit

    def advance(self, budget: int, most: int | None = None) -> bool:
        """Visit up to `budget` nodes, or until a cover is found; True at the end."""
        while self._now is not None:
            if budget <= 0 or self._kept:
                return False
            budget -= 1
            self.nodes += 1
            if not self._hopeless():
                level = self._branch(self._now)
                if not self._now.open:
                    self._record()
                if level is not None:
                    self._levels.append(level)
            self._now = self._next()
        return True

    def _hopeless(self) -> bool:
        state = self._now
        if state is None:
            return False
        bound = sum(self._costs[level.chosen] for level in self._levels) + self._slack
        if self.matrix.plain:
            for item in state.open:
                ways = state.live & self._masks[item]
                if not ways:
                    return True
                bound += self._shares[(ways & -ways).bit_length() - 1]
        return bound >= self._limit

    def _record(self) -> None:
        chosen = tuple(level.chosen for level in self._levels)
        if sum(self._costs[option] for option in chosen) < self._limit:
            self._kept.append(chosen)


class CheapestSearch(Work):
    """The search for the `k` cheapest covers.

    Parameters
    ----------
    matrix : Matrix
        The problem.
    costs : sequence of int or float
        Of each option.
    k : int
        How many covers to find.
    state : tuple, optional
        Where to go on: the path, the best covers so far as a heap, the numbers of covers met and
        of nodes.
    tier : Tier
        On Python ints, compiled, or one after the other.
    """

    def __init__(
        self,
        matrix: Matrix,
        costs: Sequence[Cost],
        k: int,
        state: object = None,
        *,
        tier: Tier = "auto",
    ) -> None:
        self._given, self._k = costs, k
        exact, shares = _in_one_unit(matrix, costs)
        kept = undominated(matrix, exact, k)
        self._order = sorted(kept, key=lambda option: (shares[option], option))
        self._matrix = _reordered(matrix, self._order)
        self._costs = [exact[option] for option in self._order]
        self._shares = [shares[option] for option in self._order]
        self._best: list[tuple[int, int, tuple[int, ...]]] = []  # a heap, the dearest first
        self._nodes_earlier = self._met = 0
        path: tuple[int, ...] = ()
        if state is not None:
            if not isinstance(state, tuple) or len(state) != 4:
                raise InputError("resume: the token is damaged")
            path, best, self._met, self._nodes_earlier = state
            self._best = list(best)
        self._allowance = _NO_END
        if self._compiles():
            self._allowance = plain_allowance(self._matrix, tier, "branch_bound").nodes
        self._engine = self._start(self._allowance <= 0, path)

    def _compiles(self) -> bool:
        matrix = self._matrix
        most = _greatest_sum(matrix, self._costs)
        size = len(matrix.options) * (matrix.items + 1) // 4
        return matrix.plain and most < _LARGEST and size < _BITSET_BYTES

    def _start(self, compiled: bool, path: Sequence[int]) -> PlainCheapest | CheapestBitset:
        engine: PlainCheapest | CheapestBitset
        if compiled:
            from gridkit.cover.search.branch_bound import CheapestBitset  # loads numba

            engine = CheapestBitset(self._matrix, self._costs, self._shares, path)
        else:
            engine = PlainCheapest(self._matrix, self._costs, self._shares, path)
        if len(self._best) == self._k:
            engine.below(-self._best[0][0])
        return engine

    @property
    def nodes(self) -> int:
        """Nodes spent so far."""
        return self._nodes_earlier + self._engine.nodes

    @property
    def found(self) -> int:
        """Covers met that were among the cheapest so far."""
        return self._met

    def advance(self, budget: int) -> bool:
        """Visit up to `budget` nodes; True at the end."""
        done = False
        while not done and budget > 0:
            before = self._engine.nodes
            done = self._engine.advance(min(budget, self._allowance))
            for chosen in self._engine.take():
                self._meet(chosen)
            spent = self._engine.nodes - before
            budget -= spent
            self._allowance -= spent
            if not done and self._allowance <= 0:
                self._nodes_earlier += self._engine.nodes
                self._allowance = _NO_END
                self._engine = self._start(True, self._engine.path())
        return done

    def _meet(self, chosen: tuple[int, ...]) -> None:
        """Take in a cover that is cheaper than the dearest of `k`."""
        self._met += 1
        cost = sum(self._costs[option] for option in chosen)
        entry = -cost, -self._met, tuple(sorted(self._order[option] for option in chosen))
        if len(self._best) < self._k:
            heapq.heappush(self._best, entry)
        else:
            heapq.heapreplace(self._best, entry)
        if len(self._best) == self._k:
            self._engine.below(-self._best[0][0])

    def value(self) -> tuple[Cheapest, ...]:
        """Return the best found, cheapest first."""
        covers = sorted((-cost, chosen) for cost, _, chosen in self._best)
        return tuple(
            Cheapest(sum(self._given[option] for option in chosen), chosen) for _, chosen in covers
        )

    def fraction(self) -> float:
        """Estimate the part done."""
        return self._engine.fraction()

    def memory(self) -> int:
        """Bytes held."""
        return self._engine.memory()

    def token(self) -> tuple[object, ...]:
        """Return the state to continue from."""
        return self._engine.path(), tuple(self._best), self._met, self.nodes


def _in_one_unit(matrix: Matrix, costs: Sequence[Cost]) -> tuple[list[int], list[int]]:
    """Return the costs of the options as ints, and each one's share for an item demanded."""
    exact = [Fraction(cost) for cost in costs]
    unit = math.lcm(*(cost.denominator for cost in exact))
    ints = [int(cost * unit) for cost in exact]
    demanded = {item for item, least in enumerate(matrix.low) if least}
    held = [max(1, sum(item in demanded for item in option)) for option in matrix.options]
    # Shares without a rest, unless the ints are so large that a rest does not matter.
    times = math.lcm(*held)
    if _greatest_sum(matrix, ints) * times < _LARGEST:
        ints = [times * cost for cost in ints]
    return ints, [cost // many for cost, many in zip(ints, held, strict=True)]


def _greatest_sum(matrix: Matrix, costs: Sequence[int]) -> int:
    """Return a bound on what any cover costs, and on any sum of shares."""
    return max(map(abs, costs), default=0) * (matrix.items + 1)


def _reordered(matrix: Matrix, order: Sequence[int]) -> Matrix:
    """Return the problem of some of its options, in another order."""
    colors, amounts = (
        None if table is None else tuple(table[option] for option in order)
        for table in (matrix.colors, matrix.amounts)
    )
    options = tuple(matrix.options[option] for option in order)
    return Matrix(options, matrix.primary, matrix.low, matrix.high, colors, amounts)
