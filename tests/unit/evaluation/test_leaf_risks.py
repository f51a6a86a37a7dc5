"""Centroid, risk and divergence of leaves: the numbers of the notes, and the laws that bind them."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hornbeam as hb
from hornbeam.errors import InputError, OptionError
from hornbeam.parts.losses import losses
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table

CLASS_LOSSES = ("zero_one", "log", "brier")
NUMBER_LOSSES = ("squared", "absolute", "poisson")


@pytest.fixture(scope="module")
def outlook():
    tennis = hb.datasets.load("play_tennis")
    return hb.grow(tennis, hb.recipe("id3").with_changes(stops=[{"name": "max_depth", "depth": 1}])), tennis


def random_table(seed, number):
    random = np.random.default_rng(seed)
    n = 40
    columns = tuple(numeric(name, random.integers(0, 6, n).astype(float)) for name in "ab")
    y = random.integers(0, 5, n)
    target = numeric("y", y.astype(float)) if number else nominal("y", y % 3, ("p", "q", "r"))
    return Table(columns, target, random.integers(1, 4, n).astype(float))


def test_the_numbers_of_the_notes(outlook):
    found = hb.evaluation.leaf_statistics(outlook[0], loss="log")
    # Sunny, Overcast, Rain: (No, Yes) of (3, 2), (0, 4), (2, 3); the gain of Outlook is .2467 bits.
    assert found.risk == pytest.approx([0.9710, 0.0, 0.9710], abs=5e-5)
    assert found.centroid == pytest.approx(np.array([[0.6, 0.4], [0.0, 1.0], [0.4, 0.6]]))
    assert found.from_root == pytest.approx([0.1753, 0.6374, 0.0057], abs=5e-5)
    assert found.probability @ found.from_root == pytest.approx(0.2467, abs=5e-5)
    assert found.tree_risk == pytest.approx(0.6935, abs=5e-5)
    assert found.divergence == pytest.approx([0.0, 0.0, 0.0])


def test_the_loss_is_that_of_the_recipe_if_none_is_named(outlook):
    found = hb.evaluation.leaf_statistics(outlook[0])
    assert found.loss == "zero_one"
    assert found.risk == pytest.approx([0.4, 0.0, 0.4])
    assert [found.classes[int(code)] for code in found.centroid] == ["No", "Yes", "Yes"]


def test_the_training_rows_give_what_the_tree_stores(outlook):
    tree, table = outlook
    for loss in CLASS_LOSSES:
        kept, counted = (
            hb.evaluation.leaf_statistics(tree, loss=loss),
            hb.evaluation.leaf_statistics(tree, table, loss=loss),
        )
        for name in ("nodes", "rows", "probability", "centroid", "risk", "divergence", "from_root"):
            assert np.allclose(getattr(kept, name), getattr(counted, name)), name


@given(st.integers(0, 10_000), st.sampled_from(CLASS_LOSSES + NUMBER_LOSSES))
@settings(max_examples=60, deadline=None)
def test_risk_and_divergence_add_up_to_the_mean_loss_of_the_predictions(seed, loss):
    number = loss in NUMBER_LOSSES
    tree = hb.grow(random_table(seed, number), hb.Recipe(stops=({"name": "max_depth", "depth": 2},)))
    rows = random_table(seed + 1, number)
    found = hb.evaluation.leaf_statistics(tree, rows, loss=loss)
    assert found.tree_risk + found.tree_divergence == pytest.approx(_mean_loss(tree, rows, loss), rel=1e-9)
    drop = found.probability[found.probability > 0] @ found.from_root[found.probability > 0]
    assert found.root_risk - found.tree_risk == pytest.approx(drop, rel=1e-9, abs=1e-12)
    assert np.nanmin(found.divergence) >= 0.0
    assert np.nanmin(found.from_root) >= 0.0


def _mean_loss(tree, rows, loss):
    """The mean loss of the predictions, row by row, from the definition of the loss."""
    predicted, y = hb.predict(tree, rows), rows.target.values
    if loss == "zero_one":
        each = (predicted.codes != y).astype(float)
    elif loss == "log":
        with np.errstate(divide="ignore"):
            each = -np.log2(predicted.probabilities[np.arange(len(y)), y])
    elif loss == "brier":
        each = ((predicted.probabilities - np.eye(3)[y]) ** 2).sum(axis=1)
    elif loss == "squared":
        each = (predicted.numbers - y) ** 2
    elif loss == "absolute":
        each = np.abs(predicted.numbers - y)
    else:
        m = predicted.numbers
        with np.errstate(divide="ignore", invalid="ignore"):
            each = 2 * (np.where(y > 0, y * np.log(y / m), 0.0) - (y - m))
    return float(np.average(each, weights=rows.weights))


@given(st.integers(0, 10_000), st.sampled_from(CLASS_LOSSES))
@settings(max_examples=30, deadline=None)
def test_no_other_prediction_of_a_grid_has_a_smaller_loss_than_the_centroid(seed, loss):
    table = random_table(seed, number=False)
    tree = hb.grow(table, hb.Recipe(stops=({"name": "max_depth", "depth": 1},)))
    found, part = hb.evaluation.leaf_statistics(tree, loss=loss), losses.part(loss)
    steps = np.linspace(0.01, 0.99, 8)
    probabilities = [np.array([a, b * (1 - a), (1 - b) * (1 - a)]) for a in steps for b in steps]
    grid = range(3) if loss == "zero_one" else probabilities
    for place, node in enumerate(found.nodes):
        mean = [float(part.mean_loss(tree.nodes.stats[node], answer)) for answer in grid]
        assert min(mean) >= found.risk[place] - 1e-12


def test_rows_that_stay_at_an_inner_node_are_reported_there():
    table = hb.read({"x": [1, 2, 3, 4, None, None], "y": list("aabbab")}, target="y")
    stay = {"name": "skip_column", "route": "stay"}
    tree = hb.grow(table, hb.Recipe(missing=stay))
    found = hb.evaluation.leaf_statistics(tree, table)
    assert found.nodes.tolist() == [0, 1, 2]
    assert found.rows.tolist() == [2, 2, 2]
    assert found.risk == pytest.approx([0.5, 0.0, 0.0])


def test_a_leaf_without_rows_has_no_values():
    table = hb.read({"x": [1, 2, 3, 4], "y": list("aabb")}, target="y")
    found = hb.evaluation.leaf_statistics(hb.grow(table, "plain"), table.take(np.array([0, 1])))
    assert found.rows.tolist() == [2, 0]
    assert np.isnan(found.risk).tolist() == [False, True]
    assert found.tree_risk == 0.0
    assert found.as_dict()["leaves"][1]["centroid"] is None


def test_priors_weigh_the_classes_of_new_rows_as_they_do_in_training():
    table = hb.read({"x": [1, 1, 1, 2, 2, 2], "y": list("aaabba")}, target="y")
    tree = hb.grow(table, hb.Recipe(priors="equal"))
    kept, counted = hb.evaluation.leaf_statistics(tree), hb.evaluation.leaf_statistics(tree, table)
    assert np.allclose(kept.risk, counted.risk)
    assert np.allclose(kept.probability, counted.probability)


def test_large_offsets_do_not_cancel():
    y = 1e12 + np.array([0.0, 2.0, 10.0, 12.0])
    table = hb.read({"x": [1, 2, 3, 4], "y": y}, target="y", kinds={"y": "numeric"})
    tree = hb.grow(table, hb.Recipe(stops=({"name": "max_depth", "depth": 1},)))
    for found in (hb.evaluation.leaf_statistics(tree), hb.evaluation.leaf_statistics(tree, table)):
        assert found.risk == pytest.approx([1.0, 1.0])
        assert found.centroid == pytest.approx([1e12 + 1, 1e12 + 11], rel=1e-15)


def test_text_and_json_values(outlook):
    found = hb.evaluation.leaf_statistics(outlook[0], loss="log")
    lines = str(found).split("\n")
    assert lines[0] == "Loss log: risk 0.6935 of the tree, 0.9403 of the root; divergence of the predictions 0"
    assert lines[1].split() == ["leaf", "rows", "P(leaf)", "centroid", "risk", "divergence", "from", "root"]
    assert lines[3].split() == ["2", "4", "0.2857", "Yes", "100%", "0", "0", "0.6374", "Outlook", "=", "Overcast"]
    assert json.loads(json.dumps(found.as_dict()))["leaves"][0]["centroid"] == {"No": 0.6, "Yes": 0.4}
    assert found._repr_html_().count("<tr>") == 4


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"loss": "squared"}, OptionError, "does not support"),
        ({"loss": "bog"}, OptionError, "log"),
        ({"table": hb.read({"Outlook": ["Sunny"]})}, InputError, "no target"),
        ({"table": hb.read({"Outlook": ["Sunny"], "y": ["Maybe"]}, target="y")}, InputError, "Maybe"),
        ({"table": hb.read({"Outlook": ["Sunny"], "y": [1.5]}, target="y")}, InputError, "predicts classes"),
    ],
)
def test_what_cannot_be_reported_is_an_error(outlook, arguments, error, message):
    with pytest.raises(error, match=message):
        hb.evaluation.leaf_statistics(outlook[0], **arguments)


def test_a_loss_that_needs_the_rows_is_an_error_without_them():
    table = hb.read({"x": [1, 2, 3], "y": [1.5, 2.5, 9.0]}, target="y")
    with pytest.raises(InputError, match=r"Pass table="):
        hb.evaluation.leaf_statistics(hb.grow(table, "plain"), loss="absolute")
