"""Rows of given options: every number is that of the twin, whoever counts, whatever stops it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from typing import cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gridkit as gk
from gridkit import ExactCover, InputError, Limit, LimitReached
from gridkit.cover.family.rows import answer_rows
from gridkit.run import Run
from gridkit.run.jit import JIT_DISABLED
from strategies import matrices
from twins.cover import covers

# Published minimal sudokus with 17 clues (G. Royle's collection), and a grid of three bands.
HARD = [
    "000000010400000000020000000000050407008000300001090000300400200050100000000806000",
    "000000012000035000000600070700000300000400800100000000000120000080000040050000600",
    "000000012003600000000007000410020000000500300700000600280000040000300500000000000",
]
GRID = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def sudoku() -> ExactCover:
    """The options are cell by cell, digit by digit."""
    options = []
    for cell in range(81):
        row, col = divmod(cell, 9)
        for digit in range(9):
            box = row // 3 * 3 + col // 3
            options.append([("cell", cell), ("row", row, digit), ("col", col, digit),
                            ("box", box, digit)])  # fmt: skip
    return ExactCover(options)


def clues(text: str) -> list[int]:
    return [9 * cell + int(digit) - 1 if digit != "0" else -1 for cell, digit in enumerate(text)]


@given(st.data(), st.booleans(), st.booleans())
def test_every_problem_as_the_twin(data: st.DataObject, plain: bool, coloured: bool) -> None:
    """With colours, multiplicities and secondary items too."""
    matrix = data.draw(matrices(plain=plain))
    if not coloured:
        matrix = replace(matrix, colors=None)
    options = len(matrix.options)
    numbers = st.lists(st.integers(-1, options - 1), min_size=2, max_size=2)
    rows = np.array(data.draw(st.lists(numbers, min_size=1, max_size=5)), dtype=np.int32)
    every = covers(matrix)
    right = [[own for own in every if {*row} - {-1} <= {*own}] for row in rows.tolist()]
    for most in (None, 1, 2):
        counted, _ = answer_rows(matrix, rows, most, False, Run(), "a call")
        sizes = [len(own) for own in right]
        assert counted.tolist() == [size if most is None else min(most, size) for size in sizes]
    _, firsts = answer_rows(matrix, rows, 1, True, Run(), "a call")
    for found, own in zip(firsts.tolist(), right, strict=True):
        one = tuple(sorted(option for option in found if option >= 0))
        assert one in own if own else one == ()


def test_sudokus() -> None:
    cover = sudoku()
    rows = [clues(text) for text in (*HARD, GRID, GRID[:30] + "0" * 51)]
    assert cover.unique_many(rows).tolist() == [True, True, True, True, False]
    solved = cover.first_many(rows)
    assert solved.shape == (5, 81)
    assert solved[3].tolist() == sorted(clues(GRID))
    for text, row in zip(HARD, solved.tolist(), strict=False):
        forced = [option for option in clues(text) if option >= 0]
        assert set(forced) <= set(row)
        assert sorted(option // 9 for option in row) == list(range(81))
    flags = np.zeros((1, 729), dtype=bool)
    flags[0, [option for option in rows[0] if option >= 0]] = True
    assert (cover.first_many(flags) == solved[:1]).all()
    clash = list(rows[3])
    clash[0] = 9 * 0 + (clash[0] + 1) % 9
    assert cover.count_many([clash]).tolist() == [0]


def test_a_calendar_in_one_call() -> None:
    """Any month and day of a small calendar stay open: given as options of their own."""
    board = gk.Board.rectangle(3, 4)
    cells = {cell: number for number, cell in enumerate(board.cells)}
    options: list[list[object]] = [["open", cell] for cell in range(12)]
    for name, piece in {"L": "#.\n##", "I": "####", "V": "#..\n###"}.items():
        for placed in gk.Polyomino.parse(piece).placements(board, reflect=True):
            options.append([name, *(cells[cell] for cell in placed)])
    cover = ExactCover(options)
    counts = cover.count_many([[cell] for cell in range(12)])
    for cell, count in enumerate(counts.tolist()):
        rest = board.without([board.cells[cell]])
        pieces = [gk.Polyomino.parse(text) for text in ("#.\n##", "####", "#..\n###")]
        assert count == gk.Tiling(rest, pieces, reflect=True).count()
    assert counts.sum() == cover.count()


@pytest.mark.parametrize("workers", ["threads", "processes", "parts"])
def test_workers_change_nothing(workers: str) -> None:
    if workers == "processes" and JIT_DISABLED:
        pytest.skip("takes long")
    cover = sudoku()
    rows = [clues(text) for text in HARD * 2]
    whole = cover.first_many(rows)
    if workers == "parts":
        assert (cover.first_many(rows, parts=4) == whole).all()
        return
    kind: type[Executor] = ThreadPoolExecutor if workers == "threads" else ProcessPoolExecutor
    with kind(2) as pool:  # type: ignore[call-arg]  # each takes the number of workers
        assert (cover.first_many(rows, executor=pool, parts=3) == whole).all()


@pytest.mark.parametrize("coloured", [False, True])
def test_limits_and_tokens(coloured: bool) -> None:
    """Coloured problems are answered one by one."""
    colour = " x:A" if coloured else ""
    text = " ".join(f"r{n} c{n}" for n in range(6)) + (" | x" if coloured else "")
    options = [f"r{row} c{col}{colour}" for row in range(6) for col in range(6)]
    cover = ExactCover.parse("\n".join([text, *options]))
    rows = [[0, 7, 14], [1, 6, -1], [0, 1, -1], [-1, -1, -1]]
    whole = [6, 24, 0, 720]
    token, sizes = None, []
    for nodes in (5, 20, 100, 100):
        with pytest.raises(LimitReached) as caught:
            cover.count_many(rows, limit=Limit(nodes=nodes), resume=token)
        token = caught.value.token
        seen, _ = cast("tuple[list[int], object]", caught.value.partial.value)
        assert all(number <= right for number, right in zip(seen, whole, strict=True))
        sizes.append(sum(seen))
    assert sizes == sorted(sizes)
    assert cover.count_many(rows, resume=token).tolist() == whole
    assert cover.count_many(rows, resume=token).tolist() == whole
    with pytest.raises(InputError, match="resume"):
        cover.count_many(rows[:1], resume=token)


def test_nothing_to_answer() -> None:
    cover = ExactCover([[0], [1], [0, 1]])
    assert cover.count_many(np.zeros((0, 3), dtype=int)).tolist() == []
    assert cover.count_many(np.zeros((2, 0), dtype=int)).tolist() == [2, 2]
    assert cover.first_many(np.zeros((0, 3), dtype=int)).shape == (0, 0)
    impossible = ExactCover([[0]], [0, 1])
    assert impossible.count_many([[0], [-1]]).tolist() == [0, 0]
    assert ExactCover([], []).count_many([[-1]]).tolist() == [1]


REFUSED: list[tuple[object, str]] = [
    ([0, 1], "expected shape"),
    ([[3]], "row 0: expected options from 0 to 2, or -1 for none, got 3"),
    ([[0], [-2]], "row 1: expected options"),
    ([[0.5]], "got dtype float64"),
    ([["a"]], "expected integers or bools"),
    ([[True, False]], "expected 3 flags a row, got 2"),
    ([[0], [1, 2]], "of one length"),
    ([[1 << 70]], "expected"),
]


@pytest.mark.parametrize(("rows", "message"), REFUSED)
@pytest.mark.parametrize("call", ["count_many", "unique_many", "first_many"])
def test_what_is_refused(call: str, rows: object, message: str) -> None:
    cover = ExactCover([[0], [1], [0, 1]])
    ask: Callable[[object], object] = getattr(cover, call)
    with pytest.raises(InputError, match=message):
        ask(rows)


def test_at_most_is_checked() -> None:
    with pytest.raises(InputError, match="at_most"):
        ExactCover([[0]]).count_many([[0]], at_most=0)


@settings(max_examples=25)
@given(st.integers(1, 4), st.integers(0, 200))
def test_many_options_an_item(width: int, seed: int) -> None:
    """Items with more options than a word has bits."""
    chance = np.random.default_rng(seed)
    options = [[0, 1 + int(chance.integers(4))] for _ in range(70)] + [[n] for n in range(1, 5)]
    cover = ExactCover(options)
    rows = chance.integers(-1, 74, size=(3, width))
    # One of the pairs, and the other three items alone.
    every = [
        {pair, *(69 + item for item in range(1, 5) if item != options[pair][1])}
        for pair in range(70)
    ]
    right = [sum({*row.tolist()} - {-1} <= own for own in every) for row in rows]
    assert cover.count_many(rows).tolist() == right
