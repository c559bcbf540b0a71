"""Shortest plans for one blank and distinct tiles: iterative deepening with pattern tables.

IDA* (R. Korf 1985): depth first, cut off where the moves made and an estimate of those to come
exceed a bound that grows.  The estimate is the sum of the tiles' distances from home, and what
pattern tables say beyond it, looked up in up to two symmetric views of the board.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray

from gridkit.errors import UnsupportedError
from gridkit.run import Run, Work
from gridkit.sliding.npuzzle.building import LARGEST_PATTERN, order_number, passing_terms
from gridkit.sliding.npuzzle.duplicates import BACKWARD, automaton
from gridkit.sliding.npuzzle.graph import Instance, Route, walking_distances
from gridkit.sliding.npuzzle.kernels import groups
from gridkit.sliding.npuzzle.patterns import LARGEST_BOARD, Guide, PatternTables, load, settle

__all__ = ["DeepeningSearch"]

_LARGEST = 1024  # cells
_LANES = 4
_NEVER = 1 << 40
# Nodes after which the next iteration avoids needless strings of so many moves, and is done in so
# many parts: both cost time once.
_STAGES = ((20_000_000, 12, 2000), (200_000, 10, 100), (0, 6, 1))
# Nodes after which the tables are copied to memory.
_SETTLED = 20_000_000
_EVEN = Fraction(1)
_LEAST_SPAN = 5


@dataclass(frozen=True, slots=True)
class _Part:
    """A position some moves after the start: ways, board, states in each view, walking distance."""

    path: tuple[int, ...]
    start: int
    board: list[int]
    states: list[list[int]]
    steps: int

    @property
    def way(self) -> int:
        """The last way, or the number that stands for the blank's start."""
        return self.path[-1] if self.path else self.start


