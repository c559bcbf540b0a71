"""The scene: a picture as polygons with owners, from which every kind of output is made.

A scene knows neither puzzles nor lattices.  A cell is any polygon (a square, a hexagon, a triangle,
a face of a cube seen from above); who builds a scene says who owns each cell and how it is filled.
Borders follow from that: a strong one where the *owner* changes, whatever the colours are, and a
fine one between two cells of one owner.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import cos, hypot, sin, tau
from typing import NamedTuple, TypeVar

from gridkit.render.geometry import Edge, Point, label_place, neighbours
from gridkit.render.palette import Fill, distinct_fills

__all__ = [
    "Label", "Line", "Owner", "Point", "Scene", "SceneCell", "borders", "disc", "grid_scene",
    "rectangle", "square",
]  # fmt: skip


# Mappings do not accept keys of a narrower type than theirs: hence a variable.
Owner = TypeVar("Owner", bound=Hashable)


class SceneCell(NamedTuple):
    """A polygon of a picture.

    Attributes
    ----------
    corners : tuple of (x, y)
        The corners in turn, in cells: x to the right, y downwards.  Cells that touch share whole
        sides (same end points): that is how borders are found.
    owner : hashable
        Cells of one owner belong together; None is an owner like others (empty space).
    fill : int or str
        A number in the palette, a role ("open", "blocked", ...: `gridkit.render.palette.ROLES`),
        or a colour as ``#rrggbb``.
    shade : int
        0 as it is, 1 darker, 2 darker still: the faces of a cube.
    """

    corners: tuple[Point, ...]
    owner: Hashable = None
    fill: Fill = "open"
    shade: int = 0


class Label(NamedTuple):
    """A text centred at a point.

    Attributes
    ----------
    text : str
        What it says, not escaped.
    x, y : float
        Its centre.
    room : float
        The width that it may take, in cells.
    fill : int or str
        What it stands on: the text is dark on light fills, light on dark ones.
    height : float
        The size of its letters, in cells, where the width suffices.
    """

    text: str
    x: float
    y: float
    room: float = 0.9
    fill: Fill = "open"
    height: float = 0.5


class Line(NamedTuple):
    """A line from point to point, drawn below the cells: an edge of a graph, an arrow."""

    points: tuple[Point, ...]
    width: float = 0.06
    arrow: bool = False

    def head(self) -> tuple[Point, ...]:
        """Return the head of an arrow, from one barb over the tip to the other; else nothing."""
        if not self.arrow:
            return ()
        (a, b), (x, y) = self.points[-2:]
        length = hypot(x - a, y - b) or 1.0
        across, down = (x - a) / length * 0.3, (y - b) / length * 0.3
        return (
            (x - across - down / 1.6, y - down + across / 1.6),
            (x, y),
            (x - across + down / 1.6, y - down - across / 1.6),
        )


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture: cells, and the labels and lines on them.

    Lines are drawn first, then cells in their order, then borders and labels.  Without `seams`
    there are no fine lines within pieces (what is filled by a hue), as for blocks of one make.

    Examples
    --------
    >>> scene = Scene((square(0, 0, "a"), square(0, 1, "b")), title="two pieces")
    >>> scene.size
    (2, 1)
    """

    cells: tuple[SceneCell, ...]
    labels: tuple[Label, ...] = ()
    lines: tuple[Line, ...] = ()
    title: str = ""
    seams: bool = True

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The least and the greatest x and y: left, top, right, bottom."""
        points = [point for cell in self.cells for point in cell.corners]
        points += [point for line in self.lines for point in line.points]
        for label in self.labels:
            half, rise = label.room / 2, label.height / 2
            points += [(label.x - half, label.y - rise), (label.x + half, label.y + rise)]
        if not points:
            return 0, 0, 1, 1
        across, down = [x for x, _ in points], [y for _, y in points]
        return min(across), min(down), max(across), max(down)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in cells."""
        left, top, right, bottom = self.box
        return right - left, bottom - top

    def moved(self, x: float, y: float, part: Hashable = None) -> Scene:
        """Return the scene elsewhere; owners become (part, owner) where a part is named."""
        cells = tuple(
            SceneCell(
                tuple((a + x, b + y) for a, b in cell.corners),
                cell.owner if part is None else (part, cell.owner),
                cell.fill,
                cell.shade,
            )
            for cell in self.cells
        )
        labels = tuple(label._replace(x=label.x + x, y=label.y + y) for label in self.labels)
        lines = tuple(
            line._replace(points=tuple((a + x, b + y) for a, b in line.points))
            for line in self.lines
        )
        return replace(self, cells=cells, labels=labels, lines=lines)

    def named(self, names: Mapping[Owner, str]) -> Scene:
        """Return the scene with a label in the middle of what each of some owners has.

        Examples
        --------
        >>> scene = Scene((square(0, 0, "a"), square(0, 1, "a"))).named({"a": "A"})
        >>> scene.labels[0].text, scene.labels[0].x, scene.labels[0].y
        ('A', 1.0, 0.5)
        """
        texts: dict[Hashable, str] = dict(names.items())
        owned: dict[Hashable, list[SceneCell]] = defaultdict(list)
        for cell in self.cells:
            if texts.get(cell.owner):
                owned[cell.owner].append(cell)
        labels = []
        for owner, cells in owned.items():
            (x, y), room = label_place([cell.corners for cell in cells])
            size = min(0.5 * room + 0.25, 0.9)
            labels.append(Label(texts[owner], x, y, 1.8 * room, cells[0].fill, size))
        return replace(self, labels=(*self.labels, *labels))

    def coloured(self, preferred: Mapping[Owner, int]) -> Scene:
        """Return the scene with hues for some owners such that no neighbours look alike.

        Each owner has the hue it prefers unless a neighbour has one like it; the fills of other
        owners stay.

        Examples
        --------
        >>> scene = Scene((square(0, 0, "a"), square(0, 1, "b"))).coloured({"a": 3, "b": 3})
        >>> [cell.fill for cell in scene.cells]
        [3, 4]
        """
        pieces = [(cell.corners, cell.owner) for cell in self.cells if cell.owner in preferred]
        fills = distinct_fills(neighbours(pieces), dict(preferred.items()))
        cells = [cell._replace(fill=fills.get(cell.owner, cell.fill)) for cell in self.cells]
        return replace(self, cells=tuple(cells))

    def borders(self) -> tuple[list[Edge], list[Edge]]:
        """Return the strong lines of the picture and the fine ones; see `borders`."""
        outer, inner = borders(self.cells)
        if not self.seams:
            inner = borders(cell for cell in self.cells if isinstance(cell.fill, str))[1]
        return outer, inner

    def titled(self, title: str) -> Scene:
        """Return the scene under another title."""
        return replace(self, title=title)


