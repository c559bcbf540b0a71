"""
Sliding blocks: how far from the goal?
======================================

The state space of classic Klotski, by the number of moves that are still needed, and its hardest
start.
"""

import gridkit as gk

# %%
# The space is explored once; then every state's distance from the goal is known.

klotski = gk.SlidingPuzzle.parse("ABBC\nABBC\nDEEF\nDGHF\nI..J", goal={"B": (3, 1)})
space = klotski.explore(metric="move")
for moves, states in enumerate(space.histogram()):
    if moves % 4 == 0:
        mark = "  <- near the classic start" if moves == 80 else ""
        print(f"{moves:3} moves: {states:4} states {'#' * (states // 12)}{mark}")

# %%
# A hardest start of all, and a shortest plan from it.

hardest = space.hardest()[0]
plan = hardest.solve(metric="move")
plan.verify()
print(hardest.draw(hardest.places))
print(f"{len(plan)} moves:")
print(plan.to_text())
plan  # noqa: B018 - the page shows it

# sphinx_gallery_thumbnail_path = "_static/klotski.svg"
