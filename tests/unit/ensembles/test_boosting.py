"""Gradient boosting: worked example, decreasing loss, stopping, continuing, constraints, model file."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.examples import EXAMPLES

import hornbeam as hb
from hornbeam.ensembles.boosting.gradients import LOSSES
from hornbeam.ensembles.methods.boosting import Boosting, boost
from hornbeam.errors import InputError, OptionError
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table
from hornbeam.tree.prediction import predict
from hornbeam.tree.questions import Threshold


def wavy(n: int = 2000, seed: int = 0) -> Table:
    rng = np.random.default_rng(seed)
    values = rng.uniform(-3, 3, size=(n, 3))
    y = np.sin(values[:, 0]) + 0.5 * values[:, 1] + 0.2 * rng.normal(size=n)
    return Table(tuple(numeric(f"x{j}", values[:, j]) for j in range(3)), numeric("y", y))


@pytest.mark.parametrize("engine", ["core", "python"])
def test_the_first_stump_is_that_of_the_worked_example(engine):
    # E10.5: logistic loss, lambda = 1, base 0.5; checked there against XGBoost's exact search.
    given, expected = EXAMPLES["E10.5"]["input"], EXAMPLES["E10.5"]["expected"]
    table = Table((numeric("x", np.array(given["x"], dtype=float)),), nominal("y", np.array(given["y"]), ("0", "1")))
    stump = {
        "n_rounds": 1,
        "learning_rate": 1.0,
        "max_depth": 1,
        "max_leaves": None,
        "min_rows": 1,
        "min_hessian": 0.0,
        "min_f": 0.0,
    }
    forest = boost(table, l2=1.0, engine=engine, **stump)
    tree = forest[0]
    assert forest.base[0] == pytest.approx(0.0)  # three of six rows: ln(0.5 / 0.5)
    assert tree.question(0) == Threshold(0, expected["best"]["threshold"])
    assert tree.nodes.gain[0] == pytest.approx(expected["best"]["gain"], abs=1e-9)
    assert tree.nodes.answer[1:].tolist() == pytest.approx([expected["best"]["wl"], expected["best"]["wr"]], abs=1e-9)


@pytest.mark.parametrize("loss", LOSSES)
def test_the_training_loss_falls_every_round(loss):
    # B60; the full step of a tree of many leaves, rate 0.1, all rows.
    table = wavy(800)
    y = table.target.values
    targets = {
        "logistic": nominal("y", (y > 0) * 1, ("no", "yes")),
        "softmax": nominal("y", np.digitize(y, [-1, 1]), ("a", "b", "c")),
        "poisson": numeric("y", np.floor(np.exp(y))),
    }
    table = Table(table.columns, targets.get(loss, table.target))
    losses = boost(table, loss=loss, n_rounds=25, record_loss=True).metadata["training_loss"]
    assert len(losses) == 25
    assert all(after <= before + 1e-12 for before, after in itertools.pairwise(losses))


def test_continued_boosting_gives_the_same_trees_as_one_run():
    table = wavy()
    whole = boost(table, n_rounds=12, rows_per_tree=0.7, seed=5)
    half = boost(table, n_rounds=5, rows_per_tree=0.7, seed=5)
    rest = boost(table, n_rounds=12, rows_per_tree=0.7, seed=5, continue_from=half)
    assert [tree.nodes.answer.tobytes() for tree in rest] == [tree.nodes.answer.tobytes() for tree in whole]


def test_progress_is_reported_and_changes_nothing():
    reported = []
    table = wavy()
    with_progress = boost(table, n_rounds=25, progress=reported.append)
    assert reported == [10, 20, 25]
    without = boost(table, n_rounds=25)
    assert [t.nodes.answer.tobytes() for t in with_progress] == [t.nodes.answer.tobytes() for t in without]


def test_predictions_follow_the_monotone_constraints():
    table = wavy()
    forest = boost(table, n_rounds=40, monotone_constraints={"x0": 1, "x1": -1})
    rng = np.random.default_rng(1)
    for place, direction in ((0, 1), (1, -1)):
        rows = np.repeat(rng.uniform(-3, 3, size=(20, 3)), 50, axis=0)
        rows[:, place] = np.tile(np.linspace(-3.5, 3.5, 50), 20)
        predicted = predict(forest, tuple(numeric(f"x{j}", rows[:, j]) for j in range(3))).numbers.reshape(20, 50)
        assert (direction * np.diff(predicted, axis=1) >= -1e-12).all()


def test_no_path_uses_columns_of_two_groups():
    forest = boost(wavy(), n_rounds=20, interaction_constraints=(("x0",), ("x1", "x2")))
    for tree in forest:
        for leaf in np.flatnonzero(tree.nodes.is_leaf).tolist():
            used, node = set(), int(tree.nodes.parent[leaf])
            while node >= 0:
                used.add(int(tree.questions.column[tree.nodes.question[node]]))
                node = int(tree.nodes.parent[node])
            assert used <= {0} or used <= {1, 2}


def test_missing_values_go_where_they_lower_the_loss():
    x = np.r_[np.linspace(0, 1, 60), np.full(40, np.nan)]
    y = np.r_[np.where(np.linspace(0, 1, 60) > 0.5, 1.0, 0.0), np.ones(40)]
    forest = boost(Table((numeric("x", x),), numeric("y", y)), n_rounds=1, learning_rate=1.0, max_depth=1, min_rows=1)
    assert forest[0].nodes.missing_branch[0] == 1
    alone = np.r_[np.zeros(60), np.ones(40)]
    forest = boost(
        Table((numeric("x", x),), numeric("y", alone)), n_rounds=1, learning_rate=1.0, max_depth=1, min_rows=1
    )
    assert forest[0].question(0).kind == "is_missing"


def test_a_boosted_forest_is_saved_predicted_and_printed(tmp_path):
    table = wavy(500)
    forest = hb.boost(table, n_rounds=5)
    hb.save(forest, tmp_path / "boosted.hornbeam")
    again = hb.load(tmp_path / "boosted.hornbeam")
    assert predict(again, table.columns).numbers.tobytes() == predict(forest, table.columns).numbers.tobytes()
    assert "x0" in hb.tree.format_tree(forest[0])


def test_training_scores_are_those_of_prediction():
    """The recorded training loss is the loss of the predictions of the finished forest."""
    table = wavy(3000)
    forest = boost(table, n_rounds=30, record_loss=True)
    predicted = predict(forest, table.columns).numbers
    loss = float(((predicted - table.target.values) ** 2).mean() / 2)
    assert forest.metadata["training_loss"][-1] == pytest.approx(loss, rel=1e-9)


def test_invalid_settings_are_named():
    table = wavy(100)
    with pytest.raises(OptionError, match=r"Boosting\.learning_rate .*must"):
        Boosting(learning_rate=0.0)
    with pytest.raises(OptionError, match="logistic requires a classification target"):
        boost(table, loss="logistic")
    with pytest.raises(OptionError, match="not a column"):
        boost(table, monotone_constraints={"x9": 1})
    with pytest.raises(InputError, match="at least 0"):
        boost(table, loss="poisson")
    with pytest.raises(InputError, match="too few for a validation_fraction"):
        boost(wavy(3), validation_fraction=0.1)
