"""A headless Chromium, driven by the DevTools protocol through two pipes: no package, no port."""

from __future__ import annotations

import base64
import itertools
import json
import os
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

__all__ = ["Chromium", "Page", "Picture", "find_chromium", "read_png"]

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PATIENCE = 240  # seconds for one answer: a loaded machine is slow, a dead browser closes its pipe

# The child reads commands from file 3 and answers on file 4.
LAUNCH = (
    "import os, sys; r, w = int(sys.argv[1]), int(sys.argv[2]); "
    "os.dup2(r, 3); os.dup2(w, 4); os.execv(sys.argv[3], sys.argv[3:])"
)


@cache
def find_chromium() -> str | None:
    if sys.platform == "win32":
        return None
    return next(filter(None, map(shutil.which, NAMES)), None)


class Picture(NamedTuple):
    width: int
    height: int
    pixels: list[bytes]  # rows, three bytes a pixel

    def at(self, x: float, y: float) -> tuple[int, int, int]:
        row = self.pixels[min(round(y), self.height - 1)]
        red, green, blue = row[3 * round(x) : 3 * round(x) + 3]
        return red, green, blue


class Chromium:
    """A browser process; use as a context manager."""

    def __init__(self) -> None:
        import fcntl  # not on Windows, where `find_chromium` finds none

        program = find_chromium()
        assert program is not None
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        command_read, self._write = os.pipe()
        self._read, answer_write = os.pipe()
        # Above 10, so that files 3 and 4 of the child do not overwrite one of them.
        high = [fcntl.fcntl(file, fcntl.F_DUPFD, 10) for file in (command_read, answer_write)]
        options = [
            "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
            "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
            "--disable-background-networking", "--disable-component-update", "--mute-audio",
            "--force-color-profile=srgb", "--hide-scrollbars",
            f"--user-data-dir={self._profile.name}",
        ]  # fmt: skip
        self.process = subprocess.Popen(
            [sys.executable, "-c", LAUNCH, *map(str, high), program, *options, "about:blank"],
            pass_fds=high,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for file in (command_read, answer_write, *high):
            os.close(file)
        self._numbers = itertools.count(1)
        self._waiting = b""
        self.events: list[dict[str, Json]] = []

    def __enter__(self) -> Chromium:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._write)
        os.close(self._read)
        self._profile.cleanup()

    def call(self, method: str, session: str | None = None, **params: Json) -> dict[str, Json]:
        number = next(self._numbers)
        message: dict[str, Json] = {"id": number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next_message()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                result = answer["result"]
                assert isinstance(result, dict)
                return result
            self.events.append(answer)

    def _next_message(self) -> dict[str, Json]:
        end = time.monotonic() + PATIENCE
        while b"\0" not in self._waiting:
            if not select.select([self._read], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            data = os.read(self._read, 1 << 20)
            if not data:
                raise EOFError("the browser has ended")
            self._waiting += data
        line, _, self._waiting = self._waiting.partition(b"\0")
        message = json.loads(line)
        assert isinstance(message, dict)
        return message

    @contextmanager
    def page(self, url: str, width: int = 1000, height: int = 700) -> Iterator[Page]:
        """Open a page and wait until it is loaded."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        assert isinstance(session, str)
        page = Page(self, session)
        for domain in ("Page", "Runtime", "Log"):
            page.call(f"{domain}.enable")
        page.call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip
        page.open(url)
        try:
            yield page
        finally:
            self.call("Target.closeTarget", targetId=target)


class Page:
    """One tab."""

    def __init__(self, browser: Chromium, session: str) -> None:
        self._browser, self._session = browser, session

    def call(self, method: str, **params: Json) -> dict[str, Json]:
        return self._browser.call(method, self._session, **params)

    def open(self, url: str) -> None:
        self._browser.events.clear()
        self.call("Page.navigate", url=url)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events()):
            self._browser.events.append(self._browser._next_message())

    def events(self) -> list[dict[str, Json]]:
        own = self._browser.events
        return [event for event in own if event.get("sessionId") == self._session]

    def errors(self) -> list[str]:
        """Return what went wrong in the page's scripts, or could not be loaded."""
        wrong = ("Runtime.exceptionThrown", "Log.entryAdded")
        return [json.dumps(event) for event in self.events() if event.get("method") in wrong]

    def evaluate(self, expression: str) -> Json:
        """Return the value of a JavaScript expression; promises are waited for."""
        answer = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        result = answer["result"]
        assert isinstance(result, dict)
        return result.get("value")

    def emulate(self, **features: str) -> None:
        """Set media features, with ``_`` for ``-``: prefers_color_scheme="dark"."""
        listed: list[Json] = [
            {"name": name.replace("_", "-"), "value": value} for name, value in features.items()
        ]
        self.call("Emulation.setEmulatedMedia", features=listed)

    def click(self, selector: str) -> None:
        """Press and release the mouse in the middle of an element."""
        box = self.evaluate(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            "e.scrollIntoView({block: 'nearest'}); const r = e.getBoundingClientRect();"
            "return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        assert isinstance(box, list)
        for kind in ("mousePressed", "mouseReleased"):
            self.call(
                "Input.dispatchMouseEvent",
                type=kind, x=box[0], y=box[1], button="left", clickCount=1,
            )  # fmt: skip

    def press(self, key: str) -> None:
        """Press and release a key, named as in ``KeyboardEvent.key``."""
        text = key if len(key) == 1 else ""
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, text=text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def png(self) -> bytes:
        data = self.call("Page.captureScreenshot", format="png")["data"]
        assert isinstance(data, str)
        return base64.b64decode(data)

    def picture(self) -> Picture:
        return read_png(self.png())

    def save(self, path: Path) -> None:
        path.write_bytes(self.png())


def read_png(data: bytes) -> Picture:
    """Read a PNG of eight bits a channel with no palette, as browsers write it."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    at, body = 8, b""
    width = height = channels = 0
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        chunk = data[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, height, bits, colour, *_ = struct.unpack(">IIBBBBB", chunk)
            assert bits == 8
            channels = {2: 3, 6: 4}[colour]
        elif kind == b"IDAT":
            body += chunk
        at += size + 12
    raw, stride = zlib.decompress(body), width * channels
    rows, above = [], bytearray(stride)
    for row in range(height):
        start = row * (stride + 1)
        line = bytearray(raw[start + 1 : start + 1 + stride])
        _unfilter(raw[start], line, above, channels)
        above = line
        colours = line if channels == 3 else bytes(
            value for index, value in enumerate(line) if index % 4 != 3
        )  # fmt: skip
        rows.append(bytes(colours))
    return Picture(width, height, rows)


def _unfilter(kind: int, line: bytearray, above: bytearray, channels: int) -> None:
    for i in range(len(line) if kind else 0):
        left = line[i - channels] if i >= channels else 0
        up, corner = above[i], above[i - channels] if i >= channels else 0
        if kind == 1:
            by = left
        elif kind == 2:
            by = up
        elif kind == 3:
            by = (left + up) // 2
        else:
            guess = left + up - corner
            by = min((left, up, corner), key=lambda value: abs(guess - value))
        line[i] = (line[i] + by) & 255
