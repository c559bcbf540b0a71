"""Equal options: searched for once, and counted as often as they occur where that is a factor."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from gridkit.cover.matrix import Matrix

__all__ = ["distinct"]

# Entries of the largest system of equations that is solved for a factor: a second or so.
_LARGEST_SYSTEM = 1 << 20


def distinct(matrix: Matrix) -> tuple[Matrix, int]:
    """Return a problem without equal options, and how often to count each of its solutions.

    The problem itself and 1 where none are equal, or where solutions would count differently:
    how many options a solution takes of those that occur twice, three times, ... must be the
    same for all.
    """
    if not matrix.plain:
        return matrix, 1
    times: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
    for number, option in enumerate(matrix.options):
        if option[0] < matrix.primary:  # others are never chosen
            kind = option, () if matrix.colors is None else matrix.colors[number]
            times[kind] = times.get(kind, 0) + 1
    if max(times.values(), default=1) == 1:
        return matrix, 1
    options, colors = zip(*times, strict=True)
    once = replace(matrix, options=options, colors=None if matrix.colors is None else colors)
    factor = _factor(once, list(times.values()))
    return (matrix, 1) if factor is None else (once, factor)


def _factor(matrix: Matrix, times: Sequence[int]) -> int | None:
    """Return the product of `times` over the options of a solution, if provably always the same.

    Weights on the demanded items, of which a solution covers each once, add up to the same over
    its options.  So where they give 1 to each option that occurs so many times, and 0 to the
    others, their sum is how many of these a solution takes.
    """
    place = {item: at for at, item in enumerate(i for i, least in enumerate(matrix.low) if least)}
    sizes = {len(place.keys() & set(option)) for option in matrix.options}
    if len(set(times)) == len(sizes) == 1:
        return int(times[0] ** (len(place) // sizes.pop()))
    if len(times) * len(place) > _LARGEST_SYSTEM:
        return None
    import numpy as np

    holds = np.zeros((len(times), len(place)))
    for row, option in zip(holds, matrix.options, strict=True):
        row[[place[item] for item in option if item in place]] = 1
    values = sorted(set(times) - {1})
    marked = np.array(times)[:, None] == np.array(values)
    weights = np.linalg.lstsq(holds, marked.astype(float), rcond=None)[0]
    # What a solution takes is an integer, so weights that are right by a quarter in all prove it.
    wrong = np.abs(holds @ weights - marked).max(axis=0)
    wrong += 2.0**-50 * len(place) * np.abs(weights).sum(axis=0)  # of the sums above
    taken = weights.sum(axis=0)
    if (len(place) * wrong > 0.25).any() or (np.abs(taken - np.rint(taken)) > 0.25).any():
        return None
    powers = (value ** max(0, round(n)) for value, n in zip(values, taken, strict=True))
    return int(math.prod(powers))
