"""
Sudoku as exact cover
=====================

Each of the 729 options writes one digit into one cell; it covers the cell, and the digit in its
row, its column and its box.
"""

import gridkit as gk

CLUES = """
..53.....
8......2.
.7..1.5..
4....53..
.1..7...6
..32...8.
.6.5....9
..4....3.
.....97..
"""

options, clues = [], []
for r, line in enumerate(CLUES.split()):
    for c, mark in enumerate(line):
        for digit in "123456789":
            box = 3 * (r // 3) + c // 3
            options.append([(r, c), ("row", r, digit), ("col", c, digit), ("box", box, digit)])
            if mark == digit:
                clues.append(options[-1])

# A given digit must be chosen: an item of its own, which no other option has.
given = [[*option, ("given", *option[0])] if option in clues else option for option in options]
sudoku = gk.ExactCover(given)
print("unique:", sudoku.is_unique())
print(sudoku.hardness())

# %%
# The items that are cells make the picture; the digit is what the other items of an option share.

picture = gk.cover.CoverPicture(sudoku, sudoku.first())
print(picture.to_terminal())

# %%

picture  # noqa: B018 - the gallery shows it

# sphinx_gallery_thumbnail_path = "_static/sudoku.svg"
