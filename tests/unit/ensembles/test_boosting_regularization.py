"""Regularization of boosting: curvature of softmax, l2 and leaf size per loss, levels, scale of weights."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from hornbeam.ensembles.methods.boosting import boost
from hornbeam.errors import OptionError
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table
from hornbeam.tree.forest import Forest
from hornbeam.tree.prediction import predict

ENGINES = ("core", "python")
ONE_STUMP = {"n_rounds": 1, "learning_rate": 1.0, "max_depth": 1, "min_rows": 1}


def levels(name: str, codes: np.ndarray, count: int):
    return nominal(name, codes, tuple("abcdefghij"[:count]))


def step(n: int = 60) -> np.ndarray:
    return (np.arange(n) >= n // 2) * 1


@pytest.mark.parametrize("engine", ENGINES)
def test_softmax_has_the_curvature_of_dependent_scores(engine):
    # Three equal classes: p = 1/3, h = 3/2 * 1/3 * 2/3 = 1/3; a leaf of one class has g = -2/3 per row.
    y = np.repeat([0, 1, 2], 20)
    table = Table((numeric("x", y.astype(float)),), levels("y", y, 3))
    forest = boost(table, l2=0.0, engine=engine, **ONE_STUMP)
    assert forest[0].nodes.answer[1:].tolist() == pytest.approx([2.0, -1.0])


@pytest.mark.parametrize("engine", ENGINES)
def test_classes_that_no_row_has_do_not_count_in_the_curvature(engine):
    y = np.repeat([0, 2], 20)
    table = Table((numeric("x", y.astype(float)),), levels("y", y, 3))
    forest = boost(table, loss="softmax", l2=0.0, engine=engine, **ONE_STUMP)
    assert forest[0].nodes.answer[1:].tolist() == pytest.approx([1.0, -1.0])  # p = 1/2, h = 2 * 1/4


@pytest.mark.parametrize("engine", ENGINES)
def test_l2_is_four_for_regression_and_two_over_the_number_of_classes(engine):
    x = numeric("x", step().astype(float))
    classes = boost(Table((x,), levels("y", step(), 2)), engine=engine, **ONE_STUMP)
    assert classes[0].nodes.answer[1:].tolist() == pytest.approx(
        [-15 / 8.5, 15 / 8.5]
    )  # G = 30 / 2, H = 30 / 4, l2 = 2 / 2
    three = boost(
        Table((numeric("x", np.repeat([0.0, 1, 2], 20)),), levels("y", np.repeat([0, 1, 2], 20), 3)),
        engine=engine,
        **ONE_STUMP,
    )
    assert three[0].nodes.answer[1] == pytest.approx((40 / 3) / (20 / 3 + 2 / 3))
    numbers = boost(Table((x,), numeric("y", step().astype(float))), engine=engine, **ONE_STUMP)
    assert numbers[0].nodes.answer[1:].tolist() == pytest.approx([-15 / 34, 15 / 34])


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("loss", "fewest"), [("squared", 10), ("poisson", 20), ("absolute", 20), ("quantile", 20)])
def test_the_minimum_leaf_size_is_ten_if_l2_shrinks_leaves_and_else_twenty(engine, loss, fewest):
    for rows, nodes in ((fewest, 3), (fewest - 1, 1)):
        y = step(2 * rows).astype(float)
        forest = boost(Table((numeric("x", y),), numeric("y", y)), loss=loss, n_rounds=1, engine=engine)
        assert len(forest[0]) == nodes


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("rows", "weight", "nodes"), [(12, 5.0, 3), (12, 1.0, 1), (9, 10.0, 1)])
def test_a_leaf_of_softmax_requires_ten_rows_with_the_weight_of_twenty(engine, rows, weight, nodes):
    # Twelve rows of weight 5 and 48 of weight 1 have 60/108 of the second derivative: they count as 33 of 60 rows.
    y = np.r_[np.full(rows, 2), np.arange(60 - rows) % 2]
    table = Table((numeric("x", (y == 2) * 1.0),), levels("y", y, 3), np.where(y == 2, weight, 1.0))
    assert len(boost(table, n_rounds=1, engine=engine)[2]) == nodes
    assert len(boost(table, n_rounds=1, min_rows=20, engine=engine)[2]) == 1


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("count", "added"), [(4, 0.0), (5, 10.0)])
def test_children_of_a_split_on_more_than_four_levels_have_a_larger_l2(engine, count, added):
    codes = np.arange(60) % count
    y = (codes >= 2) * 1.0
    table = Table((levels("c", codes, count),), numeric("y", y))
    tree = boost(table, engine=engine, **ONE_STUMP)[0]
    inside = codes < 2
    g, h = (y.mean() - y[inside]).sum(), inside.sum()
    assert tree.nodes.answer[1] == pytest.approx(-g / (h + 4 + added))
    free = boost(table, engine=engine, categorical_l2=0.0, **ONE_STUMP)[0]
    assert free.nodes.answer[1] == pytest.approx(-g / (h + 4))


@pytest.mark.parametrize("engine", ENGINES)
def test_levels_have_no_additional_l2_for_more_than_two_classes(engine):
    codes = np.arange(60) % 6
    table = Table((levels("c", codes, 6),), levels("y", codes // 2, 3))
    default, none = (boost(table, engine=engine, **changes, **ONE_STUMP) for changes in ({}, {"categorical_l2": 0.0}))
    assert default[0].nodes.answer.tolist() == none[0].nodes.answer.tolist()


@pytest.mark.parametrize("engine", ENGINES)
def test_smoothing_moves_rare_levels_away_from_the_ends(engine):
    # The one row of level a has an extreme ratio; in the smoothed order b, a, c it cannot be split off.
    codes = np.r_[0, np.repeat([1, 2], 30)]
    table = Table((levels("c", codes, 3),), numeric("y", np.r_[2.0, np.repeat([0.1, -1 / 6], 30)]))
    plain = boost(table, engine=engine, l2=0.0, **ONE_STUMP)[0]
    smooth = boost(table, engine=engine, l2=0.0, categorical_smoothing=100.0, **ONE_STUMP)[0]
    assert plain.question(0).inside == (0,)
    assert smooth.question(0).inside == (2,)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_child_requires_a_fraction_of_the_second_derivative_of_its_node(engine):
    # The left 20 of 40 rows have 1/21 of the weight: enough for a leaf of one row, not for one of 20 rows.
    weights = np.where(np.arange(40) < 20, 0.05, 1.0)
    y = step(40).astype(float)
    table = Table((numeric("x", y),), numeric("y", y), weights)
    assert len(boost(table, engine=engine, **ONE_STUMP)[0]) == 3
    assert len(boost(table, engine=engine, **{**ONE_STUMP, "min_rows": 20})[0]) == 1


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("is_class", [True, False])
def test_the_scale_of_all_weights_changes_nothing(engine, is_class):
    rng = np.random.default_rng(3)
    x, codes, weights = rng.normal(size=200), rng.integers(0, 7, 200), rng.integers(1, 5, 200) / 4
    signal = x + (codes > 3)
    target = levels("y", (signal > 0.5) * 1, 2) if is_class else numeric("y", signal)
    columns = (numeric("x", x), levels("c", codes, 7))
    settings = {"n_rounds": 5, "l1": 0.2, "gamma": 0.1, "min_hessian": 2.0, "min_rows": 5, "engine": engine}
    one, other = (boost(Table(columns, target, weights * scale), **settings) for scale in (1.0, 2.0**20))
    assert [tree.nodes.answer.tobytes() for tree in one] == [tree.nodes.answer.tobytes() for tree in other]


def rare_classes(n: int = 1500) -> Table:
    """Five classes that one column separates nearly, two of them rare."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(n, 4))
    y = np.digitize(x[:, 0] + 0.05 * rng.normal(size=n), [-2.2, 0.8, 1.2, 2.3])
    return Table(tuple(numeric(f"x{j}", x[:, j]) for j in range(4)), levels("y", y, 5))


