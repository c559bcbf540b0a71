# The twelve pentominoes fill 3 x 20 in two ways, apart from turns and mirror images.
import gridkit as gk

board = gk.Board.rectangle(3, 20)
tiling = gk.Tiling(board, gk.pieces.pentominoes().values(), reflect=True)

print(tiling.count(), "solutions,", tiling.count(up_to_symmetry=True), "apart from symmetry")
show(tiling.first())
