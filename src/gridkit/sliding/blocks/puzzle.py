"""Sliding-block puzzles: rigid blocks on a board, and where some of them have to go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from gridkit.errors import InputError
from gridkit.reading import read_bool, read_int
from gridkit.run import Limit, ProgressCallback, Run, call_name
from gridkit.sliding.blocks import rules
from gridkit.sliding.blocks.model import BlockModel, SlidingState
from gridkit.sliding.blocks.rules import Axis, BlockMetric, Edge, MetricChoice
from gridkit.sliding.blocks.search import Question, solve

if TYPE_CHECKING:
    import networkx

    from gridkit.sliding.blocks.space import StateSpace
    from gridkit.sliding.plan import Plan
else:  # they load numpy
    from gridkit.hints import Plan, StateSpace, networkx

__all__ = ["Axis", "Edge", "SlidingPuzzle", "SlidingState"]

Method = Literal["auto", "plain", "kernel"]
_METHODS: tuple[Method, ...] = get_args(Method)
_TIERS = {"plain": "plain", "kernel": "compiled"}


class SlidingPuzzle(BlockModel):
    """Blocks that slide on a board, and a goal; any shapes, walls, gates and axes.

    Immutable.  A block is a set of cells that moves as one, without turning; two blocks never
    share a cell.  Its **reference cell** is the top left corner of its bounding box.

    Parameters
    ----------
    board : Board
        The cells where blocks may be.
    blocks : mapping of str to iterable of (row, col)
        The cells of each block at the start.  A name is one visible character other than ``.``
        and ``#``.  The cells need not be connected.
    goal : mapping of str to (row, col) or {"left", "right", "top", "bottom"}
        Where blocks have to be, all at once: the reference cell of a block, or an edge of the
        frame that the block has to touch.
    axes : mapping of str to {"horizontal", "vertical"}, optional
        Blocks that move along one axis only, as the cars of Rush Hour.
    gates : mapping of (row, col) to iterable of str, optional
        Cells that only the named blocks may cover.
    interchangeable : {"unnamed", "all", "none"} or iterable of iterables of str, optional
        Which blocks of the same shape (and axis, and gates) count as the same.  "unnamed", the
        default: those that the goal does not name.  "all": the named ones too, so that a goal
        asks for a block of that shape.  "none": every block has its own identity.  Otherwise
        the groups themselves.  Each goal takes a block of its own.

    Raises
    ------
    InputError
        For values of a wrong kind, unknown names or an empty goal.
    PlacementError
        For blocks that overlap, leave the board, or have a goal where they cannot be.

    Examples
    --------
    >>> from gridkit import Board
    >>> puzzle = SlidingPuzzle(Board.rectangle(2, 3), {"A": [(0, 0), (1, 0)]}, {"A": "right"})
    >>> print(puzzle)
    A..
    A..
    >>> len(puzzle.solve(metric="step")), len(puzzle.solve(metric="slide"))
    (2, 1)
    """

    def solve(
        self,
        *,
        metric: MetricChoice = "step",
        optimal: bool = True,
        method: Method = "auto",
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
        resume: object = None,
    ) -> Plan | None:
        """Return a shortest plan, or None when it is proved that there is none.

        Parameters
        ----------
        metric : {"step", "slide", "move"} or a pair of two of them
            What is minimised: **step** = one block, one cell; **slide** = one block, any distance
            in a straight line; **move** = one block, any path.  Of a pair such as
            ``("slide", "step")`` first the one, then, among those plans, the other.
        optimal : bool
            False: once the space turns out to be large, follow the distances of the blocks from
            their goals.  Much quicker where the goal fixes many blocks; the plan may be longer
            (its length in the first metric is what `len` says).
        method : {"auto", "plain", "kernel"}
            "plain" searches in Python, "kernel" in compiled code; "auto" begins in Python while
            compiled code is not loaded yet, because loading it takes longer than a small search,
            and gives the same plan either way.
        limit : Limit, optional
            A node is a state; `memory` bounds the tables.
        progress : callable, optional
            Called with a `Progress`; `found` counts the states reached.
        resume : object, optional
            The ``token`` of a `LimitReached` or `Interrupted` that the same call raised: goes on
            from there.  It holds the states reached, can be pickled, and is copied, so that it
            may be used again.

        Raises
        ------
        LimitReached, Interrupted
            With a `Partial` whose value is None, and a token.

        Notes
        -----
        Breadth-first search by layers over packed states, O(states) time and about 20 bytes a
        state; interchangeable blocks are merged, and of two mirror images only one is kept when
        board, blocks and goal are symmetric.  From both ends when the goal fixes every block.
        Where every block keeps to one line, moves that commute are tried in one order only
        (sleep sets; P. Godefroid, 1991).

        Examples
        --------
        >>> puzzle = SlidingPuzzle.parse("AAB\\n...\\n...", goal={"A": (2, 1)})
        >>> plan = puzzle.solve(metric="move")
        >>> print(plan)
        A 0,0-2,1
        >>> plan.verify()
        """
        with Run(limit=limit, progress=progress, resume=resume) as run:
            metrics = rules.checked_metrics(metric)
            if method not in _METHODS:
                raise InputError(f"method must be one of {_METHODS}, got {method!r}")
            optimal = read_bool(optimal, "solve: optimal")
            question = Question(self._instance, metrics, optimal, _TIERS.get(method, run.tier))
            steps = solve(question, lambda: self._call("solve", metrics, method, optimal), run)
            if steps is None:
                return None
            from gridkit.sliding.plan import Plan  # late: most questions need no plan

            return Plan(self, steps, metrics[0])

    def _call(self, name: str, *options: object) -> str:
        """Return the name of a call for its token."""
        return call_name(f"SlidingPuzzle.{name}", self, *options)

    def explore(
        self,
        *,
        metric: BlockMetric = "step",
        diameter: bool = True,
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
        resume: object = None,
    ) -> StateSpace[SlidingPuzzle]:
        """Return the facts of the whole state space that the start belongs to.

        Parameters
        ----------
        metric : {"step", "slide", "move"}
        diameter : bool
            Whether to measure diameter and radius, which takes many searches of the space.
        limit, progress, resume
            As in `solve`.

        Returns
        -------
        StateSpace
            Sizes, distances, number of shortest solutions, and the hardest starts.

        Examples
        --------
        >>> SlidingPuzzle.parse("A..", goal={"A": (0, 2)}).explore().states
        3
        """
        with Run(limit=limit, progress=progress, resume=resume) as run:
            chosen = rules.checked_metric(metric, "explore")
            diameter = read_bool(diameter, "explore: diameter")
            from gridkit.sliding.blocks.space import explore  # loads numba

            def call() -> str:
                return self._call("explore", chosen, diameter)

            space = explore(self, self._instance, chosen, diameter, run, call=call)
            assert space is not None  # there is no bound on the nodes
            return space

    def hardest(
        self,
        *,
        metric: BlockMetric = "step",
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
        resume: object = None,
    ) -> tuple[SlidingPuzzle, ...]:
        """Return the puzzles with this goal, and this state space, that need the most moves.

        Examples
        --------
        >>> for puzzle in SlidingPuzzle.parse(".A.", goal={"A": (0, 2)}).hardest():
        ...     print(puzzle)
        A..
        <BLANKLINE>
        ..A
        """
        return self.explore(
            metric=metric, diameter=False, limit=limit, progress=progress, resume=resume
        ).hardest()

    def to_networkx(
        self,
        *,
        metric: BlockMetric = "step",
        max_states: int = 100_000,
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
    ) -> networkx.Graph:
        """Return the state space as a graph; nodes are the states' pictures.

        Raises
        ------
        LimitReached
            When there are more than `max_states` states.  There is no ``resume=``: the pictures
            are as large as the graph.
        """
        with Run(limit=limit, progress=progress) as run:
            chosen = rules.checked_metric(metric, "to_networkx")
            most = read_int(max_states, "to_networkx: max_states", least=1)
            from gridkit.sliding.blocks.space import to_networkx  # loads numba

            return to_networkx(self._instance, chosen, most, run)
