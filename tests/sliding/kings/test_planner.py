"""Kings that keep apart: the verdicts and plans against breadth-first search."""

from __future__ import annotations

import random
import signal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gridkit as gk
from gridkit.grid.components import permutation_is_even
from gridkit.run.jit import JIT_DISABLED, ready
from gridkit.sliding.kings.blocks import BlockPlanner
from gridkit.sliding.kings.board import Problem
from gridkit.sliding.kings.exact import ExactSearch
from gridkit.sliding.kings.plain import GreedySearch, ShortestSearch
from gridkit.sliding.kings.planner import Planning
from gridkit.sliding.kings.puzzle import KingsPuzzle, explain, plan, reachable
from gridkit.sliding.kings.reach import RULES, Placement, Rule, judge
from gridkit.sliding.kings.shorten import Shortening
from gridkit.sliding.kings.window import Polishing
from gridkit.sliding.plan import Plan
from twins.kings import board, distances, follow, labelled, less_polishing, placements

Matrix = list[list[int]]
pytestmark = pytest.mark.usefixtures(less_polishing.__name__)
SMALL = [(h, w) for h in range(1, 13) for w in range(1, 13) if h * w <= 12] + [(4, 4)]
TINY = [(h, w) for h, w in SMALL if h * w <= 9]


