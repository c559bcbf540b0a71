"""Boxes: cuboids of unit cubes, for polycubes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, permutations, product
from typing import NamedTuple

from gridkit import render
from gridkit.errors import InputError
from gridkit.grid.lattice import Lattice
from gridkit.grid.region import Region, Rows
from gridkit.reading import check_size, read_cells, read_int

__all__ = ["Box", "Cube", "Rotation", "rotations_of_space"]

_CUBIC = Lattice("cubic")


class Cube(NamedTuple):
    """A unit cube: 0-based layer, row and column.

    Examples
    --------
    >>> Cube(0, 1, 2)
    Cube(layer=0, row=1, col=2)
    """

    layer: int
    row: int
    col: int

    def neighbours(self) -> tuple[Cube, ...]:
        """Return the six face neighbours."""
        x, y, z = self
        return (
            Cube(x, y, z + 1), Cube(x, y, z - 1), Cube(x, y + 1, z),
            Cube(x, y - 1, z), Cube(x + 1, y, z), Cube(x - 1, y, z),
        )  # fmt: skip


class Rotation(NamedTuple):
    """A symmetry of the cube: coordinate `axes[i]` becomes the i-th, times `signs[i]`.

    Examples
    --------
    >>> Rotation((1, 0, 2), (1, 1, 1)).vector((3, 4, 5))
    (4, 3, 5)
    """

    axes: tuple[int, int, int]
    signs: tuple[int, int, int]

    @property
    def mirrors(self) -> bool:
        """Whether the symmetry is a reflection (no rigid motion in space)."""
        a, b, c = self.axes
        odd = (a > b) + (a > c) + (b > c)
        return (odd + self.signs.count(-1)) % 2 == 1

    def vector(self, cube: tuple[int, int, int]) -> tuple[int, int, int]:
        """Return the image of an offset."""
        x, y, z = (sign * cube[axis] for axis, sign in zip(self.axes, self.signs, strict=True))
        return x, y, z


def rotations_of_space(*, reflect: bool = False) -> tuple[Rotation, ...]:
    """Return the 24 rotations of the cube, or all 48 symmetries; the identity is first.

    Examples
    --------
    >>> len(rotations_of_space()), len(rotations_of_space(reflect=True))
    (24, 48)
    """
    every = (
        Rotation((axes[0], axes[1], axes[2]), (signs[0], signs[1], signs[2]))
        for axes in permutations(range(3))
        for signs in product((1, -1), repeat=3)
    )
    return tuple(rotation for rotation in every if reflect or not rotation.mirrors)


class Box(Region[Cube]):
    """A cuboid of unit cubes, of which some may be blocked.

    Immutable.  Iteration gives the open cubes, layer by layer in row-major order.

    Parameters
    ----------
    layers, rows, cols : int
        Size, each at least 1.
    cells : iterable of (layer, row, col), optional
        The open cubes; all when left out.

    Raises
    ------
    InputError
        For a size below 1, a cube outside the box or one named twice.

    Examples
    --------
    >>> len(Box(3, 3, 3)), len(Box(3, 3, 3).without([(1, 1, 1)]))
    (27, 26)
    """

    _fields = ("layers", "rows", "cols", "cells")

    layers: int
    rows: int
    cols: int
    _cells: tuple[Cube, ...]
    _open: frozenset[Cube]

    def __init__(
        self,
        layers: int,
        rows: int,
        cols: int,
        cells: Iterable[Sequence[int]] | None = None,
    ) -> None:
        layers = read_int(layers, "Box: layers", 1)
        rows, cols = read_int(rows, "Box: rows", 1), read_int(cols, "Box: cols", 1)
        check_size("Box", layers, rows, cols)
        if cells is None:
            ordered = [Cube(*cube) for cube in product(range(layers), range(rows), range(cols))]
        else:
            ordered = sorted(_cubes_inside(cells, (layers, rows, cols)))
            for cube, following in pairwise(ordered):
                if cube == following:
                    raise InputError(f"Box: cube {tuple(cube)} is named twice")
        self._put(
            layers=layers, rows=rows, cols=cols, _cells=tuple(ordered), _open=frozenset(ordered)
        )

    @property
    def size(self) -> tuple[int, int, int]:
        """Layers, rows and columns."""
        return self.layers, self.rows, self.cols

    @property
    def lattice(self) -> Lattice:
        """The cubic lattice."""
        return _CUBIC

    def rows_of(self, label_of: Mapping[tuple[int, ...], int]) -> Rows:
        """Return the labels of cubes, the layers side by side, a column of -1 between.

        None stands where an open cube has no label, -1 where one is blocked.
        """
        rows = []
        for row in range(self.rows):
            labels: list[int | None] = []
            for layer in range(self.layers):
                labels += [-1] * (layer > 0)
                for col in range(self.cols):
                    cube = (layer, row, col)
                    labels.append(label_of.get(cube) if cube in self._open else -1)
            rows.append(tuple(labels))
        return tuple(rows)

    def without(self, cells: Iterable[Sequence[int]]) -> Box:
        """Return the box with these cubes blocked as well."""
        return Box(*self.size, self._open.difference(_cubes_inside(cells, self.size)))

    def symmetries(self) -> tuple[Rotation, ...]:
        """Return the symmetries of the cube that map the box to itself, identity first.

        Examples
        --------
        >>> len(Box(3, 3, 3).symmetries()), len(Box(1, 2, 3).symmetries())
        (48, 8)
        """
        return tuple(
            rotation
            for rotation in rotations_of_space(reflect=True)
            if all(self.size[axis] == self.size[i] for i, axis in enumerate(rotation.axes))
            and all(self._image(rotation, cube) in self._open for cube in self._cells)
        )

    def cell_permutation(self, symmetry: Rotation) -> tuple[int, ...]:
        """Return where a symmetry of the box sends each open cube, as indices into `cells`."""
        return tuple(self.index[self._image(symmetry, cube)] for cube in self._cells)

    def _image(self, rotation: Rotation, cube: Cube) -> Cube:
        moved = rotation.vector(cube)
        return Cube(
            *(
                part if sign > 0 else part + side - 1
                for part, sign, side in zip(moved, rotation.signs, self.size, strict=True)
            )
        )

    def __contains__(self, cube: object) -> bool:
        return (tuple(cube) if isinstance(cube, list) else cube) in self._open

    def _key(self) -> tuple[object, ...]:
        return self.size, self._cells

    def __str__(self) -> str:
        return "\n\n".join(
            "\n".join(
                "".join("." if (layer, row, col) in self._open else "#" for col in range(self.cols))
                for row in range(self.rows)
            )
            for layer in range(self.layers)
        )

    def __repr__(self) -> str:
        if len(self) == self.layers * self.rows * self.cols:
            return f"Box({self.layers}, {self.rows}, {self.cols})"
        cells = [tuple(cube) for cube in self._cells]
        return f"Box({self.layers}, {self.rows}, {self.cols}, {cells})"

    def _scene(self) -> render.Scene:
        """Return the open cubes seen from above, and the layers."""
        return render.cubes_scene(
            self.size, dict.fromkeys(self._cells), {None: "open"}, title="box"
        )

    def _flat_scene(self) -> render.Scene:
        """Return the layers side by side, blocked cubes hatched."""
        return render.layers_scene(
            self.size, dict.fromkeys(self._cells), {None: "open"}, title="box"
        )


def _cubes_inside(cells: Iterable[Sequence[int]], size: tuple[int, int, int]) -> Iterator[Cube]:
    for cube in read_cells(cells, "Box", ("layer", "row", "col")):
        if not all(0 <= part < side for part, side in zip(cube, size, strict=True)):
            raise InputError(f"Box: cube {cube} lies outside the {size} box")
        yield Cube(*cube)
