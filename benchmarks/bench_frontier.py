"""Counting without searching: sweeps against the textbook program in C, and determinants.

The C program keeps all profiles, 128-bit numbers, and goes on one cell at a time.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from functools import partial
from unittest.mock import patch

import numpy as np

import gridkit as gk
from instances import ELL, pentominoes
from measuring import Case, Way
from references import library

DOMINO = gk.pieces.domino()
SMALL = [gk.Polyomino.parse("#"), gk.Polyomino.parse("##")]
HOLES = [(0, 0), (3, 4), (10, 10), (15, 7)]
R = gk.Board.rectangle
Pieces = Sequence[gk.Polyomino] | Mapping[str, gk.Polyomino]
BOARDS = {
    "8x9": R(8, 9),
    "12x12": R(12, 12),
    "15x15": R(15, 15),
    "18x20": R(20, 18),
    "20x20 less a corner": R(20, 20).without(HOLES[:1]),
    "20x20 less 4": R(20, 20).without(HOLES),
}


def sweep(tiling: gk.Tiling) -> Way:
    """Return the count by sweeps, whatever "auto" would choose."""
    from gridkit.cover.frontier.count import count
    from gridkit.run import Run, use_tier

    instance = tiling.instance

    def run() -> int:
        with use_tier("compiled"):
            return count(instance, Run())

    return run


def in_c(board: gk.Board) -> Way:
    count_l_trominoes = library("frontier").count_l_trominoes
    cells = np.zeros((board.rows, board.cols), np.uint8)
    for cell in board:
        cells[cell] = 1

    def run() -> int:
        result = (ctypes.c_uint64 * 2)()
        pointer = cells.ctypes.data_as(ctypes.c_void_p)
        assert count_l_trominoes(pointer, board.rows, board.cols, result)
        return int(result[0]) | int(result[1]) << 64

    return run


def ells(board: gk.Board) -> dict[str, Way]:
    from gridkit.cover.frontier.plain import count_plain
    from gridkit.run import Run

    tiling = gk.Tiling(board, ELL, copies=None)
    ways = {"sweep": sweep(tiling)}
    if tiling.count().bit_length() <= 128:
        ways["C, all profiles"] = in_c(board)
    if len(board) < 150:
        ways["plain Python"] = lambda: count_plain(tiling.instance, Run())
    return ways


def forms() -> dict[str, Way]:
    """The array over all subsets against the hash table, on one board."""
    from gridkit.cover.frontier import states

    array = sweep(gk.Tiling(R(15, 15), ELL, copies=None))

    def table() -> object:
        with patch.object(states, "_NARROW", 0), patch.object(states, "_DENSE", 0):
            return array()

    return {"array": array, "hash table": table}


def dominoes(side: int) -> dict[str, Way]:
    from gridkit.cover.determinant import kasteleyn
    from gridkit.run import Run

    tiling = gk.Tiling(R(side, side), DOMINO, copies=None)
    ways: dict[str, Way] = {"determinant": lambda: kasteleyn.count(tiling.instance, Run())}
    return ways | ({"sweep": sweep(tiling)} if side <= 20 else {})


def monomers(side: int) -> dict[str, Way]:
    return {"sweep": sweep(gk.Tiling(R(side, side), SMALL, copies=None))}


def samples(board: gk.Board, pieces: Pieces, n: int) -> dict[str, Way]:
    """A fresh tiling each time, so that nothing is left of the samples before."""

    def draw() -> int:
        fresh = gk.Tiling(board, pieces, copies=None)
        return len(fresh.sample(np.random.default_rng(1), n))

    return {"sample": draw}


def once() -> dict[str, Way]:
    return {"sweep": sweep(pentominoes(R(5, 12)))}


SAMPLED: dict[str, tuple[gk.Board, Pieces]] = {
    "dominoes 12x100": (R(12, 100), DOMINO),
    "L-trominoes 16x16 less a corner": (R(16, 16).without(HOLES[:1]), ELL),
}
CASES = [
    *(
        Case(f"L-trominoes {name}", partial(ells, board), full=name == "20x20 less 4")
        for name, board in BOARDS.items()
    ),
    Case("L-trominoes 15x15, two forms", forms),
    *(Case(f"dominoes {n}x{n}", partial(dominoes, n)) for n in (8, 12, 16, 20, 30, 50)),
    *(Case(f"monomers and dimers {n}x{n}", partial(monomers, n)) for n in (8, 11, 15, 18)),
    *(
        Case(f"{n} samples, {name}", partial(samples, board, pieces, n), n, amount=n, unit="draws")
        for name, (board, pieces) in SAMPLED.items()
        for n in (1, 10)
    ),
    Case("12 pentominoes 5x12, copies in the state", once, 4040),
]
