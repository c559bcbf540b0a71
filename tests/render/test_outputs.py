"""Text with boxes and colours, TikZ, PNG, and the base of what is drawn."""

from __future__ import annotations

import builtins
import re
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridkit as gk
from gridkit.errors import InputError, UnsupportedError
from gridkit.render.boxes import scene_text
from gridkit.render.drawable import Drawable
from gridkit.render.scene import Label, Line, Scene, SceneCell, grid_scene, square
from gridkit.render.tikz import scene_tikz

OWNERS = st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=1, max_size=4)
RIGHT, LEFT, UP, DOWN = "╶┌┬└┴├┼─", "╴┐┬┘┴┤┼─", "╵└┘┴├┤┼│", "╷┌┐┬├┤┼│"


class Dot(Drawable):
    """One cell."""

    def _scene(self) -> Scene:
        return Scene((square(0, 0, 0, 0),), (Label("a&b_%", 0.5, 0.5),))


@given(OWNERS)
def test_boxes_are_borders(owners: list[list[int]]) -> None:
    lines = scene_text(grid_scene(owners)).splitlines()
    rows, cols = len(owners), 4
    lines = [line.ljust(4 * cols + 1) for line in lines]
    assert len(lines) == 2 * rows + 1
    for row in range(rows):
        for col in range(cols + 1):
            beside = {owners[row][at] if 0 <= at < cols else None for at in (col - 1, col)}
            assert (lines[2 * row + 1][4 * col] == "│") == (len(beside) == 2)
    for row in range(rows + 1):
        for col in range(cols):
            beside = {owners[at][col] if 0 <= at < rows else None for at in (row - 1, row)}
            assert (lines[2 * row][4 * col + 2] == "─") == (len(beside) == 2)
    for above, below in pairwise(lines):  # every line goes on
        assert all((a in DOWN) == (b in UP) for a, b in zip(above, below, strict=True))
    for line in lines:
        assert all((a in RIGHT) == (b in LEFT) for a, b in pairwise(line))


def test_colours_of_terminals_change_no_character() -> None:
    scene = grid_scene([[0, 1], [None, -1]]).named({0: "A", 1: "B"})
    plain, coloured = scene_text(scene), scene_text(scene, colours=True)
    assert "\x1b" not in plain
    assert "\x1b[48;2;" in coloured
    bare = re.sub(r"\x1b\[[\d;]*m", "", coloured)
    assert [line.rstrip() for line in bare.splitlines()] == plain.splitlines()
    assert coloured.count("\x1b[0m") == coloured.count("\x1b[48")


def test_characters_draw_squares_only() -> None:
    triangle = Scene((SceneCell(((0, 0), (1, 0), (0, 1))),))
    with pytest.raises(UnsupportedError, match="only pictures made of squares"):
        scene_text(triangle)
    with pytest.raises(InputError, match="colours must be True or False"):
        Dot().to_terminal(colours=1)  # type: ignore[arg-type]  # what a caller may try


def test_tikz_is_balanced_and_escaped() -> None:
    scene = Scene(
        (square(0, 0, 0, 0), square(0, 1, -1, "blocked")),
        (Label("a&b_%#${}~^\\", 0.5, 0.5),),
        (Line(((0, 0), (1, 1)), arrow=True),),
    )
    text = scene_tikz(scene)
    assert text.startswith("\\begin{tikzpicture}")
    assert text.endswith("\\end{tikzpicture}")
    assert text.replace("\\{", "").replace("\\}", "").count("{") == (
        text.replace("\\{", "").replace("\\}", "").count("}")
    )
    assert r"a\&b\_\%\#\$\{\}\textasciitilde{}\textasciicircum{}\textbackslash{}" in text
    used = set(re.findall(r"(?:fill|draw)\[(gk[A-Z]+)", text)) | set(
        re.findall(r"text=(gk[A-Z]+)", text)
    )
    assert used == set(re.findall(r"definecolor\{(gk[A-Z]+)\}", text))


def test_tikz_is_latex(tmp_path: Path) -> None:
    latex = shutil.which("pdflatex")
    if latex is None:
        pytest.skip("no LaTeX is installed")
    scene = grid_scene([[0, 0, -1], [1, None, -1]]).named({0: r"a&b_%#${}~^\\", 1: "→<>"})
    text = f"\\documentclass{{article}}\\usepackage{{tikz}}\\begin{{document}}{scene_tikz(scene)}"
    (tmp_path / "a.tex").write_text(text + "\\end{document}", encoding="utf-8")
    command = [latex, "-interaction=nonstopmode", "-halt-on-error", "a.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    if "tikz.sty' not found" in done.stdout:
        pytest.skip("TikZ is not installed")
    assert done.returncode == 0, done.stdout[-2000:]


def test_drawables_have_every_picture() -> None:
    dot = Dot()
    assert dot._repr_svg_() == dot._repr_html_() == dot.to_svg()
    assert "<style" not in dot.to_svg(theme="light")
    assert dot.to_tikz().count("\\node") == 1
    assert dot.to_terminal().count("─") == 6


def test_png() -> None:
    pytest.importorskip("resvg_py")
    picture = gk.Board.rectangle(2, 3).to_png(cell_size=10, scale=3)
    assert picture.startswith(b"\x89PNG")
    width, height = (int.from_bytes(picture[at : at + 4], "big") for at in (16, 20))
    assert (width, height) == (96, 66)


def test_png_without_the_extra_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    plain_import = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name == "resvg_py":
            raise ImportError(name)
        return plain_import(name, *rest, **more)

    monkeypatch.delitem(sys.modules, "resvg_py", raising=False)
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(UnsupportedError, match=r"pip install 'gridkit\[png\]'"):
        gk.Board.rectangle(1, 1).to_png()


@pytest.mark.parametrize("scale", [0, -1, 101, True, "2", float("nan")])
def test_scales_that_are_none(scale: Any) -> None:
    with pytest.raises(InputError, match="scale must be a number above 0 and at most 100"):
        Dot().to_png(scale=scale)
