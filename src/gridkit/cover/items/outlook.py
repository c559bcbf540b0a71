"""What a sweep over items would cost, from a short sweep with a sample of the states."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from gridkit.cover.items.exchange import Exchange, Swap, exchange
from gridkit.cover.items.kinds import Kinds
from gridkit.cover.items.order import best_order
from gridkit.cover.items.plan import Plan, lay_out
from gridkit.cover.items.sweep import settle
from gridkit.cover.items.symmetries import interchangeable, swaps
from gridkit.run import Run

__all__ = ["Outlook", "SweepEstimate", "look_ahead", "sampled"]

_SAMPLE = 200  # states kept a step
_MOVES = 40_000  # moves tried in all: beyond them the rest is estimated from frontier widths
_LONG = 10_000_000  # moves: some seconds at most
_LEAST_GAIN = 4  # exchanging states pays where it spares so many times the moves
_STATE_BYTES = 48  # of a state of one word: key, number of ways and place, in two buffers


@dataclass(frozen=True, slots=True)
class SweepEstimate:
    """What counting by a sweep over items is expected to take, rather too much than too little.

    Attributes
    ----------
    width : int
        Bits of the widest frontier.
    states : int
        The most states before a step.
    visits : int
        Options tried and states passed in all.
    memory : int
        Bytes.
    symmetries : int
        Exchanges of items by which states are merged; 0 where that does not pay.

    Examples
    --------
    >>> from itertools import combinations
    >>> import gridkit as gk
    >>> pairs = gk.ExactCover(combinations(range(40), 2))
    >>> pairs.advice().estimate.width
    40
    """

    width: int
    states: int
    visits: int
    memory: int
    symmetries: int


@dataclass(frozen=True, slots=True, eq=False)
class Outlook:
    """A sweep that is laid out.

    Attributes
    ----------
    plan : Plan
    symmetry : Exchange or None
    estimate : SweepEstimate
    count : int or None
        The number of solutions, where the sample held all states.
    """

    plan: Plan
    symmetry: Exchange | None
    estimate: SweepEstimate
    count: int | None


def look_ahead(kinds: Kinds, run: Run, *, thorough: bool) -> Outlook:
    """Lay out the sweep of a problem and estimate what it takes, with and without symmetries.

    Parameters
    ----------
    kinds : Kinds
        The problem.
    run : Run
        The call.
    thorough : bool
        Look for more symmetries than items that may be permuted at will where the sweep is long;
        that takes up to a second.
    """
    order = best_order(kinds, run)
    classes = interchangeable(kinds, run) if kinds.plain else []
    merged = _merged(kinds, order, classes, [], run)
    if merged is not None and merged.count is not None:
        return merged
    plain = sampled(lay_out(kinds, order, run), None, run)
    if plain.count is not None:
        return plain
    if thorough and kinds.plain and plain.estimate.visits > _LONG:
        apart = [item for items in classes for item in items]
        found = swaps(kinds, apart, run)
        if found:
            merged = _merged(kinds, order, classes, found, run)
    if merged is None or merged.estimate.visits * _LEAST_GAIN > plain.estimate.visits:
        return plain
    return merged


def _merged(
    kinds: Kinds, order: list[int], classes: list[list[int]], found: list[Swap], run: Run
) -> Outlook | None:
    """Return the sweep whose states are merged by symmetries, None without any."""
    if not classes and not found:
        return None
    plan = lay_out(kinds, order, run, fixed=True)
    return sampled(plan, exchange(classes, found, plan.positions), run)


def sampled(plan: Plan, symmetry: Exchange | None, run: Run) -> Outlook:
    """Estimate a sweep from a sample of its states.

    After each step some states are kept at random, and stand for all.  States that only many
    others lead to are met too rarely, so the estimate is rather too large; it is never above two
    to the power of the frontier.
    """
    chance = Random(1)
    states: dict[int, int] = {0: 1}
    scale, visits, peak, tried = 1.0, 0.0, 1.0, 0
    exact = True
    moves = _MOVES if symmetry is None or not symmetry.swaps else _MOVES // 20
    for step in plan.steps:
        run.check()
        after: dict[int, int] = {}
        tries = len(states) + settle(states.items(), after, step, symmetry)
        tried += tries
        visits += scale * tries
        states = after
        most = _SAMPLE if tried < moves else _SAMPLE // 10
        if len(states) > most and (not exact or tried > moves // 4):
            exact = False
            kept = chance.sample(list(states.items()), most)
            scale = min(scale * len(states) / most, 2.0**1000)
            states = dict(kept)
        bound = 2.0 ** min(plan.width, 1000)
        scale = min(scale, bound / max(1, len(states)))
        peak = max(peak, scale * len(states))
    words = 1 + plan.bits // 64
    estimate = SweepEstimate(
        plan.width,
        round(peak),
        round(visits),
        round(peak) * (_STATE_BYTES + 16 * words),
        0 if symmetry is None else len(symmetry.places),
    )
    count = states.get(plan.end, 0) << plan.free if exact else None
    return Outlook(plan, symmetry, estimate, count)
