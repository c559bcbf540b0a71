"""Exact integers from residues: primes, bounds and the Chinese remainder theorem."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isqrt

__all__ = ["Residues", "hadamard_bound", "is_prime", "primes_below"]

# Bases that decide primality for all numbers below 3.3e24 (Sorenson and Webster, 2015).
_WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)


def is_prime(number: int) -> bool:
    """Whether a number below 3.3e24 is prime, by Miller's and Rabin's test with fixed bases.

    Examples
    --------
    >>> [n for n in range(30) if is_prime(n)]
    [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]
    """
    if number < 2:
        return False
    for prime in _WITNESSES:
        if number % prime == 0:
            return number == prime
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in _WITNESSES:
        power = pow(base, odd, number)
        if power in (1, number - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % number
            if power == number - 1:
                break
        else:
            return False
    return True


def primes_below(bound: int) -> Iterator[int]:
    """Give the primes below a bound, greatest first.

    Examples
    --------
    >>> list(primes_below(12))
    [11, 7, 5, 3, 2]
    """
    return (number for number in range(bound - 1, 1, -1) if is_prime(number))


class Residues:
    """An integer known modulo a growing product of primes.

    Examples
    --------
    >>> known = Residues()
    >>> for prime in (101, 103):
    ...     known.add(-5000 % prime, prime)
    >>> known.modulus, known.symmetric()
    (10403, -5000)
    """

    def __init__(self) -> None:
        self.value = 0
        self.modulus = 1

    def add(self, residue: int, prime: int) -> None:
        """Take in the residue modulo a prime that was not used before."""
        step = (residue - self.value) * pow(self.modulus, -1, prime) % prime
        self.value += self.modulus * step
        self.modulus *= prime

    def symmetric(self) -> int:
        """Return the integer of least absolute value with these residues."""
        return self.value - self.modulus if 2 * self.value > self.modulus else self.value


def hadamard_bound(rows: Iterable[Iterable[int]]) -> int:
    """Bound the absolute value of a determinant by the product of its rows' lengths.

    Parameters
    ----------
    rows : iterable of iterables of int
        The entries of each row (zeros may be left out).

    Returns
    -------
    int
        At least the absolute value of the determinant (Hadamard, 1893).

    Examples
    --------
    >>> hadamard_bound([[3, 4], [0, 2]])
    10
    """
    product = 1
    for row in rows:
        product *= sum(entry * entry for entry in row)
    return isqrt(product)
