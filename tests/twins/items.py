"""Exact covers counted by taking each option or leaving it: short, for any colours and amounts."""

from __future__ import annotations

import random

from gridkit.cover.matrix import Matrix

__all__ = ["covers_counted", "random_matrix"]


def covers_counted(matrix: Matrix) -> int:
    """Number of sets of options that are solutions."""
    usable = [o for o, items in enumerate(matrix.options) if items[0] < matrix.primary]
    return sum(_is_solution(matrix, usable, subset) for subset in range(1 << len(usable)))


def _is_solution(matrix: Matrix, usable: list[int], subset: int) -> bool:
    times = [0] * matrix.primary
    colors: dict[int, int] = {}
    for place, option in enumerate(usable):
        if subset >> place & 1:
            for at, item in enumerate(matrix.options[option]):
                if item < matrix.primary:
                    times[item] += 1 if matrix.amounts is None else matrix.amounts[option][at]
                    continue
                color = 0 if matrix.colors is None else matrix.colors[option][at]
                if item in colors and not color == colors[item] != 0:
                    return False
                colors[item] = color
    bounds = zip(matrix.low, times, matrix.high, strict=True)
    return all(low <= often <= high for low, often, high in bounds)


def random_matrix(chance: random.Random, most_options: int = 10) -> Matrix:
    """Return a small problem: some with colours, multiplicities, amounts, and equal options."""
    primary, secondary = chance.randint(1, 6), chance.randint(0, 3)
    style = chance.random()
    low, high = [1] * primary, [1] * primary
    if style > 0.4:
        low = [chance.randint(0, 2) for _ in low]
        high = [least + chance.randint(0, 2) for least in low]
    options, colors, amounts = [], [], []
    for _ in range(chance.randint(0, most_options)):
        shown = chance.sample(range(primary), chance.randint(0, min(3, primary)))
        hidden = chance.sample(range(secondary), chance.randint(0, min(2, secondary)))
        items = sorted(shown + [primary + item for item in hidden]) or [0]
        options.append(tuple(items))
        colors.append(tuple(chance.randint(0, 2) if i >= primary else 0 for i in items))
        often = [chance.randint(1, high[i]) if i < primary and high[i] > 1 else 1 for i in items]
        amounts.append(tuple(often))
    return Matrix(
        tuple(options),
        primary,
        tuple(low),
        tuple(high),
        tuple(colors) if secondary else None,
        tuple(amounts) if style > 0.8 else None,
    )
