"""Tilings as data for MiniZinc: read back, and understood by the expressions alone."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridkit as gk
from gridkit import InputError, ParseError, Polyomino, Tiling, UnsupportedError
from gridkit.cover import dumps_dzn, loads_dzn
from strategies import polyominoes


@given(st.integers(3, 6), st.lists(polyominoes(4), min_size=1, max_size=4), st.booleans())
def test_what_is_written_is_read(size: int, pieces: list[Polyomino], reflect: bool) -> None:
    pieces = [piece for piece in pieces if max(piece.rows, piece.cols) <= size]
    tiling = Tiling(gk.Board.rectangle(size, size), pieces, reflect=reflect)
    if not pieces:
        return
    again = loads_dzn(dumps_dzn(tiling))
    assert loads_dzn(dumps_dzn(again)) == again
    assert again.region == tiling.region
    assert sorted(again.copies) == sorted(tiling.copies)
    turned = [{*piece.orientations(reflect=tiling.reflect)} for piece in tiling.pieces]
    assert [{*piece.orientations(reflect=again.reflect)} for piece in again.pieces] == turned


@pytest.mark.parametrize(
    ("size", "texts"),
    [(2, ["##", "##"]), (2, ["##\n#.", "#"]), (3, ["##\n#.", "###", "###"]),
     (3, ["##\n##", "###", "##"]), (3, ["##\n#.", "##\n#.", "###"])],
)  # fmt: skip
def test_the_expressions_say_what_the_tiling_is(size: int, texts: list[str]) -> None:
    """Every board of tile numbers is tried against the expressions, as a solver does."""
    tiling = Tiling(gk.Board.rectangle(size, size), map(Polyomino.parse, texts), reflect=True)
    expressions = [
        re.compile(re.sub(r"(?<=[\d\]*}]) (?=[\d\[])|\s(?![\d\s]*\])", "", own).replace(" ", ""))
        for own in re.findall(r'"([^"]*)"', dumps_dzn(tiling))
    ]
    marker = str(len(texts) + 1)
    numbers = "".join(map(str, range(1, len(texts) + 1)))
    found = 0
    for board in product(numbers, repeat=size * size):
        rows = ["".join(board[at : at + size]) for at in range(0, size * size, size)]
        text = "".join(row + marker for row in rows)
        found += all(own.fullmatch(text) for own in expressions)
    area = sum(len(Polyomino.parse(text)) for text in texts)
    assert area == size * size
    told_apart = math.prod(math.factorial(least) for least, _ in tiling.copies)
    assert found == tiling.count() * told_apart


DOMINO = "( ([2 3]* 1{2} [2 3]*) | ([2 3]* 1{1} [2 3]{2} 1{1} [2 3]*) )"
OTHER = DOMINO.replace("1{", "x{").replace("2 3", "1 3").replace("x{", "2{")


def data(*expressions: str, size: int = 2, tiles: int = 2) -> str:
    listed = ", ".join(f'"{own}"' for own in expressions)
    return f"size = {size};\ntiles = {tiles};\n% a remark\nexpressions = [{listed}];"


def test_data_written_by_others() -> None:
    """As generators write it: gaps in two terms around the marker."""
    split = "([2 3]* 1{2} [2 3]*) | ([2 3]* 1{1} [2 3] [2 3]{1} 1 [2 3]*)"
    tiling = loads_dzn(data(split, OTHER))
    assert (tiling.count(), tiling.copies) == (2, ((2, 2),))


REFUSED: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: loads_dzn(7), InputError, "text"),  # type: ignore[arg-type]
    (lambda: loads_dzn(""), ParseError, "size"),
    (lambda: loads_dzn(data(DOMINO)), ParseError, "expected 2 expressions, found 1"),
    (lambda: loads_dzn(data(DOMINO, DOMINO)), ParseError, "tile 2: expected its own number"),
    (lambda: loads_dzn(data(DOMINO, "2?")), ParseError, "tile 2"),
    (lambda: loads_dzn(data(DOMINO, "")), ParseError, "tile 2"),
    (lambda: loads_dzn(data(DOMINO, "2{999}")), ParseError, "more than the board"),
    (lambda: loads_dzn(data(DOMINO, "2{3}")), ParseError, "do not fit"),
    (lambda: loads_dzn(data(DOMINO, "2{2}")), UnsupportedError, "tile 2: its 1 orientations"),
    (lambda: loads_dzn(data(DOMINO, OTHER, size=10**8)), ParseError, "1000"),
    (lambda: loads_dzn(data(DOMINO, OTHER, size=0)), ParseError, "1000"),
    (lambda: dumps_dzn("x"), InputError, "Tiling"),  # type: ignore[arg-type]
    (lambda: dumps_dzn(Tiling(gk.Board.rectangle(2, 3), gk.pieces.domino())), UnsupportedError,
     "square"),
    (lambda: dumps_dzn(Tiling(gk.Board.rectangle(2, 2), gk.pieces.domino(), copies=None)),
     UnsupportedError, "exact number"),
    (lambda: dumps_dzn(Tiling(gk.Board.rectangle(2, 2), [Polyomino.parse("###")])),
     UnsupportedError, "does not fit"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "kind", "message"), REFUSED)
def test_what_is_refused(make: Callable[[], object], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        make()
