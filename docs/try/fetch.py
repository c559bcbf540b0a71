"""Put Pyodide and the wheel beside the page: ``python docs/try/fetch.py``, once, then serve it.

Needs npm and pip; ``python -m http.server -d docs/try`` shows the page.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
PYODIDE = "pyodide@314.0.7"
FILES = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)


def fetch_pyodide() -> None:
    """Unpack the files that a page needs from Pyodide's npm package."""
    target = HERE / "pyodide"
    target.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            ["npm", "pack", "--silent", PYODIDE],
            cwd=folder,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        (archive,) = Path(folder).glob("*.tgz")
        with tarfile.open(archive) as package:
            for name in FILES:
                content = package.extractfile(f"package/{name}")
                assert content is not None  # each is a file
                with (target / name).open("wb") as file:
                    shutil.copyfileobj(content, file)


def build_wheel() -> None:
    """Build the wheel of this checkout."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", folder,
             str(HERE.parents[1])],
            check=True,
        )  # fmt: skip
        (wheel,) = Path(folder).glob("gridkit-*.whl")
        shutil.copyfile(wheel, HERE / "gridkit.whl")


if __name__ == "__main__":
    fetch_pyodide()
    build_wheel()
