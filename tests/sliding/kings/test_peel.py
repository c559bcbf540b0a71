"""Peeling: the cheapest way of a blank against plain relaxation; prices; whole grids."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from gridkit.run.jit import JIT_DISABLED
from gridkit.sliding.kings.blocks import FAST, Prices
from gridkit.sliding.kings.kernels import peel as kings_peel
from twins.kings import cheapest_emptying, displacing

Ints = NDArray[np.int32]


def search(
    grid: Ints, goal: Ints, ranks: Ints, locked: NDArray[np.uint8], prices: Ints,
    sources: tuple[int, int], p: int, q: int,
) -> tuple[int, list[list[int]]]:  # fmt: skip
    """Call the kernel's search with an empty queue; return its answer and the slides."""
    cells = p * q
    where = np.zeros(len(goal), np.int32)
    where[grid[grid >= 0]] = np.flatnonzero(grid >= 0)
    out, counters = np.zeros((cells, 3), np.int32), np.zeros(4, np.int64)
    taken = np.zeros(65, np.uint64)
    queue = np.full(kings_peel.SPAN, -1, np.int32)
    places = np.stack([np.arange(cells) // q, np.arange(cells) % q, ranks], axis=1)
    reached = kings_peel._empty(
        grid, where, goal, locked, prices, out, counters, np.zeros(1, np.int32),
        *sources, p, q, 0, queue, taken, np.zeros((4 * cells + 2, 2), np.int32),
        np.zeros((cells, 4), np.int32), places.astype(np.int32),
    )  # fmt: skip
    assert not taken.any()
    assert (queue == -1).all()
    assert all(grid[cell] == tile for tile, cell in enumerate(where.tolist()))
    return reached, out[: counters[1]].tolist()


@settings(max_examples=40 if JIT_DISABLED else 300, deadline=None)
@given(
    p=st.integers(2, 7),
    q=st.integers(2, 7),
    blanks=st.integers(1, 3),
    dearest=st.sampled_from((0, 3, 100, 4095)),
    seed=st.integers(0, 2**32),
)
def test_the_way_of_a_blank_is_a_cheapest_one(
    p: int, q: int, blanks: int, dearest: int, seed: int
) -> None:
    generator = np.random.default_rng(seed)
    cells = p * q
    grid = np.arange(cells, dtype=np.int32)
    grid[cells - blanks :] = -1
    grid = generator.permutation(grid)
    goal = generator.permutation(cells)[: cells - blanks].astype(np.int32)
    ranks = generator.integers(0, 3, cells).astype(np.int32)
    locked = (generator.random(cells) < 0.2).astype(np.uint8)
    prices = generator.integers(0, dearest + 1, (3, max(p, q), 2)).astype(np.int32)
    first, second = generator.integers(-1, cells, 2).tolist()
    before = grid.tolist()

    def price(cell: int, off: int, away: int) -> int:
        return int(prices[ranks[cell], off, away])

    least = cheapest_emptying(
        before, goal.tolist(), locked.tolist(), (first, second), q, price
    )  # fmt: skip
    reached, slides = search(grid, goal, ranks, locked, prices, (first, second), p, q)
    assert (reached < 0) == (least is None)
    if least is None:
        assert slides == []
        return
    assert reached in (first, second)
    total = 0
    for tile, origin, to in slides:
        assert before[origin] == tile >= 0
        assert before[to] == -1
        assert not locked[origin]
        assert not locked[to]
        total += displacing(tile, origin, to, goal.tolist(), q, price)
        before[origin], before[to] = -1, tile
    assert before == grid.tolist()
    assert before[reached] == -1
    assert total == least


def test_prices_grow_with_the_way_and_fit_the_queue() -> None:
    for prices in [FAST, *Prices.varied(40)]:
        table = prices.table(97, 50)
        assert table.shape == (97, 50, 2)
        assert table.min() >= 0
        assert table.max() < kings_peel.SPAN
        near, far = table[:, :, 0], table[:, :, 1]
        assert (np.diff(near, axis=1) <= 0).all()  # cheaper to bring nearer what is far off
        assert (np.diff(far, axis=1) >= 0).all()
        assert (np.diff(near, axis=0) >= 0).all()  # and what is fixed sooner
        assert (np.diff(far, axis=0) <= 0).all()
    assert Prices().table(1, 1).shape == (1, 1, 2)
