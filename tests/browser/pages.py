"""A local server for the page that runs Python in the browser, and what a stranger may lack."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

__all__ = ["TRY", "needs_pyodide", "served"]

TRY = Path(__file__).parents[2] / "docs" / "try"

needs_pyodide = pytest.mark.skipif(
    not (TRY / "pyodide" / "pyodide.mjs").exists() or not (TRY / "gridkit.whl").exists(),
    reason="Pyodide is not here: python docs/try/fetch.py puts it beside the page",
)


class _Quiet(http.server.SimpleHTTPRequestHandler):
    extensions_map = {  # noqa: RUF012 - the base class has it so
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on a free port of this machine; yield its address."""
    handler = partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()
