"""Breadth-first search of blocks that each run along a rail of their own, as the cars of Rush Hour.

A state is one word: a bit field with the position of each block, from the lowest bit on, then
one bit for each block that **sleeps**, then two bits of the distance from the start, modulo 3,
plus 1.  `table` is an open-addressing hash table of states (0: none), never full so that every
search in it ends, and `queue` lists their slots in the order they were reached.  Moves are
reversible, so the distances suffice to trace a plan back.

Moves of two blocks commute when neither passes over the other one's rail, and of the two orders
the search needs only one.  A block sleeps in a state when its moves from there are reached in
another order; only the blocks that sleep however a state is reached stay asleep (sleep sets;
P. Godefroid, 1991).  Each state is still reached by a shortest way: the one among its shortest
ways whose blocks come first in lexicographic order is never cut.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel, prefetch, trailing_zeros
from gridkit.sliding.blocks.kernels.codes import (
    BUDGET,
    EXHAUSTED,
    FOUND,
    NEVER,
    ROOM,
    SLIDE,
    STEP,
)
from gridkit.sliding.blocks.kernels.slots import find, slot_of

__all__ = ["Cars", "Children", "Links", "States", "advance", "cross", "link", "trace"]

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]

# Places in `state`; `WIDTH` is the number of bits that hold positions.
HEAD, TAIL, LAYER_END, DEPTH, GOAL, UNIT, STOP, WIDTH, STATE_SIZE = range(9)

# Columns of `cars`: cells at the first position, how far they shift from one position to the
# next, where the field begins, its mask, the last position, and where the rows of `meets` begin.
CELLS, STRIDE, SHIFT, MASK, LAST, OFFSET, CAR_SIZE = range(7)

_ONE = np.uint64(1)
_ZERO = np.uint64(0)
_DISTANCE = np.uint64(62)
# From so many slots on a table does not fit the caches that are near.
_FAR_SLOTS = 1 << 14


class States(NamedTuple):
    """States that are reached.

    Attributes
    ----------
    table : uint64, length a power of two
        The states, see above.
    queue : int32
        Their slots, in the order they were reached.
    """

    table: Annotated[U64, "uint64[::1]"]
    queue: Annotated[I32, "int32[::1]"]


class Cars(NamedTuple):
    """The blocks that move.

    Attributes
    ----------
    cars : uint64, shape (blocks, 6)
        By the columns above.
    meets : uint64
        By block and position, the blocks, as bits, whose rails it lies on; the last entry is the
        cells of the blocks that cannot move.
    """

    cars: Annotated[U64, "uint64[:, ::1]"]
    meets: Annotated[U64, "uint64[::1]"]


class Children(NamedTuple):
    """Room for the states that are expanded in one go, and for their children.

    Attributes
    ----------
    turn : uint64
        The states.
    out : uint64
        Twice the room for the children, whose slots come after them.
    ends : int64, as long as `turn`
        Where the children of each state end in `out`.
    """

    turn: Annotated[U64, "uint64[::1]"]
    out: Annotated[U64, "uint64[::1]"]
    ends: Annotated[I64, "int64[::1]"]


@kernel("void(uint64[:, ::1], uint64[::1])")
def cross(cars: U64, meets: U64) -> None:
    """Find which rails cross each position of each block.

    Parameters
    ----------
    cars : uint64[blocks, words]
        See `Cars`.
    meets : uint64[:]
        Receives, at OFFSET + position, a bit for each block whose rail meets it.
    """
    for car in range(len(cars)):
        for position in range(np.int64(cars[car, LAST]) + 1):
            cells = cars[car, CELLS] << (np.uint64(position) * cars[car, STRIDE])
            met = _ZERO
            for other in range(len(cars)):
                rail = _ZERO
                for place in range(np.int64(cars[other, LAST]) + 1):
                    rail |= cars[other, CELLS] << (np.uint64(place) * cars[other, STRIDE])
                if rail & cells != _ZERO:
                    met |= _ONE << np.uint64(other)
            meets[np.int64(cars[car, OFFSET]) + position] = met


@kernel("boolean(uint64, uint64[:, ::1])")
def solved(positions: np.uint64, goal: U64) -> bool:
    """Return whether every condition is met.

    Parameters
    ----------
    positions : uint64
        A state.
    goal : uint64[rows, 3]
        Mask, value, and the number of the condition: one row of each is to agree.

    Returns
    -------
    bool
        Whether they are.
    """
    rows = len(goal)
    row = 0
    while row < rows:
        condition = goal[row, 2]
        met = False
        while row < rows and goal[row, 2] == condition:
            if positions & goal[row, 0] == goal[row, 1]:
                met = True
            row += 1
        if not met:
            return False
    return True


@kernel("void(int64, int64, int64, Cars, Children)")
def expand(count: int, unit: int, width: int, blocks: Cars, children: Children) -> None:
    """Write the states that are one move of a waking block away, without their distances.

    Parameters
    ----------
    count : int
        States in `children.turn`.
    unit : int
        0: a move is any number of cells; 1: one cell.
    width : int
        Bits of the positions.
    blocks : Cars
        The blocks.
    children : Children
        Receives the states and where those of each end.
    """
    cars, meets = blocks.cars, blocks.meets
    turn, out, ends = children.turn, children.out, children.ends
    shift = np.uint64(width)
    below = (_ONE << shift) - _ONE
    fixed = meets[np.uint64(len(meets) - 1)]
    made = _ZERO
    for number in range(count):
        entry = turn[number]
        positions, asleep = entry & below, (entry & ~(np.uint64(3) << _DISTANCE)) >> shift
        cells = fixed
        for car in range(len(cars)):
            at = (entry >> cars[car, SHIFT]) & cars[car, MASK]
            cells |= cars[car, CELLS] << (at * cars[car, STRIDE])
        bit = _ONE
        for car in range(len(cars)):
            if asleep & bit == _ZERO:
                at = (entry >> cars[car, SHIFT]) & cars[car, MASK]
                stride, offset, last = cars[car, STRIDE], cars[car, OFFSET], cars[car, LAST]
                block = cars[car, CELLS] << (at * stride)
                others = cells ^ block
                # What slept, or was moved before, goes on sleeping unless its rail is passed;
                # two slides of one block in a row are one.
                kept = asleep | (bit - _ONE)
                own = bit if unit == SLIDE else _ZERO
                one = _ONE << cars[car, SHIFT]
                met = meets[offset + at]
                reached, new, ahead = at, positions, block << stride
                while reached < last and ahead & others == _ZERO:
                    reached += _ONE
                    new += one
                    met |= meets[offset + reached]
                    out[made] = new | (((kept & ~met) | own) << shift)
                    made += _ONE
                    if unit == STEP:
                        break
                    ahead <<= stride
                met = meets[offset + at]
                reached, new, ahead = at, positions, block >> stride
                while reached > _ZERO and ahead & others == _ZERO:
                    reached -= _ONE
                    new -= one
                    met |= meets[offset + reached]
                    out[made] = new | (((kept & ~met) | own) << shift)
                    made += _ONE
                    if unit == STEP:
                        break
                    ahead >>= stride
            bit <<= _ONE
        ends[number] = np.int64(made)


@kernel("int64(int64[::1], States, Cars, uint64[:, ::1], Children, int64)")
def advance(
    state: I64, states: States, blocks: Cars, goal: U64, children: Children, budget: int
) -> int:
    """Expand at most `budget` states.

    Parameters
    ----------
    state : int64 array
        Scalars, by the places above.
    states : States
    blocks : Cars
    goal : uint64, shape (rows, 3)
        Conditions, see `solved`.
    children : Children
        Working space.
    budget : int

    Returns
    -------
    int
        Why it stopped, see `codes`.
    """
    table, queue = states.table, states.queue
    turn, out, ends = children.turn, children.out, children.ends
    head, tail, unit = state[HEAD], state[TAIL], state[UNIT]
    layer_end, depth = state[LAYER_END], state[DEPTH]
    size = len(table)
    drop = np.uint64(64 - trailing_zeros(np.uint64(size)))
    last = np.uint64(size - 1)
    below = (_ONE << np.uint64(state[WIDTH])) - _ONE
    room = min(len(queue), size - size // 6)
    half = np.uint64(len(out) // 2)
    end = head + budget
    while True:
        if head == layer_end:
            if head == tail:
                status = EXHAUSTED
                break
            depth += 1
            layer_end = tail
        if head >= end:
            status = BUDGET
            break
        count = min(layer_end, head + len(turn), end) - head
        for number in range(count):
            turn[number] = table[queue[head + number]]
        expand(count, unit, state[WIDTH], blocks, children)
        made = np.uint64(ends[count - 1])
        if tail + ends[count - 1] > room:
            status = ROOM
            break
        head += count
        place = _ZERO
        while place < made:
            slot = slot_of(out[place] & below, drop)
            out[half + place] = slot
            if size >= _FAR_SLOTS:
                prefetch(table, slot)
            place += _ONE
        if size >= _FAR_SLOTS:
            for number in range(head, min(layer_end, head + len(turn))):
                prefetch(table, np.uint64(queue[number]))
        distance = np.uint64((depth + 1) % 3 + 1)
        place = _ZERO
        while place < made:
            child, slot = out[place], out[half + place]
            place += _ONE
            entry = table[slot]
            while entry != _ZERO and (entry ^ child) & below != _ZERO:
                slot = (slot + _ONE) & last
                entry = table[slot]
            if entry == _ZERO:
                table[slot] = child | (distance << _DISTANCE)
                queue[tail] = np.int64(slot)
                if state[STOP] != NEVER and state[GOAL] < 0 and solved(child & below, goal):
                    state[GOAL] = tail
                tail += 1
            elif entry >> _DISTANCE == distance:
                # What does not sleep however the state is reached wakes up.
                table[slot] = entry & (child | below | (distance << _DISTANCE))
        if state[GOAL] >= 0:
            status = FOUND
            break
    state[HEAD], state[TAIL], state[LAYER_END], state[DEPTH] = head, tail, layer_end, depth
    return status


@kernel("int64(int64[::1], States, Cars, Children, int32[:, ::1])")
def trace(state: I64, states: States, blocks: Cars, children: Children, steps: I32) -> int:
    """Write the steps that lead to the goal state to the last rows of `steps`.

    Parameters
    ----------
    state, states, blocks, children
        As in `advance`.
    steps : int32, shape (rows, 3)
        Becomes (block, position before, position after).

    Returns
    -------
    int
        The first row that is used.
    """
    table, queue, cars = states.table, states.queue, blocks.cars
    turn, out, ends = children.turn, children.out, children.ends
    width, unit = state[WIDTH], state[UNIT]
    below = (_ONE << np.uint64(width)) - _ONE
    positions = table[queue[state[GOAL]]] & below
    row = len(steps)
    for depth in range(state[DEPTH], -1, -1):
        distance = np.uint64(depth % 3 + 1)
        turn[0] = positions
        expand(1, unit, width, blocks, children)
        before = positions
        for place in range(ends[0]):
            before = out[place] & below
            slot = find(before, table, below)
            if slot >= 0 and table[slot] >> _DISTANCE == distance:
                break
        for car in range(len(cars)):
            shift, mask = cars[car, SHIFT], cars[car, MASK]
            begin, at = np.int64((before >> shift) & mask), np.int64((positions >> shift) & mask)
            while at != begin:
                previous = at - 1 if at > begin else at + 1
                row -= 1
                steps[row, 0], steps[row, 1], steps[row, 2] = car, previous, at
                at = previous
        positions = before
    return row


class Links(NamedTuple):
    """The neighbours of each state: those of n are ``targets[offsets[n] : offsets[n + 1]]``.

    Attributes
    ----------
    numbers : int32
        The number of the state in each slot of the table.
    offsets, targets : int64, int32
    """

    numbers: Annotated[I32, "int32[::1]"]
    offsets: Annotated[I64, "int64[::1]"]
    targets: Annotated[I32, "int32[::1]"]


@kernel("int64(int64[::1], int64[::1], States, Links, Cars, Children, int64)")
def link(
    cursor: I64,
    state: I64,
    states: States,
    links: Links,
    blocks: Cars,
    children: Children,
    budget: int,
) -> int:
    """List the neighbours of more states.

    Parameters
    ----------
    cursor : int64 array
        The next state, and the number of targets so far.
    state, states, blocks, children
        As in `advance`; all states are reached.
    links : Links
    budget : int

    Returns
    -------
    int
        Why it stopped, see `codes`.
    """
    table, queue = states.table, states.queue
    numbers, offsets, targets = links.numbers, links.offsets, links.targets
    turn, out, ends = children.turn, children.out, children.ends
    number, used, size = cursor[0], cursor[1], state[TAIL]
    drop = np.uint64(64 - trailing_zeros(np.uint64(len(table))))
    last = np.uint64(len(table) - 1)
    below = (_ONE << np.uint64(state[WIDTH])) - _ONE
    half = np.uint64(len(out) // 2)
    end = min(number + budget, size)
    status = BUDGET
    while number < end:
        if used + len(out) > len(targets):
            status = ROOM
            break
        count = min(end, number + len(turn)) - number
        for own in range(count):
            turn[own] = table[queue[number + own]] & below
        expand(count, state[UNIT], state[WIDTH], blocks, children)
        made = np.uint64(ends[count - 1])
        place = _ZERO
        while place < made:
            slot = slot_of(out[place] & below, drop)
            out[half + place] = slot
            prefetch(table, slot)
            prefetch(numbers, slot)
            place += _ONE
        place = _ZERO
        while place < made:
            positions, slot = out[place] & below, out[half + place]
            while table[slot] & below != positions and table[slot] != _ZERO:
                slot = (slot + _ONE) & last
            targets[used] = numbers[slot]
            used += 1
            place += _ONE
        for own in range(count):
            offsets[number + own + 1] = cursor[1] + ends[own]
        cursor[1] = used
        number += count
    cursor[0] = number
    return EXHAUSTED if number == size else status
