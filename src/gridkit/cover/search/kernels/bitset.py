"""Depth-first exact cover on bitsets of options that are repacked as they thin out.

A layout numbers the options that were alive at some node, and holds for each column (an item, or
a colour of an item) the bitset of those options.  Where few options are left and many nodes are
to come, a denser layout is made for the subtree, so that an item's options are counted in a word
or a few.  A layout is one word wide, four, or more, as processors foresee loops of fixed lengths.

Indices are unsigned: a signed one costs a test for Python's indices from the end.
"""

from __future__ import annotations

import numpy as np

from gridkit.run.jit import kernel, popcount, trailing_zeros

# Positions in `state`.
LEVEL, FRESH, FOUND, NODES, KEPT, CAPACITY = range(6)


Array = np.ndarray


@kernel(
    "void(uint64, uint64, uint64[:, ::1], uint64[::1], uint32[:, ::1], uint64[::1], uint64[::1],"
    "uint64[::1], uint32[::1], uint32[::1], uint32[::1], uint64)"
)
def repack(
    level: np.uint64,
    total: np.uint64,
    live: Array,
    layout_of: Array,
    layout_options: Array,
    bits: Array,
    bits_at: Array,
    layout_width: Array,
    option_at: Array,
    option_column: Array,
    option_except: Array,
    columns: np.uint64,
) -> None:
    """Make a layout of the options alive at a level, in their order."""
    zero, one = np.uint64(0), np.uint64(1)
    low6, six = np.uint64(63), np.uint64(6)
    four, none = np.uint64(4), np.uint64(0xFFFFFFFF)
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


@kernel(
    "int64(int64[::1], int64, uint64[:, ::1], uint64[:, ::1], uint64[::1], uint32[:, ::1],"
    "uint64[::1], uint64[::1], uint64[::1], uint32[::1], uint32[::1], uint32[::1],"
    "uint64[:, ::1], uint64, uint64[::1], uint64[::1], uint64[::1], int32[::1], int64[::1],"
    "int64[::1], int32[:, ::1], int64[::1], int64[::1])"
)
def advance(
    state: Array,
    budget: int,
    live: Array,
    open_items: Array,
    layout_of: Array,
    layout_options: Array,
    bits: Array,
    bits_at: Array,
    layout_width: Array,
    option_at: Array,
    option_column: Array,
    option_except: Array,
    option_items: Array,
    columns: int,
    branch_item: Array,
    cursor_word: Array,
    cursor_rest: Array,
    chosen: Array,
    level_width: Array,
    level_tried: Array,
    kept: Array,
    visits: Array,
    worth: Array,
) -> int:
    """Visit up to `budget` nodes; return 1 when the subtree is done, else 0."""
    zero, one, six, low6 = np.uint64(0), np.uint64(1), np.uint64(6), np.uint64(63)
    two, three, four = np.uint64(2), np.uint64(3), np.uint64(4)
    none = np.uint64(0xFFFFFFFF)
    entries = np.uint64(option_column.shape[0] // option_items.shape[0])
    depth = state[LEVEL]
    fresh = state[FRESH]
    capacity = state[CAPACITY]
    found = state[FOUND]
    nodes = state[NODES]
    stop = nodes + budget
    item_words = np.uint64(open_items.shape[1])
    painted = option_except.shape[0] > 0
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
            width = layout_width[layout_of[level]]
            if width > one and worth[level] >= 4:
                total = zero
                word = zero
                while word < width:
                    total += np.uint64(popcount(live[level, word]))
                    word += one
                narrow = (total + low6) >> six
                if one < narrow < four:
                    narrow = four
                # In entries set, measured: a word less saves about 3 at each node below.
                saved = np.int64(width - narrow) * worth[level] * 3
                cost = np.int64(total * entries + ((columns * narrow) >> one))
                if total > zero and (narrow << two) <= width * three and saved > cost:
                    repack(
                        level, total, live, layout_of, layout_options, bits, bits_at,
                        layout_width, option_at, option_column, option_except, columns,
                    )  # fmt: skip
                    width = layout_width[layout_of[level]]
            start = bits_at[layout_of[level]]
            best, fewest = zero, 1 << 40
            item_word = zero
            alive = live[level, zero]
            if width == one:
                while item_word < item_words and fewest > 1:
                    rest = open_items[level, item_word]
                    while rest != zero:
                        item = (item_word << six) + np.uint64(trailing_zeros(rest))
                        rest &= rest - one
                        ways = popcount(alive & bits[start + item])
                        if ways < fewest:
                            best, fewest = item, ways
                            if ways <= 1:
                                break
                    item_word += one
            else:
                second, third, fourth = zero, zero, zero
                if width == four:
                    second, third, fourth = live[level, one], live[level, two], live[level, three]
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
            fresh = 0
            if fewest == 1 << 40:
                found += 1
                if capacity > 0:
                    row = state[KEPT]
                    for place in range(depth):  # in increasing order
                        at_row = place
                        while at_row > 0 and kept[row, at_row - 1] > chosen[place]:
                            kept[row, at_row] = kept[row, at_row - 1]
                            at_row -= 1
                        kept[row, at_row] = chosen[place]
                    for place in range(depth, kept.shape[1]):
                        kept[row, place] = -1
                    state[KEPT] = row + 1
                depth -= 1
                continue
            if fewest == 0:
                depth -= 1
                continue
            branch_item[level] = best
            cursor_word[level] = zero
            cursor_rest[level] = alive & bits[start + best * width]
            level_width[level] = fewest
            level_tried[level] = 0
        layout = layout_of[level]
        width = layout_width[layout]
        start = bits_at[layout]
        rest = cursor_rest[level]
        word = cursor_word[level]
        if rest == zero:
            column = start + branch_item[level] * width
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
        level_tried[level] += 1
        chosen[level] = option
        below = level + one
        layout_of[below] = layout
        entry = np.uint64(option_at[option])
        end = np.uint64(option_at[option + one])
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
        item_word = zero
        while item_word < item_words:
            open_items[below, item_word] = (
                open_items[level, item_word] & ~option_items[option, item_word]
            )
            item_word += one
        depth += 1
        fresh = 1
    state[LEVEL], state[FRESH], state[FOUND], state[NODES] = depth, fresh, found, nodes
    return 1 if depth < 0 else 0
