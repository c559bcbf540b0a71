from __future__ import annotations

import itertools
import json
import pickle
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import pytest

from families import table
from gridkit import InputError, Limit, LimitReached, Polyomino, Progress, polyomino
from gridkit.cli import main
from gridkit.polyomino import enumeration, transfer
from gridkit.polyomino.halves import half_sweeps
from gridkit.polyomino.polyomino import SymmetryClass
from gridkit.polyomino.symmetric import invariant_searches
from gridkit.run import Run, use_tier
from gridkit.run.jit import JIT_DISABLED, ready
from twins.polyomino import fixed_by_growth, symmetries_by_trial

T = TypeVar("T")
COUNTS = table("polyomino", "polyomino_counts")  # OEIS A000105, A000988, A001168
SYMMETRY = table("polyomino", "polyomino_symmetry")["rows"]
LARGEST = 8 if JIT_DISABLED else 16


@pytest.mark.parametrize("n", range(1, 8))
def test_iterators_give_each_polyomino_once(n: int) -> None:
    expected = fixed_by_growth(n)
    fixed = list(polyomino.fixed(n))
    assert len(fixed) == len(expected)
    assert set(fixed) == expected
    one_sided = list(polyomino.one_sided(n))
    assert len(one_sided) == len(set(one_sided))
    assert set(one_sided) == {piece.canonical() for piece in expected}
    free = list(polyomino.free(n))
    assert len(free) == len(set(free))
    assert set(free) == {piece.canonical(reflect=True) for piece in expected}


def test_iterators_are_lazy() -> None:
    for n in (24, 31, 32, 60):
        assert [len(piece) for piece in itertools.islice(polyomino.fixed(n), 2)] == [n, n]


@pytest.mark.parametrize("n", range(1, 7 if JIT_DISABLED else 10))
@pytest.mark.parametrize("listed", [polyomino.fixed, polyomino.one_sided, polyomino.free])
def test_the_kernel_lists_what_plain_python_does(
    listed: Callable[[int], Iterator[Polyomino]], n: int
) -> None:
    with use_tier("plain"):
        plain = list(listed(n))
    with use_tier("compiled"):
        assert list(listed(n)) == plain
    if listed is not polyomino.fixed:
        reflect = listed is polyomino.free
        assert all(piece == piece.canonical(reflect=reflect) for piece in plain)


@pytest.mark.skipif(JIT_DISABLED, reason="needs the kernels")
def test_long_listings_are_complete() -> None:
    free = list(polyomino.free(11))
    assert len(set(free)) == len(free) == COUNTS["free"][11]
    assert len(list(polyomino.one_sided(11))) == COUNTS["one_sided"][11]
    assert free[1234] == Polyomino(free[1234].cells)
    assert pickle.loads(pickle.dumps(free[1234])) == free[1234]


@pytest.mark.skipif(JIT_DISABLED, reason="needs the kernels")
def test_a_listing_looks_at_its_limits_between_two_pieces() -> None:
    checks = 0

    def check() -> None:
        nonlocal checks
        checks += 1

    pieces = enumeration.listed("free", 12, check)
    next(pieces)
    before = checks
    for _ in itertools.islice(pieces, 6000):
        pass
    assert checks - before >= 20


@pytest.mark.parametrize("n", range(LARGEST + 1))
def test_counts_equal_the_tables(n: int) -> None:
    assert polyomino.count_fixed(n) == COUNTS["fixed"][n]
    assert polyomino.count_one_sided(n) == COUNTS["one_sided"][n]
    assert polyomino.count_free(n) == COUNTS["free"][n]


@pytest.mark.parametrize("row", SYMMETRY[: LARGEST - 2], ids=lambda row: str(row["n"]))
def test_symmetry_classes_equal_the_tables(row: dict[str, object]) -> None:
    classes = row["by_symmetry_free"]
    assert isinstance(classes, dict)
    expected = {name.partition("(")[0]: number for name, number in classes.items()}
    n = row["n"]
    assert isinstance(n, int)
    counted = polyomino.count_symmetric(n)
    assert {name: number for name, number in counted.items() if number} == expected
    assert sum(counted.values()) == row["free"]