def square(
    row: float, col: float, owner: Hashable = None, fill: Fill = "open", *, inset: float = 0
) -> SceneCell:
    """Return the unit square of a row and a column, smaller by `inset` on each side."""
    side = 1 - 2 * inset if inset else 1
    return SceneCell(rectangle(col + inset, row + inset, side, side), owner, fill)


def rectangle(left: float, top: float, width: float, height: float) -> tuple[Point, ...]:
    """Return the corners of a rectangle.

    Examples
    --------
    >>> rectangle(0, 1, 2, 3)
    ((0, 1), (2, 1), (2, 4), (0, 4))
    """
    right, bottom = left + width, top + height
    return (left, top), (right, top), (right, bottom), (left, bottom)


def disc(
    row: float,
    col: float,
    radius: float,
    owner: Hashable = None,
    fill: Fill = "open",
    *,
    sides: int = 24,
) -> SceneCell:
    """Return a disc about a point, as a polygon of so many sides.

    Examples
    --------
    >>> len(disc(0.5, 0.5, 0.4).corners)
    24
    """
    angles = [tau * number / sides for number in range(sides)]
    corners = tuple((col + radius * cos(angle), row + radius * sin(angle)) for angle in angles)
    return SceneCell(corners, owner, fill)


def grid_scene(
    labels: Sequence[Sequence[int | None]],
    captions: Sequence[Sequence[str]] | None = None,
    *,
    fills: Mapping[int, Fill] | Sequence[Fill] | None = None,
    title: str = "",
) -> Scene:
    """Return the scene of a grid of squares whose cells carry numbers.

    Parameters
    ----------
    labels : rows of int or None
        The owner of each cell: None is open and empty, -1 blocked, 0, 1, 2, ... pieces.
    captions : rows of str, optional
        A text for each cell.
    fills : mapping or sequence, optional
        The fill of each owner; its number in the palette when left out.
    title : str
        Accessible name of the picture.

    Examples
    --------
    >>> [cell.fill for cell in grid_scene([[0, None, -1]]).cells]
    [0, 'open', 'blocked']
    """
    cells = []
    for row, line in enumerate(labels):
        for col, owner in enumerate(line):
            fill: Fill = "open" if owner is None else "blocked"
            if owner is not None and owner >= 0:
                fill = owner if fills is None else fills[owner]
            cells.append(square(row, col, owner, fill))
    texts = [text for line in captions or () for text in line]
    marks = tuple(
        Label(text, *_middle(cell.corners), fill=cell.fill)
        for cell, text in zip(cells, texts, strict=False)
        if text
    )
    return Scene(tuple(cells), marks, title=title)


def borders(cells: Iterable[SceneCell]) -> tuple[list[Edge], list[Edge]]:
    """Return the sides of cells where the owner changes, and those between cells of one owner.

    The outer sides of the picture are of the first kind.  Each side comes once, its end points in
    increasing order.  Complexity: linear in the number of sides.

    Examples
    --------
    >>> outer, inner = borders([square(0, 0, "a"), square(0, 1, "a")])
    >>> len(outer), inner
    (6, [((1, 0), (1, 1))])
    """
    owner_of: dict[Edge, Hashable] = {}
    alike: dict[Edge, bool] = {}
    for cell in cells:
        points = [_rounded(corner) for corner in cell.corners]
        one = points[-1]
        for two in points:
            edge = (one, two) if one < two else (two, one)
            if edge in owner_of:
                alike[edge] = owner_of[edge] == cell.owner and alike.get(edge, True)
            else:
                owner_of[edge] = cell.owner
            one = two
    outer = [edge for edge in owner_of if not alike.get(edge, False)]
    return outer, [edge for edge, same in alike.items() if same]


def _rounded(point: Point) -> Point:
    if type(point[0]) is int and type(point[1]) is int:
        return point
    return round(point[0], 6), round(point[1], 6)


def _middle(corners: Sequence[Point]) -> Point:
    return (
        sum(x for x, _ in corners) / len(corners),
        sum(y for _, y in corners) / len(corners),
    )
