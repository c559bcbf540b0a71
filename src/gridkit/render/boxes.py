"""Pictures of squares in line-drawing characters, with colours where a terminal shows them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import groupby, pairwise

from gridkit.errors import UnsupportedError
from gridkit.render.palette import hex_of, ink_on
from gridkit.render.scene import Point, Scene, borders

__all__ = ["scene_text"]

# A cell is four characters wide and two lines high, borders included.
_WIDE, _HIGH = 4, 2
# By which of the ways up (1), right (2), down (4) and left (8) a border goes on.
_BOXES = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
_UP, _RIGHT, _DOWN, _LEFT = 1, 2, 4, 8


def scene_text(scene: Scene, *, colours: bool = False) -> str:
    """Draw a scene of squares with line-drawing characters, its borders where owners change.

    Parameters
    ----------
    scene : Scene
        Its cells are rectangles, with sides of quarters of a cell across and halves down.
    colours : bool
        Fill the cells by ANSI escape sequences of 24-bit colours.

    Raises
    ------
    UnsupportedError
        For cells of another shape, which characters cannot draw.

    Examples
    --------
    >>> from gridkit.render.scene import grid_scene
    >>> print(scene_text(grid_scene([[0, 0], [1, 0]]).named({0: "A", 1: "B"})))
    ┌───────┐
    │     A │
    ├───┐   │
    │ B │   │
    └───┴───┘
    """
    left, top, right, bottom = scene.box
    canvas = [
        [" "] * (round((right - left) * _WIDE) + 1)
        for _ in range(round((bottom - top) * _HIGH) + 1)
    ]
    paint: dict[tuple[int, int], tuple[str, str]] = {}
    for cell in scene.cells:
        _check(cell.corners)
        across = [x - left for x, _ in cell.corners]
        down = [y - top for _, y in cell.corners]
        fill = hex_of(cell.fill)
        for line in range(round(min(down) * _HIGH), round(max(down) * _HIGH) + 1):
            for column in range(round(min(across) * _WIDE), round(max(across) * _WIDE) + 1):
                if cell.fill == "blocked":
                    canvas[line][column] = "░"
                elif cell.fill not in ("open", "paper"):
                    paint[line, column] = fill, ink_on(fill)
    for (line, column), mark in _box_marks(scene, left, top).items():
        canvas[line][column] = mark
        paint.pop((line, column), None)
    for label in scene.labels:
        line, middle = round((label.y - top) * _HIGH - 0.01), (label.x - left) * _WIDE
        first = round(middle - len(label.text) / 2 + 0.49)
        for column, letter in enumerate(label.text, max(0, first)):
            if 0 <= line < len(canvas) and column < len(canvas[line]):
                canvas[line][column] = letter
    if not colours:
        return "\n".join("".join(line).rstrip() for line in canvas)
    lines = []
    for row, marks in enumerate(canvas):
        paints = [paint.get((row, column)) for column in range(len(marks))]
        runs = groupby(zip(paints, marks, strict=True), lambda each: each[0])
        lines.append("".join(_painted("".join(m for _, m in run), fills) for fills, run in runs))
    return "\n".join(lines)


def _check(corners: Sequence[Point]) -> None:
    """Refuse what is no rectangle with corners where characters stand."""
    whole = all(x * _WIDE == round(x * _WIDE) and y * _HIGH == round(y * _HIGH) for x, y in corners)
    upright = all(a == c or b == d for (a, b), (c, d) in pairwise((*corners, corners[0])))
    if not (whole and upright):
        raise UnsupportedError("only pictures made of squares can be drawn by characters")


def _box_marks(scene: Scene, left: float, top: float) -> dict[tuple[int, int], str]:
    """Return the character of each place that a border passes."""
    ways: dict[tuple[int, int], int] = defaultdict(int)
    for (a, b), (x, y) in borders(scene.cells)[0]:
        column, line = round((a - left) * _WIDE), round((b - top) * _HIGH)
        end, last = round((x - left) * _WIDE), round((y - top) * _HIGH)
        for here in range(column, end):
            ways[line, here] |= _RIGHT
            ways[line, here + 1] |= _LEFT
        for here in range(line, last):
            ways[here, column] |= _DOWN
            ways[here + 1, column] |= _UP
    return {place: _BOXES[way] for place, way in ways.items()}


def _painted(text: str, fills: tuple[str, str] | None) -> str:
    """Return a text in an ink on a colour, as terminals understand it."""
    if fills is None:
        return text
    back, ink = (
        ";".join(str(int(colour[at : at + 2], 16)) for at in (1, 3, 5)) for colour in fills
    )
    return f"\x1b[48;2;{back};38;2;{ink}m{text}\x1b[0m"
