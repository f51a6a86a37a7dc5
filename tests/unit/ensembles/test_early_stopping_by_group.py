"""Early stopping on whole groups, and on the latest rows."""

import importlib

import numpy as np
import pytest

import hornbeam as hb

ROWS = importlib.import_module("hornbeam.ensembles.boosting.rows")
CANCER = hb.datasets.load("breast_cancer")
GROUPS = np.arange(len(CANCER)) // 5
SETTINGS = {"n_rounds": 3, "validation_fraction": 0.2}


@pytest.fixture
def parts(monkeypatch):
    """The training rows and the validation rows of the last call."""
    found = []
    original = ROWS.validation_split
    monkeypatch.setattr(ROWS, "validation_split", lambda *more: found.append(original(*more)) or found[-1])
    return found


def test_validation_rows_are_whole_groups(parts):
    hb.boost(CANCER, groups=GROUPS, **SETTINGS)
    assert not set(GROUPS[parts[-1].train]) & set(GROUPS[parts[-1].test])
    assert 0.15 < len(parts[-1].test) / len(CANCER) < 0.25


def test_validation_rows_are_the_latest_rows(parts):
    hb.boost(CANCER, times=GROUPS, **SETTINGS)
    assert GROUPS[parts[-1].train].max() < GROUPS[parts[-1].test].min()


def test_rows_of_weight_zero_do_not_shift_the_groups(parts):
    table = hb.table.table_from_arrays(np.arange(60.0)[:, None], np.arange(60) % 7 / 2.0, np.arange(60) % 3 > 0)
    hb.boost(table, groups=np.arange(60) // 6, min_rows=1, **SETTINGS)
    groups = (np.arange(60) // 6)[np.arange(60) % 3 > 0]
    assert not set(groups[parts[-1].train]) & set(groups[parts[-1].test])


def test_the_recipe_and_the_estimators_take_groups_and_times(parts):
    X, y = np.arange(200.0)[:, None], np.arange(200) % 3 == 0
    groups = np.arange(200) // 8
    for model in (hb.BoostedClassifier, hb.BoostedRegressor):
        model(max_iter=2, early_stopping=True, validation_fraction=0.25).fit(X, y.astype(float), groups=groups)
        assert not set(groups[parts[-1].train]) & set(groups[parts[-1].test])
    recipe = hb.recipe("boosting").with_changes(ensemble={"name": "boosting", **SETTINGS})
    hb.grow(CANCER, recipe, times=GROUPS)
    assert GROUPS[parts[-1].train].max() < GROUPS[parts[-1].test].min()


def test_trees_that_prune_by_folds_take_groups():
    X, y = np.random.default_rng(0).normal(size=(120, 2)), np.repeat(np.arange(24) % 2, 5)
    pruned = hb.TreeClassifier("cart").fit(X, y, groups=np.repeat(np.arange(24), 5))
    assert pruned.get_n_leaves() <= hb.TreeClassifier("cart").fit(X, y).get_n_leaves()


def test_scikit_learn_passes_groups_on_if_they_are_requested(parts):
    sklearn = pytest.importorskip("sklearn")
    from sklearn.model_selection import GroupKFold, cross_validate

    groups = np.arange(200) // 8
    with sklearn.config_context(enable_metadata_routing=True):
        model = hb.BoostedClassifier(max_iter=2, early_stopping=True, validation_fraction=0.25)
        cross_validate(
            model.set_fit_request(groups=True),
            np.arange(200.0)[:, None],
            np.arange(200) % 3 == 0,
            cv=GroupKFold(2),
            params={"groups": groups},
        )
    assert len(parts) == 2
