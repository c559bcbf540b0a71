"""Branch and bound for exact covers of least cost, on bitsets of options.

Options are numbered by their share: what they cost for each item they must cover.  So the first
option left to an item offers the least share, and the sum of these over the items still to be
covered is what they will cost at least.
"""

from __future__ import annotations

import numpy as np

from gridkit.run.jit import kernel, popcount, trailing_zeros

# Positions in `state`.
LEVEL, FRESH, NODES, LIMIT, SOLUTION = range(5)


Array = np.ndarray


@kernel(
    "int64(int64[::1], int64, uint64[:, ::1], uint64[:, ::1], uint64[:, ::1], uint32[::1],"
    "uint32[::1], uint32[::1], uint64[:, ::1], int64[::1], int64[::1], int64[::1], uint64[::1],"
    "uint64[::1], uint64[::1], int32[::1], int64[::1], int64[::1], int32[::1])"
)
def advance(
    state: Array,
    budget: int,
    live: Array,
    open_items: Array,
    bits: Array,
    option_at: Array,
    option_column: Array,
    option_except: Array,
    option_items: Array,
    cost: Array,
    share: Array,
    spent: Array,
    branch_item: Array,
    cursor_word: Array,
    cursor_rest: Array,
    chosen: Array,
    level_width: Array,
    level_tried: Array,
    cover: Array,
) -> int:
    """Visit up to `budget` nodes, or up to a cover cheaper than LIMIT; 1 at the end, else 0.

    SOLUTION tells how many options `cover` has, -1 when there is none.
    """
    zero, one, six, none = np.uint64(0), np.uint64(1), np.uint64(6), np.uint64(0xFFFFFFFF)
    painted = option_except.shape[0] > 0
    words = np.uint64(live.shape[1])
    item_words = np.uint64(open_items.shape[1])
    depth, fresh, nodes = state[LEVEL], state[FRESH], state[NODES]
    limit = state[LIMIT]
    stop = nodes + budget
    state[SOLUTION] = -1
    while depth >= 0:
        level = np.uint64(depth)
        if fresh:
            if nodes >= stop or state[SOLUTION] >= 0:
                break
            nodes += 1
            fresh = 0
            bound = spent[level]
            best, fewest = zero, np.int64(1) << np.int64(40)
            ways = fewest
            item_word = zero
            while item_word < item_words and ways > 0:
                rest = open_items[level, item_word]
                while rest != zero:
                    item = (item_word << six) + np.uint64(trailing_zeros(rest))
                    rest &= rest - one
                    ways = 0
                    word = zero
                    while word < words:
                        left = live[level, word] & bits[item, word]
                        if left != zero:
                            if ways == 0:
                                bound += share[(word << six) + np.uint64(trailing_zeros(left))]
                            ways += popcount(left)
                        word += one
                    if ways == 0:
                        break
                    if ways < fewest and fewest > 1:
                        best, fewest = item, ways
                item_word += one
            if ways == 0 or bound >= limit:
                depth -= 1
                continue
            if fewest == np.int64(1) << np.int64(40):
                state[SOLUTION] = depth
                cover[:depth] = chosen[:depth]
                depth -= 1
                continue
            branch_item[level] = best
            cursor_word[level] = zero
            cursor_rest[level] = live[level, zero] & bits[best, zero]
            level_width[level] = fewest
            level_tried[level] = 0
        rest, word = cursor_rest[level], cursor_word[level]
        while rest == zero:
            word += one
            if word >= words:
                break
            rest = live[level, word] & bits[branch_item[level], word]
        if rest == zero:
            depth -= 1
            continue
        option = (word << six) + np.uint64(trailing_zeros(rest))
        cursor_word[level], cursor_rest[level] = word, rest & (rest - one)
        level_tried[level] += 1
        chosen[level] = option
        below = level + one
        spent[below] = spent[level] + cost[option]
        word = zero
        while word < words:
            live[below, word] = live[level, word]
            word += one
        entry = np.uint64(option_at[option])
        end = np.uint64(option_at[option + one])
        while entry < end:
            column = np.uint64(option_column[entry])
            exception = none
            if painted:
                exception = np.uint64(option_except[entry])
            word = zero
            if exception == none:
                while word < words:
                    live[below, word] &= ~bits[column, word]
                    word += one
            else:
                while word < words:
                    live[below, word] &= ~bits[column, word] | bits[exception, word]
                    word += one
            entry += one
        word = zero
        while word < item_words:
            open_items[below, word] = open_items[level, word] & ~option_items[option, word]
            word += one
        depth += 1
        fresh = 1
    state[LEVEL], state[FRESH], state[NODES] = depth, fresh, nodes
    return 1 if depth < 0 else 0
