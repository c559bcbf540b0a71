"""The shape of the project: rooms, rings of imports, lazy names, kernels, examples in texts."""

from __future__ import annotations

import ast
import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import networkx
import pytest

import gridkit

ROOT = Path(__file__).parents[1]
SOURCE = Path(gridkit.__file__).parent
MODULES = sorted(module.name for module in pkgutil.walk_packages([str(SOURCE)], "gridkit."))
KERNELS = [name for name in MODULES if ".kernels" in name]

SLOW = {"numpy", "numba", "concurrent", "sqlite3"}  # to load
MOST_MODULES, FEWEST_LINES, MOST_LINES, MOST_PARAMETERS = 14, 40, 450, 8


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(path_of(module).read_text(encoding="utf-8"))


def path_of(module: str) -> Path:
    path = SOURCE.joinpath(*module.split(".")[1:])
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def is_package(module: str) -> bool:
    return path_of(module).name == "__init__.py"


def is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def imports(module: str) -> Iterator[str]:
    """Yield the modules of gridkit that a module names, at any depth of its code.

    Imports inside functions and under TYPE_CHECKING count.  The one exemption: what the
    ``__init__`` of a package imports under TYPE_CHECKING, its public names, which load lazily.
    """
    known = {"gridkit", *MODULES}
    waiting: list[ast.AST] = [tree(module)]
    while waiting:
        node = waiting.pop()
        if is_package(module) and is_type_checking(node):
            continue
        waiting.extend(ast.iter_child_nodes(node))
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module in known:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in known else node.module


def in_rings() -> set[str]:
    graph = networkx.DiGraph(
        (module, target) for module in ["gridkit", *MODULES] for target in imports(module)
    )
    graph.remove_edges_from(list(networkx.selfloop_edges(graph)))
    parts = networkx.strongly_connected_components(graph)
    return {module for part in parts if len(part) > 1 for module in part}


def imported(node: ast.AST) -> list[str]:
    """Return the modules that an import statement names, of gridkit or not."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module:
        inner = [f"{node.module}.{alias.name}" for alias in node.names]
        return [name if name in MODULES else node.module for name in inner]
    return []


def at_top(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements that run when a module is loaded."""
    for child in ast.iter_child_nodes(node):
        if not is_type_checking(child) and not isinstance(child, ast.FunctionDef):
            yield child
            yield from at_top(child)


@cache
def heavy(module: str) -> frozenset[str]:
    """Return which of the packages that are slow to load come with a module."""
    reached, waiting = {module}, [module]
    for name in waiting:
        names = set()
        if name in MODULES:
            names = {target for node in at_top(tree(name)) for target in imported(node)}
            names.add(name.rpartition(".")[0])
        fresh = names - reached
        reached |= fresh
        waiting.extend(fresh)
    return frozenset(SLOW & {name.partition(".")[0] for name in reached})


def imported_late_for_nothing() -> set[str]:
    """Return the modules that import inside a function what they could import at the top.

    Imports inside functions are for what keeps slow packages from being loaded, or says in a
    comment why it is not at the top.
    """
    late = set()
    for module in MODULES:
        lines = path_of(module).read_text(encoding="utf-8").splitlines()
        for function in ast.walk(tree(module)):
            if isinstance(function, ast.FunctionDef):
                for node in ast.walk(function):
                    for target in imported(node):
                        explained = " # " in lines[getattr(node, "lineno", 1) - 1]
                        if target in MODULES and heavy(target) <= heavy(module) and not explained:
                            late.add(f"{module} {target}")
    return late


def in_full_folders() -> set[str]:
    modules = [module for module in MODULES if not is_package(module)]
    folders = Counter(module.rpartition(".")[0] for module in modules)
    return {folder for folder, number in folders.items() if number > MOST_MODULES}


def of_wrong_length() -> set[str]:
    """Return the modules that are too long, or too short to stand alone.

    A judged problem and a subcommand of the command have a file each, however short.
    """
    wrong = set()
    for module in MODULES:
        lines = len(path_of(module).read_text(encoding="utf-8").splitlines())
        folder, _, name = module.rpartition(".")
        may_be_short = is_package(module) or folder in ("gridkit.problems", "gridkit.cli")
        may_be_short |= name in ("_version", "__main__")
        if lines > MOST_LINES or (lines < FEWEST_LINES and not may_be_short):
            wrong.add(f"{module} {lines}")
    return wrong


def hidden_by_submodules() -> set[str]:
    """Return public names that a submodule of the same name would replace when it is imported."""
    hidden = set()
    for package in ["gridkit", *filter(is_package, MODULES)]:
        loaded = importlib.import_module(package)
        for name in getattr(loaded, "__all__", ()):
            is_module = isinstance(getattr(loaded, name), ModuleType)
            if f"{package}.{name}" in MODULES and not is_module:
                hidden.add(f"{package}.{name}")
    return hidden


