"""The kernel decorator and its cache, in processes of their own."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridkit.run.jit import JIT_DISABLED, popcount, ready, trailing_zeros

TESTS = Path(__file__).parents[1]
posix_only = pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs owners of files")

MODULE = """
import numpy as np
from gridkit.run.jit import kernel, popcount, trailing_zeros

@kernel("int64(int64)")
def triple(number):
    return 3 * number

@kernel("int64(uint64)", "int64(int64)")
def bits(word):
    return 100 * popcount(word) + trailing_zeros(word)
"""

# Says the answers and how many specialisations of each kernel came from the cache.
RUN = """
import warnings
warnings.simplefilter("error")
import numpy as np
from kernels import bits, triple
answers = [triple(14), bits(np.uint64(2**63 + 8)), bits(7)]
print(answers, sum(triple.stats.cache_hits.values()), sum(bits.stats.cache_hits.values()))
"""
ANSWERS = "[42, 203, 300]"

# The same with all that `triple` needs in other files; `middle` has only that of `helpers`.
SPLIT = {
    "kernels.py": """
import middle
from gridkit.run.jit import kernel, popcount, trailing_zeros

@kernel("int64(int64)")
def triple(number):
    return middle.times(number)
"""
    + MODULE[MODULE.index("\n@kernel", MODULE.index("triple(number)")) :],
    "middle.py": """
from gridkit.run.jit import kernel
from helpers import (
    FACTOR,
    product,
)
from values import NOTHING as ZERO

@kernel("int64(int64)")
def times(number):
    return product(number, FACTOR) + ZERO
""",
    "helpers.py": """
from gridkit.run.jit import kernel

FACTOR = 3

@kernel("int64(int64, int64)")
def product(left, right):
    return left * right
""",
    "values.py": "NOTHING = 0\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a kernel module."""
    folder = tmp_path / "code"
    folder.mkdir()
    (folder / "kernels.py").write_text(MODULE)
    return folder


@pytest.fixture
def split(folder: Path) -> Path:
    """The folder with the kernel module in several files."""
    for name, source in SPLIT.items():
        (folder / name).write_text(source)
    return folder


# Forks a process for every job, after the second that importing numba takes.
HOST = """
import json, os, sys, tempfile, traceback
import numba, numpy
from gridkit.run.jit import popcount, trailing_zeros
for number in (3, numpy.uint64(3)):
    popcount(number), trailing_zeros(number)
for line in sys.stdin:
    folder, environment, program = json.loads(line)
    child = os.fork()
    if not child:
        os.environ.clear()
        os.environ.update(environment)
        numba.core.config.reload_config()
        tempfile.tempdir = None
        os.chdir(folder)
        sys.path.insert(0, folder)
        try:
            exec(program, {})
        except BaseException:
            traceback.print_exc()
        sys.stdout.flush()
        os._exit(0)
    os.waitpid(child, 0)
    print("done", flush=True)
"""


@pytest.fixture(scope="module")
def host() -> Iterator[subprocess.Popen[str]]:
    if not hasattr(os, "fork"):
        pytest.skip("needs fork")
    environment = {name: value for name, value in os.environ.items() if name[:6] != "NUMBA_"}
    with subprocess.Popen(
        # Python warns of forking beside the threads that a BLAS may have begun.
        [sys.executable, "-W", "ignore", "-c", HOST],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment,
        text=True,
    ) as process:
        yield process


Run = Callable[..., tuple[str, int, int]]


@pytest.fixture
def run(host: subprocess.Popen[str], folder: Path) -> Run:
    """Run the kernels in a process of their own; return the answers and the cache hits of each."""

    def run(cache: Path | str | None = None, **variables: str) -> tuple[str, int, int]:
        assert host.stdin is not None
        assert host.stdout is not None
        job = str(folder), environment(cache, variables), RUN
        host.stdin.write(json.dumps(job) + "\n")
        host.stdin.flush()
        output = "".join(iter(host.stdout.readline, "done\n"))
        return told(output)

    return run