def log_loss(forest: Forest, table: Table) -> float:
    probabilities = predict(forest, table.columns).probabilities
    return float(-np.log(np.maximum(probabilities[np.arange(len(table)), table.target.values], 1e-15)).mean())


def test_rare_classes_do_not_increase_the_validation_loss():
    table = rare_classes()
    rows = np.arange(len(table))
    train, test = table.take(rows % 2 == 0), table.take(rows % 2 == 1)
    losses = [log_loss(boost(train, n_rounds=rounds), test) for rounds in (10, 60, 150)]
    assert max(losses) < 0.3, losses


@pytest.mark.parametrize("engine", ENGINES)
def test_a_poisson_leaf_does_not_step_beyond_its_rate(engine):
    # Rates 1 and 100 in halves: Newton's step on the log scale would be 100 / 50.5 - 1, the best is its logarithm.
    y = np.where(step() == 1, 100.0, 1.0)
    table = Table((numeric("x", step().astype(float)),), numeric("y", y))
    forest = boost(table, loss="poisson", engine=engine, **ONE_STUMP)
    assert forest[0].nodes.answer[2] == pytest.approx(math.log(100 / 50.5))
    assert forest[0].nodes.answer[1] == pytest.approx(1 / 50.5 - 1)


def test_rare_counts_do_not_increase_the_loss():
    rng = np.random.default_rng(1)
    x = rng.uniform(size=4000)
    table = Table((numeric("x", x),), numeric("y", rng.poisson(np.where(x > 0.99, 400.0, 0.001)).astype(float)))
    losses = boost(table, loss="poisson", n_rounds=40, learning_rate=0.5, record_loss=True).metadata["training_loss"]
    assert all(after <= before + 1e-9 * abs(before) for before, after in itertools.pairwise(losses))


@pytest.mark.parametrize("engine", ENGINES)
def test_boosting_can_stop_by_the_training_loss(engine):
    table = Table((numeric("x", step().astype(float)),), numeric("y", step().astype(float)))
    settings = {
        "n_rounds": 80,
        "learning_rate": 0.5,
        "l2": 0.0,
        "stop_by_training": True,
        "early_stopping_rounds": 3,
        "min_improvement": 1e-3,
    }
    settings["engine"] = engine
    forest = boost(table, **settings)
    # Each round leaves a quarter of the loss 1/8: after four rounds it falls by less than 1e-3.
    assert len(forest) == 4
    assert len(forest.metadata["training_loss"]) == 4 + 3
    with pytest.raises(OptionError, match="cannot be combined"):
        boost(table, validation_fraction=0.2, **settings)
