"""Counts by a search that hands over to a sweep, and by a search that remembers."""

from __future__ import annotations

import pickle
import random
from itertools import combinations, product

import pytest
from hypothesis import given

from cover.items.families import latin, matchings, partitions, plain_matrix, triple_systems
from gridkit.cover.exact_cover import ExactCover
from gridkit.cover.items import contest
from gridkit.cover.items.contest import Contest, count_cover
from gridkit.cover.items.memo import MemoSearch
from gridkit.cover.matrix import Matrix
from gridkit.cover.search.counting import product as searches
from gridkit.cover.search.counting import tasks_of
from gridkit.errors import LimitReached, UnsupportedError
from gridkit.run import Limit, Run, use_tier
from gridkit.run.jit import JIT_DISABLED
from programs.cover_families import wrongly_counted
from programs.differential_items import differences
from strategies import matrices
from twins.cover import covers
from twins.items import covers_counted, random_matrix

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="long searches")


def cover_of(matrix: Matrix) -> ExactCover:
    return ExactCover(matrix.options, range(matrix.primary), range(matrix.primary, matrix.items))


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let rivals begin at once, however little remains of a search."""
    monkeypatch.setattr(contest, "_FIRST_LOOK", 1)
    monkeypatch.setattr(contest, "_NEGLIGIBLE", 0)


@pytest.mark.usefixtures("eager")
def test_whoever_counts_the_count_is_the_same() -> None:
    chance = random.Random(6)
    for _ in range(150):
        matrix = random_matrix(chance, 9)
        expected = covers_counted(matrix)
        for method in ("auto", "sweep"):
            assert count_cover(matrix, Run(), method=method) == expected
        if matrix.plain:
            assert count_cover(matrix, Run(), method="memo") == expected


@pytest.mark.usefixtures("eager")
def test_all_engines_and_orders_agree() -> None:
    """A sample of what the program counts."""
    assert differences(200, seed=2) == []


@pytest.mark.usefixtures("eager")
def test_families_by_a_dictionary_of_covered_sets() -> None:
    """A sample of what the program counts."""
    assert wrongly_counted(5, seed=3) == []


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("tier", ["auto", "plain", "compiled"])
def test_families(tier: str) -> None:
    with use_tier(tier):  # type: ignore[arg-type]  # a name of a tier
        assert cover_of(matchings(10)).count() == 945
        assert cover_of(latin(4)).count() == 576
        assert cover_of(triple_systems(7)).count() == 30
        assert cover_of(partitions(6)).count() == 203


def test_numbers_that_no_search_reaches() -> None:
    assert cover_of(matchings(40)).count() == 319_830_986_772_877_770_815_625
    assert cover_of(latin(6)).count() == 812_851_200
    assert cover_of(latin(7)).count() == 61_479_419_904_000
    assert cover_of(triple_systems(13)).count() == 1_197_504_000
    # Dominoes on 16 x 16.
    cells = list(product(range(16), repeat=2))
    pairs = [(a, b) for a in cells for b in ((a[0] + 1, a[1]), (a[0], a[1] + 1)) if max(b) < 16]
    assert ExactCover(pairs, primary=cells).count() == 2_444_888_770_250_892_795_802_079_170_816


def test_components_multiply() -> None:
    rows = [
        (a + 30 * part, b + 30 * part) for part in (0, 1) for a, b in combinations(range(24), 2)
    ]
    assert ExactCover(rows).count() == 316_234_143_225**2


@given(matrices(plain=True))
def test_a_search_that_remembers(matrix: Matrix) -> None:
    work = MemoSearch(matrix, Run())
    while not work.advance(3):
        assert work.memory() > 0
    assert work.count() == len(covers(matrix))


def test_what_is_remembered_is_bounded() -> None:
    work = MemoSearch(matchings(10), Run(limit=Limit(memory=4000)))
    while not work.advance(1000):
        assert len(work._known) <= work._most + 1
    assert work.count() == 945


def test_a_tree_of_choices_falls_apart() -> None:
    """A binary tree of 511 items, each covered alone or with a child: no narrow frontier needed."""
    options: list[tuple[int, ...]] = [(item,) for item in range(511)]
    options += [(item, child) for item in range(255) for child in (2 * item + 1, 2 * item + 2)]
    ways: list[tuple[int, int]] = [(1, 1)] * 511  # with the item, and with it covered already
    for item in reversed(range(255)):
        (a, a0), (b, b0) = ways[2 * item + 1], ways[2 * item + 2]
        ways[item] = a * b + a0 * b + a * b0, a * b
    matrix = plain_matrix(options)
    work = MemoSearch(matrix, Run())
    assert work.advance(20_000)
    assert work.count() == ways[0][0]
    assert count_cover(matrix, Run(), method="auto") == ways[0][0]


def test_limits_leave_the_search_to_go_on_from() -> None:
    cover = cover_of(latin(6, [(0, 0, 0)]))
    with pytest.raises(LimitReached) as caught:
        cover.count(limit=Limit(nodes=3000))
    partial, token = caught.value.partial, pickle.loads(pickle.dumps(caught.value.token))
    assert 0 < partial.nodes <= 3100
    assert cover.count(resume=token) == 812_851_200 // 6


def test_rivals_begin_anew_from_a_token() -> None:
    run = Run()
    matrix = latin(5)
    search = searches(tasks_of(matrix, "auto", run), run, "count")
    work = Contest(search, run)
    while not work.advance(50):
        assert work.memory() > 0
        assert 0 <= work.fraction() <= 1
    assert work.value() == 161_280


def test_what_cannot_be_asked() -> None:
    counted = ExactCover([[0], [0], [0]], multiplicity={0: 2})
    with pytest.raises(UnsupportedError, match="'memo' needs items"):
        counted.count(method="memo")
    assert counted.count(method="sweep") == 3
    with pytest.raises(UnsupportedError, match="does not split"):
        counted.count(method="sweep", parts=3)
    symmetric = ExactCover([[0], [1]], symmetries=[{0: 1, 1: 0}])
    with pytest.raises(UnsupportedError, match="up to symmetry"):
        symmetric.count(method="sweep", up_to_symmetry=True)


def test_more_demanded_than_there_is() -> None:
    assert ExactCover([["a"]], ["a", "b"]).count(method="sweep") == 0
    assert ExactCover([["a"]], ["a", "b"]).count(method="memo") == 0
    assert ExactCover([]).count(method="sweep") == 1
    assert ExactCover([]).count(method="memo") == 1
    assert ExactCover([["a"]] * 3, multiplicity={"a": None}).count(method="sweep") == 8
