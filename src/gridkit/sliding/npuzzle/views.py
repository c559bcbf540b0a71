"""What the optimal search knows of a board: its moves, and its pattern tables as they are seen."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gridkit.run.control import Limit, ProgressCallback
from gridkit.sliding.npuzzle import patterns as patterndb
from gridkit.sliding.npuzzle.guide import Guide
from gridkit.sliding.npuzzle.orders import order_number, passing_terms
from gridkit.sliding.npuzzle.patterns import PatternTables

if TYPE_CHECKING:
    from gridkit.sliding.npuzzle.puzzle import NPuzzle

__all__ = ["Views"]

_LEAST_SPAN = 5


class Views:
    """The moves of a board and the tables behind them, packed for the kernel, which describes them.

    Parameters
    ----------
    puzzle : NPuzzle
        One blank, distinct tiles.
    chosen : Guide
        What estimates the distance; its tables are loaded or built.

    Attributes
    ----------
    home : int
        The blank's goal, a cell's number among the open cells, as all cells and tiles are.
    """

    def __init__(
        self,
        puzzle: NPuzzle,
        chosen: Guide,
        *,
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
    ) -> None:
        from gridkit.sliding.npuzzle.kernels import ida as kernels

        self._kernels = kernels
        self.home = puzzle.open_cells.index(puzzle.goal.index(0))
        self.images = chosen.views
        self.span = max(_LEAST_SPAN, (len(puzzle.open_cells) - 1).bit_length())
        self._walk = patterndb.walking(puzzle.graph)
        self._list_ways(puzzle)
        self._list_passed(chosen.views)
        self._load(chosen, limit, progress)

    def _list_ways(self, puzzle: NPuzzle) -> None:
        """Number the moves: way 4 * cell + side leads a tile from a neighbour into the cell.

        After the ways stand the places where the blank may start: way 4 * n + cell.
        """
        graph, walk = puzzle.graph, self._walk
        n = len(graph)
        spots = [divmod(cell, puzzle.cols) for cell in puzzle.open_cells]
        self.source = np.array([-1] * (4 * n) + list(range(n)), np.int64)
        self.sides = np.zeros(n, np.int64)
        gain = np.zeros((4 * n, 1 << self.span), np.int8)
        for cell, near in enumerate(graph):
            for other in near:
                down, right = (a - b for a, b in zip(spots[other], spots[cell], strict=True))
                side = (3 * (down + 1) + right + 1) // 2  # up, left, right, down
                way = 4 * cell + side
                self.source[way] = other
                self.sides[cell] |= 1 << side
                gain[way, :n] = walk[:, cell].astype(np.int8) - walk[:, other].astype(np.int8)
        self.gain = gain.reshape(-1)

    def _list_passed(self, views: list[list[int]]) -> None:
        """List what each way does to a mask, and the cells it passes in the view's numbering."""
        n = len(self.sides)
        line, ways = 1 << self.span, 4 * n
        bits = np.zeros((len(views), 4 * line), np.int64)
        passed = np.zeros((len(views), 4 * line, max(2, n)), np.int16)
        for r, view in enumerate(views):
            cell_of = {image: cell for cell, image in enumerate(view)}
            for way in range(ways):
                if self.source[way] >= 0:
                    before, after = view[self.source[way]], view[way // 4]
                    between = range(min(before, after) + 1, max(before, after))
                    bits[r, way] = 1 << before ^ 1 << after
                    passed[r, way, 0] = len(between)
                    passed[r, way, 1] = line * line * (2 * r + (after < before))
                    passed[r, way, 2 : 2 + len(between)] = [cell_of[c] for c in between]
        self.bits, self.passed = bits.reshape(-1), passed.reshape(-1, passed.shape[2])

    def _load(self, chosen: Guide, limit: Limit | None, progress: ProgressCallback | None) -> None:
        """Load the tables, and list what the kernel needs to find an entry."""
        line = 1 << self.span
        group_of = np.zeros((2, line), np.int64)
        turn = np.zeros((len(chosen.views), 2, line, line), np.int16)
        groups: tuple[tuple[int, ...], ...] = ()
        offsets = [0]
        self.table = np.zeros(1, np.uint8)
        self._tables: PatternTables | None = None
        if chosen.recipe is not None:
            groups, offsets = chosen.recipe.groups, chosen.recipe.offsets()
            self._tables = patterndb.load(chosen.recipe, limit=limit, progress=progress)
            self.table = self._tables.table
        self.offset = 2 * np.array(offsets[: len(groups)], np.int64)
        self.orders = np.array([math.factorial(len(group)) for group in groups], np.int64)
        self.combination = _combination_terms(self._kernels.CHUNK)
        self._tiles: list[list[list[int]]] = []  # of each view and pattern
        for r, view in enumerate(chosen.views):
            tile_seen = {image: tile for tile, image in enumerate(view)}
            self._tiles.append([[tile_seen[goal] for goal in group] for group in groups])
            for g, tiles in enumerate(self._tiles[r]):
                group_of[r, tiles] = g
                turn[r, 0][np.ix_(tiles, tiles)] = passing_terms(len(tiles))
            turn[r, 1] = -turn[r, 0]
        self.turn, self.group = turn.reshape(-1), group_of.reshape(-1)

    def settle(self) -> None:
        """Prepare for a long search: have the tables in memory."""
        if self._tables is not None:
            self._tables = patterndb.settle(self._tables)
            self.table = self._tables.table

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
        entry = int(self.offset[g]) + rank * int(self.orders[g]) + order
        excess = int(self.table[entry // 2]) >> 4 * (entry % 2) & 15
        mask = sum(1 << cell for cell in places)
        return mask | order << self._kernels.ORDER | excess << self._kernels.NIBBLE


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
