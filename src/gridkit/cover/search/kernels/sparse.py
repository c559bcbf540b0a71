"""Depth-first exact cover on sparse sets: memory linear in the matrix, every kind of item.

Each item holds its usable options as the front of an array; an option that becomes unusable is
swapped behind the front of each of its items, and to bring it back it is enough to move the fronts
on again, in reverse order (Briggs and Torczon's sparse sets, which Knuth's "dancing cells" apply
to exact cover).  What happened is on a trail: an option hidden, an item settled (covered, full, or
given its colour), an item no longer demanding, an option's use counted.
"""

from __future__ import annotations

import numpy as np

from gridkit.run.jit import kernel, trailing_zeros

# Positions in `state`.
LEVEL, FRESH, FOUND, NODES, KEPT, CAPACITY, TRAIL, STACK, PLAIN, UNIVERSE = range(10)
# What happened, in the low bits of a trail entry.
HIDDEN, SETTLED, CONTENT, COUNTED = range(4)

Array = np.ndarray


@kernel(
    "void(uint64, int64[::1], uint32[::1], uint32[::1], uint32[::1], uint32[::1], uint32[::1],"
    "uint32[::1], uint8[::1], uint64[::1])"
)
def hide(
    option: np.uint64,
    state: Array,
    option_at: Array,
    item_of: Array,
    item_at: Array,
    members: Array,
    place_of: Array,
    size: Array,
    settled: Array,
    trail: Array,
) -> None:
    """Take an option out of all its unsettled items."""
    one = np.uint64(1)
    entry = np.uint64(option_at[option])
    end = np.uint64(option_at[option + one])
    while entry < end:
        item = np.uint64(item_of[entry])
        if settled[item] == 0:
            left = np.uint64(size[item]) - one
            size[item] = left
            last = np.uint64(item_at[item]) + left
            place = np.uint64(place_of[entry])
            other = np.uint64(members[last])
            members[last] = entry
            members[place] = other
            place_of[entry] = last
            place_of[other] = place
        entry += one
    trail[np.uint64(state[6])] = option << np.uint64(2)
    state[6] += 1


@kernel(
    "void(int64, int64[::1], uint32[::1], uint32[::1], uint32[::1], uint8[::1], uint64[::1],"
    "uint64[::1], int64[::1], int64[::1])"
)
def undo(
    mark: int,
    state: Array,
    option_at: Array,
    item_of: Array,
    size: Array,
    settled: Array,
    trail: Array,
    demanding: Array,
    need: Array,
    room: Array,
) -> None:
    """Bring back everything that happened since the trail was `mark` long."""
    one, two, three = np.uint64(1), np.uint64(2), np.uint64(3)
    while state[6] > mark:
        state[6] -= 1
        event = trail[np.uint64(state[6])]
        kind = event & three
        index = event >> two
        if kind == np.uint64(0):
            entry = np.uint64(option_at[index])
            end = np.uint64(option_at[index + one])
            while entry < end:
                item = np.uint64(item_of[entry])
                if settled[item] == 0:
                    size[item] = np.uint64(size[item]) + one
                entry += one
        elif kind == one:
            settled[index] = 0
        elif kind == two:
            demanding[index >> np.uint64(6)] |= one << (index & np.uint64(63))
        else:
            need[index] += 1
            room[index] += 1


@kernel(
    "void(uint64, int64[::1], uint32[::1], uint32[::1], uint32[::1], uint32[::1], uint32[::1],"
    "uint32[::1], uint32[::1], uint32[::1], uint8[::1], uint64[::1], uint64[::1], int64[::1],"
    "int64[::1])"
)
def take(
    option: np.uint64,
    state: Array,
    option_at: Array,
    item_of: Array,
    color_of: Array,
    option_of: Array,
    item_at: Array,
    members: Array,
    place_of: Array,
    size: Array,
    settled: Array,
    trail: Array,
    demanding: Array,
    need: Array,
    room: Array,
) -> None:
    """Choose an option: settle its items and hide what they rule out, itself included."""
    one, two = np.uint64(1), np.uint64(2)
    hide(
        option, state, option_at, item_of, item_at, members, place_of, size, settled, trail
    )  # fmt: skip
    start = np.uint64(option_at[option])
    end = np.uint64(option_at[option + one])
    entry = start
    while entry < end:
        item = np.uint64(item_of[entry])
        if settled[item] == 0 and np.int64(item) != state[9]:
            room[item] -= 1
            need[item] -= 1
            trail[np.uint64(state[6])] = (item << two) | np.uint64(3)
            state[6] += 1
            if need[item] == 0:
                demanding[item >> np.uint64(6)] &= ~(one << (item & np.uint64(63)))
                trail[np.uint64(state[6])] = (item << two) | two
                state[6] += 1
            if room[item] == 0:
                # Settled first: its own set need not be kept up while its options are hidden.
                settled[item] = 1
                trail[np.uint64(state[6])] = (item << two) | one
                state[6] += 1
                color = color_of[entry]
                at = np.uint64(item_at[item])
                last = at + np.uint64(size[item])
                while at < last:
                    other = np.uint64(members[at])
                    if color == 0 or color_of[other] != color:
                        hide(
                            np.uint64(option_of[other]), state, option_at, item_of, item_at,
                            members, place_of, size, settled, trail,
                        )  # fmt: skip
                    at += one
        entry += one


