"""The whole state space of a sliding-block puzzle: size, diameter, hardest starts, solutions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic

import numpy as np
from numpy.typing import NDArray

from gridkit.errors import LimitReached
from gridkit.run import Limit, ProgressCallback, Run, Work
from gridkit.sliding.blocks.compiled.eccentricity import Breadth, Extremes
from gridkit.sliding.blocks.compiled.rails import space_of
from gridkit.sliding.blocks.graphs.reader import KeyReader, Puzzle
from gridkit.sliding.blocks.graphs.state_graph import StateGraph, graph_of
from gridkit.sliding.blocks.kernels import graph
from gridkit.sliding.blocks.kernels.codes import CHILDREN
from gridkit.sliding.blocks.packing import packing_of
from gridkit.sliding.blocks.rails import rails_of
from gridkit.sliding.blocks.rules import BlockMetric, Instance
from gridkit.sliding.blocks.space_picture import DrawnSpace
from gridkit.sliding.blocks.text import draw_text

if TYPE_CHECKING:
    import networkx

__all__ = ["Exploration", "StateSpace", "explore", "to_networkx"]

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]

# The version of the states in tokens.
_ENGINE = "sliding space 2"


@dataclass(frozen=True, slots=True)
class StateSpace(DrawnSpace, Generic[Puzzle]):
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

    Examples
    --------
    >>> import gridkit as gk
    >>> space = gk.SlidingPuzzle.parse("A..", goal={"A": (0, 2)}).explore()
    >>> space.states, space.histogram()
    (3, (1, 1, 1))
    """

    puzzle: Puzzle
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
    seconds: float = field(compare=False)
    _distances: I32 = field(repr=False, compare=False)
    _keys: NDArray[np.uint64] = field(repr=False, compare=False)
    _reader: KeyReader = field(repr=False, compare=False)

    def at_distance(self, distance: int) -> Iterator[Puzzle]:
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

    def hardest(self) -> tuple[Puzzle, ...]:
        """Return the puzzles with the starts that are farthest from the goal."""
        if self.hardest_distance is None:
            return ()
        return tuple(self.at_distance(self.hardest_distance))

    def _random_start(self, least: int, greatest: int, rng: np.random.Generator) -> Puzzle | None:
        """Return the puzzle with a random start at such a distance from the goal, or None.

        Every state at a suitable distance is equally likely.
        """
        numbers = np.flatnonzero((self._distances >= least) & (self._distances <= greatest))
        return self._puzzle_at(int(rng.choice(numbers))) if len(numbers) else None

    def _puzzle_at(self, number: int) -> Puzzle:
        return self.puzzle.moved(self._reader.places(self._keys[number]))

    def histogram(self) -> tuple[int, ...]:
        """Return the number of states at each distance 0, 1, 2, ... from the goal."""
        reached = self._distances[self._distances >= 0]
        return tuple(np.bincount(reached).tolist())

    def graph(
        self, *, limit: Limit | None = None, progress: ProgressCallback | None = None
    ) -> StateGraph[Puzzle]:
        """Return the space as a graph: neighbours, distances, all shortest plans, other formats.

        The space is explored once more, since its edges take several times the memory of its
        states; a call cut short cannot be continued.

        Examples
        --------
        >>> import gridkit as gk
        >>> graph = gk.SlidingPuzzle.parse("A..", goal={"A": (0, 2)}).explore().graph()
        >>> graph.states, graph.edges
        (3, 4)
        """
        with Run(limit=limit, progress=progress) as run:
            work = Exploration(self._reader.instance, self.metric, False, run.check)
            run.drive(work)
            links = work.offsets, work.targets, work.to_goal
            return graph_of(self.puzzle, self.metric, links, self._keys, self._reader)


