"""Every public value: compared, hashed, printed, pickled, copied, drawn."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from importlib import import_module

import numpy as np
import pytest

import gridkit as gk
from gridkit.grid import Cube

ELL = gk.Polyomino.parse("#.\n##")
DOMINOES = gk.Tiling(gk.Board.rectangle(2, 3), gk.pieces.domino(), copies=None)
COVER = gk.ExactCover([["a"], ["b", gk.Colored("c", 1)]], secondary=["c"], costs=[1, 2])
SLIDING = gk.SlidingPuzzle.parse("A.\n..\n\n.A\n..")
FIFTEEN = gk.NPuzzle(2, 2, [1, 2, 0, 3])
KINGS = gk.KingsPuzzle([[1, 0, 0], [0, 0, 0]], [[0, 0, 1], [0, 0, 0]])
GAME = gk.StackingGame([[0, 0, 1]], [(0, 0, 0), (0, 2, 1)])


def solved() -> gk.Plan:
    plan = SLIDING.solve()
    assert plan is not None
    return plan


def fifteen() -> gk.Plan:
    plan = FIFTEEN.solve()
    assert plan is not None
    return plan


def kings() -> gk.Plan:
    plan = KINGS.plan()
    assert plan is not None
    return plan


def moves() -> tuple[gk.stacking.Move, ...]:
    trace = GAME.play(trace=True).trace
    assert trace is not None
    return trace


# The public values, each made anew by a call.
VALUES: dict[str, Callable[[], object]] = {
    "Board": lambda: gk.Board.parse(".#\n.."),
    "Box": lambda: gk.Box(1, 2, 2).without([(0, 0, 1)]),
    "Cell": lambda: gk.Cell(1, 2),
    "Colored": lambda: gk.Colored("item", 3),
    "ExactCover": lambda: gk.ExactCover([["a"], ["b"]], ["a", "b"], multiplicity={"a": (0, 2)}),
    "ExactCover with symmetries": lambda: gk.ExactCover([[0], [1]], symmetries=[{0: 1, 1: 0}]),
    "Explanation": lambda: gk.Tiling(gk.Board(1, 3), gk.pieces.domino(), copies=None).explain(),
    "KingsPuzzle": lambda: gk.KingsPuzzle([[1, 0, 0]], [[0, 0, 1]]),
    "Lattice": lambda: gk.Lattice("kites"),
    "Limit": lambda: gk.Limit(nodes=5),
    "Move": lambda: gk.Move("A", gk.Cell(0, 0), gk.Cell(0, 1), ()),
    "NPuzzle": lambda: gk.NPuzzle(2, 3, [1, 2, 3, 4, 0, -1], walls=[(1, 2)]),
    "Partial": lambda: gk.Partial(3, nodes=10),
    "Patch": lambda: gk.Patch("hexagonal", [(0, 0), (1, 0)]),
    "Plan of blocks": lambda: SLIDING.solve(),
    "Plan of kings": lambda: KINGS.plan(),
    "Plan of tiles": lambda: FIFTEEN.solve(),
    "Polycube": lambda: gk.pieces.soma()["A"],
    "Polyform": lambda: gk.Polyform.parse("sticks", "-\n |"),
    "Polyomino": lambda: gk.Polyomino.parse("#.\n##"),
    "Progress": lambda: gk.Progress(1, 2, 0.5, 1.0),
    "SlidingPuzzle": lambda: gk.SlidingPuzzle.parse("AA.#\n\n.AA#"),
    "Solution": lambda: DOMINOES.first(),
    "StackingGame": lambda: gk.StackingGame([[0, 0, 1]], [(0, 0, 0), (0, 2, 1)]),
    "StackingRules": lambda: gk.StackingRules(),
    "Tiling": lambda: gk.Tiling(
        gk.Board(2, 3), [gk.Polyomino.parse("##")], None, optional=[(0, 0)]
    ),
    "cover.Advice": lambda: DOMINOES.advice(),
    "cover.FrontierEstimate": lambda: DOMINOES.advice().estimate,
    "cover.Recurrence": lambda: gk.cover.count_rectangles([ELL], 2, range(30)).recurrence,
    "cover.Cheapest": lambda: COVER.minimum()[0],
    "cover.CoverPicture": lambda: gk.cover.CoverPicture(gk.ExactCover([["a", (0, 0)]]), (0,)),
    "cover.Gallery": lambda: gk.cover.Gallery(DOMINOES.solutions(), columns=2),
    "cover.Hardness": lambda: COVER.hardness(10),
    "cover.RectangleCounts": lambda: gk.cover.count_rectangles([ELL], 2, 6),
    "grid.Cube": lambda: Cube(0, 1, 2),
    "grid.Isometry": lambda: gk.Lattice("hexagonal").point_group[1],
    "grid.Table": lambda: gk.Lattice("kites").table,
    "grid.Rotation": lambda: gk.Box(1, 2, 3).symmetries()[1],
    "sliding.Bounded": lambda: next(iter(FIFTEEN.improvements())),
    "sliding.Position": lambda: next(iter(fifteen().states())),
    "sliding.kings.Placement": lambda: next(iter(kings().states())),
    "sliding.kings.explain": lambda: KINGS.explain(),
    "sliding.explain of tiles": lambda: FIFTEEN.explain(),
    "sliding.distance_table": lambda: FIFTEEN.distance_table(),
    "sliding.RushHourBoards": lambda: gk.sliding.enumerate_rush_hour(2, 3, at_least=1),
    "sliding.RushHourComponent": lambda: gk.sliding.enumerate_rush_hour(2, 3, at_least=1).hardest[
        0
    ],
    "sliding.BlockBoards": lambda: gk.sliding.BlockBoards([[[1, 0, -1]]], {1: (0, 1)}),
    "sliding.TileBoards": lambda: gk.sliding.TileBoards([[[1, 0, 2]]], [0, 1, 2]),
    "sliding.SolvedBoards": lambda: gk.sliding.solve_many(gk.sliding.TileBoards([[[1, 0]]])),
    "sliding.SlidingState": lambda: next(iter(solved().states())),
    "sliding.ShortestPlans": lambda: SLIDING.explore().graph().shortest_plans(),
    "sliding.StateGraph": lambda: SLIDING.explore().graph(),
    "sliding.StateSpace": lambda: SLIDING.explore(),
    "stacking.Move": lambda: moves()[0],
    "stacking.StackingResult": lambda: GAME.play(trace=True),
    "stacking.StackingState": lambda: next(iter(GAME.states(3))),
}
EXPLORED = {
    "sliding.Position",
    "sliding.ShortestPlans",
    "sliding.SolvedBoards",
    "sliding.StateGraph",
    "sliding.StateSpace",
    "sliding.distance_table",
}  # what takes long to make is not spelt out
PICTURES = [
    "Board", "Box", "Explanation", "KingsPuzzle", "NPuzzle", "Patch", "Plan of blocks",
    "Plan of kings", "Plan of tiles", "Polycube", "Polyform", "Polyomino", "SlidingPuzzle",
    "Solution", "StackingGame", "Tiling",
    "cover.CoverPicture", "cover.Gallery", "sliding.StateGraph", "sliding.StateSpace",
    "sliding.distance_table", "stacking.StackingResult",
]  # fmt: skip
PACKAGES = ("cover", "grid", "polyomino", "sliding", "sliding.kings", "stacking")


def public_names(package: str) -> dict[str, object]:
    """Return the names of all public packages, where two offer the same those of `package`."""
    names: dict[str, object] = {"np": np}
    for each in (*PACKAGES, "", package):
        module = import_module(f"gridkit.{each}".rstrip("."))
        names |= {name: getattr(module, name) for name in module.__all__}
    return names


@pytest.mark.parametrize("name", VALUES)
def test_values_are_equal_and_hash_alike_when_made_alike(name: str) -> None:
    one, two = VALUES[name](), VALUES[name]()
    assert one == two
    assert hash(one) == hash(two)


@pytest.mark.parametrize("name", VALUES)
def test_values_pickle_and_copy(name: str) -> None:
    value = VALUES[name]()
    for again in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value), copy.copy(value)):
        assert type(again) is type(value)
        assert again == value
        assert hash(again) == hash(value)
        assert repr(again) == repr(value)


@pytest.mark.parametrize("name", sorted(VALUES.keys() - EXPLORED))
def test_values_are_what_their_repr_says(name: str) -> None:
    value = VALUES[name]()
    assert eval(repr(value), public_names(name.rpartition(".")[0])) == value


@pytest.mark.parametrize("name", VALUES)
def test_values_cannot_be_changed(name: str) -> None:
    value = VALUES[name]()
    for attribute in [each for each in dir(value) if not each.startswith("_")]:
        with pytest.raises((AttributeError, TypeError)):
            setattr(value, attribute, None)


@pytest.mark.parametrize("name", PICTURES)
def test_values_are_drawn(name: str) -> None:
    value = VALUES[name]()
    for size in (-5, "a", 2.5):
        with pytest.raises(gk.InputError, match="cell_size must be an int from 1 to 1000"):
            value.to_svg(cell_size=size)  # type: ignore[attr-defined]  # what is drawn has it
    small, large = (value.to_svg(cell_size=size) for size in (10, 20))  # type: ignore[attr-defined]
    assert small.startswith("<svg")
    assert small != large
    assert value._repr_svg_() == value.to_svg()  # type: ignore[attr-defined]
    assert "<svg" in value._repr_html_()  # type: ignore[attr-defined]
