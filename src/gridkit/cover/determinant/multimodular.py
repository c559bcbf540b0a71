"""The determinant of a band matrix modulo many primes, by a compiled kernel."""

# This module is imported inside a function only: small boards are counted without numpy and numba.

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gridkit.cover.determinant.kernels import DETERMINANT, VISITS, WORDS, eliminate
from gridkit.cover.determinant.modular import Residues, primes_below
from gridkit.cover.frontier.sweep import paced
from gridkit.run import Run

__all__ = ["ModularElimination"]


class ModularElimination:
    """Elimination modulo primes below 2^31 until their product exceeds twice the bound.

    Parameters
    ----------
    rows : sequence of sequences of (column, entry)
        The matrix.
    lower, upper : int
        Number of diagonals below and above the main one.
    bound : int
        What the determinant is at most.
    run : Run
        The call.
    """

    def __init__(
        self,
        rows: Sequence[Sequence[tuple[int, int]]],
        lower: int,
        upper: int,
        bound: int,
        run: Run,
    ) -> None:
        self._bound = bound
        self._lower = lower
        self._entries = np.zeros((len(rows), 2 * lower + upper + 1), np.int64)
        for row, entries in enumerate(paced(rows, run)):
            for column, entry in entries:
                self._entries[row, column - row + lower] = entry
        self._primes = primes_below(1 << 31)
        self._known = Residues()
        self._finished = 0
        self._control = np.zeros(WORDS, np.int64)
        self._start()

    def _start(self) -> None:
        self._prime = next(self._primes)
        self._residues = (self._entries % self._prime).astype(np.uint64)
        self._finished += int(self._control[VISITS])
        self._control[:] = 0
        self._control[DETERMINANT] = 1

    @property
    def spent(self) -> int:
        """Entries changed so far."""
        return self._finished + int(self._control[VISITS])

    @property
    def determinant(self) -> int:
        """The determinant, once enough primes are known."""
        return self._known.symmetric()

    def memory(self) -> int:
        """Bytes held."""
        return self._entries.nbytes + self._residues.nbytes

    def advance(self, budget: int) -> bool:
        """Change up to about `budget` entries; True at the end."""
        while self._known.modulus <= 2 * self._bound:
            before = self.spent
            if not eliminate(
                self._residues, self._control, self._lower, budget, np.uint64(self._prime)
            ):
                return False
            budget = max(1, budget - (self.spent - before))
            self._known.add(int(self._control[DETERMINANT]), self._prime)
            self._start()
        return True
