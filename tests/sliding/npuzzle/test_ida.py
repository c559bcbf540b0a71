"""Optimal searches, pattern tables and their files, distance tables, anytime plans."""

from __future__ import annotations

import copy
import json
import math
import pickle
import random
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from families import FAMILIES
from gridkit.errors import InputError, LimitReached, UnsupportedError
from gridkit.run import Limit, Run
from gridkit.run.jit import JIT_DISABLED
from gridkit.sliding.npuzzle import ida as npuzzle_deepening
from gridkit.sliding.npuzzle import patterns as patterndb
from gridkit.sliding.npuzzle.building import (
    TableBuilding,
    all_orders,
    order_number,
    order_of,
    passing_terms,
    shifted_numbers,
)
from gridkit.sliding.npuzzle.ida import DeepeningSearch
from gridkit.sliding.npuzzle.patterns import PatternTables, Recipe, guide
from gridkit.sliding.npuzzle.puzzle import NPuzzle
from gridkit.sliding.npuzzle.tableless import LineSearch, WeightedSearch
from twins.npuzzle import distances, grid_graph, rectangle_graph, shortest_counts

DATA = FAMILIES / "npuzzle"
KORF = DATA / "korf_15puzzle.json"

# R. Korf's instances 12, 42 and 79 (Artificial Intelligence 27, 1985) and their lengths.
FEW = {
    (14, 1, 9, 6, 4, 8, 12, 5, 7, 2, 3, 0, 10, 11, 13, 15): 45,
    (0, 1, 9, 7, 11, 13, 5, 3, 14, 12, 4, 2, 8, 6, 10, 15): 42,
}
FARTHER = next(iter(FEW))
compiled = pytest.mark.skipif(JIT_DISABLED, reason="too slow without compilation")


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Keep the user's cache folder out of it."""
    monkeypatch.setenv("GRIDKIT_CACHE_DIR", str(tmp_path / "cache"))
    patterndb._LOADED.clear()
    yield tmp_path / "cache"
    patterndb._LOADED.clear()


def small(rows: int, cols: int, home: int, *groups: tuple[int, ...]) -> Recipe:
    return Recipe(tuple(map(tuple, rectangle_graph(rows, cols))), home, groups)


