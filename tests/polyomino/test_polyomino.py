from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridkit as gk
from gridkit import Board, Box, InputError, ParseError, Polycube, Polyomino
from strategies import boards, polyominoes
from twins.polyomino import fixed_by_growth, placements_by_trial


@given(polyominoes())
def test_round_trips(piece: Polyomino) -> None:
    assert Polyomino.parse(str(piece)) == piece
    assert eval(repr(piece)) == piece
    assert pickle.loads(pickle.dumps(piece)) == piece
    assert hash(Polyomino((r + 3, c - 7) for r, c in piece)) == hash(piece)
    assert len(piece) == str(piece).count("#")


@given(polyominoes(), st.integers(-5, 5))
def test_rotations_and_reflections(piece: Polyomino, turns: int) -> None:
    turned = piece.rotated(turns)
    assert turned.rotated(-turns) == piece
    assert piece.rotated(4) == piece == piece.reflected().reflected()
    assert piece.reflected().rotated(1) == piece.rotated(-1).reflected()
    assert set(turned.rotations()) == set(piece.rotations())
    assert turned.canonical() == piece.canonical()
    assert turned.reflected().canonical(reflect=True) == piece.canonical(reflect=True)
    assert piece.rotations()[0] == piece
    assert len(piece.rotations()) in (1, 2, 4)


def test_rotation_is_clockwise() -> None:
    assert str(Polyomino.parse("##\n#.\n#.").rotated()) == "###\n..#"


@given(polyominoes(5), boards(), st.booleans())
def test_placements_match_trial(piece: Polyomino, board: Board, reflect: bool) -> None:
    placements = piece.placements(board, reflect=reflect)
    assert set(placements) == placements_by_trial(piece, board, reflect=reflect)
    assert list(placements) == sorted(set(placements))
    indices = piece.placement_indices(board, reflect=reflect)
    assert [[int(n) for n in row] for row in piece.placement_array(board, reflect=reflect)] == [
        list(row) for row in indices
    ]


def test_placements_without_turning() -> None:
    ell = Polyomino.parse("#.\n##")
    board = Board.rectangle(2, 2)
    assert len(ell.placements(board, rotate=False)) == 1
    assert len(ell.placements(board, rotate=False, reflect=True)) == 2
    assert len(ell.placements(board)) == 4


def test_symmetry_classes_of_the_pentominoes() -> None:
    classes = {name: piece.symmetry for name, piece in gk.pieces.pentominoes().items()}
    assert classes == {
        "F": "none", "I": "ortho2", "L": "none", "N": "none", "P": "none", "T": "mirror_ortho",
        "U": "mirror_ortho", "V": "mirror_diag", "W": "mirror_diag", "X": "all", "Y": "none",
        "Z": "rot180",
    }  # fmt: skip
    assert Polyomino.parse("##.\n###\n.##").symmetry == "diag2"
    assert Polyomino.parse("..#.\n###.\n.###\n.#..").symmetry == "rot90"


@pytest.mark.parametrize("n", range(1, 6))
def test_named_sets_are_complete(n: int) -> None:
    sets = [
        gk.pieces.monomino, gk.pieces.domino, gk.pieces.trominoes, gk.pieces.tetrominoes,
        gk.pieces.pentominoes,
    ]  # fmt: skip
    named = {piece.canonical(reflect=True) for piece in sets[n - 1]().values()}
    assert named == {piece.canonical(reflect=True) for piece in fixed_by_growth(n)}


@pytest.mark.parametrize(
    ("named", "n"),
    [(gk.pieces.one_sided_tetrominoes, 4), (gk.pieces.one_sided_pentominoes, 5)],
)
def test_one_sided_sets_are_complete(named: object, n: int) -> None:
    assert callable(named)
    found = [piece.canonical() for piece in named().values()]
    assert len(set(found)) == len(found)
    assert set(found) == {piece.canonical() for piece in fixed_by_growth(n)}


def test_golomb_letters() -> None:
    drawn = {name: str(piece) for name, piece in gk.pieces.one_sided_tetrominoes().items()}
    assert drawn["L"] == "#.\n#.\n##"
    assert drawn["J"] == ".#\n.#\n##"
    assert drawn["S"] == ".##\n##."
    assert drawn["Z"] == "##.\n.##"


def test_soma_pieces() -> None:
    soma = gk.pieces.soma()
    assert [len(piece) for piece in soma.values()] == [3, 4, 4, 4, 4, 4, 4]
    assert soma["A"].canonical() != soma["B"].canonical()
    assert soma["A"].reflected().canonical() == soma["B"].canonical()
    assert soma["A"].canonical(reflect=True) == soma["B"].canonical(reflect=True)
    box = Box(3, 3, 3)
    assert sum(len(piece.placements(box)) for piece in soma.values()) == 688
    for piece in soma.values():
        assert eval(repr(piece)) == piece
        assert pickle.loads(pickle.dumps(piece)) == piece
        assert piece._repr_svg_().startswith("<svg")
    assert sorted(soma.values())[0] == soma["V"]


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ([], "at least one cell"),
        ([(0, 0), (0, 0)], r"\(0, 0\) is named twice"),
        ([(0, 0), (1, 1)], r"\(0, 0\) and \(1, 1\) are not connected"),
        ([(0, 0.5)], "ints"),
        ([(0, True)], "ints"),
        ([7], "ints"),
    ],
)
def test_bad_cells(cells: list[object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Polyomino(cells)  # type: ignore[arg-type]  # the wrong type is the point


def test_bad_cubes() -> None:
    for cells, message in (
        ([], "at least one"),
        ([(0, 0, 0), (1, 1, 0)], "not connected"),
        ([(0, 0, 0)] * 2, "named twice"),
        ([(0, 0)], "ints"),
    ):
        with pytest.raises(InputError, match=message):
            Polycube(cells)
    with pytest.raises(ParseError, match="line 3, column 2: invalid character"):
        Polycube.parse("##\n\n#x")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("..\n..", "at least one cell"),
        ("#.\n.#", "not connected"),
        ("#x", "line 1, column 2: invalid character 'x'"),
        ("#\n##", "line 2, column 2: expected 1 character as in the first row, found 2"),
    ],
)
def test_bad_drawings(text: str, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        Polyomino.parse(text)


def test_a_blank_may_be_an_empty_cell() -> None:
    ell = Polyomino.parse("#.\n##")
    assert Polyomino.parse("# \n##", empty=" ") == Polyomino.parse("#\n##", empty=" ") == ell
    assert Polyomino.parse("\ufeff  \n #\n ##", empty=" ") == ell
    assert Polycube.parse("\n\ufeff##\n\n\n#.\n".lstrip()) == Polycube.parse("##\n\n#.")


def test_pieces_are_immutable_and_drawn() -> None:
    piece = Polyomino.parse("##")
    with pytest.raises(AttributeError, match="immutable"):
        piece.rows = 3  # type: ignore[misc]  # the refusal is the point
    assert piece._repr_svg_().startswith("<svg")
    assert piece._repr_html_().startswith("<svg")
