"""Boxes: cuboids of unit cubes, for polycubes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import pairwise, permutations, product
from typing import NamedTuple

from gridkit.errors import InputError
from gridkit.render.svg import grid_svg

__all__ = ["Box", "Cube", "Rotation", "rotations_of_space"]


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


class Rotation(NamedTuple):
    """A symmetry of the cube: coordinate `axes[i]` becomes the i-th, times `signs[i]`."""

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


class Box:
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

    __slots__ = ("__dict__", "_cells", "_open", "cols", "layers", "rows")

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
        cells: Iterable[tuple[int, int, int]] | None = None,
    ) -> None:
        size = (layers, rows, cols)
        for name, value in zip(("layers", "rows", "cols"), size, strict=True):
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise InputError(f"Box: {name} must be an int >= 1, got {value!r}")
        if cells is None:
            ordered = [Cube(*cube) for cube in product(range(layers), range(rows), range(cols))]
        else:
            ordered = sorted(_checked_cube(cube, size) for cube in cells)
        for cube, following in pairwise(ordered):
            if cube == following:
                raise InputError(f"Box: cube {tuple(cube)} is named twice")
        object.__setattr__(self, "layers", layers)
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "cols", cols)
        object.__setattr__(self, "_cells", tuple(ordered))
        object.__setattr__(self, "_open", frozenset(ordered))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Box is immutable: cannot set {name!r}")

    @property
    def size(self) -> tuple[int, int, int]:
        """Layers, rows and columns."""
        return self.layers, self.rows, self.cols

    @property
    def cells(self) -> tuple[Cube, ...]:
        """The open cubes, in order."""
        return self._cells

    @cached_property
    def index(self) -> dict[Cube, int]:
        """Position of each open cube in `cells`."""
        return {cube: number for number, cube in enumerate(self._cells)}

    def without(self, cells: Iterable[tuple[int, int, int]]) -> Box:
        """Return the box with these cubes blocked as well."""
        removed = {_checked_cube(cube, self.size) for cube in cells}
        return Box(*self.size, self._open - removed)

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

    def __iter__(self) -> Iterator[Cube]:
        return iter(self._cells)

    def __len__(self) -> int:
        return len(self._cells)

    def __bool__(self) -> bool:
        return True  # a box without open cubes is a box

    def __contains__(self, cube: object) -> bool:
        return cube in self._open

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Box):
            return NotImplemented
        return (self.size, self._cells) == (other.size, other._cells)

    def __hash__(self) -> int:
        return hash((self.size, self._cells))

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

    def __reduce__(self) -> tuple[type[Box], tuple[int, int, int, tuple[Cube, ...]]]:
        return Box, (*self.size, self._cells)

    def _repr_svg_(self) -> str:
        labels: list[list[int | None]] = [[] for _ in range(self.rows)]
        for layer in range(self.layers):
            for row in range(self.rows):
                gap: list[int | None] = [-1] if layer else []
                labels[row] += gap + [
                    None if (layer, row, col) in self._open else -1 for col in range(self.cols)
                ]
        return grid_svg(labels)

    def _repr_html_(self) -> str:
        return self._repr_svg_()


def _checked_cube(cube: tuple[int, int, int], size: tuple[int, int, int]) -> Cube:
    if (
        not isinstance(cube, tuple)
        or len(cube) != 3
        or not all(isinstance(part, int) and not isinstance(part, bool) for part in cube)
    ):
        raise InputError(f"Box: expected a cube as (layer, row, col) of ints, got {cube!r}")
    if not all(0 <= part < side for part, side in zip(cube, size, strict=True)):
        raise InputError(f"Box: cube {tuple(cube)} lies outside the {size} box")
    return Cube(*cube)
