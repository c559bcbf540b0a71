"""Domino tilings of rectangles by a resultant, against sweeps and published numbers."""

from __future__ import annotations

import pytest

import gridkit as gk
from gridkit.cover.determinant import kasteleyn
from gridkit.cover.determinant.rectangle import count_rectangle
from gridkit.run import Run
from twins import frontier as twin


@pytest.mark.parametrize("rows", range(1, 8))
def test_small_rectangles(rows: int) -> None:
    for cols in range(1, 8):
        instance = twin.instance_of(twin.rectangle(rows, cols), [twin.DOMINO])
        assert count_rectangle(rows, cols, Run()) == twin.count(instance)


@pytest.mark.parametrize(
    ("rows", "cols", "number"),
    [
        (8, 8, 12988816),
        (17, 18, 3023972648453090098847701387683202369),
        (20, 20, 1269984011256235834242602753102293934298576249856),
        (2, 300, 359579325206583560961765665172189099052367214309267232255589801),
        (19, 21, 0),
        (1, 100_000, 1),
        (1, 100_001, 0),
    ],
)
def test_known_numbers(rows: int, cols: int, number: int) -> None:
    assert count_rectangle(rows, cols, Run()) == number
    assert count_rectangle(cols, rows, Run()) == number


def test_the_determinant_of_nearly_a_rectangle() -> None:
    """A frame of cells that hold one domino each leaves the number as it is."""
    cells = [*twin.rectangle(18, 20), (18, 19), (19, 19)]
    instance = twin.instance_of(cells, [twin.DOMINO])
    assert kasteleyn.rectangle(instance) is None
    smaller = twin.instance_of(sorted(set(twin.rectangle(18, 20)) - {(17, 19)}), [twin.DOMINO])
    assert kasteleyn.count(smaller, Run()) == 0
    whole = kasteleyn.count(instance, Run())
    assert whole == count_rectangle(18, 20, Run())  # the foot holds one domino


def test_what_is_no_rectangle() -> None:
    domino = [twin.DOMINO]
    assert kasteleyn.rectangle(twin.instance_of(twin.rectangle(3, 4), domino)) == (3, 4)
    assert kasteleyn.rectangle(twin.instance_of(twin.rectangle(3, 4)[1:], domino)) is None
    two = [*twin.rectangle(2, 2), *[(r + 3, c) for r, c in twin.rectangle(2, 2)]]
    assert kasteleyn.rectangle(twin.instance_of(two, domino)) is None
    assert kasteleyn.rectangle(twin.instance_of(twin.rectangle(3, 4), [twin.MONOMINO])) is None
    optional = twin.instance_of(twin.rectangle(3, 4), domino, optional=[(0, 0)])
    assert kasteleyn.rectangle(optional) is None


def test_a_limit_ends_a_large_rectangle() -> None:
    tiling = gk.Tiling(gk.Board.rectangle(150, 150), gk.pieces.domino(), copies=None)
    with pytest.raises(gk.LimitReached):
        tiling.count(limit=gk.Limit(seconds=0.05))
