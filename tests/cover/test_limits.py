"""Limits hold while a call prepares: every loop looks at the clock."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

import gridkit as gk
from gridkit.run.jit import JIT_DISABLED

I2, I3 = gk.Polyomino.parse("##"), gk.Polyomino.parse("###")
ELL = gk.Polyomino.parse("#.\n##")


def line() -> gk.Tiling:
    return gk.Tiling(gk.Board.rectangle(1, 30_000), [I2, I3], copies=None)


def counted_line() -> gk.Tiling:
    return gk.Tiling(gk.Board.rectangle(1, 30_000), [I2, I3], copies=[150, None])


def square() -> gk.Tiling:
    return gk.Tiling(gk.Board.rectangle(60, 60), gk.pieces.pentominoes(), None, reflect=True)


def dominoes() -> gk.Tiling:
    return gk.Tiling(gk.Board.rectangle(120, 120), gk.pieces.domino(), None)


CALLS: dict[str, Callable[[gk.Limit], object]] = {
    "count": lambda limit: line().count(limit=limit),
    "count by a search": lambda limit: counted_line().count(limit=limit),
    "count by a sweep": lambda limit: square().count(method="frontier", limit=limit),
    "count by a determinant": lambda limit: dominoes().count(method="kasteleyn", limit=limit),
    "count of orbits": lambda limit: line().count(up_to_symmetry=True, limit=limit),
    "count_by": lambda limit: line().count_by(limit=limit),
    "first": lambda limit: line().first(limit=limit),
    "is_unique": lambda limit: line().is_unique(limit=limit),
    "sample": lambda limit: line().sample(1, limit=limit),
    "solutions": lambda limit: line().solutions(limit=limit),
    "explain": lambda limit: line().explain(limit=limit),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_call_looks_at_the_clock_while_it_prepares(
    call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each look takes a second here, and the limit is met before anything is counted."""
    seconds = iter(range(1_000_000))
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(seconds)))
    with pytest.raises(gk.LimitReached, match="time limit") as caught:
        CALLS[call](gk.Limit(seconds=8))
    partial = caught.value.partial
    assert isinstance(partial, gk.run.Partial)
    assert partial.nodes == 0


@pytest.mark.skipif(JIT_DISABLED, reason="too many states")
def test_many_draws_look_at_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Walking back is far slower than sweeping: its chunks are of fewer states."""
    looks = 0
    clock = time.perf_counter

    def counted() -> float:
        nonlocal looks
        looks += 1
        return clock()

    monkeypatch.setattr(time, "perf_counter", counted)
    tiling = gk.Tiling(gk.Board.rectangle(10, 12), [ELL], copies=None)
    assert len(tiling.sample(1, 20_000)) == 20_000
    assert looks > 20


def test_a_term_far_out_looks_at_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter(range(1_000_000))
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(seconds)))
    with pytest.raises(gk.LimitReached, match="time limit"):
        gk.cover.count_rectangles([I2], 2, [10**9], limit=gk.Limit(seconds=10_000))


@pytest.mark.parametrize("parts", [1000, 30_000])
def test_splitting_looks_at_the_clock(parts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    cover = gk.ExactCover([[("r", i), ("c", j)] for i in range(12) for j in range(12)])
    seconds = iter(range(1_000_000))
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(seconds)))
    for _ in range(2):
        with pytest.raises(gk.LimitReached, match="time limit") as caught:
            cover.count(parts=parts, limit=gk.Limit(seconds=60))
        assert caught.value.partial.value == 0
        assert next(seconds) < 200


def test_reducing_looks_at_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    cover = gk.ExactCover([[i] for i in range(20_000) for _ in "ab"])
    seconds = iter(range(1_000_000))
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(seconds)))
    with pytest.raises(gk.LimitReached, match="time limit") as caught:
        cover.count(limit=gk.Limit(seconds=20))
    assert caught.value.partial.nodes == 0
