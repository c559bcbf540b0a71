"""Exactly uniform random domino tilings of wide boards without holes, by coupling from the past.

A domino tiling of a board without holes is changed into any other by turning pairs of dominoes
that fill a block of 2 x 2 cells (Thurston, 1990).  Turning blocks at random from an infinitely
distant past on gives, now, each tiling with the same probability; and two tilings that were turned
by the same random bits keep their order, so that all tilings have become one as soon as the highest
and the lowest have.  So it is enough to begin longer and longer ago, with the same bits for the
same time, until these two agree (Propp and Wilson, 1996).
"""

# This module is imported inside a function only: it loads numpy, and numba with the kernel.

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from gridkit.cover.coupling.kernels import (
    AGREE,
    BITS,
    SOURCE,
    SWEEPS,
    WORDS,
    Tilings,
    turn_blocks,
)
from gridkit.cover.determinant import kasteleyn
from gridkit.cover.determinant.matching import domino_tiling
from gridkit.cover.frontier.order import components
from gridkit.cover.frontier.source import Words
from gridkit.cover.frontier.sweep import paced
from gridkit.cover.instance import Instance
from gridkit.run import Run, Work

__all__ = ["draw", "suits"]

_FIRST = 32  # sweeps of the most recent leg, at least


def suits(instance: Instance, run: Run) -> bool:
    """Whether the problem is to cover a board without holes with any number of dominoes.

    Examples
    --------
    >>> pair = Instance(((0, 0), (0, 1)), ((0, (0, 1)),), ((0, None),), frozenset())
    >>> suits(pair, Run())
    True
    """
    if not kasteleyn.suits(instance):
        return False
    inside = set(instance.coordinates)
    edges = blocks = 0
    for r, c in paced(instance.coordinates, run):
        right, below = (r, c + 1) in inside, (r + 1, c) in inside
        edges += right + below
        blocks += right and below and (r + 1, c + 1) in inside
    if edges != len(instance.placements):
        return False
    # Euler (1758): a plane graph has edges - nodes + components faces beside the outer one.
    return edges - len(inside) + len(components(instance, run)) == blocks


def draw(instance: Instance, below: Words, n: int, run: Run) -> list[tuple[int, ...]]:
    """Draw domino tilings independently, each with the same probability.

    Parameters
    ----------
    instance : Instance
        A problem that `suits`.
    below : callable
        Gives an integer from 0 up to a bound of any size, uniformly.
    n : int
        How many to draw.
    run : Run
        The call.  A node is a word of 64 cells whose blocks are turned.

    Returns
    -------
    list of tuple of int
        Increasing numbers of placements; empty when there is no tiling.  A board of h x w cells,
        w the shorter side, takes about ``2 * w**2`` sweeps of ``h * w / 32`` words each.

    Notes
    -----
    Coupling from the past (Propp and Wilson, 1996), each leg twice as long as all later ones.
    How long it takes depends on what is drawn, so a caller who gives up slow calls, by a limit,
    prefers tilings that are quick to draw.

    Examples
    --------
    >>> from gridkit.cover.frontier.source import LEAST
    >>> cells = ((0, 0), (0, 1), (1, 0), (1, 1))
    >>> dominoes = ((0, (0, 1)), (0, (0, 2)), (0, (1, 3)), (0, (2, 3)))
    >>> draw(Instance(cells, dominoes, ((0, None),), frozenset()), LEAST, 1, Run())
    [(1, 2)]
    """
    tiling = domino_tiling(instance, run)
    if tiling is None:
        return []
    if not tiling:
        return [()] * n
    work = CoupledPast(instance, tiling, below, n, run)
    run.drive(work)
    return work.value()


