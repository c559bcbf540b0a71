"""
Kings that never touch
======================

Seven kings change places on a 6 x 6 board, and no two are ever adjacent.
"""

# %%
# Numbers are kings, dots are empty cells; the second board is the target.

from gridkit.sliding.kings.puzzle import KingsPuzzle

puzzle = KingsPuzzle.parse("""
1 . 2 . 3 .
. . . . . .
4 . . . 5 .
. . . . . .
6 . 7 . . .
. . . . . .

7 . 6 . 5 .
. . . . . .
4 . . . 3 .
. . . . . .
2 . 1 . . .
. . . . . .
""")
puzzle  # noqa: B018 - the gallery shows it

# %%
# Nine blocks of 2 x 2 cells, seven kings: with two empty blocks every order can be made.

print(puzzle.explain())

# %%
# The plan is checked by replaying it, and its inverse leads back.

plan = puzzle.plan()
assert plan is not None
plan.verify()
plan.inverse().verify()
print(len(plan), "moves")
plan  # noqa: B018 - the gallery shows it

# sphinx_gallery_thumbnail_path = "_static/kings.svg"
