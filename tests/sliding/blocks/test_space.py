"""State spaces, the generator and the command."""

from __future__ import annotations

import json
import pickle
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from gridkit.cli import main
from gridkit.errors import GridkitError, InputError, LimitReached
from gridkit.run import Limit
from gridkit.run.jit import JIT_DISABLED
from gridkit.sliding.blocks.compiled import eccentricity
from gridkit.sliding.blocks.generate import generate, generate_rush_hour, random_start
from gridkit.sliding.blocks.kernels import graph as search_graph
from gridkit.sliding.blocks.puzzle import SlidingPuzzle
from gridkit.sliding.blocks.rules import METRICS, BlockMetric
from gridkit.sliding.blocks.space import StateSpace
from sliding.blocks.test_search import KLOTSKI, needs_jit, puzzles
from twins.sliding import space_facts

DATA = json.loads((Path(__file__).parents[2] / "data/sliding/positions.json").read_text("utf-8"))


@settings(max_examples=10 if JIT_DISABLED else 60)
@given(puzzles())
def test_facts_agree_with_the_twin(puzzle: SlidingPuzzle) -> None:
    for metric in METRICS:
        space = puzzle.explore(metric=metric)
        if space.states > 60:
            return  # the twin searches from every state
        for name, value in space_facts(puzzle, metric).items():
            assert getattr(space, name) == value, (metric, name)
        assert sum(space.histogram()) <= space.states


@needs_jit
@pytest.mark.parametrize(
    ("metric", "facts"),
    [
        ("step", (25955, 964, 83896, 116, 167, 190, 114, 126, 4)),
        ("slide", (25955, 964, 88846, 90, 133, 156, 90, 101, 2)),
        ("move", (25955, 964, 94302, 81, 124, 145, 83, 93, 2)),
    ],
)
def test_classic_space(metric: BlockMetric, facts: tuple[int, ...]) -> None:
    space = SlidingPuzzle.parse(KLOTSKI, goal={"B": (3, 1)}).explore(metric=metric)
    hardest = space.hardest()
    assert facts == (
        space.states, space.goal_states, space.edges, space.distance, space.eccentricity,
        space.diameter, space.radius, space.hardest_distance, len(hardest),
    )  # fmt: skip
    plan = hardest[0].solve(metric=metric)
    assert plan is not None
    assert len(plan) == space.hardest_distance


@needs_jit
def test_component_sizes() -> None:
    for position in DATA["positions"]:
        if position["states"]:
            goal = {name: (cell[0], cell[1]) for name, cell in position["goal"].items()}
            # Named blocks of a shape that others share are kept apart, so only single ones count.
            puzzle = SlidingPuzzle.parse(
                "\n".join(position["grid"]), goal=goal, interchangeable="all"
            )
            assert puzzle.explore(diameter=False).states == position["states"]
    for row in DATA["rush_hour"][:3]:
        space = SlidingPuzzle.parse_rush_hour(row["text"]).explore(metric="slide", diameter=False)
        assert (space.states, space.distance) == (row["states"], row["slide"])
        assert space.diameter is space.radius is None


def test_numbers_of_solutions_beyond_64_bits() -> None:
    # Blocks in corridors of their own: their moves interleave in a multinomial number of ways.
    rows = ["A....", "#####", "B....", "#####", "C...."]
    goal = {"A": (0, 4), "B": (2, 4), "C": (4, 4)}
    puzzle = SlidingPuzzle.parse("\n".join(rows), goal=goal)
    space = puzzle.explore()
    assert space.solutions == 34650  # 12! / (4!)^3
    assert (space.states, space.distance, space.diameter, space.radius) == (125, 12, 12, 6)


