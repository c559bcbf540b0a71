"""Many random boards of a chosen difficulty; the same seed gives the same boards, whoever works."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from os import PathLike
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from gridkit.errors import InputError, RowError
from gridkit.grid.board import Board
from gridkit.reading import read_int
from gridkit.run import Limit, ProgressCallback, Run
from gridkit.run.checkpoint import books_of
from gridkit.run.parallel import Order, Part, run_parts
from gridkit.sliding.blocks.generate import (
    MOST_NODES,
    normal_shape,
    parking,
    place_blocks,
    read_length,
)
from gridkit.sliding.blocks.puzzle import SlidingPuzzle
from gridkit.sliding.blocks.rules import BlockMetric, checked_cell, checked_metric
from gridkit.sliding.blocks.space import Exploration
from gridkit.sliding.many.boards import BlockBoards, TileBoards, labels_of
from gridkit.sliding.many.visits import BoardWork, RowWork, rows_part, visit_rows
from gridkit.sliding.npuzzle.puzzle import NPuzzle

__all__ = ["generate_many", "random_tiles"]

_ENGINE = "random boards 1"
_ROWS_A_PART = 8
_NO_BOARD = -2  # in the place of labels, where no arrangement would do

Place = tuple[int, int]
I16 = NDArray[np.int16]


class _Order(NamedTuple):
    """What boards are wanted: plain data."""

    seed: int
    length: tuple[int, int]
    metric: BlockMetric
    rows: int
    cols: int
    shapes: tuple[tuple[Place, ...], ...]
    goal: Place
    cars: int
    trucks: int
    attempts: int

    @property
    def is_rush_hour(self) -> bool:
        return not self.shapes


def generate_many(
    number: int,
    length: int | tuple[int, int],
    *,
    shapes: Sequence[Iterable[Place]] | None = None,
    size: tuple[int, int] = (6, 6),
    goal: Place | None = None,
    cars: int = 9,
    trucks: int = 3,
    metric: BlockMetric = "slide",
    attempts: int = 1000,
    rng: int | np.random.Generator | None = None,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
    executor: Executor | None = None,
    parts: int | None = None,
    checkpoint: str | PathLike[str] | None = None,
    resume: object = None,
) -> BlockBoards:
    """Return random boards with optima of a wanted length: Rush Hour, or blocks of given shapes.

    Parameters
    ----------
    number : int
        How many.
    length : int or (int, int)
        The optimum, or its least and greatest value.
    shapes : sequence of iterables of (row, col), optional
        Cells of each block, as in `generate`; the first one is block 1, which has the goal.  Rush
        Hour boards when left out.
    size : (int, int)
        Rows and columns of a board with `shapes`.
    goal : (row, col)
        Where the corner of block 1's bounding box has to be, with `shapes`.
    cars, trucks : int
        Blocks of two and of three cells of Rush Hour, beside the car that is to leave.
    metric : {"step", "slide", "move"}
    attempts : int
        Arrangements to try for each board.
    rng : int, numpy.random.Generator or None
        Board k depends on the seed and on k alone, not on workers or on the number of boards.
    limit, progress, executor, parts, checkpoint, resume
        As in `solve_many`.  Without `rng` a file goes on with the seed that it began with.

    Returns
    -------
    BlockBoards

    Raises
    ------
    RowError
        When no arrangement tried for a board would do; ``.partial`` has the boards found.
    LimitReached, Interrupted
        With the boards so far in ``partial.value``.

    Examples
    --------
    >>> import gridkit as gk
    >>> boards = gk.sliding.generate_many(3, (4, 9), cars=5, trucks=1, rng=1)
    >>> lengths = gk.sliding.solve_many(boards, metric="slide").lengths
    >>> len(boards), all(4 <= length <= 9 for [length] in lengths.tolist())
    (3, True)
    """
    with Run(
        limit=limit, progress=progress, executor=executor, parts=parts, checkpoint=checkpoint,
        resume=resume,
    ) as run:  # fmt: skip
        wanted = read_int(number, "generate_many: number", least=0)
        order = _checked(length, shapes, size, goal, cars, trucks, metric, attempts, rng)

        def combine(values: list[object]) -> BlockBoards:
            arrays = cast("list[I16]", values)
            there = [own[(own != _NO_BOARD).all(axis=(1, 2))] for own in arrays]
            return _boards(order, np.concatenate(there))

        run.nothing = combine([np.empty((0, order.rows, order.cols), dtype=np.int16)])
        # Without a seed the one of the token, or of the file, goes on.
        named = order._replace(seed=0) if rng is None else order
        call = f"generate_many {wanted} {named}"
        ledger = books_of(run, call, _ENGINE, lambda: _split(order, wanted, run))
        whole: list[object] = []

        def gather(values: list[object]) -> BlockBoards:
            whole[:] = values
            return combine(values)

        boards = run_parts(_visit, order, ledger, run, combine=gather)
        assert isinstance(boards, BlockBoards)
        if len(boards) < wanted:
            flags = [(own == _NO_BOARD).any(axis=(1, 2)) for own in cast("list[I16]", whole)]
            row = int(np.flatnonzero(np.concatenate(flags))[0])
            raise RowError(
                f"generate_many: board {row}: none of {order.attempts} arrangements has a start "
                f"with an optimum of {order.length[0]} to {order.length[1]} {order.metric}s",
                row, boards,
            )  # fmt: skip
        return boards


def random_tiles(
    number: int, rows: int, cols: int, *, rng: int | np.random.Generator | None = None
) -> TileBoards:
    """Return random arrangements of tiles from which the usual goal can be reached.

    Every such arrangement is equally likely, each board by itself.

    Examples
    --------
    >>> boards = random_tiles(100, 3, 3, rng=1)
    >>> all(boards.puzzle(row).explain().solvable for row in range(100))
    True
    """
    wanted = read_int(number, "random_tiles: number", least=0)
    high, wide = (read_int(side, "random_tiles: rows and cols", least=1) for side in (rows, cols))
    chance = np.random.default_rng(_seed(rng))
    boards = np.empty((wanted, high, wide), dtype=np.int16)
    for row in range(wanted):
        while True:
            tiles = chance.permutation(high * wide)
            if NPuzzle(high, wide, tiles.tolist()).is_solvable():
                break
            if min(high, wide) > 1:  # the other half: two tiles change places
                first, second = np.flatnonzero(tiles)[:2]
                tiles[[first, second]] = tiles[[second, first]]
                break
        boards[row] = tiles.reshape(high, wide)
    return TileBoards(boards)


def _checked(
    length: object,
    shapes: Sequence[Iterable[Place]] | None,
    size: tuple[int, int],
    goal: Place | None,
    cars: int,
    trucks: int,
    metric: object,
    attempts: int,
    rng: object,
) -> _Order:
    name = "generate_many"
    if (shapes is None) != (goal is None):
        raise InputError(f"{name}: shapes and goal go together")
    rows, cols = size
    board = Board.rectangle(rows, cols)
    forms: tuple[tuple[Place, ...], ...] = ()
    target = (0, 0)
    if shapes is not None:
        assert goal is not None
        forms = tuple(tuple(normal_shape(shape)) for shape in shapes)
        if not forms or sum(map(len, forms)) > len(board):
            raise InputError(f"{name}: expected shapes that fit the {rows} x {cols} board")
        row, col = checked_cell(goal, f"{name}: goal")
        target = int(row), int(col)
    elif (rows, cols) != (6, 6):
        raise InputError(f"{name}: Rush Hour boards have 6 x 6 cells, got {size!r}")
    return _Order(
        _seed(rng), read_length(length), checked_metric(metric, name), rows, cols, forms, target,
        read_int(cars, f"{name}: cars", 0, 18), read_int(trucks, f"{name}: trucks", 0, 18),
        read_int(attempts, f"{name}: attempts", least=1),
    )  # fmt: skip


def _seed(rng: object) -> int:
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(1 << 63))
    if rng is None:
        return int(np.random.default_rng().integers(1 << 63))
    return read_int(rng, "rng", least=0)


def _boards(order: _Order, array: I16) -> BlockBoards:
    if order.is_rush_hour:
        return BlockBoards(array, {1: "right"}, cars=True)
    return BlockBoards(array, {1: order.goal})


def _split(order: _Order, number: int, run: Run) -> list[Part]:
    pieces = run.parts or max(1, number // _ROWS_A_PART)
    parts = []
    for place, rows in enumerate(np.array_split(np.arange(number), min(max(1, number), pieces))):
        empty = np.full((len(rows), order.rows, order.cols), _NO_BOARD, dtype=np.int16)
        first = int(rows[0]) if len(rows) else 0
        parts.append(rows_part(place, (first, len(rows), order.seed), len(rows), empty))
    return parts


def _visit(order: Order, wanted: _Order, part: Part) -> Part:
    def begin(facts: object, begun: object) -> RowWork:
        first, rows, seed = cast("tuple[int, int, int]", facts)
        return _Generating(_Order(*wanted)._replace(seed=seed), first, rows, begun)

    return visit_rows(order, part, begin)


class _Generating(BoardWork):
    """Makes boards one after the other: arranges blocks, explores, picks a start."""

    def __init__(self, order: _Order, first: int, rows: int, begun: object = None) -> None:
        super().__init__(rows)
        self._order, self._first = order, first
        self._made = np.full((rows, order.rows, order.cols), _NO_BOARD, dtype=np.int16)
        if begun is not None:
            self.row, self.spent, made = cast("tuple[int, int, I16]", begun)
            self._made = made.copy()
        self._chance: np.random.Generator | None = None
        self._tried = 0
        self._puzzle: SlidingPuzzle | None = None
        self._space: Exploration | None = None

    @property
    def nodes(self) -> int:
        """States explored, and one for each arrangement."""
        return self.spent + (0 if self._space is None else self._space.nodes)

    def memory(self) -> int:
        """Return the bytes of the space under way."""
        return self._made.nbytes + (0 if self._space is None else self._space.memory())

    def value(self) -> I16:
        """Return the boards so far."""
        return self._made.copy()

    def token(self) -> tuple[int, int, I16]:
        """Return the boards so far; the one under way begins anew."""
        return self.row, self.spent, self.value()

    def advance(self, budget: int) -> bool:
        """Explore at most about `budget` states."""
        end = self.nodes + budget
        while self.nodes < end:
            if self.row == len(self._made):
                return True
            space = self._space
            if space is None:
                self._arrange()
                continue
            before = space.nodes
            if space.advance(end - self.nodes):
                self._choose(space)
            elif space.nodes > MOST_NODES:
                self._close(space)
            elif space.nodes == before:
                break
        return False

    def _arrange(self) -> None:
        """Put blocks on the board at random, and begin to explore."""
        order = self._order
        if self._chance is None:
            seed = np.random.SeedSequence(order.seed, spawn_key=(self._first + self.row,))
            self._chance, self._tried = np.random.default_rng(seed), 0
        if self._tried == order.attempts:
            self._next_row()
            return
        self._tried += 1
        self.spent += 1
        board = Board.rectangle(order.rows, order.cols)
        run = Run()
        if order.is_rush_hour:
            self._puzzle = parking(board, order.cars, order.trucks, self._chance, run)
        else:
            shapes = [list(shape) for shape in order.shapes]
            blocks = place_blocks(board, shapes, self._chance, {}, run)
            goal = {"A": order.goal}
            self._puzzle = None if blocks is None else SlidingPuzzle(board, blocks, goal)
        if self._puzzle is not None:
            self._space = Exploration(self._puzzle._instance, order.metric, False, lambda: None)

    def _choose(self, space: Exploration) -> None:
        """Take a random start at a suitable distance from the goal, if there is one."""
        least, greatest = self._order.length
        assert self._chance is not None
        numbers = np.flatnonzero((space.to_goal >= least) & (space.to_goal <= greatest))
        puzzle = self._puzzle
        self._close(space)
        if len(numbers):
            assert puzzle is not None
            state = int(self._chance.choice(numbers))
            places = space.reader.places(space.space.states()[state])
            self._made[self.row] = labels_of(puzzle.moved(places))
            self._next_row()

    def _close(self, space: Exploration) -> None:
        self.spent += space.nodes
        self._space = self._puzzle = None

    def _next_row(self) -> None:
        self.row += 1
        self._chance = None
