"""Peeling: the cheapest way of a blank against plain relaxation; prices; whole grids."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from gridkit.run.jit import JIT_DISABLED
from gridkit.sliding.kings.blocks import FAST, Prices
from gridkit.sliding.kings.kernels import blank
from twins.kings import cheapest_emptying, displacing

Ints = NDArray[np.int32]


def search(
    grid: Ints, goal: Ints, ranks: Ints, locked: NDArray[np.uint8], prices: Ints,
    sources: tuple[int, int], p: int, q: int,
) -> tuple[int, list[list[int]]]:  # fmt: skip
    """Call the kernel's search with an empty queue; return its answer and the slides."""
    cells = np.zeros((p * q, blank.CELL_SIZE), np.int32)
    cells[:, blank.TILE], cells[:, blank.LOCKED], cells[:, blank.RANK] = grid, locked, ranks
    cells[:, blank.ROW], cells[:, blank.COL] = np.divmod(np.arange(p * q), q)
    tiles = np.zeros((len(goal), 2), np.int32)
    tiles[grid[grid >= 0], blank.WHERE] = np.flatnonzero(grid >= 0)
    tiles[:, blank.GOAL] = goal
    control = np.zeros(blank.LISTED, np.int64)
    control[blank.ROWS], control[blank.COLS] = p, q
    moves = np.zeros((p * q, 3), np.int32)
    items = np.full((blank.SPAN + 4 * p * q + 2, 2), -1, np.int32)
    queue = blank.Queue(items, np.zeros(65, np.uint64))
    reached = blank.empty(cells, tiles, moves, control, prices, queue, *sources)
    grid[:] = cells[:, blank.TILE]
    assert not queue.filled.any()
    assert (items[: blank.SPAN, blank.NEXT] == -1).all()
    assert all(grid[cell] == tile for tile, cell in enumerate(tiles[:, blank.WHERE].tolist()))
    return reached, moves[: control[blank.MOVES]].tolist()


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
        assert table.max() < blank.SPAN
        near, far = table[:, :, 0], table[:, :, 1]
        assert (np.diff(near, axis=1) <= 0).all()  # cheaper to bring nearer what is far off
        assert (np.diff(far, axis=1) >= 0).all()
        assert (np.diff(near, axis=0) >= 0).all()  # and what is fixed sooner
        assert (np.diff(far, axis=0) <= 0).all()
    assert Prices().table(1, 1).shape == (1, 1, 2)
