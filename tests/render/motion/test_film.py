"""Films as plain data: outlines, poses, films cut down to fewer moves, SVG and page around them."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridkit.render.motion.animated import animated_svg, seconds_of
from gridkit.render.motion.drawing import short
from gridkit.render.motion.film import (
    SUNK,
    Change,
    Film,
    Sprite,
    Stage,
    block,
    joined,
    outlines,
    poses,
)
from gridkit.render.motion.player import player_page

SVG = "{http://www.w3.org/2000/svg}"
CELLS = st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1)


def line(length: int, moves: int) -> Film:
    """A square that goes to and fro on a row of cells."""
    stage = Stage(1, length, [["open"] * length], [block([(0, 0)], "A", 0, (0, 0))])
    places = [
        abs((number + length - 1) % (2 * length - 2) - length + 1) for number in range(moves + 1)
    ]
    shown = [[Change(0, ((float(place), 0.0),))] for place in places[1:]]
    return Film(stage, shown, [f"to {place}" for place in places[1:]], "steps")


@given(cells=CELLS)
def test_outlines_enclose_the_cells(cells: set[tuple[int, int]]) -> None:
    """The area inside the loops, by the shoelace formula, is the number of cells."""
    loops = outlines(cells, 0)
    area = 0.0
    for loop in loops:
        for (x0, y0), (x1, y1) in zip(loop, (*loop[1:], loop[0]), strict=True):
            assert (x0 == x1) != (y0 == y1)  # sides run along the axes, and corners turn
            area += (x0 * y1 - x1 * y0) / 2
    assert area == len(cells)


@given(cells=CELLS)
def test_outlines_with_a_gap_lie_within(cells: set[tuple[int, int]]) -> None:
    for loop in outlines(cells, 0.1):
        for x, y in loop:
            assert (int(y), int(x)) in cells
            assert min(x % 1, y % 1) == pytest.approx(0.1) or max(x % 1, y % 1) == pytest.approx(
                0.9
            )


def test_cells_that_touch_by_a_corner_have_loops_of_their_own() -> None:
    assert len(outlines([(0, 0), (1, 1)])) == 2
    ring = [(row, col) for row in range(3) for col in range(3) if (row, col) != (1, 1)]
    assert sorted(map(len, outlines(ring))) == [4, 4]


@pytest.mark.parametrize(
    ("cells", "middle"),
    [
        ([(0, 0), (0, 1)], None),
        ([(0, 0), (1, 0), (1, 1)], (0.5, 1.5)),
        ([(0, 0), (1, 0), (2, 0), (1, 1)], None),
    ],
)
def test_labels_stand_on_the_block(
    cells: list[tuple[int, int]], middle: tuple[float, float] | None
) -> None:
    assert block(cells, "A", 0, (0, 0)).middle == middle


@given(moves=st.integers(1, 40), most=st.integers(1, 40))
def test_joined_films_pass_through_poses_of_the_whole(moves: int, most: int) -> None:
    film = line(5, moves)
    shown = joined(film, most)
    whole = [list(each) for each in poses(film)]
    stride = -(-moves // most)
    assert len(shown.moves) <= most
    assert [list(each) for each in poses(shown)][:-1] == whole[:-1][::stride]
    assert [list(each) for each in poses(shown)][-1] == whole[-1]


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0"), (10, "10"), (0.126, ".13"), (-0.5, "-.5"), (100.0, "100")]
)
def test_short_numbers(value: float, text: str) -> None:
    assert short(value) == text
    assert float(text) == pytest.approx(value, abs=0.005)


def test_an_animated_svg_has_a_time_for_every_value() -> None:
    film = line(4, 9)
    root = ElementTree.fromstring(animated_svg(film, 30, "to & fro"))
    assert root.find(f"{SVG}title").text == "to & fro"  # type: ignore[union-attr]  # it is there
    assert not list(root.iter(f"{SVG}script"))
    animations = list(root.iter(f"{SVG}animateTransform"))
    assert len(animations) == 1
    values = animations[0].attrib["values"].split(";")
    times = list(map(float, animations[0].attrib["keyTimes"].split(";")))
    assert len(values) == len(times) == 20
    assert times == sorted(times)
    assert (times[0], times[-1]) == (0, 1)
    assert values[::2] == [f"{at} 0" for at in (0, 1, 2, 3, 2, 1, 0, 1, 2, 3)]


def test_sprites_turn_and_sink() -> None:
    coin = Sprite((((0, 0), (1, 0), (1, 1), (0, 1)),), "7", 2, 0, 0, turn=0)
    stage = Stage(1, 2, [["open", "#f2a6a0"]], [coin])
    film = Film(stage, [[Change(0, (), 180)], [Change(0, ((1, 0),), SUNK)]], ["turn", "sink"])
    root = ElementTree.fromstring(animated_svg(film, 30, "coin"))
    (turning,) = [
        each for each in root.iter(f"{SVG}animateTransform") if each.get("type") == "rotate"
    ]
    assert turning.attrib["values"] == "0;180"
    (sinking,) = [each for each in root.iter(f"{SVG}animate") if each.get("calcMode") == "discrete"]
    assert sinking.attrib["values"] == "visible;hidden"
    assert 'visibility="hidden"' in animated_svg(film, 30, "coin").rpartition("gm-still")[2]


def test_long_moves_take_longer_to_a_bound() -> None:
    assert seconds_of(0) == seconds_of(1) < seconds_of(3) < seconds_of(8) == seconds_of(80)


def test_the_page_stands_alone_and_escapes_what_it_shows() -> None:
    film = line(3, 4)._replace(captions=["</script><b>", "@title@", "&", "'"])
    page = player_page(film, "A < B", "4 steps & more")
    assert not re.search(r"(src|href)=|url\(|import |fetch\(", page)
    assert "A &lt; B" in page
    assert "4 steps &amp; more" in page
    assert page.count("</script>") == 2
    data = json.loads(re.findall(r'id="film">(.*?)</script>', page)[0])
    assert data["captions"] == ["</script><b>", "@title@", "&", "'"]
    assert data["moves"][0] == [[0, 0, 1.0, 0.0]]


def test_long_films_are_shown_in_fewer_glides() -> None:
    page = player_page(line(5, 12_000), "long", "12000 steps")
    assert "12000 steps · shown in 4000 glides" in page
    assert "steps 1 to 3" in page
    assert len(page) < 250_000
