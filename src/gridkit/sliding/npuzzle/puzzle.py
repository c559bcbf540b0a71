"""n-puzzles: tiles on a rectangle that slide into the blank, on any board and to any goal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from gridkit.errors import GridkitError, InputError, InvalidPlanError, ParseError
from gridkit.grid.cell import Cell
from gridkit.render.svg import BLOCKED, grid_svg
from gridkit.run.control import Limit, ProgressCallback
from gridkit.sliding.npuzzle.solvable import Solvability, decide, permutation_is_even
from gridkit.sliding.npuzzle.text import (
    WALL,
    Tiles,
    arrangement,
    check_same_tiles,
    checked_size,
    checked_walls,
    draw,
    parse_row,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gridkit.sliding.npuzzle.distances import DistanceTable
    from gridkit.sliding.npuzzle.improve import Bounded
    from gridkit.sliding.plan import Plan

__all__ = ["NPuzzle", "Position"]

PushMetric = Literal["step", "push"]


class NPuzzle:
    """Tiles on a `rows` x `cols` board, sliding into one or several blanks.

    Immutable; equal puzzles have equal boards, tiles, goals and walls.

    Parameters
    ----------
    rows, cols : int
        Size of the board, each at least 1.
    tiles : sequence of int
        The tiles in row-major order, 0 for a blank (at least one); flat, or one sequence a row.
        Equal tiles are interchangeable.  With walls, list either every cell (-1 at walls; 0 is
        accepted there) or the open cells only.
    goal : sequence of int, optional
        The arrangement to reach, written as `tiles`: any order of the same tiles, so blank first,
        in the middle, snail.  Increasing with the blanks last when left out.
    walls : iterable of (row, col)
        Cells that no tile enters.

    Raises
    ------
    InputError
        For sizes below 1, a wrong number of tiles, negative tiles, no blank, or a goal that is not
        made of the same tiles.

    Examples
    --------
    >>> puzzle = NPuzzle(3, 3, [8, 6, 7, 2, 5, 4, 3, 0, 1])
    >>> puzzle.is_solvable(), puzzle.distance()
    (True, 31)
    >>> print(NPuzzle(2, 2, [3, 1, 2, 0]))
    3 1
    2 0
    """

    __slots__ = ("__dict__", "cols", "goal", "rows", "tiles", "walls")

    rows: int
    cols: int
    tiles: tuple[int, ...]
    goal: tuple[int, ...]
    walls: tuple[Cell, ...]

    def __init__(
        self,
        rows: int,
        cols: int,
        tiles: Tiles,
        goal: Tiles | None = None,
        walls: Iterable[tuple[int, int]] = (),
    ) -> None:
        rows, cols = checked_size("rows", rows), checked_size("cols", cols)
        wall_cells = checked_walls(walls, rows, cols)
        placed = arrangement("tiles", tiles, rows, cols, wall_cells)
        if 0 not in placed:
            raise InputError("NPuzzle: tiles must hold at least one blank (0)")
        if goal is None:
            ordered = iter(sorted(placed, key=lambda tile: (tile == 0, tile)))
            blocked = {wall.row * cols + wall.col for wall in wall_cells}
            ordered = (tile for tile in ordered if tile != WALL)
            wanted = tuple(WALL if i in blocked else next(ordered) for i in range(rows * cols))
        else:
            wanted = arrangement("goal", goal, rows, cols, wall_cells)
            check_same_tiles(placed, wanted)
        for name, value in (
            ("rows", rows), ("cols", cols), ("tiles", placed), ("goal", wanted),
            ("walls", wall_cells),
        ):  # fmt: skip
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"NPuzzle is immutable: cannot set {name!r}")

    def __reduce__(self) -> tuple[object, ...]:
        return NPuzzle, (self.rows, self.cols, self.tiles, self.goal, self.walls)

    @classmethod
    def parse(cls, text: str) -> NPuzzle:
        """Read a puzzle as ``str`` writes it.

        One line a row; numbers, ``0``, ``.`` or ``_`` for a blank, ``#`` for a wall, with blanks
        between.  A line ``->`` and as many rows give the goal.

        Raises
        ------
        ParseError
            Naming line and column.

        Examples
        --------
        >>> NPuzzle.parse("1 2 3\\n4 . 5").goal
        (1, 2, 3, 4, 5, 0)
        """
        if not isinstance(text, str):
            raise InputError(f"expected a text, got {type(text).__name__}")
        parts: list[list[list[int]]] = [[]]
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip() == "->":
                parts.append([])
            elif line.strip():
                row = parse_row(line, number)
                if parts[0] and len(row) != len(parts[0][0]):
                    raise ParseError(
                        f"expected {len(parts[0][0])} tiles, found {len(row)}", number, 1
                    )
                parts[-1].append(row)
        if not parts[0] or len(parts) > 2 or (len(parts) == 2 and len(parts[0]) != len(parts[1])):
            raise ParseError("expected rows of tiles, then optionally '->' and as many goal rows")
        rows, cols = len(parts[0]), len(parts[0][0])
        walls = [(r, c) for r in range(rows) for c in range(cols) if parts[0][r][c] == WALL]
        try:
            return cls(rows, cols, parts[0], parts[1] if len(parts) == 2 else None, walls)
        except GridkitError as error:
            raise ParseError(str(error)) from None

    def is_solvable(self) -> bool:
        """Return whether the goal can be reached; see `explain`.

        Complexity: linear in the number of cells (with several blanks on walled boards that have
        cut cells: cells times blanks).

        Examples
        --------
        >>> NPuzzle(4, 4, [*range(1, 14), 15, 14, 0]).is_solvable()
        False
        """
        return self.explain().solvable

    def explain(self) -> Solvability:
        """Return the verdict together with its reason: parity, cyclic order, blocks, classes.

        Examples
        --------
        >>> print(NPuzzle(1, 3, [2, 1, 0]).explain().solvable)
        False
        >>> print(NPuzzle(2, 2, [1, 3, 2, 0]).explain())
        unsolvable: around the cycle through (0, 0) the order of the tiles differs from the goal's
        """
        return self._solvability

    @cached_property
    def _solvability(self) -> Solvability:
        if self.walls or min(self.rows, self.cols) == 1 or (self.rows, self.cols) == (2, 2):
            cells = self.open_cells
            names = [str((cell // self.cols, cell % self.cols)) for cell in cells]
            start, goal = ([side[cell] for cell in cells] for side in (self.tiles, self.goal))
            return decide(self.graph, start, goal, names.__getitem__)
        blanks = self.tiles.count(0)
        if blanks > 1:
            return Solvability(True, f"{blanks} blanks on a rectangle reach every arrangement")
        if len(set(self.tiles)) < len(self.tiles):
            return Solvability(True, "exchanging two equal tiles mends the parity")
        away, home = self.tiles.index(0), self.goal.index(0)
        steps = abs(away // self.cols - home // self.cols) + abs(
            away % self.cols - home % self.cols
        )
        even = permutation_is_even(self.tiles, self.goal)
        return Solvability(
            even == (steps % 2 == 0),
            f"the permutation of the tiles with the blank is {'even' if even else 'odd'} and the "
            f"blank is {steps} steps from home; solvable exactly if the parities agree",
        )

    @cached_property
    def open_cells(self) -> tuple[int, ...]:
        """Row-major indices of the cells that are no walls."""
        return tuple(cell for cell, tile in enumerate(self.tiles) if tile != WALL)

    @cached_property
    def graph(self) -> tuple[tuple[int, ...], ...]:
        """Neighbours of each open cell, both by their places in `open_cells`."""
        place = {cell: index for index, cell in enumerate(self.open_cells)}
        cols = self.cols
        near = []
        for cell in self.open_cells:
            beside = [cell - cols, cell + cols]
            beside += [cell - 1] if cell % cols else []
            beside += [cell + 1] if (cell + 1) % cols else []
            near.append(tuple(sorted(place[other] for other in beside if other in place)))
        return tuple(near)

    def solve(
        self,
        optimal: bool = False,
        tables: str = "auto",
        metric: PushMetric = "step",
        *,
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
    ) -> Plan | None:
        """Return a plan to the goal, or None when there is provably none.

        Parameters
        ----------
        optimal : bool
            Whether the plan has to be a shortest one.  Otherwise boards of up to nine cells are
            solved optimally all the same, rectangles of any size by a constructive plan that is
            shortened afterwards.
        tables : str
            What guides the optimal search: "auto"; sizes of pattern tables such as "6-6-3",
            "5-5-5", "7-8" or "6-6-6-6" (built on first use, kept in the cache folder);
            "walking-distance"; "manhattan" (with linear conflicts).
        metric : {"step", "push"}
            **step** = one tile one cell; **push** = one line of tiles pushed by one blank.
        limit, progress
            See `Limit` and `Progress`; nodes are states.

        Raises
        ------
        LimitReached
            With the lower bound proved so far in ``partial.value``.
        UnsupportedError
            For a combination of board and options that no engine handles.

        Examples
        --------
        >>> plan = NPuzzle(2, 3, [1, 2, 3, 4, 0, 5]).solve(optimal=True)
        >>> len(plan), [str(move) for move in plan.moves()]
        (1, ['5 1,2-1,1'])
        """
        from gridkit.sliding.npuzzle.search import solve

        return solve(self, optimal, tables, metric, limit, progress)

    def distance(
        self,
        tables: str = "auto",
        metric: PushMetric = "step",
        *,
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
    ) -> int | None:
        """Return the length of a shortest plan, or None when there is provably none.

        The parameters are those of `solve`; small boards are answered in plain Python.

        Examples
        --------
        >>> NPuzzle(3, 3, [[7, 2, 4], [5, 0, 6], [8, 3, 1]]).distance()
        20
        """
        from gridkit.sliding.npuzzle.search import distance

        return distance(self, tables, metric, limit, progress)

    def count_shortest(
        self,
        tables: str = "auto",
        *,
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
    ) -> int:
        """Return the number of shortest plans in steps, 0 when there is none.

        Plans differ when some step moves a tile from or to another cell.

        Examples
        --------
        >>> NPuzzle(2, 2, [0, 3, 2, 1]).count_shortest()
        2
        """
        from gridkit.sliding.npuzzle.search import count_shortest

        return count_shortest(self, tables, limit, progress)

    def improvements(
        self, *, limit: Limit | None = None, progress: ProgressCallback | None = None
    ) -> Iterator[Bounded]:
        """Iterate over ever shorter plans, each with a proven bound on its excess.

        Weighted searches with falling weights follow the constructive plan; the last plan is
        optimal if the iteration ends without a limit.

        Examples
        --------
        >>> last = list(NPuzzle(3, 3, [8, 6, 7, 2, 5, 4, 3, 0, 1]).improvements())[-1]
        >>> len(last.plan), last.ratio
        (31, 1.0)
        """
        from gridkit.sliding.npuzzle.improve import improvements

        return improvements(self, limit, progress)

    def distance_table(
        self, *, limit: Limit | None = None, progress: ProgressCallback | None = None
    ) -> DistanceTable:
        """Return the distances of all arrangements to the goal, for up to 12 cells and one blank.

        A byte a reachable arrangement: 3 x 4 takes 240 MB and some ten seconds.

        Examples
        --------
        >>> table = NPuzzle(2, 3, [1, 2, 3, 4, 5, 0]).distance_table()
        >>> table.longest, table.histogram[-1], sum(table.histogram)
        (21, 1, 360)
        """
        from gridkit.sliding.npuzzle.distances import distance_table

        return distance_table(self, limit, progress)

    # what a Plan needs of its puzzle

    @cached_property
    def _blocks(self) -> tuple[int, ...]:
        return tuple(sorted(tile for tile in self.tiles if tile > 0))

    def block_names(self) -> Sequence[str]:
        """Return the tile numbers in increasing order: block k of a plan is the k-th."""
        return [str(tile) for tile in self._blocks]

    def check_steps(self, steps: NDArray[np.int32]) -> None:
        """Replay the steps by the rules alone; raise `InvalidPlanError` at the first fault."""
        board, cols, blocks = list(self.tiles), self.cols, self._blocks
        for number, (block, source, target) in enumerate(steps.tolist()):
            if not (0 <= block < len(blocks)):
                raise InvalidPlanError(f"there is no block {block}", number)
            if not (0 <= source < len(board) and 0 <= target < len(board)):
                raise InvalidPlanError("a cell is off the board", number)
            if board[source] != blocks[block]:
                raise InvalidPlanError(
                    f"tile {blocks[block]} does not stand at {divmod(source, cols)}", number
                )
            row, col = divmod(source, cols)
            to_row, to_col = divmod(target, cols)
            if abs(row - to_row) + abs(col - to_col) != 1:
                raise InvalidPlanError(f"tile {blocks[block]} moves more than one cell", number)
            if board[target] != 0:
                raise InvalidPlanError(f"cell {to_row, to_col} is not blank", number)
            board[source], board[target] = 0, board[source]
        if tuple(board) != self.goal:
            raise InvalidPlanError("the goal is not reached")

    def replay(self, steps: NDArray[np.int32]) -> Iterator[Position]:
        """Yield the position before the first step and after each step."""
        for count in range(len(steps) + 1):
            yield Position(self, steps, count)

    def frame(self, state: object) -> str:
        """Draw a position of this puzzle (from `replay`, or its tiles) as an ``<svg>`` element."""
        tiles = state.tiles if isinstance(state, Position) else self.tiles
        home = {tile: cell for cell, tile in enumerate(self.goal)}
        labels: list[list[int | None]] = []
        for row in range(self.rows):
            line = tiles[row * self.cols : (row + 1) * self.cols]
            labels.append([
                BLOCKED if tile == WALL else None if tile == 0 else home[tile] // self.cols
                for tile in line
            ])  # fmt: skip
        captions = [
            [str(tile) if tile > 0 else "" for tile in tiles[i : i + self.cols]]
            for i in range(0, len(tiles), self.cols)
        ]
        return grid_svg(labels, captions, title=f"{self.rows} x {self.cols} puzzle")

    def reversed_puzzle(self, steps: NDArray[np.int32]) -> NPuzzle:
        """Return the puzzle whose start is the end of these steps and whose goal is the start."""
        end = Position(self, steps, len(steps)).tiles
        return NPuzzle(self.rows, self.cols, end, self.tiles, self.walls)

    def _key(self) -> tuple[object, ...]:
        return self.rows, self.cols, self.tiles, self.goal

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NPuzzle):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __str__(self) -> str:
        default = NPuzzle(self.rows, self.cols, self.tiles, walls=self.walls).goal == self.goal
        text = draw(self.tiles, self.cols)
        return text if default else f"{text}\n->\n{draw(self.goal, self.cols)}"

    def __repr__(self) -> str:
        walls = f", walls={[tuple(wall) for wall in self.walls]}" if self.walls else ""
        return (
            f"NPuzzle({self.rows}, {self.cols}, {list(self.tiles)}, goal={list(self.goal)}{walls})"
        )

    def _repr_svg_(self) -> str:
        return self.frame(None)

    def _repr_html_(self) -> str:
        return self.frame(None)


class Position:
    """A puzzle after some steps of a plan; the tiles are worked out when they are asked for."""

    __slots__ = ("_count", "_puzzle", "_steps")

    def __init__(self, puzzle: NPuzzle, steps: NDArray[np.int32], count: int) -> None:
        self._puzzle, self._steps, self._count = puzzle, steps, count

    @property
    def tiles(self) -> tuple[int, ...]:
        """The tiles in row-major order, 0 for a blank, -1 for a wall."""
        board = list(self._puzzle.tiles)
        for _, source, target in self._steps[: self._count].tolist():
            board[source], board[target] = board[target], board[source]
        return tuple(board)

    def __str__(self) -> str:
        return draw(self.tiles, self._puzzle.cols)
