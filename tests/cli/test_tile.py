"""``gridkit tile``."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import gridkit as gk
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
        (["--rng", "3"], "goes with --sample"),
        (["--pieces", "soma"], "Polycube"),
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


def test_boards_by_size(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tile", "3x20", "--reflect", "--count"]) == 0
    assert main(["tile", "20x3", "--reflect", "--pieces", "FILNPTUVWXYZ", "--count"]) == 0
    assert main(["tile", "1x2x2"]) == 1
    # Eight tilings of 3 x 20, in either direction (Fletcher, 1965, has 2 up to symmetry).
    assert capsys.readouterr().out == "8\n8\nno tiling\n"


def test_letters_name_the_pieces(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tile", "1x5", "--pieces", "I"]) == 0
    assert main(["tile", "5x5", "--pieces", "IIIII", "--count"]) == 0
    assert capsys.readouterr().out == "IIIII\n2\n"


def test_one_of_each_orbit(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["tile", "4x4", "--pieces", "domino", "--copies", "any", "--up-to-symmetry"]
    assert main([*arguments, "--count"]) == 0
    number = int(capsys.readouterr().out)
    assert main([*arguments, "--all"]) == 0
    drawn = capsys.readouterr().out.strip().split("\n\n")
    assert number == len(drawn) == len(set(drawn)) == 9  # of 36 (A004003)


def test_samples(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["tile", "4x4", "--pieces", "domino", "--copies", "any", "--sample", "3"]
    assert main([*arguments, "--rng", "5"]) == 0
    first = capsys.readouterr().out
    assert main([*arguments, "--rng", "5"]) == 0
    assert capsys.readouterr().out == first
    board = gk.Board.rectangle(4, 4)
    tilings = {str(each) for each in gk.Tiling(board, gk.pieces.domino(), None).solutions()}
    drawn = first.strip().split("\n\n")
    assert len(drawn) == 3
    assert set(drawn) <= tilings


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["2x2", "--unique"], 0, "not unique"),
        (["1x2", "--unique"], 0, "unique"),
        (["1x3", "--unique"], 1, "no tiling"),
        (["2x2", "--explain"], 0, "there is a tiling"),
        (["3x3", "--explain"], 0, "9 cells"),
    ],
)
def test_unique_and_explained(
    arguments: list[str], status: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tile", *arguments, "--pieces", "domino", "--copies", "any"]) == status
    assert words in capsys.readouterr().out


def test_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, drawing = tmp_path / "page.html", tmp_path / "drawing.svg"
    arguments = ["--pieces", "domino", "--copies", "any", "--html", str(page), "--svg"]
    arguments.append(str(drawing))
    for output, pictures in (("--all", 5), ("--first", 1), ("--count", 1)):
        assert main(["tile", "2x4", output, *arguments]) == 0
        assert page.read_text().count("<svg") == pictures
        assert drawing.read_text().startswith("<svg")
    assert main(["tile", "3x3", "--explain", *arguments]) == 0
    assert page.read_text().count("<svg") == 1
    assert not re.search("https?://(?!www.w3.org)", page.read_text())
    capsys.readouterr()


def test_an_error_in_a_file_of_pieces_names_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pieces = tmp_path / "pieces.txt"
    pieces.write_text("##\n\n\n#\n#x\n")
    assert main(["tile", "2x3", "--pieces", str(pieces)]) == 2
    assert f"gridkit: {pieces}: line 5, column 2: " in capsys.readouterr().err
