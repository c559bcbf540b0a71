"""The arrays that the kernels read and write, made from the rules and the size of a game."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridkit.errors import UnsupportedError
from gridkit.stacking.kernels import turns
from gridkit.stacking.kernels.turns import Arrays
from gridkit.stacking.rules import StackingRules

__all__ = ["ENDLESS", "Arrays", "make_arrays"]

Words = NDArray[np.int64]
ENDLESS = 1 << 60  # as the last round: none
_LARGEST = 1 << 40  # heights and numbers of pieces beyond any game
_LOGGED_ROUNDS = 1024
_LOGGED_WORDS = 1 << 18
_SCHEDULES = ("turns", "bottoms", "tops")
_LIFTS = ("above", "stack", "top", "alone")
_BLOCKED = ("bounce", "restore", "turn", "skip")


def make_arrays(
    rules: StackingRules, rows: int, cols: int, pieces: int, last: int | None
) -> Arrays:
    """Return fresh arrays for games of this size, played up to round `last`.

    Raises
    ------
    UnsupportedError
        For rules that call Python, and for games that do not fit the kernel's words.
    """
    if rules.schedule == "choice":
        raise UnsupportedError("rules that leave the schedule to the caller are not compiled")
    if rules.has_hooks:
        raise UnsupportedError("rules with a callable effect are not compiled")
    if not fits(rows, cols, pieces):
        raise UnsupportedError(
            f"the kernel plays boards of fewer than 2^24 cells and 2^15 columns with fewer than "
            f"2^24 pieces, got {rows} x {cols} and {pieces}"
        )
    distance = {"height": 0, "blocked": -1}.get(str(rules.distance), rules.distance)
    rule = np.zeros(turns.RULE_SIZE, dtype=np.int64)
    rule[turns.SCHEDULE] = _SCHEDULES.index(rules.schedule)
    rule[turns.LIFT] = _LIFTS.index(rules.lift)
    rule[turns.LIFT_COUNT] = min(rules.lift_count, _LARGEST)
    rule[turns.DISTANCE] = distance
    rule[turns.LANDING] = rules.landing == "bottom"
    rule[turns.BLOCKED] = _BLOCKED.index(rules.blocked)
    rule[turns.STOP_HEIGHT] = min(rules.stop_height or _LARGEST, _LARGEST)
    rule[turns.STOP_LEFT] = -1 if rules.stop_left is None else min(rules.stop_left, _LARGEST)
    rule[turns.FRAME], rule[turns.ROWS], rule[turns.COLS] = cols + 2, rows, cols
    logged = min(_LOGGED_ROUNDS, _LOGGED_WORDS // (pieces + 1))
    if last is not None:
        logged = min(logged, last + 1)
    rule[turns.LOGGED] = logged
    return Arrays(
        rule=rule,
        effects=np.array(rules.flags(), dtype=np.int64),
        clock=np.zeros(turns.CLOCK_SIZE, dtype=np.int64),
        cell=np.zeros((rows + 2) * (cols + 2), dtype=np.int64),
        piece=np.zeros(pieces + 1, dtype=np.int64),
        mark=np.zeros(pieces + 1, dtype=np.int64),
        log=np.zeros(logged * (pieces + 1), dtype=np.int64),
        table=np.zeros(1 << (2 * logged).bit_length(), dtype=np.int64),
    )


def fits(rows: int, cols: int, pieces: int) -> bool:
    """Return whether the kernel's words have room for games of this size."""
    return (rows + 2) * (cols + 2) < 1 << 24 and cols + 2 < 1 << 15 and pieces < 1 << 24
