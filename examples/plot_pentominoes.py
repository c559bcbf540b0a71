"""
The twelve pentominoes
======================

Every free pentomino once, and how its orientations are counted by its symmetry.
"""

import gridkit as gk

# %%
# All twelve, and the board that they are to fill.

pentominoes = gk.pieces.pentominoes()
tiling = gk.Tiling(gk.Board.rectangle(6, 10), pentominoes, reflect=True)
tiling  # noqa: B018 - the gallery shows it

# %%
# A piece has eight orientations divided by the number of its symmetries.

for name, piece in pentominoes.items():
    print(f"{name}: {piece.symmetry:<13} {len(piece.orientations(reflect=True))} orientations")

# %%
# One of the 9356 ways (2339 up to turning and mirroring) to fill the 6 x 10 board with them.

tiling.first()

# sphinx_gallery_thumbnail_path = "_static/pentominoes.svg"
