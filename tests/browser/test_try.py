"""The page that runs gridkit in a browser, its examples, and the wheel in Pyodide under node."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from browser.devtools import Chromium, Page
from browser.pages import TRY, needs_pyodide, served

EXAMPLES = {
    "pentominoes": ("8 solutions, 2 apart from symmetry", "svg"),
    "klotski": ("34 moves, 53 steps", "iframe"),
    "eight_puzzle": ("31 steps, and no plan is shorter", "iframe"),
    "stacking_game": ("never stops: the state after round 178", "iframe"),
    "certificate": ("adds up to 0, but the region adds up to -2", "svg"),
}

RUN_EXAMPLE = """
import sys
sys.modules["numpy"] = sys.modules["numba"] = None
shown = []
text = open(sys.argv[1], encoding="utf-8").read()
exec(compile(text, sys.argv[1], "exec"), {"show": shown.append})
(value,) = shown
print("iframe" if hasattr(value, "to_html") and "<script" in value.to_html() else "svg")
assert "<svg" in value.to_svg()
"""

IN_NODE = """
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const [, , pyodide, wheel, ...programs] = process.argv;
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: pyodide });
python.unpackArchive(new Uint8Array(readFileSync(wheel)).buffer, "wheel");
for (const program of programs) python.runPython(readFileSync(program, "utf8"));
"""


def test_every_example_is_offered_and_tested() -> None:
    page = (TRY / "index.html").read_text(encoding="utf-8")
    files = sorted(path.stem for path in (TRY / "examples").glob("*.py"))
    assert files == sorted(EXAMPLES)
    assert all(f'<option value="{name}">' in page for name in files)


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_need_neither_numpy_nor_numba(name: str) -> None:
    text, kind = EXAMPLES[name]
    done = subprocess.run(
        [sys.executable, "-c", RUN_EXAMPLE, str(TRY / "examples" / f"{name}.py")],
        capture_output=True, text=True, timeout=500, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert text in done.stdout
    assert done.stdout.split()[-1] == kind


@pytest.fixture(scope="module")
def page(chromium: Chromium) -> Iterator[Page]:
    with served(TRY) as address, chromium.page(address, 1200, 800) as tab:
        wait_for(tab, "ready")
        yield tab


def wait_for(page: Page, state: str) -> None:
    """Wait until the page is in a state, or has failed; the protocol waits, not the clock."""
    reached = page.evaluate(
        "new Promise(done => { const look = () => "
        f"[{json.dumps(state)}, 'failed'].includes(page.state) ? done(page.state) : "
        "setTimeout(look, 20); look(); })"
    )
    assert reached == state, page.evaluate("document.body.innerText")


def run(page: Page, program: str) -> str:
    page.evaluate(f"document.getElementById('program').value = {json.dumps(program)}")
    page.click("#run")
    wait_for(page, "ready")
    output = page.evaluate("document.getElementById('output').textContent")
    assert isinstance(output, str)
    return output


@needs_pyodide
@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_in_the_browser(page: Page, name: str) -> None:
    text, kind = EXAMPLES[name]
    output = run(page, (TRY / "examples" / f"{name}.py").read_text(encoding="utf-8"))
    assert text in output
    assert page.evaluate(f"document.querySelectorAll('#shown {kind}').length") == 1
    assert not page.errors()


@needs_pyodide
@pytest.mark.slow
def test_errors_are_said_in_a_line(page: Page) -> None:
    assert run(page, "import gridkit as gk\ngk.Board.parse('x')").startswith("ParseError: line 1")
    assert run(page, "x = 1\nx / 0") == "line 2: ZeroDivisionError: division by zero\n"
    kernel = "import gridkit as gk\ngk.NPuzzle(5, 5, [*range(24, 0, -1), 0]).solve()"
    assert "this call needs compiled code" in run(page, kernel)


@needs_pyodide
@pytest.mark.slow
def test_a_program_can_be_stopped(page: Page) -> None:
    page.evaluate("document.getElementById('program').value = 'while True: pass'")
    page.click("#run")
    wait_for(page, "running")
    page.click("#stop")
    wait_for(page, "ready")
    assert run(page, "print(6 * 7)") == "42\n"


@needs_pyodide
@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="node is not here")
def test_the_wheel_in_pyodide_under_node(tmp_path: Path) -> None:
    script = tmp_path / "run.mjs"
    script.write_text(IN_NODE, encoding="utf-8")
    programs = Path(__file__).parents[1] / "programs" / "plain_tier.py"
    done = subprocess.run(
        ["node", str(script), str(TRY / "pyodide"), str(TRY / "gridkit.whl"), str(programs)],
        capture_output=True, text=True, timeout=900, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    from test_plain_tier import check

    check(done.stdout)
