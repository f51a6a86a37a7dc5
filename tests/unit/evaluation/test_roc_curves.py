"""ROC, areas and precision-recall: ties, degenerate rows, bad inputs."""

import math

import numpy as np
import pytest

from hornbeam.errors import InputError
from hornbeam.evaluation import roc


@pytest.mark.parametrize("truth", [[1, 1, 1], [0, 0, 0]])
def test_area_of_one_class_is_undefined_and_has_a_reason(truth):
    # Battery item A138
    found = roc.auc(truth, [0.1, 0.2, 0.3])
    assert found.value is None
    assert math.isnan(float(found))
    assert "one class only" in found.reason
    assert roc.roc_curve(truth, [0.1, 0.2, 0.3]) is None
    assert roc.paired_auc(truth, [0.1, 0.2, 0.3], [1, 2, 3]).p is None


def test_equal_scores_give_the_diagonal():
    # Battery item A140
    curve = roc.roc_curve([0, 1, 0, 1], [0.3] * 4)
    assert curve.false_positive_rates.tolist() == [0, 1]
    assert curve.true_positive_rates.tolist() == [0, 1]
    found = roc.auc([0, 1, 0, 1], [0.3] * 4)
    assert found.value == 0.5
    assert found.is_degenerate


def test_ties_are_joined_by_a_slope():
    curve = roc.roc_curve([0, 1, 1, 0], [0.2, 0.7, 0.7, 0.7])
    assert curve.thresholds.tolist() == [math.inf, 0.7, 0.2]
    assert curve.false_positive_rates.tolist() == [0, 0.5, 1]
    assert curve.true_positive_rates.tolist() == [0, 1, 1]


@pytest.mark.parametrize(("scores", "area"), [([1, 2, 3, 4], 1.0), ([4, 3, 2, 1], 0.0)])
def test_perfect_areas_flag_their_interval(scores, area):
    found = roc.auc([0, 0, 1, 1], scores)
    assert (found.value, found.variance, found.low, found.high) == (area, 0, area, area)
    assert found.is_degenerate
    assert "degenerate" in found.reason


def test_one_row_of_a_class_has_an_area_and_no_variance():
    found = roc.auc([0, 0, 1], [1, 3, 2])
    assert found.value == 0.5
    assert found.variance is None
    assert "two rows of each class" in found.reason


def test_area_equals_counting_all_pairs():
    random = np.random.default_rng(5)
    truth, scores = random.random(60) < 0.4, random.integers(0, 8, 60)
    above, below = scores[truth][:, None], scores[~truth][None, :]
    psi = (above > below) + 0.5 * (above == below)
    m, n = psi.shape
    found = roc.auc(truth, scores)
    assert found.value == pytest.approx(psi.mean(), abs=1e-14)
    variance = psi.mean(axis=1).var(ddof=1) / m + psi.mean(axis=0).var(ddof=1) / n
    assert found.variance == pytest.approx(variance, rel=1e-12)


def test_logit_interval_stays_inside():
    found = roc.auc([0, 0, 0, 1, 0, 1, 1, 1], [1, 2, 3, 4, 5, 6, 7, 8])
    assert found.high == 1
    assert found.logit_low < found.value < found.logit_high < 1


def test_the_same_score_twice_has_no_test():
    found = roc.paired_auc([0, 1, 0, 1, 1], [1, 2, 3, 4, 5], [10, 20, 30, 40, 50])
    assert found.difference == 0
    assert found.z is None
    assert "rank the rows equally" in found.reason


def test_paired_test_is_antisymmetric():
    truth, one, two = [0, 0, 1, 1, 0, 1], [1, 4, 3, 5, 2, 6], [2, 1, 1, 3, 3, 2]
    there, back = roc.paired_auc(truth, one, two), roc.paired_auc(truth, two, one)
    assert there.z == pytest.approx(-back.z)
    assert there.p == pytest.approx(back.p)


def test_infinite_scores_are_ranked():
    assert roc.auc([0, 1, 0, 1], [-math.inf, math.inf, 0, 1]).value == 1


def test_rows_of_weight_0_do_not_count():
    with_row = roc.auc([0, 1, 0, 1, 1], [1, 2, 3, 4, 0], [1, 1, 1, 1, 0])
    assert with_row == roc.auc([0, 1, 0, 1], [1, 2, 3, 4])


def test_precision_needs_positives():
    assert roc.precision_recall([0, 0], [1, 2]) is None
    assert roc.average_precision([0, 0], [1, 2]).value is None


def test_hand_till_leaves_out_classes_without_rows():
    found = roc.hand_till_auc([0, 1], [[0.8, 0.1, 0.1], [0.2, 0.7, 0.1]])
    assert found.value == 1
    assert "1 class" in found.reason
    assert roc.hand_till_auc([0, 0], [[0.8, 0.2], [0.6, 0.4]]).value is None


def test_a_million_rows_have_an_area():
    random = np.random.default_rng(1)
    truth, scores = random.random(1_000_000) < 0.3, random.random(1_000_000)
    assert roc.auc(truth, scores).value == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize(
    ("truth", "scores", "message"),
    [
        ([0, 1], [0.1, math.nan], "known numbers, got nan at row 1"),
        ([0, 2], [0.1, 0.2], "True for the positive class and False otherwise, got 2 at row 1"),
        ([0, 1], [0.1], "truth has 2 rows, scores has 1"),
        ([0, 1], ["a", "b"], "must be numbers"),
        ([0, 1], [[0.1, 0.9], [0.2, 0.8]], "one dimension"),
    ],
)
def test_bad_inputs_are_named(truth, scores, message):
    with pytest.raises(InputError, match=message):
        roc.auc(truth, scores)
