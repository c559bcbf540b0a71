from __future__ import annotations

import re
from pathlib import Path

import pytest

from families import Judged
from gridkit import InputError, ParseError, problems
from gridkit.run.jit import JIT_DISABLED


def test_abc322_d(abc322d: Judged) -> None:
    assert problems.solve("abc322_d", abc322d.text) == f"{abc322d.facts['answer']}\n"


def test_boardcover(boardcover: Judged) -> None:
    if max(boardcover.facts["h"], boardcover.facts["w"]) > 20:
        with pytest.raises(ParseError, match="must be from 1 to 20"):
            problems.solve("boardcover", boardcover.text)
    elif boardcover.facts["within_statement_limits"] or not JIT_DISABLED:
        assert problems.solve("boardcover", boardcover.text) == f"{boardcover.facts['answer']}\n"


def test_boardcover_takes_several_cases() -> None:
    assert problems.solve("boardcover", problems.sample("boardcover")) == "0\n2\n1514\n"
    assert problems.solve("boardcover", "0\n") == ""


def test_boardcover_is_not_bound_by_the_judges_fifty_cells() -> None:
    text = "1\n8 9\n" + ".........\n" * 8
    assert problems.solve("boardcover", text) == "204184\n"


def test_boardcover_pictures() -> None:
    drawn = problems.pictures("boardcover", "2\n2 3\n...\n...\n1 3\n...\n")
    assert drawn is not None
    first, second = drawn.split("\n\n")
    assert second == "no covering\n"
    assert sorted(first.replace("\n", "")) == list("AAABBB")


def test_harmless_white_space_is_accepted() -> None:
    text = "1\n2 3\n...\n...\n"
    for same in (
        text.rstrip("\n"),
        text.replace("\n", "\r\n"),
        text.replace("\n", "  \n"),
        text + "\n \n\n",
        "\ufeff" + text,
        text.replace("2 3", " 2   3"),
    ):
        assert problems.solve("boardcover", same) == "2\n"


BAD_BOARDS = [
    ("", "line 1: expected the number of cases, found an empty input"),
    ("x\n", "line 1, column 1: expected an integer C, found 'x'"),
    ("1.0\n", "line 1, column 1: expected an integer C"),
    ("31\n", "line 1, column 1: C must be from 0 to 30, found 31"),
    ("-1\n", "line 1, column 1: C must be from 0 to 30, found -1"),
    ("1 2\n", "line 1, column 3: expected the number of cases"),
    ("1\n", "line 2: expected the size of a board, found the end"),
    ("1\n2\n", r"line 2, column 2: expected the size of a board \(H W\), found 1 values"),
    ("1\n2 3 4\n", "line 2, column 5: expected the size of a board"),
    ("1\n0 3\n", "line 2, column 1: H must be from 1 to 20"),
    ("1\n2 21\n", "line 2, column 3: W must be from 1 to 20"),
    ("1\n2 " + "9" * 5000 + "\n", "line 2, column 3: expected an integer W"),
    ("1\n2 ٣\n", "line 2, column 3: expected an integer W"),
    ("1\n2 3\n...\n", "line 4: expected a row, found the end"),
    ("1\n2 3\n...\n..\n", "line 4, column 3: expected a row of 3 characters, found 2"),
    ("1\n2 3\n...\n....\n", "line 4, column 4: expected a row of 3 characters, found 4"),
    ("1\n2 3\n...\n.o.\n", "line 4, column 2: invalid character 'o'"),
    ("1\n2 3\n...\n\n...\n", "line 4, column 1: expected a row of 3 characters, found 0"),
    ("1\n2 3\n...\n...\n...\n", "line 5, column 1: expected the end of the input"),
    ("1\n2 3\n...\n...\n\n  7\n", "line 6, column 3: expected the end of the input, found '7'"),
]


@pytest.mark.parametrize(("text", "message"), BAD_BOARDS)
def test_boardcover_bad_input(text: str, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        problems.solve("boardcover", text)


SQUARE = "##..\n##..\n....\n....\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: expected a row of piece 1, found an empty input"),
        (SQUARE * 2, "line 9: expected a row of piece 3, found the end"),
        (SQUARE * 3 + "....\n", "line 13, column 1: expected the end"),
        (SQUARE + "....\n" * 4 + SQUARE, "line 8: piece 2, .* at least one cell"),
        (SQUARE + "#..#\n" + "....\n" * 3 + SQUARE, "line 8: piece 2, .* not connected"),
        (SQUARE + "#...\n.#..\n....\n....\n" + SQUARE, "line 8: piece 2, .* not connected"),
        (SQUARE.replace("##..", "##.", 1) + SQUARE * 2, "line 1, column 4: .* found 3"),
        (SQUARE + "####.\n" + "....\n" * 3 + SQUARE, "line 5, column 5: .* found 5"),
        (SQUARE + "##x.\n" + "....\n" * 3 + SQUARE, "line 5, column 3: invalid character 'x'"),
        (SQUARE + "\n" + SQUARE * 2, "line 5, column 1: .* found 0"),
    ],
)
def test_abc322_d_bad_input(text: str, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        problems.solve("abc322_d", text)


def test_registry() -> None:
    assert {"abc322_d", "boardcover", "boj17837", "boj17780", "poi33_kings"} <= set(
        problems.names()
    )
    for name in problems.names():
        assert problems.title(name)
    with pytest.raises(
        InputError, match=r"unknown problem 'bordcover' .*did you mean 'boardcover'"
    ):
        problems.solve("bordcover", "")
    for name in ("", "_reader", "samples", "../cli"):
        with pytest.raises(InputError, match="unknown problem"):
            problems.solve(name, "")


@pytest.mark.parametrize("name", problems.names())
def test_every_adapter_answers_its_sample_and_refuses_nonsense(name: str) -> None:
    answer = problems.solve(name, problems.sample(name))
    assert answer.endswith("\n")
    assert problems.solve(name, problems.sample(name).replace("\n", "\r\n")) == answer
    for nonsense in (
        "",
        "\n",
        "\0",
        "?!\n",
        "nan\n",
        "-1\n",
        "9" * 30,
        problems.sample(name) + "?\n",
    ):
        with pytest.raises(ParseError):
            problems.solve(name, nonsense)
    with pytest.raises(InputError, match="expected a text"):
        problems.solve(name, 7)  # type: ignore[arg-type]  # the wrong type is the point


@pytest.mark.parametrize("name", problems.names())
def test_adapters_stay_thin(name: str) -> None:
    source = Path(problems.__file__).with_name(f"{name}.py").read_text()
    assert len(source.splitlines()) <= 75
    assert re.search(r"^def solve\(text: str\) -> str:$", source, re.MULTILINE)
