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
import re
import sys
import tempfile
import zlib
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gridkit.errors import InputError, UnsupportedError
from gridkit.grid.cell import Cell, Symmetry
from gridkit.run import Run
from gridkit.sliding.npuzzle.building import LARGEST_PATTERN, TableBuilding
from gridkit.sliding.npuzzle.graph import Instance

__all__ = [
    "LARGEST_BOARD", "Guide", "PatternTables", "Recipe", "cache_folder", "guide", "is_stored",
    "load", "partition", "pattern_sizes", "settle",
]  # fmt: skip

MAGIC = b"gridkit pattern tables\n"
VERSION = 1
_HEADER = 4096
LARGEST_BOARD = 26

# Patterns of R. Korf and A. Felner (2002) for the blank in the top left corner; our own 5-5-5-5-4.
_KNOWN = {
    (4, "5-5-5"): ((1, 4, 5, 8, 9), (2, 3, 6, 7, 10), (11, 12, 13, 14, 15)),
    (4, "6-6-3"): ((3, 6, 7, 10, 11, 15), (1, 2, 4, 5, 8, 9), (12, 13, 14)),
    (4, "7-8"): ((1, 2, 3, 4, 5, 6, 7), (8, 9, 10, 11, 12, 13, 14, 15)),
    (5, "6-6-6-6"): (
        (1, 2, 5, 6, 7, 12), (3, 4, 8, 9, 13, 14), (10, 11, 15, 16, 20, 21),
        (17, 18, 19, 22, 23, 24),
    ),
    (5, "5-5-5-5-4"): (
        (1, 2, 5, 6, 7), (3, 4, 8, 9, 14), (10, 11, 15, 16, 20), (12, 13, 17, 21, 22),
        (18, 19, 23, 24),
    ),
}  # fmt: skip


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


_LOADED: OrderedDict[str, PatternTables] = OrderedDict()


def load(recipe: Recipe, run: Run) -> PatternTables:
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
            # Most of what is held at once: all tables, and twice the largest one.
            run.check(memory=recipe.offsets()[-1] + 2 * max(recipe.entries()))
            building = TableBuilding(recipe.graph, recipe.home, recipe.groups, run.nothing)
            run.drive(building)
            table = building.packed
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


class Guide:
    """What estimates distances for a board and goal: walking distances and pattern tables.

    Attributes
    ----------
    views : list of list of int
        For each symmetry that brings the goal into the tables' standard position, the image of
        every cell.
    recipe : Recipe or None
        The tables; None for walking distances alone.
    """

    def __init__(self, views: list[list[int]], recipe: Recipe | None) -> None:
        self.views = views if recipe else []
        self.recipe = recipe


def guide(instance: Instance, tables: str) -> Guide:
    """Choose the tables for a puzzle.

    Raises
    ------
    InputError
        For a name that is none, or sizes that do not add up to the number of tiles.
    UnsupportedError
        For a board or pattern that is too large for tables.
    """
    n = len(instance.cells)
    if tables == "manhattan":
        return Guide([], None)
    side, views, graph, home = _standard(instance)
    if tables != "auto":
        return Guide(views, Recipe(graph, home, partition(tables, n, side, home)))
    if side == 4 or side == 5:
        large = "7-8" if side == 4 else "6-6-6-6"
        recipe = Recipe(graph, home, partition(large, n, side, home))
        if is_stored(recipe):
            return Guide(views, recipe)
    largest = 6 if n <= 16 else 5
    count = -(-(n - 1) // largest)
    sizes = sorted((len(range(i, n - 1, count)) for i in range(count)), reverse=True)
    name = "6-6-3" if side == 4 else "-".join(map(str, sizes))
    return Guide(views, Recipe(graph, home, partition(name, n, side, home)))


def pattern_sizes(tables: str, tiles: int) -> list[int]:
    """Return the sizes that a name such as "6-6-3" means.

    Raises
    ------
    InputError
        For a name that is none, or sizes that do not add up to the number of tiles.
    """
    if not isinstance(tables, str) or not re.fullmatch(r"[1-9]\d*(-[1-9]\d*)*", tables):
        raise InputError(
            "tables must be 'auto', 'manhattan', 'walking-distance' or pattern sizes such as "
            f"'6-6-3', got {tables!r}"
        )
    sizes = [int(size) for size in tables.split("-")]
    if sum(sizes) != tiles:
        raise InputError(f"tables {tables!r} cover {sum(sizes)} tiles, but the puzzle has {tiles}")
    return sizes


def partition(tables: str, n: int, side: int, home: int) -> tuple[tuple[int, ...], ...]:
    """Return the goal cells of the patterns that a name such as "6-6-3" means.

    `side` is that of a square board without walls, else 0.
    """
    sizes = pattern_sizes(tables, n - 1)
    if home == 0 and (side, tables) in _KNOWN:
        return _KNOWN[side, tables]
    rest = iter(_along_rows(n, side, home))
    return tuple(tuple(sorted(next(rest) for _ in range(size))) for size in sizes)


def _along_rows(n: int, side: int, home: int) -> Iterable[int]:
    """Return the cells but `home`, to and fro on a square board."""
    width = side or n
    for row in range(0, n, width):
        cells = range(row, min(row + width, n))
        yield from (
            cell for cell in (cells if row // width % 2 == 0 else cells[::-1]) if cell != home
        )


def _standard(instance: Instance) -> tuple[int, list[list[int]], tuple[tuple[int, ...], ...], int]:
    """Return (side, views, graph, home) of the board turned so that its goal's blank is first."""
    rows, cols = instance.rows, instance.cols
    cells = [Cell(*instance.spot(place)) for place in range(len(instance.cells))]
    home = instance.goal.index(0)
    best: tuple[object, ...] | None = None
    views: list[list[int]] = []
    for symmetry in Symmetry:
        height, width = (cols, rows) if symmetry.swaps_axes else (rows, cols)
        images = [symmetry.image(cell, rows, cols) for cell in cells]
        where = symmetry.image(cells[home], rows, cols)
        key = (where, height, width, tuple(sorted(images)))
        if best is None or key < best:
            best, views = key, []
        if key == best:
            place = {cell: index for index, cell in enumerate(sorted(images))}
            views.append([place[image] for image in images])
    first = views[0]
    graph: list[tuple[int, ...]] = [()] * len(cells)
    for cell, near in enumerate(instance.graph):
        graph[first[cell]] = tuple(sorted(first[neighbour] for neighbour in near))
    side = rows if rows == cols and not instance.has_walls else 0
    return side, views[:2], tuple(graph), first[home]
