"""Random sliding-block puzzles of a chosen difficulty; the same seed gives the same puzzle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import numpy as np

from gridkit.errors import InputError
from gridkit.grid.board import Board
from gridkit.grid.cell import Cell
from gridkit.reading import read_int
from gridkit.run import Limit, ProgressCallback, Run
from gridkit.sliding.blocks.puzzle import SlidingPuzzle
from gridkit.sliding.blocks.rules import BlockMetric, checked_cell, checked_metric
from gridkit.sliding.blocks.space import explore

__all__ = [
    "LETTERS", "MOST_NODES", "generate", "generate_rush_hour", "normal_shape", "parking",
    "place_blocks", "random_start", "read_length",
]  # fmt: skip

Item = TypeVar("Item")
Place = tuple[int, int]
Random = int | np.random.Generator | None
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWYZabcdefghijklmnpqrstuvwyz0123456789"
# A start is looked for in spaces that take at most so many nodes to explore.
MOST_NODES = 2_000_000


def random_start(
    puzzle: SlidingPuzzle,
    length: int | tuple[int, int],
    *,
    metric: BlockMetric = "step",
    rng: Random = None,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
) -> SlidingPuzzle | None:
    """Return a random start, within reach of a puzzle's start, whose optimum has a wanted length.

    Parameters
    ----------
    puzzle : SlidingPuzzle
    length : int or (int, int)
        The optimum, or its least and greatest value.
    metric : {"step", "slide", "move"}
    rng : int, numpy.random.Generator or None
        A seed, a source of random numbers, or None for one that differs at each call.
    limit, progress
        As in `SlidingPuzzle.explore`.  There is no ``resume=``: explore the space instead.

    Returns
    -------
    SlidingPuzzle or None
        None when no state is so far from the goal.

    Examples
    --------
    >>> start = random_start(SlidingPuzzle.parse("A...", goal={"A": (0, 3)}), 2, rng=1)
    >>> print(start.draw(start.places))
    .A..
    """
    with Run(limit=limit, progress=progress) as run:
        least, greatest = read_length(length)
        chosen, chance = checked_metric(metric, "random_start"), _generator(rng)
        space = explore(puzzle, puzzle._instance, chosen, False, run)
        return None if space is None else space._random_start(least, greatest, chance)


def generate(
    rows: int,
    cols: int,
    shapes: Sequence[Iterable[Place]],
    goal: Place,
    length: int | tuple[int, int],
    *,
    metric: BlockMetric = "move",
    rng: Random = None,
    attempts: int = 100,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
) -> SlidingPuzzle | None:
    """Return a random puzzle whose first block has to go to a cell, with an optimum of a length.

    Parameters
    ----------
    rows, cols : int
        Size of the board.
    shapes : sequence of iterables of (row, col)
        Cells of each block as offsets; the first one is the block ``A`` that has a goal.
    goal : (row, col)
        Where the corner of ``A``'s bounding box has to be.
    length : int or (int, int)
        The optimum, or its least and greatest value.
    metric : {"step", "slide", "move"}
    rng : int, numpy.random.Generator or None
        A seed, a source of random numbers, or None for one that differs at each call.
    attempts : int
        Arrangements to try.
    limit, progress
        As in `SlidingPuzzle.solve`.  There is no ``resume=``: another call with the same generator
        tries further arrangements.

    Returns
    -------
    SlidingPuzzle or None
        None when no arrangement tried leads to such a puzzle.

    Examples
    --------
    >>> domino, square = [(0, 0), (0, 1)], [(0, 0)]
    >>> puzzle = generate(3, 3, [domino, square, square, square], (2, 1), 5, rng=0)
    >>> len(puzzle.solve(metric="move"))
    5
    """
    with Run(limit=limit, progress=progress) as run:
        board = Board.rectangle(rows, cols)
        offsets = [normal_shape(shape) for shape in shapes]
        if not 1 <= len(offsets) <= len(LETTERS):
            raise InputError(f"generate: expected 1 to {len(LETTERS)} shapes, got {len(offsets)}")
        if sum(map(len, offsets)) > len(board):
            raise InputError(f"generate: the shapes cover more than the {rows} x {cols} board")
        target = checked_cell(goal, "generate: goal")
        chance = _generator(rng)

        def arrange() -> SlidingPuzzle | None:
            blocks = place_blocks(board, offsets, chance, {}, run)
            return None if blocks is None else SlidingPuzzle(board, blocks, {"A": target})

        most = read_int(attempts, "generate: attempts", least=0)
        chosen = checked_metric(metric, "generate")
        return _pick(arrange, most, read_length(length), chosen, chance, run)


def generate_rush_hour(
    length: int | tuple[int, int],
    *,
    metric: BlockMetric = "slide",
    cars: int = 9,
    trucks: int = 3,
    rng: Random = None,
    attempts: int = 1000,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
) -> SlidingPuzzle | None:
    """Return a random Rush Hour puzzle on the 6 x 6 board with an optimum of a length.

    Parameters
    ----------
    length : int or (int, int)
        The optimum, or its least and greatest value.
    metric : {"step", "slide", "move"}
    cars, trucks : int
        Blocks of two cells beside the car ``A``, and of three cells.
    rng : int, numpy.random.Generator or None
        A seed, a source of random numbers, or None for one that differs at each call.
    attempts : int
        Arrangements to try.
    limit, progress
        As in `generate`.

    Returns
    -------
    SlidingPuzzle or None
        None when no arrangement tried leads to such a puzzle.

    Examples
    --------
    >>> puzzle = generate_rush_hour((5, 9), cars=5, trucks=2, rng=3)
    >>> 5 <= len(puzzle.solve(metric="slide")) <= 9
    True
    """
    with Run(limit=limit, progress=progress) as run:
        cars = read_int(cars, "generate_rush_hour: cars", 0, 18)
        trucks = read_int(trucks, "generate_rush_hour: trucks", 0, 18)
        board = Board.rectangle(6, 6)
        chance = _generator(rng)

        def arrange() -> SlidingPuzzle | None:
            return parking(board, cars, trucks, chance, run)

        most = read_int(attempts, "generate_rush_hour: attempts", least=0)
        chosen = checked_metric(metric, "generate_rush_hour")
        return _pick(arrange, most, read_length(length), chosen, chance, run)


def parking(
    board: Board, cars: int, trucks: int, chance: np.random.Generator, run: Run
) -> SlidingPuzzle | None:
    """Return a random Rush Hour position, or None where one car found no place."""
    shapes: list[list[Place]] = []
    axes = {"A": "horizontal"}
    for size in chance.permutation([2] * cars + [3] * trucks).tolist():
        across = bool(chance.random() < 0.5)
        shapes.append([(0, at) if across else (at, 0) for at in range(size)])
        axes[LETTERS[len(shapes)]] = "horizontal" if across else "vertical"
    red = [Cell(2, at) for at in range(2)]
    blocks = place_blocks(board, shapes, chance, {"A": red}, run)
    # A horizontal car in the red car's row, on its right, could never let it pass.
    if blocks is None or any(
        axes[name] == "horizontal" and cells[0].row == 2
        for name, cells in blocks.items()
        if name != "A"
    ):
        return None
    return SlidingPuzzle(board, blocks, {"A": "right"}, axes=axes)


def place_blocks(
    board: Board,
    shapes: list[list[Place]],
    chance: np.random.Generator,
    blocks: dict[str, list[Cell]],
    run: Run,
) -> dict[str, list[Cell]] | None:
    """Put shapes on free places at random, large ones first; None when one does not fit."""
    blocks = dict(blocks)
    free = set(board.cells) - {cell for own in blocks.values() for cell in own}
    names = LETTERS[len(blocks) :]
    for number in sorted(range(len(shapes)), key=lambda own: -len(shapes[own])):
        run.check()
        places = [
            cells
            for corner in board.cells
            if free.issuperset(cells := [corner + offset for offset in shapes[number]])
        ]
        if not places:
            return None
        cells = _choice(places, chance)
        blocks[names[number]] = cells
        free -= set(cells)
    return dict(sorted(blocks.items(), key=lambda item: item[1]))


def _choice(items: Sequence[Item], chance: np.random.Generator) -> Item:
    return items[int(chance.integers(len(items)))]


def _pick(
    arrange: Callable[[], SlidingPuzzle | None],
    attempts: int,
    length: tuple[int, int],
    metric: BlockMetric,
    chance: np.random.Generator,
    run: Run,
) -> SlidingPuzzle | None:
    """Return a random start of the first of some arrangements whose space has a suitable one."""
    for _ in range(attempts):
        run.check()
        puzzle = arrange()
        space = (
            None
            if puzzle is None
            else explore(puzzle, puzzle._instance, metric, False, run, at_most=MOST_NODES)
        )
        start = None if space is None else space._random_start(*length, chance)
        if start is not None:
            return start
    return None


def normal_shape(shape: Iterable[Place]) -> list[Place]:
    """Return the cells of a shape as offsets from the corner of its bounding box."""
    cells = sorted(checked_cell(cell, "generate: shape") for cell in shape)
    if not cells or len(set(cells)) != len(cells):
        raise InputError(f"generate: expected a shape of different cells, got {cells!r}")
    top, left = min(row for row, _ in cells), min(col for _, col in cells)
    return [(row - top, col - left) for row, col in cells]


def read_length(length: object) -> tuple[int, int]:
    """Return the least and the greatest optimum that are wanted.

    Examples
    --------
    >>> read_length(5), read_length((3, 7))
    ((5, 5), (3, 7))
    """
    pair = length if isinstance(length, tuple) and len(length) == 2 else (length, length)
    least, greatest = (read_int(value, "length (or its bounds)", least=0) for value in pair)
    if least > greatest:
        raise InputError(f"length must be an int >= 0 or a (least, greatest) pair, got {length!r}")
    return least, greatest


def _generator(rng: object) -> np.random.Generator:
    if isinstance(rng, np.random.Generator):
        return rng
    return np.random.default_rng(None if rng is None else read_int(rng, "rng", least=0))
