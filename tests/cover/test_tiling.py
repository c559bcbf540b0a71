"""Tilings: the model, the known counts, symmetry, pictures and refusals."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridkit as gk
from families import FAMILIES
from gridkit.cover import decide as choose
from gridkit.cover.decide import CountMethod
from gridkit.cover.frontier import count as frontier
from gridkit.cover.instance import Instance
from gridkit.cover.proof import areas
from gridkit.cover.search import tree as search
from gridkit.cover.search.masks import MasksSearch
from gridkit.cover.solution import Explanation
from gridkit.cover.symmetry import elements, placement_permutation
from gridkit.errors import InputError, LimitReached, UnsupportedError
from gridkit.run import Run
from gridkit.run.jit import JIT_DISABLED
from strategies import boards, polyominoes
from twins.cover import orbits, tilings

Board = gk.Board
ELL = gk.Polyomino.parse("#.\n##")
DOMINO = gk.Polyomino.parse("##")
HOLE = Board.rectangle(8, 8).without([(3, 3), (3, 4), (4, 3), (4, 4)])
slow_without_jit = pytest.mark.skipif(JIT_DISABLED, reason="a long search")


def permutations(tiling: gk.Tiling) -> list[tuple[int, ...]]:
    """The symmetries of a problem, as permutations of its placements."""
    instance = tiling.instance
    return [placement_permutation(instance, element) for element in elements(instance, Run())]


def pentominoes(board: Board) -> gk.Tiling:
    return gk.Tiling(board, gk.pieces.pentominoes(), reflect=True)


@slow_without_jit
@pytest.mark.parametrize(
    ("board", "total", "classes"),
    [
        (Board.rectangle(6, 10), 9356, 2339),
        (Board.rectangle(5, 12), 4040, 1010),
        (Board.rectangle(4, 15), 1472, 368),
        (Board.rectangle(3, 20), 8, 2),
        (HOLE, 520, 65),
    ],
)
def test_the_twelve_pentominoes(board: Board, total: int, classes: int) -> None:
    assert pentominoes(board).count() == total
    assert pentominoes(board).count(up_to_symmetry=True) == classes
    assert pentominoes(board).count(method="bitset") == total
    assert pentominoes(board).count(method="masks") == total
    turned = Board.parse("\n".join(map("".join, zip(*str(board).split("\n"), strict=True))))
    assert pentominoes(turned).count() == total


@slow_without_jit
def test_without_breaking_symmetry() -> None:
    tiling = pentominoes(Board.rectangle(4, 15))
    assert tiling.to_exact_cover().count(method="bitset") == 1472
    assert len(list(tiling.solutions())) == 1472
    everything = search.Task(tiling.instance, "masks")
    assert search.count_task(everything, Run()) == 1472


@slow_without_jit
def test_soma() -> None:
    tiling = gk.Tiling(gk.Box(3, 3, 3), gk.pieces.soma())
    assert len(tiling.instance.placements) == 688
    assert tiling.count() == 11520
    assert tiling.count(up_to_symmetry=True) == 240
    assert str(tiling.first()).count("\n") == 2


@slow_without_jit
@pytest.mark.parametrize(
    ("name", "make", "expected"),
    [
        (
            "one-sided pentominoes 3x30",
            lambda: gk.Tiling(Board.rectangle(3, 30), gk.pieces.one_sided_pentominoes()),
            "total",
        ),
        (
            "two of each free tetromino 5x8",
            lambda: gk.Tiling(
                Board.rectangle(5, 8), gk.pieces.tetrominoes(), copies=2, reflect=True
            ),
            3106,
        ),
        (
            "5x8 I2 O2 T2 L J S Z, no flips",
            lambda: gk.Tiling(
                Board.rectangle(5, 8),
                [gk.pieces.one_sided_tetrominoes()[letter] for letter in "IIOOTTLJSZ"],
            ),
            740,
        ),
        (
            "Y pentomino 5x10",
            lambda: gk.Tiling(
                Board.rectangle(5, 10), [gk.pieces.pentominoes()["Y"]], None, reflect=True
            ),
            10,
        ),
    ],
)
def test_known_piece_sets(name: str, make: Callable[[], gk.Tiling], expected: int | str) -> None:
    file = FAMILIES / "cover" / "piece_sets.json"
    table = json.loads(file.read_text())["table"]
    tiling = make()
    count = tiling.count(method="search")
    entry = table[name]
    if expected == "total":
        assert count == entry["total"]
        assert tiling.count(up_to_symmetry=True) == entry["value"]
    else:
        assert count == expected
        assert expected in (entry["value"], entry.get("total"), tiling.count())


def test_values_that_users_reported() -> None:
    square, domino = gk.pieces.tetrominoes()["O"], gk.pieces.domino()["I"]
    small = Board.rectangle(2, 2)
    assert gk.Tiling(small, [square]).count() == 1
    assert gk.Tiling(small, [domino, domino]).count() == 2
    assert gk.Tiling(small, [domino], copies=2).count() == 2
    assert gk.Tiling(small, [domino], copies=None).count() == 2
    tee = gk.pieces.tetrominoes()["T"]
    assert gk.Tiling(Board.rectangle(4, 4), [tee], copies=None).count() == 2
    assert gk.Tiling(Board.rectangle(6, 6), [domino], copies=None).count() == 6728
    # 44 cells, 40 to be filled.
    letters = [gk.pieces.one_sided_tetrominoes()[letter] for letter in "IIOOTTLJSZ"]
    assert gk.Tiling(Board.rectangle(4, 11), letters).count() == 0
    # A region away from the origin keeps its place in the picture.
    away = Board.parse("####\n##..\n##..")
    assert str(gk.Tiling(away, [square]).first()) == "####\n##AA\n##AA"


def test_zero_by_parity() -> None:
    board = Board.rectangle(4, 5)
    free = gk.Tiling(board, gk.pieces.tetrominoes(), reflect=True)
    assert free.count() == free.count(up_to_symmetry=True) == 0
    assert free.first() is None
    assert list(free.solutions()) == []


@given(boards(3, 3), st.data())
def test_against_every_subset(board: Board, data: st.DataObject) -> None:
    pieces = data.draw(st.lists(polyominoes(3), min_size=1, max_size=2))
    bounds = st.integers(0, 2).flatmap(lambda a: st.integers(a, 3).map(lambda b: (a, b)))
    copies = data.draw(st.lists(bounds, min_size=len(pieces), max_size=len(pieces)))
    reflect = data.draw(st.booleans())
    optional = data.draw(st.sets(st.sampled_from(board.cells), max_size=3)) if len(board) else ()
    tiling = gk.Tiling(board, pieces, copies, reflect, optional)
    limits = [(low, 9 if high is None else high) for low, high in tiling.copies]
    expected = tilings(
        board,
        tiling.pieces,  # type: ignore[arg-type]  # polyominoes
        limits,
        reflect=reflect,
        optional=sorted(optional),
    )
    found = list(tiling.solutions())
    assert len(found) == len(expected)
    assert {
        frozenset((piece, tuple(map(gk.Cell._make, cells))) for piece, cells in each.pieces)
        for each in found
    } == expected
    assert tiling.count() == len(expected)
    for method in ("search", "plain", "sparse"):
        assert tiling.count(method=method) == len(expected)
    if not optional:
        assert tiling.count(method="masks") == len(expected)
    assert tiling.to_exact_cover().count() == len(expected)
    numbers = {solution.placements for solution in found}
    assert tiling.count(up_to_symmetry=True) == orbits(numbers, permutations(tiling))


@given(boards(4, 4), polyominoes(3), st.booleans())
def test_orbits_of_unlimited_pieces(board: Board, piece: gk.Polyomino, reflect: bool) -> None:
    tiling = gk.Tiling(board, [piece], None, reflect)
    found = {solution.placements for solution in tiling.solutions()}
    expected = orbits(found, permutations(tiling))
    for method in ("auto", "search", "frontier", "masks"):
        assert tiling.count(method=method) == len(found)
        assert tiling.count(method=method, up_to_symmetry=True) == expected


def symmetries(tiling: gk.Tiling) -> int:
    return len(elements(tiling.instance, Run()))


def test_mirrors_count_only_where_the_pieces_allow_them() -> None:
    board, one_sided = Board.rectangle(2, 3), gk.pieces.one_sided_tetrominoes()
    assert symmetries(gk.Tiling(board, [ELL], 2)) == 4
    assert symmetries(gk.Tiling(board, [one_sided["L"]])) == 2
    assert symmetries(gk.Tiling(board, [one_sided["L"]], reflect=True)) == 4
    assert symmetries(gk.Tiling(board, [one_sided["L"], one_sided["J"]])) == 4
    assert symmetries(gk.Tiling(board, [one_sided["L"], one_sided["J"]], [1, 2])) == 2
    assert symmetries(gk.Tiling(board, [ELL], None, optional=[(0, 0)])) == 1
    assert symmetries(gk.Tiling(gk.Box(3, 3, 3), gk.pieces.soma())) == 48


def test_equal_pieces_are_copies() -> None:
    tiling = gk.Tiling(Board.rectangle(3, 4), [ELL, ELL.rotated(), ELL], copies=[1, (0, 2), None])
    assert tiling.pieces == (ELL,)
    assert tiling.copies == ((1, None),)
    s, z = gk.pieces.one_sided_tetrominoes()["S"], gk.pieces.one_sided_tetrominoes()["Z"]
    assert len(gk.Tiling(Board.rectangle(2, 2), [s, z]).pieces) == 2
    assert gk.Tiling(Board.rectangle(2, 2), [s, z], reflect=True).copies == ((2, 2),)


def test_numpy_integers_and_lists_are_taken_as_numbers_and_cells() -> None:
    board = Board.rectangle(2, 3)
    copies: list[Any] = [np.int8(1), (np.int64(0), None)]
    flag: Any = np.bool_(False)
    assert gk.Tiling(board, [ELL, DOMINO], copies, flag).copies == ((1, 1), (0, None))
    corners = gk.Tiling(board, [ELL], optional=np.argwhere(np.ones((2, 3))))
    lists: Any = list(map(list, board.cells))
    assert corners == gk.Tiling(board, [ELL], optional=lists)
    assert gk.Tiling(board, [ELL, DOMINO], (1, 1)) == gk.Tiling(board, [ELL, DOMINO], [1, 1])


@pytest.mark.parametrize("nodes", [7, 100])
def test_every_token_of_a_count_of_orbits_continues_it(nodes: int) -> None:
    """Also those written after the first symmetry, and whatever is loaded in between."""
    pieces = [gk.pieces.monomino()["O"], gk.Polyomino.parse("##\n.#")]
    tiling = gk.Tiling(Board.rectangle(3, 4), pieces, [None, (2, 6)], reflect=True)
    expected = tiling.count(up_to_symmetry=True)
    token, cuts, counted = None, 0, 0
    while not counted:
        try:
            counted = tiling.count(up_to_symmetry=True, limit=gk.Limit(nodes=nodes), resume=token)
        except LimitReached as reached:
            token, cuts = pickle.loads(pickle.dumps(reached.token)), cuts + 1
            assert gk.Tiling(Board.rectangle(2, 3), [ELL], None).count(method="masks") == 2
    assert counted == expected
    assert cuts > 1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: gk.Tiling("..", [ELL]), "expected a Board or a Box"),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: gk.Tiling(Board.rectangle(1, 1), ELL), "the single piece"),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: gk.Tiling(Board.rectangle(1, 1), 3), "must be iterable"),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: gk.Tiling(Board.rectangle(1, 1), ["#"]), "piece 0 is '#'"),  # type: ignore[list-item]  # wrong on purpose
        (lambda: gk.Tiling(gk.Box(1, 1, 1), [ELL]), "takes Polycube"),
        (lambda: gk.Tiling(Board.rectangle(1, 1), gk.pieces.soma()), "takes Polyomino"),
        (lambda: gk.Tiling(Board.rectangle(1, 1), [ELL], -1), "copies: expected"),
        (lambda: gk.Tiling(Board.rectangle(1, 1), [ELL], True), "copies: expected"),
        (lambda: gk.Tiling(Board.rectangle(1, 1), [ELL], (2, 1)), "copies: expected"),
        (lambda: gk.Tiling(Board.rectangle(1, 1), [ELL], [1, 1]), "one for each of 1"),
        (lambda: gk.Tiling(Board.rectangle(1, 1), [ELL], 1.5), "copies: expected"),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: gk.Tiling(Board.rectangle(1, 1), [ELL], reflect=1), "reflect must be"),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: gk.Tiling(Board.rectangle(1, 1), [ELL], optional=[(1, 1)]), "no open cell"),
        (lambda: gk.Tiling(Board.rectangle(1, 1), [ELL], optional=3), "expected cells"),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: gk.Tiling(Board.rectangle(1, 1), [ELL]).count(method="x"), "method must be"),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: gk.Tiling(Board.rectangle(1, 1), {1: ELL, "1": DOMINO}), "have the same text"),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: gk.Tiling(Board.rectangle(2, 2), [ELL, DOMINO], (1, 2)), r"list \[1, 2\]"),
        (lambda: gk.Tiling(Board.rectangle(2, 2), [ELL, DOMINO], (2, None)), "may be a range"),
        (lambda: gk.Tiling(Board.rectangle(2, 2), [ELL, DOMINO, DOMINO], (1, 2, 3)), "the list"),
    ],
)
def test_bad_tilings_are_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()


def test_unsupported_combinations() -> None:
    tiling = gk.Tiling(Board.rectangle(2, 3), [ELL], None)
    unsupported: tuple[tuple[CountMethod, dict[str, Any]], ...] = (
        ("frontier", {"parts": 2}),
        ("frontier", {"resume": gk.run.Token("Tiling.count", "search", ())}),
        ("kasteleyn", {"checkpoint": "x"}),
    )
    for method, keywords in unsupported:
        with pytest.raises(UnsupportedError):
            tiling.count(method=method, **keywords)
    counting_only: tuple[Any, ...] = ("masks", "frontier", "kasteleyn")
    for engine in counting_only:
        with pytest.raises(UnsupportedError, match="counts only"):
            tiling.first(method=engine)
    with pytest.raises(UnsupportedError, match="parts"):
        tiling.count(up_to_symmetry=True, parts=3)
    limited = gk.Tiling(Board.rectangle(2, 3), gk.pieces.trominoes(), [(0, 1)] * 2)
    with pytest.raises(UnsupportedError, match="any number of times"):
        limited.count(method="frontier", up_to_symmetry=True)
    with pytest.raises(UnsupportedError, match="optional"):
        gk.Tiling(Board.rectangle(2, 2), [ELL], None, optional=[(0, 0)]).count(method="masks")
    with pytest.raises(UnsupportedError, match="reach"):
        MasksSearch(gk.Tiling(Board.rectangle(40, 40), [gk.pieces.tetrominoes()["I"]]).instance)


def test_parts_executors_and_checkpoints(tmp_path: Path) -> None:
    tiling = gk.Tiling(Board.rectangle(4, 6), [ELL], None)
    expected = tiling.count()
    assert expected == 18
    assert tiling.count(parts=5) == expected
    with ThreadPoolExecutor(2) as pool:
        assert tiling.count(executor=pool, method="masks", parts=5) == expected
    assert tiling.count(checkpoint=tmp_path / "count.db", parts=3) == expected
    sets = gk.Tiling(Board.rectangle(4, 5), gk.pieces.one_sided_tetrominoes(), (0, 1))
    whole = sets.count(method="search")
    assert sets.count(parts=6) == sets.count(method="masks", parts=6) == whole > 0


@pytest.mark.parametrize("method", ["plain", "bitset", "masks", "search"])
def test_limits_and_tokens(method: CountMethod) -> None:
    tiling = gk.Tiling(Board.rectangle(4, 5), gk.pieces.one_sided_tetrominoes(), (0, 1))
    if method == "bitset":
        tiling = gk.Tiling(Board.rectangle(4, 6), [ELL], None)
    expected = tiling.count(method="plain")
    token, bounds = None, [0]
    while True:
        try:
            count = tiling.count(method=method, limit=gk.Limit(nodes=40), resume=token)
            break
        except LimitReached as reached:
            token = pickle.loads(pickle.dumps(reached.token))
            bounds.append(cast("int", reached.partial.value))
    assert count == expected > 0
    assert len(bounds) > 2
    assert bounds == sorted(bounds)
    assert bounds[-1] <= expected


def test_long_strips_go_through_the_window() -> None:
    # The window of 64 cells passes over blocked cells and full words.
    middle = range(4, 54) if JIT_DISABLED else range(20, 50)
    strip = Board.rectangle(3, 60).without([(r, c) for r in range(3) for c in middle])
    tiling = gk.Tiling(strip, [ELL], None)
    # Each 3 x 2 block of both ends is covered in two ways.
    blocks = (60 - len(middle)) // 2
    assert tiling.count(method="masks") == tiling.count(method="frontier") == 2**blocks
    row = gk.Tiling(Board.rectangle(1, 130), [gk.Polyomino.parse("#" * 13)], None)
    assert row.count(method="masks") == 1
    far = gk.Tiling(Board.rectangle(2, 100), [gk.Polyomino.parse("#" * 32)], None)
    assert far.count(method="masks") == far.count(method="frontier") == 0


def test_pictures() -> None:
    tiling = gk.Tiling(
        Board.parse("...\n...\n##."), {"L": ELL, "o": gk.pieces.monomino()["O"]}, [(1, 2)] * 2
    )
    solution = tiling.first()
    assert solution is not None
    assert solution.labels[2][:2] == (-1, -1)
    assert solution._repr_svg_() == solution._repr_html_() == solution.to_svg()
    assert solution.to_svg().startswith("<svg")
    names = gk.Tiling(
        Board.rectangle(1, 4), {"m": gk.pieces.monomino()["O"], "t": gk.pieces.trominoes()["I"]}
    )
    assert str(names.first()) in ("mttt", "tttm")
    twice = gk.Tiling(Board.rectangle(1, 2), {"m": gk.pieces.monomino()["O"]}, 2)
    assert str(twice.first()) == "AB"
    empty = gk.Tiling(Board.rectangle(1, 2), [ELL], None, optional=[(0, 0), (0, 1)])
    assert str(empty.first()) == ".."
    assert empty.first() == gk.cover.Solution(empty, ())
    cube = gk.Tiling(gk.Box(2, 1, 2), [gk.polyomino.Polycube([(0, 0, 0), (0, 0, 1)])], None)
    assert str(cube.first()) in ("AA#BB", "AB#AB")


def test_explanations_draw_themselves() -> None:
    board = Board.parse(".#\n..")
    plain = Explanation("area", "3 cells, dominoes cover 2", region=board)
    weighted = Explanation("colouring", "parity", None, {(0, 0): 1, (1, 0): 0}, 2, board)
    for each in (plain, weighted, Explanation("exhausted", "all tried"),
                 Explanation("uncoverable cell", "alone", (0, 0), region=board)):  # fmt: skip
        assert str(each) == each.reason
        assert each._repr_svg_().startswith("<svg")
        assert each._repr_html_() == each.to_svg()
    box = gk.Box(2, 1, 1)
    drawn = Explanation("colouring", "parity", None, {(0, 0, 0): 7, (1, 0, 0): 8}, 2, box)
    assert ">7<" in drawn.to_svg()
    assert ">8<" in drawn.to_svg()


def test_a_tiling_is_a_value() -> None:
    tiling = gk.Tiling(Board.rectangle(2, 3), {"L": ELL}, [(1, None)], True, [(0, 0)])
    again = eval(repr(tiling), vars(gk) | {"Tiling": gk.Tiling})
    assert again == tiling == pickle.loads(pickle.dumps(tiling))
    assert len({tiling, again}) == 1
    assert tiling != gk.Tiling(Board.rectangle(2, 3), [ELL])
    assert tiling != 1
    assert tiling._repr_svg_() == tiling._repr_html_()
    with pytest.raises(AttributeError, match="immutable"):
        tiling.reflect = False
    plain = gk.Tiling(gk.Box(1, 1, 2), [gk.polyomino.Polycube([(0, 0, 0)])], 2)
    assert (
        eval(
            repr(plain),
            vars(gk) | {"Tiling": gk.Tiling, "Polycube": gk.polyomino.Polycube, "Box": gk.Box},
        )
        == plain
    )


def area_fits(tiling: gk.Tiling) -> bool:
    sizes = list(map(len, tiling.pieces))
    cells, optional = tiling.region.cells, len(tiling.optional)
    return areas.areas_add_up(cells, sizes, tiling.copies, optional, Run())


def colours_fit(tiling: gk.Tiling) -> bool:
    pieces = [piece.cells for piece in tiling.pieces]
    return areas.colours_fit(tiling.region.cells, pieces, tiling.copies)


def test_areas_are_checked_first() -> None:
    ell = gk.pieces.trominoes()["L"]
    for rows, cols, copies, fits in (
        (2, 3, 2, True), (2, 3, 1, False), (2, 2, None, False), (3, 3, (1, 4), True),
        (3, 3, (4, 4), False), (3, 3, (0, 2), False), (9, 9, None, True),
    ):  # fmt: skip
        tiling = gk.Tiling(Board.rectangle(rows, cols), [ell], copies)
        assert area_fits(tiling) == fits
    loose = gk.Tiling(Board.rectangle(2, 2), [ell], None, optional=[(0, 0)])
    assert area_fits(loose)


def test_components_and_colours_settle_hopeless_problems() -> None:
    # 30 cells and 30 cells to fill, but in components of 4 and 26.
    rows = "#" * 14 + "\n" + "...." + "#" + "." * 9 + "\n" + "#" * 5 + "." * 9 + "\n"
    board = Board.parse(rows + "#" * 5 + "." * 8 + "#")
    six = gk.Tiling(board, list(gk.pieces.pentominoes().values())[:6], reflect=True)
    assert len(board) == 30
    assert not area_fits(six)
    assert six.count() == 0
    # The 35 hexominoes cover an even surplus of one colour that is no multiple of four.
    hexominoes = list(gk.polyomino.free(6))
    big = gk.Tiling(Board.rectangle(14, 15), hexominoes, reflect=True)
    assert area_fits(big)
    assert not colours_fit(big)
    assert big.count() == 0
    assert big.first() is None
    assert colours_fit(gk.Tiling(Board.rectangle(6, 10), gk.pieces.pentominoes()))
    assert colours_fit(gk.Tiling(gk.Box(3, 3, 3), gk.pieces.soma()))


@given(boards(3, 4), st.lists(polyominoes(4), min_size=1, max_size=3), st.integers(0, 2))
def test_the_cheap_arguments_are_never_wrong(
    board: Board, pieces: list[gk.Polyomino], copies: int
) -> None:
    tiling = gk.Tiling(board, pieces, copies)
    count = tiling.to_exact_cover().count()
    assert tiling.count() == count
    assert count == 0 or (area_fits(tiling) and colours_fit(tiling))


def test_unique_tilings() -> None:
    assert gk.Tiling(Board.rectangle(2, 2), [gk.pieces.tetrominoes()["O"]]).is_unique()
    assert not gk.Tiling(gk.Board.rectangle(2, 3), [ELL], None).is_unique()


@pytest.mark.parametrize("side", [8, 12])
def test_a_long_search_for_one_tiling_asks_whether_there_is_any(side: int) -> None:
    board = gk.Board.rectangle(side, side).without([(0, 0), (side - 1, side - 1)])
    dominoes = gk.Tiling(board, [gk.Polyomino.parse("##")], copies=None)
    assert dominoes.first() is None
    assert dominoes.count() == 0


def test_a_long_search_is_given_up_for_a_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    tiling = gk.Tiling(Board.rectangle(4, 6), gk.pieces.tetrominoes(), [(0, 3)] * 5, reflect=True)
    expected = tiling.count(method="search")
    assert expected == tiling.count(method="frontier")
    monkeypatch.setattr(choose, "_PATIENT_NODES", 10)
    monkeypatch.setattr(choose, "_sweep_is_shorter", lambda *_: False)
    assert tiling.count() == expected  # goes on where it was cut
    monkeypatch.setattr(choose, "_sweep_is_shorter", lambda *_: True)
    swept = []
    count = frontier.count

    def sweep(instance: Instance, run: Run) -> int:
        swept.append(instance)
        return count(instance, run)

    monkeypatch.setattr(frontier, "count", sweep)
    assert tiling.count() == expected
    assert swept == [tiling.instance]


@slow_without_jit
def test_far_more_tilings_than_states() -> None:
    tiling = gk.Tiling(Board.rectangle(4, 16), gk.pieces.tetrominoes(), (0, 4), reflect=True)
    assert tiling.count() == tiling.count(method="frontier") == 198769772
