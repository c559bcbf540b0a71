"""Shortest plans of sliding-block puzzles: chooses the searches, one after the other."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from gridkit.run import Run, Work
from gridkit.sliding.blocks.breadth import (
    BothEndsSearch,
    BreadthSearch,
    LayeredSpace,
    MoveSearch,
)
from gridkit.sliding.blocks.kernels.codes import FIRST, LAYER, NEVER
from gridkit.sliding.blocks.packing import Packing, packing_of
from gridkit.sliding.blocks.plain import PlainSpace
from gridkit.sliding.blocks.rails import PlainRailSpace, Rails, RailSearch, rails_of
from gridkit.sliding.blocks.rules import BlockMetric, Instance, Snapshot, Steps
from gridkit.sliding.blocks.steps import steps_of

__all__ = [
    "Bound",
    "Question",
    "Relay",
    "compiled_search",
    "lane_bound",
    "plain_search",
    "search_for",
    "solve",
]

# The version of the states in tokens.
_ENGINE = "sliding blocks 2"
# Loading numba and the cached kernels takes as long as Python takes for about so many states.
_PLAIN_STATES = 20_000
# Blocks times cells of the puzzles that Python begins with: a state of a larger one takes it long.
_PLAIN_WORK = 5000
# Beyond so many states, looked at after each `_LOOK` nodes, a search with a bound is quicker than
# one in breadth: 15 slides of Rush Hour among 541,934 states take 1.4 ms instead of 2.5 ms.
_BREADTH_STATES = 3000
_LOOK = 1024

# States that plain Python expanded in this process.  Once they are many, compiled code is loaded
# even for small puzzles: that decides how soon an answer comes, never which one.
_plain_states = [0]

Metrics = tuple[BlockMetric, ...]


class Question(NamedTuple):
    """What is asked of a puzzle.

    Attributes
    ----------
    instance : Instance
    metrics : tuple of str
        What is minimised, first things first: one metric or two.
    optimal : bool
        Whether the plan has to be a shortest one.
    tier : {"auto", "plain", "compiled"}
    """

    instance: Instance
    metrics: Metrics
    optimal: bool
    tier: str


def solve(question: Question, call: Callable[[], str], run: Run) -> Steps | None:
    """Return the steps of a plan, or None when there is none.

    Parameters
    ----------
    question : Question
    call : callable
        Returns the name of the call for its token; asked only when there is one, because to name
        a puzzle takes longer than many searches.
    run : Run
    """
    data = None if run.resume is None else run.resumed(call(), _ENGINE)
    relay = search_for(question, lambda: run.resumed(call(), _ENGINE), run.check)
    if not isinstance(relay, Relay):
        return [] if relay else None
    if isinstance(data, tuple):
        relay.restore(data)
    run.drive(relay)
    return relay.steps()


def search_for(
    question: Question,
    name_call: Callable[[], object] = lambda: None,
    check: Callable[[], None] = lambda: None,
) -> Relay | bool:
    """Return the search for a plan, or where it is clear at once whether the start is solved."""
    instance = question.instance
    rails = rails_of(instance, check=check) if len(question.metrics) == 1 else None
    if instance.is_solved(instance.places) if rails is None else rails.is_solved():
        return True
    if packing_of(instance, check).is_hopeless if rails is None else rails.goal is None:
        return False
    return Relay(question, rails, name_call)


class Relay(Work):
    """Searches that begin anew, each when the one before has reached too many states.

    At first a search in breadth: in plain Python where compiled code is not loaded yet, which it
    takes over from when that has expanded many states.  After some states a search with a bound
    follows, where there is one.  Plain and compiled search take the states in the same order, so
    the plan does not depend on what is loaded.
    """

    def __init__(
        self, question: Question, rails: Rails | None, name_call: Callable[[], object]
    ) -> None:
        self._question, self._rails, self._name_call = question, rails, name_call
        self._spent = 0
        self._looked = self._done = False
        is_plain = question.tier == "plain"
        if question.tier == "auto":
            kernels = "breadth" if rails is None else "rails"
            loaded = f"gridkit.sliding.blocks.kernels.{kernels}" in sys.modules
            blocks = len(question.instance.blocks)
            is_small = blocks * question.instance.free.bit_count() < _PLAIN_WORK
            is_plain = is_small and not loaded and _plain_states[0] < _PLAIN_STATES
        self._begin("plain" if is_plain else "compiled")

    def _begin(self, stage: str) -> None:
        instance, metrics = self._question.instance, self._question.metrics
        self._stage = stage
        self._work: MoveSearch | RailSearch
        if stage == "bounded":
            from gridkit.sliding.blocks.compiled.astar import BoundedSearch  # loads numba

            packing = packing_of(instance)
            bound = _bound(packing, self._question)
            assert bound is not None
            greedy = not self._question.optimal
            self._work = BoundedSearch(packing, metrics[0], *bound, greedy=greedy)
        elif self._rails is None:
            search = plain_search if stage == "plain" else compiled_search
            self._work = search(packing_of(instance), metrics)
        elif stage == "plain":
            self._work = RailSearch(PlainRailSpace(self._rails, metrics[0]))
        else:
            from gridkit.sliding.blocks.compiled.rails import RailSpace  # loads numba

            self._work = RailSearch(RailSpace(self._rails, metrics[0], FIRST))

    @property
    def nodes(self) -> int:
        """States expanded so far."""
        return self._spent + self._work.nodes

    @property
    def found(self) -> int:
        """States reached so far."""
        return self._work.found

    def fraction(self) -> float:
        """Return the part of the known states that is expanded, 0 before the last search."""
        return self._work.fraction() if self._looked or self._stage == "bounded" else 0.0

    def memory(self) -> int:
        """Return the bytes held."""
        return self._work.memory()

    def token(self) -> Snapshot:
        """Return the search, what was spent before it, and its states."""
        self._name_call()
        return self._stage, self._spent, self._looked, self._work.token()

    def restore(self, data: Snapshot) -> None:
        """Go on from a token."""
        stage, self._spent, self._looked, states = data
        self._begin(stage)
        self._work.restore(states)

    def steps(self) -> Steps | None:
        """Return the steps of the plan, once it is found."""
        if isinstance(self._work, RailSearch):
            return self._work.steps
        moves, question = self._work.moves, self._question
        if moves is None:
            return None
        return steps_of(packing_of(question.instance), moves, question.metrics)

    def advance(self, budget: int) -> bool:
        """Expand at most `budget` states; return whether the answer is known."""
        while budget > 0 and not self._done:
            if self._looked and self._stage != "plain":
                self._done = self._work.advance(budget)
                break
            before = self._work.nodes
            self._done = self._work.advance(min(budget, _LOOK - before % _LOOK))
            nodes = self._work.nodes
            if self._stage == "plain":
                _plain_states[0] += nodes - before
            if nodes % _LOOK:
                break  # complete, or the budget is spent, or these states had many children
            budget -= nodes - before
            if not self._done:
                self._look()
        return self._done

    def _look(self) -> None:
        """Let another search go on where that is quicker."""
        question, spent = self._question, self._spent + self._work.nodes
        following = None
        if question.tier != "plain" and not self._looked and self.found > _BREADTH_STATES:
            self._looked = True
            if _bound(packing_of(question.instance), question) is not None:
                following = "bounded"
        if following is None and self._stage == "plain" and question.tier == "auto":
            following = "compiled" if _plain_states[0] > _PLAIN_STATES else None
        if following is not None:
            self._spent = spent
            self._begin(following)


def plain_search(packing: Packing, metrics: Metrics) -> MoveSearch:
    """Return a search in breadth in plain Python, from both ends where the goal allows it."""

    def space(first: Sequence[int], stop: int, pause: bool) -> LayeredSpace:
        return PlainSpace(packing, metrics, first, stop, pause=pause)

    return _search(packing, metrics, space)


def compiled_search(
    packing: Packing, metrics: Metrics, *, wide: bool = False, both_ends: bool = True
) -> MoveSearch:
    """Return a search in breadth in compiled code, from both ends where the goal allows it."""
    from gridkit.sliding.blocks.compiled.breadth import Space  # loads numba
    from gridkit.sliding.blocks.compiled.tables import tables_of

    tables = tables_of(packing, wide=wide)

    def space(first: Sequence[int], stop: int, pause: bool) -> LayeredSpace:
        return Space(tables, metrics, first, stop, pause=pause)

    return _search(packing, metrics, space, both_ends)


def _search(
    packing: Packing,
    metrics: Metrics,
    space: Callable[[Sequence[int], int, bool], LayeredSpace],
    both_ends: bool = True,
) -> MoveSearch:
    goal = packing.goal_state
    if goal is not None and len(metrics) == 1 and both_ends:
        sides = (space(packing.start, NEVER, True), space(goal, NEVER, True))
        return BothEndsSearch(sides, packing)
    stop = FIRST if len(metrics) == 1 else LAYER
    return BreadthSearch(space(packing.start, stop, False), packing, metrics)


# -- bounds on the moves that are needed ------------------------------------------------------


class Bound(NamedTuple):
    """What a state needs at least, by its placements.

    Attributes
    ----------
    ray : dict of int to int
        Cells as bits: what covers one of them has to move.
    need : dict of int to int
        The moves that the block needs itself.
    """

    ray: Mapping[int, int]
    need: Mapping[int, int]


def _bound(packing: Packing, question: Question) -> Bound | None:
    """Return a bound for a search, or None where there is none."""
    greedy = not question.optimal and packing.fits_one_word
    if not greedy and len(question.metrics) > 1:
        return None
    bound = lane_bound(packing, question.metrics[0])
    return Bound({}, _distances_to_goal(packing)) if bound is None and greedy else bound


def lane_bound(packing: Packing, metric: BlockMetric) -> Bound | None:
    """Return the bound of puzzles like Rush Hour, or None for other puzzles.

    One block has to run along a lane to its end.  Every block in the lane ahead has to move at
    least once.  That changes by at most one in a move, so the first plan that A* finds with it is
    a shortest one.
    """
    if len(packing.goal) != 1 or len(packing.goal[0].pids) != 1 or packing.mirror is not None:
        return None
    goal = packing.goal[0].pids[0]
    kind = packing.kind_of[goal]
    near = packing.near
    if len(packing.kinds[kind].blocks) != 1 or not packing.fits_one_word:
        return None
    # The goal is at the end of a line of placements: one way leads on from it, straight.
    ways = [direction for direction in range(4) if near[goal][direction] >= 0]
    if len(ways) != 1:
        return None
    ray: dict[int, int] = {}
    need: dict[int, int] = {}
    cells, at = 0, goal
    while at >= 0:
        ray[at] = cells & ~packing.mask[at]
        need[at] = len(need) if metric == "step" else min(len(need), 1)
        cells |= packing.mask[at]
        at = near[at][ways[0]]
    if len(ray) != len(packing.kinds[kind].pids):
        return None
    lane = 0
    for ahead in ray.values():
        lane |= ahead
    start = packing.start[packing.kinds[kind].blocks[0]]
    for number, own in enumerate(packing.kinds):
        if number == kind:
            continue
        for pid in own.pids.values():
            if (packing.mask[pid] & lane).bit_count() > 1 and not _stays_behind(
                packing, number, ray[start], ways[0]
            ):
                return None
    return Bound(ray, need)


def _stays_behind(packing: Packing, kind: int, ray: int, way: int) -> bool:
    """Return whether blocks move along the lane only, and begin behind the one that runs."""
    own = packing.kinds[kind]
    across = [direction for direction in range(4) if direction // 2 != way // 2]
    return all(
        packing.near[pid][direction] < 0 for pid in own.pids.values() for direction in across
    ) and not any(packing.mask[packing.start[block]] & ray for block in own.blocks)


def _distances_to_goal(packing: Packing) -> dict[int, int]:
    """Return the steps from each placement to the nearest goal of its kind, on an empty board."""
    distances: dict[int, int] = {}
    goals_of: dict[int, list[int]] = {}
    for _, pids in packing.goal:
        for pid in pids:
            goals_of.setdefault(packing.kind_of[pid], []).append(pid)
    for goals in goals_of.values():
        distances.update(dict.fromkeys(goals, 0))
        queue = list(dict.fromkeys(goals))
        for at in queue:
            for reached in packing.near[at]:
                if reached >= 0 and reached not in distances:
                    distances[reached] = distances[at] + 1
                    queue.append(reached)
    return distances
