"""Sessions for developers: `nox -l` lists them, `nox -s tests` runs one."""

import shutil
from pathlib import Path

import nox

nox.options.default_venv_backend = "uv|virtualenv"
nox.options.sessions = ["tests", "lint", "typing"]


@nox.session
def tests(session: nox.Session) -> None:
    """Everything but the slow tests; arguments go to pytest."""
    session.install("-e", ".[test]")
    session.run("pytest", "-n", "auto", "-m", "not slow", *session.posargs)


@nox.session
def slow(session: nox.Session) -> None:
    """The slow tests."""
    session.install("-e", ".[test]")
    session.run("pytest", "-m", "slow", *session.posargs)


@nox.session
def jit_off(session: nox.Session) -> None:
    """Run the tests with every kernel in plain Python, under coverage."""
    session.install("-e", ".[test,coverage]")
    session.run(
        "pytest", "-n", "auto", "-m", "not slow", "--cov", "--cov-report=term", *session.posargs,
        env={"NUMBA_DISABLE_JIT": "1"},
    )  # fmt: skip


@nox.session
def bounds_check(session: nox.Session) -> None:
    """Run the tests with numba checking array bounds, from an empty cache."""
    session.install("-e", ".[test]")
    cache = session.create_tmp()
    session.run(
        "pytest", "-m", "not slow", *session.posargs,
        env={"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": cache},
    )  # fmt: skip


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, and the layers of the house."""
    session.install("-e", ".[lint]")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("lint-imports", "--no-cache")


@nox.session
def typing(session: nox.Session) -> None:
    """Check types, strictly."""
    session.install("-e", ".[typing,test]")
    session.run("mypy")


@nox.session
def docs(session: nox.Session) -> None:
    """Build the documentation into docs/_build/html."""
    session.install("-e", ".[docs]")
    session.run("sphinx-build", "-W", "--keep-going", "-b", "html", "docs", "docs/_build/html")


@nox.session
def bench(session: nox.Session) -> None:
    """Measure; arguments go to the driver: files, --full, --compare OLD.json, --against PATH."""
    session.install("-e", ".[bench]")
    session.run("python", "benchmarks", *session.posargs)


@nox.session
def peers(session: nox.Session) -> None:
    """Measure beside other packages, each in an environment of its own; the limit is --limit."""
    session.install("-e", ".[bench]")
    environments = Path(session.virtualenv.location) / "peers"
    session.run(
        "python", "benchmarks/peers.py", "--environments", str(environments),
        "--markdown", "docs/_static/peers.inc", *session.posargs,
    )  # fmt: skip


@nox.session
def scaling(session: nox.Session) -> None:
    """Measure time and memory against size, and draw the curves of the documentation."""
    session.install("-e", ".[bench]")
    session.run("python", "benchmarks/scaling.py", *session.posargs)


@nox.session
def build(session: nox.Session) -> None:
    """Build the wheel and the source distribution into dist/."""
    session.install("build")
    shutil.rmtree("dist", ignore_errors=True)
    session.run("python", "-m", "build")


@nox.session
def try_page(session: nox.Session) -> None:
    """Put Pyodide and the wheel beside docs/try, and test the page (npm, Chromium, node)."""
    session.install("-e", ".[test]", "pip")
    session.run("python", "docs/try/fetch.py")
    session.run("pytest", "tests/browser/test_try.py", *session.posargs)
