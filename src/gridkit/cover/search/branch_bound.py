"""The compiled engine of `minimum`: branch and bound on bitsets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gridkit.cover.matrix import Matrix
from gridkit.cover.search.arrays import bytes_held
from gridkit.cover.search.bitset import packed_bits
from gridkit.cover.search.engine import Engine, foreign_token, fraction_of
from gridkit.cover.search.kernels import branch_bound as kernel

__all__ = ["CheapestBitset"]

_NO_LIMIT = (1 << 63) - 1


class CheapestBitset(Engine):
    """Search for covers that cost less than `limit`, as `PlainCheapest` does.

    Parameters
    ----------
    matrix : Matrix
        A plain problem, its options in the order of their shares.
    costs, shares : sequence of int
        What each option costs, in all and for each item it must cover.
    path : sequence of int
        Where to begin: the option chosen at each level.
    """

    def __init__(
        self,
        matrix: Matrix,
        costs: Sequence[int],
        shares: Sequence[int],
        path: Sequence[int] = (),
    ) -> None:
        self._packed = problem = packed_bits(matrix)
        depth = problem.depth
        self._prices = kernel.Prices(
            np.array(costs or [0], np.int64), np.array(shares or [0], np.int64)
        )
        self._levels = kernel.Levels(
            live=np.zeros((depth, problem.words), np.uint64),
            open_items=np.zeros((depth, problem.open.shape[1]), np.uint64),
            spent=np.zeros(depth, np.int64),
            branch=np.zeros(depth, np.uint64),
            word=np.zeros(depth, np.uint64),
            rest=np.zeros(depth, np.uint64),
            chosen=np.zeros(depth, np.int32),
            width=np.zeros(depth, np.int64),
            tried=np.zeros(depth, np.int64),
        )
        self._levels.live[0], self._levels.open_items[0] = problem.live[0], problem.open[0]
        self._cover = np.zeros(depth, np.int32)
        self._state = np.zeros(kernel.STATE_WORDS, np.int64)
        self._state[kernel.FRESH] = 1
        self._covers: list[tuple[int, ...]] = []
        self.below(_NO_LIMIT)
        self._replay(path)

    @property
    def nodes(self) -> int:
        """Nodes visited."""
        return int(self._state[kernel.NODES])

    def below(self, limit: int) -> None:
        """Look only for covers that cost less from now on."""
        self._state[kernel.LIMIT] = limit

    def advance(self, budget: int, most: int | None = None) -> bool:
        """Visit up to `budget` nodes, or until a cover is found; True at the end."""
        problem = self._packed
        done = kernel.advance(
            self._state, budget, problem.bits, problem.options, self._prices, self._levels,
            self._cover,
        )  # fmt: skip
        if (options := int(self._state[kernel.SOLUTION])) >= 0:
            self._covers.append(tuple(self._cover[:options].tolist()))
        return bool(done)

    def take(self) -> list[tuple[int, ...]]:
        """Return the covers found since the last call, options in the order chosen."""
        covers, self._covers = self._covers, []
        return covers

    def path(self) -> tuple[int, ...]:
        """Return the option chosen at each level."""
        return tuple(self._levels.chosen[: max(0, int(self._state[kernel.LEVEL]))].tolist())

    def fraction(self) -> float:
        """Estimate the part done."""
        level = max(0, int(self._state[kernel.LEVEL]))
        before = (self._levels.tried[:level] - 1).tolist()
        return fraction_of(zip(before, self._levels.width[:level].tolist(), strict=True))

    def memory(self) -> int:
        """Bytes held."""
        return bytes_held(self, self._packed)

    def _replay(self, path: Sequence[int]) -> None:
        """Go down a path: branch as the search would, then skip the siblings before the path."""
        state = self._state
        for level, option in enumerate(path):
            if level + 1 >= len(self._levels.live):
                raise foreign_token()
            self.advance(1)
            known = 0 <= option < 64 * self._packed.words and state[kernel.LEVEL] > level
            ways = self._levels.live[level] & self._packed.bits[int(self._levels.branch[level])]
            word, bit = option >> 6, 1 << (option & 63)
            if not known or not int(ways[word]) & bit:
                raise foreign_token()
            before = sum(int(each).bit_count() for each in ways[:word])
            self._levels.tried[level] = before + (int(ways[word]) & (bit - 1)).bit_count()
            self._levels.word[level], self._levels.rest[level] = word, int(ways[word]) & ~(bit - 1)
            state[kernel.LEVEL], state[kernel.FRESH] = level, 0
            self.advance(0)
        state[kernel.NODES] = 0
