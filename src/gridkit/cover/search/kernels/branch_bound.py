"""Branch and bound for exact covers of least cost, on bitsets of options.

Options are numbered by their share: what they cost for each item they must cover.  So the first
option left to an item offers the least share, and the sum of these over the items still to be
covered is what they will cost at least.

Source: the tree is that of D. E. Knuth, The Art of Computer Programming 7.2.2.1 (2020); the bound,
a dual solution of the linear program, is folklore.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridkit.cover.search.kernels.bitset import MANY, NO_COLUMN, Options
from gridkit.run.jit import kernel, popcount, trailing_zeros

# Positions in `state`: the level reached (-1 at the end), whether its node is still to be visited,
# nodes visited, what a cover must cost less than, and how many options `cover` has (-1: none).
LEVEL, FRESH, NODES, LIMIT, SOLUTION = range(5)
STATE_WORDS = 5


class Prices(NamedTuple):
    """What options cost."""

    cost: Annotated[NDArray[np.int64], "int64[::1]"]  # of each option, in all
    share: Annotated[NDArray[np.int64], "int64[::1]"]  # and for each item it must cover


class Levels(NamedTuple):
    """The nodes from the root to where the search stands, an entry or a row for each."""

    live: Annotated[NDArray[np.uint64], "uint64[:, ::1]"]  # options that may be chosen, as bits
    open_items: Annotated[NDArray[np.uint64], "uint64[:, ::1]"]  # items still to be covered, bits
    spent: Annotated[NDArray[np.int64], "int64[::1]"]  # cost of the options chosen above
    branch: Annotated[NDArray[np.uint64], "uint64[::1]"]  # the item it branches on
    word: Annotated[NDArray[np.uint64], "uint64[::1]"]  # which word of its options is being tried
    rest: Annotated[NDArray[np.uint64], "uint64[::1]"]  # what remains to be tried of that word
    chosen: Annotated[NDArray[np.int32], "int32[::1]"]  # the option chosen
    width: Annotated[NDArray[np.int64], "int64[::1]"]  # how many options it has to try
    tried: Annotated[NDArray[np.int64], "int64[::1]"]  # how many it began to try


@kernel("UniTuple(int64, 3)(uint64[:, ::1], Prices, Levels, uint64)", inline=True)
def _choose(
    bits: NDArray[np.uint64], prices: Prices, levels: Levels, level: np.uint64
) -> tuple[int, int, int]:
    """Choose the open item with the fewest options, and bound the cost from below.

    Parameters
    ----------
    bits : uint64 (columns, words)
        The options of each column.
    prices : Prices
    levels : Levels
    level : uint64

    Returns
    -------
    item, ways, bound : int
        The item, its options alive (0: some item has none; MANY: no item is open), and what the
        cover costs at least: each open item adds the share of its cheapest option.
    """
    share, live, open_items = prices.share, levels.live, levels.open_items
    zero, one, six = np.uint64(0), np.uint64(1), np.uint64(6)
    words, item_words = np.uint64(live.shape[1]), np.uint64(open_items.shape[1])
    bound = levels.spent[level]
    best, fewest = zero, MANY
    item_word = zero
    while item_word < item_words:
        rest = open_items[level, item_word]
        while rest != zero:
            item = (item_word << six) + np.uint64(trailing_zeros(rest))
            rest &= rest - one
            ways = 0
            word = zero
            while word < words:
                alive = live[level, word] & bits[item, word]
                if alive != zero:
                    if ways == 0:
                        bound += share[(word << six) + np.uint64(trailing_zeros(alive))]
                    ways += popcount(alive)
                word += one
            if ways == 0:
                return np.int64(item), 0, bound
            if ways < fewest and fewest > 1:
                best, fewest = item, ways
        item_word += one
    return np.int64(best), fewest, bound


@kernel("void(uint64[:, ::1], Options, Levels, uint64, uint64)", inline=True)
def _rule_out(
    bits: NDArray[np.uint64], problem: Options, levels: Levels, level: np.uint64, option: np.uint64
) -> None:
    """Fill the next level: what may still be chosen, and is still open, beside an option.

    Parameters
    ----------
    bits : uint64 (columns, words)
        The options of each column.
    problem : Options
    levels : Levels
    level, option : uint64
        Where the option is chosen.
    """
    live, open_items = levels.live, levels.open_items
    zero, one, none = np.uint64(0), np.uint64(1), np.uint64(NO_COLUMN)
    painted = problem.exception.shape[0] > 0
    words, item_words = np.uint64(live.shape[1]), np.uint64(open_items.shape[1])
    below = level + one
    word = zero
    while word < words:
        live[below, word] = live[level, word]
        word += one
    entry = np.uint64(problem.at[option])
    end = np.uint64(problem.at[option + one])
    while entry < end:
        column = np.uint64(problem.column[entry])
        exception = none
        if painted:
            exception = np.uint64(problem.exception[entry])
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
        open_items[below, word] = open_items[level, word] & ~problem.items[option, word]
        word += one


@kernel("int64(int64[::1], int64, uint64[:, ::1], Options, Prices, Levels, int32[::1])")
def advance(
    state: NDArray[np.int64],
    budget: int,
    bits: NDArray[np.uint64],
    problem: Options,
    prices: Prices,
    levels: Levels,
    cover: NDArray[np.int32],
) -> int:
    """Visit up to `budget` nodes, or up to a cover cheaper than LIMIT.

    Parameters
    ----------
    state : int64 (STATE_WORDS,)
        Where the search stands, addressed by the names above.
    budget : int
    bits : uint64 (columns, words)
        The options of each column.
    problem : Options
    prices : Prices
    levels : Levels
    cover : int32 (depth,)
        Takes the cover found, its options in the order chosen.

    Returns
    -------
    int
        1 when the tree is done, else 0.
    """
    cost, spent = prices.cost, levels.spent
    live, branch_item = levels.live, levels.branch
    cursor_word, cursor_rest, chosen = levels.word, levels.rest, levels.chosen
    zero, one, six = np.uint64(0), np.uint64(1), np.uint64(6)
    words = np.uint64(live.shape[1])
    depth, fresh, nodes = state[LEVEL], state[FRESH], state[NODES]
    stop = nodes + budget
    state[SOLUTION] = -1
    while depth >= 0:
        level = np.uint64(depth)
        if fresh:
            if nodes >= stop or state[SOLUTION] >= 0:
                break
            nodes += 1
            fresh = 0
            item, ways, bound = _choose(bits, prices, levels, level)
            if ways == 0 or bound >= state[LIMIT]:
                depth -= 1
                continue
            if ways == MANY:
                state[SOLUTION] = depth
                for place in range(depth):
                    cover[place] = chosen[place]
                depth -= 1
                continue
            branch_item[level] = np.uint64(item)
            cursor_word[level] = zero
            cursor_rest[level] = live[level, zero] & bits[np.uint64(item), zero]
            levels.width[level], levels.tried[level] = ways, 0
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
        levels.tried[level] += 1
        chosen[level] = option
        spent[level + one] = spent[level] + cost[option]
        _rule_out(bits, problem, levels, level, option)
        depth += 1
        fresh = 1
    state[LEVEL], state[FRESH], state[NODES] = depth, fresh, nodes
    return 1 if depth < 0 else 0
