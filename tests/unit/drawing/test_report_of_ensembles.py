"""The report of forests and boosted models: a surrogate tree with its fidelity, and the ensemble itself."""

from __future__ import annotations

import re

import numpy as np
import pytest
from tests.unit.drawing.test_report import declared, values_of
from tests.unit.drawing.trees import numbers_table

import hornbeam as hb
from hornbeam.drawing import report
from hornbeam.drawing.report.ensemble import fidelity, imitate
from hornbeam.errors import InputError


@pytest.fixture(scope="module")
def prostate():
    table = hb.datasets.load("prostate")
    rows = np.arange(len(table))
    return table.take(rows[rows % 3 > 0]), table.take(rows[rows % 3 == 0])


@pytest.fixture(scope="module", params=["forest", "boosting"])
def model(request, prostate):
    return hb.grow(prostate[0], request.param)


def test_the_tree_of_the_page_is_a_surrogate_and_its_fidelity_is_stated(model, prostate):
    training, test = prostate
    found = values_of(report(model, training, test).html)
    surrogate = imitate(model, training, test)
    assert len(found["nodes"]["first"]) == len(surrogate.tree)
    agreed = np.mean(hb.predict(surrogate.tree, test).codes == hb.predict(model, test).codes)
    assert f"{100 * agreed:.1f}% of 134 test rows" in found["ensemble"]["fidelity"]
    assert agreed > 0.8
    assert found["ensemble"]["fidelity"] == fidelity(surrogate)
    assert set(found["ensemble"]) == declared("EnsembleValues")
    assert set(found) == declared("ReportValues")


def test_metrics_are_those_of_the_ensemble(model, prostate):
    training, test = prostate
    found = values_of(report(model, training, test).html)
    right = np.mean(hb.predict(model, test).codes == test.target.values)
    assert found["scores"]["headline"][:2] == ["accuracy", f"{100 * right:.1f}%"]
    assert "positive: cancer (the rarer class)" in found["scores"]["tables"][0]["caption"]


def test_errors_by_group_add_up_to_all_rows(model, prostate):
    training, test = prostate
    groups = values_of(report(model, training, test).html)["ensemble"]["groups"]
    assert len(groups) == 4
    for group in groups:
        assert sum(int(row[1]) for row in group["rows"]) == len(test)


def test_dependence_contributions_and_calibration_are_included(model, prostate):
    training, test = prostate
    found = values_of(report(model, training, test).html)["ensemble"]
    assert found["dependence"][0]["column"] == "PSA density"
    assert found["contributions"][0][1] >= found["contributions"][-1][1] > 0
    assert all(0 <= low <= observed <= high <= 1 for _, observed, low, high in found["calibration"])
    assert len(found["trees"]) == 3


def test_a_regression_forest_and_hidden_counts():
    table = numbers_table()
    model = hb.grow(table, "forest")
    found = values_of(report(model, table, min_count=5).html)["ensemble"]
    assert found["fidelity"].startswith("The tree explains ")
    assert found["calibration"] == []
    assert "rows" not in found["groups"][0]["head"]
    sizes = [int(n) for each in found["trees"] for n in re.findall(r"\((\d+) ", each["code"])]
    assert {n % 5 for n in sizes} == {0}


def test_the_report_of_an_ensemble_needs_its_training_rows(model):
    with pytest.raises(InputError, match="The report of an ensemble needs its training rows"):
        report(model)
