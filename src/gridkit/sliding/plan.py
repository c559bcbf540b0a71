"""Plans: sequences of steps that slide blocks from a start to a goal, shared by the whole wing.

A plan stores single steps (one block, one cell), packed; its lengths in the other metrics follow
from how the steps run together.
"""

from __future__ import annotations

import json
import re
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

from gridkit import render
from gridkit.errors import InputError, InvalidPlanError, ParseError, UnsupportedError
from gridkit.grid.cell import Cell, Direction
from gridkit.render.drawable import Drawable
from gridkit.render.motion.playable import Playable
from gridkit.sliding.film import plan_film
from gridkit.sliding.steps import METRICS, PLURAL, Metric, Steps
from gridkit.value import Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray
else:
    from gridkit.hints import ArrayLike, NDArray, np

__all__ = ["Continuable", "Metric", "Move", "Plan", "Replayable"]

_PLURAL = {"step": "steps", "slide": "slides", "move": "moves", "push": "pushes"}

State = TypeVar("State", covariant=True)

# The picture of a plan has so many states, fewer where they have more cells than that in all.
_MOST_FRAMES, _MOST_CELLS = 8, 6400


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

    Examples
    --------
    >>> import gridkit as gk
    >>> puzzle = gk.SlidingPuzzle.parse("A..", goal={"A": (0, 2)})
    >>> move = next(puzzle.solve(metric="slide").moves())
    >>> print(move)
    A 0,0-0,2
    >>> len(move.path)
    3
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

    def _check_steps(self, steps: Steps) -> None:
        """Replay the steps by the rules alone; raise `InvalidPlanError` at the first fault."""

    def _replay(self, steps: Steps) -> Iterator[Drawable]:
        """Yield the state before the first step and after each step (``str`` draws it too)."""

    def _reversed_puzzle(self, steps: Steps) -> Replayable:
        """Return the puzzle whose start is the end of these steps and whose goal is the start."""

    def _stage(self) -> render.Stage:
        """Return the start for a film; sprite k is block k."""


@runtime_checkable
class Continuable(Protocol):
    """A puzzle whose plans can be concatenated."""

    def _continued(self, other: Replayable) -> Replayable:
        """Return the puzzle with this one's start and the other one's goal."""


