"""n-puzzles: tiles on a rectangle that slide into the blank, on any board and to any goal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from gridkit import render
from gridkit.errors import GridkitError, InputError, InvalidPlanError, ParseError
from gridkit.grid.cell import Cell
from gridkit.reading import check_size, read_bool, read_int
from gridkit.render.drawable import Drawable
from gridkit.run import Limit, ProgressCallback, Run
from gridkit.sliding.npuzzle import search
from gridkit.sliding.npuzzle.graph import Instance
from gridkit.sliding.npuzzle.search import Bounded, PushMetric
from gridkit.sliding.npuzzle.solvable import Solvability, solvability
from gridkit.sliding.npuzzle.text import (
    WALL,
    Tiles,
    arrangement,
    check_same_tiles,
    checked_walls,
    draw,
    parse_rows,
    tiles_scene,
    tiles_stage,
)
from gridkit.sliding.steps import Steps
from gridkit.value import Value

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from gridkit.sliding.npuzzle.distances import DistanceTable
    from gridkit.sliding.plan import Plan
else:
    from gridkit.hints import ArrayLike, DistanceTable, Plan

__all__ = ["NPuzzle", "Position"]


class NPuzzle(Value, Drawable):
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

    _fields = ("rows", "cols", "tiles", "goal", "walls")
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
        rows, cols = read_int(rows, "NPuzzle: rows", 1), read_int(cols, "NPuzzle: cols", 1)
        check_size("NPuzzle", rows, cols)
        wall_cells = checked_walls(walls, rows, cols)
        placed = arrangement("tiles", tiles, rows, cols, wall_cells)
        if 0 not in placed:
            raise InputError("NPuzzle: tiles must hold at least one blank (0)")
        if goal is None:
            ordered = sorted(placed, key=lambda tile: (tile == 0, tile))
            ordered = ordered[len(wall_cells) :]  # walls are -1, the least of all
            reached = arrangement("goal", ordered, rows, cols, wall_cells)
        else:
            reached = arrangement("goal", goal, rows, cols, wall_cells)
            check_same_tiles(placed, reached)
        self._put(rows=rows, cols=cols, tiles=placed, goal=reached, walls=wall_cells)

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
        parts = parse_rows(text)
        rows, cols = len(parts[0]), len(parts[0][0])
        walls = [(r, c) for r in range(rows) for c in range(cols) if parts[0][r][c] == WALL]
        try:
            return cls(rows, cols, parts[0], parts[1] if len(parts) == 2 else None, walls)
        except GridkitError as error:
            raise ParseError(str(error)) from None

    def is_solvable(self) -> bool:
        """Return whether the goal can be reached; see `explain`.

        Complexity: linear in the cells (with several blanks and cut cells: cells times blanks).

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
        return solvability(self._instance)

    def _is_solvable_within(self, run: Run) -> bool:
        """Return whether the goal can be reached, under the limits of a call."""
        verdict = vars(self).get("_solvability")
        if verdict is None:
            verdict = solvability(self._instance, run.check)
            vars(self)["_solvability"] = verdict  # where cached_property looks
        return bool(verdict.solvable)

    @cached_property
    def _instance(self) -> Instance:
        """The puzzle as its engines take it."""
        if not self.walls:
            cells = tuple(range(len(self.tiles)))
            return Instance(self.rows, self.cols, cells, self.tiles, self.goal)
        cells = tuple(cell for cell, tile in enumerate(self.tiles) if tile != WALL)
        start, goal = (tuple(side[cell] for cell in cells) for side in (self.tiles, self.goal))
        return Instance(self.rows, self.cols, cells, start, goal)

    @property
    def open_cells(self) -> tuple[int, ...]:
        """Row-major indices of the cells that are no walls."""
        return self._instance.cells

    @property
    def graph(self) -> tuple[tuple[int, ...], ...]:
        """Neighbours of each open cell, both by their places in `open_cells`."""
        return self._instance.graph

    def _check_options(self, tables: str, metric: str = "step") -> None:
        search.check_options(tables, metric, len(self.tiles) - len(self.walls) - 1)

    def solve(
        self,
        *,
        optimal: bool = False,
        tables: str = "auto",
        metric: PushMetric = "step",
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
            See `Limit` and `Progress`; nodes are states, or moves of the blank tried.

        Raises
        ------
        InputError
            For options that do not exist.
        LimitReached, Interrupted
            With a Plan in ``partial.value`` if there is one that was being shortened, else None;
            with `optimal`, the lower bound proved so far, an int.
        UnsupportedError
            For a combination of board and options that no engine handles.

        Notes
        -----
        There is no ``resume=``: tables are kept on disk, the rest of a search only pays in memory.
        A plan that was being shortened may be used as it is.

        Examples
        --------
        >>> plan = NPuzzle(2, 3, [1, 2, 3, 4, 0, 5]).solve(optimal=True)
        >>> len(plan), [str(move) for move in plan.moves()]
        (1, ['5 1,2-1,1'])
        """
        with Run(limit=limit, progress=progress) as run:
            self._check_options(tables, metric)
            if not self._is_solvable_within(run):
                return None
            optimal = read_bool(optimal, "optimal")
            return search.solve(self._instance, optimal, tables, metric, run, self._planner(metric))

    def _planner(self, metric: PushMetric) -> Callable[[ArrayLike], Plan]:
        """Return what makes plans of steps."""
        from gridkit.sliding.plan import Plan  # late: most questions need no plan

        return lambda steps: Plan(self, steps, metric)

    def distance(
        self,
        *,
        tables: str = "auto",
        metric: PushMetric = "step",
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
    ) -> int | None:
        """Return the length of a shortest plan, or None when there is provably none.

        The parameters are those of `solve`; small boards are answered in plain Python.  A call cut
        short leaves the lower bound proved so far in ``partial.value``, and cannot be resumed.

        Examples
        --------
        >>> NPuzzle(3, 3, [[7, 2, 4], [5, 0, 6], [8, 3, 1]]).distance()
        20
        """
        with Run(limit=limit, progress=progress, nothing=0) as run:
            self._check_options(tables, metric)
            if not self._is_solvable_within(run):
                return None
            return search.distance(self._instance, tables, metric, run)

    def count_shortest(
        self,
        *,
        tables: str = "auto",
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
    ) -> int:
        """Return the number of shortest plans in steps, 0 when there is none.

        Plans differ when some step moves a tile from or to another cell.  A call cut short leaves
        the number found so far in ``partial.value``, and cannot be resumed.

        Examples
        --------
        >>> NPuzzle(2, 2, [0, 3, 2, 1]).count_shortest()
        2
        """
        with Run(limit=limit, progress=progress, nothing=0) as run:
            self._check_options(tables)
            if not self._is_solvable_within(run):
                return 0
            return search.count_shortest(self._instance, tables, run)

    def improvements(
        self, *, limit: Limit | None = None, progress: ProgressCallback | None = None
    ) -> Iterator[Bounded]:
        """Iterate over ever shorter plans, each with a proven bound on its excess.

        The constructive plan is shortened stretch by stretch, then searches with falling weights
        follow.  On boards of up to 26 cells the last plan is optimal if no limit is met, on larger
        ones the searches end when memory does.  A limit ends the iteration; before there is any
        plan it raises `LimitReached`.  The last plan may be used as it is: nothing is to resume.

        Examples
        --------
        >>> last = list(NPuzzle(3, 3, [8, 6, 7, 2, 5, 4, 3, 0, 1]).improvements())[-1]
        >>> len(last.plan), last.ratio
        (31, 1.0)
        """
        with Run(limit=limit, progress=progress) as run:
            if not self._is_solvable_within(run):
                return iter(())
            return search.improvements(self._instance, run, self._planner("step"))

    def distance_table(
        self, *, limit: Limit | None = None, progress: ProgressCallback | None = None
    ) -> DistanceTable[NPuzzle]:
        """Return the distances of all arrangements to the goal, for up to 12 cells and one blank.

        A byte a reachable arrangement: 3 x 4 takes 240 MB and some ten seconds.  A call cut short
        leaves the histogram so far in ``partial.value``, and cannot be resumed.

        Examples
        --------
        >>> table = NPuzzle(2, 3, [1, 2, 3, 4, 5, 0]).distance_table()
        >>> table.longest, table.histogram[-1], sum(table.histogram)
        (21, 1, 360)
        """
        with Run(limit=limit, progress=progress, nothing=()) as run:
            from gridkit.sliding.npuzzle.distances import DistanceTable, tabulate  # load numpy

            return DistanceTable(self, tabulate(self._instance, run))

    def _rearranged(self, tiles: Sequence[int]) -> NPuzzle:
        """Return the puzzle with the same goal from another arrangement of the open cells."""
        goal = self._instance.goal
        return NPuzzle(self.rows, self.cols, tiles, goal, self.walls)

    @cached_property
    def _blocks(self) -> tuple[int, ...]:
        return tuple(sorted(tile for tile in self.tiles if tile > 0))

    def block_names(self) -> Sequence[str]:
        """Return the tile numbers in increasing order: block k of a plan is the k-th."""
        return [str(tile) for tile in self._blocks]

    def _check_steps(self, steps: Steps) -> None:
        """Replay the steps by the rules alone; raise `InvalidPlanError` at the first fault."""
        board, cols, blocks = list(self.tiles), self.cols, self._blocks
        for number, (block, source, target) in enumerate(steps):
            if not (0 <= block < len(blocks)):
                raise InvalidPlanError(f"there is no block {block}", number)
            if not (0 <= source < len(board) and 0 <= target < len(board)):
                raise InvalidPlanError("a cell is off the board", number)
            tile = blocks[block]
            (row, col), (to_row, to_col) = divmod(source, cols), divmod(target, cols)
            if board[source] != tile:
                raise InvalidPlanError(f"tile {tile} does not stand at {row, col}", number)
            if abs(row - to_row) + abs(col - to_col) != 1:
                raise InvalidPlanError(f"tile {tile} moves more than one cell", number)
            if board[target] != 0:
                raise InvalidPlanError(f"cell {to_row, to_col} is not blank", number)
            board[source], board[target] = 0, board[source]
        if tuple(board) != self.goal:
            raise InvalidPlanError("the goal is not reached")

    def _replay(self, steps: Steps) -> Iterator[Position]:
        """Yield the position before the first step and after each step."""
        for count in range(len(steps) + 1):
            yield Position(self, steps, count)

    def _scene(self) -> render.Scene:
        """Return the start, beside it the goal where that is not the usual one."""
        start = tiles_scene(self.tiles, self.goal, self.cols)
        if self._has_usual_goal():
            return start
        goal = tiles_scene(self.goal, self.goal, self.cols)
        return render.joined([start, goal], captions=["start", "goal"], title=start.title)

    def _flat_scene(self) -> render.Scene:
        return tiles_scene(self.tiles, self.goal, self.cols, inset=0)

    def _has_usual_goal(self) -> bool:
        return NPuzzle(self.rows, self.cols, self.tiles, walls=self.walls).goal == self.goal

    def _stage(self) -> render.Stage:
        """Return the start for a film."""
        return tiles_stage(self.tiles, self.goal, self.cols)

    def _reversed_puzzle(self, steps: Steps) -> NPuzzle:
        """Return the puzzle whose start is the end of these steps and whose goal is the start."""
        end = Position(self, steps, len(steps)).tiles
        return NPuzzle(self.rows, self.cols, end, self.tiles, self.walls)

    def __str__(self) -> str:
        text = draw(self.tiles, self.cols)
        return text if self._has_usual_goal() else f"{text}\n->\n{draw(self.goal, self.cols)}"

    def __repr__(self) -> str:
        walls = f", walls={[tuple(wall) for wall in self.walls]}" if self.walls else ""
        tiles = f"{list(self.tiles)}, goal={list(self.goal)}"
        return f"NPuzzle({self.rows}, {self.cols}, {tiles}{walls})"


class Position(Value, Drawable):
    """A puzzle after some steps of a plan; the tiles are worked out when they are asked for.

    Examples
    --------
    >>> [position.tiles for position in NPuzzle(2, 2, [1, 2, 0, 3]).solve().states()]
    [(1, 2, 0, 3), (1, 2, 3, 0)]
    """

    _puzzle: NPuzzle
    _steps: Steps
    _count: int

    def __init__(self, puzzle: NPuzzle, steps: Steps, count: int) -> None:
        self._put(_puzzle=puzzle, _steps=steps, _count=count)

    @property
    def tiles(self) -> tuple[int, ...]:
        """The tiles in row-major order, 0 for a blank, -1 for a wall."""
        board = list(self._puzzle.tiles)
        for _, source, target in self._steps[: self._count]:
            board[source], board[target] = board[target], board[source]
        return tuple(board)

    def _key(self) -> tuple[object, ...]:
        return self._puzzle, self.tiles

    def __str__(self) -> str:
        return draw(self.tiles, self._puzzle.cols)

    def __repr__(self) -> str:
        return f"<Position {self.tiles} of {self._puzzle!r}>"

    def _scene(self) -> render.Scene:
        """Return the position."""
        return tiles_scene(self.tiles, self._puzzle.goal, self._puzzle.cols)

    def _flat_scene(self) -> render.Scene:
        return tiles_scene(self.tiles, self._puzzle.goal, self._puzzle.cols, inset=0)
