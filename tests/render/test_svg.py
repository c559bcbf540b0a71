"""SVG pictures: well-formed, escaped, legible, of the right size, light and dark."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridkit as gk
from gridkit.errors import InputError
from gridkit.render.geometry import chained
from gridkit.render.palette import HUES, ROLES, contrast
from gridkit.render.scene import Label, Line, Scene, grid_scene
from gridkit.render.svg import scene_svg

SVG = "{http://www.w3.org/2000/svg}"
# What XML can hold: no control characters, no surrogates.
TEXTS = st.text(st.characters(min_codepoint=32, exclude_categories=["Cs", "Cc"]), max_size=8)


def every_kind() -> Scene:
    """Return a scene of all roles and hues, with a label on each, and an arrow."""
    hues = grid_scene([list(range(len(HUES)))], [[str(hue) for hue in range(len(HUES))]])
    rest = grid_scene([[None, -1]], [["a", "b"]]).moved(0, 2)
    return Scene((*hues.cells, *rest.cells), (*hues.labels, *rest.labels), (Line(((0, 5), (3, 5)),
        arrow=True),))  # fmt: skip


def fills_and_inks(svg: str) -> list[tuple[str, str]]:
    """Return the ink of each label and the colour of the cell under its middle."""
    root = ElementTree.fromstring(svg)
    cells = []
    for path in root.iter(f"{SVG}path"):
        fill = path.get("fill", "none")
        for x, y, width, height in re.findall(
            r"M([-\d.]+) ([-\d.]+)h([-\d.]+)v([-\d.]+)h[-\d.]+z", path.get("d", "")
        ):
            if fill != "none":
                cells.append((float(x), float(y), float(width), float(height), fill))
    pairs = []
    for group in root.iter(f"{SVG}g"):
        for text in group:
            x, y = float(text.get("x", "0")), float(text.get("y", "0")) - 3
            for left, top, width, height, fill in cells:
                if left < x < left + width and top < y < top + height:
                    pairs.append((group.get("fill", ""), fill))
    return pairs


@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
def test_labels_are_legible(theme: str) -> None:
    pairs = fills_and_inks(scene_svg(every_kind(), theme=theme))  # type: ignore[arg-type]  # one of the themes
    assert len(pairs) == len(HUES) + 2
    assert all(contrast(ink, fill) >= 4.5 for ink, fill in pairs)


@given(TEXTS, TEXTS)
def test_texts_are_escaped(title: str, label: str) -> None:
    scene = Scene((), (Label(label, 0, 0),), title=title)
    root = ElementTree.fromstring(scene_svg(scene))
    assert root.findtext(f"{SVG}title", "") == title
    texts = [text.text or "" for text in root.iter(f"{SVG}text")]
    assert texts == [label]


def test_borders_are_drawn_as_scenes_say() -> None:
    scene = grid_scene([[0, 0], [1, None]])
    outer, inner = scene.borders()
    root = ElementTree.fromstring(scene_svg(scene, cell_size=10))
    strokes = [path for path in root.iter(f"{SVG}path") if path.get("stroke")]
    thin, thick = sorted(strokes, key=lambda path: float(path.get("stroke-width", "0")))
    assert len(re.findall("[hv]", thick.get("d", ""))) == sum(
        len(line) - 1 for line in chained(outer)
    )
    assert len(re.findall("[hv]", thin.get("d", ""))) == len(inner) == 1


def test_themes() -> None:
    scene = grid_scene([[None, -1]])
    light, dark = scene_svg(scene, theme="light"), scene_svg(scene, theme="dark")
    assert "<style" not in light + dark
    assert ROLES["ink"][0] in light
    assert ROLES["ink"][1] in dark
    auto = scene_svg(scene)
    assert re.sub(r'class="\w+" |<style>.*</style>', "", auto.replace('class="gk" ', "")) == (
        light.replace('class="gk" ', "")
    )
    assert "prefers-color-scheme:dark" in auto
    assert auto.index("@supports") < auto.index("var(")  # viewers without variables skip them all
    with pytest.raises(InputError, match="theme must be one of auto, light, dark, got 'grey'"):
        scene_svg(scene, theme="grey")  # type: ignore[arg-type]  # what a caller may try


def test_colours_are_those_of_svg_1() -> None:
    svg = scene_svg(every_kind()) + scene_svg(grid_scene([[0, 0]]))
    assert not re.search(r'"#[0-9a-f]{4}"|"#[0-9a-f]{8}"', svg)
    assert "stroke-opacity" in svg


@pytest.mark.parametrize("size", [-5, 0, 1001, "a", 2.5, None, True])
def test_sizes_that_are_none(size: object) -> None:
    for value in (
        gk.Board(1, 1),
        gk.Box(1, 1, 1),
        gk.Polyomino([(0, 0)]),
        gk.Polycube([(0, 0, 0)]),
    ):
        for draw in (value.to_svg, value.to_tikz):
            with pytest.raises(InputError, match="cell_size must be an int from 1 to 1000, got"):
                draw(cell_size=size)  # type: ignore[arg-type]  # what a caller may try


@given(st.integers(1, 6), st.integers(1, 6), st.integers(1, 200))
def test_sizes(rows: int, cols: int, size: int) -> None:
    root = ElementTree.fromstring(gk.Board(rows, cols).to_svg(cell_size=size))
    margin = 2 * max(1, round(0.09 * size, 1))
    assert float(root.get("width", "0")) == pytest.approx(cols * size + margin, abs=0.1)
    assert float(root.get("height", "0")) == pytest.approx(rows * size + margin, abs=0.1)
    left, top, width, height = map(float, root.get("viewBox", "").split())
    assert (width, height) == (float(root.get("width", "0")), float(root.get("height", "0")))
    assert left == top == pytest.approx(-margin / 2, abs=0.1)


def test_integers_of_numpy_are_sizes() -> None:
    assert 'width="12"' in gk.Board(1, 1).to_svg(cell_size=np.int64(10))  # type: ignore[arg-type]  # numpy's integers are read as ints
