"""Dominoes by determinants, against the frontier and the tables."""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from families import table
from gridkit.cover.determinant import kasteleyn
from gridkit.cover.determinant.kasteleyn import face_signs, suits
from gridkit.cover.determinant.modular import Residues, hadamard_bound, is_prime, primes_below
from gridkit.cover.frontier import count as frontier
from gridkit.cover.frontier.plain import count_plain
from gridkit.cover.instance import Instance
from gridkit.errors import LimitReached, UnsupportedError
from gridkit.run import Limit, Run, use_tier
from gridkit.run.jit import JIT_DISABLED
from twins import frontier as twin

TABLE = table("tables", "domino_rect")


@pytest.fixture(params=["auto", "compiled"], autouse=True)
def _tier(request: pytest.FixtureRequest) -> Iterator[None]:
    with use_tier(request.param):
        yield


def count(instance: Instance, limit: Limit | None = None) -> int:
    return kasteleyn.count(instance, Run(limit=limit))


def test_rectangles() -> None:
    """A099390, A004003."""
    for size, value in TABLE["table"].items():
        rows, cols = map(int, size.split("x"))
        if not JIT_DISABLED or rows * cols < 40:
            board = twin.instance_of(twin.rectangle(rows, cols), [twin.DOMINO])
            assert count(board) == int(value), size


@pytest.mark.parametrize("side", [8] if JIT_DISABLED else [20, 24])
def test_squares(side: int) -> None:
    """A004003; side 24 was computed from Kasteleyn's product formula."""
    values = {**TABLE["square_2n"], **TABLE["square_by_formula_only"]}
    board = twin.instance_of(twin.rectangle(side, side), [twin.DOMINO])
    assert count(board) == int(values[str(side)])


@pytest.mark.skipif(JIT_DISABLED, reason="too many entries")
def test_large_squares() -> None:
    """A side of 2 n gives 2 to the power of n times a square; the table has a rounded value."""
    rounded = int(TABLE["square_by_formula_only"]["32"])
    value = count(twin.instance_of(twin.rectangle(32, 32), [twin.DOMINO]))
    assert value % (1 << 16) == 0
    assert isqrt(value >> 16) ** 2 == value >> 16
    assert abs(value - rounded) * 10**110 < value


@given(st.integers(1, 5), st.integers(1, 6), st.data())
@settings(max_examples=30 if JIT_DISABLED else 150)
def test_every_small_board_as_by_the_frontier(rows: int, cols: int, data: st.DataObject) -> None:
    board = twin.rectangle(rows, cols)
    holes = data.draw(st.lists(st.sampled_from(board), max_size=len(board) // 3))
    cells = sorted(set(board) - set(holes))
    instance = twin.instance_of(cells, [twin.DOMINO])
    assert count(instance) == frontier.count(instance, Run())


def test_all_boards_in_a_frame_of_twelve_cells() -> None:
    board = twin.rectangle(3, 4)
    for chosen in range(0, 1 << 12, 67 if JIT_DISABLED else 1):
        if chosen.bit_count() % 2 == 0:
            cells = [cell for place, cell in enumerate(board) if chosen >> place & 1]
            instance = twin.instance_of(cells, [twin.DOMINO])
            assert count(instance) == count_plain(instance, Run()), cells


@pytest.mark.parametrize(
    "holes",
    [
        [(3, 3)],
        [(2, 2), (5, 5)],
        [(2, 2), (2, 3), (3, 2), (3, 3)],
        [(1, 1), (1, 3), (3, 1), (3, 3), (5, 5), (5, 2)],
        [(r, c) for r in range(1, 7) for c in range(1, 7)],
        [(1, c) for c in range(1, 7)] + [(5, c) for c in range(1, 7)],
    ],
)
def test_holes(holes: list[twin.Point]) -> None:
    board = twin.instance_of(twin.rectangle(8, 8, [(r, c) for r, c in holes]), [twin.DOMINO])
    assert count(board) == frontier.count(board, Run())


def test_region_inside_a_hole_of_another() -> None:
    ring = [(r, c) for r, c in twin.rectangle(8, 8) if r in (0, 7) or c in (0, 7)]
    inner = [(r + 2, c + 2) for r, c in twin.rectangle(4, 4)]
    assert count(twin.instance_of([*ring, *inner], [twin.DOMINO])) == 2 * 36


def test_faces_multiply_to_the_sign_of_their_length() -> None:
    cells = twin.rectangle(4, 4, [(1, 1), (2, 2)])
    board = twin.instance_of(cells, [twin.DOMINO])
    points = [(point[0], point[1]) for point in board.coordinates]
    edges = [(placed[0], placed[1]) for _, placed in board.placements]
    signs = face_signs(points, list(range(len(points))), edges, Run())
    assert set(signs) == set(edges)
    squares = 0
    for r, c in twin.rectangle(3, 3):
        corners = [(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)]
        if all(corner in cells for corner in corners):
            a, b, d, e = (points.index((corner[0], corner[1])) for corner in corners)
            assert signs[a, b] * signs[a, d] * signs[b, e] * signs[d, e] == -1
            squares += 1
    assert squares == 2


def test_several_placements_on_the_same_cells() -> None:
    twice = Instance(
        ((0, 0), (0, 1)), ((0, (0, 1)), (1, (0, 1))), ((0, None), (0, None)), frozenset()
    )
    assert count(twice) == 2


def test_what_it_does_not_count() -> None:
    board = twin.rectangle(2, 2)
    for instance, found in [
        (twin.instance_of(board, [twin.L_TROMINO]), "a piece of 3 cells"),
        (twin.instance_of(board, [twin.DOMINO], optional=board), "may stay empty"),
        (twin.instance_of(board, [twin.DOMINO], (0, 1)), "bounds on the number"),
        (twin.instance_of([(0, 0, 0), (0, 0, 1)], [[(0, 0, 0), (0, 0, 1)]]), "in space"),
        (twin.instance_of([(0, 0), (1, 1)], [[(0, 0), (1, 1)]]), "not adjacent"),
    ]:
        assert not suits(instance)
        with pytest.raises(UnsupportedError, match=found):
            count(instance)
    assert count(twin.instance_of(board, [twin.DOMINO], (2, 2))) == 2
    assert count(Instance((), (), (), frozenset())) == 1


def test_limits() -> None:
    board = twin.instance_of(twin.rectangle(8, 8), [twin.DOMINO])
    with pytest.raises(LimitReached, match="node limit"):
        count(board, limit=Limit(nodes=10))


@given(st.integers(-(10**30), 10**30))
def test_integers_from_residues(value: int) -> None:
    known = Residues()
    for prime in primes_below(1 << 31):
        known.add(value % prime, prime)
        if known.modulus > 2 * 10**30:
            break
    assert known.symmetric() == value


def test_primes() -> None:
    sieve = [n for n in range(2, 2000) if all(n % d for d in range(2, n))]
    assert sorted(primes_below(2000)) == sieve
    assert is_prime((1 << 61) - 1)
    assert not is_prime(3215031751)  # a strong pseudoprime to the bases 2, 3, 5 and 7


@given(st.lists(st.lists(st.integers(-3, 3), min_size=3, max_size=3), min_size=3, max_size=3))
def test_hadamard_bounds_determinants(rows: list[list[int]]) -> None:
    (a, b, c), (d, e, f), (g, h, i) = rows
    determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    assert abs(determinant) <= hadamard_bound(rows)