class CoupledPast(Work):
    """Draws from the past, one after the other, as work in chunks."""

    nodes = 0

    def __init__(
        self,
        instance: Instance,
        tiling: tuple[int, ...],
        below: Words,
        n: int,
        run: Run,
    ) -> None:
        points = instance.coordinates
        top, left = min(r for r, _ in points), min(c for _, c in points)
        rows = max(r for r, _ in points) - top + 1
        cols = max(c for _, c in points) - left + 1
        words = (cols + 63) // 64
        # The placement whose left or upper half lies on each cell, [0] across and [1] down.
        self._numbers = np.full((2, rows, 64 * words), -1, np.int64)
        for number, (_, (a, b)) in enumerate(paced(instance.placements, run)):
            (r, c), (other, _) = points[a], points[b]
            self._numbers[int(other != r), r - top, c - left] = number
        laid = np.zeros(len(instance.placements), np.bool_)
        laid[list(tiling)] = True
        across, down = [_packed((numbers >= 0) & laid[numbers]) for numbers in self._numbers]
        self._tilings = Tilings(across, down, np.zeros(4, np.uint64))
        self._control = np.zeros(WORDS, np.int64)
        self._below = below
        self._n = n
        self._first = max(_FIRST, min(rows, cols) ** 2 // 2 // _FIRST * _FIRST)
        self._drawn: list[tuple[int, ...]] = []
        self._course = self._legs()

    @property
    def found(self) -> int:
        """Tilings drawn so far."""
        return len(self._drawn)

    def fraction(self) -> float:
        """Estimate the part done."""
        return len(self._drawn) / max(1, self._n)

    def memory(self) -> int:
        """Bytes held."""
        return self._numbers.nbytes + 6 * self._tilings.across.nbytes

    def value(self) -> list[tuple[int, ...]]:
        """Return the tilings drawn so far."""
        return self._drawn

    def advance(self, budget: int) -> bool:
        """Turn about `budget` words of blocks; True at the end."""
        while budget > 0:
            if self._control[SWEEPS] == 0:
                if not next(self._course, False):
                    return True
            else:
                spent = int(turn_blocks(self._tilings, self._control, budget))
                self.nodes += spent
                budget -= spent
        return False

    def _legs(self) -> Iterator[bool]:
        """Set up one leg after the other; each is made before the next is asked for."""
        both, control = self._tilings, self._control
        extremes = []
        for source in (1, 0):  # always up, then always down
            while True:
                before = both.across[:, :, 0].copy()
                control[:] = len(before), 1, source
                yield True
                if np.array_equal(before, both.across[:, :, 0]):
                    break
            extremes.append((both.across[:, :, 0].copy(), both.down[:, :, 0].copy()))
        while len(self._drawn) < self._n:
            seeds: list[list[int]] = []
            control[AGREE] = 0
            while not control[AGREE]:
                seeds.append([self._below(1 << 64) for _ in range(4)])
                for which, (across, down) in enumerate(extremes):
                    both.across[:, :, which], both.down[:, :, which] = across, down
                for age in reversed(range(len(seeds))):
                    both.random[:] = seeds[age]
                    control[SWEEPS], control[SOURCE] = self._first << max(0, age - 1), BITS
                    yield True
            self._drawn.append(self._read())

    def _read(self) -> tuple[int, ...]:
        """Return the numbers of the placements of the first tiling."""
        laid = [_unpacked(self._tilings.across), _unpacked(self._tilings.down)]
        numbers = [numbers[bits] for numbers, bits in zip(self._numbers, laid, strict=True)]
        return tuple(np.sort(np.concatenate(numbers)).tolist())


def _packed(cells: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Return cells as bits, the same for both tilings."""
    words = np.packbits(cells, axis=1, bitorder="little").view("<u8").astype(np.uint64)
    return np.repeat(words[:, :, None], 2, axis=2)


def _unpacked(words: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return the cells of the first tiling."""
    octets = np.ascontiguousarray(words[:, :, 0]).astype("<u8").view(np.uint8)
    return np.unpackbits(octets, axis=1, bitorder="little").astype(np.bool_)
