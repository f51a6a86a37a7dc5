"""Estimators name their own parameters, take what scikit-learn's do and refuse the rest in words."""

from __future__ import annotations

import inspect
import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import scipy.sparse as sp
from sklearn.utils import get_tags

import hornbeam as hb
from hornbeam.errors import InputError, OptionError

RANDOM = np.random.default_rng(0)
X, CLASSES, NUMBERS = RANDOM.normal(size=(60, 3)), np.arange(60) % 2, RANDOM.normal(size=60)
EVERY = [name for name in hb.__all__ if hasattr(getattr(hb, name), "fit")]


def target(name):
    return NUMBERS if name.endswith("Regressor") else CLASSES


@pytest.mark.parametrize("name", EVERY)
def test_hints_name_no_argument_that_an_estimator_does_not_have(name):
    infinite, no_target = X.copy(), target(name).astype(float)
    infinite[0, 0], no_target[2] = np.inf, np.nan
    make = getattr(hb, name)
    fitted = make().fit(X, target(name))
    for call in (
        lambda: make().fit(infinite, target(name)),
        lambda: make().fit(X, no_target),
        lambda: fitted.predict(infinite),
    ):
        with pytest.raises(InputError) as failed:
            call()
        named = set(re.findall(r"\b(\w+)=", str(failed.value)))
        assert named <= set(inspect.signature(make.__init__).parameters)


BOOSTED = {
    "learning_rate": [-1, "x", 0.0],
    "max_iter": [0, 1.5],
    "max_leaf_nodes": [1, "a"],
    "max_depth": [-1, "a"],
    "min_samples_leaf": [0, "a"],
    "min_hessian": [-1],
    "l1_regularization": [-1],
    "l2_regularization": [-1],
    "min_split_gain": [-1],
    "min_f": [-1, "x"],
    "max_bins": [1, 10**6],
    "subsample": [0, 2],
    "columns_per_tree": [0],
    "max_features": [7],
    "n_iter_no_change": [0],
    "tol": [-1],
    "early_stopping": ["x"],
    "categorical_l2": [-1, "x", float("nan")],
    "categorical_smoothing": [-1, "x", None],
    "loss": ["x"],
    "interaction_cst": [5, "x", [5], [[0, 99]], [["a"]], [[1.5]], ["x0"], [[None]]],
    "monotonic_cst": [5, "x", [1], [2, 0, 0], {"z": 1}, {"x0": "up"}, ["1", 0, 0], {"x0": None}],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, all in BOOSTED.items() for value in all], ids=str)
def test_errors_of_boosted_models_name_their_parameters(name, value):
    with pytest.raises(OptionError, match=rf"^{name}\b") as failed:
        hb.BoostedClassifier(**{name: value}).fit(X, CLASSES)
    assert "Boosting." not in str(failed.value)
    assert failed.value.details.get("option", name) == name


def test_every_parameter_that_is_a_setting_of_boosting_is_tried():
    known = set(inspect.signature(hb.BoostedClassifier.__init__).parameters) - {"self"}
    others = {"warm_start", "validation_fraction", "class_weight", "random_state", "n_jobs"}
    others |= {"scoring", "verbose", "categorical_features", "joint_trees"}
    assert known - others == set(BOOSTED)


def test_too_few_rows_to_hold_out_are_reported_in_parameters():
    with pytest.raises(InputError, match="early_stopping=False"):
        hb.BoostedClassifier(early_stopping=True).fit(X[:3], CLASSES[:3])
    with pytest.raises(OptionError, match=r"^validation_fraction"):
        hb.BoostedClassifier(early_stopping=True, validation_fraction=2).fit(X, CLASSES)


@pytest.mark.parametrize(
    ("make", "parameter"),
    [
        (lambda: hb.AdaBoostTreeClassifier(n_estimators=0), "n_estimators"),
        (lambda: hb.TreeClassifier(max_depth=-1), "max_depth"),
        (lambda: hb.TreeClassifier(max_leaf_nodes=0), "max_leaf_nodes"),
        (lambda: hb.ForestClassifier(min_impurity_decrease=-1), "min_impurity_decrease"),
        (lambda: hb.TreeRegressor(ccp_alpha=-1), "ccp_alpha"),
    ],
)
def test_errors_of_trees_begin_with_their_parameter(make, parameter):
    with pytest.raises(OptionError, match=rf"^{parameter} .*must"):
        make().fit(X, CLASSES)


def test_tags_say_whether_missing_values_are_taken():
    for make in (hb.TreeClassifier, hb.TreeRegressor, hb.ForestClassifier, hb.ForestRegressor):
        assert get_tags(make()).input_tags.allow_nan
        assert not get_tags(make(missing="error")).input_tags.allow_nan
        assert not get_tags(make(missing={"name": "error"})).input_tags.allow_nan
        assert not get_tags(make(recipe=hb.recipe("plain").with_changes(missing="error"))).input_tags.allow_nan
        assert get_tags(make(missing="no such")).input_tags.allow_nan


@pytest.mark.parametrize("make", [sp.csr_matrix, sp.csc_array, sp.coo_matrix])
@pytest.mark.parametrize("name", ["TreeClassifier", "ForestRegressor", "BoostedClassifier"])
def test_a_sparse_target_is_refused_as_scikit_learn_does(make, name):
    with pytest.raises(InputError, match=r"Sparse data was passed for y, but dense data is required.*toarray"):
        getattr(hb, name)().fit(X, make(CLASSES[:, None]))


@pytest.mark.parametrize("is_ordered", [False, True])
def test_a_pandas_column_of_an_arrow_dictionary_is_read(is_ordered):
    kind = pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string(), ordered=is_ordered))
    words = pd.Series(["low", "high", None] * 20, dtype=kind)
    frame = pd.DataFrame({"word": words, "x": X[:, 0]})
    column = hb.table.table_from_arrays(frame, CLASSES).columns[0]
    assert column.kind is (hb.table.Kind.ORDINAL if is_ordered else hb.table.Kind.NOMINAL)
    assert sorted(column.levels) == ["high", "low"]
    assert column.is_missing.sum() == 20
    fitted = hb.TreeClassifier().fit(frame, words.fillna("none"))
    assert set(fitted.predict(frame)) == {"low", "high", "none"}
