"""The tables of the lattices that come with the library: each is its picture in numbers.

A table draws the cells of one unit cell as polygons, says which linear maps leave the whole picture
as it is, and where each kind of cell stands in a text.  Neighbours, point groups, placements and
pictures follow from that (`gridkit.grid.lattice`).
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

__all__ = ["TABLES", "Colours", "Table", "layered"]

Vector = tuple[int, ...]
Matrix = tuple[Vector, ...]


class Colours(NamedTuple):
    """A proper colouring: a cell's colour is its kind's plus the weighted sum of its translation.

    Sums are taken modulo `number`; neighbours have different colours.

    Examples
    --------
    >>> TABLES["hexagonal"].colours
    Colours(number=3, weights=(1, 2), kinds=(0,))
    """

    number: int
    weights: Vector
    kinds: Vector


class Table(NamedTuple):
    """A lattice as plain data.

    Attributes
    ----------
    name : str
        What it is called.
    steps : tuple of (x, y)
        Where one row on and one column on leads in the picture, y downwards.
    unit : int
        Corners are counted in so many parts of a step.
    polygons : tuple of tuple of (row, col)
        The corners of each kind of cell in the unit cell at the origin, in turn, in units.
    generators : tuple of matrices
        Linear maps of (row, col), or (layer, row, col), about the origin that map cells to cells
        and generate the point group: row i of a matrix gives the i-th coordinate of an image.
    marks : str
        The letter of each kind of cell in texts.
    text_steps : tuple of (line, column)
        Where one row on and one column on leads in a text.
    text_places : tuple of (line, column)
        Where each kind stands in the text of the unit cell at the origin.
    colours : Colours or None
        A proper colouring, if the table knows one.
    layers : bool
        Whether cells are prisms over the polygons, in layers; coordinates begin with the layer.
    corners_touch : bool
        Whether cells that share only a corner are neighbours too.

    Examples
    --------
    >>> TABLES["triangular"].polygons
    (((0, 0), (0, 1), (1, 0)), ((1, 1), (1, 0), (0, 1)))
    """

    name: str
    steps: tuple[tuple[float, float], ...]
    unit: int
    polygons: tuple[tuple[Vector, ...], ...]
    generators: tuple[Matrix, ...]
    marks: str
    text_steps: tuple[tuple[int, int], ...]
    text_places: tuple[tuple[int, int], ...]
    colours: Colours | None = None
    layers: bool = False
    corners_touch: bool = False


def layered(table: Table, name: str, *more: Matrix) -> Table:
    """Return the lattice of prisms over the cells of a plane one, with more generators if any.

    Examples
    --------
    >>> layered(TABLES["hexagonal"], "hexagonal prisms").layers
    True
    """
    upright = [((1, 0, 0), *((0, *row) for row in matrix)) for matrix in table.generators]
    upside_down = ((-1, 0, 0), (0, 1, 0), (0, 0, 1))
    colours = table.colours
    if colours is not None:
        colours = Colours(colours.number, (1, *colours.weights), colours.kinds)
    return table._replace(
        name=name, generators=(*upright, upside_down, *more), colours=colours, layers=True
    )


_QUARTER_TURN = ((0, 1), (-1, 0))
_SQUARE_MIRROR = ((1, 0), (0, -1))
_SQUARE_GROUP = (_QUARTER_TURN, _SQUARE_MIRROR)

SQUARE = Table(
    "square",
    steps=((0.0, 1.0), (1.0, 0.0)),
    unit=1,
    polygons=(((0, 0), (0, 1), (1, 1), (1, 0)),),
    generators=_SQUARE_GROUP,
    marks="#",
    text_steps=((1, 0), (0, 1)),
    text_places=((0, 0),),
    colours=Colours(2, (1, 1), (0,)),
)

CUBIC = layered(SQUARE, "cubic", ((0, 1, 0), (1, 0, 0), (0, 0, 1)))

# The squares of the square lattice cut along both diagonals: top, right, bottom, left.
TETRAKIS = Table(
    "tetrakis",
    steps=((0.0, 2.0), (2.0, 0.0)),
    unit=2,
    polygons=(
        ((0, 0), (0, 2), (1, 1)),
        ((0, 2), (2, 2), (1, 1)),
        ((2, 2), (2, 0), (1, 1)),
        ((2, 0), (0, 0), (1, 1)),
    ),
    generators=_SQUARE_GROUP,
    marks="TRBL",
    text_steps=((3, 0), (0, 3)),
    text_places=((0, 1), (1, 2), (2, 1), (1, 0)),
    colours=Colours(2, (1, 1), (0, 1, 0, 1)),
)

# The edges of the square lattice: one to the right of each corner, one below.  Drawn as bars whose
# pointed ends meet in the corner, so that those which meet there touch.
STICKS = Table(
    "sticks",
    steps=((0.0, 1.5), (1.5, 0.0)),
    unit=8,
    polygons=(
        ((0, 0), (-1, 1), (-1, 7), (0, 8), (1, 7), (1, 1)),
        ((0, 0), (1, 1), (7, 1), (8, 0), (7, -1), (1, -1)),
    ),
    generators=_SQUARE_GROUP,
    marks="-|",
    text_steps=((2, 0), (0, 2)),
    text_places=((0, 1), (1, 0)),
    colours=Colours(4, (2, 2), (0, 1)),
    corners_touch=True,
)

# The next four share the plane lattice of triangles: one column on is to the right, one row on is
# to the right and down, by 60 degrees.  The origin is a centre of sixfold turns.
_SIXTH_TURN = ((1, 1), (-1, 0))
_TRIANGLE_MIRROR = ((1, 0), (-1, -1))
_HEXAGON_GROUP = (_SIXTH_TURN, _TRIANGLE_MIRROR)


def _triangle_steps(side: float) -> tuple[tuple[float, float], ...]:
    return ((side / 2, side * sqrt(3) / 2), (side, 0.0))


HEXAGONAL = Table(
    "hexagonal",
    steps=_triangle_steps(1.0),
    unit=3,
    polygons=(((1, 1), (2, -1), (1, -2), (-1, -1), (-2, 1), (-1, 2)),),
    generators=_HEXAGON_GROUP,
    marks="#",
    text_steps=((1, 1), (0, 2)),
    text_places=((0, 0),),
    colours=Colours(3, (1, 2), (0,)),
)

# Triangles that point down and up.
TRIANGULAR = Table(
    "triangular",
    steps=_triangle_steps(1.5),
    unit=1,
    polygons=(((0, 0), (0, 1), (1, 0)), ((1, 1), (1, 0), (0, 1))),
    generators=_HEXAGON_GROUP,
    marks="VA",
    text_steps=((1, 1), (0, 2)),
    text_places=((0, 0), (0, 1)),
    colours=Colours(2, (0, 0), (0, 1)),
)

TRIANGULAR_PRISMS = layered(TRIANGULAR, "triangular prisms")

# The rhombi whose long diagonals are the sides of the triangles.
RHOMBILLE = Table(
    "rhombille",
    steps=_triangle_steps(1.8),
    unit=3,
    polygons=(
        ((0, 0), (1, 1), (0, 3), (-1, 2)),
        ((0, 0), (2, -1), (3, 0), (1, 1)),
        ((0, 0), (1, -2), (3, -3), (2, -1)),
    ),
    generators=_HEXAGON_GROUP,
    marks="-\\/",
    text_steps=((2, 2), (0, 4)),
    text_places=((0, 2), (1, 1), (1, -1)),
    colours=Colours(3, (0, 0), (0, 1, 2)),
)

# Hexagons cut from the centre to the middles of their sides: the deltoidal trihexagonal tiling, of
# whose kites the hat is made.  Kite 0 lies to the right and below the centre, the others follow
# clockwise.
KITES = Table(
    "kites",
    steps=_triangle_steps(2.2),
    unit=6,
    polygons=(
        ((0, 0), (0, 3), (2, 2), (3, 0)),
        ((0, 0), (3, 0), (4, -2), (3, -3)),
        ((0, 0), (3, -3), (2, -4), (0, -3)),
        ((0, 0), (0, -3), (-2, -2), (-3, 0)),
        ((0, 0), (-3, 0), (-4, 2), (-3, 3)),
        ((0, 0), (-3, 3), (-2, 4), (0, 3)),
    ),
    generators=_HEXAGON_GROUP,
    marks="012345",
    text_steps=((3, 2), (0, 4)),
    text_places=((2, 2), (3, 1), (2, 0), (1, 0), (0, 1), (1, 2)),
    colours=Colours(3, (0, 0), (0, 1, 2, 0, 1, 2)),
)

TABLES = {
    table.name: table
    for table in (
        SQUARE, CUBIC, HEXAGONAL, TRIANGULAR, TETRAKIS, KITES, RHOMBILLE, STICKS,
        TRIANGULAR_PRISMS,
    )
}  # fmt: skip
