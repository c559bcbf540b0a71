"""Linear algebra behind colouring certificates: weights that no placement's sum can match.

A certificate is a row of numbers on the cells under which every placement of a piece has the same
sum, while the region's sum is not what the pieces add up to.  Such numbers exist exactly when the
region is no linear combination of the placements, over the ring the sums are taken in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from gridkit.cover.instance import Instance
from gridkit.run import Run

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Certificate", "certificate", "holds"]

_CLASS_MODULI: tuple[int | None, ...] = (None, 2, 3, 5, 7, 4, 8, 9, 16, 25)
_CELL_MODULI = (2, 3, 5, 7, 4, 8, 9)
_BIG_PRIME = 2147483647
_MOST_ENTRIES = 4_000_000  # of a matrix with a column for each cell


@dataclass(frozen=True)
class Certificate:
    """Numbers that prove a region cannot be tiled.

    Attributes
    ----------
    weights : tuple of int
        A number for each cell; 0 on cells that may stay empty.
    modulus : int or None
        What sums are taken modulo; None for plain sums.
    sums : tuple of int
        What each placement of a piece adds up to, for each piece; 0 for pieces whose number of
        copies is not fixed.
    expected, total : int
        What the pieces add up to, and what the region adds up to instead.
    pattern : str
        How the numbers depend on the place, in words; empty when there is no simple rule.
    """

    weights: tuple[int, ...]
    modulus: int | None
    sums: tuple[int, ...]
    expected: int
    total: int
    pattern: str


def holds(instance: Instance, weights: Sequence[int], modulus: int | None) -> bool:
    """Check a certificate: nothing but sums.

    Examples
    --------
    >>> three = Instance(((0, 0), (0, 1), (0, 2)), ((0, (0, 1)), (0, (1, 2))), ((0, None),),
    ...                  frozenset())
    >>> holds(three, (1, -1, 1), None), holds(three, (1, 1, 1), None)
    (True, False)
    """

    def value(number: int) -> int:
        return number if modulus is None else number % modulus

    sums: dict[int, set[int]] = {}
    for piece, cells in instance.placements:
        sums.setdefault(piece, set()).add(value(sum(weights[cell] for cell in cells)))
    expected = 0
    for piece, values in sums.items():
        least, greatest = instance.copies[piece]
        if least != greatest and values != {0}:
            return False  # any number of copies: each must add nothing
        if len(values) > 1:
            return False
        expected += (least if least == greatest else 0) * min(values)
    if any(value(weights[cell]) for cell in instance.optional):
        return False
    return value(sum(weights) - expected) != 0


def certificate(instance: Instance, run: Run) -> Certificate | None:
    """Look for numbers on the cells that prove that there is no covering.

    Simple patterns come first: numbers that depend on the row, the column, a diagonal or both
    coordinates modulo something small; at last any numbers at all.

    Examples
    --------
    >>> corners = [(r, c) for r in range(4) for c in range(4) if (r, c) not in ((0, 0), (3, 3))]
    >>> at = {cell: k for k, cell in enumerate(corners)}
    >>> pairs = [(at[r, c], at[s, d]) for r, c in corners for s, d in ((r, c + 1), (r + 1, c))
    ...          if (s, d) in at]
    >>> board = Instance(tuple(corners), tuple((0, pair) for pair in pairs), ((0, None),),
    ...                  frozenset())
    >>> colours = certificate(board, Run())
    >>> colours.pattern, colours.modulus, colours.total
    ('row + column modulo 2', None, -2)
    """
    for pattern, classify in _patterns(instance):
        classes = _number([classify(point) for point in instance.coordinates])
        rows, target = _equations(instance, classes)
        if len(target) > 40:
            continue
        for modulus in _CLASS_MODULI:
            run.check()
            solution = (
                _solve_rational(rows, target)
                if modulus is None
                else _solve_modular(rows, target, modulus, run)
            )
            if solution is not None:
                return _certificate(instance, classes, solution, modulus, pattern)
    return _free_certificate(instance, run)


def _free_certificate(instance: Instance, run: Run) -> Certificate | None:
    """Any numbers on the cells, modulo small numbers first."""
    cells = list(range(len(instance.coordinates)))
    if len(cells) * len(instance.placements) > _MOST_ENTRIES:
        return None
    rows, target = _equations(instance, cells)
    # Numbers modulo a large prime exist if plain ones do, and tell at once that none do.
    solution = _solve_modular(rows, target, _BIG_PRIME, run)
    if solution is not None:
        small = [x - _BIG_PRIME if 2 * x > _BIG_PRIME else x for x in solution]
        if _is_orthogonal(rows, small) and _dot(target, small):
            return _certificate(instance, cells, small, None, "")
    for modulus in _CELL_MODULI:
        modular = _solve_modular(rows, target, modulus, run)
        if modular is not None:
            return _certificate(instance, cells, modular, modulus, "")
    if solution is not None:
        return _certificate(instance, cells, solution, _BIG_PRIME, "")
    return None


def _dot(row: Sequence[int], solution: Sequence[int]) -> int:
    return sum(a * x for a, x in zip(row, solution, strict=True))


def _is_orthogonal(rows: list[tuple[int, ...]], solution: list[int]) -> bool:
    return all(_dot(row, solution) == 0 for row in rows)


Classify = Callable[[tuple[int, ...]], object]


def _patterns(instance: Instance) -> Iterator[tuple[str, Classify]]:
    dimension = len(instance.coordinates[0]) if instance.coordinates else 0
    names = ("row", "column") if dimension == 2 else ("layer", "row", "column")[:dimension]
    signs = [
        factors
        for factors in product((0, 1, -1), repeat=dimension)
        if next((factor for factor in factors if factor), 0) == 1
    ]
    signs.sort(key=lambda factors: -sum(map(abs, factors)))
    for modulus in range(2, 7):
        for factors in signs:
            if modulus == 2 and -1 in factors:
                continue
            yield f"{_sum_name(factors, names)} modulo {modulus}", _linear(factors, modulus)
    for modulus in (2, 3, 4):
        what = " and ".join(names)
        yield f"{what}, each modulo {modulus}", _each(modulus)


def _sum_name(factors: Sequence[int], names: Sequence[str]) -> str:
    words = ""
    for factor, name in zip(factors, names, strict=True):
        if factor:
            words += (" + " if factor > 0 else " - ") * bool(words) + name
    return words


def _linear(factors: Sequence[int], modulus: int) -> Classify:
    return lambda point: sum(f * x for f, x in zip(factors, point, strict=True)) % modulus


def _each(modulus: int) -> Classify:
    return lambda point: tuple(x % modulus for x in point)


def _number(values: list[object]) -> list[int]:
    known: dict[object, int] = {}
    return [known.setdefault(value, len(known)) for value in values]


def _equations(instance: Instance, classes: list[int]) -> tuple[list[tuple[int, ...]], list[int]]:
    """Return rows that weights must be orthogonal to, and the one they must not be.

    A column for each class of cells, then one for the common sum of each piece with a fixed
    number of copies.
    """
    kinds = max(classes, default=-1) + 1
    placed = {piece for piece, _ in instance.placements}
    fixed = [p for p, (low, high) in enumerate(instance.copies) if low == high and p in placed]
    column = {piece: kinds + place for place, piece in enumerate(fixed)}
    rows = set()
    for piece, cells in instance.placements:
        row = [0] * (kinds + len(fixed))
        for cell in cells:
            if cell not in instance.optional:
                row[classes[cell]] += 1
        if piece in column:
            row[column[piece]] = -1
        rows.add(tuple(row))
    target = [0] * (kinds + len(fixed))
    for cell, kind in enumerate(classes):
        if cell not in instance.optional:
            target[kind] += 1
    for piece in fixed:
        target[column[piece]] = -instance.copies[piece][0]
    return sorted(rows), target


def _certificate(
    instance: Instance,
    classes: list[int],
    solution: Sequence[int],
    modulus: int | None,
    pattern: str,
) -> Certificate:
    weights = tuple(
        0 if cell in instance.optional else solution[kind] for cell, kind in enumerate(classes)
    )
    sums = [0] * len(instance.copies)
    for piece, cells in instance.placements:
        total = sum(weights[cell] for cell in cells)
        sums[piece] = total if modulus is None else total % modulus
    expected = sum(
        low * sums[piece] for piece, (low, high) in enumerate(instance.copies) if low == high
    )
    total = sum(weights)
    if modulus is not None:
        expected, total = expected % modulus, total % modulus
    return Certificate(weights, modulus, tuple(sums), expected, total, pattern)


def _solve_rational(rows: list[tuple[int, ...]], target: list[int]) -> list[int] | None:
    """Find integers orthogonal to the rows and not to the target, by elimination in fractions."""
    from fractions import Fraction
    from math import gcd, lcm

    basis: dict[int, list[Fraction]] = {}  # reduced rows by their leading column

    def reduce(row: list[Fraction]) -> list[Fraction]:
        for lead, earlier in basis.items():
            if row[lead]:
                factor = row[lead]
                row = [a - factor * b for a, b in zip(row, earlier, strict=True)]
        return row

    for given in rows:
        row = reduce([Fraction(entry) for entry in given])
        lead = next((place for place, entry in enumerate(row) if entry), None)
        if lead is None:
            continue
        row = [entry / row[lead] for entry in row]
        for place, earlier in basis.items():
            if earlier[lead]:
                factor = earlier[lead]
                basis[place] = [a - factor * b for a, b in zip(earlier, row, strict=True)]
        basis[lead] = row
    rest = reduce([Fraction(entry) for entry in target])
    free = next((place for place, entry in enumerate(rest) if entry), None)
    if free is None:
        return None
    solution = [Fraction(0)] * len(target)
    solution[free] = Fraction(1)
    for lead, row in basis.items():
        solution[lead] = -row[free]
    scale = lcm(*(entry.denominator for entry in solution))
    integers = [int(entry * scale) for entry in solution]
    common = gcd(*integers)
    return [entry // common for entry in integers]


def _solve_modular(
    rows: list[tuple[int, ...]], target: list[int], modulus: int, run: Run
) -> list[int] | None:
    """Find numbers orthogonal to the rows and not to the target, modulo a power of a prime.

    Row and column operations bring the matrix to diagonal form, taking as pivot an entry that the
    prime divides least often.  In the new coordinates each diagonal entry leaves the multiples of
    its annihilator; one of these has to meet the target.
    """
    import numpy as np

    if not rows:
        return None
    prime = next(p for p in (2, 3, 5, 7, modulus) if modulus % p == 0)
    matrix = np.array(rows, np.int64) % modulus
    width = matrix.shape[1]
    change = np.eye(width, dtype=np.int64)  # the matrix now = row operations * rows * change
    diagonal = [0] * width
    for place in range(min(matrix.shape)):
        run.check()
        if place % 16 == 0:  # rows that are spent would be looked through again and again
            spent = ~matrix[place:].any(axis=1)
            matrix = np.delete(matrix, np.flatnonzero(spent) + place, axis=0)
        pivot = _pivot(matrix[place:, place:], prime, modulus)
        if pivot is None:
            break
        row, col = place + pivot[0], place + pivot[1]
        matrix[[place, row]] = matrix[[row, place]]
        matrix[:, [place, col]] = matrix[:, [col, place]]
        change[:, [place, col]] = change[:, [col, place]]
        head = int(matrix[place, place])
        power = pivot[2]
        inverse = pow(head // power, -1, modulus)
        below = matrix[place + 1 :, place] // power * inverse % modulus
        touched = np.flatnonzero(below) + place + 1
        matrix[touched] = (
            matrix[touched] - below[touched - place - 1, None] * matrix[place] % modulus
        ) % modulus
        beside = matrix[place, place + 1 :] // power * inverse % modulus
        touched = np.flatnonzero(beside) + place + 1
        change[:, touched] = (
            change[:, touched] - change[:, place, None] * beside[touched - place - 1] % modulus
        ) % modulus
        matrix[place, place + 1 :] = 0
        diagonal[place] = power
    image = [_dot(target, column) % modulus for column in change.T.tolist()]
    for place in reversed(range(width)):
        annihilator = modulus // diagonal[place] if diagonal[place] else 1
        if image[place] * annihilator % modulus:
            return [int(x) * annihilator % modulus for x in change[:, place]]
    return None


def _pivot(matrix: NDArray[np.int64], prime: int, modulus: int) -> tuple[int, int, int] | None:
    """Return place and power of an entry that the prime divides least often."""
    import numpy as np

    power = 1
    while power < modulus:
        divisor = power * prime
        for row in range(len(matrix)):
            places = np.flatnonzero(matrix[row] % divisor if divisor < modulus else matrix[row])
            if len(places):
                return row, int(places[0]), power
        power = divisor
    return None
