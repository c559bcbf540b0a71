"""Pictures load when they are asked for, not when a puzzle is counted."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import sys
import gridkit as gk
gk.Tiling(gk.Board.rectangle(2, 3), [gk.Polyomino.parse("##")], copies=None).count()
gk.NPuzzle, gk.SlidingPuzzle, gk.StackingGame, gk.KingsPuzzle
drawing = {"gridkit.render.scene", "gridkit.render.svg", "gridkit.render.motion.player"}
print(sorted(drawing & sys.modules.keys()))
gk.Board.rectangle(1, 1).to_svg()
print(sorted(drawing & sys.modules.keys()))
"""


def test_counting_loads_no_drawing() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n['gridkit.render.scene', 'gridkit.render.svg']\n"
