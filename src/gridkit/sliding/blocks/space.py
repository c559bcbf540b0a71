"""The whole state space of a sliding-block puzzle: size, diameter, hardest starts, solutions."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gridkit.errors import InputError, LimitReached
from gridkit.grid.cell import Cell
from gridkit.run.control import Limit, ProgressCallback, drive
from gridkit.sliding.blocks.rails import Rails, rails_of
from gridkit.sliding.blocks.search import BlockMetric, Token, checked_metrics, continued

if TYPE_CHECKING:
    import networkx

    from gridkit.sliding.blocks.breadth import Space
    from gridkit.sliding.blocks.eccentricity import Extremes
    from gridkit.sliding.blocks.puzzle import SlidingPuzzle
    from gridkit.sliding.blocks.rail_search import RailSpace

__all__ = ["StateSpace", "explore", "to_networkx"]

I32 = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class StateSpace:
    """What there is to reach from a start, in one metric; interchangeable blocks are merged.

    Attributes
    ----------
    puzzle : SlidingPuzzle
    metric : str
        How moves are counted; sizes do not depend on it, all distances do.
    states, goal_states : int
        States that can be reached, and those among them that meet the goal.
    edges : int
        Pairs (state, state one move later): each way is counted once.
    distance : int or None
        Length of a shortest solution from the start; None when there is none.
    solutions : int
        Number of shortest solutions, as sequences of states.
    eccentricity : int
        Distance from the start to the state farthest from it.
    diameter, radius : int or None
        Largest and smallest eccentricity of any state; None when not asked for.
    hardest_distance : int or None
        Largest distance of a state from the goal; None when no goal state can be reached.
    seconds : float
        Wall-clock time it took.
    """

    puzzle: SlidingPuzzle
    metric: BlockMetric
    states: int
    goal_states: int
    edges: int
    distance: int | None
    solutions: int
    eccentricity: int
    diameter: int | None
    radius: int | None
    hardest_distance: int | None
    seconds: float
    _distances: I32 = field(repr=False, compare=False)
    _keys: NDArray[np.uint64] = field(repr=False, compare=False)
    _rails: Rails | None = field(repr=False, compare=False)

    def at_distance(self, distance: int) -> Iterator[SlidingPuzzle]:
        """Iterate over the puzzles whose start is exactly so far from the goal.

        Examples
        --------
        >>> from gridkit.sliding.blocks.puzzle import SlidingPuzzle
        >>> space = SlidingPuzzle.parse("A..", goal={"A": (0, 2)}).explore()
        >>> [puzzle.draw(puzzle.places) for puzzle in space.at_distance(1)]
        ['.A.']
        """
        for number in np.flatnonzero(self._distances == distance).tolist():
            yield self._puzzle_at(number)

    def hardest(self) -> tuple[SlidingPuzzle, ...]:
        """Return the puzzles with the starts that are farthest from the goal."""
        if self.hardest_distance is None:
            return ()
        return tuple(self.at_distance(self.hardest_distance))

    def random_start(
        self, least: int, greatest: int, chance: random.Random
    ) -> SlidingPuzzle | None:
        """Return the puzzle with a random start at such a distance from the goal, or None.

        Every state at a suitable distance is equally likely.
        """
        within = (self._distances >= least) & (self._distances <= greatest)
        numbers = np.flatnonzero(within).tolist()
        if not numbers:
            return None
        return self._puzzle_at(chance.choice(numbers))

    def _puzzle_at(self, number: int) -> SlidingPuzzle:
        return self.puzzle.moved(_places(self.puzzle, self._rails, self._keys[number]))

    def histogram(self) -> tuple[int, ...]:
        """Return the number of states at each distance 0, 1, 2, ... from the goal."""
        reached = self._distances[self._distances >= 0]
        return tuple(np.bincount(reached).tolist())


def explore(
    puzzle: SlidingPuzzle,
    metric: object = "step",
    *,
    diameter: bool = True,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
    resume: object = None,
) -> StateSpace:
    """Explore everything that can be reached; see `SlidingPuzzle.explore`.

    Parameters
    ----------
    puzzle : SlidingPuzzle
    metric : {"step", "slide", "move"}
    diameter : bool
        Whether to measure diameter and radius, which takes many searches of the whole space.
    limit, progress, resume
        As in `SlidingPuzzle.solve`; a node is a state expanded, linked or passed by a later
        search.

    Notes
    -----
    Diameter and radius by bounds on eccentricities (see `gridkit.sliding.blocks.eccentricity`): few
    searches decide most spaces, and many states are searched from at once in the others.
    """
    metrics = checked_metrics(metric)
    if len(metrics) != 1:
        raise InputError(f"explore: metric must be a single metric, got {metric!r}")
    begun = time.perf_counter()
    call = (puzzle, metrics[0], diameter)
    if resume is None:
        work = _Exploration(puzzle, metrics[0], diameter)
    else:
        work = continued(resume, call, _Exploration)
    drive(work, limit=limit, progress=progress)
    reached = int(work.to_goal[0])
    return StateSpace(
        puzzle=puzzle,
        metric=metrics[0],
        states=work.size,
        goal_states=work.goals,
        edges=int(work.offsets[-1]),
        distance=reached if reached >= 0 else None,
        solutions=work.solutions(),
        eccentricity=work.eccentricity,
        diameter=work.diameter if diameter else None,
        radius=work.radius if diameter else None,
        hardest_distance=work.hardest if work.goals else None,
        seconds=time.perf_counter() - begun,
        _distances=work.to_goal,
        _keys=work.keys,
        _rails=work.rails,
    )


def space_of(puzzle: SlidingPuzzle, rails: Rails | None, metric: str) -> Space | RailSpace:
    """Return the space of all states that can be reached, none of them expanded yet."""
    if rails is not None:
        from gridkit.sliding.blocks import rail_search

        return rail_search.RailSpace(rails, metric, rail_search.NEVER)
    from gridkit.sliding.blocks.breadth import NEVER, Space
    from gridkit.sliding.blocks.tables import tables_of

    packing = puzzle.packing
    tables = tables_of(packing, mirror=False)
    return Space(tables, metric, [packing.key(packing.start)], NEVER)


class _Exploration:
    """Collects the states, links them, then measures; see `gridkit.run.control.Resumable`."""

    def __init__(self, puzzle: SlidingPuzzle, metric: str, diameter: bool) -> None:
        self._call = (puzzle, metric, diameter)
        self.rails = rails_of(puzzle, mirror=False)
        self._space = space_of(puzzle, self.rails, metric)
        self._measure = diameter
        self._searched = 0
        self._stage = self._collect
        self._extremes: Extremes | None = None
        self.diameter = self.radius = self.eccentricity = self.hardest = self.goals = 0

    @property
    def size(self) -> int:
        return self._space.size

    @property
    def keys(self) -> NDArray[np.uint64]:
        return self._space.states()

    @property
    def nodes(self) -> int:
        return self._space.expanded + self._searched

    @property
    def found(self) -> int:
        return self._space.size

    def fraction(self) -> float:
        return 0.5 if self._stage == self._collect else 0.9

    def memory(self) -> int:
        if self._stage == self._collect:
            return self._space.nbytes
        links = self.targets.nbytes + 4 * 8 * self.size
        more = self._extremes.memory() if self._extremes is not None else 0
        return self._space.nbytes + links + more

    def value(self) -> object:
        return None

    def token(self) -> Token:
        return Token(self._call, self)

    def advance(self, budget: int) -> bool:
        return self._stage(budget)

    def _collect(self, budget: int) -> bool:
        if self._space.advance(budget):
            self.offsets = np.zeros(self.size + 1, dtype=np.int64)
            self.targets = np.empty(0, dtype=np.int32)
            self._cursor = np.zeros(2, dtype=np.int64)
            self._stage = self._link
        return False

    def _link(self, budget: int) -> bool:
        before = int(self._cursor[0])
        done, self.targets = self._space.link(self._cursor, self.offsets, self.targets, budget)
        self._searched += int(self._cursor[0]) - before
        if done:
            self.targets = self.targets[: int(self.offsets[-1])]
            from gridkit.sliding.blocks.eccentricity import Breadth

            self._breadth = Breadth(self.offsets, self.targets)
            goals = np.flatnonzero(self._space.goal_flags())
            self.goals = len(goals)
            self._breadth.begin(goals)
            self._stage = self._from_goals
        return False

    def _from_goals(self, budget: int) -> bool:
        if self._breadth_is_done(budget):
            self.hardest, self.to_goal = self._breadth.farthest, self._breadth.distance
            self._breadth.begin(np.array([0]))
            self._stage = self._from_start
        return False

    def _breadth_is_done(self, budget: int) -> bool:
        before = self._breadth.searched
        done = self._breadth.advance(budget)
        self._searched += self._breadth.searched - before
        return done

    def _from_start(self, budget: int) -> bool:
        if not self._breadth_is_done(budget):
            return False
        self.eccentricity = self._breadth.farthest
        if not self._measure:
            return True
        from gridkit.sliding.blocks.eccentricity import Extremes

        self._extremes = Extremes(self.offsets, self.targets)
        self._stage = self._bound
        return False

    def _bound(self, budget: int) -> bool:
        """Search on until the extreme eccentricities are known."""
        assert self._extremes is not None
        before = self._extremes.searched
        done = self._extremes.advance(budget)
        self._searched += self._extremes.searched - before
        self.diameter, self.radius = self._extremes.diameter, self._extremes.radius
        return done

    def solutions(self) -> int:
        """Count the shortest solutions."""
        from gridkit.sliding.blocks.kernels import graph as search_graph

        distance = self.to_goal
        if distance[0] < 0:
            return 0
        within = np.flatnonzero((distance >= 0) & (distance <= distance[0]))
        order = within[np.argsort(-distance[within], kind="stable")].astype(np.int32)
        ways = np.zeros(self.size, dtype=np.uint64)
        ways[0] = 1
        if search_graph.count_ways(self.offsets, self.targets, order, distance, ways) == 0:
            return sum(ways[distance == 0].tolist())
        return self._count_exactly(order)

    def _count_exactly(self, order: I32) -> int:
        """Do what the kernel does in Python's unbounded ints."""
        distance = self.to_goal
        ways = {0: 1}
        total = 0
        for state in order.tolist():
            own = ways.pop(state, 0)
            if distance[state] == 0:
                total += own
            elif own:
                for reached in self.targets[self.offsets[state] : self.offsets[state + 1]].tolist():
                    if distance[reached] == distance[state] - 1:
                        ways[reached] = ways.get(reached, 0) + own
        return total


