"""Depth-first exact cover on bitsets of options that are repacked as they thin out.

A layout numbers the options that were alive at some node, and holds for each column (an item, or
a colour of an item) the bitset of those options.  Where few options are left and many nodes are
to come, a denser layout is made for the subtree, so that an item's options are counted in a word
or a few.  A layout is one word wide, four, or more, as processors foresee loops of fixed lengths.

Indices are unsigned: a signed one costs a test for Python's indices from the end.

Source: the tree is that of D. E. Knuth, The Art of Computer Programming 7.2.2.1 (2020); layouts are
ours.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel, popcount, trailing_zeros

# Positions in `state`: the level reached (-1 at the end), whether its node is still to be visited,
# solutions found and nodes visited, solutions kept and how many to keep, columns of the problem.
LEVEL, FRESH, FOUND, NODES, KEPT, CAPACITY, COLUMNS = range(7)
STATE_WORDS = 7
NO_COLUMN = 0xFFFFFFFF
MANY = 1 << 40  # options of an item: no item is open


class Options(NamedTuple):
    """What each option holds: an entry for each of its items."""

    at: Annotated[NDArray[np.uint32], "uint32[::1]"]  # (options + 1): where its entries begin
    column: Annotated[NDArray[np.uint32], "uint32[::1]"]  # of each entry: the item's column
    # Of each entry: the column of the options that give the item the same colour, or NO_COLUMN;
    # empty where there is no colour at all.
    exception: Annotated[NDArray[np.uint32], "uint32[::1]"]
    items: Annotated[NDArray[np.uint64], "uint64[:, ::1]"]  # (options, words): primary items, bits


class Layouts(NamedTuple):
    """Numberings of the options that are alive in a subtree, the first that of the problem."""

    options: Annotated[NDArray[np.uint32], "uint32[:, ::1]"]  # (layouts, options): in its order
    bits: Annotated[NDArray[np.uint64], "uint64[::1]"]  # layout by layout: each column's options
    at: Annotated[NDArray[np.uint64], "uint64[::1]"]  # (layouts): where its bits begin
    width: Annotated[NDArray[np.uint64], "uint64[::1]"]  # (layouts): words of a column


class Levels(NamedTuple):
    """The nodes from the root to where the search stands, an entry or a row for each."""

    live: Annotated[NDArray[np.uint64], "uint64[:, ::1]"]  # options that may be chosen, as bits
    open_items: Annotated[NDArray[np.uint64], "uint64[:, ::1]"]  # items still to be covered, bits
    layout: Annotated[NDArray[np.uint64], "uint64[::1]"]  # number of its layout
    branch: Annotated[NDArray[np.uint64], "uint64[::1]"]  # the item it branches on
    word: Annotated[NDArray[np.uint64], "uint64[::1]"]  # which word of its options is being tried
    rest: Annotated[NDArray[np.uint64], "uint64[::1]"]  # what remains to be tried of that word
    chosen: Annotated[NDArray[np.int32], "int32[::1]"]  # the option chosen
    width: Annotated[NDArray[np.int64], "int64[::1]"]  # how many options it has to try
    tried: Annotated[NDArray[np.int64], "int64[::1]"]  # how many it began to try
    visits: Annotated[NDArray[np.int64], "int64[::1]"]  # nodes visited at this depth
    worth: Annotated[NDArray[np.int64], "int64[::1]"]  # nodes at and below one, on average


@kernel("void(int32[:, ::1], int64, int32[::1], int64)")
def record(kept: NDArray[np.int32], row: int, chosen: NDArray[np.int32], options: int) -> None:
    """Write a solution into a row, its options in increasing order, then -1.

    Parameters
    ----------
    kept : int32 (rows, longest)
    row : int
    chosen : int32 (depth,)
        The options in the order in which they were chosen.
    options : int
        How many there are.
    """
    for place in range(options):
        at = place
        while at > 0 and kept[row, at - 1] > chosen[place]:
            kept[row, at] = kept[row, at - 1]
            at -= 1
        kept[row, at] = chosen[place]
    for place in range(options, kept.shape[1]):
        kept[row, place] = -1


@kernel("void(uint64, uint64, uint64, Options, Layouts, Levels)")
def repack(
    level: np.uint64,
    total: np.uint64,
    columns: np.uint64,
    problem: Options,
    layouts: Layouts,
    levels: Levels,
) -> None:
    """Make a layout of the options alive at a level, in their order.

    Parameters
    ----------
    level : uint64
    total : uint64
        How many options are alive there.
    columns : uint64
        Columns of the problem.
    problem : Options
    layouts : Layouts
        Gains one, behind that of the level.
    levels : Levels
        The level's options alive are numbered anew.
    """
    option_at, option_column, option_except = problem.at, problem.column, problem.exception
    layout_options, bits, bits_at = layouts.options, layouts.bits, layouts.at
    layout_width, live, layout_of = layouts.width, levels.live, levels.layout
    zero, one = np.uint64(0), np.uint64(1)
    low6, six = np.uint64(63), np.uint64(6)
    four, none = np.uint64(4), np.uint64(NO_COLUMN)
    painted = option_except.shape[0] > 0
    old = layout_of[level]
    new = old + one
    width = (total + low6) >> six
    if one < width < four:
        width = four
    start = bits_at[old] + columns * layout_width[old]
    bits_at[new] = start
    layout_width[new] = width
    at = start
    end = start + columns * width
    while at < end:
        bits[at] = zero
        at += one
    place = zero
    word = zero
    while word < layout_width[old]:
        rest = live[level, word]
        while rest != zero:
            option = np.uint64(layout_options[old, (word << six) + np.uint64(trailing_zeros(rest))])
            rest &= rest - one
            layout_options[new, place] = option
            at = start + (place >> six)
            bit = one << (place & low6)
            entry = np.uint64(option_at[option])
            end = np.uint64(option_at[option + one])
            while entry < end:
                bits[at + np.uint64(option_column[entry]) * width] |= bit
                if painted:
                    exception = np.uint64(option_except[entry])
                    if exception != none:
                        bits[at + exception * width] |= bit
                entry += one
            place += one
        word += one
    word = zero
    while word < width:
        live[level, word] = ~zero if word < total >> six else zero
        word += one
    if total & low6:
        live[level, total >> six] = (one << (total & low6)) - one
    layout_of[level] = new


@kernel("void(uint64, uint64, Options, Layouts, Levels)", inline=True)
def _weigh(
    level: np.uint64, columns: np.uint64, problem: Options, layouts: Layouts, levels: Levels
) -> None:
    """Make a layout for a level where it pays: fewer words at each node below.

    Parameters
    ----------
    level, columns : uint64
        The level, and the columns of the problem.
    problem : Options
    layouts : Layouts
    levels : Levels
    """
    live = levels.live
    zero, one, two, three, four = (
        np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
    )  # fmt: skip
    width = layouts.width[levels.layout[level]]
    total = zero
    word = zero
    while word < width:
        total += np.uint64(popcount(live[level, word]))
        word += one
    narrow = (total + np.uint64(63)) >> np.uint64(6)
    if one < narrow < four:
        narrow = four
    # In entries set, measured: a word less saves about 3 at each node below.
    entries = np.uint64(problem.column.shape[0] // problem.items.shape[0])
    saved = np.int64(width - narrow) * levels.worth[level] * 3
    cost = np.int64(total * entries + ((columns * narrow) >> one))
    if total > zero and (narrow << two) <= width * three and saved > cost:
        repack(level, total, columns, problem, layouts, levels)


@kernel("UniTuple(int64, 2)(uint64, Layouts, Levels)", inline=True)
def _choose(level: np.uint64, layouts: Layouts, levels: Levels) -> tuple[int, int]:
    """Choose the open item with the fewest options alive, the first of equals.

    Parameters
    ----------
    level : uint64
    layouts : Layouts
    levels : Levels

    Returns
    -------
    item, ways : int
        The item and its options alive, MANY when no item is open.
    """
    bits, live, open_items = layouts.bits, levels.live, levels.open_items
    zero, one, six = np.uint64(0), np.uint64(1), np.uint64(6)
    two, three, four = np.uint64(2), np.uint64(3), np.uint64(4)
    layout = levels.layout[level]
    width, start = layouts.width[layout], layouts.at[layout]
    item_words = np.uint64(open_items.shape[1])
    best, fewest = zero, MANY
    alive, second, third, fourth = live[level, zero], zero, zero, zero
    if width == four:
        second, third, fourth = live[level, one], live[level, two], live[level, three]
    item_word = zero
    while item_word < item_words and fewest > 1:
        rest = open_items[level, item_word]
        while rest != zero:
            item = (item_word << six) + np.uint64(trailing_zeros(rest))
            rest &= rest - one
            column = start + item * width
            ways = popcount(alive & bits[column])
            if width == four:
                ways += popcount(second & bits[column + one])
                ways += popcount(third & bits[column + two])
                ways += popcount(fourth & bits[column + three])
            else:
                word = one
                while word < width:
                    ways += popcount(live[level, word] & bits[column + word])
                    word += one
            if ways < fewest:
                best, fewest = item, ways
                if ways <= 1:
                    break
        item_word += one
    return np.int64(best), fewest


@kernel("void(uint64, uint64, Options, Layouts, Levels)", inline=True)
def _rule_out(
    level: np.uint64, option: np.uint64, problem: Options, layouts: Layouts, levels: Levels
) -> None:
    """Fill the next level: what may still be chosen, and is still open, beside an option.

    Parameters
    ----------
    level, option : uint64
        Where the option is chosen.
    problem : Options
    layouts : Layouts
    levels : Levels
    """
    option_column, option_except = problem.column, problem.exception
    bits, live, open_items = layouts.bits, levels.live, levels.open_items
    zero, one, none = np.uint64(0), np.uint64(1), np.uint64(NO_COLUMN)
    two, three, four = np.uint64(2), np.uint64(3), np.uint64(4)
    painted = option_except.shape[0] > 0
    layout = levels.layout[level]
    width, start = layouts.width[layout], layouts.at[layout]
    below = level + one
    levels.layout[below] = layout
    entry = np.uint64(problem.at[option])
    end = np.uint64(problem.at[option + one])
    if width == one and not painted:
        gone = zero
        while entry < end:
            gone |= bits[start + np.uint64(option_column[entry])]
            entry += one
        live[below, zero] = live[level, zero] & ~gone
    elif width == four and not painted:
        gone, second, third, fourth = zero, zero, zero, zero
        while entry < end:
            column = start + np.uint64(option_column[entry]) * four
            gone |= bits[column]
            second |= bits[column + one]
            third |= bits[column + two]
            fourth |= bits[column + three]
            entry += one
        live[below, zero] = live[level, zero] & ~gone
        live[below, one] = live[level, one] & ~second
        live[below, two] = live[level, two] & ~third
        live[below, three] = live[level, three] & ~fourth
    else:
        word = zero
        while word < width:
            live[below, word] = live[level, word]
            word += one
        while entry < end:
            column = start + np.uint64(option_column[entry]) * width
            exception = none
            if painted:
                exception = np.uint64(option_except[entry])
            word = zero
            if exception == none:
                while word < width:
                    live[below, word] &= ~bits[column + word]
                    word += one
            else:
                spared = start + exception * width
                while word < width:
                    live[below, word] &= ~bits[column + word] | bits[spared + word]
                    word += one
            entry += one
    item_words = np.uint64(open_items.shape[1])
    item_word = zero
    while item_word < item_words:
        open_items[below, item_word] = (
            open_items[level, item_word] & ~problem.items[option, item_word]
        )
        item_word += one


@kernel("int64(int64[::1], int64, Options, Layouts, Levels, int32[:, ::1])")
def advance(
    state: NDArray[np.int64],
    budget: int,
    problem: Options,
    layouts: Layouts,
    levels: Levels,
    kept: NDArray[np.int32],
) -> int:
    """Visit up to `budget` nodes, or until CAPACITY solutions are kept, where that is above 0.

    Parameters
    ----------
    state : int64 (STATE_WORDS,)
        Where the search stands, addressed by the names above.
    budget : int
    problem : Options
    layouts : Layouts
    levels : Levels
    kept : int32 (capacity, longest solution)
        Takes the solutions.

    Returns
    -------
    int
        1 when the subtree is done, else 0.
    """
    layout_options, bits, bits_at = layouts.options, layouts.bits, layouts.at
    layout_width, layout_of, live = layouts.width, levels.layout, levels.live
    branch_item, cursor_word, cursor_rest = levels.branch, levels.word, levels.rest
    chosen, visits, worth = levels.chosen, levels.visits, levels.worth
    zero, one, six = np.uint64(0), np.uint64(1), np.uint64(6)
    depth, fresh, found = state[LEVEL], state[FRESH], state[FOUND]
    capacity, nodes = state[CAPACITY], state[NODES]
    stop = nodes + budget
    while depth >= 0:
        level = np.uint64(depth)
        if fresh:
            if nodes >= stop or (capacity > 0 and state[KEPT] >= capacity):
                break
            nodes += 1
            visits[level] += 1
            if nodes & 1023 == 0:
                # Nodes below one at each depth, on average so far: is repacking there worth it?
                beneath = 0
                for place in range(visits.shape[0] - 1, -1, -1):
                    beneath += visits[place]
                    worth[place] = beneath // max(visits[place], 1)
            if layout_width[layout_of[level]] > one and worth[level] >= 4:
                _weigh(level, np.uint64(state[COLUMNS]), problem, layouts, levels)
            item, ways = _choose(level, layouts, levels)
            fresh = 0
            if ways == MANY:
                found += 1
                if capacity > 0:
                    record(kept, state[KEPT], chosen, depth)
                    state[KEPT] += 1
            if ways == MANY or ways == 0:
                depth -= 1
                continue
            layout = layout_of[level]
            column = bits_at[layout] + np.uint64(item) * layout_width[layout]
            branch_item[level] = np.uint64(item)
            cursor_word[level] = zero
            cursor_rest[level] = live[level, zero] & bits[column]
            levels.width[level], levels.tried[level] = ways, 0
        layout = layout_of[level]
        width = layout_width[layout]
        rest, word = cursor_rest[level], cursor_word[level]
        if rest == zero:
            column = bits_at[layout] + branch_item[level] * width
            word += one
            while word < width:
                rest = live[level, word] & bits[column + word]
                if rest != zero:
                    break
                word += one
            if word >= width:
                depth -= 1
                continue
            cursor_word[level] = word
        option = np.uint64(layout_options[layout, (word << six) + np.uint64(trailing_zeros(rest))])
        cursor_rest[level] = rest & (rest - one)
        levels.tried[level] += 1
        chosen[level] = option
        _rule_out(level, option, problem, layouts, levels)
        depth += 1
        fresh = 1
    state[LEVEL], state[FRESH], state[FOUND], state[NODES] = depth, fresh, found, nodes
    return 1 if depth < 0 else 0
