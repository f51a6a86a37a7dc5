"""Do README and docs say what was measured?  Their tables are made by a script from the recorded results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchmarks import readme_table

ROOT = Path(__file__).resolve().parents[2]
MADE = {"short": readme_table.short, "long": readme_table.long}


def report(group, best, threads=1, *, size="full", date="2026-01-02", cores=1.0, question="How fast?"):
    """A run of one workload: what scikit-learn, snapml and hornbeam took, in this order."""
    names = (("scikit-learn", "sklearn"), ("snapml", "snapml"), ("hornbeam", "hornbeam"), ("hornbeam grow", "hornbeam"))
    results = [
        {"contender": name, "library": library, "times": [time] if time else [], "best": time, "quality": 0.9}
        for (name, library), time in zip(names, best, strict=False)
    ]
    cell = {"workload": {"label": "1,000 x 4"}, "threads": threads, "reference": "scikit-learn", "results": results}
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


@pytest.mark.parametrize(("page", "how"), readme_table.PAGES.items())
def test_a_page_shows_what_the_script_makes_of_the_recorded_results(page, how):
    text = (ROOT / page).read_text("utf-8")
    assert readme_table.filled(text, MADE[how](readme_table.recorded(readme_table.RESULTS))) == text


def test_a_line_is_the_others_time_over_ours_and_says_where_we_lose():
    made = readme_table.short([report("exact", (6.0, 2.0, 1.5)), report("small", (6.0, 1.0, 2.0, 0.5))])
    # 6 / 1.5 and 2 / 1.5; then 6 / 2 and 1 / 2: `hornbeam grow` starts from a table already read, so it does not count
    assert "| exact: 1,000 x 4 | 4.00 | 1.33 (snapml) | 0.9000 / 0.9000 |" in made
    assert "| small: 1,000 x 4 | 3.00 | 0.50 (snapml) | 0.9000 / 0.9000 |" in made
    assert "the fastest in 1 of 2 cells" in made
    assert "scikit-learn 1.6; snapml 1.17." in made


def test_a_time_that_was_not_measured_completely_is_marked_as_estimated():
    run = report("prune", (61234.0, None, 1.5))
    peer = run["cells"][0]["results"][0]
    peer["contender"] = run["cells"][0]["reference"] = "scikit-learn pruned"
    made = readme_table.short([run])
    assert "| prune: 1,000 x 4 | about 41,000, estimated | about 41,000, estimated (scikit-learn pruned) |" in made
    assert "Estimated from a part of the work: scikit-learn pruned: cross_val_score was run for 5 alphas" in made
    assert "estimated" not in readme_table.short([report("exact", (6.0, 2.0, 1.5))]).lower()


def test_threads_stand_side_by_side_and_a_failure_is_said():
    two = report("exact", (6.0, 2.0, None), threads=2, cores=2.0)
    run = report("exact", (6.0, 2.0, 1.0))
    run["cells"] += two["cells"]
    made = readme_table.short([run])
    assert "| exact: 1,000 x 4 | 6.00 | 2.00 (snapml) | no result |  | 0.9000 / 0.9000 |" in made


def test_the_newest_full_run_of_a_group_counts(tmp_path):
    old, new = report("exact", (6.0, 2.0, 2.0)), report("exact", (6.0, 2.0, 1.0), date="2026-01-03")
    quick = report("exact", (6.0, 2.0, 0.1), size="quick", date="2026-01-04")
    for name, run in (("2026-01-02-exact", old), ("2026-01-03-exact", new), ("2026-01-04-exact-quick", quick)):
        (tmp_path / f"{name}.json").write_text(json.dumps(run))
    assert readme_table.recorded(tmp_path) == [new]


def test_a_run_on_a_busy_machine_is_named_and_not_shown():
    quiet, busy = report("exact", (6.0, 2.0, 1.0)), report("depth", (6.0, 2.0, 1.0), cores=0.5)
    made = readme_table.short([quiet, busy])
    assert "Not shown because other programs used the machine: depth." in made
    assert "| depth" not in made
    assert readme_table.short([busy]) == readme_table.long([]) == readme_table.NOTHING


def test_the_long_page_has_a_table_a_group():
    made = readme_table.long([report("exact", (6.0, 2.0, 1.5), question="One exact tree.")])
    assert made.startswith("### One exact tree\n\n| workload | threads | library |")
    assert "| 1,000 x 4 | 1 | hornbeam | 1.5 s | 4.00 | 1.33 (snapml) | 0.9000 | 0.9000 |" in made