@kernel(
    "int64(int64[::1], int64, uint32[::1], uint32[::1], uint32[::1], uint32[::1], uint32[::1],"
    "uint32[::1], uint32[::1], uint32[::1], uint8[::1], uint64[::1], uint64[::1], int64[::1],"
    "int64[::1], int32[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1],"
    "int32[::1], int32[:, ::1])"
)
def advance(
    state: Array,
    budget: int,
    option_at: Array,
    item_of: Array,
    color_of: Array,
    option_of: Array,
    item_at: Array,
    members: Array,
    place_of: Array,
    size: Array,
    settled: Array,
    trail: Array,
    demanding: Array,
    need: Array,
    room: Array,
    stack: Array,
    first: Array,
    stop: Array,
    cursor: Array,
    spare: Array,
    mark: Array,
    chosen: Array,
    kept: Array,
) -> int:
    """Visit up to `budget` nodes: 0 to go on, 1 when the subtree is done, 2 to enlarge `stack`."""
    one, six = np.uint64(1), np.uint64(6)
    depth, fresh = state[0], state[1]
    last_node = state[3] + budget
    capacity = state[5]
    words = np.uint64(demanding.shape[0])
    status = 1
    while depth >= 0:
        level = np.uint64(depth)
        if fresh:
            if state[3] >= last_node or (capacity > 0 and state[4] >= capacity):
                status = 0
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
                if state[9] >= 0:
                    best = np.uint64(state[9])
                    ways = np.int64(size[best])
                fewest = ways
            count = 0
            if fewest > 0:
                count = np.int64(size[best])
            if state[7] + count > stack.shape[0]:
                status = 2
                break
            state[3] += 1
            fresh = 0
            if solved:
                state[2] += 1
                if capacity > 0:
                    row = state[4]
                    for place in range(depth):  # in increasing order
                        at_row = place
                        while at_row > 0 and kept[row, at_row - 1] > chosen[place]:
                            kept[row, at_row] = kept[row, at_row - 1]
                            at_row -= 1
                        kept[row, at_row] = chosen[place]
                    for place in range(depth, kept.shape[1]):
                        kept[row, place] = -1
                    state[4] = row + 1
            base = state[7]
            at = np.uint64(item_at[best])
            for place in range(count):
                stack[base + place] = option_of[np.uint64(members[at + np.uint64(place)])]
            if count > 1:
                stack[base : base + count].sort()
            first[level] = cursor[level] = base
            stop[level] = state[7] = base + count
            spare[level] = count - fewest if count else 0
            mark[level] = state[6]
        else:
            undo(
                mark[level], state, option_at, item_of, size, settled, trail, demanding, need,
                room,
            )  # fmt: skip
            if state[8] == 0 and cursor[level] > first[level]:
                hide(
                    np.uint64(stack[cursor[level] - 1]), state, option_at, item_of, item_at,
                    members, place_of, size, settled, trail,
                )  # fmt: skip
                mark[level] = state[6]
        if cursor[level] < stop[level] - spare[level]:
            option = np.uint64(stack[cursor[level]])
            cursor[level] += 1
            chosen[level] = option
            take(
                option, state, option_at, item_of, color_of, option_of, item_at, members,
                place_of, size, settled, trail, demanding, need, room,
            )  # fmt: skip
            depth += 1
            fresh = 1
        else:
            state[7] = first[level]
            depth -= 1
    state[0], state[1] = depth, fresh
    return status
