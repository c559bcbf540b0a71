"""The search of sliding-block puzzles: right lengths in every metric, in every tier."""

from __future__ import annotations

import json
import pickle
import random
from functools import partial
from itertools import permutations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gridkit.errors import InputError, LimitReached
from gridkit.grid.board import Board
from gridkit.run import Limit, Progress, Run
from gridkit.run.jit import JIT_DISABLED
from gridkit.sliding.blocks import search
from gridkit.sliding.blocks.breadth import BothEndsSearch, MoveSearch
from gridkit.sliding.blocks.compiled.astar import BoundedSearch
from gridkit.sliding.blocks.packing import packing_of
from gridkit.sliding.blocks.puzzle import SlidingPuzzle
from gridkit.sliding.blocks.rules import METRICS, BlockMetric, MetricChoice
from gridkit.sliding.blocks.search import compiled_search, lane_bound, plain_search
from gridkit.sliding.blocks.steps import steps_of
from gridkit.sliding.plan import Plan
from twins.sliding import solve_lengths, steps

DATA = json.loads((Path(__file__).parents[2] / "data/sliding/positions.json").read_text("utf-8"))
TABLE = Path(__file__).parents[2] / "data/sliding/klotski_boards.json"
PAIRS: list[tuple[BlockMetric, BlockMetric]] = [(a, b) for a, b in permutations(METRICS, 2)]
KLOTSKI = "ABBC\nABBC\nDEEF\nDGHF\nI..J"

needs_jit = pytest.mark.skipif(JIT_DISABLED, reason="takes minutes in plain Python")


def known(position: dict[str, Any]) -> SlidingPuzzle:
    goal = {name: (cell[0], cell[1]) for name, cell in position["goal"].items()}
    return SlidingPuzzle.parse("\n".join(position["grid"]), goal=goal)


def drive(work: MoveSearch) -> None:
    Run().drive(work)


def plan_of(puzzle: SlidingPuzzle, work: MoveSearch, metrics: tuple[BlockMetric, ...]) -> Plan:
    assert work.moves is not None
    return Plan(puzzle, steps_of(packing_of(puzzle._instance), work.moves, metrics), metrics[0])


def checked(puzzle: SlidingPuzzle, metric: MetricChoice, **options: Any) -> int | None:
    """Solve, replay, and return the length in the first metric."""
    plan = puzzle.solve(metric=metric, **options)
    if plan is None:
        return None
    plan.verify()
    return len(plan)


@needs_jit
@pytest.mark.parametrize("position", DATA["positions"], ids=lambda own: own["name"])
def test_known_positions(position: dict[str, Any]) -> None:
    for metric, length in position["lengths"].items():
        assert checked(known(position), metric, method="kernel") == length


@needs_jit
@pytest.mark.parametrize("row", DATA["rush_hour"], ids=lambda own: own["text"])
def test_rush_hour(row: dict[str, Any]) -> None:
    for metric in ("slide", "step"):
        puzzle = SlidingPuzzle.parse_rush_hour(row["text"])
        assert checked(puzzle, metric, method="kernel") == row[metric]


@needs_jit
@pytest.mark.slow
@pytest.mark.parametrize("metric", METRICS)
def test_table_of_klotski_boards(metric: BlockMetric) -> None:
    column = {"step": 1, "slide": 2, "move": 3}[metric]
    for row in json.loads(TABLE.read_text("utf-8"))["rows"]:
        puzzle = SlidingPuzzle.parse(row[0].replace("/", "\n"), goal={"A": (3, 1)})
        assert checked(puzzle, metric, method="kernel") == row[column], row


