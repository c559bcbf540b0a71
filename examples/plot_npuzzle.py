"""
The fifteen puzzle, optimally
=============================

One of Korf's boards, solved by iterative deepening with pattern tables, and its last position.
"""

import gridkit as gk

puzzle = gk.NPuzzle(4, 4, [14, 1, 9, 6, 4, 8, 12, 5, 7, 2, 3, 0, 10, 11, 13, 15], goal=range(16))
plan = puzzle.solve(optimal=True)
plan.verify()
print(f"{len(plan)} steps, {plan.length('push')} pushes, {puzzle.count_shortest()} shortest plans")

# %%
# The start, and the way there.

puzzle  # noqa: B018 - the page shows it

# %%
print(" ".join(move.block for move in plan.moves()))

# sphinx_gallery_thumbnail_path = "_static/fifteen.svg"
