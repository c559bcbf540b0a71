"""A state space as a graph: its edges as arrays, cut states, and all shortest plans."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Generic

import numpy as np
from numpy.typing import NDArray

from gridkit.errors import InputError
from gridkit.reading import read_int
from gridkit.render.drawable import Drawable
from gridkit.run import Limit, ProgressCallback, Run, Work
from gridkit.sliding.blocks.compiled.eccentricity import Breadth
from gridkit.sliding.blocks.graphs.reader import KeyReader, Puzzle
from gridkit.sliding.blocks.graphs.texts import dot_text, graphml_text
from gridkit.sliding.blocks.kernels import articulation
from gridkit.sliding.blocks.rules import BlockMetric
from gridkit.sliding.blocks.space_picture import graph_scene
from gridkit.sliding.blocks.text import draw_text

if TYPE_CHECKING:
    import networkx
    import scipy.sparse

    from gridkit.render.scene import Scene
else:  # what is not asked for is not loaded
    from gridkit.hints import networkx, scipy

__all__ = ["ShortestPlans", "StateGraph", "graph_of"]

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]

_MOST_DRAWN = 2000


@dataclass(frozen=True, slots=True)
class StateGraph(Drawable, Generic[Puzzle]):
    """Every state that can be reached, numbered, and which are one move apart.

    State 0 is the start; states are numbered as a search in breadth from it finds them.  Moves go
    both ways, so each edge is there twice.

    Attributes
    ----------
    puzzle : SlidingPuzzle
    metric : {"step", "slide", "move"}
        What one move is.
    indptr : int64 array, shape (states + 1,)
    indices : int32 array, shape (edges,)
        The neighbours of state n are ``indices[indptr[n] : indptr[n + 1]]``, as in SciPy's
        compressed sparse rows, increasing.  Both arrays are read-only, as are the two below.
    depths : int32 array, shape (states,)
        Moves from the start.
    distances : int32 array, shape (states,)
        Moves to the nearest goal state; -1 where no goal state can be reached.

    Examples
    --------
    >>> import gridkit as gk
    >>> graph = gk.SlidingPuzzle.parse("A..", goal={"A": (0, 2)}).explore().graph()
    >>> graph.indptr.tolist(), graph.indices.tolist(), graph.distances.tolist()
    ([0, 1, 3, 4], [1, 0, 2, 1], [2, 1, 0])
    """

    puzzle: Puzzle
    metric: BlockMetric
    indptr: I64 = field(repr=False, compare=False)
    indices: I32 = field(repr=False, compare=False)
    depths: I32 = field(repr=False, compare=False)
    distances: I32 = field(repr=False, compare=False)
    _keys: NDArray[np.uint64] = field(repr=False, compare=False)
    _reader: KeyReader = field(repr=False, compare=False)

    @property
    def states(self) -> int:
        """Number of states."""
        return len(self.depths)

    @property
    def edges(self) -> int:
        """Pairs (state, state one move later): each way is counted once."""
        return len(self.indices)

    def neighbours(self, state: int) -> I32:
        """Return the numbers of the states one move from a state.

        Examples
        --------
        >>> import gridkit as gk
        >>> graph = gk.SlidingPuzzle.parse("A..", goal={"A": (0, 2)}).explore().graph()
        >>> graph.neighbours(1).tolist()
        [0, 2]
        """
        number = self._number(state, "neighbours")
        return self.indices[self.indptr[number] : self.indptr[number + 1]]

    def puzzle_at(self, state: int) -> Puzzle:
        """Return the puzzle that starts in a state."""
        number = self._number(state, "puzzle_at")
        return self.puzzle.moved(self._reader.places(self._keys[number]))

    def text_at(self, state: int) -> str:
        """Return the drawing of a state in text.

        Examples
        --------
        >>> import gridkit as gk
        >>> gk.SlidingPuzzle.parse("A..", goal={"A": (0, 2)}).explore().graph().text_at(1)
        '.A.'
        """
        return self._drawn(self._number(state, "text_at"))

    def histogram(self) -> tuple[int, ...]:
        """Return the number of states at each depth 0, 1, 2, ... from the start.

        Examples
        --------
        >>> import gridkit as gk
        >>> gk.SlidingPuzzle.parse(".A.", goal={"A": (0, 2)}).explore().graph().histogram()
        (1, 2)
        """
        return tuple(np.bincount(self.depths).tolist())

    def cut_states(
        self, *, limit: Limit | None = None, progress: ProgressCallback | None = None
    ) -> I32:
        """Return the states that every way between some two other states passes.

        Returns
        -------
        int32 array
            The articulation states, increasing: without one of them the graph falls apart
            (J. Hopcroft and R. Tarjan, 1973).  Takes time proportional to the edges; a call cut
            short cannot be continued.

        Examples
        --------
        >>> import gridkit as gk
        >>> graph = gk.SlidingPuzzle.parse("A..", goal={"A": (0, 2)}).explore().graph()
        >>> graph.cut_states().tolist()
        [1]
        """
        with Run(limit=limit, progress=progress) as run:
            work = _Cuts(self.indptr, self.indices)
            run.drive(work)
            return np.flatnonzero(work.cut()).astype(np.int32)

    def shortest_plans(self, *, start: int = 0) -> ShortestPlans:
        """Return all shortest plans from a state, as a graph without cycles.

        Raises
        ------
        InputError
            When no goal state can be reached.

        Examples
        --------
        >>> import gridkit as gk
        >>> plans = gk.SlidingPuzzle.parse("A.\\n..", goal={"A": (1, 1)}).explore().graph()
        >>> plans.shortest_plans().count
        2
        """
        number = self._number(start, "shortest_plans: start")
        if self.distances[number] < 0:
            raise InputError(f"shortest_plans: no goal state can be reached from state {number}")
        layer = np.array([number], dtype=np.int32)
        layers, tails, heads = [layer], [], []
        for distance in range(int(self.distances[number]) - 1, -1, -1):
            degrees = self.indptr[layer + 1] - self.indptr[layer]
            froms = np.repeat(layer, degrees)
            begins = np.repeat(self.indptr[layer] - np.cumsum(degrees) + degrees, degrees)
            reached = self.indices[begins + np.arange(len(froms))]
            nearer = self.distances[reached] == distance
            tails.append(froms[nearer])
            heads.append(reached[nearer])
            layer = np.unique(heads[-1])
            layers.append(layer)
        return ShortestPlans._of(layers, tails, heads)

    def to_scipy(self) -> scipy.sparse.csr_array:
        """Return the adjacency as ``scipy.sparse.csr_array`` of 8-bit ones; needs SciPy."""
        from scipy.sparse import csr_array  # an extra

        ones = np.ones(self.edges, dtype=np.int8)
        shape = (self.states, self.states)
        return csr_array((ones, self.indices, self.indptr), shape=shape)

    def to_networkx(self) -> networkx.Graph:
        """Return an undirected graph of numbers with picture, depth and distance; needs networkx.

        The distance is that of `distances`: -1 where no goal state can be reached.
        """
        import networkx  # an extra

        graph = networkx.Graph(metric=self.metric)
        depths, distances = self.depths.tolist(), self.distances.tolist()
        for state in range(self.states):
            graph.add_node(
                state, picture=self._drawn(state), depth=depths[state], distance=distances[state]
            )
        graph.add_edges_from(self._pairs())
        return graph

    def to_dot(self) -> str:
        """Return the graph in the DOT language of Graphviz, each state with its picture.

        Examples
        --------
        >>> import gridkit as gk
        >>> print(gk.SlidingPuzzle.parse("A.", goal={"A": (0, 1)}).explore().graph().to_dot())
        graph states {
          node [shape=box, fontname=monospace];
          0 [label="A.", depth=0, distance=1];
          1 [label=".A", depth=1, distance=0, peripheries=2];
          0 -- 1;
        }
        """
        return dot_text(self._nodes(), self._pairs())

    def to_graphml(self) -> str:
        """Return the graph as GraphML, with picture, depth and distance of each state.

        Examples
        --------
        >>> import gridkit as gk
        >>> text = gk.SlidingPuzzle.parse("A.", goal={"A": (0, 1)}).explore().graph().to_graphml()
        >>> text.count("<node "), text.count("<edge ")
        (2, 1)
        """
        return graphml_text(self._nodes(), self._pairs())

    def _nodes(self) -> Iterator[tuple[str, int, int]]:
        depths, distances = self.depths.tolist(), self.distances.tolist()
        for state in range(self.states):
            yield self._drawn(state), depths[state], distances[state]

    def _pairs(self) -> Iterator[tuple[int, int]]:
        """Iterate over the edges, each once, the smaller number first."""
        tails = np.repeat(np.arange(self.states, dtype=np.int32), np.diff(self.indptr))
        once = tails < self.indices
        return zip(tails[once].tolist(), self.indices[once].tolist(), strict=True)

    def _drawn(self, number: int) -> str:
        return draw_text(self._reader.instance, self._reader.places(self._keys[number]))

    def _number(self, state: int, place: str) -> int:
        number = read_int(state, place, least=0)
        if number >= self.states:
            raise InputError(f"{place}: expected a state below {self.states}, got {number}")
        return number

    def _scene(self) -> Scene:
        title = f"{self.states} states coloured by their distance to the goal"
        if self.states > _MOST_DRAWN:
            raise InputError(
                f"expected at most {_MOST_DRAWN} states to draw, found {self.states}:"
                " draw the histogram of the StateSpace"
            )
        bounds, targets = self.indptr.tolist(), self.indices.tolist()
        links = [targets[begin:end] for begin, end in pairwise(bounds)]
        return graph_scene(self.distances.tolist(), links, title, depths=self.depths.tolist())


@dataclass(frozen=True, slots=True, eq=False)
class ShortestPlans:
    """All shortest plans from one state: its states, and the moves that come one nearer.

    Attributes
    ----------
    states : int32 array
        Numbers, in the `StateGraph`, of the states on shortest plans, by falling distance.
    indptr, indices : int64, int32 arrays
        From ``states[n]`` the plans go on to ``states[indices[indptr[n] : indptr[n + 1]]]``.
    count : int
        Number of shortest plans, exact.
    length : int
        Moves of each.

    Examples
    --------
    >>> import gridkit as gk
    >>> graph = gk.SlidingPuzzle.parse("A.\\n..", goal={"A": (1, 1)}).explore().graph()
    >>> plans = graph.shortest_plans()
    >>> [[graph.text_at(state) for state in plan] for plan in plans.paths()][0]
    ['A.\\n..', '.A\\n..', '..\\n.A']
    """

    states: I32 = field(repr=False)
    indptr: I64 = field(repr=False)
    indices: I32 = field(repr=False)
    count: int
    length: int

    def _key(self) -> tuple[bytes, ...]:
        return self.states.tobytes(), self.indptr.tobytes(), self.indices.tobytes()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ShortestPlans) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    @classmethod
    def _of(cls, layers: list[I32], tails: list[I32], heads: list[I32]) -> ShortestPlans:
        """Number the states anew, and count."""
        states = np.concatenate(layers)
        begins = np.cumsum([0, *map(len, layers)])
        degrees, indices = [], []
        for number, (tail, head) in enumerate(zip(tails, heads, strict=True)):
            order = np.argsort(tail, kind="stable")
            degrees.append(np.bincount(np.searchsorted(layers[number], tail),
                                       minlength=len(layers[number])))  # fmt: skip
            indices.append(np.searchsorted(layers[number + 1], head[order]) + begins[number + 1])
        degrees.append(np.zeros(len(layers[-1]), dtype=np.int64))
        indptr = np.concatenate(([0], np.cumsum(np.concatenate(degrees)))).astype(np.int64)
        joined = np.concatenate([np.empty(0, np.int64), *indices]).astype(np.int32)
        for array in (states, indptr, joined):
            array.flags.writeable = False
        ways = [1] + [0] * (len(states) - 1)
        for number, own in enumerate(ways):  # what comes later has more by then
            for reached in joined[indptr[number] : indptr[number + 1]].tolist():
                ways[reached] += own
        count = sum(ways[len(states) - len(layers[-1]) :])  # of the goal states
        return cls(states, indptr, joined, count, len(heads))

    def paths(self) -> Iterator[tuple[int, ...]]:
        """Iterate over the plans as tuples of state numbers, in lexicographic order of moves."""
        path, edges = [0], [int(self.indptr[0])]
        names = self.states.tolist()
        bounds, targets = self.indptr.tolist(), self.indices.tolist()
        while path:
            at = path[-1]
            if len(path) == self.length + 1:
                yield tuple(names[number] for number in path)
            if edges[-1] < bounds[at + 1]:
                reached = targets[edges[-1]]
                edges[-1] += 1
                path.append(reached)
                edges.append(bounds[reached])
            else:
                path.pop()
                edges.pop()


class _Cuts(Work):
    """Finds the cut states, in chunks."""

    def __init__(self, indptr: I64, indices: I32) -> None:
        self._offsets, self._targets = indptr.copy(), indices.copy()  # kernels write to arrays
        states = len(indptr) - 1
        self._walk = articulation.Walk(
            np.zeros(states, dtype=np.int32),
            np.zeros(states, dtype=np.int32),
            np.full(states, -1, dtype=np.int32),
            indptr[:-1].copy(),
            np.zeros(states, dtype=np.uint8),
        )
        self._walk.order[0] = self._walk.low[0] = 1
        self._cursor = np.zeros(articulation.WALK_SIZE, dtype=np.int64)
        self._cursor[articulation.NUMBERED] = 1

    @property
    def nodes(self) -> int:
        """States reached."""
        return int(self._cursor[articulation.NUMBERED])

    def advance(self, budget: int) -> bool:
        """Follow at most `budget` edges; return whether all are followed."""
        done = articulation.cut_states(
            self._cursor, self._offsets, self._targets, self._walk, budget
        )
        return bool(done)

    def cut(self) -> NDArray[np.uint8]:
        """Return, by state, whether the graph falls apart without it."""
        self._walk.cut[0] = self._cursor[articulation.ROOT_CHILDREN] > 1
        return self._walk.cut


def graph_of(
    puzzle: Puzzle,
    metric: BlockMetric,
    arrays: tuple[I64, I32, I32],
    keys: NDArray[np.uint64],
    reader: KeyReader,
) -> StateGraph[Puzzle]:
    """Return the graph of a state space from its links and distances to the goal."""
    indptr, targets, distances = arrays
    tails = np.repeat(np.arange(len(distances)), np.diff(indptr))
    indices = (np.sort(tails * len(distances) + targets) % len(distances)).astype(np.int32)
    breadth = Breadth(indptr, indices)
    breadth.begin(np.array([0]))
    while not breadth.advance(1 << 20):
        pass
    for array in (indptr, indices, breadth.distance, distances):
        array.flags.writeable = False
    return StateGraph(puzzle, metric, indptr, indices, breadth.distance, distances, keys, reader)
