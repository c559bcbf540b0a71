"""Sweeps over items, on dictionaries and in kernels, against the definition and known numbers."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cover.items.families import latin, matchings, partitions, triple_systems
from gridkit.cover.frontier.memory import MemoryGuard, MemoryShort
from gridkit.cover.items.exchange import exchange
from gridkit.cover.items.kernels import states
from gridkit.cover.items.kinds import classify
from gridkit.cover.items.order import best_order, orders, widths
from gridkit.cover.items.plan import Plan, lay_out
from gridkit.cover.items.sweep import ItemSweep, PlainSweep
from gridkit.cover.items.symmetries import interchangeable, swaps
from gridkit.cover.items.table import TableSweep
from gridkit.cover.matrix import Matrix
from gridkit.run import Limit, Run, use_tier
from gridkit.run.jit import JIT_DISABLED
from gridkit.run.limits import Tier
from strategies import matrices
from twins.cover import covers
from twins.items import covers_counted, random_matrix


def swept(
    matrix: Matrix, *, compiled: bool, merged: bool = False, budget: int = 1 << 40
) -> tuple[int, int]:
    """Return the number of solutions by one sweep, and the moves it tried."""
    run = Run()
    kinds = classify(matrix, run)
    if not kinds.possible:
        return 0, 0
    merged = merged and kinds.plain
    plan = lay_out(kinds, best_order(kinds, run), run, fixed=merged)
    symmetry = None
    if merged:
        classes = interchangeable(kinds, run)
        apart = [item for items in classes for item in items]
        symmetry = exchange(classes, swaps(kinds, apart, run), plan.positions)
    guard = MemoryGuard(run)
    sweep: PlainSweep | TableSweep
    sweep = (
        TableSweep(plan, guard, run, symmetry) if compiled else PlainSweep(plan, guard, symmetry)
    )
    while not sweep.advance(budget):
        pass
    return sweep.count(), sweep.nodes


@given(matrices(), st.booleans(), st.integers(1, 50))
def test_every_tier_counts_what_the_definition_says(
    matrix: Matrix, merged: bool, budget: int
) -> None:
    expected = len(covers(matrix))
    assert swept(matrix, compiled=False, merged=merged, budget=budget)[0] == expected
    assert swept(matrix, compiled=True, merged=merged, budget=budget)[0] == expected


def test_colours_amounts_and_bounds_in_every_order() -> None:
    chance = random.Random(3)
    for _ in range(300 if not JIT_DISABLED else 30):
        matrix = random_matrix(chance, 8)
        expected, run = covers_counted(matrix), Run()
        kinds = classify(matrix, run)
        for order in orders(kinds, run):
            plan = lay_out(kinds, order, run)
            sweep = PlainSweep(plan, MemoryGuard(run))
            assert sweep.advance(1 << 30)
            assert (sweep.count() if kinds.possible else 0) == expected
        assert swept(matrix, compiled=True)[0] == expected


def test_symmetric_problems_of_the_twin() -> None:
    """Problems with many symmetries, with optional items among them."""
    chance = random.Random(4)
    for _ in range(60):
        items = chance.randint(3, 6)
        size = chance.randint(2, 3)
        rows = sorted(chance.sample([(a, b) for a in range(items) for b in range(a)], items))
        low = [chance.randint(0, 1)] * items if chance.random() < 0.5 else [1] * items
        options = tuple((b, a) for a, b in rows) + ((0,),) * (size - 2)
        matrix = Matrix(options, items, tuple(low), (1,) * items)
        expected = covers_counted(matrix)
        assert swept(matrix, compiled=False, merged=True)[0] == expected
        assert swept(matrix, compiled=True, merged=True)[0] == expected


@pytest.mark.parametrize("merged", [False, True])
def test_known_numbers(merged: bool) -> None:
    compiled = not JIT_DISABLED
    assert swept(matchings(12), compiled=compiled, merged=merged)[0] == 10395
    assert swept(latin(4), compiled=compiled, merged=merged)[0] == 576
    assert swept(triple_systems(7), compiled=compiled, merged=merged)[0] == 30
    assert swept(partitions(7), compiled=compiled, merged=merged)[0] == 877


def test_states_are_merged_by_symmetries() -> None:
    count, moves = swept(matchings(24), compiled=False, merged=True)
    assert count == 316_234_143_225
    assert moves < 1000
    count, moves = swept(latin(5), compiled=False, merged=True)
    assert count == 161_280
    assert moves < 5000


def test_numbers_of_several_words() -> None:
    """Kernels widen numbers and grow tables in the middle of a step."""
    expected = 1
    for odd in range(1, 50, 2):
        expected *= odd
    assert swept(matchings(50), compiled=False, merged=True)[0] == expected
    if not JIT_DISABLED:
        assert swept(matchings(50), compiled=True, merged=True)[0] == expected
        pairs = Matrix(tuple((i,) for i in range(70) for _ in "abc"), 70, (1,) * 70, (1,) * 70)
        assert swept(pairs, compiled=True, budget=5)[0] == 3**70
        assert swept(matchings(18), compiled=True, budget=100)[0] == 34_459_425


def test_a_sweep_goes_over_to_kernels() -> None:
    tiers: tuple[Tier, ...] = ("plain", "auto", "compiled")
    for tier in tiers:
        if tier == "compiled" and JIT_DISABLED:
            continue
        with use_tier(tier):
            run = Run()
            kinds = classify(matchings(12), run)
            sweep = ItemSweep(lay_out(kinds, best_order(kinds, run), run), run)
            sweep._patience = min(sweep._patience, 500)
            while not sweep.advance(70):
                assert 0 <= sweep.fraction() <= 1
            assert sweep.count() == 10395


def test_memory_is_refused_before_it_is_taken() -> None:
    run = Run(limit=Limit(memory=20_000))
    kinds = classify(matchings(16), run)
    plan = lay_out(kinds, best_order(kinds, run), run)
    with pytest.raises(MemoryShort):
        PlainSweep(plan, MemoryGuard(run)).advance(1 << 40)
    with pytest.raises(MemoryShort):
        TableSweep(plan, MemoryGuard(run), run)


def test_an_order_keeps_the_frontier_narrow() -> None:
    """A path of items numbered at random."""
    chance, run = random.Random(1), Run()
    names = list(range(60))
    chance.shuffle(names)
    options = tuple(tuple(sorted(pair)) for pair in pairwise(names))
    kinds = classify(Matrix(options, 60, (1,) * 60, (1,) * 60), run)
    assert max(widths(kinds, best_order(kinds, run))) <= 2
    plan: Plan = lay_out(kinds, best_order(kinds, run), run)
    assert plan.bits <= 3


def test_signatures() -> None:
    if not JIT_DISABLED:
        swept(matchings(4), compiled=True)
        assert states.advance.nopython_signatures  # type: ignore[attr-defined]  # of numba
