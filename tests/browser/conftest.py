"""One browser for all tests; without Chromium they are skipped, and say so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from browser.devtools import Chromium, find_chromium


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    if find_chromium() is None:
        pytest.skip("no Chromium here: moving pictures are not looked at in a browser")
    with Chromium() as browser:
        yield browser