@pytest.mark.parametrize("n", range(1, 8))
def test_symmetry_classes_match_trial(n: int) -> None:
    assert polyomino.count_symmetric(n) == symmetries_by_trial(n)


@pytest.mark.parametrize("n", range(1, 9 if JIT_DISABLED else 14))
def test_engines_agree(n: int) -> None:
    expected = COUNTS["fixed"][n]
    assert polyomino.count_fixed(n, method="transfer") == expected
    assert polyomino.count_fixed(n, method="enumerate") == expected
    if n <= 9:
        assert polyomino.count_fixed(n, method="plain") == expected


def test_counts_modulo_primes_combine() -> None:
    size = 8 if JIT_DISABLED else 14
    plain, *rest = [transfer.Sweep(size, modulus) for modulus in (0, *transfer._PRIMES)]
    for sweep in (plain, *rest):
        while not sweep.advance(50):
            pass
    assert transfer.combined([plain]) == transfer.combined(rest) == COUNTS["fixed"][: size + 1]
    assert [transfer._combine(value % rest[0].modulus.item(), value % rest[1].modulus.item())
            for value in (0, 1, 10**36 + 7)] == [
                0, 1, 10**36 + 7]  # fmt: skip
    for sweep in rest:
        assert all(pow(base, int(sweep.modulus) - 1, int(sweep.modulus)) == 1 for base in (2, 3, 5))
        assert int(sweep.modulus) < 1 << 62


def test_kernels_stop_and_continue_anywhere() -> None:
    from gridkit.polyomino.subsets import FixedSearch

    search = FixedSearch(7)
    chunks = 0
    fractions = [0.0]
    while not search.advance(7):
        chunks += 1
        fractions.append(search.fraction())
    assert search.found == 760
    assert chunks > 10
    assert max(fractions) <= 1
    found = 0
    for part in invariant_searches("rot180", 8, Run()):
        while not part.advance(3):
            assert 0 <= part.fraction() <= 1
        found += part.found
    whole = 0
    for part in invariant_searches("rot180", 8, Run()):
        assert part.advance(1 << 40)
        whole += part.found
    assert found == whole > 0


