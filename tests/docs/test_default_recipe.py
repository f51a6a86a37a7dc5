"""The decision on the default recipe shows the recorded results, and they have the quality that it claims."""

import json
from pathlib import Path

import numpy as np
import pytest
from benchmarks.default_recipe import SETS, table
from benchmarks.quality_sets import half_of

ROOT = Path(__file__).parents[2]
RECORDED = json.loads((ROOT / "benchmarks" / "results" / "2026-11-17-default_recipe.json").read_text("utf-8"))
REPORTED = [name for name in SETS["class"] if half_of(name) == "report"]


@pytest.mark.parametrize("half", ["choose", "report"])
@pytest.mark.parametrize("target", ["class", "number"])
def test_the_decision_shows_the_recorded_results(target, half):
    decision = (ROOT / "docs" / "decisions" / "0009-default-recipe.md").read_text("utf-8")
    assert table(RECORDED, target, half) in decision


def mean(recipe: str, metric: str) -> float:
    return float(np.mean([RECORDED[recipe][name][metric] for name in REPORTED]))


@pytest.mark.parametrize("other", ["plain", "cart", "c45", "ctree"])
def test_the_default_is_better_than_the_other_recipes_on_the_reported_half(other):
    assert mean("default", "accuracy") > mean(other, "accuracy")
    assert mean("default", "log loss") < min(mean(other, "log loss"), mean(other, "laplace"))


def test_the_default_has_no_more_leaves_than_c45():
    leaves = {
        recipe: np.median([RECORDED[recipe][name]["leaves"] for name in REPORTED]) for recipe in ("default", "c45")
    }
    assert leaves["default"] <= leaves["c45"]
