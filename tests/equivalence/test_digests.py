"""Every recipe grows the recorded trees on twelve tables, with one thread and with two."""

import json
import platform
import sys

import pytest
from tests.equivalence.digests import RECORD, digests, tables

RECORDED_HERE = sys.platform == "linux" and platform.machine() == "x86_64"


@pytest.mark.skipif(not RECORDED_HERE, reason="the digests were recorded on Linux, x86-64")
@pytest.mark.parametrize("threads", [1, 2])
def test_every_recipe_grows_the_recorded_trees(threads):
    recorded, found = json.loads(RECORD.read_text("utf-8")), digests(threads)
    assert sorted(found) == sorted(recorded)
    assert {name: found[name] for name in found if found[name] != recorded[name]} == {}


def test_there_are_twelve_tables():
    assert len(tables()) == 12
