"""Progress bars: for a terminal, for rich and for tqdm.

Each is a context manager whose value is passed as ``progress=``; plain callables work as well.
"""

from __future__ import annotations

import shutil
import sys
from types import TracebackType
from typing import TYPE_CHECKING, Self, TextIO

from gridkit.errors import UnsupportedError
from gridkit.run.control import Progress

if TYPE_CHECKING:
    import rich.progress
    import tqdm

__all__ = ["RichBar", "TerminalBar", "TqdmBar"]


class _Bar:
    """A callable context manager; subclasses draw in `__call__` and tidy up in `close`."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __call__(self, progress: Progress) -> None:
        raise NotImplementedError

    def close(self) -> None:
        """Finish the bar; calling it twice does no harm."""


class TerminalBar(_Bar):
    """A one-line bar for the command: silent in a pipe and for work of less than a second.

    Kernels that are compiled are told at once; that time has no part in the time left.

    Parameters
    ----------
    stream : text file, optional
        Where to draw; standard error when left out.
    delay : float
        Seconds of work before the bar appears.

    Examples
    --------
    >>> with TerminalBar() as bar:  # then: tiling.count(progress=bar)
    ...     bar(Progress(nodes=4096, found=3, fraction=0.25, seconds=0.4))
    """

    def __init__(self, stream: TextIO | None = None, delay: float = 1.0) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._delay = delay
        self._drawn = 0  # length of the line on the screen
        try:
            self._shown = self._stream.isatty()
        except (AttributeError, ValueError):  # no stream at all, or a closed one
            self._shown = False

    def __call__(self, progress: Progress) -> None:
        """Draw the bar."""
        if not self._shown:
            return
        if progress.note:
            self._draw(f"{progress.note} ...")
            return
        working = progress.seconds - progress.compiling
        if working < self._delay:
            return
        full = round(20 * progress.fraction)
        line = (
            f"[{'#' * full}{'.' * (20 - full)}] {progress.fraction:6.1%}  "
            f"{progress.found:,} found  {progress.nodes:,} nodes  {_clock(progress.seconds)}"
        )
        if 0 < progress.fraction < 1:
            line += f"  {_clock(working * (1 / progress.fraction - 1))} left"
        self._draw(line)

    def close(self) -> None:
        """Wipe the bar off the screen."""
        if self._drawn:
            self._draw("")
            self._stream.write("\r")
            self._stream.flush()

    def _draw(self, line: str) -> None:
        line = line[: shutil.get_terminal_size().columns - 1]
        self._stream.write("\r" + line.ljust(self._drawn))
        self._stream.flush()
        self._drawn = len(line)


class TqdmBar(_Bar):
    """A tqdm bar (install ``gridkit[tqdm]``).

    Parameters
    ----------
    description : str
        Text in front of the bar.
    file : text file, optional
        Where tqdm draws; standard error when left out.

    Raises
    ------
    UnsupportedError
        When tqdm is not installed.

    Examples
    --------
    >>> with TqdmBar() as bar:  # then: tiling.count(progress=bar)  # doctest: +SKIP
    ...     bar(Progress(nodes=4096, found=3, fraction=0.25, seconds=0.4))
    """

    def __init__(self, description: str = "gridkit", *, file: TextIO | None = None) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            raise UnsupportedError("TqdmBar needs tqdm: pip install gridkit[tqdm]") from None
        layout = "{l_bar}{bar}| {elapsed}{postfix}"
        self._bar: tqdm.tqdm = tqdm(total=1.0, desc=description, file=file, bar_format=layout)

    def __call__(self, progress: Progress) -> None:
        """Move the bar."""
        if progress.note:
            self._bar.set_postfix_str(progress.note)
            return
        self._bar.set_postfix(found=progress.found, nodes=progress.nodes, refresh=False)
        self._bar.update(progress.fraction - self._bar.n)

    def close(self) -> None:
        """Leave the bar as it stands and end it."""
        self._bar.close()


class RichBar(_Bar):
    """A bar in a `rich.progress.Progress` (install ``gridkit[rich]``).

    Parameters
    ----------
    description : str
        Text in front of the bar.
    display : rich.progress.Progress, optional
        An existing display to add a bar to; it is started and stopped by its owner.

    Raises
    ------
    UnsupportedError
        When rich is not installed.

    Examples
    --------
    >>> with RichBar() as bar:  # then: tiling.count(progress=bar)  # doctest: +SKIP
    ...     bar(Progress(nodes=4096, found=3, fraction=0.25, seconds=0.4))
    """

    def __init__(
        self, description: str = "gridkit", *, display: rich.progress.Progress | None = None
    ) -> None:
        try:
            from rich.progress import Progress as Display
        except ImportError:
            raise UnsupportedError("RichBar needs rich: pip install gridkit[rich]") from None
        self._owned = display is None
        self._display = Display() if display is None else display
        if self._owned:
            self._display.start()
        self._description = description
        self._task = self._display.add_task(description, total=1.0)

    def __call__(self, progress: Progress) -> None:
        """Move the bar."""
        self._display.update(
            self._task,
            completed=progress.fraction,
            description=f"{self._description} ({progress.note or f'{progress.found:,} found'})",
        )

    def close(self) -> None:
        """Stop the display if this bar started it."""
        if self._owned:
            self._display.stop()


def _clock(seconds: float) -> str:
    if seconds >= 360_000:
        return f"{seconds / 86_400:.0f} d"
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
