"""What the cover wing answers with: letters that tell neighbours apart, and values."""

from __future__ import annotations

import copy
import pickle
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridkit as gk
from gridkit.cover.frontier.recurrence import Recurrence
from gridkit.cover.rectangles import count_rectangles
from gridkit.cover.solution import Explanation, distinct_letters
from gridkit.render.text import LETTERS

DOMINO = gk.pieces.domino()


def neighbours_differ(solution: gk.cover.Solution) -> bool:
    letters = solution.letters
    owner: dict[tuple[int, ...], int] = {}
    for number, (_, cells) in enumerate(solution.pieces):
        owner |= dict.fromkeys(map(tuple, cells), number)
    return all(
        letters[a] != letters[b]
        for cell, a in owner.items()
        for axis in range(len(cell))
        for near in [(*cell[:axis], cell[axis] + 1, *cell[axis + 1 :])]
        if (b := owner.get(near, a)) != a
    )


@pytest.mark.parametrize("size", [(1, 400), (8, 31), (12, 62), (20, 20), (31, 4)])
def test_neighbours_have_different_letters(size: tuple[int, int]) -> None:
    solution = gk.Tiling(gk.Board.rectangle(*size), DOMINO, copies=None).first()
    assert solution is not None
    assert neighbours_differ(solution)
    assert solution.letters[: len(LETTERS)] == tuple(LETTERS)
    assert set("".join(solution.letters)) <= set(LETTERS)


def test_neighbours_in_a_box_have_different_letters() -> None:
    box = gk.Box(5, 5, 6)
    brick = gk.polyomino.Polycube([(0, 0, 0), (0, 0, 1)])
    solution = gk.Tiling(box, [brick], copies=None).first()
    assert solution is not None
    assert neighbours_differ(solution)


def test_a_piece_with_more_neighbours_than_letters() -> None:
    bar = [(1, col) for col in range(70)]
    letters = distinct_letters([*[[(0, col)] for col in range(70)], bar])
    assert letters[-1] not in letters[:-1]
    assert all(a != b for a, b in pairwise(letters))


@given(st.integers(0, 62))
def test_few_pieces_have_the_letters_in_order(pieces: int) -> None:
    assert distinct_letters([[(0, col)] for col in range(pieces)]) == tuple(LETTERS[:pieces])


def test_explanations_are_values() -> None:
    board = gk.Board.rectangle(8, 8).without([(0, 0), (7, 7)])
    tiling = gk.Tiling(board, DOMINO, copies=None)
    reason, again = tiling.explain(), tiling.explain()
    assert reason is not None
    assert reason == again
    assert len({reason, again}) == 1
    assert reason == pickle.loads(pickle.dumps(reason)) == copy.deepcopy(reason)
    assert eval(repr(reason), {**vars(gk), "Explanation": Explanation}) == reason
    assert reason.weights is not None
    with pytest.raises(TypeError):
        reason.weights[0, 1] = 3  # type: ignore[index]  # refused on purpose
    with pytest.raises(AttributeError, match="immutable"):
        reason.reason = "none"
    assert Explanation("area", "3 cells") != Explanation("area", "4 cells")


def test_counts_of_rectangles_are_values() -> None:
    counts, again = (count_rectangles(DOMINO, 4, [2, 4, 6]) for _ in range(2))
    assert counts == again == pickle.loads(pickle.dumps(counts))
    assert len({counts, again, count_rectangles(DOMINO, 4, [2])}) == 2
    assert isinstance(counts.recurrence, Recurrence)
    assert hash(counts.recurrence) == hash(again.recurrence)
    with pytest.raises(TypeError):
        counts.counts[2] = 7  # type: ignore[index]  # refused on purpose