def with_many_parameters() -> set[str]:
    kernels = set()
    for module in KERNELS:
        for node in ast.walk(tree(module)):
            if isinstance(node, ast.FunctionDef) and any(
                ast.unparse(each).startswith("kernel(") for each in node.decorator_list
            ):
                number = len(node.args.posonlyargs + node.args.args + node.args.kwonlyargs)
                if number > MOST_PARAMETERS:
                    kernels.add(f"{module}.{node.name} {number}")
    return kernels


RULES = {
    "no ring of imports": in_rings,
    "imports inside functions keep slow packages out": imported_late_for_nothing,
    "at most 14 modules a folder": in_full_folders,
    "40 to 450 lines a module": of_wrong_length,
    "no submodule named like a public name": hidden_by_submodules,
    "at most 8 parameters a kernel": with_many_parameters,
}


@pytest.mark.parametrize("rule", RULES)
def test_rules_of_the_house(rule: str) -> None:
    assert not RULES[rule]()


def test_the_ring_test_sees_all_imports(monkeypatch: pytest.MonkeyPatch) -> None:
    sources = {
        "gridkit.one": "def f():\n    from gridkit.two import g\n",
        "gridkit.two": "if TYPE_CHECKING:\n    from gridkit import three\n",
        "gridkit.three": "import gridkit.one\n",
        "gridkit.four": "from gridkit.one import f\n",
    }
    monkeypatch.setitem(globals(), "MODULES", sorted(sources))
    monkeypatch.setitem(globals(), "tree", lambda module: ast.parse(sources.get(module, "")))
    assert in_rings() == {"gridkit.one", "gridkit.two", "gridkit.three"}


def test_layers_hold() -> None:
    pytest.importorskip("importlinter")
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize("name", [name for name in MODULES if name != "gridkit.__main__"])
def test_docstring_examples(name: str) -> None:
    failures, _ = doctest.testmod(importlib.import_module(name))
    assert failures == 0


def test_readme_examples() -> None:
    failures, attempted = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert attempted >= 5
    assert failures == 0


def test_readme_commands_name_what_exists() -> None:
    readme = (ROOT / "README.md").read_text()
    commands = re.findall(r"<!-- [\w-]+ -->\n```sh\n(.*)\n```", readme)
    assert len(commands) == 2
    for path in re.findall(r"\]\(([\w./-]+)\)", readme):
        assert (ROOT / path).exists(), path


def test_architecture_names_what_exists() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    folders = ("src", "tests", "docs")
    known = {
        f"/{path.relative_to(ROOT)}" for folder in folders for path in (ROOT / folder).rglob("*")
    }
    for name in set(re.findall(r"`([\w./-]+\.(?:py|txt|md)|[\w/]+/)`", text)):
        if "NAME" not in name:
            assert any(path.endswith(f"/{name.rstrip('/')}") for path in known), name


@pytest.mark.parametrize("name", KERNELS)
def test_kernels_import_only_what_their_cache_depends_on(name: str) -> None:
    module = importlib.import_module(name)
    assert module.__file__ is not None
    allowed = ["__future__", "numpy", "numba", "typing", "gridkit.run.jit"]
    if ".kernels." in name:
        allowed.append(name.partition(".kernels.")[0] + ".kernels")
    for node in ast.walk(ast.parse(Path(module.__file__).read_text())):
        if isinstance(node, ast.Import):
            imported = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            imported = [node.module or ""]
        else:
            continue
        for target in imported:
            known = any(f"{target}.".startswith(f"{origin}.") for origin in allowed)
            assert known, f"{name} imports {target}"


def test_only_kernels_and_jit_import_numba() -> None:
    # The doctor prints numba's version.
    allowed = {*KERNELS, "gridkit.run.jit", "gridkit.doctor"}
    for module in [name for name in MODULES if name not in allowed]:
        for node in ast.walk(tree(module)):
            assert not any(target.startswith("numba") for target in imported(node)), module


PUBLIC = [
    "cover", "grid", "polyomino", "problems", "sliding", "sliding.formats", "sliding.kings",
    "stacking",
]  # fmt: skip


@pytest.mark.parametrize("name", ["gridkit", *(f"gridkit.{package}" for package in PUBLIC)])
def test_packages_list_their_public_names(name: str) -> None:
    package = importlib.import_module(name)
    assert dir(package) == sorted(package.__all__)
    modules = {each for each in package.__all__ if isinstance(getattr(package, each), ModuleType)}
    assert modules <= {"formats", "kings", "pieces", "problems", *PUBLIC}
    with pytest.raises(AttributeError, match=f"module '{name}' has no attribute 'nothing'"):
        _ = package.nothing
