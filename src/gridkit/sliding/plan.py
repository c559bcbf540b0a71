"""Plans: sequences of steps that slide blocks from a start to a goal, shared by the whole wing.

A plan stores single steps (one block, one cell) in one integer array; its lengths in the other
metrics follow from how the steps run together.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gridkit.errors import InputError
from gridkit.grid.cell import Cell
from gridkit.render.html import animation

__all__ = ["Metric", "Move", "Plan", "Replayable"]

Metric = Literal["step", "slide", "move", "push"]
METRICS: tuple[Metric, ...] = ("step", "slide", "move", "push")

State = TypeVar("State", covariant=True)


@dataclass(frozen=True, slots=True)
class Move:
    """One counted move of a plan: a block and where its reference cell goes.

    Attributes
    ----------
    block : str
        The block's name in the puzzle's own letters or numbers.
    start, end : Cell
        The block's reference cell (top left of its bounding box) before and after.
    path : tuple of Cell
        Every cell the reference cell visits, `start` first and `end` last.
    """

    block: str
    start: Cell
    end: Cell
    path: tuple[Cell, ...]

    def __str__(self) -> str:
        return f"{self.block} {self.start.row},{self.start.col}-{self.end.row},{self.end.col}"


class Replayable(Protocol):
    """What a plan needs of its puzzle."""

    @property
    def rows(self) -> int:
        """Rows of the frame."""

    @property
    def cols(self) -> int:
        """Columns of the frame."""

    def block_names(self) -> Sequence[str]:
        """Return the name of each block, by the block numbers that steps use."""

    def check_steps(self, steps: NDArray[np.int32]) -> None:
        """Replay the steps by the rules alone; raise `InvalidPlanError` at the first fault."""

    def replay(self, steps: NDArray[np.int32]) -> Iterator[object]:
        """Yield the state before the first step and after each step (``str`` draws it)."""

    def frame(self, state: object) -> str:
        """Draw a state as an ``<svg>`` element."""

    def reversed_puzzle(self, steps: NDArray[np.int32]) -> Replayable:
        """Return the puzzle whose start is the end of these steps and whose goal is the start."""


class Plan:
    """A sequence of steps that solves a puzzle; ``len`` counts in the plan's metric.

    Parameters
    ----------
    puzzle : Replayable
        The puzzle the plan starts from.
    steps : array_like of int, shape (n, 3)
        One row a step: block number, and the row-major index of the block's reference cell before
        and after.
    metric : {"step", "slide", "move", "push"}
        How ``len`` counts: **step** = one block, one cell; **slide** = one block, any distance in
        a straight line; **move** = one block, any path; **push** = a run of steps in one
        direction, of whatever blocks (a row pushed counts one).

    Notes
    -----
    Immutable.  The array is copied and made read-only; a plan of a million steps takes 12 MB.
    """

    __slots__ = ("__dict__", "metric", "puzzle", "steps")

    puzzle: Replayable
    steps: NDArray[np.int32]
    metric: Metric

    def __init__(self, puzzle: Replayable, steps: ArrayLike, metric: Metric = "step") -> None:
        array = np.array(steps, dtype=np.int32).reshape(-1, 3)
        array.setflags(write=False)
        if metric not in METRICS:
            raise InputError(f"metric must be one of {', '.join(METRICS)}, got {metric!r}")
        object.__setattr__(self, "puzzle", puzzle)
        object.__setattr__(self, "steps", array)
        object.__setattr__(self, "metric", metric)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Plan is immutable: cannot set {name!r}")

    def length(self, metric: Metric | None = None) -> int:
        """Return the length in a metric (the plan's own when left out)."""
        return int(np.count_nonzero(self._begins_move(metric or self.metric)))

    def __len__(self) -> int:
        return self._length

    @cached_property
    def _length(self) -> int:
        return self.length()

    def __bool__(self) -> bool:
        return True  # a plan without steps is a plan

    def moves(self, metric: Metric | None = None) -> Iterator[Move]:
        """Iterate over the moves as a metric counts them; "push" gives its single steps."""
        metric = metric or self.metric
        begins = np.flatnonzero(self._begins_move("step" if metric == "push" else metric))
        names, cols = self.puzzle.block_names(), self.puzzle.cols
        bounds = [*begins.tolist(), len(self.steps)]
        for first, last in pairwise(bounds):
            run = self.steps[first:last]
            path = [Cell(*divmod(int(run[0, 1]), cols))]
            path += [Cell(*divmod(int(cell), cols)) for cell in run[:, 2]]
            yield Move(names[int(run[0, 0])], path[0], path[-1], tuple(path))

    def _begins_move(self, metric: Metric) -> NDArray[np.bool_]:
        steps = self.steps
        begins = np.ones(len(steps), dtype=np.bool_)
        if len(steps) == 0 or metric == "step":
            return begins
        other_block = steps[1:, 0] != steps[:-1, 0]
        direction = steps[:, 2] - steps[:, 1]
        other_direction = direction[1:] != direction[:-1]
        if metric == "move":
            begins[1:] = other_block
        elif metric == "slide":
            begins[1:] = other_block | other_direction
        else:
            begins[1:] = other_direction
        return begins

    def verify(self) -> None:
        """Replay the plan by the rules of its puzzle.

        Raises
        ------
        InvalidPlanError
            Naming the first step that breaks a rule, or the goal that is missed.
        """
        self.puzzle.check_steps(self.steps)

    def states(self) -> Iterator[object]:
        """Iterate over the states: before the first step and after each step."""
        return self.puzzle.replay(self.steps)

    def inverse(self) -> Plan:
        """Return the plan that leads back from the end to the start."""
        steps = self.steps[::-1][:, [0, 2, 1]]
        return Plan(self.puzzle.reversed_puzzle(self.steps), steps, self.metric)

    def to_json(self) -> str:
        """Return the moves as JSON: metric, lengths, and [block, [row, col], [row, col]] each."""
        return json.dumps(
            {
                "metric": self.metric,
                "lengths": {metric: self.length(metric) for metric in METRICS},
                "moves": [[move.block, move.start, move.end] for move in self.moves()],
            }
        )

    def to_html(self, title: str = "plan") -> str:
        """Return a page that plays the plan step by step."""
        return animation([self.puzzle.frame(state) for state in self.states()], title=title)

    def to_svg(self) -> str:
        """Draw the last state."""
        return self.puzzle.frame(deque(self.states(), maxlen=1).pop())

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def _repr_html_(self) -> str:
        return self.to_svg()

    def __str__(self) -> str:
        return "\n".join(str(move) for move in self.moves())

    def __repr__(self) -> str:
        return f"Plan({self.puzzle!r}, {self.steps.tolist()!r}, {self.metric!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Plan):
            return NotImplemented
        return (self.puzzle, self.metric) == (other.puzzle, other.metric) and bool(
            np.array_equal(self.steps, other.steps)
        )

    def __hash__(self) -> int:
        return hash((self.metric, self.steps.tobytes()))
