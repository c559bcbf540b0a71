"""Searches from shuffled beginnings, in turns with the one in the natural order.

The time to a first solution by depth-first search has a heavy tail: an early choice that is wrong
is taken back only after a whole subtree.  Trying the options of an item in another order, from the
root and for a while only, makes that unlikely, and costs a quarter of the time where it does not
help.  The orders come from a seed and the turns are counted in nodes, so that the answer is always
the same.

Sources: C. P. Gomes, B. Selman, H. Kautz, Boosting combinatorial search through randomization
(1998); M. Luby, A. Sinclair, D. Zuckerman, Optimal speedup of Las Vegas algorithms (1993).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from gridkit.cover.matrix import Matrix
from gridkit.cover.search.relay import Relay, plain_allowance
from gridkit.cover.search.restarts.natural import Listing
from gridkit.errors import InputError
from gridkit.run import Work
from gridkit.run.limits import Tier

__all__ = ["Legs", "luby", "shuffled"]

# Nodes of a leg, and how many the natural order is searched for each node of a leg.
_LEG_NODES, _NATURAL_SHARE = 1000, 4
NEVER = 1 << 62


def luby(number: int) -> int:
    """Return how many times the shortest leg a leg is long: 1, 1, 2, 1, 1, 2, 4, 1, ...

    Examples
    --------
    >>> [luby(number) for number in range(7)]
    [1, 1, 2, 1, 1, 2, 4]
    """
    number += 1
    while number & (number + 1):
        number -= (1 << number.bit_length() - 1) - 1
    return (number + 1) // 2


def shuffled(matrix: Matrix, seed: int) -> tuple[Matrix, Sequence[int]]:
    """Return a problem with its options in another order, and their numbers in the given one."""
    random = Random(seed).random  # the same numbers in every version of Python, unlike `shuffle`
    numbers = list(range(len(matrix.options)))
    numbers.sort(key=[random() for _ in numbers].__getitem__)
    colors, amounts = matrix.colors, matrix.amounts
    other = replace(
        matrix,
        options=tuple(map(matrix.options.__getitem__, numbers)),
        colors=None if colors is None else tuple(map(colors.__getitem__, numbers)),
        amounts=None if amounts is None else tuple(map(amounts.__getitem__, numbers)),
    )
    return other, numbers


class Legs(Work):
    """Looks for solutions in the natural order, and in turns with that from shuffled beginnings.

    Parameters
    ----------
    matrix : Matrix
        The problem.
    method : str
        The engine.
    tier : Tier
        Which engines may answer.
    state : tuple, optional
        Where to go on, from `token`: that of the natural order, how many legs are over and the
        nodes they took, the path of the leg under way (None without one) and its nodes.
    patience : int
        Nodes in the natural order before the first leg; `NEVER` for the natural order alone.
    """

    def __init__(
        self, matrix: Matrix, method: str, tier: Tier, state: object = None, *, patience: int
    ) -> None:
        self._over: int
        self._nodes_over: int
        self._leg_nodes_earlier: int
        state = state or (None, 0, 0, None, 0)
        if not isinstance(state, tuple) or len(state) != 5:
            raise InputError("resume: the token is damaged")
        natural, self._over, self._nodes_over, path, self._leg_nodes_earlier = state
        self._matrix, self._method, self._tier = matrix, method, tier
        self._natural = Listing(matrix, method, tier, natural)
        self._shortest = max(_LEG_NODES, len(matrix.options) // 4)
        self._next = patience + _NATURAL_SHARE * sum(map(self._length, range(self._over)))
        self._numbers: Sequence[int] = ()
        self._leg = None if path is None else self._begin(path)
        self._solutions: list[tuple[int, ...]] = []  # of legs, not taken yet
        self._found_in_legs = 0
        self._exhausted = False

    def _length(self, number: int) -> int:
        return self._shortest * luby(number)

    @property
    def nodes(self) -> int:
        """Nodes spent so far."""
        return self._natural.nodes + self._nodes_over + self._leg_nodes()

    def _leg_nodes(self) -> int:
        """Nodes spent in the leg under way."""
        return self._leg_nodes_earlier + (0 if self._leg is None else self._leg.nodes)

    @property
    def found(self) -> int:
        """Solutions found so far."""
        return self._natural.found + self._found_in_legs

    @property
    def done(self) -> bool:
        """Whether there are no more solutions."""
        return self._exhausted or self._natural.done

    def fraction(self) -> float:
        """Estimate the part done, in the natural order."""
        return self._natural.fraction()

    def memory(self) -> int:
        """Bytes held."""
        return self._natural.memory() + (0 if self._leg is None else self._leg.memory())

    def token(self) -> tuple[object, ...]:
        """Return the state to continue from."""
        path = None if self._leg is None else self._leg.path()
        return self._natural.token(), self._over, self._nodes_over, path, self._leg_nodes()

    def take(self) -> list[tuple[int, ...]]:
        """Return the solutions found since the last call."""
        solutions, self._solutions = self._solutions, []
        return self._natural.search.take() + solutions

    def advance(self, budget: int) -> bool:
        """Search on until the budget is spent or solutions wait; True when none is left."""
        while budget > 0 and not self.done:
            before, found = self.nodes, self.found
            if self._natural.nodes < self._next:
                self._natural.advance(min(budget, self._next - self._natural.nodes))
            else:
                self._advance_leg(budget)
            if self.found > found:
                break
            budget -= max(1, self.nodes - before)
        return self.done

    def _begin(self, path: tuple[int, ...] = ()) -> Relay:
        """Return the search of a leg, from a path on."""
        other, self._numbers = shuffled(self._matrix, self._over)
        allowance = plain_allowance(other, self._tier)
        return Relay(other, self._method, (), path, keep=True, allowance=allowance)

    def _advance_leg(self, budget: int) -> None:
        """Go on with a leg, and end it where it found a solution or took its time."""
        if self._leg is None:
            self._leg = self._begin()
        leg, length = self._leg, self._length(self._over)
        self._exhausted = leg.advance(min(budget, length - self._leg_nodes()), 1)
        if leg.found:
            self._found_in_legs += 1
            self._solutions.append(tuple(sorted(self._numbers[o] for o in leg.take()[0])))
        elif not self._exhausted and self._leg_nodes() < length:
            return
        self._nodes_over += self._leg_nodes()
        self._next += _NATURAL_SHARE * length
        self._over, self._leg_nodes_earlier, self._leg = self._over + 1, 0, None
