"""The sweep over items: first on dictionaries with exact integers, then in compiled kernels."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from gridkit.cover.frontier.memory import MemoryGuard
from gridkit.cover.items.exchange import Exchange
from gridkit.cover.items.plan import Move, Plan, Step
from gridkit.run import Run, Work

if TYPE_CHECKING:
    from gridkit.cover.items.table import TableSweep

__all__ = ["ItemSweep", "PlainSweep", "settle", "successor"]

_ENTRY_BYTES = 200  # that a dictionary entry with its two integers takes, roughly
_PART = 256  # states moved at a time
_KERNELS = "gridkit.cover.items.kernels.states"
# Moves tried on dictionaries before kernels take over: about what importing numba costs.
_PATIENCE_COLD, _PATIENCE_WARM = 400_000, 4_000


def successor(state: int, move: Move) -> int:
    """Return the state that a move makes of a state that meets none of its `test`, or -1."""
    state |= move.put
    for field, amount, full, saturates in move.counted:
        total = (state & field) + amount
        if total > full:
            if not saturates:
                return -1
            total = full
        state = state & ~field | total
    for field, color in move.painted:
        held = state & field
        if held and held != color:
            return -1
        state |= color
    return state


def settle(
    states: Iterable[tuple[int, int]],
    after: dict[int, int],
    step: Step,
    symmetry: Exchange | None = None,
) -> int:
    """Add to `after` what a step makes of each state; return how many moves were tried."""
    own, least, moves, need, clear, settled = step
    known = after.get
    tried = 0
    for state, ways in states:
        following = [state] if state & own >= least else []
        if not least or state & own < least:
            tried += len(moves)
            for move in moves:
                if not state & move.test:
                    following.append(
                        successor(state, move) if move.counted or move.painted else state | move.put
                    )
        for reached in following:
            if reached >= 0 and reached & need == need:
                reached = reached & ~clear | settled
                if symmetry is not None:
                    reached = symmetry.least(reached)
                after[reached] = known(reached, 0) + ways
    return tried


class PlainSweep(Work):
    """A sweep on dictionaries, as work in chunks.

    Parameters
    ----------
    plan : Plan
        The steps.
    guard : MemoryGuard
        Asked before memory is taken.
    symmetry : Exchange, optional
        Symmetries of the plan's states.

    Attributes
    ----------
    nodes : int
        Moves tried and states passed.
    step : int
        Steps done.
    states : dict
        From the states after that step to their numbers of ways.
    """

    nodes = 0

    def __init__(self, plan: Plan, guard: MemoryGuard, symmetry: Exchange | None = None) -> None:
        self.plan, self.symmetry = plan, symmetry
        self.step = 0
        self.states: dict[int, int] = {0: 1}
        self._guard = guard
        self._after: dict[int, int] = {}
        self._rest: Iterator[tuple[int, int]] | None = None

    def count(self) -> int:
        """Return the number of solutions, when all steps are done."""
        return self.states.get(self.plan.end, 0) << self.plan.free

    def fraction(self) -> float:
        """Return the part of the steps that is done."""
        return self.step / max(1, len(self.plan.steps))

    def memory(self) -> int:
        """Bytes held, roughly."""
        return _ENTRY_BYTES * (len(self.states) + len(self._after))

    def advance(self, budget: int) -> bool:
        """Try about `budget` moves; return whether all steps are done."""
        while self.step < len(self.plan.steps):
            if self._rest is None:
                self._rest = iter(self.states.items())
            step = self.plan.steps[self.step]
            fan = len(step.moves) + 1
            while part := list(islice(self._rest, max(1, min(budget // fan, _PART)))):
                spent = len(part) + settle(part, self._after, step, self.symmetry)
                self.nodes += spent
                budget -= spent
                if budget <= 0:
                    self._guard.check(self.memory(), len(self._after))
                    return False
            self._guard.check(self.memory(), len(self._after))
            self.states, self._after, self._rest = self._after, {}, None
            self.step += 1
        return True


class ItemSweep(Work):
    """A sweep on dictionaries that goes over to kernels when it turns out long.

    Parameters
    ----------
    plan : Plan
        The steps.
    run : Run
        The call.
    symmetry : Exchange, optional
        Symmetries of the plan's states.
    """

    def __init__(self, plan: Plan, run: Run, symmetry: Exchange | None = None) -> None:
        self._run = run
        self._guard = MemoryGuard(run)
        self._part: PlainSweep | TableSweep = PlainSweep(plan, self._guard, symmetry)
        self._earlier = 0
        self._patience = _PATIENCE_WARM if _KERNELS in sys.modules else _PATIENCE_COLD
        if symmetry is not None and symmetry.swaps:
            self._patience //= 20  # exchanging states takes long in Python
        if run.tier != "auto":
            self._patience = sys.maxsize if run.tier == "plain" else 0

    @property
    def nodes(self) -> int:
        """Moves tried and states passed."""
        return self._earlier + self._part.nodes

    def count(self) -> int:
        """Return the number of solutions, when all steps are done."""
        return self._part.count()

    def fraction(self) -> float:
        """Return the part of the steps that is done."""
        return self._part.fraction()

    def memory(self) -> int:
        """Bytes held."""
        return self._part.memory()

    def advance(self, budget: int) -> bool:
        """Try about `budget` moves; return whether all steps are done."""
        part = self._part
        if isinstance(part, PlainSweep):
            if part.nodes < self._patience:
                return part.advance(min(budget, self._patience - part.nodes))
            from gridkit.cover.items.table import TableSweep  # loads numpy and numba

            self._earlier = part.nodes
            self._part = part = TableSweep(
                part.plan, self._guard, self._run, part.symmetry, states=part.states, step=part.step
            )
        return part.advance(budget)
