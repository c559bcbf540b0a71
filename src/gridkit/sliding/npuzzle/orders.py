"""Orders of m tiles, and their numbers from 0 to m! - 1 (D. H. Lehmer 1960).

An order says for each tile the place where it stands, places being numbered along the cells that
the tiles occupy.  The number of an order is its place in the lexicographic list of all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

__all__ = ["all_orders", "order_number", "order_of", "passing_terms", "shifted_numbers"]


def order_number(places: Sequence[int]) -> int:
    """Return the number of an order; any increasing numbering of the places gives the same.

    Examples
    --------
    >>> order_number([0, 1, 2]), order_number([2, 1, 0]), order_number([30, 20, 10])
    (0, 5, 5)
    """
    number = 0
    for tile, place in enumerate(places):
        number = number * (len(places) - tile) + sum(later < place for later in places[tile + 1 :])
    return number


def order_of(number: int, size: int) -> list[int]:
    """Return the order of `size` tiles that has a number.

    Examples
    --------
    >>> order_of(5, 3)
    [2, 1, 0]
    """
    digits = []
    for base in range(1, size + 1):
        number, digit = divmod(number, base)
        digits.append(digit)
    free_places = list(range(size))
    return [free_places.pop(digit) for digit in reversed(digits)]


def all_orders(size: int) -> NDArray[np.uint8]:
    """Return all orders, row k being the one of number k; shape (size!, size)."""
    orders = np.array(list(permutations(range(size))), np.uint8)
    return orders.reshape(math.factorial(size), size)


def shifted_numbers(size: int, reach: int) -> NDArray[np.uint16]:
    """Return the number of each order after the tile at one place has gone to another.

    Parameters
    ----------
    size : int
        Tiles, at most eight.
    reach : int
        The most tiles that one passes.

    Returns
    -------
    (size * size, size!) array of uint16
        Row ``size * source + target``; the rows of longer ways are left 0.
    """
    orders = all_orders(size)
    shifted = np.zeros((size * size, len(orders)), np.uint16)
    for source in range(size):
        for target in range(max(0, source - reach), min(size, source + reach + 1)):
            place = np.arange(size)  # where what stands on each place goes
            place[source + 1 : target + 1] -= 1
            place[target:source] += 1
            place[source] = target
            moved = place.astype(np.uint8)[orders]
            number = np.zeros(len(orders), np.uint16)
            for tile in range(size):
                smaller = (moved[:, tile + 1 :] < moved[:, tile : tile + 1]).sum(axis=1)
                number = number * np.uint16(size - tile) + smaller.astype(np.uint16)
            shifted[size * source + target] = number
    return shifted


def passing_terms(size: int) -> NDArray[np.int16]:
    """Return how the number of an order grows when tile i goes up past tile j, at [i, j]."""
    weights = np.array([math.factorial(size - 1 - tile) for tile in range(size)], np.int16)
    one, passed = np.indices((size, size))
    return np.where(one < passed, weights[one], -weights[passed]).astype(np.int16)
