"""The plain tier of the frontier engine: a dictionary from states to numbers of ways.

Nothing here imports numpy or numba: a board of a few dozen cells is counted in milliseconds of
plain Python, with Python's exact integers, and the compiled engine is checked against it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from gridkit.cover.frontier.order import plan_sweeps
from gridkit.cover.frontier.sweep import Step, Sweep
from gridkit.cover.instance import Instance

__all__ = ["State", "count_profile", "count_small", "moves", "settle", "states_after"]

State = int
Move = tuple[int, int, int, int, int]


def count_profile(instance: Instance) -> int:
    """Count the coverings by sweeping over the cells with a dictionary of frontier states.

    Parameters
    ----------
    instance : Instance
        Any pieces, any bounds on copies, optional cells, any number of regions.

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
    >>> count_profile(Instance(pair, dominoes, ((0, None),), frozenset()))
    2
    """
    return _count(instance, math.inf)  # type: ignore[return-value]  # None only beyond a bound


def count_small(instance: Instance, most_visits: int = 20_000) -> int | None:
    """Count as `count_profile` does, or return None when it takes more than some states.

    Parameters
    ----------
    instance : Instance
        As for `count_profile`; more than 64 cells are left to other engines at once.
    most_visits : int
        How many states may be moved in all: 20,000 take about 20 ms.

    Examples
    --------
    >>> count_small(Instance(((0, 0),), ((0, (0,)),), ((0, None),), frozenset()))
    1
    """
    if len(instance.coordinates) > 64:
        return None
    return _count(instance, most_visits)


def _count(instance: Instance, most_visits: float) -> int | None:
    total, visits = 1, 0
    for sweep in plan_sweeps(instance):
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
