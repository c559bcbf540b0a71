"""Draw the pictures of the README and of the list of examples into ``_static``.

Run ``python docs/front_pictures.py``.
"""

from __future__ import annotations

from pathlib import Path

from contact_sheet import sudoku

import gridkit as gk
from gridkit.render.drawable import Drawable

FOLDER = Path(__file__).parent / "_static"


def solved(value: Drawable | None) -> Drawable:
    """Return what is known to exist."""
    assert value is not None
    return value


def pictures() -> dict[str, tuple[Drawable, int]]:
    """Return what is drawn with the size of a cell, by the names of the files."""
    dominoes, pentominoes = gk.pieces.domino(), gk.pieces.pentominoes()
    chessboard = gk.Board.rectangle(8, 8).without([(0, 0), (7, 7)])
    box = gk.Tiling(gk.Board.rectangle(6, 10), pentominoes, reflect=True)
    ring = gk.Board.rectangle(8, 8).without([(3, 3), (3, 4), (4, 3), (4, 4)])
    board = gk.Board.rectangle(8, 12).without([(2, 3), (2, 4), (5, 8)])
    kings = gk.KingsPuzzle(
        [[1, 0, 2, 0], [0] * 4, [3, 0, 0, 0], [0] * 4],
        [[2, 0, 1, 0], [0] * 4, [3, 0, 0, 0], [0] * 4],
    )
    game = gk.StackingGame.parse(".0>2^ .  .1<\n.     ~  .\n.     #  .3v")
    return {
        "pentominoes": (solved(box.first()), 20),
        "chessboard": (solved(gk.Tiling(chessboard, dominoes, copies=None).explain()), 16),
        "soma": (solved(gk.Tiling(gk.Box(3, 3, 3), gk.pieces.soma()).first()), 16),
        "klotski": (
            gk.SlidingPuzzle.parse("ABBC\nABBC\nDEEF\nDGHF\nI..J", goal={"B": (3, 1)}),
            20,
        ),
        "ring": (solved(gk.Tiling(ring, pentominoes, reflect=True).first()), 20),
        "random": (gk.Tiling(board, gk.pieces.trominoes(), copies=None).sample(2)[0], 20),
        "fifteen": (gk.NPuzzle(4, 4, [14, 1, 9, 6, 4, 8, 12, 5, 7, 2, 3, 0, 10, 11, 13, 15]), 24),
        "kings": (kings, 20),
        "stacking": (game, 24),
        "sudoku": (sudoku(), 20),
    }


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, (picture, cell_size) in pictures().items():
        svg = picture.to_svg(cell_size=cell_size)
        (FOLDER / f"{name}.svg").write_text(svg + "\n", encoding="utf-8")
