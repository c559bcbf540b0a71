"""The plain tier of the frontier engine: a dictionary from states to numbers of ways.

Nothing here imports numpy or numba: a board of a few dozen cells is counted in milliseconds of
plain Python, with Python's exact integers, and the compiled engine is checked against it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import islice

from gridkit.cover.frontier.memory import MemoryGuard
from gridkit.cover.frontier.order import planned
from gridkit.cover.frontier.sweep import Step, Sweep
from gridkit.cover.instance import Instance
from gridkit.run import Limit, Run, Work

__all__ = [
    "PlainSweep",
    "State",
    "count_plain",
    "count_small",
    "moves",
    "plain_visits",
    "settle",
    "states_after",
]

State = int
Move = tuple[int, int, int, int, int]

_KERNELS = "gridkit.cover.frontier.kernels.sparse"
_ENTRY = 200  # bytes that a dictionary entry with its two integers takes, roughly
_SMALL = 64  # cells
_SMALL_VISITS = 20_000  # about 20 ms


def plain_visits(run: Run, cold: int, warm: int) -> int:
    """Return how many states dictionaries are to move before kernels take over.

    Importing the kernels costs most of a second: `cold` says how many states are moved in that
    time, `warm` how many where the kernels are at hand.  That is a matter of speed only; where a
    limit makes the outcome depend on what is counted, nobody asks what is loaded.
    """
    if run.tier != "auto":
        return sys.maxsize if run.tier == "plain" else 0
    bounded = run.limit.nodes is not None or run.limit.memory is not None
    return warm if _KERNELS in sys.modules and not bounded else cold


def count_plain(instance: Instance, run: Run) -> int:
    """Count the coverings by sweeping over the cells with a dictionary of frontier states.

    Parameters
    ----------
    instance : Instance
        Any pieces, any bounds on copies, optional cells, any number of regions.
    run : Run
        The call.

    Returns
    -------
    int
        The exact number.  Time and memory grow with the number of states that occur, at most two
        to the power of the frontier's width times the number of ways to have used limited pieces.

    Notes
    -----
    The broken-profile form of the transfer-matrix method; regions that no placement joins are
    counted apart and multiplied when no piece is limited.

    Examples
    --------
    >>> pair = ((0, 0), (0, 1), (1, 0), (1, 1))
    >>> dominoes = ((0, (0, 1)), (0, (0, 2)), (0, (1, 3)), (0, (2, 3)))
    >>> count_plain(Instance(pair, dominoes, ((0, None),), frozenset()), Run())
    2
    """
    number = _count(instance, run, sys.maxsize)
    assert number is not None
    return number


def count_small(instance: Instance, run: Run) -> int | None:
    """Count as `count_plain` does, or return None when that takes more than some milliseconds.

    Also where copies are limited, or where somebody limits or watches the call.

    Examples
    --------
    >>> count_small(Instance(((0, 0),), ((0, (0,)),), ((0, None),), frozenset()), Run())
    1
    """
    if run.limit != Limit() or run.progress is not None or run.tier == "compiled":
        return None
    if len(instance.coordinates) > _SMALL or instance.limited:
        return None
    return _count(instance.unbounded(), run, _SMALL_VISITS)


def _count(instance: Instance, run: Run, most_visits: int) -> int | None:
    total, visits = 1, 0
    for sweep in planned(instance, run):
        for states in states_after(sweep):
            if not states:
                return 0
            visits += len(states)
            if visits > most_visits:
                return None
        total *= sum(ways for state, ways in states.items() if sweep.accepts(state))
    return total


def moves(step: Step, sweep: Sweep) -> list[Move]:
    """Return what a step may do, as tuples (mask, field, full, unit, overflow).

    A move applies to a state that meets none of `mask`.  `unit` is added to the state, but when
    the bits `field` equal `full` the move is refused (`overflow` < 0) or adds `overflow`.
    """
    by_piece = {counter.piece: counter for counter in sweep.counters}
    result = []
    for mask, piece, _ in step.choices:
        counter = by_piece.get(piece)
        if counter is None:
            result.append((mask, 0, -1, 0, -1))
        else:
            full = counter.full * counter.unit
            overflow = 0 if counter.saturates else -1
            result.append((mask, counter.field, full, counter.unit, overflow))
    return result


def states_after(sweep: Sweep) -> Iterator[dict[State, int]]:
    """Give the states and their numbers of ways before the first step and after every step."""
    states = {0: 1}
    yield states
    for step in sweep.steps:
        after: dict[State, int] = {}
        settle(states.items(), after, step, moves(step, sweep))
        states = after
        yield states


def settle(
    states: Iterable[tuple[State, int]], after: dict[State, int], step: Step, step_moves: list[Move]
) -> None:
    """Add to `after` what the step makes of each state."""
    known = after.get
    bit, optional, _ = step
    for state, ways in states:
        if state & bit:
            state ^= bit
            after[state] = known(state, 0) + ways
            continue
        if optional:
            after[state] = known(state, 0) + ways
        for mask, field, full, unit, overflow in step_moves:
            if state & mask:
                continue
            following = state | mask
            if state & field != full:
                following += unit
            elif overflow < 0:
                continue
            after[following] = known(following, 0) + ways


class PlainSweep(Work):
    """A sweep towards the last cell on a dictionary, as work in chunks.

    Attributes
    ----------
    step : int
        Cells settled so far.
    states : dict
        From the states after that step to their numbers of ways.
    """

    nodes = 0

    def __init__(self, sweep: Sweep, guard: MemoryGuard) -> None:
        self.sweep = sweep
        self.step = 0
        self.states: dict[State, int] = {0: 1}
        self._guard = guard
        self._after: dict[State, int] = {}
        self._rest: Iterator[tuple[State, int]] | None = None

    def memory(self) -> int:
        """Bytes held, roughly."""
        return _ENTRY * (len(self.states) + len(self._after))

    def advance(self, budget: int) -> bool:
        """Move about `budget` states; return whether the last cell is settled."""
        while self.step < len(self.sweep.steps):
            if self._rest is None:
                self._rest = iter(self.states.items())
            step = self.sweep.steps[self.step]
            step_moves = moves(step, self.sweep)
            while part := list(islice(self._rest, min(budget, 4096))):
                settle(part, self._after, step, step_moves)
                self.nodes += len(part)
                budget -= len(part)
                if budget <= 0:
                    self._guard.check(self.memory(), len(self._after))
                    return False
            self._guard.check(self.memory(), len(self._after))
            self.states, self._after, self._rest = self._after, {}, None
            self.step += 1
        return True
