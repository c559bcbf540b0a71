"""Exact cover: counts, first solutions, listings and cheapest covers, the matrix built each time.

Peers: dancing links in C, compiled on the spot; HiGHS (of scipy) where costs are least.  The peers
that are Python packages are measured by ``nox -s peers``.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from unittest.mock import patch

import numpy as np

import gridkit as gk
from gridkit.cover.matrix import Matrix
from instances import BOARDS, ELL, langford, pentominoes, queens, soma, sudoku
from measuring import Case, Way
from references import dlx

Ways = dict[str, Way]
Ours = Callable[[], int]


def items(matrix: Matrix) -> tuple[list[list[int]], range, range]:
    """Return the arguments of an `ExactCover`."""
    options = [list(option) for option in matrix.options]
    return options, range(matrix.primary), range(matrix.primary, matrix.items)


def as_problem(matrix: Matrix) -> Ours:
    arguments = items(matrix)
    return lambda: gk.ExactCover(*arguments).count()


def as_matrix(matrix: Matrix) -> Ours:
    dense = np.zeros((len(matrix.options), matrix.items), dtype=np.int8)
    for row, option in enumerate(matrix.options):
        dense[row, list(option)] = 1
    return lambda: gk.ExactCover.from_matrix(dense).count()


def count_pentominoes(board: gk.Board, bare: bool) -> Ways:
    matrix = pentominoes(board).matrix
    ways: Ways = {"Tiling": lambda: pentominoes(board).count()}
    return ways | ({"ExactCover": as_problem(matrix)} if bare else {}) | {"C dlx": dlx(matrix)}


def count_classes(board: gk.Board) -> Ways:
    return {"Tiling": lambda: pentominoes(board).count(up_to_symmetry=True)}


def count_matrix(build: Callable[[], Matrix]) -> Ways:
    return {"ExactCover": as_problem(build()), "C dlx": dlx(build())}


def count_soma() -> Ways:
    return {"from_matrix": as_matrix(soma().matrix), "C dlx": dlx(soma().matrix)}


def count_ells() -> Ways:
    board = gk.Board.rectangle(8, 9)
    matrix = gk.Tiling(board, ELL, None).matrix
    return {
        "Tiling": lambda: gk.Tiling(board, ELL, None).count(),
        "ExactCover": as_problem(matrix),
        "C dlx": dlx(matrix),
    }


def first() -> Ways:
    matrix = sudoku(5)
    arguments = items(matrix)
    cover = gk.ExactCover(*arguments)
    return {
        "first() of a cover": lambda: len(cover.first() or ()) == 625,
        "ExactCover(...).first()": lambda: len(gk.ExactCover(*arguments).first() or ()) == 625,
        "C dlx, search alone": dlx(matrix, "first"),
        "C dlx, with reading": dlx(matrix, "first", reading=True),
    }


def first_search_alone() -> Ways:
    from gridkit.cover.search.sparse import SparseSearch

    matrix = sudoku(5)

    def search() -> object:
        engine = SparseSearch(matrix, keep=True)
        engine.advance(1 << 60, 1)
        return engine.found

    return {"engine with its arrays": search, "C dlx, search alone": dlx(matrix, "first")}


# Minimal sudokus with 17 clues (from G. Royle's collection); digits, rows and columns are permuted.
_SEVENTEEN = (
    "000000010400000000020000000000050407008000300001090000300400200050100000000806000",
    "000000012000035000000600070700000300000400800100000000000120000080000040050000600",
    "000000012003600000000007000410020000000500300700000600280000040000300500000000000",
    "000000012040050000000009000070600400000100000000000050000087500601000300200000000",
    "000000012400090000000000050070200000600000400000108000018000000000030700502000000",
)


def sudokus(number: int, clues: int) -> Ways:
    """Many sudokus at once against each alone: with 17 clues, or with more of a full grid."""
    chance, grid = np.random.default_rng(1), gk.ExactCover(*items(sudoku(3)))
    rows = []
    while len(rows) < number:
        text = _SEVENTEEN[len(rows) % len(_SEVENTEEN)]
        digits = np.array([int(digit) for digit in text])
        given = np.flatnonzero(digits) * 9 + digits[digits > 0] - 1
        full = grid.first_many([given])[0]
        more = chance.permutation(np.setdiff1d(full, given))[: clues - len(given)]
        own = np.concatenate((given, more))
        rows.append(chance.permutation(9)[own % 9] + own // 9 * 9)
    given = np.array(rows)

    def one_by_one() -> object:
        """Count alone, each a problem of the options that are left."""
        matrix, total = sudoku(3), 0
        for row in given.tolist():
            taken = {item for option in row for item in matrix.options[option]}
            left = [own for own in matrix.options if taken.isdisjoint(own)]
            total += gk.ExactCover(left, sorted(set(range(324)) - taken)).is_unique()
        return total

    ways: Ways = {"unique_many": lambda: int(grid.unique_many(given).sum())}
    return ways | ({"ExactCover(...).is_unique()": one_by_one} if number <= 100 else {})


def listed(build: Callable[[], Matrix]) -> Ways:
    cover = gk.ExactCover(*items(build()))
    return {"solutions_array": lambda: len(cover.solutions_array())}


def cheapest(build: Callable[[], Matrix]) -> Ways:
    """Costs from 0 to 9 at random; HiGHS as the peer."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csc_array

    matrix = build()
    chance = random.Random(1)
    costs = [chance.randrange(10) for _ in matrix.options]
    entries = [(item, row) for row, option in enumerate(matrix.options) for item in option]
    table = csc_array((np.ones(len(entries)), np.array(entries).T))
    low = [*matrix.low, *[0] * (matrix.items - matrix.primary)]
    arguments = items(matrix)

    def ours() -> object:
        return gk.ExactCover(*arguments, costs=costs).minimum()[0].cost

    def highs() -> object:
        constraint = LinearConstraint(table, low, 1)
        found = milp(
            costs, constraints=constraint, integrality=np.ones(len(costs)), bounds=Bounds(0, 1)
        )
        return round(found.fun)

    return {"minimum": ours, "HiGHS": highs}


