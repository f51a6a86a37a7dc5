"""One call for everything: what it finds, how it reads, what it refuses."""

import json
import math
import types

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import HornbeamWarning, InputError, OptionError
from hornbeam.evaluation import evaluate

TRUTH = np.array(["well"] * 55 + ["ill"] * 45)
ANSWERS = np.array(["well"] * 45 + ["ill"] * 10 + ["well"] * 5 + ["ill"] * 40)
CLASSES = ("well", "ill")


def valid(scores):
    """The dictionary after a round trip through strict JSON."""
    return json.loads(json.dumps(scores.as_dict(), allow_nan=False))


def test_predicted_classes_alone_give_the_table_and_its_rates():
    found = evaluate(TRUTH, ANSWERS, CLASSES, positive="ill", prevalence=0.02)
    text = str(found)
    # E11.1
    assert "Scores of 100 rows; positive: 'ill'; given prevalence 2%" in text
    assert "ill                     5    40" in text
    assert any(line.split() == ["sensitivity", "88.9%", "76.5%", "to", "95.2%", "40/45"] for line in text.splitlines())
    assert any(line.startswith("PPV at the given prevalence") and "9.1%" in line for line in text.splitlines())
    assert "auc" not in found.metrics
    kept = valid(found)
    assert kept["confusion"] == [[45, 10], [5, 40]]
    assert kept["metrics"]["kappa"]["value"] == pytest.approx(0.7)


def test_probabilities_add_ranking_and_calibration():
    p = np.linspace(0.01, 0.99, 100)
    found = evaluate(TRUTH, np.column_stack((1 - p, p)), CLASSES, positive="ill")
    assert found["auc"].value == 1
    assert found["auc"].reason
    assert found["calibration_slope"].value is None
    assert found.undefined == {
        "calibration_slope": "the probabilities separate the classes, so no finite slope is best",
        "calibration_intercept": "the probabilities separate the classes, so no finite slope is best",
    }
    assert len(found.reliability) == 10
    assert valid(found)["roc"]["thresholds"][0] is None


def test_labels_codes_and_predictions_are_evaluated_alike():
    p = np.random.default_rng(0).random(100)
    probabilities = np.column_stack((1 - p, p))
    codes = (TRUTH == "ill").astype(int)
    by_label = evaluate(TRUTH, probabilities, CLASSES, positive="ill").as_dict()
    assert evaluate(codes, probabilities, CLASSES, positive="ill").as_dict() == by_label
    prediction = types.SimpleNamespace(probabilities=probabilities)
    assert evaluate(TRUTH.astype(object), prediction, CLASSES, positive="ill").as_dict() == by_label
    answers = evaluate(codes, types.SimpleNamespace(answers=(p >= 0.5).astype(int)), CLASSES, positive="ill")
    assert answers.confusion.weights.tolist() == evaluate(codes, probabilities, CLASSES).confusion.weights.tolist()


def test_a_prediction_brings_its_classes_in_its_own_order():
    table = hb.datasets.load("contact_lenses")  # levels soft, hard, none: not sorted
    predicted = hb.predict(hb.grow(table, "c45"), table)
    labels = [table.target.levels[code] for code in table.target.values]
    by_code = evaluate(table.target.values, predicted.probabilities, predicted.classes)
    assert evaluate(labels, predicted).as_dict() == by_code.as_dict()
    assert evaluate(labels, predicted).confusion.classes == ("soft", "hard", "none")


def test_a_prediction_of_numbers_is_evaluated_as_numbers():
    table = hb.read({"x": [1.0, 2.0, 3.0, 4.0], "y": [1.0, 1.0, 5.0, 7.0]}, target="y")
    tree = hb.grow(table, hb.recipe("plain").with_changes(stops=[{"name": "max_depth", "depth": 1}]))
    # the leaves say 1 and 6: errors 0, 0, 1, 1
    assert evaluate(table.target.values, hb.predict(tree, table)).metrics["mse"].value == 0.5


def test_without_a_positive_class_every_class_is_compared_with_the_rest():
    found = evaluate(TRUTH, ANSWERS, CLASSES)
    assert found.positive is None
    assert found.per_class["ill"]["sensitivity"].value == found.per_class["well"]["specificity"].value
    assert "sensitivity" not in found.metrics
    assert found["sensitivity_macro"].value == pytest.approx((40 / 45 + 45 / 55) / 2)
    assert "class   sensitivity" in str(found)


def test_numbers_that_are_classes_stay_labels():
    found = evaluate([1, 2, 2, 1], [1, 2, 1, 1], (1, 2), positive=2)
    assert found.confusion.weights.tolist() == [[2, 0], [1, 1]]
    assert valid(found)["classes"] == [1, 2]
    assert evaluate([True, False], [True, True]).classes == (False, True)


def test_costs_choose_the_predictions_and_add_their_mean_cost():
    probabilities = np.array([[0.8, 0.2], [0.95, 0.05]])
    found = evaluate(["ill", "well"], probabilities, CLASSES, positive="ill", costs=[[0, 1], [9, 0]])
    assert found.confusion.weights.tolist() == [[1, 0], [0, 1]]
    assert found["average_cost"].value == 0
    careless = evaluate(["ill", "well"], np.array(["well", "well"]), CLASSES, positive="ill", costs=[[0, 1], [9, 0]])
    assert careless["average_cost"].value == pytest.approx(4.5)


def test_the_prediction_is_positive_from_the_threshold():
    probabilities = np.array([[0.7, 0.3], [0.71, 0.29]])
    found = evaluate(["ill", "well"], probabilities, CLASSES, positive="ill", threshold=0.3)
    assert found["accuracy"].value == 1


