"""Shortest plans for one blank and distinct tiles: iterative deepening with pattern tables."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gridkit.errors import UnsupportedError
from gridkit.run.control import Limit, ProgressCallback
from gridkit.sliding import patterndb
from gridkit.sliding.duplicates import BACKWARD, automaton
from gridkit.sliding.npuzzle_optimal import Guide
from gridkit.sliding.npuzzle_small import Route

if TYPE_CHECKING:
    from gridkit.sliding.npuzzle import NPuzzle

__all__ = ["DeepeningSearch"]

_LARGEST = 1024  # cells
_LEAST_SPAN = 5
_NEVER = 1 << 40
_LANES = 4
# Nodes after which the next iteration avoids needless strings of so many moves.
_PRUNING = ((20_000_000, 12), (200_000, 10), (0, 6))
_EVEN = Fraction(1)


class DeepeningSearch:
    """IDA* (a `Resumable`); a node is a tile moved.

    Parameters
    ----------
    puzzle : NPuzzle
        One blank, distinct tiles, solvable.
    chosen : Guide
        What estimates the distance.
    count_all : bool
        Whether to go on through all solutions of the least length.
    weight : Fraction
        What the estimate is multiplied with, at least 1; the plan found is at most so many times
        as long as a shortest one.
    """

    def __init__(
        self,
        puzzle: NPuzzle,
        chosen: Guide,
        *,
        count_all: bool = False,
        weight: Fraction = _EVEN,
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
    ) -> None:
        from gridkit.sliding.kernels import npuzzle as kernels

        cells = puzzle.open_cells
        if len(cells) > _LARGEST:
            raise UnsupportedError(
                f"the optimal search takes at most {_LARGEST} cells, got {len(cells)}"
            )
        self._kernels = kernels
        goal_place = {puzzle.goal[cell]: index for index, cell in enumerate(cells)}
        board = [goal_place[puzzle.tiles[cell]] for cell in cells]
        home = goal_place[0]
        walk = patterndb.walking(puzzle.graph)
        steps = sum(int(walk[tile, cell]) for cell, tile in enumerate(board) if tile != home)
        self._board = board
        self._span = max(_LEAST_SPAN, (len(board) - 1).bit_length())
        self._list_ways(puzzle, walk, board.index(home))
        self._prepare_views(chosen.views)
        self._prepare_tables(chosen, limit, progress)
        excess = (self._state >> kernels.NIBBLE).reshape(2, -1).sum(axis=1).tolist()
        self._root = [-1, len(self._source) - 1, steps, *excess, 0, 0, 0]
        self._weight = weight
        bound = weight.numerator * (steps + 2 * max(excess))
        self._control = np.array(
            [bound, 0, _NEVER, 0, count_all, weight.denominator, weight.numerator, 0], np.int64
        )
        self._solved = steps == 0
        self._prunes = not (count_all or puzzle.walls)
        self._boards = np.zeros((_LANES, len(board)), np.int64)
        self._states = np.zeros((_LANES, len(self._state)), np.int64)
        self._boards[0], self._states[0] = board, self._state
        self._new_stack()

    def _list_ways(self, puzzle: NPuzzle, walk: NDArray[np.uint8], blank: int) -> None:
        """Number the moves: way 4 * cell + side leads a tile from a neighbour into the cell.

        After the last way stands the start, which leaves the blank where it is.
        """
        graph = puzzle.graph
        n = len(graph)
        spots = [divmod(cell, puzzle.cols) for cell in puzzle.open_cells]
        self._source = np.full(4 * n + 1, -1, np.int64)
        self._sides = np.zeros(n, np.int64)
        gain = np.zeros((4 * n, 1 << self._span), np.int8)
        for cell, near in enumerate(graph):
            for other in near:
                down, right = (a - b for a, b in zip(spots[other], spots[cell], strict=True))
                side = (3 * (down + 1) + right + 1) // 2  # up, left, right, down
                way = 4 * cell + side
                self._source[way] = other
                self._sides[cell] |= 1 << side
                gain[way, :n] = walk[:, cell].astype(np.int8) - walk[:, other].astype(np.int8)
        self._source[-1] = blank
        self._gain = gain.reshape(-1)

    def _prepare_views(self, views: list[list[int]]) -> None:
        """List what each way does to a mask, and the cells it passes in the view's numbering."""
        line, ways = 1 << self._span, len(self._source) - 1
        bits = np.zeros((len(views), 4 * line), np.int64)
        passed = np.zeros((len(views), 4 * line, max(2, len(self._board))), np.int16)
        for r, view in enumerate(views):
            cell_of = {image: cell for cell, image in enumerate(view)}
            for way in range(ways):
                if self._source[way] >= 0:
                    before, after = view[self._source[way]], view[way // 4]
                    between = range(min(before, after) + 1, max(before, after))
                    bits[r, way] = 1 << before ^ 1 << after
                    passed[r, way, 0] = len(between)
                    passed[r, way, 1] = line * line * (2 * r + (after < before))
                    passed[r, way, 2 : 2 + len(between)] = [cell_of[c] for c in between]
        self._bits, self._passed = bits.reshape(-1), passed.reshape(-1, passed.shape[2])

    def _prepare_tables(
        self, chosen: Guide, limit: Limit | None, progress: ProgressCallback | None
    ) -> None:
        """Load the tables and look the start up in every view."""
        line = 1 << self._span
        self._views = len(chosen.views)
        self._group, self._state = np.zeros((2, 2, line), np.int64)
        turn = np.zeros((self._views, 2, line, line), np.int16)
        groups: tuple[tuple[int, ...], ...] = ()
        offsets = [0]
        self._table = np.zeros(1, np.uint8)
        if chosen.recipe is not None:
            groups, offsets = chosen.recipe.groups, chosen.recipe.offsets()
            self._table = patterndb.load(chosen.recipe, limit=limit, progress=progress).table
        self._offset = 2 * np.array(offsets[: len(groups)], np.int64)
        self._orders = np.array([math.factorial(len(group)) for group in groups], np.int64)
        self._combination = _combination_terms(self._kernels.CHUNK)
        cell_of = {tile: cell for cell, tile in enumerate(self._board)}
        for r, view in enumerate(chosen.views):
            tile_seen = {image: tile for tile, image in enumerate(view)}
            for g, group in enumerate(groups):
                tiles = [tile_seen[goal] for goal in group]
                self._group[r, tiles] = g
                turn[r, 0][np.ix_(tiles, tiles)] = _turns(len(group))
                self._state[r, g] = self._look_up(g, [view[cell_of[tile]] for tile in tiles])
            turn[r, 1] = -turn[r, 0]
        self._turn = turn.reshape(-1)
        self._group, self._state = self._group.reshape(-1), self._state.reshape(-1)

    def _look_up(self, g: int, places: list[int]) -> int:
        """Return the state of a pattern whose tiles stand at `places`."""
        order = 0
        for i, place in enumerate(places):
            later = places[i + 1 :]
            order = order * (len(later) + 1) + sum(other < place for other in later)
        rank = sum(math.comb(cell, i + 1) for i, cell in enumerate(sorted(places)))
        entry = int(self._offset[g]) + rank * int(self._orders[g]) + order
        excess = int(self._table[entry // 2]) >> 4 * (entry % 2) & 15
        mask = sum(1 << cell for cell in places)
        return mask | order << self._kernels.ORDER | excess << self._kernels.NIBBLE

    def _new_stack(self) -> None:
        """Put the first lane at the root; the others take over what it leaves."""
        longest = next(longest for nodes, longest in _PRUNING if self.nodes >= nodes)
        self._follow = automaton(longest if self._prunes else BACKWARD).reshape(-1)
        rows = int(self._control[0]) // self._weight.denominator + 3
        self._depths = np.zeros(_LANES, np.int64)
        self._stacks = np.zeros((_LANES, rows, 5 * self._kernels.WIDTH), np.int64)
        self._stacks[0, 0, : len(self._root)] = self._root

    @property
    def nodes(self) -> int:
        """Tiles moved so far."""
        return int(self._control[1])

    @property
    def found(self) -> int:
        """Shortest solutions found so far."""
        return int(self._control[3])

    def fraction(self) -> float:
        """Return 0: the size of the search is not known."""
        return 0.0

    def memory(self) -> int:
        """Return the bytes of the tables."""
        return int(self._table.nbytes + self._gain.nbytes)

    def value(self) -> int:
        """Return the length proved so far: no plan is shorter."""
        return -(-int(self._control[0]) // self._weight.numerator)

    def token(self) -> object:
        """Return None: a search that was cut short starts anew."""
        return None

    def advance(self, budget: int) -> bool:
        """Search on for about `budget` nodes."""
        if self._solved:
            self._control[3] = 1
            return True
        kernels, control = self._kernels, self._control
        last = self.nodes + budget
        while self.nodes < last:
            status = kernels.advance(
                last - self.nodes, control, self._follow, self._sides, self._source, self._gain,
                self._bits, self._group, self._passed, self._turn, self._combination, self._orders,
                self._offset, self._span, self._views, self._table, self._boards, self._states,
                self._depths, self._stacks,
            )  # fmt: skip
            if status == kernels.FOUND or (status == kernels.EXHAUSTED and self.found):
                return True
            if status == kernels.EXHAUSTED:
                control[0], control[2] = control[2], _NEVER
                self._new_stack()
        return False

    def length(self) -> int:
        """Return the length of the plan found, or counted (after the end)."""
        if self._control[4]:
            return self.value()
        return int(self._depths[self._control[7]])

    def route(self) -> Route:
        """Return the moves of the plan found (after the end, not when counting)."""
        finder = int(self._control[7])
        ways = self._stacks[finder, 1 : int(self._depths[finder]) + 1, 1]
        return list(zip(self._source[ways].tolist(), (ways // 4).tolist(), strict=True))


@cache
def _combination_terms(chunk: int) -> NDArray[np.uint32]:
    """Return what `chunk` bits of a mask add to its number among the masks of as many bits.

    Flattened `terms[k, below, bits]`: `bits` are the cells from chunk * k on, `below` (less than
    16) the number of cells taken in the chunks before.
    """
    most = patterndb.LARGEST_PATTERN
    chunks = -(-patterndb.LARGEST_BOARD // chunk)
    binomial = np.array(
        [[math.comb(cell, i) for i in range(most + chunk + 1)] for cell in range(chunks * chunk)]
    )
    bits = np.arange(1 << chunk)
    below = np.arange(most + 1)[:, None]
    terms = np.zeros((chunks, 16, 1 << chunk), np.uint32)
    for k in range(chunks):
        count = np.zeros_like(bits)
        for i in range(chunk):
            taken = bits >> i & 1
            count += taken
            terms[k, : most + 1] += (taken * binomial[chunk * k + i][below + count]).astype(
                np.uint32
            )
    return terms.reshape(-1)


def _turns(m: int) -> NDArray[np.int16]:
    """Return how the rank of an order of m tiles grows when one goes up past another."""
    weights = [math.factorial(m - 1 - i) for i in range(m)]
    return np.array(
        [
            [weights[one] if one < other else -weights[other] for other in range(m)]
            for one in range(m)
        ],
        np.int16,
    )
