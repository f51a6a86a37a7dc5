"""Calibration, recalibration, leaf probabilities, costs and decision curves."""

import math

import numpy as np
import pytest

from hornbeam.errors import InputError, OptionError
from hornbeam.evaluation import calibration, costs, recalibration, roc
from hornbeam.evaluation.confusion import confusion_from_counts


def made(seed=0, n=4000):
    random = np.random.default_rng(seed)
    p = random.uniform(0.02, 0.98, n)
    return random.random(n) < p, p


def test_calibrated_probabilities_have_slope_1_and_intercept_0():
    truth, p = made()
    found = calibration.calibration_line(truth, p)
    assert found["calibration_slope"].low < 1 < found["calibration_slope"].high
    assert found["calibration_intercept"].low < 0 < found["calibration_intercept"].high
    assert found["calibration_in_the_large"].value == pytest.approx(0, abs=0.15)


def test_probabilities_made_twice_as_extreme_have_half_the_slope():
    truth, p = made()
    odds = (p / (1 - p)) ** 2
    honest = calibration.calibration_line(truth, p)["calibration_slope"].value
    extreme = calibration.calibration_line(truth, odds / (1 + odds))["calibration_slope"].value
    assert extreme == pytest.approx(honest / 2, rel=1e-6)


@pytest.mark.parametrize(
    ("truth", "p", "reason"),
    [
        ([1, 1], [0.2, 0.3], "one class only"),
        ([0, 1, 0], [0.2, 0.2, 0.2], "same probability"),
        ([0, 0, 1], [0.1, 0.2, 0.3], "separate the classes"),
        ([0, 0, 1], [0.1, 0.2, 0.2], "separate the classes"),
    ],
)
def test_slope_is_undefined_where_none_is_best(truth, p, reason):
    found = calibration.calibration_line(truth, p)["calibration_slope"]
    assert found.value is None
    assert reason in found.reason


def test_pure_leaves_do_not_break_the_line():
    found = calibration.calibration_line([0, 1, 0, 1, 1, 0], [0, 1, 0, 1, 0, 1])
    assert math.isfinite(found["calibration_slope"].value)


def test_log_loss_clips_certainty():
    # -ln(1e-15), once in two rows
    found = calibration.log_loss(np.array([0, 1]), [[1.0, 0.0], [1.0, 0.0]])
    assert found.value == pytest.approx(-math.log(1e-15) / 2, rel=1e-12)


def test_brier_of_two_classes_summed_is_twice_the_binary_one():
    truth, p = made(n=50)
    both = calibration.brier_of_classes(truth.astype(int), np.column_stack((1 - p, p)))
    assert both.value == pytest.approx(2 * calibration.brier(truth, p).value)


def test_the_last_bin_contains_certainty_and_empty_bins_are_excluded():
    curve = calibration.reliability_curve([1, 1, 0], [1.0, 0.95, 0.1], bins=10)
    assert [(each.low_edge, each.weight) for each in curve] == [(pytest.approx(0.1), 1), (pytest.approx(0.9), 2)]
    assert all(each.low <= each.positive <= each.high for each in curve)


def test_bins_may_be_edges():
    curve = calibration.reliability_curve([1, 0, 1], [0.05, 0.1, 1.0], bins=[0, 0.1, 1])
    assert [each.weight for each in curve] == [1, 2]


@pytest.mark.parametrize("bins", [0, -1, 2.5, [0.1, 1], [0, 0.5, 0.5, 1], "ten", True])
def test_bad_bins_are_rejected(bins):
    with pytest.raises(OptionError, match="bins must be"):
        calibration.ece([0, 1], [0.1, 0.9], bins)


def test_hosmer_lemeshow_accepts_calibrated_and_rejects_distorted_probabilities():
    truth, p = made()
    assert calibration.hosmer_lemeshow(truth, p, is_held_out=True).p > 0.001
    assert calibration.hosmer_lemeshow(truth, p**2, is_held_out=True).p < 1e-6
    assert calibration.hosmer_lemeshow(truth, p).degrees == 8


def test_hosmer_lemeshow_by_hand():
    # Two groups of two: observed 1 and 1, expected 0.3 and 1.5; (0.7²)/(0.3·0.85) + (0.5²)/(1.5·0.25)
    found = calibration.hosmer_lemeshow([0, 1, 1, 0], [0.1, 0.2, 0.7, 0.8], groups=2)
    assert found.statistic == pytest.approx(0.49 / (0.3 * 0.85) + 0.25 / (1.5 * 0.25))
    assert found.p is None
    assert "degree of freedom" in found.reason
    assert calibration.hosmer_lemeshow([0, 1, 1], [0.0, 0.0, 0.5]).statistic is None


def test_pooling_by_hand():
    found = recalibration.pool_adjacent_violators(
        np.array([1.0, 3.0, 2.0, 2.0, 5.0]), np.array([1.0, 1.0, 1.0, 2.0, 1.0])
    )
    assert found == pytest.approx([1, 9 / 4, 9 / 4, 9 / 4, 5])


@pytest.mark.parametrize("learn", [recalibration.isotonic, recalibration.platt])
def test_a_map_learned_elsewhere_recalibrates_distorted_probabilities(learn):
    truth, p = made(1)
    test_truth, test_probabilities = made(2)
    recalibrated = learn(truth, p**2).apply(test_probabilities**2)
    assert (
        calibration.ece(test_truth, recalibrated).value < 0.5 * calibration.ece(test_truth, test_probabilities**2).value
    )


