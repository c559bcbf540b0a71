"""Depth-first exact cover on sparse sets: memory linear in the matrix, every kind of item.

Each item holds its usable options as the front of an array; an option that becomes unusable is
swapped behind the front of each of its items, and to bring it back it is enough to move the fronts
on again, in reverse order (Briggs and Torczon's sparse sets, which Knuth's "dancing cells" apply
to exact cover).  What happened is on a trail: an option hidden, an item settled (covered, full, or
given its colour), an item no longer demanding, an option's use counted.

Sources: P. Briggs, L. Torczon, An efficient representation for sparse sets (1993); D. E. Knuth, The
Art of Computer Programming 7.2.2.3 (dancing cells, 2025) and 7.2.2.1 (2020) for the tree.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridkit.cover.search.kernels.bitset import record
from gridkit.run.jit import kernel, trailing_zeros

# Positions in `state`: the level reached (-1 at the end), whether its node is still to be visited,
# solutions found and nodes visited, solutions kept and how many to keep, the lengths of the trail
# and of the stack, whether the problem is plain, and the item that holds all options (-1: none).
LEVEL, FRESH, FOUND, NODES, KEPT, CAPACITY, TRAIL, STACK, PLAIN, UNIVERSE = range(10)
STATE_WORDS = 10
# What happened, in the low two bits of a trail entry; above them the option or item.
HIDDEN, SETTLED, CONTENT, COUNTED = range(4)
# What `advance` returns.
RUNNING, DONE, STACK_FULL = range(3)


class Problem(NamedTuple):
    """The entries of a matrix: one for each item of each option."""

    option_at: Annotated[NDArray[np.uint32], "uint32[::1]"]  # (options + 1): where entries begin
    item_of: Annotated[NDArray[np.uint32], "uint32[::1]"]  # of each entry
    color_of: Annotated[NDArray[np.uint32], "uint32[::1]"]  # of each entry; 0 is none
    option_of: Annotated[NDArray[np.uint32], "uint32[::1]"]  # of each entry
    item_at: Annotated[NDArray[np.uint32], "uint32[::1]"]  # (items + 1): where `members` begin


class Items(NamedTuple):
    """What is left of each item, and how it came to that."""

    members: Annotated[NDArray[np.uint32], "uint32[::1]"]  # item by item its entries, usable first
    place_of: Annotated[NDArray[np.uint32], "uint32[::1]"]  # of each entry: where in `members`
    size: Annotated[NDArray[np.uint32], "uint32[::1]"]  # of each item: its usable options
    settled: Annotated[NDArray[np.uint8], "uint8[::1]"]  # whether it takes no more options
    demanding: Annotated[NDArray[np.uint64], "uint64[::1]"]  # items to be covered, as bits
    need: Annotated[NDArray[np.int64], "int64[::1]"]  # how often it must still be covered
    room: Annotated[NDArray[np.int64], "int64[::1]"]  # how often it may still be covered
    trail: Annotated[NDArray[np.uint64], "uint64[::1]"]  # what happened


class Levels(NamedTuple):
    """The nodes from the root to where the search stands, an entry for each, and their options."""

    stack: Annotated[NDArray[np.int32], "int32[::1]"]  # the options to try, level after level
    first: Annotated[NDArray[np.int64], "int64[::1]"]  # where its options begin
    stop: Annotated[NDArray[np.int64], "int64[::1]"]  # and end
    cursor: Annotated[NDArray[np.int64], "int64[::1]"]  # the next one to try
    spare: Annotated[NDArray[np.int64], "int64[::1]"]  # the last ones, too few to begin with
    mark: Annotated[NDArray[np.int64], "int64[::1]"]  # length of the trail as it began
    chosen: Annotated[NDArray[np.int32], "int32[::1]"]  # the option chosen


@kernel("void(uint64, int64[::1], Problem, Items)")
def hide(option: np.uint64, state: NDArray[np.int64], problem: Problem, items: Items) -> None:
    """Take an option out of all its unsettled items.

    Parameters
    ----------
    option : uint64
    state : int64 (STATE_WORDS,)
        Where the search stands, addressed by the names above.
    problem : Problem
    items : Items
    """
    option_at, item_of, item_at = problem.option_at, problem.item_of, problem.item_at
    members, place_of, size = items.members, items.place_of, items.size
    settled, trail = items.settled, items.trail
    one = np.uint64(1)
    entry = np.uint64(option_at[option])
    end = np.uint64(option_at[option + one])
    while entry < end:
        item = np.uint64(item_of[entry])
        if settled[item] == 0:
            remaining = np.uint64(size[item]) - one
            size[item] = remaining
            last = np.uint64(item_at[item]) + remaining
            place = np.uint64(place_of[entry])
            moved = np.uint64(members[last])
            members[last] = entry
            members[place] = moved
            place_of[entry] = last
            place_of[moved] = place
        entry += one
    trail[np.uint64(state[TRAIL])] = (option << np.uint64(2)) | np.uint64(HIDDEN)
    state[TRAIL] += 1


@kernel("void(int64, int64[::1], Problem, Items)")
def undo(mark: int, state: NDArray[np.int64], problem: Problem, items: Items) -> None:
    """Bring back everything that happened since the trail was `mark` long.

    Parameters
    ----------
    mark : int
    state : int64 (STATE_WORDS,)
        Where the search stands, addressed by the names above.
    problem : Problem
    items : Items
    """
    option_at, item_of, size = problem.option_at, problem.item_of, items.size
    settled, trail, demanding = items.settled, items.trail, items.demanding
    need, room = items.need, items.room
    one, two, three = np.uint64(1), np.uint64(2), np.uint64(3)
    while state[TRAIL] > mark:
        state[TRAIL] -= 1
        event = trail[np.uint64(state[TRAIL])]
        kind = event & three
        index = event >> two
        if kind == np.uint64(HIDDEN):
            entry = np.uint64(option_at[index])
            end = np.uint64(option_at[index + one])
            while entry < end:
                item = np.uint64(item_of[entry])
                if settled[item] == 0:
                    size[item] = np.uint64(size[item]) + one
                entry += one
        elif kind == np.uint64(SETTLED):
            settled[index] = 0
        elif kind == np.uint64(CONTENT):
            demanding[index >> np.uint64(6)] |= one << (index & np.uint64(63))
        else:
            need[index] += 1
            room[index] += 1


@kernel("void(uint64, int64[::1], Problem, Items)")
def take(option: np.uint64, state: NDArray[np.int64], problem: Problem, items: Items) -> None:
    """Choose an option: settle its items and hide what they rule out, itself included.

    Parameters
    ----------
    option : uint64
    state : int64 (STATE_WORDS,)
        Where the search stands, addressed by the names above.
    problem : Problem
    items : Items
    """
    option_at, item_of, color_of = problem.option_at, problem.item_of, problem.color_of
    option_of, item_at = problem.option_of, problem.item_at
    members, size, settled, trail = items.members, items.size, items.settled, items.trail
    demanding, need, room = items.demanding, items.need, items.room
    one, two = np.uint64(1), np.uint64(2)
    hide(option, state, problem, items)
    start = np.uint64(option_at[option])
    end = np.uint64(option_at[option + one])
    entry = start
    while entry < end:
        item = np.uint64(item_of[entry])
        if settled[item] == 0 and np.int64(item) != state[UNIVERSE]:
            room[item] -= 1
            need[item] -= 1
            trail[np.uint64(state[TRAIL])] = (item << two) | np.uint64(COUNTED)
            state[TRAIL] += 1
            if need[item] == 0:
                demanding[item >> np.uint64(6)] &= ~(one << (item & np.uint64(63)))
                trail[np.uint64(state[TRAIL])] = (item << two) | np.uint64(CONTENT)
                state[TRAIL] += 1
            if room[item] == 0:
                # Settled first: its own set need not be kept up while its options are hidden.
                settled[item] = 1
                trail[np.uint64(state[TRAIL])] = (item << two) | np.uint64(SETTLED)
                state[TRAIL] += 1
                color = color_of[entry]
                at = np.uint64(item_at[item])
                last = at + np.uint64(size[item])
                while at < last:
                    rival = np.uint64(members[at])
                    if color == 0 or color_of[rival] != color:
                        hide(np.uint64(option_of[rival]), state, problem, items)
                    at += one
        entry += one


@kernel("int64(int64[::1], int64, Problem, Items, Levels, int32[:, ::1])", allocates=True)
def advance(
    state: NDArray[np.int64],
    budget: int,
    problem: Problem,
    items: Items,
    levels: Levels,
    kept: NDArray[np.int32],
) -> int:
    """Visit up to `budget` nodes, or until CAPACITY solutions are kept, where that is above 0.

    Parameters
    ----------
    state : int64 (STATE_WORDS,)
        Where the search stands, addressed by the names above.
    budget : int
    problem : Problem
    items : Items
    levels : Levels
    kept : int32 (capacity, longest solution)
        Takes the solutions.

    Returns
    -------
    int
        RUNNING, DONE, or STACK_FULL where `levels.stack` must be enlarged first.
    """
    option_of, item_at, members = problem.option_of, problem.item_at, items.members
    size, demanding, need = items.size, items.demanding, items.need
    stack, first, stop, cursor = levels.stack, levels.first, levels.stop, levels.cursor
    spare, mark, chosen = levels.spare, levels.mark, levels.chosen
    one, six = np.uint64(1), np.uint64(6)
    depth, fresh = state[LEVEL], state[FRESH]
    last_node = state[NODES] + budget
    capacity = state[CAPACITY]
    words = np.uint64(demanding.shape[0])
    status = DONE
    while depth >= 0:
        level = np.uint64(depth)
        if fresh:
            if state[NODES] >= last_node or (capacity > 0 and state[KEPT] >= capacity):
                status = RUNNING
                break
            best = np.uint64(0)
            fewest = np.int64(1) << np.int64(40)
            word = np.uint64(0)
            while word < words and fewest > 1:
                rest = demanding[word]
                while rest != np.uint64(0):
                    item = (word << six) + np.uint64(trailing_zeros(rest))
                    rest &= rest - one
                    ways = np.int64(size[item]) - need[item] + 1
                    if ways < fewest:
                        best, fewest = item, ways
                        if ways <= 1:
                            break
                word += one
            solved = fewest == np.int64(1) << np.int64(40)
            if solved:  # nothing is demanded any more; options left may still be added
                ways = 0
                if state[UNIVERSE] >= 0:
                    best = np.uint64(state[UNIVERSE])
                    ways = np.int64(size[best])
                fewest = ways
            count = 0
            if fewest > 0:
                count = np.int64(size[best])
            if state[STACK] + count > stack.shape[0]:
                status = STACK_FULL
                break
            state[NODES] += 1
            fresh = 0
            if solved:
                state[FOUND] += 1
                if capacity > 0:
                    row = state[KEPT]
                    record(kept, row, chosen, depth)
                    state[KEPT] = row + 1
            base = state[STACK]
            at = np.uint64(item_at[best])
            for place in range(count):
                stack[base + place] = option_of[np.uint64(members[at + np.uint64(place)])]
            if count > 1:
                stack[base : base + count].sort()
            first[level] = cursor[level] = base
            stop[level] = state[STACK] = base + count
            spare[level] = count - fewest if count else 0
            mark[level] = state[TRAIL]
        else:
            undo(mark[level], state, problem, items)
            if state[PLAIN] == 0 and cursor[level] > first[level]:
                hide(np.uint64(stack[cursor[level] - 1]), state, problem, items)
                mark[level] = state[TRAIL]
        if cursor[level] < stop[level] - spare[level]:
            option = np.uint64(stack[cursor[level]])
            cursor[level] += 1
            chosen[level] = option
            take(option, state, problem, items)
            depth += 1
            fresh = 1
        else:
            state[STACK] = first[level]
            depth -= 1
    state[LEVEL], state[FRESH] = depth, fresh
    return status
