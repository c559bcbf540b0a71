"""Every engine of exact cover against the definition, whole and in pieces."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridkit.cover.matrix import Matrix
from gridkit.cover.search.bitset import BitsetSearch
from gridkit.cover.search.counting import count_matrix
from gridkit.cover.search.listing import Seek, solutions
from gridkit.cover.search.plain import PlainSearch
from gridkit.cover.search.reduce import components, reduce
from gridkit.cover.search.relay import Allowance, Relay
from gridkit.cover.search.sparse import SparseSearch
from gridkit.cover.search.tree import Counting, Task, count_task, split
from gridkit.errors import InputError, LimitReached, UnsupportedError
from gridkit.run import Limit, Run, use_tier
from gridkit.run.jit import JIT_DISABLED
from gridkit.run.limits import Tier
from strategies import matrices
from twins.cover import covers

Search = PlainSearch | BitsetSearch | SparseSearch
ENGINES: list[Callable[..., Search]] = [PlainSearch, BitsetSearch, SparseSearch]


def run(
    engine: Callable[..., Search], matrix: Matrix, step: int, prefix: Sequence[int] = ()
) -> tuple[list[tuple[int, ...]], int]:
    """List the solutions, starting afresh from the path after every `step` nodes."""
    search = engine(matrix, prefix, keep=True)
    found, nodes = [], 0
    while True:
        done = search.advance(step)
        found += search.take()
        assert 0 <= search.fraction() <= 1
        assert search.memory() > 0
        nodes += search.nodes
        if done:
            return found, nodes
        search = engine(matrix, prefix, search.path(), keep=True)


@given(matrices())
def test_every_engine_lists_what_the_definition_says(matrix: Matrix) -> None:
    expected = run(PlainSearch, matrix, 1 << 30)
    assert len(expected[0]) == len(set(expected[0]))
    assert set(expected[0]) == covers(matrix)
    for step in (1 << 30, 1, 3):
        assert run(PlainSearch, matrix, step) == expected
        assert run(SparseSearch, matrix, step) == expected


@given(matrices(plain=True))
def test_bitsets_walk_the_same_tree(matrix: Matrix) -> None:
    expected = run(PlainSearch, matrix, 1 << 30)
    assert set(expected[0]) == covers(matrix)
    for step in (1 << 30, 1, 3):
        assert run(BitsetSearch, matrix, step) == expected
        assert run(SparseSearch, matrix, step) == expected


@given(matrices(), st.integers(1, 12))
def test_parts_partition_the_solutions(matrix: Matrix, parts: int) -> None:
    task = Task(matrix)
    prefixes = split(task, parts, Run())
    assert split(task, parts, Run()) == prefixes
    found: list[tuple[int, ...]] = []
    for prefix in prefixes:
        below = run(PlainSearch, matrix, 1 << 30, prefix)[0]
        assert run(SparseSearch, matrix, 2, prefix)[0] == below
        if matrix.plain:
            assert run(BitsetSearch, matrix, 2, prefix)[0] == below
        assert count_task(task, Run(), prefix) == len(below)
        found += below
    assert len(found) == len(set(found))
    assert set(found) == covers(matrix)


@given(matrices(plain=True))
def test_reduction_and_components_keep_the_count(matrix: Matrix) -> None:
    expected = len(covers(matrix))
    prefix = reduce(matrix, Run())
    if prefix is None:
        assert expected == 0
        return
    assert len(run(PlainSearch, matrix, 1 << 30, prefix)[0]) == expected
    product = 1
    for part in components(matrix, prefix, Run()):
        product *= len(covers(part))
    assert product == expected


@given(matrices())
def test_counts(matrix: Matrix) -> None:
    expected = len(covers(matrix))
    assert count_matrix(matrix, Run()) == expected
    assert count_matrix(matrix, Run(), method="plain") == expected
    assert count_matrix(matrix, Run(), method="sparse") == expected
    if matrix.plain:
        assert count_matrix(matrix, Run(), method="bitset") == expected


@given(matrices(plain=True), st.integers(1, 2), st.sampled_from([0, 2, 1 << 40]))
def test_the_first_solutions_of_components_make_the_first(
    matrix: Matrix, most: int, patience: int
) -> None:
    expected = run(PlainSearch, matrix, 1 << 30)[0]
    seek = Seek(matrix, "plain", most, Run(), patience=patience)
    while not seek.advance(1):
        assert 0 <= seek.fraction() <= 1
        again = Seek(matrix, "plain", most, Run(), seek.token(), patience=patience)
        again.solutions = seek.solutions
        assert (again.nodes, again.found) == (seek.nodes, seek.found)
        seek = again
    assert seek.found == min(most, len(expected))
    assert seek.solutions[:1] == expected[:1]
    finished = Seek(matrix, "plain", most, Run(), seek.token(), patience=patience)
    assert finished.advance(1)
    assert finished.found == seek.found


def langford(n: int) -> Matrix:
    """Pairs of 1 to n, the pair of k with k places between: item k - 1, then the places."""
    options = [
        (k - 1, n + at, n + at + k + 1) for k in range(1, n + 1) for at in range(2 * n - k - 1)
    ]
    return Matrix(tuple(options), 3 * n, (1,) * (3 * n), (1,) * (3 * n))


@pytest.mark.parametrize("method", ["plain", "bitset", "sparse", "auto"])
def test_langford_pairs(method: str) -> None:
    # Twice A014552, which takes a row and its reverse for one.
    n, expected = (4, 2) if JIT_DISABLED else (8, 300)
    assert count_matrix(langford(n), Run(), method=method) == expected


@pytest.mark.skipif(JIT_DISABLED, reason="216288 solutions take the compiled engine")
def test_langford_12() -> None:
    assert count_matrix(langford(12), Run(), method="bitset") == 216288


def chopped(matrix: Matrix, method: str, nodes: int) -> int:
    """Count in calls of `nodes` nodes each, through pickled tokens."""
    token: object = None
    for _ in range(10_000):
        try:
            return count_matrix(matrix, Run(limit=Limit(nodes=nodes), resume=token), method=method)
        except LimitReached as reached:
            token = pickle.loads(pickle.dumps(reached.token))
    raise AssertionError("no end")


@pytest.mark.parametrize("method", ["auto", "plain", "bitset", "sparse"])
def test_tokens_continue_exactly(method: str) -> None:
    n, nodes, expected = (4, 3, 2) if JIT_DISABLED else (7, 97, 52)
    assert chopped(langford(n), method, nodes) == expected


def test_tokens_of_others_are_refused() -> None:
    with pytest.raises(LimitReached) as reached:
        count_matrix(langford(8), Run(limit=Limit(nodes=50)))
    assert reached.value.partial is not None
    with pytest.raises(InputError, match="of another problem"):
        count_matrix(langford(7), Run(resume=reached.value.token))
    with pytest.raises(InputError, match="token"):
        count_matrix(langford(8), Run(resume="x"))
    for engine in ENGINES:
        for path in ((10_000,), (3, 3), tuple(range(40))):
            with pytest.raises(InputError):
                engine(langford(4), (), path)
        with pytest.raises(InputError, match="cannot be part"):
            engine(langford(4), (0, 0))


def test_progress_is_monotone_and_ends_at_1() -> None:
    seen: list[float] = []
    work = Counting(Task(langford(7), "plain"))
    while not work.advance(20):
        seen.append(work.fraction())
    assert seen == sorted(seen)
    assert work.value() == 52
    assert work.advance(20)


def test_engines_refuse_what_they_cannot_do() -> None:
    counted = Matrix(((0,), (0,)), 1, (1,), (2,))
    with pytest.raises(UnsupportedError, match="bitset"):
        BitsetSearch(counted)
    doubled = Matrix(((0,),), 1, (2,), (2,), None, ((2,),))
    with pytest.raises(UnsupportedError, match="sparse"):
        SparseSearch(doubled)
    assert run(PlainSearch, doubled, 1)[0] == [(0,)]


def test_the_compiled_engine_takes_over_in_the_middle() -> None:
    expected = run(PlainSearch, langford(7), 1 << 30)[0]
    for nodes in (1, 10, 100):
        search = Relay(langford(7), keep=True, allowance=Allowance(nodes))
        while not search.advance(1 << 20):
            pass
        assert search.take() == expected
        assert search.found == 52


@pytest.mark.parametrize("tier", ["auto", "plain", "compiled"])
def test_every_tier_gives_the_same(tier: Tier) -> None:
    matrix = langford(4 if JIT_DISABLED else 7)
    expected = run(PlainSearch, matrix, 1 << 30)[0]
    with use_tier(tier):
        assert list(solutions(matrix, Run())) == expected
        assert count_matrix(matrix, Run()) == len(expected)
        assert count_matrix(matrix, Run(parts=5)) == len(expected)
        with pytest.raises(LimitReached) as reached:
            count_matrix(matrix, Run(limit=Limit(nodes=9)))
    with use_tier("auto"):
        assert count_matrix(matrix, Run(resume=reached.value.token)) == len(expected)


def test_repacking_keeps_the_order() -> None:
    # Many nodes below few options each: layouts are made and dropped all the time.
    chance = random.Random(7)
    options = {tuple(sorted(chance.sample(range(18), chance.randint(2, 3)))) for _ in range(400)}
    matrix = Matrix(tuple(sorted(options)), 18, (1,) * 18, (1,) * 18)
    few = 3 if JIT_DISABLED else 3000
    lists = []
    for engine in ENGINES:
        search = engine(matrix, keep=True)
        found: list[tuple[int, ...]] = []
        while len(found) < few and not search.advance(1 << 20, few - len(found)):
            found += search.take()
        lists.append((found[:few] if found else search.take(), search.path()))
    assert lists[0] == lists[1] == lists[2]
    assert len(lists[0][0]) == few