class Plan(Value, Playable):
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
    Immutable.  Steps are packed, and read without numpy: a plan of a million takes 12 MB.

    Attributes
    ----------
    steps : array of int32, shape (n, 3)
        The steps, read-only.

    Examples
    --------
    >>> import gridkit as gk
    >>> plan = gk.SlidingPuzzle.parse("A..", goal={"A": (0, 2)}).solve()
    >>> plan.verify()
    >>> len(plan), plan.length("slide"), plan.to_text()
    (2, 1, 'A 0,0 RR')
    """

    _fields = ("puzzle", "steps", "metric")

    puzzle: Replayable
    metric: Metric
    _steps: Steps

    def __init__(
        self, puzzle: Replayable, steps: ArrayLike | Steps, metric: Metric = "step"
    ) -> None:
        packed = Steps.read(steps)
        metric = _checked_metric(metric, "step")
        for name in ("rows", "cols", "block_names"):
            if not hasattr(puzzle, name):
                raise InputError(f"puzzle must be a puzzle, got {type(puzzle).__name__}")
        self._put(puzzle=puzzle, _steps=packed, metric=metric)

    @cached_property
    def steps(self) -> NDArray[np.int32]:
        """The steps as a read-only array of shape (n, 3); asking for it loads numpy."""
        return self._steps.array

    def length(self, metric: Metric | None = None) -> int:
        """Return the length in a metric (the plan's own when left out)."""
        metric = _checked_metric(metric, self.metric)
        return len(self._steps if metric == "step" else self._steps.begins(metric))

    def __len__(self) -> int:
        return self._length

    @cached_property
    def _length(self) -> int:
        return self.length()

    def __bool__(self) -> bool:
        return True  # a plan without steps is a plan

    def moves(self, metric: Metric | None = None) -> Iterator[Move]:
        """Iterate over the moves as a metric counts them; "push" gives its single steps."""
        metric = _checked_metric(metric, self.metric)
        names, cols = self.puzzle.block_names(), self.puzzle.cols
        for run in self._runs("step" if metric == "push" else metric):
            blocks, before, after = run.columns()
            path = tuple([Cell(*divmod(cell, cols)) for cell in (before[0], *after)])
            yield Move(names[blocks[0]], path[0], path[-1], path)

    def _runs(self, metric: Metric) -> Iterator[Steps]:
        """Yield the steps of each move."""
        for first, last in pairwise([*self._steps.begins(metric), len(self._steps)]):
            yield self._steps[first:last]

    def verify(self) -> None:
        """Replay the plan by the rules of its puzzle.

        Raises
        ------
        InvalidPlanError
            Naming the first step that breaks a rule, or the goal that is missed.
        """
        self.puzzle._check_steps(self._steps)

    def states(self) -> Iterator[Drawable]:
        """Iterate over the states: before the first step and after each step."""
        return self.puzzle._replay(self._steps)

    def inverse(self) -> Plan:
        """Return the plan that leads back from the end to the start."""
        puzzle = self.puzzle._reversed_puzzle(self._steps)
        return Plan(puzzle, self._steps.reversed(), self.metric)

    def __add__(self, other: object) -> Plan:
        """Return this plan followed by one that starts where this one ends, in this metric.

        Raises
        ------
        InputError
            When the other plan starts from another state.
        UnsupportedError
            When the puzzle cannot be given another goal.
        """
        if not isinstance(other, Plan):
            return NotImplemented
        if not isinstance(self.puzzle, Continuable):
            raise UnsupportedError(f"plans of a {type(self.puzzle).__name__} cannot be joined")
        end, start = str(self._last_state()), str(next(other.states()))
        if end != start:
            raise InputError(f"expected a plan from\n{end}\ngot one from\n{start}")
        # The other plan may number the same blocks in another order.
        number = {name: index for index, name in enumerate(self.puzzle.block_names())}
        own = [number[name] for name in other.puzzle.block_names()]
        steps = Steps.read([(own[block], before, after) for block, before, after in other._steps])
        puzzle = self.puzzle._continued(other.puzzle)
        return Plan(puzzle, Steps(self._steps.packed + steps.packed), self.metric)

    def to_text(self) -> str:
        """Return a compact text: a line for each run of steps of one block.

        A line is the block, the cell it leaves from, and a mark for each step: R, L, U, D along
        rows and columns, Ur, Ul, Dr, Dl for a diagonal step of a king.  Blocks whose name is not
        unique are written as ``#`` and their number.

        Raises
        ------
        InvalidPlanError
            For a step of no block, beyond the frame, or to a cell that is no neighbour.
        """
        steps, cols, labels = self._steps, self.puzzle.cols, _labels(self.puzzle)
        marks = _marks(steps, self.puzzle.rows, cols, len(labels))
        blocks, before, after = steps.columns()
        begins = [
            step
            for step in range(len(steps))
            if not step or blocks[step] != blocks[step - 1] or before[step] != after[step - 1]
        ]
        lines = []
        for first, last in pairwise([*begins, len(steps)]):
            block, (row, col) = blocks[first], divmod(before[first], cols)
            lines.append(f"{labels[block]} {row},{col} {''.join(marks[first:last])}")
        return "\n".join(lines)

    @classmethod
    def parse(cls, puzzle: Replayable, text: str, metric: Metric = "step") -> Plan:
        """Read what `to_text` writes (the plan is not verified).

        Raises
        ------
        ParseError
            For an unknown block or a line that cannot be read, naming the line.
        """
        if not isinstance(text, str):
            raise InputError(f"expected a text, got {type(text).__name__}")
        numbers = {label: index for index, label in enumerate(_labels(puzzle))}
        steps = []
        for line_number, line in enumerate(text.splitlines(), 1):
            words = line.split()
            if not words:
                continue
            if len(words) != 3:
                raise ParseError(
                    f"expected block, cell and directions, found {line!r}", line_number
                )
            label, place, marks = words
            if label not in numbers:
                raise ParseError(f"there is no block {label!r}", line_number)
            match = _PLACE.fullmatch(place)
            if match is None:
                raise ParseError(f"expected a cell as row,column, found {place!r}", line_number)
            cells = [Cell(int(match[1]), int(match[2]))]
            for mark in _MARK.findall(marks):
                if mark not in _OFFSETS:
                    raise ParseError(
                        f"expected R, L, U or D, or Ur, Ul, Dr, Dl, found {mark!r}", line_number
                    )
                cells.append(cells[-1] + _OFFSETS[mark])
            for row, col in cells:
                if not (0 <= row < puzzle.rows and 0 <= col < puzzle.cols):
                    raise ParseError(
                        f"block {label!r} leaves the frame at {(row, col)}", line_number
                    )
            numbered = [row * puzzle.cols + col for row, col in cells]
            steps += [(numbers[label], before, after) for before, after in pairwise(numbered)]
        return cls(puzzle, steps, metric)

    def to_json(self) -> str:
        """Return the moves as JSON: metric, lengths, and [block, [row, col], [row, col]] each.

        ``steps`` is the compact text, from which `from_json` rebuilds the plan.
        """
        return json.dumps(
            {
                "metric": self.metric,
                "lengths": {metric: self.length(metric) for metric in METRICS},
                "moves": [[move.block, move.start, move.end] for move in self.moves()],
                "steps": self.to_text(),
            }
        )

    @classmethod
    def from_json(cls, puzzle: Replayable, text: str) -> Plan:
        """Read what `to_json` writes (the plan is not verified).

        Raises
        ------
        ParseError
            For text that is no JSON, or has no metric or steps.
        """
        try:
            data = json.loads(text)
        except (TypeError, ValueError) as error:
            raise ParseError(f"expected JSON: {error}") from None
        metric = data.get("metric") if isinstance(data, dict) else None
        steps = data.get("steps") if isinstance(data, dict) else None
        if metric not in METRICS or not isinstance(steps, str):
            raise ParseError("expected a JSON object with a metric and steps")
        return cls.parse(puzzle, steps, metric)

    def _film(self) -> tuple[render.Film, str]:
        """Return the moves in the plan's metric as a film, and the lengths in words."""
        names = self.puzzle.block_names()
        runs, unit = self._runs(self.metric), _PLURAL[self.metric]
        film = plan_film(self.puzzle._stage(), names, runs, unit)
        metrics: dict[Metric, None] = dict.fromkeys([self.metric, "step", "slide", "move"])
        lengths = [(self.length(metric), metric) for metric in metrics]
        return film, ", ".join(
            f"{number} {metric if number == 1 else PLURAL[metric]}" for number, metric in lengths
        )

    def _scene(self) -> render.Scene:
        """Return key frames: the start, states evenly spaced among the moves, the end."""
        return self._strip([state._scene() for state in self._key_states()])

    def _flat_scene(self) -> render.Scene:
        return self._strip([state._flat_scene() for state in self._key_states()])

    def _key_frames(self) -> list[int]:
        """Return after how many moves the plan is drawn."""
        fitting = max(2, _MOST_CELLS // (self.puzzle.rows * self.puzzle.cols))
        frames = min(_MOST_FRAMES, fitting, len(self) + 1)
        return [round(frame * len(self) / max(1, frames - 1)) for frame in range(frames)]

    def _key_states(self) -> list[Drawable]:
        begins = [*self._steps.begins(self.metric), len(self._steps)]
        wanted = {begins[move] for move in self._key_frames()}
        return [state for step, state in enumerate(self.states()) if step in wanted]

    def _strip(self, scenes: list[render.Scene]) -> render.Scene:
        counts = self._key_frames()
        captions = ["start", *(f"{self.metric} {count}" for count in counts[1:])]
        columns = 4 if len(scenes) > 4 else None
        return render.joined(
            scenes, columns=columns, captions=captions, title=f"plan of {len(self)} {self.metric}s"
        )

    def _last_state(self) -> Drawable:
        return deque(self.states(), maxlen=1).pop()

    def __str__(self) -> str:
        return "\n".join(str(move) for move in self.moves())

    def __repr__(self) -> str:
        return f"Plan({self.puzzle!r}, {self._steps.tolist()!r}, {self.metric!r})"

    def _key(self) -> tuple[object, ...]:
        return self.metric, self._steps, self.puzzle

    def __hash__(self) -> int:
        return hash((self.metric, self._steps))  # some puzzles take long to hash

    def __reduce__(self) -> tuple[type[Plan], tuple[Replayable, Steps, Metric]]:
        return type(self), (self.puzzle, self._steps, self.metric)


def _checked_metric(metric: Metric | None, default: Metric) -> Metric:
    if metric is None:
        return default
    if metric not in METRICS:
        raise InputError(f"metric must be one of {', '.join(METRICS)}, got {metric!r}")
    return metric


_OFFSETS = {
    **{direction.name[0]: direction.delta for direction in Direction},
    "Ur": (-1, 1),
    "Ul": (-1, -1),
    "Dr": (1, 1),
    "Dl": (1, -1),
}
_BY_OFFSET = {offset: mark for mark, offset in _OFFSETS.items()}
_MARK = re.compile("[A-Z][a-z]?|.")
_PLACE = re.compile("([0-9]{1,9}),([0-9]{1,9})")


def _marks(steps: Steps, rows: int, cols: int, blocks: int) -> list[str]:
    """Return the mark of each step; raise `InvalidPlanError` for one that has none."""
    marks: list[str] = []
    by_cells: dict[tuple[int, int], str] = {}
    for step, (block, origin, to) in enumerate(steps):
        if not 0 <= block < blocks:
            raise InvalidPlanError(f"there is no block number {block}", step)
        mark = by_cells.get((origin, to))
        if mark is None:
            mark = by_cells[origin, to] = _mark_of(origin, to, rows, cols, step)
        marks.append(mark)
    return marks


def _mark_of(origin: int, to: int, rows: int, cols: int, step: int) -> str:
    ends = f"from {divmod(origin, cols)} to {divmod(to, cols)}"
    if not (0 <= origin < rows * cols and 0 <= to < rows * cols):
        raise InvalidPlanError(f"a step {ends} leaves the {rows} x {cols} frame", step)
    offset = to // cols - origin // cols, to % cols - origin % cols
    if offset not in _BY_OFFSET:
        raise InvalidPlanError(f"a step {ends} is not to a neighbouring cell", step)
    return _BY_OFFSET[offset]


def _labels(puzzle: Replayable) -> list[str]:
    """Return a text for each block: its name, or its number where the name is not unique."""
    names = list(puzzle.block_names())
    several = {name for name, times in Counter(names).items() if times > 1}
    return [f"#{index}" if name in several else name for index, name in enumerate(names)]
