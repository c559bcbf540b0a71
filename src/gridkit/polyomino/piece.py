"""What all pieces share: connected cells of a lattice, up to translation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Generic, Self, TypeVar, cast

from gridkit.errors import InputError
from gridkit.grid.components import components
from gridkit.grid.lattice import Lattice
from gridkit.grid.region import AnyRegion
from gridkit.render.drawable import Drawable
from gridkit.value import Value

__all__ = ["Piece", "connected_cells"]

C = TypeVar("C", bound=tuple[int, ...])


class Piece(Value, Drawable, Generic[C]):
    """A nonempty connected set of cells of a lattice; translates are equal.

    Base of `gridkit.Polyomino`, `gridkit.Polycube` and `gridkit.Polyform`.  Immutable and ordered
    by (size, cells).  Turned or mirrored copies are different pieces unless they coincide; compare
    `canonical` forms to ignore that.

    Examples
    --------
    >>> import gridkit as gk
    >>> isinstance(gk.Polyomino.parse("##"), Piece), len(gk.Polyomino.parse("##").orientations())
    (True, 2)
    """

    _cells: tuple[C, ...]

    @property
    def lattice(self) -> Lattice:
        """Where the cells are."""
        raise NotImplementedError

    @property
    def cells(self) -> tuple[C, ...]:
        """The cells in increasing order; the least of each coordinate but the kind is 0."""
        return self._cells

    def _images(self, *, reflect: bool) -> Iterator[Self]:
        """Give the piece as each rotation, or each symmetry, of the lattice leaves it."""
        raise NotImplementedError

    def rotations(self) -> tuple[Self, ...]:
        """Return the distinct rotations, this one first."""
        return self.orientations(reflect=False)

    def orientations(self, *, reflect: bool = False) -> tuple[Self, ...]:
        """Return the distinct orientations under rotation, or under reflection as well.

        This one comes first.
        """
        return self._both_sides if reflect else self._one_side

    @cached_property
    def _one_side(self) -> tuple[Self, ...]:
        return tuple(dict.fromkeys(self._images(reflect=False)))

    @cached_property
    def _both_sides(self) -> tuple[Self, ...]:
        return tuple(dict.fromkeys(self._images(reflect=True)))

    def canonical(self, *, reflect: bool = False) -> Self:
        """Return the least orientation: equal for two pieces that are the same when turned.

        With `reflect` also when mirrored (the same free piece).
        """
        return min(self.orientations(reflect=reflect))

    def reflected(self) -> Self:
        """Return the mirror image."""
        raise NotImplementedError

    def placements(
        self, region: AnyRegion, *, reflect: bool = False, rotate: bool = True
    ) -> tuple[tuple[C, ...], ...]:
        """Return every way to lay the piece on open cells of a region.

        Parameters
        ----------
        region : Region
            Where to lay it.
        reflect : bool
            Whether it may be turned over.
        rotate : bool
            Whether it may be turned; False keeps it as it is.

        Returns
        -------
        tuple of tuple of cells
            The sorted cells of each placement; placements are distinct and sorted.

        Raises
        ------
        InputError
            For a region of another lattice.

        Notes
        -----
        Takes O(orientations x cells of the region x size) steps.

        Examples
        --------
        >>> import gridkit as gk
        >>> len(gk.Polyomino.parse("#.\\n##").placements(gk.Board.rectangle(2, 3)))
        8
        """
        cells = cast("tuple[C, ...]", region.cells)
        return tuple(
            tuple(cells[number] for number in placement)
            for placement in self.placement_indices(region, reflect=reflect, rotate=rotate)
        )

    def placement_indices(
        self, region: AnyRegion, *, reflect: bool = False, rotate: bool = True
    ) -> list[tuple[int, ...]]:
        """Return the placements as increasing positions in ``region.cells``, sorted."""
        if region.lattice != self.lattice:
            raise InputError(
                f"expected a region of the {self.lattice} lattice, got one of the {region.lattice} "
                "lattice"
            )
        shapes = [piece.cells for piece in self._turned(reflect, rotate)]
        return laid(self.lattice, shapes, region)

    def _turned(self, reflect: bool, rotate: bool) -> tuple[Self, ...]:
        if rotate:
            return self.orientations(reflect=reflect)
        return tuple(dict.fromkeys([self, self.reflected()])) if reflect else (self,)

    def __iter__(self) -> Iterator[C]:
        return iter(self._cells)

    def __len__(self) -> int:
        return len(self._cells)

    def __contains__(self, cell: object) -> bool:
        return (tuple(cell) if isinstance(cell, list) else cell) in self._cells

    def _key(self) -> tuple[object, ...]:
        return self._cells

    def __lt__(self, other: Self) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return (len(self), self._cells) < (len(other), other._cells)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(self._key())


def laid(
    lattice: Lattice, shapes: Iterable[tuple[tuple[int, ...], ...]], region: AnyRegion
) -> list[tuple[int, ...]]:
    """Return the cell numbers of shapes moved everywhere on a region, sorted and distinct.

    A shape that would overlap itself, on a board that is wrapped, is left out.

    Examples
    --------
    >>> from gridkit import Board
    >>> laid(Lattice("square"), [((0, 0), (0, 1))], Board.rectangle(1, 3))
    [(0, 1), (1, 2)]
    """
    axes = lattice.dimension
    locate = region.locate
    anchors: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    for cell in region.places():
        anchors.setdefault(cell[axes:], []).append(cell[:axes])
    placements: list[tuple[int, ...]] = []
    for shape in shapes:
        first = shape[0]
        offsets = [
            (*(a - b for a, b in zip(cell[:axes], first, strict=False)), *cell[axes:])
            for cell in shape
        ]
        for anchor in anchors.get(first[axes:], ()):
            numbers: list[int] = []
            for offset in offsets:
                if axes == 2:
                    place = (anchor[0] + offset[0], anchor[1] + offset[1], *offset[2:])
                else:
                    x, y, z, *kind = offset
                    place = (anchor[0] + x, anchor[1] + y, anchor[2] + z, *kind)
                number = locate(place)
                if number is None:
                    break
                numbers.append(number)
            else:
                placements.append(tuple(numbers))
    if region.wrapped:
        placements = list(
            {tuple(sorted(each)) for each in placements if len(set(each)) == len(each)}
        )
    placements.sort()
    return placements


def connected_cells(
    lattice: Lattice, cells: object, what: str, noun: str = "cell"
) -> list[tuple[int, ...]]:
    """Return the cells of a piece as a caller passes them.

    Raises
    ------
    InputError
        For no cell, a cell named twice, one that does not exist, or cells that are not connected.

    Examples
    --------
    >>> connected_cells(Lattice("square"), [(0, 0), (1, 1)], "Polyomino")
    Traceback (most recent call last):
    gridkit.errors.InputError: Polyomino: cells (0, 0) and (1, 1) are not connected
    """
    members = lattice.read_cells(cells, what)
    if not members:
        raise InputError(f"{what}: expected at least one {noun}, found none")
    if len(set(members)) != len(members):
        repeated = next(cell for cell in members if members.count(cell) > 1)
        raise InputError(f"{what}: {noun} {repeated} is named twice")
    parts = components(members, lattice.beside)
    if len(parts) > 1:
        first, second = (min(part) for part in parts[:2])
        raise InputError(f"{what}: {noun}s {first} and {second} are not connected")
    return members
