"""Sequences of rectangles, their recurrences, and heights far out."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gridkit as gk
from families import FAMILIES
from gridkit.cover.frontier import strip
from gridkit.cover.frontier.recurrence import Recurrence, berlekamp_massey, find_recurrence
from gridkit.cover.rectangles import count_rectangles
from gridkit.run.jit import JIT_DISABLED

TABLES = FAMILIES / "tables"
ELL = gk.Polyomino.parse("#.\n##")


def check_table(
    name: str, pieces: list[gk.Polyomino], *path: str, reflect: bool = False, most: int = 8
) -> None:
    entries = json.loads((TABLES / f"{name}.json").read_text())
    for key in path:
        entries = entries[key]
    by_width: dict[int, dict[int, int]] = {}
    for size, value in entries.items():
        rows, cols = sorted(map(int, size.split("x")))
        if rows <= most:
            by_width.setdefault(rows, {})[cols] = int(value)
    for width, values in by_width.items():
        found = count_rectangles(pieces, width, values, reflect=reflect)
        assert dict(found) == values, width


def test_dominoes() -> None:
    """A099390."""
    check_table("domino_rect", [*gk.pieces.domino().values()], "table", most=6)


def test_l_trominoes() -> None:
    """A351322."""
    check_table("l_tromino_rect", [ELL], "table", most=5 if JIT_DISABLED else 7)


def test_tetrominoes() -> None:
    pieces = [*gk.pieces.tetrominoes().values()]
    check_table("tetromino_rect", pieces, "all_five_free_mixed", reflect=True, most=3)


@pytest.mark.parametrize(
    ("width", "coefficients"),
    [(2, (1, 1)), (3, (0, 4, 0, -1)), (4, (1, 5, 1, -1))],
)
def test_domino_recurrences(width: int, coefficients: tuple[int, ...]) -> None:
    """A000045, A001835, A005178."""
    found = count_rectangles(gk.pieces.domino(), width, range(5)).recurrence
    assert found is not None
    assert found.coefficients == coefficients
    assert found.proved


@pytest.mark.parametrize(("pieces", "width"), [("domino", 5), ("ell", 4), ("ell", 6), ("both", 3)])
@pytest.mark.parametrize("height", [777, 1000])
def test_heights_far_out(pieces: str, width: int, height: int) -> None:
    """The recurrence modulo a number against the sweep modulo it."""
    given = {
        "domino": [gk.Polyomino.parse("##")],
        "ell": [ELL],
        "both": [ELL, gk.Polyomino.parse("###")],
    }[pieces]
    modulus = 10**9 + 7
    states = {0: 1}
    masks = strip._masks([shape.cells for piece in given for shape in piece.orientations()], width)
    for _ in range(height):
        for column in masks:
            states = {
                state: ways % modulus for state, ways in strip._settle(states, column).items()
            }
    expected = states.get(0, 0)
    found = count_rectangles(given, width, [height], modulus=modulus)
    assert found[height] == expected
    assert count_rectangles(given, width, height)[height] % modulus == expected


def test_a_million_rows() -> None:
    found = count_rectangles(gk.pieces.domino(), 2, [10**6], modulus=1000)
    a, b = 1, 1
    for _ in range(10**6):
        a, b = b, (a + b) % 1000
    assert found[10**6] == a
    assert count_rectangles([ELL], 6, [10**6], modulus=2)[10**6] == 0


def test_kernels_take_over_on_wide_strips(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strip, "_WIDE", 4)
    monkeypatch.setattr(strip, "_MATRIX", 2)
    for pieces in ([ELL], [gk.Polyomino.parse("##")]):
        found = count_rectangles(pieces, 4, range(8))
        assert found.recurrence is None
        monkeypatch.undo()
        assert dict(found) == dict(count_rectangles(pieces, 4, range(8)))
        monkeypatch.setattr(strip, "_WIDE", 4)
        monkeypatch.setattr(strip, "_MATRIX", 2)


def test_conjectural_without_the_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strip, "_MATRIX", 2)
    monkeypatch.setattr(strip, "_PATIENCE", 1 << 12)
    found = count_rectangles(gk.pieces.domino(), 4, range(5)).recurrence
    assert found is not None
    assert not found.proved
    assert found.coefficients == (1, 5, 1, -1)
    assert "conjectural" in str(found)


def test_out_of_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strip, "find_recurrence", lambda terms, count: None)
    monkeypatch.setattr(strip, "_DIRECT", 10)
    with pytest.raises(gk.LimitReached, match="no recurrence was found"):
        count_rectangles(gk.pieces.domino(), 3, [10**9], modulus=7)


def test_limits() -> None:
    with pytest.raises(gk.LimitReached, match="node limit"):
        count_rectangles([ELL], 8, [100], limit=gk.Limit(nodes=1000))
    with pytest.raises(gk.LimitReached, match="memory limit"):
        count_rectangles([ELL], 8, [100], limit=gk.Limit(memory=100))


def test_bad_arguments() -> None:
    domino = gk.Polyomino.parse("##")
    for arguments, message in [
        (([domino], 0, [1]), "width must be an int >= 1, got 0"),
        (([domino], 2, [-1]), "heights must be an int >= 0, got -1"),
        (([domino], 2, "ab"), "heights must be an int >= 0, got 'a'"),
        (([domino], 2, 1.5), "heights must be an int >= 0, got 1.5"),
        (([domino], 2, [1], 0), "modulus must be an int >= 1, got 0"),
        ((domino, 2, [1]), "in a list"),
        ((["##"], 2, [1]), "piece 0 is '##'"),
        ((7, 2, [1]), "expected polyominoes, got 7"),
    ]:
        with pytest.raises(gk.InputError) as caught:
            count_rectangles(*arguments)  # type: ignore[arg-type]  # on purpose
        assert message in str(caught.value)


def test_edges() -> None:
    domino = [gk.Polyomino.parse("##")]
    assert dict(count_rectangles(domino, 3, [])) == {}
    assert dict(count_rectangles(domino, 3, 0)) == {0: 1}
    assert dict(count_rectangles([], 3, range(3))) == {0: 1, 1: 0, 2: 0}
    assert dict(count_rectangles(domino, 1, range(5))) == {0: 1, 1: 0, 2: 1, 3: 0, 4: 1}
    assert count_rectangles(domino, 2, [5], modulus=1)[5] == 0


@given(
    st.lists(st.integers(-3, 3), min_size=1, max_size=5),
    st.lists(st.integers(-5, 5), min_size=5, max_size=5),
)
@settings(max_examples=200)
def test_recurrences_are_found_again(coefficients: list[int], start: list[int]) -> None:
    terms = start[: len(coefficients)]
    while len(terms) < 40:
        terms.append(sum(c * terms[-1 - k] for k, c in enumerate(coefficients)))
    found = find_recurrence(terms, states=len(coefficients))
    assert found is not None
    assert found.order <= len(coefficients)
    assert found.proved
    for place, term in enumerate(terms):
        assert found.term(place) == term
        assert found.term(place, modulus=97) == term % 97


@given(st.lists(st.integers(0, 6), max_size=12))
def test_berlekamp_massey_is_shortest(terms: list[int]) -> None:
    found = berlekamp_massey(terms, 7)
    for place in range(len(found), len(terms)):
        assert terms[place] == sum(c * terms[place - 1 - k] for k, c in enumerate(found)) % 7
    if len(found) <= 2:  # all shorter ones fail
        for shorter in range(len(found)):
            options = [[]] if shorter == 0 else [[c] for c in range(7)]
            for option in options:
                assert any(
                    terms[place] != sum(c * terms[place - 1 - k] for k, c in enumerate(option)) % 7
                    for place in range(len(option), len(terms))
                )


def test_too_few_terms() -> None:
    assert find_recurrence([1, 2, 5, 3]) is None
    fibonacci = Recurrence((1, 1), (0, 1), 10, None, False)
    with pytest.raises(gk.InputError, match="must be an int >= 0"):
        fibonacci.term(-1)
