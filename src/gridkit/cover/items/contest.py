"""Counting by a search that hands over to what does not search.

A search tells how far it is, so what remains of it is known roughly at no cost.  Where that is so
much that laying out a sweep does not matter beside it, a sweep and a search that remembers begin,
and all take turns: each rival may spend a few times what the search has spent, and never more than
a small part of what remains of the search.  So a count takes little more than the better of them
alone would take, whatever the estimates are worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from gridkit.cover.frontier.memory import MemoryGuard, MemoryShort
from gridkit.cover.items.kinds import classify
from gridkit.cover.items.memo import MemoSearch
from gridkit.cover.items.outlook import SweepEstimate, look_ahead
from gridkit.cover.items.sweep import ItemSweep
from gridkit.cover.matrix import Matrix
from gridkit.cover.search.counting import (
    Counts,
    count_at_once,
    count_matrix,
    orbit_counts,
    product,
    tasks_of,
)
from gridkit.cover.search.relay import check_method
from gridkit.cover.search.tree import PARTS_ENGINE, Counting, Task, hardness
from gridkit.errors import Interrupted, LimitReached, UnsupportedError
from gridkit.run import Run, Work

__all__ = ["Contest", "CoverAdvice", "CoverMethod", "advise", "count_cover"]

CoverMethod = Literal["auto", "plain", "bitset", "sparse", "sweep", "memo"]

_FIRST_LOOK = 1 << 12  # nodes of a search before anybody asks what remains of it
# What laying out a sweep takes, in nodes of a search: in all, and for each item of each option.
_LAYOUT, _LAYOUT_ENTRY = 100_000, 50
_LATER = 8  # where little remains, how many times the nodes until the next look
_SYMMETRIES = 3_000_000  # the same for looking for all symmetries
_NEGLIGIBLE = 100  # what takes so many times less than what remains does not matter
_TURN = 4  # a rival may spend so many times what the search has spent,
_SHARE = 60  # but not more than this part of what remains of it
_MOVES_A_NODE = 5  # moves of a sweep in the time of a node: measured
_MEMO_A_NODE = 1 / 30  # the same for the search that remembers, which is not compiled
_PROBES = 50
_SHORT = 1_000_000  # nodes of a search that is not worth anything else
_MEMORY = 4 << 30


class Contest(Work):
    """Searches whose counts are combined, each with rivals that may be there before it.

    Parameters
    ----------
    search : Counts
        The searches; the value and the token are theirs.
    run : Run
        The call.
    """

    def __init__(self, search: Counts, run: Run) -> None:
        self._search, self._run = search, run
        self._rivals: list[_Rival] = []
        self._looks = 0
        self._next_look = _FIRST_LOOK
        self._known: Counting | None = None
        self._spent = 0

    @property
    def nodes(self) -> int:
        """Nodes of the searches, and what their rivals spent."""
        return self._search.nodes + self._spent

    @property
    def found(self) -> int:
        """Solutions found so far."""
        return self._search.found

    def value(self) -> int:
        """Return the result, a lower bound until the end."""
        return self._search.value()

    def token(self) -> tuple[object, ...]:
        """Return the state of the searches; rivals begin anew."""
        return self._search.token()

    def fraction(self) -> float:
        """Estimate the part done."""
        return max([self._search.fraction(), *(rival.work.fraction() for rival in self._rivals)])

    def memory(self) -> int:
        """Bytes held."""
        return self._search.memory() + sum(rival.work.memory() for rival in self._rivals)

    def advance(self, budget: int) -> bool:
        """Spend about `budget` nodes; True at the end."""
        while budget > 0:
            current = self._search.current
            if current is None:
                return True
            task, counting = current
            if counting is not self._known:
                self._known, self._rivals, self._looks = counting, [], 0
                self._next_look = counting.nodes + _FIRST_LOOK
            before = self.nodes
            rival = next((rival for rival in self._rivals if rival.allowed > 0), None)
            if rival is not None:
                self._let(rival, task, budget)
            elif counting.nodes >= self._next_look:
                self._look(task, counting)
            else:
                self._search.advance(min(budget, self._next_look - counting.nodes))
            budget -= max(1, self.nodes - before)
        return self._search.current is None

    def _let(self, rival: _Rival, task: Task, budget: int) -> None:
        """Let a rival spend a part of what it may."""
        before = rival.work.nodes
        try:
            done = rival.work.advance(min(budget, rival.allowed))
        except MemoryShort:
            self._rivals.remove(rival)
            return
        spent = rival.work.nodes - before
        self._spent += spent
        rival.allowed -= max(1, spent)
        if done:
            self._search.settle(rival.work.count() * task.roots[0][1])

    def _look(self, task: Task, counting: Counting) -> None:
        """See what remains of the search, and give its rivals their turn where that is much."""
        nodes, fraction = counting.nodes, counting.fraction()
        self._next_look = 2 * nodes
        remaining = nodes * (1 - fraction) / max(fraction, 1e-300)
        entries = sum(map(len, task.matrix.options))
        if remaining < _NEGLIGIBLE * (_LAYOUT + _LAYOUT_ENTRY * entries):
            self._looks = 0
            self._next_look = _LATER * nodes
            return
        self._looks += 1
        if self._looks < 2:  # a search that has just begun is often wrong about itself
            return
        if self._looks == 2 and len(task.roots) == 1 and task.roots[0][0] == ():
            try:
                self._enter(task, remaining)
            except (LimitReached, Interrupted):  # told again by the run, with what was found
                return
        share = min(remaining / _SHARE, float(_TURN * nodes))
        for rival in self._rivals:
            rival.allowed = int(share * rival.speed) - rival.work.nodes

    def _enter(self, task: Task, remaining: float) -> None:
        """Lay out the rivals of a search."""
        kinds = classify(task.matrix, self._run)
        thorough = remaining > _NEGLIGIBLE * _SYMMETRIES
        outlook = look_ahead(kinds, self._run, thorough=thorough)
        if outlook.count is not None and self._run.tier != "compiled":
            self._search.settle(outlook.count * task.roots[0][1])
            return
        sweep = ItemSweep(outlook.plan, self._run, outlook.symmetry)
        self._rivals.append(_Rival(sweep, _MOVES_A_NODE))
        if task.matrix.plain:
            self._rivals.append(_Rival(MemoSearch(task.matrix, self._run), _MEMO_A_NODE))


@dataclass(slots=True)
class _Rival:
    """Another way to count what a search counts."""

    work: ItemSweep | MemoSearch
    speed: float
    """Its nodes in the time of a node of the search."""
    allowed: int = 0
    """Nodes that it may spend in this turn."""


def count_cover(
    matrix: Matrix,
    run: Run,
    *,
    method: str = "auto",
    orbits_under: Sequence[Sequence[int]] | None = None,
    call: str = "count",
) -> int:
    """Count the solutions, or their orbits under a group of permutations of the options.

    Parameters
    ----------
    matrix : Matrix
        The problem.
    run : Run
        The call.
    method : str
        See `ExactCover.count`.
    orbits_under : sequence of permutations, optional
        A group of permutations of the options.
    call : str
        The public call, for its tokens.
    """
    check_method(method, get_args(CoverMethod))
    if method in ("sweep", "memo"):
        what = f"method {method!r}"
        run.without_resume(what)
        run.without_parts(what)
        if orbits_under is not None:
            raise UnsupportedError(f"{what} does not count up to symmetry")
        return _count_without_search(tasks_of(matrix, "auto", run), method, run)
    if method != "auto" or run.in_parts or run.resumed_engine == PARTS_ENGINE:
        return count_matrix(matrix, run, method=method, orbits_under=orbits_under, call=call)
    if orbits_under is None:
        counted = count_at_once(matrix, run)
        if counted is not None:
            return counted
        search = product(tasks_of(matrix, method, run), run, call)
    else:
        search = orbit_counts(matrix, orbits_under, run, method=method, call=call)
    contest = Contest(search, run)
    run.drive(contest)
    return contest.value()


def _count_without_search(tasks: Sequence[Task], method: str, run: Run) -> int:
    total = 1
    for task in tasks:
        for _, weight in task.roots:
            work: ItemSweep | MemoSearch
            if method == "memo":
                work = MemoSearch(task.matrix, run)
            else:
                kinds = classify(task.matrix, run)
                if not kinds.possible:
                    return 0
                outlook = look_ahead(kinds, run, thorough=True)
                if outlook.count is not None and run.tier != "compiled":
                    total *= outlook.count * weight
                    continue
                work = ItemSweep(outlook.plan, run, outlook.symmetry)
            run.drive(work)
            total *= work.count() * weight
        if not task.roots:
            return 0
    return total


@dataclass(frozen=True, slots=True)
class CoverAdvice:
    """How ``count()`` is expected to get its answer.

    Attributes
    ----------
    method : {"search", "sweep"}
    reason : str
    nodes : float
        Estimated nodes of the search.
    estimate : SweepEstimate or None
        What a sweep over the items would take; None where the search is short.

    Examples
    --------
    >>> import gridkit as gk
    >>> gk.ExactCover([[0], [1], [0, 1]]).advice().method
    'search'
    """

    method: Literal["search", "sweep"]
    reason: str
    nodes: float
    estimate: SweepEstimate | None

    def __str__(self) -> str:
        return f"{self.method}: {self.reason}"


def advise(matrix: Matrix, run: Run) -> CoverAdvice:
    """Estimate a search from random descents, and a sweep from a sample of its states.

    Parameters
    ----------
    matrix : Matrix
        The problem.
    run : Run
        The call.
    """
    nodes = hardness(matrix, _PROBES, 0).nodes
    if nodes < _SHORT:
        return CoverAdvice("search", f"about {nodes:,.0f} nodes", nodes, None)
    kinds = classify(matrix, run)
    estimate = look_ahead(kinds, run, thorough=nodes > _NEGLIGIBLE * _SYMMETRIES).estimate
    merged = ", merged by symmetries of the items" if estimate.symmetries else ""
    states = "1 state" if estimate.states == 1 else f"{_rounded(estimate.states)} states"
    size = f"at most about {states} a step{merged}"
    if estimate.memory > MemoryGuard(run).allowed:
        reason = (
            f"a sweep may take {size}, which may not fit into memory; it is tried none the less"
        )
        return CoverAdvice("search", reason, nodes, estimate)
    if estimate.visits > nodes * _MOVES_A_NODE:
        reason = f"about {_rounded(round(nodes))} nodes are fewer than a sweep of {size} takes"
        return CoverAdvice("search", reason, nodes, estimate)
    reason = f"{size}, against about {_rounded(round(nodes))} nodes of a search"
    return CoverAdvice("sweep", reason, nodes, estimate)


def _rounded(number: int) -> str:
    if number < 10_000:
        return str(number)
    return f"{float(number):.1e}" if number < 1 << 900 else "no end of"
