"""Reasons why regions cannot be tiled, and their checker."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gridkit as gk
from cover.frontier.test_plain import instances
from gridkit.cover.instance import Instance
from gridkit.cover.proof import colouring
from gridkit.cover.proof.areas import sums
from gridkit.cover.solution import check_explanation
from gridkit.run import Run
from gridkit.run.jit import JIT_DISABLED
from twins import frontier as twin

T = gk.Polyomino.parse("###\n.#.")
ELL = gk.Polyomino.parse("#.\n##")
rectangle = gk.Board.rectangle


def without_opposite_corners(side: int) -> gk.Board:
    return rectangle(side, side).without([(0, 0), (side - 1, side - 1)])


COLOURINGS: dict[str, tuple[Callable[[], gk.Tiling], int | None]] = {
    "chessboard without opposite corners": (
        lambda: gk.Tiling(without_opposite_corners(8), gk.pieces.domino(), copies=None), None,
    ),
    "T tetrominoes 10 x 10": (lambda: gk.Tiling(rectangle(10, 10), [T], copies=None), 8),
    "straight tetrominoes 10 x 10": (
        lambda: gk.Tiling(rectangle(10, 10), [gk.Polyomino.parse("####")], copies=None), None,
    ),
    "straight trominoes, a corner missing": (
        lambda: gk.Tiling(
            rectangle(5, 5).without([(0, 0)]), [gk.Polyomino.parse("###")], copies=None
        ), None,
    ),
    "five tetrominoes 4 x 5": (
        lambda: gk.Tiling(rectangle(4, 5), gk.pieces.tetrominoes(), reflect=True), 2,
    ),
    "five tetrominoes 2 x 10": (
        lambda: gk.Tiling(rectangle(2, 10), gk.pieces.tetrominoes(), reflect=True), 2,
    ),
    "dominoes in a box": (
        lambda: gk.Tiling(
            gk.Box(2, 2, 3).without([(0, 0, 0), (1, 1, 0)]),
            [gk.Polycube([(0, 0, 0), (0, 0, 1)])],
            copies=None,
        ), None,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", COLOURINGS)
def test_colourings(name: str) -> None:
    make, modulus = COLOURINGS[name]
    tiling = make()
    found = tiling.explain()
    assert found is not None
    assert found.kind == "colouring"
    assert found.modulus == modulus
    assert check_explanation(found, tiling)
    assert found.weights is not None
    assert "<svg" in found.to_svg()
    # a number changed, and the proof is gone
    cell = next(iter(found.weights))
    bent = {**found.weights, cell: found.weights[cell] + 1}
    weights = [bent[point] for point in tiling.instance.coordinates]
    assert not colouring.holds(tiling.instance, weights, found.modulus)


def test_areas() -> None:
    tiling = gk.Tiling(rectangle(4, 11), gk.pieces.pentominoes(), copies=1)
    found = tiling.explain()
    assert found is not None
    assert found.kind == "area"
    assert "44 cells" in found.reason
    assert check_explanation(found, tiling)


def test_area_of_a_part() -> None:
    """Six cells in all, but no domino reaches from one part to the other."""
    tiling = gk.Tiling(gk.Board.parse("...#..."), gk.pieces.domino(), copies=None)
    found = tiling.explain()
    assert found is not None
    assert found.kind == "area"
    assert "3 cells" in found.reason


@pytest.mark.parametrize(
    ("areas", "copies", "least", "most", "fits"),
    [
        ([3], [(0, None)], 8, 8, False),
        ([3], [(0, None)], 7, 9, True),
        ([3, 5], [(0, None), (0, None)], 7, 7, False),
        ([3, 5], [(0, None), (0, None)], 14, 14, True),
        ([4, 6], [(1, 3), (2, 2)], 20, 20, True),
        ([4, 6], [(1, 3), (2, 2)], 28, 28, False),
        ([4], [(0, 5)], 20, 20, True),
        ([4], [(0, 5)], 24, 24, False),
        ([], [], 0, 0, True),
    ],
)
def test_sums_of_areas(
    areas: list[int], copies: list[tuple[int, int | None]], least: int, most: int, fits: bool
) -> None:
    assert (sums(areas, copies, most) >> least != 0) is fits


def test_uncoverable_cell() -> None:
    board = gk.Board.parse(".#....\n##....\n......\n....##")
    tiling = gk.Tiling(board, [gk.Polyomino.parse("##"), gk.Polyomino.parse("###")], copies=None)
    found = tiling.explain()
    assert found is not None
    assert (found.kind, found.cell) == ("uncoverable cell", (0, 0))
    assert check_explanation(found, tiling)


def test_unplaceable_piece() -> None:
    pieces = [gk.Polyomino.parse("####"), gk.Polyomino.parse("##\n##")]
    tiling = gk.Tiling(gk.Board.parse("..#..\n..#.."), pieces, copies=1)
    found = tiling.explain()
    assert found is not None
    assert found.kind == "unplaceable piece"
    assert "piece 0" in found.reason
    assert check_explanation(found, tiling)


def test_exhausted_and_tileable() -> None:
    tiling = gk.Tiling(rectangle(3, 5), [ELL], copies=None)
    found = tiling.explain()
    assert found is not None
    assert found.kind == "exhausted"
    assert check_explanation(found, tiling)
    assert gk.Tiling(rectangle(3, 4), [ELL], copies=None).explain() is None
    assert gk.Tiling(rectangle(6, 10), gk.pieces.pentominoes(), reflect=True).explain() is None


def test_one_sided_tetrominoes() -> None:
    """The seven cover no rectangle of 28 cells: the T is unbalanced on the chessboard."""
    shapes = [(piece, (1, 1)) for piece in twin.TETROMINOES.values()]
    mirrored = [[(r, -c) for r, c in twin.TETROMINOES[name]] for name in "SL"]
    pieces = [piece for piece, _ in shapes] + mirrored
    for rows, cols in ((4, 7), (2, 14)):
        board = twin.instance_of(twin.rectangle(rows, cols), pieces, (1, 1))
        found = colouring.certificate(board, Run())
        assert found is not None
        assert colouring.holds(board, found.weights, found.modulus)


@given(instances())
@settings(max_examples=30 if JIT_DISABLED else 60)
def test_certificates_never_lie(instance: Instance) -> None:
    found = colouring.certificate(instance, Run())
    if found is not None:
        assert colouring.holds(instance, found.weights, found.modulus)
        assert twin.count(instance) == 0


@given(instances(), st.data())
@settings(max_examples=30 if JIT_DISABLED else 150)
def test_no_numbers_pass_the_checker_where_a_tiling_exists(
    instance: Instance, data: st.DataObject
) -> None:
    if next(twin.coverings(instance), None) is not None:
        cells = len(instance.coordinates)
        weights = data.draw(st.lists(st.integers(-2, 2), min_size=cells, max_size=cells))
        modulus = data.draw(st.none() | st.integers(2, 6))
        assert not colouring.holds(instance, weights, modulus)


@pytest.mark.parametrize("modulus", [2, 3, 4, 8, 9])
@given(data=st.data())
@settings(max_examples=20 if JIT_DISABLED else 100)
def test_every_certificate_modulo_a_prime_power_is_found(modulus: int, data: st.DataObject) -> None:
    """Against all combinations of the rows: the target is one of them, or numbers exist."""
    width = data.draw(st.integers(1, 3))
    entry = st.integers(0, modulus - 1)
    row = st.tuples(*[entry] * width)
    rows = data.draw(st.lists(row, min_size=1, max_size=2))
    target = list(data.draw(row))
    span = {(0,) * width}
    for generator in rows:
        span = {
            tuple((a + k * b) % modulus for a, b in zip(known, generator, strict=True))
            for known in span
            for k in range(modulus)
        }
    found = colouring._solve_modular(rows, target, modulus, Run())
    assert (found is None) == (tuple(target) in span)
    if found is not None:
        for generator in rows:
            assert sum(a * x for a, x in zip(generator, found, strict=True)) % modulus == 0
        assert sum(a * x for a, x in zip(target, found, strict=True)) % modulus
