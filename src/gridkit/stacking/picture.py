"""Pictures of stacking games: each cell's pile as it is seen from the side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gridkit import render
from gridkit.grid.cell import Cell

__all__ = ["GROUNDS", "flat_game_scene", "game_scene"]

_ARROWS = "→←↑↓"
# Keep, reverse, block; further codes have hues of the palette.
GROUNDS: tuple[render.Fill, ...] = ("open", "warm", "cool")
_WIDE, _STEP, _FOOT = 2.0, 0.62, 0.28  # of a cell, of a piece in its pile, below the pile


def game_scene(
    cells: Sequence[Sequence[int]],
    stacks: Mapping[Cell, Sequence[int]],
    directions: Sequence[int],
) -> render.Scene:
    """Return a board with piles of pieces, each a bar with its number and its direction.

    All cells are as high as the highest pile needs; the ground of a cell has the colour of its
    code.

    Examples
    --------
    >>> scene = game_scene([[0, 1]], {Cell(0, 1): (0, 1)}, (0, 2))
    >>> [label.text for label in scene.labels]
    ['0→', '1↑']
    """
    high = max(1.2, 2 * _FOOT + _STEP * max(map(len, stacks.values()), default=1))
    ground, bars, labels = [], [], []
    for row, codes in enumerate(cells):
        for col, code in enumerate(codes):
            corners = render.rectangle(col * _WIDE, row * high, _WIDE, high)
            fill = GROUNDS[code] if code < len(GROUNDS) else code
            ground.append(render.SceneCell(corners, None, fill))
    for (row, col), stack in stacks.items():
        for level, piece in enumerate(stack):
            bottom = (row + 1) * high - _FOOT / 2 - level * _STEP
            left = col * _WIDE + 0.25
            corners = render.rectangle(left, bottom - _STEP, _WIDE - 0.5, _STEP)
            bars.append(render.SceneCell(corners, piece, piece))
            text = f"{piece}{_ARROWS[directions[piece]]}"
            middle = (left + _WIDE / 2 - 0.25, bottom - _STEP / 2)
            labels.append(render.Label(text, *middle, 1.2, piece, 0.42))
    return render.Scene((*ground, *bars), tuple(labels), title="stacking game")


def flat_game_scene(
    cells: Sequence[Sequence[int]],
    stacks: Mapping[Cell, Sequence[int]],
    directions: Sequence[int],
) -> render.Scene:
    """Return the same as squares, for characters: the piles from the bottom up, in a row.

    Examples
    --------
    >>> flat_game_scene([[0, 1]], {Cell(0, 1): (0, 1)}, (0, 2)).size
    (4, 1)
    """
    widest = max(map(len, stacks.values()), default=1)
    wide = max(1, -(-(3 * widest + 1) // 4))
    ground, labels = [], []
    for row, codes in enumerate(cells):
        for col, code in enumerate(codes):
            fill = GROUNDS[code] if code < len(GROUNDS) else code
            corners = render.rectangle(col * wide, row, wide, 1)
            ground.append(render.SceneCell(corners, (row, col), fill))
            stack = stacks.get(Cell(row, col), ())
            text = " ".join(f"{piece}{_ARROWS[directions[piece]]}" for piece in stack)
            if text:
                labels.append(render.Label(text, (col + 0.5) * wide, row + 0.5, wide, fill))
    return render.Scene(tuple(ground), tuple(labels), title="stacking game")
