"""Turning rings of blocks: every slide is right, boards turned as a whole come out nearly done."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from gridkit.run.jit import JIT_DISABLED
from gridkit.sliding.kings.puzzle import KingsPuzzle
from gridkit.sliding.kings.rings import turn_rings

Ints = NDArray[np.int32]


def slid(grid: Ints, slides: list[Ints], q: int) -> Ints:
    """Make the slides one by one, checking each."""
    result = grid.copy()
    for part in slides:
        for tile, origin, to in part.tolist():
            assert result[origin] == tile >= 0
            assert result[to] == -1
            assert abs(origin // q - to // q) + abs(origin % q - to % q) == 1
            result[origin], result[to] = -1, tile
    return result


def away(grid: Ints, want: Ints, q: int) -> int:
    goal = {int(tile): divmod(cell, q) for cell, tile in enumerate(want)}
    ways = [
        abs(cell // q - goal[tile][0]) + abs(cell % q - goal[tile][1])
        for cell, tile in enumerate(grid.tolist())
        if tile >= 0
    ]
    return sum(ways)


@settings(deadline=None)
@given(
    p=st.integers(2, 9),
    q=st.integers(2, 9),
    blanks=st.integers(1, 4),
    turned=st.booleans(),
    seed=st.integers(0, 2**32),
)
def test_slides_are_right(p: int, q: int, blanks: int, turned: bool, seed: int) -> None:
    generator = np.random.default_rng(seed)
    tiles = np.arange(p * q, dtype=np.int32)
    tiles[tiles >= p * q - blanks] = -1
    want = generator.permutation(tiles)
    grid = want[::-1].copy() if turned else generator.permutation(tiles)
    before = grid.copy()
    slides = turn_rings(grid, want, p, q)
    assert slid(before, slides, q).tolist() == grid.tolist()
    assert slides == [] or away(grid, want, q) < away(before, want, q)


@pytest.mark.parametrize("quarter", [1, 2, 3])
def test_a_board_turned_as_a_whole_comes_near(quarter: int) -> None:
    want = np.arange(-1, 30 * 30 - 1, dtype=np.int32)
    grid = np.rot90(want.reshape(30, 30), quarter).ravel().copy()
    before = away(grid, want, 30)
    slides = turn_rings(grid, want, 30, 30)
    assert away(grid, want, 30) < before / 10
    assert sum(map(len, slides)) < 2.2 * before


def test_a_random_board_stays() -> None:
    generator = np.random.default_rng(1)
    tiles = np.arange(-1, 30 * 30 - 1, dtype=np.int32)
    assert turn_rings(generator.permutation(tiles), generator.permutation(tiles), 30, 30) == []


@pytest.mark.skipif(JIT_DISABLED, reason="too long without the compiler")
def test_reversal() -> None:
    start = np.zeros((40, 40), np.int64)
    start[::2, ::2] = np.arange(1, 401).reshape(20, 20)
    start[38, 38] = 0
    made = KingsPuzzle(start, start[::-1, ::-1][[*range(1, 40), 0]][:, [*range(1, 40), 0]]).plan(
        effort="fast"
    )
    assert made is not None
    made.verify()
    assert len(made) < 30_000
