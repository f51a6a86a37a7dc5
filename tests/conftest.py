"""Hypothesis profiles: `fast` for every day; by HYPOTHESIS_PROFILE `short` (sanitizers), `nightly` and `release`.

`fast` and `short` try the same examples in every run, also where CI is set in the environment, and keep no database.
`nightly` and `release` try random ones and print how to repeat a failure; HYPOTHESIS_SEED chooses them.
"""

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

_COMMON = {
    "deadline": None,
    "database": None,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
}
_SAME = {**_COMMON, "derandomize": True, "print_blob": False}
_RANDOM = {**_COMMON, "derandomize": False, "print_blob": True}
settings.register_profile("fast", max_examples=100, **_SAME)
settings.register_profile("short", max_examples=25, **_SAME)
settings.register_profile("nightly", max_examples=2_000, **_RANDOM)
settings.register_profile("release", max_examples=20_000, **_RANDOM)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))


@pytest.fixture(scope="session", autouse=True)
def state_folder(tmp_path_factory):
    """The state folder of the user is a temporary one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Take --hypothesis-seed from HYPOTHESIS_SEED; make Ctrl-C work in this process and its children.

    A shell starts background jobs with SIGINT ignored, and children inherit that: tests that press Ctrl-C would wait
    forever.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    seed = os.environ.get("HYPOTHESIS_SEED")
    if seed and config.getoption("--hypothesis-seed") is None:
        config.option.hypothesis_seed = seed
