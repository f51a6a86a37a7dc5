"""Rates of a confusion table, their intervals, and what is undefined."""

import math

import numpy as np
import pytest

from hornbeam.errors import InputError, OptionError
from hornbeam.evaluation import intervals
from hornbeam.evaluation.confusion import (
    accuracy,
    averages,
    binary_rates,
    confusion,
    confusion_from_counts,
    kappa,
    mcc,
    one_vs_rest,
)


def test_the_table_is_actual_by_predicted_in_weights():
    found = confusion(["a", "a", "b"], ["a", "b", "b"], ("a", "b"), [1, 2, 4])
    assert found.weights.tolist() == [[1, 2], [0, 4]]


def test_one_against_the_rest_keeps_every_row():
    found = one_vs_rest(confusion_from_counts([[1, 2, 3], [4, 5, 6], [7, 8, 9]], "abc"), "b")
    assert found.weights.tolist() == [[1 + 3 + 7 + 9, 2 + 8], [4 + 6, 5]]


def test_sensitivity_without_positives_is_undefined_and_shows_0_of_0():
    # Battery item A139
    rates = binary_rates(confusion(["well"] * 3, ["well", "ill", "well"], ("well", "ill")), "ill")
    found = rates["sensitivity"]
    assert found.value is None
    assert math.isnan(float(found))
    assert found.count == (0, 0)
    assert found.count_text == "0/0"
    assert found.reason == "0/0: no row is 'ill'"
    for name in ("youden", "balanced_accuracy", "mcc", "lr_plus", "lr_minus"):
        assert rates[name].value is None, name
        assert rates[name].reason, name
    assert rates["specificity"].value == pytest.approx(2 / 3)


def test_ppv_without_positive_predictions_is_undefined_and_recall_is_0():
    rates = binary_rates(confusion([0, 1, 1], [0, 0, 0], (0, 1)), 1)
    assert rates["ppv"].value is None
    assert rates["sensitivity"].value == 0
    assert rates["f1"].value == 0
    assert rates["lr_plus"].value is None


def test_likelihood_ratio_without_false_positives_is_infinite_and_null_in_json():
    rates = binary_rates(confusion_from_counts([[5, 0], [1, 4]], (0, 1)), 1, prevalence=0.1)
    assert rates["lr_plus"].value == math.inf
    assert rates["lr_plus"].as_dict()["value"] is None
    assert "infinite" in rates["lr_plus"].reason
    assert rates["ppv_at_prevalence"].value == 1


def test_log_interval_of_likelihood_ratios():
    # E11.1's table; var ln LR+ = 1/40 - 1/45 + 1/10 - 1/55, by hand.
    rates = binary_rates(confusion_from_counts([[45, 10], [5, 40]], (0, 1)), 1)
    reach = math.exp(1.959963984540054 * math.sqrt(1 / 40 - 1 / 45 + 1 / 10 - 1 / 55))
    ratio = (40 / 45) / (10 / 55)
    assert rates["lr_plus"].low == pytest.approx(ratio / reach, rel=1e-12)
    assert rates["lr_plus"].high == pytest.approx(ratio * reach, rel=1e-12)


def test_kappa_interval_is_fleiss_cohen_everitt():
    # Their large-sample variance for two raters, written out for E11.1's table.
    p = np.array([[45, 10], [5, 40]]) / 100
    r, c = p.sum(axis=1), p.sum(axis=0)
    po, pe = np.trace(p), float(np.sum(r * c))
    k = (po - pe) / (1 - pe)
    a = sum(p[i, i] * (1 - (r[i] + c[i]) * (1 - k)) ** 2 for i in range(2))
    b = (1 - k) ** 2 * sum(p[i, j] * (c[i] + r[j]) ** 2 for i in range(2) for j in range(2) if i != j)
    variance = (a + b - (k - pe * (1 - k)) ** 2) / (100 * (1 - pe) ** 2)
    found = kappa(confusion_from_counts([[45, 10], [5, 40]], (0, 1)))
    assert found.high - found.value == pytest.approx(1.959963984540054 * math.sqrt(variance), rel=1e-9)


def test_mcc_interval_follows_the_numerical_gradient():
    cells = np.array([[30.0, 4, 6], [3, 25, 9], [2, 7, 14]])

    def value(counts):
        return mcc(confusion_from_counts(counts, "abc")).value

    share, n, step = cells / cells.sum(), cells.sum(), 1e-5
    slope = np.zeros_like(cells)
    for place in np.ndindex(3, 3):
        up, down = share.copy(), share.copy()
        up[place] += step
        down[place] -= step
        slope[place] = (value(up) - value(down)) / (2 * step)
    spread = np.sum(share * slope**2) - np.sum(share * slope) ** 2
    found = mcc(confusion_from_counts(cells, "abc"))
    assert found.high - found.value == pytest.approx(1.959963984540054 * math.sqrt(spread / n), rel=1e-5)