class DeepeningSearch(Work):
    """IDA*; a node is a tile moved.

    Parameters
    ----------
    instance : Instance
        One blank, distinct tiles, solvable.
    chosen : Guide
        What estimates the distance.
    run : Run
        The call, under whose limits missing tables are built.
    count_all : bool
        Whether to go on through all solutions of the least length.
    weight : Fraction
        What the estimate is multiplied with, at least 1; the plan found is at most so many times
        as long as a shortest one.
    """

    def __init__(
        self,
        instance: Instance,
        chosen: Guide,
        run: Run,
        *,
        count_all: bool = False,
        weight: Fraction = _EVEN,
    ) -> None:
        cells = len(instance.cells)
        if cells > _LARGEST:
            raise UnsupportedError(
                f"the optimal search takes at most {_LARGEST} cells, got {cells}"
            )
        self._views = _Views(instance, chosen, run)
        board = instance.aims()
        blank = 4 * len(board) + board.index(self._views.home)
        states = [
            [self._views.state(r, g, board) for g in range(len(self._views.tables.orders))]
            for r in range(len(chosen.views))
        ]
        start = _Part((), blank, board, states, self._views.walking(board))
        self._parts = [start]
        self._nearest = np.array([self._distance(start)])
        self._weight = weight
        self._counts = count_all
        self._control = control = np.zeros(groups.CONTROL_WORDS, np.int64)
        control[groups.COUNT_ALL], control[groups.SPAN] = count_all, self._views.span
        control[groups.COST_WEIGHT] = weight.denominator
        control[groups.REST_WEIGHT] = weight.numerator
        control[groups.BOUND] = weight.numerator * self._distance(start)
        self._may_grow = run.limit.memory is None
        self._prunes = not (count_all or instance.has_walls)
        self._solved = start.steps == 0
        self._begin()

    def _excess(self, part: _Part) -> list[int]:
        """Return what each view proves of a part beyond walking distances, halved."""
        seen = [sum(state >> groups.NIBBLE for state in states) for states in part.states]
        return [*seen, 0, 0][:2]

    def _distance(self, part: _Part) -> int:
        return part.steps + 2 * max(self._excess(part))

    def _onward(self, part: _Part, follow: NDArray[np.int32]) -> Iterator[_Part]:
        """Yield the parts one move further."""
        views = self._views
        blank = int(views.ways.source[part.way])
        open_sides = int(views.ways.sides[blank]) & int(follow[_end(follow, part.path), 4])
        for side in range(4):
            if open_sides >> side & 1:
                way = 4 * blank + side
                cell = int(views.ways.source[way])
                board, tile = part.board.copy(), part.board[cell]
                board[blank], board[cell] = tile, part.board[blank]
                states = [row.copy() for row in part.states]
                for r, row in enumerate(states):
                    g = int(views.views.group[(r << views.span) + tile])
                    row[g] = views.state(r, g, board)
                steps = part.steps + int(views.ways.gain[(way << views.span) + tile])
                yield _Part((*part.path, way), part.start, board, states, steps)

    def _divide(self, follow: NDArray[np.int32], part_count: int) -> None:
        """Go on from the start, layer by layer, until there are parts enough.

        The paths stay shorter than any solution, so that none leads over the goal.
        """
        while len(self._parts) < part_count and len(self._parts[0].path) + 1 < self.bound():
            self._parts = [after for part in self._parts for after in self._onward(part, follow)]
        self._nearest = np.array([self._distance(part) for part in self._parts])

    def _begin(self) -> None:
        """Begin an iteration.

        The parts that came closest to the goal in the last one go first (C. Powley and R. Korf,
        Single-agent parallel window search, 1991).
        """
        longest, part_count = next(stage[1:] for stage in _STAGES if self.nodes >= stage[0])
        follow = automaton(longest if self._prunes else BACKWARD)
        if len(self._parts) < part_count:
            self._divide(follow, part_count)
        if self.nodes >= _SETTLED and self._may_grow:
            self._views.settle()
        self._views.ways = self._views.ways._replace(follow=follow.reshape(-1))
        self._lay_out(follow)
        self._new_lanes()

    def _lay_out(self, follow: NDArray[np.int32]) -> None:
        """Put the parts into arrays, and into order."""
        views = self._views
        ends = [_end(follow, part.path) for part in self._parts]
        turns = np.array([k for k in self._nearest.argsort(kind="stable") if ends[k] >= 0])
        self._nearest = np.array([self._distance(part) for part in self._parts])
        line = 1 << views.span
        heads = np.zeros((len(self._parts), groups.HEAD), np.int64)
        states = np.zeros((len(self._parts), 2 * line), np.int64)
        for k, part in enumerate(self._parts):
            heads[k, : groups.STATE] = (
                groups.UNLISTED, part.way, part.steps, *self._excess(part),
            )  # fmt: skip
            heads[k, groups.AUTOMATON] = ends[k]
            for r, row in enumerate(part.states):
                states[k, r * line : r * line + len(row)] = row
        boards = np.array([part.board for part in self._parts], np.int64)
        self._laid_out = groups.Parts(boards, states, heads, turns, self._nearest)

    def _new_lanes(self) -> None:
        """Give every lane a board, states, a part, a depth and a stack."""
        control = self._control
        lanes = min(_LANES, len(self._parts))
        rows = int(control[groups.BOUND]) // self._weight.denominator + 3
        self._lanes = groups.Lanes(
            np.zeros((lanes, self._laid_out.boards.shape[1]), np.int64),
            np.zeros((lanes, self._laid_out.states.shape[1]), np.int64),
            np.zeros(lanes, np.int64),
            np.zeros(lanes, np.int64),
            np.zeros((lanes, rows, 5 * groups.HEAD), np.int64),
        )
        control[groups.NEXT_BOUND], control[groups.TAKEN] = _NEVER, 0
        control[groups.DEPTH] = len(self._parts[0].path)

    @property
    def nodes(self) -> int:
        """Tiles moved so far."""
        return int(self._control[groups.NODES])

    @property
    def found(self) -> int:
        """Shortest solutions found so far."""
        return int(self._control[groups.SOLUTIONS])

    def memory(self) -> int:
        """Return the bytes of the tables."""
        return int(self._views.tables.nibbles.nbytes + self._views.ways.gain.nbytes)

    def bound(self) -> int:
        """Return the length proved so far: no plan is shorter."""
        return -(-int(self._control[groups.BOUND]) // self._weight.numerator)

    def value(self) -> object:
        """Return the length proved so far, or the solutions counted so far."""
        return self.found if self._counts else self.bound()

    def advance(self, budget: int) -> bool:
        """Search on for about `budget` nodes."""
        from gridkit.sliding.npuzzle.kernels.ida import advance  # numba: only where it is used

        views, control = self._views, self._control
        if self._solved:
            control[groups.SOLUTIONS] = 1
            return True
        last = self.nodes + budget
        while self.nodes < last:
            status = advance(
                last - self.nodes, control, views.ways, views.views, views.tables, self._laid_out,
                self._lanes,
            )  # fmt: skip
            if status == groups.FOUND or (status == groups.EXHAUSTED and self.found):
                return True
            if status == groups.EXHAUSTED:
                control[groups.BOUND] = control[groups.NEXT_BOUND]
                self._begin()
        return False

    @property
    def length(self) -> int:
        """Return the length of the plan found, or counted (after the end)."""
        return self.bound() if self._counts else len(self.route())

    def route(self) -> Route:
        """Return the moves of the plan found (after the end, not when counting)."""
        lanes, lane = self._lanes, int(self._control[groups.FINDER])
        made = lanes.stacks[lane, 1 : int(lanes.depth[lane]) + 1, groups.WAY]
        ways = [*self._parts[lanes.part[lane]].path, *made.tolist()]
        return [(int(self._views.ways.source[way]), way // 4) for way in ways]


class _Views:
    """The moves of a board and the tables behind them, packed for the kernel, which describes them.

    Parameters
    ----------
    instance : Instance
        One blank, distinct tiles.
    chosen : Guide
        What estimates the distance; its tables are loaded or built.
    run : Run
        The call that waits for the tables.

    Attributes
    ----------
    home : int
        The blank's goal, a cell's number among the open cells, as all cells and tiles are.
    span : int
        Cells are fewer than 2**span.
    ways, views, tables
        The kernel's groups.
    """

    def __init__(self, instance: Instance, chosen: Guide, run: Run) -> None:
        self.home = instance.goal.index(0)
        self.images = chosen.views
        self.span = max(_LEAST_SPAN, (len(instance.cells) - 1).bit_length())
        self._walk = walking_distances(instance.graph)
        self.ways = self._list_ways(instance)
        bits, passed = self._list_passed(chosen.views)
        patterns: tuple[tuple[int, ...], ...] = ()
        offsets = [0]
        self._loaded: PatternTables | None = None
        if chosen.recipe is not None:
            patterns, offsets = chosen.recipe.groups, chosen.recipe.offsets()
            self._loaded = load(chosen.recipe, run)
        self.tables = groups.Tables(
            np.zeros(1, np.uint8) if self._loaded is None else self._loaded.table,
            2 * np.array(offsets[: len(patterns)], np.int64),
            np.array([math.factorial(len(pattern)) for pattern in patterns], np.int64),
            _combination_terms(groups.CHUNK),
        )
        group_of, turn = self._list_turns(chosen.views, patterns)
        self.views = groups.Views(group_of, bits, passed, turn)

    def _list_ways(self, instance: Instance) -> groups.Ways:
        """Number the moves: way 4 * cell + side leads a tile from a neighbour into the cell.

        After the ways stand the places where the blank may start: way 4 * n + cell.
        """
        graph, walk = instance.graph, self._walk
        n = len(graph)
        spots = [instance.spot(place) for place in range(n)]
        source = np.array([-1] * (4 * n) + list(range(n)), np.int64)
        sides = np.zeros(n, np.int64)
        gain = np.zeros((4 * n, 1 << self.span), np.int8)
        for cell, near in enumerate(graph):
            for neighbour in near:
                down, right = (a - b for a, b in zip(spots[neighbour], spots[cell], strict=True))
                side = (3 * (down + 1) + right + 1) // 2  # up, left, right, down
                way = 4 * cell + side
                source[way] = neighbour
                sides[cell] |= 1 << side
                gain[way, :n] = walk[:, cell].astype(np.int8) - walk[:, neighbour].astype(np.int8)
        return groups.Ways(sides, source, gain.reshape(-1), np.zeros(0, np.int32))

    def _list_passed(self, views: list[list[int]]) -> tuple[NDArray[np.int64], NDArray[np.int16]]:
        """List what each way does to a mask, and the cells it passes in the view's numbering."""
        source = self.ways.source
        n = len(self.ways.sides)
        line, ways = 1 << self.span, 4 * n
        bits = np.zeros((len(views), 4 * line), np.int64)
        passed = np.zeros((len(views), 4 * line, max(2, n)), np.int16)
        for r, view in enumerate(views):
            cell_of = {image: cell for cell, image in enumerate(view)}
            for way in range(ways):
                if source[way] >= 0:
                    before, after = view[source[way]], view[way // 4]
                    between = range(min(before, after) + 1, max(before, after))
                    bits[r, way] = 1 << before ^ 1 << after
                    passed[r, way, 0] = len(between)
                    passed[r, way, 1] = line * line * (2 * r + (after < before))
                    passed[r, way, 2 : 2 + len(between)] = [cell_of[c] for c in between]
        return bits.reshape(-1), passed.reshape(-1, passed.shape[2])

    def _list_turns(
        self, views: list[list[int]], patterns: tuple[tuple[int, ...], ...]
    ) -> tuple[NDArray[np.int64], NDArray[np.int16]]:
        """List the tiles' patterns, and what one that passes another adds to an order's rank."""
        line = 1 << self.span
        group_of = np.zeros((2, line), np.int64)
        turn = np.zeros((len(views), 2, line, line), np.int16)
        self._tiles: list[list[list[int]]] = []  # of each view and pattern
        for r, view in enumerate(views):
            tile_seen = {image: tile for tile, image in enumerate(view)}
            self._tiles.append([[tile_seen[goal] for goal in pattern] for pattern in patterns])
            for g, tiles in enumerate(self._tiles[r]):
                group_of[r, tiles] = g
                turn[r, 0][np.ix_(tiles, tiles)] = passing_terms(len(tiles))
            turn[r, 1] = -turn[r, 0]
        return group_of.reshape(-1), turn.reshape(-1)

    def settle(self) -> None:
        """Prepare for a long search: have the tables in memory."""
        if self._loaded is not None:
            self._loaded = settle(self._loaded)
            self.tables = self.tables._replace(nibbles=self._loaded.table)

    def walking(self, board: list[int]) -> int:
        """Return the sum of the tiles' walking distances; `board` has the tile of each cell."""
        return sum(
            int(self._walk[tile, cell]) for cell, tile in enumerate(board) if tile != self.home
        )

    def state(self, r: int, g: int, board: list[int]) -> int:
        """Return the state of pattern g in view r."""
        where = {tile: self.images[r][cell] for cell, tile in enumerate(board)}
        places = [where[tile] for tile in self._tiles[r][g]]
        order = order_number(places)
        rank = sum(math.comb(cell, i + 1) for i, cell in enumerate(sorted(places)))
        entry = int(self.tables.offset[g]) + rank * int(self.tables.orders[g]) + order
        excess = int(self.tables.nibbles[entry // 2]) >> 4 * (entry % 2) & 15
        mask = sum(1 << cell for cell in places)
        return mask | order << groups.ORDER | excess << groups.NIBBLE


def _end(follow: NDArray[np.int32], path: tuple[int, ...]) -> int:
    """Return the state of an automaton after a path, -1 if it has a needless part."""
    state = 0
    for way in path:
        state = int(follow[state, way % 4])
        if state < 0:
            break
    return state


@cache
def _combination_terms(chunk: int) -> NDArray[np.uint32]:
    """Return what `chunk` bits of a mask add to its number among the masks of as many bits.

    Flattened `terms[k, below, bits]`: `bits` are the cells from chunk * k on, `below` (less than
    16) the number of cells taken in the chunks before.
    """
    most = LARGEST_PATTERN
    chunks = -(-LARGEST_BOARD // chunk)
    binomial = np.array(
        [[math.comb(cell, i) for i in range(most + chunk + 1)] for cell in range(chunks * chunk)]
    )
    bits = np.arange(1 << chunk)
    below = np.arange(most + 1)[:, None]
    terms = np.zeros((chunks, 16, 1 << chunk), np.uint32)
    for k in range(chunks):
        count = np.zeros_like(bits)
        for i in range(chunk):
            bit = bits >> i & 1
            count += bit
            terms[k, : most + 1] += (bit * binomial[chunk * k + i][below + count]).astype(np.uint32)
    return terms.reshape(-1)
