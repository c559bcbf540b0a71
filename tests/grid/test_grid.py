from __future__ import annotations

import copy
import itertools
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridkit import Board, Box, Cell, Direction, InputError, ParseError, Symmetry
from gridkit.grid.box import rotations_of_space
from gridkit.grid.components import components
from strategies import boards


def test_directions_turn_and_oppose() -> None:
    assert [d.turned(1) for d in Direction] == [
        Direction.DOWN, Direction.UP, Direction.RIGHT, Direction.LEFT,
    ]  # fmt: skip
    for direction in Direction:
        assert direction.turned(2) is direction.opposite
        assert direction.turned(-3) is direction.turned(1)
        row, col = direction.delta
        assert direction.opposite.delta == (-row, -col)
        assert (Cell(5, 5) + direction) in Cell(5, 5).neighbours()


def test_cell_neighbours_follow_the_directions() -> None:
    assert Cell(2, 2).neighbours() == tuple(Cell(2, 2) + direction for direction in Direction)
    assert Cell(1, 1) + Cell(2, -1) == Cell(3, 0)


def test_symmetries_form_the_dihedral_group() -> None:
    rows, cols = 3, 5
    for first, second in itertools.product(Symmetry, repeat=2):
        both = second.after(first)
        mid_rows, mid_cols = (cols, rows) if first.swaps_axes else (rows, cols)
        for cell in (Cell(0, 0), Cell(1, 3), Cell(2, 4)):
            moved = second.image(first.image(cell, rows, cols), mid_rows, mid_cols)
            assert both.image(cell, rows, cols) == moved
            assert both.vector(*cell) == second.vector(*first.vector(*cell))
        assert first.inverse.after(first) is Symmetry.IDENTITY
    assert Symmetry.MIRROR_DIAGONAL.vector(1, 2) == (2, 1)
    assert Symmetry.MIRROR_ANTIDIAGONAL.vector(1, 2) == (-2, -1)
    assert Symmetry.MIRROR_UP_DOWN.vector(1, 2) == (-1, 2)


def test_components() -> None:
    board = Board.parse("..#.\n##..\n.#..")
    assert [len(part) for part in board.components()] == [2, 5, 1]
    assert components([], Cell.neighbours) == []
    assert components([Cell(0, 0), Cell(2, 0), Cell(0, 1)], Cell.neighbours) == [
        [Cell(0, 0), Cell(0, 1)],
        [Cell(2, 0)],
    ]


@given(boards())
def test_board_round_trips(board: Board) -> None:
    assert Board.parse(str(board)) == board
    assert eval(repr(board)) == board
    assert pickle.loads(pickle.dumps(board)) == board
    assert copy.copy(board) == board
    assert hash(Board(board.rows, board.cols, reversed(board.cells))) == hash(board)
    assert list(board) == sorted(board.cells)
    assert len(board) == str(board).count(".")


@given(boards(), st.sampled_from(list(Symmetry)))
def test_board_symmetries_permute_its_cells(board: Board, symmetry: Symmetry) -> None:
    assert board.transformed(symmetry).transformed(symmetry.inverse) == board
    if symmetry in board.symmetries():
        assert sorted(board.cell_permutation(symmetry)) == list(range(len(board)))


def test_board_marks_are_selectable() -> None:
    assert Board.parse("o x\n x ".replace(" ", "_"), open="_o", blocked="x") == Board.parse(
        "..#\n.#."
    )
    assert Board.parse("\n..\r\n.#  \r\n\n") == Board.parse("..\n.#")


def test_a_blank_may_be_a_mark() -> None:
    assert Board.parse(" #\n\n", open=" ") == Board.parse(".#")
    assert Board.parse("# \n  #", open=" ") == Board.parse("#..\n..#")
    assert Board.parse("\n   \n#\n", open=" ") == Board.parse("...\n#..")


def test_byte_order_marks_are_no_cells() -> None:
    assert Board.parse("\ufeff.#") == Board.parse(".#")


def test_board_without() -> None:
    board = Board.rectangle(2, 2).without([(0, 1)])
    assert str(board) == ".#\n.."
    assert board.without([(0, 1)]) == board
    assert Cell(0, 1) not in board
    assert (1, 1) in board
    assert len(Board.rectangle(1, 1).without([(0, 0)])) == 0
    assert Board.rectangle(1, 1).without([(0, 0)])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("\n \n", "empty"),
        ("..\n...", "line 2, column 3: expected 2 characters as in the first row, found 3"),
        ("..\n.x", r"line 2, column 2: invalid character 'x' \(expected '\.' or '#'\)"),
        ("..\n\n..", "line 2, column 1: expected 2 characters as in the first row, found 0"),
    ],
)
def test_board_parse_errors(text: str, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        Board.parse(text)


@pytest.mark.parametrize("size", [0, -1, 2.0, True, "3", None, float("nan")])
def test_board_sizes_are_checked(size: object) -> None:
    with pytest.raises(InputError, match="must be an int >= 1"):
        Board.rectangle(size, 2)  # type: ignore[arg-type]  # the wrong type is the point
    with pytest.raises(InputError, match="must be an int >= 1"):
        Box(2, 2, size)  # type: ignore[arg-type]  # the wrong type is the point


@pytest.mark.parametrize("cell", [(2, 0), (0, -1), (0,), 5, (0.0, 1), (True, 0)])
def test_board_cells_are_checked(cell: object) -> None:
    with pytest.raises(InputError):
        Board.rectangle(2, 2).without([cell])  # type: ignore[list-item]  # the wrong type is the point


def test_board_refuses_a_cell_named_twice() -> None:
    with pytest.raises(InputError, match=r"\(0, 1\) is named twice"):
        Board(2, 2, [(0, 1), (0, 1)])
    with pytest.raises(InputError, match=r"\(0, 1, 0\) is named twice"):
        Box(1, 2, 1, [(0, 1, 0), (0, 1, 0)])


def test_values_are_immutable() -> None:
    with pytest.raises(AttributeError, match="immutable"):
        Board.rectangle(2, 2).rows = 3
    with pytest.raises(AttributeError, match="immutable"):
        Box(2, 2, 2).rows = 3


def test_boards_draw_themselves() -> None:
    for drawn in (Board.parse(".#")._repr_svg_(), Box(2, 2, 2)._repr_html_()):
        assert drawn.startswith("<svg")
        assert drawn.endswith("</svg>")


def test_box_round_trips_and_symmetries() -> None:
    box = Box(2, 3, 3).without([(0, 0, 0)])
    assert eval(repr(box)) == box
    assert eval(repr(Box(3, 3, 3))) == Box(3, 3, 3)
    assert pickle.loads(pickle.dumps(box)) == box
    assert str(Box(1, 1, 2)) == ".."
    assert len(Box(2, 3, 3).symmetries()) == 16
    for rotation in Box(2, 3, 3).symmetries():
        assert sorted(Box(2, 3, 3).cell_permutation(rotation)) == list(range(18))
    assert len(box.symmetries()) == 2
    assert sum(rotation.mirrors for rotation in rotations_of_space(reflect=True)) == 24
    with pytest.raises(InputError, match="outside"):
        box.without([(2, 0, 0)])
