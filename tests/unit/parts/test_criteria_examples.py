"""Criteria and losses give the numbers of the worked examples of sections 1 to 3."""

import json

import numpy as np
import pytest
from tests.examples import EXAMPLES

from hornbeam.errors import InputError, OptionError
from hornbeam.parts.criteria import criteria
from hornbeam.parts.criteria.custom import Custom
from hornbeam.parts.criteria.loss_decrease import LossDecrease
from hornbeam.parts.losses import losses
from hornbeam.parts.losses.cost_matrix import CostMatrix
from hornbeam.parts.losses.pinball import Pinball
from hornbeam.parts.losses.poisson import Poisson


def test_impurities_of_class_counts():
    names = {
        "entropy": "entropy",
        "gini": "gini",
        "misclassification": "misclassification",
        "variance": "two_class_variance",
    }
    for counts, expected in EXAMPLES["E2.1"]["expected"].items():
        for key, name in names.items():
            if expected[key] is not None:
                value = criteria.part(name).impurity(np.array(json.loads(counts), dtype=float))
                assert float(value) == pytest.approx(expected[key], abs=1e-9), (counts, name)


def test_gain_is_the_mean_divergence_of_the_children_from_the_parents_centroid():
    children = np.array(EXAMPLES["E2.2"]["input"]["children"], dtype=float)
    parent = children.sum(axis=0)
    f = children.sum(axis=1) / children.sum()
    expected = EXAMPLES["E2.2"]["expected"]
    for name, loss, key in (
        ("entropy", "log", "mean_KL_bits"),
        ("gini", "brier", "mean_sq_dist"),
        ("zero_one", "zero_one", "mean_excess_loss"),
    ):
        part = losses.part(loss)
        gain = LossDecrease(loss=part).score(parent, children[None])[0]
        apart = float((f * part.divergence(children, part.centroid(parent))).sum())
        assert gain == pytest.approx(expected[name]["gain"], abs=1e-9)
        assert apart == pytest.approx(expected[name][key], abs=1e-9)


def test_measures_of_four_binary_splits():
    names = {
        "gain_entropy": "entropy",
        "gain_gini": "gini",
        "gain_misclass": "misclassification",
        "cart_notes": "cart_measure",
        "twoing": "twoing",
        "gain_ratio": "gain_ratio",
    }
    data = EXAMPLES["E2.3"]
    for split, expected in zip(data["input"]["splits"], data["expected"]["measures"], strict=True):
        branches = np.array(split, dtype=float)
        for key, name in names.items():
            found = criteria.part(name).score(branches.sum(axis=0), branches[None])[0]
            assert found == pytest.approx(expected[key], abs=1e-9), (split, name)


def test_the_weighted_sum_of_leaf_impurities_falls_where_the_plain_sum_rises():
    given, expected = EXAMPLES["E2.4"]["input"], EXAMPLES["E2.4"]["expected"]
    branches = np.array([given["left"], given["right"]], dtype=float)
    gini = criteria.part("gini")
    assert float(gini.impurity(branches).sum()) == pytest.approx(expected["unweighted_sum_children"], abs=1e-9)
    gain = gini.score(branches.sum(axis=0), branches[None])[0]
    assert expected["parent_impurity"] - gain == pytest.approx(expected["weighted_sum_children"], abs=1e-9)


def test_pinball_centroid_and_risk():
    given, expected = EXAMPLES["E2.5"]["input"], EXAMPLES["E2.5"]["expected"]
    targets, counts = np.unique(given["y"], return_counts=True)
    for tau, centroid, impurity in zip(given["taus"], expected["centroid"], expected["impurity"], strict=True):
        loss = Pinball(tau=tau)
        assert float(loss.centroid(counts.astype(float), targets.astype(float))) == centroid
        assert float(loss.risk(counts.astype(float), targets.astype(float))) == pytest.approx(impurity, abs=1e-9)


def test_the_notes_cart_measure_of_a_set_of_levels():
    given = EXAMPLES["E3.7"]["input"]
    table = np.array(given["table"], dtype=float)
    inside = table[given["V"]].sum(axis=0)
    branches = np.stack([inside, table.sum(axis=0) - inside])
    found = criteria.part("cart_measure").score(table.sum(axis=0), branches[None])[0]
    assert found == pytest.approx(EXAMPLES["E3.7"]["expected"]["measure"], abs=1e-9)


def test_costs_label_leaves_and_price_them():
    # E1.1: root 90/10, left 20/8, right 70/2; missing class 1 costs 5.
    loss = CostMatrix(costs={"b": {"a": 5.0}}).bound(("a", "b"))
    expected = EXAMPLES["E1.1"]["expected"]["cost"]
    for node, stats in {"root": [90.0, 10.0], "left": [20.0, 8.0], "right": [70.0, 2.0]}.items():
        assert int(loss.answer(np.array(stats))) == expected[f"label_{node}"]
    assert float(loss.risk(np.array([90.0, 10.0]))) == pytest.approx(expected["risk_root"])
    # The example's risks of the children are shares of the whole sample.
    assert 0.28 * float(loss.risk(np.array([20.0, 8.0]))) == pytest.approx(expected["risk_left"])
    assert 0.72 * float(loss.risk(np.array([70.0, 2.0]))) == pytest.approx(expected["risk_right"])


@pytest.mark.parametrize(
    ("costs", "words"),
    [
        ({"a": 3}, "must be a table"),
        ({"a": {"b": -1}}, "0 or more"),
        ({"a": {"b": float("nan")}}, "0 or more"),
        ({"a": {"a": 2}}, "of a correct prediction must be 0"),
    ],
)
def test_bad_costs_are_refused(costs, words):
    with pytest.raises(OptionError, match=words):
        CostMatrix(costs=costs)


def test_costs_of_a_class_that_is_not_there_name_the_nearest():
    with pytest.raises(OptionError, match="Did you mean 'healthy'"):
        CostMatrix(costs={"helthy": {"ill": 2}}).bound(("healthy", "ill"))


def test_no_answer_on_a_grid_beats_the_centroid():
    targets = np.array([0.0, 1.0, 2.0, 5.0, 9.0])
    weights = np.array([2.0, 1.0, 4.0, 1.0, 2.0])
    grid = np.linspace(0.01, 10, 300)
    moments = np.array([weights.sum(), weights @ targets, weights @ targets**2])
    for name in ("absolute", "pinball", "poisson", "squared"):
        loss = losses.part(name)
        stats = moments if name == "squared" else weights
        assert min(float(loss.mean_loss(stats, a, targets)) for a in grid) >= float(loss.risk(stats, targets)) - 1e-12
        assert float(loss.divergence(stats, loss.centroid(stats, targets), targets)) == pytest.approx(0, abs=1e-12)


def test_a_negative_count_is_refused():
    with pytest.raises(InputError, match="got -1 in row 1"):
        Poisson().check_target(np.array([2.0, -1.0]))


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda parent, branches: np.zeros(3), "must return shape"),
        (lambda parent, branches: np.full(len(branches), np.nan), "returned NaN"),
        (lambda parent, branches: 1 / 0, "raised ZeroDivisionError"),
    ],
)
def test_what_a_users_function_gets_wrong_is_reported(function, words):
    with pytest.raises(OptionError, match=words):
        Custom(function=function).score(np.array([3.0, 4.0]), np.ones((2, 2, 2)))


def test_a_users_function_must_be_a_function():
    with pytest.raises(OptionError, match="must be a function or the name of a function"):
        Custom(function="nothing")
    with pytest.raises(OptionError, match="names the function 'nowhere:nothing', which is not imported"):
        Custom(function="nowhere:nothing")
