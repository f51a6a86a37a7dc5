"""Formats for people and papers: DOT, Mermaid, Markdown, JSON by its schema, and the table of nodes."""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from tests.exporting.cases import expected, models, rows_of, small_cases
from tests.exporting.json_reader import Reader, Rejected
from tests.exporting.runners import text_of
from tests.strategies import trees_with_rows

import hornbeam as hb
from hornbeam.errors import InputError
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table

SCHEMA = Path(__file__).parents[2] / "docs" / "export-schema.json"
HOSTILE = 'a"]; b --> c\n<br> | `x` #quot; {y} \\ */'


@pytest.fixture(scope="module")
def tree():
    return hb.grow(hb.datasets.load("penguins"), "cart")


def hostile_tree():
    table = Table(
        (numeric(HOSTILE, [1.0, 2.0, 3.0, 4.0]), nominal(f"{HOSTILE}!", [0, 1, 0, 1], (HOSTILE, "other"))),
        nominal("y", [0, 0, 1, 1], (HOSTILE, "b")),
    )
    return hb.grow(table, "plain")


@pytest.fixture(scope="module")
def checker():
    jsonschema = pytest.importorskip("jsonschema")
    return jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text("utf-8")))


def test_every_model_as_json_is_valid_by_the_published_schema(checker):
    for name, (model, _) in models().items():
        errors = [error.message for error in checker.iter_errors(json.loads(hb.export(model, format="json")))]
        assert not errors, name


@given(case=trees_with_rows(most_rows=0))
@settings(max_examples=25)
def test_random_trees_as_json_are_valid_by_the_published_schema(checker, case):
    assert checker.is_valid(json.loads(hb.export(case[0], format="json")))


def check_reader(model, columns):
    """The predictions of the JSON, read by the schema alone, are those of the model."""
    reader = Reader(json.loads(hb.export(model, format="json")))
    for row, wanted in zip(rows_of(model, columns), expected(model, columns), strict=True):
        try:
            values, label = reader.predict(row)
        except Rejected:
            assert wanted is None
            continue
        assert wanted is not None
        assert values == pytest.approx(wanted.values, rel=1e-12, abs=1e-300)
        assert wanted.label is None or text_of(reader.classes[label]) == wanted.label


def test_a_reader_of_the_schema_predicts_from_json_alone():
    for model, columns in small_cases().values():
        check_reader(model, columns)


@given(case=trees_with_rows(unseen=("as_missing", "majority", "stay", "error")))
@settings(max_examples=40)
def test_a_reader_of_the_schema_predicts_random_trees_from_json_alone(case):
    check_reader(*case)


def test_json_has_every_number_of_the_tree(tree):
    nodes = json.loads(hb.export(tree, format="json"))["model"]["tree"]["nodes"]
    assert [node["values"] for node in nodes] == (tree.nodes.stats / tree.nodes.stats.sum(axis=1)[:, None]).tolist()
    assert nodes[0]["question"] == {
        "form": "cuts", "column": "flipper_length_mm", "cuts": [206.5], "first": 0, "missing": None
    }  # fmt: skip
    assert nodes[0]["children"] == [1, 2]
    assert [each["flipped"] for each in nodes[0]["surrogates"]] == [True, False, False, False]


def test_dot_has_a_line_per_node_and_branch_and_graphviz_reads_it(tree, tmp_path):
    text = hb.export(tree, format="dot")
    assert text.count(" [label=") == len(tree) + len(tree) - 1
    assert hb.export(hb.forest(hb.datasets.load("iris"), n_trees=2), format="dot").count("subgraph cluster_") == 2
    lines = hb.export(hostile_tree(), format="dot").splitlines()
    assert all(line.replace("\\\\", "").replace('\\"', "").count('"') in (0, 2) for line in lines)
    if shutil.which("dot") is None:
        pytest.skip("Graphviz is not installed")
    for model in (tree, hostile_tree()):
        subprocess.run(["dot", "-Tsvg"], input=hb.export(model, format="dot").encode(), check=True, capture_output=True)


def test_mermaid_escapes_what_would_end_a_label(tree):
    assert hb.export(tree, format="mermaid").count("-->") == len(tree) - 1
    for line in hb.export(hostile_tree(), format="mermaid").splitlines()[1:]:
        assert line.count('"') == 2
        assert "`" not in line
    with pytest.raises(InputError, match="A flowchart shows one tree"):
        hb.export(hb.forest(hb.datasets.load("iris"), n_trees=2), format="mermaid")


def test_markdown_has_a_row_per_leaf(tree):
    text = hb.export(tree, format="markdown")
    assert text.count("\n") == tree.n_leaves + 2
    assert text == hb.extract_rules(tree).markdown().rstrip("\n") + "\n"
    assert hb.export(hb.forest(hb.datasets.load("iris"), n_trees=2), format="markdown").count("## Tree ") == 2


def test_the_table_of_nodes_has_a_row_per_node(tree, tmp_path):
    rows = hb.export(tree, format="nodes")
    assert [row["node"] for row in rows] == list(range(len(tree)))
    assert [row["parent"] for row in rows] == [None, *tree.nodes.parent[1:].tolist()]
    assert [row["rows"] for row in rows] == tree.nodes.rows.tolist()
    assert np.allclose([row["probability_Adelie"] for row in rows], tree.nodes.stats[:, 0] / tree.nodes.weight)
    hb.export(tree, tmp_path / "nodes.csv")
    with open(tmp_path / "nodes.csv", encoding="utf-8", newline="") as file:
        assert [row["condition"] for row in csv.DictReader(file)] == [row["condition"] or "" for row in rows]


def test_a_tree_without_target_can_be_drawn_but_not_run():
    unlabeled = hb.grow(
        Table(hb.datasets.load("iris").columns), hb.recipe("plain").with_changes(searches=["kd_median"])
    )
    assert "digraph" in hb.export(unlabeled, format="dot")
    assert hb.export(unlabeled, format="nodes")[0]["prediction"] is None
    for name in ("sql", "c", "java", "javascript", "python", "markdown"):
        with pytest.raises(InputError, match="without a target"):
            hb.export(unlabeled, format=name)
