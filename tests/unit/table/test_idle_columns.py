"""Columns that were missing or constant in all training rows: new rows may have any value there."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import hornbeam as hb
from hornbeam.errors import InputError
from hornbeam.tree.file.files import from_bytes, to_bytes

N = 80
X = np.random.default_rng(0).normal(size=N)
CLASSES = np.where(X > 0, "a", "b")
TRAINING = {
    "missing": np.full(N, np.nan),
    "number": np.ones(N),
    "text": ["k"] * N,
    "some": np.where(np.arange(N) % 2 == 0, 1.0, np.nan),
    "x": X,
}
ODD = {
    "missing": ["text"] * N,
    "number": ["text"] * N,
    "text": np.arange(N, dtype=float),
    "some": np.ones(N),
    "x": X,
}


@pytest.fixture(params=["tree", "forest", "boosted", "rules"])
def model(request):
    table = hb.read({**TRAINING, "y": CLASSES}, target="y")
    tree = hb.grow(table, "plain")
    return {
        "tree": lambda: tree,
        "forest": lambda: hb.forest(table, n_trees=3),
        "boosted": lambda: hb.boost(table, n_rounds=3),
        "rules": lambda: hb.extract_rules(tree),
    }[request.param]()


def test_new_rows_may_have_any_value_in_an_idle_column(model):
    for each in (model, from_bytes(to_bytes(model)) if not isinstance(model, hb.rules.RuleSet) else model):
        ask = each.predict if isinstance(each, hb.rules.RuleSet) else lambda rows, each=each: hb.predict(each, rows)
        assert ask(ODD).labels.tolist() == ask(TRAINING).labels.tolist()


def test_a_predictor_of_single_rows_takes_them_too():
    table = hb.read({**TRAINING, "y": CLASSES}, target="y")
    one = hb.Predictor(hb.grow(table, "plain"))
    assert one({"missing": "t", "number": "t", "text": 3.0, "some": 1.0, "x": 2.0}) == "a"


def test_other_columns_are_still_compared():
    tree = hb.grow(hb.read({**TRAINING, "y": CLASSES}, target="y"), "plain")
    for name in ("some", "x"):
        with pytest.raises(InputError, match="is numeric in the model, but row 0 contains the text"):
            hb.predict(tree, {**ODD, name: ["text"] * N})


def test_what_is_idle_is_found_in_the_training_rows():
    schema = hb.read({**TRAINING, "late": np.r_[np.ones(N - 1), 2.0]}).schema
    assert {spec.name: spec.is_idle for spec in schema.columns} == {
        "missing": True,
        "number": True,
        "text": True,
        "some": False,
        "x": False,
        "late": False,
    }


def test_a_fold_in_which_a_text_column_is_empty_is_no_obstacle():
    text = np.array(["u", "v"], dtype=object)[np.arange(N) % 2]
    text[: N // 2] = None
    frame = pd.DataFrame({"text": text, "x": X})
    fitted = hb.TreeClassifier().fit(frame[: N // 2], CLASSES[: N // 2])
    assert (fitted.predict(frame[N // 2 :]) == CLASSES[N // 2 :]).mean() > 0.8
