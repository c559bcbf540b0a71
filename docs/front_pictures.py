"""Draw the pictures of the README into ``_static``: ``python docs/front_pictures.py``."""

from __future__ import annotations

from pathlib import Path

import gridkit as gk

FOLDER = Path(__file__).parent / "_static"


def pictures() -> dict[str, str]:
    """Return the pictures, each an SVG by its name."""
    chessboard = gk.Board.rectangle(8, 8).without([(0, 0), (7, 7)])
    why = gk.Tiling(chessboard, gk.pieces.domino(), copies=None).explain()
    box = gk.Tiling(gk.Board.rectangle(6, 10), gk.pieces.pentominoes(), reflect=True).first()
    soma = gk.Tiling(gk.Box(3, 3, 3), gk.pieces.soma()).first()
    klotski = gk.SlidingPuzzle.parse("ABBC\nABBC\nDEEF\nDGHF\nI..J", goal={"B": (3, 1)})
    assert box is not None
    assert why is not None
    assert soma is not None
    return {
        "pentominoes": box.to_svg(cell_size=20),
        "chessboard": why.to_svg(cell_size=16),
        "soma": soma.to_svg(cell_size=16),
        "klotski": klotski.to_svg(cell_size=20),
    }


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, svg in pictures().items():
        (FOLDER / f"{name}.svg").write_text(svg + "\n", encoding="utf-8")