@pytest.mark.parametrize("metric", METRICS)
def test_tiers_agree_on_pennant(metric: BlockMetric) -> None:
    position = DATA["positions"][1]
    length = position["lengths"][metric]
    assert checked(known(position), metric, method="plain") == length
    assert checked(known(position), metric, method="kernel") == length
    assert checked(known(position), metric) == length


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("AB\n..", {"A": (0, 1), "B": (0, 0)}),
        ("AB.\n##.", {"A": (0, 1), "B": (0, 0)}),
        ("A#.", {"A": (0, 2)}),
    ],
)
def test_unsolvable_is_proved(text: str, goal: dict[str, tuple[int, int]]) -> None:
    puzzle = SlidingPuzzle.parse(text, goal=goal)
    expected = solve_lengths(puzzle, ("step",))
    for method in ("plain", "kernel"):
        for metric in [*METRICS, *PAIRS]:
            plan = puzzle.solve(metric=metric, method=method)
            assert (plan is None) == (expected is None)


def test_repeated_tiles_and_several_blanks() -> None:
    # 1 1 1 / 2 2 2 / 3 3 _ to 3 3 2 / 2 2 1 / 1 1 _, each digit three times.
    names = iter("abcdefgh")
    start, goal = ["111", "222", "33."], ["332", "221", "11."]
    blocks: dict[str, list[tuple[int, int]]] = {}
    letters: dict[str, list[str]] = {}
    for row, line in enumerate(start):
        for col, digit in enumerate(line):
            if digit != ".":
                name = next(names)
                blocks[name] = [(row, col)]
                letters.setdefault(digit, []).append(name)
    wanted = {}
    waiting = {digit: list(group) for digit, group in letters.items()}
    for row, line in enumerate(goal):
        for col, digit in enumerate(line):
            if digit != ".":
                wanted[waiting[digit].pop()] = (row, col)
    puzzle = SlidingPuzzle(Board.rectangle(3, 3), blocks, wanted, interchangeable=letters.values())
    assert checked(puzzle, "step", method="plain") == 24
    if not JIT_DISABLED:
        assert checked(puzzle, "step", method="kernel") == 24
    two = SlidingPuzzle.parse("BA\n..", goal={"A": (0, 0), "B": (0, 1)})
    assert checked(two, "step") == 4


def test_interchangeable_rules_differ() -> None:
    grid = "AB\nCD\n.."
    swapped = {"A": (0, 1), "B": (0, 0)}
    lengths = [
        checked(SlidingPuzzle.parse(grid, goal=swapped, interchangeable=rule), "step")
        for rule in ("unnamed", "none", "all")
    ]
    assert lengths[2] == 0
    assert lengths[0] is not None
    assert lengths[0] > 0
    assert lengths[0] == lengths[1]


