"""Which engine counts, and that counting by tilings goes there."""

from __future__ import annotations

import pytest

import gridkit as gk
from gridkit.cover import decide
from gridkit.cover.decide import advise
from gridkit.cover.frontier.memory import MemoryShort
from gridkit.run import Run
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
    assert advise(instance, Run(), memory=1000).method == "search"


def covers(tiling: gk.Tiling, solution: gk.cover.Solution | None) -> bool:
    assert solution is not None
    cells = [tuple(cell) for _, piece in solution.pieces for cell in piece]
    return sorted(cells) == sorted(map(tuple, tiling.region.cells))


@pytest.mark.skipif(JIT_DISABLED, reason="too many states")
def test_a_sweep_gives_the_tiling_that_no_search_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    """T tetrominoes on 24 x 24 cells: a search goes on for hours, and without blocks."""
    monkeypatch.setattr(decide, "join_blocks", lambda *_: None)
    tee = gk.pieces.tetrominoes()["T"]
    tiling = gk.Tiling(rectangle(24, 24), [tee], copies=None)
    with pytest.raises(gk.LimitReached):
        tiling.first(limit=gk.Limit(nodes=100_000))
    found = tiling.first()
    assert covers(tiling, found)
    exactly = gk.Tiling(rectangle(24, 24), [tee], copies=144)
    assert exactly.first() is not None


@pytest.mark.parametrize("copies", [None, 12, (0, 20)])
@pytest.mark.parametrize("brief", [0, 3, 1000])
def test_one_tiling_by_a_sweep_or_a_search(
    copies: int | tuple[int, int] | None, brief: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decide, "_BRIEF_NODES", brief)
    tiling = gk.Tiling(rectangle(6, 6), [ELL], copies=copies)
    found = tiling.first()
    assert covers(tiling, found)
    assert tiling.first() == found
    assert not tiling.is_unique()
    none = gk.Tiling(rectangle(3, 5), [ELL], copies=None)
    assert none.first() is None
    assert not none.is_unique()
    corner = gk.Board.parse("..#\n...")
    once = gk.Tiling(corner, gk.pieces.pentominoes(), [(0, 2)] * 12, reflect=True)
    assert once.is_unique()
    assert covers(once, once.first())


@pytest.mark.parametrize("copies", [None, [(0, 20), None]])
def test_a_call_for_one_tiling_goes_on_from_its_token(
    copies: list[tuple[int, int] | None] | None,
) -> None:
    tiling = gk.Tiling(rectangle(4, 9), [ELL, DOMINO["I"]], copies=copies)
    token, cuts = None, 0
    while True:
        try:
            solution = tiling.first(limit=gk.Limit(nodes=2), resume=token)
        except gk.LimitReached as reached:
            token, cuts = reached.token, cuts + 1
        else:
            break
    assert cuts > 2
    assert covers(tiling, solution)


def test_memory_that_is_short_leaves_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    def short(*_: object) -> None:
        raise MemoryShort("memory limit reached")

    monkeypatch.setattr(decide, "_BRIEF_NODES", 3)
    monkeypatch.setattr(decide, "first_covering", short)
    monkeypatch.setattr(decide, "join_blocks", lambda *_: None)
    tiling = gk.Tiling(rectangle(6, 6), [ELL], copies=None)
    assert tiling.first() == next(tiling.solutions())
    with pytest.raises(gk.LimitReached, match="memory limit"):
        tiling.first(limit=gk.Limit(memory=1 << 30))
