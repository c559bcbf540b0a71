"""The judged stacking problems and the command."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from gridkit import problems
from gridkit.cli import main
from gridkit.errors import ParseError
from stacking_cases import CASES, FOLDER, text_of


@pytest.mark.parametrize("name", ["17837", "17780"])
def test_judged_answers(name: str) -> None:
    for case in CASES:
        answer = problems.solve(f"boj{name}", text_of(case))
        assert answer == f"{case['answer_' + name]}\n", case["file"]
        assert problems.solve(f"boj{name}", text_of(case).replace("\n", " \r\n")) == answer


BAD = [
    ("", 1, None, "expected the sizes"),
    ("2\n", 1, 2, "found 1 values"),
    ("0 1\n", 1, 1, "N must be at least 1"),
    ("1 0\n0\n", 1, 3, "K must be at least 1"),
    ("1 x\n", 1, 3, "expected an integer K"),
    ("2 1\n0 0\n0 3\n1 1 1\n", 3, 3, "colour must be from 0 to 2, found 3"),
    ("2 1\n0 0\n0 -1\n1 1 1\n", 3, 3, "colour must be from 0 to 2"),
    ("2 1\n0 0 0\n0 0\n1 1 1\n", 2, 5, "expected a row of 2 colours, found 3"),
    ("2 1\n0\n0 0\n1 1 1\n", 2, 2, "expected a row of 2 colours, found 1"),
    ("2 1\n0 0\n0 0\n", 4, None, "expected piece 1 of 1"),
    ("1 1\n0\n1 1 5\n", 3, 5, "direction must be from 1 to 4, found 5"),
    ("1 1\n0\n1 1 0\n", 3, 5, "direction must be from 1 to 4"),
    ("1 1\n0\n1 2 1\n", 3, 3, "column must be from 1 to 1"),
    ("2 2\n0 0\n0 0\n1 1 1\n1 1 2\n", 5, 1, "two pieces start on row 1, column 1"),
    ("1 1\n0\n1 1 1\n7\n", 4, 1, "expected the end"),
]


@pytest.mark.parametrize("name", ["boj17837", "boj17780"])
@pytest.mark.parametrize(("text", "line", "column", "says"), BAD)
def test_bad_boards(name: str, text: str, line: int, column: int | None, says: str) -> None:
    with pytest.raises(ParseError) as caught:
        problems.solve(name, text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert says in str(caught.value)


# -- UVa 101 -----------------------------------------------------------------------------------

SAMPLE = """10
move 9 onto 1
move 8 over 1
move 7 over 1
move 6 over 1
pile 8 over 6
pile 8 over 5
move 2 over 1
move 4 over 9
quit
"""
SAMPLE_ANSWER = "0: 0\n1: 1 9 2 4\n2:\n3: 3\n4:\n5: 5 8 7 6\n6:\n7:\n8:\n9:\n"


def test_blocks_sample() -> None:
    assert problems.solve("uva101", SAMPLE) == SAMPLE_ANSWER


def blocks_by_lists(n: int, commands: list[tuple[str, int, str, int]]) -> str:
    """Carry the commands out on plain lists."""
    piles = [[block] for block in range(n)]
    for verb, a, preposition, b in commands:
        source = next(pile for pile in piles if a in pile)
        target = next(pile for pile in piles if b in pile)
        if source is target:
            continue
        if preposition == "onto":
            while target[-1] != b:
                block = target.pop()
                piles[block].append(block)
        if verb == "move":
            while source[-1] != a:
                block = source.pop()
                piles[block].append(block)
        at = source.index(a)
        target += source[at:]
        del source[at:]
    return "".join(
        f"{i}:{''.join(f' {block}' for block in pile)}\n" for i, pile in enumerate(piles)
    )


def test_blocks_as_on_plain_lists() -> None:
    chance = random.Random(101)
    for _ in range(60):
        n = chance.randint(1, 24)
        commands = [
            (
                chance.choice(["move", "pile"]),
                chance.randrange(n),
                chance.choice(["onto", "over"]),
                chance.randrange(n),
            )
            for _ in range(chance.randint(0, 60))
        ]
        lines = [" ".join(map(str, command)) for command in commands]
        text = "\n".join([str(n), *lines, "quit", ""])
        assert problems.solve("uva101", text) == blocks_by_lists(n, commands)


@pytest.mark.parametrize(
    ("text", "line", "column", "says"),
    [
        ("25\nquit\n", 1, 1, "n must be from 1 to 24"),
        ("2\nmove 0 onto 1\n", 3, None, "expected a command or quit"),
        ("2\nmove 0 under 1\nquit\n", 2, 1, "expected 'move|pile A onto|over B'"),
        ("2\nmove 0 onto 2\nquit\n", 2, 13, "block must be from 0 to 1, found 2"),
        ("2\n\nquit\n", 2, 1, "expected 'move|pile"),
        ("2\nquit\nmove 0 onto 1\n", 3, 1, "expected the end"),
        ("2\nquit now\n", 2, 1, "expected"),
    ],
)
def test_bad_commands(text: str, line: int, column: int | None, says: str) -> None:
    with pytest.raises(ParseError) as caught:
        problems.solve("uva101", text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert says in str(caught.value)


# -- the command -------------------------------------------------------------------------------


def test_command_plays_judged_boards(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    board = str(FOLDER / "10_long_cycle.txt")
    assert main(["stack", board]) == 0
    assert capsys.readouterr().out == "still going after round 1000\n"
    assert main(["stack", board, "--max-rounds", "none"]) == 0
    assert "comes back every 7910 rounds" in capsys.readouterr().out
    page = tmp_path / "page.html"
    assert main(["stack", board, "--max-rounds", "5", "--trace", "--html", str(page)]) == 0
    assert capsys.readouterr().out.startswith("round 1: 0 takes")
    assert page.read_text(encoding="utf-8").count("<svg") == 6


def test_command_reads_rules_and_pictures(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rules = tmp_path / "rules.json"
    rules.write_text('{"schedule": "bottoms", "lift": "stack"}')
    board = str(FOLDER / "13_kills_01.txt")
    assert main(["stack", board, "--rules", str(rules)]) == 0
    assert capsys.readouterr().out.startswith("stopped in round 5, turn ")
    picture = tmp_path / "game.txt"
    picture.write_text(".0> .1<\n")
    assert main(["stack", str(picture)]) == 0
    assert capsys.readouterr().out.startswith("never stops")


@pytest.mark.parametrize(
    ("text", "options", "says"),
    [
        (".0> x", [], "line 1, column 5"),
        ("1 1\n5\n1 1 1", [], "line 2, column 1"),
        (".", ["--max-rounds", "-3"], "--max-rounds"),
        (".", ["--max-rounds", "many"], "--max-rounds"),
    ],
)
def test_command_refuses(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, options: Any, says: str
) -> None:
    file = tmp_path / "game.txt"
    file.write_text(text)
    assert main(["stack", str(file), *options]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert says in captured.err
