"""What the cover wing answers with: tilings found, reasons why none exists, costs, estimates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from gridkit.grid.box import Box
from gridkit.render.svg import BLOCKED, grid_svg
from gridkit.render.text import LETTERS, grid_text
from gridkit.value import Verdict

if TYPE_CHECKING:
    from gridkit.cover.tiling import Tiling
    from gridkit.cover.tiling_reading import Region

__all__ = ["Cheapest", "Explanation", "Hardness", "Solution"]

Label = int | None
Grid = tuple[tuple[Label, ...], ...]


@dataclass(frozen=True)
class Solution:
    """A tiling: which placements cover the region.

    ``str`` is its picture in text, one letter a piece; notebooks show it as SVG.

    Attributes
    ----------
    tiling : Tiling
        The problem it solves.
    placements : tuple of int
        Increasing positions in ``tiling.instance.placements``.

    Examples
    --------
    >>> import gridkit as gk
    >>> domino = gk.Polyomino.parse("##")
    >>> print(gk.Tiling(gk.Board.rectangle(1, 4), [domino], copies=None).first())
    AABB
    """

    tiling: Tiling
    placements: tuple[int, ...]

    @property
    def pieces(self) -> tuple[tuple[int, tuple[tuple[int, ...], ...]], ...]:
        """The pieces laid: (number in ``tiling.pieces``, cells covered), by first cell."""
        instance = self.tiling.instance
        return tuple(
            (piece, tuple(instance.coordinates[cell] for cell in cells))
            for piece, cells in (instance.placements[number] for number in self.placements)
        )

    @cached_property
    def labels(self) -> Grid:
        """The picture as numbers, row by row.

        0, 1, 2, ... are the pieces laid, in the order of their first cells; None an empty cell
        and -1 a blocked one.  The layers of a box stand side by side, a column of -1 between.
        """
        label_of = {cell: label for label, (_, cells) in enumerate(self.pieces) for cell in cells}
        return region_grid(self.tiling.region, label_of)

    @property
    def letters(self) -> tuple[str, ...]:
        """The letter of each piece laid: its name where names tell all apart, else A, B, C, ..."""
        names = self.tiling.names
        if names is not None:
            used = [names[piece] for piece, _ in self.pieces]
            if len(set(used)) == len(used) and all(len(name) == 1 for name in used):
                return tuple(used)
        return tuple(LETTERS[label % len(LETTERS)] for label in range(len(self.placements)))

    def __str__(self) -> str:
        return grid_text(self.labels, self.letters or LETTERS)

    def to_svg(self, cell_size: int = 24) -> str:
        """Draw the tiling as an ``<svg>`` element; pieces of one kind share a colour."""
        from gridkit.render.svg import colour

        copies_distinct = len(self.tiling.pieces) > 1
        colours = [
            colour(piece if copies_distinct else label)
            for label, (piece, _) in enumerate(self.pieces)
        ]
        return grid_svg(self.labels, cell_size=cell_size, colours=colours, title="tiling")

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def _repr_html_(self) -> str:
        return self.to_svg()


@dataclass(frozen=True)
class Explanation(Verdict):
    """Why a region cannot be tiled.

    Attributes
    ----------
    kind : {"area", "unplaceable piece", "uncoverable cell", "colouring", "exhausted"}
        The kind of argument.
    reason : str
        The argument in words.
    cell : tuple of int, optional
        The cell no piece can cover, for "uncoverable cell".
    weights : mapping of cell to int, optional
        For "colouring": numbers on the cells such that every placement of every piece has a sum
        the region's sum cannot be made of.
    modulus : int, optional
        What the sums are taken modulo; None for plain sums.
    region : Board or Box, optional
        What the picture shows.
    """

    kind: Literal["area", "unplaceable piece", "uncoverable cell", "colouring", "exhausted"]
    reason: str
    cell: tuple[int, ...] | None = None
    weights: Mapping[tuple[int, ...], int] | None = None
    modulus: int | None = None
    region: Region | None = None

    def to_svg(self, cell_size: int = 24) -> str:
        """Draw the region with the weights written in, or the uncoverable cell coloured."""
        if self.region is None:
            return grid_svg([[None]], cell_size=cell_size, title=self.reason)
        weights = self.weights or {}
        numbers = {value: number for number, value in enumerate(sorted(set(weights.values())))}
        marks = {tuple(cell): numbers[value] for cell, value in weights.items()}
        if self.cell is not None:
            marks[tuple(self.cell)] = 1
        captions = {tuple(cell): str(value) for cell, value in weights.items()}
        return grid_svg(
            region_grid(self.region, marks),
            _captions(self.region, captions) if captions else None,
            cell_size=cell_size,
            title=self.reason,
        )

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def _repr_html_(self) -> str:
        return self.to_svg()


@dataclass(frozen=True, slots=True)
class Cheapest:
    """A cover of least cost.

    Attributes
    ----------
    cost : int or float
        Sum of the costs of its options.
    options : tuple of int
        Increasing numbers of its options.
    """

    cost: int | float
    options: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Hardness:
    """An estimate of how large a search tree is, from random descents (Knuth, 1975).

    Attributes
    ----------
    nodes : float
        Estimated nodes of the whole tree.
    error : float
        Standard error of that estimate; infinite after a single descent.
    solutions : float
        Estimated number of solutions.
    probes : int
        Random descents made.
    """

    nodes: float
    error: float
    solutions: float
    probes: int


def region_grid(region: Region, label_of: Mapping[tuple[int, ...], int]) -> Grid:
    """Return a region as rows of labels: of a cell, None where it has none, -1 where blocked."""
    rows: list[list[Label]] = [[] for _ in range(region.rows)]
    for layer, row, _, cell in _frame(region):
        if layer and len(rows[row]) == layer * (region.cols + 1) - 1:
            rows[row].append(BLOCKED)
        rows[row].append(label_of.get(cell) if cell in region else BLOCKED)
    return tuple(map(tuple, rows))


def _captions(region: Region, captions: Mapping[tuple[int, ...], str]) -> list[list[str]]:
    rows: list[list[str]] = [[] for _ in range(region.rows)]
    for layer, row, _, cell in _frame(region):
        if layer and len(rows[row]) == layer * (region.cols + 1) - 1:
            rows[row].append("")
        rows[row].append(captions.get(cell, ""))
    return rows


def _frame(region: Region) -> list[tuple[int, int, int, tuple[int, ...]]]:
    """Every place of the frame: layer, row, column and the cell's own coordinates."""
    layers = region.layers if isinstance(region, Box) else 1
    flat = not isinstance(region, Box)
    return [
        (layer, row, col, (row, col) if flat else (layer, row, col))
        for layer in range(layers)
        for row in range(region.rows)
        for col in range(region.cols)
    ]
