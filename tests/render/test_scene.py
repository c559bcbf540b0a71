"""Scenes: borders follow owners, neighbours differ in colour, labels stand inside their piece."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridkit.render.geometry import chained, hatching, label_place
from gridkit.render.layout import joined
from gridkit.render.palette import LEAST_APART, apart
from gridkit.render.scene import Label, Line, Scene, SceneCell, borders, grid_scene, square
from twins.pictures import rows_of, square_borders, unlike_neighbours

PLACES = st.tuples(st.integers(0, 4), st.integers(0, 4))
OWNERS = st.dictionaries(PLACES, st.integers(0, 6), min_size=1)


def scene_of(owners: dict[tuple[int, int], int]) -> Scene:
    return Scene(tuple(square(row, col, owner) for (row, col), owner in owners.items()))


@given(OWNERS)
def test_borders_run_where_the_owner_changes(owners: dict[tuple[int, int], int]) -> None:
    outer, inner = borders(scene_of(owners).cells)
    assert set(outer) == square_borders(owners)
    assert len(set(outer)) == len(outer)
    assert not set(outer) & set(inner)


def test_borders_do_not_look_at_colours() -> None:
    alike = [square(0, 0, "a", 3), square(0, 1, "b", 3)]
    unlike = [square(0, 0, "a", 3), square(0, 1, "a", 4)]
    assert len(borders(alike)[0]) == 7
    assert len(borders(unlike)[0]) == 6


def test_borders_of_hexagons_and_triangles() -> None:
    high = SceneCell(((0, 0), (1, 0), (0.5, 0.866)), "a")
    low = SceneCell(((1, 0), (1.5, 0.866), (0.5, 0.866)), "a")
    outer, inner = borders([high, low])
    assert (len(outer), inner) == (4, [((0.5, 0.866), (1, 0))])


@given(OWNERS)
def test_chained_borders_are_the_borders(owners: dict[tuple[int, int], int]) -> None:
    outer, _ = borders(scene_of(owners).cells)
    sides = []
    for line in chained(outer):
        for (x, y), (a, b) in pairwise(line):
            steps = int(abs(a - x) + abs(b - y))
            across, down = (a - x) / steps, (b - y) / steps
            places = [(x + across * step, y + down * step) for step in range(steps + 1)]
            sides += [tuple(sorted(pair)) for pair in pairwise(places)]
    assert sorted(sides) == sorted(outer)


@given(OWNERS, st.integers(0, 30))
def test_neighbours_never_look_alike(owners: dict[tuple[int, int], int], hue: int) -> None:
    scene = scene_of(owners).coloured(dict.fromkeys(owners.values(), hue))
    fill = {cell.owner: cell.fill for cell in scene.cells}
    for one, two in unlike_neighbours(owners):
        first, second = fill[one], fill[two]
        assert isinstance(first, int)
        assert isinstance(second, int)
        assert apart(first, second) >= LEAST_APART


def test_a_piece_keeps_the_hue_it_prefers_where_it_can() -> None:
    scene = grid_scene([[0, 1, 2]]).coloured({0: 5, 1: 7, 2: 5})
    assert [cell.fill for cell in scene.cells] == [5, 7, 5]


@given(OWNERS)
def test_labels_stand_in_their_pieces(owners: dict[tuple[int, int], int]) -> None:
    names = {owner: str(owner) for owner in owners.values()}
    labels = scene_of(owners).named(names).labels
    assert sorted(label.text for label in labels) == sorted(names.values())
    for label in labels:
        under = {
            owners.get((int(label.y - down), int(label.x - across)))
            for down in (0, 1e-9)
            for across in (0, 1e-9)
        }
        assert under == {int(label.text)}


@pytest.mark.parametrize(
    ("cells", "place"),
    [
        ([(0, 0)], (0.5, 0.5)),
        ([(0, 0), (1, 0)], (0.5, 1)),
        ([(0, 0), (0, 1), (1, 0), (1, 1)], (1, 1)),
        ([(0, 0), (1, 0), (1, 1)], (0.5, 1.5)),
        ([(0, 1), (1, 0), (1, 1), (1, 2), (2, 1)], (1.5, 1.5)),
        ([(0, 0), (0, 2), (1, 0), (1, 1), (1, 2)], (1.5, 1.5)),
    ],
)
def test_label_places(cells: list[tuple[int, int]], place: tuple[float, float]) -> None:
    assert label_place([square(*cell).corners for cell in cells])[0] == pytest.approx(place)


def test_scenes_side_by_side_keep_their_owners_apart() -> None:
    scene = joined([grid_scene([[0]]), grid_scene([[0]])], gap=0)
    assert len(borders(scene.cells)[0]) == 7
    assert len({cell.owner for cell in scene.cells}) == 2


def test_captions_stand_below() -> None:
    scene = joined([grid_scene([[0], [0]])] * 3, columns=2, captions=["a", "b", "c"])
    assert [label.text for label in scene.labels] == ["a", "b", "c"]
    assert scene.labels[0].y > 2
    assert scene.labels[2].y == pytest.approx(scene.labels[0].y + 4)


def test_the_box_holds_labels_and_lines() -> None:
    scene = Scene((), (Label("long", 1, 1, 4),), (Line(((0, 0), (2, 5))),))
    assert scene.box == (-1, 0, 3, 5)
    assert Scene(()).size == (1, 1)


def test_hatching_of_neighbours_meets() -> None:
    first, second = hatching(square(0, 0).corners), hatching(square(0, 1).corners)
    ends = {point for line in first for point in line if point[0] == 1}
    assert ends == {point for line in second for point in line if point[0] == 1}


def test_rows_of_a_mapping() -> None:
    assert rows_of({(0, 1): 5}, 1, 2) == [[None, 5]]
