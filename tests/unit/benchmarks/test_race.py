"""The benchmark harness measures correctly: known times, the same data twice, one tiny race end to end."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    from benchmarks import data, table, workloads

    return {"data": data, "table": table, "workloads": workloads}


def result(name, library, best, **more):
    return {"contender": name, "library": library, "times": [best], "cpu": [best], "best": best, "median": best, **more}


def cell(rows, *results):
    workload = {"label": f"{rows} rows", "series": True}
    about = {"rows": rows, "columns": 10, "classes": 2}
    return {"workload": workload, "threads": 1, "data": about, "reference": "scikit-learn", "results": list(results)}


def test_ratios_are_the_others_time_over_ours(bench):
    found = cell(
        1000,
        result("hornbeam", "hornbeam", 0.5, quality=0.9),
        result("scikit-learn", "sklearn", 6.0, quality=0.8),
        result("snapml", "snapml", 2.0, quality=0.7),
    )
    # 6.0 / 0.5 and 2.0 / 0.5, by hand
    expected = "| 1000 rows | 1 | hornbeam | 500 ms | 12.00 | 4.00 (snapml) | 0.9000 | 0.7000 |"
    assert bench["table"].summary([found])[-1] == expected


def test_a_contender_without_a_time_is_shown_with_its_reason(bench):
    failed = {"contender": "hornbeam", "library": "hornbeam", "times": [], "cpu": [], "error": "out of memory"}
    found = cell(1000, failed, result("scikit-learn", "sklearn", 6.0))
    assert "| 1000 rows | 1 | hornbeam | no result | | | | |" in bench["table"].summary([found])
    assert "- hornbeam: out of memory" in bench["table"].details(found)


def test_a_time_that_grows_as_n_log_n_shows_as_one_all_along(bench):
    cells = [cell(n, result("scikit-learn", "sklearn", 1e-7 * n * np.log(n))) for n in (1_000, 10_000, 100_000)]
    last_columns = [row.split("|")[-2].strip() for row in bench["table"].growth(cells)[2:]]
    assert last_columns == ["1.00", "1.00"]


@pytest.mark.parametrize(("value", "words"), [(12.345, "12.3 s"), (0.0123, "12.3 ms"), (4.5e-5, "45 us")])
def test_times_carry_a_unit_that_suits_them(bench, value, words):
    assert bench["table"].seconds(value) == words


@pytest.mark.parametrize("generator", ["numbers", "cover_type", "categories"])
def test_the_same_settings_make_the_same_data(bench, tmp_path, generator):
    settings = {"numbers": {"columns": 5, "grain": "mixed"}, "cover_type": {}, "categories": {"levels": 7}}[generator]
    first, second = (bench["data"].make(tmp_path / part, generator, rows=800, **settings) for part in ("a", "b"))
    for name in ("X", "y", "Xt", "yt"):
        np.testing.assert_array_equal(np.load(first / f"{name}.npy"), np.load(second / f"{name}.npy"))


def test_every_group_has_workloads_whose_family_has_a_reference(bench):
    from benchmarks.contenders import CONTENDERS, REFERENCES

    for group in bench["workloads"].GROUPS.values():
        for size in ("tiny", "quick", "full"):
            for workload in group(size):
                reference = CONTENDERS[REFERENCES[workload.family]]
                assert reference.enters(workload.family, workload.criterion, workload.data.get("classes", 2))


def test_without_rscript_no_package_of_r_is_found(bench, monkeypatch, tmp_path):
    from benchmarks import machine

    monkeypatch.setenv("PATH", str(tmp_path))
    assert machine.r_versions(["ranger"]) == {}


def test_a_package_that_r_does_not_have_is_not_found(bench):
    from benchmarks import machine

    assert machine.r_versions(["no.such.package"]) == {}


@pytest.mark.parametrize(("name", "family"), [("ranger", "forest"), ("ranger extra trees", "extra_trees")])
@pytest.mark.parametrize("classes", [0, 2, 7])
def test_ranger_grows_to_full_depth_and_answers_in_our_codes(bench, tmp_path, name, family, classes):
    from benchmarks import machine
    from benchmarks.contenders import CONTENDERS

    if "ranger" not in machine.r_versions(["ranger"]):
        pytest.skip("R has no ranger here")
    folder = bench["data"].make(tmp_path, "numbers", rows=400, columns=4, classes=classes)
    data = bench["data"].Data(folder)
    data.Xt = data.X  # rows it has seen: full depth knows nearly all of them
    task = {"depth": None, "criterion": "gini" if classes else "squared_error", "trees": 30}
    contender = CONTENDERS[name](data, task, threads=1)
    assert contender.enters(family, task["criterion"], classes)
    contender.inputs()
    contender.fit()
    answers, nodes = contender.predict(), contender.nodes()
    contender.close()
    assert contender.r.returncode == 0  # R ends when its input does
    assert contender.counted > 0
    assert nodes > 30 * 50  # 30 trees, each of many more nodes than a stump's three
    if classes:
        assert np.mean(answers == data.y) > 0.98
    else:
        assert np.corrcoef(answers, data.y)[0, 1] > 0.95


def test_snapml_on_bins_declines_forests_of_several_classes(bench):
    from benchmarks.contenders import CONTENDERS

    entered = {k: CONTENDERS["snapml forest 256 bins"].enters("forest", "gini", k) for k in (0, 2, 7)}
    assert entered == {0: True, 2: True, 7: False}
    assert CONTENDERS["snapml forest"].enters("forest", "gini", 7)


def test_a_tiny_race_writes_times_quality_and_versions(tmp_path):
    words = ["--tiny", "--only", "small", "--threads", "1", "--peers", "sklearn"]
    folders = ["--results", str(tmp_path / "results"), "--data", str(tmp_path / "data")]
    environment = {**os.environ, "HORNBEAM_PYTHON": sys.executable}
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks.race", *words, *folders],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    (path,) = (tmp_path / "results").glob("*-small-tiny.json")
    report = json.loads(path.read_text())
    by_name = {r["contender"]: r for r in report["cells"][0]["results"]}
    assert by_name["scikit-learn"]["best"] > 0
    assert by_name["scikit-learn"]["quality"] > 0.9  # iris: any sound tree
    assert report["versions"]["sklearn"].startswith("scikit-learn ")
    # hornbeam either has a time or gives the reason, and the exit code shows which
    ours = [r for r in by_name.values() if r["library"] == "hornbeam"]
    assert all(r["times"] or r["error"] for r in ours)
    assert run.returncode == int(not all(r["times"] for r in ours))
    assert path.with_suffix(".md").exists()
