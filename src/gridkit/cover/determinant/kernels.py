"""Kernel of the determinant engine: elimination of a band matrix modulo a prime."""

from __future__ import annotations

import numpy as np

from gridkit.run.jit import kernel

__all__ = ["COLUMN", "DETERMINANT", "VISITS", "WORDS", "eliminate"]

Array = np.ndarray
Integer = int | np.signedinteger

_U0 = np.uint64(0)
_U1 = np.uint64(1)
_U2 = np.uint64(2)
_U32 = np.uint64(32)
_LOW32 = np.uint64(0xFFFFFFFF)

# The words of the control array: next column, determinant so far (1 at first), entries changed.
COLUMN, DETERMINANT, VISITS = 0, 1, 2
WORDS = 3


@kernel("uint64(uint64, uint64)")
def _inverse(number: np.uint64, prime: np.uint64) -> np.uint64:
    """Return an inverse modulo a prime, by Fermat's theorem (1640).

    Parameters
    ----------
    number : uint64
        Above 0 and below the prime.
    prime : uint64
        Below 2^31, so that products fit a word.

    Returns
    -------
    uint64
        The number whose product with the given one is 1 modulo the prime.
    """
    result, base, power = _U1, number, prime - _U2
    while power:
        if power & _U1:
            result = result * base % prime
        base = base * base % prime
        power >>= _U1
    return result


@kernel("uint64(uint64)")
def _inverse_word(odd: np.uint64) -> np.uint64:
    """Return an inverse modulo 2^32, by Newton's iteration (Hensel, 1908).

    Parameters
    ----------
    odd : uint64
        An odd number below 2^32.

    Returns
    -------
    uint64
        The number whose product with it is 1 modulo 2^32.
    """
    result = odd  # right to three bits, and each round doubles them
    for _ in range(4):
        change = _U2 + (_U1 << _U32) - (odd * result & _LOW32)
        result = result * (change & _LOW32) & _LOW32
    return result


@kernel("int64(uint64[:, ::1], int64[::1], int64, int64, uint64)")
def eliminate(
    band: Array, control: Array, lower: Integer, budget: Integer, prime: np.uint64
) -> Integer:
    """Eliminate columns of a band matrix until it is triangular or `budget` entries are changed.

    Parameters
    ----------
    band : uint64[n, lower + upper + lower + 1]
        Entry (i, j) of the matrix at [i, j - i + lower], reduced modulo the prime; room for the
        `lower` further diagonals that row exchanges fill.
    control : int64[3]
        See `COLUMN` and the others; all are kept up to date.
    lower : int
        Number of diagonals below the main one.
    budget : int
        Entries to change in this call.
    prime : int
        Odd and below 2^31, so that a sum of products fits a word.

    Returns
    -------
    int
        1 when the determinant is complete, else 0.

    Notes
    -----
    Gaussian elimination within the band; products are reduced by Montgomery's method (1985).
    """
    size, width = band.shape
    # Products are reduced by Montgomery's method (1985): factor * entry / 2^32 modulo the prime,
    # for a factor that was multiplied by 2^32 beforehand.
    negative = (_U1 << _U32) - _inverse_word(prime)
    spent = 0
    while control[COLUMN] < size:
        if spent >= budget:
            return 0
        column = control[COLUMN]
        bottom = min(size, column + lower + 1)
        end = min(size, column + width - lower)
        pivot = column
        while pivot < bottom and band[pivot, column - pivot + lower] == _U0:
            pivot += 1
        if pivot == bottom:
            control[DETERMINANT], control[COLUMN] = 0, size
            return 1
        determinant = np.uint64(control[DETERMINANT])
        if pivot != column:
            determinant = (prime - determinant) % prime
            for j in range(column, end):
                here, there = j - column + lower, j - pivot + lower
                entry = band[column, here]
                band[column, here] = band[pivot, there]
                band[pivot, there] = entry
        head = band[column, lower]
        control[DETERMINANT] = np.int64(determinant * head % prime)
        inverse = _inverse(head, prime)
        for row in range(column + 1, bottom):
            entry = band[row, column - row + lower]
            if entry == _U0:
                continue
            factor = (prime - entry * inverse % prime) % prime
            factor = (factor << _U32) % prime
            here = np.uint64(lower)
            there = np.uint64(column - row + lower)
            for k in range(np.uint64(end - column)):
                product = factor * band[column, here + k]
                reduced = (product + ((product & _LOW32) * negative & _LOW32) * prime) >> _U32
                total = reduced + band[row, there + k]
                total -= prime if total >= prime else _U0
                total -= prime if total >= prime else _U0
                band[row, there + k] = total
            spent += end - column
            control[VISITS] += end - column
        spent += 1
        control[VISITS] += 1
        control[COLUMN] += 1
    return 1
