"""The comparison of builds of hornbeam: the installed one against itself, and a folder without a build."""

import os
import re
import sys
from pathlib import Path
from types import SimpleNamespace

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
    found = builds.compare("hornbeam", workload, folder, [dict(os.environ)] * 3, turns=3)
    assert all(0.1 < ratio < 10 for ratio in (*found.processor, *found.elapsed))
    assert re.fullmatch(r"best \d+\.\d{3} s; \d+\.\d{3} \(\d+\.\d{3}\), \d+\.\d{3} \(\d+\.\d{3}\)", str(found))


class Timed:
    """A worker that takes as long as its environment sets: processor time, and twice that of elapsed time."""

    def __init__(self, command, environment, log):
        self.times = environment["times"]

    def reply(self, limit):
        return {"ok": True}

    def turn(self, limit):
        cpu = self.times.pop(0)
        return {"ok": True, "cpu": cpu, "seconds": 2 * cpu}

    def end(self):
        pass


def test_ratios_are_medians_of_turns_next_to_each_other(builds, monkeypatch):
    from benchmarks.workloads import GROUPS

    monkeypatch.setattr(builds.race, "Worker", Timed)
    (workload,) = GROUPS["small"]("tiny")
    times = [{"times": [2.0, 4.0, 1.0]}, {"times": [1.0, 4.0, 3.0]}]
    # 1 / 2, 4 / 4, 3 / 1: the middle one; a slow minute falls on both
    found = builds.compare("hornbeam", workload, Path(), times, turns=3)
    assert found == builds.Ratios(1.0, [1.0], [1.0])
    assert not found.is_slower


@pytest.mark.parametrize(("again", "end"), [((1.0, 1.0), "1.000 (1.000)"), ((1.0, 1.2), "1.200 (1.200); slower")])
def test_what_is_slower_runs_again(builds, monkeypatch, again, end):
    from benchmarks.workloads import GROUPS

    times = {Path("a"): [1.0, again[0]], Path("b"): [1.1, again[1]]}
    monkeypatch.setattr(builds.race, "Worker", Timed)
    monkeypatch.setattr(builds, "environment_of", lambda folder, threads: {"times": times[folder]})
    (workload,) = GROUPS["small"]("tiny")
    options = SimpleNamespace(folders=list(times), turns=1, repeat=True)
    line = builds.line_of("hornbeam", workload, Path(), options, threads=2)
    assert line == f"hornbeam, iris, 2 threads: best 1.000 s; 1.100 (1.100); again best 1.000 s; {end}"


def test_a_folder_whose_build_is_not_what_is_imported_is_refused(builds, tmp_path):
    with pytest.raises(SystemExit, match=r"no module is built in src/|is imported instead"):
        builds.environment_of(tmp_path)
