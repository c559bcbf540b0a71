"""What the search engines have in common: a subtree to search, the order of the tree, a path.

The tree
--------
An engine branches on the demanded item with the fewest ways left: the number of options that may
still be chosen and hold it, less those that must remain for its further covers.  Of several such
items it takes the first; an item with one way or none ends the comparison.  It tries the item's
options in increasing order, and no later branch uses an option that was tried, so each solution is
met once.  Where nothing is demanded any more, it branches on all options that may still be added.

The engines "plain", "bitset" and "sparse" all visit this tree in this order.  So a search is handed
from one to another by its path alone, and a token is a few small numbers.

Source: D. E. Knuth, The Art of Computer Programming 7.2.2.1 (2020), the MRV heuristic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

from gridkit.errors import InputError
from gridkit.run.work import Work

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Engine", "Prefix", "cached_by_identity", "foreign_token", "fraction_of"]

K = TypeVar("K")
V = TypeVar("V")

# A subtree: option o is taken, or ruled out where it says ~o.
Prefix = tuple[int, ...]


class Engine(Work):
    """A depth-first search of one subtree, that may keep the solutions it meets."""

    def advance(self, budget: int, most: int | None = None) -> bool:
        """Visit up to `budget` nodes, or until `most` solutions are kept; True at the end."""
        raise NotImplementedError

    def path(self) -> tuple[int, ...]:
        """Return where the search stands: the option chosen at each level below the prefix."""
        raise NotImplementedError

    def take(self) -> list[tuple[int, ...]]:
        """Return the solutions kept since the last call, each in increasing order."""
        raise NotImplementedError

    def take_array(self) -> NDArray[np.int32]:
        """Return the same as rows, filled up with -1."""
        from gridkit.cover.search.arrays import rows_of  # loads numpy

        return rows_of(self.take())


def foreign_token() -> InputError:
    """Return the error for a path that no search of this problem can have made."""
    return InputError("resume: the token does not belong to this problem")


def fraction_of(levels: Iterable[tuple[int, int]]) -> float:
    """Return the part of a tree that lies before a path.

    Parameters
    ----------
    levels : iterable of (before, width)
        At each level, from the root: how many siblings are done, and how many there are.

    Examples
    --------
    >>> fraction_of([(1, 2), (1, 4)])
    0.625
    """
    part, weight = 0.0, 1.0
    for before, width in levels:
        if width <= 0 or weight < 1e-12:
            break
        weight /= width
        part += weight * before
    return part


def cached_by_identity(make: Callable[[K], V], size: int = 4) -> Callable[[K], V]:
    """Return `make` with a cache of its last results; for immutable arguments.

    Arguments are told apart by identity, since comparing large problems takes longer than a short
    search.

    Examples
    --------
    >>> pack = cached_by_identity(list)
    >>> problem = (1, 2)
    >>> pack(problem) is pack(problem)
    True
    """
    results: tuple[tuple[K, V], ...] = ()

    def get(argument: K) -> V:
        nonlocal results
        for known, result in results:
            if known is argument:
                return result
        result = make(argument)
        results = ((argument, result), *results[: size - 1])
        return result

    return get
