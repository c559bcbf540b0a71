"""What the cover wing answers with: tilings, reasons why none exists, costs, estimates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Protocol

from gridkit import render
from gridkit.cover.drawing.regions import region_grid
from gridkit.cover.drawing.tilings import marked_scene, tiling_scene
from gridkit.cover.instance import Instance
from gridkit.cover.proof import ArgumentKind, Refutation
from gridkit.cover.tiling_reading import Piece, Region
from gridkit.render.drawable import Drawable
from gridkit.render.text import LETTERS, grid_text
from gridkit.run import Run
from gridkit.value import Value, Verdict

__all__ = [
    "Explanation",
    "Solution",
    "check_explanation",
    "distinct_letters",
]

Label = int | None
Grid = tuple[tuple[Label, ...], ...]


class Tiled(Protocol):
    """What a solution knows of the `gridkit.Tiling` that it solves."""

    @property
    def region(self) -> Region: ...

    @property
    def pieces(self) -> tuple[Piece, ...]: ...

    @property
    def names(self) -> tuple[str, ...] | None: ...

    @property
    def instance(self) -> Instance: ...

    def count(self) -> int: ...


@dataclass(frozen=True)
class Solution(Drawable):
    """A tiling: which placements cover the region.

    ``str`` is its picture in text, one letter a piece (see `letters`); notebooks show it as SVG.

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

    tiling: Tiled
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
        """The letter of each piece laid: its name where names tell all apart, else A, B, C, ...

        After 62 pieces letters recur, but neighbours (pieces with a common edge or face) never
        have the same one.
        """
        names = self.tiling.names
        if names is not None:
            used = [names[piece] for piece, _ in self.pieces]
            if len(set(used)) == len(used) and all(len(name) == 1 for name in used):
                return tuple(used)
        return distinct_letters([cells for _, cells in self.pieces])

    def __str__(self) -> str:
        return grid_text(self.labels, self.letters or LETTERS)

    def _scene(self) -> render.Scene:
        """Return the tiling; pieces of one kind have one hue where they do not touch."""
        return self._drawn(solid=True)

    def _flat_scene(self) -> render.Scene:
        return self._drawn(solid=False)

    def _drawn(self, *, solid: bool) -> render.Scene:
        tiling = self.tiling
        kinds = len(tiling.pieces)
        return tiling_scene(tiling.region, self.pieces, tiling.names, kinds, solid=solid)


class Explanation(Value, Drawable, Verdict):
    """Why a region cannot be tiled.

    Parameters
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

    Examples
    --------
    >>> import gridkit as gk
    >>> row = gk.Tiling(gk.Board.rectangle(1, 3), gk.pieces.domino(), copies=None)
    >>> row.explain().kind
    'area'
    """

    _fields = ("kind", "reason", "cell", "weights", "modulus", "region")

    kind: ArgumentKind
    reason: str
    cell: tuple[int, ...] | None
    weights: Mapping[tuple[int, ...], int] | None
    modulus: int | None
    region: Region | None

    def __init__(
        self,
        kind: ArgumentKind,
        reason: str,
        cell: tuple[int, ...] | None = None,
        weights: Mapping[tuple[int, ...], int] | None = None,
        modulus: int | None = None,
        region: Region | None = None,
    ) -> None:
        self._put(
            kind=kind,
            reason=reason,
            cell=cell,
            weights=None if weights is None else dict(weights),
            modulus=modulus,
            region=region,
        )

    def _scene(self) -> render.Scene:
        """Return the region with the weights written in, or the uncoverable cell coloured."""
        if self.region is None:
            return render.grid_scene([[None]], title=self.reason)
        cell = None if self.cell is None else tuple(self.cell)
        return marked_scene(self.region, self.weights or {}, cell, self.reason)


def check_explanation(explanation: Explanation, tiling: Tiled) -> bool:
    """Whether an explanation proves what it says, from the placements alone.

    A search that was exhausted cannot be checked but by another, which counts.

    Examples
    --------
    >>> import gridkit as gk
    >>> tiling = gk.Tiling(gk.Board.rectangle(2, 2), [gk.Polyomino.parse("###")], copies=None)
    >>> check_explanation(tiling.explain(), tiling)
    True
    """
    from gridkit.cover.proof.explain import proves  # late: pictures need no proofs

    argument = Refutation(
        explanation.kind,
        explanation.reason,
        explanation.cell,
        explanation.weights,
        explanation.modulus,
    )
    proved = proves(argument, tiling.instance, list(map(len, tiling.pieces)), Run())
    return tiling.count() == 0 if proved is None else proved


def distinct_letters(pieces: Sequence[Sequence[tuple[int, ...]]]) -> tuple[str, ...]:
    """Give each piece a letter that none of its neighbours has.

    Parameters
    ----------
    pieces : sequence of sequences of cells
        The cells of each piece; neighbours have cells one apart along one axis.

    Returns
    -------
    tuple of str
        A, B, C, ... as long as they last, then the next letters in turn that no neighbour has
        (greedy colouring); letters beyond ASCII only where a piece has 62 neighbours.

    Examples
    --------
    >>> distinct_letters([[(0, 0)], [(0, 1), (0, 2)]])
    ('A', 'B')
    """
    if len(pieces) <= len(LETTERS):
        return tuple(LETTERS[: len(pieces)])
    letter_at: dict[tuple[int, ...], str] = {}
    letters = []
    for number, cells in enumerate(pieces):
        beside = {letter_at.get(near) for cell in cells for near in _beside(cell)}
        start = number % len(LETTERS)
        in_turn = LETTERS[start:] + LETTERS[:start]
        letter = next((each for each in in_turn if each not in beside), None)
        if letter is None:
            beyond = filter(str.isalpha, map(chr, count(0xC0)))
            letter = next(each for each in beyond if each not in beside)
        letters.append(letter)
        letter_at.update(dict.fromkeys(cells, letter))
    return tuple(letters)


def _beside(cell: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Give the places one step away along each axis."""
    for axis, value in enumerate(cell):
        for step in (-1, 1):
            yield (*cell[:axis], value + step, *cell[axis + 1 :])