def explore(
    puzzle: Puzzle,
    instance: Instance,
    metric: BlockMetric,
    diameter: bool,
    run: Run,
    *,
    call: Callable[[], str] | None = None,
    at_most: int | None = None,
) -> StateSpace[Puzzle] | None:
    """Explore everything that can be reached; None where that takes more than `at_most` nodes.

    Parameters
    ----------
    puzzle : SlidingPuzzle
        What the result is of; it is not looked at.
    instance : Instance
        Its plain data.
    metric : {"step", "slide", "move"}
    diameter : bool
        Whether to measure diameter and radius, which takes many searches of the whole space.
    run : Run
        A node is a state expanded, linked or passed by a later search.
    call : callable, optional
        Returns the name of the call for its token; without it there is none.
    at_most : int, optional
        Nodes after which to give up.

    Notes
    -----
    Diameter and radius by bounds on eccentricities (see
    `gridkit.sliding.blocks.compiled.eccentricity`): few searches decide most spaces, and many
    states are searched from at once in the others.
    """
    if call is None:
        work = Exploration(instance, metric, diameter, run.check)
    else:
        name = call
        data = None if run.resume is None else run.resumed(name(), _ENGINE)
        work = Exploration(
            instance, metric, diameter, run.check, lambda: run.resumed(name(), _ENGINE)
        )
        if isinstance(data, dict):
            work.restore(data)
    if not run.drive(work, at_most=at_most):
        return None
    reached = int(work.to_goal[0])
    return StateSpace(
        puzzle=puzzle,
        metric=metric,
        states=work.size,
        goal_states=work.goals,
        edges=int(work.offsets[-1]),
        distance=reached if reached >= 0 else None,
        solutions=work.solutions,
        eccentricity=work.eccentricity,
        diameter=work.extremes.diameter if work.extremes is not None else None,
        radius=work.extremes.radius if work.extremes is not None else None,
        hardest_distance=work.hardest if work.goals else None,
        seconds=run.seconds(),
        _distances=work.to_goal,
        _keys=work.space.states(),
        _reader=work.reader,
    )