def replayed(start: Matrix, found: Plan, rule: Rule) -> Matrix:
    cols = len(start[0])
    names = [int(name) for name in found.puzzle.block_names()]
    steps = [(names[king], to // cols, to % cols) for king, _, to in found.steps.tolist()]
    return follow(start, steps, rule)


def compiled(start: Matrix, target: Matrix, rule: Rule, effort: str = "short") -> Plan:
    """Plan without the plain tier."""
    puzzle = KingsPuzzle(start, target, rule)
    problem = Problem.of(puzzle._start, puzzle._target, rule)
    work = Planning(problem, "fast" if effort == "fast" else "short", tier="compiled")
    while not work.advance(1000):
        pass
    return Plan(puzzle, work.steps)


def random_board(rows: int, cols: int, kings: int, generator: random.Random) -> Matrix:
    """Put kings into random blocks, then let each wander a little."""
    across = (cols + 1) // 2
    blocks = generator.sample(range((rows + 1) // 2 * across), kings)
    at = {king: (b // across * 2, b % across * 2) for king, b in enumerate(blocks, 1)}
    for king in [*at, *at]:
        r = at[king][0] + generator.randint(-1, 1)
        c = at[king][1] + generator.randint(-1, 1)
        free = all(max(abs(r - y), abs(c - x)) > 1 for other, (y, x) in at.items() if other != king)
        if 0 <= r < rows and 0 <= c < cols and free:
            at[king] = (r, c)
    matrix = [[0] * cols for _ in range(rows)]
    for king, (r, c) in at.items():
        matrix[r][c] = king
    return matrix


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("rows", "cols"), SMALL)
def test_verdicts_of_every_pair(rows: int, cols: int, rule: Rule) -> None:
    # Relabelling both boards changes nothing, so starts with labels in reading order do for all.
    for kings in range((rows + 1) // 2 * ((cols + 1) // 2) + 1):
        everything = labelled(rows, cols, kings)
        targets = [Placement.from_rows(board(rows, cols, state), "target") for state in everything]
        starts = placements(rows, cols, kings)
        if JIT_DISABLED or rows > cols or len(starts) * len(everything) > 40_000:
            starts = starts[:: max(1, len(starts) // 5)]
        for start in starts:
            found = distances(rows, cols, start, rule)
            first = Placement.from_rows(board(rows, cols, start), "start")
            for state, target in zip(everything, targets, strict=True):
                assert judge(first, target, rule).reachable == (state in found)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("rows", "cols"), TINY)
def test_plans_of_every_pair(rows: int, cols: int, rule: Rule) -> None:
    generator = random.Random(rows * 100 + cols)
    for kings in range((rows + 1) // 2 * ((cols + 1) // 2) + 1):
        for start in placements(rows, cols, kings):
            found = distances(rows, cols, start, rule)
            states = list(found)
            if JIT_DISABLED:
                states = generator.sample(states, min(2, len(states)))
            elif rows > cols:  # the turned board has every pair
                states = states[::4]
            a = board(rows, cols, start)
            for state in states:
                b = board(rows, cols, state)
                quick = compiled(a, b, rule, "fast")
                assert replayed(a, quick, rule) == b
                assert len(quick) >= found[state]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("rows", "cols"), [size for size in SMALL if size not in TINY])
def test_plans_of_small_boards(rows: int, cols: int, rule: Rule) -> None:
    generator = random.Random(rows * 100 + cols)
    for kings in range((rows + 1) // 2 * ((cols + 1) // 2) + 1):
        start = generator.choice(placements(rows, cols, kings))
        found = distances(rows, cols, start, rule)
        states = list(found)
        a = board(rows, cols, start)
        for state in generator.sample(states, min(2 if JIT_DISABLED else 12, len(states))):
            b = board(rows, cols, state)
            for effort in ("fast", "short"):
                made = compiled(a, b, rule, effort)
                assert replayed(a, made, rule) == b
                assert len(made) >= found[state]
            shortest = plan(a, b, rule, optimal=True)
            assert shortest is not None
            assert len(shortest) == found[state]
            assert replayed(a, shortest, rule) == b


@settings(max_examples=5 if JIT_DISABLED else 40, deadline=None)
@given(
    rows=st.integers(1, 6 if JIT_DISABLED else 24),
    cols=st.integers(1, 6 if JIT_DISABLED else 24),
    density=st.floats(0, 1),
    rule=st.sampled_from(RULES),
    effort=st.sampled_from(("fast", "short")),
    seed=st.integers(0, 2**32),
)
def test_plans_of_random_boards(
    rows: int, cols: int, density: float, rule: Rule, effort: str, seed: int
) -> None:
    generator = random.Random(seed)
    blocks = (rows + 1) // 2 * ((cols + 1) // 2)
    kings = min(round(density * (blocks + 1)), blocks)
    a = random_board(rows, cols, kings, generator)
    b = random_board(rows, cols, kings, generator)
    verdict = explain(a, b, rule)
    assert reachable(b, a, rule) == verdict.reachable
    if verdict.reachable:
        made = compiled(a, b, rule, effort)
        made.verify()
        assert replayed(a, made, rule) == b
        assert replayed(b, made.inverse(), rule) == a


@pytest.mark.parametrize("rule", RULES)
def test_plan_with_one_empty_block_on_many_shapes(rule: Rule) -> None:
    generator = random.Random(5)
    shapes = [(4, 4), (4, 6), (6, 4)] if JIT_DISABLED else [
        (h, w) for h in range(3, 9) for w in range(3, 9) if (h + w) % 3 == 0 or h % 2 == w % 2 == 0
    ]  # fmt: skip
    for rows, cols in shapes:
        kings = (rows + 1) // 2 * ((cols + 1) // 2) - 1
        a = random_board(rows, cols, kings, generator)
        b = random_board(rows, cols, kings, generator)
        even = rows % 2 == cols % 2 == 0 and rule == "king"
        made = plan(a, b, rule)
        assert (made is not None) or not even
        if made is not None:
            assert replayed(a, made, rule) == b


def test_plain_tier_agrees_with_search() -> None:
    generator = random.Random(1)
    for _ in range(10):
        a, b = (random_board(4, 5, 3, generator) for _ in range(2))
        for rule in RULES:
            puzzle = KingsPuzzle(a, b, rule)
            problem = Problem.of(puzzle._start, puzzle._target, rule)
            ends = problem.start.tolist(), problem.target.tolist()
            search = ShortestSearch(4, 5, rule, *ends)
            while not search.advance(100):
                assert search.steps is None
            best = search.steps
            assert best is not None
            greedy = GreedySearch(4, 5, rule, *ends, most=100_000)
            while not greedy.advance(100):
                assert greedy.steps is None
            assert greedy.steps is not None
            assert len(greedy.steps) >= len(best)
            assert replayed(a, Plan(puzzle, greedy.steps), rule) == b
    spent = GreedySearch(4, 5, "king", *ends, most=0)
    assert spent.advance(1)
    assert spent.steps is None
    given_up = ShortestSearch(4, 5, "king", *ends, most=1)
    assert given_up.advance(100)
    assert (given_up.steps, given_up.nodes) == (None, 1)


def test_permutation_parity() -> None:
    assert permutation_is_even([], [])
    assert not permutation_is_even([1, 0], [0, 1])
    assert permutation_is_even([1, 2, 0, 4, 3, 6, 5], range(7))


@pytest.mark.parametrize(
    ("start", "target", "rule", "case", "says"),
    [
        ([[1, 0, 2]], [[2, 0, 1]], "king", "full", "block (0, 0) holds king 1"),
        ([[1, 0, 2, 0, 0]], [[2, 0, 1, 0, 0]], "king", "line", "number 0 along the line is king 1"),
        ([[1, 0, 2], [0] * 3, [3, 0, 0]], [[2, 0, 1], [0] * 3, [3, 0, 0]], "king", "parity", "odd"),
        (
            [[1, 0, 2, 0], [0] * 4, [3, 0, 0, 0], [0] * 4],
            [[2, 0, 1, 0], [0] * 4, [3, 0, 0, 0], [0] * 4],
            "orthogonal", "parity", "odd",
        ),
    ],
)  # fmt: skip
def test_explanations(start: Matrix, target: Matrix, rule: Rule, case: str, says: str) -> None:
    verdict = explain(start, target, rule)
    assert not verdict.reachable
    assert verdict  # a verdict is true, whatever it says
    assert verdict.case == case
    assert says in str(verdict)
    assert plan(start, target, rule) is None


@pytest.mark.parametrize(
    ("start", "target", "message"),
    [
        ([[1, 2]], [[1, 2]], "start: kings 1 at (0, 0) and 2 at (0, 1) touch"),
        ([[0, 7], [3, 0]], [[0, 0], [0, 0]], "start: kings 7 at (0, 1) and 3 at (1, 0) touch"),
        ([[1, 0]], [[0, 2]], "king 1 stands on start but not on target"),
        ([[0, 0]], [[0, 2]], "king 2 stands on target but not on start"),
        ([[1, 0, 1]], [[1, 0, 0]], r"king 1 stands at \(0, 0\) and at \(0, 2\)"),
        ([[-1]], [[-1]], "ids are positive, got -1"),
        ([[1, 0], [0]], [[1, 0], [0, 0]], "row 1 has 1 cells, expected 2"),
        ([], [], "empty board"),
        ([[]], [[]], "empty board"),
        ([[1]], [[1, 0]], "start is 1 x 1, target is 1 x 2"),
        ([[1.0]], [[1]], "expected an int at (0, 0), got float"),
        ([[True]], [[1]], "got bool"),
        (["10"], [[1, 0]], "expected row 0 to be ints, got str"),
        (5, [[1]], "expected rows of ints, got int"),
        (np.array([[np.nan]]), [[1]], "got float64"),
        (np.array([1, 0]), [[1, 0]], "expected row 0 to be ints"),
    ],
)
def test_bad_boards(start: Matrix, target: Matrix, message: str) -> None:
    with pytest.raises(gk.InputError) as error:
        reachable(start, target)
    assert message.replace("\\", "") in str(error.value)


def test_bad_options() -> None:
    with pytest.raises(gk.InputError, match="rule must be"):
        KingsPuzzle([[1]], [[1]], "queen")  # type: ignore[arg-type]  # on purpose
    with pytest.raises(gk.InputError, match="effort must be"):
        plan([[1]], [[1]], effort="best")  # type: ignore[arg-type]  # on purpose
    with pytest.raises(gk.InputError, match="limit must be"):
        plan([[1]], [[1]], limit=3)  # type: ignore[arg-type]  # on purpose
    with pytest.raises(gk.InputError, match="progress must be"):
        plan([[1]], [[1]], progress=3)  # type: ignore[arg-type]  # on purpose
    with pytest.raises(gk.InputError, match="optimal must be True or False"):
        plan([[1]], [[1]], optimal=1)  # type: ignore[arg-type]  # on purpose
    with pytest.raises(gk.InputError, match="limit must be"):  # though no plan is needed
        plan([[1, 0, 2]], [[2, 0, 1]], limit=3)  # type: ignore[arg-type]  # on purpose


def test_arrays_of_any_integer_type() -> None:
    for dtype in (np.uint8, np.int16, np.uint64):
        a = np.zeros((5, 5), dtype)
        b = a.copy()
        a[0, 0], b[4, 4] = 7, 7
        made = plan(a, b)
        assert made is not None
        assert len(made) == 4
        assert made.puzzle.block_names() == ["7"]


def test_no_kings_and_no_moves() -> None:
    empty = plan([[0, 0]], [[0, 0]])
    assert empty is not None
    assert len(empty) == 0
    same = plan([[1, 0, 2]], [[1, 0, 2]])
    assert same is not None
    assert len(same) == 0


def test_text_round_trip() -> None:
    puzzle = KingsPuzzle([[10, 0, 2], [0, 0, 0]], [[0, 0, 0], [10, 0, 2]], "orthogonal")
    assert KingsPuzzle.parse(str(puzzle), "orthogonal") == puzzle
    assert eval(repr(puzzle)) == puzzle
    assert hash(eval(repr(puzzle))) == hash(puzzle)
    assert eval(f"gk.{puzzle!r}") == puzzle
    assert puzzle != KingsPuzzle(puzzle.start, puzzle.target)
    assert "target" in puzzle._repr_html_()
    with pytest.raises(AttributeError):
        puzzle.rule = "king"
    with pytest.raises(gk.ParseError, match="line 1, column 3: expected an id"):
        KingsPuzzle.parse("1 x\n\n1 .")
    with pytest.raises(gk.ParseError, match="found 1 boards"):
        KingsPuzzle.parse("1 .")


def test_plan_pictures() -> None:
    made = plan([[1, 0, 0, 2]], [[0, 1, 0, 2]])
    assert made is not None
    assert [str(state) for state in made.states()] == ["1 . . 2", ". 1 . 2"]
    assert made.to_html().count('class="gm-s"') == 2  # the kings
    assert str(made) == "1 0,0-0,1"


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ([(0, 1, 2)], "no king to move"),
        ([(5, 0, 1)], "no king to move"),
        ([(0, 0, 2)], "cannot step"),
        ([(0, 0, 99)], "off the board"),
        ([(0, 0, 1), (0, 1, 2)], "touches king 2"),
        ([], "does not end in the target"),
    ],
)
def test_wrong_plans_are_refused(steps: list[tuple[int, int, int]], message: str) -> None:
    puzzle = KingsPuzzle([[1, 0, 0, 2]], [[0, 1, 0, 2]])
    with pytest.raises(gk.InvalidPlanError, match=message):
        Plan(puzzle, steps).verify()
    assert Plan(puzzle, [(0, 0, 1)]).verify() is None  # type: ignore[func-returns-value]  # raises


def test_limits_and_progress() -> None:
    generator = random.Random(3)
    size = 6 if JIT_DISABLED else 20
    a, b = (random_board(size, size, size, generator) for _ in range(2))
    with pytest.raises(gk.LimitReached) as reached:
        plan(a, b, optimal=True, limit=gk.Limit(nodes=50))
    assert isinstance(reached.value.partial, gk.Partial)
    assert reached.value.partial.value is None
    with pytest.raises(gk.LimitReached):
        plan(a, b, limit=gk.Limit(nodes=0))
    fractions: list[float] = []
    made = plan(a, b, progress=lambda report: fractions.append(report.fraction))
    assert made is not None
    made.verify()
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1


@pytest.mark.skipif(JIT_DISABLED, reason="too long without the compiler")
def test_a_limit_leaves_the_best_plan_so_far() -> None:
    generator = random.Random(3)
    a, b = (random_board(40, 40, 200, generator) for _ in range(2))
    quick = plan(a, b, effort="fast")
    assert quick is not None
    with pytest.raises(gk.LimitReached) as reached:
        plan(a, b, limit=gk.Limit(nodes=len(quick) + 5_000_000))
    assert isinstance(reached.value.partial, gk.Partial)
    best = reached.value.partial.value
    assert isinstance(best, Plan)
    best.verify()


@pytest.mark.skipif(JIT_DISABLED, reason="too long without the compiler")
def test_ctrl_c_leaves_the_best_plan_so_far() -> None:
    generator = random.Random(3)
    a, b = (random_board(60, 60, 400, generator) for _ in range(2))
    pressed: list[gk.Progress] = []

    def press(report: gk.Progress) -> None:
        if report.found and not pressed:
            pressed.append(report)
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(gk.Interrupted) as interrupted:
        plan(a, b, progress=press)
    best = interrupted.value.partial.value
    assert isinstance(best, Plan)
    best.verify()


@pytest.mark.skipif(JIT_DISABLED, reason="too long without the compiler")
@pytest.mark.parametrize(("side", "kings"), [(24, 40), (30, 200)])
def test_the_plan_does_not_depend_on_the_chunks(side: int, kings: int) -> None:
    generator = random.Random(side)
    start, target = (random_board(side, side, kings, generator) for _ in range(2))
    puzzle = KingsPuzzle(start, target)
    plans = []
    for budget in (1000, 1 << 26):
        work = Planning(Problem.of(puzzle._start, puzzle._target, "king"))
        while not work.advance(budget):
            pass
        plans.append(work.steps.tolist())
    assert plans[0] == plans[1]


@pytest.mark.skipif(JIT_DISABLED, reason="too long without the compiler")
@pytest.mark.parametrize(("side", "kings"), [(70, 600), (40, 100)])
def test_no_chunk_is_much_longer_than_it_may_be(side: int, kings: int) -> None:
    generator = random.Random(side)
    start, target = (random_board(side, side, kings, generator) for _ in range(2))
    puzzle = KingsPuzzle(start, target)
    work = Planning(Problem.of(puzzle._start, puzzle._target, "king"), optimal=True)
    stages: set[type] = set()
    chunks = 0  # of the last stage
    while chunks < 30:
        stage, before = type(work._stage), work.nodes
        stages.add(stage)
        chunks += stage is ExactSearch
        work.advance(200)
        # Replanning looks at its work when a king is done (milliseconds); an exact
        # search stops when a state is expanded, which reaches at most eight for each king.
        assert work.nodes - before <= (1 << 21 if stage is Shortening else 201 + 8 * kings)
    assert stages >= {BlockPlanner, Shortening}
    assert side > 40 or stages >= {Polishing}
    assert ShortestSearch not in stages  # a state of it takes long on a large board


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_kernels_are_compiled_for_one_signature() -> None:
    from gridkit.sliding.kings.kernels import exact as kings_exact
    from gridkit.sliding.kings.kernels import peel as kings_peel
    from gridkit.sliding.kings.kernels import replan as kings_replan
    from gridkit.sliding.kings.kernels import timeline

    for module, name in (
        (kings_peel, "peel"),
        (timeline, "build"),
        (kings_replan, "improve"),
        (kings_exact, "begin"),
        (kings_exact, "rehash"),
        (kings_exact, "advance"),
    ):
        assert len(ready(getattr(module, name)).nopython_signatures) == 1


def test_answers_that_need_no_compiler_do_not_load_it() -> None:
    import subprocess
    import sys

    program = (
        "import sys, gridkit as gk\n"
        "assert not gk.sliding.kings.reachable([[1, 0, 2]], [[2, 0, 1]])\n"
        "assert 'numpy' not in sys.modules\n"
        "board = [[1, 0, 2, 0, 0]] + [[0] * 5] * 4\n"
        "assert len(gk.sliding.kings.plan(board, board[::-1])) == 8\n"
        "assert 'numba' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=Path(__file__).parents[2])
