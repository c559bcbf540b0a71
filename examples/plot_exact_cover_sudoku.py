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

rows = [[""] * 9 for _ in range(9)]
for number in sudoku.first():
    (r, c), (_, _, digit), *_ = given[number]
    rows[r][c] = digit
print("\n".join("".join(row) for row in rows))

# %%
# A picture: the digits that were given are coloured.

from gridkit.render.svg import grid_svg  # noqa: E402


class Picture:
    """Shows itself in a notebook."""

    def _repr_html_(self):
        labels = [[None if mark == "." else 0 for mark in line] for line in CLUES.split()]
        return grid_svg(labels, captions=rows)


Picture()
