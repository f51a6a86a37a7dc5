"""Hypothesis profiles: `fast` for every day; by HYPOTHESIS_PROFILE `short` (sanitizers), `nightly` and `release`."""

import os

from hypothesis import HealthCheck, settings

_QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
settings.register_profile("fast", max_examples=100, deadline=None, suppress_health_check=_QUIET)
settings.register_profile("short", max_examples=25, deadline=None, suppress_health_check=_QUIET)
settings.register_profile("nightly", max_examples=2_000, deadline=None, suppress_health_check=_QUIET)
settings.register_profile("release", max_examples=20_000, deadline=None, suppress_health_check=_QUIET)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))
