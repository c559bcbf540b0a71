# One of the two hardest positions of the 8-puzzle, and one that nobody can solve.
import gridkit as gk

puzzle = gk.NPuzzle(3, 3, [8, 6, 7, 2, 5, 4, 3, 0, 1])
plan = puzzle.solve(optimal=True)
print(len(plan), "steps, and no plan is shorter")
show(plan)

print(gk.NPuzzle(3, 3, [2, 1, 3, 4, 5, 6, 7, 8, 0]).explain())