@pytest.mark.parametrize("measure", [kappa, mcc])
def test_agreement_on_one_class_is_undefined(measure):
    assert measure(confusion_from_counts([[7, 0], [0, 0]], (0, 1))).value is None
    assert measure(confusion_from_counts([[0, 0], [0, 0]], (0, 1))).value is None


def test_perfect_agreement_flags_its_interval():
    found = kappa(confusion_from_counts([[7, 0], [0, 5]], (0, 1)))
    assert found.value == 1
    assert "no length" in found.reason


def test_average_leaves_out_undefined_classes_and_names_them():
    table = confusion(["a", "b", "b"], ["a", "b", "a"], ("a", "b", "c"))
    found = averages(table, "macro")["sensitivity"]
    assert found.value == pytest.approx(0.75)
    assert found.reason == "without 'c', where it is undefined"
    assert averages(table, "weighted")["sensitivity"].value == pytest.approx(2 / 3)


def test_weights_narrow_intervals_only_as_far_as_rows_allow():
    truth, answers = [1] * 10 + [0] * 10, [1] * 8 + [0] * 12
    plain = binary_rates(confusion(truth, answers, (0, 1)), 1)["sensitivity"]
    scaled = binary_rates(confusion(truth, answers, (0, 1), [7.0] * 20), 1)["sensitivity"]
    assert (scaled.value, scaled.low, scaled.high) == pytest.approx((plain.value, plain.low, plain.high), rel=1e-12)
    uneven = binary_rates(confusion(truth, answers, (0, 1), [1, 9] * 10), 1)["sensitivity"]
    assert uneven.high - uneven.low > plain.high - plain.low


def test_rare_classes_of_a_random_sample_are_not_those_of_the_population():
    # A case-control sample: prevalence one half; at 2% most alarms are false (E11.1).
    rates = binary_rates(confusion_from_counts([[45, 10], [5, 40]], (0, 1)), 1, prevalence=0.02)
    assert rates["ppv"].value == pytest.approx(0.8)
    low, value, high = (getattr(rates["ppv_at_prevalence"], name) for name in ("low", "value", "high"))
    assert low < value < high < 0.2


def test_exact_interval_contains_wilsons_fraction_and_ends_are_closed():
    assert intervals.clopper_pearson(0, 10)[0] == 0
    assert intervals.clopper_pearson(10, 10)[1] == 1
    # 1 - 0.025^(1/10), the closed form for k = 0.
    assert intervals.clopper_pearson(0, 10)[1] == pytest.approx(1 - 0.025**0.1, rel=1e-12)


def test_mcnemar_is_the_two_sided_binomial():
    # 2 (C(5,0) + C(5,1)) / 2^5
    assert intervals.mcnemar(1, 4) == pytest.approx(0.375)
    assert intervals.mcnemar(0, 0) == 1
    assert intervals.mcnemar(3, 3) == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: confusion(["a"], ["x"], ("a", "b")), r"prediction has 'x' at row 0, which is none of the classes"),
        (lambda: confusion(["a", "b"], ["a"], ("a", "b")), "truth has 2 rows, prediction has 1"),
        (lambda: confusion([0, 2], [0, 1], ("a", "b")), "between 0 and 1, got 2 at row 1"),
        (lambda: confusion([[0]], [0], ("a", "b")), "one dimension"),
        (lambda: confusion([0], [0], (0, 1), [-1.0]), r"not be negative, got -1.0 at row 0"),
        (lambda: confusion([0], [0], (0, 1), [math.nan]), "finite numbers, got nan at row 0"),
        (lambda: confusion([0], [0], (0, 1), [1.0, 2.0]), "one number per row \\(1\\), got 2"),
        (lambda: confusion_from_counts([[1, 2]], (0, 1)), "2 by 2"),
        (lambda: binary_rates(confusion([0], [0], ("well", "ill")), "il"), "Did you mean 'ill'"),
        (lambda: intervals.wilson(0.5, 0), "n above 0"),
        (lambda: intervals.mcnemar(1.5, 2), "requires counts \\(integers, not negative\\), got 1.5"),
    ],
)
def test_bad_inputs_are_named(call, message):
    with pytest.raises(InputError, match=message):
        call()


@pytest.mark.parametrize("prevalence", [0, 1, -0.1, math.nan, "x", True])
def test_prevalence_must_be_a_fraction(prevalence):
    with pytest.raises(OptionError, match="prevalence must be above 0 and below 1"):
        binary_rates(confusion([0, 1], [0, 1], (0, 1)), 1, prevalence=prevalence)


@pytest.mark.parametrize("confidence", [0, 1, 95, "x", True])
def test_confidence_must_be_a_fraction(confidence):
    with pytest.raises(OptionError, match="confidence must be above 0 and below 1"):
        accuracy(confusion([0, 1], [0, 1], (0, 1)), confidence)
