"""The table of ``gridkit bench``: its shape and its verdicts; no figure is of this machine."""

from __future__ import annotations

import json

import pytest

from gridkit.cli import bench, main
from gridkit.run.jit import JIT_DISABLED


def test_a_table_of_starts_and_work(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = [bench._Task("counting", 7, lambda: 7, 2_000, "states")]
    monkeypatch.setattr(bench, "_tasks", lambda: iter(tasks))
    monkeypatch.setattr(bench, "_processes", lambda cold: iter([("cold" if cold else "warm", 1.5)]))
    monkeypatch.setattr(bench, "_processor_seconds", lambda work: 0.5)
    assert main(["bench"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2:] == [
        "whole processes                                   seconds",
        "cold                                                1.500",
        "",
        "with kernels loaded                               seconds",
        "counting                                           0.5000      4 k states/s",
    ]
    assert main(["bench", "--warm", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "command": "bench",
        "processes": {"warm": 1.5},
        "work": {"counting": 0.5},
        "wrong": [],
    }
    tasks[0] = bench._Task("counting", 8, lambda: 7)
    assert main(["bench"]) == 1
    assert "WRONG: 7 instead of 8" in capsys.readouterr().out


@pytest.mark.skipif(JIT_DISABLED, reason="needs the kernels")
def test_every_answer_is_right() -> None:
    for task in bench._tasks():
        assert task.work() == task.answer, task.what
        assert bool(task.amount) == bool(task.unit)


def test_starts_are_measured() -> None:
    assert bench._start("", runs=1) > 0
    assert bench._processor_seconds(lambda: None) > 0


@pytest.mark.parametrize(("value", "text"), [(4.5e9, "4.5 G"), (133_333, "133 k"), (7.0, "7")])
def test_rates_in_three_digits(value: float, text: str) -> None:
    assert bench._short(value) == text
