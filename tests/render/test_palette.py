"""The palette: many hues that everybody tells apart, in the prefix that most pictures use."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridkit.render.palette import (
    HUES,
    LEAST_APART,
    ROLES,
    apart,
    by_lightness,
    contrast,
    distinct_fills,
    hex_of,
    ink_on,
    shaded,
)


def test_there_are_enough_hues() -> None:
    assert len(set(HUES)) == len(HUES) >= 20
    assert sorted(by_lightness()) == list(range(len(HUES)))


def test_twelve_pentominoes_are_told_apart_by_all() -> None:
    pairs = [(one, two) for one in range(12) for two in range(one)]
    assert min(apart(one, two) for one, two in pairs) > 0.08 > LEAST_APART


def test_no_two_hues_are_one_in_grey() -> None:
    lightness = [contrast(HUES[hue], "#000000") for hue in by_lightness()]
    assert len(set(lightness)) == len(HUES)
    assert lightness[-1] > 3 * lightness[0]


@pytest.mark.parametrize("hue", HUES)
def test_every_hue_carries_a_label_and_has_darker_sides(hue: str) -> None:
    assert contrast(ink_on(hue), hue) >= 4.5
    light = [contrast(shaded(hue, shade), "#000000") for shade in range(3)]
    assert light == sorted(light, reverse=True)


def test_text_is_legible_on_what_is_no_piece() -> None:
    for dark in (False, True):
        text = hex_of("text", dark=dark)
        for role in ("paper", "open", "soft", "blocked", "warm", "cool"):
            assert contrast(text, hex_of(role, dark=dark)) >= 4.5
    assert all(len(pair) == 2 for pair in ROLES.values())


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=40), st.integers(0, 99))
def test_neighbours_are_unlike_in_any_graph(pairs: list[tuple[int, int]], hue: int) -> None:
    beside: dict[int, set[int]] = {piece: set() for piece in range(13)}
    for one, two in pairs:
        beside[one].add(two)
        beside[two].add(one)
    hues = distinct_fills(dict(beside.items()), dict.fromkeys(range(13), hue))
    assert all(hues[one] != hues[two] for one, two in pairs if one != two)
