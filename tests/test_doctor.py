"""Warm-up, self-test, report; every kernel, compiled here and loaded there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import gridkit as gk
from gridkit import doctor
from gridkit.cli import main
from gridkit.run.jit import JIT_DISABLED
from programs.every_kernel import RIGHT

TESTS = Path(__file__).parent
PACKAGE = Path(gk.__file__).parent

compiled_only = pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")


def test_every_kernel_module_is_found() -> None:
    files = [*PACKAGE.rglob("kernels*.py"), *PACKAGE.rglob("kernels/*.py")]
    names = {
        ".".join(("gridkit", *file.relative_to(PACKAGE).with_suffix("").parts))
        for file in files
        if file.name != "__init__.py"
    }
    assert len(names) > 10
    assert set(gk.warmup().modules) == names


@compiled_only
def test_kernels_keep_the_rules() -> None:
    """All are compiled for the signatures they name, without the GIL, none calls itself."""
    from importlib import import_module

    for name in gk.warmup().modules:
        for kernel in doctor._kernels(import_module(name)):
            where = f"{name}.{kernel.py_func.__name__}"
            assert kernel.nopython_signatures, where
            assert kernel.targetoptions.get("nogil"), where
            assert not kernel.targetoptions.get("parallel"), where
            assert kernel.py_func.__name__ not in kernel.py_func.__code__.co_names, where


def test_warmup_tells_its_progress() -> None:
    seen: list[gk.Progress] = []
    done = gk.warmup(progress=seen.append)
    assert [report.nodes for report in seen] == list(range(1, len(done.modules) + 1))
    assert seen[-1].fraction == 1.0
    assert seen[-1].found == done.compiled + done.loaded


@compiled_only
def test_self_test_passes() -> None:
    checks = doctor.self_test()
    assert {check.wing for check in checks} == {
        "cover", "polyomino", "problems", "sliding", "stacking",
    }  # fmt: skip
    assert [str(check) for check in checks if not check.passed] == []


def test_report(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_questions", lambda: iter([("grid", "one", 1, lambda: 1)]))
    assert main(["doctor"]) == 0
    output = capsys.readouterr()
    assert output.err == ""
    for word in ("gridkit", "python", "numpy", "numba", "llvmlite", "cpu", "threads", "cache"):
        assert f"\n{word} " in "\n" + output.out
    assert output.out.endswith("all is well\n")
    if not JIT_DISABLED:
        assert "(writable)" in output.out


@compiled_only
@pytest.mark.parametrize(
    ("ask", "said"),
    [(lambda: 2, "WRONG: 2 instead of 1"), (lambda: 1 // 0, "WRONG: ZeroDivisionError")],
)
def test_a_failing_test_is_said(
    ask: Callable[[], object],
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(doctor, "_questions", lambda: iter([("grid", "one", 1, ask)]))
    assert main(["doctor"]) == 1
    output = capsys.readouterr().out
    assert said in output
    assert output.endswith("1 of 1 tests failed\n")


@compiled_only
def test_cache_folders_that_cannot_be_written(tmp_path: Path) -> None:
    report = doctor.Report(
        (), "", 1, doctor.Kernels((), 3, 0, (tmp_path,), 1.0), (False,), True, ()
    )
    assert f"{tmp_path} (not writable)" in str(report)
    assert not doctor._is_writable(tmp_path / "missing")
    nothing = doctor.Report((), "", 1, doctor.Kernels((), 3, 0, (), 1.0), (), True, ())
    assert "none can be written" in str(nothing)


def every_kernel(folder: Path, **variables: str) -> tuple[list[object], list[str], int, int]:
    """Run every kernel in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "programs.every_kernel"],
        cwd=TESTS,
        env={**os.environ, "GRIDKIT_CACHE_DIR": str(folder / "tables"), **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found, missed, compiled, loaded = json.loads(done.stdout)
    return found, missed, compiled, loaded


@compiled_only
def test_every_kernel_is_right_in_a_process_that_loads_it(tmp_path: Path) -> None:
    here = gk.warmup()
    found, missed, compiled, loaded = every_kernel(tmp_path)
    assert found == RIGHT
    assert missed == []
    if here.folders:
        assert (compiled, loaded) == (0, here.compiled + here.loaded)


@compiled_only
@pytest.mark.slow
def test_every_kernel_gives_the_same_compiled_and_loaded(tmp_path: Path) -> None:
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    found, _, compiled, loaded = every_kernel(tmp_path, **cache)
    assert found == RIGHT
    assert (compiled > 0, loaded) == (True, 0)
    again, _, *numbers = every_kernel(tmp_path / "again", **cache)
    assert again == found
    assert numbers == [0, compiled]
