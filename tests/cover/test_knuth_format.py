"""The text format of Knuth's programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from families import FAMILIES
from gridkit.cover.exact_cover import Colored, ExactCover
from gridkit.cover.knuth_format import dumps, loads, read, write
from gridkit.errors import InputError, ParseError

DATA = FAMILIES / "cover"


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


def test_a_line_of_a_cost_alone_is_a_remark() -> None:
    assert loads("a\na\n |5\n") == ExactCover([["a"]])  # a remark, behind a blank
    assert loads("a\na |0\n").costs == (0,)
    with pytest.raises(InputError, match="expected a text"):
        loads(3)  # type: ignore[arg-type]  # wrong on purpose


@st.composite
def problems(draw: st.DrawFn) -> ExactCover:
    """Problems of every kind: colours, ranges, costs, secondary options, items in no option."""
    primary = [f"i{n}" for n in range(draw(st.integers(0, 4)))]
    secondary = [f"s{n}" for n in range(draw(st.integers(0, 2)))]
    items = st.lists(st.sampled_from(primary), unique=True) if primary else st.just([])
    options: list[list[object]] = []
    for _ in range(draw(st.integers(0, 5))):
        option: list[object] = list(draw(items))
        for name in secondary:
            color = draw(st.sampled_from(["", "-", "A", "B"]))
            if color:
                option.append(name if color == "-" else Colored(name, color))
        if option:
            options.append(option)
    ranges = st.sampled_from([0, 1, (0, 1), (1, 2), (2, 2), (0, None), (4, None), (7, 9), 10**20])
    bounds: dict[str, Any] = {name: draw(ranges) for name in primary if draw(st.booleans())}
    costs = draw(
        st.none()
        | st.just([n + 1 for n in range(len(options))])
        | st.lists(st.integers(0, 2), min_size=len(options), max_size=len(options))
    )
    return ExactCover(options, primary, secondary, multiplicity=bounds, costs=costs)


@given(problems())
def test_round_trip(problem: ExactCover) -> None:
    beyond = any(greatest and greatest >= 10**18 for _, greatest in problem.multiplicity.values())
    unpriced = problem.costs == ()
    if not problem.primary or beyond or unpriced:
        with pytest.raises(InputError, match="the format"):
            dumps(problem)
        assert str(problem) == repr(problem)
        return
    again = loads(dumps(problem))
    assert again.matrix == problem.matrix
    assert (again.options, again.primary) == (problem.options, problem.primary)
    assert (again.secondary, again.costs) == (problem.secondary, problem.costs)
    for item, (least, greatest) in problem.multiplicity.items():
        most = max(least, len(problem)) if greatest is None else greatest
        assert again.multiplicity[item] == (least, most)
    if all(greatest is not None for _, greatest in problem.multiplicity.values()):
        assert again == problem
    assert str(problem) == dumps(problem)
    assert again.count() == problem.count()


def test_what_the_format_cannot_say_is_refused() -> None:
    secondary_only = ExactCover([["x"]], primary=[], secondary=["x"])
    assert secondary_only.count() == 1
    for problem, reason in (
        (secondary_only, "without primary items"),
        (ExactCover([]), "without primary items"),
        (ExactCover([], ["a"], costs=[]), "costs without options"),
        (ExactCover([["a"]], symmetries=[]), "symmetries"),
        (ExactCover([["a"]], costs=[10**18]), "costs that are ints"),
        (ExactCover([["a"]], costs=[0.5]), "costs that are ints"),
        (ExactCover([["\ufeffa"]]), "byte-order mark"),
        (ExactCover([["a", Colored("x", 1)]], secondary=["x", "1"]), None),
        (
            ExactCover([["a", Colored("x", 1)], ["b", Colored("x", "1")]], secondary=["x"]),
            "two colours have the same text '1'",
        ),
    ):
        if reason is None:
            assert loads(dumps(problem)).count() == problem.count()
            continue
        with pytest.raises(InputError, match=reason):
            dumps(problem)
    equal = ExactCover([["a", Colored("x", 1)], ["b", Colored("x", True)]], secondary=["x"])
    assert loads(dumps(equal)).count() == equal.count() == 1


def test_more_demanded_than_there_are_options() -> None:
    problem = ExactCover([["a"]], ["a", "b"], multiplicity={"a": (3, None), "b": (0, 2)})
    assert dumps(problem) == "3:3|a 0:2|b\na\n"
    assert loads(dumps(problem)).count() == problem.count() == 0


def test_byte_order_mark(tmp_path: Path) -> None:
    assert loads("\ufeffa b\na b\n") == ExactCover([["a", "b"]])
    (tmp_path / "p.dlx").write_bytes("a b\na b\n".encode("utf-8-sig"))
    assert read(tmp_path / "p.dlx") == ExactCover([["a", "b"]])


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
