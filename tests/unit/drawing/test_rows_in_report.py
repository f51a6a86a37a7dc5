"""The rows that a report includes: none by default; on request some of every leaf, and their numbers."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.drawing.test_report import values_of
from tests.unit.drawing.trees import grown

import hornbeam as hb
from hornbeam.drawing import report
from hornbeam.drawing.report import values
from hornbeam.errors import OptionError
from hornbeam.parts.stops.max_depth import MaxDepth
from hornbeam.table import match
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table
from hornbeam.tree import prediction


def noise(n: int, wide: int = 3) -> Table:
    rng = np.random.default_rng(0)
    columns = tuple(numeric(f"x{i}", rng.normal(size=n)) for i in range(wide))
    return Table(columns, nominal("y", rng.integers(0, 2, n), ("no", "yes")))


def test_a_small_table_is_included_with_the_end_of_every_row():
    table = hb.datasets.load("prostate")
    tree = hb.grow(table, "cart")
    found = values_of(report(tree, table, rows=500).html)["rows"]
    assert found["row"] == list(range(len(table)))
    assert found["end"] == hb.predict(tree, table).nodes.tolist()
    assert found["target"][:3] == [table.target.shown_value(row) for row in range(3)]
    psa = found["columns"].index(table.names.index("PSA"))
    assert found["values"][5][psa] == table.columns[table.names.index("PSA")].values[5]


def test_a_large_table_has_rows_of_every_leaf_and_their_number():
    table = noise(4000)
    tree = hb.grow(table, hb.recipe("plain").with_changes(stops=[MaxDepth(depth=6)]))
    found = values_of(report(tree, table, rows=500).html)["rows"]
    assert found["n_included"] == [0, 500]
    assert found["n_rows"] == [0, 4000]
    assert set(found["end"]) == set(np.flatnonzero(tree.nodes.is_leaf).tolist())


def test_held_out_rows_come_first():
    table, test = noise(200), noise(300)
    found = values_of(report(grown(table), table, test, rows=150).html)["rows"]
    assert found["n_included"] == [50, 100]
    assert found["n_test"] == 50
    assert found["row"][49] == 299


def test_a_report_includes_no_row_unless_requested_and_states_which():
    table = Table((nominal("name", np.arange(40) % 3, ("ada", "bo", "cy")),), numeric("y", np.arange(40) + 0.125))
    page = values_of(report(grown(table), table).html)
    found = page["rows"]
    assert found["row"] == found["values"] == found["target"] == []
    assert page["privacy"][0] == "This file contains no row of the data."
    page = values_of(report(grown(table), table, rows=7).html)
    assert page["privacy"][0] == "This file contains the values of 7 of 40 training rows."
    with pytest.raises(OptionError, match=r"rows must be an integer from 0 to 5,000, got -1\."):
        report(grown(table), table, rows=-1)


def test_a_wide_table_has_few_columns_and_fewer_rows():
    table = noise(900, wide=300)
    found = values_of(report(grown(table), table, rows=900).html)["rows"]
    assert 0 < len(found["columns"]) * len(found["row"]) <= 40_000 + len(found["columns"])


def test_competitors_are_included_for_the_largest_nodes_up_to_a_limit(monkeypatch):
    table = hb.datasets.load("prostate")
    tree = hb.grow(table, "cart")
    monkeypatch.setattr(values, "_MAX_COMPETITORS", 9)
    found = values_of(report(tree, table).html)
    assert list(found["nodes"]["competitors"]) == ["0", "1"]  # four each; the next largest node has four too
    included = [row for row, question in enumerate(found["questions"]) if question is not None]
    assert len(included) < len(tree.questions)
    assert {row for each in found["nodes"]["competitors"].values() for row, _ in each} <= set(included)


def test_how_to_run_it_again_reads_back_as_the_same_recipe(tmp_path):
    table = hb.datasets.load("prostate")
    tree = hb.grow(table, "cart")
    again = values_of(report(tree, table).html)["rerun"]
    (tmp_path / "recipe.toml").write_text(again[0]["code"], encoding="utf-8")
    assert str(hb.grow(table, tmp_path / "recipe.toml")) == str(tree)
    assert 'hb.datasets.load("prostate")' in again[1]["code"]


def test_a_file_is_named_in_python_and_as_commands(tmp_path):
    path = tmp_path / "my data.csv"
    path.write_text("x,y\n1,a\n2,b\n3,a\n4,b\n", encoding="utf-8")
    table = hb.read(path, target="y")
    *_, python, commands = values_of(report(hb.grow(table, "plain"), table).html)["rerun"]
    assert "my data.csv" in python["code"]
    assert "my data.csv' --target y --recipe recipe.toml -o model.tree" in commands["code"]


def test_the_tables_of_a_report_are_matched_once(monkeypatch):
    table = hb.datasets.load("penguins")
    tree = hb.grow(table, "cart")
    others = table.select(list(reversed(table.names))).take(np.arange(0, 300, 7))
    matched = []

    def counted(schema, source, **settings):
        matched.append(len(schema.columns))
        return match.match_columns(schema, source, **settings)

    monkeypatch.setattr(prediction, "match_columns", counted)
    report(tree, table, others)
    assert sorted(matched) == [1, len(table.names)]  # the columns and the target of the table in another order