@pytest.mark.parametrize("name", ["mirror_ortho", "mirror_diag", "rot180"])
@pytest.mark.parametrize("n", range(1, 8 if JIT_DISABLED else 15))
def test_halves_are_as_many_as_sets_of_orbits(name: SymmetryClass, n: int) -> None:
    found = 0
    for part in invariant_searches(name, n, Run()):
        part.advance(1 << 40)
        found += part.found
    halves = polyomino.count_fixed(n // 2) if name == "mirror_ortho" and n % 2 == 0 else 0
    for sweep in half_sweeps(name, n):
        while not sweep.advance(97):
            assert 0 <= sweep.fraction() <= 1
        halves += sweep.found
    assert halves == found


@pytest.mark.skipif(JIT_DISABLED, reason="needs the kernels")
def test_symmetric_polyominoes_are_counted_in_few_steps() -> None:
    sweeps = [sweep for name in ("mirror_ortho", "mirror_diag", "rot180")
              for sweep in half_sweeps(name, 18)]  # fmt: skip
    for sweep in sweeps:
        while not sweep.advance(1 << 20):
            pass
    assert sum(sweep.nodes for sweep in sweeps) < 150_000


def test_kernels_are_compiled_for_their_signatures_only() -> None:
    from gridkit.polyomino.kernels import subsets, transfer

    if not JIT_DISABLED:
        kernels: tuple[Any, ...] = (
            subsets.advance_subsets,
            subsets.advance_lifted,
            transfer.advance_cell,
        )
        for compiled in kernels:
            assert len(ready(compiled).nopython_signatures) == 1


def test_limits_and_progress() -> None:
    with pytest.raises(LimitReached) as reached:
        polyomino.count_free(12, limit=Limit(nodes=100))
    assert reached.value.partial.value == 0
    seen: list[Progress] = []
    assert polyomino.count_free(10, progress=seen.append) == COUNTS["free"][10]
    assert seen[-1].fraction == 1
    with pytest.raises(LimitReached, match="memory limit"):
        polyomino.count_fixed(12, method="transfer", limit=Limit(memory=1000))


def run_in_pieces(count: Callable[..., T], n: int, nodes: int, **options: object) -> T:
    """Cut a call short again and again, and continue each time from a pickled token."""
    token = None
    while True:
        try:
            return count(n, limit=Limit(nodes=nodes), resume=token, **options)
        except LimitReached as reached:
            token = pickle.loads(pickle.dumps(reached.token))
            assert token is not None


def test_counts_continue_from_their_tokens() -> None:
    n = 8 if JIT_DISABLED else 12
    nodes = 100 if JIT_DISABLED else 5000
    assert run_in_pieces(polyomino.count_free, n, nodes) == COUNTS["free"][n]
    assert run_in_pieces(polyomino.count_one_sided, n, nodes) == COUNTS["one_sided"][n]
    for method in ("transfer", "enumerate"):
        assert run_in_pieces(polyomino.count_fixed, n, nodes, method=method) == COUNTS["fixed"][n]
    assert run_in_pieces(polyomino.count_symmetric, n, nodes) == polyomino.count_symmetric(n)
    with pytest.raises(LimitReached) as reached:
        polyomino.count_free(n, limit=Limit(nodes=nodes))
    with pytest.raises(InputError, match="token belongs to count_free of another problem"):
        polyomino.count_free(n + 1, resume=reached.value.token)
    with pytest.raises(InputError, match="token belongs to count_free"):
        polyomino.count_fixed(5, resume=reached.value.token)


def test_counts_in_plain_python_keep_their_limits() -> None:
    with pytest.raises(LimitReached) as reached:
        polyomino.count_fixed(20, method="plain", limit=Limit(nodes=2000))
    assert reached.value.partial.value == 2048


@pytest.mark.parametrize("n", [-1, 41, 10**9, 2.0, True, "3", None, float("nan")])
def test_bad_sizes(n: object) -> None:
    for count in (polyomino.count_fixed, polyomino.count_free, polyomino.count_one_sided):
        with pytest.raises(InputError, match="number of cells"):
            count(n)  # type: ignore[arg-type]  # the wrong type is the point
    if n != 41:
        with pytest.raises(InputError, match="number of cells"):
            polyomino.fixed(n)  # type: ignore[arg-type]  # the wrong type is the point
    with pytest.raises(InputError, match="number of cells"):
        polyomino.count_symmetric(n)  # type: ignore[arg-type]  # the wrong type is the point


def test_bad_methods() -> None:
    with pytest.raises(InputError, match="method must be"):
        polyomino.count_fixed(5, method="guess")  # type: ignore[arg-type]  # the refusal is the point
    with pytest.raises(InputError, match="from 1 to 24"):
        polyomino.count_fixed(30, method="enumerate")


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["enumerate", "4"]) == 0
    assert len(capsys.readouterr().out.strip().split("\n\n")) == 5
    assert main(["enumerate", "5", "--kind", "one-sided", "--count"]) == 0
    assert capsys.readouterr().out == "18\n"
    assert main(["enumerate", "3", "--json", "--kind", "fixed"]) == 0
    assert [0, 0] in json.loads(capsys.readouterr().out.splitlines()[0])
    assert main(["enumerate", "4", "--symmetry"]) == 0
    assert "rot180       1" in capsys.readouterr().out
    assert main(["enumerate", "0"]) == 2
    assert "must be an int from 1 to 10000000, got 0" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.skipif(JIT_DISABLED, reason="needs the kernels")
def test_large_counts_equal_the_tables() -> None:
    assert polyomino.count_fixed(24) == COUNTS["fixed"][24]
    assert polyomino.count_free(24) == COUNTS["free"][24]
