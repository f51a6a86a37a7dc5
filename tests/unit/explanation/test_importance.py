"""Importances: the worked examples that rpart confirms, shadows that take chance away, shuffling with intervals."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tests.examples import EXAMPLES
from tests.peers.test_rpart_growth import cart
from tests.unit.tree.example_trees import grown

import hornbeam as hb
from hornbeam.errors import InputError, OptionError
from hornbeam.explanation.importance import METHODS
from hornbeam.table.column import ColumnSpec, Kind, nominal, numeric
from hornbeam.table.table import Schema, Table
from hornbeam.tree.forest import combine_trees
from hornbeam.tree.questions import Hyperplane, Threshold

TWO = Schema((ColumnSpec("a", Kind.NUMERIC), ColumnSpec("b", Kind.NUMERIC)), ColumnSpec("y", Kind.NOMINAL, ("n", "p")))


def iris(kept=(0, 1, 2, 3), target=None, with_missing=False):
    data = hb.datasets.load("iris")
    short = [dataclasses.replace(c, name=n) for c, n in zip(data.columns, ("sl", "sw", "pl", "pw"), strict=True)]
    if with_missing:
        row = np.arange(150)
        gone = {2: row % 7 == 0, 1: row % 11 == 3, 3: row % 13 == 5}
        short = [
            dataclasses.replace(c, values=np.where(gone[i], np.nan, c.values)) if i in gone else c
            for i, c in enumerate(short)
        ]
    predicted = data.target if target is None else dataclasses.replace(short[target], name="y")
    return Table(tuple(short[i] for i in kept), predicted)


# E4.6, E4.7, E7.3: iris by rpart (verified there to 1e-15); minsplit, minbucket and cp as the examples say.
@pytest.mark.parametrize(
    ("name", "table", "control"),
    [
        ("E4.6", iris(), {"minsplit": 5, "minbucket": 2, "cp": 0.001}),
        ("E4.7", iris((0, 1, 2), 3), {"minsplit": 20, "minbucket": 7, "cp": 0.005}),
        ("E7.3", iris(with_missing=True), {"minsplit": 10, "minbucket": 3, "cp": 0.001}),
    ],
)
def test_importance_by_surrogates_is_rparts(name, table, control):
    root = 2 / 3 if table.target.levels else float(table.target.values.var())  # cp is a share of the root's risk
    recipe = cart({"control": control, "parms": None, "cost": None}, table).with_changes(
        missing="surrogates", pruning={"name": "cost_complexity", "alpha": control["cp"] * root}
    )
    found = hb.importance(hb.grow(table, recipe), method="surrogates")
    assert found.ranked() == pytest.approx(EXAMPLES[name]["expected"]["importance"], rel=1e-9)


def noisy(n=400, seed=3):
    """Column x predicts the class in part; 'many' has 60 levels by chance, 'few' two."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    y = (x + rng.normal(size=n) > 0).astype(np.int32)
    columns = (
        numeric("x", x),
        nominal("many", rng.integers(0, 60, n), tuple(f"v{i}" for i in range(60))),
        nominal("few", rng.integers(0, 2, n), ("a", "b")),
    )
    return Table(columns, nominal("y", y, ("no", "yes")))


def test_the_correction_takes_what_many_levels_gain_by_chance():
    table = noisy()
    plain = hb.importance(hb.grow(table, "plain"))
    corrected = hb.importance(None, table, "corrected", fit=lambda part: hb.grow(part, "plain"), repeats=8)
    assert plain["many"] > 0.3  # a share of the whole, by chance alone
    low, high = corrected.intervals()["many"]
    assert low - 0.1 < 0 < high + 0.1
    assert corrected["x"] > 0.2
    assert next(iter(corrected.ranked())) == "x"


def test_shuffling_a_column_that_is_not_used_changes_nothing():
    table = noisy()
    tree = hb.grow(table, hb.recipe("plain").with_changes(stops=[{"name": "max_depth", "depth": 1}]))
    used = tree.schema.names[tree.question(0).columns[0]]
    found = hb.importance(tree, table, "permutation", repeats=4)
    assert found[used] > 0
    assert all(found[name] == 0 for name in found.names if name != used)
    low, high = found.intervals()[used]
    assert low < found[used] < high


def test_the_same_seed_shuffles_alike_and_another_does_not():
    table = noisy()
    tree = hb.grow(table, "plain")
    once, again, other = (hb.importance(tree, table, "permutation", repeats=2, seed=s).values for s in (5, 5, 6))
    np.testing.assert_array_equal(once, again)
    assert not np.array_equal(once, other)


@pytest.mark.parametrize("loss", ["error", "brier", "log"])
def test_losses_of_classes_rise_when_the_predictive_column_is_shuffled(loss):
    table = noisy()
    tree = hb.grow(table, hb.recipe("plain").with_changes(stops=[{"name": "max_depth", "depth": 3}]))
    assert hb.importance(tree, table, "permutation", loss=loss, repeats=3)["x"] > 0


def test_impurity_probabilities_of_a_plane_go_by_weight_times_spread():
    tree = grown(TWO, (Hyperplane((0, 1), (1.0, 2.0), 0.0), [[5, 0], [0, 5]]))
    tree = dataclasses.replace(tree, nodes=tree.nodes.in_full().replace(gain=np.array([0.5, 0, 0])))
    rows = Table((numeric("a", [0.0, 6.0]), numeric("b", [0.0, 1.0])))  # spreads 3 and 1/2: 1 * 3 to 2 * 1/2
    assert hb.importance(tree).values.tolist() == [0.5, 0.5]
    assert hb.importance(tree, rows).values == pytest.approx([0.75, 0.25])


def test_a_forest_is_the_mean_of_its_members_and_a_leaf_alone_has_none():

    def member(column):
        tree = grown(TWO, (Threshold(column, 0.0), [[5, 0], [0, 5]]))
        return dataclasses.replace(tree, nodes=tree.nodes.in_full().replace(gain=np.array([0.5, 0, 0])))

    found = hb.importance(combine_trees([member(0), member(1)], weights=np.array([3.0, 1.0])))
    assert found.ranked() == pytest.approx({"a": 0.75, "b": 0.25})
    assert hb.importance(grown(TWO, [3, 4])).values.tolist() == [0.0, 0.0]


def test_invalid_arguments_are_rejected():
    table = noisy()
    tree = hb.grow(table, "plain")
    with pytest.raises(OptionError, match="one of impurity"):
        hb.importance(tree, method="gain")
    with pytest.raises(InputError, match="needs a table"):
        hb.importance(tree, method="permutation")
    with pytest.raises(OptionError, match="fit="):
        hb.importance(tree, table, "corrected")
    with pytest.raises(OptionError, match="loss must be one of error"):
        hb.importance(tree, table, "permutation", loss="squared")
    with pytest.raises(InputError, match="Unknown column 'z'"):
        hb.importance(tree)["z"]
    assert "importance" in str(hb.importance(tree))
    assert "<table>" in hb.importance(tree)._repr_html_()
    assert len(METHODS) == 5
