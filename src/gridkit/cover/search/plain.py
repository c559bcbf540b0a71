"""Backtracking on Python ints: answers small problems at once, and is the kernels' readable twin.

A set of options is an int with a bit for each.  The items of an option rule out a set of others,
so taking it is one AND NOT, and an item's remaining options are counted by ``int.bit_count``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

from gridkit.cover.matrix import Matrix
from gridkit.cover.search.engine import Engine, Prefix, foreign_token, fraction_of
from gridkit.errors import InputError

__all__ = ["PlainSearch"]


@dataclass(slots=True)
class _State:
    """What is left to do at a node of the search tree."""

    live: int  # options that may still be chosen
    open: list[int]  # items still to be covered, increasing
    need: dict[int, int]  # of the items in `_counted`: how many more are demanded
    room: dict[int, int]  # of the same items: how many more are allowed


@dataclass(slots=True)
class _Level:
    """A branching: the options still to try at a node."""

    state: _State
    untried: int
    spare: int  # the last `spare` untried options cannot come first, too few would be left
    width: int
    tried: int = 0
    chosen: int = -1


class PlainSearch(Engine):
    """Depth-first search of one subtree, in the order that `gridkit.cover.search.engine` says.

    Parameters
    ----------
    matrix : Matrix
        The problem.
    prefix : sequence of int
        The subtree: option o taken, ``~o`` ruled out.
    path : sequence of int
        Where to go on below the prefix, from `path`.
    keep : bool
        Whether to keep the solutions, for `take`, rather than only count them.
    """

    nodes = 0
    found = 0

    def __init__(
        self,
        matrix: Matrix,
        prefix: Sequence[int] = (),
        path: Sequence[int] = (),
        *,
        keep: bool = False,
    ) -> None:
        self.matrix = matrix
        self.keep = keep
        self._kept: list[tuple[int, ...]] = []
        self._masks = _item_masks(matrix)
        self._kinds = _conflict_masks(matrix, self._masks)
        self._conflicts: dict[int, int] = {}
        self._counted = [item for item in range(matrix.primary) if matrix.high[item] > 1]
        self._is_counted = frozenset(self._counted)
        self._single = [
            frozenset(item for item in option if item not in self._is_counted)
            for option in matrix.options
        ]
        self._levels: list[_Level] = []
        self._start = self._root()
        self._now: _State | None = None
        self._rewind(prefix, path)

    def _root(self) -> _State:
        matrix = self.matrix
        live = 0
        for number, option in enumerate(matrix.options):
            if option and option[0] < matrix.primary:
                live |= 1 << number
        for item in range(matrix.primary):
            if matrix.high[item] == 0:
                live &= ~self._masks[item]
        need = {item: matrix.low[item] for item in self._counted}
        room = {item: matrix.high[item] for item in self._counted}
        for item in self._counted:
            live &= ~self._too_many(item, room[item])
        demanded = [item for item in range(matrix.primary) if matrix.low[item] > 0]
        return _State(live, demanded, need, room)

    def _rewind(self, prefix: Sequence[int], path: Sequence[int]) -> None:
        self._prefix_options = [choice for choice in prefix if choice >= 0]
        self._now = self._at(prefix)
        for option in path:
            assert self._now is not None
            level = self._branch(self._now)
            if level is None or not level.untried >> option & 1:
                raise foreign_token()
            earlier = level.untried & ((1 << option) - 1)
            level.untried &= ~earlier
            level.state.live &= ~earlier
            level.tried = earlier.bit_count()
            self._levels.append(level)
            self._now = self._descend(level)

    def _at(self, prefix: Sequence[int]) -> _State:
        state = replace(self._start)
        for choice in prefix:
            option = choice if choice >= 0 else ~choice
            if option >= len(self.matrix.options) or not state.live >> option & 1:
                raise InputError(f"option {option} cannot be part of this subtree")
            if choice >= 0:
                state = self._after(option, state)
            else:
                state.live &= ~(1 << option)
        return state

    def children(self, prefix: Prefix) -> list[Prefix] | None:
        """Return the subtrees into which a subtree splits, or None where it is a single node."""
        state = self._at(prefix)
        level = self._branch(state)
        if level is None:
            return [] if state.open else None
        options = _bits(level.untried)
        if self.matrix.plain:  # siblings exclude each other anyway
            return [(*prefix, option) for option in options]
        ruled_out = [~option for option in options]
        first = options[: len(options) - level.spare]
        parts = [(*prefix, *ruled_out[:at], option) for at, option in enumerate(first)]
        if not state.open:  # the node is itself a solution
            parts.append((*prefix, *ruled_out))
        return parts

    def descend_at_random(
        self,
        prefix: Prefix,
        chance: Random,
        descents: int,
        check: Callable[[], object] = lambda: None,
    ) -> list[tuple[float, float]]:
        """Estimate a subtree's nodes and solutions by random descents (Knuth, 1975).

        Parameters
        ----------
        prefix : Prefix
            The subtree.
        chance : Random
            Where the choices come from.
        descents : int
            How many to make.
        check : callable
            Called at every node; may raise.
        """
        root = self._at(prefix)
        return [self._descend_at_random(replace(root), chance, check) for _ in range(descents)]

    def _descend_at_random(
        self, state: _State, chance: Random, check: Callable[[], object]
    ) -> tuple[float, float]:
        nodes, solutions, product = 1.0, 0.0, 1.0
        while True:
            check()
            if not state.open:
                solutions += product
            level = self._branch(state)
            if level is None:
                return nodes, solutions
            before = chance.randrange(level.width)
            rest = level.untried
            for _ in range(before):
                rest &= rest - 1
            option = (rest & -rest).bit_length() - 1
            state.live &= ~(level.untried & ((2 << option) - 1))
            state = self._after(option, state)
            product *= level.width
            nodes += product

    def path(self) -> tuple[int, ...]:
        """Return where the search stands: the option chosen at each level below the prefix."""
        return tuple(level.chosen for level in self._levels)

    def fraction(self) -> float:
        """Estimate the part done, taking siblings for equally large."""
        return fraction_of((level.tried - 1, level.width) for level in self._levels)

    def memory(self) -> int:
        """Bytes held, roughly: the option sets."""
        width = len(self.matrix.options) // 8 + 32
        return width * (len(self._masks) + len(self._conflicts) + 3 * len(self._levels))

    def advance(self, budget: int, most: int | None = None) -> bool:
        """Visit up to `budget` nodes, or until `most` solutions are kept; True at the end."""
        while self._now is not None:
            if budget <= 0 or (most is not None and len(self._kept) >= most):
                return False
            budget -= 1
            self.nodes += 1
            level = self._branch(self._now)
            if not self._now.open:
                self._record()
            if level is not None:
                self._levels.append(level)
            self._now = self._next()
        return True

    def take(self) -> list[tuple[int, ...]]:
        """Return the solutions kept since the last call."""
        kept, self._kept = self._kept, []
        return kept

    def _record(self) -> None:
        self.found += 1
        if self.keep:
            chosen = self._prefix_options + [level.chosen for level in self._levels]
            self._kept.append(tuple(sorted(chosen)))

    def _next(self) -> _State | None:
        levels = self._levels
        while levels:
            if levels[-1].untried.bit_count() > levels[-1].spare:
                return self._descend(levels[-1])
            levels.pop()
        return None

    def _descend(self, level: _Level) -> _State:
        bit = level.untried & -level.untried
        level.untried ^= bit
        level.state.live &= ~bit
        level.chosen = bit.bit_length() - 1
        level.tried += 1
        return self._after(level.chosen, level.state)

    def _branch(self, state: _State) -> _Level | None:
        """Choose what to branch on; None where nothing can be chosen."""
        live, masks, need = state.live, self._masks, state.need
        if not state.open:
            # Nothing is demanded any more; any option left may still be added.
            return _Level(state, live, 0, live.bit_count()) if live else None
        best, fewest, spare = 0, len(self.matrix.options) + 1, 0
        exact = self.matrix.amounts is None
        for item in state.open:
            extra = need.get(item, 1) - 1 if exact else 0
            ways = (live & masks[item]).bit_count() - extra
            if ways < fewest:
                best, fewest, spare = item, ways, extra
                if ways <= 1:
                    break
        if fewest <= 0:
            return None
        return _Level(state, live & masks[best], spare, fewest)

    def _after(self, option: int, state: _State) -> _State:
        """Return what is left once an option is taken."""
        covered = self._single[option]
        live = state.live & ~self._conflict(option)
        remaining = [item for item in state.open if item not in covered]
        if not self._counted:
            return _State(live, remaining, state.need, state.room)
        need, room = dict(state.need), dict(state.room)
        amounts = self.matrix.amounts
        for place, item in enumerate(self.matrix.options[option]):
            if item in self._is_counted:
                amount = 1 if amounts is None else amounts[option][place]
                need[item] -= amount
                room[item] -= amount
                live &= ~self._too_many(item, room[item])
        remaining = [item for item in remaining if need.get(item, 1) > 0]
        return _State(live, remaining, need, room)

    def _conflict(self, option: int) -> int:
        mask = self._conflicts.get(option)
        if mask is None:
            mask = 1 << option
            colors = self.matrix.colors
            for place, item in enumerate(self.matrix.options[option]):
                if item not in self._is_counted:
                    color = 0 if colors is None else colors[option][place]
                    mask |= self._kinds[item, color]
            self._conflicts[option] = mask
        return mask

    def _too_many(self, item: int, room: int) -> int:
        """Return the options that hold a counted item more often than there is room."""
        amounts = self.matrix.amounts
        if amounts is None:
            return self._masks[item] if room < 1 else 0
        mask, rest = 0, self._masks[item]
        while rest:
            bit = rest & -rest
            rest ^= bit
            option = bit.bit_length() - 1
            if amounts[option][self.matrix.options[option].index(item)] > room:
                mask |= bit
        return mask


def _bits(mask: int) -> list[int]:
    places = []
    while mask:
        bit = mask & -mask
        mask ^= bit
        places.append(bit.bit_length() - 1)
    return places


def _item_masks(matrix: Matrix) -> list[int]:
    """Return the options of each item, as bits."""
    size = (len(matrix.options) + 7) // 8
    masks = [bytearray(size) for _ in range(matrix.items)]
    for number, option in enumerate(matrix.options):
        for item in option:
            masks[item][number >> 3] |= 1 << (number & 7)
    return [int.from_bytes(mask, "little") for mask in masks]


def _conflict_masks(matrix: Matrix, masks: list[int]) -> dict[tuple[int, int], int]:
    """Return, for each item and colour that an option may give it, the options ruled out."""
    kinds = {(item, 0): mask for item, mask in enumerate(masks)}
    if matrix.colors is None:
        return kinds
    same: dict[tuple[int, int], int] = {}
    for number, (option, colors) in enumerate(zip(matrix.options, matrix.colors, strict=True)):
        for kind in zip(option, colors, strict=True):
            if kind[1]:
                same[kind] = same.get(kind, 0) | 1 << number
    return kinds | {kind: masks[kind[0]] & ~mask for kind, mask in same.items()}
