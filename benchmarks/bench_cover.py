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
