"""Which engine counts, and that counting by tilings goes there."""

from __future__ import annotations

import pytest

import gridkit as gk
from gridkit.cover.advice import advise
from gridkit.run.jit import JIT_DISABLED

ELL = gk.Polyomino.parse("#.\n##")
DOMINO = gk.pieces.domino()
rectangle = gk.Board.rectangle


def test_what_is_advised() -> None:
    wide = gk.Tiling(rectangle(20, 20), [ELL], copies=None).advice()
    assert wide.method == "frontier"
    assert wide.estimate is not None
    assert wide.estimate.width == 21
    assert "a frontier of 21 cells" in str(wide)
    assert gk.Tiling(rectangle(30, 30), DOMINO, copies=None).advice().method == "kasteleyn"
    assert gk.Tiling(rectangle(8, 8), DOMINO, copies=None).advice().method == "frontier"
    once = gk.Tiling(rectangle(6, 10), gk.pieces.pentominoes(), reflect=True).advice()
    assert (once.method, once.reason) == ("search", "copies are limited")
    huge = gk.Tiling(rectangle(200, 200), [ELL], copies=None).advice()
    assert huge.method == "search"
    assert "would not fit" in huge.reason


def test_bounds_that_cannot_be_met_limit_nothing() -> None:
    tiling = gk.Tiling(rectangle(3, 4), [ELL], copies=(0, 4))
    assert tiling.advice().method == "frontier"
    assert tiling.count() == 4
    assert tiling.count(up_to_symmetry=True) == 2


@pytest.mark.skipif(JIT_DISABLED, reason="too many states")
def test_counts_by_any_engine() -> None:
    six = gk.Tiling(rectangle(6, 6), DOMINO, copies=None)
    numbers = {six.count(method=method) for method in ("auto", "frontier", "kasteleyn", "search")}
    assert numbers == {6728}
    large = gk.Tiling(rectangle(30, 30), DOMINO, copies=None).count()
    assert large.bit_length() == 366
    assert large % (1 << 15) == 0  # A004003: two to the power of n times a square


def test_memory_bounds_the_advice() -> None:
    instance = gk.Tiling(rectangle(20, 20), [ELL], copies=None).instance
    assert advise(instance, memory=1000).method == "search"
