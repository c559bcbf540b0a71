"""
A long count, in instalments
============================

A count with a checkpoint file is stopped again and again, and goes on every time.
"""

import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import gridkit as gk

# %%
# The twelve pentominoes and the square tetromino on the chessboard: 16,146 tilings up to turning
# and mirroring (Dana Scott, 1958, found the 65 with the square in the middle).

pieces = [*gk.pieces.pentominoes().values(), gk.Polyomino.parse("##\n##")]
chessboard = gk.Tiling(gk.Board.rectangle(8, 8), pieces, reflect=True)
chessboard.first()

# %%
# Each round spends at most a million nodes on two threads; the file keeps what was counted.

with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
    path = Path(folder) / "chessboard.db"
    while True:
        try:
            count = chessboard.count(
                executor=pool, checkpoint=path, limit=gk.Limit(nodes=1_000_000)
            )
        except gk.LimitReached as reached:
            partial = reached.partial
            print(f"{partial.value:>7} tilings so far, {partial.fraction:6.1%} of the work")
        else:
            break
print(f"{count:>7} tilings in all, {count // 8} up to symmetry")

# sphinx_gallery_thumbnail_path = "_static/ring.svg"
