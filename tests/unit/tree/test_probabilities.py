"""The estimates of class probabilities: their values, and that every prediction of a tree uses the same ones."""

import dataclasses

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import ModelFileError, OptionError
from hornbeam.tree import walk
from hornbeam.tree.edit import collapse
from hornbeam.tree.file import files
from hornbeam.tree.nodes import Nodes
from hornbeam.tree.probabilities import probabilities

ESTIMATES = ("laplace", "m_estimate", "shrinkage")


def nodes_of(*counts, first=1):
    """A root with all other nodes as its children."""
    leaf = np.full(len(counts), -1)
    leaf[0] = first
    branches = np.where(leaf >= 0, len(counts) - 1, 0)
    stats = np.array(counts, dtype=float)
    return Nodes(first_child=leaf, n_branches=branches, stats=stats, answer=stats.argmax(axis=1).astype(float))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("frequencies", [1, 0]),
        ("laplace", [6 / 7, 1 / 7]),
        ("m_estimate", [6.2 / 7, 0.8 / 7]),
        ("shrinkage", [19 / 24, 5 / 24]),
    ],
)
def test_the_probabilities_of_a_pure_child_are_those_of_definition_11_3(name, expected):
    found = probabilities.part(name).of_nodes(nodes_of([6, 4], [5, 0], [1, 4]))
    assert found[1] == pytest.approx(expected)
    assert found.sum(axis=1) == pytest.approx(1)


def test_the_rows_of_an_estimate_are_a_setting():
    nodes = nodes_of([6, 4], [5, 0], [1, 4])
    assert probabilities.part({"name": "laplace", "rows": 0.5}).of_nodes(nodes)[1] == pytest.approx([5.5 / 6, 0.5 / 6])
    assert probabilities.part({"name": "shrinkage", "rows": 1e-9}).of_nodes(nodes)[1] == pytest.approx([1, 0], abs=1e-9)
    assert probabilities.part({"name": "shrinkage", "rows": 1e9}).of_nodes(nodes)[1] == pytest.approx([7 / 12, 5 / 12])
    with pytest.raises(OptionError, match="rows added to each class"):
        probabilities.part({"name": "laplace", "rows": 0})


@pytest.mark.parametrize("name", ESTIMATES)
def test_the_most_frequent_class_stays_the_most_probable_one(name):
    nodes = nodes_of([10, 80, 10], [2, 1, 0], [1, 1, 0], [7, 78, 10])
    found = probabilities.part({"name": name, "rows": 20.0}).of_nodes(nodes)
    assert found.argmax(axis=1).tolist() == [1, 0, 0, 1]
    assert found.min() > 0
    assert found.sum(axis=1) == pytest.approx(1)


def test_a_node_without_rows_has_no_estimate_of_its_own():
    nodes = nodes_of([6, 4], [6, 4], [0, 0])
    assert probabilities.part("frequencies").of_nodes(nodes)[2].tolist() == [1, 0]
    assert probabilities.part("laplace").of_nodes(nodes)[2].tolist() == [0.5, 0.5]
    assert probabilities.part("m_estimate").of_nodes(nodes)[2] == pytest.approx([0.6, 0.4])
    assert probabilities.part("shrinkage").of_nodes(nodes)[2] == pytest.approx([7 / 12, 5 / 12])


@pytest.fixture(scope="module")
def table():
    return hb.datasets.load("penguins")


@pytest.fixture(scope="module", params=ESTIMATES)
def tree(request, table):
    return hb.grow(table, hb.recipe("plain").with_changes(probabilities=request.param))


def test_an_estimate_changes_probabilities_but_neither_the_tree_nor_the_classes(tree, table):
    frequencies = hb.grow(table, "plain")
    assert str(tree) == str(frequencies)
    ours, theirs = hb.predict(tree, table), hb.predict(frequencies, table)
    assert (ours.codes == theirs.codes).all()
    assert (ours.probabilities.argmax(axis=1) == ours.codes).all()
    assert theirs.probabilities.min() == 0.0
    assert ours.probabilities.min() > 0.0
    assert np.abs(ours.probabilities.sum(axis=1) - 1).max() < 1e-12


def cell(column, row):
    value = column.values[row]
    return float(value) if not column.levels else column.levels[value] if value >= 0 else None


def test_every_prediction_has_the_same_probabilities(tree, table, tmp_path):
    rows = table.take(np.arange(0, len(table), 9))
    expected = hb.predict(tree, rows).probabilities
    columns = rows.columns
    by_reference = walk.values_at(tree, columns, walk.row_ends(tree, columns)[0], engine="python")
    assert (by_reference == expected).all()
    predictor = hb.Predictor(tree)
    for row in range(0, len(rows), 5):
        assert predictor.probabilities([cell(column, row) for column in columns]) == tuple(expected[row])
    contributions = hb.shap_values(tree, rows)
    total = np.asarray(contributions.values).sum(axis=1)
    assert np.abs(np.asarray(contributions.base) + total - np.asarray(contributions.prediction)).max() < 1e-9
    one = hb.explain(tree, rows.take(np.array([3])))
    assert list(one.probabilities.values()) == pytest.approx(expected[3].tolist())
    hb.export(tree, tmp_path / "model.py")
    exported: dict = {}
    exec((tmp_path / "model.py").read_text("utf-8"), exported)
    row = {column.name: cell(column, 3) for column in columns}
    assert list(exported["probabilities"](row)) == pytest.approx(expected[3].tolist(), abs=0)


def test_a_pmml_file_is_read_back_with_its_probabilities(tree, table, tmp_path):
    hb.export(tree, tmp_path / "model.pmml")
    back = hb.convert(tmp_path / "model.pmml")
    found, expected = hb.predict(back, table), hb.predict(tree, table)
    assert np.abs(found.probabilities - expected.probabilities).max() < 1e-12
    assert (found.labels == expected.labels).all()


def test_files_edits_prunings_and_new_statistics_keep_the_estimate(tree, table, tmp_path):
    hb.save(tree, tmp_path / "a.tree")
    loaded = hb.load(tmp_path / "a.tree")
    assert loaded.probabilities == tree.probabilities
    assert (walk.node_values(loaded) == walk.node_values(tree)).all()
    for changed in (
        collapse(tree, [1]),
        hb.prune(tree, "pessimistic"),
        hb.relabel(tree, table),
        hb.refill(tree, table),
    ):
        assert changed.probabilities == tree.probabilities
    assert hb.relabel(tree, table).recipe["probabilities"] == tree.probabilities.as_table()


def test_pruning_uses_frequencies(table):
    default = hb.recipe("default")
    assert str(hb.grow(table, default)) == str(hb.grow(table, default.with_changes(probabilities="frequencies")))


def test_a_tree_of_frequencies_has_the_same_file_as_before(table):
    data = files.to_bytes(hb.grow(table, "plain"))
    assert b'"probabilities"' not in data


def test_a_file_with_an_unknown_estimate_is_rejected(tree):
    other = dataclasses.replace(probabilities.part("laplace"))
    object.__setattr__(other, "as_table", lambda: {"name": "lapalce"})
    with pytest.raises(ModelFileError, match="'lapalce'"):
        files.from_bytes(files.to_bytes(dataclasses.replace(tree, probabilities=other)))


def test_an_estimate_needs_classes():
    numbers = hb.read({"x": [1.0, 2.0, 3.0, 4.0], "y": [1.5, 2.5, 8.0, 9.0]}, target="y")
    with pytest.raises(OptionError, match="Probabilities 'laplace' requires a classification target"):
        hb.grow(numbers, hb.recipe("plain").with_changes(probabilities="laplace"))
