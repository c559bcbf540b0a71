"""Counting the tilings of a strip row by row, until the numbers keep a recurrence."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from itertools import product

from gridkit.cover.frontier.memory import MemoryGuard
from gridkit.cover.frontier.order import plan_sweep
from gridkit.cover.frontier.recurrence import Recurrence, find_recurrence
from gridkit.cover.instance import Instance, lay_out
from gridkit.run import Run, Work

__all__ = ["Strip"]

Shape = Sequence[tuple[int, int]]
States = dict[int, int]
_ENTRY = 200  # bytes that a dictionary entry takes, roughly
_MATRIX = 3000  # rows of a transfer matrix that is worth writing down
_PATIENCE = 1 << 19  # states moved in the search for a recurrence that no height asks for
_DIRECT = 1 << 24  # states moved before a height is left to a recurrence
_LOOK_EVERY = 8  # terms
_WIDE = 1 << 13  # states that kernels move faster than dictionaries
_TALL = 4096  # rows of a board that is laid out for the kernels


def _masks(shapes: Sequence[Shape], width: int) -> list[list[int]]:
    """For each column the placements whose first cell it holds, bit k the cell k places on."""
    masks: list[list[int]] = [[] for _ in range(width)]
    for shape in shapes:
        _, first = min(shape)
        beyond = max(col for _, col in shape) - first
        for column in range(first, width - beyond):
            masks[column].append(sum(1 << (row * width + col - first) for row, col in shape))
    return masks


def _settle(states: States, masks: list[int]) -> States:
    """Settle one cell; bit 0 of a state is the cell, bit k the cell k places on."""
    after: States = {}
    known = after.get
    for state, ways in states.items():
        if state & 1:
            state >>= 1
            after[state] = known(state, 0) + ways
            continue
        for mask in masks:
            if not state & mask:
                following = (state | mask) >> 1
                after[following] = known(following, 0) + ways
    return after


class Strip(Work):
    """A sweep down a strip, row by row, that also looks for the recurrence, as work in chunks.

    Parameters
    ----------
    shapes : sequence of sequences of (row, col)
        The orientations of all pieces, each with least row and column 0, no two equal.
    width : int
        Number of columns.
    highest : int
        The largest height that is asked for.
    run : Run
        The call.

    Attributes
    ----------
    terms : list of int
        Numbers of tilings of the heights 0, 1, 2, ... that are known.
    recurrence : Recurrence or None
        What the terms keep, when it was found.
    """

    nodes = 0

    def __init__(self, shapes: Sequence[Shape], width: int, highest: int, run: Run) -> None:
        self.terms = [1]
        self.recurrence: Recurrence | None = None
        self._shapes = shapes
        self.width = width
        self._masks = _masks(shapes, width)
        self._highest = highest
        self._run = run
        self._guard = MemoryGuard(run)
        self._held = 1
        self._pieces_of_work = self._work()

    def fraction(self) -> float:
        """Estimate the part done."""
        return min(1.0, len(self.terms) / (self._highest + 1))

    def memory(self) -> int:
        """Bytes held, roughly."""
        return _ENTRY * self._held

    def advance(self, budget: int) -> bool:
        """Move about `budget` states; True at the end."""
        for spent in self._pieces_of_work:
            self.nodes += spent
            budget -= spent
            if budget <= 0:
                return False
        return True

    def _work(self) -> Generator[int, None, None]:
        """Yield the states moved, cell by cell."""
        useful = yield from self._useful_states()
        count = None if useful is None else len(useful)
        states: States = {0: 1}
        look_at = _LOOK_EVERY
        while not self._enough():
            for masks in self._masks:
                states = _settle(states, masks)
                self._hold(2 * len(states))
                yield len(states) + 1
            if useful is not None:
                states = {state: ways for state, ways in states.items() if state in useful}
            self.terms.append(states.get(0, 0))
            if len(states) > _WIDE and self._highest < _TALL:
                yield from self._in_kernels()
                return
            if len(self.terms) >= look_at:
                look_at += max(_LOOK_EVERY, look_at // 4)
                self.recurrence = find_recurrence(self.terms, count)
        if self.recurrence is None or not self.recurrence.proved:
            self.recurrence = find_recurrence(self.terms, count)

    def _hold(self, states: int) -> None:
        self._held = states
        self._guard.check(self.memory(), states)

    def _enough(self) -> bool:
        """Whether all heights are known, and a recurrence is proved or not worth more."""
        if self.recurrence is not None and self.recurrence.proved:
            return True
        if len(self.terms) > self._highest:
            return self.nodes > _PATIENCE
        if self.recurrence is not None:
            return self.nodes > _DIRECT
        return self.nodes > 64 * _DIRECT and 4 * len(self.terms) < self._highest

    def _useful_states(self) -> Generator[int, None, set[int] | None]:
        """Return the states at row ends that lie between empty and empty, None if too many."""
        leads_to: dict[int, list[int]] = {}
        waiting = [0]
        while waiting:
            state = waiting.pop()
            if state in leads_to:
                continue
            states: States = {state: 1}
            for masks in self._masks:
                states = _settle(states, masks)
                yield len(states) + 1
            leads_to[state] = list(states)
            waiting.extend(states)
            if len(leads_to) > _MATRIX or self.nodes > _PATIENCE:
                return None
        comes_from: dict[int, list[int]] = {}
        for state, followers in leads_to.items():
            for follower in followers:
                comes_from.setdefault(follower, []).append(state)
        useful: set[int] = set()
        waiting = [0]
        while waiting:
            state = waiting.pop()
            if state not in useful:
                useful.add(state)
                waiting.extend(comes_from.get(state, ()))
        return useful

    def _in_kernels(self) -> Generator[int, None, None]:
        """Sweep down a board of the greatest height instead, without a recurrence."""
        # Late, for it loads numpy and numba.
        from gridkit.cover.frontier.states import StateTable, SweepArrays

        cells = tuple(product(range(self._highest), range(self.width)))
        placements = lay_out(cells, [self._shapes], lambda held: self._run.check(memory=held))
        board = Instance(cells, placements, ((0, None),), frozenset())
        sweep = plan_sweep(board, self._run, order=range(len(cells)))
        table = StateTable(SweepArrays(sweep, self._run), 0, len(sweep.steps), self._guard)
        del self.terms[1:]
        while len(self.terms) <= self._highest:
            before = table.nodes
            if table.advance(1 << 16, len(self.terms) * self.width):
                self.terms.append(table.ways_of_empty())
            self._held = table.memory() // _ENTRY
            yield table.nodes - before + 1
