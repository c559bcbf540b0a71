"""Regions: sets of cells of a lattice, as those see them who cover them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import ClassVar, Generic, TypeVar, cast

from gridkit.grid.lattice import Lattice
from gridkit.render.drawable import Drawable
from gridkit.value import Value

__all__ = ["AnyRegion", "Region", "Rows", "region_images"]

Permutation = tuple[int, ...]
Rows = tuple[tuple[int | None, ...], ...]
C_co = TypeVar("C_co", bound=tuple[int, ...], covariant=True)


class Region(Value, Drawable, Generic[C_co]):
    """A set of cells of a lattice: what tilings, proofs and pictures ask, whatever the lattice is.

    Base of `gridkit.Board`, `gridkit.Box`, `gridkit.Patch` and `gridkit.WrappedBoard`.  Iteration
    gives the cells in increasing order, ``len`` their number.

    Attributes
    ----------
    wrapped : bool
        Whether edges are identified, so that a cell has several places.
    one_sided : bool
        Whether a way round the region turns a piece over, as on a Moebius strip.

    Examples
    --------
    >>> import gridkit as gk
    >>> board = gk.Board.parse("..#")
    >>> isinstance(board, Region), board.lattice, board.locate((0, 1)), board.locate((0, 2))
    (True, Lattice('square'), 1, None)
    """

    wrapped: ClassVar[bool] = False

    _cells: tuple[C_co, ...]

    @property
    def lattice(self) -> Lattice:
        """Where the cells are."""
        raise NotImplementedError

    @property
    def one_sided(self) -> bool:
        """Whether a way round the region turns a piece over."""
        return False

    @property
    def cells(self) -> tuple[C_co, ...]:
        """The open cells, in increasing order."""
        return self._cells

    @cached_property
    def index(self) -> Mapping[C_co, int]:
        """Position of each open cell in `cells` (read-only)."""
        return MappingProxyType(cast("dict[C_co, int]", self._numbers))

    def locate(self, cell: tuple[int, ...]) -> int | None:
        """Return the position in `cells` of what lies at a place, None where nothing does."""
        return self._numbers.get(cell)

    @cached_property
    def _numbers(self) -> dict[tuple[int, ...], int]:
        return {cell: number for number, cell in enumerate(self._cells)}

    def places(self) -> Sequence[tuple[int, ...]]:
        """Return places where a piece may begin so that it is laid in every way."""
        return self._cells

    def beside(self, cell: tuple[int, ...]) -> tuple[int, ...]:
        """Return the positions in `cells` of the open neighbours of a cell.

        Examples
        --------
        >>> import gridkit as gk
        >>> gk.Board.rectangle(2, 2).beside((0, 0))
        (1, 2)
        """
        places = map(self.locate, self.lattice.beside(cell))
        return tuple(sorted({place for place in places if place is not None}))

    def images(
        self, check: Callable[[], None] = lambda: None
    ) -> Iterator[tuple[bool, Permutation]]:
        """Give the symmetries, identity first: whether one mirrors, and where each cell goes.

        Where the cells lie in a frame does not matter.  `check` is called before each; it may
        raise.
        """
        return region_images(self.lattice, self._cells, check)

    def rows_of(self, label_of: Mapping[tuple[int, ...], int]) -> Rows:
        """Return the labels of cells as rows: None where a cell has none, -1 where no cell is."""
        raise NotImplementedError

    def __iter__(self) -> Iterator[C_co]:
        return iter(self._cells)

    def __len__(self) -> int:
        return len(self._cells)

    def __bool__(self) -> bool:
        return True  # a region without open cells is a region

    def __contains__(self, cell: object) -> bool:
        place = tuple(cell) if isinstance(cell, list) else cell
        return isinstance(place, tuple) and place in self._numbers


AnyRegion = Region[tuple[int, ...]]


def region_images(
    lattice: Lattice, cells: Sequence[tuple[int, ...]], check: Callable[[], None] = lambda: None
) -> Iterator[tuple[bool, Permutation]]:
    """Give the symmetries of a set of cells: whether one mirrors, and where each cell goes.

    Parameters
    ----------
    lattice : Lattice
        Where the cells are.
    cells : sequence of cells
        In increasing order.
    check : callable
        Called before each symmetry; may raise.

    Examples
    --------
    >>> row = [(0, 0), (0, 1)]
    >>> [image for _, image in region_images(Lattice("hexagonal"), row)]
    [(0, 1), (1, 0), (1, 0), (0, 1)]
    """
    number = {cell: place for place, cell in enumerate(lattice.normalised(cells))}
    for isometry in lattice.point_group:
        check()
        moved = [lattice.image(isometry, cell) for cell in cells]
        if not moved:
            yield isometry.mirrors, ()
            continue
        least = [-min(axis) for axis in zip(*moved, strict=True)][: lattice.dimension]
        try:
            yield isometry.mirrors, tuple([number[lattice.moved(cell, least)] for cell in moved])
        except KeyError:
            continue
