"""Solutions of least cost: branch and bound."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from fractions import Fraction

from gridkit.cover.matrix import Matrix
from gridkit.cover.plain import PlainSearch
from gridkit.cover.solution import Cheapest
from gridkit.errors import InputError
from gridkit.run.control import Limit, ProgressCallback, drive

__all__ = ["cheapest"]

Cost = int | float


def cheapest(
    matrix: Matrix,
    costs: Sequence[Cost],
    k: int,
    *,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
) -> tuple[Cheapest, ...]:
    """Return the `k` solutions of least total cost (see `ExactCover.minimum`)."""
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise InputError(f"minimum: k must be an int >= 1, got {k!r}")
    work = CheapestSearch(matrix, costs, k)
    drive(work, limit=limit, progress=progress)
    return work.value()


class CheapestSearch(PlainSearch):
    """The plain search, turning back where what is still to be covered costs too much.

    Every option's cost is shared out evenly among the demanded items it holds; an item costs at
    least the least share any option offers, whatever the other choices.  Options without such an
    item, and counted items, are covered by the sum of all negative costs.
    """

    def __init__(self, matrix: Matrix, costs: Sequence[Cost], k: int) -> None:
        super().__init__(matrix, keep=True)
        # A float is a fraction: in a common unit all costs and their shares are exact ints.
        exact = [Fraction(cost) for cost in costs]
        self._held = [
            [item for item in option if item < matrix.primary and matrix.low[item]]
            for option in matrix.options
        ]
        sizes = {len(held) for held in self._held if held}
        unit = math.lcm(*(cost.denominator for cost in exact), *sizes)
        self._given = costs
        self._costs = [int(cost * unit) for cost in exact]
        self._k = k
        self._best: list[tuple[int, int, tuple[int, ...]]] = []
        self._met = 0
        self._shares = self._least_shares()
        # Nothing is sure about options beyond the plain rules but that they may be negative.
        self._slack = 0 if matrix.plain else sum(cost for cost in self._costs if cost < 0)

    def _least_shares(self) -> list[int]:
        matrix = self.matrix
        shares: dict[int, int] = {}
        if matrix.plain:
            for held, cost in zip(self._held, self._costs, strict=True):
                for item in held:
                    share = cost // len(held)
                    shares[item] = min(share, shares.get(item, share))
        return [shares.get(item, 0) for item in range(matrix.primary)]

    def _record(self) -> None:
        chosen = tuple(sorted(level.chosen for level in self._levels))
        cost = sum(self._costs[option] for option in chosen)
        self.found += 1
        self._met += 1
        entry = (-cost, -self._met, chosen)
        if len(self._best) < self._k:
            heapq.heappush(self._best, entry)
        elif entry > self._best[0]:
            heapq.heapreplace(self._best, entry)

    def _hopeless(self, open_items: Sequence[int]) -> bool:
        if len(self._best) < self._k:
            return False
        spent = sum(self._costs[level.chosen] for level in self._levels)
        bound = spent + sum(self._shares[item] for item in open_items) + self._slack
        return bound >= -self._best[0][0]

    def advance(self, budget: int, wanted: int | None = None) -> bool:
        """Visit up to `budget` nodes; True at the end."""
        while self._now is not None:
            if budget <= 0:
                return False
            budget -= 1
            self.nodes += 1
            if not self._hopeless(self._now.open):
                level = self._branch(self._now)
                if not self._now.open:
                    self._record()
                if level is not None:
                    self._levels.append(level)
            self._now = self._next()
        return True

    def value(self) -> tuple[Cheapest, ...]:
        """Return the best found, cheapest first."""
        found = sorted((-cost, chosen) for cost, _, chosen in self._best)
        return tuple(
            Cheapest(sum(self._given[option] for option in chosen), chosen) for _, chosen in found
        )

    def token(self) -> None:
        """There is nothing to resume."""
        return
