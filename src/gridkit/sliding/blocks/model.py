"""The value of a sliding-block puzzle: board, blocks and goal, text in and out, and its plans."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Self

from gridkit import render
from gridkit.errors import InputError
from gridkit.grid.board import Board
from gridkit.grid.cell import Cell
from gridkit.render.drawable import Drawable
from gridkit.sliding.blocks import rules
from gridkit.sliding.blocks.rules import Axis, Edge
from gridkit.sliding.blocks.text import (
    block_stage,
    draw_text,
    goal_scene,
    goal_text,
    read_puzzle,
    read_rush_hour,
    state_scene,
)
from gridkit.sliding.steps import Steps
from gridkit.value import Value, put

__all__ = ["Axis", "BlockModel", "Edge", "SlidingState"]

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class SlidingState(Drawable):
    """Where the blocks of a puzzle are; ``str`` draws it.

    Attributes
    ----------
    puzzle : SlidingPuzzle
    places : tuple of Cell
        Reference cell of each block, in the order of ``puzzle.names``.

    Examples
    --------
    >>> import gridkit as gk
    >>> plan = gk.SlidingPuzzle.parse("A..", goal={"A": (0, 2)}).solve()
    >>> [str(state) for state in plan.states()]
    ['A..', '.A.', '..A']
    """

    puzzle: BlockModel
    places: tuple[Cell, ...]

    def __getitem__(self, name: str) -> Cell:
        """Return the reference cell of a block."""
        return self.places[self.puzzle.names.index(name)]

    def __str__(self) -> str:
        return self.puzzle.draw(self.places)

    def _scene(self) -> render.Scene:
        """Return the state, each block named once."""
        return state_scene(self.puzzle._instance, self.places)


class BlockModel(Value, Drawable):
    """Blocks that slide on a board, and a goal; see `SlidingPuzzle`, which solves it."""

    _fields = ("board", "blocks", "goal", "axes", "gates", "interchangeable")

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
        own = rules.checked_blocks(blocks)
        self._fill(
            board,
            own,
            rules.checked_goal(goal, own),
            rules.checked_axes(axes or {}, own),
            rules.checked_gates(gates or {}, board, own),
            rules.checked_groups(interchangeable, own),
        )
        rules.check_instance(self._instance)

    def _fill(
        self,
        board: Board,
        blocks: dict[str, tuple[Cell, ...]],
        goal: dict[str, Cell | Edge],
        axes: dict[str, Axis],
        gates: dict[Cell, frozenset[str]],
        interchangeable: str | tuple[tuple[str, ...], ...],
    ) -> None:
        """Set the attributes to what is checked."""
        put(self, "board", board)
        put(self, "blocks", MappingProxyType(blocks))
        put(self, "goal", MappingProxyType(goal))
        put(self, "axes", MappingProxyType(axes))
        put(self, "gates", MappingProxyType(gates))
        put(self, "interchangeable", interchangeable)

    @cached_property
    def _instance(self) -> rules.Instance:
        """The puzzle in plain data, for engines."""
        cols, free = self.board.cols, rules.free_cells(self.board)
        allowed = dict.fromkeys(self.blocks, free)
        for (row, col), guests in self.gates.items():
            for name in self.blocks.keys() - guests:
                allowed[name] &= ~(1 << (row * cols + col))
        number = {name: index for index, name in enumerate(self.blocks)}
        alone: Iterable[str] = ()
        listed = None
        if isinstance(self.interchangeable, tuple):
            listed = tuple(tuple(number[name] for name in own) for own in self.interchangeable)
        else:
            alone = {"none": self.blocks, "unnamed": self.goal, "all": ()}[self.interchangeable]
        return rules.Instance(
            self.board.rows,
            cols,
            free,
            tuple(
                map(
                    rules.Block,
                    self.blocks,
                    self.blocks.values(),
                    allowed.values(),
                    map(self.axes.get, self.blocks),
                )
            ),
            tuple([(number[name], target) for name, target in self.goal.items()]),
            frozenset([number[name] for name in alone]),
            listed,
        )

    @classmethod
    def parse(
        cls,
        text: str,
        goal: Mapping[str, Place | str] | str | None = None,
        *,
        axes: Mapping[str, str] | None = None,
        gates: Mapping[Place, Iterable[str]] | None = None,
        interchangeable: str | Iterable[Iterable[str]] = "unnamed",
    ) -> Self:
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
        >>> from gridkit import SlidingPuzzle
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
        board, blocks, targets = read_puzzle(text, goal)
        return cls(board, blocks, targets, axes=axes, gates=gates, interchangeable=interchangeable)

    @classmethod
    def parse_rush_hour(cls, text: str) -> Self:
        """Read a Rush Hour position of 36 characters, row by row.

        ``.`` or ``o`` is empty, ``x`` a wall, a letter a car; cars move along themselves, and the
        puzzle is solved when ``A`` touches the right edge.

        Raises
        ------
        ParseError
            For another length, a car that is not straight, or no horizontal car ``A``.

        Examples
        --------
        >>> from gridkit import SlidingPuzzle
        >>> puzzle = SlidingPuzzle.parse_rush_hour("BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM.")
        >>> len(puzzle.solve(metric="slide"))
        51
        """
        board, blocks, axes = read_rush_hour(text)
        puzzle = cls.__new__(cls)
        puzzle._fill(board, blocks, {"A": "right"}, axes, {}, "unnamed")
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

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the blocks, in the order given (reading order after `parse`)."""
        return tuple(self.blocks)

    def block_names(self) -> Sequence[str]:
        """Return the name of each block, by the block numbers that plans use."""
        return self.names

    @property
    def places(self) -> tuple[Cell, ...]:
        """Reference cell of each block at the start."""
        return self._instance.places

    @property
    def shapes(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """Cells of each block as offsets from its reference cell."""
        return self._instance.shapes

    @property
    def groups(self) -> tuple[int, ...]:
        """Number of each block's group: blocks of one group are interchangeable."""
        return self._instance.groups

    @property
    def start(self) -> SlidingState:
        """The state before the first step."""
        return SlidingState(self, self.places)

    def is_solved(self, places: Sequence[Place]) -> bool:
        """Return whether the goal holds with the blocks' reference cells at `places`.

        Examples
        --------
        >>> from gridkit import SlidingPuzzle
        >>> SlidingPuzzle.parse("A.", goal={"A": (0, 1)}).is_solved([(0, 1)])
        True
        """
        return self._instance.is_solved(places)

    def moved(self, places: Sequence[Place], goal: Mapping[str, Place | str] | None = None) -> Self:
        """Return the puzzle with its blocks' reference cells at `places` (and another goal).

        Examples
        --------
        >>> from gridkit import SlidingPuzzle
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
        return type(self)(
            self.board,
            blocks,
            self.goal if goal is None else goal,
            axes=self.axes,
            gates=dict(self.gates.items()),
            interchangeable=groups,
        )

    # -- what a plan needs --------------------------------------------------------------------

    def _check_steps(self, steps: Steps) -> None:
        """Replay steps with cell sets alone; raise `InvalidPlanError` at the first fault."""
        rules.check_steps(self._instance, steps)

    def _replay(self, steps: Steps) -> Iterator[SlidingState]:
        """Yield the state before the first step and after each step."""
        places = list(self.places)
        yield SlidingState(self, tuple(places))
        for number, _, after in steps:
            places[number] = Cell(*divmod(after, self.cols))
            yield SlidingState(self, tuple(places))

    def _stage(self) -> render.Stage:
        """Return the start for a film."""
        return block_stage(self._instance)

    def _reversed_puzzle(self, steps: Steps) -> Self:
        """Return the puzzle from the end of these steps back to this start."""
        places = list(self.places)
        for number, _, after in steps:
            places[number] = Cell(*divmod(after, self.cols))
        back: dict[str, Place | str] = dict(zip(self.names, self.places, strict=True))
        return self.moved(places, back)

    def _continued(self, other: BlockModel) -> Self:
        """Return the puzzle from this start to the goal of another with the same blocks."""
        return type(self)(
            self.board,
            self.blocks,
            other.goal,
            axes=self.axes,
            gates=dict(self.gates.items()),
            interchangeable=other.interchangeable,
        )

    # -- text and pictures --------------------------------------------------------------------

    def draw(self, places: Sequence[Place]) -> str:
        """Return the picture of a state, in the puzzle's own letters."""
        return draw_text(self._instance, places)

    def draw_goal(self) -> str | None:
        """Return the goal grid, or None where the goal asks for edges."""
        return goal_text(self._instance)

    def _scene(self) -> render.Scene:
        """Return the start and the goal side by side; the start alone where the goal is an edge."""
        start, goal = self.start._scene(), goal_scene(self._instance)
        if goal is None:
            return start
        return render.joined([start, goal], captions=["start", "goal"], title=start.title)

    def __str__(self) -> str:
        goal = self.draw_goal()
        start = self.draw(self.places)
        return start if goal is None else f"{start}\n\n{goal}"

    def _arguments(self) -> list[str]:
        cells = {name: [tuple(cell) for cell in own] for name, own in self.blocks.items()}
        goal = {name: tuple(to) if isinstance(to, tuple) else to for name, to in self.goal.items()}
        arguments = [repr(self.board), repr(cells), repr(goal)]
        if self.axes:
            arguments.append(f"axes={dict(self.axes)!r}")
        if self.gates:
            gates = {tuple(cell): sorted(names) for cell, names in self.gates.items()}
            arguments.append(f"gates={gates!r}")
        if self.interchangeable != "unnamed":
            arguments.append(f"interchangeable={self.interchangeable!r}")
        return arguments
