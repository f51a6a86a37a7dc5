"""Forests that are exported as bit masks predict as hornbeam does, to the bit."""

from __future__ import annotations

import re

import numpy as np
import pytest
from tests.exporting import runners
from tests.exporting.cases import expected, mixed_table, near_rows, rows_of

import hornbeam as hb
from hornbeam.errors import InputError
from hornbeam.exporting.conversion import export_model
from hornbeam.exporting.formats import formats
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table


def masked_models():
    """Models with shared words, several groups of words, sets of levels, and all combinations of trees."""
    small = [{"name": "max_depth", "depth": 5}]
    three, number = mixed_table(), mixed_table(number=True)
    recipe = hb.recipe("plain").with_changes(stops=small, missing="learned")
    counting = hb.recipe("plain").with_changes(stops=small, missing="learned", criterion="squared_error")
    two = mixed_table(classes=2, seed=5)
    return {
        "mean": (hb.forest(three, recipe, n_trees=9, seed=1), three),
        "vote": (hb.forest(three, recipe, n_trees=9, combine="vote", seed=1), three),
        "regression": (hb.forest(number, counting, n_trees=9, seed=2), number),
        "two classes": (hb.boost(two, n_rounds=30, max_leaves=8), two),
        "three classes": (hb.boost(three, n_rounds=10, max_leaves=8), three),
        "many words": (
            hb.forest(two, recipe.with_changes(stops=[{"name": "max_depth", "depth": 6}]), n_trees=300, seed=3),
            two,
        ),
    }


@pytest.fixture(scope="module")
def models():
    return masked_models()


def test_masks_predict_every_row_as_hornbeam_does(models, tmp_path):
    columns = {name: near_rows(model, table, n=80) for name, (model, table) in models.items()}
    cases = [(model, rows_of(model, columns[name])) for name, (model, _) in models.items()]
    found = runners.in_c(cases, tmp_path, style="masks")
    for (name, (model, _)), results in zip(models.items(), found, strict=True):
        assert results == expected(model, columns[name]), name


def test_the_models_cover_several_groups_of_words_and_both_branches_of_missing_values(models):
    header = hb.export(models["many words"][0], format="c", style="masks")
    assert int(re.search(r"model_N_GROUPS = (\d+)", header)[1]) > 1
    routes = list(export_model(models["mean"][0]).routes())
    assert {route.missing for route in routes} == {0, 1}
    slots = hb.export(models["mean"][0], format="c", style="masks").count(" : -INFINITY;")
    assert slots > 0, "a column whose missing values go left at one cut and right at a lower one has two slots"


def test_masks_are_the_default_of_c_where_they_are_faster_and_are_refused_where_they_are_impossible():
    iris = hb.datasets.load("iris")
    forest = hb.forest(iris, n_trees=100, seed=1)
    assert "_EARLIER" in hb.export(forest, format="c")
    assert "_EARLIER" not in hb.export(forest, format="c", style="unrolled")
    assert "_EARLIER" not in hb.export(hb.grow(iris), format="c")
    with pytest.raises(InputError, match="Bit masks need a forest"):
        hb.export(hb.grow(iris), format="c", style="masks")


def test_columns_with_few_cuts_each_are_left_to_conditions():
    generator = np.random.default_rng(0)
    values = generator.normal(size=(300, 200))
    target = (values.sum(axis=1) > 0).astype(np.int32)
    columns = tuple(numeric(f"x{i}", values[:, i]) for i in range(200))
    forest = hb.forest(Table(columns, nominal("y", target, ("a", "b"))), n_trees=10, seed=1)
    assert "_EARLIER" not in hb.export(forest, format="c")


def test_large_trees_have_no_masks():
    generator = np.random.default_rng(0)
    x = generator.normal(size=400)
    table = Table((numeric("x", x),), nominal("y", generator.integers(0, 2, 400).astype(np.int32), ("a", "b")))
    forest = hb.forest(table, n_trees=3, seed=1)
    assert formats.part_class("c")(style="masks").unsupported(export_model(forest))
