"""Small problems are answered without numpy and numba; other calls say what they need."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parent / "programs" / "plain_tier.py"

ANSWERS = {
    "pentominoes counted": 8,
    "pentominoes up to symmetry": 2,
    "pentominoes listed": 8,
    "a tiling": True,
    "a tiling drawn": True,
    "no tiling": 0,
    "why there is none": True,
    "dominoes": 12988816,
    "soma": 11520,
    "covers": [2, [[0, 1], [2, 3]], [0, 1]],
    "coloured covers": 1,
    "polyominoes": [108, 35],
    "klotski": [116, 81],
    "klotski played": True,
    "klotski's page": True,
    "klotski's picture": True,
    "rush hour": 51,
    "8-puzzle": [31, 31],
    "8-puzzle played": True,
    "8-puzzle improved": 31,
    "8-puzzle explained": "solvable",
    "a game": "never stops: the state after round 178 comes back every 18 rounds",
    "a game's page": True,
    "a plan of kings": 2,
    "kings": False,
    "sample of abc322_d": "Yes",
    "sample of boardcover": "0",
    "sample of boj1525": "2",
    "sample of boj17780": "8",
    "sample of boj17837": "14",
    "sample of leetcode773": "1",
    "sample of poi33_kings": "TAK",
    "sample of uva101": "0:",
}


def check(output: str) -> None:
    report = json.loads(output)
    assert {**report["answers"], **ANSWERS} == report["answers"]
    for call, message in report["named"].items():
        assert "this call needs compiled code, and num" in message, call
        assert "is not installed: pip install numpy numba" in message, call


def test_without_numpy_and_numba() -> None:
    done = subprocess.run(
        [sys.executable, str(PROGRAM)], capture_output=True, text=True, timeout=500, check=False
    )
    assert done.returncode == 0, done.stderr
    check(done.stdout)


@pytest.mark.parametrize("package", ["numpy", "numba"])
def test_one_package_is_not_enough(package: str) -> None:
    code = (
        f"import sys; sys.modules[{package!r}] = None\n"
        "import gridkit as gk\n"
        "board = gk.Board.rectangle(3, 20)\n"
        "print(gk.Tiling(board, gk.pieces.pentominoes().values(), reflect=True).count())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=500, check=False
    )
    assert done.stdout == "8\n", done.stderr
