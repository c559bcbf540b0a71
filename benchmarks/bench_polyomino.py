"""Counting fixed polyominoes: the transfer matrix against enumeration, here and in C."""

from __future__ import annotations

from functools import partial

from gridkit import polyomino
from measuring import Case, Way
from references import program, self_timed

FIXED = {14: 7_204_874, 15: 27_394_666, 16: 104_592_937, 17: 400_795_844}  # OEIS A001168
FREE = {16: 13_079_255, 24: 654_999_700_403}  # OEIS A000105
LISTED = {9: 1285, 11: 17_073}


def count_fixed(n: int) -> dict[str, Way]:
    return {
        "transfer": lambda: polyomino.count_fixed(n, method="transfer"),
        "enumerate": lambda: polyomino.count_fixed(n, method="enumerate"),
        "C, Redelmeier": self_timed([program("redelmeier"), str(n)], lambda said: float(said[1])),
    }


def count_free(n: int) -> dict[str, Way]:
    return {"count_free": lambda: polyomino.count_free(n)}


def listed(n: int) -> dict[str, Way]:
    return {"free": lambda: sum(1 for _ in polyomino.free(n))}


CASES = [
    *(
        Case(f"fixed, n = {n}", partial(count_fixed, n), total, full=n == 17, amount=total,
             unit="polyominoes")
        for n, total in FIXED.items()
    ),
    *(
        Case(f"free, n = {n}", partial(count_free, n), total, full=n == 24)
        for n, total in FREE.items()
    ),
    *(
        Case(f"free, n = {n}, listed", partial(listed, n), total, full=n == 11, amount=total,
             unit="polyominoes")
        for n, total in LISTED.items()
    ),
]  # fmt: skip
