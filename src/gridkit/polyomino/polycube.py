"""Polycubes: face-connected sets of unit cubes, up to translation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gridkit import render
from gridkit.errors import InputError, ParseError
from gridkit.grid.box import Cube, Rotation, rotations_of_space
from gridkit.grid.lattice import Lattice
from gridkit.polyomino.piece import Piece, connected_cells
from gridkit.value import put

__all__ = ["Polycube"]


_CUBIC = Lattice("cubic")


class Polycube(Piece[Cube]):
    """A nonempty face-connected set of unit cubes; translates are equal.

    Immutable and ordered by (size, cells).

    Parameters
    ----------
    cells : iterable of (layer, row, col)
        The cubes; they are moved so that the least of each coordinate is 0.

    Raises
    ------
    InputError
        For no cube, a cube named twice, or cubes that are not connected.

    Examples
    --------
    >>> from gridkit import Box
    >>> tripod = Polycube([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    >>> len(tripod), len(tripod.orientations()), len(tripod.placements(Box(2, 2, 2)))
    (4, 8, 8)
    """

    _fields = ("cells",)

    _cells: tuple[Cube, ...]

    def __init__(self, cells: Iterable[Sequence[int]]) -> None:
        members = connected_cells(_CUBIC, cells, "Polycube", "cube")
        put(self, "_cells", _normalised((x, y, z) for x, y, z in members))

    @classmethod
    def _trusted(cls, cells: Iterable[tuple[int, int, int]]) -> Polycube:
        self = object.__new__(cls)
        put(self, "_cells", _normalised(cells))
        return self

    @classmethod
    def parse(cls, text: str) -> Polycube:
        """Read layers of ``#`` (filled) and ``.``, separated by blank lines.

        Examples
        --------
        >>> len(Polycube.parse("##\\n#.\\n\\n#.\\n.."))
        4
        """
        if not isinstance(text, str):
            raise InputError(f"expected a text, got {type(text).__name__}")
        cells = []
        layer = row = 0
        for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
            if not line.strip():
                layer, row = layer + (row > 0), 0
                continue
            for col, mark in enumerate(line.rstrip()):
                if mark == "#":
                    cells.append(Cube(layer, row, col))
                elif mark != ".":
                    raise ParseError(
                        f"invalid character {mark!r} (expected '#' or '.')", number, col + 1
                    )
            row += 1
        try:
            return cls(cells)
        except InputError as error:
            raise ParseError(str(error)) from None

    @property
    def lattice(self) -> Lattice:
        """The cubic lattice."""
        return _CUBIC

    @property
    def size(self) -> tuple[int, int, int]:
        """Layers, rows and columns of the bounding box."""
        layers, rows, cols = (max(parts) + 1 for parts in zip(*self._cells, strict=True))
        return layers, rows, cols

    def transformed(self, rotation: Rotation) -> Polycube:
        """Return the polycube turned or mirrored by a symmetry of the cube."""
        return Polycube._trusted(map(rotation.vector, self._cells))

    def reflected(self) -> Polycube:
        """Return the mirror image, left and right exchanged."""
        return self.transformed(Rotation((0, 1, 2), (1, 1, -1)))

    def _images(self, *, reflect: bool) -> Iterator[Polycube]:
        return map(self.transformed, rotations_of_space(reflect=reflect))

    def _layers(self) -> list[list[str]]:
        layers, rows, cols = self.size
        filled = set(self._cells)
        return [
            ["".join(".#"[(x, y, z) in filled] for z in range(cols)) for y in range(rows)]
            for x in range(layers)
        ]

    def __str__(self) -> str:
        return "\n\n".join("\n".join(layer) for layer in self._layers())

    def __repr__(self) -> str:
        return f"Polycube.parse({str(self)!r})"

    def _scene(self) -> render.Scene:
        """Return the piece seen from above, with its layers where that hides a cube."""
        cubes: dict[tuple[int, int, int], int] = dict.fromkeys(self._cells, 0)
        return render.cubes_scene(self.size, cubes, {0: 0}, rest="open", title="polycube")

    def _flat_scene(self) -> render.Scene:
        """Return the layers side by side."""
        cubes: dict[tuple[int, int, int], int] = dict.fromkeys(self._cells, 0)
        return render.layers_scene(self.size, cubes, {0: 0}, rest="open", title="polycube")


def _normalised(cells: Iterable[tuple[int, int, int]]) -> tuple[Cube, ...]:
    offsets = list(cells)
    least = [min(parts) for parts in zip(*offsets, strict=True)]
    return tuple(sorted(Cube(x - least[0], y - least[1], z - least[2]) for x, y, z in offsets))
