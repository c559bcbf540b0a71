"""Additive pattern databases: built once, kept in the user's cache folder, read memory-mapped.

A pattern is a group of tiles; its table holds, for every placement of the group, how many moves of
its tiles are needed at least when only they are counted (J. Culberson and J. Schaeffer 1998;
additive: R. Korf and A. Felner 2002).  Stored is half of what exceeds the walking distance, in a
nibble.

The folder is ``GRIDKIT_CACHE_DIR`` if that is set, else ``gridkit`` below the platform's cache
folder (``XDG_CACHE_HOME`` or ``~/.cache``; ``~/Library/Caches``; ``%LOCALAPPDATA%``).
"""

from __future__ import annotations

import hashlib
import json
import math
import mmap
import os
import sys
import tempfile
import zlib
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gridkit.errors import LimitReached, UnsupportedError
from gridkit.run.control import Limit, Partial, ProgressCallback, drive
from gridkit.sliding.npuzzle.orders import all_orders, order_number, shifted_numbers

__all__ = ["PatternTables", "Recipe", "cache_folder", "is_stored", "load", "settle"]

MAGIC = b"gridkit pattern tables\n"
VERSION = 1
_HEADER = 4096
LARGEST_BOARD, LARGEST_PATTERN = 26, 8
_PACKED_AT_ONCE = 1 << 17  # entries: the arrays of a step stay in the processor's cache

Graph = Sequence[Sequence[int]]


