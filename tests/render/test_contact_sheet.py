"""The contact sheet of the documentation: every kind of picture, in every output."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

from gridkit.render.drawable import Drawable
from gridkit.render.svg import THEMES

FILE = Path(__file__).parents[2] / "docs" / "contact_sheet.py"


def contact_sheet() -> ModuleType:
    spec = importlib.util.spec_from_file_location("contact_sheet", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SHEET = contact_sheet()
KINDS: dict[str, Callable[[], Drawable]] = dict(SHEET.kinds())


@pytest.mark.parametrize("caption", KINDS)
def test_every_kind_is_drawn_in_all_ways(caption: str) -> None:
    value = KINDS[caption]()
    for theme in THEMES:
        ElementTree.fromstring(value.to_svg(theme=theme))
    assert value.to_svg() == value._repr_svg_() == value._repr_html_()
    assert value.to_tikz().endswith("\\end{tikzpicture}")
    if not caption.startswith(("Box", "Polycube", "StateSpace", "Tiling of a box")):
        assert "─" in value.to_terminal()


def test_the_sheet_is_one_picture() -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="5"></svg>'
    root = ElementTree.fromstring(SHEET.sheet([("a < b", svg)] * 7, columns=3))
    assert len(list(root)) == 14
    assert int(root.get("width", "0")) < int(root.get("height", "0")) * 1.5
