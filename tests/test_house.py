"""The shape of the project: layers, lazy names, kernels, examples in docstrings and the README."""

from __future__ import annotations

import ast
import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import gridkit

ROOT = Path(__file__).parents[1]
SOURCE = Path(gridkit.__file__).parent
MODULES = sorted(module.name for module in pkgutil.walk_packages([str(SOURCE)], "gridkit."))
KERNELS = [name for name in MODULES if ".kernels" in name]


def test_layers_hold() -> None:
    pytest.importorskip("importlinter")
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout


def test_every_public_name_loads() -> None:
    for name in gridkit.__all__:
        assert getattr(gridkit, name) is not None
    assert dir(gridkit) == sorted(gridkit.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = gridkit.nothing


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
    for path in SOURCE.rglob("*.py"):
        if "kernels" in str(path.relative_to(SOURCE)) or path == SOURCE / "run" / "jit.py":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            lazily = path == SOURCE / "doctor.py"  # it prints numba's version
            assert lazily or not any(n.startswith("numba") for n in names), path
