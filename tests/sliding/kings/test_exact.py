"""Shortest plans of kings, and windows of plans, against breadth-first search."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import gridkit as gk
from gridkit.run import use_tier
from gridkit.run.jit import JIT_DISABLED
from gridkit.sliding.kings import window as kings_window
from gridkit.sliding.kings.board import Problem, Tables
from gridkit.sliding.kings.exact import ExactSearch
from gridkit.sliding.kings.planner import Planning
from gridkit.sliding.kings.puzzle import KingsPuzzle
from gridkit.sliding.kings.reach import RULES, Rule
from gridkit.sliding.kings.window import Polisher, Polishing
from gridkit.sliding.plan import Plan
from gridkit.sliding.steps import Steps
from twins.kings import State, board, distances, follow, less_polishing, placements

Ints = NDArray[np.int32]
pytestmark = [pytest.mark.usefixtures(less_polishing.__name__)] if JIT_DISABLED else []
BOARDS = [(2, 5), (3, 4), (5, 3), (4, 4), (3, 5)]


def cells(state: State, cols: int) -> Ints:
    return np.array([r * cols + c for r, c in state], np.int32)


def steps_as_moves(steps: Ints, cols: int) -> list[tuple[int, int, int]]:
    return [(king + 1, to // cols, to % cols) for king, _, to in steps.tolist()]


def searched(search: ExactSearch) -> Ints | None:
    while not search.advance(500):
        pass
    return search.steps


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("rows", "cols"), BOARDS)
def test_shortest_lengths(rows: int, cols: int, rule: Rule) -> None:
    generator = random.Random(rows * cols)
    tables = Tables(rows, cols, rule)
    for kings in range(1, (rows + 1) // 2 * ((cols + 1) // 2) + 1):
        start = generator.choice(placements(rows, cols, kings))
        found = distances(rows, cols, start, rule)
        states = sorted(found)
        for state in generator.sample(states, min(1 if JIT_DISABLED else 8, len(states))):
            ends = cells(start, cols), cells(state, cols)
            length = found[state]
            steps = searched(ExactSearch(*ends, tables, length + 5))
            if length == 0:
                assert steps is not None or start == state
                continue
            assert steps is not None
            assert len(steps) == length
            moves = steps_as_moves(steps, cols)
            assert follow(board(rows, cols, start), moves, rule) == board(rows, cols, state)
            # Nothing is found where a plan may not be as long, whatever the slack.
            assert searched(ExactSearch(*ends, tables, length)) is None
            assert searched(ExactSearch(*ends, tables, max(length - 3, 0))) is None


@pytest.mark.parametrize("rule", RULES)
def test_kings_that_stay(rule: Rule) -> None:
    generator = random.Random(3)
    rows, cols = 4, 5
    tables = Tables(rows, cols, rule)
    for _ in range(3 if JIT_DISABLED else 12):
        start = generator.choice(placements(rows, cols, 4))
        still = generator.sample(range(4), 1)
        moving = [king for king in range(4) if king not in still]
        # The twin: states of breadth-first search in which the others never moved.
        found = {start: 0}
        queue = [start]
        for state in queue:
            for king in moving:
                for to in [(r, c) for r in range(rows) for c in range(cols)]:
                    near = [abs(a - b) for a, b in zip(to, state[king], strict=True)]
                    if (max(near) if rule == "king" else sum(near)) != 1:
                        continue
                    rest = state[:king] + state[king + 1 :]
                    if any(max(abs(to[0] - r), abs(to[1] - c)) <= 1 for r, c in rest):
                        continue
                    following = (*state[:king], to, *state[king + 1 :])
                    if following not in found:
                        found[following] = found[state] + 1
                        queue.append(following)
        state = queue[-1]
        if found[state] == 0:
            continue
        one, other = cells(start, cols), cells(state, cols)
        search = ExactSearch(one[moving], other[moving], tables, found[state] + 9, one[still])
        steps = searched(search)
        assert steps is not None
        assert len(steps) == found[state]


def test_states_of_several_words() -> None:
    # Seven bits a cell: ten kings need two words.
    one = [(0, 0), (0, 2), (0, 6), (0, 8), (0, 10), *((10, c) for c in range(0, 10, 2))]
    other = [one[1], one[0], *one[2:]]
    a, b = board(11, 11, tuple(one)), board(11, 11, tuple(other))
    puzzle = KingsPuzzle(a, b)
    tables = Tables(11, 11, "king")
    search = ExactSearch(cells(tuple(one), 11), cells(tuple(other), 11), tables, 20)
    steps = searched(search)
    assert steps is not None
    puzzle._check_steps(Steps.read(steps))
    alone = distances(4, 4, ((0, 0), (0, 2)), "king")
    assert len(steps) == alone[(0, 2), (0, 0)]


@pytest.mark.skipif(JIT_DISABLED, reason="too long without the compiler")
def test_growing_tables() -> None:
    one = tuple((0, c) for c in range(0, 10, 2))
    other = tuple((3, c) for c in range(0, 10, 2))
    search = ExactSearch(cells(one, 10), cells(other, 10), Tables(8, 10, "king"), 17)
    before = search.memory()
    steps = searched(search)
    assert steps is not None
    assert len(steps) == 15
    assert search.memory() > 4 * before
    assert follow(board(8, 10, one), steps_as_moves(steps, 10), "king") == board(8, 10, other)


@settings(max_examples=3 if JIT_DISABLED else 30, deadline=None)
@given(
    rows=st.integers(3, 4 if JIT_DISABLED else 10),
    cols=st.integers(3, 4 if JIT_DISABLED else 10),
    rule=st.sampled_from(RULES),
    seed=st.integers(0, 2**32),
    window=st.tuples(st.integers(1, 6), st.integers(1, 30), st.integers(1, 2000)),
)
def test_polished_plans(
    rows: int, cols: int, rule: Rule, seed: int, window: tuple[int, int, int]
) -> None:
    generator = random.Random(seed)
    blocks = [(r, c) for r in range(0, rows, 2) for c in range(0, cols, 2)]
    kings = max(1, len(blocks) - generator.randint(2, 4))
    one, other = (tuple(generator.sample(blocks, kings)) for _ in range(2))
    a, b = board(rows, cols, one), board(rows, cols, other)
    with use_tier("compiled"):
        quick = KingsPuzzle(a, b, rule).plan(effort="fast")
    if quick is None:
        return
    polisher = Polisher(quick.steps, cells(one, cols), Tables(rows, cols, rule), *window)
    length = len(quick)
    while not polisher.advance(500):
        assert len(polisher.steps) <= length
        length = len(polisher.steps)
    assert polisher.fraction() == 1
    assert follow(a, steps_as_moves(polisher.steps, cols), rule) == b


def test_a_window_that_holds_the_whole_plan_is_shortest() -> None:
    start = ((0, 0), (0, 2), (2, 0))
    found = distances(4, 4, start, "king")
    state = max(found, key=lambda state: (found[state], state))
    puzzle = KingsPuzzle(board(4, 4, start), board(4, 4, state))
    with use_tier("compiled"):
        quick = puzzle.plan(effort="fast")
    assert quick is not None
    problem = Problem(4, 4, "king", cells(start, 4), cells(state, 4))
    polishing = Polishing(quick.steps, problem, Tables(4, 4, "king"))
    while not polishing.advance(100):
        assert len(polishing.steps) <= len(quick)
    assert len(polishing.steps) == found[state]


@pytest.mark.skipif(JIT_DISABLED, reason="too long without the compiler")
@pytest.mark.skipif(JIT_DISABLED, reason="needs the kernels")
def test_polishing_ends_soon_where_few_kings_gain_nothing() -> None:
    rows = [[0] * 30 for _ in range(30)]
    one, two = ([row[:] for row in rows] for _ in range(2))
    for king in range(1, 57):  # a quarter of the blocks
        one[king // 15 * 2][king % 15 * 2] = king
        two[29 - king // 15 * 2][29 - king % 15 * 2] = king
    puzzle = KingsPuzzle(one, two)
    problem = Problem.of(puzzle._start, puzzle._target, "king")
    planning = Planning(problem, tier="compiled")
    while not planning.advance(1 << 16):
        pass
    polishing = Polishing(planning.steps, problem, Tables(30, 30, "king"))
    while not polishing.advance(1 << 16):
        pass
    assert polishing.nodes < 1_000_000
    assert len(polishing.steps) == len(planning.steps)


def test_crowded_boards_are_polished(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = random.Random(7)
    blocks = [(r, c) for r in range(0, 8, 2) for c in range(0, 8, 2)]
    one, other = (tuple(generator.sample(blocks, 15)) for _ in range(2))
    a, b = board(8, 8, one), board(8, 8, other)
    short = KingsPuzzle(a, b).plan()
    monkeypatch.setattr("gridkit.sliding.kings.planner._POLISHED", 0)
    rough = KingsPuzzle(a, b).plan()
    assert rough is not None
    assert short is not None
    assert follow(a, steps_as_moves(short.steps, 8), "king") == b
    assert len(short) < 0.97 * len(rough)


@pytest.mark.parametrize("rule", RULES)
def test_optimal_plans_by_the_compiled_search(rule: Rule, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kings_window, "_EXACT_STATES", 1)
    generator = random.Random(8)
    start = generator.choice(placements(4, 4, 3))
    found = distances(4, 4, start, rule)
    for state in generator.sample(sorted(found), 1 if JIT_DISABLED else 10):
        puzzle = KingsPuzzle(board(4, 4, start), board(4, 4, state), rule)
        with use_tier("compiled"):
            made = puzzle.plan(optimal=True)
        assert made is not None
        assert len(made) == found[state]
        made.verify()


@pytest.mark.skipif(JIT_DISABLED, reason="too long without the compiler")
@pytest.mark.usefixtures(less_polishing.__name__)
def test_a_limit_leaves_a_plan() -> None:
    rows = 9
    blocks = [(r, c) for r in range(0, rows, 2) for c in range(0, rows, 2)]
    one, other = tuple(blocks[:-2]), tuple(blocks[2:])
    a, b = board(rows, rows, one), board(rows, rows, other)
    puzzle = KingsPuzzle(a, b)
    work = Planning(Problem.of(puzzle._start, puzzle._target, "king"), optimal=True)
    assert not work.found
    while not isinstance(work._stage, ExactSearch):
        assert not work.advance(1000)
    known = work.nodes
    with pytest.raises(gk.LimitReached) as reached:
        KingsPuzzle(a, b).plan(optimal=True, limit=gk.Limit(nodes=known + 100))
    assert isinstance(reached.value.partial, gk.Partial)
    best = reached.value.partial.value
    assert isinstance(best, Plan)
    best.verify()
