"""The exact-cover model: reading, refusing, counting, listing, cheapest, unique, hardness."""

from __future__ import annotations

import copy
import gc
import pickle
import random
import subprocess
import sys
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridkit.cover import reading
from gridkit.cover.exact_cover import Colored, ExactCover
from gridkit.cover.search.minimum import CheapestSearch
from gridkit.errors import InputError, LimitReached, UnsupportedError
from gridkit.run import Run
from gridkit.run.control import Limit, Progress
from gridkit.run.jit import JIT_DISABLED
from gridkit.run.limits import Tier
from strategies import matrices
from twins.cover import covers, orbits


def test_knuths_example() -> None:
    cover = ExactCover(["ce", "adg", "bcf", "adf", "bg", "deg"], primary="abcdefg")
    assert cover.first() == (0, 3, 4)
    assert list(cover.solutions()) == [(0, 3, 4)]
    assert cover.count() == 1
    assert cover.is_unique()


def test_values_that_users_reported() -> None:
    rows = [[2], [1], [0, 2], [2], [2], [0, 2], [1], [2], [1, 2], [0]]
    cover = ExactCover(rows, primary=[0, 1, 2])
    found = list(cover.solutions())
    assert len(found) == len(set(found)) == cover.count() == 13
    assert (0, 1, 9) in found
    matrix = ((0, 0, 0, 1, 0), (1, 1, 0, 0, 0), (0, 0, 1, 0, 1))
    assert list(ExactCover.from_matrix(matrix).solutions()) == [(0, 1, 2)]
    pairs = np.repeat(np.eye(31, dtype=int), 2, axis=0)
    assert ExactCover.from_matrix(pairs).count() == 2147483648
    assert ExactCover([[i] for i in range(70) for _ in "ab"]).count() == 2**70
    if not JIT_DISABLED:
        for size in (257, 1100, 1500):
            identity = ExactCover.from_matrix(np.eye(size, dtype=bool))
            assert identity.count() == 1
            for method in ("auto", "bitset", "sparse"):
                assert identity.first(method=method) == tuple(range(size))


def test_edges() -> None:
    assert ExactCover([]).count() == 1
    assert list(ExactCover([]).solutions()) == [()]
    assert ExactCover([], primary=["a"]).count() == 0
    assert ExactCover([], primary=["a"]).first() is None
    assert ExactCover([["a"]], primary=["a", "b"]).count() == 0
    assert ExactCover([["a"], ["a"], ["a"]]).count() == 3
    assert list(ExactCover([["a"], ["a"]]).solutions()) == [(0,), (1,)]
    # Options of secondary items only are never chosen.
    assert list(ExactCover([["a"], ["x"]], secondary=["x"]).solutions()) == [(0,)]
    assert ExactCover([["x"]], secondary=["x"]).count() == 1
    assert ExactCover([["a"]], multiplicity={"a": 0}).count() == 1
    assert ExactCover([["a"], ["a"]], multiplicity={"a": None}).count() == 4
    assert ExactCover([["a"], ["a"]], multiplicity={"a": 10**30}).count() == 0
    assert ExactCover([["a"], ["a"]], multiplicity={"a": (1, 10**30)}).count() == 3


def test_colours() -> None:
    def cover(first: object, second: object) -> int:
        x = [Colored("x", first) if first else "x", Colored("x", second) if second else "x"]
        return ExactCover([["p", x[0]], ["q", x[1]]], "pq", ["x"]).count()

    assert cover("A", "A") == 1
    assert cover("A", "B") == cover("A", None) == cover(None, "A") == cover(None, None) == 0


