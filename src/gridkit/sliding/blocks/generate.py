"""Random sliding-block puzzles of a wanted difficulty; the same seed gives the same puzzle."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gridkit.errors import InputError, LimitReached
from gridkit.grid.board import Board
from gridkit.grid.cell import Cell
from gridkit.run.control import Limit
from gridkit.sliding.blocks.puzzle import SlidingPuzzle
from gridkit.sliding.blocks.rules import checked_cell
from gridkit.sliding.blocks.search import BlockMetric
from gridkit.sliding.blocks.space import explore

__all__ = ["generate", "generate_rush_hour", "random_start"]

Place = tuple[int, int]
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWYZabcdefghijklmnpqrstuvwyz0123456789"
_NODES = 2_000_000


def random_start(
    puzzle: SlidingPuzzle, length: int | tuple[int, int], metric: BlockMetric = "step", *, seed: int
) -> SlidingPuzzle | None:
    """Return a random start, within reach of a puzzle's start, whose optimum has a wanted length.

    Parameters
    ----------
    puzzle : SlidingPuzzle
    length : int or (int, int)
        The optimum, or its least and greatest value.
    metric : {"step", "slide", "move"}
    seed : int

    Returns
    -------
    SlidingPuzzle or None
        None when no state is so far from the goal.

    Examples
    --------
    >>> start = random_start(SlidingPuzzle.parse("A...", goal={"A": (0, 3)}), 2, seed=1)
    >>> print(start.draw(start.places))
    .A..
    """
    least, greatest = _checked_length(length)
    space = explore(puzzle, metric, diameter=False)
    return space.random_start(least, greatest, random.Random(_checked_seed(seed)))


def generate(
    rows: int,
    cols: int,
    shapes: Sequence[Iterable[Place]],
    goal: Place,
    length: int | tuple[int, int],
    metric: BlockMetric = "move",
    *,
    seed: int,
    attempts: int = 100,
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
    seed : int
    attempts : int
        Arrangements to try.

    Returns
    -------
    SlidingPuzzle or None
        None when no arrangement tried leads to such a puzzle.

    Examples
    --------
    >>> domino, square = [(0, 0), (0, 1)], [(0, 0)]
    >>> puzzle = generate(3, 3, [domino, square, square, square], (2, 1), 5, seed=0)
    >>> len(puzzle.solve("move"))
    5
    """
    board = Board.rectangle(rows, cols)
    offsets = [_normal(shape) for shape in shapes]
    if not 1 <= len(offsets) <= len(_LETTERS):
        raise InputError(f"generate: expected 1 to {len(_LETTERS)} shapes, got {len(offsets)}")
    if sum(map(len, offsets)) > len(board):
        raise InputError(f"generate: the shapes cover more than the {rows} x {cols} board")
    wanted: Mapping[str, Place | str] = {"A": checked_cell(goal, "generate: goal")}
    chance = random.Random(_checked_seed(seed))
    starts = (
        SlidingPuzzle(board, blocks, wanted)
        for blocks in _arrangements(board, offsets, chance, attempts)
    )
    return _pick(starts, length, metric, chance)


def generate_rush_hour(
    length: int | tuple[int, int],
    metric: BlockMetric = "slide",
    *,
    cars: int = 9,
    trucks: int = 3,
    seed: int,
    attempts: int = 1000,
) -> SlidingPuzzle | None:
    """Return a random Rush Hour puzzle on the 6 x 6 board with an optimum of a length.

    Parameters
    ----------
    length : int or (int, int)
        The optimum, or its least and greatest value.
    metric : {"step", "slide", "move"}
    cars, trucks : int
        Blocks of two cells beside the car ``A``, and of three cells.
    seed : int
    attempts : int
        Arrangements to try.

    Returns
    -------
    SlidingPuzzle or None
        None when no arrangement tried leads to such a puzzle.

    Examples
    --------
    >>> puzzle = generate_rush_hour((5, 9), cars=5, trucks=2, seed=3)
    >>> 5 <= len(puzzle.solve("slide")) <= 9
    True
    """
    for name, value in (("cars", cars), ("trucks", trucks)):
        if type(value) is not int or not 0 <= value <= 18:
            raise InputError(
                f"generate_rush_hour: {name} must be an int from 0 to 18, got {value!r}"
            )
    board = Board.rectangle(6, 6)
    chance = random.Random(_checked_seed(seed))
    return _pick(_parkings(board, cars, trucks, chance, attempts), length, metric, chance)


