"""The set of all solutions of an exact cover, as an object."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from gridkit.cover.items.diagram import EMPTY, UNIT, Diagram, PlanDiagram, common
from gridkit.cover.items.kinds import classify
from gridkit.cover.items.order import best_order
from gridkit.cover.items.plan import lay_out
from gridkit.cover.matrix import Matrix
from gridkit.cover.search.minimum import Cheapest
from gridkit.cover.search.tree import chance_from
from gridkit.errors import InputError
from gridkit.reading import read_int
from gridkit.run import Limit, ProgressCallback, Run

if TYPE_CHECKING:
    import numpy as np
else:
    from gridkit.hints import np  # loaded when asked for the hints

__all__ = ["SolutionSet", "build"]


@dataclass(frozen=True, repr=False)
class SolutionSet:
    """A set of solutions, kept as a decision diagram over the options.

    Immutable; made by `ExactCover.solution_set`.  What is asked of it takes time proportional to
    the diagram's nodes, however many solutions there are.  ``len(solutions)`` works up to
    `sys.maxsize`; `count` always.

    Examples
    --------
    >>> from gridkit import ExactCover
    >>> cover = ExactCover(["a", "b", "c", "ab", "bc"], costs=[1, 2, 4, 1, 7])
    >>> solutions = cover.solution_set()
    >>> list(solutions), solutions.counts(), (0, 4) in solutions
    ([(0, 1, 2), (0, 4), (2, 3)], (2, 1, 2, 1, 1), True)
    >>> solutions.cheapest(2)
    (Cheapest(cost=5, options=(2, 3)), Cheapest(cost=7, options=(0, 1, 2)))
    """

    diagram: Diagram
    option_count: int
    costs: tuple[int | float, ...] | None = None

    @cached_property
    def _counts(self) -> list[int]:
        return self.diagram.counts()

    def __repr__(self) -> str:
        return f"<SolutionSet of {self.count()} solutions in {self.nodes} nodes>"

    @property
    def nodes(self) -> int:
        """Nodes of the diagram."""
        return len(self.diagram.nodes)

    def count(self) -> int:
        """Return the number of solutions, of any size."""
        return self._counts[self.diagram.root]

    def __len__(self) -> int:
        return self.count()

    def __bool__(self) -> bool:
        return self.diagram.root != EMPTY

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Give the solutions, each a tuple of increasing option numbers."""
        return self.diagram.sets()

    def __contains__(self, solution: object) -> bool:
        if not isinstance(solution, (tuple, list, set, frozenset)):
            return False
        chosen, number = set(solution), self.diagram.root
        left = len(chosen)
        while number > UNIT:
            place, without, with_it = self.diagram.nodes[number - 2]
            held = self.diagram.options[place] in chosen
            number = with_it if held else without
            left -= held
        return number == UNIT and left == 0

    def counts(self) -> tuple[int, ...]:
        """Return for each option how many solutions hold it."""
        result = [0] * self.option_count
        times = self.diagram.ways_to(self._counts)
        for option, often in zip(self.diagram.options, times, strict=True):
            result[option] = often
        return tuple(result)

    def sample(
        self, n: int = 1, *, rng: int | np.random.Generator | None = None
    ) -> list[tuple[int, ...]]:
        """Draw solutions uniformly and independently.

        Parameters
        ----------
        n : int
            How many.
        rng : int, numpy.random.Generator or None
            A seed, a generator, or the system's source of chance.

        Raises
        ------
        InputError
            For n below 0, or a set without solutions.
        """
        n = read_int(n, "sample: n", 0)
        if n and not self:
            raise InputError("sample: there are no solutions to draw from")
        chance = chance_from(rng, "sample: rng")
        drawn = []
        for _ in range(n):
            number, chosen = self.diagram.root, list[int]()
            while number > UNIT:
                place, without, with_it = self.diagram.nodes[number - 2]
                if chance.randrange(self._counts[number]) < self._counts[with_it]:
                    chosen.append(self.diagram.options[place])
                    number = with_it
                else:
                    number = without
            drawn.append(tuple(sorted(chosen)))
        return drawn

    def cheapest(self, k: int = 1) -> tuple[Cheapest, ...]:
        """Return the `k` solutions of least cost, cheapest first (fewer if fewer exist).

        Costs are added up exactly.  Time is linear in the diagram for each solution.

        Raises
        ------
        InputError
            For a problem without costs, or k below 1.
        """
        k = read_int(k, "cheapest: k", 1)
        if self.costs is None:
            raise InputError("cheapest: the problem was given no costs")
        return tuple(
            Cheapest(sum(self.costs[option] for option in options), options)
            for options in _by_cost(self.diagram, self.costs, k)
        )

    def holding(self, option: int) -> SolutionSet:
        """Return the solutions that hold an option."""
        return self._restricted(option, chosen=True)

    def without(self, option: int) -> SolutionSet:
        """Return the solutions that do not hold an option."""
        return self._restricted(option, chosen=False)

    def _restricted(self, option: int, *, chosen: bool) -> SolutionSet:
        option = read_int(option, "option", 0)
        if option >= self.option_count:
            raise InputError(f"option: expected one of 0 to {self.option_count - 1}, got {option}")
        if option not in self.diagram.options:
            diagram = Diagram(self.diagram.options, (), EMPTY) if chosen else self.diagram
        else:
            place = self.diagram.options.index(option)
            diagram = self.diagram.restricted(place, chosen=chosen)
        return SolutionSet(diagram, self.option_count, self.costs)

    def intersection(
        self,
        other: SolutionSet,
        *,
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
    ) -> SolutionSet:
        """Return the solutions that are in both sets; the options of both have to be the same.

        Sets that ask for the options in different orders can take long; nodes are those made.

        Examples
        --------
        >>> from gridkit import ExactCover
        >>> rows = ExactCover(["a", "b", "c", "ab", "bc"]).solution_set()
        >>> list(rows.intersection(ExactCover(["p", "q", "r", "q", "p"]).solution_set()))
        [(0, 1, 2)]

        Raises
        ------
        InputError
            For sets over another number of options.
        LimitReached
            Where a limit is met; it cannot be continued.
        """
        with Run(limit=limit, progress=progress) as run:
            if not isinstance(other, SolutionSet) or other.option_count != self.option_count:
                raise InputError(
                    f"intersection: expected a SolutionSet over {self.option_count} options"
                )
            return SolutionSet(
                common(self.diagram, other.diagram, run), self.option_count, self.costs
            )

    def __and__(self, other: SolutionSet) -> SolutionSet:
        return self.intersection(other)

    def to_dot(self) -> str:
        """Write the diagram in the DOT language of Graphviz: dashed without the option."""
        lines = [
            "digraph solutions {",
            '  0 [label="no", shape=box];',
            '  1 [label="yes", shape=box];',
        ]
        for number, (place, without, chosen) in enumerate(self.diagram.nodes, 2):
            lines.append(f'  {number} [label="{self.diagram.options[place]}"];')
            if without != EMPTY:
                lines.append(f"  {number} -> {without} [style=dashed];")
            lines.append(f"  {number} -> {chosen};")
        return "\n".join([*lines, "}"]) + "\n"