@pytest.fixture
def run_anew(folder: Path) -> Run:
    """The same in a process that is not forked."""

    def run(cache: Path | str | None = None, **variables: str) -> tuple[str, int, int]:
        done = subprocess.run(
            [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(folder)!r})\n" + RUN],
            cwd=folder,
            env=environment(cache, variables),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return told(done.stdout)

    return run


def environment(cache: Path | str | None, variables: dict[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name[:6] != "NUMBA_"}
    if cache is not None:
        kept["NUMBA_CACHE_DIR"] = str(cache)
    kept.update(variables)
    return {name: value for name, value in kept.items() if value != "(unset)"}


def told(output: str) -> tuple[str, int, int]:
    """Read the answers and the hits; warnings and errors would stand there too."""
    match = re.fullmatch(r"(\[.*\]) (\d) (\d)\n", output)
    assert match is not None, output
    return match[1], int(match[2]), int(match[3])


COMPILED, LOADED = (ANSWERS, 0, 0), (ANSWERS, 1, 2)


def files(cache: Path, pattern: str) -> list[Path]:
    found = sorted(cache.rglob(pattern))
    assert found
    return found


def test_second_process_loads_what_the_first_compiled(
    run: Run, run_anew: Run, folder: Path, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    assert run(cache) == COMPILED
    assert run_anew(cache) == LOADED
    (folder / "kernels.py").write_text(MODULE.replace("3 * number", "4 * number"))
    answers, *hits = run(cache)
    assert answers == "[56, 203, 300]"
    assert hits == [0, 0]


@pytest.mark.parametrize(
    ("file", "before", "after", "answer"),
    [
        ("middle.py", "+ ZERO", "+ ZERO + 1", 43),
        ("helpers.py", "left * right", "left * right + 1", 43),
        ("helpers.py", "FACTOR = 3", "FACTOR = 4", 56),
        ("values.py", "0", "7", 49),
    ],
)
def test_changes_in_the_files_that_a_kernel_calls(
    run: Run, split: Path, tmp_path: Path, file: str, before: str, after: str, answer: int
) -> None:
    """Callers near and far are compiled anew; nothing is when all is as it was."""
    cache = tmp_path / "cache"
    assert run(cache) == COMPILED
    assert run(cache) == LOADED
    source = split / file
    source.write_text(source.read_text().replace(before, after))
    changed = ANSWERS.replace("42", str(answer))
    assert run(cache) == (changed, 0, 0)
    assert run(cache) == (changed, 1, 2)


def test_files_that_a_kernel_does_not_import_do_not_matter(
    run: Run, split: Path, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    (split / "apart.py").write_text((split / "helpers.py").read_text())
    assert run(cache) == COMPILED
    (split / "apart.py").write_text("")
    assert run(cache) == LOADED


def no_folders(tmp_path: Path) -> dict[str, str]:
    """Name no home, no user's cache and no private folder that could be made."""
    file = tmp_path / "no folder"
    file.write_text("")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    if hasattr(os, "getuid"):
        (temporary / f"gridkit-{os.getuid()}").write_text("")
    return {"HOME": str(file), "XDG_CACHE_HOME": str(file), "TMPDIR": str(temporary)}


def test_split_kernels_without_a_cache(run: Run, split: Path, tmp_path: Path) -> None:
    (split / "__pycache__").write_text("")
    nowhere = no_folders(tmp_path)
    assert run(nowhere["HOME"], **nowhere) == COMPILED
    assert run(nowhere["HOME"], **nowhere) == COMPILED


def test_split_kernels_of_a_package(run: Run, split: Path, tmp_path: Path) -> None:
    """Relative imports, of modules and of names."""
    package = split / "kernels"
    package.mkdir()
    for name, source in SPLIT.items():
        source = source.replace("import middle", "from . import middle")
        source = re.sub("from (helpers|values)", r"from .\1", source)
        (package / name.replace("kernels", "__init__")).write_text(source)
        (split / name).unlink()
    cache = tmp_path / "cache"
    assert run(cache) == COMPILED
    assert run(cache) == LOADED
    (package / "values.py").write_text("NOTHING = 7\n")
    assert run(cache) == (ANSWERS.replace("42", "49"), 0, 0)


@pytest.mark.parametrize("pattern", ["*.nbi", "*.nbc"])
def test_damaged_cache_files_are_compiled_anew(
    run: Run, folder: Path, tmp_path: Path, pattern: str
) -> None:
    """Empty, truncated, other bytes, changed in the middle: one file of each kind at a time."""
    cache = tmp_path / "cache"
    run(cache)
    for damage in (empty, truncate, scramble, change):
        for file in files(cache, pattern):
            damage(file)
        assert run(cache) == COMPILED, damage
    assert run(cache) == LOADED


def empty(file: Path) -> None:
    file.write_bytes(b"")


def truncate(file: Path) -> None:
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])


def scramble(file: Path) -> None:
    file.write_bytes(bytes(range(256)) * 8)


def change(file: Path) -> None:
    content = bytearray(file.read_bytes())
    middle = len(content) // 2
    for place in range(middle, middle + 16):
        content[place] ^= 0xFF
    file.write_bytes(content)


def test_code_of_another_kernel_is_not_run(run: Run, folder: Path, tmp_path: Path) -> None:
    """What two processes that save at once can leave behind: data files changed round."""
    cache = tmp_path / "cache"
    run(cache)
    first, second = files(cache, "kernels.bits*.nbc")
    saved = first.read_bytes()
    shutil.copy(second, first)
    second.write_bytes(saved)
    assert run(cache) == (ANSWERS, 1, 0)
    assert run(cache) == LOADED


def test_missing_data_file(run: Run, folder: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    run(cache)
    for file in files(cache, "*.nbc"):
        file.unlink()
    assert run(cache) == COMPILED
    assert run(cache) == LOADED


def test_cache_files_that_cannot_be_read(run: Run, folder: Path, tmp_path: Path) -> None:
    """Folders in the place of the files: they can neither be read nor replaced."""
    cache = tmp_path / "cache"
    run(cache)
    for file in files(cache, "*.nb?"):
        file.unlink()
        file.mkdir()
    assert run(cache) == COMPILED
    assert run(cache) == COMPILED


@pytest.mark.parametrize("place", ["/proc/nowhere", "/dev/null", "a file"])
def test_cache_folder_that_cannot_be_used(
    run: Run, folder: Path, tmp_path: Path, place: str
) -> None:
    """The setting leads nowhere and the module's own folder and the user's are no help."""
    if place == "a file":
        place = str(tmp_path / "file")
        Path(place).write_text("")
    elif not Path(place).parent.exists():
        pytest.skip(f"there is no {place} here")
    (folder / "__pycache__").write_text("")
    nowhere = no_folders(tmp_path)
    assert run(place, **nowhere) == COMPILED
    assert run(place, **nowhere) == COMPILED


def test_read_only_install(run: Run, folder: Path, tmp_path: Path) -> None:
    """Beside the module nothing can be written: the user's cache folder serves."""
    (folder / "__pycache__").write_text("")
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": "(unset)"}
    assert run(**home) == COMPILED
    assert run(**home) == LOADED
    files(tmp_path / ".cache" / "numba", "*.nbi")


@posix_only
def test_no_home(run_anew: Run, folder: Path, tmp_path: Path) -> None:
    """No HOME, no writable install: a private folder serves, and none is named ``~``."""
    (folder / "__pycache__").write_text("")
    sitecustomize = folder / "sitecustomize.py"
    # As for a user number without an account: the home is not known from there either.
    sitecustomize.write_text(
        "import pwd\ndef getpwuid(number): raise KeyError(number)\npwd.getpwuid = getpwuid\n"
    )
    variables = {"PYTHONPATH": str(folder), "TMPDIR": str(tmp_path)}
    variables |= {"HOME": "(unset)", "XDG_CACHE_HOME": "(unset)"}
    assert run_anew(**variables) == COMPILED
    assert not (folder / "~").exists()
    private = tmp_path / f"gridkit-{os.getuid()}"
    assert stat.S_IMODE(private.stat().st_mode) == 0o700
    files(private, "*.nbi")
    assert run_anew(**variables) == LOADED


@posix_only
@pytest.mark.parametrize("fault", ["open to others", "a link", "another's"])
def test_folder_that_is_not_private(run: Run, folder: Path, tmp_path: Path, fault: str) -> None:
    """What lies in a folder that others may write to is not run."""
    (folder / "__pycache__").write_text("")
    nowhere = no_folders(tmp_path)
    private = Path(nowhere["TMPDIR"]) / f"gridkit-{os.getuid()}"
    private.unlink()
    if fault == "a link":
        (tmp_path / "elsewhere").mkdir(mode=0o700)
        private.symlink_to(tmp_path / "elsewhere")
    else:
        private.mkdir(mode=0o700)
    if fault == "open to others":
        private.chmod(0o770)
    if fault == "another's":
        if os.getuid():
            pytest.skip("only root gives folders away")
        os.chown(private, 12345, -1)
    assert run(**nowhere) == COMPILED
    assert run(**nowhere) == COMPILED
    assert list(private.iterdir()) == []


def on_a_terminal(folder: Path, program: str, **variables: str) -> str:
    """Return what a program writes to standard error when that is a terminal."""
    pty = pytest.importorskip("pty", reason="needs terminals")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", program], cwd=folder, stderr=theirs,
        stdout=subprocess.DEVNULL, env=environment(None, variables),
    )  # fmt: skip
    os.close(theirs)
    said = b""
    try:
        while piece := os.read(ours, 4096):
            said += piece
    except OSError:  # Linux: the program is gone
        pass
    os.close(ours)
    assert process.wait() == 0, said
    return said.decode()


def test_a_terminal_is_told_of_the_compilation(folder: Path, tmp_path: Path) -> None:
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    assert on_a_terminal(folder, RUN, **cache) == "gridkit: compiling kernels, once\r\n"
    assert on_a_terminal(folder, RUN, **cache) == ""


def test_a_terminal_is_told_that_nothing_is_kept(folder: Path, tmp_path: Path) -> None:
    (folder / "__pycache__").write_text("")
    said = on_a_terminal(folder, RUN, **no_folders(tmp_path))
    assert said.count("\n") == 1
    assert "no folder for them can be written" in said


def test_only_what_is_called_is_compiled(folder: Path, tmp_path: Path) -> None:
    program = "import kernels; kernels.triple(1); print(len(kernels.bits.signatures))"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, env=environment(tmp_path / "cache", {}),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "0\n"
    assert len(files(tmp_path / "cache", "*.nbc")) == 1


def test_threads_that_call_first_at_the_same_time(folder: Path, tmp_path: Path) -> None:
    program = """
from concurrent.futures import ThreadPoolExecutor
import kernels
with ThreadPoolExecutor(8) as pool:
    print(sum(pool.map(kernels.triple, range(100))), sum(pool.map(kernels.bits, range(100))))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, env=environment(tmp_path / "cache", {}),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    right = sum(
        100 * n.bit_count() + (64 if n == 0 else (n & -n).bit_length() - 1) for n in range(100)
    )
    assert done.stdout == f"{3 * 4950} {right}\n"


def test_disk_that_fills_up(run_anew: Run, folder: Path, tmp_path: Path) -> None:
    (folder / "sitecustomize.py").write_text(
        """
import errno, os
replace = os.replace
def full(source, target, **keywords):
    if str(target).endswith((".nbi", ".nbc")):
        raise OSError(errno.ENOSPC, "No space left on device")
    replace(source, target, **keywords)
os.replace = full
"""
    )
    cache = tmp_path / "cache"
    assert run_anew(cache, PYTHONPATH=str(folder)) == COMPILED
    assert not list(cache.rglob("*.nb?"))


def test_bounds_checks_do_not_run_code_without_them(run: Run, folder: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    run(cache)
    assert run(cache, NUMBA_BOUNDSCHECK="1") == COMPILED


@pytest.mark.parametrize("sources", [{}, SPLIT])
def test_without_compiling(folder: Path, sources: dict[str, str]) -> None:
    for name, source in sources.items():
        (folder / name).write_text(source)
    program = RUN.split("print")[0] + "print(answers)"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == f"{ANSWERS}\n", done.stderr


def test_errors_in_a_kernel_are_said_once(run: Run, folder: Path, tmp_path: Path) -> None:
    (folder / "kernels.py").write_text(
        'from gridkit.run.jit import kernel\n\n@kernel("int64(int64)")\n'
        "def wrong(number):\n    return number + missing\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", "import kernels; kernels.wrong(1)"],
        cwd=folder,
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "NUMBA_DISABLE_JIT": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "missing" in done.stderr
    assert "During handling" not in done.stderr


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_arguments_of_another_type_are_refused() -> None:
    from programs.run_kernels import bits

    assert ready(bits).nopython_signatures
    with pytest.raises(TypeError, match="No matching definition"):
        bits(np.zeros(3, dtype=np.int32))


@given(st.integers(0, 2**64 - 1))
def test_bit_helpers(word: int) -> None:
    lowest = next((bit for bit in range(64) if word >> bit & 1), 64)
    assert trailing_zeros(np.uint64(word)) == lowest
    assert popcount(np.uint64(word)) == bin(word).count("1")


@given(st.lists(st.integers(0, 2**64 - 1), max_size=5))
def test_bit_helpers_in_a_kernel(words: list[int]) -> None:
    from programs.run_kernels import bits

    zeros = [next((bit for bit in range(64) if word >> bit & 1), 64) for word in words]
    ones = [bin(word).count("1") for word in words]
    assert bits(np.array(words, dtype=np.uint64)) == sum(zeros) + sum(ones)


GROUPS = """
from typing import Annotated, NamedTuple
import numpy as np
from numpy.typing import NDArray
from gridkit.run.jit import kernel

class Queue(NamedTuple):
    cells: Annotated[NDArray[np.int32], "int32[::1]"]
    length: Annotated[int, "int64"]

class State(NamedTuple):
    queue: Queue
    counters: Annotated[NDArray[np.int64], "int64[::1]"]

@kernel("int64(State, int64)")
def triple(state, number):
    state.counters[0] += 1
    return number * state.queue.length + np.int64(state.queue.cells.sum())

@kernel("int64(uint64)", "int64(int64)")
def bits(word):
    return 0
"""
RUN_GROUPS = """
import numpy as np
from kernels import Queue, State, bits, triple
state = State(Queue(np.ones(4, np.int32), 3), np.zeros(2, np.int64))
answers = [int(triple(state, 14)), int(state.counters[0])]
try:
    triple(Queue(np.ones(4, np.int32), 3), 14)
except (TypeError, AttributeError):
    answers.append("refused")
stats = getattr(triple, "stats", None)
print(answers, sum(stats.cache_hits.values()) if stats else 0, 0)
"""


@pytest.mark.parametrize("jit_off", ["0", "1"])
def test_groups_of_arguments(folder: Path, tmp_path: Path, jit_off: str) -> None:
    (folder / "kernels.py").write_text(GROUPS)
    program = f"import sys; sys.path.insert(0, {str(folder)!r})\n" + RUN_GROUPS
    for hits in (0, int(jit_off == "0")):
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=folder,
            env=environment(tmp_path / "cache", {"NUMBA_DISABLE_JIT": jit_off}),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert told(done.stdout) == ("[46, 1, 'refused']", hits, 0)
