"""Fast plans: rectangles of any size, several blanks, equal tiles, walls."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest

from gridkit.errors import LimitReached, UnsupportedError
from gridkit.run import Limit
from gridkit.run.jit import JIT_DISABLED
from gridkit.sliding.npuzzle.construct import peel
from gridkit.sliding.npuzzle.puzzle import NPuzzle
from gridkit.sliding.plan import Plan
from twins.npuzzle import grid_graph

compiled = pytest.mark.skipif(JIT_DISABLED, reason="too slow without compilation")


def shuffled(rows: int, cols: int, seed: int, goal: list[int] | None = None) -> NPuzzle:
    """A solvable random puzzle."""
    tiles = np.random.default_rng(seed).permutation(rows * cols).tolist()
    puzzle = NPuzzle(rows, cols, tiles, goal=goal)
    if not puzzle.is_solvable():
        one, other = tiles.index(1), tiles.index(2)
        tiles[one], tiles[other] = 2, 1
        puzzle = NPuzzle(rows, cols, tiles, goal=goal)
    return puzzle


def solved(puzzle: NPuzzle, metric: str = "step") -> Plan:
    plan = puzzle.solve(metric=metric)  # type: ignore[arg-type]  # one of the two
    assert plan is not None
    plan.verify()
    return plan


SHAPES = [(2, 5), (5, 2), (2, 6), (3, 4), (4, 3), (4, 4), (3, 7), (7, 3), (5, 5), (4, 9), (2, 20)]


@pytest.mark.parametrize(("rows", "cols"), SHAPES[:4] if JIT_DISABLED else SHAPES)
def test_every_shape_and_goal(rows: int, cols: int) -> None:
    cells = rows * cols
    for seed in range(1 if JIT_DISABLED else 12):
        home = random.Random(seed).randrange(cells)
        others = np.random.default_rng(seed + 99).permutation(np.arange(1, cells)).tolist()
        solved(shuffled(rows, cols, seed, [*others[:home], 0, *others[home:]]))


def test_lines_slide_straight() -> None:
    plan = solved(NPuzzle(1, 12, [*range(1, 6), 0, *range(6, 12)]))
    assert len(plan) == 6
    plan = solved(NPuzzle(12, 1, [0, 1, 2, 0, 3, 4, 5, 6, 0, 7, 8, 9]))
    assert len(plan) == 2 * 1 + 4 * 2 + 3 * 3  # every tile passes the blanks before it
    assert NPuzzle(1, 12, [2, 1, *range(3, 12), 0]).solve() is None


def test_lines_are_peeled_near_square() -> None:
    for rows, cols, home in ((7, 5, 0), (4, 9, 35), (2, 8, 3), (9, 2, 17), (6, 6, 14)):
        order = peel(rows, cols, home)
        height, width = order.bottom - order.top, order.right - order.left
        assert (height, width) == (min(3, rows), min(3, cols))
        row, col = divmod(home, cols)
        assert order.top <= row < order.bottom
        assert order.left <= col < order.right
        assert int(order.lines[:, 2].sum()) + height * width == rows * cols


@compiled
def test_several_blanks_and_equal_tiles() -> None:
    chance = random.Random(6)
    for _ in range(25):
        rows, cols = chance.randint(2, 6), chance.randint(5, 7)
        blanks = chance.randint(1, 4)
        kinds = chance.choice([3, 10**6])
        tiles = [1 + i % kinds for i in range(rows * cols - blanks)] + [0] * blanks
        goal = tiles[:]
        chance.shuffle(tiles)
        chance.shuffle(goal)
        puzzle = NPuzzle(rows, cols, tiles, goal=goal)
        if puzzle.is_solvable():
            solved(puzzle).inverse().verify()
        else:
            assert puzzle.solve() is None


@compiled
def test_two_blanks_of_different_colours() -> None:
    """The parity that one moving blank cannot mend needs a step of the other one first."""
    for seed in range(6):
        tiles = np.random.default_rng(seed).permutation(np.arange(1, 19)).tolist()
        solved(NPuzzle(4, 5, [0, 0, *tiles], goal=[*range(1, 19), 0, 0]))


def walk(puzzle: NPuzzle, chance: random.Random, steps: int) -> list[int]:
    state = [puzzle.tiles[cell] for cell in puzzle.open_cells]
    for _ in range(steps):
        blank = chance.choice([cell for cell, tile in enumerate(state) if tile == 0])
        if puzzle.graph[blank]:
            near = chance.choice(puzzle.graph[blank])
            state[blank], state[near] = state[near], state[blank]
    return state


def test_walled_boards() -> None:
    chance = random.Random(12)
    planned = 0
    for _ in range(40):
        rows, cols = chance.randint(3, 6), chance.randint(3, 6)
        cells = [(r, c) for r in range(rows) for c in range(cols)]
        walls = chance.sample(cells, chance.randint(1, 4))
        count = rows * cols - len(walls)
        tiles = [0, *range(1, count)]
        chance.shuffle(tiles)
        puzzle = NPuzzle(rows, cols, tiles, walls=walls)
        puzzle = NPuzzle(rows, cols, tiles, goal=walk(puzzle, chance, 800), walls=walls)
        try:
            solved(puzzle)
            planned += 1
        except UnsupportedError:
            continue
    assert planned >= 38


def test_blocks_beyond_a_bridge() -> None:
    """Two rooms joined by a corridor: each keeps its tiles, and each is filled by itself."""
    walls = [(0, 3), (0, 4), (2, 3), (2, 4)]
    start = NPuzzle(3, 8, list(range(20)), walls=walls)
    for seed in range(4):
        goal = walk(start, random.Random(seed), 3000)
        puzzle = NPuzzle(3, 8, list(range(20)), goal=goal, walls=walls)
        plan = solved(puzzle)
        assert {int(step[0]) for step in plan.steps} <= set(range(20))
        rooms = [{goal[i] for i, c in enumerate(puzzle.open_cells) if c % 8 < 3}]
        assert len(rooms[0]) == 9


def test_ring_and_separate_rooms() -> None:
    ring = NPuzzle(3, 3, [5, 6, 7, 0, 1, 2, 3, 4], goal=[1, 2, 3, 7, 4, 6, 5, 0], walls=[(1, 1)])
    assert ring.is_solvable() == (ring.solve() is not None)
    rooms = NPuzzle(1, 7, [1, 0, 2, 0, 3, 4], goal=[0, 1, 2, 3, 0, 4], walls=[(0, 2)])
    assert rooms.is_solvable()
    solved(rooms)
    assert grid_graph([(0, 0), (0, 1)]) == [[1], [0]]


@compiled
def test_random_boards_of_fifty_by_fifty_are_short() -> None:
    for seed in range(2):
        plan = solved(shuffled(50, 50, seed))
        assert len(plan) <= 1.6 * 50**3
        assert plan.length("push") < len(plan)


@compiled
def test_long_board() -> None:
    solved(shuffled(3, 120, 1))
    solved(shuffled(150, 2, 1))


@compiled
def test_push_metric_and_limits() -> None:
    puzzle = shuffled(6, 6, 3)
    assert len(solved(puzzle, "push")) < len(solved(puzzle))
    with pytest.raises(LimitReached):
        shuffled(40, 40, 3).solve(limit=Limit(nodes=1000))
    seen: list[float] = []
    shuffled(40, 40, 3).solve(progress=lambda now: seen.append(now.fraction))
    assert max(seen) == 1.0


@compiled
def test_a_limit_met_while_shortening_leaves_the_plan_so_far() -> None:
    """By nodes: filling the lines takes some hundred moves, shortening far more."""
    puzzle = shuffled(8, 8, 3)
    whole = solved(puzzle)
    lengths = []
    for nodes in (3000, 30_000, 300_000):
        with pytest.raises(LimitReached, match="node limit") as caught:
            puzzle.solve(limit=Limit(nodes=nodes), metric="push")
        assert caught.value.partial.nodes <= nodes + 20_100  # a stretch is done whole
        plan = caught.value.partial.value
        assert isinstance(plan, Plan)
        assert plan.metric == "push"
        plan.verify()
        lengths.append(plan.length("step"))
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[-1] >= len(whole)
    with pytest.raises(LimitReached) as caught:
        puzzle.solve(limit=Limit(nodes=100))
    assert caught.value.partial.value is None


def walled(size: int) -> NPuzzle:
    """A solvable puzzle with one blank and two walls."""
    walls = [(1, 1), (3, 3)]
    tiles = list(range(size * size - 2))
    random.Random(size).shuffle(tiles)
    puzzle = NPuzzle(size, size, tiles, walls=walls)
    if not puzzle.is_solvable():
        one, two = tiles.index(1), tiles.index(2)
        tiles[one], tiles[two] = 2, 1
    return NPuzzle(size, size, tiles, walls=walls)


@compiled
def test_every_call_looks_at_the_time_before_its_work_begins() -> None:
    """No second is left when the call starts, so every call has to give up."""
    over = Limit(seconds=0)
    fresh = [0, 0, *range(1, 21)]  # several blanks around cut cells: deciding takes a while
    cut = NPuzzle(5, 5, fresh, goal=[*range(1, 21), 0, 0], walls=[(0, 1), (1, 1), (3, 1)])
    table = NPuzzle(2, 3, [1, 2, 3, 4, 5, 0])
    calls: list[Callable[[], object]] = [
        lambda: shuffled(9, 9, 1).solve(limit=over),
        lambda: shuffled(4, 4, 1).solve(optimal=True, limit=over),
        lambda: shuffled(4, 4, 1).distance(tables="manhattan", limit=over),
        lambda: shuffled(4, 4, 1).count_shortest(limit=over),
        lambda: list(shuffled(9, 9, 1).improvements(limit=over)),
        lambda: walled(9).solve(limit=over),
        lambda: cut.solve(limit=over),
        lambda: table.distance_table(limit=over),
    ]
    for call in calls:
        with pytest.raises(LimitReached, match="time limit"):
            call()


@compiled
def test_improvements_yield_what_was_shortened_before_the_limit() -> None:
    plans = list(shuffled(8, 8, 3).improvements(limit=Limit(nodes=30_000)))
    assert len(plans) == 1
    plans[0].plan.verify()
    with pytest.raises(LimitReached):
        list(shuffled(8, 8, 3).improvements(limit=Limit(nodes=10)))
