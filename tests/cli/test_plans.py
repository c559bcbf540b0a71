"""``gridkit slide``, ``npuzzle``, ``kings``, ``stack`` and ``cover``."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from gridkit.cli import main

SLIDING = "AAB\n...\n\n...\n.AA\n"
KINGS = "1 . 2\n. . .\n\n. . .\n1 . 2\n"
STACKS = ".0> . ~ .1<\n. .2^ . #\n"


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Asker:
    return Asker(monkeypatch, capsys)


class Asker:
    def __init__(self, patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.patch, self.capsys = patch, capsys

    def __call__(self, *arguments: str, stdin: str) -> tuple[int, str, str]:
        self.patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        status = main(list(arguments))
        return status, *self.capsys.readouterr()


@pytest.mark.parametrize(
    ("command", "stdin", "begins"),
    [
        ("slide --metric move", SLIDING, "2 steps, 2 slides, 1 moves\nA 0,0-1,1\n"),
        ("npuzzle", "1 2 3\n4 . 5\n", "1 steps, 1 pushes\n5 1,2-1,1\n"),
        ("npuzzle --optimal", "8 6 7\n2 5 4\n3 . 1\n", "31 steps, "),
        ("npuzzle --distance", "8 6 7\n2 5 4\n3 . 1\n", "31\n"),
        ("npuzzle --explain", "1 2\n. 3\n", "solvable"),
        ("kings", KINGS, "2 steps\n"),
        ("kings --fast", KINGS, ""),
        ("kings --optimal --rule orthogonal", KINGS, "2 steps\n"),
        ("kings --explain", "1 . 2 .\n\n2 . 1 .\n", "not reachable: every block is taken"),
        ("stack --max-rounds none", STACKS, "never stops: "),
        ("stack --max-rounds 2 --trace", STACKS, "round 1: 0 takes 0 from 0,0 to 0,1\n"),
        ("cover", "a b c\na b\nc\na\nb c\n", "a b\nc\n\n"),
        ("cover --count", "a b c\na b\nc\na\nb c\n", "2\n"),
        ("cover --unique", "a b c\na b\nc\na\nb c\n", "not unique\n"),
        ("cover --minimum", "a b c\na b |4\nc |1\na |1\nb c |2\n", "a\nb c\ncost 3\n"),
        ("cover", "a | x\na x:red\n", "a x:red\n"),
    ],
)
def test_answers(ask: Asker, command: str, stdin: str, begins: str) -> None:
    status, out, err = ask(*command.split(), stdin=stdin)
    assert (status, err) == (0, "")
    assert out.startswith(begins)


@pytest.mark.parametrize(
    ("command", "stdin", "words"),
    [
        ("slide", "A#.\n\n..A\n", "no solution"),
        ("slide --all-metrics", "A#.\n\n..A\n", "no solution"),
        ("npuzzle", "2 1 3\n4 5 .\n", "unsolvable: "),
        ("npuzzle --distance", "2 1 3\n4 5 .\n", "unsolvable: "),
        ("kings", "1 . 2 .\n\n2 . 1 .\n", "not reachable: "),
        ("cover", "a b\na\n", "no solution"),
    ],
)
def test_what_is_impossible_has_status_1(ask: Asker, command: str, stdin: str, words: str) -> None:
    status, out, err = ask(*command.split(), stdin=stdin)
    assert (status, err) == (1, "")
    assert words in out


@pytest.mark.parametrize(
    ("command", "stdin", "words"),
    [
        ("npuzzle", "1 2\n. x\n", "line 2"),
        ("npuzzle --tables nine", "1 2\n. 3\n", "tables"),
        ("kings", "1 2\n", "start and target"),
        ("cover", "a b\na c\n", "line 2"),
        ("cover --minimum", "a b\na b\n", "no costs"),
        ("slide --all-metrics --svg x.svg", SLIDING, "--all-metrics"),
        ("stack", '{"lift": "all"}\n.0>\n', "lift"),
        ("stack", '{"lift": "above"}\n.0>\n.0<\n', "line 3"),
    ],
)
def test_bad_input_has_status_2(ask: Asker, command: str, stdin: str, words: str) -> None:
    status, out, err = ask(*command.split(), stdin=stdin)
    assert (status, out) == (2, "")
    assert words in err


@pytest.mark.parametrize(
    ("command", "stdin"),
    [
        ("slide", SLIDING),
        ("npuzzle", "1 2 3\n4 . 5\n"),
        ("kings", KINGS),
        ("stack --max-rounds 5", STACKS),
    ],
)
def test_plans_are_drawn(ask: Asker, command: str, stdin: str, tmp_path: Path) -> None:
    page, drawing = tmp_path / "page.html", tmp_path / "drawing.svg"
    files = ["--html", str(page), "--svg", str(drawing)]
    status, _, err = ask(*command.split(), *files, stdin=stdin)
    assert (status, err) == (0, "")
    assert page.read_text(encoding="utf-8").lower().startswith("<!doctype html>")
    assert drawing.read_text(encoding="utf-8").startswith("<svg")
    missing = str(tmp_path / "no" / "page.html")
    status, _, err = ask(*command.split(), "--html", missing, stdin=stdin)
    assert status == 2
    assert missing in err


def test_plans_move(ask: Asker, tmp_path: Path) -> None:
    drawing, film = tmp_path / "drawing.svg", tmp_path / "film.gif"
    assert ask("slide", "--svg", str(drawing), "--animate", stdin=SLIDING)[0] == 0
    assert "<animate" in drawing.read_text(encoding="utf-8")
    status, _, err = ask("slide", "--gif", str(film), stdin=SLIDING)
    if status == 0:
        assert film.read_bytes().startswith(b"GIF8")
    else:
        assert "gridkit[gif]" in err


def test_rules_in_front_of_a_game(ask: Asker) -> None:
    text = '{"lift": "stack"}\n' + STACKS
    assert ask("stack", "--max-rounds", "none", stdin=text)[0] == 0
    status, _, err = ask("stack", "--rules", "-", stdin=text)
    assert status == 2
    assert "gridkit: " in err
