"""Random domino tilings by coupling from the past, against lists of all tilings."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import gridkit as gk
from gridkit.cover.coupling import past
from gridkit.cover.coupling.kernels import BITS, Tilings, turn_blocks
from gridkit.cover.frontier.source import uniform
from gridkit.cover.instance import Instance
from gridkit.run import Run
from gridkit.run.jit import JIT_DISABLED
from twins import coupling
from twins import frontier as twin

DOMINO = gk.pieces.domino()

STAIRS: list[tuple[int, ...]] = [(r, c) for r in range(5) for c in range(6) if 2 <= r + c <= 7]
BOARDS: dict[str, list[tuple[int, ...]]] = {
    "a square": twin.rectangle(4, 4),
    "stairs": STAIRS,
    "two boards": [*twin.rectangle(2, 3), *[(r + 3, c + 1) for r, c in twin.rectangle(2, 4)]],
    "touching at a corner": [
        *twin.rectangle(2, 2),
        *[(r + 2, c + 2) for r, c in twin.rectangle(2, 2)],
    ],
}


@pytest.mark.parametrize("name", BOARDS)
def test_every_tiling_is_equally_likely(name: str) -> None:
    """Chi-square with the seed fixed; the bound is exceeded once in a hundred thousand."""
    instance = twin.instance_of(sorted(BOARDS[name]), [twin.DOMINO])
    all_of_them = set(twin.coverings(instance))
    assert len(all_of_them) > 3
    assert past.suits(instance, Run())
    expected = 5 if JIT_DISABLED else 100
    drawn = past.draw(instance, uniform(7), expected * len(all_of_them), Run())
    tally = Counter(drawn)
    assert set(tally) <= all_of_them
    square = sum((tally[covering] - expected) ** 2 / expected for covering in all_of_them)
    freedom = len(all_of_them) - 1
    # Wilson and Hilferty's approximation of the quantile, at 4.3 standard deviations
    assert square < freedom * (1 - 2 / (9 * freedom) + 4.3 * (2 / (9 * freedom)) ** 0.5) ** 3


@given(st.integers(1, 5), st.integers(1, 6), st.data())
@settings(max_examples=15 if JIT_DISABLED else 100)
def test_turning_reaches_all_tilings_of_what_suits(
    rows: int, cols: int, data: st.DataObject
) -> None:
    board = twin.rectangle(rows, cols)
    holes = data.draw(st.lists(st.sampled_from(board), max_size=len(board) // 3))
    instance = twin.instance_of(sorted(set(board) - set(holes)), [twin.DOMINO])
    assume(instance.coordinates)
    all_of_them = set(twin.coverings(instance))
    if not past.suits(instance, Run()):
        return
    drawn = past.draw(instance, uniform(1), 2, Run())
    assert set(drawn) <= all_of_them
    assert bool(drawn) == bool(all_of_them)
    if not drawn:
        return
    points = [(point[0], point[1]) for point in instance.coordinates]
    dominoes = [(points[a], points[b]) for _, (a, b) in instance.placements]
    reached = {frozenset(dominoes[number] for number in drawn[0])}
    waiting = list(reached)
    while waiting:
        for following in coupling.turned(set(waiting.pop())):
            if frozenset(following) not in reached:
                reached.add(frozenset(following))
                waiting.append(frozenset(following))
    assert len(reached) == len(all_of_them)


@pytest.mark.parametrize(
    ("holes", "suits"),
    [([], True), ([(2, 2), (2, 3)], False), ([(0, 0), (0, 1)], True), ([(1, 1), (2, 2)], False)],
)
def test_boards_with_holes_do_not_suit(holes: list[tuple[int, int]], suits: bool) -> None:
    cells = sorted(set(twin.rectangle(5, 6)) - set(holes))
    assert past.suits(twin.instance_of(cells, [twin.DOMINO]), Run()) is suits


def test_other_problems_do_not_suit() -> None:
    cells = twin.rectangle(2, 3)
    twice = twin.instance_of(cells, [twin.DOMINO, twin.DOMINO])
    assert not past.suits(twice, Run())
    assert not past.suits(twin.instance_of(cells, [twin.L_TROMINO]), Run())
    assert not past.suits(twin.instance_of(cells, [twin.DOMINO], optional=[(0, 0)]), Run())


@pytest.mark.parametrize(("rows", "cols"), [(4, 6), (3, 66), (2, 128), (5, 130)])
@pytest.mark.parametrize("seed", range(3))
def test_the_kernel_turns_as_the_twin_does(rows: int, cols: int, seed: int) -> None:
    chance = Random(seed)
    tiling = {((r, c), (r, c + 1)) for r in range(rows) for c in range(0, cols, 2)}
    words = (cols + 63) // 64
    across, down = np.zeros((2, rows, words, 2), np.uint64)
    state = [chance.getrandbits(64) for _ in range(4)]
    pair = Tilings(across, down, np.array(state, np.uint64))
    for r, c in (left for left, _ in tiling):
        across[r, c // 64, :] |= np.uint64(1 << c % 64)
    control = np.array([3, 0, BITS], np.int64)
    while control[0]:
        turn_blocks(pair, control, 1)
    word = coupling.xoshiro(state)
    for _ in range(3):
        coupling.sweep(tiling, rows, cols, word)
    for which in range(2):
        bits = [
            {
                (r, 64 * w + b)
                for r in range(rows)
                for w in range(words)
                for b in range(64)
                if int(array[r, w, which]) >> b & 1
            }
            for array in (across, down)
        ]
        assert bits[0] == {(r, c) for (r, c), (s, _) in tiling if s == r}
        assert bits[1] == {(r, c) for (r, c), (s, _) in tiling if s != r}


@pytest.mark.skipif(JIT_DISABLED, reason="wide boards take compiled kernels")
def test_a_wide_board_by_the_public_call() -> None:
    tiling = gk.Tiling(gk.Board.rectangle(30, 70), DOMINO, copies=None)
    first, second = tiling.sample(5, 2)
    assert first != second
    assert tiling.sample(5, 2) == [first, second]
    assert tiling.sample(np.random.default_rng(5), 1) == [first]
    for solution in (first, second):
        covered = [cell for _, cells in solution.pieces for cell in cells]
        assert sorted(covered) == sorted(tiling.region.cells)


def test_no_tiling() -> None:
    cells = sorted(set(twin.rectangle(4, 4)) - {(0, 0), (3, 3)})
    instance = twin.instance_of(cells, [twin.DOMINO])
    assert past.draw(instance, uniform(1), 3, Run()) == []
    with pytest.raises(gk.GridkitError, match="there is none"):
        gk.Tiling(gk.Board(4, 4, cells), DOMINO, copies=None).sample(1)


@pytest.mark.skipif(JIT_DISABLED, reason="wide boards take compiled kernels")
def test_a_limit_keeps_what_was_drawn() -> None:
    tiling = gk.Tiling(gk.Board.rectangle(20, 20), DOMINO, copies=None)
    with pytest.raises(gk.LimitReached) as caught:
        tiling.sample(3, 1000, limit=gk.Limit(nodes=400_000))
    drawn = caught.value.partial.value
    assert isinstance(drawn, list)
    assert 0 < len(drawn) < 1000
    assert caught.value.token is None
    assert drawn[0] == tiling.sample(3)[0].placements


def test_instances_without_cells() -> None:
    assert past.draw(Instance((), (), ((0, None),), frozenset()), uniform(1), 1, Run()) == [()]