def test_one_class_in_truth_warns_and_leaves_the_area_undefined():
    # Battery item A138
    with pytest.warns(HornbeamWarning, match=r"Every row is 'well': .*AUC.* undefined"):
        found = evaluate(["well"] * 3, [[0.9, 0.1], [0.4, 0.6], [0.8, 0.2]], CLASSES, positive="ill")
    assert found["auc"].value is None
    assert math.isnan(float(found["auc"]))
    assert any(line.split() == ["sensitivity", "undefined", "0/0"] for line in str(found).splitlines())
    kept = valid(found)["metrics"]["sensitivity"]
    assert kept == {"value": None, "low": None, "high": None, "reason": "0/0: no row is 'ill'", "count": [0.0, 0.0]}


def test_numbers_are_evaluated_as_a_regression():
    found = evaluate([1.0, 2.0, 4.0], [1.5, 2.0, 3.0])
    assert found.task == "number"
    assert found["mse"].value == pytest.approx((0.25 + 0 + 1) / 3)
    assert found["median_absolute_error"].value == 0.5
    assert "root mean squared error" in str(found)
    assert "classes" not in valid(found)


def test_integers_and_floats_are_a_regression_and_integers_alone_are_classes():
    assert evaluate([1, 2, 4], [1.5, 2.0, 3.0]).task == "number"
    assert evaluate([1.0, 2.0, 4.0], [1, 2, 3]).task == "number"
    assert evaluate([1, 2, 4], [1, 2, 2]).task == "class"


def test_undefined_errors_of_a_regression_have_a_reason():
    found = evaluate([2.0, 2.0], [-1.0, 2.0])
    assert found.undefined == {
        "r2": "0/0: the truth is constant",
        "poisson_deviance": "a prediction is not above 0",
    }
    assert evaluate([-1.0, 2.0], [1.0, 2.0]).undefined["poisson_deviance"].startswith("the truth has a negative value")
    huge = evaluate([1e200, -1e200], [0.0, 0.0])
    assert huge["mse"].value is None
    assert "overflow" in huge["mse"].reason
    assert huge["mae"].value == 1e200
    valid(huge)
    assert evaluate([1.0], [2.0])["mse"].low is None


def test_names_are_shown_as_text():
    hostile = ("<script>alert(1)</script>", "a\x1b[31mb")
    found = evaluate([0, 1, 1], [0, 1, 0], hostile)
    page = found._repr_html_()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "\x1b" not in str(found)
    assert page.count("<table>") == page.count("</table>") == 3


def test_rows_of_weight_0_are_removed():
    given = [*ANSWERS, "ill"]
    weighted = evaluate([*TRUTH, "well"], given, CLASSES, positive="ill", weights=[1.0] * 100 + [0.0])
    assert weighted.as_dict() == evaluate(TRUTH, ANSWERS, CLASSES, positive="ill").as_dict()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: evaluate([], []), "no rows to evaluate"),
        (lambda: evaluate(["a"], ["a"]), "one class only, 'a'"),
        (lambda: evaluate(["a", "b"], ["a"]), "truth has 2 rows, the prediction has 1"),
        (lambda: evaluate(["a", "b"], ["a", "b"], ["a"]), "at least two classes"),
        (lambda: evaluate(["a", "b"], ["a", "b"], ["a", "a"]), "must be distinct"),
        (lambda: evaluate(["a", "b"], ["a", "b"], weights=[0, 0]), "Every row has weight 0"),
        (lambda: evaluate(["a", "b"], [[0.5, 0.2, 0.3]] * 2), "2 classes, but the probabilities have 3 columns"),
        (lambda: evaluate(["a", "b"], [[0.5, 0.2, 0.3]] * 2, ["a", "b"]), r"shape \(n, 2\), got shape \(2, 3\)"),
        (lambda: evaluate(["a", "b"], [[0.5, 0.5], [math.nan, 1]]), "at row 1"),
        (lambda: evaluate(["a", "b"], [[0.5, 0.5], [-0.5, 1.5]]), "at row 1"),
        (lambda: evaluate(["a", "b"], np.zeros((2, 2, 2))), "got shape"),
        (lambda: evaluate([1.0, math.nan], [1.0, 2.0]), "truth must be finite numbers, got nan at row 1"),
        (lambda: evaluate([1.0, 2.0], [1.0, math.inf]), "prediction must be finite numbers, got inf at row 1"),
        (lambda: evaluate(["a", "b"], ["a", "b"], positive="c"), "positive must be one of the classes"),
        (lambda: evaluate(["a", None], ["a", "b"], ["a", "b"]), "truth has None at row 1"),
    ],
)
def test_bad_inputs_are_named(call, message):
    with pytest.raises(InputError, match=message):
        call()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prevalence": 0.1}, "prevalence requires a positive class"),
        ({"threshold": 0.1}, "threshold requires a positive class"),
        ({"positive": "b", "threshold": 2}, "between 0 and 1, got 2"),
        ({"positive": "b", "threshold": 0.5, "costs": [[0, 1], [1, 0]]}, "not both"),
        ({"confidence": 95}, "confidence must be"),
    ],
)
def test_incompatible_options_are_rejected(options, message):
    with pytest.raises(OptionError, match=message):
        evaluate(["a", "b"], [[0.5, 0.5]] * 2, **options)


def test_options_for_classes_are_rejected_for_a_regression():
    with pytest.raises(OptionError, match="positive requires a classification target"):
        evaluate([1.0, 2.0], [1.0, 2.0], positive=1.0)
    with pytest.raises(OptionError, match="requires class probabilities"):
        evaluate(["a", "b"], ["a", "b"], positive="a", threshold=0.5)
