"""Progress bars."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gridkit.cli import main
from gridkit.errors import UnsupportedError
from gridkit.run import Progress
from gridkit.run.progress import RichBar, TerminalBar, TqdmBar, _clock
from programs.run import Queens, drive


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def report(fraction: float, seconds: float) -> Progress:
    return Progress(nodes=12_345, found=678, fraction=fraction, seconds=seconds)


def test_terminal_bar_shows_how_far_the_work_is() -> None:
    screen = Terminal()
    with TerminalBar(screen) as bar:
        bar(report(0.25, 30.0))
        line = screen.getvalue()
        assert line.startswith("\r[#####...............]  25.0%")
        assert "678 found  12,345 nodes  0:30  1:30 left" in line
        bar(report(1.0, 31.0))
    # At the end the line is wiped.
    *_, last, end = screen.getvalue().split("\r")
    assert last.strip() == ""
    assert end == ""


def test_terminal_bar_waits_a_second() -> None:
    screen = Terminal()
    with TerminalBar(screen) as bar:
        bar(report(0.9, 0.99))
        bar(report(1.0, 0.999))
    assert screen.getvalue() == ""


def test_terminal_bar_tells_of_kernels_and_leaves_them_out_of_its_estimate() -> None:
    screen = Terminal()
    with TerminalBar(screen) as bar:
        bar(Progress(0, 0, 0.0, 0.1, note="compiling kernels, once"))
        assert screen.getvalue().rstrip() == "\rcompiling kernels, once ..."
        bar(Progress(10, 0, 0.5, 12.9, compiling=12.0))
        assert "left" not in screen.getvalue()
        bar(Progress(10, 0, 0.5, 32.0, compiling=12.0))
        assert "0:32  0:20 left" in screen.getvalue()


@pytest.mark.parametrize("kind", [TqdmBar, RichBar])
def test_other_bars_tell_of_kernels(
    kind: type[TqdmBar] | type[RichBar], capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("tqdm")
    pytest.importorskip("rich")
    with kind("queens") as bar:
        bar(Progress(0, 0, 0.0, 0.1, note="compiling kernels, once"))
        bar(Progress(10, 3, 1.0, 0.2))
    output = capsys.readouterr()
    assert "3" in output.out + output.err


def test_terminal_bar_is_silent_in_a_pipe() -> None:
    pipe = io.StringIO()
    with TerminalBar(pipe) as bar:
        bar(report(0.5, 100.0))
    assert pipe.getvalue() == ""


def test_terminal_bar_without_a_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)  # as under pythonw
    with TerminalBar() as bar:
        bar(report(0.5, 100.0))


def test_terminal_bar_fits_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    screen = Terminal()
    with TerminalBar(screen) as bar:
        bar(report(0.5, 100.0))
    assert max(map(len, screen.getvalue().split("\r"))) < 30


def test_terminal_bar_clears_what_an_error_leaves() -> None:
    screen = Terminal()

    def fail() -> None:
        with TerminalBar(screen) as bar:
            bar(report(0.5, 100.0))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert screen.getvalue().endswith(" \r")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0:00"), (61.9, "1:01"), (3600, "1:00:00"), (86_399, "23:59:59"), (1e6, "12 d")],
)
def test_clock(seconds: float, text: str) -> None:
    assert _clock(seconds) == text


def test_tqdm_bar() -> None:
    pytest.importorskip("tqdm", reason="tqdm is an extra")
    screen = Terminal()
    with TqdmBar("queens", file=screen) as bar:
        drive(Queens(8), progress=bar)
    assert "queens: 100%" in screen.getvalue()
    assert "found=92" in screen.getvalue()


def test_rich_bar() -> None:
    pytest.importorskip("rich", reason="rich is an extra")
    from rich.console import Console
    from rich.progress import Progress as Display

    screen = io.StringIO()
    with Display(console=Console(file=screen, force_terminal=True, width=100)) as display:
        with RichBar("queens", display=display) as bar:
            drive(Queens(8), progress=bar)
        assert [task.finished for task in display.tasks] == [True]
        assert not display.finished or display.live.is_started
    assert "queens (92 found)" in screen.getvalue()


def test_rich_bar_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("rich", reason="rich is an extra")
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    with RichBar() as bar:
        drive(Queens(6), progress=bar)
    assert not bar._display.live.is_started


@pytest.mark.parametrize(("kind", "name"), [(TqdmBar, "tqdm"), (RichBar, "rich")])
def test_bars_that_are_not_installed(
    kind: Callable[[], object], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (name, f"{name}.auto", f"{name}.progress"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UnsupportedError, match=rf"pip install gridkit\[{name}\]"):
        kind()


BOARD = ".....\n....."
PUZZLE = "AB\n..\n\n..\nBA"


@pytest.mark.parametrize(
    ("command", "text", "answer"),
    [
        (["tile", "--pieces", "domino", "--copies", "any", "--count"], BOARD, "8\n"),
        (["slide"], PUZZLE, "4 steps"),
        (["enumerate", "9", "--count"], "", "1285\n"),
    ],
)
def test_commands_show_a_bar_on_a_terminal_only(
    command: list[str],
    text: str,
    answer: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(TerminalBar.__init__, "__defaults__", (None, 0.0))
    for stream in (Terminal(), io.StringIO()):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        monkeypatch.setattr(sys, "stderr", stream)
        assert main(command) == 0
        assert capsys.readouterr().out.startswith(answer)
        assert ("100.0%" in stream.getvalue()) == stream.isatty()


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs pseudo-terminals")
def test_bar_on_a_real_terminal(tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    with open(theirs, "w") as terminal, TerminalBar(terminal) as bar:
        bar(report(0.5, 2.0))
        assert os.read(ours, 1000).startswith(b"\r[##########..........]  50.0%")
    os.close(ours)
