"""The number of domino tilings of a rectangle, as a resultant of two polynomials."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, log2, pi

from gridkit.run import Run

__all__ = ["count_rectangle"]

# Exponents of Mersenne primes, modulo one of which the resultant is taken.
_MERSENNE = (61, 127, 521, 1279, 2203, 4423, 9689, 19937, 44497, 110503, 216091, 756839)

Polynomial = list[int]
"""Coefficients, that of the least power first."""


def count_rectangle(rows: int, cols: int, run: Run) -> int:
    """Count the domino tilings of a rectangle.

    Parameters
    ----------
    rows, cols : int
        Its sides, above 0.
    run : Run
        The call.  A node is a coefficient changed.

    Returns
    -------
    int
        The exact number; takes about ``min(rows, cols) * max(rows, cols)`` products of integers as
        long as the result.

    Notes
    -----
    The number is the product, over j up to half of one side m and k up to half of the other side n,
    of ``4 cos(pi j / (m + 1))**2 + 4 cos(pi k / (n + 1))**2`` (Kasteleyn, 1961), for even m.  So it
    is, up to the sign, the resultant of the polynomials whose roots are the two kinds of terms, one
    of them with the opposite sign.  Euclid's algorithm takes it modulo a prime above it.

    Examples
    --------
    >>> [count_rectangle(n, n, Run()) for n in (2, 3, 8)]
    [2, 0, 12988816]
    >>> count_rectangle(2, 10, Run())
    89
    """
    if rows * cols % 2:
        return 0
    if min(rows, cols) == 1:
        return 1
    m, n = (rows, cols) if rows % 2 == 0 else (cols, rows)
    # The product in floating point: each of its terms is right to some 50 bits.
    bits = 64 + int(sum(map(log2, _terms(m, n))))
    prime = (1 << next(power for power in _MERSENNE if power > bits)) - 1
    first = _squares(m, 1)
    second = _squares(n, -1)
    number = _resultant(first, second, prime, run)
    return min(number, prime - number)


def _terms(m: int, n: int) -> Iterator[float]:
    """Give the terms of the product."""
    for j in range(1, m // 2 + 1):
        for k in range(1, n // 2 + 1):
            yield 4 * cos(pi * j / (m + 1)) ** 2 + 4 * cos(pi * k / (n + 1)) ** 2


def _squares(size: int, sign: int) -> Polynomial:
    """Return the polynomial with the roots ``sign * 4 cos(pi k / (size + 1))**2``, k to size / 2.

    It is the characteristic polynomial of a path of `size` nodes, but for a root 0, in the square
    of its variable: p(k + 1) = x p(k) - p(k - 1).
    """
    before, path = [1], [0, 1]
    for _ in range(size - 1):
        following = [0, *path]
        for power, coefficient in enumerate(before):
            following[power] -= coefficient
        before, path = path, following
    if size == 1:
        path = [0, 1]
    roots = path[size % 2 :: 2]
    return [coefficient * sign**power for power, coefficient in enumerate(roots)]


def _resultant(first: Polynomial, second: Polynomial, prime: int, run: Run) -> int:
    """Return the resultant of two polynomials modulo a prime, up to the sign."""
    result = 1
    while len(second) > 1:
        # What is left of the first modulo the second has the same values at the second's roots.
        inverse = pow(second[-1], -1, prime)
        degree = len(first) - 1
        rest = list(first)
        for top in range(len(rest) - 1, len(second) - 2, -1):
            run.check(nodes=len(second))
            factor = rest[top] * inverse % prime
            shift = top - len(second) + 1
            for power in range(len(second) - 1):
                rest[shift + power] = (rest[shift + power] - factor * second[power]) % prime
        del rest[len(second) - 1 :]
        while rest and not rest[-1]:
            rest.pop()
        if not rest:
            return 0
        result = result * pow(second[-1], degree - len(rest) + 1, prime) % prime
        first, second = second, rest
    return result * pow(second[0], len(first) - 1, prime) % prime
