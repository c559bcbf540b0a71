# A Klotski with room: bring the large block B to the bottom. '.' is empty, '#' a wall.
import gridkit as gk

puzzle = gk.SlidingPuzzle.parse(
    """
    ABBC
    ABBC
    DEEF
    DG.F
    H..I
    """.replace(" ", ""),
    goal={"B": (3, 1)},
)
plan = puzzle.solve(metric="move")
if plan is None:
    print("proved: there is no way")
else:
    print(len(plan), "moves,", plan.length("step"), "steps")
    show(plan)
