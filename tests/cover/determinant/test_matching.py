"""One domino tiling by a matching, against counting."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gridkit as gk
from gridkit.cover.determinant.matching import domino_tiling
from gridkit.cover.instance import Instance
from gridkit.run import Run
from twins import frontier as twin


def is_tiling(instance: Instance, placements: tuple[int, ...]) -> bool:
    cells = [cell for number in placements for cell in instance.placements[number][1]]
    return sorted(cells) == list(range(len(instance.coordinates)))


@given(st.integers(1, 5), st.integers(1, 6), st.data())
@settings(max_examples=150)
def test_every_small_board(rows: int, cols: int, data: st.DataObject) -> None:
    board = twin.rectangle(rows, cols)
    holes = data.draw(st.lists(st.sampled_from(board), max_size=len(board) // 2))
    instance = twin.instance_of(sorted(set(board) - set(holes)), [twin.DOMINO])
    placements = domino_tiling(instance, Run())
    assert (placements is not None) == (twin.count(instance) > 0)
    if placements is not None:
        assert is_tiling(instance, placements)
        assert domino_tiling(instance, Run()) == placements


def test_pieces_that_may_not_be_used() -> None:
    pair = ((0, 0), (0, 1))
    placements = ((0, (0, 1)), (1, (0, 1)))
    assert domino_tiling(Instance(pair, placements, ((0, 0), (0, None)), frozenset()), Run()) == (
        1,
    )
    none = Instance(pair, placements, ((0, 0), (0, 0)), frozenset())
    assert domino_tiling(none, Run()) is None


@pytest.mark.parametrize("seed", range(6))
def test_wide_boards_with_holes(seed: int) -> None:
    """A search for one tiling of some of these does not end."""
    chance, side = Random(seed), 20 + 4 * seed
    cells = [(row, col) for row in range(side) for col in range(side)]
    holes = [
        cell
        for colour in (0, 1)
        for cell in chance.sample([c for c in cells if sum(c) % 2 == colour], side // 2)
    ]
    board = gk.Board.rectangle(side, side).without(holes)
    tiling = gk.Tiling(board, gk.pieces.domino(), copies=None)
    solution = tiling.first()
    assert (solution is not None) == (tiling.count() > 0)
    if solution is not None:
        assert is_tiling(tiling.instance, solution.placements)
