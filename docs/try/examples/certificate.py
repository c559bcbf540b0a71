# A chessboard without two opposite corners, and why dominoes cannot cover it.
import gridkit as gk

board = gk.Board.rectangle(8, 8).without([(0, 0), (7, 7)])
tiling = gk.Tiling(board, gk.pieces.domino(), copies=None)

reason = tiling.explain()
print(reason)
show(reason)
