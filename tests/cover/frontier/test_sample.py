"""Uniform random tilings."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import gridkit as gk
from cover.frontier.test_plain import instances
from gridkit.cover.frontier.sample import draw, first_covering
from gridkit.cover.frontier.source import uniform
from gridkit.cover.instance import Instance
from gridkit.run import Run, Tier, use_tier
from gridkit.run.jit import JIT_DISABLED
from twins import frontier as twin


@pytest.fixture(params=["plain", "compiled"], autouse=True)
def tier(request: pytest.FixtureRequest) -> Iterator[str]:
    with use_tier(request.param):
        yield request.param


def sample_placements(
    instance: Instance, rng: object, n: int = 1, limit: gk.Limit | None = None
) -> list[tuple[int, ...]]:
    return draw(instance, uniform(rng), n, Run(limit=limit))  # type: ignore[arg-type]  # also wrong ones


SMALL = {
    "dominoes": twin.instance_of(twin.rectangle(4, 4), [twin.DOMINO]),
    "monomers and dimers": twin.instance_of(twin.rectangle(2, 3), [twin.DOMINO, twin.MONOMINO]),
    "trominoes": twin.instance_of(twin.rectangle(4, 6), [twin.L_TROMINO]),
    "empty cells": twin.instance_of(
        twin.rectangle(2, 3), [twin.DOMINO], optional=[(0, 0), (1, 1), (1, 2), (0, 2)]
    ),
    "limited": twin.instance_of(
        twin.rectangle(3, 4), [twin.DOMINO, twin.L_TROMINO], [(1, 4), (2, 2)]
    ),
    "at least": twin.instance_of(
        twin.rectangle(3, 3), [twin.MONOMINO, twin.DOMINO], [(2, None), (2, None)]
    ),
    "regions": twin.instance_of(
        [*twin.rectangle(2, 3), *[(r + 5, c) for r, c in twin.rectangle(2, 2)]], [twin.DOMINO]
    ),
}


@pytest.mark.parametrize("name", SMALL)
def test_every_covering_is_equally_likely(name: str) -> None:
    """Chi-square with the seed fixed; the bound is exceeded once in a hundred thousand."""
    instance = SMALL[name]
    all_of_them = set(twin.coverings(instance))
    expected = 5 if JIT_DISABLED else 40
    drawn = sample_placements(instance, np.random.default_rng(2024), expected * len(all_of_them))
    tally = Counter(drawn)
    assert set(tally) <= all_of_them
    square = sum((tally[covering] - expected) ** 2 / expected for covering in all_of_them)
    freedom = len(all_of_them) - 1
    # Wilson and Hilferty's approximation of the quantile, at 4.3 standard deviations
    assert square < freedom * (1 - 2 / (9 * freedom) + 4.3 * (2 / (9 * freedom)) ** 0.5) ** 3


@given(instances(), st.integers(0, 1000))
@settings(max_examples=15 if JIT_DISABLED else 80)
def test_draws_are_coverings(instance: Instance, seed: int) -> None:
    all_of_them = set(itertools.islice(twin.coverings(instance), 5000))
    assume(len(all_of_them) < 5000)
    rng = np.random.default_rng(seed)
    if all_of_them:
        drawn = sample_placements(instance, rng, 3)
        assert len(drawn) == 3
        assert set(drawn) <= all_of_them
    else:
        assert sample_placements(instance, rng, 3) == []
    covering = first_covering(instance, Run())
    assert covering in all_of_them if all_of_them else covering is None


def test_both_tiers_draw_the_same() -> None:
    draws = []
    tiers: tuple[Tier, ...] = ("plain", "compiled", "auto")
    for each in tiers:
        with use_tier(each):
            draws.append([sample_placements(instance, 7, 4) for instance in SMALL.values()])
    assert draws[0] == draws[1] == draws[2]


def test_tilings() -> None:
    tiling = gk.Tiling(gk.Board.rectangle(5, 6), gk.pieces.domino(), copies=None)
    first = tiling.sample(np.random.default_rng(3), 2)
    assert tiling.sample(np.random.default_rng(3), 2) == tiling.sample(3, 2) == first
    assert len(tiling.sample(None, 2)) == len(tiling.sample(n=2)) == 2
    for solution in first:
        assert len(solution.placements) == 15
        assert "." not in str(solution)


@pytest.mark.skipif(JIT_DISABLED, reason="too many states")
@pytest.mark.parametrize(
    ("rows", "cols", "piece", "holes"),
    [(12, 100, twin.DOMINO, []), (16, 16, twin.L_TROMINO, [(0, 0)])],
)
def test_large_boards(
    rows: int, cols: int, piece: list[twin.Point], holes: list[tuple[int, int]], tier: str
) -> None:
    if tier == "plain":
        pytest.skip("for the kernels")
    instance = twin.instance_of(twin.rectangle(rows, cols, holes), [piece])
    first, second = sample_placements(instance, np.random.default_rng(1), 2)
    assert first != second
    for drawn in (first, second):
        covered = sorted(cell for place in drawn for cell in instance.placements[place][1])
        assert covered == list(range(len(instance.coordinates)))


def test_bad_arguments() -> None:
    instance = SMALL["dominoes"]
    for rng in (-1, 1.5, True, "7"):
        with pytest.raises(gk.InputError, match="expected a numpy"):
            sample_placements(instance, rng)
    tiling = gk.Tiling(gk.Board.rectangle(2, 2), gk.pieces.domino(), None)
    for n in (-1, 1.5, True):
        with pytest.raises(gk.InputError, match="n must be an int >= 0"):
            tiling.sample(1, n)  # type: ignore[arg-type]  # on purpose
    with pytest.raises(gk.InputError, match="there is none"):
        gk.Tiling(gk.Board.rectangle(1, 3), gk.pieces.domino(), None).sample(1)
    assert sample_placements(instance, np.random.default_rng(1), 0) == []


def test_limits() -> None:
    rng = np.random.default_rng(1)
    with pytest.raises(gk.LimitReached, match="memory limit"):
        sample_placements(SMALL["dominoes"], rng, 1, limit=gk.Limit(memory=100))
    with pytest.raises(gk.LimitReached, match="node limit"):
        sample_placements(SMALL["dominoes"], rng, 1000, limit=gk.Limit(nodes=500))
