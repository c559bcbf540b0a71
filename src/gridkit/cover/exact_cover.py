"""Exact cover with colours, multiplicities and costs (Knuth's XCC and MCC problems)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from gridkit.cover.cover_forms import CoverForms
from gridkit.cover.items.contest import CoverMethod, count_cover
from gridkit.cover.knuth_text import parse_problem, problem_text
from gridkit.cover.reading import (
    Bounds,
    Colored,
    is_plain_and_large,
    read_both,
    read_costs,
    read_multiplicity,
    read_options,
    read_symmetries,
)
from gridkit.cover.search import listing
from gridkit.cover.search.minimum import Cheapest, cheapest
from gridkit.cover.search.relay import Method
from gridkit.cover.symmetry import item_permutations
from gridkit.errors import InputError, UnsupportedError, naming_packages
from gridkit.reading import read_bool
from gridkit.run import Limit, ProgressCallback, Run

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import numpy as np
    from numpy.typing import ArrayLike, NDArray
else:
    from gridkit.hints import ArrayLike, Executor, NDArray, np  # loaded when asked for the hints

__all__ = ["Bounds", "Colored", "ExactCover"]

# Mappings do not accept keys of a narrower type than theirs, as iterables do: hence variables.
Item = TypeVar("Item", bound=Hashable)
Moved = TypeVar("Moved", bound=Hashable)


class ExactCover(CoverForms):
    """Choose options so that every primary item is covered as often as it asks for.

    Immutable.  A solution is a set of options; it covers each primary item exactly once (or
    within its `multiplicity`) and each secondary item at most once, unless all its options give
    the secondary item one and the same colour.

    Parameters
    ----------
    options : iterable of iterables of items
        An item is any hashable value; `Colored` gives a secondary one a colour.  The order of
        items within an option does not matter.  Equal options are different options.
    primary : iterable of items, optional
        The items to be covered; every item of the options that is not secondary when left out,
        in the order in which they appear.
    secondary : iterable of items
        The items that may be covered.
    multiplicity : mapping of item to int or (least, greatest), optional
        How often to cover a primary item, instead of once; greatest None means no upper bound.
    costs : sequence of int or float, optional
        The cost of each option, for `minimum`; finite.
    symmetries : iterable of mappings of item to item, optional
        Permutations of the items (items left out stay) under which the options as a whole do not
        change; they generate the group that ``count(up_to_symmetry=True)`` counts orbits under.

    Raises
    ------
    InputError
        For an empty option, an unknown item, an item repeated in an option, a coloured primary
        item, bounds that are no range, a mapping that does not preserve the options; the message
        names the option's index.

    Notes
    -----
    The terms are those of Knuth, The Art of Computer Programming 7.2.2.1 (2020).  As there, an
    option that holds secondary items only is never chosen.

    Examples
    --------
    >>> cover = ExactCover(["ce", "adg", "bcf", "adf", "bg", "deg"], primary="abcdefg")
    >>> cover.count(), cover.first()
    (1, (0, 3, 4))
    >>> ExactCover([[0], [0], [0]], multiplicity={0: 2}).count()
    3
    """

    _generators: tuple[tuple[tuple[Hashable, Hashable], ...], ...] | None
    _group: tuple[tuple[int, ...], ...] | None

    def __init__(
        self,
        options: Iterable[Iterable[Hashable]],
        primary: Iterable[Hashable] | None = None,
        secondary: Iterable[Hashable] = (),
        *,
        multiplicity: Mapping[Item, Bounds] | None = None,
        costs: Sequence[int | float] | None = None,
        symmetries: Iterable[Mapping[Moved, Moved]] | None = None,
    ) -> None:
        option_items = read_options(options)
        demanded, optional = read_both(option_items, primary, secondary)
        bounds = read_multiplicity(multiplicity, demanded, set(optional))
        prices = None if costs is None else read_costs(costs, len(option_items))
        self._put(options=option_items, primary=demanded, secondary=optional)
        self._put(multiplicity=bounds, costs=prices)
        if not is_plain_and_large(option_items, demanded + optional):
            self.matrix  # noqa: B018  numbers the items, and finds what is wrong with them
        generators = group = None
        if symmetries is not None:
            mappings = read_symmetries(symmetries)
            group = item_permutations(mappings, self._number, self.matrix)
            generators = tuple(tuple(mapping.items()) for mapping in mappings)
        self._put(_generators=generators, _group=group)

    @property
    def symmetries(self) -> tuple[Mapping[Hashable, Hashable], ...] | None:
        """The permutations of the items that were given, or None where none were."""
        if self._generators is None:
            return None
        return tuple(MappingProxyType(dict(pairs)) for pairs in self._generators)

    @classmethod
    def from_matrix(
        cls,
        matrix: ArrayLike,
        *,
        secondary: Iterable[int] = (),
        costs: Sequence[int | float] | None = None,
    ) -> ExactCover:
        """Read a 0-1 matrix: rows are options, columns the items 0, 1, 2, ...

        Parameters
        ----------
        matrix : array_like of shape (options, items), or a scipy sparse matrix or array
            Of any dtype and memory order; every entry 0 or 1 (True, 1.0).
        secondary : iterable of int
            The columns that may stay uncovered.
        costs : sequence of int or float, optional
            The cost of each row.

        Raises
        ------
        InputError
            For another number of dimensions, ragged rows, an entry other than 0 and 1 (naming
            its cell), or a row of zeros (naming it).

        Examples
        --------
        >>> ExactCover.from_matrix([[1, 0, 0], [0, 1, 1], [1, 1, 0], [0, 0, 1]]).first()
        (0, 1)
        """
        with naming_packages():  # it loads numpy
            from gridkit.cover.matrix_reading import options_of_matrix, primary_columns

        options, columns = options_of_matrix(matrix)
        return cls(options, *primary_columns(columns, secondary), costs=costs)

    @staticmethod
    def parse(text: str) -> ExactCover:
        """Read a problem in the text format of Knuth's DLX programs (see `gridkit.cover.loads`).

        Examples
        --------
        >>> ExactCover.parse("p q | x\\np x:A\\nq x:A\\n").count()
        1
        """
        options, primary, secondary, multiplicity, costs = parse_problem(text)
        try:
            return ExactCover(options, primary, secondary, multiplicity=multiplicity, costs=costs)
        except InputError:  # an item is repeated in an option: say in which line
            parse_problem(text, one_by_one=True)
            raise

    def to_text(self) -> str:
        """Write the problem in the text format of Knuth's DLX programs (see `gridkit.cover.dumps`).

        Raises
        ------
        InputError
            Where the format has no way to say it.
        """
        if self._generators is not None:
            raise InputError("the format has no symmetries: write the problem without them")
        return problem_text(
            self.options, self.primary, self.secondary, self.multiplicity, self.costs
        )

    def count(
        self,
        *,
        method: CoverMethod = "auto",
        up_to_symmetry: bool = False,
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
        executor: Executor | None = None,
        parts: int | None = None,
        checkpoint: str | PathLike[str] | None = None,
        resume: object = None,
    ) -> int:
        """Count the solutions.

        Parameters
        ----------
        method : {"auto", "plain", "bitset", "sparse", "sweep", "memo"}
            The engine.  "auto" begins with a search on Python ints, which answers small problems
            without loading numba, and hands the rest to a compiled one: "bitset" (option sets in
            machine words) up to 8,000 options, "sparse" (memory linear in the matrix) above, and
            where an item may be covered more than once or an option covers optional ones only.
            Where very much remains, "sweep" (item by item, all states of the frontier at once)
            and "memo" (a search that splits and remembers) begin too and take turns with it.
        up_to_symmetry : bool
            Count orbits under the problem's `symmetries`.
        limit : Limit, optional
            Nodes are branchings visited.
        progress : callable, optional
            Called with a `Progress` about ten times a second.
        executor : concurrent.futures.Executor, optional
            Where to count the parts of the search tree; the calling thread when left out.
        parts : int, optional
            Into how many parts to split the tree at least.
        checkpoint : path, optional
            A file that keeps the parts counted, from which a killed call goes on.
        resume : token, optional
            The token of a `LimitReached` or `Interrupted` of the same call.

        Returns
        -------
        int
            Exact, of any size.

        Raises
        ------
        LimitReached, Interrupted
            With the lower bound found so far in ``.partial.value`` and a ``.token``.
        UnsupportedError
            For orbits of a problem without `symmetries`, or in parts; for "bitset" where that
            does not suit.

        Notes
        -----
        First forced options are taken, parts without common items separated, and of equal
        options one is kept where all solutions provably count alike.

        Examples
        --------
        >>> ExactCover([[i] for i in range(70) for _ in "ab"]).count() == 2**70
        True
        """
        with Run(
            limit=limit,
            progress=progress,
            executor=executor,
            parts=parts,
            checkpoint=checkpoint,
            resume=resume,
            nothing=0,
        ) as run:
            group = None
            if read_bool(up_to_symmetry, "ExactCover.count: up_to_symmetry"):
                group = self._group
                if group is None:
                    raise UnsupportedError("up_to_symmetry: the problem was given no symmetries")
            call = "ExactCover.count"
            return count_cover(self.matrix, run, method=method, orbits_under=group, call=call)

    def first(
        self,
        *,
        method: Method = "auto",
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
        resume: object = None,
    ) -> tuple[int, ...] | None:
        """Return one solution, or None: there is none.

        It is the first that `solutions` gives where the search meets that soon.  After 20,000
        nodes the problem is also searched from other beginnings, its options shuffled from fixed
        seeds, in turns with the search in the order of `solutions`: a fourth of the nodes, which
        often finds a solution where an early choice was wrong.

        Examples
        --------
        >>> ExactCover([[0], [1], [0, 1]]).first()
        (0, 1)
        """
        with Run(limit=limit, progress=progress, resume=resume) as run:
            call = "ExactCover.first"
            search = listing.seek(self.matrix, 1, run, method=method, call=call, restart=True)
            run.drive(search)
            return search.solutions[0] if search.solutions else None

    def solutions(
        self,
        *,
        method: Method = "auto",
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
        resume: object = None,
    ) -> Iterator[tuple[int, ...]]:
        """Iterate over the solutions, each a tuple of increasing option numbers.

        The order is that of a depth-first search, the same for every method: it branches on the
        primary item that leaves the fewest options (the first of them in the order of `primary`;
        an item with one way or none left ends the comparison) and tries them by number.

        The token of `LimitReached` goes on right after the last solution given; the partial value
        is how many were given.

        Examples
        --------
        >>> list(ExactCover([[0], [1], [0, 1]]).solutions())
        [(0, 1), (2,)]
        """
        with Run(limit=limit, progress=progress, resume=resume, nothing=0) as run:
            call = "ExactCover.solutions"
            return listing.solutions(self.matrix, run, method=method, call=call)

    def solutions_array(
        self,
        most: int | None = None,
        *,
        method: Method = "auto",
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
        resume: object = None,
    ) -> NDArray[np.int32]:
        """Return all solutions, or the first `most`, as the rows of an int32 array.

        A row holds increasing option numbers, then -1 up to the longest solution's length.  A call
        cut short has the rows so far as its partial value and, for `resume`, in its token.

        Examples
        --------
        >>> ExactCover([[0], [1], [0, 1]]).solutions_array().tolist()
        [[0, 1], [2, -1]]
        """
        with Run(limit=limit, progress=progress, resume=resume) as run:
            return listing.solutions_array(self.matrix, most, run, method=method)

    def is_unique(
        self,
        *,
        method: Method = "auto",
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
        resume: object = None,
    ) -> bool:
        """Whether there is exactly one solution; stops at the second.

        Examples
        --------
        >>> ExactCover([[0], [1], [0, 1]]).is_unique()
        False
        """
        with Run(limit=limit, progress=progress, resume=resume) as run:
            search = listing.seek(self.matrix, 2, run, method=method, call="ExactCover.is_unique")
            run.drive(search)
            return search.found == 1

    def minimum(
        self,
        k: int = 1,
        *,
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
        resume: object = None,
    ) -> tuple[Cheapest, ...]:
        """Return the `k` solutions of least total cost, cheapest first (fewer if fewer exist).

        Solutions of equal cost come in the order of their option numbers; which of those that
        tie for the last place is returned is the first met by the search.

        Raises
        ------
        InputError
            For a problem without `costs`, or k below 1.
        LimitReached
            With the best found so far in ``.partial.value`` and a ``.token`` for `resume`.

        Notes
        -----
        Branch and bound: each option's cost is shared out among the items it must cover, and the
        least shares left to the items still to be covered are what they cost at least.  Costs
        are added up exactly, floats as the fractions they are.  Options for which enough others
        can stand in (they cover the same, or fewer items that need not be covered, for no more)
        are left out first: of equal options, for k = 1, all but the earliest of the cheapest.
        Problems whose items are covered at most once, with up to some thousand options, are
        searched compiled when they take long; others on Python ints.

        Examples
        --------
        >>> ExactCover([[0], [1], [0, 1]], costs=[1, 1, 5]).minimum()
        (Cheapest(cost=2, options=(0, 1)),)
        """
        with Run(limit=limit, progress=progress, resume=resume, nothing=()) as run:
            if self.costs is None:
                raise InputError("minimum: the problem was given no costs")
            return cheapest(self.matrix, self.costs, k, run)

    @cached_property
    def _text(self) -> str:
        try:
            return self.to_text()
        except InputError:
            return repr(self)

    def __len__(self) -> int:
        return len(self.options)

    def __bool__(self) -> bool:
        return True  # a problem without options is a problem

    def _key(self) -> tuple[object, ...]:
        bounds = frozenset(self.multiplicity.items())
        group = None if self._group is None else frozenset(self._group)
        return self.options, self.primary, self.secondary, bounds, self.costs, group

    def __str__(self) -> str:
        """Return the problem in Knuth's format where that can hold it, else its repr."""
        return self._text

    def _arguments(self) -> list[str]:
        options = [list(option) for option in self.options]
        arguments = [repr(options), repr(list(self.primary)), repr(list(self.secondary))]
        if self.multiplicity:
            arguments.append(f"multiplicity={dict(self.multiplicity)!r}")
        if self.costs is not None:
            arguments.append(f"costs={list(self.costs)!r}")
        if self._generators is not None:
            arguments.append(f"symmetries={[dict(pairs) for pairs in self._generators]!r}")
        return arguments
