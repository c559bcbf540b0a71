"""Symmetries are those of the set of cells, wherever it lies in its frame."""

from __future__ import annotations

from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gridkit as gk
from gridkit.cover.decide import CountMethod
from gridkit.cover.symmetry import elements
from gridkit.run import Run
from gridkit.run.jit import JIT_DISABLED
from strategies import boards, polyominoes
from twins.symmetry import Tiled, classes, isometries

ELL = gk.Polyomino.parse("#.\n##")


def framed(board: gk.Board, above: int, before: int, below: int, after: int) -> gk.Board:
    """The same cells, moved, in a larger frame."""
    return gk.Board(
        board.rows + above + below,
        board.cols + before + after,
        [(row + above, col + before) for row, col in board.cells],
    )


def tiled(solution: gk.cover.Solution) -> Tiled:
    return frozenset(frozenset(map(tuple, cells)) for _, cells in solution.pieces)


def as_box(board: gk.Board, layers: int, layer: int) -> gk.Box:
    return gk.Box(layers, board.rows, board.cols, [(layer, row, col) for row, col in board.cells])


@pytest.mark.parametrize("method", ["auto", "search", "frontier"])
def test_the_frame_of_a_board_does_not_matter(method: CountMethod) -> None:
    square = gk.Board.rectangle(6, 6)
    counts = {
        gk.Tiling(board, [ELL], copies=None).count(method=method, up_to_symmetry=True)
        for board in (square, framed(square, 0, 0, 0, 1), framed(square, 1, 0, 2, 3))
    }
    assert counts == {25}


@pytest.mark.skipif(JIT_DISABLED, reason="a long search")
def test_the_frame_of_a_box_does_not_matter() -> None:
    cube = [(a, b, c) for a in range(3) for b in range(3) for c in range(3)]
    for layers, moved in ((4, 0), (4, 1)):
        box = gk.Box(layers, 3, 3, [(a + moved, b, c) for a, b, c in cube])
        soma = gk.Tiling(box, gk.pieces.soma())
        assert len(elements(soma.instance, Run())) == 48
        assert soma.count(up_to_symmetry=True) == 240


@given(boards(4, 4), st.tuples(*[st.integers(0, 2)] * 4), st.data())
@settings(max_examples=100)
def test_orbits_equal_the_twins(
    board: gk.Board, frame: tuple[int, int, int, int], data: st.DataObject
) -> None:
    if not len(board):
        return
    pieces = data.draw(st.lists(polyominoes(3), min_size=1, max_size=2))
    copies = data.draw(st.sampled_from([None, 1, [(0, 2)] * len(pieces)]))
    reflect = data.draw(st.booleans())
    optional = data.draw(st.sets(st.sampled_from(board.cells), max_size=2))
    tiling = gk.Tiling(board, pieces, copies, reflect, optional)
    kinds = dict(zip(tiling.pieces, tiling.copies, strict=True))
    flat = cast("dict[gk.Polyomino, object]", kinds)
    mirrored = {piece.reflected().canonical(): bounds for piece, bounds in flat.items()}
    mirrors = reflect or mirrored == {piece.canonical(): b for piece, b in flat.items()}
    group = [
        image
        for image in isometries(board.cells, mirrors=mirrors)
        if {image(cell) for cell in optional} == optional
    ]
    expected = classes(map(tiled, tiling.solutions()), group)
    top, left, _, _ = frame
    moved = gk.Tiling(
        framed(board, *frame), pieces, copies, reflect, [(r + top, c + left) for r, c in optional]
    )
    assert tiling.count(up_to_symmetry=True) == expected
    assert moved.count(up_to_symmetry=True) == expected
    if copies is None:
        assert moved.count(up_to_symmetry=True, method="frontier") == expected


@given(boards(2, 4), st.integers(1, 3), st.data())
@settings(max_examples=30)
def test_orbits_in_boxes_equal_the_twins(board: gk.Board, layers: int, data: st.DataObject) -> None:
    if not len(board):
        return
    bar = gk.polyomino.Polycube([(0, 0, 0), (0, 0, 1)])
    unit = gk.polyomino.Polycube([(0, 0, 0)])
    box = as_box(board, layers, data.draw(st.integers(0, layers - 1)))
    tiling = gk.Tiling(box, [bar, unit], copies=[None, (0, 2)])
    expected = classes(map(tiled, tiling.solutions()), isometries(box.cells, mirrors=True))
    assert tiling.count(up_to_symmetry=True) == expected