def test_multiplicities_count_sets_of_options() -> None:
    for options in range(1, 7):
        for low in range(4):
            for high in range(low, 5):
                cover = ExactCover([["a"]] * options, multiplicity={"a": (low, high)})
                sets = sum(1 for k in range(low, high + 1) for _ in combinations(range(options), k))
                assert cover.count() == sets
                assert len(set(cover.solutions())) == sets


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ExactCover([["a"], []]), "option 1 is empty"),
        (lambda: ExactCover([["a", "b", "a"]]), "option 0 repeats item 'a'"),
        (lambda: ExactCover([["a"], ["c"]], primary=["a"]), "option 1 holds item 'c'"),
        (lambda: ExactCover([["a"]], primary=["a", "a"]), "'a' is repeated in primary"),
        (lambda: ExactCover([["a"]], ["a"], ["a"]), "primary and secondary"),
        (lambda: ExactCover([[Colored("a", 1)]], ["a"]), "colours the primary item 'a'"),
        (lambda: ExactCover([[[1]]]), "not hashable"),  # type: ignore[list-item]  # wrong on purpose
        (lambda: ExactCover([[Colored("a", [1])]], [], ["a"]), "not hashable"),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: ExactCover([3]), "option 0: expected an iterable"),  # type: ignore[list-item]  # wrong on purpose
        (lambda: ExactCover(3), "options must be iterable"),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: ExactCover([["a"]], multiplicity={"b": 1}), "item 'b' is unknown"),
        (lambda: ExactCover([["a"]], multiplicity={"a": (2, 1)}), "least <= greatest"),
        (lambda: ExactCover([["a"]], multiplicity={"a": -1}), "an int >= 0"),
        (lambda: ExactCover([["a"]], ["a"], ["x"], multiplicity={"x": 1}), "is secondary"),
        (lambda: ExactCover([["a"]], costs=[1, 2]), "one for each of 1 options"),
        (lambda: ExactCover([["a"]], costs=[float("nan")]), "finite number for option 0"),
        (lambda: ExactCover([["a"]], costs={0: 7}), "one number for each option, got a dict"),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: ExactCover([["a"]], costs={7}), "one number for each option, got a set"),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: ExactCover([["a"]], costs=7), "one number for each option, got 7"),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: ExactCover([["a"]], costs=[True]), "finite number for option 0"),
        (lambda: ExactCover([["a"]], costs=["7"]), "finite number for option 0"),  # type: ignore[list-item]  # wrong on purpose
        (lambda: ExactCover({"row1": ["a"], "row2": ["b"]}), "got a mapping"),
        (lambda: ExactCover([{"x": "red"}]), "option 0: expected an iterable of items"),
        (lambda: ExactCover([["a"]], {"a": 1}), "primary: expected items, got a mapping"),
        (lambda: ExactCover([["a"]], multiplicity=[("a", 2)]), "expected a mapping from items"),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: ExactCover([["a"]], symmetries={"a": "a"}), "expected mappings of items"),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: ExactCover([["a"]]).count(method="magic"), "method must be one of"),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: ExactCover([["a"]]).minimum(), "no costs"),
        (lambda: ExactCover([["a"]], costs=[1]).minimum(0), "k must be an int >= 1"),
        (lambda: ExactCover([["a"]]).hardness(0), "probes must be an int >= 1"),
        (lambda: ExactCover([["a"]]).count(parts=0), "parts must be an int >= 1"),
        (lambda: ExactCover([["a"]]).solutions_array(-1), "most must be an int >= 0"),
        (lambda: ExactCover([["a"]]).count(resume=3), "resume"),
    ],
)
def test_bad_problems_are_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        make()


@pytest.mark.parametrize("dtype", [bool, np.int8, np.int64, np.uint8, np.float64, np.float32])
def test_matrices_of_every_kind(dtype: type) -> None:
    rows = np.array([[1, 0, 0, 1], [0, 1, 1, 0], [1, 1, 0, 0], [0, 0, 1, 1]])
    expected = [(0, 1), (2, 3)]
    plain: np.ndarray = rows.astype(dtype)
    frozen = plain.copy()
    frozen.setflags(write=False)
    wide = np.repeat(plain, 2, axis=1)[:, ::2]
    assert not wide.flags.c_contiguous
    for matrix in (plain, frozen, wide, np.asfortranarray(plain), plain.tolist()):
        assert list(ExactCover.from_matrix(matrix).solutions()) == expected


