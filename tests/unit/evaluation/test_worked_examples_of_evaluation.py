"""Worked examples E11.1 to E11.5 of the specification (tests/data/examples.json)."""

import numpy as np
import pytest
from tests.examples import EXAMPLES

from hornbeam.errors import HornbeamWarning
from hornbeam.evaluation import calibration, costs, roc, stratified_folds
from hornbeam.evaluation.confusion import binary_rates, confusion_from_counts
from hornbeam.evaluation.intervals import wilson


def example(name):
    return EXAMPLES[name]["input"], EXAMPLES[name]["expected"]


def test_e11_1_rates_and_wilson_intervals():
    given, expected = example("E11.1")
    table = confusion_from_counts([[given["TN"], given["FP"]], [given["FN"], given["TP"]]], ("well", "ill"))
    rates = binary_rates(table, "ill", prevalence=0.02)
    for name in ("sensitivity", "specificity", "ppv", "npv", "accuracy"):
        assert [rates[name].value, rates[name].low, rates[name].high] == pytest.approx(expected[name], abs=1e-9)
    for name in ("lr_plus", "lr_minus", "f1", "balanced_accuracy", "youden", "mcc", "kappa"):
        assert rates[name].value == pytest.approx(expected[name], abs=1e-9)
    assert rates["ppv_at_prevalence"].value == pytest.approx(expected["ppv_at_prevalence_2pct"], abs=1e-9)
    assert rates["npv_at_prevalence"].value == pytest.approx(expected["npv_at_prevalence_2pct"], abs=1e-9)
    assert [0.0, *wilson(0.0, 10)] == pytest.approx(expected["wilson_0_of_10"], abs=1e-9)
    assert [1.0, *wilson(1.0, 10)] == pytest.approx(expected["wilson_10_of_10"], abs=1e-9)


def test_e11_2_auc_with_delong():
    given, expected = example("E11.2")
    found = roc.paired_auc(given["y"], given["score1"], given["score2"])
    assert [found.first.value, found.second.value] == pytest.approx(expected["auc"], abs=1e-9)
    assert [found.first.variance, found.second.variance] == pytest.approx(expected["var"], abs=1e-9)
    assert [found.first.low, found.first.high] == pytest.approx(expected["ci95_1"], abs=1e-9)
    assert found.covariance == pytest.approx(expected["cov"], abs=1e-9)
    assert found.z == pytest.approx(expected["z"], abs=1e-9)
    assert found.p == pytest.approx(expected["p_two_sided"], abs=1e-9)


def test_e11_3_calibration():
    given, expected = example("E11.3")
    p, y = np.array(given["p"]), np.array(given["y"])
    assert calibration.brier(y, p).value == pytest.approx(expected["brier"], abs=1e-9)
    loss = calibration.log_loss(y, np.column_stack((1 - p, p)))
    assert loss.value == pytest.approx(expected["log_loss_nats"], abs=1e-9)
    assert calibration.ece(y, p, bins=5).value == pytest.approx(expected["ece5"], abs=1e-9)
    parts = calibration.brier_parts(y, p, bins=5)
    assert parts.reliability == pytest.approx(expected["reliability"], abs=1e-9)
    assert parts.resolution == pytest.approx(expected["resolution"], abs=1e-9)
    assert parts.uncertainty == pytest.approx(expected["uncertainty"], abs=1e-9)


def test_e11_4_costs():
    given, expected = example("E11.4")
    curve = costs.decision_curve(given["y"], given["p"], [0.3])
    assert curve.net_benefit[0] == pytest.approx(expected["net_benefit"], abs=1e-9)
    assert curve.treat_all[0] == pytest.approx(expected["net_benefit_all"], abs=1e-9)
    assert costs.normalized_cost(0.8, 0.2, 0.4) == pytest.approx(expected["normalised_expected_cost"], abs=1e-9)
    square = roc.RocCurve(np.array([np.inf, 1.0, 0.0]), np.array([0.0, 0.2, 1.0]), np.array([0.0, 0.8, 1.0]))
    found = costs.cost_curve(square, [0.4])
    assert found.costs[0] == pytest.approx(expected["normalised_expected_cost"], abs=1e-9)
    assert found.trivial[0] == pytest.approx(expected["trivial"], abs=1e-9)


def test_e11_5_stratified_folds():
    given, expected = example("E11.5")
    with pytest.warns(HornbeamWarning, match=r"fewer rows than the 3 folds: 2 \(1\)"):
        found = stratified_folds(given["y"], given["V"], given["seed"])
    assert found.tolist() == expected["fold"]
