"""Compiled play: one turn, with stacks as linked lists in arrays and rules as integers.

Arrays of int64 (pieces are numbered from 1, so that 0 means none):

* ``cell``: a word for each cell of the board and its frame, ``flags | height << 8 | top << 32``;
  a row of the framed board holds ``columns + 2`` words, so a step is an addition;
* ``piece``: a word for each piece, ``below | place << 24 | step << 48``: the piece it lies on, the
  cell it stands on (0 once it has sunk), and the addition that its direction stands for.  These
  words are the state of a game;
* ``mark``: a remembered state;
* ``log``, ``table``: the states of a game's first rounds, and a hash table of their rounds;
* ``rule``, ``clock``: see the constants.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel

Words = NDArray[np.int64]

# Flags of a cell, as gridkit.stacking.rules numbers them; WRAP marks a frame one walks through.
BLOCK, REVERSE, TURN_SHIFT, SINK, GOAL, WRAP = 1, 2, 2, 16, 32, 64
_TURNS, RARE_EFFECTS = 12, 12 + SINK + GOAL
HEIGHTS = PLACES = BELOW = 0xFFFFFF
LOW = 0xFFFFFFFF

# Places in `rule`.
SCHEDULE, LIFT, LIFT_COUNT, DISTANCE, LANDING, BLOCKED, STOP_HEIGHT, STOP_LEFT = range(8)
FRAME, ROWS, COLS, LOGGED = 8, 9, 10, 11
RULE_SIZE = 12
BOTTOMS, TOPS = 1, 2
ABOVE, STACK, _TOP, _ALONE = 0, 1, 2, 3
ON_TOP = 0
_RESTORE, _TURN, _SKIP = 1, 2, 3

# Places in `clock`: rounds played, turn of the stop, last round to play, round of the mark, round
# of the next mark, pieces in play, number of the game (stamped on its entries in the table).
ROUND, TURN, LAST, MARKED, NEXT_MARK, LEFT, STAMP = range(7)
CLOCK_SIZE = 7
_ENDLESS = 1 << 62


class Arrays(NamedTuple):
    """One game in play, and the rules; the module says what an entry is."""

    rule: Annotated[Words, "int64[::1]"]
    effects: Annotated[Words, "int64[::1]"]
    clock: Annotated[Words, "int64[::1]"]
    cell: Annotated[Words, "int64[::1]"]
    piece: Annotated[Words, "int64[::1]"]
    mark: Annotated[Words, "int64[::1]"]
    log: Annotated[Words, "int64[::1]"]
    table: Annotated[Words, "int64[::1]"]

    def copy(self) -> Arrays:
        """Return a copy."""
        return Arrays(*[array.copy() for array in self])

    def nbytes(self) -> int:
        """Return the bytes held."""
        return sum(array.nbytes for array in self)


@kernel("int64(int64, int64, int64)")
def _turned(step: int, quarter_turns: int, width: int) -> int:
    """Turn a step clockwise.

    Parameters
    ----------
    step : int
        1, -1, `width` or ``-width``.
    quarter_turns : int
        How often.
    width : int
        Words in a row of the framed board.

    Returns
    -------
    int
        The step after the turns.
    """
    for _ in range(quarter_turns):
        if step == 1:
            step = width
        elif step == width:
            step = -1
        elif step == -1:
            step = -width
        else:
            step = 1
    return step


@kernel("int64(int64[::1], int64[::1], int64, int64)")
def _travel(rule: Words, cell: Words, start: int, step: int) -> int:
    """Follow the journey of a pile.

    Parameters
    ----------
    rule, cell : int64[:]
        As in `Arrays`.
    start, step : int
        The cell it leaves, and the addition that its direction stands for.

    Returns
    -------
    int
        The cell it comes to, 0 when its first step is blocked.
    """
    length = rule[DISTANCE]
    if length == 0:
        length = (cell[start] >> 8) & HEIGHTS
    elif length < 0:
        length = _ENDLESS
    span = rule[COLS] if -2 < step < 2 else rule[ROWS]
    here = start
    gone = 0
    while gone < length:
        there = here + step
        if cell[there] & WRAP:
            there -= step * span
        if cell[there] & BLOCK:
            break
        here = there
        gone += 1
        if cell[here] & SINK:
            break
        if here == start:  # once round the board
            length = gone + (length - gone) % gone if length < _ENDLESS else gone
    return here if gone else 0


@kernel("void(int64[::1], int64[::1], int64[::1], int64, int64, int64)")
def _affect(rule: Words, clock: Words, piece: Words, high: int, count: int, flags: int) -> None:
    """Sink or turn a pile.

    Parameters
    ----------
    rule, clock, piece : int64[:]
        As in `Arrays`.
    high, count : int
        The uppermost piece, and how many there are from it downwards.
    flags : int
        Those of the cell that they stand on.
    """
    quarter_turns = (flags & _TURNS) >> TURN_SHIFT
    q = high
    for _ in range(count):
        word = piece[q]
        if flags & SINK:
            piece[q] = 0
        elif quarter_turns:
            step = word >> 48
            piece[q] += (_turned(step, quarter_turns, rule[FRAME]) - step) << 48
        q = word & BELOW
    if flags & SINK:
        clock[LEFT] -= count


@kernel("boolean(int64[::1], int64[::1])")
def equal(piece: Words, other: Words) -> bool:
    """Compare two states.

    Parameters
    ----------
    piece, other : int64[:]
        As `piece` in `Arrays`.

    Returns
    -------
    bool
        Whether they are the same.
    """
    for i in range(piece.shape[0]):
        if piece[i] != other[i]:
            return False
    return True


@kernel("boolean(int64[::1], int64[::1], int64[::1], int64[::1], int64)")
def play_turn(rule: Words, clock: Words, cell: Words, piece: Words, i: int) -> bool:
    """Play the turn of one piece.

    Parameters
    ----------
    rule, clock, cell, piece : int64[:]
        As in `Arrays`.
    i : int
        The number of the piece, which is in play.

    Returns
    -------
    bool
        Whether that stops the game.
    """
    word = piece[np.uint64(i)]
    src, way = (word >> 24) & PLACES, word >> 48
    here = cell[np.uint64(src)]
    top = here >> 32
    if rule[SCHEDULE] == BOTTOMS and word & BELOW != 0:
        return False
    if rule[SCHEDULE] == TOPS and top != i:
        return False

    dst = _travel(rule, cell, src, way)
    if dst == 0:
        blocked = rule[BLOCKED]
        if blocked == _SKIP:
            return False
        piece[np.uint64(i)] = word - (way << 49)
        if blocked == _TURN:
            return False
        dst = _travel(rule, cell, src, -way)
        if dst == 0:
            if blocked == _RESTORE:
                piece[np.uint64(i)] = word
            return False

    # Lift `count` pieces, from `low` to `high`; `over` is the one that stays above them.
    lift = rule[LIFT]
    low, high, over = i, top, 0
    count = 1
    if lift == ABOVE:
        q = high
        while q != low:
            q = piece[np.uint64(q)] & BELOW
            count += 1
    elif lift == _ALONE:
        high = i
        if top != i:
            over = top
            while piece[np.uint64(over)] & BELOW != i:
                over = piece[np.uint64(over)] & BELOW
    else:
        most = rule[LIFT_COUNT] if lift == _TOP else piece.shape[0]
        low = high
        while count < most and piece[np.uint64(low)] & BELOW != 0:
            low = piece[np.uint64(low)] & BELOW
            count += 1
    under = piece[np.uint64(low)] & BELOW
    if over == 0:
        top = under
    else:
        piece[np.uint64(over)] += under - i
    cell[np.uint64(src)] = (here & LOW) - (count << 8) | top << 32

    # What the cell does to them.
    there = cell[np.uint64(dst)]
    if there & RARE_EFFECTS:
        _affect(rule, clock, piece, high, count, there)
        if there & SINK:
            return bool(there & GOAL != 0 or clock[LEFT] <= rule[STOP_LEFT])

    # Land on `base`.
    top = there >> 32
    base = top if rule[LANDING] == ON_TOP else 0
    gone = (dst - src) << 24
    if there & REVERSE:
        q = high
        for _ in range(count):
            under = piece[np.uint64(q)] & BELOW
            piece[np.uint64(q)] += gone + base - under
            base, q = q, under
        low, high = high, low
    else:
        q = high
        while q != low:
            piece[np.uint64(q)] += gone
            q = piece[np.uint64(q)] & BELOW
        piece[np.uint64(low)] += gone + base - under
    if rule[LANDING] != ON_TOP and top != 0:
        q = top
        while piece[np.uint64(q)] & BELOW != 0:
            q = piece[np.uint64(q)] & BELOW
        piece[np.uint64(q)] += high
        high = top
    there = (there & LOW) + (count << 8)
    cell[np.uint64(dst)] = there | high << 32
    return bool(there >> 8 >= rule[STOP_HEIGHT] or there & GOAL != 0)
