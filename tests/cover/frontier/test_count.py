"""The frontier engine against tables, its plain twin and plain backtracking."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings

from cover.frontier.test_plain import instances
from families import FAMILIES
from gridkit.cover.frontier import count as frontier
from gridkit.cover.frontier import states as tables
from gridkit.cover.frontier.memory import MemoryGuard
from gridkit.cover.frontier.order import plan_sweep
from gridkit.cover.frontier.plain import count_plain, states_after
from gridkit.cover.frontier.states import StateTable, SweepArrays, inner_product
from gridkit.cover.instance import Instance
from gridkit.errors import LimitReached
from gridkit.run import Limit, Progress, ProgressCallback, Run, use_tier
from gridkit.run.jit import JIT_DISABLED, ready
from twins import frontier as twin

LARGEST = 24 if JIT_DISABLED else 10_000  # cells


def table(name: str) -> dict[str, object]:
    content: dict[str, object] = json.loads((FAMILIES / "tables" / f"{name}.json").read_text())
    return content


def rectangles(name: str, *path: str) -> list[tuple[int, int, int]]:
    entries: object = table(name)
    for key in path:
        assert isinstance(entries, dict)
        entries = entries[key]
    assert isinstance(entries, dict)
    sizes = [(*map(int, size.split("x")), int(value)) for size, value in entries.items()]
    return [(rows, cols, value) for rows, cols, value in sizes if rows * cols <= LARGEST]


@pytest.fixture(autouse=True)
def _kernels_always() -> Iterator[None]:
    """Without this small boards would be answered by dictionaries."""
    with use_tier("compiled"):
        yield


def count(
    instance: Instance, limit: Limit | None = None, progress: ProgressCallback | None = None
) -> int:
    return frontier.count(instance, Run(limit=limit, progress=progress))


def count_by(instance: Instance) -> dict[tuple[int, ...], int]:
    return frontier.count_by(instance, Run())


def check_table(
    entries: list[tuple[int, int, int]], *pieces: list[twin.Point], reflect: bool
) -> None:
    if JIT_DISABLED and not entries:
        pytest.skip("too many states without the compiler")
    assert entries
    wrong = [
        (rows, cols, value, found)
        for rows, cols, value in entries
        if (
            found := count(
                twin.instance_of(twin.rectangle(rows, cols), list(pieces), reflect=reflect)
            )
        )
        != value
    ]
    assert not wrong


def test_dominoes() -> None:
    """A099390, A004003."""
    check_table(rectangles("domino_rect", "table"), twin.DOMINO, reflect=False)


@pytest.mark.skipif(JIT_DISABLED, reason="too many states")
@pytest.mark.parametrize("side", [14, 16, 18, 20])
def test_dominoes_on_squares(side: int) -> None:
    """A004003."""
    squares = table("domino_rect")["square_2n"]
    assert isinstance(squares, dict)
    board = twin.instance_of(twin.rectangle(side, side), [twin.DOMINO])
    assert count(board) == int(squares[str(side)])


def test_l_trominoes() -> None:
    """A351322, A046984, A084478, A351323, A351324."""
    check_table(rectangles("l_tromino_rect", "table"), twin.L_TROMINO, reflect=False)


def test_i_trominoes() -> None:
    check_table(rectangles("i_tromino_rect", "table"), twin.I_TROMINO, reflect=False)


def test_both_trominoes() -> None:
    pieces = twin.L_TROMINO, twin.I_TROMINO
    check_table(rectangles("both_trominoes_rect", "table"), *pieces, reflect=False)


def test_monomers_and_dimers() -> None:
    """A028420."""
    squares = table("monomer_dimer_square")["table"]
    assert isinstance(squares, dict)
    for side in map(int, squares):
        if side * side <= LARGEST:
            board = twin.rectangle(side, side)
            value = int(squares[str(side)])
            assert count(twin.instance_of(board, [twin.MONOMINO, twin.DOMINO])) == value
            assert count(twin.instance_of(board, [twin.DOMINO], optional=board)) == value


@pytest.mark.parametrize("letter", "IOTSL")
def test_single_tetrominoes(letter: str) -> None:
    entries = rectangles("tetromino_rect", "single", letter)
    check_table(entries, twin.TETROMINOES[letter], reflect=True)


def test_t_tetrominoes_on_large_boards() -> None:
    entries = rectangles("tetromino_rect", "T_4mx4n")
    check_table(entries, twin.TETROMINOES["T"], reflect=False)


def test_tetrominoes_mixed() -> None:
    entries = rectangles("tetromino_rect", "all_five_free_mixed")
    check_table(entries, *twin.TETROMINOES.values(), reflect=True)


@pytest.mark.parametrize("letter", "ILPY")
def test_single_pentominoes(letter: str) -> None:
    entries = rectangles("pentomino_unlimited_rect", "single", letter)
    check_table(entries, twin.PENTOMINOES[letter], reflect=True)


def test_pentominoes_mixed() -> None:
    entries = rectangles("pentomino_unlimited_rect", "all_twelve_mixed")
    check_table(
        [entry for entry in entries if entry[0] * entry[1] <= 40],
        *twin.PENTOMINOES.values(),
        reflect=True,
    )


@pytest.mark.slow
def test_pentominoes_mixed_on_sixty_cells() -> None:
    entries = rectangles("pentomino_unlimited_rect", "all_twelve_mixed")
    check_table(
        [entry for entry in entries if entry[0] * entry[1] > 40],
        *twin.PENTOMINOES.values(),
        reflect=True,
    )


def test_aztec_diamonds() -> None:
    """A006125 shifted: two to the power of n (n + 1) / 2."""
    for n in range(1, 3 if JIT_DISABLED else 9):
        cells = [
            (r, c)
            for r in range(2 * n)
            for c in range(2 * n)
            if abs(2 * r - 2 * n + 1) + abs(2 * c - 2 * n + 1) <= 2 * n
        ]
        assert count(twin.instance_of(cells, [twin.DOMINO])) == 1 << (n * (n + 1) // 2)


BOARDCOVER = json.loads((FAMILIES / "boardcover" / "index.json").read_text())["cases"]


@pytest.mark.parametrize("case", BOARDCOVER, ids=[case["file"][:-4] for case in BOARDCOVER])
def test_judged_boards(case: dict[str, str]) -> None:
    lines = (FAMILIES / "boardcover" / case["file"]).read_text().split("\n")
    cells = [
        (row, col)
        for row, line in enumerate(lines[1:])
        for col, mark in enumerate(line)
        if mark == "."
    ]
    if len(cells) > LARGEST:
        pytest.skip("too many states without the compiler")
    assert count(twin.instance_of(cells, [twin.L_TROMINO])) == int(case["answer"])


@given(instances())
@settings(max_examples=20 if JIT_DISABLED else 120)
def test_equals_plain_backtracking(instance: Instance) -> None:
    expected = twin.count(instance)
    assert count(instance) == expected
    tally = twin.count_by(instance)
    assert count_by(instance) == dict(sorted(tally.items()))


@given(instances())
@settings(max_examples=20 if JIT_DISABLED else 100)
def test_fronts_meet_anywhere(instance: Instance) -> None:
    free = Instance(
        instance.coordinates,
        instance.placements,
        tuple((0, None) for _ in instance.copies),
        instance.optional,
    )
    sweep = plan_sweep(free, Run())
    plan, guard = SweepArrays(sweep, Run()), MemoryGuard(Run())
    steps = len(sweep.steps)
    for cut in {0, 1, steps // 2, steps}:
        if cut > steps:
            continue
        front, back = StateTable(plan, 0, cut, guard), StateTable(plan, steps, cut, guard)
        while not front.advance(5):
            pass
        while not back.advance(5):
            pass
        assert inner_product(front, back) == count_plain(free, Run())


@pytest.mark.parametrize("narrow", [0, 12])
def test_every_step_equals_the_dictionary(narrow: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the hash table and in the array, state by state."""
    monkeypatch.setattr(tables, "_NARROW", narrow)
    monkeypatch.setattr(tables, "_DENSE", 0)
    board = twin.instance_of(twin.rectangle(6, 5, [(2, 2)]), [twin.L_TROMINO, twin.DOMINO])
    sweep = plan_sweep(board, Run())
    plan = SweepArrays(sweep, Run())
    for stop, states in enumerate(states_after(sweep)):
        front = StateTable(plan, 0, stop, MemoryGuard(Run()))
        while not front.advance(100):
            pass
        assert dict(front.numbers()) == states


