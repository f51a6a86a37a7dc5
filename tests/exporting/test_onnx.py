"""ONNX: onnxruntime gives the predictions of the model from raw columns; pipelines go through skl2onnx."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from tests.exporting.cases import expected, mixed_table, models, near_rows, rows_of
from tests.exporting.exchange import tensors

import hornbeam as hb
from hornbeam.errors import HornbeamWarning, InputError
from hornbeam.exporting import formats
from hornbeam.exporting.conversion import export_model

onnx = pytest.importorskip("onnx", reason="onnx is not installed")
onnxruntime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")

NOT_IN_ONNX = {
    "fractional": "A row takes one branch",
    "c45": "A row takes one branch",
    "unseen error": "cannot reject a row",
    "hostile": "has an empty level",
}


def more_models():
    three = mixed_table()
    numbers = three.select(["size", 'width "in" mm'])
    plain = hb.recipe("plain").with_changes(stops=[{"name": "max_depth", "depth": 3}])
    found = dict(models())
    for search in ("lda_plane", "spheres", "conjunctions", "is_missing"):
        table = numbers if search in ("lda_plane", "spheres") else three
        found[search] = (hb.grow(table, plain.with_changes(searches=[search])), table)
    return found


def session(model):
    return onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])


def test_onnxruntime_gives_the_predictions_of_the_model():
    for name, (model, table) in more_models().items():
        if name in NOT_IN_ONNX:
            with pytest.raises(InputError, match=NOT_IN_ONNX[name]):
                hb.export(model, format="onnx")
            continue
        exported = formats.part("onnx").write(export_model(model))
        onnx.checker.check_model(exported, full_check=True)
        run = session(exported)
        columns = near_rows(model, table)
        rows, wanted = rows_of(model, columns), expected(model, columns)
        found = run.run(None, tensors(run, rows))
        if model.schema.is_class:
            assert found[0].tolist() == [json.loads(each.label) for each in wanted], name
        exact = not wanted[0].scores or (not model.schema.is_class and name != "boosted counts")
        values = np.array([each.values for each in wanted])
        np.testing.assert_allclose(found[-1], values, rtol=0 if exact else 2e-15, atol=0 if exact else 4e-16)


def test_float32_inputs_take_the_branches_of_predict():
    random = np.random.default_rng(0)
    rows = random.normal(size=(400, 3)).astype(np.float32)
    model = hb.convert(DecisionTreeClassifier(random_state=0).fit(rows, rows[:, 0] * rows[:, 1] > rows[:, 2]))
    cuts = [question for question in model.questions.all_questions()]
    for index, question in enumerate(cuts):
        for neighbour in range(-1, 2):
            value = np.float32(question.cut)
            rows[3 * index + neighbour + 1, question.column] = value + neighbour * np.spacing(value)
    run = session(hb.export(model, format="onnx", numbers="float32"))
    found = run.run(None, {f"x{at}": rows[:, [at]] for at in range(3)})
    assert np.array_equal(found[0].astype(bool), hb.predict(model, rows).labels)
    assert np.array_equal(found[1], hb.predict(model, rows).probabilities)


def test_a_tree_of_one_leaf_and_names_of_columns_that_collide_with_outputs(tmp_path):
    table = hb.read({"label": [1.0, 2.0, 3.0, 4.0], "y": ["a", "a", "b", "b"]}, target="y")
    for stops in ([{"name": "max_depth", "depth": 0}], []):
        tree = hb.grow(table, hb.recipe("plain").with_changes(stops=stops))
        hb.export(tree, tmp_path / "tree.onnx")
        run = onnxruntime.InferenceSession(tmp_path / "tree.onnx", providers=["CPUExecutionProvider"])
        assert [each.name for each in run.get_outputs()] == ["label_", "probabilities"]
        found = run.run(None, {"label": np.array([[1.0], [4.0]])})
        assert found[0].tolist() == tree.predict({"label": [1.0, 4.0]}).labels.tolist()


def test_an_empty_level_is_rejected_because_an_empty_text_is_missing():
    table = hb.read({"c": ["", "b"] * 6, "y": ["u", "v"] * 6}, target="y")
    if "" not in table.columns[0].levels:
        pytest.skip("the reader does not keep empty texts")
    with pytest.raises(InputError, match="has an empty level"):
        hb.export(hb.grow(table, "plain"), format="onnx")


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_pipeline_is_converted_by_skl2onnx(dtype):
    skl2onnx = pytest.importorskip("skl2onnx", reason="skl2onnx is not installed")
    hb.exporting.register_skl2onnx()
    random = np.random.default_rng(0)
    rows = random.normal(size=(200, 4)).astype(dtype)
    labels = np.where(rows[:, 0] + rows[:, 1] ** 2 > 1, "yes", "no")
    cases = [
        (hb.TreeClassifier(max_depth=4), labels),
        (hb.ForestClassifier(n_estimators=4), labels),
        (hb.BoostedClassifier(max_iter=5), labels),
        (hb.BoostedRegressor(max_iter=5), rows[:, 0]),
    ]
    for estimator, y in cases:
        pipeline = make_pipeline(StandardScaler(), estimator).fit(rows, y)
        run = session(skl2onnx.to_onnx(pipeline, rows[:1]))
        found = run.run(None, {"X": rows})
        if y is labels:
            assert found[0].tolist() == pipeline.predict(rows).tolist()
            np.testing.assert_allclose(found[1], pipeline.predict_proba(rows), rtol=2e-15, atol=4e-16)
        else:
            np.testing.assert_allclose(found[0][:, 0], pipeline.predict(rows), rtol=0)


def test_a_row_that_no_rule_matches_has_nan():
    table = hb.read({"x": [1.0, 2.0, 3.0, 4.0], "y": ["a", "a", "b", "b"]}, target="y")
    rules = hb.extract_rules(hb.grow(table, "plain"))
    first = rules.replace(rules=rules.rules[:1])
    with pytest.warns(HornbeamWarning, match="A row that no rule matches has NaN"):
        run = session(hb.export(first, format="onnx"))
    found = run.run(None, {"x": np.array([[1.0], [4.0]])})[1]
    assert np.isnan(found).all(axis=1).tolist() == [False, True]
