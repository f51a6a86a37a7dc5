"""Evaluation of rows in batches: the metrics of the same rows in memory, for every model, with bounded memory."""

from __future__ import annotations

import dataclasses
import json
import math

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import HornbeamWarning, InputError, OptionError
from hornbeam.evaluation import score_groups
from hornbeam.scale import new_rows

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

N_ROWS = 1500


def rows_of(n=N_ROWS, seed=0):
    random = np.random.default_rng(seed)
    x, few = random.normal(size=n), random.integers(0, 30, n).astype(float)
    few[random.random(n) < 0.05] = np.nan
    color = random.choice(["red", "green", "blue"], size=n)
    score = np.nan_to_num(few) / 15 + (color == "red") + x + random.normal(size=n)
    three = np.digitize(score, [0.5, 2.0]).astype(str)
    two = np.where(score > 1.2, "yes", "no")
    weights = random.random(n) + 0.2
    counts = np.maximum(score, 0).round()
    columns = {"x": x, "few": few, "color": color, "two": two, "three": three, "z": score, "n": counts, "w": weights}
    return pa.table(columns)


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.setattr(new_rows, "WHOLE_BYTES", 0)
    monkeypatch.setattr("hornbeam.scale.labeled_rows.BATCH_ROWS", 210)
    test = rows_of(seed=5)
    for number, start in enumerate(range(0, N_ROWS, 600)):
        pq.write_table(test.slice(start, 600), tmp_path / f"{number}.parquet", row_group_size=250)
    return str(tmp_path / "*.parquet")


def model_of(target, recipe):
    table = hb.read(rows_of(), target=target, columns=["x", "few", "color"])
    chosen = hb.recipe(recipe)
    if recipe in ("forest", "bagging"):
        chosen = chosen.with_changes(ensemble={"name": recipe, "n_trees": 5})
    if recipe == "boosting":
        chosen = chosen.with_changes(ensemble={"name": "boosting", "n_rounds": 5})
    return hb.grow(table, chosen, seed=1)


def assert_same_metrics(ours, theirs):
    for found, expected in ((ours.metrics, theirs.metrics), *_per_class(ours, theirs)):
        assert list(found) == list(expected)
        for name, metric in expected.items():
            got = found[name]
            for field in ("value", "low", "high"):
                one, other = getattr(got, field), getattr(metric, field)
                assert (one is None) == (other is None), (name, field)
                if one is not None:
                    assert one == pytest.approx(other, rel=1e-7, abs=1e-9), (name, field)
            assert got.reason == metric.reason
    assert (ours.task, ours.n_rows) == (theirs.task, theirs.n_rows)
    assert ours.weight == pytest.approx(theirs.weight)


def _per_class(ours, theirs):
    assert list(ours.per_class) == list(theirs.per_class)
    return [(ours.per_class[label], theirs.per_class[label]) for label in theirs.per_class]


@pytest.mark.parametrize("recipe", ["cart", "forest", "boosting"])
@pytest.mark.parametrize(
    ("target", "options"),
    [
        ("two", {}),
        ("two", {"positive": "yes", "prevalence": 0.1}),
        ("two", {"positive": "yes", "threshold": 0.3, "confidence": 0.9}),
        ("two", {"costs": {"yes": {"no": 5}}}),
        ("three", {}),
        ("three", {"positive": "2"}),
        ("z", {}),
        ("n", {}),
    ],
)
def test_metrics_in_batches_are_those_in_memory(files, recipe, target, options):
    model = model_of(target, recipe)
    expected = hb.evaluate(model, hb.read(rows_of(seed=5), target=target, columns=["x", "few", "color"]), **options)
    found = hb.evaluate(model, files, **options)
    assert_same_metrics(found, expected)
    if "positive" in options:
        for name in ("roc", "precision_recall"):
            one, other = getattr(found, name), getattr(expected, name)
            for field in dataclasses.fields(one):
                np.testing.assert_allclose(getattr(one, field.name), getattr(other, field.name))
        assert len(found.reliability) == len(expected.reliability)
        assert found.reliability[0].low == pytest.approx(expected.reliability[0].low)


@pytest.mark.parametrize("target", ["two", "z"])
def test_a_column_of_weights(files, target):
    model = model_of(target, "cart")
    table = hb.read(rows_of(seed=5), target=target, columns=["x", "few", "color"], weights="w")
    assert_same_metrics(hb.evaluate(model, files, weights="w"), hb.evaluate(model, table))
    with pytest.raises(InputError, match="weights: unknown column 'v'"):
        hb.evaluate(model, files, weights="v")
    with pytest.raises(OptionError, match="weights must be the name of a column"):
        hb.evaluate(model, files, weights=np.ones(N_ROWS))


