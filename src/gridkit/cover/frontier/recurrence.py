"""Linear recurrences: found by Berlekamp and Massey's algorithm, evaluated far out."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from gridkit.reading import read_int
from gridkit.run import Run

__all__ = ["Recurrence", "berlekamp_massey", "find_recurrence"]

# A recurrence with integer coefficients below 2^520 in absolute value is seen modulo this prime.
_PRIME = (1 << 521) - 1


@dataclass(frozen=True, slots=True)
class Recurrence:
    """A linear recurrence with constant integer coefficients, and its first terms.

    ``a(n) = coefficients[0] * a(n - 1) + coefficients[1] * a(n - 2) + ...`` for all n that have
    as many terms before them.

    Attributes
    ----------
    coefficients : tuple of int
    initial : tuple of int
        The terms a(0), a(1), ..., as many as there are coefficients.
    checked : int
        Number of terms from a(0) on that are known to keep it.
    states : int or None
        Size of the transfer matrix, where it was determined.
    proved : bool
        Whether it holds for ever: the residual of a recurrence on ``states`` consecutive terms is
        zero, and the residual obeys the matrix's own characteristic polynomial (Cayley and
        Hamilton).  Otherwise it is conjectural.

    Examples
    --------
    >>> fibonacci = Recurrence((1, 1), (0, 1), checked=20, states=2, proved=True)
    >>> fibonacci.term(10), fibonacci.term(10**6, modulus=1000)
    (55, 875)
    >>> print(fibonacci)
    a(n) = a(n-1) + a(n-2), proved
    """

    coefficients: tuple[int, ...]
    initial: tuple[int, ...]
    checked: int
    states: int | None
    proved: bool

    @property
    def order(self) -> int:
        """Number of earlier terms that a term is made of."""
        return len(self.coefficients)

    def term(self, n: int, modulus: int | None = None) -> int:
        """Return a(n), modulo a number if one is given.

        With a modulus it takes about ``order**2 * log2(n)`` multiplications, by powers of x modulo
        the characteristic polynomial (Fiduccia, 1985); without one, ``order * n`` of long numbers.

        Examples
        --------
        >>> Recurrence((2,), (1,), checked=5, states=1, proved=True).term(100, modulus=10**9)
        703205376
        """
        n = read_int(n, "term: n", 0)
        modulus = None if modulus is None else read_int(modulus, "term: modulus", 1)
        return self.term_within(Run(), n, modulus)

    def term_within(self, run: Run, n: int, modulus: int | None) -> int:
        """Return a(n) within the limits of a call."""
        if n < self.order:
            return self.initial[n] if modulus is None else self.initial[n] % modulus
        if not self.order:
            return 0
        if modulus is None:
            return self._by_steps(n, run)
        power = self._power_of_x(n, modulus, run)
        return sum(a * b for a, b in zip(power, self.initial, strict=True)) % modulus

    def _by_steps(self, n: int, run: Run) -> int:
        latest = deque(self.initial[::-1])  # the newest term first
        for _ in range(n - self.order + 1):
            run.check()
            latest.appendleft(
                sum(c * a for c, a in zip(self.coefficients, latest, strict=True) if c)
            )
            latest.pop()
        return latest[0]

    def _power_of_x(self, n: int, modulus: int, run: Run) -> list[int]:
        """Return x to the power of n modulo the characteristic polynomial, lowest term first."""
        power = [1 % modulus] + [0] * (self.order - 1)
        for bit in bin(n)[2:]:
            run.check()
            square = [0] * (2 * self.order - 1)
            for i, a in enumerate(power):
                if a:
                    for j, b in enumerate(power):
                        square[i + j] += a * b
            if bit == "1":
                square.insert(0, 0)
            power = self._reduced(square, modulus)
        return power

    def _reduced(self, polynomial: list[int], modulus: int) -> list[int]:
        while len(polynomial) > self.order:
            head = polynomial.pop() % modulus
            if head:
                for back, coefficient in enumerate(self.coefficients, 1):
                    polynomial[-back] += head * coefficient
        return [entry % modulus for entry in polynomial]

    def __str__(self) -> str:
        words = ""
        for back, coefficient in enumerate(self.coefficients, 1):
            if coefficient:
                sign = ("- " if coefficient < 0 else "+ ") if words else "-"[: coefficient < 0]
                size = "" if abs(coefficient) == 1 else f"{abs(coefficient)} "
                words += f"{' ' if words else ''}{sign}{size}a(n-{back})"
        return f"a(n) = {words or '0'}, {'proved' if self.proved else 'conjectural'}"


def berlekamp_massey(terms: Sequence[int], prime: int) -> list[int]:
    """Return the shortest linear recurrence of a sequence over a prime field.

    Parameters
    ----------
    terms : sequence of int
        a(0), a(1), ...
    prime : int
        The field's size.

    Returns
    -------
    list of int
        Coefficients c with ``a(n) = c[0] a(n - 1) + c[1] a(n - 2) + ...`` modulo the prime for all
        n given that have enough terms before them.  It is the only shortest one when there are at
        least twice as many terms as coefficients.  Takes time proportional to terms times
        coefficients.

    Notes
    -----
    Berlekamp (1968), Massey (1969).

    Examples
    --------
    >>> berlekamp_massey([1, 1, 2, 3, 5, 8], 101)
    [1, 1]
    """
    now: list[int] = []
    before: list[int] = []  # the last shorter one, with where and by how much it failed
    failed_at, failed_by = -1, 0
    for place, term in enumerate(terms):
        gap = (term - sum(c * terms[place - 1 - k] for k, c in enumerate(now))) % prime
        if not gap:
            continue
        if failed_at < 0:
            now = [0] * (place + 1)
            failed_at, failed_by = place, gap
            continue
        factor = gap * pow(failed_by, -1, prime) % prime
        fix = [0] * (place - failed_at - 1) + [factor] + [-factor * c % prime for c in before]
        longer = [
            (a + b) % prime
            for a, b in zip(
                now + [0] * (len(fix) - len(now)), fix + [0] * (len(now) - len(fix)), strict=True
            )
        ]
        if place - len(now) >= failed_at - len(before):
            before, failed_at, failed_by = now, place, gap
        now = longer
    return now


def find_recurrence(
    terms: Sequence[int], states: int | None = None, spare: int = 10
) -> Recurrence | None:
    """Look for a recurrence with integer coefficients that all the terms keep.

    Parameters
    ----------
    terms : sequence of int
        a(0), a(1), ..., exact.
    states : int, optional
        Size of a matrix whose powers the terms are entries of.
    spare : int
        Terms beyond twice the order that must agree before a recurrence is believed.

    Returns
    -------
    Recurrence or None
        None when the terms are too few to tell.  A sequence of integers with any linear recurrence
        has its shortest one in integers (Fatou, 1906).

    Examples
    --------
    >>> find_recurrence([1, 2, 4, 8, 16], spare=2).coefficients
    (2,)
    >>> find_recurrence([2, 3, 5, 7, 11, 13]) is None
    True
    """
    residues = berlekamp_massey(terms, _PRIME)
    order = len(residues)
    if len(terms) < 2 * order + spare:
        return None
    coefficients = tuple(c - _PRIME if 2 * c > _PRIME else c for c in residues)
    for place in range(order, len(terms)):
        if terms[place] != sum(c * terms[place - 1 - k] for k, c in enumerate(coefficients)):
            return None
    proved = states is not None and len(terms) >= order + states
    return Recurrence(coefficients, tuple(terms[:order]), len(terms), states, proved)
