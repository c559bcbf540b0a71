"""The base of immutable values, and the reading of numbers, flags and cells."""

from __future__ import annotations

import copy
import pickle
import sys
from functools import cached_property
from typing import Any

import numpy as np
import pytest

import gridkit as gk
from gridkit.errors import InputError
from gridkit.reading import MOST_CELLS, check_size, read_bool, read_cell, read_cells, read_int
from gridkit.value import Value, hashable


class Sample(Value):
    """A value with a mapping, an array and an attribute that is computed later."""

    _fields = ("marks", "numbers")

    marks: dict[str, int]
    numbers: Any

    def __init__(self, marks: dict[str, int], numbers: object) -> None:
        self._put(marks=dict(marks), numbers=numbers)

    @cached_property
    def total(self) -> int:
        return sum(self.marks.values())


def sample() -> Sample:
    return Sample({"a": 1, "b": 2}, np.array([3, 4]))


def test_values_compare_and_hash_by_their_fields() -> None:
    assert sample() == sample()
    assert hash(sample()) == hash(sample())
    assert sample() != Sample({"a": 1}, np.array([3, 4]))
    assert sample() != Sample({"a": 1, "b": 2}, np.array([3, 5]))
    assert sample() != "sample"


def test_values_refuse_to_be_changed() -> None:
    value = sample()
    with pytest.raises(AttributeError, match="Sample is immutable: cannot set 'marks'"):
        value.marks = {}
    with pytest.raises(AttributeError, match="Sample is immutable: cannot delete 'marks'"):
        del value.marks
    with pytest.raises(TypeError):
        value.marks["a"] = 2
    assert value == sample()


def test_values_pickle_and_copy() -> None:
    value = sample()
    assert value.total == 3
    again = pickle.loads(pickle.dumps(value))
    assert again == value
    assert "total" not in vars(again)
    with pytest.raises(TypeError):
        again.marks["a"] = 2
    assert copy.deepcopy(value) is value
    assert copy.copy(value) is value


def test_the_repr_of_a_mapping_is_that_of_a_dict() -> None:
    assert repr(Sample({"a": 1}, 5)) == "Sample(marks={'a': 1}, numbers=5)"


def test_hashable_forms() -> None:
    assert hashable({"a": {"b": [1]}}) == hashable({"a": {"b": (1,)}})
    hash(hashable([np.zeros(3), {"a": [1]}]))


@pytest.mark.parametrize("value", [3, np.int8(3), np.uint64(3)])
def test_integers_of_every_kind(value: object) -> None:
    number = read_int(value, "n", 0, 5)
    assert number == 3
    assert type(number) is int


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (True, r"n must be an int from 1 to 5, got True \(a bool\)"),
        (np.True_, "n must be an int from 1 to 5, got"),
        (2.0, r"n must be an int from 1 to 5, got 2.0 \(a float\)"),
        ("2", "n must be an int from 1 to 5, got '2'"),
        (None, "n must be an int from 1 to 5, got None"),
        (0, "n must be an int from 1 to 5, got 0"),
        (6, "n must be an int from 1 to 5, got 6"),
    ],
)
def test_what_is_no_integer_in_the_range(value: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_int(value, "n", 1, 5)


def test_flags() -> None:
    assert read_bool(True, "flag") is True
    assert read_bool(np.False_, "flag") is False
    for value in (0, 1, "yes", None):
        with pytest.raises(InputError, match="flag must be True or False, got"):
            read_bool(value, "flag")


def test_cells_of_every_kind() -> None:
    assert read_cells(np.argwhere(np.eye(2)), "Board") == [(0, 0), (1, 1)]
    assert read_cells([[0, 1], (2, np.int64(3))], "Board") == [(0, 1), (2, 3)]
    assert all(type(part) is int for part in read_cell(np.array([1, 2]), "Board"))


@pytest.mark.parametrize("cell", ["ab", (1,), (1, 2, 3), (1, True), (1, 2.0), {1, 2}, None, 5])
def test_what_is_no_cell(cell: object) -> None:
    with pytest.raises(InputError, match=r"Board: expected a cell as \(row, col\) of ints, got"):
        read_cell(cell, "Board")


@pytest.mark.parametrize("cells", ["ab", 5, None])
def test_what_is_no_list_of_cells(cells: object) -> None:
    with pytest.raises(InputError, match=r"Board: expected cells as \(row, col\), got"):
        read_cells(cells, "Board")


def test_grids_that_cannot_be_held_are_refused() -> None:
    check_size("Board", 1, MOST_CELLS)
    for sides in ((1, MOST_CELLS + 1), (10**5, 10**5), (10**3, 10**3, 10**3)):
        with pytest.raises(InputError, match="cells are more than the 10000000 that fit"):
            check_size("Board", *sides)
    with pytest.raises(InputError, match="Board: 100000 x 100000 cells are more"):
        gk.Board.rectangle(10**5, 10**5)
    with pytest.raises(InputError, match="Box: 5000 x 5000 x 5000 cells are more"):
        gk.Box(5000, 5000, 5000)


def test_cells_of_arrays_and_lists_make_boards_and_pieces() -> None:
    assert gk.Board(2, 2, np.argwhere(np.eye(2))) == gk.Board.parse(".#\n#.")
    assert gk.Board.rectangle(np.int64(2), 3).without([[0, 0]]) == gk.Board.parse("#..\n...")  # type: ignore[arg-type]  # numpy's integers are read as ints
    assert [0, 1] in gk.Board(1, 2)
    assert gk.Polyomino(np.argwhere(np.ones((1, 3)))) == gk.Polyomino.parse("###")
    assert gk.Polyomino([[0, 0], [0, 1]]).rotated(np.int64(1)) == gk.Polyomino.parse("#\n#")  # type: ignore[arg-type]  # numpy's integers are read as ints
    assert gk.Polycube(np.argwhere(np.ones((1, 1, 2)))) == gk.Polycube([[0, 0, 0], [0, 0, 1]])
    assert [0, 0, 1] in gk.Box(1, 1, 2, [[0, 0, 1]])


def test_the_index_of_a_region_is_read_only() -> None:
    for region in (gk.Board(1, 2), gk.Box(1, 1, 2)):
        with pytest.raises(AttributeError):
            region.index.clear()  # type: ignore[union-attr]  # what a caller may try
        assert len(region.index) == 2


def test_boards_and_pieces_pickle_copy_and_evaluate() -> None:
    values = [
        gk.Board.parse(".#\n.."),
        gk.Box(1, 2, 2, [(0, 0, 1)]),
        gk.Polyomino.parse("##\n#."),
        gk.Polycube([(0, 0, 0), (1, 0, 0)]),
        gk.Cell(1, 2),
    ]
    names = {name: getattr(gk, name) for name in gk.__all__}
    for value in values:
        assert pickle.loads(pickle.dumps(value)) == value
        assert copy.deepcopy(value) == value
        assert eval(repr(value), names) == value
        assert hash(eval(repr(value), names)) == hash(value)


def test_value_and_reading_are_leaves() -> None:
    for name in ("gridkit.value", "gridkit.reading"):
        source = sys.modules[name].__file__
        assert source is not None
        with open(source, encoding="utf-8") as file:
            imports = [line for line in file if line.startswith(("import ", "from "))]
        assert all("gridkit" not in line or "gridkit.errors" in line for line in imports)
