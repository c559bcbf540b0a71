"""The help of each subcommand: it ends with two examples, and they work as they are written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from gridkit.cli import COMMANDS, main


def help_of(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as stopped:
        main([command, "--help"])
    assert stopped.value.code == 0
    return capsys.readouterr().out


def examples(text: str) -> list[str]:
    _, _, end = text.partition("\nexamples:\n")
    return [line.strip() for line in end.strip().splitlines()]


# The doctor compiles every kernel, and the bench measures for a while.
CASES = [
    pytest.param(name, marks=[pytest.mark.slow] if name in ("bench", "doctor") else [])
    for name in COMMANDS
]


@pytest.mark.parametrize("command", CASES)
def test_examples_work_as_they_are_written(
    command: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    if command == "completion":
        pytest.importorskip("shtab")
    lines = examples(help_of(command, capsys))
    assert len(lines) == 2
    for line in lines:
        assert f"gridkit {command}" in line
        script = f'gridkit() {{ "{sys.executable}" -m gridkit "$@"; }}\n{line}'
        result = subprocess.run(
            ["bash", "-c", script], cwd=tmp_path, capture_output=True, timeout=300, check=False
        )
        assert (result.returncode, result.stderr) == (0, b""), line
        assert result.stdout or ">" in line


def test_the_help_is_no_wider_than_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    for command in COMMANDS:
        for line in help_of(command, capsys).partition("\nexamples:")[0].splitlines():
            assert len(line) <= 100, line


def test_completion_knows_every_subcommand(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("shtab")
    assert main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    for word in (*COMMANDS, "--up-to-symmetry", "--all-metrics", "--optimal"):
        assert word in script


def test_completion_says_what_it_needs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["completion", "bash"]) == 2
    assert "gridkit[completion]" in capsys.readouterr().err
