"""Many boards at once: every answer is that of the single call, whoever solves it."""

from __future__ import annotations

import random
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import gridkit as gk
from gridkit import InputError, Limit, LimitReached, RowError
from gridkit.run.jit import JIT_DISABLED
from gridkit.sliding import (
    BlockBoards,
    SolvedBoards,
    TileBoards,
    generate_many,
    random_tiles,
    solve_many,
)
from twins.sliding import solve_lengths

RUSH = "BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM."


def random_blocks(number: int, seed: int) -> BlockBoards:
    """Boards of 3 x 4 with up to four blocks of one or two cells, and a wall here and there."""
    chance = random.Random(seed)
    boards = np.zeros((number, 3, 4), dtype=int)
    for board in boards:
        cells = [(row, col) for row in range(3) for col in range(4)]
        for label in range(1, chance.randint(2, 4)):
            row, col = chance.choice(cells)
            down, across = chance.choice([(0, 0), (1, 0), (0, 1)])
            if label > 1 and (board[row, col] or (row + down, col + across) not in cells):
                continue
            if label == 1 or not board[row + down, col + across]:
                board[row, col] = label
                if label > 1:
                    board[row + down, col + across] = label
        row, col = chance.choice(cells)
        if not board[row, col]:
            board[row, col] = -1
    return BlockBoards(boards, {1: (2, 3)})


def permuted_tiles(number: int, rows: int, cols: int, seed: int) -> TileBoards:
    chance = np.random.default_rng(seed)
    boards = [chance.permutation(rows * cols).reshape(rows, cols) for _ in range(number)]
    return TileBoards(boards)


def usable(boards: BlockBoards) -> BlockBoards:
    """Leave out boards whose goal is a wall, which are no puzzles."""
    return boards.taken(np.flatnonzero(boards.array[:, 2, 3] != -1))


def test_every_answer_is_that_of_the_twin_and_of_the_single_call() -> None:
    boards = usable(random_blocks(40, 1))
    solved = solve_many(boards, metric=("move", "slide", "step"), plans=True, counts=True)
    for row in range(len(boards)):
        puzzle = boards.puzzle(row)
        assert isinstance(puzzle, gk.SlidingPuzzle)
        for column, metric in enumerate(solved.metrics):
            right = solve_lengths(puzzle, (metric,))
            assert solved.lengths[row, column] == (-1 if right is None else right[0])
        space = puzzle.explore(metric="move", diameter=False)
        assert solved.counts is not None
        assert solved.counts[row] == space.solutions
        plan = solved.plan(row)
        assert (plan is None) == (solved.lengths[row, 0] < 0)
        if plan is not None:
            plan.verify()
            assert len(plan) == solved.lengths[row, 0]
            single = puzzle.solve(metric="move")
            assert plan == single


@pytest.mark.parametrize(("shape", "number"), [((2, 2), 9), ((2, 3), 9), ((3, 3), 2), ((1, 4), 9)])
def test_tiles(shape: tuple[int, int], number: int) -> None:
    boards = permuted_tiles(number, *shape, seed=4)
    solved = solve_many(boards, plans=True, counts=True)
    for row in range(len(boards)):
        puzzle = boards.puzzle(row)
        assert isinstance(puzzle, gk.NPuzzle)
        length = puzzle.distance()
        assert solved.lengths[row, 0] == (-1 if length is None else length)
        assert solved.counts is not None
        assert solved.counts[row] == puzzle.count_shortest()
        plan = solved.plan(row)
        if plan is not None:
            plan.verify()
            assert len(plan) == length
    pushes = solve_many(boards, metric="push").lengths[:, 0]
    for row, length in enumerate(pushes.tolist()):
        assert length == (boards.puzzle(row).distance(metric="push") if length >= 0 else -1)


def test_another_goal() -> None:
    boards = TileBoards([[[1, 2], [3, 0]]], goal=[[0, 2], [1, 3]])
    assert solve_many(boards).lengths.tolist() == [[2]]


@pytest.mark.parametrize("workers", ["threads", "processes", "parts"])
def test_workers_change_nothing(workers: str) -> None:
    if workers == "processes" and JIT_DISABLED:
        pytest.skip("takes long")
    boards = usable(random_blocks(50, 2))
    whole = solve_many(boards, metric="slide", plans=True)
    if workers == "parts":
        assert solve_many(boards, metric="slide", plans=True, parts=7) == whole
        return
    kind: type[Executor] = ThreadPoolExecutor if workers == "threads" else ProcessPoolExecutor
    with kind(2) as pool:  # type: ignore[call-arg]  # each takes the number of workers
        assert solve_many(boards, metric="slide", plans=True, executor=pool, parts=5) == whole


