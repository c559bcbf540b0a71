from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from families import FAMILIES
from gridkit import problems
from gridkit._version import __version__
from gridkit.cli import COMMANDS, _so_far, main
from gridkit.errors import Partial


def run(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "gridkit", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, timeout=120, check=False)


def test_solve_reads_standard_input_and_files(capsys: pytest.CaptureFixture[str]) -> None:
    sample = FAMILIES / "boardcover" / "01_sample_2.txt"
    assert main(["solve", "boardcover", str(sample)]) == 0
    assert capsys.readouterr().out == "2\n"
    result = run("solve", "boardcover", stdin=sample.read_bytes())
    assert (result.returncode, result.stdout, result.stderr) == (0, b"2\n", b"")


def test_solve_draws_pictures(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "boardcover", "--sample", "--picture"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("0\n2\n1514\n\nno covering\n\n#")
    assert main(["solve", "abc322_d", "--sample", "--picture"]) == 0
    answer, _, picture = capsys.readouterr().out.partition("\n\n")
    assert answer == "Yes"
    assert sorted(set(picture)) == ["\n", "A", "B", "C"]


@pytest.mark.parametrize("name", problems.names())
def test_every_answer_comes_before_its_picture(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["solve", name, "--sample", "--picture"]) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith(problems.solve(name, problems.sample(name)))
    if shown.out == problems.solve(name, problems.sample(name)):
        assert shown.err == f"gridkit: {name} draws no pictures\n"


def test_no_counts_as_answered(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "abc322_d", str(FAMILIES / "abc322d" / "02_total_15.txt")]) == 0
    assert capsys.readouterr().out == "No\n"


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        (["solve", "boardcover"], b"1\n2 3\n...\n.x.\n", "line 4, column 2"),
        (["solve", "boardcover"], b"", "line 1: expected the number of cases"),
        (["solve", "boardcover"], b"1\n2 3\n...\n\xff..\n", "line 4, column 1: expected UTF-8"),
        (["solve", "nothing"], b"", "unknown problem 'nothing'"),
        (["solve", "boardcover", "no/such/file"], b"", "no/such/file"),
        (["solve"], b"", "NAME"),
        (["fly"], b"", "invalid choice"),
        ([], b"", "COMMAND"),
    ],
)
def test_bad_input_is_status_2_with_one_message(
    arguments: list[str], stdin: bytes, message: str
) -> None:
    result = run(*arguments, stdin=stdin)
    assert result.returncode == 2
    assert result.stdout == b""
    assert message in result.stderr.decode()
    assert "Traceback" not in result.stderr.decode()


def test_problems_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["problems"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in listed] == list(problems.names())
    with pytest.raises(SystemExit) as stopped:
        main(["--version"])
    assert stopped.value.code == 0
    assert capsys.readouterr().out == f"gridkit {__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([command, "--help"])
    assert stopped.value.code == 0
    assert COMMANDS[command] in " ".join(capsys.readouterr().out.split())


def test_a_byte_order_mark_is_no_part_of_a_text(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    for command, text, answer in (
        (["solve", "boardcover"], "1\n2 3\n...\n...\n", "2\n"),
        (["tile", "--pieces", "domino", "--copies", "any", "--count"], "..\n..\n", "2\n"),
        (["slide"], "A.\n\n.A\n", "1 steps, 1 slides, 1 moves"),
        (["stack"], ".0> .\n", ""),
    ):
        path.write_text(text, encoding="utf-8-sig")
        result = run(*command, str(path))
        assert (result.returncode, result.stderr) == (0, b""), command
        assert result.stdout.decode().startswith(answer)


def test_consoles_that_are_not_utf_8(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    result = run("problems")
    assert (result.returncode, result.stderr) == (0, b"")
    assert b"Rozwi?zanie pokojowe" in result.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_full_disk_is_named() -> None:
    with open("/dev/full", "wb") as full:
        result = subprocess.run(
            [sys.executable, "-m", "gridkit", "problems"],
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    assert result.returncode == 2
    assert result.stderr == b"gridkit: standard output: No space left on device\n"


def test_what_is_there_at_a_limit_is_said_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["enumerate", "40", "--count", "--seconds", "0"]) == 3
    # Millions of fixed polyominoes come before the first free one.
    assert main(["enumerate", "24", "--seconds", "0.1"]) == 3
    assert "Partial(" not in capsys.readouterr().err
    partial: Partial[object]
    for partial, words in (
        (Partial(24, 1000, 24, 0.25, 2.0), "; so far: at least 24, 25.0 % done, 1000 nodes"),
        (Partial([1, 2], 0, 0, 0.0, 2.0), "; so far: an answer of length 2"),
        (Partial(None), ""),
    ):
        assert _so_far(partial) == words


def test_a_line_that_is_no_rush_hour_position(capsys: pytest.CaptureFixture[str]) -> None:
    result = run("slide", stdin=b"A" * 37)
    assert result.returncode == 2
    assert b"expected 36 characters" in result.stderr
    assert b"found 37" in result.stderr


@pytest.mark.parametrize(
    "words", ["problems", "tile 8x8 --pieces domino --copies any --all", "enumerate 9 --json"]
)
def test_a_closed_pipe_is_no_fault(words: str) -> None:
    script = f"{sys.executable} -m gridkit {words} | head -n 1; exit ${{PIPESTATUS[0]}}"
    result = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "packages"),
    [
        (["problems"], {"numpy", "numba", "sqlite3"}),
        (["--help"], {"numpy", "numba", "json"}),
        (["solve", "boardcover", "--sample"], {"numba"}),
        (["tile", "--help"], {"numpy", "numba"}),
        (["tile", "2x3", "--pieces", "domino", "--copies", "any", "--count"], {"numpy", "numba"}),
    ],
)
def test_the_command_is_quick(arguments: list[str], packages: set[str]) -> None:
    code = f"from gridkit.cli import main\ntry: main({arguments})\nexcept SystemExit: pass"
    assert not packages & imported_after(code)


def test_colours_on_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["tile", "2x3", "--pieces", "domino", "--copies", "any"]
    assert main(arguments) == 0
    plain = capsys.readouterr().out
    assert "\x1b" not in plain
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert main(arguments) == 0
    assert "\x1b[" in capsys.readouterr().out
    for name, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
        with monkeypatch.context() as patch:
            patch.setenv(name, value)
            assert main(arguments) == 0
            assert capsys.readouterr().out == plain


def imported_after(code: str) -> set[str]:
    code += "\nimport sys; print('\\n'.join(sys.modules), file=sys.stderr)"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    return {name.partition(".")[0] for name in result.stderr.split()}


def test_importing_gridkit_loads_neither_numpy_nor_numba() -> None:
    assert not {"numpy", "numba"} & imported_after("import gridkit")


@pytest.mark.parametrize("name", problems.names())
def test_judged_samples_answer_without_numba(name: str) -> None:
    code = f"from gridkit.cli import main; main(['solve', {name!r}, '--sample'])"
    assert "numba" not in imported_after(code)