def test_streams_rules_and_estimators_are_evaluated_in_batches(files):
    tree = model_of("two", "cart")
    table = hb.read(rows_of(seed=5), target="two", columns=["x", "few", "color"])
    test = rows_of(seed=5)
    reader = pa.RecordBatchReader.from_batches(test.schema, test.to_batches(max_chunksize=99))
    assert_same_metrics(hb.evaluate(tree, reader), hb.evaluate(tree, table))
    assert_same_metrics(hb.evaluate(tree, iter([test.slice(0, 700), test.slice(700)])), hb.evaluate(tree, table))
    rules = hb.extract_rules(tree)
    assert_same_metrics(hb.evaluate(rules, files), hb.evaluate(rules, table))


def test_many_different_predictions_are_rounded_with_a_warning(files, monkeypatch):
    boosted = model_of("two", "boosting")
    table = hb.read(rows_of(seed=5), target="two", columns=["x", "few", "color"])
    expected = hb.evaluate(boosted, table, positive="yes")
    monkeypatch.setattr(score_groups, "MAX_GROUPS", 150)
    monkeypatch.setattr(score_groups, "BITS", 4)
    with pytest.warns(HornbeamWarning, match="rounded to 4 significant bits"):
        found = hb.evaluate(boosted, files, positive="yes")
    for name in ("auc", "log_loss", "brier", "accuracy"):
        assert found[name].value == pytest.approx(expected[name].value, abs=0.05)
    monkeypatch.setattr(score_groups, "MAX_GROUPS", 5)
    with pytest.raises(InputError, match="more than 5 different predictions"):
        hb.evaluate(boosted, files)


def test_a_class_that_the_model_does_not_have_is_named_with_its_row(tmp_path, monkeypatch):
    monkeypatch.setattr(new_rows, "WHOLE_BYTES", 0)
    monkeypatch.setattr("hornbeam.scale.labeled_rows.BATCH_ROWS", 100)
    rows = rows_of(400).to_pydict()
    rows["two"][307] = "perhaps"
    pq.write_table(pa.table(rows), tmp_path / "rows.parquet", row_group_size=150)
    with pytest.raises(InputError, match=r"[Rr]ow 307"):
        hb.evaluate(model_of("two", "cart"), str(tmp_path / "rows.parquet"))


def test_rows_without_a_target_are_excluded_and_none_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr(new_rows, "WHOLE_BYTES", 0)
    rows = rows_of(400).to_pydict()
    rows["two"][:200] = [None] * 200
    pq.write_table(pa.table(rows), tmp_path / "rows.parquet")
    model = model_of("two", "cart")
    assert hb.evaluate(model, str(tmp_path / "rows.parquet")).n_rows == 200
    rows["two"] = pa.array([None] * 400, type=pa.string())
    pq.write_table(pa.table(rows), tmp_path / "none.parquet")
    with pytest.raises(InputError, match="No row has a known target"):
        hb.evaluate(model, str(tmp_path / "none.parquet"))


def test_progress_counts_the_rows(files):
    seen = []
    hb.evaluate(model_of("z", "cart"), files, progress=lambda done, of_all: seen.append((done, of_all)))
    assert seen[-1] == (N_ROWS, N_ROWS)
    assert len(seen) > 3


def test_a_constant_target_has_no_r2(tmp_path, monkeypatch):
    monkeypatch.setattr(new_rows, "WHOLE_BYTES", 0)
    rows = rows_of(50).to_pydict() | {"z": [1.5] * 50}
    pq.write_table(pa.table(rows), tmp_path / "rows.parquet")
    scores = hb.evaluate(model_of("z", "cart"), str(tmp_path / "rows.parquet"))
    assert scores["r2"].reason == "0/0: the truth is constant"
    assert math.isfinite(scores["mse"].value)


def test_the_command_evaluates_files_in_batches(files, tmp_path, capsys):
    from hornbeam.cli.main import main

    model = tmp_path / "model.tree"
    hb.save(model_of("two", "cart"), model)
    assert main(["evaluate", str(model), files, "--positive", "yes", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    expected = hb.evaluate(model_of("two", "cart"), files, positive="yes").as_dict()
    assert found["metrics"] == expected["metrics"]
    assert found["n_rows" if "n_rows" in found else "rows"] == N_ROWS
    assert main(["evaluate", str(model), files, "--positive", "yes", "--fail-under", "auc=0.999"]) == 1
    assert main(["evaluate", str(model), files, "--positive", "perhaps"]) != 0