class Exploration(Work):
    """Collects the states, links them, then measures."""

    def __init__(
        self,
        instance: Instance,
        metric: BlockMetric,
        diameter: bool,
        check: Callable[[], None],
        name_call: Callable[[], object] | None = None,
    ) -> None:
        rails = rails_of(instance, mirror=False)
        if rails is None:
            packing_of(instance, check)
        check()
        self.reader = KeyReader(instance, rails)
        self._name_call = name_call
        self.space = space_of(instance, rails, metric)
        self._measure = diameter
        self._searched = 0
        self._stage = "collect"
        self.offsets: I64 = np.zeros(1, dtype=np.int64)
        self.targets: I32 = np.empty(0, dtype=np.int32)
        self.to_goal: I32 = np.empty(0, dtype=np.int32)
        self._cursor = np.zeros(2, dtype=np.int64)
        self._breadth: Breadth | None = None
        self.extremes: Extremes | None = None
        self._order: I32 = np.empty(0, dtype=np.int32)
        self._ways: NDArray[np.uint64] = np.empty(0, dtype=np.uint64)
        self._exact: dict[int, int] = {}
        self._counted = self.solutions = 0
        self.eccentricity = self.hardest = self.goals = 0

    @property
    def size(self) -> int:
        """Number of states reached."""
        return self.space.size

    @property
    def nodes(self) -> int:
        """States expanded, linked, or passed by a later search."""
        return self.space.expanded + self._searched

    @property
    def found(self) -> int:
        """Number of states reached."""
        return self.space.size

    def fraction(self) -> float:
        """Estimate the part that is done, roughly."""
        return 0.5 if self._stage == "collect" else 0.9

    def memory(self) -> int:
        """Return the bytes held by the states and their links."""
        if self._stage == "collect":
            return self.space.nbytes
        links = self.targets.nbytes + 4 * 8 * self.size
        more = self.extremes.memory() if self.extremes is not None else 0
        return self.space.nbytes + links + more

    def token(self) -> dict[str, Any] | None:
        """Return the state as plain data; None where the call cannot be continued."""
        if self._name_call is None:
            return None
        self._name_call()
        works = {
            "space": self.space.snapshot(),
            "_breadth": None if self._breadth is None else self._breadth.snapshot(),
            "extremes": None if self.extremes is None else self.extremes.snapshot(),
        }
        kept = {name: value for name, value in vars(self).items() if name not in _MADE_ANEW}
        return kept | works

    def restore(self, data: dict[str, Any]) -> None:
        """Go on from what `token` returned."""
        self.space.restore(data.pop("space"))
        breadth, extremes = data.pop("_breadth"), data.pop("extremes")
        vars(self).update(data)
        if breadth is not None:
            self._breadth = Breadth(self.offsets, self.targets)
            self._breadth.restore(breadth)
        if extremes is not None:
            self.extremes = Extremes(self.offsets, self.targets)
            self.extremes.restore(extremes)

    def advance(self, budget: int) -> bool:
        """Go on with the stage that is due; return whether all is measured."""
        if self._stage not in ("collect", "link"):  # by the neighbours that a state has
            budget = max(1, CHILDREN * budget // max(CHILDREN, len(self.targets) // self.size))
        stages: dict[str, Callable[[int], str]] = {
            "collect": self._collect,
            "link": self._link,
            "goals": self._from_goals,
            "start": self._from_start,
            "count": self._count,
            "count exactly": self._count_exactly,
            "extremes": self._bound,
            "done": lambda _: "done",
        }
        self._stage = stages[self._stage](budget)
        return self._stage == "done"

    def _collect(self, budget: int) -> str:
        if not self.space.advance(budget):
            return "collect"
        self.offsets = np.zeros(self.size + 1, dtype=np.int64)
        return "link"

    def _link(self, budget: int) -> str:
        before = int(self._cursor[0])
        done, self.targets = self.space.link(self._cursor, self.offsets, self.targets, budget)
        self._searched += int(self._cursor[0]) - before
        if not done:
            return "link"
        self.targets = self.targets[: int(self.offsets[-1])]
        goals = np.flatnonzero(self.space.goal_flags())
        self.goals = len(goals)
        self._breadth = Breadth(self.offsets, self.targets)
        self._breadth.begin(goals)
        return "goals"

    def _search(self, budget: int) -> Breadth | None:
        """Go on with the search in breadth; return it when it is complete."""
        breadth = self._breadth
        assert breadth is not None
        before = breadth.searched
        done = breadth.advance(budget)
        self._searched += breadth.searched - before
        return breadth if done else None

    def _from_goals(self, budget: int) -> str:
        breadth = self._search(budget)
        if breadth is None:
            return "goals"
        self.hardest, self.to_goal = breadth.farthest, breadth.distance
        breadth.begin(np.array([0]))
        return "start"

    def _from_start(self, budget: int) -> str:
        breadth = self._search(budget)
        if breadth is None:
            return "start"
        self.eccentricity = breadth.farthest
        distance = self.to_goal
        if distance[0] < 0:
            return self._measures()
        within = np.flatnonzero((distance >= 0) & (distance <= distance[0]))
        self._order = within[np.argsort(-distance[within], kind="stable")].astype(np.int32)
        self._ways = np.zeros(self.size, dtype=np.uint64)
        self._ways[0] = 1
        return "count"

    def _count(self, budget: int) -> str:
        """Count the shortest solutions."""
        chunk = self._order[self._counted : self._counted + budget]
        if graph.count_ways(self.offsets, self.targets, chunk, self.to_goal, self._ways):
            self._counted, self._exact = 0, {0: 1}
            return "count exactly"
        self._counted += len(chunk)
        self._searched += len(chunk)
        if self._counted < len(self._order):
            return "count"
        self.solutions = sum(self._ways[self.to_goal == 0].tolist())
        return self._measures()

    def _count_exactly(self, budget: int) -> str:
        """Do what the kernel does in Python's unbounded ints."""
        distance, ways = self.to_goal, self._exact
        chunk = self._order[self._counted : self._counted + budget]
        for state in chunk.tolist():
            own = ways.pop(state, 0)
            if distance[state] == 0:
                self.solutions += own
            elif own:
                for reached in self.targets[self.offsets[state] : self.offsets[state + 1]].tolist():
                    if distance[reached] == distance[state] - 1:
                        ways[reached] = ways.get(reached, 0) + own
        self._counted += len(chunk)
        self._searched += len(chunk)
        return "count exactly" if self._counted < len(self._order) else self._measures()

    def _measures(self) -> str:
        """Return the stage after the count."""
        self._breadth = None
        if not self._measure:
            return "done"
        self.extremes = Extremes(self.offsets, self.targets)
        return "extremes"

    def _bound(self, budget: int) -> str:
        """Search on until the extreme eccentricities are known."""
        assert self.extremes is not None
        before = self.extremes.searched
        done = self.extremes.advance(budget)
        self._searched += self.extremes.searched - before
        return "done" if done else "extremes"


# Attributes of an exploration that are made from the puzzle, or travel in a form of their own.
_MADE_ANEW = frozenset(("reader", "_name_call", "space", "_breadth", "extremes"))


def to_networkx(
    instance: Instance, metric: BlockMetric, most_states: int, run: Run
) -> networkx.Graph:
    """Build the graph of a small state space; see `SlidingPuzzle.to_networkx`."""
    import networkx

    work = Exploration(instance, metric, False, run.check)
    done = False
    while not done:
        done = run.drive(work, at_most=1 << 12)
        if work.size > most_states:
            raise LimitReached(f"more than {most_states} states")
    pictures = [draw_text(instance, work.reader.places(key)) for key in work.space.states()]
    nodes = networkx.Graph()
    for number, picture in enumerate(pictures):
        nodes.add_node(picture, goal=bool(work.to_goal[number] == 0))
    for number, picture in enumerate(pictures):
        for reached in work.targets[work.offsets[number] : work.offsets[number + 1]].tolist():
            nodes.add_edge(picture, pictures[reached])
    return nodes