def test_limits_and_tokens() -> None:
    boards = usable(random_blocks(40, 4))
    whole = solve_many(boards, metric=["slide", "step"], plans=True, counts=True)
    token, calls = None, 0
    found: list[tuple[int, int]] = []
    while True:
        try:
            again = solve_many(
                boards, metric=["slide", "step"], plans=True, counts=True,
                limit=Limit(nodes=500), resume=token,
            )  # fmt: skip
            break
        except LimitReached as reached:
            token, calls = reached.token, calls + 1
            partial = reached.partial.value
            assert isinstance(partial, SolvedBoards)
            known = partial.lengths[:, 0] != -2
            assert (partial.lengths[known] == whole.lengths[known]).all()
            found.append((reached.partial.found, int(known.sum())))
    assert calls > 3
    assert all(said == known for said, known in found)
    assert again == whole


def test_a_killed_call_goes_on_from_its_file(tmp_path: Path) -> None:
    boards = usable(random_blocks(40, 5))
    path = tmp_path / "boards.db"
    whole = solve_many(boards, plans=True)
    with pytest.raises(LimitReached):
        solve_many(boards, plans=True, checkpoint=path, parts=4, limit=Limit(nodes=300))
    assert solve_many(boards, plans=True, checkpoint=path, parts=4) == whole
    assert solve_many(boards, plans=True, checkpoint=path, limit=Limit(nodes=1)) == whole
    with pytest.raises(gk.CheckpointError, match="another problem"):
        solve_many(boards, plans=False, checkpoint=path)


def test_rows_that_are_no_puzzles() -> None:
    array = np.zeros((3, 2, 3), dtype=int)
    array[0, 0, 0] = array[2, 1, 0] = 1
    with pytest.raises(RowError, match="board 1") as caught:
        solve_many(BlockBoards(array, {1: (0, 2)}))
    assert caught.value.row == 1
    assert isinstance(caught.value.partial, SolvedBoards)
    assert caught.value.partial.lengths.tolist() == [[2], [-3], [3]]
    with pytest.raises(RowError) as with_plans:
        solve_many(BlockBoards(array, {1: (0, 2)}), plans=True)
    with pytest.raises(InputError, match="row 1 is not solved"):
        with_plans.value.partial.plan(1)  # type: ignore[attr-defined]  # SolvedBoards


def test_rush_hour_lines() -> None:
    boards = BlockBoards.rush_hour([RUSH, "IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM"])
    solved = solve_many(boards, metric="slide", plans=True)
    assert solved.lengths[:, 0].tolist() == [51, 60]
    for row in range(2):
        plan = solved.plan(row)
        assert plan is not None
        plan.verify()
    assert boards.puzzle(0) == gk.SlidingPuzzle.parse_rush_hour(RUSH)
    assert eval(repr(boards), {"BlockBoards": BlockBoards}) == boards
    with pytest.raises(InputError, match="row 1: expected 36 characters"):
        BlockBoards.rush_hour([RUSH, RUSH[:-1]])


def test_nothing_to_solve() -> None:
    none = solve_many(TileBoards(np.zeros((0, 2, 2), dtype=int)), plans=True)
    assert len(none) == 0
    assert none.lengths.shape == (0, 1)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: TileBoards([[1, 2], [3, 0]]), "expected shape"),
        (lambda: TileBoards([[[1.5, 2.0], [3.0, 0.0]]]), "expected integers, got dtype float64"),
        (lambda: TileBoards("12"), "expected shape"),
        (lambda: TileBoards([[[70000, 2], [3, 0]]]), "16-bit"),
        (lambda: TileBoards([[[1, 0]]], goal=[1, 0, 2]), "a goal of 1 x 2 tiles, got 3"),
        (lambda: BlockBoards([[[99, 0]]], {1: (0, 0)}), "numbers from -1 to 59"),
        (lambda: BlockBoards([[[1, 0]]], {}), "expected a goal"),
        (lambda: BlockBoards([[[1, 0]]], {1: "up"}), "got 'up'"),  # type: ignore[dict-item]
        (lambda: BlockBoards([[[1, 0]]], {0: (0, 0)}), "block"),
        (lambda: solve_many([[1]]), "expected TileBoards or BlockBoards"),  # type: ignore[arg-type]
        (lambda: solve_many(TileBoards([[[1, 0]]]), metric="slide"), "expected a metric"),
        (lambda: solve_many(TileBoards([[[1, 0]]]), metric=["step", "step"]), "named twice"),
        (lambda: solve_many(TileBoards([[[1, 0]]]), metric="push", counts=True), "in steps only"),
        (lambda: solve_many(BlockBoards([[[1, 0]]], {1: (0, 1)}), tables="6-6-3"), "for tiles"),
        (lambda: solve_many(TileBoards([[[1, 0]]])).plan(0), "without plans=True"),
        (lambda: solve_many(TileBoards([[[1, 0]]]), plans=True).plan(1), "a row below 1"),
    ],
)
def test_what_is_refused(make, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError, match=message):
        make()


