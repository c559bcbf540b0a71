"""All boards of Rush Hour of a size, in connected components: counted, measured, hardest kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from os import PathLike
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from gridkit.reading import read_int
from gridkit.run import Limit, ProgressCallback, Run
from gridkit.run.checkpoint import books_of
from gridkit.run.parallel import Order, Part, run_parts
from gridkit.sliding.many.visits import RowWork, rows_part, visit_rows
from gridkit.sliding.traffic import kernels
from gridkit.sliding.traffic.contents import Contents

__all__ = ["RushHourBoards", "RushHourComponent", "enumerate_rush_hour"]

_ENGINE = "rush hour boards 1"
_LARGEST, _MOST_WALLS = 7, 4
_LONGEST = 256  # no optimum comes near
_GIVEN_LINES = 2  # whose contents make a part
_RECORDS = 256

I64 = NDArray[np.int64]


class RushHourComponent(NamedTuple):
    """Boards that can be reached from one another.

    Attributes
    ----------
    optimum : int
        Slides that the hardest of them takes.
    board : str
        That board (the first of them), a mark a cell, row by row: o empty, x wall, A the car that
        is to leave.  On 6 x 6 `SlidingPuzzle.parse_rush_hour` reads it.
    boards : int
        How many they are.

    Examples
    --------
    >>> import gridkit as gk
    >>> gk.sliding.enumerate_rush_hour(2, 3, at_least=1).hardest[0]
    RushHourComponent(optimum=1, board='AAoBBB', boards=2)
    """

    optimum: int
    board: str
    boards: int


@dataclass(frozen=True, slots=True)
class RushHourBoards:
    """What there is of Rush Hour on boards of one size.

    Attributes
    ----------
    rows, cols, walls : int
    boards : int
        Boards with a car to leave.
    components : int
        Sets of boards that can be reached from one another.
    solvable : int
        Those in which the car can leave.
    histogram : tuple of int
        How many of these take 0, 1, 2, ... slides from their hardest board.
    hardest : tuple of RushHourComponent
        Those that take `at_least` slides or more, the hardest first, then by their boards.

    Examples
    --------
    >>> import gridkit as gk
    >>> found = gk.sliding.enumerate_rush_hour(3, 3)
    >>> found.boards, found.components, found.histogram
    (72, 33, (12, 9))
    """

    rows: int
    cols: int
    walls: int
    boards: int
    components: int
    solvable: int
    histogram: tuple[int, ...]
    hardest: tuple[RushHourComponent, ...]


class _Task(NamedTuple):
    """The size of the boards and the least optimum to keep."""

    rows: int
    cols: int
    walls: int
    at_least: int


def enumerate_rush_hour(
    rows: int = 6,
    cols: int = 6,
    *,
    walls: int = 0,
    at_least: int | None = None,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
    executor: Executor | None = None,
    parts: int | None = None,
    checkpoint: str | PathLike[str] | None = None,
    resume: object = None,
) -> RushHourBoards:
    """Enumerate all boards of Rush Hour with cars of two cells and trucks of three.

    The car that is to leave is the last one of the middle row (the upper of two), two cells long,
    and leaves at the right.  Every other line may hold any cars and trucks.

    Parameters
    ----------
    rows, cols : int
        From 2 to 7.
    walls : int
        Fixed cells, in every arrangement of them, at most 4.
    at_least : int, optional
        Components that take so many slides or more are listed; none when left out.
    limit : Limit, optional
        A node is a placement tried or a board expanded; memory is that of one worker.
    progress : callable, optional
        Called with a `Progress`; ``found`` counts boards.
    executor : concurrent.futures.Executor, optional
        Takes parts side by side; threads do.
    parts : int, optional
        Is not used: a part is the contents of the first two rows, with an arrangement of walls.
    checkpoint : path, optional
        A file that keeps the parts that are done, from which a killed call goes on.
    resume : object, optional
        The token of a `LimitReached` or `Interrupted` of the same call.

    Returns
    -------
    RushHourBoards

    Raises
    ------
    LimitReached, Interrupted
        With the numbers so far in ``partial.value``.

    Notes
    -----
    The cars of a line cannot pass each other, so the contents of all lines are the same in a
    component; contents are enumerated line by line with all boards that have them, as M. Fogleman
    (2018) enumerates boards.  Boards of the same contents are parted by a search in breadth, and
    each component measured by another one from its goal boards.

    Examples
    --------
    >>> import gridkit as gk
    >>> found = gk.sliding.enumerate_rush_hour(4, 4, at_least=5)
    >>> found.boards, len(found.histogram) - 1, found.hardest[0].optimum
    (13146, 7, 7)
    """
    with Run(
        limit=limit, progress=progress, executor=executor, parts=parts, checkpoint=checkpoint,
        resume=resume,
    ) as run:  # fmt: skip
        name = "enumerate_rush_hour"
        task = _Task(
            read_int(rows, f"{name}: rows", 2, _LARGEST),
            read_int(cols, f"{name}: cols", 2, _LARGEST),
            read_int(walls, f"{name}: walls", 0, _MOST_WALLS),
            _LONGEST if at_least is None else read_int(at_least, f"{name}: at_least", 0),
        )

        def combine(values: list[object]) -> RushHourBoards:
            return _joined(task, cast("list[_Value]", values))

        run.nothing = combine([])
        ledger = books_of(run, f"{name} {tuple(task)}", _ENGINE, lambda: _split(task))
        found = run_parts(_visit, task, ledger, run, combine=combine)
        assert isinstance(found, RushHourBoards)
        return found


_Value = tuple[int, int, int, tuple[int, ...], tuple[tuple[int, str, int], ...]]
"""Boards, components, those with a goal, histogram, components kept."""
_NOTHING: _Value = (0, 0, 0, (), ())


def _joined(task: _Task, values: list[_Value]) -> RushHourBoards:
    histogram: Counter[int] = Counter()
    hardest: list[RushHourComponent] = []
    for _, _, _, own, kept in values:
        histogram.update(dict(enumerate(own)))
        hardest += [RushHourComponent(*component) for component in kept]
    hardest.sort(key=lambda component: (-component.optimum, component.board))
    longest = max((optimum for optimum, number in histogram.items() if number), default=-1)
    return RushHourBoards(
        task.rows, task.cols, task.walls,
        sum(value[0] for value in values), sum(value[1] for value in values),
        sum(value[2] for value in values),
        tuple(histogram[optimum] for optimum in range(longest + 1)), tuple(hardest),
    )  # fmt: skip


def _split(task: _Task) -> list[Part]:
    """Return a part for each arrangement of walls and each content of the first lines."""
    parts: list[Part] = []
    for walls in combinations(range(task.rows * task.cols), task.walls):
        ends = _contents(task.rows, task.cols, walls).tables.line_contents.tolist()
        ranges = [range(ends[line], ends[line + 1]) for line in range(_GIVEN_LINES)]
        parts += [
            rows_part(len(parts) + place, (walls, given), 1, _NOTHING)
            for place, given in enumerate(product(*ranges))
        ]
    return parts


@lru_cache(maxsize=64)
def _contents(rows: int, cols: int, walls: tuple[int, ...]) -> Contents:
    return Contents(rows, cols, frozenset(walls))


def _visit(order: Order, task: _Task, part: Part) -> Part:
    def begin(facts: object, begun: object) -> RowWork:
        walls, given = cast("tuple[tuple[int, ...], tuple[int, ...]]", facts)
        return _Enumeration(_Task(*task), walls, given, begun)

    return visit_rows(order, part, begin)


class _Enumeration(RowWork):
    """All boards with given walls and given contents of the first lines."""

    def __init__(
        self, task: _Task, walls: tuple[int, ...], given: Sequence[int], begun: object
    ) -> None:
        self._contents = contents = _contents(task.rows, task.cols, walls)
        levels = contents.lines
        self._control = np.zeros(kernels.CONTROL_SIZE, dtype=np.int64)
        self._control[kernels.FIRST_LEVEL] = self._control[kernels.KEPT] = len(given)
        self._control[kernels.BEST] = task.at_least
        content = np.zeros(levels, dtype=np.int32)
        content[: len(given)] = given
        if len(given) < levels:
            content[len(given)] = contents.tables.line_contents[len(given)]
        self._histogram = np.zeros(_LONGEST, dtype=np.int64)
        self._kept: list[tuple[int, str, int]] = []
        if begun is not None:
            control, chosen, histogram, kept = cast(
                "tuple[I64, NDArray[np.int32], I64, tuple[tuple[int, str, int], ...]]", begun
            )
            self._control, content = control.copy(), chosen.copy()
            self._histogram, self._kept = histogram.copy(), list(kept)
            self._rebuild(content)
        keys, cells = np.zeros(1 << 12, np.uint64), np.zeros(1 << 12, np.uint64)
        cells[0] = sum(1 << cell for cell in walls)
        ends = np.zeros(levels + 2, dtype=np.int64)
        ends[1] = 1
        self._lists = kernels.Lists(content, ends, keys, cells)
        self._desk = kernels.Desk(
            queue=np.zeros(1 << 10, dtype=np.int32),
            distance=np.zeros(1 << 10, dtype=np.int32),
            histogram=self._histogram,
            records=np.zeros((_RECORDS, kernels.RECORD_HEAD + levels), dtype=np.int64),
            kept_control=self._control.copy(),
            kept_histogram=self._histogram.copy(),
        )

    @property
    def nodes(self) -> int:
        """Placements tried, and boards expanded."""
        return int(self._control[kernels.NODES])

    @property
    def found(self) -> int:
        """Boards of contents that are done."""
        return int(self._control[kernels.BOARDS])

    def memory(self) -> int:
        """Return the bytes of the arrays."""
        return sum(array.nbytes for array in (*self._lists, *self._desk))

    def value(self) -> _Value:
        """Return what is complete, and components of the contents under way."""
        self._drain()
        control = self._control
        boards, components, solvable = (
            int(control[at]) for at in (kernels.BOARDS, kernels.COMPONENTS, kernels.SOLVABLE)
        )
        histogram = tuple(np.trim_zeros(self._histogram, "b").tolist())
        return boards, components, solvable, histogram, tuple(self._kept)

    def token(self) -> object:
        """Return where the walk is; the contents under way begin anew."""
        self._drain()
        lists, desk, control = self._lists, self._desk, self._control.copy()
        histogram, kept = self._histogram, self._kept
        if control[kernels.STAGE] != 0:  # a leaf is being searched
            control, histogram = desk.kept_control.copy(), desk.kept_histogram
            kept = kept[: int(control[kernels.RECORDED])]
            control[kernels.NODES] = self.nodes
        return control, lists.content.copy(), histogram.copy(), tuple(kept)

    def advance(self, budget: int) -> bool:
        """Walk and search until the budget is spent or all is done."""
        end = self.nodes + budget
        while self.nodes < end:
            status = kernels.advance(
                self._control, self._contents.tables, self._lists, self._desk, end - self.nodes
            )
            if status == kernels.DONE:
                return True
            if status == kernels.ROOM:
                self._grow()
        return False

    def _rebuild(self, content: NDArray[np.int32]) -> None:
        """Begin at the top again, with the contents that were chosen."""
        control, levels = self._control, len(content)
        depth = int(control[kernels.DEPTH])
        if depth == levels and control[kernels.SEED]:  # that leaf is done
            content[levels - 1] += 1
        # Cut short again while it was built anew, it is given further than it had come.
        control[kernels.KEPT] = min(max(depth + 1, control[kernels.KEPT]), levels)
        control[kernels.DEPTH] = control[kernels.SEED] = control[kernels.RECORDS] = 0

    def _drain(self) -> None:
        """Read the records."""
        control, contents = self._control, self._contents
        for record in self._desk.records[: control[kernels.RECORDS]].tolist():
            self._kept.append((record[0], contents.board(record), record[1]))
        control[kernels.RECORDS] = 0

    def _grow(self) -> None:
        """Make room for records, for the boards of a leaf, or for those of the walk."""
        lists, desk, levels = self._lists, self._desk, self._contents.lines
        if self._control[kernels.RECORDS] == len(desk.records):
            self._drain()
            return
        boards = int(lists.ends[levels + 1] - lists.ends[levels])
        at_leaf = self._control[kernels.DEPTH] == levels and not self._control[kernels.SEED]
        if at_leaf and boards > len(desk.queue):
            empty = np.zeros(2 * boards, dtype=np.int32)
            self._desk = desk._replace(queue=empty, distance=empty.copy())
            return
        keys, cells = (np.concatenate((own, own)) for own in (lists.keys, lists.cells))
        self._lists = lists._replace(keys=keys, cells=cells)
