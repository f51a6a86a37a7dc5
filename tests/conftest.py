"""Hypothesis profiles, chosen by the variable HYPOTHESIS_PROFILE.

`fast`, the default, tries the same examples in every run, with and without CI in the environment, and keeps no database:
`make test` gives the same result every time. `short` does the same with fewer examples, for the sanitizers. `nightly` and
`release` search at random; `HYPOTHESIS_SEED` repeats a run.
"""

import os

import hypothesis
from hypothesis import HealthCheck, settings

_QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
_FIXED = {"deadline": None, "suppress_health_check": _QUIET, "database": None, "derandomize": True}
_RANDOM = {
    "deadline": None,
    "suppress_health_check": _QUIET,
    "database": None,
    "derandomize": False,
    "print_blob": True,
}
settings.register_profile("fast", max_examples=100, **_FIXED)
settings.register_profile("short", max_examples=25, **_FIXED)
settings.register_profile("nightly", max_examples=2_000, **_RANDOM)
settings.register_profile("release", max_examples=20_000, **_RANDOM)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))


def pytest_configure(config):
    """Take the seed of random profiles from the environment."""
    seed = os.environ.get("HYPOTHESIS_SEED")
    if seed is not None:
        hypothesis.core.global_force_seed = int(seed)