def test_matrix_edges() -> None:
    assert ExactCover.from_matrix(np.zeros((0, 3))).count() == 0
    assert ExactCover.from_matrix(np.zeros((0, 0))).count() == 1
    assert ExactCover.from_matrix([]).count() == 1
    assert ExactCover.from_matrix(np.zeros((0, 3)), secondary=[0, 1, 2]).count() == 1
    assert ExactCover.from_matrix([[1, 1], [1, 0]], secondary=[1]).count() == 2
    with pytest.raises(InputError, match="row 0 has no 1"):
        ExactCover.from_matrix([[0]])
    with pytest.raises(InputError, match="row 0 has no 1"):
        ExactCover.from_matrix(np.zeros((2, 0)))
    with pytest.raises(InputError, match="row 1, column 2, got 2"):
        ExactCover.from_matrix([[1, 0, 1], [0, 1, 2]])
    with pytest.raises(InputError, match="row 0, column 0, got nan"):
        ExactCover.from_matrix([[float("nan")]])
    with pytest.raises(InputError, match=r"0\.5"):
        ExactCover.from_matrix([[0.5]])
    with pytest.raises(InputError, match="differ in length"):
        ExactCover.from_matrix([[1, 0], [1]])
    with pytest.raises(InputError, match="2 dimensions, got 3"):
        ExactCover.from_matrix(np.zeros((1, 1, 1)))
    with pytest.raises(InputError, match="dtype"):
        ExactCover.from_matrix([["1"]])
    with pytest.raises(InputError, match="secondary column must be an int from 0 to 1, got 2"):
        ExactCover.from_matrix([[1, 0]], secondary=[2])


def test_scipy_matrices() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    rows = np.array([[1, 0, 0, 1], [0, 1, 1, 0], [1, 1, 0, 0], [0, 0, 1, 1]])
    for kind in (sparse.csr_matrix, sparse.csc_array, sparse.coo_array, sparse.lil_array):
        assert list(ExactCover.from_matrix(kind(rows)).solutions()) == [(0, 1), (2, 3)]
    # Two entries for one cell add up.
    doubled = sparse.coo_array(([1, 1], ([0, 0], [1, 1])), shape=(1, 2))
    with pytest.raises(InputError, match="row 0, column 1, got 2"):
        ExactCover.from_matrix(doubled)
    with pytest.raises(InputError, match="dtype"):
        ExactCover.from_matrix(sparse.csr_array(np.array([[1j]])))


@pytest.mark.skipif(JIT_DISABLED, reason="large")
def test_large_problems() -> None:
    many = ExactCover([[i] for i in range(100_000)])
    assert many.count() == 1
    assert many.first() == tuple(range(100_000))
    chain = ExactCover([[i, i + 1] for i in range(10_000)])
    assert chain.count() == 0  # 10,001 items, two at a time
    ring = ExactCover([[i, (i + 1) % 10_000] for i in range(10_000)])
    assert ring.count() == 2
    assert len(list(ring.solutions(method="sparse"))) == 2