def versions(build: Callable[[], Matrix]) -> Ways:
    """Every option in ten versions: with and without leaving dominated ones out.

    A version holds up to two of 40 secondary items more, and has a cost of its own.
    """
    from gridkit.cover.search import minimum
    from gridkit.run import Run

    matrix = build()
    chance = random.Random(1)
    options = [
        option + tuple(sorted(chance.sample(range(matrix.items, matrix.items + 40), more)))
        for option in matrix.options
        for more in (chance.randrange(3) for _ in range(10))
    ]
    costs = [chance.randrange(1000) for _ in options]
    many = replace(matrix, options=tuple(options))

    def best() -> object:
        return minimum.cheapest(many, costs, 1, Run())[0].cost

    def without() -> object:
        with patch.object(minimum, "undominated", lambda matrix, costs, k: list(range(len(costs)))):
            return best()

    return {"leaving out": best, "every option": without}


def repeated(build: Callable[[], Matrix], times: int) -> Ways:
    """Options repeated: as one option that counts several times, and one by one."""
    from gridkit.cover.search.counting import count_matrix
    from gridkit.cover.search.tree import Task, count_task
    from gridkit.run import Run

    matrix = build()
    many = replace(matrix, options=tuple(o for o in matrix.options for _ in range(times)))
    return {
        "together": lambda: count_matrix(many, Run()),
        "one by one": lambda: count_task(Task(many, "bitset"), Run()),
    }


def trominoes() -> Matrix:
    return gk.Tiling(gk.Board.rectangle(6, 9), gk.pieces.trominoes(), None).matrix


def ells() -> Matrix:
    return gk.Tiling(gk.Board.rectangle(8, 9), ELL, None).to_exact_cover().matrix


CASES = [
    *(
        Case(name, partial(count_pentominoes, board, "6x10" in name), total, "5x12" in name)
        for name, board, total, _ in BOARDS
    ),
    Case("Soma cube", count_soma, 11520),
    Case("12 queens", partial(count_matrix, partial(queens, 12)), 14200),
    Case("Langford 12", partial(count_matrix, partial(langford, 12)), 216288),
    Case("L-trominoes 8x9", count_ells, 204184),
    *(
        Case(f"{name}, up to symmetry", partial(count_classes, board), classes)
        for name, board, _, classes in BOARDS
    ),
    Case("empty 25x25 sudoku, first", first, 1),
    Case("empty 25x25 sudoku, first, search alone", first_search_alone, 1),
    Case("100 sudokus of 17 clues, unique", partial(sudokus, 100, 17), 100,
         amount=100, unit="sudokus"),
    Case("10,000 sudokus of 17 clues, unique", partial(sudokus, 10_000, 17), 10_000,
         amount=10_000, unit="sudokus"),
    Case("10,000 sudokus of 36 clues, unique", partial(sudokus, 10_000, 36), 10_000,
         amount=10_000, unit="sudokus"),
    Case("all of Langford 12", partial(listed, partial(langford, 12)), 216288,
         amount=216288, unit="solutions"),
    Case("all L-trominoes 8x9", partial(listed, ells), 204184, amount=204184, unit="solutions"),
    Case("cheapest Soma cube", partial(cheapest, lambda: soma().matrix)),
    Case("cheapest 12 queens", partial(cheapest, partial(queens, 12)), full=True),
    Case("cheapest Langford 11", partial(cheapest, partial(langford, 11)), full=True),
    Case("cheapest trominoes 6x9", partial(cheapest, trominoes)),
    Case("cheapest 12 queens in 10 versions", partial(versions, partial(queens, 12)), full=True),
    Case("cheapest Soma cube in 10 versions", partial(versions, lambda: soma().matrix), full=True),
    Case("Langford 8, options tripled", partial(repeated, partial(langford, 8), 3), 300 * 3**8),
    Case("10 queens, options doubled", partial(repeated, partial(queens, 10), 2), 724 * 2**10),
]  # fmt: skip