def _parkings(
    board: Board, cars: int, trucks: int, chance: random.Random, attempts: int
) -> Iterator[SlidingPuzzle]:
    for _ in range(attempts):
        shapes: list[list[Place]] = []
        axes = {"A": "horizontal"}
        for size in chance.sample([2] * cars + [3] * trucks, cars + trucks):
            across = chance.random() < 0.5
            shapes.append([(0, at) if across else (at, 0) for at in range(size)])
            axes[_LETTERS[len(shapes)]] = "horizontal" if across else "vertical"
        red = [(2, at) for at in range(2)]
        blocks = _place(board, shapes, chance, {"A": [Cell(*cell) for cell in red]})
        # A horizontal car in the red car's row, on its right, could never let it pass.
        if blocks is not None and not any(
            axes[name] == "horizontal" and cells[0].row == 2
            for name, cells in blocks.items()
            if name != "A"
        ):
            yield SlidingPuzzle(board, blocks, {"A": "right"}, axes=axes)


def _arrangements(
    board: Board, shapes: list[list[Place]], chance: random.Random, attempts: int
) -> Iterator[dict[str, list[Cell]]]:
    for _ in range(attempts):
        blocks = _place(board, shapes, chance, {})
        if blocks is not None:
            yield blocks


def _place(
    board: Board, shapes: list[list[Place]], chance: random.Random, blocks: dict[str, list[Cell]]
) -> dict[str, list[Cell]] | None:
    """Put shapes on free places at random, large ones first; None when one does not fit."""
    blocks = dict(blocks)
    free = set(board.cells) - {cell for own in blocks.values() for cell in own}
    names = _LETTERS[len(blocks) :]
    for number in sorted(range(len(shapes)), key=lambda own: -len(shapes[own])):
        places = [
            cells
            for corner in board.cells
            if free.issuperset(cells := [corner + offset for offset in shapes[number]])
        ]
        if not places:
            return None
        cells = chance.choice(places)
        blocks[names[number]] = cells
        free -= set(cells)
    return dict(sorted(blocks.items(), key=lambda item: item[1]))


def _pick(
    starts: Iterator[SlidingPuzzle],
    length: int | tuple[int, int],
    metric: BlockMetric,
    chance: random.Random,
) -> SlidingPuzzle | None:
    least, greatest = _checked_length(length)
    for puzzle in starts:
        try:
            space = explore(puzzle, metric, diameter=False, limit=Limit(nodes=_NODES))
        except LimitReached:
            continue  # too large a space to look for a start in
        found = space.random_start(least, greatest, chance)
        if found is not None:
            return found
    return None


def _normal(shape: Iterable[Place]) -> list[Place]:
    cells = sorted(checked_cell(cell, "generate: shape") for cell in shape)
    if not cells or len(set(cells)) != len(cells):
        raise InputError(f"generate: expected a shape of different cells, got {cells!r}")
    top, left = min(row for row, _ in cells), min(col for _, col in cells)
    return [(row - top, col - left) for row, col in cells]


def _checked_length(length: object) -> tuple[int, int]:
    least, greatest = length if isinstance(length, tuple) and len(length) == 2 else (length, length)
    if type(least) is not int or type(greatest) is not int or not 0 <= least <= greatest:
        raise InputError(f"length must be an int >= 0 or a (least, greatest) pair, got {length!r}")
    return least, greatest


def _checked_seed(seed: object) -> int:
    if type(seed) is not int:
        raise InputError(f"seed must be an int, got {seed!r}")
    return seed
