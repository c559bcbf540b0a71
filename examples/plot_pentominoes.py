"""
The twelve pentominoes
======================

Every free pentomino once, and how its orientations are counted by its symmetry.
"""

import gridkit as gk
from gridkit.render.svg import grid_svg

# %%
# All twelve side by side: each gets its own label, and borders run between labels.

rows = [[None] * 61 for _ in range(7)]
column = 1
for number, piece in enumerate(gk.pieces.pentominoes().values()):
    for row, col in piece:
        rows[row + 1][column + col] = number
    column += piece.cols + 1


class Picture:
    """Shows an SVG."""

    def _repr_html_(self) -> str:
        return grid_svg([row[:column] for row in rows], cell_size=16)


Picture()

# %%
# A piece has eight orientations divided by the number of its symmetries.

for name, piece in gk.pieces.pentominoes().items():
    print(f"{name}: {piece.symmetry:<13} {len(piece.orientations(reflect=True))} orientations")

# %%
# One of the 9356 ways (2339 up to turning and mirroring) to fill the 6 x 10 board with them.

gk.Tiling(gk.Board.rectangle(6, 10), gk.pieces.pentominoes(), reflect=True).first()