@st.composite
def puzzles(draw: st.DrawFn) -> SlidingPuzzle:
    """Small puzzles with walls, any shapes, axes, gates, and goals of one to three blocks."""
    rows, cols = draw(st.integers(1, 3)), draw(st.integers(2, 4))
    cells = [(row, col) for row in range(rows) for col in range(cols)]
    walls = draw(st.sets(st.sampled_from(cells), max_size=len(cells) // 4))
    board = Board.rectangle(rows, cols).without(walls)
    free: list[tuple[int, int]] = list(board.cells)
    blocks: dict[str, list[tuple[int, int]]] = {}
    for name in "ABCDE"[: draw(st.integers(1, 5))]:
        if len(free) < 2:
            break
        corner = draw(st.sampled_from(free))
        size = draw(st.sampled_from([(1, 1), (1, 2), (2, 1), (2, 2), (1, 1)]))
        own = [
            (corner[0] + row, corner[1] + col) for row in range(size[0]) for col in range(size[1])
        ]
        if size == (2, 2) and draw(st.booleans()):
            own.remove(draw(st.sampled_from(own)))
        own = [cell for cell in own if cell in free]
        blocks[name] = own
        free = [cell for cell in free if cell not in own]
    blocks = {name: own for name, own in blocks.items() if own}
    assume(blocks)
    axes: dict[str, str] = {}
    if draw(st.booleans()):  # the same axis for all, so that equal blocks stay interchangeable
        axes = dict.fromkeys(blocks, draw(st.sampled_from(["horizontal", "vertical"])))
    else:
        for other in draw(st.sets(st.sampled_from(sorted(blocks)), max_size=2)):
            axes[other] = draw(st.sampled_from(["horizontal", "vertical"]))
    goal: dict[str, tuple[int, int] | str] = {}
    covered: set[tuple[int, int]] = set()
    gates: dict[tuple[int, int], set[str]] = {}
    for name in draw(st.sets(st.sampled_from(sorted(blocks)), min_size=1, max_size=3)):
        top, left = min(r for r, _ in blocks[name]), min(c for _, c in blocks[name])
        fits = [
            place
            for place in cells
            if all(
                (r - top + place[0], c - left + place[1]) in board
                and (r - top + place[0], c - left + place[1]) not in covered
                for r, c in blocks[name]
            )
        ]
        edges = st.sampled_from(["left", "right", "top", "bottom"])
        goal[name] = draw(st.one_of(edges, st.sampled_from(fits)) if fits else edges)
        target = goal[name]
        if isinstance(target, tuple):
            covered |= {(r - top + target[0], c - left + target[1]) for r, c in blocks[name]}
    gated: bool = draw(st.booleans())
    if free and gated:
        gates[draw(st.sampled_from(free))] = draw(st.sets(st.sampled_from(sorted(blocks)))) | set(
            goal
        )
    rule: Any = draw(st.sampled_from(["unnamed", "all", "none", "listed"]))
    if rule == "listed":
        alike = SlidingPuzzle(board, blocks, goal, axes=axes, gates=gates, interchangeable="all")
        groups = [
            [name for name, own in zip(alike.names, alike.groups, strict=True) if own == group]
            for group in set(alike.groups)
        ]
        rule = [group for group in groups if draw(st.booleans())]
    return SlidingPuzzle(board, blocks, goal, axes=axes, gates=gates, interchangeable=rule)


@settings(max_examples=20 if JIT_DISABLED else 300)
@given(puzzles(), st.sampled_from([*((metric,) for metric in METRICS), *PAIRS]))
def test_every_tier_finds_the_twin_lengths(
    puzzle: SlidingPuzzle, metrics: tuple[BlockMetric, ...]
) -> None:
    expected = solve_lengths(puzzle, metrics)
    plans = [puzzle.solve(metric=metrics, method=method) for method in ("plain", "kernel")]
    assert plans[0] == plans[1]  # not only as long: the very same
    for plan in plans:
        if expected is None:
            assert plan is None
        else:
            assert plan is not None
            plan.verify()
            assert tuple(plan.length(metric) for metric in metrics) == expected
    if expected is not None and any(expected):
        work = compiled_search(packing_of(puzzle._instance), metrics, wide=True)
        drive(work)
        assert plan_of(puzzle, work, metrics) == plans[0]


@pytest.mark.parametrize("method", ["auto", "plain", "kernel"])
@pytest.mark.parametrize("metric", METRICS)
def test_goals_are_matched_to_blocks(metric: BlockMetric, method: Any) -> None:
    corridors = {"I": [(0, 3)], "B": [(0, 1)]}
    wall = SlidingPuzzle(
        Board.parse("..#.."), corridors, {"I": (0, 4), "B": (0, 3)}, interchangeable=[["I", "B"]]
    )
    columns = {"A": [(0, 0), (1, 0)], "B": [(0, 2), (1, 2)]}
    axes = dict.fromkeys(columns, "vertical")
    lines = SlidingPuzzle(
        Board.rectangle(5, 3),
        columns,
        {"A": (3, 0), "B": (1, 0)},
        axes=axes,
        interchangeable="all",
    )
    gate = SlidingPuzzle(
        Board.rectangle(1, 5),
        {"A": [(0, 0)], "B": [(0, 4)]},
        {"A": (0, 0), "B": (0, 1)},
        gates={(0, 2): ""},
        interchangeable="all",
    )
    for puzzle in (wall, lines, gate):
        assert puzzle.solve(metric=metric, method=method) is None
    # Each in the other one's part: no more than names are exchanged.
    swapped = SlidingPuzzle(
        Board.parse("..#.."), corridors, {"I": (0, 0), "B": (0, 4)}, interchangeable="all"
    )
    assert checked(swapped, metric, method=method) == 2


@pytest.mark.parametrize("method", ["auto", "plain", "kernel"])
def test_each_goal_takes_a_block_of_its_own(method: Any) -> None:
    blocks = {"A": [(0, 0)], "B": [(1, 1)]}
    board = Board.rectangle(2, 3)
    goals: list[tuple[dict[str, str | tuple[int, int]], int]] = [
        ({"A": "left", "B": "top"}, 1),  # the block in the corner touches both edges
        ({"A": "left", "B": "left"}, 1),
        ({"A": "top", "B": (0, 0)}, 1),
        ({"A": "right", "B": "right"}, 3),
    ]
    for goal, length in goals:
        puzzle = SlidingPuzzle(board, blocks, goal, interchangeable="all")
        assert solve_lengths(puzzle, ("step",)) == (length,)
        assert checked(puzzle, "step", method=method) == length
    column = SlidingPuzzle(
        Board.rectangle(3, 1), {"A": [(0, 0)], "B": [(2, 0)]}, {"A": "top", "B": "top"}
    )
    assert column.solve(method=method) is None


@pytest.mark.parametrize("method", ["auto", "plain", "kernel"])
def test_goals_that_overlap_end_at_once(method: Any) -> None:
    blocks = {"A": [(0, 0)], "B": [(2, 0)]}
    puzzle = SlidingPuzzle(Board.rectangle(3, 1), blocks, {"A": (0, 0), "B": "top"})
    assert puzzle.solve(method=method, limit=Limit(seconds=20)) is None
    assert puzzle.explore().goal_states == 0
    wide = {"A": [(0, 0), (0, 1)], "B": [(1, 0), (1, 1)]}
    puzzle = SlidingPuzzle(Board.rectangle(2, 3), wide, {"A": (0, 1), "B": "right"})
    assert puzzle.solve(method=method, limit=Limit(seconds=20)) is not None


def test_the_same_plan_whatever_is_loaded() -> None:
    chance = random.Random(3)
    puzzles = [traffic(chance) for _ in range(5 if JIT_DISABLED else 60)]
    puzzles += [known(position) for position in DATA["positions"][:2]]
    search._plain_states[0] = 0
    for puzzle in puzzles:
        for metric in ("step", "slide", "move", ("slide", "step")):
            for optimal in (True, False):
                plans = []
                for loaded in (True, False):
                    with pytest.MonkeyPatch.context() as patch:
                        if not loaded:  # as in a process that has just begun
                            patch.setattr(search, "sys", SimpleNamespace(modules={}))
                            patch.setattr(search, "_plain_states", [0])
                        plans.append(puzzle.solve(metric=metric, optimal=optimal))
                assert plans[0] == plans[1]


def traffic(chance: random.Random) -> SlidingPuzzle:
    """A random board of cars, the red one in its row, perhaps with a car behind it or ahead."""
    size = chance.choice([4, 5, 6])
    row = chance.randrange(size)
    red = chance.randrange(size - 2)
    blocks = {"A": [(row, red), (row, red + 1)]}
    axes = {"A": "horizontal"}
    taken = set(blocks["A"])
    for name in "BCDEFGHIJ"[: chance.randrange(3, 10)]:
        across, length = chance.random() < 0.4, chance.choice([2, 2, 3])
        corner = chance.randrange(size), chance.randrange(size)
        cells = [
            (corner[0] + (0 if across else at), corner[1] + (at if across else 0))
            for at in range(length)
        ]
        if taken.isdisjoint(cells) and max(cells[-1]) < size:
            blocks[name] = cells
            axes[name] = "horizontal" if across else "vertical"
            taken.update(cells)
    board = Board.rectangle(size, size)
    return SlidingPuzzle(board, blocks, {"A": chance.choice(["right", "left"])}, axes=axes)


def test_search_with_a_bound_agrees_with_breadth() -> None:
    chance = random.Random(11)
    bounded = 0
    for _ in range(10 if JIT_DISABLED else 150):
        puzzle = traffic(chance)
        packing = packing_of(puzzle._instance)
        if packing.is_hopeless or puzzle.is_solved(puzzle.places):
            continue
        for metric in METRICS:
            bound = lane_bound(packing, metric)
            if bound is None:
                continue
            bounded += 1
            breadth = compiled_search(packing, (metric,), both_ends=False)
            best = BoundedSearch(packing, metric, *bound)
            drive(breadth)
            drive(best)
            if breadth.moves is None:
                assert best.moves is None
            else:
                assert best.moves is not None
                assert len(best.moves) == len(breadth.moves)
                plan_of(puzzle, best, (metric,)).verify()
    assert bounded > 15


@settings(max_examples=20 if JIT_DISABLED else 100)
@given(puzzles(), st.randoms(use_true_random=False), st.sampled_from(METRICS))
def test_search_from_both_ends_agrees_with_breadth(
    puzzle: SlidingPuzzle, chance: random.Random, metric: BlockMetric
) -> None:
    start = puzzle.places
    state: list[tuple[int, int]] = list(start)
    for _ in range(chance.randrange(1, 40)):  # a random walk gives a goal that can be reached
        moves = [
            new for number in range(len(state)) for _, new in steps(puzzle, tuple(state), number)
        ]
        if moves:
            state = list(chance.choice(moves))
    goal: dict[str, tuple[int, int] | str] = dict(zip(puzzle.names, state, strict=True))
    puzzle = puzzle.moved(start, goal)
    if puzzle.is_solved(start):
        return
    packing = packing_of(puzzle._instance)
    assert packing.goal_state is not None
    breadth = compiled_search(packing, (metric,), both_ends=False)
    drive(breadth)
    assert breadth.moves is not None
    for wide in (False, True):
        both = compiled_search(packing, (metric,), wide=wide)
        assert isinstance(both, BothEndsSearch)
        drive(both)
        assert both.moves is not None
        assert len(both.moves) == len(breadth.moves)
        plan_of(puzzle, both, (metric,)).verify()


@needs_jit
def test_plans_that_need_not_be_optimal() -> None:
    # 15 tiles: far too many states for breadth.
    tiles = "ECIFOGJDKAMBNHL."
    start = [tiles[row : row + 4] for row in range(0, 16, 4)]
    puzzle = SlidingPuzzle.parse("\n".join(start), goal="ABCD\nEFGH\nIJKL\nMNO.")
    if sum(a > b for place, a in enumerate(tiles[:15]) for b in tiles[place + 1 : 15]) % 2:
        puzzle = SlidingPuzzle.parse("\n".join(start), goal="BACD\nEFGH\nIJKL\nMNO.")
    plan = puzzle.solve(metric="step", optimal=False, limit=Limit(nodes=2_000_000))
    assert plan is not None
    plan.verify()
    for row in DATA["rush_hour"]:
        car = SlidingPuzzle.parse_rush_hour(row["text"])
        length = checked(car, "slide", optimal=False)
        assert length is not None
        assert length >= row["slide"]
    klotski = SlidingPuzzle.parse(KLOTSKI, goal={"B": (3, 1)})
    length = checked(klotski, ("move", "step"), optimal=False)
    assert length is not None
    assert length >= 81
    stuck = SlidingPuzzle.parse("AB\n..", goal={"A": (0, 1), "B": (0, 0)}, interchangeable="none")
    assert checked(stuck, "step", optimal=False) == solve_lengths(stuck, ("step",))[0]  # type: ignore[index]  # solvable


def test_bound_is_refused_where_it_does_not_hold() -> None:
    ahead = SlidingPuzzle.parse_rush_hour("............AA.BB.".ljust(36, "."))
    assert lane_bound(packing_of(ahead._instance), "slide") is None
    assert checked(ahead, "slide") is None
    behind = SlidingPuzzle.parse_rush_hour("............BB.AA.".ljust(36, "."))
    assert lane_bound(packing_of(behind._instance), "slide") is not None
    free = SlidingPuzzle.parse("A..\n...", goal={"A": (0, 2)})
    assert lane_bound(packing_of(free._instance), "slide") is None


@needs_jit
@pytest.mark.parametrize("pair", PAIRS)
def test_pairs_on_the_classic(pair: tuple[BlockMetric, BlockMetric]) -> None:
    lengths = {"step": 116, "slide": 90, "move": 81}
    puzzle = SlidingPuzzle.parse(KLOTSKI, goal={"B": (3, 1)})
    plan = puzzle.solve(metric=pair, method="kernel")
    assert plan is not None
    plan.verify()
    assert plan.length(pair[0]) == lengths[pair[0]]
    expected = {
        ("step", "slide"): 95, ("step", "move"): 88, ("slide", "step"): 118,
        ("slide", "move"): 81, ("move", "step"): 118, ("move", "slide"): 90,
    }  # fmt: skip
    assert plan.length(pair[1]) == expected[pair]


def test_wide_states_on_a_large_board() -> None:
    rows = ["A" + "." * 9, *["." * 10] * 7]
    puzzle = SlidingPuzzle.parse("\n".join(rows), goal={"A": (7, 9)})
    assert checked(puzzle, "step", method="kernel") == 16
    assert checked(puzzle, "slide", method="kernel") == 2
    assert checked(puzzle, ("move", "slide"), method="kernel") == 1


def test_pairs_of_equal_blocks_share_a_field() -> None:
    position = DATA["positions"][-1]
    packing = packing_of(known(position)._instance)
    assert packing.bits == 59
    for kind in packing.kinds:
        if len(kind.blocks) == 2:
            words = [packing.word[pid] for pid in kind.pids.values()]
            sums = {a ^ b for number, a in enumerate(words) for b in words[:number]}
            assert len(sums) == len(words) * (len(words) - 1) // 2
    assert sorted(packing.unpack(packing.key(packing.start))) == sorted(packing.start)
    # Goals of one of two equal blocks: any place of the other one will do.
    rows = ["AAB.CD", "EFGH.I", "JKLMNO", "PQRSTU", "VWXYZ."]
    puzzle = SlidingPuzzle.parse(
        "\n".join(rows), goal={"B": (0, 3)}, interchangeable=["BC", "DE", "FG", "HI", "JK"]
    )
    for method in ("plain", "kernel"):
        assert checked(puzzle, "step", method=method) == 1


@needs_jit
def test_narrow_and_wide_kernels_agree() -> None:
    puzzle = SlidingPuzzle.parse(KLOTSKI, goal={"B": (3, 1)})
    for metric, length in zip(METRICS, (116, 90, 81), strict=True):
        work = compiled_search(packing_of(puzzle._instance), (metric,), wide=True)
        drive(work)
        assert work.moves is not None
        assert len(work.moves) == length


@pytest.mark.parametrize("method", ["plain", "kernel"])
def test_limits_and_progress(method: Any) -> None:
    puzzle = SlidingPuzzle.parse(KLOTSKI, goal={"B": (3, 1)})
    with pytest.raises(LimitReached, match="node limit") as reached:
        puzzle.solve(method=method, limit=Limit(nodes=100))
    assert reached.value.partial.value is None
    assert reached.value.partial.nodes >= 100
    with pytest.raises(LimitReached, match="memory limit"):
        puzzle.solve(method=method, limit=Limit(memory=10))
    seen: list[Progress] = []
    SlidingPuzzle.parse("A..", goal={"A": (0, 2)}).solve(method=method, progress=seen.append)
    assert seen[-1].fraction == 1.0
    assert seen[-1].found >= 3


@pytest.mark.parametrize("method", ["auto", "plain", "kernel"])
@pytest.mark.parametrize("metric", ["move", ("slide", "step")])
@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("ABC\nDE.", {"A": (0, 1), "B": (0, 0), "D": (1, 0)}),
        ("ABC\nDE.", {"A": (0, 1), "B": (0, 0), "C": (0, 2), "D": (1, 0), "E": (1, 1)}),
        ("ABC\nD..", {"A": (1, 2)}),
        ("ABC\nD..", {"A": (0, 1), "B": (0, 0), "C": (0, 2), "D": (1, 1)}),
        ("A..B.\n#.#.#\n.....", {"A": (2, 4)}),
    ],
)
def test_resumed_searches_come_to_the_same_end(
    method: Any, metric: Any, text: str, goal: dict[str, tuple[int, int]]
) -> None:
    for axes in ({}, dict.fromkeys(goal, "horizontal")):
        puzzle = SlidingPuzzle.parse(text, goal=goal, axes=axes, interchangeable="none")
        for optimal in (True, False):
            whole = puzzle.solve(metric=metric, optimal=optimal, method=method)
            token = None
            for _ in range(10_000):
                try:
                    plan = puzzle.solve(
                        metric=metric,
                        optimal=optimal,
                        method=method,
                        limit=Limit(nodes=19),
                        resume=token,
                    )
                    break
                except LimitReached as reached:
                    token = pickle.loads(pickle.dumps(reached.token))
            assert (plan is None) == (whole is None)
            if plan is not None and whole is not None:
                plan.verify()
                assert len(plan) == len(whole)


