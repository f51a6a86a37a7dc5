"""One browser for all tests of a file."""

from __future__ import annotations

import pytest
from tests.report.chromium import Browser


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    try:
        found = Browser(tmp_path_factory.mktemp("profile"))
    except (OSError, TimeoutError) as error:
        pytest.skip(f"Chromium does not start here: {error}")
    yield found
    found.close()
