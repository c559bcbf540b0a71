"""
Tilings too many to list
========================

Counts of dozens of digits, and tilings drawn uniformly from all of them.
"""

import numpy as np

import gridkit as gk

# %%
# L trominoes, any number of them, on a board with a few holes.

ell = gk.Polyomino.parse("#.\n##")
board = gk.Board.rectangle(12, 24).without([(3, 5), (3, 6), (4, 5), (8, 17), (8, 18), (9, 18)])
tiling = gk.Tiling(board, [ell], copies=None)
print(f"{tiling.count():,} tilings")

# %%
# One of them, each with the same probability.

tiling.sample(np.random.default_rng(7))[0]

# %%
# Dominoes and single cells: the number of tilings by the number of dominoes is a polynomial.

pieces = {"monomer": gk.Polyomino.parse("#"), "dimer": gk.Polyomino.parse("##")}
counts = gk.Tiling(gk.Board.rectangle(6, 6), pieces, copies=None).count_by()
for (_, dimers), number in sorted(counts.items(), key=lambda entry: entry[0][1]):
    print(f"{dimers:2} dominoes: {number}")

# %%
# All rectangles of width 5 at once: the recurrence of their numbers, proved.

fives = gk.cover.count_rectangles(gk.pieces.domino(), 5, range(0, 13, 2))
print(dict(fives))
print(fives.recurrence)

# sphinx_gallery_thumbnail_path = "_static/random.svg"
