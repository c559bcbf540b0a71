"""The examples of the page on long runs, run as a reader would run them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from gridkit.run.jit import JIT_DISABLED

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "long-runs.md"
TILINGS = "129168"  # of the chessboard by the twelve pentominoes and the square tetromino

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="long counts")


def blocks(kind: str) -> list[str]:
    return re.findall(
        rf"^```{re.escape(kind)}\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE
    )


SCRIPTS = {
    match[1]: block
    for block in blocks("python")
    if (match := re.match(r"# script: (\w+\.py)\n", block))
}


def output_of(script: str, folder: Path, name: str) -> str:
    (folder / name).write_text(script)
    done = subprocess.run(
        [sys.executable, name], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Error" not in done.stderr
    return done.stdout


def test_the_page_as_one_script(tmp_path: Path) -> None:
    """What a notebook shows of itself is printed here: the last expression of each cell."""
    cells = [re.sub(r"^(chessboard\.count\(.*\))$", r"print(\1)", cell, flags=re.MULTILINE)
             for cell in blocks("{code-cell} ipython3")]  # fmt: skip
    assert len(cells) > 5
    output = output_of("\n".join(cells), tmp_path, "page.py")
    assert output.count(TILINGS) >= 5
    killed_before_the_end = "printed: b''" in output
    assert ("kept: " in output) == killed_before_the_end


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts(name: str, tmp_path: Path) -> None:
    if "loky" in name:
        pytest.importorskip("loky", reason="loky is in the group 'cluster'")
    assert output_of(SCRIPTS[name], tmp_path, name) == f"{TILINGS}\n"


@pytest.mark.parametrize("block", blocks("python"))
def test_every_example_is_python(block: str) -> None:
    compile(block, "example", "exec")
