"""Rows of given options, searched one after the other in one compiled loop.

The search keeps, for each item, the options that are left to cover it as bits, and their number.
An item with one option left takes it (unit propagation), and so on until every item has a choice;
then the item with the fewest options is tried, first with an option, then without it.  Everything
that is removed goes on a trail and is put back from its end, so a node costs what it changes.

Indices are unsigned: signed ones cost a test each, a third of the time of an easy row.

The structure is that of D. Knuth's dancing links (2000) with counts in the place of links, and of
the two-way branching of satisfiability solvers.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel, trailing_zeros

__all__ = [
    "CONTROL_SIZE", "MOST", "NODES", "ROW", "Desk", "Given", "Problem", "solve_rows",
]  # fmt: skip

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U8 = NDArray[np.uint8]
U32 = NDArray[np.uint32]
U64 = NDArray[np.uint64]

# Places in `control`: the row under way and whether it has begun, levels of choices, length of the
# trail, single items that wait, primary items that are open, nodes so far, covers that end a row.
ROW, STAGE, LEVEL, TRAIL, PENDING, OPEN, NODES, MOST, CONTROL_SIZE = range(9)
_FRESH, _SEARCHING = 0, 1
_NO, _YES = np.uint8(0), np.uint8(1)
_NONE, _ONE = np.uint64(0), np.uint64(1)
_WORD, _IN_WORD = np.uint64(6), np.uint64(63)


class Problem(NamedTuple):
    """The exact cover.  An item's options are bits, in words of its own.

    Attributes
    ----------
    option_ends, option_items : uint32
        The items of option o: ``option_items[option_ends[o] : option_ends[o + 1]]``.
    option_slots : uint32
        Parallel to `option_items`: the option's bit among those of the item, 64 a word.
    item_words : uint32
        The words of item i are those from ``item_words[i]`` to ``item_words[i + 1]``.
    slot_options : uint32
        The option of each bit; options of an item increase.
    primary : uint8, by item
        1 where the item has to be covered.
    never : uint8, by option
        1 where the option may not be chosen.
    """

    option_ends: Annotated[U32, "uint32[::1]"]
    option_items: Annotated[U32, "uint32[::1]"]
    option_slots: Annotated[U32, "uint32[::1]"]
    item_words: Annotated[U32, "uint32[::1]"]
    slot_options: Annotated[U32, "uint32[::1]"]
    primary: Annotated[U8, "uint8[::1]"]
    never: Annotated[U8, "uint8[::1]"]


class Desk(NamedTuple):
    """Where the search of a row is.

    Attributes
    ----------
    left : uint64
        The options that are left of each item, as bits; also a chosen one.
    count : int32, by item
        How many they are.
    covered : uint8, by item
    chosen : uint8, by option
    trail : int32
        Options removed, and chosen ones as ``-1 - option``, in the order of time.
    pending : uint32
        Items with one option left.
    marks : int32, by level
        Length of the trail before the level's choice.
    choices : int32, by level
        The option tried.
    """

    left: Annotated[U64, "uint64[::1]"]
    count: Annotated[I32, "int32[::1]"]
    covered: Annotated[U8, "uint8[::1]"]
    chosen: Annotated[U8, "uint8[::1]"]
    trail: Annotated[I32, "int32[::1]"]
    pending: Annotated[U32, "uint32[::1]"]
    marks: Annotated[I32, "int32[::1]"]
    choices: Annotated[I32, "int32[::1]"]


class Given(NamedTuple):
    """The rows, and their answers.

    Attributes
    ----------
    options : int32, shape (rows, width)
        Options that are given, -1 for none.
    found : int64, by row
        Covers found so far.
    first : int32, shape (rows, depth)
        The first cover found, -1 beyond its end; depth 0 where it is not wanted.
    """

    options: Annotated[I32, "int32[:, ::1]"]
    found: Annotated[I64, "int64[::1]"]
    first: Annotated[I32, "int32[:, ::1]"]


@kernel("uint64(uint64)", inline=True)
def _bit(slot: np.uint64) -> np.uint64:
    """Return the bit of a slot in its word.

    Parameters
    ----------
    slot : int

    Returns
    -------
    uint64
        The word with that bit alone.
    """
    return _ONE << (slot & _IN_WORD)


@kernel("boolean(int64[::1], Problem, Desk, int64)", inline=True)
def _remove(control: I64, problem: Problem, desk: Desk, option: int) -> bool:
    """Take an option away; return whether every item can still be covered.

    Parameters
    ----------
    control, problem, desk
        As above.
    option : int
        An option that is left.

    Returns
    -------
    bool
        Whether no open primary item is left without an option.
    """
    desk.trail[control[TRAIL]] = option
    control[TRAIL] += 1
    possible = True
    for place in range(problem.option_ends[option], problem.option_ends[option + 1]):
        item, slot = problem.option_items[place], np.uint64(problem.option_slots[place])
        desk.left[slot >> _WORD] &= ~_bit(slot)
        left = desk.count[item] - 1
        desk.count[item] = left
        if left <= 1 and desk.covered[item] == _NO and problem.primary[item] == _YES:
            if left == 0:
                possible = False
            else:
                desk.pending[control[PENDING]] = item
                control[PENDING] += 1
    return possible


@kernel("boolean(int64[::1], Problem, Desk, int64)", inline=True)
def _choose(control: I64, problem: Problem, desk: Desk, option: int) -> bool:
    """Choose an option, which removes all that share an item with it.

    Parameters
    ----------
    control, problem, desk
        As above.
    option : int
        An option that is left.

    Returns
    -------
    bool
        Whether no open primary item is left without an option.
    """
    desk.chosen[option] = _YES
    desk.trail[control[TRAIL]] = -1 - option
    control[TRAIL] += 1
    begin, end = problem.option_ends[option], problem.option_ends[option + 1]
    for place in range(begin, end):
        item = problem.option_items[place]
        desk.covered[item] = _YES
        control[OPEN] -= np.int64(problem.primary[item])
    for place in range(begin, end):
        item, own = problem.option_items[place], np.uint64(problem.option_slots[place])
        for word in range(problem.item_words[item], problem.item_words[item + 1]):
            others = desk.left[word]
            if word == own >> _WORD:
                others &= ~_bit(own)
            while others != _NONE:
                slot = np.uint64(64 * word + np.uint64(trailing_zeros(others)))
                others &= others - _ONE
                if not _remove(control, problem, desk, np.int64(problem.slot_options[slot])):
                    return False
    return True


@kernel("void(int64[::1], Problem, Desk, int64)")
def _put_back(control: I64, problem: Problem, desk: Desk, mark: int) -> None:
    """Take everything back that came on the trail after a mark.

    Parameters
    ----------
    control, problem, desk
        As above.
    mark : int
        The length of the trail to go back to.

    Returns
    -------
    None
    """
    for at in range(control[TRAIL] - 1, mark - 1, -1):
        entry = np.int64(desk.trail[at])
        option = entry if entry >= 0 else -1 - entry
        begin, end = problem.option_ends[option], problem.option_ends[option + 1]
        if entry >= 0:
            for place in range(begin, end):
                slot = np.uint64(problem.option_slots[place])
                desk.left[slot >> _WORD] |= _bit(slot)
                desk.count[problem.option_items[place]] += 1
        else:
            desk.chosen[option] = _NO
            for place in range(begin, end):
                item = problem.option_items[place]
                desk.covered[item] = _NO
                control[OPEN] += np.int64(problem.primary[item])
    control[TRAIL] = mark
    control[PENDING] = 0


@kernel("int64(Problem, Desk, int64)", inline=True)
def _first_left(problem: Problem, desk: Desk, item: int) -> int:
    """Return the first option that is left of an item that has one.

    Parameters
    ----------
    problem, desk
        As above.
    item : int

    Returns
    -------
    int
        The option.
    """
    word = np.uint64(problem.item_words[item])
    while desk.left[word] == _NONE:
        word += _ONE
    return np.int64(problem.slot_options[64 * word + np.uint64(trailing_zeros(desk.left[word]))])


@kernel("boolean(int64[::1], Problem, Desk, int64)")
def _settle(control: I64, problem: Problem, desk: Desk, option: int) -> bool:
    """Choose an option, then the last one of every item that has one left, as long as that goes.

    Parameters
    ----------
    control, problem, desk
        As above.
    option : int
        An option that is left, or -1.

    Returns
    -------
    bool
        Whether no open primary item is left without an option.
    """
    chosen = option
    while True:
        if chosen >= 0 and not _choose(control, problem, desk, chosen):
            return False
        chosen = -1
        while chosen < 0:
            if control[PENDING] == 0:
                return True
            control[PENDING] -= 1
            item = np.int64(desk.pending[control[PENDING]])
            if desk.covered[item] == _NO:
                chosen = _first_left(problem, desk, item)


@kernel("boolean(int64[::1], Problem, Desk, int32[::1])")
def _begin(control: I64, problem: Problem, desk: Desk, given: I32) -> bool:
    """Begin a row: take what is given, and what follows from it.

    Most options of a row go with those that are given, so what is left is counted anew.

    Parameters
    ----------
    control, problem, desk
        As above.
    given : int32
        The row.

    Returns
    -------
    bool
        Whether no open primary item is left without an option.
    """
    control[LEVEL] = control[TRAIL] = control[PENDING] = 0
    desk.covered[:] = _NO
    desk.chosen[:] = _NO
    desk.left[:] = _NONE
    desk.count[:] = 0
    for option in given:
        if option < 0 or desk.chosen[option] == _YES:
            continue
        if problem.never[option] == _YES:
            return False
        desk.chosen[option] = _YES
        for place in range(problem.option_ends[option], problem.option_ends[option + 1]):
            item = problem.option_items[place]
            if desk.covered[item] == _YES:
                return False
            desk.covered[item] = _YES
    begin = np.uint64(0)
    for option in range(len(desk.chosen)):
        end = np.uint64(problem.option_ends[option + 1])
        clash = problem.never[option]
        for place in range(begin, end):
            clash |= desk.covered[problem.option_items[place]]
        if clash == _NO:
            for place in range(begin, end):
                slot = np.uint64(problem.option_slots[place])
                desk.left[slot >> _WORD] |= _bit(slot)
                desk.count[problem.option_items[place]] += 1
        begin = end
    control[OPEN] = 0
    for item in range(len(problem.primary)):
        if desk.covered[item] == _NO and problem.primary[item] == _YES:
            control[OPEN] += 1
            if desk.count[item] == 0:
                return False
            if desk.count[item] == 1:
                desk.pending[control[PENDING]] = item
                control[PENDING] += 1
    return _settle(control, problem, desk, -1)


@kernel("int64(Problem, Desk)")
def _narrowest(problem: Problem, desk: Desk) -> int:
    """Return the open primary item with the fewest options, the first of them.

    Parameters
    ----------
    problem, desk
        As above.

    Returns
    -------
    int
        The item.
    """
    best, fewest = -1, np.int64(1 << 40)
    for item in range(len(problem.primary)):
        if desk.covered[item] == _NO and problem.primary[item] == _YES:
            left = np.int64(desk.count[item])
            if left < fewest:
                best, fewest = item, left
                if left <= 2:
                    break
    return best


@kernel("boolean(int64[::1], Problem, Desk)")
def _without(control: I64, problem: Problem, desk: Desk) -> bool:
    """Go back to the last choice that may be left out, and leave it out.

    Parameters
    ----------
    control, problem, desk
        As above.

    Returns
    -------
    bool
        False when there is no such choice: the row is done.
    """
    while control[LEVEL] > 0:
        control[LEVEL] -= 1
        level = control[LEVEL]
        _put_back(control, problem, desk, desk.marks[level])
        if _remove(control, problem, desk, desk.choices[level]) and _settle(
            control, problem, desk, -1
        ):
            return True
    return False


@kernel("int64(int64[::1], Problem, Desk, Given, int64)")
def solve_rows(control: I64, problem: Problem, desk: Desk, given: Given, budget: int) -> int:
    """Search the rows from the one under way on.

    Parameters
    ----------
    control, problem, desk, given
        As above.
    budget : int
        Nodes to spend: a row, and a choice.

    Returns
    -------
    int
        1 when all rows are done, else 0.
    """
    end = control[NODES] + budget
    rows, depth = given.options.shape[0], given.first.shape[1]
    while control[ROW] < rows and control[NODES] < end:
        row = control[ROW]
        control[NODES] += 1
        if control[STAGE] == _FRESH:
            possible = _begin(control, problem, desk, given.options[row])
            control[STAGE] = _SEARCHING
        else:
            level, option = control[LEVEL], _first_left(problem, desk, _narrowest(problem, desk))
            desk.marks[level], desk.choices[level] = control[TRAIL], option
            control[LEVEL] += 1
            possible = _settle(control, problem, desk, option)
        done = False
        while not done and (not possible or control[OPEN] == 0):
            if possible:
                if given.found[row] == 0 and depth > 0:
                    place = 0
                    for option in range(len(desk.chosen)):
                        if desk.chosen[option] == _YES:
                            given.first[row, place] = option
                            place += 1
                given.found[row] += 1
                done = given.found[row] >= control[MOST]
            if not done:
                possible = _without(control, problem, desk)
                done = not possible
        if done:
            control[ROW] += 1
            control[STAGE] = _FRESH
    return 1 if control[ROW] == rows else 0
