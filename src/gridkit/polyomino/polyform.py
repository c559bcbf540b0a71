"""Polyforms: connected cells of any lattice, up to translation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gridkit import render
from gridkit.errors import InputError, ParseError
from gridkit.grid.lattice import Lattice
from gridkit.grid.lattice_geometry import Isometry
from gridkit.grid.lattice_scene import lattice_scene
from gridkit.grid.lattice_text import lattice_text, read_lattice_text
from gridkit.polyomino.piece import Piece, connected_cells
from gridkit.value import put

__all__ = ["Polyform"]

Cell = tuple[int, ...]


class Polyform(Piece[Cell]):
    """A nonempty connected set of cells of a lattice: a polyhex, polyiamond, polykite, polystick.

    Immutable and ordered by (size, cells); translates are equal.  `gridkit.Polyomino` and
    `gridkit.Polycube` are the pieces of the square and the cubic lattice.

    Parameters
    ----------
    lattice : Lattice or str
        Where the cells are, or the name of a lattice that comes with the library.
    cells : iterable of cells
        The cells, as ``lattice.axes`` says; they are moved so that the least of each coordinate
        but the kind is 0.

    Raises
    ------
    InputError
        For no cell, a cell named twice or of another lattice, or cells that are not connected.

    Examples
    --------
    >>> bee = Polyform("hexagonal", [(0, 0), (0, 1), (1, 0), (1, -1)])
    >>> len(bee), len(bee.orientations()), bee.symmetry
    (4, 3, 'D2')
    """

    _fields = ("lattice", "cells")

    _lattice: Lattice

    def __init__(self, lattice: Lattice | str, cells: Iterable[Sequence[int]]) -> None:
        where = Lattice.of(lattice)
        members = connected_cells(where, cells, "Polyform")
        put(self, "_lattice", where)
        put(self, "_cells", where.normalised(members))

    @classmethod
    def _trusted(cls, lattice: Lattice, cells: Iterable[Cell]) -> Polyform:
        """Make a polyform of cells known to be distinct and connected."""
        self = object.__new__(cls)
        put(self, "_lattice", lattice)
        put(self, "_cells", lattice.normalised(cells))
        return self

    @classmethod
    def parse(cls, lattice: Lattice | str, text: str) -> Polyform:
        """Read a drawing: each cell is the mark of its kind, each other place a dot or a blank.

        The marks are those of ``lattice.table``: ``V`` and ``A`` for triangles that point down and
        up, ``-`` and ``|`` for sticks, ``#`` for hexagons.

        Raises
        ------
        ParseError
            For an unknown character, a mark where its kind cannot stand, no cell, or cells that are
            not connected, naming line and column.

        Examples
        --------
        >>> print(Polyform.parse("hexagonal", "# #\\n #"))
        # #
         #
        """
        where = Lattice.of(lattice)
        try:
            return cls(where, read_lattice_text(where, text))
        except ParseError:
            raise
        except InputError as error:
            raise ParseError(str(error)) from None

    @property
    def lattice(self) -> Lattice:
        """Where the cells are."""
        return self._lattice

    def transformed(self, isometry: Isometry) -> Polyform:
        """Return the polyform turned or mirrored by a symmetry of the lattice's `point_group`."""
        lattice = self._lattice
        return Polyform._trusted(lattice, [lattice.image(isometry, cell) for cell in self._cells])

    def reflected(self) -> Polyform:
        """Return the mirror image, left and right exchanged on lattices of the plane.

        Examples
        --------
        >>> print(Polyform.parse("triangular", "VAVA\\n..AV").reflected())
        AVAV
        VA..
        """
        mirror = next((each for each in self._lattice.point_group if each.mirrors), None)
        if mirror is None:
            raise InputError(f"the {self._lattice} lattice has no reflection")
        return self.transformed(mirror)

    def _images(self, *, reflect: bool) -> Iterator[Polyform]:
        lattice = self._lattice
        return map(self.transformed, lattice.point_group if reflect else lattice.rotations)

    @property
    def symmetry(self) -> str:
        """The symmetries that leave it unchanged, up to translation.

        In the plane ``C1`` to ``C6`` for so many rotations, and ``D1`` to ``D6`` for as many
        reflections besides (the cyclic and the dihedral groups); in space the order of the group,
        as ``order 24``.
        """
        unchanged = [each for each in self._lattice.point_group if self.transformed(each) == self]
        if self._lattice.dimension > 2:
            return f"order {len(unchanged)}"
        mirrors = sum(each.mirrors for each in unchanged)
        return f"{'D' if mirrors else 'C'}{len(unchanged) - mirrors}"

    def _key(self) -> tuple[object, ...]:
        return self._lattice, self._cells

    def __str__(self) -> str:
        lattice = self._lattice
        return lattice_text(lattice, {cell: lattice.mark(cell) for cell in self._cells})

    def __repr__(self) -> str:
        name = repr(self._lattice)
        if name == f"Lattice({self._lattice.name!r})":
            name = repr(self._lattice.name)
        return f"Polyform.parse({name}, {str(self)!r})"

    def _scene(self) -> render.Scene:
        """Return the cells; those of a piece in layers, layer by layer."""
        return lattice_scene(self._lattice, dict.fromkeys(self._cells, 0), title="polyform")
