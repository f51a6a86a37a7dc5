"""A cluster of three worker processes, started when a test needs it."""

from __future__ import annotations

import contextlib
import warnings

import pytest
from tests.unit.scale.cluster_data import SMALL_NODE, await_workers, left_behind, started_cluster, write

import hornbeam as hb
from hornbeam.tree.file.files import to_bytes


@pytest.fixture(scope="session")
def client():
    """A client of the cluster."""
    with contextlib.ExitStack() as stack:
        yield stack.enter_context(started_cluster())
        with warnings.catch_warnings():  # of the libraries of the cluster
            warnings.simplefilter("ignore")
            stack.close()


@pytest.fixture
def several_levels(monkeypatch):
    """Small nodes are not finished at once, so that trees of few rows need many rounds."""
    monkeypatch.setattr("hornbeam.scale.grow._SMALL_NODE", SMALL_NODE)


@pytest.fixture
def clean(client, several_levels):
    """The client with three workers, which have no bins in the end."""
    await_workers(client)
    yield client
    await_workers(client, 1)
    assert left_behind(client) == []


@pytest.fixture(scope="session")
def on_one_machine(tmp_path_factory):
    """The bytes of the tree that this machine grows from files, and the lines of its progress."""
    lines = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hornbeam.scale.grow._SMALL_NODE", SMALL_NODE)
        tree = hb.grow(write(tmp_path_factory.mktemp("local") / "data", 3), memory="100MB", progress=lines.append)
    return to_bytes(tree), lines


@pytest.fixture
def expected(on_one_machine):
    """The bytes of the tree that this machine grows."""
    return on_one_machine[0]
