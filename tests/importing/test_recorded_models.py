"""Recorded model files give the recorded predictions, and damaged ones are rejected with place and reason."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hornbeam as hb
from hornbeam.errors import InputError, ModelFileError

DATA = Path(__file__).parents[1] / "data" / "importing"
FILES = ["lightgbm.txt", "xgboost.json", "xgboost.ubj"]


@pytest.mark.parametrize("name", FILES)
def test_a_recorded_model_gives_the_recorded_predictions(name):
    expected = json.loads((DATA / "expected.json").read_text())
    model = hb.convert(DATA / name)
    rows = {column: [row[at] for row in expected["rows"]] for at, column in enumerate(expected["columns"])}
    found = hb.predict(model, rows).probabilities[:, 1]
    np.testing.assert_allclose(found, expected[name.partition(".")[0]], rtol=0, atol=1e-6)
    predictor = hb.Predictor(model)
    for at in range(5):
        row = dict(zip(expected["columns"], expected["rows"][at], strict=True))
        assert predictor.probabilities(row)[1] == pytest.approx(found[at], abs=1e-12)


@pytest.mark.parametrize("name", ["classes", "numbers"])
def test_a_tree_of_rpart_in_pmml_gives_the_predictions_of_rpart(name):
    """Rows with missing values, decided by surrogates and by what follows them."""
    with (DATA / f"rpart_{name}.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    model = hb.convert(DATA / f"rpart_{name}.pmml")
    columns = {
        column: [(row[column] if column == "city" else float(row[column])) if row[column] else None for row in rows]
        for column in model.schema.names
    }
    assert sum(None in values for values in zip(*columns.values(), strict=True)) > 80
    wanted = [[float(value) for key, value in row.items() if key.startswith("predicted_")] for row in rows]
    np.testing.assert_allclose(model.predict(columns).values, wanted, rtol=2e-16, atol=2e-16)


@pytest.mark.filterwarnings("ignore::hornbeam.errors.HornbeamWarning")
@pytest.mark.parametrize("name", FILES)
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_damaged_file_is_converted_or_rejected(name, data):
    """Cut, changed, repeated and inserted bytes: a model or an error of ours, never another exception."""
    content = bytearray((DATA / name).read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, max(len(content) - 1, 0)))
        how = data.draw(st.sampled_from(["cut", "change", "repeat", "insert"]))
        if how == "cut":
            del content[at : at + data.draw(st.sampled_from([1, 2, 50, len(content)]))]
        elif how == "change" and content:
            content[at] = data.draw(st.sampled_from([*b'0179-.,[]{}"neE= \n', 0, 255, 127]))
        elif how == "repeat":
            content[at:at] = content[at : at + 40]
        else:
            content[at:at] = data.draw(st.sampled_from([b"99999999999999999999", b"-1", b"1e400", b"nan", b"[" * 5000]))
    try:
        model = hb.convert(bytes(content))
    except (ModelFileError, InputError):
        return
    row = _row(model) if _has_levels(model) else [[0.0] * len(model.schema.columns)]
    assert len(hb.predict(model, row)) == 1


def _has_levels(model) -> bool:
    return any(spec.has_levels for spec in model.schema.columns)


def _row(model) -> dict[str, list]:
    return {spec.name: [spec.levels[0] if spec.levels else 0.0] for spec in model.schema.columns}


CASES = [
    ("lightgbm.txt", b"version=v4", b"version=v9", "model version 'v9' is not known"),
    ("lightgbm.txt", b"end of trees", b"", "truncated"),
    ("lightgbm.txt", b"split_feature=", b"split_feature=77 ", "tree 0, split_feature: 4 numbers are needed, got 5"),
    ("lightgbm.txt", b"num_leaves=5", b"num_leaves=99999999999", "tree 0, num_leaves"),
    ("lightgbm.txt", b"left_child=", b"left_child=9", "tree 0, left_child: a child must be one of 4 inner"),
    ("xgboost.json", b'"version":[3', b'"version":[9', r"model version \[9"),
    ("xgboost.json", b'"name":"gbtree"', b'"name":"gblinear"', "only gbtree and dart"),
    ("xgboost.json", b'"left_children":[', b'"left_children":[7,', r"trees\[0\].left_children: \d+ numbers are needed"),
    ("xgboost.json", b'"base_score":"[', b'"base_score":"[x', "base_score: numbers are needed"),
    ("xgboost.ubj", b"learner", b"learnex", "learner: the value is missing"),
]


@pytest.mark.parametrize(("name", "old", "new", "message"), CASES)
def test_an_error_names_the_place(name, old, new, message):
    content = (DATA / name).read_bytes()
    assert old in content
    with pytest.raises(ModelFileError, match=message):
        hb.convert(content.replace(old, new, 1))


def test_a_small_file_cannot_claim_much_memory():
    huge = b"{L" + (7).to_bytes(8, "big") + b"learner[$d#L" + (2**40).to_bytes(8, "big")
    with pytest.raises(ModelFileError, match="more than the bytes that are left"):
        hb.convert(huge)
    with pytest.raises(ModelFileError, match="nested deeper"):
        hb.convert(b"{U\x01a" + b"[" * 10_000)
    with pytest.raises(ModelFileError, match=r"nested too deeply|Expecting"):
        hb.convert(b'{"a":' + b"[" * 100_000)


def test_other_files_are_rejected_with_the_list_of_formats(tmp_path):
    (tmp_path / "model.pkl").write_bytes(b"\x80\x04\x95 pickle")
    with pytest.raises(ModelFileError, match=r"model.pkl is not a model of a known format.*Load a pickle"):
        hb.convert(tmp_path / "model.pkl")
    with pytest.raises(ModelFileError, match="Cannot read"):
        hb.convert(tmp_path / "nothing.json")
    with pytest.raises(ModelFileError, match="max_bytes=10"):
        hb.convert(DATA / "lightgbm.txt", max_bytes=10)