def test_pieces_in_space() -> None:
    brick = [(0, 0, 0), (0, 0, 1)], [(0, 0, 0), (0, 1, 0)], [(0, 0, 0), (1, 0, 0)]
    cells = [(a, b, c) for a in range(2) for b in range(2) for c in range(3)]
    assert count(twin.instance_of(cells, brick)) == 32  # A006253: 2 x 2 x n
    assert sum(count_by(twin.instance_of(cells, brick)).values()) == 32


def test_numbers_beyond_a_word() -> None:
    """Strips of width 2: Fibonacci numbers."""
    length = 20 if JIT_DISABLED else 1000
    a, b = 1, 1
    for _ in range(length):
        a, b = b, a + b
    assert count(twin.instance_of(twin.rectangle(2, length), [twin.DOMINO])) == a


def test_from_table_to_array_with_long_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_NARROW", 0)
    monkeypatch.setattr(tables, "_FEW", 0)
    length = 12 if JIT_DISABLED else 90
    board = twin.instance_of(twin.rectangle(4, length), [twin.DOMINO])
    sweep = plan_sweep(board, Run())
    plan, guard, steps = SweepArrays(sweep, Run()), MemoryGuard(Run()), len(sweep.steps)
    expected = count_plain(board, Run())
    for change in (8, steps // 2, steps - 8):
        front, back = StateTable(plan, 0, steps, guard), StateTable(plan, steps, 0, guard)
        for direction, stop in ((front, change), (back, steps - change)):
            monkeypatch.setattr(tables, "_DENSE", 0)
            assert direction.advance(1 << 30, stop)
            assert direction.ways is None
            monkeypatch.setattr(tables, "_DENSE", 1 << 20)
            assert direction.advance(1 << 30)
            assert direction.ways is not None
            assert direction.ways_of_empty() == expected


@pytest.mark.skipif(JIT_DISABLED, reason="too many states")
@pytest.mark.parametrize("dense", [0, 28])
def test_words_are_added_in_both_forms(dense: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers of several words, in the array and in the hash table."""
    monkeypatch.setattr(tables, "_NARROW", 0)
    monkeypatch.setattr(tables, "_FEW", 0)
    monkeypatch.setattr(tables, "_DENSE", dense)
    board = twin.instance_of(twin.rectangle(6, 200), [twin.DOMINO])
    assert count(board) == count_plain(board, Run())


def test_regions_are_multiplied() -> None:
    cells = [*twin.rectangle(2, 3), *[(r + 5, c) for r, c in twin.rectangle(2, 3)]]
    assert count(twin.instance_of(cells, [twin.DOMINO])) == 9
    assert count(twin.instance_of(cells, [twin.DOMINO], (6, 6))) == 9
    assert count(twin.instance_of(cells, [twin.DOMINO], (0, 5))) == 0


@pytest.mark.skipif(JIT_DISABLED, reason="too many states")
def test_limited_copies() -> None:
    tetrominoes = list(twin.TETROMINOES.values())
    two_each = twin.instance_of(twin.rectangle(5, 8), tetrominoes, (2, 2), reflect=True)
    assert count(two_each) == 3106


@pytest.mark.slow
def test_pentominoes_in_the_classical_rectangle() -> None:
    pieces = list(twin.PENTOMINOES.values())
    board = twin.instance_of(twin.rectangle(6, 10), pieces, (1, 1), reflect=True)
    assert count(board) == 9356


def test_generating_function() -> None:
    pieces = [twin.MONOMINO, twin.DOMINO]
    assert count_by(twin.instance_of(twin.rectangle(2, 2), pieces)) == {
        (0, 2): 2,
        (2, 1): 4,
        (4, 0): 1,
    }
    board = twin.instance_of(twin.rectangle(4, 5), pieces)
    tally = count_by(board)
    assert sum(tally.values()) == count(board)
    assert tally[(0, 10)] == 95


def test_memory_is_bounded_beforehand() -> None:
    board = twin.instance_of(twin.rectangle(40, 40), [twin.L_TROMINO])
    with pytest.raises(LimitReached, match="memory limit reached"):
        count(board, limit=Limit(memory=1 << 20))


def test_other_limits_and_progress() -> None:
    board = twin.instance_of(twin.rectangle(14, 14), [twin.L_TROMINO])
    with pytest.raises(LimitReached, match="node limit"):
        count(board, limit=Limit(nodes=1000))
    with pytest.raises(LimitReached, match="time limit"):
        count(board, limit=Limit(seconds=0))
    reports: list[Progress] = []
    count(twin.instance_of(twin.rectangle(5, 6), [twin.DOMINO]), progress=reports.append)
    assert reports[-1].fraction == 1.0


def test_estimate_bounds_the_frontier() -> None:
    board = twin.instance_of(twin.rectangle(20, 20), [twin.L_TROMINO])
    guess = frontier.estimate(board, Run())
    assert guess.width == 21
    assert guess.states <= 1 << 21
    pieces = list(twin.PENTOMINOES.values())
    once = frontier.estimate(twin.instance_of(twin.rectangle(6, 10), pieces, (1, 1)), Run())
    free = frontier.estimate(twin.instance_of(twin.rectangle(6, 10), pieces), Run())
    assert once.states > free.states


def test_kernels_have_their_signatures() -> None:
    from gridkit.cover.frontier.kernels import dense as array
    from gridkit.cover.frontier.kernels import sparse as table

    if JIT_DISABLED:
        pytest.skip("nothing is compiled")
    for module, name in ((table, "advance_sparse"), (table, "dot"), (array, "advance_dense")):
        assert len(ready(getattr(module, name)).nopython_signatures) == 1
    with pytest.raises(TypeError):
        table.dot(np.zeros((1, 1)), np.zeros((1, 1)), np.zeros((1, 1, 2, 2, 2)))
