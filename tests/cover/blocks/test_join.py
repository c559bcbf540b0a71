"""One tiling from blocks: each is checked cell by cell, and none is said to be missing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gridkit as gk
from gridkit.cover.blocks.join import join_blocks
from gridkit.cover.blocks.rectangles import cut, orientations, tileable_blocks
from gridkit.cover.instance import Instance
from gridkit.run import Run
from gridkit.run.jit import JIT_DISABLED

TEE = gk.pieces.tetrominoes()["T"]
WHY = gk.pieces.pentominoes()["Y"]
ELL = gk.Polyomino.parse("#.\n##")


def is_tiling(instance: Instance, placements: tuple[int, ...]) -> bool:
    cells = [cell for number in placements for cell in instance.placements[number][1]]
    covered = set(cells)
    assert len(covered) == len(cells)
    needed = set(range(len(instance.coordinates))) - instance.optional
    return needed <= covered and list(placements) == sorted(placements)


@pytest.mark.parametrize(
    ("rows", "cols", "pieces", "reflect"),
    [
        (20, 20, [WHY], True),
        (40, 40, [TEE], False),
        (56, 55, gk.pieces.pentominoes(), True),
        (60, 62, [ELL], False),
    ],
)
def test_rectangles(
    rows: int, cols: int, pieces: list[gk.Polyomino] | dict[str, gk.Polyomino], reflect: bool
) -> None:
    tiling = gk.Tiling(gk.Board.rectangle(rows, cols), pieces, copies=None, reflect=reflect)
    placements = join_blocks(tiling.instance, Run())
    assert placements is not None
    assert is_tiling(tiling.instance, placements)
    solution = tiling.first()
    assert solution is not None
    assert is_tiling(tiling.instance, solution.placements)
    assert tiling.first() == solution


@pytest.mark.skipif(JIT_DISABLED, reason="searches of thousands of nodes")
@pytest.mark.parametrize("hole", [(0, 0), (7, 7), (24, 25)])
def test_regions_that_are_no_rectangles(hole: tuple[int, int]) -> None:
    tiling = gk.Tiling(gk.Board.rectangle(50, 50).without([hole]), [ELL], copies=None)
    placements = join_blocks(tiling.instance, Run())
    assert placements is not None
    assert is_tiling(tiling.instance, placements)


@given(st.integers(2, 7), st.integers(2, 7), st.data())
@settings(max_examples=10 if JIT_DISABLED else 60, deadline=None)
def test_small_regions(rows: int, cols: int, data: st.DataObject) -> None:
    cells = [(r + 2, c + 1) for r in range(rows) for c in range(cols)]
    holes = data.draw(st.lists(st.sampled_from(cells), max_size=4))
    open_cells = sorted(set(cells) - set(holes))
    optional = data.draw(st.lists(st.sampled_from(open_cells), max_size=3)) if open_cells else []
    pieces = data.draw(st.sampled_from([[ELL], [TEE], [gk.pieces.domino()["I"], TEE]]))
    tiling = gk.Tiling(
        gk.Board(rows + 2, cols + 1, open_cells), pieces, copies=None, optional=optional
    )
    placements = join_blocks(tiling.instance, Run())
    if placements is not None:
        assert is_tiling(tiling.instance, placements)


def test_no_tiling_is_proved_by_a_search_only() -> None:
    tiling = gk.Tiling(gk.Board.rectangle(10, 10), [TEE], copies=None)
    assert join_blocks(tiling.instance, Run()) is None
    assert tiling.first() is None


def test_other_problems_are_left_alone() -> None:
    box = gk.Tiling(gk.Box(2, 2, 2), [gk.Polycube([(0, 0, 0), (0, 0, 1)])], copies=None)
    assert join_blocks(box.instance, Run()) is None
    once = gk.Tiling(gk.Board.rectangle(4, 4), [TEE, ELL], copies=[2, None])
    assert join_blocks(once.instance, Run()) is None


def test_blocks_of_the_t_tetromino() -> None:
    """Walkup (1965): both sides of a rectangle that it tiles are multiples of four."""
    tiling = gk.Tiling(gk.Board.rectangle(8, 8), [TEE], copies=None)
    blocks = [block for block, _ in tileable_blocks(orientations(tiling.instance), (8, 8), Run())]
    assert blocks == [(4, 4)]


@pytest.mark.parametrize("reflect", [False, True])
def test_blocks_are_tiled(reflect: bool) -> None:
    """Turned blocks too, of pieces that may not be turned over."""
    tiling = gk.Tiling(gk.Board.rectangle(10, 10), [WHY], copies=None, reflect=reflect)
    forms = orientations(tiling.instance)
    shapes = {frozenset(form) for form in forms[0]}
    for (rows, cols), tiles in tileable_blocks(forms, (10, 10), Run()):
        covered = [cell for _, cells in tiles for cell in cells]
        assert sorted(covered) == [(r, c) for r in range(rows) for c in range(cols)]
        for _, cells in tiles:
            top, left = min(r for r, _ in cells), min(c for _, c in cells)
            assert frozenset((r - top, c - left) for r, c in cells) in shapes


def test_cuts() -> None:
    assert cut((5, 5), {(2, 3), (3, 2)}) is None
    assert cut((6, 5), {(2, 3), (3, 2), (2, 2)}) is not None
    corners = cut((7, 12), {(3, 4), (4, 3), (4, 6)})
    assert corners is not None
    covered = [
        (row + r, col + c) for (row, col), (h, w) in corners for r in range(h) for c in range(w)
    ]
    assert sorted(covered) == [(r, c) for r in range(7) for c in range(12)]


def test_a_limit_met_among_blocks_leaves_the_token_of_the_search() -> None:
    tiling = gk.Tiling(gk.Board.rectangle(15, 15), [WHY], copies=None, reflect=True)
    with pytest.raises(gk.LimitReached) as caught:
        tiling.first(limit=gk.Limit(nodes=51_000))
    token = caught.value.token
    assert token is not None
    with pytest.raises(gk.LimitReached):
        tiling.first(limit=gk.Limit(nodes=60), resume=token)
