"""An exact cover in other forms: estimates, the set of its solutions, texts for solvers."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from gridkit.cover.export.solvers import AtMostOne, cnf_text, lp_text
from gridkit.cover.family.many import ManyCovers
from gridkit.cover.items.contest import CoverAdvice, advise
from gridkit.cover.items.solution_set import SolutionSet, build
from gridkit.cover.matrix import Matrix
from gridkit.cover.reading import make_matrix
from gridkit.cover.search.tree import Hardness, hardness
from gridkit.run import Limit, ProgressCallback, Run

if TYPE_CHECKING:
    import numpy as np
else:
    from gridkit.hints import np  # loaded when asked for the hints

__all__ = ["CoverForms"]


class CoverForms(ManyCovers):
    """What `ExactCover` offers beside its answers."""

    options: tuple[tuple[Hashable, ...], ...]
    primary: tuple[Hashable, ...]
    secondary: tuple[Hashable, ...]
    multiplicity: Mapping[Hashable, tuple[int, int | None]]
    costs: tuple[int | float, ...] | None

    @property
    def _number(self) -> dict[Hashable, int]:
        return {item: place for place, item in enumerate(self.primary + self.secondary)}

    @cached_property
    def matrix(self) -> Matrix:
        """The problem in numbers, as the engines read it."""
        return make_matrix(self.options, self._number, self.multiplicity, self.primary)

    def advice(
        self, *, limit: Limit | None = None, progress: ProgressCallback | None = None
    ) -> CoverAdvice:
        """Say how ``count()`` is expected to get its answer, and what that takes.

        A search is estimated from random descents, a sweep from a sample of its states; `count`
        itself asks neither, but lets both take turns where much remains of a search.  A call cut
        short cannot be continued.

        Examples
        --------
        >>> from itertools import combinations
        >>> from gridkit import ExactCover
        >>> print(ExactCover([[0], [1], [0, 1]]).advice())
        search: about 4 nodes
        >>> ExactCover(combinations(range(40), 2)).advice().method
        'sweep'
        """
        with Run(limit=limit, progress=progress) as run:
            return advise(self.matrix, run)

    def solution_set(
        self, *, limit: Limit | None = None, progress: ProgressCallback | None = None
    ) -> SolutionSet:
        """Return the set of all solutions as an object: counted, drawn from, restricted, ranked.

        Its size in memory is that of the sweep over the items, not the number of solutions.

        Parameters
        ----------
        limit : Limit, optional
            Memory bounds the decision diagram that the set is kept in (about 200 bytes a node).
        progress : callable, optional
            Called with a `Progress` about ten times a second.

        Raises
        ------
        LimitReached
            Where the diagram outgrows the memory allowed.  It cannot be continued.

        Examples
        --------
        >>> from itertools import combinations
        >>> from gridkit import ExactCover
        >>> matchings = ExactCover(combinations(range(6), 2)).solution_set()
        >>> len(matchings), matchings.counts()[0], len(matchings.without(0))
        (15, 3, 12)
        """
        with Run(limit=limit, progress=progress) as run:
            return build(self.matrix, self.costs, run)

    def to_cnf(self, *, encoding: AtMostOne = "pairwise") -> str:
        """Write the problem for SAT solvers and model counters, in DIMACS format.

        Variable k + 1 says whether option k is chosen; further variables follow from these, so
        the number of models is that of the solutions.

        Parameters
        ----------
        encoding : {"pairwise", "sequential"}
            How to say that at most one of several options is chosen: a clause for each pair, or
            a chain of variables (Sinz, 2005).  Items covered several times are always counted by
            a chain.

        Examples
        --------
        >>> from gridkit import ExactCover
        >>> print(ExactCover([[0], [1], [0, 1]]).to_cnf())
        p cnf 3 4
        1 3 0
        -1 -3 0
        2 3 0
        -2 -3 0
        <BLANKLINE>
        """
        return cnf_text(self.matrix, encoding)

    def to_lp(self) -> str:
        """Write the problem as an integer program, in the LP format of CPLEX.

        Variable xk says whether option k is chosen; the `costs`, where there are any, are the
        objective.

        Examples
        --------
        >>> from gridkit import ExactCover
        >>> print(ExactCover([[0], [1], [0, 1]], costs=[1, 1, 3]).to_lp())
        Minimize
         cost: x0 + x1 + 3 x2
        Subject To
         i0: x0 + x2 = 1
         i1: x1 + x2 = 1
        Binaries
         x0 x1 x2
        End
        <BLANKLINE>
        """
        return lp_text(self.matrix, self.costs)

    def hardness(self, probes: int = 100, *, rng: int | np.random.Generator | None = 0) -> Hardness:
        """Estimate the size of the search tree from random descents.

        Each descent multiplies the branching degrees it meets (Knuth, Estimating the efficiency
        of backtrack programs, 1975); the estimate is unbiased, but far off where the tree is
        lopsided: look at its `error`.  The choices come from `rng`: a seed, a generator of numpy,
        or None for the system's.

        Examples
        --------
        >>> from gridkit import ExactCover
        >>> ExactCover([[0], [1], [0, 1]]).hardness(10).solutions > 0
        True
        """
        return hardness(self.matrix, probes, rng)