def test_generated_boards_have_the_wanted_lengths_whoever_works() -> None:
    domino, square = [(0, 0), (0, 1)], [(0, 0)]
    ask = {"shapes": [domino, square, square, square], "size": (3, 3), "goal": (2, 1)}
    whole = generate_many(9, (4, 6), metric="move", rng=5, **ask)  # type: ignore[arg-type]
    lengths = solve_many(whole, metric="move").lengths[:, 0]
    assert len(whole) == 9
    assert ((lengths >= 4) & (lengths <= 6)).all()
    with ThreadPoolExecutor(2) as pool:
        again = generate_many(9, (4, 6), metric="move", rng=5, executor=pool, parts=4, **ask)  # type: ignore[arg-type]
    assert again == whole
    fewer = generate_many(4, (4, 6), metric="move", rng=5, **ask)  # type: ignore[arg-type]
    assert (fewer.array == whole.array[:4]).all()
    assert generate_many(9, (4, 6), metric="move", rng=6, **ask) != whole  # type: ignore[arg-type]


def test_generating_is_continued(tmp_path: Path) -> None:
    whole = generate_many(4, (3, 9), cars=4, trucks=1, rng=1)
    assert (solve_many(whole, metric="slide").lengths >= 3).all()
    token, sizes = None, []
    while True:
        try:
            again = generate_many(
                4, (3, 9), cars=4, trucks=1, rng=1, limit=Limit(nodes=20_000), resume=token
            )
            break
        except LimitReached as reached:
            token = reached.token
            sizes.append(len(reached.partial.value))  # type: ignore[arg-type]
    assert again == whole
    path = tmp_path / "made.db"
    with pytest.raises(LimitReached):
        generate_many(
            4, (3, 9), cars=4, trucks=1, rng=1, parts=2, checkpoint=path, limit=Limit(nodes=20_000)
        )
    assert generate_many(4, (3, 9), cars=4, trucks=1, rng=1, checkpoint=path) == whole
    assert sizes == sorted(sizes)
    assert sizes


def test_lengths_that_no_board_has() -> None:
    with pytest.raises(RowError, match="board 0: none of 3 arrangements") as caught:
        generate_many(2, 500, cars=2, trucks=0, attempts=3, rng=1)
    assert len(caught.value.partial) == 0  # type: ignore[arg-type]
    for wrong in (
        {"shapes": [[(0, 0)]]}, {"size": (4, 4)}, {"cars": -1}, {"attempts": 0}, {"metric": "leap"}
    ):  # fmt: skip
        with pytest.raises(InputError):
            generate_many(1, 5, **wrong)


def test_random_tiles_are_uniform_over_what_can_be_solved() -> None:
    boards = random_tiles(2400, 2, 2, rng=3)
    seen = {tuple(board.reshape(-1).tolist()) for board in boards.array}
    assert len(seen) == 12
    counts = [
        sum((board == np.array(one).reshape(2, 2)).all() for board in boards.array) for one in seen
    ]
    assert max(counts) - min(counts) < 110  # 200 each, standard deviation 13.5
    assert all(boards.puzzle(row).explain().solvable for row in range(50))
    rows = random_tiles(3, 1, 3, rng=0)
    assert (solve_many(rows).lengths >= 0).all()


@pytest.mark.slow
def test_ten_thousand_boards_as_the_twin() -> None:
    boards = usable(random_blocks(11_500, 77))
    assert len(boards) > 9_900
    solved = solve_many(boards, metric=("step", "slide", "move"))
    for row in range(len(boards)):
        puzzle, column = boards.puzzle(row), row % 3
        assert isinstance(puzzle, gk.SlidingPuzzle)
        right = solve_lengths(puzzle, (solved.metrics[column],))
        assert solved.lengths[row, column] == (-1 if right is None else right[0])
