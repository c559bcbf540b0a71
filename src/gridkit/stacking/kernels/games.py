"""Compiled play of whole games: rounds, repeats by Brent's method, games one after another.

A state that repeats proves that play never stops.  The first rounds are looked up in the table,
which finds a repeat at once; later ones are compared with marks at rounds that double, after
R. P. Brent, "An improved Monte Carlo factorization algorithm" (1980).
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel
from gridkit.stacking.kernels.turns import (
    ABOVE,
    BELOW,
    BLOCK,
    BLOCKED,
    BOTTOMS,
    DISTANCE,
    HEIGHTS,
    LANDING,
    LAST,
    LEFT,
    LIFT,
    LOGGED,
    LOW,
    MARKED,
    NEXT_MARK,
    ON_TOP,
    PLACES,
    RARE_EFFECTS,
    REVERSE,
    ROUND,
    SCHEDULE,
    STACK,
    STAMP,
    STOP_HEIGHT,
    TOPS,
    TURN,
    WRAP,
    Arrays,
    equal,
    play_turn,
)

Words = NDArray[np.int64]

# What `play_rounds` returns.
SPENT, STOPPED, LIMIT, REPEAT = 0, 1, 2, 3

# Places in `desk`: the game in hand, its phase, rounds spent by all games.
GAME, PHASE, NODES = range(3)
DESK_SIZE = 3
# Phases: not set up; playing to the limit; playing beyond it to learn the period; replaying to
# see whether the state at the limit was there one period earlier.
_FRESH, _PLAYING, _BEYOND, _REPLAYING = 0, 1, 2, 3
_UNMARKED = 1 << 62
# Odd multipliers of the hash: _FACTOR, _FACTOR + _STEP, ... modulo 2^64.
_FACTOR, _STEP = np.int64(-0x61C8864680B583EB), np.int64(0x3C6EF372FE94F82A)


class Games(NamedTuple):
    """Games to be played: codes of the cells, (row, column, direction) of the pieces, results.

    `outcome` gets 0 stopped, 1 limit, 2 never; `ended` the round of the stop, the limit, or -1.
    """

    codes: Annotated[NDArray[np.int8], "int8[:, :, ::1]"]
    pieces: Annotated[NDArray[np.int32], "int32[:, :, ::1]"]
    outcome: Annotated[NDArray[np.int8], "int8[::1]"]
    ended: Annotated[Words, "int64[::1]"]


@kernel("boolean(int64[::1], int64[::1], int64[::1], int64[::1], int64)", inline=True)
def _recurs(clock: Words, piece: Words, log: Words, table: Words, number: int) -> bool:
    """Look the state after `number` rounds up in the table of the first rounds, and enter it.

    Parameters
    ----------
    clock, piece, log, table : int64[:]
        As in `Arrays`.
    number : int
        Rounds played, fewer than ``rule[LOGGED]``.

    Returns
    -------
    bool
        Whether the state occurred before; ``clock[MARKED]`` is then its round.
    """
    n = piece.shape[0]
    stamp, mask = clock[STAMP] << 32, table.shape[0] - 1
    total, factor = 0, _FACTOR
    for i in range(n):
        word = piece[np.uint64(i)]
        log[np.uint64(number * n + i)] = word
        total += word * factor
        factor += _STEP
    total ^= total >> 32
    at = total & mask
    tag = stamp | (total & 0xFFFF0000)
    while True:
        entry = table[np.uint64(at)]
        if entry & ~LOW != stamp:
            table[np.uint64(at)] = tag | number
            return False
        earlier = entry & 0xFFFF
        if entry - earlier == tag and equal(piece, log[earlier * n : earlier * n + n]):
            clock[MARKED] = earlier
            return True
        at = (at + 1) & mask


@kernel("int64(int64[::1], int64[::1], int64)", inline=True)
def _walk(cell: Words, piece: Words, i: int) -> int:
    """Play a turn of the common game: piece `i` and all above it go one cell, or stay.

    Parameters
    ----------
    cell, piece : int64[:]
        As in `Arrays`.
    i : int
        Number of the piece, which is in play.

    Returns
    -------
    int
        The height of the stack arrived at, 0 when they stay, -1 when the cell ahead has an effect
        that only `play_turn` knows (nothing is changed then).
    """
    word = piece[np.uint64(i)]
    src = (word >> 24) & PLACES
    # Both ways are looked at, so that a block costs no branch.
    here, way = cell[np.uint64(src)], word >> 48
    there, back = cell[np.uint64(src + way)], cell[np.uint64(src - way)]
    turn = -(there & BLOCK)
    word -= (way << 49) & turn
    way -= (way << 1) & turn
    there = back if turn else there
    if there & BLOCK:
        piece[np.uint64(i)] = word
        return 0
    if there & RARE_EFFECTS:
        return -1
    dst, top, base = src + way, here >> 32, there >> 32
    under = word & BELOW
    gone = way << 24
    if top == i:
        piece[np.uint64(i)] = word + gone + base - under
        cell[np.uint64(src)] = here - 256 + ((under - i) << 32)
        there += 256 + ((i - base) << 32)
    else:
        piece[np.uint64(i)] = word
        q, count = top, 1
        if there & REVERSE:
            top = i
            while q != i:
                word = piece[np.uint64(q)]
                piece[np.uint64(q)] = word + gone + base - (word & BELOW)
                base, q = q, word & BELOW
                count += 1
        else:
            while q != i:
                word = piece[np.uint64(q)] + gone
                piece[np.uint64(q)] = word
                q = word & BELOW
                count += 1
        piece[np.uint64(i)] += gone + base - under
        cell[np.uint64(src)] = (here & LOW) - (count << 8) | under << 32
        there = (there & LOW) + (count << 8) | top << 32
    cell[np.uint64(dst)] = there
    return int((there >> 8) & HEIGHTS)


@kernel("int64(Arrays, int64)")
def play_rounds(arrays: Arrays, budget: int) -> int:
    """Play at most `budget` rounds of one game.

    Parameters
    ----------
    arrays : Arrays
        The game in play.
    budget : int
        Rounds after which the call pauses.

    Returns
    -------
    int
        STOPPED within a round, REPEAT when the state equals an earlier one, whose round is then
        ``clock[MARKED]``, LIMIT at the end of round ``clock[LAST]``, and SPENT otherwise.
    """
    rule, clock, cell, piece = arrays.rule, arrays.clock, arrays.cell, arrays.piece
    mark, log, table = arrays.mark, arrays.log, arrays.table
    n = piece.shape[0]
    number, last, marked, next_mark = clock[ROUND], clock[LAST], clock[MARKED], clock[NEXT_MARK]
    logged = rule[LOGGED] if next_mark >= 0 else 0
    stop_height = rule[STOP_HEIGHT]
    bottoms = rule[SCHEDULE] == BOTTOMS
    walking = (
        (rule[LIFT] == ABOVE or (bottoms and rule[LIFT] == STACK))
        and rule[SCHEDULE] != TOPS
        and rule[DISTANCE] == 1
        and rule[LANDING] == ON_TOP
        and rule[BLOCKED] == 0
        and cell[1] & WRAP == 0
    )
    end = number + budget
    while number < end:
        if number < logged:
            if _recurs(clock, piece, log, table, number):
                return REPEAT
        elif number > marked and equal(piece, mark):
            return REPEAT
        if number == next_mark:
            for i in range(n):  # a loop compiles in a second less than an assignment of slices
                mark[i] = piece[i]
            marked, next_mark = number, 2 * number + 1
            clock[MARKED], clock[NEXT_MARK] = marked, next_mark
        if number == last:
            return LIMIT

        number += 1
        clock[ROUND] = number
        for i in range(1, n):
            word = piece[np.uint64(i)]
            if (word >> 24) & PLACES == 0 or (bottoms and word & BELOW != 0):
                continue
            if walking:
                height = _walk(cell, piece, i)
                if height >= stop_height:
                    clock[TURN] = i
                    return STOPPED
                if height >= 0:
                    continue
            if play_turn(rule, clock, cell, piece, i):
                clock[TURN] = i
                return STOPPED
    return SPENT


@kernel("void(Arrays, Games, int64, int64)")
def set_up(arrays: Arrays, games: Games, game: int, last: int) -> None:
    """Put the pieces of one of the games on its board and set the clock to 0.

    Parameters
    ----------
    arrays : Arrays
        Receives the game.
    games : Games
        All games.  A piece in row -1 is not there.
    game : int
        The number of the one to set up.
    last : int
        The last round to play.
    """
    effects, clock, cell, piece = arrays.effects, arrays.clock, arrays.cell, arrays.piece
    codes, pieces = games.codes, games.pieces
    rows, cols = codes.shape[1], codes.shape[2]
    width = cols + 2
    frame = effects[effects.shape[0] - 1]
    for at in range(cell.shape[0]):
        cell[np.uint64(at)] = frame
    cell[0] = BLOCK  # no cell of the board: what a blocked journey arrives at
    for row in range(rows):
        at = (row + 1) * width + 1
        for col in range(cols):
            code = codes[np.uint64(game), np.uint64(row), np.uint64(col)]
            cell[np.uint64(at + col)] = effects[np.uint64(code)]
    in_play = 0
    piece[0] = 0
    for i in range(1, piece.shape[0]):
        row = np.int64(pieces[np.uint64(game), np.uint64(i - 1), 0])
        col = np.int64(pieces[np.uint64(game), np.uint64(i - 1), 1])
        direction = np.int64(pieces[np.uint64(game), np.uint64(i - 1), 2])
        if row < 0:
            piece[np.uint64(i)] = 0
            continue
        at = (row + 1) * width + col + 1
        if direction < 2:
            step = 1 - 2 * direction
        else:
            step = width * (2 * direction - 5)
        here = cell[np.uint64(at)]
        piece[np.uint64(i)] = here >> 32 | at << 24 | step << 48
        cell[np.uint64(at)] = (here & LOW) + 256 | np.int64(i) << 32
        in_play += 1
    clock[LEFT] = in_play
    clock[ROUND] = clock[TURN] = 0
    clock[LAST] = last


@kernel("boolean(Arrays, Games, int64[::1], int64, int64)")
def play_batch(arrays: Arrays, games: Games, desk: Words, limit: int, budget: int) -> bool:
    """Play games one after another for about `budget` rounds; return whether all are decided.

    A repeat counts as never if it lies within the limit, even where the marks notice it later.

    Parameters
    ----------
    arrays : Arrays
        The game under way.
    games : Games
        All games; receives what they come to.
    desk : int64[DESK_SIZE]
        See the constants.
    limit : int
        The last round to play.
    budget : int
        Rounds after which the call pauses.

    Returns
    -------
    bool
        Whether all games are decided.
    """
    rule, clock, piece, mark = arrays.rule, arrays.clock, arrays.piece, arrays.mark
    count = games.codes.shape[0]
    while desk[GAME] < count and budget > 0:
        game, phase = desk[GAME], desk[PHASE]
        if phase == _FRESH:
            set_up(arrays, games, game, limit)
            clock[MARKED], clock[NEXT_MARK] = _UNMARKED, rule[LOGGED]
            clock[STAMP] += 1
            phase = desk[PHASE] = _PLAYING
        before = clock[ROUND]
        status = play_rounds(arrays, budget)
        budget -= clock[ROUND] - before + 1
        desk[NODES] += clock[ROUND] - before

        if status == SPENT:
            return False
        verdict = 1
        if phase == _PLAYING:
            if status == STOPPED:
                verdict = 0
            elif status == REPEAT:
                verdict = 2
            elif limit >= rule[LOGGED] and limit > 0:
                # A state that recurred by now is on a cycle of at most `limit` rounds.
                for i in range(piece.shape[0]):
                    mark[i] = piece[i]
                clock[MARKED], clock[NEXT_MARK], clock[LAST] = limit, -1, 2 * limit
                desk[PHASE] = _BEYOND
                continue
        elif status == REPEAT:
            if phase == _BEYOND:
                last = 2 * limit - clock[ROUND]
                set_up(arrays, games, game, last)
                clock[MARKED] = -1
                desk[PHASE] = _REPLAYING
                continue
            verdict = 2
        games.outcome[game] = verdict
        games.ended[game] = clock[ROUND] if verdict == 0 else (limit if verdict == 1 else -1)
        desk[GAME] += 1
        desk[PHASE] = _FRESH
    return bool(desk[GAME] == count)


@kernel("boolean(Arrays, Arrays, int64)")
def walk_together(arrays: Arrays, leader: Arrays, budget: int) -> bool:
    """Advance two moments of one game round by round until their states are equal.

    Parameters
    ----------
    arrays, leader : Arrays
        The game, and a copy that is ahead: both without marks, with their last round out of reach.
    budget : int
        Rounds after which the call pauses.

    Returns
    -------
    bool
        Whether the states are equal.
    """
    for _ in range(budget):
        if equal(arrays.piece, leader.piece):
            return True
        play_rounds(arrays, 1)
        play_rounds(leader, 1)
    return False
