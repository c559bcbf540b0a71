"""Determinants of matrices with few diagonals: in Python's integers, or modulo many primes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from gridkit.cover.determinant.modular import hadamard_bound
from gridkit.run import Run, Work

if TYPE_CHECKING:
    from gridkit.cover.determinant.multimodular import ModularElimination

__all__ = ["Band", "Determinants"]

# A modulus of one Mersenne prime serves the plain tier, whose integers have any length.
_MERSENNE = (61, 127, 521, 1279, 2203, 4423, 9689, 19937, 44497, 110503, 216091)
_PLAIN_WORK = 1 << 19  # entries changed by the plain tier in about half a second


@dataclass(frozen=True)
class Band:
    """A square matrix with few diagonals: its rows of (column, entry) and where they lie."""

    rows: tuple[tuple[tuple[int, int], ...], ...]
    lower: int
    upper: int

    @property
    def work(self) -> int:
        """Entries that elimination changes at most."""
        return len(self.rows) * (self.lower + 1) * (self.lower + self.upper + 1)

    @cached_property
    def bound(self) -> int:
        """What the determinant is at most (Hadamard)."""
        by_row = hadamard_bound([entry for _, entry in row] for row in self.rows)
        columns: list[list[int]] = [[] for _ in self.rows]
        for row in self.rows:
            for column, entry in row:
                columns[column].append(entry)
        return min(by_row, hadamard_bound(columns))


class Determinants(Work):
    """The absolute values of determinants, multiplied, as work in chunks."""

    def __init__(self, bands: list[Band], run: Run) -> None:
        self._bands = sorted(bands, key=lambda band: band.work)
        self._product = 1
        self._done = 0
        self._current: PlainElimination | ModularElimination | None = None
        self._run = run
        self._total_work = sum(map(self._planned_work, bands))
        self._spent = 0

    @property
    def nodes(self) -> int:
        """Entries changed so far."""
        return self._spent + (self._current.spent if self._current is not None else 0)

    def fraction(self) -> float:
        """Estimate the part done."""
        return min(1.0, self.nodes / max(1, self._total_work))

    def _is_plain(self, band: Band) -> bool:
        """Whether Python's integers answer soonest."""
        if self._run.tier == "auto":
            return band.work <= _PLAIN_WORK
        return self._run.tier == "plain"

    def _started(self, band: Band) -> PlainElimination | ModularElimination:
        if self._is_plain(band):
            return PlainElimination(band)
        from gridkit.cover.determinant.multimodular import ModularElimination  # loads numba

        return ModularElimination(band.rows, band.lower, band.upper, band.bound, self._run)

    def _planned_work(self, band: Band) -> int:
        self._run.check()
        primes = 1 if self._is_plain(band) else band.bound.bit_length() // 30 + 1
        return band.work * primes

    def memory(self) -> int:
        """Bytes held."""
        return self._current.memory() if self._current is not None else 0

    def value(self) -> int:
        """Return the product, 0 until the end."""
        return self._product if self._done == len(self._bands) else 0

    def advance(self, budget: int) -> bool:
        """Change up to about `budget` entries; True at the end."""
        while self._done < len(self._bands):
            band = self._bands[self._done]
            if self._current is None:
                self._current = self._started(band)
            before = self._current.spent
            if not self._current.advance(budget):
                return False
            budget = max(1, budget - (self._current.spent - before))
            self._product *= abs(self._current.determinant)
            self._spent += self._current.spent
            self._current = None
            self._done = self._done + 1 if self._product else len(self._bands)
        return True


class PlainElimination:
    """Elimination modulo one prime that exceeds twice the bound, with Python's integers."""

    def __init__(self, band: Band) -> None:
        self._band = band
        self.spent = 0
        self.determinant = 1
        least = (2 * band.bound).bit_length() + 1
        self._prime = (1 << next(power for power in _MERSENNE if power >= least)) - 1
        self._rows = [dict(row) for row in band.rows]
        self._column = 0

    def memory(self) -> int:
        return 100 * len(self._rows) * (self._band.lower + self._band.upper + 1)

    def advance(self, budget: int) -> bool:
        rows, prime = self._rows, self._prime
        stop = self.spent + budget
        while self._column < len(rows):
            if self.spent >= stop:
                return False
            column = self._column
            near = range(column, min(len(rows), column + self._band.lower + 1))
            pivot = next((row for row in near if rows[row].get(column, 0)), None)
            if pivot is None:
                self.determinant = 0
                return True
            if pivot != column:
                rows[column], rows[pivot] = rows[pivot], rows[column]
                self.determinant = -self.determinant
            head = rows[column]
            self.determinant = self.determinant * head[column] % prime
            inverse = pow(head[column], -1, prime)
            for row in near[1:]:
                target = rows[row]
                entry = target.pop(column, 0)
                if entry:
                    factor = entry * inverse % prime
                    for place, value in head.items():
                        if place > column:
                            target[place] = (target.get(place, 0) - factor * value) % prime
                    self.spent += len(head)
            self.spent += 1
            self._column += 1
        if 2 * self.determinant > prime:
            self.determinant -= prime
        return True
