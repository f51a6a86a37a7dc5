"""PMML: a scoring engine gives the predictions of the model, and `convert` reads back what was written."""

from __future__ import annotations

import numpy as np
import pytest
from tests.exporting.cases import expected, mixed_table, models, near_rows, rows_of
from tests.exporting.exchange import in_jpmml

import hornbeam as hb
from hornbeam.errors import HornbeamWarning, InputError, ModelFileError
from hornbeam.exporting import formats
from hornbeam.exporting.conversion import export_model

NOT_IN_PMML = {
    "fractional": "go down all branches",
    "c45": "go down all branches",
    "unseen error": "rejects an unseen level in every row",
    "rules vote": "Rules that vote have class probabilities",
}


def more_models():
    three = mixed_table()
    numbers = three.select(["size", 'width "in" mm'])
    plain = hb.recipe("plain").with_changes(stops=[{"name": "max_depth", "depth": 3}])
    found = {name: each for name, each in models().items() if name not in NOT_IN_PMML}
    for search in ("lda_plane", "spheres", "conjunctions", "is_missing"):
        table = numbers if search in ("lda_plane", "spheres") else three
        found[search] = (hb.grow(table, plain.with_changes(searches=[search])), table)
    for name in ("surrogates", "own_branch", "unseen stay", "regression", "spheres"):
        found[f"rules {name}"] = (hb.extract_rules(found[name][0]), found[name][1])
    found["rules conjunctions"] = (
        hb.extract_rules(hb.grow(numbers, plain.with_changes(searches=["conjunctions"]))),
        numbers,
    )
    found["rules pruned"] = (hb.rules.postprune_rules(found["learned"][0], three), three)
    return found


@pytest.fixture(scope="module")
def cases():
    return {name: (model, near_rows(model, table)) for name, (model, table) in more_models().items()}


def test_a_scoring_engine_gives_the_predictions_of_the_model(cases, tmp_path):
    for name, (model, columns) in cases.items():
        some = tuple(column.take(np.arange(0, len(column), 5)) for column in columns)
        rows, wanted = rows_of(model, some), expected(model, some)
        for row, found, right in zip(rows, in_jpmml([(model, rows)], tmp_path)[0], wanted, strict=True):
            if right is None:
                assert found is None, (name, row)
                continue
            is_tie = sum(value == max(right.values) for value in right.values) > 1
            assert is_tie or found.label == right.label, (name, row)
            np.testing.assert_allclose(found.values, right.values, rtol=2e-15, atol=1e-15, err_msg=f"{name} {row}")


def test_converted_back_the_model_gives_the_same_predictions(cases):
    for name, (model, columns) in cases.items():
        if name in ("lda_plane", "spheres", "is_missing", "hostile") or name.startswith("rules"):
            continue  # derived fields, different rules for unseen levels, surrogates of levels without a branch, lists
        converted = hb.convert(formats.part("pmml").write(export_model(model)).encode())
        rows = rows_of(model, columns)
        found = hb.predict(converted, {column: [row[column] for row in rows] for column in converted.schema.names})
        wanted = model.predict(list(columns))
        assert found.labels.tolist() == wanted.labels.tolist(), name
        np.testing.assert_allclose(found.values, wanted.values, rtol=2e-15, atol=1e-15, err_msg=name)


def test_a_list_of_rules_is_not_read_as_a_tree():
    rules = hb.extract_rules(hb.grow(hb.datasets.load("penguins"), "cart"))
    with pytest.raises(ModelFileError, match="surrogate is not supported here"):
        hb.convert(hb.export(rules, format="pmml").encode())


@pytest.mark.parametrize("name", NOT_IN_PMML)
def test_what_pmml_cannot_express_is_rejected(name):
    with pytest.raises(InputError, match=NOT_IN_PMML[name]):
        hb.export(models()[name][0], format="pmml")


def test_votes_come_with_a_note_about_ties():
    with pytest.warns(HornbeamWarning, match="A scoring engine may break ties between votes in another way"):
        hb.export(models()["votes"][0], format="pmml")


def test_a_text_that_xml_cannot_hold_is_rejected():
    table = hb.read({"a\x01": [1.0, 2.0, 3.0, 4.0] * 5, "y": list("uuvv") * 5}, target="y")
    with pytest.raises(InputError, match=r"a\\x01' cannot be written as XML"):
        hb.export(hb.grow(table, "plain"), format="pmml")


def test_a_deep_tree_is_written_and_read_without_recursion():
    numbers = np.arange(1100.0)
    table = hb.read({"x": numbers, "y": np.where(numbers % 2 == 0, "even", "odd")}, target="y")
    recipe = hb.recipe("plain").with_changes(stops=[])
    tree = hb.grow(table, recipe)
    converted = hb.convert(hb.export(tree, format="pmml").encode())
    assert (converted.predict(table).codes == tree.predict(table).codes).all()
    assert converted.depth == tree.depth > 500