def test_platt_targets_are_smoothed_so_that_separated_rows_stay_finite():
    found = recalibration.platt([0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9])
    # The best map of smoothed targets has the mean of the targets: Σ q = Σ t = 2·(3/4) + 2·(1/4)
    assert found.apply([0.1, 0.2, 0.8, 0.9]).sum() == pytest.approx(2.0)
    assert math.isfinite(found.slope)
    assert recalibration.platt([0, 1, 1], [0.4] * 3).apply([0.9])[0] == pytest.approx((1 / 3 + 2 * 0.75) / 3)


def test_recalibrated_rows_add_up_to_1():
    zero = recalibration.Isotonic(np.array([0.0, 1.0]), np.array([0.0, 0.0]))
    even = recalibration.recalibrate([[0.3, 0.7]], [zero, zero])
    assert even.tolist() == [[0.5, 0.5]]
    line = recalibration.Platt(0.3, 0.5)
    assert recalibration.recalibrate([[0.3, 0.7], [1, 0]], [line, line]).sum(axis=1) == pytest.approx([1, 1])


@pytest.mark.parametrize("learn", [recalibration.isotonic, recalibration.platt])
def test_recalibration_needs_both_classes(learn):
    with pytest.raises(InputError, match="rows of both classes, got 2 positive of 2"):
        learn([1, 1], [0.2, 0.3])


def test_threshold_by_cost_is_where_both_predictions_cost_the_same():
    t = costs.threshold_by_cost(1, 4)
    assert t == pytest.approx(0.2)
    assert t * 4 == pytest.approx((1 - t) * 1)
    assert costs.threshold_by_cost(3, 5, right=(1, 1)) == pytest.approx(2 / 6)
    with pytest.raises(OptionError, match="cost at least as much"):
        costs.threshold_by_cost(-1, 2)
    with pytest.raises(OptionError, match="cost at least as much"):
        costs.threshold_by_cost(0, 0)


def test_cheapest_predictions_use_costs_by_actual_and_predicted():
    # Missing an ill person costs 9: answer ill from a share of 0.1; on the tie the lowest class.
    found = costs.cheapest_predictions([[0.95, 0.05], [0.9, 0.1], [0.85, 0.15]], [[0, 1], [9, 0]])
    assert found.tolist() == [0, 0, 1]


def test_expected_cost_by_hand():
    found = costs.expected_cost(confusion_from_counts([[45, 10], [5, 40]], (0, 1)), [[0, 1], [9, 0]])
    assert found.value == pytest.approx((10 + 45) / 100)
    assert found.low < found.value < found.high


def test_cost_curve_is_the_envelope_of_all_thresholds():
    truth, p = made(3, n=200)
    curve = roc.roc_curve(truth, p)
    found = costs.cost_curve(curve)
    every = costs.normalized_cost(
        curve.true_positive_rates[:, None], curve.false_positive_rates[:, None], found.probability_costs[None, :]
    )
    assert found.costs == pytest.approx(every.min(axis=0), abs=1e-12)
    assert (found.costs <= found.trivial + 1e-12).all()
    assert len(costs.lower_hull(curve)) < len(curve.thresholds)


def test_probability_cost():
    assert costs.probability_cost(0.5, 1, 1) == 0.5
    assert costs.probability_cost(0.1, 1, 9) == pytest.approx(0.5)
    with pytest.raises(OptionError, match="prevalence between 0 and 1"):
        costs.probability_cost(2, 1, 1)


def test_decision_curve_starts_at_the_base_rate():
    truth, p = made(4, n=100)
    found = costs.decision_curve(truth, p, [0.0, 0.5])
    assert found.net_benefit[0] == pytest.approx(truth.mean())
    hit, alarm = np.mean(truth & (p >= 0.5)), np.mean(~truth & (p >= 0.5))
    assert found.net_benefit[1] == pytest.approx(hit - alarm)
    with pytest.raises(InputError, match="below 1"):
        costs.decision_curve(truth, p, [1.0])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: calibration.brier([0, 1], [0.1, 1.2]), "between 0 and 1, got 1.2"),
        (lambda: calibration.log_loss(np.array([0, 5]), [[0.5, 0.5]] * 2), "between 0 and 1, got 0..5"),
        (lambda: calibration.log_loss(np.array([0]), [[0.5, 0.6]]), "sum to 1"),
        (lambda: costs.cheapest_predictions([[0.5, 0.5]], [[0, 1], [math.nan, 0]]), "finite"),
    ],
)
def test_bad_inputs_are_named(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_calibration_in_the_large_is_undefined_where_every_probability_is_0_or_1_and_right():
    name = "calibration_in_the_large"
    found = calibration.calibration_line([True, False, True, False], [1.0, 0.0, 1.0, 0.0])[name]
    assert found.value is None
    assert found.reason == "the probabilities of nearly all rows are 0 or 1 and right, so no finite shift is best"
    # By symmetry: probabilities 0.6 and 0.4 with one class each need no shift.
    assert calibration.calibration_line([True, False], [0.6, 0.4])[name].value == pytest.approx(0, abs=1e-9)


def test_costs_must_be_square():
    with pytest.raises(OptionError, match="one row and one column per class"):
        costs.cheapest_predictions([[0.5, 0.5]], [[0, 1]])
