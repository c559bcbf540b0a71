"""Pictures of labelled grids."""

from __future__ import annotations

import re

import numpy as np
import pytest

import gridkit as gk
from gridkit.errors import InputError
from gridkit.render.svg import colour, grid_svg


def borders(svg: str) -> int:
    """Return how many sides of cells are drawn as borders."""
    path: str = re.findall(r'<path d="([^"]*)"', svg)[0]
    return path.count("M")


def test_borders_follow_the_owner_not_the_colour() -> None:
    one, two = grid_svg([[0, 0]]), grid_svg([[0, 1]], colours=[colour(0), colour(0)])
    assert (borders(one), borders(two)) == (6, 7)
    assert two.count(colour(0)) == 2


def test_thin_lines_are_transparent_for_every_viewer() -> None:
    svg = grid_svg([[None]])
    assert "stroke-opacity" in svg
    assert not re.search(r'"#[0-9a-f]{4}"|"#[0-9a-f]{8}"', svg)  # CSS 4 only, not SVG 1.1


@pytest.mark.parametrize("size", [-5, 0, 1001, "a", 2.5, None, True])
def test_sizes_that_are_none(size: object) -> None:
    for value in (
        gk.Board(1, 1),
        gk.Box(1, 1, 1),
        gk.Polyomino([(0, 0)]),
        gk.Polycube([(0, 0, 0)]),
    ):
        with pytest.raises(InputError, match="cell_size must be an int from 1 to 1000, got"):
            value.to_svg(cell_size=size)  # type: ignore[arg-type]  # what a caller may try


def test_sizes() -> None:
    assert 'width="12"' in gk.Board(1, 1).to_svg(cell_size=np.int64(10))  # type: ignore[arg-type]  # numpy's integers are read as ints
