"""Packed steps against arrays of numpy: lengths, slices, directions, what is refused."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridkit.errors import InputError
from gridkit.sliding import steps as steps_module
from gridkit.sliding.steps import METRICS, Metric, Steps

ROWS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 6), st.integers(0, 6)), max_size=30)


def begins(rows: list[tuple[int, int, int]], metric: Metric) -> list[int]:
    """The twin: a step begins a move unless it goes on as the metric says."""
    starts = []
    for number, (block, before, after) in enumerate(rows):
        goes_on = False
        if number:
            last, last_before, last_after = rows[number - 1]
            same_block, same_way = block == last, after - before == last_after - last_before
            goes_on = {
                "step": False,
                "slide": same_block and same_way,
                "move": same_block,
                "push": same_way,
            }[metric]
        if not goes_on:
            starts.append(number)
    return starts


@given(rows=ROWS, metric=st.sampled_from(METRICS))
def test_moves_begin_where_the_metric_says(
    rows: list[tuple[int, int, int]], metric: Metric
) -> None:
    steps = Steps.read(rows)
    assert steps.begins(metric) == begins(rows, metric)
    if rows and metric != "step":
        assert steps._begins_of_many(metric) == begins(rows, metric)


@given(rows=ROWS, first=st.integers(0, 30), last=st.integers(0, 30))
def test_steps_are_rows(rows: list[tuple[int, int, int]], first: int, last: int) -> None:
    steps = Steps.read(rows)
    array = np.array(rows, np.int64).reshape(-1, 3)
    assert Steps.read(array) == steps == pickle.loads(pickle.dumps(steps))
    assert hash(Steps.read(array.astype(np.uint8))) == hash(steps)
    assert np.array_equal(steps.array, array)
    assert not steps.array.flags.writeable
    assert list(steps) == rows
    assert steps[first:last].tolist() == [list(row) for row in rows[first:last]]
    assert list(steps.reversed()) == [(block, b, a) for block, a, b in reversed(rows)]


def test_long_plans_are_counted_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps_module, "_MANY", 2)
    rows = [(0, 0, 1), (0, 1, 2), (0, 2, 5), (1, 4, 7)]
    for metric in METRICS:
        assert Steps.read(rows).begins(metric) == begins(rows, metric)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (3, "got int"),
        ([3], "got 3 in row 0"),
        ([(1, 2, 3), "abc"], "got 'abc' in row 1"),
        ([(1, 2, 3), (1, 2)], "in row 1"),
        ([(1, 2, 3.0)], "expected integers"),
        ([(1, 2, 1 << 31)], "32 bits"),
        (np.zeros((2, 2), int), "got shape"),
        (np.zeros((2, 3)), "got dtype float64"),
        (np.full((2, 3), 1 << 31), "32 bits"),
    ],
)
def test_what_is_no_step(rows: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Steps.read(rows)  # type: ignore[arg-type]  # what is tested
