"""Shared settings and fixtures of the tests."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

from families import Judged, judged

# Kernels compile on first use and machines are noisy: no deadlines, and the same examples each run.
settings.register_profile(
    "gridkit", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("explore", parent=settings.get_profile("gridkit"), derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "gridkit"))


# One fixture a family of judged inputs: a test that takes it runs once for each of them.


@pytest.fixture(params=judged("abc322d"), ids=lambda case: case.name)
def abc322d(request: pytest.FixtureRequest) -> Judged:
    """Three pieces and whether they fill the board of 4 x 4."""
    case: Judged = request.param
    return case


@pytest.fixture(params=judged("boardcover"), ids=lambda case: case.name)
def boardcover(request: pytest.FixtureRequest) -> Judged:
    """A board and the number of its coverings by L-trominoes."""
    case: Judged = request.param
    return case
