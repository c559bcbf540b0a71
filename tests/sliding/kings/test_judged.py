"""The judged problem: right verdicts and plans for the collected cases, clear errors."""

from __future__ import annotations

import json
from typing import TypedDict

import pytest

import gridkit as gk
from families import FAMILIES
from gridkit.run.jit import JIT_DISABLED
from gridkit.sliding.kings.puzzle import KingsPuzzle
from gridkit.sliding.kings.reach import RULES
from twins.kings import follow, less_polishing

pytestmark = [pytest.mark.usefixtures(less_polishing.__name__)] if JIT_DISABLED else []
DATA = FAMILIES / "kings"


class Case(TypedDict):
    name: str
    file: str
    n: int
    k: int
    verdict_king: str
    verdict_orth: str
    optimal_king: int | None
    optimal_orth: int | None
    lower_bound_king: int
    seed_moves: int | None


CASES: list[Case] = [
    case
    for case in json.loads((DATA / "index.json").read_text())["cases"]
    if (DATA / case["file"]).exists()
]


def boards(text: str) -> tuple[list[list[int]], list[list[int]]]:
    rows = [[int(word) for word in line.split()] for line in text.split("\n")[1:] if line]
    return rows[: len(rows) // 2], rows[len(rows) // 2 :]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_case(case: Case) -> None:
    if JIT_DISABLED and case["n"] > 8:
        pytest.skip("too long without the compiler")
    text = (DATA / case["file"]).read_text()
    start, target = boards(text)
    assert KingsPuzzle(start, target).reachable() == (case["verdict_king"] == "TAK")
    assert KingsPuzzle(start, target, "orthogonal").reachable() == (case["verdict_orth"] == "TAK")
    words = gk.problems.solve("poi33_kings", text).split()
    if case["verdict_king"] == "NIE":
        assert words == ["NIE"]
        return
    assert words[0] == "TAK"
    numbers = [int(word) for word in words[1:]]
    assert len(numbers) == 1 + 3 * numbers[0]
    steps = [
        (numbers[i], numbers[i + 1] - 1, numbers[i + 2] - 1) for i in range(1, len(numbers), 3)
    ]
    assert follow(start, steps, "king") == target
    assert len(steps) >= case["lower_bound_king"]
    accepted = case["seed_moves"]
    assert accepted is not None
    assert len(steps) <= max((0.85 if JIT_DISABLED else 0.6) * accepted, case["optimal_king"] or 0)
    if case["optimal_king"] is not None and not JIT_DISABLED:
        assert len(steps) == case["optimal_king"]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    "case",
    [case for case in CASES if case["n"] <= (4 if JIT_DISABLED else 7)],
    ids=lambda case: case["name"],
)
def test_shortest(case: Case, rule: str) -> None:
    start, target = boards((DATA / case["file"]).read_text())
    made = KingsPuzzle(start, target, "king" if rule == "king" else "orthogonal").plan(optimal=True)
    best = case["optimal_king"] if rule == "king" else case["optimal_orth"]
    assert (None if made is None else len(made)) == best


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: expected the sizes"),
        ("2", "line 1, column 2: expected the sizes"),
        ("0 1\n", "line 1, column 1: n must be from 1 to 100, found 0"),
        ("2 1\n1 0\n0 x\n0 1\n0 0\n", "line 3, column 3: expected an integer id, found 'x'"),
        ("2 1\n1 0\n0\n0 1\n0 0\n", "line 3: expected 2 numbers in a row of the start, found 1"),
        ("2 1\n1 0\n0 0\n0 1\n", "line 5: expected row 2 of the target, found the end"),
        ("2 2\n1 0\n0 2\n0 1\n0 0\n", "line 3, column 3: king 2 touches king 1 in the start"),
        ("2 2\n0 1\n2 0\n0 1\n0 0\n", "line 3, column 1: king 2 touches king 1 in the start"),
        ("3 2\n1 0 1\n0 0 0\n0 0 0\n", "line 2, column 5: king 1 is already on line 2"),
        ("1 1\n-1\n1\n", "line 2, column 1: id must be from 0 to 1, found -1"),
        ("1 1\n2\n1\n", "line 2, column 1: id must be from 0 to 1, found 2"),
        ("1 1\n0\n1\n", "line 2: expected 1 kings in the start, king 1 is missing"),
        ("1 1\n1\n1\n7\n", "line 4, column 1: expected the end of the input, found '7'"),
        ("1 1\n1 0\n1\n", "line 2: expected 1 numbers in a row of the start, found 2"),
    ],
)
def test_bad_input(text: str, message: str) -> None:
    with pytest.raises(gk.ParseError) as error:
        gk.problems.solve("poi33_kings", text)
    assert str(error.value).startswith(message)


def test_windows_line_ends() -> None:
    assert gk.problems.solve("poi33_kings", "1 1\r\n1\r\n1\r\n") == "TAK\n0\n"
