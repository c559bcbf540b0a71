"""All Rush Hour boards of a size, as the twin counts them; interrupted, shared out, from a file."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import gridkit as gk
from gridkit import InputError, Limit, LimitReached, SlidingPuzzle
from gridkit.sliding import RushHourBoards, enumerate_rush_hour
from twins import traffic


@pytest.mark.parametrize(
    ("rows", "cols", "walls"),
    [(2, 2, 0), (2, 3, 0), (3, 2, 0), (3, 3, 0), (3, 4, 0), (4, 3, 0), (2, 5, 0), (3, 3, 1),
     (3, 3, 2), (2, 4, 3), (3, 4, 1)],
)  # fmt: skip
def test_small_boards_as_the_twin(rows: int, cols: int, walls: int) -> None:
    found = enumerate_rush_hour(rows, cols, walls=walls, at_least=0)
    boards, components, solvable, histogram, kept = traffic.facts(rows, cols, walls)
    assert (found.boards, found.components, found.solvable) == (boards, components, solvable)
    assert found.histogram == histogram
    assert Counter((one.optimum, one.boards) for one in found.hardest) == kept
    assert [one.optimum for one in found.hardest] == sorted(
        (one.optimum for one in found.hardest), reverse=True
    )


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "cols"), [(4, 4), (3, 5), (5, 3)])
def test_larger_boards_as_the_twin(rows: int, cols: int) -> None:
    found = enumerate_rush_hour(rows, cols, at_least=0)
    boards, components, solvable, histogram, kept = traffic.facts(rows, cols, 0)
    assert (found.boards, found.components, found.solvable) == (boards, components, solvable)
    assert found.histogram == histogram
    assert Counter((one.optimum, one.boards) for one in found.hardest) == kept


def puzzle_of(board: str, rows: int, cols: int) -> SlidingPuzzle:
    text = "\n".join(board[at : at + cols] for at in range(0, rows * cols, cols))
    plain = text.replace("o", ".").replace("x", "#")
    cars = sorted({*plain} - {*".#\n"})
    axes = {}
    for name in cars:
        lines = [line.count(name) for line in plain.split("\n")]
        axes[name] = "horizontal" if max(lines) > 1 else "vertical"
    return SlidingPuzzle.parse(plain, goal={"A": "right"}, axes=axes)


@pytest.mark.parametrize(("rows", "cols", "walls"), [(4, 4, 0), (4, 5, 0), (4, 4, 1)])
def test_what_is_listed_is_so_hard_and_so_large(rows: int, cols: int, walls: int) -> None:
    found = enumerate_rush_hour(rows, cols, walls=walls, at_least=6)
    assert len(found.hardest) == sum(found.histogram[6:])
    for one in found.hardest[:: max(1, len(found.hardest) // 12)]:
        space = puzzle_of(one.board, rows, cols).explore(metric="slide", diameter=False)
        assert (space.distance, space.states) == (one.optimum, one.boards)
        assert space.hardest_distance == one.optimum


def test_known_figures() -> None:
    """From runs of this enumeration, whose parts the other tests compare with the twin."""
    assert enumerate_rush_hour(4, 4).histogram == (659, 283, 81, 68, 31, 10, 8, 3)
    five = enumerate_rush_hour(4, 5)
    assert (five.boards, five.components, five.solvable) == (285999, 23103, 11583)


def test_interrupted_shared_out_and_from_a_file(tmp_path: Path) -> None:
    whole = enumerate_rush_hour(4, 4, at_least=4)
    token, calls, boards = None, 0, []
    while True:
        try:
            again = enumerate_rush_hour(4, 4, at_least=4, limit=Limit(nodes=9000), resume=token)
            break
        except LimitReached as reached:
            token, calls = reached.token, calls + 1
            found = reached.partial.value
            assert isinstance(found, RushHourBoards)
            boards.append(found.boards)
    assert again == whole
    assert calls > 5
    assert boards == sorted(boards)
    with ThreadPoolExecutor(2) as pool:
        assert enumerate_rush_hour(4, 4, at_least=4, executor=pool) == whole
    path = tmp_path / "boards.db"
    with pytest.raises(LimitReached):
        enumerate_rush_hour(4, 4, at_least=4, checkpoint=path, limit=Limit(nodes=30_000))
    assert enumerate_rush_hour(4, 4, at_least=4, checkpoint=path) == whole
    assert enumerate_rush_hour(4, 4, at_least=4, checkpoint=path, limit=Limit(nodes=1)) == whole


def test_every_place_to_stop_at() -> None:
    """A call cut short after so many nodes comes to the same end."""
    whole = enumerate_rush_hour(3, 3, at_least=0)
    for nodes in (400, 555, 777, 1001):
        token, found = None, None
        for _ in range(200):
            try:
                found = enumerate_rush_hour(
                    3, 3, at_least=0, limit=Limit(nodes=nodes), resume=token
                )
                break
            except LimitReached as reached:
                token = reached.token
        assert found == whole


@pytest.mark.parametrize(
    "wrong",
    [{"rows": 1}, {"rows": 8}, {"cols": 9}, {"walls": 5}, {"walls": -1}, {"at_least": -1},
     {"rows": 3.0}],
)  # fmt: skip
def test_what_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(InputError, match="enumerate_rush_hour"):
        enumerate_rush_hour(**wrong)  # type: ignore[arg-type]  # on purpose


def test_the_first_example_of_6_x_6() -> None:
    """A tiny part of the large enumeration: what it lists are positions that read back."""
    with pytest.raises(LimitReached) as caught:
        enumerate_rush_hour(6, 6, at_least=3, limit=Limit(nodes=200_000))
    found = caught.value.partial.value
    assert isinstance(found, RushHourBoards)
    for one in found.hardest[:5]:
        space = gk.SlidingPuzzle.parse_rush_hour(one.board).explore(metric="slide", diameter=False)
        assert (space.distance, space.states) == (one.optimum, one.boards)


def packings(rows: int, cols: int) -> int:
    """Count the boards another way: as packings by cars and trucks, by a sweep over the cells."""
    total, row = 0, (rows - 1) // 2
    for col in range(cols - 1):
        mine = {(row, col), (row, col + 1)}
        cars = [
            [(top + down * at, left + (1 - down) * at) for at in range(length)]
            for top in range(rows)
            for left in range(cols)
            for length in (2, 3)
            for down in (0, 1)
            # Nothing lies behind the edge of the board, or in the way of the car to leave.
            if top + down * (length - 1) < rows
            and left + (1 - down) * (length - 1) < cols
            and not (top == row and left > col and not down)
        ]
        cars = [car for car in cars if mine.isdisjoint(car)]
        cells = sorted({cell for car in cars for cell in car})
        cover = gk.ExactCover(cars, cells, multiplicity=dict.fromkeys(cells, (0, 1)))
        total += cover.count(method="sweep")
    return total


@pytest.mark.parametrize(("rows", "cols"), [(3, 3), (4, 4), (4, 5)])
def test_as_many_boards_as_packings(rows: int, cols: int) -> None:
    assert enumerate_rush_hour(rows, cols).boards == packings(rows, cols)


@pytest.mark.slow
def test_5_x_5() -> None:
    found = enumerate_rush_hour(5, 5, at_least=14)
    assert found.boards == packings(5, 5)
    assert len(found.hardest) == sum(found.histogram[14:])
    for one in found.hardest:
        space = puzzle_of(one.board, 5, 5).explore(metric="slide", diameter=False)
        assert (space.distance, space.states) == (one.optimum, one.boards)
        assert space.hardest_distance == one.optimum
