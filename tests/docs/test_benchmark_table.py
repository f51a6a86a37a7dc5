"""The benchmark tables of README and docs equal what the script generates from the recorded results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchmarks import readme_table

ROOT = Path(__file__).resolve().parents[2]
GENERATED = {"short": readme_table.short, "long": readme_table.long}
LABELS = {group: label for group, label, _ in reversed(readme_table.SELECTED)}  # the first of every group


def report(group, best, threads=1, *, size="full", date="2026-01-02", cores=1.0, question="Speed."):
    """A run of one workload with the times of scikit-learn, snapml and hornbeam, in this order."""
    names = (("scikit-learn", "sklearn"), ("snapml", "snapml"), ("hornbeam", "hornbeam"), ("hornbeam grow", "hornbeam"))
    results = [
        {"contender": name, "library": library, "times": [time] if time else [], "best": time, "quality": 0.9}
        for (name, library), time in zip(names, best, strict=False)
    ]
    label = LABELS.get(group, "1,000 x 4")
    cell = {"workload": {"label": label}, "threads": threads, "reference": "scikit-learn", "results": results}
    return {
        "group": group,
        "question": question,
        "size": size,
        "date": date,
        "cells": [cell],
        "machine": {"processor": "Abacus", "cores": 2, "python": "3.12"},
        "versions": {"sklearn": "scikit-learn 1.6", "snapml": "snapml 1.17", "xgboost": "xgboost 3"},
        "cores_got": {str(threads): cores},
    }


@pytest.mark.parametrize(("page", "form"), readme_table.PAGES.items())
def test_a_page_shows_the_table_of_the_recorded_results(page, form):
    text = (ROOT / page).read_text("utf-8")
    assert readme_table.filled(text, GENERATED[form](readme_table.recorded(readme_table.RESULTS))) == text


def test_a_line_is_the_time_of_the_other_library_divided_by_that_of_hornbeam():
    table = readme_table.short([report("exact", (6.0, 2.0, 1.5)), report("small", (6.0, 1.0, 2.0, 0.5))])
    # 6 / 1.5 and 2 / 1.5; then 6 / 2 and 1 / 2: `hornbeam grow` starts from a finished table, so it does not count
    assert "| Exact tree, 100,000 x 10, two classes | 4.00 | 1.33 (snapml) | 0.9000 / 0.9000 |" in table
    assert "| Exact tree, iris | 3.00 | 0.50 (snapml) | 0.9000 / 0.9000 |" in table


def test_the_readme_shows_no_estimated_time():
    run = report("exact", (61234.0, None, 1.5))
    peer = run["cells"][0]["results"][0]
    peer["contender"] = run["cells"][0]["reference"] = "scikit-learn pruned"
    table = readme_table.short([run, report("small", (6.0, 1.0, 2.0))])
    assert "Exact tree, iris" in table
    assert "two classes" not in table
    assert "Estimated from a part of the work: scikit-learn pruned: cross_val_score was run for 5 alphas" in (
        readme_table.long([run])
    )


def test_every_selected_workload_is_recorded_and_there_are_at_most_twelve():
    lines = readme_table.short(readme_table.recorded(readme_table.RESULTS)).splitlines()
    shown = [line.split(" | ")[0].removeprefix("| ") for line in lines[2:] if line.startswith("| ")]
    assert shown == [text for _, _, text in readme_table.SELECTED]
    assert len(shown) <= readme_table.MOST_ROWS


def test_the_selection_includes_all_slower_workloads_and_the_largest_deficit_in_quality():
    chosen = {(group, label) for group, label, _ in readme_table.SELECTED}
    deficits = {}
    for run in readme_table.recorded(readme_table.RESULTS):
        for cell in run["cells"]:
            ours, peer = readme_table._ours(cell), readme_table.table.fastest_peer(cell)
            if cell["threads"] == 1 and peer is not None:
                name = (run["group"], cell["workload"]["label"])
                assert name in chosen or ours["best"] < peer["best"], name
                deficits[name] = peer["quality"] - ours["quality"]
    assert max(deficits, key=deficits.get) in chosen


def test_a_workload_without_a_result_is_not_shown():
    assert readme_table.short([report("exact", (6.0, 2.0, None))]) == readme_table.NOTHING


def test_the_newest_full_run_of_a_group_counts(tmp_path):
    old, new = report("exact", (6.0, 2.0, 2.0)), report("exact", (6.0, 2.0, 1.0), date="2026-01-03")
    quick = report("exact", (6.0, 2.0, 0.1), size="quick", date="2026-01-04")
    for name, run in (("2026-01-02-exact", old), ("2026-01-03-exact", new), ("2026-01-04-exact-quick", quick)):
        (tmp_path / f"{name}.json").write_text(json.dumps(run))
    assert [run["date"] for run in readme_table.recorded(tmp_path)] == ["2026-01-03"]


def test_the_labels_of_older_runs_are_the_present_ones(tmp_path):
    run = report("predict", (6.0, 2.0, 1.0))
    run["cells"][0]["workload"]["label"] = "100 x 2, one tree of full depth, 1,000 rows asked"
    (tmp_path / "2026-01-02-predict.json").write_text(json.dumps(run))
    label = readme_table.recorded(tmp_path)[0]["cells"][0]["workload"]["label"]
    assert label == "100 x 2, one tree of full depth, predicting 1,000 rows"


def test_a_run_on_a_busy_machine_is_named_and_not_shown():
    quiet, busy = report("exact", (6.0, 2.0, 1.0)), report("small", (6.0, 2.0, 1.0), cores=0.5)
    assert "iris" not in readme_table.short([quiet, busy])
    assert "Not shown because other programs used the machine: small." in readme_table.long([quiet, busy])
    assert readme_table.short([busy]) == readme_table.long([]) == readme_table.NOTHING


def test_the_long_page_has_one_table_per_group():
    text = readme_table.long([report("depth", (6.0, 2.0, 1.5), question="One exact tree.")])
    assert text.startswith("### One exact tree\n\n| workload | threads | library |")
    assert "| 1,000 x 4 | 1 | hornbeam | 1.5 s | 4.00 | 1.33 (snapml) | 0.9000 | 0.9000 |" in text
    assert "it is the fastest in 1 of 1 cells." in text
    assert "scikit-learn 1.6; snapml 1.17." in text
