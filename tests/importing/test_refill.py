"""`refill` counts the rows of a table in every node and leaves predictions as they are."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import hornbeam as hb
from hornbeam.errors import InputError
from importing.rows import table, targets


def test_a_tree_refilled_from_its_training_rows_has_the_statistics_of_its_source():
    rows = table()
    number = targets(rows)[2]
    source = DecisionTreeRegressor(max_depth=4).fit(rows, number)
    tree = hb.convert(source)
    filled = hb.refill(tree, _table(rows, number))
    for name in ("rows", "weight", "impurity", "gain", "stats"):
        np.testing.assert_allclose(getattr(filled.nodes, name), getattr(tree.nodes, name), atol=1e-9)


def test_a_boosted_model_gets_rows_and_gains_and_keeps_its_predictions():
    rows = table()
    model = hb.convert(HistGradientBoostingRegressor(max_iter=3).fit(rows, targets(rows)[2]))
    assert np.isnan(model[0].nodes.impurity).all()
    assert model[0].metadata["absent"] == ["impurity"]
    filled = hb.refill(model, rows[:200])
    assert filled[0].nodes.rows[0] == 200
    assert (filled[0].nodes.gain[~filled[0].nodes.is_leaf] >= 0).all()
    assert "absent" not in filled[0].metadata
    assert np.array_equal(hb.predict(filled, rows).values, hb.predict(model, rows).values)
    assert hb.importance(filled).values.sum() == pytest.approx(1)


def test_class_weights_of_the_source_are_kept():
    rows = table()
    two = targets(rows)[0]
    tree = hb.convert(DecisionTreeClassifier(max_depth=3).fit(rows, two))
    filled = hb.refill(tree, _table(rows[:50], two[:50], classes=True))
    assert np.array_equal(filled.nodes.stats, tree.nodes.stats)
    assert filled.nodes.rows[0] == 50


def test_a_forest_needs_a_target_and_rows():
    rows = table()
    model = hb.convert(RandomForestRegressor(2, max_depth=2).fit(rows, targets(rows)[2]))
    with pytest.raises(InputError, match="Unknown column 'y'"):
        hb.refill(model, {f"x{at}": rows[:, at] for at in range(4)})


def _table(rows, target, classes=False):
    columns = {f"x{at}": rows[:, at] for at in range(rows.shape[1])}
    return hb.read({**columns, "y": target}, target="y", **({"kinds": {"y": "nominal"}} if classes else {}))
