"""The contact sheet of the documentation: every kind of picture, in every output."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

from gridkit.render.drawable import Drawable
from gridkit.render.palette import ROLES, hex_of
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
    if not caption.startswith(
        ("Box", "Polycube", "StateSpace", "Tiling of a box", "DistanceTable")
    ):
        assert "─" in value.to_terminal()


def test_the_sheet_is_one_picture() -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="5"></svg>'
    root = ElementTree.fromstring(SHEET.sheet([("a < b", svg)] * 7, columns=3))
    assert len(list(root)) == 14
    assert int(root.get("width", "0")) < int(root.get("height", "0")) * 1.5


def test_the_theme_of_the_pages_has_the_colours_of_the_pictures() -> None:
    text = (FILE.parent / "_static" / "pictures.css").read_text(encoding="utf-8")
    for theme in ("light", "dark"):
        own = text.split(f'[data-theme="{theme}"]')[1].partition("}")[0]
        colours = dict(re.findall(r"--gk-([\w-]+): (#[0-9a-f]{6});", own))
        expected = {role: hex_of(role, dark=theme == "dark") for role in ROLES}
        for side in (1, 2):  # of cubes without a piece
            expected[f"open-{side}"] = hex_of("open", side, dark=theme == "dark")
        assert colours == expected
