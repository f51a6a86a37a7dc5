"""The comparison of builds of hornbeam: the installed one against itself, and a folder without a build."""

import os
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def builds(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    from benchmarks import builds

    monkeypatch.setattr(builds, "PYTHON", sys.executable)
    return builds


def test_a_build_takes_turns_with_itself(builds, tmp_path):
    from benchmarks import data
    from benchmarks.workloads import GROUPS

    (workload,) = GROUPS["small"]("tiny")
    folder = data.make(tmp_path, **workload.data)
    line = builds.compare("hornbeam", workload, folder, [dict(os.environ)] * 3, turns=3)
    found = re.fullmatch(r"hornbeam, iris: best (\d+\.\d{3}) s; (\d+\.\d{3}), (\d+\.\d{3})", line)
    assert found, line
    assert all(0.1 < float(ratio) < 10 for ratio in found.groups()[1:])


def test_ratios_are_medians_of_turns_next_to_each_other(builds, monkeypatch):
    from benchmarks.workloads import GROUPS

    class Timed:
        """Takes as long as its environment sets."""

        def __init__(self, command, environment, log):
            self.times = list(environment["times"])

        def reply(self, limit):
            return {"ok": True}

        def turn(self, limit):
            return {"ok": True, "seconds": self.times.pop(0)}

        def end(self):
            assert not self.times

    monkeypatch.setattr(builds.race, "Worker", Timed)
    (workload,) = GROUPS["small"]("tiny")
    times = [{"times": (2.0, 4.0, 1.0)}, {"times": (1.0, 4.0, 3.0)}]
    # 1 / 2, 4 / 4, 3 / 1: the middle one; a slow minute falls on both
    assert builds.compare("hornbeam", workload, Path(), times, turns=3) == "hornbeam, iris: best 1.000 s; 1.000"


def test_a_folder_whose_build_is_not_what_is_imported_is_refused(builds, tmp_path):
    with pytest.raises(SystemExit, match=r"no module is built in src/|is imported instead"):
        builds.environment_of(tmp_path)