def _by_cost(diagram: Diagram, costs: Sequence[int | float], k: int) -> Iterator[tuple[int, ...]]:
    """Give the k sets of least cost: a best-first search with the exact cost of what remains."""
    exact = [Fraction(costs[option]) for option in diagram.options]
    least: list[Fraction | None] = [None, Fraction(0)]
    for place, without, chosen in diagram.nodes:
        with_it, other = least[chosen], least[without]
        assert with_it is not None
        best = with_it + exact[place]
        least.append(best if other is None or best < other else other)
    start = least[diagram.root]
    if start is None:
        return
    queue: list[tuple[Fraction, int, int, Fraction, tuple[int, ...]]] = []
    entries = 0
    heapq.heappush(queue, (start, entries, diagram.root, Fraction(0), ()))
    while queue and k:
        _, _, number, spent, options = heapq.heappop(queue)
        if number == UNIT:
            k -= 1
            yield tuple(sorted(options))
            continue
        place, without, chosen = diagram.nodes[number - 2]
        branches = [
            (chosen, spent + exact[place], (*options, diagram.options[place])),
            (without, spent, options),
        ]
        for end, cost, held in branches:
            rest = least[end]
            if rest is not None:
                entries += 1
                heapq.heappush(queue, (cost + rest, entries, end, cost, held))


def build(matrix: Matrix, costs: tuple[int | float, ...] | None, run: Run) -> SolutionSet:
    """Return the set of all solutions of a problem.

    Parameters
    ----------
    matrix : Matrix
        The problem.
    costs : tuple of numbers, optional
        The cost of each option.
    run : Run
        The call; its limit of memory bounds the diagram.
    """
    kinds = classify(matrix, run)
    if not kinds.possible:
        return SolutionSet(Diagram((), (), EMPTY), len(matrix.options), costs)
    work = PlanDiagram(lay_out(kinds, best_order(kinds, run), run), run)
    run.drive(work)
    return SolutionSet(work.diagram(kinds.free), len(matrix.options), costs)