def test_a_token_can_be_used_again_but_not_elsewhere() -> None:
    puzzle = SlidingPuzzle.parse("ABC\nDEF\nG.H", goal={"A": (2, 2)})
    with pytest.raises(LimitReached) as reached:
        puzzle.solve(limit=Limit(nodes=5))
    token = reached.value.token
    plans = [puzzle.solve(resume=token) for _ in range(2)]
    assert plans[0] == plans[1] is not None
    for metric, optimal in (("move", True), ("step", False)):
        with pytest.raises(InputError, match="the token belongs to"):
            puzzle.solve(metric=metric, optimal=optimal, resume=token)  # type: ignore[arg-type]  # a metric
    with pytest.raises(InputError, match="the token belongs to"):
        SlidingPuzzle.parse("A.", goal={"A": "right"}).solve(resume=token)
    with pytest.raises(InputError, match="the token belongs to"):
        puzzle.explore(resume=token)
    with pytest.raises(InputError, match="resume must be the token"):
        puzzle.solve(resume=3)


@needs_jit
def test_memory_per_state() -> None:
    puzzle = SlidingPuzzle.parse_rush_hour(DATA["rush_hour"][2]["text"])
    work = compiled_search(packing_of(puzzle._instance), METRICS[:1])
    drive(work)
    assert work.memory() <= 24 * work.found + (1 << 17)