def cache_folder() -> Path:
    """Return the folder of the stored tables (it need not exist)."""
    chosen = os.environ.get("GRIDKIT_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.expanduser("~/AppData/Local")
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "gridkit"


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a set of tables depends on.

    Attributes
    ----------
    graph : tuple of tuples of int
        Neighbours of each cell, at most 26 cells with at most four neighbours each.
    home : int
        The blank's cell in the goal.
    groups : tuple of tuples of int
        The goal cells of each pattern's tiles, at most eight a pattern, disjoint.
    """

    graph: tuple[tuple[int, ...], ...]
    home: int
    groups: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        largest = max(map(len, self.groups))
        if len(self.graph) > LARGEST_BOARD or largest > LARGEST_PATTERN:
            raise UnsupportedError(
                f"pattern tables take boards of at most {LARGEST_BOARD} cells and patterns of at "
                f"most {LARGEST_PATTERN} tiles, got {len(self.graph)} cells and {largest} tiles"
            )

    def key(self) -> str:
        """Return a digest that names the stored file."""
        return hashlib.sha256(repr((VERSION, self)).encode()).hexdigest()[:20]

    def file(self) -> Path:
        """Return where the tables are stored."""
        sizes = "-".join(str(len(group)) for group in self.groups)
        return cache_folder() / f"patterns-{len(self.graph)}-{sizes}-{self.key()}.bin"

    def entries(self) -> list[int]:
        """Return the number of placements of each pattern."""
        return [math.perm(len(self.graph), len(group)) for group in self.groups]

    def offsets(self) -> list[int]:
        """Return the first byte of each table, and the length of all."""
        offsets = [0]
        for entries in self.entries():
            offsets.append(offsets[-1] + (entries + 1) // 2)
        return offsets


@dataclass(frozen=True, slots=True)
class PatternTables:
    """Tables ready for look-ups: one byte array of nibbles, pattern after pattern."""

    recipe: Recipe
    table: NDArray[np.uint8]


def walking(graph: Graph) -> NDArray[np.uint8]:
    """Return the distances between all cells of a connected graph (255 where there is no path)."""
    lengths = np.full((len(graph), len(graph)), 255, np.uint8)
    for source in range(len(graph)):
        lengths[source, source] = 0
        order = [source]
        for v in order:
            for w in graph[v]:
                if lengths[source, w] == 255:
                    lengths[source, w] = lengths[source, v] + 1
                    order.append(w)
    return lengths


def padded(graph: Graph) -> NDArray[np.int64]:
    """Return the neighbours as rows of four, filled up with -1."""
    rows = np.full((len(graph), 4), -1, np.int64)
    for v, near in enumerate(graph):
        rows[v, : len(near)] = near
    return rows


_LOADED: OrderedDict[str, PatternTables] = OrderedDict()


def load(
    recipe: Recipe, *, limit: Limit | None = None, progress: ProgressCallback | None = None
) -> PatternTables:
    """Return the tables of a recipe: from memory, from the cache folder, or built now.

    A stored file of another version, of another length or with a wrong checksum is built anew; a
    folder that cannot be written costs the storing, never a failure.

    Raises
    ------
    LimitReached
        When the limit is met while building.
    """
    key = _place(recipe)
    if key not in _LOADED:
        table = _read(recipe)
        if table is None:
            table = _build(recipe, limit, progress)
            _store(recipe, table)
        _LOADED[key] = PatternTables(recipe, table)
        while len(_LOADED) > 4:
            _LOADED.popitem(last=False)
    _LOADED.move_to_end(key)
    return _LOADED[key]


def settle(tables: PatternTables) -> PatternTables:
    """Copy tables that are read from their file into memory, for a long search.

    Memory that numpy allocates has large pages where the system offers them, which spares look-ups
    all over the tables a quarter of their time; copying costs half a second.
    """
    if tables.table.base is None:
        return tables
    settled = PatternTables(tables.recipe, tables.table.copy())
    key = _place(tables.recipe)
    if key in _LOADED:
        _LOADED[key] = settled
    return settled


def is_stored(recipe: Recipe) -> bool:
    """Return whether the tables can be had without building (the file is not checked here)."""
    return _place(recipe) in _LOADED or recipe.file().is_file()


def _place(recipe: Recipe) -> str:
    """Return what tables are remembered by: another cache folder begins anew."""
    return recipe.key() + str(cache_folder())


def _header(recipe: Recipe, table: NDArray[np.uint8]) -> bytes:
    facts = {
        "version": VERSION,
        "key": recipe.key(),
        "bytes": len(table),
        "crc32": zlib.crc32(table.data),
    }
    text = MAGIC + json.dumps(facts).encode()
    return text.ljust(_HEADER - 1) + b"\n"


def _read(recipe: Recipe) -> NDArray[np.uint8] | None:
    try:
        with open(recipe.file(), "rb") as file:
            # Private pages: kernels take writable arrays only, the file stays as it is.
            view = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        table = np.frombuffer(view, np.uint8, offset=_HEADER)
        intact = len(table) == recipe.offsets()[-1] and view[:_HEADER] == _header(recipe, table)
    except (OSError, ValueError):
        return None
    return table if intact else None


def _store(recipe: Recipe, table: NDArray[np.uint8]) -> None:
    """Write to a temporary file and rename it, so that a reader sees all or nothing."""
    target = recipe.file()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".building-")
    except OSError:
        return
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_header(recipe, table))
            file.write(table.data)
        os.replace(name, target)
    except OSError:
        pass
    finally:
        Path(name).unlink(missing_ok=True)


def _build(
    recipe: Recipe, limit: Limit | None, progress: ProgressCallback | None
) -> NDArray[np.uint8]:
    building = TableBuilding(recipe)
    if limit is not None and limit.memory is not None and building.needed() > limit.memory:
        raise LimitReached(
            f"memory limit reached: the tables need {building.needed()} bytes to build, "
            f"{limit.memory} allowed",
            Partial(None, 0, 0, 0.0, 0.0),
        )
    drive(building, limit=limit, progress=progress)
    return building.packed


class TableBuilding:
    """Builds the tables pattern after pattern, level after level (a `Resumable`)."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.offsets = recipe.offsets()
        self.packed = np.zeros(self.offsets[-1], np.uint8)
        self.nodes = 0
        self.found = 0
        self._neighbours = padded(recipe.graph)
        self._walk = walking(recipe.graph)
        n = len(recipe.graph)
        self._binomial = np.array(
            [[math.comb(p, i) for i in range(LARGEST_PATTERN + 1)] for p in range(n)], np.int64
        )
        self._search: _PatternSearch | None = None
        self._weight = sum(recipe.entries())

    def needed(self) -> int:
        """Estimate the peak of memory in bytes before anything is allocated."""
        return self.offsets[-1] + 2 * max(self.recipe.entries())

    def fraction(self) -> float:
        """Return the entries expanded over the (estimated) number of all."""
        return min(0.99, self.nodes / (2 * self._weight))

    def memory(self) -> int:
        """Return the bytes of the tables and of the search at work."""
        return self.packed.nbytes + (self._search.distance.nbytes if self._search else 0)

    def advance(self, budget: int) -> bool:
        """Expand about `budget` entries."""
        if self.found == len(self.recipe.groups):
            return True
        if self._search is None:
            group = self.recipe.groups[self.found]
            self._search = _PatternSearch(
                self.recipe, group, self._neighbours, self._walk, self._binomial
            )
        expanded, done = self._search.advance(budget)
        self.nodes += expanded
        if done:
            self._search.pack(self.packed, self.offsets[self.found])
            self._search = None
            self.found += 1
        return self.found == len(self.recipe.groups)

    def value(self) -> object:
        """Return the number of patterns finished."""
        return self.found

    def token(self) -> object:
        """A building that was cut short starts anew."""
        return None


class _PatternSearch:
    """Breadth-first search over the placements of one pattern and the regions of the blank."""

    def __init__(
        self,
        recipe: Recipe,
        group: tuple[int, ...],
        neighbours: NDArray[np.int64],
        walk: NDArray[np.uint8],
        binomial: NDArray[np.int64],
    ) -> None:
        from gridkit.sliding.npuzzle.kernels import patterns as kernels

        n, m = len(recipe.graph), len(group)
        self._kernels = kernels
        self._m, self._neighbours, self._binomial = m, neighbours, binomial
        self._walk = np.ascontiguousarray(walk[list(group)])
        sets, orders = math.comb(n, m), math.factorial(m)
        self._combination = np.empty(sets, np.uint64)
        self._region_start = np.empty(sets + 1, np.int64)
        nothing = np.empty(0, np.uint64), np.empty(0, np.int64)
        count = kernels.list_regions(
            n, m, neighbours, self._combination, self._region_start, *nothing, False
        )
        self._region = np.empty(count, np.uint64)
        self._region_combination = np.empty(count, np.int64)
        kernels.list_regions(
            n, m, neighbours, self._combination, self._region_start, self._region,
            self._region_combination, True,
        )  # fmt: skip
        # Whole words behind the last block, so that it can be read eight bytes at a time.
        words = np.full((count * orders + 7) // 8, -1, np.int64).view(np.uint64)
        self._words, self.distance = words, words.view(np.uint8)
        self._pending = np.zeros((2, count), np.bool_)
        reach = max(
            (
                sum(min(a, b) < cell < max(a, b) for cell in range(n))
                for a in range(n)
                for b in recipe.graph[a]
            ),
            default=0,
        )
        self._rotations = shifted_numbers(m, reach)
        self._waiting = np.empty(orders + 1, np.uint16)
        self._level, self._at = 0, 0
        self._start(group, recipe.home)

    def _start(self, group: tuple[int, ...], home: int) -> None:
        cells = sorted(group)
        at = int(np.searchsorted(self._combination, np.uint64(sum(1 << cell for cell in cells))))
        node = int(self._region_start[at])
        while not int(self._region[node]) >> home & 1:
            node += 1
        self.distance[node * self._rotations.shape[1] + order_number(group)] = 0
        self._pending[0, node] = True

    def advance(self, budget: int) -> tuple[int, bool]:
        """Expand about `budget` entries; return how many, and whether all are reached."""
        expanded = 0
        regions = len(self._region)
        stride = max(1, min(regions, 400_000 // self._rotations.shape[1] + 1))
        while expanded < budget:
            last = min(self._at + stride, regions)
            expanded += self._kernels.grow(
                self._level, self._at, last, self._m, self.distance, self._words, self._pending,
                self._combination, self._region_start, self._region_combination, self._region,
                self._neighbours, self._rotations, self._binomial, self._waiting,
            )  # fmt: skip
            self._at = last
            if last == regions:
                self._at = 0
                self._level += 1
                if not self._pending[self._level % 2].any():
                    return expanded, True
        return expanded, False

    def pack(self, packed: NDArray[np.uint8], offset: int) -> None:
        """Write the nibbles of this pattern, from byte `offset` on.

        A nibble is (distance - walking distance of the tiles) / 2, at most 15; of the blank's
        regions the least distance counts.  Orders come in runs that differ in the places of the
        last tiles only, so that the walking distance is a sum of one term a run, for the first
        tiles, and of one that depends on the set of places left to the last ones.
        """
        m, orders = self._m, all_orders(self._m)
        last = min(m, 4)
        run = math.factorial(last)
        heads = orders[::run, : m - last]
        sets, first_of, set_of = np.unique(
            (1 << orders[::run, m - last :].astype(np.int64)).sum(axis=1),
            return_index=True, return_inverse=True,
        )  # fmt: skip
        tails = orders.reshape(-1, run, m)[first_of, :, m - last :]
        step = max(1, _PACKED_AT_ONCE // len(orders))
        step += step % 2  # whole bytes also where a pattern has a single tile
        blocks = self.distance[: len(self._region) * len(orders)].reshape(-1, len(orders))
        place = offset
        for begin in range(0, len(self._combination), step):
            chosen = self._combination[begin : begin + step, None]
            cells = np.nonzero(chosen >> np.arange(len(self._neighbours), dtype=np.uint64) & 1)[1]
            length = self._walk[:, cells.reshape(-1, m)]  # of a tile to a place, in each set
            head = np.zeros((len(chosen), len(heads)), np.uint8)
            for tile in range(m - last):
                head += length[tile][:, heads[:, tile]]
            tail = np.zeros((len(chosen), len(sets), run), np.uint8)
            for tile in range(last):
                tail += length[m - last + tile][:, tails[:, :, tile]]
            starts = self._region_start[begin : begin + len(chosen) + 1]
            excess = blocks[starts[:-1]]
            for extra in range(1, int(np.diff(starts).max())):
                more = np.flatnonzero(np.diff(starts) > extra)
                excess[more] = np.minimum(excess[more], blocks[starts[more] + extra])
            excess -= (tail[:, set_of] + head[:, :, None]).reshape(excess.shape)
            excess >>= 1
            np.minimum(excess, 15, out=excess)
            pairs = np.pad(excess.ravel(), (0, excess.size % 2)).view("<u2")
            packed[place : place + len(pairs)] = pairs | pairs >> 4  # the low byte of each
            place += len(pairs)
