"""The text format of Knuth's programs."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridkit.cover.exact_cover import Colored, ExactCover
from gridkit.cover.knuth_format import dumps, loads, read, write
from gridkit.errors import InputError, ParseError

DATA = Path(__file__).parents[1] / "data" / "cover"


def test_a_coloured_problem() -> None:
    problem = read(DATA / "colours.dlx")
    assert problem.primary == ("p", "q", "r")
    assert problem.secondary == ("x", "y")
    assert list(problem.solutions()) == [(1, 3)]


def test_multiplicities_and_costs() -> None:
    problem = loads("a 0:2|b 3|c\na b\nc |4\nc b|1 |2\nc\n\n| a remark\nb\n")
    assert problem.multiplicity == {"b": (0, 2), "c": (3, 3)}
    assert problem.costs == (0, 4, 3, 0, 0)
    assert problem.count() == 1
    assert problem.minimum()[0].cost == 7


def test_langford_pairs_of_four() -> None:
    assert read(DATA / "langford4.dlx").count() == 2


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, None, "line of items"),
        ("| only a remark\n", 1, None, "line of items"),
        ("a b\na c\n", 2, 3, "unknown item 'c'"),
        ("a a\n", 1, 3, "named twice"),
        ("a | b | c\n", 1, 7, "second"),
        ("a:1\n", 1, 1, "without ':'"),
        ("a b|c\n", 1, 3, "without ':'"),
        ("a\na:x\n", 2, 1, "primary item 'a' is given a colour"),
        ("a | x\na x:\n", 2, 3, "expected a colour"),
        ("a b\na b a\n", 2, 5, "repeated"),
        ("3:2|a\n", 1, 1, "no range"),
        ("a | 2|b\n", 1, 5, "secondary"),
        ("a\na\n|5 |6\na\n", None, None, ""),
    ],
)
def test_bad_texts(text: str, line: int | None, column: int | None, message: str) -> None:
    if line is None:
        assert len(loads(text)) == 2  # a line that begins with a bar is a remark
        return
    with pytest.raises(ParseError, match=message) as error:
        loads(text)
    assert (error.value.line, error.value.column) == (line, column)


def test_an_option_of_a_cost_alone() -> None:
    with pytest.raises(ParseError, match="found no item"):
        loads("a\na\n |5\n")
    with pytest.raises(InputError, match="expected a text"):
        loads(3)  # type: ignore[arg-type]  # wrong on purpose


@given(st.data())
def test_round_trip(data: st.DataObject) -> None:
    primary = [f"i{n}" for n in range(data.draw(st.integers(1, 4)))]
    secondary = [f"s{n}" for n in range(data.draw(st.integers(0, 2)))]
    options: list[list[object]] = []
    for _ in range(data.draw(st.integers(0, 5))):
        option: list[object] = list(
            data.draw(st.lists(st.sampled_from(primary), min_size=1, unique=True))
        )
        for name in secondary:
            color = data.draw(st.sampled_from(["", "-", "A", "B"]))
            if color:
                option.append(name if color == "-" else Colored(name, color))
        options.append(option)
    bounds = {
        name: data.draw(st.sampled_from([(0, 1), (1, 2), (2, 2)]))
        for name in primary
        if data.draw(st.booleans())
    }
    costs = data.draw(st.none() | st.just([n + 1 for n in range(len(options))]))
    problem = ExactCover(options, primary, secondary, multiplicity=bounds, costs=costs or None)
    assert loads(dumps(problem)) == problem
    assert str(problem) == dumps(problem)
    assert ExactCover.parse(str(problem)).count() == problem.count()


def test_writing(tmp_path: Path) -> None:
    problem = ExactCover([[0, (1, 2)], [0]], multiplicity={0: (1, None)})
    write(problem, tmp_path / "p.dlx")
    assert (tmp_path / "p.dlx").read_text() == "1:2|0 (1,2)\n0 (1,2)\n0\n"
    assert read(tmp_path / "p.dlx").count() == problem.count() == 2
    for bad in (
        ExactCover([["a b"]]),
        ExactCover([["a|b"]]),
        ExactCover([[1, "1"]]),
        ExactCover([["a"]], costs=[-1]),
        ExactCover([["a", Colored("x", "r d")]], secondary=["x"]),
    ):
        with pytest.raises(InputError):
            dumps(bad)
