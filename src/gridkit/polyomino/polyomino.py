"""Polyominoes: edge-connected sets of cells, up to translation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from gridkit import render
from gridkit.errors import InputError, ParseError
from gridkit.grid.board import Board
from gridkit.grid.cell import Cell, Symmetry
from gridkit.grid.lattice import Lattice
from gridkit.grid.region import AnyRegion
from gridkit.grid.text import read_drawing
from gridkit.polyomino.piece import Piece, connected_cells
from gridkit.reading import read_int
from gridkit.value import put

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    from gridkit.hints import NDArray, np

__all__ = ["Polyomino", "SymmetryClass"]

SymmetryClass = Literal[
    "none", "mirror_ortho", "mirror_diag", "rot180", "ortho2", "diag2", "rot90", "all"
]

_CLASS_OF: dict[frozenset[Symmetry], SymmetryClass] = {
    frozenset(): "none",
    frozenset({Symmetry.MIRROR_LEFT_RIGHT}): "mirror_ortho",
    frozenset({Symmetry.MIRROR_UP_DOWN}): "mirror_ortho",
    frozenset({Symmetry.MIRROR_DIAGONAL}): "mirror_diag",
    frozenset({Symmetry.MIRROR_ANTIDIAGONAL}): "mirror_diag",
    frozenset({Symmetry.ROT180}): "rot180",
    frozenset({Symmetry.ROT180, Symmetry.MIRROR_LEFT_RIGHT, Symmetry.MIRROR_UP_DOWN}): "ortho2",
    frozenset({Symmetry.ROT180, Symmetry.MIRROR_DIAGONAL, Symmetry.MIRROR_ANTIDIAGONAL}): "diag2",
    frozenset({Symmetry.ROT90, Symmetry.ROT180, Symmetry.ROT270}): "rot90",
    frozenset(set(Symmetry) - {Symmetry.IDENTITY}): "all",
}


_SQUARE = Lattice("square")


class Polyomino(Piece[Cell]):
    """A nonempty edge-connected set of cells; translates are equal.

    Immutable and ordered by (size, cells).  Turned or mirrored copies are different polyominoes
    unless they coincide; compare `canonical` forms to ignore that.

    Parameters
    ----------
    cells : iterable of (row, col)
        The cells, anywhere on the grid; they are moved so that the least row and column are 0.

    Raises
    ------
    InputError
        For no cell, a cell named twice, or cells that are not connected.

    Examples
    --------
    >>> ell = Polyomino.parse("#.\\n##")
    >>> len(ell), len(ell.rotations()), ell.symmetry
    (3, 4, 'mirror_diag')
    >>> Polyomino([(5, 7), (6, 7), (6, 8)]) == ell
    True
    """

    _fields = ("cells",)

    _cells: tuple[Cell, ...]

    def __init__(self, cells: Iterable[Sequence[int]]) -> None:
        members = connected_cells(_SQUARE, cells, "Polyomino")
        put(self, "_cells", _normalised((row, col) for row, col in members))

    @classmethod
    def _trusted(cls, cells: Iterable[tuple[int, int]]) -> Polyomino:
        """Make a polyomino of cells known to be distinct and connected."""
        self = object.__new__(cls)
        put(self, "_cells", _normalised(cells))
        return self

    @classmethod
    def parse(cls, text: str, *, filled: str = "#", empty: str = ".") -> Polyomino:
        """Read a drawing, one character a cell; empty rows and columns around it do not matter.

        Raises
        ------
        ParseError
            On ragged rows, an unknown character, no filled cell, or cells not connected.

        Examples
        --------
        >>> print(Polyomino.parse("....\\n.##.\\n..#."))
        ##
        .#
        """
        _, _, cells = read_drawing(text, filled, empty)
        try:
            return cls(cells)
        except InputError as error:
            raise ParseError(str(error)) from None

    @property
    def lattice(self) -> Lattice:
        """The square lattice."""
        return _SQUARE

    @property
    def rows(self) -> int:
        """Height of the bounding box."""
        return max(cell.row for cell in self._cells) + 1

    @property
    def cols(self) -> int:
        """Width of the bounding box."""
        return max(cell.col for cell in self._cells) + 1

    def transformed(self, symmetry: Symmetry) -> Polyomino:
        """Return the polyomino turned or mirrored by a symmetry of the square."""
        return Polyomino._trusted(symmetry.vector(row, col) for row, col in self._cells)

    def rotated(self, quarter_turns: int = 1) -> Polyomino:
        """Return the polyomino turned clockwise.

        Examples
        --------
        >>> print(Polyomino.parse("#.\\n##").rotated(1))
        ##
        #.
        """
        turns = read_int(quarter_turns, "rotated: quarter_turns")
        return self.transformed(Symmetry((turns % 4, False)))

    def reflected(self) -> Polyomino:
        """Return the mirror image, left and right exchanged.

        Examples
        --------
        >>> print(Polyomino.parse("#.\\n##").reflected())
        .#
        ##
        """
        return self.transformed(Symmetry.MIRROR_LEFT_RIGHT)

    def _images(self, *, reflect: bool) -> Iterator[Polyomino]:
        return (
            self.transformed(symmetry) for symmetry in Symmetry if reflect or not symmetry.mirrors
        )

    @property
    def symmetry(self) -> SymmetryClass:
        """The class of the symmetries that leave it unchanged.

        One of ``none``, ``mirror_ortho``, ``mirror_diag``, ``rot180``, ``ortho2``, ``diag2``,
        ``rot90`` and ``all`` (the names of the OEIS tables after Redelmeier, 1981).
        """
        unchanged = {symmetry for symmetry in Symmetry if self.transformed(symmetry) == self}
        return _CLASS_OF[frozenset(unchanged - {Symmetry.IDENTITY})]

    def placement_indices(
        self, region: AnyRegion, *, reflect: bool = False, rotate: bool = True
    ) -> list[tuple[int, ...]]:
        """Return the placements as increasing positions in ``region.cells``, sorted."""
        if not isinstance(region, Board):
            return super().placement_indices(region, reflect=reflect, rotate=rotate)
        board = region
        # Rows side by side, apart by so much that what sticks out of one does not reach the next.
        stride = board.cols + max(self.rows, self.cols) - 1
        number_at = [-1] * (board.rows * stride)
        for number, (row, col) in enumerate(board.cells):
            number_at[row * stride + col] = number
        placements: list[tuple[int, ...]] = []
        for piece in self._turned(reflect, rotate):
            moved = [number_at[row * stride + col :] for row, col in piece.cells]
            placements += [placed for placed in zip(*moved, strict=False) if -1 not in placed]
        placements.sort()
        return placements

    def placement_array(
        self, board: Board, *, reflect: bool = False, rotate: bool = True
    ) -> NDArray[np.int32]:
        """Return the placements as an int32 array (placements, size) of positions in the cells.

        The rows are those of `placement_indices`, in the same order; vectorised, for large boards.

        Examples
        --------
        >>> Polyomino.parse("##").placement_array(Board.rectangle(1, 3)).tolist()
        [[0, 1], [1, 2]]
        """
        import numpy as np

        numbers = np.full((board.rows, board.cols), -1, dtype=np.int32)
        places = np.array(board.cells, dtype=np.intp).reshape(-1, 2)
        numbers[places[:, 0], places[:, 1]] = np.arange(len(board), dtype=np.int32)
        blocks = []
        for piece in self._turned(reflect, rotate):
            height, width = board.rows - piece.rows + 1, board.cols - piece.cols + 1
            if height < 1 or width < 1:
                continue
            layers = [numbers[r : r + height, c : c + width].ravel() for r, c in piece.cells]
            block = np.stack(layers, axis=1)
            blocks.append(block[(block >= 0).all(axis=1)])
        if not blocks:
            return np.empty((0, len(self)), dtype=np.int32)
        rows = np.concatenate(blocks)
        return rows[np.lexsort(rows.T[::-1])]

    def __str__(self) -> str:
        filled = set(self._cells)
        return "\n".join(
            "".join("#" if (row, col) in filled else "." for col in range(self.cols))
            for row in range(self.rows)
        )

    def __repr__(self) -> str:
        return f"Polyomino.parse({str(self)!r})"

    def _scene(self) -> render.Scene:
        """Return the filled cells."""
        return render.Scene(
            tuple(render.square(row, col, 0, 0) for row, col in self._cells), title="polyomino"
        )


def _normalised(cells: Iterable[tuple[int, int]]) -> tuple[Cell, ...]:
    offsets = list(cells)
    first_row = min(row for row, _ in offsets)
    first_col = min(col for _, col in offsets)
    return tuple(sorted(Cell(row - first_row, col - first_col) for row, col in offsets))
