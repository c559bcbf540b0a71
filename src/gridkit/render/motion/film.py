"""What moves in a picture: sprites on a stage, and how they glide; plain data, knows no puzzle.

One unit is the side of a cell; x grows to the right, y downwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from gridkit.render.palette import Fill

__all__ = [
    "SUNK", "Change", "Film", "Loop", "Point", "Pose", "Sprite", "Stage", "block",
    "joined", "outlines", "poses",
]  # fmt: skip

Point = tuple[float, float]
Loop = tuple[Point, ...]

SUNK = -1
"""The turn of a sprite that has left the board."""


class Sprite(NamedTuple):
    """A thing that moves as one.

    Attributes
    ----------
    loops : tuple of loops
        Its outline around its own origin: corners, clockwise on the screen; holes the other way.
    label : str
        Text in its middle.
    fill : int or str
        A number in the palette, a role, or a colour as ``#rrggbb``.
    x, y : float
        Where its origin is at the start.
    turn : int or None
        Degrees clockwise from "right" to where its arrow points; None draws no arrow.
    radius : float
        How far its corners are rounded.
    middle : point, optional
        Where its label is centred, from its own origin; the middle of its box when left out.
    """

    loops: tuple[Loop, ...]
    label: str
    fill: Fill
    x: float
    y: float
    turn: int | None = None
    radius: float = 0.14
    middle: Point | None = None

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, width and height around its own origin."""
        points = [point for loop in self.loops for point in loop]
        left, top = min(x for x, _ in points), min(y for _, y in points)
        return left, top, max(x for x, _ in points) - left, max(y for _, y in points) - top


class Change(NamedTuple):
    """One sprite's part in a move: the points its origin visits, and where its arrow points then.

    A turn of `SUNK` takes it from the board at the end of its path.
    """

    sprite: int
    path: tuple[Point, ...]
    turn: int = 0


class Stage(NamedTuple):
    """The board and everything on it, before the first move.

    Attributes
    ----------
    rows, cols : int
        Size in cells.
    floor : rows of fills
        Of each cell "open", "blocked", or another fill.
    sprites : sequence of Sprite
        Later ones are drawn over earlier ones.
    goals : sequence of Sprite
        Outlines drawn below them: where sprites have to go.
    title : str
        What it is.
    wide, high : float
        Size of a cell.
    """

    rows: int
    cols: int
    floor: Sequence[Sequence[Fill]]
    sprites: Sequence[Sprite]
    goals: Sequence[Sprite] = ()
    title: str = ""
    wide: float = 1.0
    high: float = 1.0

    @property
    def width(self) -> float:
        """The width of the board."""
        return self.cols * self.wide

    @property
    def height(self) -> float:
        """The height of the board."""
        return self.rows * self.high


class Film(NamedTuple):
    """A stage, its moves, a line of text for each move, and what moves are called (plural)."""

    stage: Stage
    moves: Sequence[Sequence[Change]]
    captions: Sequence[str]
    unit: str = "moves"


class Pose(NamedTuple):
    """Where a sprite is, and where its arrow points; `SUNK` for one that is gone."""

    x: float
    y: float
    turn: int


def poses(film: Film) -> Iterator[list[Pose]]:
    """Yield the poses of all sprites before the first move and after each (one list, updated)."""
    now = [Pose(sprite.x, sprite.y, sprite.turn or 0) for sprite in film.stage.sprites]
    yield now
    for changes in film.moves:
        for change in changes:
            x, y = change.path[-1] if change.path else now[change.sprite][:2]
            now[change.sprite] = Pose(x, y, change.turn)
        yield now


def joined(film: Film, most: int) -> Film:
    """Return a film of at most `most` moves: runs of consecutive moves become one straight glide.

    Examples
    --------
    >>> stage = Stage(1, 3, [["open"] * 3], [Sprite(outlines([(0, 0)]), "A", 0, 0, 0)])
    >>> film = Film(stage, [[Change(0, ((1, 0),))], [Change(0, ((2, 0),))]], ["A", "A"], "steps")
    >>> joined(film, 1).moves, joined(film, 1).captions
    ([[Change(sprite=0, path=((2, 0),), turn=0)]], ['steps 1 to 2'])
    """
    number = len(film.moves)
    if number <= most:
        return film
    stride = -(-number // most)
    moves, captions = [], []
    for first in range(0, number, stride):
        run = film.moves[first : first + stride]
        last: dict[int, Change] = {}
        for change in (change for changes in run for change in changes):
            path = change.path[-1:] or last.get(change.sprite, change).path
            last[change.sprite] = change._replace(path=path)
        moves.append(list(last.values()))
        captions.append(f"{film.unit} {first + 1} to {first + len(run)}")
    return film._replace(moves=moves, captions=captions)


def block(
    cells: Iterable[tuple[int, int]], label: str, fill: Fill, place: tuple[int, int]
) -> Sprite:
    """Return the sprite of a block of (row, col) cells whose origin is at a (row, col) place.

    Examples
    --------
    >>> block([(0, 0), (1, 0), (1, 1)], "L", 0, (2, 3)).middle
    (0.5, 1.5)
    """
    own = set(cells)
    height = 1 + max(row for row, _ in own)
    width = 1 + max(col for _, col in own)
    # The middle of the box where the block is there, else that of the cell with most around it.
    near = {(row, col) for row in {(height - 1) // 2, height // 2}
            for col in {(width - 1) // 2, width // 2}}  # fmt: skip
    middle: Point | None = None
    if not near <= own:
        row, col = max(
            sorted(own),
            key=lambda cell: sum(abs(r - cell[0]) + abs(c - cell[1]) == 1 for r, c in own),
        )
        middle = col + 0.5, row + 0.5
    return Sprite(outlines(own), label, fill, place[1], place[0], middle=middle)


def outlines(cells: Iterable[tuple[int, int]], inset: float = 0.05) -> tuple[Loop, ...]:
    """Return the outline of a set of (row, col) cells, moved inwards by `inset`.

    Cells that touch only by a corner have loops of their own.

    Examples
    --------
    >>> outlines([(0, 0), (0, 1)], 0)
    (((2, 0), (2, 1), (0, 1), (0, 0)),)
    """
    own = set(cells)
    # A side is the corner it begins at and its way, with the body on the right.
    sides = {
        ((col + x, row + y), way)
        for row, col in own
        for way, x, y in (((1, 0), 0, 0), ((0, 1), 1, 0), ((-1, 0), 1, 1), ((0, -1), 0, 1))
        if (row - way[0], col + way[1]) not in own
    }
    loops = []
    while sides:
        side = first = min(sides)
        loop: list[Point] = []
        while side in sides:
            sides.remove(side)
            (x, y), (dx, dy) = side
            corner = x + dx, y + dy
            ways = (-dy, dx), (dx, dy), (dy, -dx)  # to the right first, which parts such cells
            side = next(
                (corner, way) for way in ways if (corner, way) in sides or (corner, way) == first
            )
            onward = side[1]
            if onward != (dx, dy):
                inwards = -(dy + onward[1]), dx + onward[0]
                loop.append((corner[0] + inset * inwards[0], corner[1] + inset * inwards[1]))
        loops.append(tuple(loop))
    return tuple(loops)
