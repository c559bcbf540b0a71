"""The documentation: its examples run, its links lead somewhere, its tests exist."""

from __future__ import annotations

import ast
import re
import runpy
from functools import cache
from pathlib import Path

import pytest

from gridkit.run.jit import JIT_DISABLED

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(
    path
    for path in DOCS.rglob("*.md")
    if not {"_build", "gallery", "node_modules"} & set(path.relative_to(DOCS).parts)
)
NAMES = {path.relative_to(DOCS).as_posix(): path for path in PAGES}
CELL = re.compile(r"^```\{code-cell\}.*?\n(.*?)^```", re.MULTILINE | re.DOTALL)
PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
HERE = {  # pages that this folder runs; others are run by the tests of their wing, or by the build
    "tutorials/first-tiling.md", "tutorials/first-plan.md", "tutorials/own-game.md",
    "tutorials/write-an-adapter.md", "index.md", "pictures.md",
    "explanation/search-tree.md", "explanation/sweep.md", "explanation/colouring.md",
    "explanation/pattern-databases.md", "explanation/kings-theorem.md",
    "how-to/choose-an-engine.md", "how-to/coming-from.md", "how-to/many-puzzles.md",
    "how-to/other-files.md", "explanation/sliding.md",
    "reference/golden-counts.md",
}  # fmt: skip


def cells(path: Path) -> list[tuple[int, str]]:
    """Return the code of each cell with its line, without the lines of options."""
    text = path.read_text(encoding="utf-8")
    return [
        (text.count("\n", 0, match.start()) + 1, re.sub(r"^:.*\n", "", match[1], flags=re.M))
        for match in CELL.finditer(text)
    ]


def run(code: str, names: dict[str, object], title: str) -> object:
    """Run a cell; return the value of its last expression, as a notebook shows it."""
    body = ast.parse(code).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), title, "exec"), names)
    if isinstance(last, ast.Expr):
        return eval(compile(ast.Expression(last.value), title, "eval"), names)
    return None


@pytest.mark.parametrize("name", sorted(HERE))
@pytest.mark.skipif(JIT_DISABLED, reason="examples of their full size")
def test_the_cells_of_a_page_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(DOCS))
    names: dict[str, object] = {"__name__": "__main__"}
    shown = []
    for line, code in cells(NAMES[name]):
        value = run(code, names, f"{name}, line {line}")
        draw = getattr(value, "_repr_html_", None)
        shown.append(draw() if draw else repr(value))
    assert shown


@pytest.mark.slow
def test_the_page_on_dask_runs() -> None:
    pytest.importorskip("distributed")
    (code,) = PYTHON.findall((DOCS / "how-to/dask.md").read_text(encoding="utf-8"))
    names: dict[str, object] = {}
    run(code, names, "dask.md")
    assert names["count"] == 129168


@pytest.mark.parametrize("name", NAMES)
def test_examples_are_python(name: str) -> None:
    text = NAMES[name].read_text(encoding="utf-8")
    for code in [*(code for _, code in cells(NAMES[name])), *PYTHON.findall(text)]:
        ast.parse(code)


@cache
def headings(path: Path) -> frozenset[str]:
    """Return the anchors of a page: its headings as links write them."""
    titles = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return frozenset(
        re.sub(r"[^\w -]", "", title.replace("`", "").lower()).replace(" ", "-") for title in titles
    )


@pytest.mark.parametrize("name", NAMES)
def test_links_inside_the_documentation_lead_somewhere(name: str) -> None:
    path = NAMES[name]
    whole = path.read_text(encoding="utf-8")
    for target in re.findall(r"^```\{(?:include|figure|image)\} (\S+)$", whole, re.M):
        assert (path.parent / target).exists(), f"{name}: {target}"
    text = re.sub(r"^```.*?^```", "", whole, flags=re.M | re.S)
    for target in re.findall(r"\]\(<?([^)\s>]+)>?\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        there = (path.parent / file).resolve() if file else path
        generated = "gallery/" in file or there.with_suffix(".md").exists()
        assert there.exists() or generated, f"{name}: {target}"
        if anchor and there.suffix == ".md" and there.exists():
            assert anchor in headings(there), f"{name}: {target}"
    for target in re.findall(r"\{doc\}`(?:[^`<]*<)?([^`>]+)>?`", text):
        there = DOCS / target.lstrip("/") if target.startswith("/") else path.parent / target
        assert there.with_suffix(".md").exists() or "gallery" in target, f"{name}: {target}"


def test_every_page_is_reached_from_the_front_page() -> None:
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    entries = {
        line.strip()
        for block in re.findall(r"^```\{toctree\}(.*?)^```", index, re.M | re.S)
        for line in block.splitlines()
    }
    for name in NAMES:
        page = name.removesuffix(".md")
        folder = page.rpartition("/")[0]
        assert page == "index" or page in entries or f"{folder}/*" in entries, name


def test_the_tests_of_the_guarantees_exist() -> None:
    text = (DOCS / "reference/guarantees.md").read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text)
    assert len(named) > 30
    for file, name in named:
        assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8"), f"{file}::{name}"


def test_the_gallery_has_twenty_pictures() -> None:
    text = NAMES["pictures.md"].read_text(encoding="utf-8")
    assert text.count("```{code-cell}") - 1 >= 20


def test_an_adapter_has_25_lines() -> None:
    page = NAMES["tutorials/write-an-adapter.md"]
    _, module = cells(page)[0]
    assert len([line for line in module.splitlines() if line.strip()]) <= 25


def test_the_tour_of_the_readme_is_short_and_its_pictures_exist() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (tour,) = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len([line for line in tour.splitlines() if line.strip()]) <= 25
    pictures = re.findall(r'<img src="([^"]+)"', text)
    assert len(pictures) >= 3
    for picture in pictures:
        assert (ROOT / picture).read_text(encoding="utf-8").startswith("<svg"), picture


@pytest.mark.parametrize(
    "path", sorted((ROOT / "examples").glob("plot_*.py")), ids=lambda path: path.stem
)
def test_every_example_has_a_picture_in_the_list(path: Path) -> None:
    (named,) = re.findall(r'thumbnail_path = "([^"]+)"', path.read_text(encoding="utf-8"))
    assert (DOCS / named).exists()


@pytest.mark.skipif(JIT_DISABLED, reason="explores a space")
def test_the_example_of_an_environment(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(ROOT / "examples" / "plot_environment.py"))
    assert "steps taken" in capsys.readouterr().out