def _places(puzzle: SlidingPuzzle, rails: Rails | None, words: object) -> list[Cell]:
    """Return the blocks' reference cells in a packed state."""
    key = 0
    for number, word in enumerate(np.atleast_1d(np.asarray(words, dtype=np.uint64)).tolist()):
        key |= word << (64 * number)
    if rails is not None:
        return rails.places(key)
    packing = puzzle.packing
    taken: dict[int, list[int]] = {}
    for pid in sorted(packing.unpack(key)):
        taken.setdefault(packing.kind_of[pid], []).append(pid)
    places = [Cell(0, 0)] * len(packing.start)
    for kind, pids in taken.items():
        for block, pid in zip(packing.kinds[kind].blocks, pids, strict=True):
            places[block] = Cell(*divmod(packing.ref[pid], packing.cols))
    return places


def to_networkx(puzzle: SlidingPuzzle, metric: object, max_states: int) -> networkx.Graph:
    """Build the graph of a small state space; see `SlidingPuzzle.to_networkx`."""
    import networkx

    metrics = checked_metrics(metric)
    if len(metrics) != 1:
        raise InputError(f"to_networkx: metric must be a single metric, got {metric!r}")
    if type(max_states) is not int or max_states < 1:
        raise InputError(f"to_networkx: max_states must be an int >= 1, got {max_states!r}")
    work = _Exploration(puzzle, metrics[0], diameter=False)
    done = False
    while not done:
        done = work.advance(1 << 16)
        if work.size > max_states:
            raise LimitReached(f"more than {max_states} states", work.size)
    pictures = [puzzle.draw(_places(puzzle, work.rails, key)) for key in work.keys]
    graph = networkx.Graph()
    for number, picture in enumerate(pictures):
        graph.add_node(picture, goal=bool(work.to_goal[number] == 0))
    for number, picture in enumerate(pictures):
        for reached in work.targets[work.offsets[number] : work.offsets[number + 1]].tolist():
            graph.add_edge(picture, pictures[reached])
    return graph
