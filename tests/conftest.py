"""Shared settings of the tests."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# Kernels compile on first use and machines are noisy: no deadlines, and the same examples each run.
settings.register_profile(
    "gridkit", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("explore", parent=settings.get_profile("gridkit"), derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "gridkit"))
