"""Sliding-block puzzles: rigid blocks on a board, and where some of them have to go."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from gridkit.errors import InputError
from gridkit.grid.board import Board
from gridkit.grid.cell import Cell
from gridkit.sliding.blocks import drawing
from gridkit.sliding.blocks import rules as checking
from gridkit.sliding.blocks.rules import Axis, Edge

if TYPE_CHECKING:
    import networkx
    import numpy as np
    from numpy.typing import NDArray

    from gridkit.run.control import Limit, ProgressCallback
    from gridkit.sliding.blocks.packing import Packing
    from gridkit.sliding.blocks.search import BlockMetric, Method, MetricChoice
    from gridkit.sliding.blocks.space import StateSpace
    from gridkit.sliding.plan import Plan

__all__ = ["Axis", "Edge", "SlidingPuzzle", "SlidingState"]

Offsets = tuple[tuple[int, int], ...]
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class SlidingState:
    """Where the blocks of a puzzle are; ``str`` draws it.

    Attributes
    ----------
    puzzle : SlidingPuzzle
    places : tuple of Cell
        Reference cell of each block, in the order of ``puzzle.names``.
    """

    puzzle: SlidingPuzzle
    places: tuple[Cell, ...]

    def __getitem__(self, name: str) -> Cell:
        """Return the reference cell of a block."""
        return self.places[self.puzzle.number[name]]

    def __str__(self) -> str:
        return self.puzzle.draw(self.places)

    def _repr_svg_(self) -> str:
        return self.puzzle.frame(self)

    def _repr_html_(self) -> str:
        return self._repr_svg_()


class SlidingPuzzle:
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
        the groups themselves.

    Raises
    ------
    InputError
        For values of a wrong kind, unknown names or an empty goal.
    PlacementError
        For blocks that overlap, leave the board, or have a goal where they cannot be.

    Examples
    --------
    >>> puzzle = SlidingPuzzle(Board.rectangle(2, 3), {"A": [(0, 0), (1, 0)]}, {"A": "right"})
    >>> print(puzzle)
    A..
    A..
    >>> len(puzzle.solve(metric="step")), len(puzzle.solve(metric="slide"))
    (2, 1)
    """

    __slots__ = ("__dict__", "axes", "blocks", "board", "gates", "goal", "interchangeable")

    board: Board
    blocks: Mapping[str, tuple[Cell, ...]]
    goal: Mapping[str, Cell | Edge]
    axes: Mapping[str, Axis]
    gates: Mapping[Cell, frozenset[str]]
    interchangeable: str | tuple[tuple[str, ...], ...]

    def __init__(
        self,
        board: Board,
        blocks: Mapping[str, Iterable[Place]],
        goal: Mapping[str, Place | str],
        *,
        axes: Mapping[str, str] | None = None,
        gates: Mapping[Place, Iterable[str]] | None = None,
        interchangeable: str | Iterable[Iterable[str]] = "unnamed",
    ) -> None:
        if not isinstance(board, Board):
            raise InputError(f"expected a Board, got {type(board).__name__}")
        own = checking.checked_blocks(blocks)
        self._put(
            board,
            own,
            checking.checked_goal(goal, own),
            checking.checked_axes(axes or {}, own),
            checking.checked_gates(gates or {}, board, own),
            "none",
        )
        groups = checking.checked_groups(interchangeable, self)  # asks for the blocks' shapes
        object.__setattr__(self, "interchangeable", groups)
        checking.check_start(self)
        checking.check_goal_places(self)

    def _put(
        self,
        board: Board,
        blocks: dict[str, tuple[Cell, ...]],
        goal: dict[str, Cell | Edge],
        axes: dict[str, Axis],
        gates: dict[Cell, frozenset[str]],
        interchangeable: str | tuple[tuple[str, ...], ...],
    ) -> None:
        """Fill the attributes with what is checked."""
        put = object.__setattr__
        put(self, "board", board)
        put(self, "blocks", MappingProxyType(blocks))
        put(self, "goal", MappingProxyType(goal))
        put(self, "axes", MappingProxyType(axes))
        put(self, "gates", MappingProxyType(gates))
        put(self, "interchangeable", interchangeable)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"SlidingPuzzle is immutable: cannot set {name!r}")

    @classmethod
    def parse(
        cls,
        text: str,
        goal: Mapping[str, Place | str] | str | None = None,
        *,
        axes: Mapping[str, str] | None = None,
        gates: Mapping[Place, Iterable[str]] | None = None,
        interchangeable: str | Iterable[Iterable[str]] = "unnamed",
    ) -> SlidingPuzzle:
        """Read a puzzle drawn with one character a cell.

        Parameters
        ----------
        text : str
            ``.`` is empty, ``#`` a wall, any other character a block.  Without `goal` a blank
            line and the goal grid follow.
        goal : mapping or str, optional
            As in the constructor, or a goal grid in which ``.`` is don't-care.
        axes, gates, interchangeable
            As in the constructor.

        Raises
        ------
        ParseError
            For ragged or empty text, a letter whose cells are not connected, or a missing goal.
        GridkitError
            As in the constructor.

        Examples
        --------
        >>> klotski = SlidingPuzzle.parse("ABBC\\nABBC\\nDEEF\\nDGHF\\nI..J", goal={"B": (3, 1)})
        >>> len(klotski.solve(metric="move"))
        81
        >>> print(SlidingPuzzle.parse("AB\\n..\\n\\n..\\nA."))
        AB
        ..
        <BLANKLINE>
        ..
        A.
        """
        from gridkit.sliding.blocks.reading import read_puzzle

        board, blocks, wanted = read_puzzle(text, goal)
        return cls(board, blocks, wanted, axes=axes, gates=gates, interchangeable=interchangeable)

    @classmethod
    def parse_rush_hour(cls, text: str) -> SlidingPuzzle:
        """Read a Rush Hour position of 36 characters, row by row.

        ``.`` or ``o`` is empty, ``x`` a wall, a letter a car; cars move along themselves, and the
        puzzle is solved when ``A`` touches the right edge.

        Raises
        ------
        ParseError
            For another length, a car that is not straight, or no horizontal car ``A``.

        Examples
        --------
        >>> puzzle = SlidingPuzzle.parse_rush_hour("BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM.")
        >>> len(puzzle.solve(metric="slide"))
        51
        """
        from gridkit.sliding.blocks.reading import read_rush_hour

        board, blocks, axes = read_rush_hour(text)
        puzzle = cls.__new__(cls)
        puzzle._put(board, blocks, {"A": "right"}, axes, {}, "unnamed")
        return puzzle

    # -- what the blocks are -----------------------------------------------------------------

    @property
    def rows(self) -> int:
        """Rows of the frame."""
        return self.board.rows

    @property
    def cols(self) -> int:
        """Columns of the frame."""
        return self.board.cols

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the blocks, in the order given (reading order after `parse`)."""
        return tuple(self.blocks)

    @cached_property
    def number(self) -> dict[str, int]:
        """Number of each block in `names`."""
        return {name: number for number, name in enumerate(self.names)}

    def block_names(self) -> Sequence[str]:
        """Return the name of each block, by the block numbers that plans use."""
        return self.names

    @cached_property
    def places(self) -> tuple[Cell, ...]:
        """Reference cell of each block at the start."""
        # Cells are sorted, so the first one is in the top row.
        return tuple(
            Cell(cells[0][0], min([col for _, col in cells])) for cells in self.blocks.values()
        )

    @cached_property
    def shapes(self) -> tuple[Offsets, ...]:
        """Cells of each block as offsets from its reference cell."""
        return tuple(
            tuple([(row - top, col - left) for row, col in cells])
            for cells, (top, left) in zip(self.blocks.values(), self.places, strict=True)
        )

    def closed_cells(self, name: str) -> frozenset[Cell]:
        """Return the gates that a block may not cover."""
        if not self.gates:
            return frozenset()
        return frozenset(cell for cell, guests in self.gates.items() if name not in guests)

    @cached_property
    def groups(self) -> tuple[int, ...]:
        """Number of each block's group: blocks of one group are interchangeable."""
        if isinstance(self.interchangeable, tuple):
            listed = {
                name: number for number, names in enumerate(self.interchangeable) for name in names
            }
            labels: list[object] = [listed.get(name, name) for name in self.names]
        else:
            alone = {"none": self.blocks, "unnamed": self.goal, "all": ()}[self.interchangeable]
            makes = (
                map(self.make, self.names)
                if self.gates
                else zip(self.shapes, map(self.axes.get, self.names), strict=True)
            )
            labels = [
                name if name in alone else make
                for name, make in zip(self.names, makes, strict=True)
            ]
        numbers: dict[object, int] = {}
        return tuple(numbers.setdefault(label, len(numbers)) for label in labels)

    def make(self, name: str) -> tuple[Offsets, Axis | None, frozenset[Cell]]:
        """Return what two blocks must share to be interchangeable: shape, axis, closed gates."""
        shape = self.shapes[self.number[name]]
        return shape, self.axes.get(name), self.closed_cells(name)

    @property
    def start(self) -> SlidingState:
        """The state before the first step."""
        return SlidingState(self, self.places)

    def is_solved(self, places: Sequence[Place]) -> bool:
        """Return whether the goal holds with the blocks' reference cells at `places`.

        Examples
        --------
        >>> SlidingPuzzle.parse("A.", goal={"A": (0, 1)}).is_solved([(0, 1)])
        True
        """
        groups = self.groups
        for name, wanted in self.goal.items():
            group = groups[self.number[name]]
            if not any(
                own == group and self._meets(number, places[number], wanted)
                for number, own in enumerate(groups)
            ):
                return False
        return True

    def _meets(self, number: int, place: Place, wanted: Cell | Edge) -> bool:
        if isinstance(wanted, tuple):
            return tuple(place) == wanted
        height = max(row for row, _ in self.shapes[number])
        width = max(col for _, col in self.shapes[number])
        return {
            "top": place[0] == 0,
            "left": place[1] == 0,
            "bottom": place[0] + height == self.rows - 1,
            "right": place[1] + width == self.cols - 1,
        }[wanted]

    # -- solving -----------------------------------------------------------------------------

    def solve(
        self,
        metric: MetricChoice = "step",
        optimal: bool = True,
        *,
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
            compiled code is not loaded yet, because loading it takes longer than a small search.
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
        from gridkit.sliding.blocks.search import solve

        return solve(
            self, metric, optimal, method=method, limit=limit, progress=progress, resume=resume
        )

    def explore(
        self,
        metric: BlockMetric = "step",
        *,
        diameter: bool = True,
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
        resume: object = None,
    ) -> StateSpace:
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
        from gridkit.sliding.blocks.space import explore

        return explore(
            self, metric, diameter=diameter, limit=limit, progress=progress, resume=resume
        )

    def hardest(
        self,
        metric: BlockMetric = "step",
        *,
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
        space = self.explore(metric, diameter=False, limit=limit, progress=progress, resume=resume)
        return space.hardest()

    def to_networkx(
        self, metric: BlockMetric = "step", *, max_states: int = 100_000
    ) -> networkx.Graph:
        """Return the state space as a graph; nodes are the states' pictures.

        Raises
        ------
        LimitReached
            When there are more than `max_states` states.
        """
        from gridkit.sliding.blocks.space import to_networkx

        return to_networkx(self, metric, max_states)

    @cached_property
    def packing(self) -> Packing:
        """How states are packed into words (for engines)."""
        from gridkit.sliding.blocks.packing import Packing

        return Packing(self)

    def moved(
        self, places: Sequence[Place], goal: Mapping[str, Place | str] | None = None
    ) -> SlidingPuzzle:
        """Return the puzzle with its blocks' reference cells at `places` (and another goal).

        Examples
        --------
        >>> print(SlidingPuzzle.parse("A.", goal={"A": "right"}).moved([(0, 1)]))
        .A
        """
        blocks = {
            name: [(row + top, col + left) for row, col in shape]
            for name, shape, (top, left) in zip(self.names, self.shapes, places, strict=True)
        }
        groups: str | Iterable[Iterable[str]] = self.interchangeable
        if goal is not None and groups == "unnamed":
            groups = [
                [name for name, own in zip(self.names, self.groups, strict=True) if own == group]
                for group in range(max(self.groups) + 1)
            ]
        return SlidingPuzzle(
            self.board,
            blocks,
            self.goal if goal is None else goal,
            axes=self.axes,
            gates=dict(self.gates.items()),
            interchangeable=groups,
        )

    # -- what a plan needs --------------------------------------------------------------------

    def check_steps(self, steps: NDArray[np.int32]) -> None:
        """Replay steps with cell sets alone; raise `InvalidPlanError` at the first fault."""
        from gridkit.sliding.blocks.replaying import check_steps

        check_steps(self, steps)

    def replay(self, steps: NDArray[np.int32]) -> Iterator[SlidingState]:
        """Yield the state before the first step and after each step."""
        places = list(self.places)
        yield SlidingState(self, tuple(places))
        for number, _, after in steps.tolist():
            places[number] = Cell(*divmod(after, self.cols))
            yield SlidingState(self, tuple(places))

    def reversed_puzzle(self, steps: NDArray[np.int32]) -> SlidingPuzzle:
        """Return the puzzle from the end of these steps back to this start."""
        places = list(self.places)
        for number, _, after in steps.tolist():
            places[number] = Cell(*divmod(after, self.cols))
        back: dict[str, Place | str] = dict(zip(self.names, self.places, strict=True))
        return self.moved(places, back)

    def continued(self, other: SlidingPuzzle) -> SlidingPuzzle:
        """Return the puzzle from this start to the goal of another with the same blocks."""
        return SlidingPuzzle(
            self.board,
            self.blocks,
            other.goal,
            axes=self.axes,
            gates=dict(self.gates.items()),
            interchangeable=other.interchangeable,
        )

    def frame(self, state: object) -> str:
        """Draw a state as an ``<svg>`` element."""
        if not isinstance(state, SlidingState):
            raise InputError(f"expected a state of this puzzle, got {type(state).__name__}")
        return drawing.svg(self, state.places)

    # -- text and pictures --------------------------------------------------------------------

    def draw(self, places: Sequence[Place]) -> str:
        """Return the picture of a state, in the puzzle's own letters."""
        return drawing.text(self, places)

    def draw_goal(self) -> str | None:
        """Return the goal grid, or None where the goal asks for edges."""
        return drawing.goal_text(self)

    def _repr_svg_(self) -> str:
        return drawing.svg(self, self.places)

    def _repr_html_(self) -> str:
        return self._repr_svg_()

    def __str__(self) -> str:
        goal = self.draw_goal()
        start = self.draw(self.places)
        return start if goal is None else f"{start}\n\n{goal}"

    def __repr__(self) -> str:
        return drawing.expression(self)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuilt, (
            self.board,
            dict(self.blocks),
            dict(self.goal),
            dict(self.axes),
            dict(self.gates),
            self.interchangeable,
        )

    def _identity(self) -> tuple[object, ...]:
        return (
            self.board,
            frozenset(self.blocks.items()),
            frozenset(self.goal.items()),
            frozenset(self.axes.items()),
            frozenset(self.gates.items()),
            self.interchangeable,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SlidingPuzzle):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())


def _rebuilt(
    board: Board,
    blocks: Mapping[str, Iterable[Place]],
    goal: Mapping[str, Place | str],
    axes: Mapping[str, str],
    gates: Mapping[Place, Iterable[str]],
    interchangeable: str | Iterable[Iterable[str]],
) -> SlidingPuzzle:
    return SlidingPuzzle(
        board, blocks, goal, axes=axes, gates=gates, interchangeable=interchangeable
    )