@pytest.mark.parametrize("method", ["plain", "kernel"])
def test_a_state_with_many_children_uses_the_budget_up(method: Any) -> None:
    names = [chr(0x4E00 + number) for number in range(80)]
    cells = [(row, col) for row in range(0, 20, 2) for col in range(0, 16, 2)]
    blocks = {name: [cell] for name, cell in zip(names, cells, strict=True)}
    puzzle = SlidingPuzzle(Board.rectangle(20, 20), blocks, {names[0]: (19, 19)})
    packing = packing_of(puzzle._instance)
    find = plain_search if method == "plain" else compiled_search
    work = find(packing, ("slide",))
    work.advance(1000)
    assert 0 < work.nodes < 200
    before = work.nodes
    work.advance(1)
    assert work.nodes == before + 1


def test_packing_looks_at_the_clock() -> None:
    class ExpiredError(Exception):
        pass

    def check(calls: list[int]) -> None:
        calls[0] -= 1
        if calls[0] < 0:
            raise ExpiredError

    puzzle = known(DATA["positions"][0])
    for calls in range(5):
        with pytest.raises(ExpiredError):
            packing_of(puzzle._instance, partial(check, [calls]))
    packing_of(puzzle._instance, partial(check, [10_000]))
    with pytest.raises(LimitReached):
        puzzle.solve(limit=Limit(seconds=0))
    with pytest.raises(LimitReached):
        puzzle.explore(limit=Limit(seconds=0))
