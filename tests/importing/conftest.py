"""The other programs run on one thread: their threads wait busily on a machine that runs tests in parallel."""

from __future__ import annotations

import pytest
from threadpoolctl import threadpool_limits


@pytest.fixture(autouse=True)
def one_thread():
    with threadpool_limits(limits=1):
        yield
