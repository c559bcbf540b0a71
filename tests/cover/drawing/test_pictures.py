"""Pictures of the cover wing: tilings and their problems, galleries, chosen options."""

from __future__ import annotations

import pytest

import gridkit as gk
from gridkit.cover import CoverPicture, Gallery
from gridkit.errors import InputError
from gridkit.render.palette import LEAST_APART, apart

DOMINOES = gk.Tiling(gk.Board.rectangle(4, 4), gk.pieces.domino(), copies=None)
SOMA = gk.Tiling(gk.Box(3, 3, 3), gk.pieces.soma())


def solution_of(tiling: gk.Tiling) -> gk.cover.Solution:
    solution = tiling.first()
    assert solution is not None
    return solution


def test_a_gallery_folds_symmetric_copies() -> None:
    gallery = Gallery(DOMINOES.solutions())
    assert len(gallery.shown) == DOMINOES.count(up_to_symmetry=True) == 9
    assert sum(copies for _, copies in gallery.shown) == DOMINOES.count() == 36
    assert gallery.to_svg().count(">×") == 9
    unfolded = Gallery(DOMINOES.solutions(), columns=6, fold=False)
    assert len(unfolded.shown) == 36
    assert ">×" not in unfolded.to_svg()
    assert unfolded._scene().size == (6 * 4 + 5, 6 * 4 + 5)


def test_a_gallery_of_a_box_folds_by_rotations() -> None:
    tiling = gk.Tiling(gk.Box(2, 2, 2), [gk.Polycube([(0, 0, 0), (0, 0, 1)])], copies=None)
    gallery = Gallery(tiling.solutions())
    assert len(gallery.shown) == tiling.count(up_to_symmetry=True)
    assert "layer 1" in gallery.to_svg()


def test_what_is_no_gallery() -> None:
    other = gk.Tiling(gk.Board.rectangle(2, 2), gk.pieces.domino(), copies=None)
    for solutions, message in (
        ([], "expected at least one solution, got none"),
        (5, "expected solutions, got 5"),
        ([1], "expected solutions, got int"),
        ([solution_of(DOMINOES), solution_of(other)], "expected solutions of one problem"),
    ):
        with pytest.raises(InputError, match=message):
            Gallery(solutions)  # type: ignore[arg-type]  # what a caller may try
    with pytest.raises(InputError, match="columns must be an int >= 1, got 0"):
        Gallery([solution_of(DOMINOES)], columns=0)


def test_touching_pieces_of_a_box_do_not_look_alike() -> None:
    solution = solution_of(SOMA)
    fills = {cell.owner: cell.fill for cell in solution._flat_scene().cells}
    hues = [fill for fill in fills.values() if isinstance(fill, int)]
    assert len(set(hues)) == 7
    assert min(apart(a, b) for a in set(hues) for b in set(hues) if a != b) >= LEAST_APART
    assert "layer 0" in solution.to_terminal()


def test_a_problem_shows_its_pieces() -> None:
    svg = gk.Tiling(gk.Board.rectangle(3, 4), {"L": gk.Polyomino.parse("#.\n##")}, 4).to_svg()
    assert ">L ×4<" in svg
    assert ">any number<" in DOMINOES.to_svg() or ">I any number<" in DOMINOES.to_svg()
    some = gk.Tiling(gk.Board.rectangle(1, 4), [gk.Polyomino.parse("##")], [(1, 2)])
    assert ">×1 to 2<" in some.to_svg()
    assert ">×1+<" in gk.Tiling(some.region, some.pieces, [(1, None)]).to_svg()
    assert ">P<" in SOMA.to_svg()


def test_a_sudoku_has_its_digits_and_boxes() -> None:
    size, side = 4, 2
    places = [(r, c, n) for r in range(size) for c in range(size) for n in range(1, size + 1)]
    cover = gk.ExactCover(
        [(r, c), ("row", r, n), ("col", c, n), ("box", side * (r // side) + c // side, n)]
        for r, c, n in places
    )
    solution = cover.first()
    assert solution is not None
    lines = CoverPicture(cover, solution).to_terminal().splitlines()
    assert lines[4] == "├───────┼───────┤"
    for number in solution:
        r, c, digit = places[number]
        assert lines[2 * r + 1][4 * c + 2] == str(digit)
    assert CoverPicture(cover, []).to_svg().count("<text") == 0


def test_a_latin_square_without_boxes_is_one_grid() -> None:
    options = [[(r, c), ("row", r, n), ("col", c, n)] for r in (0, 1) for c in (0, 1) for n in "ab"]
    cover = gk.ExactCover(options)
    solution = cover.first()
    assert solution is not None
    assert CoverPicture(cover, solution).to_terminal() in (
        "┌───────┐\n│ a   b │\n│       │\n│ b   a │\n└───────┘",
        "┌───────┐\n│ b   a │\n│       │\n│ a   b │\n└───────┘",
    )


def test_options_of_several_cells_are_pieces() -> None:
    cover = gk.ExactCover([["V", (0, 0), (1, 0), (1, 1)], ["O", (0, 1)]])
    text = CoverPicture(cover, (0, 1)).to_terminal()
    assert text == "┌───┬───┐\n│   │ O │\n│   └───┤\n│ V     │\n└───────┘"


def test_what_has_no_picture() -> None:
    with pytest.raises(InputError, match="no item of the problem is a cell"):
        CoverPicture(gk.ExactCover([["a"]]), (0,))
    cover = gk.ExactCover([[(0, 0)]])
    with pytest.raises(InputError, match="option must be an int from 0 to 0, got 1"):
        CoverPicture(cover, (1,))
    with pytest.raises(InputError, match="expected the numbers of options, got None"):
        CoverPicture(cover, None)  # type: ignore[arg-type]  # what a caller may try
    with pytest.raises(InputError, match="expected an ExactCover, got int"):
        CoverPicture(5, ())  # type: ignore[arg-type]  # what a caller may try
