"""``gridkit tile``."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridkit.cli import main


def board(tmp_path: Path, text: str) -> str:
    path = tmp_path / "board.txt"
    path.write_text(text)
    return str(path)


def test_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = board(tmp_path, "..#\n..#\n")
    assert main(["tile", path, "--pieces", "tetrominoes:O"]) == 0
    assert capsys.readouterr().out == "AA#\nAA#\n"
    svg = tmp_path / "out.svg"
    assert main(["tile", path, "--pieces", "domino", "--copies", "any", "--svg", str(svg)]) == 0
    assert svg.read_text().startswith("<svg")


def test_impossible(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = board(tmp_path, "...\n")
    assert main(["tile", path, "--pieces", "domino", "--copies", "any"]) == 1
    assert capsys.readouterr().out == "no tiling\n"
    assert main(["tile", path, "--pieces", "domino", "--copies", "any", "--count"]) == 0
    assert capsys.readouterr().out == "0\n"


def test_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = board(tmp_path, "......\n" * 6)
    arguments = ["tile", path, "--pieces", "domino", "--copies", "any", "--count"]
    assert main(arguments) == 0
    assert main([*arguments, "--up-to-symmetry"]) == 0
    # A004003 has 6728.
    assert capsys.readouterr().out == "6728\n930\n"
    drawn = board(tmp_path, "....\n....\n")
    pieces = tmp_path / "pieces.txt"
    pieces.write_text("##\n##\n\n#\n#\n\n\n")
    assert main(["tile", drawn, "--pieces", str(pieces), "--copies", "1-2", "--count"]) == 0
    assert capsys.readouterr().out == "5\n"


def test_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = board(tmp_path, "...\n...\n")
    assert main(["tile", path, "--pieces", "trominoes:L", "--copies", "2", "--all"]) == 0
    pictures = capsys.readouterr().out.strip().split("\n\n")
    assert sorted(pictures) == ["AAB\nABB", "ABB\nAAB"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--pieces", "heptominoes"], "is no file"),
        (["--pieces", "trominoes:Q"], "has no 'Q'"),
        (["--copies", "-3"], "expected any"),
        (["--copies", "3-1"], "least <= greatest"),
        (["--up-to-symmetry"], "goes with --count"),
        (["--seconds", "-1"], "seconds"),
    ],
)
def test_bad_arguments(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    path = board(tmp_path, "...\n")
    joined = [f"{a}={b}" for a, b in zip(arguments[::2], arguments[1::2], strict=False)]
    assert main(["tile", path, *(joined or arguments)]) == 2
    shown = capsys.readouterr()
    assert message in shown.err
    assert shown.out == ""


def test_limits(tmp_path: Path) -> None:
    path = board(tmp_path, "........\n" * 5)
    arguments = ["--pieces", "one_sided_pentominoes", "--copies", "0-1", "--seconds", "0"]
    assert main(["tile", path, "--count", *arguments]) == 3