@pytest.mark.parametrize(("trial", "sources"), [(16, 512), (1, 5), (1, 70)])
def test_extremes_of_graphs(trial: int, sources: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eccentricity, "_TRIAL", trial)
    monkeypatch.setattr(eccentricity, "_PART", 1 if trial == 1 else 4)  # 1: at once
    monkeypatch.setattr(eccentricity, "_SOURCES", sources)
    chance = random.Random(trial + sources)
    for size in (1, 2, 30, 40) if JIT_DISABLED else (1, 2, 40, 150, 300):
        near: list[set[int]] = [set() for _ in range(size)]
        pairs = [(at, chance.randrange(max(0, at - 3), at)) for at in range(1, size)]
        pairs += [(at, chance.randrange(at)) for at in range(max(1, size // 2), size, 20)]
        for left, right in pairs:
            near[left].add(right)
            near[right].add(left)
        spans = [max(graph_distances(near, at)) for at in range(size)]
        targets = np.array([other for own in near for other in sorted(own)], dtype=np.int32)
        offsets = np.cumsum([0, *map(len, near)])
        work = eccentricity.Extremes(offsets, targets)
        while not work.advance(37):
            pass
        assert (work.diameter, work.radius) == (max(spans), min(spans))
        assert work.memory() >= 16 * size
        assert work.searched >= size


def graph_distances(near: list[set[int]], source: int) -> list[int]:
    distance = {source: 0}
    queue = [source]
    for at in queue:
        for reached in near[at] - distance.keys():
            distance[reached] = distance[at] + 1
            queue.append(reached)
    return list(distance.values())


def test_exact_count_takes_over(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = SlidingPuzzle.parse("A...\n....\n....\n....", goal={"A": (3, 3)})
    assert puzzle.explore().solutions == 20
    monkeypatch.setattr(search_graph, "count_ways", lambda *arguments: search_graph.OVERFLOW)
    assert puzzle.explore().solutions == 20


def test_a_goal_out_of_reach() -> None:
    space = SlidingPuzzle.parse("A.#.", goal={"A": (0, 3)}).explore()
    assert (space.states, space.goal_states, space.distance, space.solutions) == (2, 0, None, 0)
    assert space.hardest_distance is None
    assert space.hardest() == ()


def test_hardest_and_at_distance() -> None:
    puzzle = SlidingPuzzle.parse("A..\nB..", goal={"A": (0, 2)})
    space = puzzle.explore(metric="step")
    assert isinstance(space, StateSpace)
    for distance, count in enumerate(space.histogram()):
        starts = list(space.at_distance(distance))
        assert len(starts) == count
        for start in starts:
            plan = start.solve(metric="step")
            assert plan is not None
            assert len(plan) == distance
    assert puzzle.hardest(metric="step") == space.hardest()


def test_networkx_graph() -> None:
    networkx = pytest.importorskip("networkx")
    puzzle = SlidingPuzzle.parse("A..\nB..", goal={"A": (0, 2)})
    graph = puzzle.to_networkx(metric="step")
    space = puzzle.explore(metric="step")
    assert len(graph) == space.states
    assert 2 * graph.number_of_edges() == space.edges
    assert networkx.diameter(graph) == space.diameter
    assert networkx.radius(graph) == space.radius
    assert sum(goal for _, goal in graph.nodes(data="goal")) == space.goal_states
    with pytest.raises(LimitReached, match="more than 5 states"):
        puzzle.to_networkx(max_states=5)
    with pytest.raises(InputError, match="max_states"):
        puzzle.to_networkx(max_states=0)


@pytest.mark.parametrize("axes", [{}, {"A": "horizontal", "B": "horizontal", "C": "vertical"}])
def test_resumed_explorations_come_to_the_same_end(axes: dict[str, str]) -> None:
    puzzle = SlidingPuzzle.parse("A.C\nB..\n...", goal={"A": (0, 2), "C": (2, 2)}, axes=axes)
    whole = puzzle.explore(metric="slide")
    token, calls = None, 0
    while True:
        try:
            calls += 1
            space = puzzle.explore(metric="slide", limit=Limit(nodes=20), resume=token)
            break
        except LimitReached as reached:
            token = pickle.loads(pickle.dumps(reached.token))
    assert calls > 5
    assert replace(space, seconds=0) == replace(whole, seconds=0)
    assert space.histogram() == whole.histogram()


def test_explore_options() -> None:
    puzzle = SlidingPuzzle.parse(KLOTSKI, goal={"B": (3, 1)})
    with pytest.raises(InputError, match="a single metric"):
        puzzle.explore(metric=("step", "slide"))  # type: ignore[arg-type]  # what is tested
    with pytest.raises(LimitReached, match="node limit"):
        puzzle.explore(limit=Limit(nodes=50))


def test_random_start_has_the_wanted_length_and_follows_its_seed() -> None:
    puzzle = SlidingPuzzle.parse("AB.\nC..", goal={"A": (1, 2)})
    for seed in range(5):
        start = random_start(puzzle, (2, 4), metric="move", rng=seed)
        assert start is not None
        assert start == random_start(puzzle, (2, 4), metric="move", rng=seed)
        plan = start.solve(metric="move")
        assert plan is not None
        assert 2 <= len(plan) <= 4
    assert random_start(puzzle, 500, rng=0) is None


@needs_jit
def test_generators() -> None:
    chance = random.Random(5)
    square, domino = [(0, 0)], [(0, 0), (0, 1)]
    for _ in range(3):
        seed = chance.randrange(1000)
        puzzle = generate(3, 4, [domino, domino, square, square, square], (2, 2), (5, 9), rng=seed)
        assert puzzle is not None
        assert puzzle == generate(
            3, 4, [domino, domino, square, square, square], (2, 2), (5, 9), rng=seed
        )
        plan = puzzle.solve(metric="move")
        assert plan is not None
        assert 5 <= len(plan) <= 9
        car = generate_rush_hour((8, 20), cars=6, trucks=3, rng=seed)
        assert car is not None
        plan = car.solve(metric="slide")
        assert plan is not None
        assert 8 <= len(plan) <= 20
    assert generate(1, 3, [square], (0, 2), 99, rng=0) is None


def test_generator_refuses_nonsense() -> None:
    with pytest.raises(InputError, match="cover more than"):
        generate(1, 1, [[(0, 0), (0, 1)]], (0, 0), 1, rng=0)
    with pytest.raises(InputError, match="1 to"):
        generate(1, 1, [], (0, 0), 1, rng=0)
    with pytest.raises(InputError, match="different cells"):
        generate(1, 1, [[(0, 0), (0, 0)]], (0, 0), 1, rng=0)
    with pytest.raises(InputError, match=r"length \(or its bounds\) must be"):
        generate(1, 2, [[(0, 0)]], (0, 0), -1, rng=0)
    with pytest.raises(InputError, match="rng must be"):
        generate_rush_hour(3, rng="x")  # type: ignore[arg-type]  # what is tested
    with pytest.raises(InputError, match="cars must be"):
        generate_rush_hour(3, cars=-1, rng=1)
    with pytest.raises(GridkitError, match="leaves the"):
        generate(1, 2, [[(0, 0)]], (0, 5), 1, rng=0)


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "puzzle.txt"
    file.write_text("AAB\n...\n...\n\n...\n...\n.AA\n", encoding="utf-8")
    assert main(["slide", str(file), "--metric", "move"]) == 0
    assert capsys.readouterr().out == "3 steps, 2 slides, 1 moves\nA 0,0-2,1\n"
    page = tmp_path / "page.html"
    assert main(["slide", str(file), "--metric", "slide,step", "--html", str(page)]) == 0
    assert capsys.readouterr().out.startswith("3 steps, 2 slides")
    assert page.read_text("utf-8").startswith("<!")
    assert main(["slide", str(file), "--all-metrics"]) == 0
    assert capsys.readouterr().out == "step 3\nslide 2\nmove 1\n"
    file.write_text("A#.\n\n.#A\n", encoding="utf-8")
    assert main(["slide", str(file)]) == 1
    assert capsys.readouterr().out == "no solution\n"
    file.write_text("." * 12 + "AA" + "." * 22, encoding="utf-8")
    assert main(["slide", str(file), "--metric", "slide"]) == 0
    assert capsys.readouterr().out == "4 steps, 1 slides, 1 moves\nA 2,0-2,4\n"
    for text, options in (("", []), ("A.", []), ("A.\n\n.A", ["--metric", "hop"])):
        file.write_text(text, encoding="utf-8")
        assert main(["slide", str(file), *options]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err.startswith("gridkit: ")
    file.write_text("\n".join([KLOTSKI, "", *["...."] * 3, ".BB.", ".BB."]), encoding="utf-8")
    assert main(["slide", str(file), "--seconds", "0"]) == 3