def nibble(tables: PatternTables, entry: int) -> int:
    return int(tables.table[entry // 2]) >> (4 * (entry % 2)) & 15


@pytest.mark.parametrize("group", [(1, 2), (1, 3, 5), (1, 2, 4, 5), (2,)])
def test_table_against_search_over_placements(group: tuple[int, ...]) -> None:
    """Every entry of a pattern table, by Dijkstra's search with free moves of other tiles."""
    rows, cols, home = 2, 3, 0
    graph = rectangle_graph(rows, cols)
    tables = patterndb.load(small(rows, cols, home, group), Run())
    m, n = len(group), rows * cols
    best: dict[tuple[int, ...], int] = {}
    level = {(*group, home): 0}
    depth = 0
    while level:
        following: dict[tuple[int, ...], int] = {}
        waiting = list(level)
        for state in waiting:
            best.setdefault(state, depth)
            tiles, blank = list(state[:-1]), state[-1]
            for near in graph[blank]:
                if near in tiles:
                    moved = tuple(blank if tile == near else tile for tile in tiles)
                    if (*moved, near) not in best:
                        following[(*moved, near)] = depth + 1
                elif (*tiles, near) not in best and (*tiles, near) not in level:
                    level[(*tiles, near)] = depth
                    waiting.append((*tiles, near))
        level = {state: d for state, d in following.items() if state not in best}
        depth += 1
    least: dict[tuple[int, ...], int] = {}
    for state, steps in best.items():
        least[state[:-1]] = min(least.get(state[:-1], 99), steps)
    # With a single other tile, parity forbids some placements.
    assert len(least) == (252 if m == n - 2 else math.perm(n, m))
    for placed, steps in least.items():
        cells = sorted(placed)
        rank = sum(math.comb(cell, i + 1) for i, cell in enumerate(cells))
        order = 0
        for i, cell in enumerate(placed):
            order = order * (m - i) + sum(later < cell for later in placed[i + 1 :])
        walk = sum(
            abs(cell // cols - goal // cols) + abs(cell % cols - goal % cols)
            for cell, goal in zip(placed, group, strict=True)
        )
        assert nibble(tables, rank * math.factorial(m) + order) == (steps - walk) // 2


BOARDS = [(2, 3, 0), (2, 3, 1), (3, 3, 4), (2, 4, 0), (2, 4, 1), (4, 2, 3)]
SIZES = {6: ("3-2", "2-2-1", "5"), 8: ("4-3", "3-2-2", "7"), 9: ("4-4", "3-3-2", "5-3")}


@pytest.mark.parametrize(("rows", "cols", "home"), BOARDS[:2] if JIT_DISABLED else BOARDS)
def test_every_table_agrees_on_small_boards(rows: int, cols: int, home: int) -> None:
    chance = random.Random(home)
    graph = rectangle_graph(rows, cols)
    goal = [*range(1, home + 1), 0, *range(home + 1, rows * cols)]
    far = distances(graph, tuple(goal))
    counts = shortest_counts(graph, tuple(goal))
    for state in chance.sample(sorted(far), 3 if JIT_DISABLED else 25):
        puzzle = NPuzzle(rows, cols, state, goal=goal)
        for tables in (*SIZES[rows * cols], "manhattan", "walking-distance"):
            assert puzzle.distance(tables=tables) == far[state]
            assert puzzle.count_shortest(tables=tables) == counts[state]
            plan = puzzle.solve(optimal=True, tables=tables)
            assert plan is not None
            plan.verify()
            assert len(plan) == far[state]


def test_solved_boards_have_one_empty_plan() -> None:
    for tables in ("auto", "3-2", "manhattan", "walking-distance"):
        puzzle = NPuzzle(2, 3, [*range(1, 6), 0])
        assert puzzle.distance(tables=tables) == 0
        assert puzzle.count_shortest(tables=tables) == 1


@compiled
def test_walled_board_with_tables() -> None:
    walls = [(1, 1), (0, 3)]
    cells = [(r, c) for r in range(3) for c in range(4) if (r, c) not in walls]
    goal = [1, 2, 3, 0, 4, 5, 6, 7, 8, 9]
    chance = random.Random(8)
    state = goal[:]
    graph = grid_graph(cells)
    for _ in range(8):
        for _ in range(60):
            blank = state.index(0)
            near = chance.choice(graph[blank])
            state[blank], state[near] = state[near], 0
        puzzle = NPuzzle(3, 4, state, goal=goal, walls=walls)
        far = puzzle.distance()
        assert far == puzzle.distance(tables="manhattan") == puzzle.distance(tables="3-3-3")
        plan = puzzle.solve()
        assert plan is not None
        plan.verify()
        assert len(plan) >= far  # type: ignore[operator]  # it is solvable


@compiled
def test_fifteen_puzzle_facts() -> None:
    for tiles, length in FEW.items():
        puzzle = NPuzzle(4, 4, tiles, goal=range(16))
        assert {puzzle.distance(tables=t) for t in ("5-5-5", "6-6-3", "manhattan")} == {length}


@compiled
def test_goal_in_any_corner_gives_the_same_length() -> None:
    """Turn board and goal together: the length stays, and the stored tables serve all."""
    tiles = np.array(next(iter(FEW))).reshape(4, 4)
    goal = np.arange(16).reshape(4, 4)
    for turns in range(4):
        for mirrored in (False, True):
            pair = [np.rot90(side.T if mirrored else side, turns) for side in (tiles, goal)]
            puzzle = NPuzzle(4, 4, pair[0].tolist(), goal=pair[1].tolist())
            assert puzzle.distance(tables="6-6-3") == 45
    assert len(list(patterndb.cache_folder().iterdir())) == 1


@compiled
def test_korfs_easier_boards_with_default_tables() -> None:
    table = json.loads(KORF.read_text())
    rows = sorted(zip(table["optimal"], table["instances"], strict=True))[:30]
    for length, tiles in rows:
        plan = NPuzzle(4, 4, tiles, goal=range(16)).solve(optimal=True)
        assert plan is not None
        plan.verify()
        assert len(plan) == length


@compiled
@pytest.mark.slow
def test_all_of_korfs_boards_with_large_tables() -> None:
    table = json.loads(KORF.read_text())
    for length, tiles in zip(table["optimal"], table["instances"], strict=True):
        assert NPuzzle(4, 4, tiles, goal=range(16)).distance(tables="7-8") == length


def test_orders_and_their_numbers() -> None:
    orders = all_orders(4)
    for number, order in enumerate(orders.tolist()):
        assert order_number(order) == number
        assert order_of(number, 4) == order
    for source in range(4):
        for target in range(4):
            row = shifted_numbers(4, 4)[4 * source + target]
            for number, order in enumerate(orders.tolist()):
                places = list(range(4))
                places.insert(target, places.pop(source))  # what stands where afterwards
                assert row[number] == order_number([places.index(place) for place in order])
    # A tile that goes up past the next one.
    for order in orders.tolist():
        for one in range(4):
            for passed in range(4):
                if order[passed] == order[one] + 1:
                    after = list(order)
                    after[one], after[passed] = order[passed], order[one]
                    growth = order_number(after) - order_number(order)
                    assert passing_terms(4)[one, passed] == growth
    assert not shifted_numbers(4, 1)[3].any()


# files


def test_files_are_reused_checked_and_mended(
    cache_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = small(2, 3, 0, (1, 2, 3), (4, 5))
    assert not patterndb.is_stored(recipe)
    first = patterndb.load(recipe, Run()).table.copy()
    (file,) = cache_folder.iterdir()
    assert file == recipe.file()
    assert patterndb.is_stored(recipe)
    whole = file.read_bytes()

    def rebuilt() -> bool:
        patterndb._LOADED.clear()
        built: list[object] = []

        class Noted(TableBuilding):
            def advance(self, budget: int) -> bool:
                built.append(self)
                return super().advance(budget)

        with monkeypatch.context() as patch:
            patch.setattr(patterndb, "TableBuilding", Noted)
            assert np.array_equal(patterndb.load(recipe, Run()).table, first)
        patterndb._LOADED.clear()
        return bool(built)

    assert not rebuilt()
    for damaged in (
        whole[:-1],
        whole + b"x",
        whole[:-1] + bytes([whole[-1] ^ 1]),
        whole.replace(b'"version": 1', b'"version": 0'),
        b"",
        b"junk",
    ):
        file.write_bytes(damaged)
        assert rebuilt()
        assert file.read_bytes() == whole
    assert [path.name for path in cache_folder.iterdir()] == [file.name]


@compiled
def test_long_searches_have_tables_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that goes on copies the tables it has read from a file, unless memory is limited."""
    recipe = guide(NPuzzle(4, 4, FARTHER, goal=range(16))._instance, "5-5-5").recipe
    assert recipe is not None
    patterndb.load(recipe, Run())
    monkeypatch.setattr(npuzzle_deepening, "_SETTLED", 1000)
    for limit in (Limit(memory=1 << 40), None):
        patterndb._LOADED.clear()
        mapped = patterndb.load(recipe, Run())
        assert mapped.table.base is not None
        puzzle = NPuzzle(4, 4, FARTHER, goal=range(16))
        assert puzzle.distance(tables="5-5-5", limit=limit) == FEW[FARTHER]
        kept = patterndb.load(recipe, Run())
        assert (kept is mapped) == (limit is not None)
        assert np.array_equal(kept.table, mapped.table)
        assert patterndb.settle(kept).table.base is None


def test_unwritable_folder_is_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("not a folder")
    monkeypatch.setenv("GRIDKIT_CACHE_DIR", str(blocker / "cache"))
    puzzle = NPuzzle(2, 3, [4, 5, 0, 1, 2, 3])
    assert puzzle.distance(tables="3-2") == puzzle.distance()
    assert blocker.read_text() == "not a folder"


def test_platform_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRIDKIT_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", "/some/where")
    monkeypatch.setattr("sys.platform", "linux")
    assert patterndb.cache_folder() == Path("/some/where/gridkit")
    monkeypatch.setattr("sys.platform", "darwin")
    assert patterndb.cache_folder().parts[-3:] == ("Library", "Caches", "gridkit")
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", "/local")
    assert patterndb.cache_folder() == Path("/local/gridkit")


@compiled
def test_building_keeps_limits_and_reports_progress() -> None:
    puzzle = NPuzzle(3, 3, [8, 6, 7, 2, 5, 4, 3, 0, 1])
    with pytest.raises(LimitReached, match="node limit"):
        puzzle.distance(tables="4-4", limit=Limit(nodes=10))
    with pytest.raises(LimitReached, match="memory limit"):
        puzzle.distance(tables="4-4", limit=Limit(memory=10))
    seen: list[float] = []
    puzzle.distance(tables="4-4", progress=lambda now: seen.append(now.fraction))
    assert seen
    assert max(seen) == 1.0


def test_sizes_that_do_not_fit() -> None:
    with pytest.raises(UnsupportedError, match="at most 26 cells"):
        NPuzzle(6, 6, [*range(1, 35), 0, 35]).distance(tables="5-5-5-5-5-5-5")
    with pytest.raises(UnsupportedError, match="at most 16 cells"):
        NPuzzle(6, 6, [*range(1, 35), 0, 35]).distance(tables="walking-distance")
    with pytest.raises(UnsupportedError, match="rectangles"):
        NPuzzle(3, 3, [1, 2, 3, 4, 5, 6, 0, 7], walls=[(1, 1)]).distance(tables="walking-distance")


def test_large_board_close_to_its_goal() -> None:
    tiles = [*range(1, 64), 0]
    tiles[62:], tiles[54:56] = [0, 63], [55, 56]
    tiles[62], tiles[54] = 55, 0
    puzzle = NPuzzle(8, 8, tiles)
    assert puzzle.distance() == 2
    assert NPuzzle(5, 5, [*range(1, 24), 0, 24]).distance(tables="manhattan") == 1


def test_conflicts_are_counted_apart() -> None:
    """A reported fault of another program: 2 1 4 3 holds two independent conflicts."""
    puzzle = NPuzzle(4, 4, [2, 1, 4, 3, *range(5, 16), 0])
    assert LineSearch(puzzle._instance, "manhattan", Run()).value() == 4 + 4


# distance tables


def test_distance_tables_of_small_boards() -> None:
    facts = json.loads((DATA / "npuzzle_gods_numbers.json").read_text())
    boards = ["2x2", "2x3"] if JIT_DISABLED else ["2x2", "2x3", "2x4", "3x3", "2x5"]
    for name in boards:
        rows, cols = map(int, name.split("x"))
        table = NPuzzle(rows, cols, [*range(1, rows * cols), 0]).distance_table()
        found = [table.longest, table.histogram[-1], sum(table.histogram)]
        assert found == facts["verified_own_bfs"][name]
        if name in ("2x4", "3x3"):
            assert list(table.histogram) == facts[f"{name}_histogram"]
        hardest = table.hardest()
        assert len(set(hardest)) == found[1]
        for puzzle in hardest:
            assert table.distance(puzzle.tiles) == found[0]
            assert puzzle.is_solvable()


def test_distance_tables_are_values() -> None:
    puzzle = NPuzzle(2, 3, [1, 2, 3, 4, 5, 0])
    table = puzzle.distance_table()
    for again in (pickle.loads(pickle.dumps(table)), copy.deepcopy(table), puzzle.distance_table()):
        assert again == table
        assert hash(again) == hash(table)
        assert again.histogram == table.histogram
        assert again.hardest() == table.hardest()
        assert again.distance([5, 4, 3, 2, 1, 0]) == table.distance([5, 4, 3, 2, 1, 0])
    assert eval(repr(table), {"NPuzzle": NPuzzle}) == table
    with pytest.raises(AttributeError):
        table.histogram = ()
    with pytest.raises(InputError, match=r"1\.0 \(a float\)"):
        table.distance([1.0, 2, 3, 4, 5, 0])  # type: ignore[list-item]  # wrong on purpose
    assert table.hardest(0) == []
    with pytest.raises(LimitReached) as caught:
        NPuzzle(3, 3, [*range(1, 9), 0]).distance_table(limit=Limit(nodes=100))
    histogram = caught.value.partial.value
    assert isinstance(histogram, tuple)
    assert histogram[:3] == (1, 2, 4)


def test_distance_table_of_every_goal_cell_and_walls() -> None:
    for home in range(6):
        goal = [*range(1, home + 1), 0, *range(home + 1, 6)]
        table = NPuzzle(2, 3, goal, goal=goal).distance_table()
        far = distances(rectangle_graph(2, 3), tuple(goal))
        assert all(table.distance(state) == steps for state, steps in far.items())
        unreached = [goal[1], goal[0], *goal[2:]] if home > 1 else [*goal[:4], goal[5], goal[4]]
        assert table.distance(unreached) is None
    walled = NPuzzle(3, 3, [1, 2, 3, 4, 5, 6, 7, 0], walls=[(1, 1)]).distance_table()
    assert sum(walled.histogram) == 8 * 7  # a cycle only turns
    with pytest.raises(InputError, match="expected the tiles"):
        walled.distance([1, 2, 3])
    with pytest.raises(UnsupportedError):
        NPuzzle(4, 4, [*range(1, 16), 0]).distance_table()
    with pytest.raises(LimitReached):
        NPuzzle(3, 3, [*range(1, 9), 0]).distance_table(limit=Limit(memory=1000))


@compiled
@pytest.mark.slow
def test_complete_table_of_the_three_by_four() -> None:
    table = NPuzzle(3, 4, [*range(1, 12), 0]).distance_table()
    assert (table.longest, table.histogram[-1], sum(table.histogram)) == (53, 18, 239500800)


# anytime


@compiled
def test_weighted_search_keeps_its_promise() -> None:
    (tiles, length), *_ = FEW.items()
    puzzle = NPuzzle(4, 4, tiles, goal=range(16))
    for weight in (Fraction(3), Fraction(3, 2), Fraction(1)):
        estimate = guide(puzzle._instance, "5-5-5")
        search = DeepeningSearch(puzzle._instance, estimate, Run(), weight=weight)
        Run().drive(search)
        assert length <= search.length <= weight * length
        assert search.bound() <= length
        assert len(search.route()) == search.length


@compiled
def test_weighted_search_of_a_larger_board_keeps_its_promise() -> None:
    tiles = [*range(1, 36), 0]
    for blank, cell in pairwise([35, 34, 28, 22, 23, 29, 28, 27, 33, 34]):
        tiles[blank], tiles[cell] = tiles[cell], 0
    puzzle = NPuzzle(6, 6, tiles)
    shortest = puzzle.distance()
    assert shortest is not None
    for weight in (Fraction(3), Fraction(1)):
        search = WeightedSearch(puzzle._instance, weight, 100, 10_000_000)
        Run().drive(search)
        route = search.route()
        assert route is not None
        assert shortest <= len(route) <= weight * shortest
    none = WeightedSearch(puzzle._instance, Fraction(1), shortest, 10_000_000)
    Run().drive(none)
    assert none.route() is None


@compiled
def test_cut_short_calls_leave_one_kind_of_value() -> None:
    """The bound proved so far, from the walking distances on; for a count, what was counted."""
    tiles = next(iter(FEW))
    puzzle = NPuzzle(4, 4, tiles, goal=range(16))
    bounds: list[int] = []
    for nodes in (1, 1_000_000, 12_100_000):  # before, while and after tables are built
        for call in (puzzle.distance, partial(puzzle.solve, optimal=True)):
            with pytest.raises(LimitReached) as caught:
                call(tables="6-6-3", limit=Limit(nodes=nodes))
            bound = caught.value.partial.value
            assert isinstance(bound, int)
            bounds.append(bound)
        with pytest.raises(LimitReached) as caught:
            puzzle.count_shortest(tables="6-6-3", limit=Limit(nodes=nodes))
        assert caught.value.partial.value == 0
    assert bounds[0] == bounds[1] == 35
    assert max(bounds) <= FEW[tiles]


@compiled
def test_improvements_end_with_a_shortest_plan() -> None:
    (tiles, length), *_ = FEW.items()
    found = list(NPuzzle(4, 4, tiles, goal=range(16)).improvements())
    assert [len(one.plan) for one in found] == sorted(len(one.plan) for one in found)[::-1]
    assert all(one.lower_bound <= length for one in found)
    assert (len(found[-1].plan), found[-1].ratio) == (length, 1.0)
    for one in found:
        one.plan.verify()
    assert list(NPuzzle(2, 2, [2, 1, 3, 0]).improvements()) == []


@compiled
def test_improvements_of_a_larger_board_stop_at_their_limit() -> None:
    tiles = np.random.default_rng(5).permutation(36).tolist()
    if not NPuzzle(6, 6, tiles).is_solvable():
        place = [tiles.index(1), tiles.index(2)]
        tiles[place[0]], tiles[place[1]] = 2, 1
    found = list(NPuzzle(6, 6, tiles).improvements(limit=Limit(nodes=200_000)))
    assert found
    for one in found:
        one.plan.verify()
        assert one.ratio >= 1.0
