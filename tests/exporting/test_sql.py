"""Exported queries give the predictions of `predict`: labels and raw scores equal, probabilities within 2 ulp."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from tests.exporting import databases
from tests.exporting.cases import expected, nested_cases, rows_of, small_cases
from tests.strategies import trees_with_rows

import hornbeam as hb
from hornbeam.errors import InputError
from hornbeam.exporting.conversion import export_model
from hornbeam.exporting.formats.sql import Sql
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table

# `make test-exports` also runs PostgreSQL and MariaDB.
DATABASES = {"sqlite": databases.in_sqlite, "duckdb": databases.in_duckdb}


@pytest.fixture(scope="module")
def cases():
    return small_cases()


def assert_close(results, wanted, name=""):
    """Labels and raw scores are equal, values differ by at most 2 units in the last place."""
    assert [each and (each.label, each.scores) for each in results] == [
        each and (each.label, each.scores) for each in wanted
    ], name
    known = [(one.values, other.values) for one, other in zip(results, wanted, strict=True) if one is not None]
    if known:
        found, right = (np.array(each, dtype=np.float64) for each in zip(*known, strict=True))
        assert (np.abs(found - right) <= 2 * np.spacing(np.abs(right))).all(), name


@pytest.mark.parametrize("database", DATABASES)
def test_queries_predict_every_row_as_hornbeam_does(database, cases, tmp_path):
    given_cases = [(model, rows_of(model, columns)) for model, columns in cases.values()]
    found = DATABASES[database](given_cases, tmp_path)
    for name, (model, columns), results in zip(cases, cases.values(), found, strict=True):
        assert_close(results, expected(model, columns), name)


@given(trees_with_rows())
@settings(max_examples=60)
def test_queries_of_random_trees_predict_as_hornbeam_does(case):
    tree, columns = case
    assume(not any(np.isinf(column.values).any() for column in columns if not column.levels))
    assume(not Sql().unsupported(export_model(tree)))
    results = databases.in_sqlite([(tree, rows_of(tree, columns))], None, dialect="standard")[0]
    assert_close(results, expected(tree, columns))


def test_a_query_has_one_line_per_node_and_per_leaf():
    tree = hb.grow(hb.datasets.load("penguins"), hb.recipe("plain").with_changes(missing="learned"))
    text = hb.export(tree, format="sql", table="clinic.penguins")
    assert text.count(" AS node_") == len(tree) - tree.n_leaves
    assert text.count("\n      WHEN node_") == tree.n_leaves
    assert 'FROM "clinic"."penguins"' in text


def test_queries_of_nested_dichotomies_predict_as_the_estimator_does(tmp_path):
    given_cases = nested_cases()
    found = databases.in_duckdb([case for case, _ in given_cases], tmp_path)
    for results, (_, wanted) in zip(found, given_cases, strict=True):
        assert_close(results, wanted)


def test_other_dialects_are_written_by_sqlglot():
    sqlglot = pytest.importorskip("sqlglot")
    tree = hb.grow(hb.datasets.load("penguins"), "cart")
    for dialect, quoted in (("mysql", "`island`"), ("tsql", "[island]"), ("snowflake", '"island"')):
        text = hb.export(tree, format="sql", table="penguins", dialect=dialect, view="v")
        assert quoted in text
        assert len(sqlglot.parse(text, dialect=dialect)) == 1


def test_mysql_computes_every_stage_once():
    pytest.importorskip("sqlglot")
    forest = hb.forest(hb.datasets.load("iris"), n_trees=3, seed=1)
    text = hb.export(forest, format="sql", table="iris", dialect="mysql")
    assert text.count("\n  LIMIT 18446744073709551615\n)") == text.count(" AS (") > 2


def test_a_hostile_table_name_stays_a_name():
    text = hb.export(hb.grow(hb.datasets.load("iris")), format="sql", table='t"; DROP TABLE x; --')
    assert 'FROM "t""; DROP TABLE x; --"' in text


def test_a_column_of_the_name_of_a_result_is_rejected_and_internal_names_are_changed():
    table = Table((numeric("prediction", [1.0, 2.0, 3.0, 4.0]),), nominal("y", [0, 0, 1, 1], ("a", "b")))
    with pytest.raises(InputError, match='has a column "prediction"'):
        hb.export(hb.grow(table, "plain"), format="sql")
    table = Table((numeric("node_0", [1.0, 2.0, 3.0, 4.0]),), nominal("y", [0, 0, 1, 1], ("a", "b")))
    assert "END AS node_0_2" in hb.export(hb.grow(table, "plain"), format="sql")


def test_a_large_tree_is_written_in_pieces(tmp_path):
    generator = np.random.default_rng(2)
    columns = tuple(numeric(f"x{i}", generator.normal(size=1500).round(2)) for i in range(3))
    table = Table(columns, nominal("y", generator.integers(0, 3, 1500).astype(np.int32), ("a", "b", "c")))
    tree = hb.grow(table, "plain")
    assert tree.n_leaves > 500
    rows = tuple(column.take(np.arange(100)) for column in columns)
    for run in (databases.in_sqlite, databases.in_duckdb):
        assert_close(run([(tree, rows_of(tree, rows))], tmp_path)[0], expected(tree, rows))
