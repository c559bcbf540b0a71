"""Solutions one after the other, in the order of the tree."""

from __future__ import annotations

from gridkit.cover.matrix import Matrix
from gridkit.cover.search.relay import Relay, plain_allowance
from gridkit.errors import InputError
from gridkit.run import Work
from gridkit.run.limits import Tier

__all__ = ["Listing"]

_MOST_AT_ONCE = 4096


class Listing(Work):
    """Lists solutions: more and more at a time, so that the first comes at once.

    Parameters
    ----------
    matrix : Matrix
        The problem.
    method : str
        The engine.
    tier : Tier
        Which engines may answer.
    state : tuple, optional
        Where to go on, from `token`: the path of the search (None at the end), the solutions given
        and the nodes spent.

    Attributes
    ----------
    done : bool
        Whether all solutions were given.
    """

    def __init__(self, matrix: Matrix, method: str, tier: Tier, state: object) -> None:
        path: tuple[int, ...] | None = ()
        self._given_earlier = self._nodes_earlier = 0
        if state is not None:
            if not isinstance(state, tuple) or len(state) != 3:
                raise InputError("resume: the token is damaged")
            path, self._given_earlier, self._nodes_earlier = state
        self.done = path is None
        allowance = plain_allowance(matrix, tier)
        self.search = Relay(matrix, method, (), path or (), keep=True, allowance=allowance)
        self._most = 1

    @property
    def nodes(self) -> int:
        """Nodes spent so far."""
        return self._nodes_earlier + self.search.nodes

    @property
    def found(self) -> int:
        """Solutions found so far."""
        return self._given_earlier + self.search.found

    def value(self) -> int:
        """Return how many solutions were given."""
        return self.found

    def fraction(self) -> float:
        """Estimate the part done."""
        return self.search.fraction()

    def memory(self) -> int:
        """Bytes held."""
        return self.search.memory()

    def advance(self, budget: int) -> bool:
        """Search on until the budget is spent or some solutions wait to be taken."""
        if self.done:
            return True
        before = self.search.found
        self.done = self.search.advance(budget, self._most)
        if self.search.found > before:
            self._most = min(4 * self._most, _MOST_AT_ONCE)
        return self.done

    def token(self) -> tuple[object, ...]:
        """Return the state to continue from."""
        return None if self.done else self.search.path(), self.found, self.nodes
