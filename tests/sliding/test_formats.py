"""Sliding blocks in other programs' texts: read, written, and understood alike."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridkit as gk
from gridkit import InputError, ParseError, SlidingPuzzle, UnsupportedError
from gridkit.sliding import BlockBoards, formats
from gridkit.sliding.formats import (
    RushHourLine,
    gnome_text,
    pddl_texts,
    read_gnome,
    read_rush_hour_lines,
    rush_hour_text,
)
from twins.pddl import shortest_plan

LINES = """60 IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM 2332

51 BBoKMxDDDKMoIAALooIoJLEEooJFFNoGGoxN 1
"""


def test_lines_of_a_database() -> None:
    lines = read_rush_hour_lines("\ufeff" + LINES.replace("\n", "\r\n"))
    assert [line.moves for line in lines] == [60, 51]
    assert read_rush_hour_lines("\n".join(map(str, lines))) == lines
    space = lines[0].puzzle().explore(metric="slide", diameter=False)
    assert (space.distance, space.states) == (lines[0].moves, lines[0].cluster)
    boards = BlockBoards.rush_hour(line.board for line in lines)
    assert boards.puzzle(0) == lines[0].puzzle()
    written = rush_hour_text(lines[0].puzzle())
    assert rush_hour_text(SlidingPuzzle.parse_rush_hour(written)) == written
    assert isinstance(lines[0], RushHourLine)


@pytest.mark.parametrize(
    "line",
    ["60", "60 AA 3", f"-1 {'o' * 36} 3", f"{'9' * 30} {'o' * 36} 3", f"６ {'o' * 36} 3",
     f"1 {'o' * 36} 3 4", "a\0b c"],
)  # fmt: skip
def test_lines_that_are_none(line: str) -> None:
    with pytest.raises(ParseError, match="line 2"):
        read_rush_hour_lines(f"1 {'o' * 36} 3\n{line}")


@given(st.integers(0, 10**6))
def test_rush_hour_boards_are_written_and_read(seed: int) -> None:
    boards = gk.sliding.generate_many(1, (0, 60), cars=5, trucks=2, rng=seed, attempts=5000)
    puzzle = boards.puzzle(0)
    text = rush_hour_text(puzzle)
    again = SlidingPuzzle.parse_rush_hour(text)
    assert rush_hour_text(again) == text
    drawn = {frozenset(cells) for cells in puzzle.blocks.values()}
    assert {frozenset(cells) for cells in again.blocks.values()} == drawn


GNOME = [
    "######\n#a**b#\n#m**n#\n#cdef#\n#ghij#\n#k  l#\n##--##\n    ..\n    ..",
    "####\n#*x#\n#-##\n .",
]


@pytest.mark.parametrize("text", GNOME)
def test_gnome_positions_are_read_and_written(text: str) -> None:
    puzzle = read_gnome(text)
    again = read_gnome(gnome_text(puzzle))
    assert gnome_text(again) == gnome_text(puzzle)
    assert again.gates == puzzle.gates
    assert again.goal == puzzle.goal
    for metric in ("step", "slide", "move"):
        one, two = puzzle.solve(metric=metric), again.solve(metric=metric)
        assert one is not None
        assert two is not None
        assert len(one) == len(two)


def test_only_the_hero_passes_a_gate() -> None:
    puzzle = read_gnome("#####\n#a *#\n###-#\n   .#")
    plan = puzzle.solve()
    assert plan is not None
    assert {move.block for move in plan.moves()} == {"*"}
    assert read_gnome("#####\n#* a#\n###-#\n   .#").solve() is None


REFUSED: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: read_gnome(""), ParseError, "empty text"),
    (lambda: read_gnome("* "), ParseError, "expected '.'"),
    (lambda: read_gnome("a ."), ParseError, r"expected '\*'"),
    (lambda: read_gnome("**."), ParseError, "another shape"),
    (lambda: read_gnome("*a.\n   \na  "), ParseError, "block 'a' is not connected"),
    (lambda: read_gnome("*.\x07"), ParseError, "invalid character"),
    (lambda: read_gnome(b"*."), InputError, "expected a text"),  # type: ignore[arg-type]
    (lambda: read_rush_hour_lines(3), InputError, "expected a text"),  # type: ignore[arg-type]
    (lambda: gnome_text(SlidingPuzzle.parse("A.", goal={"A": "right"})), UnsupportedError, "goal"),
    (lambda: gnome_text(SlidingPuzzle.parse("A.", goal={"A": (0, 0)})), UnsupportedError, "'.'"),
    (lambda: gnome_text("x"), InputError, "SlidingPuzzle"),  # type: ignore[arg-type]
    (lambda: rush_hour_text("x"), InputError, "SlidingPuzzle"),  # type: ignore[arg-type]
    (lambda: pddl_texts("x"), InputError, "SlidingPuzzle"),  # type: ignore[arg-type]
    (lambda: rush_hour_text(SlidingPuzzle.parse("A.", goal={"A": (0, 1)})), UnsupportedError, "6"),
]


@pytest.mark.parametrize(("make", "kind", "message"), REFUSED)
def test_what_is_refused(make: Callable[[], object], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        make()


@pytest.mark.parametrize(
    "puzzle",
    [
        SlidingPuzzle.parse("A..\nB..", goal={"A": (0, 2)}),
        SlidingPuzzle.parse("AAB\n..B\nC..", goal={"A": (2, 0), "B": "left"}),
        SlidingPuzzle.parse("A.#.", goal={"A": (0, 3)}),
        SlidingPuzzle.parse("#*a\n&&.", goal={"&": (1, 1)}, axes={"&": "horizontal"}),
        read_gnome(GNOME[1]),
    ],
)
def test_a_planner_finds_as_many_steps(puzzle: SlidingPuzzle) -> None:
    """The twin reads the two texts and searches as a planner does."""
    plan = puzzle.solve(metric="step")
    assert shortest_plan(*pddl_texts(puzzle)) == (None if plan is None else len(plan))


def test_the_module_is_public() -> None:
    assert set(formats.__all__) <= set(dir(gk.sliding.formats))