def test_no_numba_for_small_problems() -> None:
    code = (
        "import sys; from gridkit import ExactCover, Tiling, Board, pieces\n"
        "assert ExactCover([[0], [1], [0, 1]]).count() == 2\n"
        "assert Tiling(Board.rectangle(5, 4), pieces.tetrominoes()).count() == 0\n"
        "assert Tiling(Board.rectangle(3, 6), [pieces.trominoes()['L']], None).count() == 8\n"
        "assert 'numba' not in sys.modules and 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@given(matrices())
def test_arrays_hold_the_solutions(matrix_: object) -> None:
    from gridkit.cover.matrix import Matrix
    from gridkit.cover.search.listing import solutions_array

    assert isinstance(matrix_, Matrix)
    expected = covers(matrix_)
    for method in ("plain", "sparse"):
        rows = solutions_array(matrix_, None, Run(), method=method)
        assert rows.dtype == np.int32
        assert rows.shape == (len(expected), max(map(len, expected), default=0))
        assert {tuple(o for o in row if o >= 0) for row in rows.tolist()} == expected
        assert all(row == sorted(row, key=lambda o: (o < 0, o)) for row in rows.tolist())
        assert len(solutions_array(matrix_, 2, Run(), method=method)) == min(2, len(expected))


def test_solutions_come_in_one_order() -> None:
    options = [[i, j] for i in range(8) for j in range(i + 1, 8)]
    lists = [
        list(ExactCover(options).solutions(method=method))
        for method in ("auto", "plain", "bitset", "sparse")
    ]
    assert len(lists[0]) == 105  # perfect matchings of 8 people
    assert all(other == lists[0] for other in lists)
    rows = ExactCover(options).solutions_array(method="bitset")
    assert [tuple(row) for row in rows.tolist()] == lists[0]


def test_a_resumed_list_repeats_and_skips_nothing() -> None:
    options = [[i, j] for i in range(8) for j in range(i + 1, 8)]
    cover = ExactCover(options)
    expected = list(cover.solutions())
    for method in ("auto", "plain", "bitset", "sparse"):
        found, token, calls = [], None, 0
        while True:
            calls += 1
            try:
                iterator = cover.solutions(method=method, limit=Limit(nodes=7), resume=token)
                while (solution := next(iterator, None)) is not None:
                    found.append(solution)
                break
            except LimitReached as reached:
                token = pickle.loads(pickle.dumps(reached.token))
        assert found == expected
        assert calls > 10


def test_limits_carry_a_lower_bound() -> None:
    options = [[i, j] for i in range(12) for j in range(i + 1, 12)]
    cover = ExactCover(options)
    with pytest.raises(LimitReached) as reached:
        cover.count(method="plain", limit=Limit(nodes=200))
    partial = reached.value.partial
    assert isinstance(partial.value, int)
    assert 0 < partial.value < 10395
    assert cover.count(method="plain", resume=reached.value.token) == 10395
    with pytest.raises(LimitReached, match="memory"):
        cover.count(method="plain", limit=Limit(memory=10))
    seen: list[Progress] = []
    assert cover.count(progress=seen.append) == 10395
    assert seen[-1].fraction == 1
    assert seen[-1].found == 10395


def test_counting_in_parts(tmp_path: Path) -> None:
    options = [[i, j] for i in range(10) for j in range(i + 1, 10)]
    cover = ExactCover(options)
    with ThreadPoolExecutor(2) as pool:
        assert cover.count(executor=pool, parts=10) == 945
    assert cover.count(parts=7) == 945
    path = tmp_path / "count.db"
    assert cover.count(parts=7, checkpoint=path) == 945
    assert cover.count(parts=7, checkpoint=path) == 945
    # Two independent halves multiply.
    halves = ExactCover(options + [[-i, -j] for i in range(1, 7) for j in range(i + 1, 7)])
    assert halves.count() == halves.count(parts=4) == 945 * 15


@given(st.data())
def test_cheapest_covers(data: st.DataObject) -> None:
    items = data.draw(st.integers(1, 5))
    sets = st.sets(st.integers(0, items - 1), min_size=1, max_size=3)
    options = data.draw(st.lists(sets, max_size=8))
    numbers = st.integers(-5, 9) | st.floats(-2, 2, allow_nan=False)
    costs = data.draw(st.lists(numbers, min_size=len(options), max_size=len(options)))
    bounds = data.draw(st.sampled_from([None, {0: (0, 2)}, {0: None}]))
    cover = ExactCover(options, range(items), costs=costs, multiplicity=bounds)
    every = sorted(sum(costs[option] for option in s) for s in cover.solutions())
    for k in (1, 3):
        best = cover.minimum(k)
        assert [each.cost for each in best] == pytest.approx(every[:k])
        for each in best:
            assert each.cost == sum(costs[option] for option in each.options)


@given(st.data())
def test_cheapest_covers_compiled(data: st.DataObject) -> None:
    """The kernel walks the same tree as its twin on Python ints, also from any token."""
    items, hidden = data.draw(st.integers(1, 5)), data.draw(st.integers(0, 2))
    sets = st.sets(st.integers(0, items - 1), min_size=1, max_size=3)
    secondary = st.sets(st.integers(items, items + hidden - 1), max_size=2)
    options: list[list[Hashable]] = []
    for shown in data.draw(st.lists(sets, max_size=12)):
        also = data.draw(secondary) if hidden else set()
        color = data.draw(st.integers(0, 2))
        options.append([*shown, *(Colored(item, color) for item in also)])
    numbers = st.integers(-5, 9) | st.floats(-2, 2, allow_nan=False, allow_subnormal=False)
    costs = data.draw(st.lists(numbers, min_size=len(options), max_size=len(options)))
    cover = ExactCover(options, range(items), range(items, items + hidden), costs=costs)
    k = data.draw(st.integers(1, 3))
    found = []
    tiers: tuple[Tier, ...] = ("plain", "compiled")
    for tier in tiers:
        work = CheapestSearch(cover.matrix, costs, k, tier=tier)
        while not work.advance(1 << 30):
            pass
        found.append((work.value(), work.nodes, work.found))
        step = data.draw(st.integers(1, 5))
        again = CheapestSearch(cover.matrix, costs, k, tier=tier)
        while not again.advance(step):
            assert 0 <= again.fraction() <= 1
            assert again.memory() > 0
            again = CheapestSearch(cover.matrix, costs, k, again.token(), tier=tier)
        assert (again.value(), again.nodes, again.found) == found[-1]
    assert found[0] == found[1]
    every = sorted(sum(costs[option] for option in s) for s in cover.solutions())
    assert [each.cost for each in found[0][0]] == pytest.approx(every[:k])


def test_cheapest_assignment_like_scipy() -> None:
    optimize = pytest.importorskip("scipy.optimize")
    n = 6 if JIT_DISABLED else 9
    prices = np.random.default_rng(5).integers(0, 1000, (n, n))
    options = [[("r", r), ("c", c)] for r in range(n) for c in range(n)]
    cover = ExactCover(options, costs=prices.ravel().tolist())
    best = int(prices[optimize.linear_sum_assignment(prices)].sum())
    assert cover.minimum()[0].cost == best
    # Costs that do not fit into 64 bits, or only as fractions, are as exact.
    large = ExactCover(options, costs=[(int(p) << 70) + 1 for p in prices.ravel()])
    assert large.minimum()[0].cost == (best << 70) + n
    small = ExactCover(options, costs=[float(p) * 2.0**-1000 for p in prices.ravel()])
    assert small.minimum()[0].cost == best * 2.0**-1000


def test_cheapest_goes_on_from_a_token() -> None:
    chance = random.Random(3)
    options = [[("r", r), ("c", c)] for r in range(6) for c in range(6)]
    cover = ExactCover(options, costs=[chance.randrange(100) for _ in options])
    token: object = None
    nodes = 0
    while True:
        try:
            best = cover.minimum(2, limit=Limit(nodes=7), resume=token)
            break
        except LimitReached as reached:
            token = pickle.loads(pickle.dumps(reached.token))
            nodes += 7
    assert nodes > 0
    assert best == cover.minimum(2)
    with pytest.raises(InputError, match="another problem"):
        cover.minimum(3, resume=token)
    with pytest.raises(InputError, match="resume must be the token"):
        cover.minimum(2, resume="here")


def test_cheapest_assignment() -> None:
    rows = [[7, 2, 1, 9], [3, 8, 6, 5], [4, 4, 3, 2], [1, 7, 5, 3]]
    options = [[("r", r), ("c", c)] for r in range(4) for c in range(4)]
    costs = [cost for row in rows for cost in row]
    best = ExactCover(options, costs=costs).minimum(3)
    every = sorted(sum(costs[o] for o in chosen) for chosen in ExactCover(options).solutions())
    assert [each.cost for each in best] == every[:3]
    with pytest.raises(LimitReached) as reached:
        ExactCover(options, costs=costs).minimum(limit=Limit(nodes=6))
    assert isinstance(reached.value.partial.value, tuple)


def test_unique() -> None:
    assert not ExactCover([[0], [0]]).is_unique()
    assert not ExactCover([], primary=[0]).is_unique()
    assert ExactCover([]).is_unique()


def test_one_component_without_a_solution_settles_it() -> None:
    """Its search is not repeated for each way to cover the others."""
    pairs: list[list[Hashable]] = [[i] for i in range(40) for _ in "ab"]
    odd: list[list[Hashable]] = [[("p", i), ("p", j)] for i in range(7) for j in range(i + 1, 7)]
    even: list[list[Hashable]] = [[("p", i), ("p", j)] for i in range(6) for j in range(i + 1, 6)]
    assert ExactCover(pairs + odd).first() is None
    assert not ExactCover(pairs + odd).is_unique()
    assert ExactCover(pairs + odd).count() == 0
    assert ExactCover(odd + pairs).first() is None
    solution = ExactCover(pairs + even).first()
    assert solution is not None
    assert len(solution) == 43
    token: object = None
    cuts = 0
    while True:
        try:
            assert ExactCover(odd + pairs).first(limit=Limit(nodes=3_000), resume=token) is None
            break
        except LimitReached as reached:
            token, cuts = pickle.loads(pickle.dumps(reached.token)), cuts + 1
    assert cuts > 5


def test_hardness_estimates() -> None:
    # A tree in which every descent meets the same degrees is estimated exactly.
    even = ExactCover([[0], [0], [0], [1], [1], [1]])
    estimate = even.hardness(5)
    assert (estimate.nodes, estimate.error, estimate.solutions) == (13, 0, 9)
    assert even.hardness(1).error == float("inf")
    options = [[i, j] for i in range(10) for j in range(i + 1, 10)]
    assert ExactCover(options).hardness(3).solutions == 945
    lopsided = ExactCover([[0], [0, 1], [1], [1, 2], [2], [2, 3], [3], [0, 3]])
    assert lopsided.hardness(9, rng=np.random.default_rng(3)).probes == 9
    assert lopsided.hardness(9, rng=None).probes == 9
    with pytest.raises(InputError, match="rng must be an int >= 0"):
        lopsided.hardness(9, rng=-1)
    estimate = lopsided.hardness(4000, rng=1)
    assert estimate.solutions == pytest.approx(lopsided.count(), abs=0.5)


@given(matrices(plain=True))
def test_orbits_under_the_symmetries_of_a_problem(matrix_: object) -> None:
    from gridkit.cover.matrix import Matrix
    from gridkit.cover.symmetry import item_permutations

    assert isinstance(matrix_, Matrix)
    # Two copies of a problem side by side: exchanging them is a symmetry.
    if matrix_.colors is not None or matrix_.primary < 1:
        return
    n = matrix_.primary
    options = [[("l", i) for i in option] for option in matrix_.options]
    options += [[("r", i) for i in option] for option in matrix_.options]
    swap = {(a, i): (b, i) for a, b in ("lr", "rl") for i in range(n)}
    primary = [(side, i) for side in "lr" for i in range(n)]
    cover = ExactCover(options, primary, symmetries=[swap])
    single = len(covers(matrix_))
    assert cover.count() == single**2
    assert cover.count(up_to_symmetry=True) == (single**2 + single) // 2
    number: dict[Hashable, int] = {item: place for place, item in enumerate(primary)}
    group = item_permutations([swap], number, cover.matrix)
    assert len(group) <= 2
    if len(options) <= 12:
        assert orbits(covers(cover.matrix), group) == cover.count(up_to_symmetry=True)


def test_queens_up_to_symmetry() -> None:
    n, solutions, classes = 6, 4, 1
    options = [[("r", r), ("c", c), ("d", r + c), ("e", r - c)] for r in range(n) for c in range(n)]
    lines = [("r", r) for r in range(n)] + [("c", c) for c in range(n)]
    slopes = [("d", s) for s in range(2 * n - 1)] + [("e", s) for s in range(1 - n, n)]
    mirror = {("c", c): ("c", n - 1 - c) for c in range(n)}
    mirror |= {("d", s): ("e", s - n + 1) for s in range(2 * n - 1)}
    mirror |= {("e", s): ("d", s + n - 1) for s in range(1 - n, n)}
    turn = {("r", r): ("c", r) for r in range(n)} | {("c", c): ("r", c) for c in range(n)}
    turn |= {("e", s): ("e", -s) for s in range(1 - n, n)}
    cover = ExactCover(options, lines, slopes, symmetries=[mirror, turn])
    assert cover.count() == solutions
    assert cover.count(up_to_symmetry=True) == classes


def test_symmetries_that_are_none() -> None:
    options = [["a", "b"], ["c"]]
    for mapping, message in (
        ({"a": "b"}, "no permutation"),
        ({"a": "z"}, "no item"),
        ({"a": "c", "c": "a"}, "does not map"),
        (3, "expected mappings"),
    ):
        with pytest.raises(InputError, match=message):
            ExactCover(options, symmetries=[mapping])  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(UnsupportedError, match="no symmetries"):
        ExactCover(options).count(up_to_symmetry=True)
    swap = ExactCover(options, symmetries=[{"a": "b", "b": "a"}])
    assert swap.count(up_to_symmetry=True) == 1
    with pytest.raises(UnsupportedError, match="parts"):
        swap.count(up_to_symmetry=True, parts=2)
    with pytest.raises(InputError, match="does not map"):
        ExactCover([["a"], ["b"]], multiplicity={"a": 2}, symmetries=[{"a": "b", "b": "a"}])


def test_a_problem_is_a_value() -> None:
    cover = ExactCover(
        [["p", Colored("x", 1)], ["q"]], "pq", "x", multiplicity={"q": (0, 1)}, costs=[1, 2.5]
    )
    scope = {"ExactCover": ExactCover, "Colored": Colored}
    assert eval(repr(cover), scope) == cover
    assert pickle.loads(pickle.dumps(cover)) == cover
    assert copy.deepcopy(cover) == cover
    assert len({cover, eval(repr(cover), scope)}) == 1
    assert cover != ExactCover([["p"]])
    assert cover != 3
    assert len(cover) == 2
    assert bool(ExactCover([]))
    with pytest.raises(AttributeError, match="immutable"):
        cover.costs = None
    with pytest.raises(TypeError):
        cover.multiplicity["q"] = (1, 1)  # type: ignore[index]  # wrong on purpose


def test_problems_with_other_symmetries_differ() -> None:
    options = [["a"], ["a"], ["b"], ["b"]]
    swap = {"a": "b", "b": "a"}
    without, none = ExactCover(options), ExactCover(options, symmetries=[])
    swapped = ExactCover(options, symmetries=[swap])
    assert (none.count(up_to_symmetry=True), swapped.count(up_to_symmetry=True)) == (4, 3)
    assert len({without, none, swapped}) == 3
    assert without.symmetries is None
    assert swapped.symmetries == (swap,)
    for cover in (without, none, swapped):
        for again in (
            eval(repr(cover), {"ExactCover": ExactCover}),
            pickle.loads(pickle.dumps(cover)),
        ):
            assert again == cover
            assert hash(again) == hash(cover)
            assert again.symmetries == cover.symmetries
    assert swapped == ExactCover(options, symmetries=[swap, swap, {}])  # the same group
    with pytest.raises(TypeError):
        swapped.symmetries[0]["a"] = "a"


def test_sets_are_numbered_alike_in_every_process() -> None:
    options = [{"pear", "fig", "plum"}, {"fig"}, {"pear", "plum"}]
    cover = ExactCover(options)
    assert cover.primary == ("fig", "pear", "plum")
    assert ExactCover([{1, "a"}], secondary={"a"}).primary == (1,)


def test_numpy_numbers_are_taken_as_numbers() -> None:
    options = [[0], [0], [0]]
    twice: Any = np.int8(2)
    cover = ExactCover(options, multiplicity={0: twice}, costs=np.array([3, 1, 2]))  # type: ignore[arg-type]  # read as numbers
    assert cover == ExactCover(options, multiplicity={0: 2}, costs=[3, 1, 2])
    assert [type(cost) for cost in cover.costs or ()] == [int] * 3
    halves = ExactCover(options, costs=np.array([0.5, 1, 2], np.float32))  # type: ignore[arg-type]  # read as numbers
    assert halves == ExactCover(options, costs=[0.5, 1.0, 2.0])
    once: Any = np.int64(1)
    assert cover.minimum(once)[0].cost == 3


@pytest.mark.skipif(JIT_DISABLED, reason="a hard search")
def test_sudoku_of_25() -> None:
    n, k = 25, 5
    options = [
        [("cell", r, c), ("row", r, d), ("col", c, d), ("box", r // k, c // k, d)]
        for r in range(n)
        for c in range(n)
        for d in range(n)
    ]
    cover = ExactCover(options)
    solution = cover.first()
    assert solution is not None
    assert len(solution) == n * n
    covered = [item for option in solution for item in options[option]]
    assert len(set(covered)) == len(covered) == 4 * n * n


def test_random_problems_against_each_other() -> None:
    chance = random.Random(3)
    rounds = 3 if JIT_DISABLED else 25
    for _ in range(rounds):
        items = chance.randint(8, 14)
        options = [
            chance.sample(range(items), chance.randint(1, 4)) for _ in range(chance.randint(20, 70))
        ]
        cover = ExactCover(options, range(items))
        counts = {cover.count(method=method) for method in ("auto", "plain", "bitset", "sparse")}
        assert len(counts) == 1


@given(
    st.lists(st.lists(st.integers(0, 5), min_size=1, max_size=4, unique=True), max_size=8),
    st.booleans(),
)
def test_options_read_in_bulk_are_those_read_one_by_one(
    options: list[list[int]], colored: bool
) -> None:
    listed: list[list[Hashable]] = [list(option) for option in options]
    if colored:
        listed.append([0, Colored("x", 1)])
    one_by_one = ExactCover(map(iter, listed), range(6), ["x"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "_MANY_OPTIONS", 0)
        in_bulk = ExactCover(listed, range(6), ["x"])
        restored = pickle.loads(pickle.dumps(in_bulk))
        assert in_bulk == one_by_one == restored
        assert in_bulk.matrix == one_by_one.matrix == restored.matrix


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ([], "option 1 is empty"),
        ([0, 9], "option 1 holds item 9"),
        ([0, 1, 0], "option 1 repeats item 0"),
        ([0, []], r"option 1: item \[\] is not hashable"),
        ([Colored(0, 1)], "option 1 colours the primary item 0"),
    ],
)
def test_faults_among_many_options_are_found_at_once(
    option: list[Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "_MANY_OPTIONS", 0)
    with pytest.raises(InputError, match=message):
        ExactCover([[0], option, [1]], [0, 1])


def test_the_collector_of_cycles_is_left_as_it_was() -> None:
    ExactCover([[0]])
    assert gc.isenabled()
    gc.disable()
    try:
        ExactCover([[0]])
        assert not gc.isenabled()
    finally:
        gc.enable()
